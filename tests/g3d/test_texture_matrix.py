"""The texture matrix in its four modes: worked integers, and the same in plain numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from formats.nitro.model import TEXTURE_3DS_MAX, TEXTURE_MAYA, TEXTURE_SOFTIMAGE, TEXTURE_XSI
from mapexplorer.g3d.texture_matrix import TextureMatrix, texture_matrix

ONE = 4096


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (TEXTURE_MAYA, (7094, -2048, 2048, 1773, -1816064, 2500096)),
        (TEXTURE_SOFTIMAGE, (8192, 0, 0, 2048, -1048576, 262144)),
        (TEXTURE_3DS_MAX, (7094, 2048, -2048, 1773, 945920, 569216)),
        (TEXTURE_XSI, (7094, 2048, -2048, 1773, 1452032, 1890304)),
    ],
)
def test_worked_numbers(mode: int, expected: tuple[int, ...]) -> None:
    assert texture_matrix(mode, (32, 64), (8192, 2048), (2048, 3547), (1024, -512)) == expected


def apply(matrix: TextureMatrix, size: tuple[int, int], u: float, v: float) -> tuple[float, float]:
    s, t = u * size[0] * 16, v * size[1] * 16
    return (
        (s * matrix.m00 + t * matrix.m10 + matrix.m30) / ONE / 16 / size[0],
        (s * matrix.m01 + t * matrix.m11 + matrix.m31) / ONE / 16 / size[1],
    )


def plain(mode: int, u: float, v: float, s: tuple[float, float], angle: float, t: tuple[float, float]) -> tuple:
    c, n = math.cos(angle), math.sin(angle)
    if mode == TEXTURE_MAYA:
        return (
            s[0] * (c * u + n * v - (n + c - 1) / 2 - t[0]),
            s[1] * (-n * u + c * v + (n - c - 1) / 2 + t[1]) + 1,
        )
    if mode == TEXTURE_SOFTIMAGE:
        return s[0] * (u - t[0]), s[1] * (v - t[1])
    if mode == TEXTURE_3DS_MAX:
        a, b = u - 0.5 - t[0], v - 0.5 + t[1]
        return s[0] * (c * a - n * b) + 0.5, s[1] * (n * a + c * b) + 0.5
    y = 1 - v
    return s[0] * (c * (u - t[0]) + n * (y - t[1])), 1 - s[1] * (-n * (u - t[0]) + c * (y - t[1]))


@pytest.mark.parametrize("mode", [TEXTURE_MAYA, TEXTURE_SOFTIMAGE, TEXTURE_3DS_MAX, TEXTURE_XSI])
def test_agrees_with_plain_numbers(mode: int) -> None:
    rng = np.random.default_rng(mode)
    cases = 0
    for _ in range(300):
        width = int(rng.choice([8, 16, 32, 64, 128]))
        size = (width, width) if mode == TEXTURE_3DS_MAX else (width, int(rng.choice([8, 16, 32, 64])))
        scale = rng.uniform(0.25, 4, 2)
        angle = rng.uniform(-3, 3)
        move = rng.uniform(-1, 1, 2)
        fx = [tuple(round(x * ONE) for x in pair) for pair in (scale, (math.sin(angle), math.cos(angle)), move)]
        matrix = texture_matrix(mode, size, *fx)
        u, v = rng.uniform(0, 1, 2)
        assert apply(matrix, size, u, v) == pytest.approx(plain(mode, u, v, scale, angle, move), abs=0.02)
        cases += 1
    assert cases == 300


@pytest.mark.parametrize("mode", range(4))
def test_nothing_is_the_identity(mode: int) -> None:
    assert texture_matrix(mode, (32, 64)) == TextureMatrix()


def test_absent_parts_equal_neutral_ones() -> None:
    for mode in range(4):
        move = (1234, -777)
        assert texture_matrix(mode, (32, 16), None, None, move) == texture_matrix(
            mode, (32, 16), (ONE, ONE), (0, ONE), move
        )


def test_other_texture_size_multiplies_rows() -> None:
    one = texture_matrix(TEXTURE_MAYA, (32, 32), (8192, 8192), None, (100, 200))
    other = texture_matrix(TEXTURE_MAYA, (32, 32), (8192, 8192), None, (100, 200), (2 * ONE, ONE // 2))
    assert (other.m00, other.m30) == (2 * one.m00, 2 * one.m30)
    assert (other.m11, other.m31) == (one.m11 // 2, one.m31 // 2)


@pytest.mark.parametrize("mode", range(4))
def test_elements_wrap_as_words(mode: int) -> None:
    most = 0x7FFFFFFF
    matrix = texture_matrix(mode, (1024, 1024), (most, -most), (most, most), (most, most), (most, most))
    assert any(matrix) and all(-(1 << 31) <= value < 1 << 31 for value in matrix)


def test_words_have_no_depth() -> None:
    words = TextureMatrix(1, 2, 3, 4, 5, 6).words()
    assert words == (1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 5, 6, 0, ONE)
