"""NSBCA, joint animation: a translation, rotation and scale over time for every node of a model, by its index.

Animation record: `J 00 A C`, u16 frames, u16 tracks, u32 flags (bit 0 use fractions of a frame, bit 1 blend the last
frame into the first), u32 offsets of the pivot and the basis rotations, u16 offset of every track. A track is a tag
word and, for every group that is neither identity nor the model's own, three channels (translation, scale) or one
(rotation). All offsets count from the record. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, Reader, frozen, pad, require
from formats.fixed import ONE
from formats.nitro.animation import (
    AnimationSet,
    Curve,
    SampleArrays,
    bounded,
    check_curve,
    check_header,
    last_stepped_frame,
    sample_bytes,
    step_bits,
)
from formats.nitro.node import Pivot

_HEADER: Final = struct.Struct("<4sHHIII")
_MAGIC: Final = b"J\0AC"
_PAIR: Final = struct.Struct("<II")

_ALL_IDENTITY: Final = 1
_BITS: Final = ((0x2, 0x4, (0x8, 0x10, 0x20)), (0x40, 0x80, (0x100,)), (0x200, 0x400, (0x800, 0x1000, 0x2000)))
"""Of translation, rotation and scale: that it is identity, that it is the model's own, that a channel is constant."""
_FX16: Final = 1 << 29

PIVOT_ROTATION: Final = 0x8000
"""Bit of a rotation number: set for a number of a pivot rotation, clear for a basis rotation."""

_RAW_PIVOT: Final = np.dtype([("info", "<u2"), ("a", "<i2"), ("b", "<i2")])
_BASIS_SIZE: Final = 10


@dataclass(frozen=True, eq=False)
class JointTrack:
    """The animation of one node. A group that is None is identity (zero, one), or the model's own value if `..._rest`
    is set.

    `translation`: three curves of fx32. `rotation`: a curve of rotation numbers (`PIVOT_ROTATION`). `scale`: three
    curves of pairs (scale, inverse scale) in fx32; the inverse is stored because it is not exactly the reciprocal.
    """

    translation: tuple[Curve, ...] | None = None
    rotation: Curve | None = None
    scale: tuple[Curve, ...] | None = None
    translation_rest: bool = False
    rotation_rest: bool = False
    scale_rest: bool = False

    def curves(self) -> Iterator[tuple[str, Curve]]:
        """The curves with their groups."""
        for kind, curves, _ in self.groups():
            for curve in curves or ():
                yield kind, curve

    def groups(self) -> tuple[tuple[str, tuple[Curve, ...] | None, bool], ...]:
        """The groups, each with its curves and whether it is the model's own."""
        return (
            ("translation", self.translation, self.translation_rest),
            ("rotation", None if self.rotation is None else (self.rotation,), self.rotation_rest),
            ("scale", self.scale, self.scale_rest),
        )


@dataclass(frozen=True, eq=False)
class JointAnimation:
    """One joint animation. Track i drives node i of the model.

    The tracks' rotation numbers are indices of `pivots` and `bases`; a row of `bases` is the first two rows of a
    rotation matrix as fx16 elements of -4096 to 4095, the third row being their cross product. `interpolate`: fractions
    of a frame are used; `end_to_start`: with them, the last frame blends into the first.
    """

    name: str
    frame_count: int
    tracks: tuple[JointTrack, ...]
    pivots: tuple[Pivot, ...]
    bases: npt.NDArray[np.int16]
    interpolate: bool = False
    end_to_start: bool = False

    def to_bytes(self) -> bytes:
        """The animation record. Raises ValueError for values that do not fit."""
        frames = bounded(self.frame_count, 0, 0xFFFF, "a number of frames")
        count = bounded(len(self.tracks), 0, 256, "a number of joint tracks")
        _check_rotations(self)
        table_end = len(pad(bytes(_HEADER.size + 2 * count)))
        sizes = [_track_size(track) for track in self.tracks]
        pivots = pad(_pivot_bytes(self.pivots))
        bases = pad(_basis_bytes(self.bases))
        pivot_offset = table_end + sum(sizes)
        basis_offset = pivot_offset + len(pivots)
        places, samples = _lay_out(self.tracks, frames, basis_offset + len(bases))
        offsets = []
        tracks = []
        end = table_end
        for number, (track, size) in enumerate(zip(self.tracks, sizes, strict=True)):
            offsets.append(bounded(end, 0, 0xFFFF, "the offset of a joint track"))
            tracks.append(_track_bytes(track, number, frames, places))
            end += size
        flags = int(self.interpolate) | int(self.end_to_start) << 1
        header = _HEADER.pack(_MAGIC, frames, count, flags, pivot_offset, basis_offset)
        return b"".join([pad(header + struct.pack(f"<{count}H", *offsets)), *tracks, pivots, bases, samples])


