"""The things of a ROM by the names that users type: `KIND:NAME`, `KIND:NUMBER`, or a name alone.

What a text can mean is decided by `naming.matching`, for every kind and every verb. A map is also named without a kind
by its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from formats.binary import FormatError, Reader
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from mapexplorer.errors import PlaceError
from mapexplorer.gameplay.flags import flag_name
from mapexplorer.gameplay.names import unpacked
from mapexplorer.games import NameBank, Role
from mapexplorer.inspector.subject import Subject
from mapexplorer.inspector.uses import WEATHER, check_exists
from mapexplorer.naming import MISSPELLED, NO_MATCH, has_words, matching, suggestions, words
from mapexplorer.values import count
from mapexplorer.world import FieldWorld
from mapexplorer.world.header import Header, find_header, matching_headers
from mapexplorer.world.references import KINDS as REFERENCE_KINDS

HEADER: Final = "header"
FILE: Final = "file"
SPECIES: Final = "species"
TEXTURE: Final = "texture"
SCRIPT: Final = "script"

_ALIASES: Final = {"map": HEADER, "graphics": "object graphics", "sequence": "music"}
"""Other words for kinds."""

_ADDRESS: Final = re.compile(r"\s*(?P<kind>[A-Za-z][\w -]*):(?P<name>.*)", re.DOTALL)
_KIND_AND_NUMBER: Final = re.compile(r"\s*(?P<kind>[A-Za-z][\w -]*)\s+(?P<name>#?\d+)\s*")
_OF_MAP: Final = re.compile(r"(?P<map>.*\S.*)#(?P<script>\d+)", re.DOTALL)
_OF_HEADER: Final = re.compile(r"(?P<map>\d+)/(?P<script>\d+)", re.ASCII)
_NUMBERS: Final = re.compile(r"#?(\d+(?:/\d+)*|0x[0-9a-f]+)", re.ASCII | re.IGNORECASE)

Names = Iterable[tuple[str, tuple[int, ...]]]
"""Names and the numbers that they belong to; a number may have several names, a name several numbers."""


class Thing(NamedTuple):
    """A thing: its kind, its numbers in it (none for a file), its name (empty without one)."""

    kind: str
    key: tuple[int, ...]
    name: str = ""

    @property
    def subject(self) -> Subject:
        """The thing as a subject of the inspector."""
        return Subject(self.kind, self.key)

    @property
    def address(self) -> str:
        """`species:25`, `prop-set:3`, of a file its path: what `find_thing` takes."""
        if not self.key:
            return f"{self.kind}:{self.name}"
        return f"map:{self.key[0]}" if self.kind == HEADER else self.subject.address

    @property
    def title(self) -> str:
        """The address and the name."""
        return f"{self.address} {self.name}".rstrip() if self.key else self.address


def find_thing(world: FieldWorld, text: str, kinds: Collection[str]) -> Thing:
    """The thing of one of some `kinds` that a text means.

    `KIND NUMBER` is `KIND:NUMBER`. Without a kind a number means a map, `MAP#NUMBER` a script of a map, and a name the
    thing that it matches best. Raises PlaceError, with the candidates of an ambiguous text and the nearest names of an
    unknown one; FormatError, RomError.
    """
    address = _ADDRESS.fullmatch(text)
    if address is not None:
        kind = _kind(address["kind"])
        if kind not in kinds:
            possible = ", ".join(_word(kind) for kind in ALL_IN_ORDER if kind in kinds)
            is_not = "is not possible" if kind in ALL else "is no kind of thing"
            raise PlaceError(f"{address['kind']!r} {is_not}; possible here: {possible}.")
        return _of_kind(world, kind, address["name"].strip())
    numbered = _KIND_AND_NUMBER.fullmatch(text)
    if numbered is not None and _kind(numbered["kind"]) in kinds:
        return _of_kind(world, _kind(numbered["kind"]), numbered["name"])
    if SCRIPT in kinds and _OF_MAP.fullmatch(text):
        return _of_kind(world, SCRIPT, text)
    if HEADER in kinds and _NUMBERS.fullmatch(text.strip()):
        return _of_kind(world, HEADER, text)
    groups = [[kind for kind in group if kind in kinds] for group in _GROUPS]
    for worst in (_EQUAL, _WORDS, MISSPELLED):
        for group in groups:
            found = _best(world, text, group, worst)
            if found:
                return _only(text, found)
    raise _unknown(world, text, [kind for group in groups for kind in group if kind not in _SLOW])


def find_things(world: FieldWorld, text: str, kinds: Collection[str]) -> list[Thing]:
    """As `find_thing`, but all things of a name that several things have in common: weathers by words of their names or
    pictures (`weather:snow`), textures by the name that they have in several sets (`texture:tree04_2`)."""
    address = _ADDRESS.fullmatch(text)
    name = address["name"].strip() if address is not None else ""
    if address is not None and not _NUMBERS.fullmatch(name):
        kind = _kind(address["kind"])
        if kind == WEATHER in kinds and (found := _weathers_with(world, name)):
            return found
        if kind == TEXTURE in kinds and (found := _best(world, name, [TEXTURE], _EQUAL)):
            return found
    return [find_thing(world, text, kinds)]


def _weathers_with(world: FieldWorld, name: str) -> list[Thing]:
    """The weather of this name, else all whose names or pictures have its words."""
    rank, found = _matching(world, WEATHER, name)
    wanted, known = words(name), world.game.tables.weathers.values()
    if rank == 0 or not wanted:
        return found
    return [Thing(WEATHER, (one.id,), one.name) for one in known if has_words(wanted, f"{one.name} {one.visual}")]


def _kind(word: str) -> str:
    kind = re.sub(r"[-_\s]+", " ", word.strip().lower())
    return _ALIASES.get(kind, kind)


def _word(kind: str) -> str:
    return "map" if kind == HEADER else kind.replace(" ", "-")


def _of_kind(world: FieldWorld, kind: str, name: str) -> Thing:
    if kind == HEADER:
        return _map(find_header(world.headers, name))
    if kind == FILE:
        return _file(world, name)
    if kind == SCRIPT:
        return _script(world, name)
    number = _NUMBERS.fullmatch(name)
    if number is not None:
        key = tuple(int(part, 0) if part[:2].lower() == "0x" else int(part) for part in number[1].split("/"))
        return _numbered(world, kind, key)
    found = _best(world, name, [kind])
    if not found:
        raise _unknown(world, name, [kind])
    return _only(f"{kind}:{name}", found)


def _numbered(world: FieldWorld, kind: str, key: tuple[int, ...]) -> Thing:
    """The thing with a number. Raises PlaceError where there is none."""
    parts = _PARTS.get(kind, 1)
    if len(key) != parts:
        form = f"{kind}:{'/'.join('1' * parts)}"
        raise PlaceError(f"A {kind} has {count(parts, 'number')}, as in {form}.")
    if kind in REFERENCE_KINDS:
        check_exists(world, kind, key[0])
    known = list(_NAMES[kind](world)) if kind in _NAMES and kind not in _SLOW else []
    mine = next((name for name, number in known if number == key), "")
    if kind in _NAME_OF:
        mine = _NAME_OF[kind](world, *key)
    elif not mine and known and kind not in _OPEN:
        last = max(number for _, number in known)
        raise PlaceError(f"There is no {kind} {'/'.join(map(str, key))}; the last is {'/'.join(map(str, last))}.")
    return Thing(kind, key, mine)


def _map(header: Header) -> Thing:
    return Thing(HEADER, (header.id,), str(header).partition(" ")[2])


def _script(world: FieldWorld, name: str) -> Thing:
    """The script with a number on a map, `T01#7` or `411/7`, or that all maps share, `2018`."""
    found, numbers = _OF_MAP.fullmatch(name) or _OF_HEADER.fullmatch(name), world.game.tables.script_numbers
    if found is not None:
        header = find_header(world.headers, found["map"])
        return Thing(SCRIPT, (header.id, int(found["script"])), f"{header.internal_name}#{found['script']}")
    if name.isdecimal() and numbers.band(int(name)) is not None:
        return Thing(SCRIPT, (0, int(name)), numbers.names.get(int(name), ""))
    raise PlaceError(f"{name!r} is no script: name one of a map, as in script:T01#1, or the number of a shared one.")


def _file(world: FieldWorld, name: str) -> Thing:
    path, mark, index = name.rpartition("#")
    path, index = (path, index) if mark else (name, "")
    if path.isdecimal():
        path, index = world.path(Role.SCRIPTS), path
    path = path.replace("\\", "/").lstrip("/")
    if not world.rom.has(path):
        rank, found = matching(path, world.rom.files)
        if rank == NO_MATCH or len(found) != 1:
            near = found or suggestions(path, world.rom.files)
            raise PlaceError(f"There is no file {path!r}" + ("; did you mean one of these?" if near else "."), near)
        (path,) = found
    return Thing(FILE, (), f"{path}#{int(index)}" if index.isdecimal() else path)


def _best(world: FieldWorld, text: str, kinds: Iterable[str], worst: int = MISSPELLED) -> list[Thing]:
    """The things of some kinds that match a text best, with no worse rank than `worst`."""
    best, found = worst, list[Thing]()
    for kind in kinds:
        rank, things = _matching(world, kind, text)
        if rank < best:
            best, found = rank, []
        if rank == best:
            found += things
    return list(dict.fromkeys(found))


def _matching(world: FieldWorld, kind: str, text: str) -> tuple[int, list[Thing]]:
    if kind == HEADER:
        rank, headers = matching_headers(world.headers, text)
        return rank, [_map(header) for header in headers]
    if kind == FILE:
        rank, paths = matching(text, world.rom.files)
        return rank, [Thing(FILE, (), path) for path in paths]
    by_name: dict[str, list[tuple[int, ...]]] = {}
    for name, key in _NAMES[kind](world) if kind in _NAMES else ():
        by_name.setdefault(name, []).append(key)
    rank, names = matching(text, by_name)
    return rank, [Thing(kind, key, name) for name in names for key in by_name[name]]


def _only(text: str, found: list[Thing]) -> Thing:
    """The only thing of several; different names of the same thing are one."""
    things = {(one.kind, one.key or one.name): one for one in reversed(found)}
    if len(things) == 1:
        return found[0]
    kinds = {one.kind for one in found}
    what = "maps" if kinds == {HEADER} else "things"
    raise PlaceError(
        f"{text!r} could mean any of {len(things)} {what}:", [one.title for one in reversed(things.values())]
    )


def _unknown(world: FieldWorld, text: str, kinds: Collection[str]) -> PlaceError:
    names: dict[str, str] = {}
    for kind in kinds:
        if kind == HEADER:
            names |= {name: f"map:{header.id} {name}" for header in world.headers for name in header.names}
        else:
            names |= {name: f"{kind}:{name}" for name, _ in (_NAMES[kind](world) if kind in _NAMES else ())}
    near = [names[name] for name in suggestions(text, names)]
    what = kinds[0] if isinstance(kinds, list) and len(kinds) == 1 else "thing"
    return PlaceError(f"There is no {what} called {text!r}{'; did you mean one of these?' if near else '.'}", near)


# --- the names of each kind


def _bank(bank: NameBank, world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    texts = world.names(bank)
    for number, text in enumerate(texts.messages if texts is not None else ()):
        yield unpacked(text).strip(), (number,)


def _flags(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    names = world.game.tables.save_names
    for flag in sorted({*names.flags, *names.hidden_items, *names.trainers}):
        yield flag_name(names, flag), (flag,)


def _variables(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    return ((name, (number,)) for number, name in world.game.tables.save_names.variables.items())


def _music(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    for number, name in enumerate(world.sequence_names):
        if name:
            yield name, (number,)
    for number, (title, _) in world.game.tables.music.titles.items():
        if title:
            yield title, (number,)


def _weathers(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    return ((one.name, (number,)) for number, one in world.game.tables.weathers.items())


def _cameras(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    return ((one.name, (number,)) for number, one in enumerate(world.camera_table.value))


def _graphics(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    return ((one.name, (number,)) for number, one in world.game.tables.map_object_graphics.items())


def _behaviours(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    return ((one.name, (number,)) for number, one in world.game.tables.behaviours.items() if one.name)


def prop_names(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The name and the number of each prop model."""
    for number, names in _member_names(world, Role.BUILD_MODEL, Nsbmd.read_names):
        yield from ((name, (number,)) for name in names[:1])


