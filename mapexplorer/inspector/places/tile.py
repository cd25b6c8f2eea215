"""All about one tile: what runs there, its ground and height, the encounters there; as values, text and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from formats.binary import FormatError
from formats.field.zone_event import ZoneEvents
from mapexplorer.errors import RomError
from mapexplorer.gameplay.activation import Activation, on_button, on_facing, on_step
from mapexplorer.gameplay.encounters import WaterMethod
from mapexplorer.gameplay.meetings import GRASS, Meeting, find_encounters, meetings
from mapexplorer.gameplay.names import species_name
from mapexplorer.games.field_tables import Behaviour
from mapexplorer.inspector.facts import Fact, Section, filled, section
from mapexplorer.inspector.origins import origin_json, thing_origin
from mapexplorer.inspector.places.encounters import meeting_fact
from mapexplorer.inspector.places.heights import HeightFacts, height_facts, height_json, point_facts
from mapexplorer.inspector.places.heights import ask as ask_height
from mapexplorer.inspector.script.activation import run_json, run_text
from mapexplorer.scene.saves import save_before
from mapexplorer.scene.view import ENTERED, NEW
from mapexplorer.walk.ground import Grounds
from mapexplorer.walk.rules import Refusal
from mapexplorer.walk.walker import Walker
from mapexplorer.world import FieldPlace, FieldWorld, Header
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.events.transition import entered_save
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.subject import subject

if TYPE_CHECKING:
    from mapexplorer.inspector.things.common import Context


@dataclass(frozen=True, eq=False)
class TileFacts:
    """What is on a tile and what happens there."""

    world: FieldWorld
    """The world of its map."""
    tile: tuple[int, int]
    """Matrix-wide."""
    header: Header
    """That of its cell."""
    runs: tuple[tuple[str, Direction | None, Activation], ...]
    """What the action button can run in each direction that the player faces, what runs while north is held towards it
    and on a step onto it (None: in any direction), each with its title."""
    height: HeightFacts
    """The height query at its centre."""
    behaviour: Behaviour
    """What its attribute says."""
    refused: dict[Direction, Refusal]
    """Direction of a step onto it -> why a new game's player on foot is refused."""
    meetings: tuple[Meeting, ...]
    """What is met there when walking (in the grass of the map) or by surfing and fishing."""


def ask(world: FieldWorld, place: FieldPlace, x: int, z: int, shown: str = ENTERED) -> TileFacts:
    """The facts about a tile with a save, see `MapState.save`. Raises FormatError, RomError."""
    before, entered = save_before(world.game, shown), shown != NEW
    cell = place.terrain.cell_at(x, z)
    header = place.header if cell is None else world.headers[cell.header]
    behaviour = world.game.tables.behaviour(place.terrain.behaviour(x, z))
    met: tuple[Meeting, ...] = ()
    if cell is not None and (behaviour.wild_encounters or behaviour.surf):
        here = meetings(find_encounters(world, header.id))
        met = tuple(meeting for meeting in here if meeting.how in (tuple(WaterMethod) if behaviour.surf else (GRASS,)))

    def events(number: int) -> ZoneEvents | None:
        stored = world.events(number)
        return entered_save(world, number, before).events(number, stored) if stored is not None and entered else stored

    pressed = ((faces, run) for faces in Direction for run in on_button(place, x, z, faces, events))
    runs = (
        *((f"A facing {faces.word}", faces, run) for faces, run in pressed),
        *(("Holding north", None, run) for run in on_facing(place, x, z, events)),
        *(("Step", None, run) for run in on_step(place, x, z)),
    )
    return TileFacts(
        world,
        (x, z),
        header,
        runs,
        ask_height(place, (x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS, 0.0),
        behaviour,
        _refused(place, x, z, Grounds(world, place.known, entered, before)),
        met,
    )


def _refused(place: FieldPlace, x: int, z: int, grounds: Grounds) -> dict[Direction, Refusal]:
    """Why steps onto a tile are refused, from the tiles beside it that have land."""
    beside = {direction: (x - DX[direction], z - DZ[direction]) for direction in Direction}
    refusals = {
        direction: Walker(place.world, place.header.id, *tile, grounds=grounds).refused(direction)
        for direction, tile in beside.items()
        if place.terrain.cell_at(*tile) is not None
    }
    return {direction: refusal for direction, refusal in refusals.items() if refusal is not None}


def tile_sections(context: Context, matrix: int, x: int, z: int) -> tuple[Section, ...]:
    """What runs on a tile, why steps onto it are refused, what is met there."""
    try:
        facts = ask(context.world, context.place, x, z)
    except (FormatError, RomError) as error:
        return (section("Happens here", Fact("", str(error))),)
    header, steps = facts.header.id, facts.refused.items()
    return filled(
        section(
            "Runs here",
            *(
                Fact(title, run_text(context.world, run), link=subject("script", header, run.script))
                for title, _, run in facts.runs
            ),
        ),
        section(
            "Steps that are refused",
            *(Fact(f"Step {direction.word}", str(refusal), refusal.rule.value) for direction, refusal in steps),
        ),
        section("Wild Pokémon", *_met(facts)),
    )


def tile_facts(facts: TileFacts) -> list[Fact]:
    """The facts in one list: the ground, then what happens on the tile in the order in which it can."""
    return [
        Fact("Map", facts.header.title),
        *point_facts(facts.height),
        *height_facts(facts.height),
        Fact("Encounters", "yes" if facts.behaviour.wild_encounters else "no"),
        *(Fact(title, run_text(facts.world, run)) for title, faces, run in facts.runs if faces is not None),
        *(Fact(f"Step {direction.word}", f"refused: {why}") for direction, why in facts.refused.items()),
        *(Fact(title, run_text(facts.world, run)) for title, faces, run in facts.runs if faces is None),
        *(Fact(fact.name, f"{fact.value} {fact.meaning}") for fact in _met(facts)),
    ]


def _met(facts: TileFacts) -> list[Fact]:
    """The species that are met, each with its chance and its levels."""
    return [meeting_fact(facts.world, f"{meeting.how}, {meeting.when}", meeting) for meeting in facts.meetings]


def tile_json(facts: TileFacts) -> dict[str, Any]:
    """The facts as JSON values."""
    return {
        **header_json(facts.header),
        "tile": list(facts.tile),
        "behaviour": facts.behaviour.id,
        "behaviour_name": facts.height.behaviour,
        "wild_encounters": facts.behaviour.wild_encounters,
        "surf": facts.behaviour.surf,
        "runs": [
            {
                **run_json(run),
                "faces": None if faces is None else faces.word,
                **origin_json(thing_origin(facts.world, subject("script", run.header, run.script))),
            }
            for _, faces, run in facts.runs
        ],
        "refused": [
            {"faces": direction.word, "rule": refusal.rule.value, "sentence": str(refusal)}
            for direction, refusal in facts.refused.items()
        ],
        "height": height_json(facts.height),
        "meetings": [
            {
                "how": meeting.how,
                "when": meeting.when,
                "species": meeting.species,
                "name": species_name(facts.world, meeting.species),
                "percent": meeting.percent,
                "levels": None if meeting.lowest is None else [meeting.lowest, meeting.highest],
            }
            for meeting in facts.meetings
        ],
    }
