"""BDHC of Diamond and Pearl: height plates that are triangles, in a grid whose cells have strips of their own.

Layout: magic; words that the game ignores, with the counts; the grid; points, normals, triangles, cells, strips, access
list. The number of strips in the header is not read by the game and wrong in many files; the size of the strip block
counts.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from operator import index as plain

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, Reader, require
from formats.field.height_plates import MAGIC, MAX_CANDIDATES, HeightPlates, Strip, plane_height
from formats.field.record import note_rest, opened, write_count, write_record, write_table
from formats.fixed import ONE, div, mul

POINT = np.dtype([("x", "<i4"), ("y", "<i4"), ("z", "<i4")])
NORMAL = POINT
TRIANGLE = np.dtype([("points", "<u2", 3), ("normal", "<u2"), ("constant", "<i4")])
"""Indices in `points` and `normals`, and d of the plane."""
GRID_CELL = np.dtype([("count", "<u2"), ("first", "<u2")])
"""The strips of a cell of the grid."""

_STRIP_FORM = struct.Struct("<HiI")
_STRIP = np.dtype([("count", "<u2"), ("scanline", "<i4"), ("start", "<u4")])
_HEAD = struct.Struct("<4sI 2H2H2H2H 2H2H 2I")
_SIZES = (12, 12, 12, 28)
"""The sizes of points, normals, triangles and the grid, as the header repeats them."""


@dataclass(frozen=True)
class Grid:
    """The grid of a land; lengths are fx32, from the land's centre."""

    columns: int
    """The number of cells from west to east."""
    rows: int
    """The number of cells from north to south."""
    min_x: int
    """The western border."""
    min_z: int
    """The northern border."""
    max_x: int
    """The eastern border."""
    max_z: int
    """The southern border."""
    cell_width: int
    """The length of a cell along x."""
    cell_height: int
    """The length of a cell along z."""

    FORM = struct.Struct("<2H6i")


