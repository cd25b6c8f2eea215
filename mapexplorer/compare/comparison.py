"""Compares two ROMs: equal bytes are not decoded, and each changed file is compared by what it holds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import formats
from formats.binary import FormatError
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, Comparison, SkipReason
from mapexplorer.compare.events import event_changes
from mapexplorer.compare.fields import differences
from mapexplorer.compare.gameplay import (
    encounter_changes,
    item_changes,
    party_changes,
    species_changes,
    text_changes,
    trainer_changes,
)
from mapexplorer.compare.lands import land_changes
from mapexplorer.compare.models import model_changes, texture_set_changes
from mapexplorer.compare.places import (
    area_changes,
    camera_changes,
    graphics_changes,
    header_changes,
    light_changes,
    matrix_changes,
    prop_set_changes,
)
from mapexplorer.compare.program import program_changes, same_programs, weather_changes
from mapexplorer.compare.scripts import script_changes
from mapexplorer.compare.sides import Side, Sides, model_name
from mapexplorer.errors import RomError
from mapexplorer.games import Role, Topic
from mapexplorer.grouping import by_key
from mapexplorer.rom import Archive, Rom
from mapexplorer.rom.archive import SUFFIX
from mapexplorer.world.world import FieldWorld

T = TypeVar("T")

MemberChanges = Callable[[Sides, int, int], Iterator[Change]]
"""What differs between two members of an archive, by their numbers."""


@dataclass(frozen=True)
class _Contents:
    """How the members of an archive are compared: the kinds of changes that `changes` gives, that of the things that
    they are first; `by_contents`: a member with the contents of another one of the first ROM was moved; `subject`: what
    must be known about both games."""

    kinds: tuple[ChangedKind, ...]
    changes: MemberChanges
    by_contents: bool = False
    subject: Topic | None = None


_CONTENTS: Final[Mapping[Role, _Contents]] = {
    Role.MAP_MATRIX: _Contents((ChangedKind.MATRIX,), matrix_changes),
    Role.LAND_DATA: _Contents((ChangedKind.LAND, ChangedKind.TILE, ChangedKind.PROP), land_changes, by_contents=True),
    Role.AREA_DATA: _Contents((ChangedKind.AREA,), area_changes),
    Role.AREA_BUILD: _Contents((ChangedKind.PROP_SET,), prop_set_changes),
    Role.BUILD_MODEL: _Contents((ChangedKind.MODEL, ChangedKind.TEXTURE), model_changes, by_contents=True),
    Role.PROP_TEXTURES: _Contents((ChangedKind.TEXTURE,), texture_set_changes(Role.PROP_TEXTURES), by_contents=True),
    Role.TERRAIN_TEXTURES: _Contents(
        (ChangedKind.TEXTURE,), texture_set_changes(Role.TERRAIN_TEXTURES), by_contents=True
    ),
    Role.AREA_LIGHT: _Contents((ChangedKind.LIGHT,), light_changes),
    Role.ZONE_EVENT: _Contents((ChangedKind.EVENT, ChangedKind.WARP), event_changes),
    Role.SCRIPTS: _Contents((ChangedKind.SCRIPT,), script_changes, subject=Topic.SCRIPTS),
    Role.MESSAGES: _Contents((ChangedKind.TEXT,), text_changes),
    Role.ENCOUNTERS: _Contents((ChangedKind.ENCOUNTER,), encounter_changes, subject=Topic.ENCOUNTERS),
    Role.TRAINERS: _Contents((ChangedKind.TRAINER,), trainer_changes, subject=Topic.TRAINERS),
    Role.TRAINER_PARTIES: _Contents((ChangedKind.TRAINER,), party_changes, subject=Topic.TRAINERS),
    Role.ITEMS: _Contents((ChangedKind.ITEM,), item_changes, subject=Topic.ITEMS),
    Role.SPECIES: _Contents((ChangedKind.SPECIES,), species_changes),
}

_ANIMATIONS: Final = (Role.PROP_ANIMATIONS, Role.PROP_ANIMATION_LIST, Role.TERRAIN_ANIMATIONS)
"""Archives whose members are compared field by field, as animations."""

_WITH_HEADERS: Final = (Role.MAP_NAMES,)
"""Files that are compared together with the headers."""


def compare(
    before: FieldWorld, after: FieldWorld, only: Collection[ChangedKind] = frozenset(ChangedKind)
) -> Comparison:
    """The differences of some kinds between two ROMs. A file that cannot be read is compared by its bytes. Raises
    RomError for a ROM that was changed while it was read."""
    sides = Sides(Side(before), Side(after))
    skipped: dict[ChangedKind, SkipReason] = {}
    changes = [change for change in _changes(sides, frozenset(only), skipped) if change.kind in only]
    order = list(ChangedKind)
    changes.sort(key=lambda change: order.index(change.kind))
    return Comparison(tuple(changes), skipped)


def of_map(comparison: Comparison, header: int) -> Comparison:
    """The changes of things that belong to a map, by header of the second ROM."""
    return Comparison(tuple(change for change in comparison.changes if header in change.headers), comparison.skipped)


def _changes(sides: Sides, only: frozenset[ChangedKind], skipped: dict[ChangedKind, SkipReason]) -> Iterator[Change]:
    old, new = sides.before.world, sides.after.world
    names = old.rom.files, new.rom.files
    changed = {path for path in set(names[0]) & set(names[1]) if not _same(old.rom, new.rom, path)}
    changed |= (set(names[0]) ^ set(names[1])) - old.rom.unmade - new.rom.unmade
    programs = same_programs(old.rom, new.rom)
    if not changed and programs:
        return
    if ChangedKind.HEADER in only:
        yield from _guarded(header_changes(sides), ChangedKind.HEADER, old.path(Role.MAP_NAMES))
    if not programs:
        yield from _guarded(_program(sides, only, skipped), ChangedKind.PROGRAM, "program")
    done: set[str] = set()
    for role in Role:
        paths = {path for world in (old, new) for path in _paths(world, role)}
        done |= paths
        if paths and (changed & paths or not sides.same_game) and role not in _WITH_HEADERS:
            yield from _role(sides, role, only, skipped)
    if not sides.same_game:
        if ChangedKind.FILE in only:
            skipped[ChangedKind.FILE] = SkipReason.OTHER_GAME
        return
    if ChangedKind.FILE in only:
        for path in sorted(changed - done):
            yield from _guarded(_file(sides, path), ChangedKind.FILE, path)


def _same(before: Rom, after: Rom, path: str) -> bool:
    """Whether two ROMs have the same file; of an archive that one of them may make of texts, the same members."""
    if not path.endswith(SUFFIX) or (before.laid_over is None and after.laid_over is None):
        return before.file(path) == after.file(path)
    old, new = _readable(before.archive, path), _readable(after.archive, path)
    if old is None or new is None:
        return False
    return len(old) == len(new) and all(_equal(old, i, new, i) for i in range(len(old)))


def _readable(read: Callable[..., T], *arguments: object) -> T | None:
    """What `read` gives; None for a file that is damaged. Raises RomError, also for a ROM that was changed."""
    try:
        return read(*arguments)
    except FormatError:
        return None


def _equal(before: Archive, i: int, after: Archive, j: int) -> bool:
    """Whether two members are made of the same, or have the same contents."""
    with suppress(FormatError):
        if (made_of := before.made_of(i)) is not None and made_of == after.made_of(j):
            return True
    return _contents(before, i) == _contents(after, j)


def _contents(archive: Archive, number: int) -> bytes | str:
    """The bytes of a member, or why it has none."""
    try:
        return archive.raw(number)
    except FormatError as error:
        return str(error)


def _guarded(changes: Iterator[Change], kind: ChangedKind, path: str) -> Iterator[Change]:
    """The changes up to the first damaged part, then that the bytes of the file differ, as a change of `kind`."""
    try:
        yield from changes
    except FormatError:
        yield Change(kind, ChangeAction.CHANGED, (path,), "", "bytes")


def _program(sides: Sides, only: frozenset[ChangedKind], skipped: dict[ChangedKind, SkipReason]) -> Iterator[Change]:
    if ChangedKind.CAMERA in only:
        yield from camera_changes(sides)
    if ChangedKind.PROGRAM not in only:
        return
    if sides.same_game:
        yield from graphics_changes(sides)
        yield from weather_changes(sides)
        yield from program_changes(sides)
    else:
        skipped[ChangedKind.PROGRAM] = SkipReason.OTHER_GAME


def _paths(world: FieldWorld, role: Role) -> tuple[str, ...]:
    return world.game.files[role].paths if role in world.game.files else ()


def _role(
    sides: Sides, role: Role, only: frozenset[ChangedKind], skipped: dict[ChangedKind, SkipReason]
) -> Iterator[Change]:
    """What differs between the files with a role."""
    contents = _CONTENTS.get(role)
    if contents is None:
        kind = ChangedKind.ANIMATION if role in _ANIMATIONS else ChangedKind.FILE
        if kind in only and sides.same_game:
            for path in _paths(sides.before.world, role):
                yield from _guarded(_file(sides, path, kind), kind, path)
        elif kind in only and kind is ChangedKind.ANIMATION:
            skipped[kind] = SkipReason.OTHER_GAME
        return
    wanted = [kind for kind in contents.kinds if kind in only]
    if not wanted:
        return
    games = sides.before.world.game, sides.after.world.game
    if contents.subject is not None and any(contents.subject in game.not_known for game in games):
        skipped[contents.kinds[0]] = SkipReason.NOT_KNOWN
        return
    archives = [_readable(side.world.archive, role) for side in (sides.before, sides.after)]
    path = sides.before.world.path(role)
    if archives[0] is not None and archives[1] is not None:
        yield from _guarded(_members(sides, role, contents, archives[0], archives[1], wanted[0]), wanted[0], path)
    elif sides.same_game:
        yield from _presence(sides, wanted[0], path)


def _members(
    sides: Sides, role: Role, contents: _Contents, before: Archive, after: Archive, damaged: ChangedKind
) -> Iterator[Change]:
    """What differs between two archives; a member that cannot be read is a change of kind `damaged`."""
    different = [
        (i, j) for i, j in sides.member_pairs(role) if i is None or j is None or not _equal(before, i, after, j)
    ]
    if contents.by_contents and sides.same_game:
        moved = _moved(different, before, after)
        for old_number, new_number in moved:
            maps = sides.maps(role, old_number, new_number)
            name = _name(sides.before, role, old_number)
            key = str(role), old_number
            yield Change(
                contents.kinds[0], ChangeAction.MOVED, key, name, "number", old_number, new_number, headers=maps
            )
        old, new = {i for i, _ in moved}, {j for _, j in moved}
        different = [(None if i in old else i, None if j in new else j) for i, j in different]
    for i, j in different:
        if i is not None and j is not None:
            yield from _member(sides, role, contents, i, j, damaged, (_contents(before, i), _contents(after, j)))
        elif i is not None:
            yield _whole(sides, role, contents.kinds[0], ChangeAction.REMOVED, i)
        elif j is not None:
            yield _whole(sides, role, contents.kinds[0], ChangeAction.ADDED, j)


def _whole(sides: Sides, role: Role, kind: ChangedKind, action: ChangeAction, number: int) -> Change:
    """A member that only one of the ROMs has."""
    removed = action is ChangeAction.REMOVED
    maps = sides.maps(role, number, None) if removed else sides.maps(role, None, number)
    name = _name(sides.before if removed else sides.after, role, number)
    return Change(kind, action, (str(role), number), name, headers=maps)


def _member(
    sides: Sides,
    role: Role,
    contents: _Contents,
    before: int,
    after: int,
    damaged: ChangedKind,
    members: tuple[bytes | str, bytes | str],
) -> Iterator[Change]:
    """What differs between two members with different bytes: at least that they differ, or why one has none."""
    kind = contents.kinds[0]
    try:
        changes = list(contents.changes(sides, before, after))
    except (FormatError, RomError):
        changes, kind = [], damaged
    if not changes and sides.same_game:
        maps = sides.maps(role, before, after)
        was, now = (member if isinstance(member, str) else None for member in members)
        what = "error" if was or now else "bytes"
        changes = [Change(kind, ChangeAction.CHANGED, (str(role), before), "", what, was, now, headers=maps)]
    yield from changes


def _moved(pairs: Sequence[tuple[int | None, int | None]], before: Archive, after: Archive) -> list[tuple[int, int]]:
    """The members of the first archive whose contents have another number in the second one, which is not that of a
    member with equal contents."""
    places = by_key((after.raw(j), j) for _, j in pairs if j is not None)
    numbered = ((i, places.get(before.raw(i))) for i, _ in pairs if i is not None)
    return [(i, numbers.pop(0)) for i, numbers in numbered if numbers]


def _name(side: Side, role: Role, number: int) -> str:
    return model_name(side, number) if role is Role.BUILD_MODEL else ""


# --- files without a comparison of their own


def _presence(sides: Sides, kind: ChangedKind, path: str) -> Iterator[Change]:
    """That only one of the ROMs has a file, or that its bytes differ."""
    here, there = (side.world.rom.has(path) for side in (sides.before, sides.after))
    if here != there:
        yield Change(kind, ChangeAction.ADDED if there else ChangeAction.REMOVED, (path,))
    elif here:
        yield Change(kind, ChangeAction.CHANGED, (path,), "", "bytes")


def _file(sides: Sides, path: str, kind: ChangedKind = ChangedKind.FILE) -> Iterator[Change]:
    """What differs between two files with one path, of archives member by member."""
    old, new = sides.before.world.rom, sides.after.world.rom
    if not old.has(path) or not new.has(path):
        yield from _presence(sides, kind, path)
        return
    archives = [_readable(rom.archive, path) if _readable(rom.is_archive, path) else None for rom in (old, new)]
    if archives[0] is None or archives[1] is None:
        yield from _values(sides, kind, (path,))
        return
    for number in range(max(map(len, archives))):  # type: ignore[arg-type]
        if number >= len(archives[0]) or number >= len(archives[1]):
            yield Change(
                kind, ChangeAction.ADDED if number >= len(archives[0]) else ChangeAction.REMOVED, (path, number)
            )
        elif archives[0].raw(number) != archives[1].raw(number):
            yield from _values(sides, kind, (path, number))


def _values(sides: Sides, kind: ChangedKind, key: tuple[str] | tuple[str, int]) -> Iterator[Change]:
    """What differs between two files, or two members of archives, as values, else that their bytes differ."""
    changes: list[Change] = []
    try:
        changes += sides.field_changes(kind, key, differences(_read(sides.before, key), _read(sides.after, key)))
    except (FormatError, TypeError):
        changes.clear()
    yield from changes or [Change(kind, ChangeAction.CHANGED, key, "", "bytes")]


def _read(side: Side, key: tuple[str] | tuple[str, int]) -> Any:
    """The value of a file, or of a member of an archive. Raises FormatError for one without a known format."""
    rom, path = side.world.rom, key[0]
    kind = side.world.game.kind("#".join(map(str, key)))
    if len(key) == 1:
        return formats.read(rom.file(path), path, kind)
    return formats.read(rom.archive(path).reader(key[1]), kind=kind)
