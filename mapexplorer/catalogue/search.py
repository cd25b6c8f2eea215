"""The search over all names and texts of a ROM.

A name has all words that are searched, in any order and inside of words; case and accents do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from mapexplorer.catalogue.kinds import HEADER, NAMED, SCRIPT, WEATHER, NamedThing, kind_of
from mapexplorer.catalogue.store import Store
from mapexplorer.grouping import by_key
from mapexplorer.naming import comparable_name, suggestions
from mapexplorer.world.subject import Subject

if TYPE_CHECKING:
    from mapexplorer.games.game import Game

_ADDRESS: Final = re.compile(r"([a-z][a-z -]*):(\d+(?:/\d+)*)", re.ASCII)
_SHORTEST: Final = 3
"""The index of words has runs of this many letters."""
_LOOKED: Final = 50
"""The names of a kind from which the best are chosen while typing."""
_ORDER: Final = {kind.name: number for number, kind in enumerate(NAMED)}


def find(store: Store, words: Sequence[str], kind: str | None = None) -> list[NamedThing]:
    """The things with all words, best first: the name itself, then names that begin with the words, names with them as
    whole words, names that contain them, then the rest; shorter names first. The words may be an address: KIND:NUMBERS
    or KIND:WORDS. With a kind there may be no words: all its things, by number."""
    text = " ".join(words).strip().lower()
    address = _ADDRESS.fullmatch(text)
    if address is not None:
        number = tuple(map(int, address[2].split("/")))
        name = "messages" if kind_of(address[1]) == "text" and len(number) == 1 else kind_of(address[1])
        thing = get(store, Subject(name, (0, *number) if name == SCRIPT else number))
        return [thing] if thing is not None and kind in (None, name) else []
    if kind is None and (name := _kind_before(text)):
        return find(store, text.partition(":")[2].split(), name)
    wanted = comparable_name(" ".join(words)).split()
    things = _matching(store, wanted, kind) if wanted or kind else []
    if not wanted:
        return sorted(things, key=lambda thing: thing.subject.key)
    return sorted(things, key=lambda thing: (*_rank(thing, wanted), _ORDER[thing.subject.kind], thing.subject.key))


def sought(game: Game, code: str, words: str) -> list[str]:
    """The words of a search; of a constant of the decompilation its address."""
    constant = game.constant_subject(words, code)
    return words.split() if constant is None else ["{}:{}".format(*constant)]


def best(store: Store, text: str, most: int, kind: str | None = None, header: int | None = None) -> list[NamedThing]:
    """At most `most` things of each kind with all words, as `find` orders them, for a search while typing: of a kind
    with very many, those are taken whose names begin with the words, or have them first. `header`: only things that are
    used on this map; then, and with a kind, there may be no words. `weather:WORDS` of maps are those with such a
    weather."""
    wanted = comparable_name(text).split()
    if kind == HEADER and text.startswith(f"{WEATHER}:"):
        weathers = find(store, text.removeprefix(f"{WEATHER}:").split(), WEATHER)
        on = {number for weather in weathers for number in _maps(store, weather.subject)}
        return _of_kind(store, HEADER, [], most, None, on)[:most]
    if _ADDRESS.fullmatch(text.strip().lower()):
        return find(store, [text], kind)
    if kind is None and (name := _kind_before(text)):
        return best(store, text.partition(":")[2], most, name, header)
    if not wanted and kind is None and header is None:
        return []
    things: list[NamedThing] = []
    for name in _ORDER if kind is None else (kind,):
        here = _of_kind(store, name, wanted, most, header)
        things += sorted(here, key=lambda thing: _rank(thing, wanted))[:most] if wanted else here[:most]
    if not things and wanted and header is None:
        return _near(store, text, most, kind)
    return sorted(things, key=lambda thing: _rank(thing, wanted)[0]) if wanted and kind is None else things


def _near(store: Store, text: str, most: int, kind: str | None) -> list[NamedThing]:
    """The things of the kinds with names in words whose names are nearest to a text."""
    kinds = [known.name for known in NAMED if known.order in (1, 2) and kind in (None, known.name)]
    rows = store.rows(f"{_SELECT} WHERE kind IN ({', '.join('?' * len(kinds))})", *kinds)
    named = by_key((thing.name, thing) for thing in map(_named_thing, rows))
    return [thing for name in suggestions(text, named, most, least=0.8) for thing in named[name]][:most]


def _kind_before(text: str) -> str:
    """The kind with names that stands before a colon; empty without one."""
    name = kind_of(text.partition(":")[0]) if ":" in text else ""
    return name if name in _ORDER else ""


def get(store: Store, thing: Subject) -> NamedThing | None:
    """A thing by its kind and key; None where it has neither a name nor a use."""
    key = "/".join(map(str, thing.key))
    rows = store.rows(f"{_SELECT} WHERE kind = ? AND key = ?", thing.kind, key)
    used = rows or store.rows("SELECT 1 FROM edge WHERE used_kind = ? AND used = ? LIMIT 1", thing.kind, key)
    return _named_thing(rows[0]) if rows else NamedThing(thing, "", "") if used else None


def grouped(things: Iterable[NamedThing]) -> dict[str, list[NamedThing]]:
    """Kind -> its things in the given order; the kind of the first one first."""
    return by_key((thing.subject.kind, thing) for thing in things)


_SELECT: Final = "SELECT kind, key, name, about FROM thing"
_SEARCHED: Final = "coalesce(searched, name)"


def _named_thing(row: tuple[Any, ...]) -> NamedThing:
    kind, key, name, about = row
    return NamedThing(Subject(kind, (key,) if kind == "file" else tuple(map(int, key.split("/")))), name, about)


def _matching(store: Store, wanted: list[str], kind: str | None) -> list[NamedThing]:
    """All things with some words."""
    long = [word for word in wanted if len(word) >= _SHORTEST]
    tests, values = [f"{_SEARCHED} LIKE ? ESCAPE '\\'" for _ in wanted], [_like(word) for word in wanted]
    if long and store.has_words:
        tests.append("rowid IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(" AND ".join('"{}"'.format(word.replace('"', '""')) for word in long))
        tests, values = tests[::-1], values[::-1]
    if kind is not None:
        tests, values = [*tests, "kind = ?"], [*values, kind]
    return [_named_thing(row) for row in store.rows(f"{_SELECT} WHERE {' AND '.join(tests)}", *values)]


def _like(word: str, before: str = "%") -> str:
    for sign in "\\%_":
        word = word.replace(sign, f"\\{sign}")
    return f"{before}{word}%"


def _of_kind(
    store: Store, kind: str, wanted: list[str], most: int, header: int | None, only: set[int] | None = None
) -> list[NamedThing]:
    """Things of a kind with all words: those that begin with the words, that have a word that does, that contain them;
    no more than are needed to choose `most`."""
    tests = ["kind = ?", *(f"{_SEARCHED} LIKE ? ESCAPE '\\'" for _ in wanted)]
    values: list[object] = [kind, *map(_like, wanted)]
    if header is not None:
        tests.append("key IN (SELECT used FROM edge WHERE used_kind = ? AND header = ? AND rule >= 0)")
        values += [kind, header]
    phrase = " ".join(wanted)
    begins = f"{_SEARCHED} LIKE ? ESCAPE '\\' DESC"
    order = f"ORDER BY {begins}, {begins}, length(name)" if wanted else ""
    values += [_like(phrase, ""), _like(phrase, "% ")] if wanted else []
    if kind == "text" and wanted and max(map(len, wanted)) < _SHORTEST:
        return []  # nearly every text has such letters
    if kind == "text" and wanted and store.has_words:
        tests.insert(0, "rowid IN (SELECT rowid FROM words WHERE words MATCH ? LIMIT 2000)")
        long = [word for word in wanted if len(word) >= _SHORTEST]
        values.insert(0, " AND ".join('"{}"'.format(word.replace('"', '""')) for word in long))
    limit = max(most, _LOOKED) if only is None else -1
    rows = store.rows(f"{_SELECT} WHERE {' AND '.join(tests)} {order} LIMIT {limit}", *values)
    return [thing for thing in map(_named_thing, rows) if only is None or thing.subject.key[0] in only]


def _maps(store: Store, used: Subject) -> list[int]:
    rows = store.rows("SELECT DISTINCT header FROM edge WHERE used_kind = ? AND used = ?", used.kind, str(used.key[0]))
    return [row[0] for row in rows]


def _rank(thing: NamedThing, wanted: list[str]) -> tuple[int, int]:
    name, phrase = comparable_name(thing.name), " ".join(wanted)
    if phrase in (name, comparable_name(thing.about.partition(",")[0])):  # of a map: its internal name
        return 0, 0
    whole = set("".join(letter if letter.isalnum() else " " for letter in name).split())
    tests = (name.startswith(phrase), whole.issuperset(wanted), phrase in name, all(word in name for word in wanted))
    return next((1 + at for at, holds in enumerate(tests) if holds), 1 + len(tests)), len(name)
