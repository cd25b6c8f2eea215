"""The names of a tree in the place of those of `data/`: constants of things, of map headers, of flags and variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mapexplorer.decomp.enumerations import Enumerations, Names
from mapexplorer.games.constants import Constants

HEADERS: Final = "map_headers"

_KINDS: Final = {
    "flag": ("vars_flags", "FLAG_"),
    "variable": ("vars_flags", "VAR_"),
    "trainer": ("trainers", "TRAINER_"),
    "messages": ("text_banks", "TEXT_BANK_"),
    "species": ("species", "SPECIES_"),
    "object graphics": ("object_events_gfx", "OBJ_EVENT_GFX_"),
    "move": ("moves", "MOVE_"),
    "item": ("items", "ITEM_"),
    "land": ("maps", "MAP_"),
    "ability": ("abilities", "ABILITY_"),
    "trainer class": ("trainer_classes", "TRAINER_CLASS_"),
    "movement type": ("movement_types", "MOVEMENT_TYPE_"),
    "movement action": ("movement_actions", "MOVEMENT_ACTION_"),
    "ug goods": ("goods", "UG_GOOD_"),
    "accessory": ("accessories", "ACCESSORY_"),
}
"""Kind of constants -> the list of the tree, and the prefix of its usual names."""
_RANGES: Final = {
    "map flags": ("MAP_LOCAL_FLAGS_START", "MAP_LOCAL_FLAGS_END"),
    "map variables": ("MAP_LOCAL_VARS_START", "MAP_LOCAL_VARS_END"),
    "hidden items": ("HIDDEN_ITEM_FLAGS_START", "HIDDEN_ITEM_FLAGS_END"),
    "trainers": ("TRAINER_DEFEATED_FLAGS_START", "TRAINER_DEFEATED_FLAGS_END"),
}
"""Range of flags or variables -> the names of its ends."""


def laid_over(names: Enumerations, table: str, base: Mapping[str, Any]) -> Mapping[str, Any]:
    """A table of `data/` with the names of a tree in the place of those in `base`."""
    if table == "constants":
        return {**base, **_constants(names, base)}
    if table == "headers":
        headers = _usual(names.of(HEADERS), "MAP_HEADER_")
        count = names.of(HEADERS).get("MAP_HEADER_COUNT", len(headers))
        return {**base, "symbolic names": [headers.get(number, "") for number in range(count)]}
    return {**base, **_flags(names)} if table == "flags" else base


def name_lists(names: Enumerations) -> Iterator[Names]:
    """The lists of the tree with names of things."""
    sources = dict.fromkeys([HEADERS, *(name for name, _ in _KINDS.values())])
    return (listed for listed in map(names.of, sources) if names.files.has(listed.source))


def usual_names(constants: Constants, name: str) -> dict[str, int]:
    """The names that a list of the tree would have, of the constants of a game."""
    kinds = [kind for kind, (source, _) in _KINDS.items() if source == name]
    return {constant: number for kind in kinds for number, constant in constants.of_kind(kind).items()}


def _usual(names: Names, prefix: str) -> dict[int, str]:
    """Number -> its last name with a prefix, without that."""
    return {entry.number: name.removeprefix(prefix) for name, entry in names.entries.items() if name.startswith(prefix)}


def _constants(names: Enumerations, base: Mapping[str, Any]) -> dict[str, Any]:
    kinds, others = dict(base["kinds"]), dict(base["other names"])
    for kind, (source, prefix) in _KINDS.items():
        if names.of(source):
            usual = _usual(names.of(source), prefix)
            kinds[kind] = [[prefix, number, [usual[number]]] for number in sorted(usual)]
            others |= {
                name: [kind, entry.number]
                for name, entry in names.of(source).entries.items()
                if usual.get(entry.number) != name.removeprefix(prefix)
            }
    return {"kinds": kinds, "other names": others}


def _flags(names: Enumerations) -> dict[str, Any]:
    known = names.of("vars_flags")
    numbers = dict(known)
    if not numbers:
        return {}
    ranges = {
        key: [numbers[name] for name in ends] for key, ends in _RANGES.items() if all(name in numbers for name in ends)
    }
    named = {
        key: {str(number): name.lower() for number, name in _usual(known, prefix).items()}
        for key, prefix in (("flags", "FLAG_"), ("variables", "VAR_"))
    }
    return ranges | named
