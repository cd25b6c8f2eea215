"""The differences between two script files, instruction by instruction."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from formats.field.init_script import InitScriptFile
from formats.field.script import Command, Item, MovementList, ScriptFile, Target
from mapexplorer.compare.alignment import aligned
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, differing
from mapexplorer.compare.fields import differences
from mapexplorer.compare.sides import Side, Sides
from mapexplorer.gameplay.script_listing import Line, list_script
from mapexplorer.gameplay.script_names import ScriptNames
from mapexplorer.games import Role
from mapexplorer.world.events.script_files import script_bank, script_member


def script_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two members of the script archive. Raises FormatError."""
    old, new = script_member(sides.before.world, before), script_member(sides.after.world, after)
    maps = sides.maps(Role.SCRIPTS, before, after)
    if isinstance(old, ScriptFile) and isinstance(new, ScriptFile):
        yield from _files(before, old, new, (_lines(sides.before, before, old), _lines(sides.after, after, new)), maps)
    elif isinstance(old, InitScriptFile) and isinstance(new, InitScriptFile):
        fields = differences(old, new)
        meanings = {"script": "script", "variable": "variable"}
        yield from sides.field_changes(
            ChangedKind.SCRIPT, (before,), fields, name="initial scripts", headers=maps, meanings=meanings
        )
    else:
        yield sides.changed(ChangedKind.SCRIPT, (before,), "kind of file", type(old).__name__, type(new).__name__)


def _lines(side: Side, member: int, file: ScriptFile) -> tuple[Line, ...]:
    """The lines of a script file, one for each item."""
    names = ScriptNames(side.world, script_bank(side.world, member))
    return list_script(file, side.world.game.tables.script_commands, names).lines


def _files(
    member: int,
    here: ScriptFile,
    there: ScriptFile,
    listed: tuple[tuple[Line, ...], tuple[Line, ...]],
    maps: tuple[int, ...],
) -> Iterator[Change]:
    """The instructions that were added, removed or changed. The key is member and instruction; the name of one that an
    entry leads to is that of the first such entry."""
    pairs = aligned([_shape(item) for item in here.items], [_shape(item) for item in there.items])
    same_item = {i: j for i, j in pairs if i is not None and j is not None}
    same_item[len(here.items)] = len(there.items)
    entries = here.entries_by_item(), there.entries_by_item()
    for i, j in pairs:
        index = i if i is not None else j or 0
        key = member, index
        entry_numbers = entries[0] if i is not None else entries[1]
        name = f"entry {entry_numbers[index][0]}" if index in entry_numbers else ""
        if i is None or j is None or not _equal(here.items[i], there.items[j], same_item):
            action = ChangeAction.of(i, j)
            field = "instruction" if action is ChangeAction.CHANGED else ""
            lines = None if i is None else listed[0][i], None if j is None else listed[1][j]
            yield Change(ChangedKind.SCRIPT, action, key, name, field, *lines, headers=maps)
    yield from _entries(member, here.entries, there.entries, same_item, maps)
    ends = ("end_mark", here.end_mark, there.end_mark), ("padded", here.padded, there.padded)
    yield from differing(ChangedKind.SCRIPT, (member,), *ends, headers=maps)


def _entries(
    member: int,
    here: Sequence[Target],
    there: Sequence[Target],
    same_item: dict[int, int],
    maps: tuple[int, ...],
) -> Iterator[Change]:
    """The entries that lead to another instruction than before."""
    for entry in range(max(len(here), len(there))):
        name = f"entry {entry}"
        if entry >= len(here) or entry >= len(there):
            action = ChangeAction.ADDED if entry >= len(here) else ChangeAction.REMOVED
            yield Change(ChangedKind.SCRIPT, action, (member,), name, headers=maps)
        elif not _same_target(here[entry], there[entry], same_item):
            values = here[entry].item, there[entry].item
            yield Change(
                ChangedKind.SCRIPT,
                ChangeAction.CHANGED,
                (member,),
                name,
                "first instruction",
                *values,
                headers=maps,
            )


def _shape(item: Item) -> Hashable:
    """What an item is without the places that it leads to."""
    if isinstance(item, Command):
        return item.number, tuple(
            ["target" if isinstance(argument, Target) else argument for argument in item.arguments]
        )
    return item.steps if isinstance(item, MovementList) else item.data


def _equal(old: Item, new: Item, same_item: dict[int, int]) -> bool:
    """Whether two items are equal and lead to the same ones."""
    if _shape(old) != _shape(new) or not isinstance(old, Command) or not isinstance(new, Command):
        aligned_lists = getattr(old, "aligned", None) == getattr(new, "aligned", None)
        return _shape(old) == _shape(new) and aligned_lists
    return all(
        _same_target(a, b, same_item)
        for a, b in zip(old.arguments, new.arguments, strict=True)
        if isinstance(a, Target) and isinstance(b, Target)
    )


def _same_target(old: Target, new: Target, same_item: dict[int, int]) -> bool:
    return same_item.get(old.item) == new.item and old.offset == new.offset
