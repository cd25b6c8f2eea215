"""The names of what scripts name by number: flags, texts, items, species ..."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Final

from mapexplorer.gameplay.flags import flag_name
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.names import unpacked
from mapexplorer.games.name_bank import NAMES_OF
from mapexplorer.world.direction import Direction
from mapexplorer.world.headers.header_names import sequence_name
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles

_MARTS: Final = {f"mart {kind}": kind for kind in ("common", "specialties", "decor", "seals", "exchange", "frontier")}
"""Meaning of the number of a shop -> the kind of the shop."""

_PLACEHOLDER: Final = re.compile(r"\{command 01[0-9A-F]{2} (\d+)[ \d]*\}")


class ScriptNames:
    """The names for the scripts of a file whose texts are in message bank `bank` (None: not known), on a map whose
    objects have names by local id. What has no name, or is in a damaged file, has an empty name."""

    def __init__(self, world: WorldFiles, bank: int | None, objects: Mapping[int, str] = MappingProxyType({})) -> None:
        self._world, self._objects = world, objects
        self._commands = world.game.tables.script_commands
        self._save_names = world.game.tables.save_names
        self._texts = read_or(None, world.messages, bank) if bank is not None else None

    @property
    def has_texts(self) -> bool:
        """Whether there is a bank with the texts of the scripts."""
        return self._texts is not None

    def name(self, meaning: str, number: int) -> str:
        """The name of a number with a meaning of `games.script_tables.Argument`."""
        if shown := self._world.shown_constant(meaning, number):
            return shown
        match meaning:
            case "flag":
                return flag_name(self._save_names, number)
            case "variable":
                return self._save_names.variables.get(number, "")
            case "script":
                return self._world.game.tables.script_numbers.names.get(number, "")
            case "object":
                return self._commands.objects.get(number) or self._objects.get(number, "")
            case "header":
                headers = self._world.headers
                return headers[number].title if number < len(headers) else ""
            case "direction":
                return Direction(number).word if number < len(Direction) else ""
            case "condition":
                return _of(self._commands.conditions, number)
            case "badge":
                return _of(self._commands.badges, number)
            case "roamer":
                roamers = self._world.game.tables.encounters.roamers
                return self.name("species", roamers[number].species) if number < len(roamers) else ""
            case "sound":
                return sequence_name(self._world, number)
            case "movement action":
                return _of(self._commands.movement_actions, number)
        if meaning in _MARTS:
            kind = _MARTS[meaning]
            goods = self._items.sold(kind, 0 if kind == "common" else number)
            of = {"decor": "ug goods", "seals": "seal"}.get(kind, "item")
            return ", ".join(self.name(of, number) or f"{of} {number}" for number in goods)
        bank = NAMES_OF.get(meaning)
        names = None if bank is None else read_or(None, self._world.names, bank)
        return "" if names is None else unpacked(_of(names.messages, number))

    @cached_property
    def _items(self) -> Items:
        return Items(self._world)

    def text(self, number: int, slots: Mapping[int, str]) -> str | None:
        """A text of the bank, None where there is none; a placeholder is what its slot has, `{slot 0}` for a slot
        that nothing is known about."""
        if self._texts is None or not 0 <= number < len(self._texts):
            return None
        return readable(self._texts[number], slots)


def readable(text: str, slots: Mapping[int, str] = MappingProxyType({})) -> str:
    """A text with what the slots have in place of their placeholders, `{slot 0}` for that of another slot."""
    return _PLACEHOLDER.sub(lambda match: slots.get(int(match[1]), f"{{slot {match[1]}}}"), text)


def _of(names: tuple[str, ...], number: int) -> str:
    return names[number] if 0 <= number < len(names) else ""
