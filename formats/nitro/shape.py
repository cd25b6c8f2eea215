"""Shapes of a model: the display lists that SBC draws.

Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, Reader
from formats.nitro.dictionary import dictionary_size, read_dictionary, write_offsets

HAS_NORMAL: Final = 1
HAS_COLOR: Final = 2
HAS_TEXCOORD: Final = 4
HAS_RESTORE: Final = 8
"""Bits of `Shape.flags`: which commands the list contains. Nothing reads them at run time."""

_HEADER: Final = struct.Struct("<HHIII")


@dataclass(frozen=True, eq=False)
class Shape:
    """A display list as a flat command stream (`formats.nds.gx`), a read-only uint32 array.

    `nops` are the slots of no-operations when they are not where the NITRO converter puts them
    (`formats.nds.display_list.pack`), else None.
    """

    name: str
    flags: int
    commands: npt.NDArray[np.uint32]
    item_tag: int = 0
    nops: npt.NDArray[np.uint32] | None = None


def read_section(section: Reader, count: int, *, notes: Notes | None = None) -> tuple[Shape, ...]:
    """The `count` shapes of a model's shape section. Raises FormatError, also when the lists together are larger than
    the section.
    """
    from formats.nds.display_list import unpack_lists

    dictionary = read_dictionary(section, 0, 4, notes=notes)
    section.check(len(dictionary) == count, 1, f"{count} shapes, as in the model's header", len(dictionary))
    headers = []
    lists = []
    total = 0
    for name, offset in zip(dictionary.names, dictionary.offsets(), strict=True):
        tag, size, flags, list_offset, list_size = section.unpack(
            _HEADER, offset, "a shape", ("tag", "size", "flags", "list_offset", "list_size")
        )
        section.tolerate(
            size == _HEADER.size, notes, offset, f"the header of shape {name!r} has a size field of {size}, not 16"
        )
        total += list_size
        section.check(
            total <= len(section), offset + 12, f"display lists of at most {len(section)} bytes in all", total
        )
        headers.append((flags, tag))
        lists.append((name, offset + list_offset, list_size))
    unpacked = zip(dictionary.names, headers, unpack_lists(section, lists), strict=True)
    return tuple([Shape(name, flags, commands, tag, nops) for name, (flags, tag), (commands, nops) in unpacked])


def write_section(shapes: Sequence[Shape]) -> tuple[bytes, list[tuple[int, bytes]]]:
    """The bytes of a shape section, and the offset and bytes of each display list in it.

    Raises ValueError for values that do not fit.
    """
    from formats.nds.display_list import pack

    start = dictionary_size(len(shapes), 4)
    headers = [start + _HEADER.size * index for index in range(len(shapes))]
    place = start + _HEADER.size * len(shapes)
    parts = [write_offsets([shape.name for shape in shapes], [_HEADER.size] * len(shapes), start)]
    lists: list[tuple[int, bytes]] = []
    for shape, header in zip(shapes, headers, strict=True):
        packed = pack(shape.commands, shape.nops)
        parts.append(_HEADER.pack(shape.item_tag, _HEADER.size, shape.flags, place - header, len(packed)))
        lists.append((place, packed))
        place += len(packed)
    return b"".join([*parts, *[packed for _, packed in lists]]), lists