def _read(name: str, reader: Reader, notes: Notes | None) -> JointAnimation:
    check_header(reader, _MAGIC)
    _, frames, count, flags, pivot_offset, basis_offset = reader.unpack(_HEADER, 0, "a joint animation")
    reader.check(count <= 256, 6, "at most 256 joint tracks", count)
    reader.tolerate(not flags & ~3, notes, 8, f"unknown joint animation flags 0x{flags:X}")
    offsets = struct.unpack(f"<{count}H", reader.bytes(_HEADER.size, 2 * count, "track offsets"))
    arrays = SampleArrays(reader, frames, notes)
    tracks = []
    numbers = []
    for index, offset in enumerate(offsets):
        track, number = _TrackReader(reader.named(f"track {index}"), offset, arrays, notes).read()
        tracks.append(track)
        numbers.append(number)
    if numbers != list(range(count)):
        reader.note(notes, offsets[0], "tracks are not stored in the order of their numbers")
        if any(number >= count for number in numbers):
            reader.fail(offsets[0], f"track numbers below {count}", max(numbers))
        tracks = [tracks[number] for number in numbers]
    used = {id(track.rotation.values): track.rotation.values for track in tracks if track.rotation is not None}
    indices = np.concatenate([*used.values()]) if used else np.zeros(0, np.int32)
    is_pivot = indices & PIVOT_ROTATION != 0
    pivot_count = _count_from(indices[is_pivot] & 0x7FFF)
    basis_count = _count_from(indices[~is_pivot])
    if pivot_offset <= basis_offset <= arrays.start:  # then all rotations are known, also unused ones
        pivot_count = max(pivot_count, min(0x8000, (basis_offset - pivot_offset) // _RAW_PIVOT.itemsize))
        basis_count = max(basis_count, min(0x8000, (arrays.start - basis_offset) // _BASIS_SIZE))
    pivots = _read_pivots(reader, pivot_offset, pivot_count, notes)
    bases = _read_bases(reader, basis_offset, basis_count, notes)
    return JointAnimation(name, frames, tuple(tracks), pivots, bases, bool(flags & 1), bool(flags & 2))


def _count_from(numbers: npt.NDArray[Any]) -> int:
    return int(numbers.max()) + 1 if numbers.size else 0


@dataclass(eq=False)
class _TrackReader:
    """Reads one track, beginning at its tag word."""

    reader: Reader
    place: int
    arrays: SampleArrays
    notes: Notes | None

    def read(self) -> tuple[JointTrack, int]:
        start = self.place
        tag = self._word()
        self.reader.tolerate(not tag & 0x00FFC000, self.notes, start, f"unknown bits in the track tag 0x{tag:08X}")
        animated = not tag & _ALL_IDENTITY
        groups: list[tuple[Curve, ...] | None] = []
        for (identity, own, constant), read in zip(_BITS, (self._number, self._rotation, self._pair), strict=True):
            here = animated and not tag & (identity | own)
            groups.append(tuple([read(tag & bit) for bit in constant]) if here else None)
        rests = [animated and tag & (identity | own) == own for identity, own, _ in _BITS]
        translation, rotation, scale = groups
        track = JointTrack(translation, rotation[0] if rotation else None, scale, *rests)
        self.reader.tolerate(
            tag & 0x3FFF == _tag(track),
            self.notes,
            start,
            f"an unusual combination of bits in the track tag 0x{tag:08X}",
        )
        return track, tag >> 24

    def _word(self) -> int:
        self.place += 4
        return self.reader.u32(self.place - 4)

    def _number(self, constant: int) -> Curve:
        if constant:
            self.place += 4
            return Curve.constant(self.reader.s32(self.place - 4))
        return self._samples("<i2", "<i4", 1)

    def _pair(self, constant: int) -> Curve:
        if constant:
            self.place += 8
            return Curve.constant(self.reader.s32(self.place - 8), self.reader.s32(self.place - 4))
        return self._samples("<i2", "<i4", 2)

    def _rotation(self, constant: int) -> Curve:
        if constant:
            index = self._word()
            self.reader.tolerate(
                not index >> 16, self.notes, self.place - 4, "the upper half of a constant rotation number is not 0"
            )
            return Curve.constant(index & 0xFFFF)
        return self._samples("<u2", "<u2", 1)

    def _samples(self, narrow: str, wide: str, width: int) -> Curve:
        info, offset = self._word(), self._word()
        fx16 = bool(info & _FX16)
        self.reader.tolerate(
            not info & 0xFFFF, self.notes, self.place - 8, "the unused first frame of a channel is not 0"
        )
        place, last = self.place - 8, self.arrays.last(info)
        kind = narrow if fx16 else wide
        return self.arrays.curve(self.reader, place, info, last, offset, kind, width, fx16=fx16 and narrow != "<u2")


def _tag(track: JointTrack) -> int:
    """The tag word without the track's number. Absent groups also count as constant."""
    tag = everything = 0
    for (_, curves, rest), (identity, own, constant) in zip(track.groups(), _BITS, strict=True):
        everything |= identity
        if curves is None:
            tag |= (own if rest else identity) | sum(constant)
        else:
            tag |= sum([bit for bit, curve in zip(constant, curves, strict=True) if curve.step == 0])
    return tag | _ALL_IDENTITY if tag & everything == everything else tag


def _track_size(track: JointTrack) -> int:
    require(
        not any(group is not None and len(group) != 3 for group in (track.translation, track.scale)),
        "a joint track has three translation and three scale curves, or none",
    )
    for what, curves, rest in track.groups():
        require(not rest or curves is None, f"a joint's {what} is either animated or that of the model at rest")
    size = 4
    for kind, curve in track.curves():
        check_curve(curve, 2 if kind == "scale" else 1)
        size += 4 if curve.step == 0 and kind != "scale" else 8
    return size


_Place = tuple[str, str, bytes]
"""Group, number type and bytes of a sample array: equal ones are stored once."""

_GROUPS: Final = (
    ("rotation", "<u2"),
    ("scale", "<i2"),
    ("translation", "<i2"),
    ("scale", "<i4"),
    ("translation", "<i4"),
)


def _key(kind: str, curve: Curve) -> _Place:
    dtype = "<u2" if kind == "rotation" else "<i2" if curve.fx16 else "<i4"
    return kind, dtype, sample_bytes(curve.values, dtype)


def _lay_out(tracks: Iterable[JointTrack], frames: int, start: int) -> tuple[dict[_Place, int], bytes]:
    """Offsets and bytes of all sample arrays: 16-bit ones first, each kind together
    from a multiple of 4, in the order of the tracks."""
    groups: dict[tuple[str, str], dict[_Place, None]] = {group: {} for group in _GROUPS}
    for track in tracks:
        for kind, curve in track.curves():
            if curve.step:
                step_bits(curve, frames, 2 if kind == "scale" else 1)
                key = _key(kind, curve)
                groups[key[:2]].setdefault(key)
    places: dict[_Place, int] = {}
    parts = []
    end = start
    for group in _GROUPS:
        if end % 4:
            parts.append(b"\0\0")
            end += 2
        for key in groups[group]:
            places[key] = end
            parts.append(key[2])
            end += len(key[2])
    return places, pad(b"".join(parts))


def _track_bytes(track: JointTrack, number: int, frames: int, places: dict[_Place, int]) -> bytes:
    parts = [struct.pack("<I", _tag(track) | number << 24)]
    for kind, curve in track.curves():
        if curve.step == 0:
            parts.append(sample_bytes(curve.values, "<u4" if kind == "rotation" else "<i4"))
            continue
        bits = step_bits(curve, frames, 2 if kind == "scale" else 1)
        last = last_stepped_frame(frames, curve.step) & 0x1FFF
        fx16 = _FX16 if curve.fx16 and kind != "rotation" else 0
        parts.append(_PAIR.pack(bits | fx16 | last << 16, places[_key(kind, curve)]))
    return b"".join(parts)


def _check_rotations(animation: JointAnimation) -> None:
    for track in animation.tracks:
        if track.rotation is None or not track.rotation.values.size:
            continue
        numbers = track.rotation.values
        require(not track.rotation.fx16, "rotation numbers are no fixed-point samples, so they have no fx16")
        require(int(numbers.min()) >= 0 and int(numbers.max()) <= 0xFFFF, "a rotation number has 16 bits")
        pivot = numbers & PIVOT_ROTATION != 0
        require(
            _count_from(numbers[pivot] & 0x7FFF) <= len(animation.pivots)
            and _count_from(numbers[~pivot]) <= len(animation.bases),
            "a rotation number counts beyond the animation's rotations",
        )


def _read_pivots(reader: Reader, offset: int, count: int, notes: Notes | None) -> tuple[Pivot, ...]:
    raw = reader.array(offset, _RAW_PIVOT, count, "pivot rotations")
    reader.tolerate(not np.any(raw["info"] >> 7), notes, offset, "unknown bits in a pivot rotation")
    if np.any((raw["info"] & 15) > 8):
        index = int(np.argmax((raw["info"] & 15) > 8))
        reader.fail(offset + _RAW_PIVOT.itemsize * index, "a pivot element of 0 to 8", int(raw["info"][index]) & 15)
    return tuple([Pivot.from_word(info & 0x7F, a, b) for info, a, b in raw.tolist()])


def _pivot_bytes(pivots: Sequence[Pivot]) -> bytes:
    bounded(len(pivots), 0, 0x8000, "a number of pivot rotations")
    for pivot in pivots:
        bounded(pivot.element, 0, 8, "the element of a pivot rotation")
        require(
            -0x8000 <= pivot.a <= 0x7FFF and -0x8000 <= pivot.b <= 0x7FFF,
            f"the numbers of a pivot rotation have 16 bits: {pivot.a}, {pivot.b}",
        )
    return np.array([(pivot.to_word(), pivot.a, pivot.b) for pivot in pivots], _RAW_PIVOT).tobytes()


def _read_bases(reader: Reader, offset: int, count: int, notes: Notes | None) -> npt.NDArray[np.int16]:
    """Five words each: 13 bits of an element over 3 bits of the sixth, whose slices are in words 4, 0, 1, 2, 3."""
    words = reader.array(offset, "<i2", 5 * count, "basis rotations").reshape(-1, 5)
    bases = np.zeros((count, 6), np.int16)
    bases[:, :5] = words >> 3
    sixth = np.zeros(count, np.int32)
    for word in (4, 0, 1, 2, 3):
        sixth = sixth << 3 | words[:, word] & 7
    reader.tolerate(not np.any(sixth >> 13), notes, offset, "unknown bits in a basis rotation")
    bases[:, 5] = ((sixth & 0x1FFF) ^ 0x1000) - 0x1000
    return frozen(bases)


def _basis_bytes(bases: npt.NDArray[np.int16]) -> bytes:
    bounded(len(bases), 0, 0x8000, "a number of basis rotations")
    require(
        bases.ndim == 2 and bases.shape[1] == 6 and not np.any(bases < -ONE) and not np.any(bases >= ONE),
        "a basis rotation has six elements of -4096 to 4095",
    )
    rows = bases.astype(np.int32)
    words = rows[:, :5] << 3
    for shift, word in zip((12, 9, 6, 3, 0), (4, 0, 1, 2, 3), strict=True):
        words[:, word] |= (rows[:, 5] & 0x1FFF) >> shift & 7
    return words.astype("<i2").tobytes()


@dataclass(frozen=True, eq=False)
class Nsbca(AnimationSet):
    """A file of joint animations."""

    animations: tuple[JointAnimation, ...]
    form = ("BCA0", "JNT0", _read)
