"""`walk`: movement by the game's rules without a window, and what can be reached."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any, Final

import click

from formats.fixed import ONE
from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import NUMBER, TILE, PlaceAndTile, map_and_tile_argument, place_and_tile, rom_argument
from mapexplorer.cli.options import one_option, parsed
from mapexplorer.cli.output import count, examples
from mapexplorer.cli.walk_surfaces import surface_route, surfaces
from mapexplorer.errors import PlaceError
from mapexplorer.inspector.lines import table_lines
from mapexplorer.scene.view import NEW, View
from mapexplorer.values import ranges
from mapexplorer.walk.path import NOTATION
from mapexplorer.world.wording import damage

if TYPE_CHECKING:
    from mapexplorer.walk import Walker
    from mapexplorer.walk.ground import Grounds
    from mapexplorer.walk.reach import Reach
    from mapexplorer.walk.unreached import Unreached
    from mapexplorer.walk.warps import Spot
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.save import Save

_CHART_PIXELS = 1024

_EPILOG = (
    examples("walk demo T01 --path SSEENN", "walk demo T01 --reach", "walk demo T01 --to T01@8,36 --json")
    + "\n\n\b\nLetters of a path:\n"
    + indent(NOTATION, "  ")
)


@click.command(epilog=_EPILOG)
@rom_argument
@map_and_tile_argument
@click.option("--at", "--from", "start", type=TILE, help="Tile to start on, matrix-wide; by default the first warp's.")
@click.option(
    "--near", type=NUMBER, help="Height in units: the nearest plate of the tile wins; by default the highest one."
)
@one_option(View, "state")
@one_option(View, "save")
@click.option("--path", "letters", help="Walk this; see below.")
@click.option("--reach", is_flag=True, help="Find every tile that can be reached.")
@click.option("--to", "goal", metavar="MAP@X,Z", help="Find a path to this tile, as letters for --path.")
@click.option("--surf", is_flag=True, help="Able to surf.")
@click.option("--waterfall", is_flag=True, help="Able to climb waterfalls.")
@click.option("--rock-climb", is_flag=True, help="Able to climb rocks.")
@click.option("--bicycle", is_flag=True, help="Owns a bicycle.")
@click.option("--strength", is_flag=True, help="Able to push boulders; only --path does.")
@click.option("--all-abilities", is_flag=True, help="All of them. --path alone has them all unless some are named.")
@click.option(
    "--people/--no-people",
    default=None,
    help="Map objects block tiles, by default with --to; with --path, trainers who see the player come.",
)
@click.option("--over-warps/--one-matrix", default=True, show_default=True, help="Go through warps when searching.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="What --reach found, as .png or .json.")
@answered
def walk(
    rom: str,
    where: PlaceAndTile,
    start: tuple[float, float] | None,
    near: float | None,
    state: str | None,
    save: str,
    letters: str | None,
    reach: bool,
    goal: str | None,
    all_abilities: bool,
    people: bool | None,
    over_warps: bool,
    output: Path | None,
    **owned: bool,
) -> Answer:
    """Walk in MAP by the game's rules, tick by tick (1/29.9 s), or find what can be reached.

    X,Z is the same as --at.
    """
    from mapexplorer.features import choosing
    from mapexplorer.scene.conditions import shown_save
    from mapexplorer.scene.saves import save_before, saved_moment
    from mapexplorer.walk import ALL_ABILITIES, Ability, Grounds, Walker, parse_path
    from mapexplorer.walk.ability import saved_abilities
    from mapexplorer.world.world import FieldWorld

    if (letters is None) == (not reach and goal is None):
        raise click.UsageError("give either --path or one of --reach and --to")
    if output is not None and (not reach or output.suffix.lower() not in (".png", ".json")):
        raise click.UsageError("-o goes with --reach and names a .png or .json file")
    abilities = frozenset(ability for ability in Ability if all_abilities or owned[ability.name.lower()])
    map_name, named = where
    place = FieldWorld.open(rom).place(map_name)
    shown, before = shown_save(place, View(save=save, **saved_moment(save))), save_before(place.world.game, save)
    if before.block and not abilities:
        abilities = saved_abilities(before)
    if state is not None:
        with parsed():
            shown = choosing(shown, place.header.id, state)
    place = place.of_save(shown)
    grounds = Grounds(place.world, place.known, save != NEW, before)
    tile, level = _start(place, shown, start or named), None if near is None else round(near * ONE)
    if letters is not None:
        with parsed():
            keys = parse_path(letters)
        walker = Walker(
            place.world,
            place.header.id,
            *tile,
            near=level,
            abilities=abilities if abilities or before.block else ALL_ABILITIES,
            people=bool(people),
            grounds=grounds,
            save=shown,
        )
        return _path(place, walker, keys)

    from mapexplorer.walk.reach import search

    goal_spot = None if goal is None else _goal(place, goal)
    reached = search(
        place.world,
        place.header.id,
        *tile,
        near=level,
        abilities=abilities,
        people=goal is not None if people is None else people,
        over_warps=over_warps,
        save=shown,
        grounds=grounds,
        goal=goal_spot,
    )
    answer = _reach(place, reached, output, over_warps) if goal_spot is None else _route(place, reached, goal_spot)
    return replace(answer, before=_damaged(reached.grounds))


def _damaged(grounds: Grounds) -> list[str]:
    """What a walk has done without because its file cannot be read."""
    return [damage(lost) for lost in grounds.damaged]


def _start(place: FieldPlace, save: Save, start: tuple[float, float] | None) -> tuple[int, int]:
    """The tile that is given; else where the game was saved, the spot or the arrival that code adds to the map, else
    the first warp."""
    from mapexplorer.features import entered

    named, given = "--at names", start
    if start is None:
        start = save.position(place.header.id)
    if start is None:
        feature = entered(save, place.header.id)
        feature = None if feature is None else feature.with_files(place.world)
        spot = None if feature is None else feature.spot or feature.arrival
        if spot is not None:
            return spot.x, spot.z
        events, named = place.events, f"The first warp of {place.header.title}, where no --at is given, is on"
        if events is None or not len(events.warps):
            raise click.UsageError(f"{place.header.title} has no warp to start at: give --at X,Z")
        start = events.warps[0]["x"], events.warps[0]["z"]
    x, z = int(start[0] // 1), int(start[1] // 1)
    if place.terrain.cell_at(x, z) is None:
        sentence = f"{named} tile ({x}, {z}), which has no land in matrix {place.matrix_id.value}"
        raise PlaceError(f"{sentence}; give --at X,Z.") if given is None else click.UsageError(sentence)
    return x, z


def _path(place: FieldPlace, walker: Walker, keys: str) -> Answer:
    from mapexplorer.walk import play

    ticks = list(play(walker, keys))
    blocked = sum(event.kind == "blocked" for tick in ticks for event in tick.events)
    return Answer(
        f"{count(len(ticks), 'tick')}, ends in {place.world.headers[walker.zone].title} on ({walker.x}, {walker.z}) at "
        f"height {walker.y / ONE:g}; {count(blocked, 'refusal')}.",
        table_lines(_TICKS, [_tick_row(place, tick) for tick in ticks]),
        lambda: {
            "ticks": [tick.plain(place.world.game.tables) for tick in ticks],
            "end": {
                "entered": walker.header,
                "header": walker.zone,
                "tile": [walker.x, walker.z],
                "height": walker.y / ONE,
                "elevated": walker.elevated,
                "mode": walker.mode.name.lower(),
                "feature": None if walker.feature is None else walker.feature.name,
                "state": None if walker.feature is None else walker.feature.state,
                "changed": {
                    event.values["feature"]: event.values["state"]
                    for tick in ticks
                    for event in tick.events
                    if event.kind == "feature"
                },
            },
        },
        before=_damaged(walker.grounds),
    )


_TICKS: Final = ("Tick", "Zone", "Place", "X", "Z", "x", "height", "z", "jump", "Gait", "Events")


def _tick_row(place: FieldPlace, tick: Any) -> tuple[object, ...]:
    return (
        tick.number,
        place.world.headers[tick.zone].internal_name,
        place.world.headers[tick.zone].name,
        tick.x,
        tick.z,
        *(f"{part / ONE:g}" for part in tick.position),
        f"{tick.jump / ONE:g}" if tick.jump else "",
        tick.gait,
        " ".join(event.sentence for event in tick.events),
    )


def _goal(place: FieldPlace, goal: str) -> Spot:
    """The tile that --to names."""
    from mapexplorer.walk.warps import Spot
    from mapexplorer.world.headers.header import find_header
    from mapexplorer.world.place import FieldPlace

    name, tile = place_and_tile(goal)
    if tile is None:
        raise click.UsageError("--to takes MAP@X,Z.")
    header = find_header(place.world.headers, name or place.header.id)
    FieldPlace(place.world, header).check_tile(tile)
    return Spot(header.id, int(tile[0] // 1), int(tile[1] // 1))


def _route(place: FieldPlace, reached: Reach, goal: Spot) -> Answer:
    from mapexplorer.walk import compact

    headers, origin, state = place.world.headers, reached.start, reached.state_at(goal)
    other = "" if origin.header == goal.header else f" of {headers[origin.header].title}"
    way = f"from ({origin.x}, {origin.z}){other} to ({goal.x}, {goal.z}) of {headers[goal.header].title}"
    objects = "around map objects" if reached.people else "without map objects"
    if state is None:
        return Answer(f"Not reached: {way}, {objects}.", status=1)
    letters = reached.path(state)
    if reached.has_surfaces:
        return surface_route(reached, state, letters, way)
    start = {"header": reached.start.header, "tile": [reached.start.x, reached.start.z]}
    return Answer(
        f"{count(len(letters), 'letter')} {way}, {objects}.",
        [compact(letters)],
        lambda: {
            "path": compact(letters),
            "letters": len(letters),
            "height": state.standing.y / ONE,
            "start": start,
            "people": reached.people,
        },
    )


def _reach(place: FieldPlace, reached: Reach, output: Path | None, over_warps: bool) -> Answer:
    if reached.has_surfaces:
        return surfaces(place, reached, output)
    headers = place.world.headers
    zones = sorted(reached.zones().items())
    total, places = reached.count, len(zones)
    missing: tuple[Unreached, ...] = ()
    # A search within one matrix has no results beyond warps.
    if over_warps and (output is None or output.suffix.lower() == ".json"):
        from mapexplorer.walk.unreached import unreached

        missing = unreached(reached)
    report: dict[str, Any] = {
        "start": {"header": reached.start.header, "tile": [reached.start.x, reached.start.z]},
        "abilities": sorted(ability.value for ability in reached.abilities),
        "people": reached.people,
        "tiles": total,
        "zones": [
            {"header": zone, "internal_name": headers[zone].internal_name, "tiles": tiles} for zone, tiles in zones
        ],
        "unreached": [
            {
                "header": area.header,
                "internal_name": headers[area.header].internal_name,
                "why": area.sentence,
                "edge": None
                if area.edge is None
                else {
                    "header": area.edge.header,
                    "tile": list(area.edge.tile),
                    "direction": None if area.edge.direction is None else area.edge.direction.word,
                    "rule": area.edge.rule,
                    "opened_by": area.edge.opened_by,
                },
            }
            for area in missing
        ],
    }
    if output is not None:
        from mapexplorer.export.files import write_atomically
        from mapexplorer.inspector import FORMAT

        if output.suffix.lower() == ".png":
            from mapexplorer.export.images import encode_indexed_png
            from mapexplorer.walk.reach_map import PALETTE, chart

            marks = chart(reached, place.header.id)
            scale = max(1, _CHART_PIXELS // max(marks.shape))
            write_atomically(output, encode_indexed_png(marks.repeat(scale, 0).repeat(scale, 1), PALETTE))
        else:
            grounds = [
                {"matrix": ground.matrix, "header": ground.header, "rows": _rows(reached, ground)}
                for ground in (visited.ground for visited in reached.visited.values())
            ]
            write_atomically(output, (json.dumps({"format": FORMAT, **report, "grounds": grounds}) + "\n").encode())
    unknown = f"; {count(len(missing), 'header')} not reached" if missing else ""
    return Answer(
        f"{count(total, 'tile')} of {count(places, 'place')} reached{unknown}.",
        _reach_lines(place, zones, missing) if output is None else (),
        lambda: report,
    )


def _reach_lines(place: FieldPlace, zones: Sequence[tuple[int, int]], missing: Sequence[Unreached]) -> Iterator[str]:
    headers = place.world.headers
    rows = [(zone, headers[zone].internal_name, headers[zone].name, tiles) for zone, tiles in zones]
    yield from table_lines(("Header", "Name", "Place", "Tiles"), rows)
    if missing:
        edges = [
            (
                area.header,
                headers[area.header].internal_name,
                headers[area.header].name,
                "" if area.edge is None else headers[area.edge.header].internal_name,
                "" if area.edge is None else headers[area.edge.header].name,
                area.sentence,
            )
            for area in missing
        ]
        yield from ("", *table_lines(("Not reached", "Name", "Place", "Blocked in", "Place", "Why"), edges))


def _rows(reached: Reach, ground: Any) -> dict[str, list[list[int]]]:
    """z -> runs [first x, last x] of reached tiles."""
    rows = groupby(sorted((z, x) for x, z in reached.tiles(ground)), itemgetter(0))
    return {str(z): [list(run) for run in ranges(x for _, x in row)] for z, row in rows}
