"""The index of all names of a ROM: what has a name, and where it is used; searched by words.

`name_sources` says what it holds, `kept_names` keeps it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mapexplorer.naming import comparable_name

KINDS: Final = (
    "map", "species", "item", "trainer", "move", "flag", "variable", "script", "music", "file", "text",
)  # fmt: skip
"""The kinds of named things, in the order of groups that match equally well."""

_ADDRESS: Final = re.compile(r"([a-z]+):(\d+(?:/\d+)?)", re.ASCII)


class Use(NamedTuple):
    """A use of a thing: how (`grass`, `floor`, `set by` ...), the address of the user (`T01`, `T01@116,885`, `T01#7`,
    `file:3#1`, `trainer:5`; empty: a general one), the location name of its map."""

    how: str
    at: str
    location: str = ""


@dataclass(frozen=True)
class Entry:
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
    """The named things of a ROM. A line of `_searched` has the words of an entry, the same line of `_records` the entry
    as JSON."""

    def __init__(self, searched: Sequence[str], records: Sequence[str]) -> None:
        self._searched = searched
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> NameIndex:
        """The index of some entries."""
        searched, records = [], []
        for entry in entries:
            searched.append(" ".join(comparable_name(f"{entry.name} {entry.about}").split()))
            values = (entry.kind, entry.number, entry.name, entry.about, entry.uses)
            records.append(json.dumps(values, ensure_ascii=False, separators=(",", ":")))
        return cls(searched, records)

    def to_bytes(self) -> bytes:
        """The index as `from_bytes` reads it."""
        return "\n".join([str(len(self)), *self._searched, *self._records]).encode("utf-8", "surrogatepass")

    @classmethod
    def from_bytes(cls, data: bytes) -> NameIndex:
        """A kept index. Raises ValueError for other data."""
        first, *lines = data.decode("utf-8", "surrogatepass").split("\n")
        count = int(first)
        if len(lines) != 2 * count:
            raise ValueError("the number of lines is wrong")
        return cls(lines[:count], lines[count:])

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
        lines = [at for at, line in enumerate(self._searched) if all(word in line for word in wanted)]
        entries = [entry for at in lines if (entry := self._entry(at)).kind == kind or kind is None]
        return sorted(entries, key=lambda entry: (*_rank(entry, wanted), KINDS.index(entry.kind), entry.number))

    def get(self, kind: str, *number: int) -> Entry | None:
        """The thing with a number; None where it has neither a name nor a use."""
        start = f'["{kind}",[{",".join(map(str, number))}],'
        return next((self._entry(at) for at, line in enumerate(self._records) if line.startswith(start)), None)

    def _entry(self, at: int) -> Entry:
        kind, number, name, about, uses = json.loads(self._records[at])
        return Entry(kind, tuple(number), name, about, tuple(Use(*use) for use in uses))


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
        "uses": [use._asdict() for use in entry.uses],
    }
