"""What a text that a user typed means: `KIND:NAME`, `KIND:NUMBER`, or a name alone.

What a name can mean is decided by `naming.matching`, for every kind and every verb. A map is also named without a kind
by its number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Final

from formats.binary import FormatError
from mapexplorer.catalogue.kinds import (
    FILE,
    HEADER,
    KINDS,
    LOCATION,
    SCRIPT,
    STORED,
    TEXTURE,
    WEATHER,
    NamedThing,
    kind_of,
)
from mapexplorer.errors import PlaceError, RomError, check_number
from mapexplorer.games import Role, Topic
from mapexplorer.grouping import by_key
from mapexplorer.naming import EQUAL, WORDS, has_words, matching, suggestions, words
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import check_entry, locate_script
from mapexplorer.world.headers.header import Header, by_order, find_header, find_maps, matching_headers
from mapexplorer.world.subject import Subject

_ADDRESS: Final = re.compile(r"\s*(?P<kind>[A-Za-z][\w -]*):(?P<name>.*)", re.DOTALL)
_KIND_AND_NUMBER: Final = re.compile(r"\s*(?P<kind>[A-Za-z][\w -]*)\s+(?P<name>#?\d+)\s*")
_OF_MAP: Final = re.compile(r"(?P<map>.*\S.*)#(?P<script>\d+)", re.DOTALL)
_OF_HEADER: Final = re.compile(r"(?P<map>\d+)/(?P<script>\d+)", re.ASCII)
_NUMBERS: Final = re.compile(r"#?(-?\d+(?:/\d+)*|0x[0-9a-f]+)", re.ASCII | re.IGNORECASE)

ALL: Final = frozenset(kind.name for kind in KINDS.values() if not kind.seen)
"""The kinds that a text can name."""

_GROUPS: Final = tuple(
    tuple(kind.name for kind in KINDS.values() if kind.order == order)
    for order in sorted({kind.order for kind in KINDS.values()} - {0})
)
"""The kinds with names in the order in which a name without a kind is searched: those of a group together, later groups
where the earlier ones have no such name. Equal names of all groups go before parts of names."""


def find_thing(world: FieldWorld, text: str, kinds: Collection[str]) -> NamedThing:
    """The thing of one of some `kinds` that a text means.

    `KIND NUMBER` is `KIND:NUMBER`, a constant of the decompilation the number that it means. Without a kind a number
    means a map, `MAP#NUMBER` a script of a map, and a name the thing that it matches best. Raises PlaceError, with the
    candidates of an ambiguous text and the nearest names of an unknown one; FormatError, RomError.
    """
    word, _, name = text.rpartition(":")
    constant = world.game.constant_subject(name, world.rom.code)
    if constant is not None and kind_of(word) in ("", constant[0]):
        text = "{}:{}".format(*constant)
    address = _ADDRESS.fullmatch(text)
    if address is not None:
        return _of_kind(world, possible_kind(address["kind"], kinds), address["name"].strip())
    numbered = _KIND_AND_NUMBER.fullmatch(text)
    if numbered is not None and kind_of(numbered["kind"]) in kinds:
        return _of_kind(world, kind_of(numbered["kind"]), numbered["name"])
    if SCRIPT in kinds and _OF_MAP.fullmatch(text):
        return _of_kind(world, SCRIPT, text)
    if HEADER in kinds and _NUMBERS.fullmatch(text.strip()):
        return _of_kind(world, HEADER, text)
    groups = [[kind for kind in group if kind in kinds] for group in _GROUPS]
    for worst in (EQUAL, WORDS):
        for group in groups:
            best = _best(world, text, group, worst)
            if best:
                return _only(text, best)
    raise _unknown(world, text, [kind for group in groups for kind in group if not _is_slow(kind)])


def find_with_maps(world: FieldWorld, text: str, kinds: Collection[str]) -> list[NamedThing]:
    """As `find_thing`, but all maps of a location whose name means several, or of `location:NAME`."""
    if kind_of(text.partition(":")[0]) == LOCATION:
        return [_map(header) for header in find_maps(world.headers, text)]
    try:
        return [find_thing(world, text, kinds)]
    except PlaceError:
        with suppress(PlaceError):
            return [_map(header) for header in find_maps(world.headers, text)]
        raise


def possible_kind(word: str, kinds: Collection[str]) -> str:
    """The name of the one of some kinds that a word means. Raises PlaceError where it means none of them."""
    kind = kind_of(word)
    if kind not in kinds:
        possible = ", ".join(KINDS[kind].typed for kind in KINDS if kind in kinds)
        is_not = "is not possible" if kind in KINDS else "is no kind of thing"
        raise PlaceError(f"{word!r} {is_not}; possible here: {possible}.")
    return kind


def find_things(world: FieldWorld, text: str, kinds: Collection[str]) -> list[NamedThing]:
    """As `find_thing`, but all things of a name that several things have in common: weathers by words of their names or
    pictures (`weather:snow`), textures by the name that they have in several sets (`texture:tree04_2`)."""
    address = _ADDRESS.fullmatch(text)
    name = address["name"].strip() if address is not None else ""
    if address is not None and not _NUMBERS.fullmatch(name):
        kind = kind_of(address["kind"])
        if kind == WEATHER in kinds and (things := _weathers_with(world, name)):
            return things
        if kind == TEXTURE in kinds and (things := _best(world, name, [TEXTURE], EQUAL)):
            return things
    return [find_thing(world, text, kinds)]


def as_stored(world: FieldWorld, thing: Subject) -> Subject:
    """The thing that a member of an archive is: `scripts 412` for the script file; the file or member itself where it
    is no thing of another kind."""
    if thing.kind == FILE and len(thing.key) > 1:
        role = world.game.role(thing.key[0])
        if role is not None and role in STORED:
            return Subject(STORED[role].name, thing.key[1:])
    return thing


def _weathers_with(world: FieldWorld, name: str) -> list[NamedThing]:
    """The weather of this name, else all whose names or pictures have its words."""
    rank, best = _matching(world, WEATHER, name)
    wanted, known = words(name), world.game.tables.weathers.values()
    if rank == EQUAL or not wanted:
        return best
    named = [weather for weather in known if has_words(wanted, f"{weather.name} {weather.visual}")]
    return [NamedThing(Subject(WEATHER, (weather.id,)), weather.name, "") for weather in named]


def _is_slow(kind: str) -> bool:
    return KINDS[kind].slow or kind == FILE


def _of_kind(world: FieldWorld, kind: str, name: str) -> NamedThing:
    if kind == HEADER:
        return _map(find_header(world.headers, name))
    if kind == FILE:
        return _file(world, name)
    if kind == SCRIPT:
        return _script(world, name)
    number = _NUMBERS.fullmatch(name)
    if number is not None:
        key = tuple(int(part, 0) if part[:2].lower() == "0x" else int(part) for part in number[1].split("/"))
        if kind == "text" and len(key) == 1:  # the whole bank
            kind = "messages"
        return numbered(world, kind, key)
    best = _best(world, name, [kind])
    if not best:
        raise _unknown(world, name, [kind])
    return _only(f"{kind}:{name}", best)


def numbered(world: FieldWorld, kind: str, key: tuple[int, ...]) -> NamedThing:
    """The thing with a number. Raises PlaceError where there is none."""
    of = KINDS[kind]
    of.check(world, key)
    mine = of.name_of(world, key)
    if not mine and of.every and of.read and not of.slow:
        known = sorted({number for _, (number,) in of.names(world)})
        if known:
            check_number(of.one, key[0], known)
    return NamedThing(Subject(kind, key), mine, "")


def _map(header: Header) -> NamedThing:
    return NamedThing(Subject(HEADER, (header.id,)), str(header).partition(" ")[2], "")


def _script(world: FieldWorld, name: str) -> NamedThing:
    """The script with a number on a map, `T01#7` or `411/7`, or that all maps share, `2018`."""
    of_map, numbers = _OF_MAP.fullmatch(name) or _OF_HEADER.fullmatch(name), world.game.tables.script_numbers
    if of_map is not None:
        header, number = find_header(world.headers, of_map["map"]), int(of_map["script"])
        _check_script(world, header.id, number)
        return NamedThing(Subject(SCRIPT, (header.id, number)), f"{header.internal_name}#{number}", "")
    if name.isdecimal() and numbers.band(int(name)) is not None:
        _check_script(world, 0, int(name))
        return NamedThing(Subject(SCRIPT, (0, int(name))), numbers.names.get(int(name), ""), "")
    raise PlaceError(f"{name!r} is no script: name one of a map, as in script:T01#1, or the number of a shared one.")


def _check_script(world: FieldWorld, header: int, number: int) -> None:
    """Raises PlaceError for a script that its file does not have, as far as the scripts of the game are known."""
    if Topic.SCRIPTS in world.game.not_known:
        return
    place = locate_script(world, header, number)
    if place is None:
        raise PlaceError(f"Number {number} means no script.")
    with suppress(FormatError, RomError):
        check_entry(place.member, world.script_file(place.member), place.entry)


def _file(world: FieldWorld, name: str) -> NamedThing:
    path, mark, index = name.rpartition("#")
    path, index = (path, index) if mark else (name, "")
    if path.isdecimal():
        world.game.require(Topic.SCRIPTS)
        path, index = world.path(Role.SCRIPTS), path
    path = path.replace("\\", "/").lstrip("/")
    if not world.rom.has(path):
        _, paths = matching(path, world.rom.files)
        if len(paths) != 1:
            near = paths or suggestions(path, world.rom.files)
            raise PlaceError(f"There is no file {path!r}" + ("; did you mean one of these?" if near else "."), near)
        (path,) = paths
    if not index.isdecimal():
        return NamedThing(Subject(FILE, (path,)), path, "")
    check_number("member", int(index), range(len(world.rom.archive(path))), path)
    return NamedThing(Subject(FILE, (path, int(index))), f"{path}#{int(index)}", "")


def _best(world: FieldWorld, text: str, kinds: Iterable[str], worst: int = WORDS) -> list[NamedThing]:
    """The things of some kinds that match a text best, with no worse rank than `worst`."""
    best_rank, best = worst, list[NamedThing]()
    for kind in kinds:
        rank, things = _matching(world, kind, text)
        if rank < best_rank:
            best_rank, best = rank, []
        if rank == best_rank:
            best += things
    return list(dict.fromkeys(best))


def _matching(world: FieldWorld, kind: str, text: str) -> tuple[int, list[NamedThing]]:
    if kind == HEADER:
        rank, headers = matching_headers(world.headers, text)
        return rank, [_map(header) for header in headers]
    by_name = by_key(KINDS[kind].names(world))
    rank, names = matching(text, by_name)
    return rank, [NamedThing(Subject(kind, key), name, "") for name in names for key in by_name[name]]


def _only(text: str, things: list[NamedThing]) -> NamedThing:
    """The only thing of several; different names of the same thing are one."""
    by_subject = {thing.subject: thing for thing in reversed(things)}
    if len(by_subject) == 1:
        return things[0]
    what = "maps" if {thing.subject.kind for thing in things} == {HEADER} else "things"
    raise PlaceError(f"{text!r} could mean any of {len(by_subject)} {what}:", list(reversed(by_subject.values())))


def _unknown(world: FieldWorld, text: str, kinds: Collection[str]) -> PlaceError:
    names: dict[str, NamedThing] = {}
    for kind in kinds:
        if kind == HEADER:
            names |= {name: _map(header) for header in reversed(world.headers) for name in header.names}
        else:
            names |= {name: NamedThing(Subject(kind, key), name, "") for name, key in KINDS[kind].names(world)}
    near = list(dict.fromkeys(names[name] for name in suggestions(text, names)))
    maps = iter(
        sorted((world.headers[thing.subject.key[0]] for thing in near if thing.subject.kind == HEADER), key=by_order)
    )
    near = [_map(next(maps)) if thing.subject.kind == HEADER else thing for thing in near]
    what = KINDS[next(iter(kinds))].one if len(kinds) == 1 else "thing"
    unread = ", ".join(KINDS[kind].title.lower() for kind in kinds if not KINDS[kind].is_named_in(world.game))
    not_known = f"; not known in this game: the names of {unread}" if unread else ""
    return PlaceError(
        f"There is no {what} called {text!r}{not_known}{'; did you mean one of these?' if near else '.'}", near
    )