@dataclass(frozen=True, eq=False)
class TriangleBdhc(HeightPlates):
    """The height plates of one cell, triangles."""

    grid: Grid
    """The cells by which strips are searched."""
    points: npt.NDArray[np.void]
    """A POINT array."""
    normals: npt.NDArray[np.void]
    """A NORMAL array."""
    triangles: npt.NDArray[np.void]
    """A TRIANGLE array."""
    cells: npt.NDArray[np.void]
    """A GRID_CELL array (rows, columns)."""
    strips: tuple[Strip, ...]
    """The strips of all cells, in the order of their numbers."""
    stated_strips: int
    """The number of strips in the header, which the game does not read."""
    unread: tuple[int, int]
    """The two other words of the header that the game does not read."""

    @staticmethod
    def is_cut_short(data: Buffer) -> bool:
        """Whether the file ends before what its header counts."""
        reader = Reader.of(data)
        if len(reader) < _HEAD.size:
            return True
        return len(reader) < _parts(reader)[-1]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> TriangleBdhc:
        """Read a BDHC section. Raises FormatError, also for an index outside its list."""
        reader = opened(data, "BDHC")
        reader.expect(0, MAGIC)
        words = reader.unpack(_HEAD, 0, "the header")
        reader.check(
            words[1] == 0x20 and words[2:9:2] == _SIZES, 4, "the record sizes of a BDHC with triangles", words[1:9]
        )
        point_count, normal_count, triangle_count = words[3:9:2]
        grid = Grid(*reader.unpack(Grid.FORM, _HEAD.size, "the grid"))
        cell_count, strip_bytes, access_bytes = words[10], words[14], words[15]
        reader.check(
            grid.columns * grid.rows == cell_count and cell_count,
            _HEAD.size,
            f"a grid of {cell_count} cells",
            f"{grid.columns} x {grid.rows}",
        )
        reader.check(
            grid.cell_width > 0 and grid.cell_height > 0,
            _HEAD.size + 20,
            "cells with a size",
            (grid.cell_width, grid.cell_height),
        )
        starts = _parts(reader)
        points = reader.array(starts[0], POINT, point_count, "points")
        normals = reader.array(starts[1], NORMAL, normal_count, "normals")
        triangles = reader.array(starts[2], TRIANGLE, triangle_count, "triangles")
        _check(reader, starts[2], triangles["points"], point_count, "triangles > points")
        _check(reader, starts[2] + 6, triangles["normal"], normal_count, "triangles > normal")
        cells = reader.array(starts[3], GRID_CELL, cell_count, "cells of the grid")
        table = reader.array(starts[4], _STRIP, strip_bytes // _STRIP.itemsize, "strips")
        access = reader.array(starts[5], "<u2", access_bytes // 2, "access list")
        _check(reader, starts[5], access, triangle_count, "access list")
        ends = cells["first"].astype(int) + cells["count"]
        reader.named("cells of the grid").check(
            int(ends.max()) <= len(table), starts[3], f"at most {len(table)} strips", int(ends.max())
        )
        strips = _read_strips(reader, starts[4], table, access, notes)
        note_rest(reader, starts[6], notes)
        shaped = cells.reshape(grid.rows, grid.columns)
        return cls(grid, points, normals, triangles, shaped, strips, words[12], (words[9], words[13]))

    def to_bytes(self) -> bytes:
        """The section. Raises ValueError when a count does not fit its field, an array has another dtype, or an index
        is outside its list."""
        limits = (
            (self.triangles["points"], len(self.points), "point"),
            (self.triangles["normal"], len(self.normals), "normal"),
            (self.cells["first"].astype(int) + self.cells["count"], len(self.strips) + 1, "strip"),
            *((strip.plates, len(self.triangles), "triangle of a strip") for strip in self.strips),
        )
        for numbers, limit, what in limits:
            if numbers.size and int(numbers.max()) >= limit:
                raise ValueError(f"the {what} {int(numbers.max())} does not exist; there are {limit}")
        require(
            self.cells.shape == (self.grid.rows, self.grid.columns),
            f"the cells of the grid are {self.grid.rows} x {self.grid.columns}",
        )
        count, strips = 0, []
        for strip in self.strips:
            length = write_count(len(strip.plates), 0xFFFF, "triangles of a strip")
            strips.append(write_record(_STRIP_FORM, strip, length, strip.scanline, count))
            count += length
        table = b"".join(strips)
        counts = [write_count(len(part), 0xFFFF, "records") for part in (self.points, self.normals, self.triangles)]
        sized = [number for pair in zip(_SIZES, (*counts, self.unread[0]), strict=True) for number in pair]
        cells = write_count(self.cells.size, 0xFFFF, "cells of the grid")
        grid = self.grid
        return b"".join(
            (
                write_record(
                    _HEAD,
                    self,
                    MAGIC,
                    0x20,
                    *sized,
                    cells,
                    _STRIP.itemsize,
                    self.stated_strips,
                    self.unread[1],
                    len(table),
                    2 * count,
                ),
                write_record(
                    Grid.FORM,
                    grid,
                    grid.columns,
                    grid.rows,
                    grid.min_x,
                    grid.min_z,
                    grid.max_x,
                    grid.max_z,
                    grid.cell_width,
                    grid.cell_height,
                ),
                write_table(self.points, POINT, "points"),
                write_table(self.normals, NORMAL, "normals"),
                write_table(self.triangles, TRIANGLE, "triangles"),
                write_table(self.cells, GRID_CELL, "cells of the grid"),
                table,
                *(write_table(strip.plates, "<u2", "triangles of a strip") for strip in self.strips),
            )
        )

    @cached_property
    def planes(self) -> npt.NDArray[np.int64]:
        normals = self.normals[self.triangles["normal"]]
        return np.stack([normals["x"], normals["y"], normals["z"], self.triangles["constant"]], -1).astype(np.int64)

    @cached_property
    def outlines(self) -> npt.NDArray[np.int64]:
        points = self.points[self.triangles["points"][:, [0, 1, 2, 2]]]
        return np.stack([points["x"], points["z"]], -1).astype(np.int64)

    @property
    def corner_heights(self) -> npt.NDArray[np.float64]:
        """The heights of the points themselves."""
        heights: npt.NDArray[np.float64] = self.points["y"][self.triangles["points"][:, [0, 1, 2, 2]]] / ONE
        return heights

    def cell_at(self, x: int, z: int) -> tuple[int, int]:
        """The column and the row of the grid that the game searches for a point."""
        grid = self.grid
        column = div(max(x - grid.min_x, 0), grid.cell_width) // ONE
        row = div(max(z - grid.min_z, 0), grid.cell_height) // ONE
        return min(column, grid.columns - 1), min(row, grid.rows - 1)

    def candidates(self, x: int, z: int) -> tuple[int, list[tuple[int, int]]]:
        """The strip of a point, the first of its cell with a scanline beyond z, else the last, and, of its triangles,
        the first ten that contain the point, as (plate, fx32 height); strip -1 in a cell without strips."""
        # numpy's integers would overflow in the products.
        x, z = plain(x), plain(z)
        column, row = self.cell_at(x, z)
        first, count = self._cells[row][column]
        if not count:
            return -1, []
        scanlines = self.scanlines
        strip = next((number for number in range(first, first + count) if scanlines[number] > z), first + count - 1)
        candidates = (
            (plate, plane_height(*plane, x, z))
            for plate, west, east, north, south, corners, plane in self._strip_plates[strip]
            if west <= x <= east and north <= z <= south and _contains(corners, x, z)
        )
        return strip, list(islice(candidates, MAX_CANDIDATES))

    @cached_property
    def _cells(self) -> list[list[tuple[int, int]]]:
        return [[(cell[1], cell[0]) for cell in row] for row in self.cells.tolist()]

    @cached_property
    def _strip_plates(self) -> list[list[tuple[int, int, int, int, int, _Corners, _Plane]]]:
        """Per strip its triangles that face up: index, box, corners and plane as plain integers."""
        corners = self.outlines[:, :3]
        # Rounding lets a triangle contain points a little outside; one without an area contains its whole line.
        x, z = corners[..., 0], corners[..., 1]
        area = (x[:, 1] - x[:, 0]) * (z[:, 2] - z[:, 0]) - (x[:, 2] - x[:, 0]) * (z[:, 1] - z[:, 0])
        margin = np.where(np.abs(area) < ONE * ONE, 1 << 40, ONE)[:, None]
        (west, north), (east, south) = (corners.min(1) - margin).T, (corners.max(1) + margin).T
        boxes = np.stack([np.arange(len(west)), west, east, north, south], 1)
        rows = [
            (*box, tuple(triangle), tuple(plane))
            for box, triangle, plane in zip(
                boxes.tolist(), corners.reshape(-1, 6).tolist(), self.planes.tolist(), strict=True
            )
        ]
        return [[rows[plate] for plate in strip.plates.tolist() if _is_wound(rows[plate][5])] for strip in self.strips]


_Corners = tuple[int, int, int, int, int, int]
_Plane = tuple[int, int, int, int]


def _is_wound(corners: _Corners) -> bool:
    """Whether the game's test of a triangle's own area lets any point be in it."""
    x0, z0, x1, z1, x2, z2 = corners
    return mul(z1, x2 - x0) + mul(z2, x0 - x1) + mul(z0, x1 - x2) >= 0


def _contains(corners: _Corners, x: int, z: int) -> bool:
    """The game's test with rounded products, so that edges belong to a triangle."""
    x0, z0, x1, z1, x2, z2 = corners
    return (
        mul(z0, x1 - x) + mul(z1, x - x0) + mul(z, x0 - x1) >= 0
        and mul(z1, x2 - x) + mul(z2, x - x1) + mul(z, x1 - x2) >= 0
        and mul(z2, x0 - x) + mul(z0, x - x2) + mul(z, x2 - x0) >= 0
    )


def _parts(reader: Reader) -> list[int]:
    """The offsets of points, normals, triangles, cells, strips and access list, and the end."""
    words = reader.unpack(_HEAD, 0, "the header")
    sizes = [
        words[3] * POINT.itemsize,
        words[5] * NORMAL.itemsize,
        words[7] * TRIANGLE.itemsize,
        words[10] * GRID_CELL.itemsize,
        words[14],
        words[15],
    ]
    return list(accumulate(sizes, initial=_HEAD.size + Grid.FORM.size))


def _check(reader: Reader, offset: int, numbers: npt.NDArray[np.uint16], limit: int, what: str) -> None:
    if numbers.size and int(numbers.max()) >= limit:
        reader.named(what).fail(offset, f"indices below {limit}", int(numbers.max()))


def _read_strips(
    reader: Reader, offset: int, table: npt.NDArray[np.void], access: npt.NDArray[np.uint16], notes: Notes | None
) -> tuple[Strip, ...]:
    strips: list[Strip] = []
    total = 0
    for index, (count, scanline, start) in enumerate(table.tolist()):
        where = offset + index * _STRIP.itemsize
        if start + count > len(access):
            reader.named("strips").fail(where, f"at most {len(access)} access entries", start + count)
        reader.tolerate(
            start == total, notes, where, "the strips do not use the access list in order; writing lays it out again"
        )
        total += count
        strips.append(Strip(scanline, access[start : start + count]))
    reader.named("strips").check(
        total <= 2 * len(access) + 0xFFFF, offset, f"strips with about {len(access)} access entries", total
    )
    return tuple(strips)
