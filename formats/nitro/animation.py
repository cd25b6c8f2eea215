"""The common parts of the five NITRO G3D animation files: the set of named animations and the decimated sample array.

A block of animations is a name dictionary of offsets (from the block's tag) followed by the animations. Each begins
with a category letter, a revision byte (0), two letters of the kind and the number of frames.

A sampled channel stores every frame, or every second or fourth frame up to the last multiple of the step and then
every remaining frame. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, Reader, frozen, require
from formats.nitro.container import BLOCK_HEADER, read_container, write_container
from formats.nitro.dictionary import dictionary_size, read_dictionary, write_offsets

VERSION: Final = 1
HEADER: Final = struct.Struct("<4sH")
_STEPS: Final = (1, 2, 4, 2)
"""Frames between samples by the two bits of an info word; the library treats code 3 as code 1."""
_STEP_CODES: Final = {1: 0, 2: 1, 4: 2}
MOST_STEPPED_FRAMES: Final = 0x1FFF


@dataclass(frozen=True, eq=False)
class Curve:
    """One animated number, pair or rotation: a constant or an array of samples.

    `values` has one row for a constant (`step` 0), else `sample_count(frame_count, step)` rows; rows of one number are
    stored flat. `step` is the number of frames between samples: 1, 2 or 4. `fx16`: samples of fixed-point numbers are
    stored in 16 bits, which also determines how two of them are averaged. Raises ValueError for a constant with `fx16`,
    which files cannot store.
    """

    values: npt.NDArray[np.int32]
    step: int = 1
    fx16: bool = False

    def __post_init__(self) -> None:
        require(not self.fx16 or self.step != 0, "a constant cannot be a 16-bit sample")

    @classmethod
    def constant(cls, *value: int) -> Curve:
        """The curve with the constant `value`, a number or a pair."""
        return cls(frozen(value if len(value) == 1 else [value], np.int32), 0)

    @classmethod
    def sampled(cls, values: npt.ArrayLike, step: int = 1, *, fx16: bool | None = None) -> Curve:
        """A curve of samples; in 16 bits when they fit, unless `fx16` is given."""
        samples = frozen(values, np.int32)
        fits = samples.size > 0 and int(samples.min()) >= -0x8000 and int(samples.max()) <= 0x7FFF
        return cls(samples, step, fits if fx16 is None else fx16)


def sample_count(frame_count: int, step: int) -> int:
    """Samples of a channel: every `step`-th frame up to the last multiple, then every remaining frame."""
    if step <= 1 or frame_count == 0:
        return frame_count
    return (frame_count - 1) // step + 1 + (frame_count - 1) % step


def last_stepped_frame(frame_count: int, step: int) -> int:
    """The last frame as stored in files: the last multiple of the step, or the frame count when all frames are
    stored."""
    return frame_count if step <= 1 else max(0, frame_count - 1) // step * step


class SampleArrays:
    """Reads the sample arrays of one animation, each once; their total size is limited to that of the record.

    In real files arrays are equal or disjoint; other overlaps could make a small file use much memory.
    """

    def __init__(self, reader: Reader, frames: int = 0, notes: Notes | None = None) -> None:
        self._reader = reader
        self.frames = frames
        self._notes = notes
        self._seen: dict[tuple[int, int, str, int], npt.NDArray[Any]] = {}
        self._size = 0
        self.start = len(reader)
        """The lowest offset of the arrays read so far; the end of the record before any."""

    def read(self, offset: int, dtype: npt.DTypeLike, count: int, width: int = 1) -> npt.NDArray[Any]:
        """`count` rows of `width` numbers, flat when `width` is 1, as int32 unless `dtype` is a record."""
        kind = np.dtype(dtype)
        key = (offset, count, kind.str, width)
        values = self._seen.get(key)
        if values is None:
            raw = self._reader.array(offset, kind, count * width, "samples")
            self._size += raw.nbytes
            if self._size > len(self._reader):
                self._reader.fail(offset, "sample arrays that do not overlap", "more samples than bytes")
            values = raw if kind.names else frozen(raw.reshape(-1, width) if width > 1 else raw, np.int32)
            self._seen[key] = values
            self.start = min(self.start, offset)
        return values

    def last(self, info: int) -> int:
        """The last frame in bits 16 to 28 of an info word; the frame count where they can be its low bits."""
        last = info >> 16 & 0x1FFF
        return self.frames if last == self.frames & 0x1FFF and info >> 30 == 0 else last

    def curve(
        self,
        reader: Reader,
        place: int,
        info: int,
        last: int,
        offset: int,
        dtype: npt.DTypeLike,
        width: int = 1,
        *,
        fx16: bool = False,
    ) -> Curve:
        """The channel of the info word at `place`, whose step is in the top bits, after checking the word's `last`
        frame against it."""
        step = _STEPS[info >> 30]
        reader.tolerate(info >> 30 != 3, self._notes, place, "sample step code 3 acts as a step of 2 frames")
        expected = last_stepped_frame(self.frames, step)
        if last != expected:
            if step > 1:
                reader.fail(place, f"{expected} as the last frame of a step of {step} in {self.frames}", last)
            reader.note(self._notes, place, f"the unused last frame is {last}, not {expected}")
        reader.check(self.frames != 0, place, "at least one frame", 0)
        return Curve(self.read(offset, dtype, sample_count(self.frames, step), width), step, fx16)


def step_bits(curve: Curve, frame_count: int, width: int = 1) -> int:
    """The two step bits of an info word. Raises ValueError for a wrong number of samples."""
    code = _STEP_CODES.get(curve.step)
    if code is None:
        raise ValueError(f"a channel has a sample every 1, 2 or 4 frames, not {curve.step}")
    count = sample_count(frame_count, curve.step)
    if curve.values.shape != ((count,) if width == 1 else (count, width)):
        shape = curve.values.shape
        raise ValueError(
            f"{frame_count} frames with a step of {curve.step} need {count} samples of {width}, not {shape}"
        )
    require(
        not code or last_stepped_frame(frame_count, curve.step) <= MOST_STEPPED_FRAMES,
        f"a channel with a step of {curve.step} has at most {MOST_STEPPED_FRAMES + 1} frames",
    )
    return code << 30


def check_curve(curve: Curve, width: int = 1) -> None:
    """Raise ValueError unless the curve is a constant of one row of `width` numbers or has a known step."""
    require(curve.step in (0, 1, 2, 4), f"a channel has a step of 0 (constant), 1, 2 or 4, not {curve.step}")
    require(
        curve.step != 0 or curve.values.shape == ((1,) if width == 1 else (1, width)),
        f"a constant is one row of {width}, not {curve.values.shape}",
    )


def sample_bytes(values: npt.NDArray[Any], dtype: str) -> bytes:
    """Samples in the file's number type; raises ValueError for a number that does not fit."""
    kind = np.dtype(dtype)
    limits = np.iinfo(kind)
    require(
        not values.size or (int(values.min()) >= limits.min and int(values.max()) <= limits.max),
        f"samples of {kind.itemsize * 8} bits are {limits.min} to {limits.max}",
    )
    return values.astype(kind).tobytes()


