"""fldtanime.narc: the terrain texture animations (sea, flowers, lamps).

Member 0 is the list read here; member i + 1 is an NSBTX with the frames of record i. A frame number counts in that
file's texture dictionary, which is sorted by name as text (`.1, .10, .11 ... .2`).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from formats.binary import Buffer, Notes, Reader, require, write_name
from formats.field.record import note_rest, opened, read_name, write_count

NAME_BYTES = 16
MAX_STEPS = 18
RECORD_BYTES = NAME_BYTES + 2 * MAX_STEPS
_END = 0xFF


@dataclass(frozen=True)
class Step:
    """A frame of the animation: its number, and its duration (it lasts duration + 1 field updates)."""

    frame: int
    duration: int


@dataclass(frozen=True)
class TerrainAnimation:
    """The name of the terrain texture to animate, and the steps of the animation."""

    texture: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class FieldTextureAnimations:
    """All terrain animations, in the order in which they occupy the game's 16 slots."""

    animations: tuple[TerrainAnimation, ...]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> FieldTextureAnimations:
        """Read member 0. Raises FormatError."""
        reader = opened(data, "fldtanime")
        count = reader.u32(0, "animations")
        reader.need(4, count * RECORD_BYTES, "animation records")
        animations = tuple(_read(reader, index, 4 + index * RECORD_BYTES, notes) for index in range(count))
        note_rest(reader, 4 + count * RECORD_BYTES, notes)
        return cls(animations)

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for a name or list of steps that does not fit."""
        return struct.pack("<I", len(self.animations)) + b"".join(_write(animation) for animation in self.animations)


def _read(reader: Reader, index: int, offset: int, notes: Notes | None) -> TerrainAnimation:
    pairs = reader.bytes(offset + NAME_BYTES, 2 * MAX_STEPS, f"steps of animation {index}")
    frames, durations = pairs[::2], pairs[1::2]
    end = frames.find(_END)
    if end < 0:
        end = MAX_STEPS
        reader.note(notes, offset + NAME_BYTES, "no step ends the list; the game reads on into the next record")
    elif pairs[2 * end :].strip(b"\xff"):
        reader.note(notes, offset + NAME_BYTES + 2 * end, "the unused steps are not 0xFF; writing sets them to it")
    steps = tuple(Step(frame, duration) for frame, duration in zip(frames[:end], durations[:end], strict=True))
    return TerrainAnimation(read_name(reader, offset, NAME_BYTES, f"texture of animation {index}"), steps)


def _write(animation: TerrainAnimation) -> bytes:
    write_count(len(animation.steps), MAX_STEPS, "animation steps")
    pairs = [number for step in animation.steps for number in (step.frame, step.duration)]
    require(
        all(0 <= step.frame < _END and 0 <= step.duration <= 0xFF for step in animation.steps),
        "a step's frame is below 255 and its duration below 256",
    )
    return write_name(animation.texture, NAME_BYTES) + bytes(pairs).ljust(2 * MAX_STEPS, b"\xff")
