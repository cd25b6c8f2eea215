"""Pictures of whole large matrices, kept in the cache folder by the contents of the ROM and what the picture shows."""

from __future__ import annotations

from typing import Final

from PyQt5.QtGui import QImage

from mapexplorer._version import __version__
from mapexplorer.games import identify
from mapexplorer.gui.rendering.images import png_of
from mapexplorer.gui.rendering.tile_renderer import LEVELS, MapMoment
from mapexplorer.rom import Rom
from mapexplorer.rom.digest import digest_of, rom_digest
from mapexplorer.system import kept_data

SMALLEST = 64
"""Cells of the smallest matrix whose pictures are kept: smaller ones are drawn fast."""

_KIND: Final = "region"
_VERSION: Final = 1
"""Incremented when the same matrix looks different."""


def pictures_key(rom: Rom) -> str:
    """The hash of everything that a picture is made of beside what it shows."""
    return rom_digest(rom, identify(rom).name, f"{_VERSION} {__version__} {LEVELS[0]}")


def load(rom: str, moment: MapMoment) -> QImage | None:
    """The picture of a matrix at the largest scale of its overviews; None when it is not kept. `rom`: see
    `pictures_key`."""
    data = kept_data.load(_KIND, _key(rom, moment))
    image = QImage.fromData(data) if data is not None else QImage()
    return None if image.isNull() else image.convertToFormat(QImage.Format_ARGB32_Premultiplied)


def store(rom: str, moment: MapMoment, image: QImage) -> None:
    """Keep a picture."""
    kept_data.store(_KIND, _key(rom, moment), png_of(image))


def _key(rom: str, moment: MapMoment) -> str:
    return digest_of((rom.encode(), repr(moment).encode()))
