"""Names of numbers: the lists of `generated/`, order files, ids in JSON files; and the headers that a build makes of
them.

list line   NAME, NAME = 7, NAME = 0x10 or NAME = OTHER; `#` begins a comment. An enumeration counts on from each
            value, a mask (as generated/meson.build says) doubles it
order line  the name of a member, whose number is that of the lines before it

generated/L.h                    the list L
FOLDER/B.h, FOLDER/bank/B.h      the messages of FOLDER/B.json, or its objects; their numbers count from 0
FOLDER/A.naix, FOLDER/A.naix.h   the sounds of FOLDER/A.json, or the members of the folder's order file
trainer_scripts.h, hidden_item_scripts.h      an entry of scripts for each trainer, and for each hidden item
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from formats.remembered import remembered
from mapexplorer.caching import shared_property
from mapexplorer.decomp.files import TreeFiles
from mapexplorer.errors import SourceError
from mapexplorer.json_lines import read_json
from mapexplorer.naming import nearest

FOLDER: Final = "generated"
_CONSTANTS: Final = "include/constants"
_LIST: Final = ".txt"
_ITEM: Final = re.compile(r"\s*(?:([A-Za-z_]\w*)\s*(?:=\s*(-?\w+)\s*)?)?(?:#.*)?")
_MASK: Final = re.compile(r"'(\w+)'\s*:\s*\{([^}]*'mask'[^}]*)\}")
_ORDER: Final = re.compile(r"files\('([^']+\.order)'\)")
_VALUE: Final = re.compile(r"^(\w+) = ('[^']*'|files\('[^']*'\))$", re.MULTILINE)
"""A variable of the build's list that is a text or a file."""
_WORD: Final = re.compile(r"\w+")
_NO_LETTER: Final = re.compile(r"\W", re.ASCII)
_INDICES: Final = ("naix", "naix.h")
_SOUND_SECTIONS: Final = ("seqInfo", "seqarcInfo", "bankInfo", "wavarcInfo", "playerInfo", "groupInfo")
_LISTS_WITH_IDS: Final = ("messages", "object_events")
_TRAINER, _HIDDEN_ITEM, _END = "ScriptEntry Battles_Trainer", "ScriptEntry HiddenItems_Item", "ScriptEntryEnd"


class NamedNumber(NamedTuple):
    """A name: its number, the file and the line that define it; for one that stands twice, what is wrong."""

    number: int
    file: str
    line: int
    problem: SourceError | None = None

    @property
    def value(self) -> int:
        """The number. Raises SourceError for a name that stands twice."""
        if self.problem is not None:
            raise self.problem
        return self.number


