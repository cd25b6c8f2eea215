"""The floating-point rows and the products in place of quotients against the integer formulas they stand for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from formats.kernel import interpreted
from mapexplorer.gpu.interpolation import colors_x, coordinates_x, depths_x, factors_x
from mapexplorer.gpu.slopes import (
    EDGE_FIELDS,
    LEFT,
    edge_depth,
    edge_factor,
    edge_part,
    edge_value,
    set_up_edge,
)

CASES = 3000


@pytest.fixture(autouse=True)
def _interpreted() -> Iterator[None]:
    """Single functions have no code of their own."""
    with interpreted():
        yield


def factor(p: int, length: int, w0: int, w1: int, along_y: bool) -> int:
    if along_y:
        a, b, d, shift = w0 >> 1, (w0 + (w0 & ~w1 & 1)) >> 1, w1 >> 1, 9
    else:
        a, b, d, shift = w0, w0, w1, 8
    divisor = p * b + (length - p) * d
    return ((p * a << shift) & 0xFFFFFFFF) // divisor if divisor else 0


def attribute(v0: int, v1: int, p: int, length: int, w0: int, w1: int, along_y: bool) -> int:
    if v0 == v1 or length == 0:
        return v0
    shift, mask = (9, 0x7E) if along_y else (8, 0x7F)
    if w0 == w1 and w0 & mask == 0:
        return v0 + (v1 - v0) * p // length if v0 < v1 else v1 + (v0 - v1) * (length - p) // length
    f = factor(p, length, w0, w1, along_y)
    return v0 + ((v1 - v0) * f >> shift) if v0 < v1 else v1 + ((v0 - v1) * ((1 << shift) - f) >> shift)


def depth(z0: int, z1: int, p: int, length: int, w0: int, w1: int, along_y: bool, w_buffered: bool) -> int:
    if z0 == z1 or length == 0:
        return z0
    if w_buffered:
        shift = 9 if along_y else 8
        f = factor(p, length, w0, w1, along_y)
        return z0 + ((z1 - z0) * f >> shift) if z0 < z1 else z1 + ((z0 - z1) * ((1 << shift) - f) >> shift)
    d, q, r = abs(z1 - z0), p if z0 < z1 else length - p, 0x400000 // length
    if not along_y:
        return min(z0, z1) + ((d >> 9) * q * r >> 13)
    s = 0
    while d > 0x3FF:
        d, s = d >> 1, s + 1
    return min(z0, z1) + ((d * q * r >> 22) << s)


def _integers(generator: np.random.Generator, limit: int, count: int) -> list[int]:
    """Numbers below a limit of any magnitude, some of them equal."""
    values = [
        int(value) >> int(generator.integers(0, limit.bit_length())) for value in generator.integers(0, limit, count)
    ]
    if generator.random() < 0.2:
        values[1] = values[0]
    return values


def _weights(generator: np.random.Generator) -> list[int]:
    w = _integers(generator, 0x10000, 2)
    return [w[0] & ~0x7F] * 2 if generator.random() < 0.3 else w


def test_rows_of_pixels() -> None:
    generator = np.random.default_rng(1)
    row = np.zeros((3, 256), np.int32)
    factors = np.zeros(256)
    for case in range(CASES):
        length = int(generator.integers(1, 513 if case % 4 == 0 else 40))
        start = int(generator.integers(0, min(length, 256)))
        count = min(length, 256) - start
        w0, w1 = _weights(generator)
        z0, z1 = _integers(generator, 0x1000000, 2)
        positions = range(start, start + count)
        w_buffered = case % 2 == 1
        depths_x(row[0], start, count, length, z0, z1, w0, w1, w_buffered)
        assert row[0, :count].tolist() == [depth(z0, z1, p, length, w0, w1, False, w_buffered) for p in positions]

        row[0, :count] = positions
        whole = factors_x(row[0], factors, count, length, w0, w1)
        colors = [16 * value + 15 if value else 0 for value in _integers(generator, 32, 6)]
        colors_x(row[1], factors, count, whole, *colors)
        for channel in range(3):
            c0, c1 = colors[2 * channel : 2 * channel + 2]
            found = (row[1, :count] >> (8 * channel) & 0xFF).tolist()
            assert found == [attribute(c0, c1, p, length, w0, w1, False) >> 3 for p in positions]

        s0, s1, t0, t1 = (value - 0x8000 for value in _integers(generator, 0x10000, 4))
        coordinates_x(row[1], row[2], factors, count, whole, s0, s1, t0, t1)
        assert row[1, :count].tolist() == [attribute(s0, s1, p, length, w0, w1, False) for p in positions]
        assert row[2, :count].tolist() == [attribute(t0, t1, p, length, w0, w1, False) for p in positions]


def test_lines_of_edges() -> None:
    generator = np.random.default_rng(2)
    edge = np.zeros(EDGE_FIELDS, np.int64)
    corners = np.zeros((2, 16), np.int32)
    for case in range(CASES):
        length = int(generator.integers(0, 193))
        w0, w1 = _weights(generator)
        z0, z1 = _integers(generator, 0x1000000, 2)
        s0, s1 = (value - 0x8000 for value in _integers(generator, 0x10000, 2))
        corners[:, 7] = s0, s1
        corners[:, 10] = 0, length
        corners[:, 11] = z0, z1
        corners[:, 12] = w0, w1
        w_buffered = case % 2 == 1
        set_up_edge(edge, LEFT, 0, 1, corners, w_buffered)
        for p in {0, 1, length // 2, length - 1, length} if length > 1 else {0, length}:
            expected = [attribute(v0, v1, p, length, w0, w1, True) for v0, v1 in ((w0, w1), (s0, s1))]
            part_factor = edge_factor(edge, p)
            part = edge_part(edge, p, part_factor)
            assert [edge_value(edge, 0, part), edge_value(edge, 5, part)] == expected, (case, p)
            if length > 0:
                assert part_factor == factor(p, length, w0, w1, True)
                assert edge_depth(edge, p, part_factor, w_buffered) == depth(
                    z0, z1, p, length, w0, w1, True, w_buffered
                )
