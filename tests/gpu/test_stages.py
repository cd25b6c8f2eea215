"""Single stages against worked numbers of the hardware's arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from formats.kernel import interpreted
from mapexplorer.gpu import Engine, render_frame
from mapexplorer.gpu.buffers import FOG_DENSITIES, FRAME_SIZE
from mapexplorer.gpu.combine import decal, modulate
from mapexplorer.gpu.fog import fog_density, fog_distance
from mapexplorer.gpu.integers import color_of
from mapexplorer.gpu.interpolation import depths_x, factor_y, factors_x
from mapexplorer.gpu.plot import blend
from mapexplorer.gpu.slopes import (
    EDGE_FIELDS,
    INCREMENT,
    LEFT,
    RIGHT,
    VALUES,
    X_MAJOR,
    edge_coverage,
    edge_depth,
    edge_factor,
    edge_length,
    edge_part,
    edge_value,
    edge_x,
    set_up_edge,
)

UPWARD = {
    "x": [10, 11, 12, 14, 15, 16, 17, 18, 19, 21, 22],
    "first": [432, 274, 117, 826, 668, 511, 353, 196, 38, 747, 589],
}


@pytest.fixture(autouse=True)
def _interpreted() -> Iterator[None]:
    """Single functions have no code of their own."""
    with interpreted():
        yield


def _edge(
    x0: int,
    y0: int,
    x1: int,
    y1: int,
    side: int,
    w: tuple[int, int] = (0x1000, 0x1000),
    values: tuple[int, int] = (0, 0),
) -> np.ndarray:
    corners = np.zeros((2, 16), np.int32)
    corners[:, 9:11] = [[x0, y0], [x1, y1]]
    corners[:, 12] = w
    corners[:, 4] = corners[:, 11] = values
    edge = np.zeros(EDGE_FIELDS, np.int64)
    set_up_edge(edge, side, 0, 1, corners, False)
    return edge


@pytest.mark.parametrize(
    ("ends", "side", "increment", "xs", "lengths", "first", "step"),
    [
        ((10, 5, 23, 16), LEFT, 0x4BA2B, UPWARD["x"], [1, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1], UPWARD["first"], 866),
        (
            (10, 5, 23, 16),
            RIGHT,
            0x4BA2B,
            [10, 11, 13, 14, 15, 16, 17, 18, 20, 21, 22],
            [1, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1],
            UPWARD["first"],
            866,
        ),
        (
            (23, 5, 10, 16),
            LEFT,
            0x4BA2B,
            [22, 21, 19, 18, 17, 16, 15, 14, 12, 11, 10],
            [1, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1],
            [589, 747, 38, 196, 353, 511, 668, 826, 117, 274, 432],
            866,
        ),
        ((0, 0, 169, 33), LEFT, 0x147B9F, [0, 5, 10, 15, 20, 26], [5, 5, 5, 5, 6, 5], [99, 75, 51, 27, 2, 178], 199),
        (
            (10, 5, 4, 12),
            LEFT,
            0x36DB6,
            [9, 9, 8, 7, 6, 5, 4],
            [1] * 7,
            [32 * c for c in (13, 31, 31, 31, 27, 22, 18)],
            0,
        ),
        ((10, 5, 4, 12), RIGHT, 0x36DB6, [9, 9, 8, 7, 6, 5, 4], [1] * 7, [32 * c for c in (18, 0, 0, 0, 4, 9, 13)], 0),
        (
            (4, 0, 7, 10),
            RIGHT,
            0x13332,
            [4, 4, 4, 4, 5, 5, 5, 6, 6, 6],
            [1] * 10,
            [32 * c for c in (4, 14, 23, 31, 11, 20, 30, 7, 17, 27)],
            0,
        ),
        ((5, 0, 11, 6), LEFT, 0x40000, [5, 6, 7, 8, 9, 10], [1] * 6, [32 * 15] * 6, 0),
    ],
)
def test_edges(
    ends: tuple[int, int, int, int],
    side: int,
    increment: int,
    xs: list[int],
    lengths: list[int],
    first: list[int],
    step: int,
) -> None:
    edge = _edge(*ends, side)
    assert edge[INCREMENT] == increment
    assert edge[X_MAJOR] == (increment > 0x40000)
    lines = range(ends[1], ends[1] + len(xs))
    assert [edge_x(edge, y) for y in lines] == xs
    assert [edge_length(edge, y, False) for y in lines] == lengths
    assert [edge_coverage(edge, y, side, False) for y in lines] == [(value, step) for value in first]


def test_perspective_factors() -> None:
    assert factor_y(3, 10, 4097, 8190) == 90
    assert factor_y(3, 10, 8190, 4097) == 236
    assert factor_y(1, 3, 5, 4) == 146
    factors = np.zeros(1)
    assert factors_x(np.array([7], np.int32), factors, 1, 100, 4096, 65535) == 256
    assert factors.tolist() == [1]
    factors_x(np.array([50], np.int32), factors, 1, 100, 65535, 300)
    assert factors.tolist() == [254]


@pytest.mark.parametrize(
    ("w", "values", "expected"),
    [
        ((4097, 8190), (100, 500), 170),
        ((4097, 8190), (500, 100), 429),
        ((0x1000, 0x1000), (100, 500), 220),
        ((0x1000, 0x1000), (500, 100), 380),
    ],
)
def test_attributes_along_an_edge(w: tuple[int, int], values: tuple[int, int], expected: int) -> None:
    edge = _edge(0, 0, 0, 10, LEFT, w, values)
    assert edge[VALUES + 4] == values[0]
    assert edge_value(edge, 2, edge_part(edge, 3, edge_factor(edge, 3))) == expected


def test_depth_along_both_axes() -> None:
    def along_y(z0: int, z1: int, p: int, length: int) -> int:
        return int(edge_depth(_edge(0, 0, 0, length, LEFT, values=(z0, z1)), p, 0, False))

    def along_x(z0: int, z1: int) -> int:
        row = np.zeros(1, np.int32)
        depths_x(row, 3, 1, 10, z0, z1, 0x1000, 0x1000, False)
        return int(row[0])

    assert along_y(0x123456, 0x654321, 3, 10) == 0x2B1456
    assert along_y(0x654321, 0x123456, 3, 10) == 0x4C3456
    assert along_y(0x1000, 0x1234, 7, 13) == 0x112F
    assert along_x(0x123456, 0x654321) == 0x2B1EEE
    assert along_x(0x654321, 0x123456) == 0x4C57B8


def test_combination_and_blending() -> None:
    def mixed(kernel: object, texel: int, vertex: int, alpha: int) -> tuple[int, int]:
        colors = np.array([vertex], np.int32)
        assert callable(kernel)
        kernel(colors, np.array([texel], np.int32), 1, alpha)
        return int(colors[0]) & 63, int(colors[0]) >> 24

    assert mixed(modulate, 40 | 31 << 24, 63, 31) == (40, 31)
    assert mixed(modulate, 40 | 20 << 24, 20, 16) == (13, 11)
    assert mixed(decal, 40 | 16 << 24, 10, 31) == (24, 31)
    assert blend(50, 15, 10 | 31 << 24, True) & 63 == 30
    assert blend(50, 15, 10, True) == 50 | 15 << 24
    assert color_of(0) == 0
    assert color_of(1 | 31 << 5) == 3 | 63 << 8


def test_fog_density_between_two_entries() -> None:
    frame = np.zeros(FRAME_SIZE, np.int64)
    frame[FOG_DENSITIES] = 10 | 10 << 32
    frame[FOG_DENSITIES + 1] = 20 | -8 << 32
    assert fog_density(frame, fog_distance(0x8000 << 2, 0, 0)) == 12
    assert fog_density(frame, fog_distance((0x28000 << 2) + 9, 9, 0)) == 18
    assert fog_density(frame, fog_distance(5, 6, 0)) == 10


def test_the_farthest_fog_and_distances_beyond_32_bits() -> None:
    assert fog_distance(0xFFFFFF, 0, 10) == 32 << 17
    assert fog_distance(1 << 23, 0, 11) == 0


def _drawn(antialiasing: bool) -> np.ndarray:
    """The alpha of the opaque triangle (10,5) (23,16) (4,12) over a clear plane of alpha 0."""
    registers = np.zeros(88, np.uint32)
    registers[0] = 0x10 if antialiasing else 0
    registers[3] = 0x7FFF
    words = [0x60, 0xBFFF0000, 0x29, 0x1F00C0, 0x40, 0]
    for x, y in ((10, 5), (4, 12), (23, 16)):
        # The middle of a pixel in clip coordinates, so that rounding down meets it.
        cx = (2 * x + 1) * 4096 // 256 - 4096
        cy = 4096 - (2 * y + 1) * 4096 // 192
        words += [0x23, (cx & 0xFFFF) | (cy & 0xFFFF) << 16, 0]
    picture = render_frame([*words, 0x50, 0], registers, b"", b"")
    return picture[..., 3]


def test_pixels_of_a_triangle() -> None:
    alpha = _drawn(False)
    spans = {5: (9, 10), 6: (9, 11), 7: (8, 13), 8: (7, 14), 9: (6, 15), 10: (5, 16), 11: (4, 17)}
    spans |= {12: (9, 18), 13: (14, 20), 14: (18, 21)}
    expected = np.zeros((192, 256), np.uint8)
    for y, (first, last) in spans.items():
        expected[y, first : last + 1] = 31
    assert np.array_equal(alpha, expected)


def test_coverage_of_a_triangle() -> None:
    alpha = _drawn(True)
    assert alpha[5, 9:11].tolist() == [13, 18]
    assert alpha[7, 8:14].tolist() == [31, 31, 31, 31, 28, 1]
    assert alpha[11, 4:18].tolist() == [18, *[31] * 12, 20]
    assert alpha[12, 4:19].tolist() == [3, 10, 16, 23, 30, *[31] * 9, 25]
    assert alpha[13, 9:21].tolist() == [5, 11, 18, 25, *[31] * 6, 30, 3]
    assert alpha[15, 18:23].tolist() == [1, 8, 15, 21, 28]


def test_a_strip_goes_on_after_a_swap() -> None:
    """The predecessor's vertices stay usable when the list that held them has been handed over."""
    engine = Engine()
    registers = np.zeros(88, np.uint32)
    registers[3] = 0x7FFF
    engine.load_registers(registers)
    strip = [0x60, 0xBFFF0000, 0x29, 0x1F00C0, 0x40, 2, 0x20, 0x7FFF]
    points = [(-0.5, -0.5), (0.0, -0.5), (-0.5, 0.0), (0.0, 0.0)]
    vertices = [[0x23, int(x * 4096) & 0xFFFF | (int(y * 4096) & 0xFFFF) << 16, 0] for x, y in points]
    engine.execute([*strip, *vertices[0], *vertices[1], *vertices[2], 0x50, 0])
    first = engine.geometry
    engine.execute([*vertices[3], 0x50, 0])
    second = engine.geometry
    assert len(first.polygons) == len(second.polygons) == 1
    assert second.vertices[:, 9:11].tolist()[:2] == first.vertices[[2, 1], 9:11].tolist()
    assert second.stored_vertices == 1
