"""The search over all names and texts of a ROM, the same for the command line and all fields of the window.

A name has all words that are searched, in any order and inside of words; case and accents do not matter. While typing
(`best`), a word may also have slips of the finger, where no name has all words as they are typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import inf
from operator import itemgetter
from typing import Any, Final

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import HEADER, NAMED, SCRIPT, WEATHER, NamedThing, kind_of
from mapexplorer.games.game import Game
from mapexplorer.grouping import by_key
from mapexplorer.naming import comparable_name, is_short_for, joined, singular, slips, words
from mapexplorer.world.subject import Subject

_ADDRESS: Final = re.compile(r"([a-z][a-z -]*):(\d+(?:/\d+)*)", re.ASCII)
_NUMBER: Final = re.compile(r"(#?)(\d{1,9})", re.ASCII)
_SYMBOL: Final = re.compile(r"_|\d")
"""In the names of the decompilation and internal names."""
_SHORTEST: Final = 3
"""The index of words has runs of this many letters."""
_LOOKED: Final = 50
"""The names of a kind from which the best are chosen while typing."""
_ORDER: Final = {kind.name: number for number, kind in enumerate(NAMED)}
_LATER: Final = {kind.name: {1: 0, 2: 0, 3: 2, 0: 4, 4: 6}[kind.order] for kind in NAMED} | {
    "object graphics": 1,
    "music": 3,
    "text": 8,
}
"""Kind -> how many ranks worse its things are than a map or a species that has the words in the same way."""
_AS_TYPED: Final = ("text", "texture", "file")
"""The kinds that are searched only for words as they are typed."""
_IN_WORDS: Final = 6
"""The rank of a map that has the words only inside of its words."""
_ABBREVIATED: Final = 3
"""What a word costs that a name has in a shorter or longer form; an end that is not typed costs 1."""
_SLIP: Final = 2
"""What a slip of the finger costs."""


def find(store: Store, given: Sequence[str], kind: str | None = None) -> list[NamedThing]:
    """The things with all words, best first (`_rank`). The words may be an address: KIND:NUMBERS or KIND:WORDS. With a
    kind there may be no words: all its things, by number."""
    text = " ".join(given).strip().lower()
    address = _ADDRESS.fullmatch(text)
    if address is not None:
        number = tuple(map(int, address[2].split("/")))
        name = "messages" if kind_of(address[1]) == "text" and len(number) == 1 else kind_of(address[1])
        thing = get(store, Subject(name, (0, *number) if name == SCRIPT else number))
        return [thing] if thing is not None and kind in (None, name) else []
    if kind is None and (name := _kind_before(text)):
        return find(store, text.partition(":")[2].split(), name)
    wanted = comparable_name(" ".join(given)).split()
    rows = _matching(store, wanted, kind) if wanted or kind else []
    if not wanted:
        return sorted(map(named_thing, rows), key=lambda thing: thing.subject.key)
    return list(map(named_thing, sorted(rows, key=_ranking(wanted))))


def sought(game: Game, code: str, words: str) -> list[str]:
    """The words of a search; of a constant of the decompilation its address."""
    constant = game.constant_subject(words, code)
    return words.split() if constant is None else ["{}:{}".format(*constant)]


def best(store: Store, text: str, most: int, kind: str | None = None, header: int | None = None) -> list[NamedThing]:
    """At most `most` things of each kind with all words, as `find` orders them, for a search while typing: of a kind
    with very many, those are taken whose names begin with the words, or have them first. Where only texts have them,
    names follow whose words differ by slips of the finger; where nothing has them, also those that have most of them.

    `header`: only things that are used on this map; then, and with a kind, there may be no words. `weather:WORDS` of
    maps are those with such a weather. `#NUMBER` is a map, as is a number alone, unless a map's name has its digits, at
    least three (`201`: Route 201, then map 201)."""
    wanted = comparable_name(text).split()
    if kind == HEADER and text.startswith(f"{WEATHER}:"):
        weathers = find(store, text.removeprefix(f"{WEATHER}:").split(), WEATHER)
        on = {number for weather in weathers for number in _maps(store, weather.subject)}
        return list(map(named_thing, _of_kind(store, HEADER, [], most, None, on)[:most]))
    if _ADDRESS.fullmatch(text.strip().lower()):
        return find(store, [text], kind)
    if kind is None and (name := _kind_before(text)):
        return best(store, text.partition(":")[2], most, name, header)
    if not wanted and kind is None and header is None:
        return []
    by_kind = {name: _of_kind(store, name, wanted, most, header) for name in (_ORDER if kind is None else (kind,))}
    if not wanted:
        return [named_thing(row) for rows in by_kind.values() for row in rows[:most]]
    ranking = _ranking(wanted)
    chosen = [row for rows in by_kind.values() for row in sorted(rows, key=ranking)[:most]]
    things = [named_thing(row, _why(row, wanted)) for row in sorted(chosen, key=ranking)]
    if header is None and all(row[0] in _AS_TYPED or ranking(row)[0] >= _IN_WORDS for row in chosen):
        near = _several(store, wanted, most, kind) or _near(store, text, most, kind, strict=bool(things))
        things = [*near, *(thing for thing in things if thing.subject not in {thing.subject for thing in near})]
    number = _NUMBER.fullmatch(text.strip())
    if number is not None and kind in (None, HEADER) and header is None:
        map_of_number = get(store, Subject(HEADER, (int(number[2]),)))
        named_so = things and things[0].subject.kind == HEADER and number[2] in words(things[0].name)
        others = [thing for thing in things if map_of_number is None or thing.subject != map_of_number.subject]
        at = 1 if named_so and not number[1] and len(number[2]) >= _SHORTEST else 0
        things = [*others[:at], *([map_of_number] if map_of_number is not None else []), *others[at:]]
    return things


def _several(store: Store, wanted: Sequence[str], most: int, kind: str | None) -> list[NamedThing]:
    """The things whose names end with the word of which the last one is the plural: of `berries` each Berry."""
    end = singular(wanted[-1])
    things = best(store, " ".join((*wanted[:-1], end)), most, kind) if end else []
    return [thing for thing in things if thing.subject.kind not in _AS_TYPED and words(thing.name)[-1:] == (end,)]


def _near(store: Store, text: str, most: int, kind: str | None, *, strict: bool) -> list[NamedThing]:
    """The things with names whose words are nearest to those of a text, at most `most` of each kind: those that have
    most of the words. `strict`: there are things with all words as they are typed, so that only those count that have
    all of them with one slip or short form, or all but one without any; of two words the other one is then the name."""
    typed = [part for word in words(text.replace("'", "")) for part in _parts(store, word)]
    meant = {word: store.meant_words.get(word, _costs, store, word) for word in typed}
    near: dict[int, dict[str, tuple[int, str]]] = {}
    for word, costs in meant.items():
        for name, cost in costs.items():
            for number in store.rows_of_words[name]:
                near.setdefault(number, {}).setdefault(word, (cost, name))
    total: dict[int, int] = {}
    for missing in range(2 if strict else len(meant)):
        complete = len(meant) - missing
        dearest = (0 if missing else _ABBREVIATED if len(meant) > 1 else _SLIP) if strict else inf
        having = {number: names for number, names in near.items() if len(names) == complete == len(set(names.values()))}
        costs_of = {number: sum(cost for cost, _ in names.values()) for number, names in having.items()}
        total = {number: cost for number, cost in costs_of.items() if cost <= dearest}
        if total:
            break
    first = sorted((cost, number) for number, cost in total.items())[: 4 * _LOOKED]
    ranked = []
    for row in store.rows(f"{_SELECT} WHERE rowid IN ({', '.join(str(number) for _, number in first)})"):
        names = [near[row[-1]][word][1] for word in typed if word in near[row[-1]]]
        rank, *rest = _rank(row, names)
        missing = len(meant) - len(set(names))
        if kind in (None, row[0]) and not (strict and missing and len(names) == 1 and rank):
            cost = total[row[-1]] + (0 if missing else rank)
            ranked.append((cost, rank, rest, named_thing(row, f"“{' '.join(names)}”")))
    things = [thing for *_, thing in sorted(ranked)]
    of_kinds = grouped(things)
    return [thing for thing in things if thing in of_kinds[thing.subject.kind][:most]]


def _parts(store: Store, typed: str) -> tuple[str, ...]:
    """The two words of names that a typed word is together, as `day` and `care`; else the word alone."""
    known = () if typed in store.rows_of_words else store.rows_of_words
    ends = range(_SHORTEST, len(typed) - _SHORTEST + 1)
    return next(((typed[:end], typed[end:]) for end in ends if typed[:end] in known and typed[end:] in known), (typed,))


def _costs(store: Store, typed: str) -> dict[str, int]:
    """The words of names that a typed word can mean -> what it costs, the cheapest first."""
    most = 0 if len(typed) < _SHORTEST or any(map(str.isdigit, typed)) else min(2, (len(typed) + 1) // 3)
    letters, part = set(typed), max(1, len(typed) // 3)
    kept = len(typed) - most if part == 1 else 1  # parts that stay where they are; a swap of letters may break two
    costs = {}
    for word in store.rows_of_words:
        if word.startswith(typed):
            costs[word] = int(word != typed)
        elif word[0] == typed[0] and (is_short_for(typed, word) or is_short_for(word, typed)):
            costs[word] = _ABBREVIATED
        elif (
            most
            and len(letters.difference(word)) <= most
            and sum(typed[at : at + part] in word[max(0, at - 2) : at + part + 2] for at in range(0, len(typed), part))
            >= kept
        ):
            *prefixes, all_of_it = slips(typed, word[: len(typed) + most + 1], most)
            if (fewest := min(all_of_it, *prefixes)) <= most:
                costs[word] = _SLIP * fewest + (all_of_it > fewest)
    return dict(sorted(costs.items(), key=itemgetter(1)))


def _kind_before(text: str) -> str:
    """The kind with names that stands before a colon; empty without one."""
    name = kind_of(text.partition(":")[0]) if ":" in text else ""
    return name if name in _ORDER else ""


def get(store: Store, thing: Subject) -> NamedThing | None:
    """A thing by its kind and key; None where it has neither a name nor a use."""
    key = "/".join(map(str, thing.key))
    rows = store.rows(f"{_SELECT} WHERE kind = ? AND key = ?", thing.kind, key)
    used = rows or store.rows("SELECT 1 FROM edge WHERE used_kind = ? AND used = ? LIMIT 1", thing.kind, key)
    return named_thing(rows[0]) if rows else NamedThing(thing, "", "") if used else None


def grouped(things: Iterable[NamedThing]) -> dict[str, list[NamedThing]]:
    """Kind -> its things in the given order; the kind of the first one first."""
    return by_key((thing.subject.kind, thing) for thing in things)


_SEARCHED: Final = "coalesce(searched, name)"
_SELECT: Final = f"SELECT kind, key, name, about, {_SEARCHED}, rowid FROM thing"


def named_thing(row: tuple[Any, ...], why: str = "") -> NamedThing:
    """A thing by its kind, key, name and what else is known, as the store has them."""
    kind, key, name, about, *_ = row
    return NamedThing(Subject(kind, (key,) if kind == "file" else tuple(map(int, key.split("/")))), name, about, why)


def _matching(store: Store, wanted: list[str], kind: str | None) -> list[tuple[Any, ...]]:
    """All things with some words."""
    long = [word for word in wanted if len(word) >= _SHORTEST]
    tests, values = [f"{_SEARCHED} LIKE ? ESCAPE '\\'" for _ in wanted], [_like(word) for word in wanted]
    if long and store.has_words:
        tests.append("rowid IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(" AND ".join('"{}"'.format(word.replace('"', '""')) for word in long))
        tests, values = tests[::-1], values[::-1]
    if kind is not None:
        tests, values = [*tests, "kind = ?"], [*values, kind]
    return store.rows(f"{_SELECT} WHERE {' AND '.join(tests)}", *values)


def _like(word: str, before: str = "%") -> str:
    for sign in "\\%_":
        word = word.replace(sign, f"\\{sign}")
    return f"{before}{word}%"


def _of_kind(
    store: Store, kind: str, wanted: list[str], most: int, header: int | None, only: set[int] | None = None
) -> list[tuple[Any, ...]]:
    """Things of a kind with all words: those that begin with the words, that have them as whole words, that have a word
    that begins so, that contain them; no more than are needed to choose `most`."""
    tests = ["+kind = ?" if kind == "text" else "kind = ?", *(f"{_SEARCHED} LIKE ? ESCAPE '\\'" for _ in wanted)]
    values: list[object] = [kind, *map(_like, wanted)]
    if header is not None:
        tests.append("key IN (SELECT used FROM edge WHERE used_kind = ? AND header = ? AND rule >= 0)")
        values += [kind, header]
    phrase = " ".join(wanted)
    begins = f"replace({_SEARCHED}, '_', ' ') || ' ' LIKE ? ESCAPE '\\' DESC"
    last = "rowid" if kind == HEADER else "length(name)"
    order = f"ORDER BY {begins}, {begins}, {begins}, {last}" if wanted else ""
    values += [_like(phrase, ""), _like(f"{phrase} ", "% "), _like(phrase, "% ")] if wanted else []
    if kind == "text" and wanted and max(map(len, wanted)) < _SHORTEST:
        return []  # nearly every text has such letters
    if kind == "text" and wanted and store.has_words:
        tests.insert(0, "rowid IN (SELECT rowid FROM words WHERE words MATCH ? LIMIT 2000)")
        long = [word for word in wanted if len(word) >= _SHORTEST]
        values.insert(0, " AND ".join('"{}"'.format(word.replace('"', '""')) for word in long))
    looked = _LOOKED if wanted and max(map(len, wanted)) >= _SHORTEST else 0
    limit = max(most, looked) if only is None else -1
    rows = store.rows(f"{_SELECT} WHERE {' AND '.join(tests)} {order} LIMIT {limit}", *values)
    return [row for row in rows if only is None or int(row[1]) in only]


def _maps(store: Store, used: Subject) -> list[int]:
    rows = store.rows("SELECT DISTINCT header FROM edge WHERE used_kind = ? AND used = ?", used.kind, str(used.key[0]))
    return [row[0] for row in rows]


def _ranking(wanted: list[str]) -> Callable[[tuple[Any, ...]], tuple[int, ...]]:
    """The key by which rows are sorted, for words as they were typed."""
    return partial(_rank, wanted=words(" ".join(wanted)))


def _rank(row: tuple[Any, ...], wanted: Sequence[str]) -> tuple[int, ...]:
    """How well a thing has words: 0 they are its name, also with its code or class, or its symbol; 1 its name begins
    with them, or they are its room; they are whole words 2 of its name; they begin words 3 of it; they are whole words
    4 of all that is searched; they begin words 5 of that; 6 else. Kinds with fewer names in words are some ranks later.
    Of one rank are maps first, in the order of their table, which is that of `Header.order`, then shorter names."""
    kind, _, name, about, searched, number = row
    named, every = words(name), words(searched)
    whole, title = "".join(wanted), "".join(named)
    symbols = (joined(part) for part in searched.split() if len(part) >= len(whole) and _SYMBOL.search(part))
    room, code = name.partition(", ")[2], about.partition(",")[0]
    longer = (joined(f"{about} {name}"), joined(f"{name} {code}")) if about else ()
    if whole == title or whole in longer or whole in symbols:
        rank = 0
    elif title.startswith(whole) or whole == joined(room):
        rank = 1
    elif set(wanted).issubset(named):
        rank = 2
    elif _begin(wanted, named):
        rank = 3
    else:
        rank = 4 if set(wanted).issubset(every) else 5 if _begin(wanted, every) else _IN_WORDS
    later, is_map = _LATER.get(kind, 0), kind == HEADER
    return rank + later, later, not is_map, number if is_map else len(name), _ORDER.get(kind, 0), number


def _begin(wanted: Iterable[str], several: Sequence[str]) -> bool:
    return all(any(word.startswith(beginning) for word in several) for beginning in wanted)


def _why(row: tuple[Any, ...], wanted: Iterable[str]) -> str:
    """The words of what is searched of a thing by which it has the words that neither its name nor what is shown of it
    has."""
    seen, searched = comparable_name(f"{row[2]} {row[3]}"), row[4].split()
    by = (next((part.strip("_") for part in searched if word in part), "") for word in wanted if word not in seen)
    return ", ".join(dict.fromkeys(filter(None, by)))
