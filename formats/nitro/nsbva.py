"""NSBVA, visibility animation: one bit for every frame and node of a model, by the node's index.

Animation record: `V 00 A V`, u16 frames, u16 nodes, u16 size of the record, u16 0, then u32 words; the bit of frame f
and node n is bit f * nodes + n, counted from the low bit of the first word. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, Reader, frozen, pad, require
from formats.nitro.animation import AnimationSet, bounded, check_header

_HEADER: Final = struct.Struct("<4sHHHH")
_MAGIC: Final = b"V\0AV"


@dataclass(frozen=True, eq=False)
class VisibilityAnimation:
    """One visibility animation: `visible[frame, node]`."""

    name: str
    visible: npt.NDArray[np.bool_]

    @property
    def frame_count(self) -> int:
        return int(self.visible.shape[0])

    def to_bytes(self) -> bytes:
        """The animation record. Raises ValueError for values that do not fit."""
        require(self.visible.ndim == 2, "a visibility animation has an array of frames and nodes")
        frames = bounded(self.visible.shape[0], 0, 0xFFFF, "a number of frames")
        nodes = bounded(self.visible.shape[1], 0, 0xFFFF, "a number of nodes")
        bits = pad(np.packbits(self.visible.astype(np.bool_).ravel(), bitorder="little").tobytes())
        size = bounded(_HEADER.size + len(bits), 0, 0xFFFF, "the size of a visibility animation")
        return _HEADER.pack(_MAGIC, frames, nodes, size, 0) + bits


def _read(name: str, reader: Reader, notes: Notes | None) -> VisibilityAnimation:
    check_header(reader, _MAGIC)
    _, frames, nodes, size, padding = reader.unpack(_HEADER, 0, "a visibility animation")
    count = frames * nodes
    words = (count + 31) // 32
    raw = reader.array(_HEADER.size, "u1", 4 * words, "visibility bits")
    reader.tolerate(
        size == _HEADER.size + 4 * words and not padding,
        notes,
        8,
        f"the size field is {size}, not {_HEADER.size + 4 * words}, or padding is not 0",
    )
    bits = np.unpackbits(raw, bitorder="little")
    reader.tolerate(not np.any(bits[count:]), notes, _HEADER.size, "bits are set beyond the last frame")
    return VisibilityAnimation(name, frozen(bits[:count].reshape(frames, nodes), np.bool_))


@dataclass(frozen=True, eq=False)
class Nsbva(AnimationSet):
    """A file of visibility animations."""

    animations: tuple[VisibilityAnimation, ...]
    form = ("BVA0", "VIS0", _read)
