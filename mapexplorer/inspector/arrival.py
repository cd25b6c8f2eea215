"""What the scripts of a map change when it is entered in a new game, as values, text and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mapexplorer.gameplay.flags import flag_name
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.save import EventChange, fresh_save
from mapexplorer.world.transition import Arrival, arrive


@dataclass(frozen=True)
class ArrivalFacts:
    """What entering a map changes: (flag, name) of those that are set and cleared, (variable, name, value), fields of
    events; `assumed`: the commands whose answer is not known, taken as 0; `complete`: the scripts were followed to
    their end."""

    arrival: Arrival
    flags_set: tuple[tuple[int, str], ...]
    flags_cleared: tuple[tuple[int, str], ...]
    variables: tuple[tuple[int, str, int], ...]
    changes: tuple[EventChange, ...]
    assumed: tuple[str, ...]
    complete: bool


def find_arrival(world: WorldFiles, header: int) -> ArrivalFacts:
    """What entering the maps of a header in a new game changes. Raises FormatError, RomError."""
    before, names = fresh_save(world.game), world.game.tables.save_names
    arrival = arrive(world, header, before)
    after = arrival.save
    commands = world.game.tables.script_commands.names
    return ArrivalFacts(
        arrival,
        tuple((flag, flag_name(names, flag)) for flag in sorted(after.flags - before.flags)),
        tuple((flag, flag_name(names, flag)) for flag in sorted(before.flags - after.flags)),
        tuple(
            (number, names.variables.get(number, ""), value)
            for number, value in sorted(after.variables.items())
            if value != before.variables.get(number, 0)
        ),
        after.changes.get(header, ()),
        tuple(commands[number].name for number in sorted(arrival.assumed)),
        arrival.complete,
    )


def arrival_lines(facts: ArrivalFacts) -> list[str]:
    """A line for each change."""
    return [
        *(f"sets flag {flag}{_named(name)}" for flag, name in facts.flags_set),
        *(f"clears flag {flag}{_named(name)}" for flag, name in facts.flags_cleared),
        *(f"variable 0x{number:X}{_named(name)} is {value}" for number, name, value in facts.variables),
        *(f"{change.events} {change.number}: {change.field} is {change.value}" for change in facts.changes),
        *(f"not known, taken as 0: {command}" for command in facts.assumed),
        *([] if facts.complete else ["the scripts cannot be followed to their end"]),
    ]


def _named(name: str) -> str:
    return f" {name}" if name else ""


def arrival_json(facts: ArrivalFacts) -> dict[str, Any]:
    """What entering changes as JSON values."""
    return {
        "flags_set": [{"flag": flag, "name": name} for flag, name in facts.flags_set],
        "flags_cleared": [{"flag": flag, "name": name} for flag, name in facts.flags_cleared],
        "variables": [{"variable": number, "name": name, "value": value} for number, name, value in facts.variables],
        "events": [
            {"events": change.events, "number": change.number, "field": change.field, "value": change.value}
            for change in facts.changes
        ],
        "assumed": list(facts.assumed),
        "complete": facts.complete,
    }
