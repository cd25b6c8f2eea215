"""VTX1: the vertex arrays that the shapes' vertices index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, frozen
from formats.j3d.big_endian import BigEndianReader

POSITION_MATRIX = 0
POSITION, NORMAL, COLOR0, COLOR1, TEXCOORD0, NBT, NULL = 9, 10, 11, 12, 13, 25, 0xFF
ARRAY_ORDER = (POSITION, NORMAL, NBT, COLOR0, COLOR1, *range(TEXCOORD0, TEXCOORD0 + 8))
"""The attributes in the order of VTX1's thirteen data offsets."""

_NUMBER_TYPES = ("u1", "i1", "u2", "i2", "f4")
_RGB565, _RGB8, _RGBX8, _RGBA4, _RGBA6, _RGBA8 = range(6)


@dataclass(frozen=True, eq=False)
class VertexArray:
    """One vertex array.

    attribute: 9 position, 10 normal, 11 and 12 colours, 13-20 texture coordinates, 25 normal + binormal + tangent.
    component_count, component_type, shift: how the file stores it (GX codes; shift = fraction bits).
    values: float32 (n, 3) positions and normals in model units, (n, 9) NBT, (n, 2) texture coordinates with the origin
    at the image's top left; uint8 (n, 4) RGBA colours. n is 1 + the highest index that a shape uses.
    """

    attribute: int
    component_count: int
    component_type: int
    shift: int
    values: npt.NDArray[Any]


def read_vertices(section: BigEndianReader, notes: Notes | None = None) -> tuple[VertexArray, ...]:
    """The arrays of VTX1, each up to the next array or the end of the section (`trim` removes what no shape uses).

    Raises FormatError for unknown types, a format list without an end and offsets outside the section.
    """
    formats = _read_formats(section)
    offsets = {attribute: section.u32(0x0C + 4 * i) for i, attribute in enumerate(ARRAY_ORDER)}
    limits = sorted({offset for offset in offsets.values() if offset} | {len(section)})
    arrays = []
    for attribute, offset in offsets.items():
        if not offset:
            continue
        if offset > len(section):
            section.fail(0x0C + 4 * ARRAY_ORDER.index(attribute), "a vertex array inside the section", f"0x{offset:X}")
        if attribute not in formats:
            section.note(notes, offset, f"the array of attribute {attribute} has no format and is left out")
            continue
        end = next((limit for limit in limits if limit > offset), len(section))
        count, kind, shift, at = formats[attribute]
        data = section.view(offset, end - offset, f"attribute {attribute}")
        if attribute in (COLOR0, COLOR1):
            section.check(kind <= _RGBA8, at + 8, "a colour type of 0 to 5", kind)
            values: npt.NDArray[Any] = _colors(data, kind)
        else:
            section.check(kind < len(_NUMBER_TYPES), at + 8, "a component type of 0 to 4", kind)
            section.tolerate(kind >= 2, notes, at + 8, f"attribute {attribute} has 8-bit components; read as packed")
            values = _numbers(data, attribute, count, kind, shift)
        arrays.append(VertexArray(attribute, count, kind, shift, values))
    return tuple(arrays)


def _read_formats(section: BigEndianReader) -> dict[int, tuple[int, int, int, int]]:
    offset = section.u32(8)
    formats: dict[int, tuple[int, int, int, int]] = {}
    while (attribute := section.u32(offset)) != NULL:
        section.check(attribute in ARRAY_ORDER, offset, "a vertex attribute of 9 to 20 or 25", attribute)
        section.check(attribute not in formats, offset, "each attribute once", f"attribute {attribute} again")
        formats[attribute] = (section.u32(offset + 4), section.u32(offset + 8), section.u8(offset + 12), offset)
        offset += 16
    return formats