class Names(Mapping[str, int]):
    """Name -> number; a name that stands twice raises SourceError. `source` says where they are in errors."""

    def __init__(self, source: str, entries: Mapping[str, NamedNumber]) -> None:
        self.source = source
        self.entries = entries

    @classmethod
    def unique(cls, source: str, rows: Iterable[tuple[str, int, int]]) -> Names:
        """The names of a file, each of which may stand there once, with their numbers and lines."""
        entries: dict[str, NamedNumber] = {}
        for name, number, line in rows:
            entry = entries.setdefault(name, NamedNumber(number, source, line))
            if entry.line != line:
                twice = SourceError(source, line, f"{name} is named twice (first in line {entry.line})")
                entries[name] = entry._replace(problem=twice)
        return cls(source, entries)

    def __getitem__(self, name: str) -> int:
        return self.entries[name].value

    def __iter__(self) -> Iterator[str]:
        return (name for name, entry in self.entries.items() if entry.problem is None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def origin(self, name: str) -> tuple[str, int]:
        """The file and the line of a name."""
        return self.entries[name][1:3]

    def unknown(self, name: str) -> str:
        """What is wrong with a name that is not there, with the nearest one."""
        return f"{name} is not in {self.source}{nearest(name, self.entries)}"


def json_of(path: str) -> str:
    """The JSON file that a build makes a header of, if it makes it of one."""
    folder, _, file = path.rpartition("/")
    return f"{folder.removesuffix('/bank')}/{file.partition('.')[0]}.json"


def joined(lists: Iterable[Names]) -> Names:
    """The names of several lists, of which the first ones win."""
    lists = list(lists)
    entries = {name: entry for names in reversed(lists) for name, entry in names.entries.items()}
    return Names(" or ".join(names.source for names in lists), entries)


class Enumerations:
    """The names of a tree, each list read once."""

    def __init__(self, files: TreeFiles, usual: Callable[[str], Mapping[str, int]] = lambda name: {}) -> None:
        """`usual` gives the names of a list that the tree has not, by its name."""
        self.files = files
        self._usual = usual
        self.readers: dict[str, Callable[[str], Names]] = {"order": self.index}
        """Ending of a path -> what reads the names in such a file."""
        self.sources: set[str] = set()
        """The JSON files that names were read from."""

    @remembered
    def of(self, sources: str) -> Names:
        """The names of several sources, which blanks separate and of which the first ones win: lists by name, order
        files and headers by their paths. Raises SourceError."""
        if " " in sources:
            return joined(map(self.of, sources.split()))
        suffix = sources.rpartition(".")[2]
        return self.readers.get(suffix, self.list)(sources)

    @remembered
    def list(self, name: str) -> Names:
        """The names of `generated/NAME.txt`, else of the header of constants with that name, else the usual ones.
        Raises SourceError for a line that is none."""
        file = f"{FOLDER}/{name}{_LIST}"
        if not self.files.has(file):
            headers = [place for place in self.files.below(_CONSTANTS) if place.endswith(f"/{name}.h")]
            if headers and "h" in self.readers:
                return self.readers["h"](headers[0])
            return Names(file, {other: NamedNumber(number, file, 1) for other, number in self._usual(name).items()})
        return Names.unique(file, self._numbered(file, self._masks.get(name)))

    def _numbered(self, file: str, mask: int | None) -> Iterator[tuple[str, int, int]]:
        """The names of a list; `mask` is the first number of one whose numbers are bits."""
        numbers: dict[str, int] = {}
        number = mask or 0
        for line, part in enumerate(self.files.text(file).splitlines(), 1):
            match = _ITEM.fullmatch(part)
            if match is None:
                raise SourceError(file, line, "this is no name, with or without = and a number or a name before it")
            name, value = match.groups()
            if name is None:
                continue
            try:
                number = number if value is None else numbers[value] if value in numbers else int(value, 0)
            except ValueError:
                raise SourceError(file, line, f"{value} is neither a number nor a name before it") from None
            yield name, number, line
            numbers.setdefault(name, number)
            number = number + 1 if mask is None else 2 * number or 1

    def problems(self) -> Iterator[SourceError]:
        """What is wrong with lists: a name that stands twice, a line that is no name."""
        for name in sorted(self.files.names(FOLDER)):
            if name.endswith(_LIST):
                try:
                    entries = self.list(name.removesuffix(_LIST)).entries.values()
                    yield from (entry.problem for entry in entries if entry.problem is not None)
                except SourceError as error:
                    yield error

    def order(self, path: str) -> tuple[tuple[str, int], ...]:
        """The names of the members in an order file, and their lines. Raises SourceError."""
        lines = enumerate(self.files.text(path).splitlines(), 1)
        return tuple((text.strip(), line) for line, text in lines if text.strip())

    @shared_property
    def _masks(self) -> dict[str, int]:
        """List whose numbers are bits -> its first number."""
        text = self.files.text_if_any(f"{FOLDER}/meson.build")
        return {match[1]: 0 if "--no-auto" in match[2] else 1 for match in _MASK.finditer(text)}

    @remembered
    def index(self, path: str) -> Names:
        """The index names of an order file: those of its members with `_` for what is no letter. Raises SourceError."""
        members = reversed([*enumerate(self.order(path))])  # of equal names the first one counts
        return Names(path, {_NO_LETTER.sub("_", name): NamedNumber(n, path, line) for n, (name, line) in members})

    def _rows(self, path: str, key: str, lists: Iterable[str]) -> Iterator[tuple[dict[str, Any], NamedNumber]]:
        """The objects with a key in lists of a JSON file, numbered in each. Raises SourceError."""
        text = self.files.text(path)
        document = read_json(path, text)
        lines = iter([line for line, part in enumerate(text.splitlines(), 1) for _ in range(part.count(f'"{key}":'))])
        for rows in [document.get(name) for name in lists] if isinstance(document, dict) else []:
            for number, row in enumerate(rows if isinstance(rows, list) else ()):
                if isinstance(row, dict) and isinstance(row.get(key), str):
                    yield row, NamedNumber(number, path, next(lines, 1))

    @remembered
    def sounds(self, path: str) -> Names:
        """The names of sequences, banks and the other parts of a sound archive, from its JSON file. Raises
        SourceError."""
        self.sources.add(path)
        entries: dict[str, NamedNumber] = {}
        uses: Counter[str] = Counter()
        for row, entry in self._rows(path, "name", _SOUND_SECTIONS):
            if entry.number == 0:
                uses = Counter()
            if row["name"]:
                entries.setdefault(row["name"], entry)
            if row["name"] and row.get("fileName"):
                name = str(row["fileName"]).replace(".", "_")
                entries.setdefault(f"{name}_{uses[name]}" if uses[name] else name, entry)
                uses[name] += 1
        return Names(path, entries)

    def follow(self, files: TreeFiles) -> bool:
        """Read further on from later files, where the lists in them are those that were read; whether they are."""
        same = files.has_same_lists and self.sources.isdisjoint(files.changed)
        if same:
            self.files = files
        return same

    def header(self, path: str) -> Names:
        """The names in a header that a build makes; none of an unknown one. Raises SourceError."""
        folder, _, file = path.rpartition("/")
        stem, _, ending = file.partition(".")
        place = json_of(path)
        if folder == FOLDER:
            return self.list(stem)
        if not self.files.has(place):
            return self._members_of(folder, f"{stem}.naix") if ending in _INDICES else Names(path, {})
        if ending in _INDICES:
            return self.sounds(place)
        return self.files.made(place, "names", self._ids)

    def _ids(self, path: str) -> Names:
        rows = self._rows(path, "id", _LISTS_WITH_IDS)
        return Names.unique(path, [(row["id"], entry.number, entry.line) for row, entry in rows])

    @remembered
    def order_file(self, folder: str, output: str) -> str:
        """The order file that the step of a build with an output names; empty without one."""
        text = self.files.text_if_any(f"{folder}/meson.build")
        values = dict(_VALUE.findall(text))
        for step in _WORD.sub(lambda word: values.get(word[0], word[0]), text).split("custom_target(")[1:]:
            order = _ORDER.search(step, 0, step.find("\n)"))
            if order is not None and f"'{output}'" in step[: order.start()]:
                return f"{folder}/{order[1]}"
        return ""

    def _members_of(self, folder: str, index: str) -> Names:
        """The index names of the members of an archive, whose index the build makes: those of its order file, else of
        the first one in its folder."""
        others = sorted(f"{folder}/{name}" for name in self.files.names(folder) if name.endswith(".order"))
        order = next(filter(None, [self.order_file(folder, index), *others]), "")
        return self.index(order) if order else Names(folder, {})

    def statements(self, path: str) -> tuple[str, ...]:
        """The statements in a header that a build makes. Raises SourceError."""
        match path.rpartition("/")[2]:
            case "trainer_scripts.h":
                trainers = [_TRAINER for name in self.list("trainers") if not name.startswith("MAX_")]
                return (*trainers, "ScriptEntry Battles_ApproachingTrainer", _END)
            case "hidden_item_scripts.h":
                flags = self.list("vars_flags")
                count = flags["HIDDEN_ITEM_FLAGS_END"] + 1 - flags["HIDDEN_ITEM_FLAGS_START"]
                return (*[_HIDDEN_ITEM] * count, _END)
        return ()
