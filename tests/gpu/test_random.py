"""Random command lists, sensible and hostile: the engine draws something within its limits, and the same again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from formats.nds import gx
from mapexplorer.gpu import Engine

Words = list[int]

COMMANDS = sorted(gx.PARAMETERS)
VERTEX_COMMANDS = [gx.VTX_16, gx.VTX_10, gx.VTX_XY, gx.VTX_XZ, gx.VTX_YZ, gx.VTX_DIFF]
EXTREMES = [0, 1, 0xFFF, 0x1000, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFF000, 0xFFFFFFFF]


def _words(generator: np.random.Generator, count: int) -> Words:
    return [int(value) for value in generator.integers(0, 1 << 32, count, dtype=np.uint64)]


def random_registers(generator: np.random.Generator) -> npt.NDArray[np.uint32]:
    """Any registers; half of the time with a moderate clear depth, so that something passes."""
    registers = np.array(_words(generator, 88), np.uint32)
    registers[0] &= int(generator.integers(0, 1 << 16))
    if generator.random() < 0.5:
        registers[3] = 0x7FFF
        registers[1] = 0
    return registers


def _matrix(generator: np.random.Generator) -> Words:
    """A perspective, orthographic or slightly turned matrix."""
    m = np.eye(4)
    kind = generator.integers(3)
    if kind == 0:
        m[2, 3] = -1
        m[3, 3] = 0
        m[2, 2] = -1.01
        m[3, 2] = -0.2
    elif kind == 1:
        m[:3, :3] += generator.normal(0, 0.3, (3, 3))
    m[3, :3] += generator.normal(0, 0.7, 3)
    return [int(value) & 0xFFFFFFFF for value in (m * 4096).ravel()]


def _vertex(generator: np.random.Generator) -> Words:
    command = int(generator.choice(VERTEX_COMMANDS))
    if command == gx.VTX_16:
        x, y, z = (int(value) & 0xFFFF for value in generator.normal(0, 4000, 3))
        return [command, x | y << 16, z]
    return [command, *_words(generator, 1)]


def sensible_list(generator: np.random.Generator) -> Words:
    """Matrices, lights, a few primitives with random attributes and textures, sometimes several frames."""
    words: Words = [gx.VIEWPORT, 0xBFFF0000 if generator.random() < 0.8 else _words(generator, 1)[0]]
    for mode in (0, 2):
        words += [gx.MTX_MODE, mode, gx.MTX_LOAD_4X4, *_matrix(generator)]
    for light in range(4):
        vector, color = _words(generator, 2)
        words += [gx.LIGHT_VECTOR, vector & 0x3FFFFFFF | light << 30, gx.LIGHT_COLOR, color & 0x7FFF | light << 30]
    for _ in range(int(generator.integers(1, 8))):
        attribute, texture, palette, material, shine = _words(generator, 5)
        words += [gx.POLYGON_ATTR, attribute | 0xC0, gx.TEXIMAGE_PARAM, texture, gx.PLTT_BASE, palette]
        words += [gx.DIF_AMB, material, gx.SPE_EMI, shine, gx.BEGIN_VTXS, int(generator.integers(4))]
        for _ in range(int(generator.integers(3, 16))):
            normal, coordinate, color = _words(generator, 3)
            words += [
                *((gx.NORMAL, normal) if generator.random() < 0.3 else (gx.COLOR, color)),
                *[gx.TEXCOORD, coordinate],
                *_vertex(generator),
            ]
        if generator.random() < 0.1:
            words += [gx.SWAP_BUFFERS, int(generator.integers(4))]
    return [*words, gx.SWAP_BUFFERS, int(generator.integers(4))]


def hostile_list(generator: np.random.Generator) -> Words:
    """Commands in any order with any parameters, numbers that are no commands, ends inside a command."""
    words: Words = [gx.VIEWPORT, 0xBFFF0000] if generator.random() < 0.5 else []
    attribute, texture = _words(generator, 2)
    words += [gx.POLYGON_ATTR, attribute | 0xC0, gx.TEXIMAGE_PARAM, texture, gx.BEGIN_VTXS, int(generator.integers(4))]
    for _ in range(int(generator.integers(1, 120))):
        chance = generator.random()
        command = int(generator.choice(VERTEX_COMMANDS if chance < 0.5 else COMMANDS))
        if command == gx.SWAP_BUFFERS and generator.random() < 0.7:
            continue
        count = gx.PARAMETERS[command]
        parameters = _words(generator, count)
        if generator.random() < 0.3:
            parameters = [int(value) for value in generator.choice(EXTREMES, count)]
        words += [command, *parameters]
        if generator.random() < 0.02:
            words += _words(generator, 1)
    words += [gx.SWAP_BUFFERS, int(generator.integers(4))]
    if generator.random() < 0.3:
        words = words[: int(generator.integers(1, len(words) + 1))]
    return words


def _check(first: int, count: int) -> None:
    memory = np.random.default_rng(first).integers(0, 256, 0xA0000, dtype=np.uint8)
    engine = Engine()
    engine.load_texture_vram(memory[:0x80000])
    engine.load_palette_vram(memory[0x80000:])
    drawn = 0
    for seed in range(first, first + count):
        generator = np.random.default_rng(seed)
        registers = random_registers(generator)
        words = (sensible_list if seed % 2 else hostile_list)(generator)
        engine.load_registers(registers)
        engine.reset()
        frames = engine.execute(words)
        if frames == 0:
            continue
        picture = engine.picture
        assert picture[..., :3].max() <= 63, seed
        assert picture[..., 3].max() <= 31, seed
        assert engine.depth.max() <= 0xFFFFFF, seed
        geometry = engine.geometry
        assert len(geometry.polygons) <= 2048, seed
        assert sorted(geometry.render_order) == list(range(len(geometry.polygons))), seed
        drawn += len(geometry.polygons) > 0
        if seed % 25 == 0:
            other = Engine()
            other.load_texture_vram(memory[:0x80000])
            other.load_palette_vram(memory[0x80000:])
            other.load_registers(registers)
            other.execute(words)
            assert np.array_equal(other.picture, picture), seed
    assert drawn > count // 4


def test_random_lists() -> None:
    _check(0, 400)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_twenty_thousand_random_lists() -> None:
    _check(1000, 20_000)


def test_a_full_polygon_list_and_many_swaps() -> None:
    """More polygons and vertices than fit are dropped and said; a long list of swaps ends."""
    engine = Engine()
    registers = np.zeros(88, np.uint32)
    registers[3] = 0x7FFF
    engine.load_registers(registers)
    strip = [gx.VIEWPORT, 0xBFFF0000, gx.POLYGON_ATTR, 0x1F00C0, gx.BEGIN_VTXS, gx.TRIANGLE_STRIP]
    for i in range(3000):
        strip += [gx.VTX_10, (i * 37) % 64 | (i * 53) % 64 << 10]
    assert engine.execute([*strip, *[gx.SWAP_BUFFERS, 0]]) == 1
    geometry = engine.geometry
    assert len(geometry.polygons) == 2048
    assert geometry.list_overflow
    assert geometry.stored_vertices <= 6144
    assert engine.execute([gx.SWAP_BUFFERS, 0] * 500) == 500
    assert len(engine.geometry.polygons) == 0
