"""`walk` in the Distortion World: what can be reached on its floors, walls and ceilings."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.output import count, table_lines

if TYPE_CHECKING:
    from mapexplorer.walk.distortion_moves import DistortionStanding
    from mapexplorer.walk.distortion_reach import DistortionReach
    from mapexplorer.walk.warps import Spot
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.save import Save


def first_tile(place: FieldPlace, save: Save) -> tuple[int, int]:
    """The tile of the floor's map where a walk begins: that of the spot of a chosen state, else of the arrival."""
    from mapexplorer.features import entered

    feature = entered(save, place.header.id)
    spot = None if feature is None else feature.with_files(place.world)
    chosen = None if spot is None else spot.spot or spot.arrival
    if chosen is None:
        raise click.UsageError(f"{place.header.title} has no tile to start at: give --from X,Z")
    return chosen.x, chosen.z


def distortion_reach(
    place: FieldPlace, tile: tuple[int, int], near: int | None, save: Save, *, surf: bool
) -> DistortionReach:
    """Everything that can be reached from a tile of a floor's map."""
    from mapexplorer.walk.distortion_moves import DistortionMoves
    from mapexplorer.walk.distortion_reach import DistortionReach

    moves = DistortionMoves(place.world)
    start, state, _ = moves.start(save, place.header.id, *tile, near)
    return DistortionReach(moves, start, state, surf=surf)


def way_text(place: FieldPlace, start: Spot, goal: Spot) -> str:
    """From where a path leads, and to where."""
    headers = place.world.headers
    other = "" if start.header == goal.header else f" of {headers[start.header].title}"
    return f"from ({start.x}, {start.z}){other} to ({goal.x}, {goal.z}) of {headers[goal.header].title}"


def distortion_route(place: FieldPlace, found: DistortionReach, goal: Spot) -> Answer:
    """The path to the first state on a tile, as letters for --path."""
    from mapexplorer.walk import compact
    from mapexplorer.walk.warps import Spot

    way = way_text(place, Spot(*_on_map(found, found.start.standing)), goal)
    state = next((one for one in found.states if Spot(*_on_map(found, one.standing)) == goal), None)
    if state is None:
        return Answer(f"Not reached: {way}.", status=1)
    letters = found.path(state)
    values = {"start": _plain(found, found.start.standing), "standing": _plain(found, state.standing)}
    return Answer(
        f"{count(len(letters), 'letter')} {way}, {state.standing.avatar.words}.",
        [compact(letters)],
        lambda: {"path": compact(letters), "letters": len(letters), **values},
    )


def report(place: FieldPlace, found: DistortionReach, output: Path | None) -> Answer:
    """How many places were reached by floor and by what the player stands on; or write all of them."""
    if output is not None and output.suffix.lower() != ".json":
        raise click.UsageError("places on walls and ceilings have no chart from above: -o names a .json file")
    headers = place.world.headers
    standings = sorted(found.standings(), key=lambda one: (one.header, one.avatar, one.platform, one.tile))
    tiles = {(one.header, one.avatar, one.platform, one.tile) for one in standings}
    places = Counter((header, avatar) for header, avatar, *_ in tiles)
    rows = [
        (header, headers[header].internal_name, avatar.words, number)
        for (header, avatar), number in sorted(places.items())
    ]
    values: dict[str, Any] = {
        "start": _plain(found, found.start.standing),
        "reached": [
            {"header": header, "internal_name": name, "on": on, "tiles": number} for header, name, on, number in rows
        ],
    }
    if output is not None:
        from mapexplorer.export.files import write_atomically
        from mapexplorer.inspector import FORMAT

        everything = {"format": FORMAT, **values, "standings": [_plain(found, one) for one in standings]}
        write_atomically(output, (json.dumps(everything) + "\n").encode())
    floors = len({header for header, *_ in rows})
    text = table_lines(("Header", "Name", "On", "Tiles"), rows) if output is None else ()
    return Answer(f"{count(sum(places.values()), 'tile')} of {count(floors, 'floor')} reached.", text, lambda: values)


def _on_map(found: DistortionReach, standing: DistortionStanding) -> tuple[int, int, int]:
    """Header and tile of a standing on the map of its floor."""
    west, _, north = found.moves.floors[standing.header].offset
    return standing.header, standing.x - west, standing.z - north


def _plain(found: DistortionReach, standing: DistortionStanding) -> dict[str, Any]:
    header, x, z = _on_map(found, standing)
    return {
        "header": header,
        "tile": [x, z],
        "space_tile": list(standing.tile),
        "on": standing.avatar.words,
        "platform": None if standing.platform < 0 else standing.platform,
        "surfing": standing.surfing,
    }
