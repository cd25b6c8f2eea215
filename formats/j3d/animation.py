"""BCK: joint animation by keys (`J3D1bck1`, section ANK1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, frozen
from formats.j3d.big_endian import BigEndianReader
from formats.j3d.sections import read_sections

FRAMES_PER_SECOND = 30
SCALE, ROTATION, TRANSLATION = range(3)

TRACK = np.dtype([("count", "u2"), ("first", "u2"), ("tangents", "u2")])
"""One animated number: key count (0: the default, 1: constant), its first number in the pool of its kind, and whether a
key is (time, value, tangent), 0, or (time, value, tangent in, tangent out), 1."""


@dataclass(frozen=True, eq=False)
class Bck:
    """A joint animation; joints in the order of the model's.

    loop_mode: 0 once, 1 once then reset, 2 loop, 3 mirrored once, 4 mirrored loop. length: frames, 30 a second.
    rotation_shift: how far rotation values are shifted left to units of pi / 32768.
    tracks: (joints, 3 axes, 3 kinds) of dtype `TRACK`; kinds are scale, rotation, translation.
    scales, translations: float32 pools; rotations: int16 pool. Tangents are per frame.
    """

    loop_mode: int
    rotation_shift: int
    length: int
    tracks: npt.NDArray[np.void]
    scales: npt.NDArray[np.float32]
    rotations: npt.NDArray[np.int16]
    translations: npt.NDArray[np.float32]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Bck:
        """Read a .bck file.

        Raises FormatError for another kind of file, for tracks outside their pool and for keys whose times fall.
        """
        _, _, sections = read_sections(data, {"bck1": "J3D1"}, notes)
        section = sections.get("ANK1")
        if section is None:
            BigEndianReader.of(data).fail(0x20, "a section ANK1", f"sections {', '.join(sections) or 'none'}")
        return _read_tracks(section)


def _read_tracks(section: BigEndianReader) -> Bck:
    joints = section.u16(0x0C)
    sizes = [section.u16(0x0E + 2 * i) for i in range(3)]
    table, *offsets = (section.u32(0x14 + 4 * i) for i in range(4))
    length = section.s16(0x0A)
    section.check(length >= 0, 0x0A, "a length of 0 or more frames", length)
    section.check(section.u8(9) <= 15, 9, "a rotation shift of 0 to 15", section.u8(9))
    tracks = section.array(table, TRACK, 9 * joints, "joint table").reshape(joints, 3, 3)
    pools = (
        section.finite_array(offsets[SCALE], sizes[SCALE], "scales"),
        section.array(offsets[ROTATION], "i2", sizes[ROTATION], "rotations"),
        section.finite_array(offsets[TRANSLATION], sizes[TRANSLATION], "translations"),
    )
    for kind, pool in enumerate(pools):
        _check(section, table, kind, tracks[:, :, kind], pool)
    scales, rotations, translations = pools
    return Bck(section.u8(8), section.u8(9), length, frozen(tracks), scales, rotations, translations)


def _check(
    section: BigEndianReader, table: int, kind: int, tracks: npt.NDArray[np.void], pool: npt.NDArray[Any]
) -> None:
    counts = tracks["count"].astype(np.int64)
    width = np.where(counts > 1, counts * np.where(tracks["tangents"] == 0, 3, 4), counts)
    wrong = (tracks["tangents"] > 1) & (counts > 1)
    wrong |= (tracks["first"] + width > len(pool)) & (counts > 0)
    if wrong.any():
        joint, axis = (int(i) for i in np.argwhere(wrong)[0])
        count, first, tangents = tracks[joint, axis].tolist()
        section.fail(
            table + 0x36 * joint + 18 * axis + 6 * kind,
            f"a track inside its pool of {len(pool)} numbers",
            f"{count} keys of type {tangents} from number {first}",
        )
    # Tracks may share their keys: each distinct run is checked once.
    distinct = np.unique(tracks[counts > 1])
    left = 64 * (len(pool) + 64)
    for count, first, tangents in distinct.tolist():
        step = 3 if tangents == 0 else 4
        left -= count
        section.check(left >= 0, table, "tracks whose keys overlap less", f"{len(distinct)} distinct tracks")
        times = pool[first : first + step * count : step]
        section.check(
            not (times[1:] < times[:-1]).any(),
            table,
            f"key times that never fall (kind {kind})",
            f"{count} keys from number {first}",
        )
