"""Names of numbers: the lists of `generated/`, order files, sounds.

list line   NAME, NAME = 7, NAME = 0x10 or NAME = OTHER; `#` begins a comment. An enumeration counts on from each
            value, a mask (as generated/meson.build says) doubles it
order line  the name of a member, whose number is that of the lines before it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple

from formats.remembered import remembered
from mapexplorer.caching import shared_property
from mapexplorer.decomp.files import TreeFiles
from mapexplorer.errors import SourceError
from mapexplorer.json_lines import read_json

FOLDER: Final = "generated"
_LIST: Final = ".txt"
_ITEM: Final = re.compile(r"\s*(?:([A-Za-z_]\w*)\s*(?:=\s*(-?\w+)\s*)?)?(?:#.*)?")
_MASK: Final = re.compile(r"'(\w+)'\s*:\s*\{([^}]*'mask'[^}]*)\}")
_NO_LETTER: Final = re.compile(r"\W", re.ASCII)
_SOUND_SECTIONS: Final = ("seqInfo", "seqarcInfo", "bankInfo", "wavarcInfo", "playerInfo", "groupInfo")


class NamedNumber(NamedTuple):
    """A name: its number, the file and the line that define it."""

    number: int
    file: str
    line: int


class Names(Mapping[str, int]):
    """Name -> number. `source` says where they are in errors; `problems` are names that stand twice, which are in no
    list afterwards: what uses one has its problem."""

    def __init__(self, source: str, entries: Mapping[str, NamedNumber], problems: Mapping[str, SourceError]) -> None:
        self.source = source
        self.entries = entries
        self.problems = problems

    def __getitem__(self, name: str) -> int:
        if name in self.problems:
            raise self.problems[name]
        return self.entries[name].number

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.entries if name not in self.problems)

    def __len__(self) -> int:
        return len(self.entries) - len(self.problems)

    def origin(self, name: str) -> tuple[str, int]:
        """The file and the line of a name."""
        entry = self.entries[name]
        return entry.file, entry.line

    def unknown(self, name: str) -> str:
        """What is wrong with a name that is not there, with the nearest one."""
        nearest = get_close_matches(name, self.entries, 1)
        return f"{name} is not in {self.source}" + (f"; {nearest[0]} is" if nearest else "")

    @shared_property
    def by_number(self) -> dict[int, str]:
        """Number -> its last name."""
        return {entry.number: name for name, entry in self.entries.items()}


def joined(lists: Iterable[Names]) -> Names:
    """The names of several lists, of which the first ones win."""
    lists = list(lists)
    entries = {name: entry for names in reversed(lists) for name, entry in names.entries.items()}
    problems = {name: problem for names in reversed(lists) for name, problem in names.problems.items()}
    return Names(" or ".join(names.source for names in lists), entries, problems)


class Enumerations:
    """The names of a tree, each list read once."""

    def __init__(self, files: TreeFiles) -> None:
        self.files = files
        self.readers: dict[str, Callable[[str], Names]] = {"order": self.index, "json": self.sounds}
        """Ending of a path -> what reads the names in such a file."""
        self.sources: set[str] = set()
        """The JSON files that names were read from."""

    @remembered
    def of(self, sources: str) -> Names:
        """The names of several sources, which blanks separate and of which the first ones win: lists by name, order
        files, JSON files of sounds and headers by their paths. Raises SourceError."""
        if " " in sources:
            return joined(map(self.of, sources.split()))
        suffix = sources.rpartition(".")[2]
        return self.readers.get(suffix, self.list)(sources)

    @remembered
    def list(self, name: str) -> Names:
        """The names of `generated/NAME.txt`, none without such a list. Raises SourceError for a line that is none."""
        file = f"{FOLDER}/{name}{_LIST}"
        if not self.files.has(file):
            return Names(file, {}, {})
        return _enumerated(file, self.files.text(file), self._masks.get(name))

    def has_list(self, name: str) -> bool:
        """Whether the tree has such a list."""
        return self.files.has(f"{FOLDER}/{name}{_LIST}")

    def problems(self) -> Iterator[SourceError]:
        """What is wrong with lists: a name that stands twice, a line that is no name."""
        for name in sorted(self.files.names(FOLDER)):
            if name.endswith(_LIST):
                try:
                    yield from self.list(name.removesuffix(_LIST)).problems.values()
                except SourceError as error:
                    yield error

    def order(self, path: str) -> tuple[tuple[str, int], ...]:
        """The names of the members in an order file, and their lines. Raises SourceError."""
        lines = enumerate(self.files.text(path).splitlines(), 1)
        return tuple((text.strip(), line) for line, text in lines if text.strip())

    @shared_property
    def _masks(self) -> dict[str, int]:
        """List whose numbers are bits -> its first number."""
        path = f"{FOLDER}/meson.build"
        text = self.files.text(path) if self.files.has(path) else ""
        return {match[1]: 0 if "--no-auto" in match[2] else 1 for match in _MASK.finditer(text)}

    @remembered
    def index(self, path: str) -> Names:
        """The index names of an order file: those of its members with `_` for what is no letter. Raises SourceError."""
        names: dict[str, NamedNumber] = {}
        for number, (name, line) in enumerate(self.order(path)):
            names.setdefault(_NO_LETTER.sub("_", name), NamedNumber(number, path, line))
        return Names(path, names, {})

    @remembered
    def sounds(self, path: str) -> Names:
        """The names of sequences, banks and the other parts of a sound archive, from its JSON file. Raises
        SourceError."""
        self.sources.add(path)
        text = self.files.text(path)
        document = read_json(path, text)
        lines = _name_lines(text)
        entries: dict[str, NamedNumber] = {}
        for section in _SOUND_SECTIONS:
            uses: dict[str, int] = {}
            for number, row in enumerate(document.get(section, ())):
                line = next(lines, 0)
                if not row.get("name"):
                    continue
                entries.setdefault(row["name"], NamedNumber(number, path, line))
                file = row.get("fileName")
                if file:
                    uses[file] = uses.get(file, -1) + 1
                    name = file.replace(".", "_") + (f"_{uses[file]}" if uses[file] else "")
                    entries.setdefault(name, NamedNumber(number, path, line))
        return Names(path, entries, {})


def _name_lines(text: str) -> Iterator[int]:
    """The lines with the key `name` of a JSON text."""
    return (line for line, part in enumerate(text.splitlines(), 1) if '"name":' in part)


def _enumerated(file: str, text: str, mask: int | None) -> Names:
    """The names of a list; `mask` is the first number of one whose numbers are bits."""
    entries: dict[str, NamedNumber] = {}
    problems: dict[str, SourceError] = {}
    following: Callable[[int], int] = (lambda number: number + 1) if mask is None else (lambda number: 2 * number or 1)
    number = mask or 0
    for line, part in enumerate(text.splitlines(), 1):
        match = _ITEM.fullmatch(part)
        if match is None:
            raise SourceError(file, line, "this is no name, with or without = and a number or a name before it")
        name, value = match.groups()
        if name is None:
            continue
        if value is not None:
            number = _value(file, line, value, entries)
        if name in entries:
            problems[name] = SourceError(file, line, f"{name} is named twice (first in line {entries[name].line})")
        entries.setdefault(name, NamedNumber(number, file, line))
        number = following(number)
    return Names(file, entries, problems)


def _value(file: str, line: int, value: str, entries: Mapping[str, NamedNumber]) -> int:
    if value in entries:
        return entries[value].number
    try:
        return int(value, 0)
    except ValueError:
        raise SourceError(file, line, f"{value} is neither a number nor a name before it") from None
