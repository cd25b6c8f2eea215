"""`walk` where code adds floors, walls and ceilings to the land: what can be reached on them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.output import count
from mapexplorer.inspector.lines import table_lines

if TYPE_CHECKING:
    from mapexplorer.walk.reach import Reach, State
    from mapexplorer.world.place import FieldPlace


def surface_route(reached: Reach, state: State, letters: str, way: str) -> Answer:
    """The path to a state, as letters for --path."""
    from mapexplorer.walk import compact

    values = {"start": _plain(reached.states()[0]), "standing": _plain(state)}
    return Answer(
        f"{count(len(letters), 'letter')} {way}, {state.standing.surface.words}.",
        [compact(letters)],
        lambda: {"path": compact(letters), "letters": len(letters), **values},
    )


def surfaces(place: FieldPlace, reached: Reach, output: Path | None) -> Answer:
    """How many places were reached by map and by what the player stands on; or all of them, written to a file."""
    if output is not None and output.suffix.lower() != ".json":
        raise click.UsageError("places on walls and ceilings have no chart from above: -o names a .json file")
    headers = place.world.headers
    states = sorted(reached.states(), key=_place)
    places = Counter((header, surface) for header, surface, *_ in {_place(state) for state in states})
    rows = [
        (header, headers[header].internal_name, surface.words, number)
        for (header, surface), number in sorted(places.items())
    ]
    values: dict[str, Any] = {
        "start": _plain(reached.states()[0]),
        "reached": [
            {"header": header, "internal_name": name, "on": on, "tiles": number} for header, name, on, number in rows
        ],
    }
    if output is not None:
        from mapexplorer.export.files import write_atomically
        from mapexplorer.inspector import FORMAT

        standings = {(*_place(state), state.standing.y, state.standing.mode): _plain(state) for state in states}
        everything = {"format": FORMAT, **values, "standings": list(standings.values())}
        write_atomically(output, (json.dumps(everything) + "\n").encode())
    floors = len({header for header, *_ in rows})
    text = table_lines(("Header", "Name", "On", "Tiles"), rows) if output is None else ()
    return Answer(f"{count(sum(places.values()), 'tile')} of {count(floors, 'floor')} reached.", text, lambda: values)


def _place(state: State) -> tuple[Any, ...]:
    """What tells the places of states apart: header, surface, platform, tile."""
    plain = _plain(state)
    platform = -1 if plain["platform"] is None else plain["platform"]
    return plain["header"], state.standing.surface, platform, tuple(plain["space_tile"])


def _plain(state: State) -> dict[str, Any]:
    """A state as JSON."""
    x, z, y = state.standing.x, state.standing.z, state.standing.y
    added = {} if state.standing.feature is None else state.standing.feature.standing(x, z, y)
    return {"header": state.ground.header, "tile": [x, z], **added, "surfing": state.standing.mode.name == "SURF"}
