"""The 2D engine: single rules with numbers, and random memories against a plain reading of the same rules by pixel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mapexplorer.gpu import Engine2D
from mapexplorer.gpu import registers_2d as reg

SIZES = {0: [(8, 8), (16, 16), (32, 32), (64, 64)], 1: [(16, 8), (32, 8), (32, 16), (64, 32)],
         2: [(8, 16), (8, 32), (16, 32), (32, 64)]}  # fmt: skip
EMPTY = np.zeros((192, 256, 4), np.uint8)
Color = tuple[int, int, int]


@pytest.fixture
def engine() -> Engine2D:
    result = Engine2D()
    result.oam[:, 0] = 1 << 9
    return result


def six(word: int) -> Color:
    return (word & 31) * 2, (word >> 5 & 31) * 2 + (word >> 15), (word >> 10 & 31) * 2


class Plain:
    """The engine's memories, read pixel by pixel as GBATEK describes it."""

    def __init__(self, engine: Engine2D, picture: npt.NDArray[np.uint8]) -> None:
        self.reg = engine.registers.tolist()
        self.vram, self.obj = engine.background.tolist(), engine.objects.tolist()
        self.palette, self.oam = engine.palette.tolist(), engine.oam.tolist()
        self.edges, self.picture = engine.edges.tolist(), picture

    def text(self, number: int, x: int, y: int) -> int | None:
        control = self.reg[reg.BG0CNT + number]
        x, y = x + self.reg[reg.BG0HOFS + 2 * number], y + self.reg[reg.BG0VOFS + 2 * number]
        wide, high = control >> 14 & 1, control >> 15
        screen = (x >> 8 & 1 if wide else 0) + (y >> 8 & 1) * (1 + wide) * high
        place = (control >> 8 & 31) * 0x800 + screen * 0x800 + (y >> 3 & 31) * 64 + (x >> 3 & 31) * 2
        entry = self.vram[place] | self.vram[place + 1] << 8
        left, top = (7 - x % 8 if entry >> 10 & 1 else x % 8), (7 - y % 8 if entry >> 11 & 1 else y % 8)
        start = (control >> 2 & 15) * 0x4000
        if control >> 7 & 1:
            color = self.vram[start + (entry & 1023) * 64 + top * 8 + left]
            return self.palette[color] if color else None
        color = self.vram[start + (entry & 1023) * 32 + top * 4 + left // 2] >> 4 * (left % 2) & 15
        return self.palette[(entry >> 12) * 16 + color] if color else None

    def affine(self, number: int, x: int, y: int) -> int | None:
        control = self.reg[reg.BG0CNT + number]
        pa, pb, pc, pd, from_x, from_y = self.reg[reg.BG2PA + 6 * (number - 2) :][:6]
        column, row = (from_x + pa * x + pb * y) // 256, (from_y + pc * x + pd * y) // 256
        size = 128 << (control >> 14 & 3)
        if control >> 13 & 1:
            column, row = column % size, row % size
        if not (0 <= column < size and 0 <= row < size):
            return None
        tile = self.vram[(control >> 8 & 31) * 0x800 + row // 8 * (size // 8) + column // 8]
        color = self.vram[(control >> 2 & 15) * 0x4000 + tile * 64 + row % 8 * 8 + column % 8]
        return self.palette[color] if color else None

    def sprite_pixel(self, index: int, x: int, y: int) -> int:
        a, b, c, _ = self.oam[index]
        mode, affine = a >> 10 & 3, a >> 8 & 1
        if a >> 14 == 3 or mode == 3 or (not affine and a >> 9 & 1):
            return 0
        width, height = SIZES[a >> 14][b >> 14]
        double = affine and a >> 9 & 1
        column, row = (x - b) % 512, (y - a) % 256
        if column >= width * (1 + double) or row >= height * (1 + double):
            return 0
        if affine:
            pa, pb, pc, pd = ((self.oam[4 * (b >> 9 & 31) + part][3] + 0x8000) % 0x10000 - 0x8000 for part in range(4))
            across, down = column - width * (1 + double) // 2, row - height * (1 + double) // 2
            column = (pa * across + pb * down) // 256 + width // 2
            row = (pc * across + pd * down) // 256 + height // 2
            if not (0 <= column < width and 0 <= row < height):
                return 0
        else:
            column, row = (width - 1 - column if b >> 12 & 1 else column), (height - 1 - row if b >> 13 & 1 else row)
        wide = a >> 13 & 1
        control = self.reg[reg.DISPCNT]
        if control & reg.ONE_DIMENSIONAL:
            place = (c & 1023) * (32 << (control >> 20 & 3)) + row // 8 * (width // 8) * 32 * (1 + wide)
        else:
            place = (c & 1023) * 32 + row // 8 * 1024
        place += column // 8 * 32 * (1 + wide)
        if wide:
            return int(self.obj[place + row % 8 * 8 + column % 8])
        color = self.obj[place + row % 8 * 4 + column % 8 // 2] >> 4 * (column % 2) & 15
        return (c >> 12) * 16 + color if color else 0

    def sprites(self, x: int, y: int) -> tuple[tuple[int, int, bool] | None, bool]:
        """Priority, colour word and whether it is translucent; whether the window of the sprites is here."""
        best: tuple[int, int, bool] | None = None
        window = False
        for index, (a, _, c, _) in enumerate(self.oam):
            color = self.sprite_pixel(index, x, y)
            if color and a >> 10 & 3 == 2:
                window = True
            elif color and (best is None or c >> 10 & 3 < best[0]):
                best = c >> 10 & 3, self.palette[256 + color], a >> 10 & 3 == 1
        return best, window

    def mask(self, x: int, y: int, sprite_window: bool) -> int:
        used = self.reg[reg.DISPCNT] >> 13 & 7
        for window in (0, 1):
            first, end = self.reg[reg.WIN0V + window] >> 8 & 255, self.reg[reg.WIN0V + window] & 255
            left, right = self.edges[window][y]
            if used >> window & 1 and self.inside(first, end, y) and self.inside(left, right, x):
                return int(self.reg[reg.WININ] >> 8 * window & 63)
        if used & 4 and sprite_window:
            return int(self.reg[reg.WINOUT] >> 8 & 63)
        return int(self.reg[reg.WINOUT] & 63) if used else 63

    @staticmethod
    def inside(first: int, end: int, place: int) -> bool:
        return first <= place < end if first <= end else place >= first or place < end

    def layers(self, x: int, y: int) -> Iterator[tuple[int, int, Color, int, bool]]:
        """Priority, layer, colour, alpha of the 3D layer (-1: another layer), whether a sprite is translucent."""
        control = self.reg[reg.DISPCNT]
        sprite, window = self.sprites(x, y) if control >> 12 & 1 else (None, False)
        mask = self.mask(x, y, window)
        if sprite is not None and mask >> 4 & 1:
            yield sprite[0], -1, six(sprite[1]), -1, sprite[2]
        for number in range(4):
            if not (control >> (8 + number) & 1 and mask >> number & 1):
                continue
            priority = self.reg[reg.BG0CNT + number] & 3
            if number == 0 and control & reg.SHOWS_3D:
                source = x + (self.reg[reg.BG0HOFS] + 256) % 512 - 256
                if 0 <= source < 256 and self.picture[y, source, 3]:
                    r, g, b, alpha = self.picture[y, source].tolist()
                    yield priority, number, (r, g, b), alpha, False
                continue
            mode = control & 7
            affine = (number == 2 and mode == 2) or (number == 3 and mode in (1, 2))
            word = self.affine(number, x, y) if affine else self.text(number, x, y)
            if word is not None:
                yield priority, number, six(word), -1, False

    def pixel(self, x: int, y: int) -> Color:
        control = self.reg[reg.DISPCNT]
        sprite_window = self.sprites(x, y)[1] if control >> 12 & 1 else False
        backdrop = (4, 5, six(self.palette[0]), -1, False)
        first, second, *_ = [
            *sorted(self.layers(x, y), key=lambda layer: layer[:2]),
            backdrop,
            (5, 9, (0, 0, 0), -1, False),
        ]
        blend = self.reg[reg.BLDCNT]
        eva, evb = min(16, self.reg[reg.BLDALPHA] & 31), min(16, self.reg[reg.BLDALPHA] >> 8 & 31)
        bits = [1 << (4 if layer[1] < 0 else layer[1]) for layer in (first, second)]
        target = blend >> 8 & 63 & bits[1]
        if target and first[3] >= 0 and not first[4]:
            alpha = first[3]
            if alpha == 31:
                return first[2]
            return self.mixed(first[2], second[2], alpha + 1, 31 - alpha, 32)
        effect = self.mask(x, y, sprite_window) >> 5 & 1
        if target and (first[4] or (effect and blend >> 6 & 3 == 1 and blend & 63 & bits[0])):
            return self.mixed(first[2], second[2], eva, evb, 16)
        return first[2]

    @staticmethod
    def mixed(a: Color, b: Color, weight: int, other: int, whole: int) -> Color:
        red, green, blue = (min(63, (p * weight + q * other + whole // 2) // whole) for p, q in zip(a, b, strict=True))
        return red, green, blue


def fill(engine: Engine2D, source: np.random.Generator, mode: int) -> npt.NDArray[np.uint8]:
    """Random memories, many pixels transparent; the 3D picture."""
    for memory in (engine.background, engine.objects):
        memory[:] = source.integers(0, 256, memory.size) * (source.random(memory.size) < 0.4)
    engine.palette[:] = source.integers(0, 1 << 16, engine.palette.size)
    engine.oam[:] = source.integers(0, 1 << 16, engine.oam.shape)
    engine.oam[:, 3] = source.integers(-700, 700, 128).astype(np.uint16)
    engine.oam[source.random(128) < 0.8, 0] = 1 << 9
    engine.edges[:] = source.integers(0, 256, engine.edges.shape)
    registers = engine.registers
    windows = int(source.integers(0, 8)) * int(source.integers(0, 2))
    bits = int(source.integers(0, 1 << 5)) & 0x18 | int(source.integers(0, 4)) << 20
    registers[reg.DISPCNT] = mode | bits | 0x1F00 | windows << reg.WINDOW_SHOWN
    registers[reg.BG0CNT : reg.BG0CNT + 4] = source.integers(0, 1 << 16, 4)
    registers[reg.BG0HOFS : reg.BG0HOFS + 8] = source.integers(0, 512, 8)
    registers[reg.BG2PA : reg.BG2PA + 12] = source.integers(-600, 600, 12)
    registers[reg.BG2PA + 4 : reg.BG2PA + 6] = source.integers(-1 << 16, 1 << 16, 2)
    registers[reg.WIN0V : reg.WIN0V + 4] = source.integers(0, 1 << 16, 4)
    registers[reg.BLDCNT] = source.integers(0, 1 << 14) & ~0x80 | 0x40
    registers[reg.BLDALPHA] = source.integers(0, 1 << 13)
    picture = source.integers(0, 64, (192, 256, 4)).astype(np.uint8)
    picture[..., 3] = np.where(source.random((192, 256)) < 0.3, 0, picture[..., 3] >> 1)
    return picture


@pytest.mark.parametrize("seed", range(24))
def test_random_memories_by_pixel(seed: int) -> None:
    source = np.random.default_rng(seed)
    engine = Engine2D()
    picture = fill(engine, source, seed % 3)
    shown = engine.compose(picture)
    plain = Plain(engine, picture)
    for x, y in source.integers(0, (256, 192), (120, 2)).tolist():
        assert tuple(shown[y, x].tolist()) == (*plain.pixel(x, y), 31), (x, y)
    assert len(np.unique(shown.reshape(-1, 4), axis=0)) > 100


def copy_of(engine: Engine2D) -> Engine2D:
    """An engine with the same memory that has composed nothing yet."""
    made = Engine2D()
    for name in ("registers", "background", "objects", "palette", "oam", "edges"):
        getattr(made, name)[:] = getattr(engine, name)
    return made


@pytest.mark.parametrize("colors", [0, reg.COLORS_256])
def test_a_background_that_stays_is_moved_and_follows_its_memory(colors: int) -> None:
    source = np.random.default_rng(colors)
    engine = Engine2D()
    picture = fill(engine, source, 0)
    control = colors | 1 << 2 | 3 << 8  # tiles at 0x4000, map at 0x1800
    engine.registers[reg.DISPCNT] = reg.SHOWS_3D | 0b101 << reg.SHOWN
    engine.registers[reg.BG0CNT + 2] = control
    before = engine.compose(picture)
    tile = int(engine.background[0x1800]) | (int(engine.background[0x1801]) & 3) << 8
    changes: list[tuple[npt.NDArray[Any], int, int]] = [
        (engine.registers, reg.BG0CNT + 2, control),
        (engine.background, 0x4000 + tile * (64 if colors else 32), 0x77),
        (engine.background, 0x1800 + 2 * 33, 0x55),
        (engine.palette, 0x55, 0x1234),
        (engine.palette, 0, 0x4321),
        (engine.registers, reg.BG0CNT + 2, control ^ reg.COLORS_256),
        (engine.registers, reg.BG0CNT + 2, control | 1 << 14),
        (engine.registers, reg.BG0CNT + 2, control | 31 << 8),
        (engine.registers, reg.BG0CNT + 2, control),
    ]
    for memory, place, value in changes:
        memory[place] = value
        for _ in range(3):
            engine.registers[reg.BG0HOFS + 4 : reg.BG0HOFS + 6] = source.integers(0, 512, 2)
            shown = engine.compose(picture)
            assert np.array_equal(shown, copy_of(engine).compose(picture)), (place, value)
            assert not np.array_equal(shown, before)
            before = shown


def three_d(color: Color, alpha: int) -> npt.NDArray[np.uint8]:
    picture = EMPTY.copy()
    picture[...] = (*color, alpha)
    return picture


def show_plane(engine: Engine2D, word: int, priority: int) -> None:
    """BG2 is a plane of one colour over or under the 3D layer, whose priority is 1."""
    engine.registers[reg.DISPCNT] = reg.SHOWS_3D | 5 << reg.SHOWN
    engine.registers[reg.BG0CNT] = 1
    engine.registers[reg.BG0CNT + 2] = priority | 1 << 2
    engine.background[0x4000:0x4020] = 0x11
    engine.palette[1] = word


@pytest.mark.parametrize(
    ("alpha", "targets", "expected"),
    [(31, 0x3F00, (50, 2, 0)), (15, 0x3F00, (30, 6, 10)), (15, 0x0000, (50, 2, 0)), (0, 0x3F00, (10, 10, 20))],
)
def test_the_alpha_of_the_3d_layer(engine: Engine2D, alpha: int, targets: int, expected: Color) -> None:
    """c * (a + 1) + d * (31 - a), rounded, over 32, whatever the effect is, if what is below is a second target."""
    show_plane(engine, 5 | 5 << 5 | 10 << 10, 2)
    engine.registers[reg.BLDCNT] = targets
    assert tuple(engine.compose(three_d((50, 2, 0), alpha))[100, 100]) == (*expected, 31)


@pytest.mark.parametrize(
    ("weights", "expected"), [((9, 7), (61, 47, 19)), ((16, 31), (63, 63, 35)), ((0, 16), (60, 30, 3))]
)
def test_blending_of_a_background(engine: Engine2D, weights: tuple[int, int], expected: Color) -> None:
    show_plane(engine, 31 | 30 << 5 | 16 << 10, 0)
    engine.registers[reg.BLDCNT] = 0x2144
    engine.registers[reg.BLDALPHA] = weights[0] | weights[1] << 8
    assert tuple(engine.compose(three_d((60, 30, 3), 31))[0, 0]) == (*expected, 31)
    engine.registers[reg.BLDCNT] = 0x2104
    assert tuple(engine.compose(three_d((60, 30, 3), 31))[0, 0]) == (62, 60, 32, 31)


def test_bit_15_is_the_lowest_bit_of_green(engine: Engine2D) -> None:
    engine.palette[0] = 0x8000 | 3 << 5
    assert tuple(engine.compose(EMPTY)[0, 0]) == (0, 7, 0, 31)


def test_sprites_wrap_at_the_bottom_and_stop_at_the_right(engine: Engine2D) -> None:
    engine.registers[reg.DISPCNT] = 1 << reg.SHOWN + reg.OBJ | reg.ONE_DIMENSIONAL
    engine.objects[:] = 0x11
    engine.palette[reg.OBJECT_PALETTE + 1] = 31
    engine.oam[0] = (252, 0x1FC, 0, 0)
    red = engine.compose(EMPTY)[..., 0] > 0
    assert np.argwhere(red).tolist() == [[y, x] for y in range(4) for x in range(4)]


def test_a_picture_of_another_shape_is_refused(engine: Engine2D) -> None:
    for picture in (EMPTY[1:], EMPTY[..., :3], EMPTY.astype(np.int64)):
        with pytest.raises(TypeError):
            engine.compose(picture)


def values(engine: Engine2D) -> list[Any]:
    return [
        memory.copy() for memory in (engine.registers, engine.background, engine.objects, engine.palette, engine.oam)
    ]


def test_composing_changes_no_memory() -> None:
    engine = Engine2D()
    picture = fill(engine, np.random.default_rng(5), 0)
    before = values(engine)
    first = engine.compose(picture)
    assert np.array_equal(engine.compose(picture), first)
    assert all(np.array_equal(a, b) for a, b in zip(before, values(engine), strict=True))