def _numbers(data: BigEndianReader, attribute: int, count: int, kind: int, shift: int) -> npt.NDArray[np.float32]:
    """Fixed-point or float components. The library's strides are fixed: three (two) components of 16 or 32 bits."""
    dtype = np.dtype(_NUMBER_TYPES[kind])
    wide = {NBT: 9, POSITION: 3, NORMAL: 9 if count else 3}.get(attribute, 2)
    packed = {POSITION: 2 + min(count, 1), NORMAL: wide, NBT: 9}.get(attribute, 1 + min(count, 1))
    stored = wide if kind >= 2 else packed
    rows = len(data) // (stored * dtype.itemsize)
    raw = data.array(0, dtype, rows * stored).reshape(rows, stored)
    values = np.zeros((rows, wide), np.float32)
    values[:, :stored] = raw
    if attribute == POSITION and count == 0:
        values[:, 2] = 0
    if attribute >= TEXCOORD0 and attribute != NBT and count == 0:
        values[:, 1] = 0
    if dtype.kind != "f":
        # The hardware ignores the shift of integer normals: 6 fraction bits for bytes, 14 for halves.
        bits = (6 if dtype.itemsize == 1 else 14) if attribute in (NORMAL, NBT) else shift & 31
        values /= np.float32(1 << bits)
    return frozen(values)


def _colors(data: BigEndianReader, kind: int) -> npt.NDArray[np.uint8]:
    """Colours as uint8 (n, 4) RGBA. The library's stride is 4 bytes for every type."""
    rows = len(data) // 4
    raw = data.array(0, "u1", rows * 4).reshape(rows, 4)
    result = np.full((rows, 4), 255, np.uint8)
    if kind in (_RGB8, _RGBX8):
        result[:, :3] = raw[:, :3]
    elif kind == _RGBA8:
        result[:] = raw
    elif kind == _RGB565:
        word = raw[:, 0].astype(np.uint32) << 8 | raw[:, 1]
        red, green, blue = word >> 11, word >> 5 & 63, word & 31
        result[:, 0] = red << 3 | red >> 2
        result[:, 1] = green << 2 | green >> 4
        result[:, 2] = blue << 3 | blue >> 2
    elif kind == _RGBA4:
        result[:, 0], result[:, 1] = (raw[:, 0] >> 4) * 17, (raw[:, 0] & 15) * 17
        result[:, 2], result[:, 3] = (raw[:, 1] >> 4) * 17, (raw[:, 1] & 15) * 17
    else:
        word = raw[:, 0].astype(np.uint32) << 16 | raw[:, 1].astype(np.uint32) << 8 | raw[:, 2]
        for i in range(4):
            six = word >> (18 - 6 * i) & 63
            result[:, i] = six << 2 | six >> 4
    return frozen(result)


def trim(
    section: BigEndianReader, arrays: tuple[VertexArray, ...], highest: Mapping[int, int]
) -> tuple[VertexArray, ...]:
    """The arrays, cut after the highest index used; `highest` is attribute -> that index.

    Raises FormatError where a shape uses an attribute without an array or an index past its end, and for positions,
    normals or texture coordinates in use that are not finite.
    """
    present = {array.attribute: array for array in arrays}
    for attribute, index in highest.items():
        section.check(attribute in present, 8, f"an array of attribute {attribute}, which a shape uses", "none")
        if index >= len(present[attribute].values):
            section.fail(
                section.u32(0x0C + 4 * ARRAY_ORDER.index(attribute)),
                f"{index + 1} elements of attribute {attribute}, as many as the shapes use",
                f"{len(present[attribute].values)}",
            )
    result = []
    for array in arrays:
        values = frozen(array.values[: highest.get(array.attribute, -1) + 1])
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            section.fail(
                section.u32(0x0C + 4 * ARRAY_ORDER.index(array.attribute)),
                f"finite numbers in the array of attribute {array.attribute}",
                "one that is infinite or NaN",
            )
        result.append(replace(array, values=values))
    return tuple(result)
