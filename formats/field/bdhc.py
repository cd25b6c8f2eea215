"""BDHC: the height plates of a cell, and the game's height query.

A plate is a rectangle in x and z, see `height_plates`. Completions of the public description of the format: `d` is the
signed plane offset; the rule that chooses the strip and the inclusive bounds are those of the game's code.

Pokémon DS Map Studio appends camera plates for the patch "dynamic cameras" (`DCAM`) and puts two sizes in place of the
magic number: u16 cameras with the padding before them, u16 plates without the first 16 bytes, with the padding.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import index as plain

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, FormatError, Notes, Reader
from formats.field.height_plates import (
    MAGIC,
    MAX_CANDIDATES,
    HeightPlates,
    Strip,
    plane_height,
)
from formats.field.record import note_rest, opened, write_count, write_record, write_table
from formats.fixed import ONE

POINT = np.dtype([("x", "<i4"), ("z", "<i4")])
NORMAL = np.dtype([("x", "<i4"), ("y", "<i4"), ("z", "<i4")])
PLATE = np.dtype([("first_point", "<u2"), ("second_point", "<u2"), ("normal", "<u2"), ("constant", "<u2")])
"""Indices: the north-west and the south-east corner in `points`, then `normals` and `constants`."""

CAMERA_MAGIC = b"DCAM"
ANY_HEIGHT = 0x80
"""The `height` of a camera plate for every height."""

CAMERA_PLATE = np.dtype(
    [(name, "u1") for name in ("west", "north", "east", "south", "height", "kind")] + [("offset", "<u2")]
)
"""Tiles of the cell, both ends included; `height`: ANY_HEIGHT, or the one that it is for; `offset`: computed, from the
record to its parameters."""
CAMERA_PARAMETER = np.dtype([("kind", "<u4"), ("first", "<u4"), ("second", "<u4")])
"""By kind a duration and the final value, or the first and the last value; values are 16.16."""

_SIZES = struct.Struct("<2H")
_STRIP_FORM = struct.Struct("<iHH")
_STRIP = np.dtype([("scanline", "<i4"), ("count", "<u2"), ("start", "<u2")])


@dataclass(frozen=True, eq=False)
class CameraPlates:
    """Where the patched game moves the camera: `plates` CAMERA_PLATE, `parameters` of each CAMERA_PARAMETER."""

    plates: npt.NDArray[np.void]
    parameters: tuple[npt.NDArray[np.void], ...]

    @classmethod
    def read(cls, reader: Reader, start: int) -> CameraPlates:
        """Those from the mark on. Raises FormatError."""
        plates = reader.array(
            start + 8, CAMERA_PLATE, reader.u32(start + 4, "number of camera plates"), "camera plates"
        )
        starts = (start + 8 + CAMERA_PLATE.itemsize * np.arange(len(plates)) + plates["offset"]).tolist()
        return cls(plates, tuple([reader.array(at + 4, CAMERA_PARAMETER, reader.u32(at)) for at in starts]))

    def to_bytes(self) -> bytes:
        """The section from the mark on."""
        plates, sizes = self.plates.copy(), [4 + parameters.nbytes for parameters in self.parameters]
        plates["offset"] = plates.nbytes + np.cumsum([0, *sizes])[:-1] - CAMERA_PLATE.itemsize * np.arange(len(plates))
        counted = (np.uint32(len(parameters)).tobytes() + parameters.tobytes() for parameters in self.parameters)
        return b"".join((CAMERA_MAGIC, np.uint32(len(plates)).tobytes(), plates.tobytes(), *counted))


@dataclass(frozen=True, eq=False)
class Bdhc(HeightPlates):
    """The height plates of one cell, rectangles; `points` POINT, `normals` NORMAL, `plates` PLATE arrays, `constants`
    int32; `cameras`: the camera plates, None in a section without them."""

    points: npt.NDArray[np.void]
    normals: npt.NDArray[np.void]
    constants: npt.NDArray[np.int32]
    plates: npt.NDArray[np.void]
    strips: tuple[Strip, ...]
    cameras: CameraPlates | None = None

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Bdhc:
        """Read a BDHC section. Raises FormatError, also for an index outside its list."""
        reader = opened(data, "BDHC")
        if CAMERA_MAGIC not in bytes(reader.data):
            reader.expect(0, MAGIC)
        point_count, normal_count, constant_count, plate_count, strip_count, access_count = (
            reader.u16(4 + 2 * index, f"number of {what}")
            for index, what in enumerate(("points", "normals", "constants", "plates", "strips", "access entries"))
        )
        offset = 16
        points = reader.array(offset, POINT, point_count, "points")
        offset += points.nbytes
        normals = reader.array(offset, NORMAL, normal_count, "normals")
        offset += normals.nbytes
        constants = reader.array(offset, "<i4", constant_count, "constants")
        offset += constants.nbytes
        plates = reader.array(offset, PLATE, plate_count, "plates")
        for field, limit in (
            ("first_point", point_count),
            ("second_point", point_count),
            ("normal", normal_count),
            ("constant", constant_count),
        ):
            _check_indices(reader, offset, plates[field], limit, f"plates > {field}")
        offset += plates.nbytes
        strip_table = reader.array(offset, _STRIP, strip_count, "strips")
        access_offset = offset + strip_table.nbytes
        access = reader.array(access_offset, "<u2", access_count, "access list")
        _check_indices(reader, access_offset, access, plate_count, "access list")
        strips = _read_strips(reader, offset, strip_table, access, notes)
        end = access_offset + access.nbytes
        camera_start = _camera_start(reader, end)
        if camera_start is None:
            reader.expect(0, MAGIC)
            note_rest(reader, end, notes)
            return cls(points, normals, constants, plates, strips)
        return cls(points, normals, constants, plates, strips, _read_cameras(reader, camera_start, notes))

    def to_bytes(self) -> bytes:
        """The section. Raises ValueError when a count does not fit 16 bits, an array has another dtype, or an index is
        outside its list."""
        self._check()
        count, strips = 0, []
        for strip in self.strips:
            length = write_count(len(strip.plates), 0xFFFF - count, "entries of the access list")
            strips.append(write_record(_STRIP_FORM, strip, strip.scanline, length, count))
            count += length
        counts = (self.points, self.normals, self.constants, self.plates, self.strips)
        head = [write_count(len(part), 0xFFFF, "BDHC records") for part in counts] + [count]
        section = b"".join(
            (
                MAGIC,
                np.array(head, "<u2").tobytes(),
                write_table(self.points, POINT, "points"),
                write_table(self.normals, NORMAL, "normals"),
                write_table(self.constants, "<i4", "constants"),
                write_table(self.plates, PLATE, "plates"),
                *strips,
                *(write_table(strip.plates, "<u2", "plates of a strip") for strip in self.strips),
            )
        )
        if self.cameras is None:
            return section
        padding = -len(section) % 4
        cameras = self.cameras.to_bytes()
        sizes = write_record(_SIZES, self, len(cameras) + padding, len(section) - 16 + padding)
        return sizes + section[4:] + b"\xff" * padding + cameras

    def _check(self) -> None:
        lists = (
            ("first_point", self.points),
            ("second_point", self.points),
            ("normal", self.normals),
            ("constant", self.constants),
        )
        indices = [(self.plates[field], len(part), field) for field, part in lists]
        indices += [(strip.plates, len(self.plates), "plate of a strip") for strip in self.strips]
        for part, limit, what in indices:
            if len(part) and int(part.max()) >= limit:
                raise ValueError(f"the {what.replace('_', ' ')} {int(part.max())} does not exist; there are {limit}")

    @cached_property
    def planes(self) -> npt.NDArray[np.int64]:
        normals = self.normals[self.plates["normal"]]
        columns = [normals["x"], normals["y"], normals["z"], self.constants[self.plates["constant"]]]
        return np.stack(columns, -1).astype(np.int64)

    @cached_property
    def outlines(self) -> npt.NDArray[np.int64]:
        first, second = self.points[self.plates["first_point"]], self.points[self.plates["second_point"]]
        west, east = np.minimum(first["x"], second["x"]), np.maximum(first["x"], second["x"])
        north, south = np.minimum(first["z"], second["z"]), np.maximum(first["z"], second["z"])
        corners = [(west, north), (west, south), (east, south), (east, north)]
        return np.stack([np.stack(corner, -1) for corner in corners], 1).astype(np.int64)

    @property
    def corner_heights(self) -> npt.NDArray[np.float64]:
        """On the plates' planes; a plate without an upward normal is at 0, as the game's division has it."""
        x, z = self.outlines[..., 0] / ONE, self.outlines[..., 1] / ONE
        nx, ny, nz, d = (column[:, None] / ONE for column in self.planes.T)
        return np.where(ny == 0, 0.0, -(nx * x + nz * z + d) / np.where(ny == 0, 1, ny))

    def strip_at(self, z: int) -> int:
        """The strip that the game searches: the first with a scanline beyond z, else the last; -1: there is none."""
        return min(bisect_right(self.scanlines, z), len(self.scanlines) - 1)

    def candidates(self, x: int, z: int) -> tuple[int, list[tuple[int, int]]]:
        """The strip at z and, of its plates, the first ten that contain the point, as (plate, fx32 height)."""
        # numpy's integers would overflow in the products.
        x, z = plain(x), plain(z)
        strip = self.strip_at(z)
        if strip < 0:
            return -1, []
        candidates = (
            (plate, plane_height(nx, ny, nz, d, x, z))
            for plate, west, east, north, south, nx, ny, nz, d in self._strip_plates[strip]
            if west <= x <= east and north <= z <= south
        )
        return strip, list(islice(candidates, MAX_CANDIDATES))

    @cached_property
    def _strip_plates(self) -> list[list[tuple[int, ...]]]:
        """Per strip its plates as (index, west, east, north, south, nx, ny, nz, d): plain integers for the query."""
        low, high = self.outlines[:, 0], self.outlines[:, 2]
        columns = [np.arange(len(self.plates)), low[:, 0], high[:, 0], low[:, 1], high[:, 1], *self.planes.T]
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        return [[rows[plate] for plate in strip.plates.tolist()] for strip in self.strips]


def _camera_start(reader: Reader, end: int) -> int | None:
    """Where the camera plates begin: behind the padding that follows the end of the height plates."""
    start = bytes(reader.data).find(CAMERA_MAGIC, end)
    return start if start >= 0 and not reader.bytes(end, start - end).strip(b"\xff\0") else None


def _read_cameras(reader: Reader, start: int, notes: Notes | None) -> CameraPlates:
    """The camera plates; none, with a note, where they cannot be read, because the game's ground does not need them."""
    try:
        cameras = CameraPlates.read(reader, start)
    except FormatError as error:
        reader.note(notes, start, f"the camera plates (DCAM) cannot be read: {error}")
        return CameraPlates(np.zeros(0, CAMERA_PLATE), ())
    reader.note(notes, start, f'camera plates (DCAM) of the patch "dynamic cameras" follow: {len(cameras.plates)}')
    return cameras


