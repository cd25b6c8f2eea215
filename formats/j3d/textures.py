"""TEX1: the textures (BTI headers) and the texels and palettes they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, frozen, require
from formats.j3d.big_endian import BigEndianReader
from formats.j3d.sections import name_of, read_names
from formats.j3d.texels import (
    PALETTE_RGB5A3,
    PALETTED,
    TILES,
    decode_level,
    decode_palette,
    level_dimensions,
    level_size,
)

HEADER_SIZE = 0x20


@dataclass(frozen=True, eq=False)
class J3dTexture:
    """A texture and how it is sampled."""

    name: str
    """The name in the file, else one by its number."""
    format: int
    """0 I4, 1 I8, 2 IA4, 3 IA8, 4 RGB565, 5 RGB5A3, 6 RGBA32, 8 C4, 9 C8, 10 C14X2, 14 CMPR."""
    alpha_hint: int
    """What the exporter says about the alpha of the texels."""
    width: int
    """Texels of level 0."""
    height: int
    """Texels of level 0."""
    wrap_s: int
    """0 clamp, 1 repeat, 2 mirror."""
    wrap_t: int
    """As `wrap_s`."""
    palette_format: int
    """0 IA8, 1 RGB565, 2 RGB5A3."""
    palette: npt.NDArray[np.uint16]
    """Words of `palette_format`, empty where the texture's format needs none."""
    mipmap: int
    """The stored flag that there are mipmaps."""
    edge_lod: int
    """1: the level of detail is computed from adjacent pixels, 0: from diagonal ones."""
    bias_clamp: int
    """1: `lod_bias` is limited where the surface is seen from the front."""
    max_anisotropy: int
    """The largest number of samples: 0 one, 1 two, 2 four."""
    min_filter: int
    """0 nearest, 1 linear, 2 nearest-mip-nearest, 3 linear-mip-nearest, 4 nearest-mip-linear, 5 linear-mip-linear."""
    mag_filter: int
    """0 nearest, 1 linear."""
    min_lod: int
    """The lowest level of detail in eighths."""
    max_lod: int
    """The highest level of detail in eighths."""
    levels: int
    """The number of mipmap levels, at least 1."""
    lod_bias: int
    """What is added to the level of detail, in hundredths."""
    image: bytes
    """The texels of all levels in stored order, concatenated."""

    def rgba(self, level: int = 0) -> npt.NDArray[np.uint8]:
        """uint8 (height, width, 4) RGBA of a level, rows from the top. Raises ValueError for a level that does not
        exist."""
        require(0 <= level < self.levels, f"texture {self.name!r} has {self.levels} levels, not level {level}")
        start = sum(level_size(self.format, *level_dimensions(self.width, self.height, i)) for i in range(level))
        palette = decode_palette(self.palette_format, self.palette) if self.format in PALETTED else None
        width, height = level_dimensions(self.width, self.height, level)
        return decode_level(self.format, width, height, memoryview(self.image)[start:], palette)


class _Shared:
    """Texels and palettes, each read once for all headers that share it; their total size is limited to that of the
    section."""

    def __init__(self, section: BigEndianReader) -> None:
        self.section = section
        self.left = 4 * len(section)
        self.images: dict[tuple[int, int], bytes] = {}
        self.palettes: dict[tuple[int, int], npt.NDArray[np.uint16]] = {}

    def image(self, at: int, offset: int, size: int) -> bytes:
        if (offset, size) not in self.images:
            self._count_bytes(at, size)
            self.images[offset, size] = self.section.bytes(offset, size, "texels")
        return self.images[offset, size]

    def palette(self, at: int, offset: int, count: int) -> npt.NDArray[np.uint16]:
        if (offset, count) not in self.palettes:
            self._count_bytes(at, 2 * count)
            self.palettes[offset, count] = self.section.array(offset, "u2", count, "palette")
        return self.palettes[offset, count]

    def _count_bytes(self, at: int, size: int) -> None:
        self.left -= size
        self.section.check(self.left >= 0, at, "textures that overlap less", f"{size} bytes more")


def read_textures(section: BigEndianReader, notes: Notes | None = None) -> tuple[J3dTexture, ...]:
    """TEX1 of its section.

    Raises FormatError for unknown formats, empty sizes, palette formats without a palette and texels or palettes
    outside the section.
    """
    count, table = section.u16(8), section.u32(0x0C)
    names = read_names(section, section.u32(0x10), notes) if section.u32(0x10) else ()
    section.need(table, HEADER_SIZE * count, "texture headers")
    shared = _Shared(section)
    return tuple(
        _read_texture(section, table + HEADER_SIZE * i, name_of(names, i, "texture"), shared, notes)
        for i in range(count)
    )


def _read_texture(section: BigEndianReader, at: int, name: str, shared: _Shared, notes: Notes | None) -> J3dTexture:
    kind, width, height = section.u8(at), section.u16(at + 2), section.u16(at + 4)
    section.check(kind in TILES, at, "a texture format of 0 to 6, 8 to 10 or 14", kind)
    section.check(width and height, at + 2, "a texture of one or more texels", f"{width}x{height}")
    section.check(
        section.u8(at + 6) <= 2 and section.u8(at + 7) <= 2,
        at + 6,
        "wrap modes of 0 to 2",
        f"{section.u8(at + 6)} and {section.u8(at + 7)}",
    )
    palette_format, palette_count = section.u8(at + 9), section.u16(at + 0x0A)
    palette: npt.NDArray[np.uint16] = frozen([], np.uint16)
    if kind in PALETTED:
        section.check(
            palette_count and palette_format <= PALETTE_RGB5A3,
            at + 8,
            "a palette of format 0 to 2",
            f"{palette_count} entries of format {palette_format}",
        )
        palette = shared.palette(at, at + section.u32(at + 0x0C), palette_count)
    levels = max(1, section.u8(at + 0x18))
    size = sum(level_size(kind, *level_dimensions(width, height, level)) for level in range(levels))
    image_offset = section.u32(at + 0x1C) or HEADER_SIZE
    section.tolerate(
        width <= 1024 and height <= 1024,
        notes,
        at + 2,
        f"texture {name!r} has {width}x{height} texels; the hardware allows 1024",
    )
    return J3dTexture(
        name=name,
        format=kind,
        alpha_hint=section.u8(at + 1),
        width=width,
        height=height,
        wrap_s=section.u8(at + 6),
        wrap_t=section.u8(at + 7),
        palette_format=palette_format,
        palette=palette,
        mipmap=section.u8(at + 0x10),
        edge_lod=section.u8(at + 0x11),
        bias_clamp=section.u8(at + 0x12),
        max_anisotropy=section.u8(at + 0x13),
        min_filter=section.u8(at + 0x14),
        mag_filter=section.u8(at + 0x15),
        min_lod=int(section.array(at + 0x16, "i1", 1)[0]),
        max_lod=int(section.array(at + 0x17, "i1", 1)[0]),
        levels=levels,
        lod_bias=section.s16(at + 0x1A),
        image=shared.image(at, at + image_offset, size),
    )
