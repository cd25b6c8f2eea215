"""What depends on a flag: the scripts that set, clear or check it, and the objects that it hides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from formats.binary import FormatError
from formats.field.script import ScriptFile
from mapexplorer.gameplay.script_effects import constant_effects
from mapexplorer.games.script_tables import SaveNames
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.save import CLONE
from mapexplorer.world.script_files import script_files

_EFFECTS: Final = {"flag set": "set", "flag clear": "cleared", "flag check": "checked"}


@dataclass(frozen=True)
class FlagUses:
    """The uses of a flag: (header, object) that it hides; (member of the script archive, byte offset) of the commands
    that set, clear and check it, whether something runs them or not."""

    hides: list[tuple[int, int]] = field(default_factory=list)
    set: list[tuple[int, int]] = field(default_factory=list)
    cleared: list[tuple[int, int]] = field(default_factory=list)
    checked: list[tuple[int, int]] = field(default_factory=list)


def flag_uses(world: WorldFiles, files: Iterable[tuple[int, ScriptFile]] | None = None) -> dict[int, FlagUses]:
    """Flag -> its uses, ascending, from all script files and the events of all headers. `files`: what `script_files`
    gave, else it is asked; files that cannot be read are left out."""
    found: dict[int, FlagUses] = {}
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
    return dict(sorted(found.items()))


def flag_name(names: SaveNames, flag: int) -> str:
    """The name of a flag: its own, `hidden item N taken`, `trainer N beaten`, or empty."""
    if flag in names.hidden_items:
        return f"hidden item {flag - names.hidden_items.start} taken"
    if flag in names.trainers:
        return f"trainer {flag - names.trainers.start} beaten"
    return names.flags.get(flag, "")
