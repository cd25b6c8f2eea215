"""The differences between two model files and between two texture sets, by the names in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from formats.nitro.nsbmd import Nsbmd
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, Key
from mapexplorer.compare.fields import differences
from mapexplorer.compare.sides import Sides
from mapexplorer.games import Role


def model_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two prop models. Raises FormatError."""
    old = Nsbmd.from_bytes(sides.before.world.members(Role.BUILD_MODEL).reader(before))
    new = Nsbmd.from_bytes(sides.after.world.members(Role.BUILD_MODEL).reader(after))
    maps = sides.maps(Role.BUILD_MODEL, before, after)
    for name, was, now in _by_name(old.models, new.models):
        if was is None or now is None:
            yield _whole(ChangedKind.MODEL, (before,), name, was, maps)
        else:
            yield from sides.field_changes(ChangedKind.MODEL, (before,), differences(was, now), name=name, headers=maps)
    none = Tex0((), ())
    key: Key = (str(Role.BUILD_MODEL), before)
    yield from _textures(sides, key, maps, old.textures or none, new.textures or none)


def texture_set_changes(role: Role) -> Callable[[Sides, int, int], Iterator[Change]]:
    """The comparison of two members of an archive of texture sets. It raises FormatError."""

    def changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
        prop = role is Role.PROP_TEXTURES
        old, new = (
            (world.prop_textures if prop else world.terrain_textures)(number).textures
            for world, number in ((sides.before.world, before), (sides.after.world, after))
        )
        yield from _textures(sides, (str(role), before), sides.maps(role, before, after), old, new)

    return changes


def _textures(sides: Sides, key: Key, maps: tuple[int, ...], before: Tex0, after: Tex0) -> Iterator[Change]:
    """Textures and palettes by name: `key` is archive and member, to which the name is added."""
    kinds: tuple[tuple[str, Sequence[Texture | Palette], Sequence[Texture | Palette]], ...] = (
        ("", before.textures, after.textures),
        ("palette ", before.palettes, after.palettes),
    )
    for prefix, here, there in kinds:
        for name, was, now in _by_name(here, there):
            whole: Key = (*key, prefix + name)
            if was is None or now is None:
                yield _whole(ChangedKind.TEXTURE, whole, prefix + name, was, maps)
            else:
                fields = differences(was, now)
                yield from sides.field_changes(ChangedKind.TEXTURE, whole, fields, name=prefix + name, headers=maps)


def _by_name(before: Sequence[Any], after: Sequence[Any]) -> Iterator[tuple[str, Any, Any]]:
    """(name, value before, value after) of named values; the first one where several have a name."""
    old = {value.name: value for value in reversed(before)}
    new = {value.name: value for value in reversed(after)}
    for name in dict.fromkeys([value.name for value in (*before, *after)]):
        yield name, old.get(name), new.get(name)


def _whole(kind: ChangedKind, key: Key, name: str, before: object, maps: tuple[int, ...]) -> Change:
    return Change(kind, ChangeAction.ADDED if before is None else ChangeAction.REMOVED, key, name, headers=maps)
