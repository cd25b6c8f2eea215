"""What a flag means, and what depends on it: the scripts that set, clear or check it, the objects that it hides, the
hidden items that it marks as taken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from formats.binary import FormatError
from formats.field.script import ScriptFile
from mapexplorer.games.script_tables import SaveNames
from mapexplorer.world.events.event_rules import BackgroundKind
from mapexplorer.world.events.script_effects import constant_effects
from mapexplorer.world.events.script_files import script_files
from mapexplorer.world.save import CLONE
from mapexplorer.world.sources.files import WorldFiles

_EFFECTS: Final = {"flag set": "set", "flag clear": "cleared", "flag check": "checked"}


class FlagMeaning(NamedTuple):
    """What a flag is about. `kind`: `map` (cleared when another map is entered), `hidden item` (taken), `item ball` (it
    hides the object of a taken item), `trainer` (beaten), `first arrival`, `day` (cleared when the date changes),
    `system`; in no range: `event`. `number`: the trainer, the hidden item (script - 8000), the header of the first
    arrival; None: none, or not known (the scripts of a map set its first arrival)."""

    kind: str
    number: int | None = None


@dataclass(frozen=True)
class FlagUses:
    """The uses of a flag: (header, object) that it hides; (header, background event) of hidden items that it marks as
    taken; (member of the script archive, byte offset) of the commands that set, clear and check it, whether something
    runs them or not."""

    hides: list[tuple[int, int]] = field(default_factory=list)
    taken: list[tuple[int, int]] = field(default_factory=list)
    set: list[tuple[int, int]] = field(default_factory=list)
    cleared: list[tuple[int, int]] = field(default_factory=list)
    checked: list[tuple[int, int]] = field(default_factory=list)


def flag_uses(world: WorldFiles, files: Iterable[tuple[int, ScriptFile]] | None = None) -> dict[int, FlagUses]:
    """Flag -> its uses, ascending, from all script files and the events of all headers. `files`: what `script_files`
    gave, else it is asked; files that cannot be read are left out."""
    found: dict[int, FlagUses] = {}
    numbers, names = world.game.tables.script_numbers, world.game.tables.save_names
    for member, file in script_files(world) if files is None else files:
        offsets = file.offsets()
        for item, effect, values in constant_effects(file, world.game.tables.script_commands):
            if effect in _EFFECTS:
                getattr(found.setdefault(int(values[0]), FlagUses()), _EFFECTS[effect]).append((member, offsets[item]))
    for header in world.headers:
        try:
            events = world.events(header.id)
        except FormatError:
            continue
        for index, event in enumerate(events.objects if events is not None else ()):
            flag = int(event["hidden_flag"])
            if flag and int(event["script"]) != CLONE:
                found.setdefault(flag, FlagUses()).hides.append((header.id, index))
        for index, event in enumerate(events.background if events is not None else ()):
            number = int(event["script"]) - numbers.hidden_items.start
            if int(event["type"]) == BackgroundKind.HIDDEN_ITEM and 0 <= number < len(names.hidden_items):
                found.setdefault(names.hidden_items[number], FlagUses()).taken.append((header.id, index))
    return dict(sorted(found.items()))


def flag_name(names: SaveNames, flag: int) -> str:
    """The name of a flag: its own, what its range says (`hidden item N taken`, `trainer N beaten`), or empty."""
    if flag in names.flags:
        return names.flags[flag]
    if flag in names.hidden_items:
        return f"hidden item {flag - names.hidden_items.start} taken"
    if flag in names.trainers:
        return f"trainer {flag - names.trainers.start} beaten"
    return ""


def flag_meaning(names: SaveNames, flag: int) -> FlagMeaning:
    """What a flag is about, by the range that it is in."""
    kind = next((kind for numbers, kind, _ in reversed(names.flag_ranges) if flag in numbers), "event")
    counted = {"trainer": names.trainers, "hidden item": names.hidden_items}.get(kind)
    return FlagMeaning(kind, names.first_arrivals.get(flag) if counted is None else counted.index(flag))
