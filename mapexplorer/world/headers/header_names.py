"""The names of what the fields of map headers mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles


def sequence_name(world: WorldFiles, number: int) -> str:
    """The name of a sequence in the sound archive, as SEQ_TOWN01_D; empty without one."""
    names = read_or((), lambda: world.sequence_names)
    return (names[number] if number < len(names) else None) or ""


def header_field_name(world: WorldFiles, field: str, value: Any) -> str:
    """The name of what a field of a map header means, from the ROM or the tables of its game; empty where none is
    known."""
    known = _NAMES[field](world, value) if field in _NAMES else ""
    return "" if known == str(value) else known


def _music(world: WorldFiles, number: int) -> str:
    title = ", ".join(filter(None, world.game.tables.music.titles.get(number, ())))
    return ": ".join(filter(None, (sequence_name(world, number), title)))


def _camera(world: WorldFiles, number: int) -> str:
    cameras = world.camera_table.value
    return cameras[number].name if number < len(cameras) else ""


_NAMES: Final[Mapping[str, Callable[[WorldFiles, Any], str]]] = {
    "label_text": lambda world, number: dict(enumerate(world.location_names)).get(number, ""),
    "label_window": lambda world, number: world.game.tables.headers.label_windows.get(number, ""),
    "map_type": lambda world, number: world.game.tables.headers.map_types.get(number, ""),
    "battle_background": lambda world, number: world.game.tables.headers.battle_backgrounds.get(number, ""),
    "follower_mode": lambda world, number: world.game.tables.headers.follower_modes.get(number, ""),
    "weather": lambda world, number: world.game.tables.weather_name(number),
    "camera_type": _camera,
    "day_music": _music,
    "night_music": _music,
    "message_bank": lambda world, number: world.game.constant("messages", number, world.rom.code),
    "kanto": lambda _, kanto: "Kanto" if kanto else "Johto",
}
"""Field -> the name of a value, for the fields whose values have names."""
