"""NANR, animations of cells (magic RNAN; blocks ABNK, LABL, UEXT).

ABNK: u16 sequences, u16 frames, u32 offsets of sequences (24), frames and elements, u32[2] 0. Sequence: u16 frames, u16
loop start frame, u16 kind of element, u16 kind of animated item, u32 playback, u32 offset of its frames. Frame: u32
offset of its element, u16 duration in updates, u16 0xBEEF. Equal elements of a kind are stored once; the new ones of
each sequence are padded to 4 bytes with 0xCC. Elements: u16 cell; in INDEX_SRT also u16 rotation, s32 scale x and y; in
INDEX_T also u16 0xBEEF; in both s16 translation x and y. Source: the NITRO-System G2D library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from formats.binary import Buffer, Notes, Reader, fitting, pad, require
from formats.nitro.container import BLOCK_HEADER, read_chain, write_chain
from formats.nitro.labels import read_labels, write_labels

_ABNK: Final = struct.Struct("<HHIIIII")
_SEQUENCE: Final = struct.Struct("<HHHHII")
_FRAME: Final = struct.Struct("<IHH")
_FILLER: Final = 0xBEEF
_PADDING: Final = b"\xcc"
INDEX, INDEX_SRT, INDEX_T = 0, 1, 2
"""Kinds of element: a cell number only; with rotation, scale and translation; with translation."""
_ELEMENTS: Final = {INDEX: struct.Struct("<H"), INDEX_SRT: struct.Struct("<HHiihh"), INDEX_T: struct.Struct("<HHhh")}


@dataclass(frozen=True)
class Frame:
    """A cell, shown for `duration` updates with rotation (u16 angle), scale (fx32) and translation (pixels).

    Fields that the sequence's kind of element does not have keep their defaults.
    """

    cell: int
    duration: int
    rotation: int = 0
    scale: tuple[int, int] = (4096, 4096)
    translation: tuple[int, int] = (0, 0)

    def element(self, kind: int) -> tuple[int, ...]:
        """The stored values of the frame's element. Raises ValueError for fields that the kind does not have."""
        plain = (self.rotation, self.scale) == (0, (4096, 4096))
        require(
            (kind != INDEX or (plain and self.translation == (0, 0))) and (kind != INDEX_T or plain),
            f"an element of kind {kind} has no rotation, scale or translation",
        )
        if kind == INDEX:
            return (self.cell,)
        if kind == INDEX_T:
            return (self.cell, _FILLER, *self.translation)
        return (self.cell, self.rotation, *self.scale, *self.translation)


@dataclass(frozen=True)
class Sequence:
    """Frames and their playback: `playback` 1 once, 2 repeated from frame `loop` on, 3 and 4 the same forward and
    backward. `element`: INDEX, INDEX_SRT or INDEX_T. `animates`: 1 cells, 2 groups of cells."""

    frames: tuple[Frame, ...]
    loop: int
    element: int
    animates: int
    playback: int


@dataclass(frozen=True)
class Nanr:
    """Animation sequences."""

    sequences: tuple[Sequence, ...]
    labels: tuple[str, ...] | None = None
    extension: int | None = None
    version: int = 0x0100

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Nanr:
        """Read a file. Raises FormatError."""
        container = read_chain(data, "RNAN", notes=notes)
        block = container.block(0, "KNBA")
        count, total, at, frames_at, elements_at, *rest = block.unpack(_ABNK, BLOCK_HEADER, "an ABNK header")
        block.check(
            at == _ABNK.size and frames_at == at + _SEQUENCE.size * count,
            12,
            f"sequences at {_ABNK.size} and frames behind them",
            f"{at} and {frames_at}",
        )
        block.check(
            elements_at == frames_at + _FRAME.size * total,
            20,
            f"elements at {frames_at + _FRAME.size * total}",
            elements_at,
        )
        block.check(not any(rest), 24, "0 in fields of the program", rest)
        block.need(BLOCK_HEADER + at, elements_at - at, "sequences and frames")
        elements = block.view(BLOCK_HEADER + elements_at, len(block) - BLOCK_HEADER - elements_at, "elements")
        sequences = []
        first = 0
        for place in range(BLOCK_HEADER + at, BLOCK_HEADER + frames_at, _SEQUENCE.size):
            number, loop, kind, animates, playback, offset = block.unpack(_SEQUENCE, place)
            block.check(kind in _ELEMENTS, place + 4, "a kind of element of 0 to 2", kind)
            block.check(
                offset == _FRAME.size * first and first + number <= total,
                place,
                f"at most {total - first} frames at {_FRAME.size * first}",
                f"{number} at {offset}",
            )
            start = BLOCK_HEADER + frames_at + offset
            frames = tuple(
                _read_frame(block, start + _FRAME.size * index, elements, kind, notes) for index in range(number)
            )
            sequences.append(Sequence(frames, loop, kind, animates, playback))
            first += number
        block.check(first == total, 10, f"{first} frames", total)
        labels, extension = read_labels(container, notes)
        return cls(tuple(sequences), labels, extension, container.version)

    def to_bytes(self) -> bytes:
        """The file as bytes. Raises ValueError for values that do not fit."""
        records, frames, elements = b"", b"", b""
        stored: dict[tuple[int, bytes], int] = {}
        with fitting("a file of animations"):
            for sequence in self.sequences:
                require(sequence.element in _ELEMENTS, f"there is no kind of element {sequence.element}")
                form = _ELEMENTS[sequence.element]
                values = (sequence.loop, sequence.element, sequence.animates, sequence.playback, len(frames))
                records += _SEQUENCE.pack(len(sequence.frames), *values)
                for frame in sequence.frames:
                    element = form.pack(*frame.element(sequence.element))
                    offset = stored.setdefault((sequence.element, element), len(elements))
                    if offset == len(elements):
                        elements += element
                    frames += _FRAME.pack(offset, frame.duration, _FILLER)
                elements = pad(elements, 4, _PADDING)
            frames_at = _ABNK.size + len(records)
            total = len(frames) // _FRAME.size
            places = (_ABNK.size, frames_at, frames_at + len(frames))
            header = _ABNK.pack(len(self.sequences), total, *places, 0, 0)
        blocks = [("KNBA", header + records + frames + elements), *write_labels(self.labels, self.extension)]
        return write_chain("RNAN", self.version, blocks)


def _read_frame(block: Reader, place: int, elements: Reader, kind: int, notes: Notes | None) -> Frame:
    offset, duration, filler = block.unpack(_FRAME, place)
    block.tolerate(filler == _FILLER, notes, place + 6, f"the padding of a frame is 0x{filler:X}")
    cell, *values = elements.unpack(_ELEMENTS[kind], offset, "an element of an animation")
    if kind == INDEX:
        return Frame(cell, duration)
    if kind == INDEX_T:
        elements.tolerate(values[0] == _FILLER, notes, offset + 2, f"the padding of an element is 0x{values[0]:X}")
        return Frame(cell, duration, translation=(values[1], values[2]))
    return Frame(cell, duration, values[0], (values[1], values[2]), (values[3], values[4]))
