"""Detects Super Mario 64 DS models, which also have the extension .bmd and are not supported."""

from __future__ import annotations

from formats.binary import Reader

HEADER_SIZE = 0x3C

_TABLES = ((0x04, 0x40), (0x0C, 8), (0x14, 0x14), (0x1C, 0x10), (0x24, 0x30))
"""(offset of the count in the header, bytes per record) of bones, display lists, textures, palettes and materials; the
offset of the table follows its count."""


def is_model(reader: Reader) -> bool:
    """Whether the bytes are such a model. It has no magic number, but a header of five tables that are inside the file
    after it, with at least one bone and one display list."""
    if len(reader) < HEADER_SIZE or reader.u32(0) > 31 or not reader.u32(0x04) or not reader.u32(0x0C):
        return False
    for at, size in _TABLES:
        count, offset = reader.u32(at), reader.u32(at + 4)
        if count and (offset < HEADER_SIZE or offset % 4 or offset + count * size > len(reader)):
            return False
    return HEADER_SIZE <= reader.u32(0x2C) < len(reader)


def refuse(reader: Reader) -> None:
    """Raise FormatError when the bytes are such a model."""
    reader.check(
        not is_model(reader),
        0,
        "a J3D (J3D2bmd3) or NITRO (BMD0) model",
        "a Super Mario 64 DS model, which is not supported",
    )
