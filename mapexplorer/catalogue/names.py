"""The names of the things of each kind, and how many there are, read from a world (see `kinds`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from formats import nitro
from formats.binary import FormatError, Reader
from mapexplorer.catalogue.kinds import KINDS
from mapexplorer.errors import PlaceError, check_number
from mapexplorer.gameplay.names import unpacked
from mapexplorer.games import NameBank, Role
from mapexplorer.games.game import Topic
from mapexplorer.world import FieldWorld
from mapexplorer.world.references.references import known
from mapexplorer.world.subject import Key


def of_bank(world: FieldWorld, bank: NameBank) -> Iterator[tuple[str, Key]]:
    texts = world.names(bank)
    for number, text in enumerate(texts.messages if texts is not None else ()):
        yield unpacked(text).strip(), (number,)


def trades(world: FieldWorld) -> Iterator[tuple[str, Key]]:
    """Nickname and original trainer."""
    from mapexplorer.gameplay.static_pokemon import find_trade

    for number in range(len(world.members(Role.TRADES)) if world.has(Role.TRADES) else 0):
        trade = find_trade(world, number)
        if trade is not None:
            yield f"{trade.nickname} of {trade.trainer}", (number,)


def shops(world: FieldWorld) -> Iterator[tuple[str, Key]]:
    """Kind, number and place."""
    from mapexplorer.gameplay.items import Items

    known = Topic.ITEMS not in world.game.not_known
    for number, shop in enumerate(Items(world).shops(()) if known else ()):
        yield ", ".join(filter(None, (f"{shop.kind} {shop.number}", shop.place))), (number,)


def flags(world: FieldWorld) -> Iterator[tuple[str, Key]]:
    from mapexplorer.gameplay.flags import flag_name

    names = world.game.tables.save_names
    for flag in sorted({*names.flags, *names.hidden_items, *names.trainers}):
        yield flag_name(names, flag), (flag,)


def music(world: FieldWorld) -> Iterator[tuple[str, Key]]:
    with suppress(FormatError):
        for number, name in enumerate(world.sequence_names):
            if name:
                yield name, (number,)
    for number, (title, _) in world.game.tables.music.titles.items():
        if title:
            yield title, (number,)


def music_count(world: FieldWorld) -> int | None:
    try:
        return len(world.sequence_names) or None
    except FormatError:
        return None


def props(world: FieldWorld) -> Iterator[tuple[str, Key]]:
    """The name and the number of each prop model."""
    for number, names in _member_names(world, Role.BUILD_MODEL, nitro.Nsbmd.read_names):
        yield from ((name, (number,)) for name in names[:1])


def textures(world: FieldWorld) -> Iterator[tuple[str, Key]]:
    """The name of each texture, and where it is: 0 for prop sets or 1 for terrain sets, the set, its index."""
    for which, role in enumerate((Role.PROP_TEXTURES, Role.TERRAIN_TEXTURES)):
        for number, names in _member_names(world, role, nitro.Nsbtx.read_names):
            yield from ((name, (which, number, index)) for index, name in enumerate(names))


def _member_names(
    world: FieldWorld, role: Role, read: Callable[[Reader], tuple[str, ...]]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """(member, names in it) of an archive, without damaged members."""
    with suppress(FormatError):
        archive = world.archive(role)
        for number in range(len(archive) if archive is not None else 0):
            with suppress(FormatError):
                assert archive is not None
                yield number, read(archive.reader(number))


def prop(world: FieldWorld, number: int) -> str:
    return nitro.Nsbmd.read_names(world.members(Role.BUILD_MODEL).reader(number))[0]


def texture(world: FieldWorld, which: int, number: int, index: int) -> str:
    if which not in (0, 1):
        raise PlaceError("The first number of a texture is 0 in a prop set, 1 in a terrain set.")
    kind = KINDS[("prop set", "terrain set")[which]]
    kind.check(world, (number,))
    names = nitro.Nsbtx.read_names(world.members((Role.PROP_TEXTURES, Role.TERRAIN_TEXTURES)[which]).reader(number))
    check_number("texture", index, range(len(names)), f"{kind.name} {number}")
    return names[index]


def text(world: FieldWorld, bank: int, number: int) -> str:
    KINDS["messages"].check(world, (bank,))
    texts = world.messages(bank)
    messages = texts.messages if texts is not None else ()
    check_number("text", number, range(len(messages)), f"text bank {bank}")
    return ""


NAMES: Final[Mapping[str, Callable[[FieldWorld], Iterable[tuple[str, Key]]]]] = {
    "": lambda world: (),
    "headers": lambda world: ((header.title, (header.id,)) for header in world.headers),
    "trades": trades,
    "shops": shops,
    "flags": flags,
    "variables": lambda world: ((name, (number,)) for number, name in world.game.tables.save_names.variables.items()),
    "music": music,
    "weathers": lambda world: ((weather.name, (number,)) for number, weather in world.game.tables.weathers.items()),
    "cameras": lambda world: ((camera.name, (number,)) for number, camera in enumerate(world.camera_table.value)),
    "graphics": lambda world: (
        (graphics.name, (number,)) for number, graphics in world.game.tables.map_object_graphics.items()
    ),
    "behaviours": lambda world: (
        (behaviour.name, (number,)) for number, behaviour in world.game.tables.behaviours.items() if behaviour.name
    ),
    "shared scripts": lambda world: (
        (name, (0, number)) for number, name in sorted(world.game.tables.script_numbers.names.items())
    ),
    "locations": lambda world: ((name, (number,)) for number, name in enumerate(world.location_names) if name),
    "files": lambda world: ((path, (path,)) for path in world.rom.files),
    "props": props,
    "textures": textures,
}
"""`Kind.read` -> the names of all and the keys that they belong to."""

ONE: Final[Mapping[str, Callable[..., str]]] = {"prop": prop, "texture": texture, "text": text}
"""`Kind.read_one` -> the name of one, by the numbers of its key."""

BOUNDS: Final[Mapping[str, Callable[[FieldWorld], Sequence[int] | int | None]]] = {
    "headers": lambda world: len(world.headers),
    "flags": lambda world: None if (flags := known(world, "flag")) is None else sorted(flags),
    "variables": lambda world: (
        [number for numbers, _ in world.game.tables.save_names.variable_ranges for number in numbers] or None
    ),
    "music": music_count,
    "graphics": lambda world: max(world.game.tables.map_object_graphics, default=-1) + 1 or None,
    "behaviours": lambda world: 256,
    "terrain animations": lambda world: (
        len(world.terrain_animations.animations) if world.terrain_animations is not None else 0
    ),
}
"""`Kind.bound` -> the numbers that exist, or how many there are from 0 on; None where the ROM does not tell. Object
graphics that a variable chooses have no name, variables are the saved ones, then those of the running script."""