def _check_indices(reader: Reader, offset: int, indices: npt.NDArray[np.uint16], limit: int, what: str) -> None:
    wrong = np.flatnonzero(indices >= limit)
    if len(wrong):
        reader.named(what).fail(
            offset + int(wrong[0]) * indices.strides[0], f"an index below {limit}", indices[wrong[0]]
        )


def _read_strips(
    reader: Reader, offset: int, table: npt.NDArray[np.void], access: npt.NDArray[np.uint16], notes: Notes | None
) -> tuple[Strip, ...]:
    strips: list[Strip] = []
    total, orderly = 0, True
    for index, (scanline, count, start) in enumerate(table.tolist()):
        where = offset + 8 * index
        if start + count > len(access):
            reader.named("strips").fail(where, f"at most {len(access)} access entries", start + count)
        reader.tolerate(
            not strips or scanline > strips[-1].scanline,
            notes,
            where,
            "the scanlines do not ascend, so the game's search may miss plates",
        )
        orderly &= start == total
        total += count
        if total > 0xFFFF:
            reader.named("strips").fail(where, "strips with at most 65535 access entries", total)
        strips.append(Strip(scanline, access[start : start + count]))
    reader.tolerate(
        orderly and total == len(access),
        notes,
        offset,
        "the strips do not use the whole access list in order; writing lays it out again",
    )
    return tuple(strips)
