"""The index of all names of a ROM: what has a name, and where it is used; searched by words.

`name_sources` says what it holds, `kept_names` keeps it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from mapexplorer.naming import comparable_name

KINDS: Final = (
    "map", "species", "item", "trainer", "move", "flag", "variable", "script", "unused", "music", "weather",
    "prop", "texture", "file", "text",
)  # fmt: skip
"""The kinds of named things, in the order of groups that match equally well; `unused` are scripts of maps that nothing
runs."""

_MARK: Final = "\x1f"
"""Stands between the words and the entry of a line; words have no control characters, and JSON escapes them."""

_CODEC: Final = ("utf-8", "surrogatepass")

_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_LOOKED: Final = 150
"""The entries of a kind from which the best are chosen while typing."""

_ADDRESS: Final = re.compile(r"([a-z]+):(\d+(?:/\d+)*)", re.ASCII)


class Use(NamedTuple):
    """A use of a thing: how (`grass`, `floor`, `set by` ...), the address of the user (`T01`, `T01@116,885`, `T01#7`,
    `file:3#1`, `trainer:5`; empty: a general one), the location name of its map."""

    how: str
    at: str
    location: str = ""


class Entry(NamedTuple):
    """A named thing: its kind, its number in it (of a text the message bank and the entry; of a file none), its name,
    what else is known of it in words that are searched too, its uses."""

    kind: str
    number: tuple[int, ...]
    name: str
    about: str = ""
    uses: tuple[Use, ...] = ()

    @property
    def address(self) -> str:
        """`species:25`, `text:17/3`; of a file its path."""
        return f"{self.kind}:{'/'.join(map(str, self.number))}" if self.number else f"{self.kind}:{self.name}"


class NameIndex:
    """The named things of a ROM, a line each: the words that are searched, a mark, and the entry as JSON."""

    def __init__(self, lines: bytes) -> None:
        """`lines` as `of` and `from_bytes` make them; each ends with a line feed."""
        self._lines = lines

    def __len__(self) -> int:
        return self._lines.count(b"\n")

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> NameIndex:
        """The index of some entries."""
        lines = []
        for entry in sorted(entries, key=lambda entry: KINDS.index(entry.kind)):
            searched = " ".join(comparable_name(f"{entry.name} {entry.about}").split())
            lines.append(f"{searched}{_MARK}{_encode(entry)}\n")
        return cls("".join(lines).encode(*_CODEC))

    def to_bytes(self) -> bytes:
        """The index as `from_bytes` reads it."""
        return b"%d\n%b" % (len(self), self._lines)

    @classmethod
    def from_bytes(cls, data: bytes) -> NameIndex:
        """A kept index. Raises ValueError for other data."""
        first, _, lines = data.partition(b"\n")
        index = cls(lines)
        if int(first) != len(index):
            raise ValueError("the number of lines is wrong")
        return index

    def find(self, words: Sequence[str], kind: str | None = None) -> list[Entry]:
        """The entries with all words, best first: the name itself, then names that begin with the words, names with
        them as whole words, names that contain them, then the rest; shorter names first. Case and accents do not
        matter. A single word may be an address with a number."""
        address = _ADDRESS.fullmatch(" ".join(words).strip().lower())
        if address is not None:
            found = self.get(address[1], *map(int, address[2].split("/")))
            return [found] if found is not None and kind in (None, found.kind) else []
        wanted = comparable_name(" ".join(words)).split()
        if not wanted:
            return []
        entries = list(self._matching([word.encode(*_CODEC) for word in wanted], kind))
        return sorted(entries, key=lambda entry: (*_rank(entry, wanted), KINDS.index(entry.kind), entry.number))

    def best(self, words: Sequence[str], most: int, kind: str | None = None, user: str = "") -> list[Entry]:
        """At most `most` entries of each kind with all words, as `find` orders them, for a search while typing: of a
        kind with very many, those are taken whose names or other words begin with the words. `user`: only entries that
        are used on the map with this internal name; then, and with a kind, there may be no words."""
        wanted = comparable_name(" ".join(words)).split()
        if not wanted and kind is None and not user:
            return []
        found: list[Entry] = []
        for one in KINDS if kind is None else (kind,):
            here = self._of_kind(one, [word.encode(*_CODEC) for word in wanted], most, user)
            if wanted:
                here.sort(key=lambda entry: (*_rank(entry, wanted), entry.number))
            found += here[:most]
        return sorted(found, key=lambda entry: _rank(entry, wanted)[0]) if wanted and kind is None else found

    def _of_kind(self, kind: str, wanted: list[bytes], most: int, user: str = "") -> list[Entry]:
        """Entries of a kind with all words and a use: those that begin with the words, that have a word that does, that
        contain them; no more than are needed to choose `most`."""
        phrase, lines, found = b" ".join(wanted), self._lines, dict[int, Entry]()
        every = b'"%b' % user.encode(*_CODEC) if user else b"\n"
        used = _uses_by(user)
        for needle in (b"\n" + phrase, b" " + phrase, max(wanted, key=len)) if wanted else (every,):
            for start, stop in self._lines_with(needle, kind):
                mark = lines.index(_MARK.encode(), start, stop)
                searched = lines[start:mark]
                if start not in found and all(word in searched for word in wanted) and used.search(lines, mark, stop):
                    found[start] = self._entry(mark, stop)
                if len(found) >= max(most, _LOOKED):
                    return list(found.values())
        return list(found.values())

    def _lines_with(self, needle: bytes, kind: str) -> Iterator[tuple[int, int]]:
        """The beginnings and ends of the lines of a kind with some bytes, of which a line feed stands for the
        beginning of a line."""
        lines = self._lines
        at, end = self._sections.get(kind, (0, 0))
        while at < end:
            begins = needle[:1] == b"\n" and lines.startswith(needle[1:], at)
            found = at if begins else lines.find(needle, max(0, at - 1), end)
            if found < 0 or found + 1 >= end:
                return
            start = found + 1 if lines[found] == 10 else lines.rfind(b"\n", 0, found) + 1
            stop = lines.index(b"\n", start)
            yield start, stop
            at = stop + 1

    @cached_property
    def _sections(self) -> dict[str, tuple[int, int]]:
        """Kind -> the bytes of its lines, which stand together."""
        starts = [(self._lines.find(f'{_MARK}["{kind}",'.encode(*_CODEC)), kind) for kind in KINDS]
        known = [(self._lines.rfind(b"\n", 0, at) + 1, kind) for at, kind in starts if at >= 0]
        ends = [*(start for start, _ in known[1:]), len(self._lines)]
        return {kind: (start, end) for (start, kind), end in zip(known, ends, strict=True)}

    def names(self, kinds: Collection[str]) -> dict[str, list[Entry]]:
        """Name -> the things of some kinds that have it."""
        found: dict[str, list[Entry]] = {}
        for kind in kinds:
            for entry in self._of_kind(kind, [], len(self)):
                found.setdefault(entry.name, []).append(entry)
        return found

    def get(self, kind: str, *number: int) -> Entry | None:
        """The thing with a number; None where it has neither a name nor a use."""
        start = f'{_MARK}["{kind}",[{",".join(map(str, number))}],'.encode(*_CODEC)
        at = self._lines.find(start, *self._sections.get(kind, (0, 0)))
        return self._entry(at, self._lines.index(b"\n", at)) if at >= 0 else None

    def _matching(self, words: Sequence[bytes], kind: str | None) -> Iterator[Entry]:
        """The entries of a kind, or of all, with these words. The lines are searched for the longest word only."""
        lines, longest = self._lines, max(words, key=len)
        of_kind = f'{_MARK}["{kind}",'.encode(*_CODEC) if kind is not None else _MARK.encode()
        at = lines.find(longest)
        while at >= 0:
            start, end = lines.rfind(b"\n", 0, at) + 1, lines.index(b"\n", at)
            mark = lines.index(_MARK.encode(), start, end)
            searched = lines[start:mark]
            if at < mark and lines.startswith(of_kind, mark) and all(word in searched for word in words):
                yield self._entry(mark, end)
            at = lines.find(longest, end)

    def _entry(self, mark: int, end: int) -> Entry:
        kind, number, name, about, uses = json.loads(self._lines[mark + 1 : end].decode(*_CODEC))
        return Entry(kind, tuple(number), name, about, tuple(Use(*use) for use in uses))


def _uses_by(user: str) -> re.Pattern[bytes]:
    """What the line of an entry has that is used on the map with an internal name, or anywhere."""
    return re.compile(rb'"%b["@#]' % re.escape(user.encode(*_CODEC)) if user else b"")


def _rank(entry: Entry, wanted: list[str]) -> tuple[int, int]:
    name, phrase = comparable_name(entry.name), " ".join(wanted)
    if name == phrase:
        return 0, 0
    whole = set("".join(one if one.isalnum() else " " for one in name).split())
    tests = (name.startswith(phrase), whole.issuperset(wanted), phrase in name, all(word in name for word in wanted))
    return next((1 + at for at, holds in enumerate(tests) if holds), 1 + len(tests)), len(name)


def grouped(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Kind -> its entries in the given order; the kind of the first entry first."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.kind, []).append(entry)
    return found


# --- text and JSON

SHOWN: Final = 8
"""The number of entries of a kind, and of uses of an entry, that a text shows."""


def entry_text(entry: Entry) -> str:
    """An entry as one line."""
    number = "/".join(map(str, entry.number))
    name = " ".join(entry.name.split())
    words = " ".join([*([number] if number else []), f'"{name}"' if entry.kind == "text" else name])
    about = f", {entry.about}" if entry.about else ""
    return f"{words}{about}{f': {uses_text(entry.uses)}' if entry.uses else ''}"


def uses_text(uses: Sequence[Use]) -> str:
    """Uses in words, those of one way together."""
    ways: dict[str, list[str]] = {}
    for use in uses[:SHOWN]:
        place = f"{use.at} ({use.location})" if use.location else use.at
        ways.setdefault(use.how, []).append(place)
    words = "; ".join(f"{how} {', '.join(filter(None, places))}".rstrip() for how, places in ways.items())
    return words + (f"; {len(uses) - SHOWN} more" if len(uses) > SHOWN else "")


def entry_json(entry: Entry) -> dict[str, Any]:
    """An entry as JSON values."""
    return {
        "address": entry.address,
        "kind": entry.kind,
        "numbers": list(entry.number),
        "name": entry.name,
        "about": entry.about,
        "uses": [use_json(use) for use in entry.uses],
    }


def use_json(use: Use) -> dict[str, str]:
    """A use as JSON values."""
    return use._asdict()