def texture_names(world: FieldWorld) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The name of each texture, and where it is: 0 for prop sets or 1 for terrain sets, the set, its index."""
    for which, role in enumerate((Role.PROP_TEXTURES, Role.TERRAIN_TEXTURES)):
        for number, names in _member_names(world, role, Nsbtx.read_names):
            yield from ((name, (which, number, index)) for index, name in enumerate(names))


def _member_names(
    world: FieldWorld, role: Role, read: Callable[[Reader], tuple[str, ...]]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """(member, names in it) of an archive, without damaged members."""
    try:
        archive = world.archive(role)
    except FormatError:
        return
    if archive is None:
        return
    for number in range(len(archive)):
        with suppress(FormatError):
            yield number, read(archive.reader(number))


def _prop_name(world: FieldWorld, number: int) -> str:
    return world.prop_model(number).models[0].name


def _texture_name(world: FieldWorld, which: int, number: int, index: int) -> str:
    if which not in (0, 1):
        raise PlaceError("The first number of a texture is 0 in a prop set, 1 in a terrain set.")
    kind = ("prop set", "terrain set")[which]
    check_exists(world, kind, number)
    textures = (world.prop_textures, world.terrain_textures)[which](number).textures.textures
    if index >= len(textures):
        raise PlaceError(
            f"{kind.capitalize()} {number} has no texture {index}; it has {len(textures)}, counted from 0."
        )
    return textures[index].name


_NAME_OF: Final[Mapping[str, Callable[..., str]]] = {"prop": _prop_name, TEXTURE: _texture_name}
"""Kind -> the name of one thing, for the kinds of which the names of all are read slowly."""

_NAMES: Final[Mapping[str, Callable[[FieldWorld], Names]]] = {
    SPECIES: partial(_bank, NameBank.SPECIES), "item": partial(_bank, NameBank.ITEMS),
    "trainer": partial(_bank, NameBank.TRAINERS), "move": partial(_bank, NameBank.MOVES), "flag": _flags,
    "variable": _variables, "music": _music, WEATHER: _weathers, "camera": _cameras, "object graphics": _graphics,
    "behaviour": _behaviours, "prop": prop_names, TEXTURE: texture_names,
}  # fmt: skip

ALL_IN_ORDER: Final = (
    HEADER, *_NAMES, SCRIPT, FILE, *(kind for kind in REFERENCE_KINDS if kind not in (*_NAMES, HEADER)),
)  # fmt: skip
"""All kinds; of those that match a text equally well, the first one's things are listed first."""

ALL: Final = frozenset(ALL_IN_ORDER)

_SLOW: Final = frozenset(("prop", TEXTURE, FILE))
"""The kinds for whose names many files are read."""

_GROUPS: Final = (
    (HEADER,),
    (SPECIES, "item", "trainer", "move", "music", WEATHER),
    ("flag", "variable", "camera", "object graphics", "behaviour"),
    ("prop", TEXTURE, FILE),
)
"""The kinds with names in the order in which a name without a kind is searched: those of a group together, later groups
where the earlier ones have no such name. Equal names of all groups go before parts of names."""

_EQUAL: Final = 0
_WORDS: Final = MISSPELLED - 1

_OPEN: Final = frozenset(("flag", "variable", "music"))
"""The kinds of which not every number has a name."""

_PARTS: Final = {TEXTURE: 3}
"""Kind -> how many numbers a thing of it has, if not one."""
