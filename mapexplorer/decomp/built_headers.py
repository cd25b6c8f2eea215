"""Headers that only a build of the tree makes, as names or lines, from what they are made of.

generated/L.h                    the list L
FOLDER/B.h, FOLDER/bank/B.h      the messages of FOLDER/B.json, or its objects; their numbers count from 0
FOLDER/A.naix                    the sounds of FOLDER/A.json, or the members of the folder's order file
trainer_scripts.h, hidden_item_scripts.h      an entry of scripts for each trainer, and for each hidden item
"""

from __future__ import annotations

import re
from typing import Any, Final

from formats.remembered import remembered
from mapexplorer.decomp.enumerations import Enumerations, NamedNumber, Names
from mapexplorer.errors import SourceError
from mapexplorer.json_lines import read_json

_ID: Final = re.compile(r'"id"\s*:\s*"((?:[^"\\]|\\.)*)"')
_ORDER: Final = re.compile(r"'([^']+\.order)'")
_LISTS_WITH_IDS: Final = ("messages", "object_events")
_COUNT_PREFIXES: Final = ("MAX_",)
_TRAINER, _HIDDEN_ITEM, _END = "ScriptEntry Battles_Trainer", "ScriptEntry HiddenItems_Item", "ScriptEntryEnd"


class BuiltHeaders:
    """The headers of a tree that a build makes."""

    def __init__(self, enumerations: Enumerations) -> None:
        self._enumerations = enumerations
        self._files = enumerations.files

    @remembered
    def names(self, path: str) -> Names | None:
        """The names in a header; None for one that has none or is unknown. Raises SourceError."""
        folder, _, file = path.rpartition("/")
        stem, _, ending = file.rpartition(".")
        if folder == "generated":
            return self._enumerations.list(stem) if self._enumerations.has_list(stem) else None
        if ending == "naix":
            return self._index(folder, stem)
        place = f"{folder.removesuffix('/bank')}/{stem}.json"
        return ids(place, self._files.text(place)) if self._files.has(place) else None

    def _index(self, folder: str, stem: str) -> Names | None:
        if self._files.has(f"{folder}/{stem}.json"):
            return self._enumerations.sounds(f"{folder}/{stem}.json")
        orders = sorted(name for name in self._files.names(folder) if name.endswith(".order"))
        build = f"{folder}/meson.build"
        if len(orders) > 1 and self._files.has(build):
            _, _, step = self._files.text(build).partition(f"'{stem}.")  # that makes the archive
            orders = [name for name in _ORDER.findall(step) if name in orders] or orders
        return self._enumerations.index(f"{folder}/{orders[0]}") if orders else None

    def lines(self, path: str) -> list[str]:
        """The statements in a header. Raises SourceError."""
        match path.rpartition("/")[2]:
            case "trainer_scripts.h":
                names = self._enumerations.list("trainers")
                trainers = [_TRAINER for name in names if not name.startswith(_COUNT_PREFIXES)]
                return [*trainers, "ScriptEntry Battles_ApproachingTrainer", _END]
            case "hidden_item_scripts.h":
                flags = self._enumerations.list("vars_flags")
                count = flags["HIDDEN_ITEM_FLAGS_END"] + 1 - flags["HIDDEN_ITEM_FLAGS_START"]
                return [*[_HIDDEN_ITEM] * count, _END]
        return []


def ids(path: str, text: str) -> Names:
    """The names of the messages or objects in a JSON text. Raises SourceError."""
    document: Any = read_json(path, text)
    rows: list[dict[str, Any]] = next((document[key] for key in _LISTS_WITH_IDS if key in document), [])
    lines: dict[str, int] = {}
    line = at = 0
    for match in _ID.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        lines.setdefault(match[1], line + 1)
    entries: dict[str, NamedNumber] = {}
    problems: dict[str, SourceError] = {}
    for number, row in enumerate(rows):
        name = row.get("id")
        if name is None:
            continue
        if name in entries:
            problems[name] = SourceError(path, lines.get(name), f"{name} is named twice")
        entries.setdefault(name, NamedNumber(number, path, lines.get(name, 1)))
    return Names(path, entries, problems)