def bounded(value: int, least: int, most: int, what: str) -> int:
    """`value`. Raises ValueError when it is outside `least`..`most`."""
    require(least <= value <= most, f"{what} is {least} to {most}, not {value}")
    return value


def check_header(reader: Reader, magic: bytes) -> int:
    """Check the letters of an animation's first four bytes; its number of frames."""
    stored, frame_count = reader.unpack(HEADER, 0, "an animation header", ("magic", "frames"))
    reader.check(stored == magic, 0, f"{magic!r}", f"{stored!r}")
    return int(frame_count)


@dataclass(frozen=True, eq=False)
class AnimationSet:
    """A file of animations of one kind. `form`: its magic number, the tag of its block, and the function that makes an
    animation of its name and a reader that ends where the next one begins."""

    animations: tuple[Any, ...]
    form: ClassVar[tuple[str, str, Callable[[str, Reader, Notes | None], Any]]]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Self:
        """Read a file. Raises FormatError."""
        magic, tag, read = cls.form
        container = read_container(data, magic, notes=notes)
        block = container.block(0, tag)
        block.tolerate(
            container.version == VERSION, notes, 0, f"the file's version is {container.version}, not {VERSION}"
        )
        block.tolerate(
            len(container.blocks) <= 1,
            notes,
            0,
            f"{len(container.blocks) - 1} further blocks, which the library does not read",
        )
        names = read_dictionary(block, BLOCK_HEADER, 4, notes=notes)
        offsets = names.offsets()
        order = sorted(offsets)
        block.check(
            len(set(order)) == len(order),
            names.data_offset,
            "every animation at its own place",
            "an offset that occurs twice",
        )
        ends = dict(zip(order, [*order[1:], len(block)], strict=False))
        block.check(
            all(names.end <= offset <= len(block) for offset in order),
            names.data_offset,
            f"animations at {names.end} to {len(block)}",
            order,
        )
        readers = [block.view(at, ends[at] - at, name) for name, at in zip(names.names, offsets, strict=True)]
        return cls(tuple([read(name, reader, notes) for name, reader in zip(names.names, readers, strict=True)]))

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for values that do not fit."""
        magic, tag, _ = self.form
        names = [animation.name for animation in self.animations]
        records = [animation.to_bytes() for animation in self.animations]
        offsets = write_offsets(names, map(len, records), BLOCK_HEADER + dictionary_size(len(names), 4))
        return write_container(magic, VERSION, [(tag, offsets + b"".join(records))])
