"""What is left out of a place because a file cannot be read, and reading that goes on without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeVar

from formats.binary import FormatError
from mapexplorer.errors import RomChangedError, RomError

T = TypeVar("T")
Default = TypeVar("Default")


class LeftOut(Enum):
    """What is left out. The number of a `Damage` is that of the thing in parentheses."""

    EVENTS = auto()
    """The events of a header (header)."""
    TRANSITION = auto()
    """What the scripts of a header do when it is entered (header)."""
    AREA = auto()
    """The texture sets, prop list and lights that an area names (area)."""
    PROP_LIST = auto()
    """The list of the models that an area loads: none is replaced by the dummy box (prop set)."""
    PROP_TEXTURES = auto()
    """The textures of props (prop set)."""
    TERRAIN_TEXTURES = auto()
    """The textures of terrain (terrain set)."""
    LIGHT = auto()
    """The lights of an area: models keep their own colours (light set)."""
    DRAW_LISTS = auto()
    """The draw lists of static props, which are drawn by their SBC."""
    LAND = auto()
    """The tiles, height plates and props of a cell (land)."""
    PLATES = auto()
    """The height plates of a cell (land)."""
    PROPS = auto()
    """The props of a cell (land)."""
    TERRAIN_MODEL = auto()
    """The terrain model of a cell (land)."""
    PROP_MODEL = auto()
    """A prop model (prop)."""
    PROP_ANIMATIONS = auto()
    """All animations of a prop model (prop)."""
    PROP_ANIMATION = auto()
    """The animation in a slot of a prop model's list (prop)."""
    TERRAIN_ANIMATIONS = auto()
    """All animations of terrain textures."""
    TERRAIN_ANIMATION = auto()
    """The animation of a terrain texture (`name`)."""
    TERRAIN_SRT_ANIMATION = auto()
    """The movement of the textures of a cell's terrain (land)."""
    OBJECT_PICTURES = auto()
    """The people and things that are drawn with a file."""
    WEATHER_PICTURES = auto()
    """The sprites and the background of the weather."""
    SKY = auto()
    """What the code of a map shows behind the 3D picture."""
    FEATURE_FILES = auto()
    """What the files of a feature hold (`name`)."""


@dataclass(frozen=True)
class Damage:
    """Something that is left out, and the `error` of its file: `number`, `slot` and `name` say which thing it is."""

    what: LeftOut
    error: str
    number: int | None = None
    slot: int | None = None
    name: str | None = None


def read_or(otherwise: Default, read: Callable[..., T], *arguments: Any) -> T | Default:
    """What `read` returns for some arguments; `otherwise` for a file that cannot be read or is not in the ROM."""
    try:
        return read(*arguments)
    except (FormatError, RomError):
        return otherwise


def attempt(
    read: Callable[[], T],
    otherwise: T,
    damaged: list[Damage] | None,
    what: LeftOut,
    number: int | None = None,
    slot: int | None = None,
    name: str | None = None,
) -> T:
    """What `read` returns; `otherwise` for a file that cannot be read, with an entry in `damaged`. Raises
    RomChangedError."""
    try:
        return read()
    except RomChangedError:
        raise
    except (FormatError, RomError) as error:
        if damaged is not None:
            damaged.append(Damage(what, str(error), number, slot, name))
        return otherwise
