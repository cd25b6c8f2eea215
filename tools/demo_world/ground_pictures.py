"""Pictures of the ground outdoors: what is walked on, and the walls between heights."""

from __future__ import annotations

import numpy as np

from tools.demo_world.paint import blank, frame, levels, noise, places, smooth, stamp
from tools.demo_world.picture import (
    A3I5,
    COLORS_4,
    COLORS_16,
    COLORS_256,
    COMPRESSED_4X4,
    Indices,
    Picture,
    from_rows,
    ramp,
)

GRASS = ramp("#3f8f4c", "#56a858", "#68b862", "#7cc66c", "#98d880")
EARTH = ramp("#a87c50", "#c49a66", "#d2ac76", "#dcbc88", "#ecd4a4")
STONE = ramp("#6c7080", "#888c98", "#9ca0a8", "#b0b4b8", "#c8ccc8")
SAND = ramp("#c8a468", "#dcc084", "#e8d09a", "#f0dcae", "#f8ecc8")
FLOOR = ramp("#24583c", "#2e6844", "#38784a", "#448852", "#5c9c5c")
ROCK = ramp("#4c4048", "#64545a", "#7c6a68", "#94827a", "#ac9c8c", "#c4b6a0")
BARK = ramp("#40281c", "#583828", "#704c34", "#886044")
WOOD = ramp("#5c3c2c", "#7c5436", "#966a44", "#b08456", "#c89e6c", "#dcb888")

_TUFT = from_rows(("d..d..", ".ld.l.", ".lldl.", "..ll.."), ".dl")
_FLOWER = from_rows((".hh..hh.", "hooh.hoo", ".hh..hh.", "..s..s..", ".ls.sl..", "..ls.s.."), ".hosl")


def grass() -> Indices:
    """Short grass: soft patches of two greens, and tufts; 0..4 dark to light."""
    image = levels(smooth(32, 32, 8, 3), 60, 190) + 1
    image = np.where(image == 3, 3, 2).astype(np.uint8)
    for x, y in ((3, 2), (20, 6), (10, 14), (26, 19), (1, 23), (15, 27)):
        stamp(image, np.array([255, 1, 4], np.uint8)[_TUFT], x, y, 255)
    for x, y in ((13, 4), (29, 11), (5, 17), (22, 25)):
        image[y, x] = image[y, (x + 1) % 32] = 1
    return image


def meadow() -> Indices:
    """Ground below tall grass: darker, with many blades; 0..4 dark to light."""
    x, y = places(32, 32)
    image = levels(smooth(32, 32, 4, 35), 150)
    blade = (x * 5 + y // 4 * 7) % 8 == 0
    return np.where(blade, 2 + (y % 4 < 2), image).astype(np.uint8)


def earth(seed: int) -> Indices:
    """Trodden ground with pebbles; 0..4 dark to light."""
    x, y = places(32, 32)
    image = levels(smooth(32, 32, 8, seed), 70, 176) + 1
    grain = noise(x, y, seed + 1)
    image = np.where(grain < 5, 1, np.where(grain > 250, 4, image)).astype(np.uint8)
    for px, py in ((4, 5), (19, 2), (27, 14), (10, 20), (22, 27)):
        image[py, px] = image[py, px + 1] = 4
        image[py + 1, px] = image[py + 1, px + 1] = 1
    return image


def cobbles() -> Indices:
    """Round paving stones in shifted rows; 0..4 dark to light."""
    image = blank(32, 32, 1)
    stone = from_rows((".mmmmmm.", "mllllmmm", "mlmmmmmd", "mmmmmmdd", "mmmmmddd", ".dddddd."), ".dml")
    for row in range(4):
        for column in range(4):
            tone = int(noise(np.array(column), np.array(row), 21)) % 3
            colors = np.array([255, 1 + (tone > 0), 2 + (tone > 1), 3 + (tone > 0)], np.uint8)
            stamp(image, colors[stone], 8 * column + 4 * (row % 2), 8 * row + 1, 255)
    image[image == 1] = 1
    x, y = places(32, 32)
    return np.where((image == 1) & (noise(x, y, 5) < 90), 0, image).astype(np.uint8)


def sand() -> Indices:
    """Rippled sand; 0..4 dark to light."""
    x, y = places(32, 32)
    wave = (y * 2 + smooth(32, 32, 16, 9) // 24 + np.abs(x % 16 - 8)) % 16
    image = np.where(wave < 2, 3, np.where(wave == 9, 1, 2))
    grain = noise(x, y, 17)
    return np.where(grain < 6, 0, np.where(grain > 249, 4, image)).astype(np.uint8)


def forest_floor() -> Indices:
    """Needles and moss under trees; 0..4 dark to light."""
    x, y = places(32, 32)
    image = levels(smooth(32, 32, 8, 31), 80, 180)
    grain = noise(x, y, 33)
    return np.where(grain > 240, 3, np.where(grain > 225, image + 1, image)).astype(np.uint8)


def flower_bed(turn: int) -> Indices:
    """Grass with two flowers that lean by `turn` (-1, 0, 1) pixels; 0..4 grass, 5..8 flower and stem."""
    image = grass()[:16, :16].copy()
    for place, (x, y) in enumerate(((0, 1), (8, 8))):
        flower = np.array([255, 5, 6, 1, 0], np.uint8)[_FLOWER]
        for row in range(flower.shape[0]):
            lean = turn * (1 if place == 0 else -1) if row < 3 else 0
            stamp(image, flower[row : row + 1], x + lean, y + row, 255)
    return image


def swaying_flowers(step: int) -> Indices:
    """The animated kind: yellow bells; 0..4 grass, 5..7 petals dark to light."""
    image = grass()[16:, 16:].copy()
    bell = from_rows((".hm.", "hhmm", "hmmd", ".dd.", ".s..", ".ss.", "..s."), ".dmhs")
    colors = np.array([255, 5, 6, 7, 0], np.uint8)[bell]
    for x, y, phase in ((1, 0, 0), (9, 2, 1), (5, 8, 2), (12, 9, 3)):
        lean = (0, 1, 0, -1)[(step + phase) % 4]
        for row in range(colors.shape[0]):
            stamp(image, colors[row : row + 1], x + (lean if row < 4 else 0), y + row, 255)
    return image


def grass_blades(tall: bool) -> Indices:
    """Blades standing upright, 0 clear; 1..4 dark to light."""
    height = 32 if tall else 16
    image = blank(32, height)
    for number in range(26 if tall else 20):
        x = number * 13 % 32
        reach = 7 + number * 7 % 8 if not tall else 14 + number * 11 % 17
        lean = (number * 5 % 3) - 1
        for y in range(reach):
            column = (x + (lean * y * 2) // reach) % 32
            shade = 1 if y < reach // 4 else 2 if y < reach // 2 else 3 if y < reach - 2 else 4
            image[height - 1 - y, column] = shade
            if y < reach * 2 // 3:
                image[height - 1 - y, (column + 1) % 32] = max(1, shade - 1)
    return image


def stairs() -> Indices:
    """Stone steps, two a tile, each with a lit edge; 0..4 dark to light."""
    image = blank(16, 16, 2)
    for top in (0, 4, 8, 12):
        image[top] = 4
        image[top + 1] = 3
        image[top + 3] = 0
    x, y = places(16, 16)
    grain = noise(x, y, 3) < 20
    image[grain & (image == 3)] = 2
    image[:, 0] = image[:, 15] = 1
    return image


def planks(down: bool) -> Indices:
    """Boards of a bridge, across (`down` False: their length runs north to south); 0..5 dark to light."""
    image = blank(16, 16, 3)
    for board in range(4):
        left = 4 * board
        image[:, left : left + 4] = 3 + (board * 7 % 3 == 1)
        image[:, left] = 0 if board % 2 else 1
        image[:, left + 1] = 5 if board == 2 else 4
        grain = 3 + board * 5 % 9
        image[grain : grain + 3, left + 2] = 2
    image[1, 2::4] = image[14, 2::4] = 0
    return image.T.copy() if down else image


def rock(width: int, height: int, seed: int) -> Indices:
    """A rock face lit from the upper left; 0..5 dark to light."""
    bulk = smooth(width, height, 8, seed, 16) * 3 + smooth(width, height, 4, seed + 1, 8)
    bulk = bulk + smooth(width, height, 16, seed + 2, 4)
    below = np.roll(np.roll(bulk, -1, 0), -1, 1)
    crack = smooth(width, height, 4, seed + 3, 16)
    image = levels(bulk - below, -62, -26, 2, 30, 66)
    return np.where((crack > 196) & (image > 0), image - 1, image).astype(np.uint8)


def cliff() -> Indices:
    """A rock wall 64 high with a grassy lip; 0..5 rock dark to light, 6..8 grass dark to light."""
    x, y = places(32, 64)
    image = rock(32, 64, 8)
    image = np.where((y % 16 == 15) & (image > 0), image - 1, image)
    lip = np.array([5, 6, 4, 5, 7, 6, 5, 4, 6, 7, 5, 4, 5, 6, 4, 5] * 2)
    image = np.where(y < lip[x] + 2, np.minimum(image, 1), image)
    image = np.where(y <= lip[x], 6, image)
    image = np.where(y < lip[x] - 1, 7, image)
    return np.where(y < 2, 8, image).astype(np.uint8)


def bank() -> Indices:
    """A low wall of fitted stones at the water; 0..3 dark to light."""
    image = blank(32, 32, 2)
    for row in range(4):
        left = 0
        widths = ((9, 7, 8, 8), (6, 10, 8, 8), (8, 8, 6, 10), (10, 6, 9, 7))[row]
        for width in widths:
            block = blank(width, 8, 2)
            block[0, :] = 3
            block[7, :] = 0
            block[:, 0] = 3 if width > 7 else 2
            block[:, width - 1] = 0
            block[6, 1 : width - 1] = 1
            stamp(image, block, left + 3 * row, 8 * row, 255)
            left += width
    return image


def water(step: int) -> tuple[Indices, Indices]:
    """Rippling water, step 0..7 of a cycle: indices 0..6 deep to bright, and alphas 0..31."""
    x, y = places(32, 32)
    near = smooth(32, 32, 16, 51, 4)
    far = smooth(32, 32, 8, 53, 4)
    height = near[y, (x + 4 * step) % 32] + far[(y + 2 * (step // 2)) % 32, (31 - x + 4 * step) % 32]
    slope = height - height[(y + 1) % 32, x]
    image = levels(height + slope, 130, 200, 260, 350, 420)
    glint = (np.abs(slope) < 5) & (height > 330) & (noise(x // 3, y, 52 + step // 2) > 216)
    image = np.where(glint, 6, image).astype(np.uint8)
    alphas = np.where(image >= 5, 27, np.where(image <= 1, 22, 24)).astype(np.uint8)
    return image, alphas


WATER = ramp("#2858a0", "#3068b0", "#3878c0", "#4888cc", "#64a0d8", "#90c4e8", "#e0f4fc")


def tree_row() -> Indices:
    """A dense row of firs, 64 wide and 64 high, 0 clear; 1..5 needles dark to light, 6..7 trunk."""
    image = blank(64, 64)
    for left, height, tone in ((0, 58, 0), (32, 60, 0), (16, 54, 1), (48, 52, 1)):
        middle = left + 16
        for row in range(height):
            y = 63 - row
            if row < 8:
                for offset in range(-2, 3):
                    image[y, (middle + offset) % 64] = 6 if offset < 1 else 7
                continue
            level = (row - 8) % 13
            reach = (height - row) * 15 // (height - 8) + 1 + (4 - level // 3)
            reach = min(reach, (height - row) * 2)
            for offset in range(-reach, reach + 1):
                ragged = int(noise(np.array(offset), np.array(row), 60 + left)) % 3
                if abs(offset) > reach - ragged and level % 2:
                    continue
                shade = 4 if offset < -reach // 3 else 3 if offset < reach // 3 else 2
                shade -= (level < 3) + tone
                if level > 10 and offset < 0:
                    shade += 1
                image[y, (middle + offset) % 64] = max(1, min(5, shade))
    return image


def cave_mouth() -> Indices:
    """Darkness with a rim of stones, 32 x 32, 0 clear; 1..2 darkness, 3..6 stones dark to light."""
    x, y = places(32, 32)
    across = 2 * x - 31
    arch = across * across + np.maximum(0, 24 - 2 * y) ** 2 * 2
    inside = (arch < 23 * 23) | ((y >= 12) & (np.abs(across) < 23))
    rim = (arch < 31 * 31) | ((y >= 12) & (np.abs(across) < 31))
    stones = 3 + noise(x // 4 + y // 4 % 2, y // 4, 70) % 3
    stones = np.where((x + 2 * (y // 4 % 2)) % 4 == 3, 3, np.where(y % 4 == 0, 6, stones))
    image = np.where(inside, np.where(y < 18, 1, 2), np.where(rim, stones, 0))
    return image.astype(np.uint8)


def warp_panel() -> Indices:
    """A stone slab with a glowing ring; 0..4 stone dark to light, 5..8 glow dark to light."""
    x, y = places(16, 16)
    image = blank(16, 16, 2)
    frame(image, 0, 0, 16, 16, 0)
    frame(image, 1, 1, 14, 14, 3)
    radius = (2 * x - 15) ** 2 + (2 * y - 15) ** 2
    image = np.where(radius < 145, 5, image)
    image = np.where((radius < 120) & (radius > 50), 7, image)
    image = np.where((radius < 95) & (radius > 70), 8, image)
    image = np.where(radius <= 50, 6, image)
    return image.astype(np.uint8)


def bark() -> Indices:
    """Bark or a dark beam, 16 x 16; 0..3 dark to light."""
    grain = smooth(16, 16, 2, 85, 8)
    return levels(grain, 60, 130, 200)


def rail() -> Indices:
    """A railing: two posts and two bars, 16 x 16, 0 clear; 1..3 wood dark to light."""
    image = blank(16, 16)
    for top in (3, 9):
        image[top : top + 3] = 2
        image[top] = 3
        image[top + 2] = 1
    image[1:, 2:5] = 2
    image[1:, 2] = 3
    image[1:, 4] = 1
    image[1, 2:5] = 3
    return image


def ground_pictures() -> list[Picture]:
    """The pictures of the outdoor ground, without edge tiles and animation frames."""
    flowers = (*GRASS, *ramp("#e86c80", "#fcd8dc", "#b84868"))
    first, alphas = water(0)
    blades = ramp("#000000", "#2c7a40", "#40944c", "#5cb05c", "#88cc70")
    needles = ramp("#000000", "#1c4838", "#265a40", "#326c48", "#408052", "#58985c", "#4c3428", "#6c4c38")
    return [
        Picture("grass", COLORS_16, grass(), GRASS),
        Picture("path", COLORS_16, earth(11), EARTH),
        Picture("cobbles", COLORS_16, cobbles(), STONE),
        Picture("sand", COLORS_16, sand(), SAND),
        Picture("forest", COLORS_16, forest_floor(), FLOOR),
        Picture("garden", COLORS_16, flower_bed(0), flowers),
        Picture("bells", COLORS_16, swaying_flowers(0), BELLS),
        Picture("blades", COLORS_16, grass_blades(False), blades, clear=True),
        Picture("blades_tall", COLORS_16, grass_blades(True), blades, clear=True, palette_name="blades_pl"),
        Picture("stairs", COLORS_16, stairs(), STONE, palette_name="cobbles_pl"),
        Picture("planks", COLORS_16, planks(False), WOOD),
        Picture("planks_down", COLORS_16, planks(True), WOOD, palette_name="planks_pl"),
        Picture("cliff", COMPRESSED_4X4, cliff(), (*ROCK, *ramp("#3f8f4c", "#68b862", "#7cc66c"))),
        Picture("bank", COLORS_4, bank(), ramp("#54586c", "#74788c", "#9098a4", "#b4bcc0")),
        Picture("water", A3I5, first, WATER, alphas=alphas),
        Picture("meadow", COLORS_16, meadow(), GRASS, palette_name="grass_pl"),
        Picture("bed", COLORS_16, earth(61), ramp("#2c5878", "#3c7088", "#508898", "#68a0a4", "#88b8b0")),
        Picture("bark", COLORS_4, bark(), BARK),
        Picture("rail", COLORS_16, rail(), ramp("#000000", "#5c3c2c", "#966a44", "#c89e6c"), clear=True),
        Picture("trees", COLORS_256, tree_row(), needles, clear=True),
        Picture("cave_mouth", COLORS_16, cave_mouth(), CAVE_MOUTH, clear=True),
        Picture("panel", COLORS_16, warp_panel(), (*STONE, *ramp("#285c8c", "#3c8cb8", "#68c8e0", "#d0fcfc"))),
    ]


BELLS = (*GRASS, *ramp("#d08c28", "#f0c040", "#fcf0a0"))
CAVE_MOUTH = ramp("#000000", "#0c0a14", "#181420", "#4c4048", "#7c6a68", "#94827a", "#ac9c8c")


def animated_grounds() -> dict[str, tuple[list[Picture], tuple[tuple[int, int], ...]]]:
    """Ground pictures that move: name -> the pictures of the frames, and (frame, duration) steps.

    The frames are listed as text sorts their names, because that is what the steps count in.
    """
    waters = []
    for step in range(8):
        image, alphas = water(step)
        waters.append(Picture(f"water.{step + 1}", A3I5, image, WATER, alphas=alphas))
    bells = [Picture(f"bells.{step + 1}", COLORS_16, swaying_flowers(step), BELLS) for step in range(4)]
    cycle = tuple((step, 7) for step in range(8))
    return {
        "water": (waters, cycle),
        "bells": (bells, ((0, 14), (1, 14), (2, 14), (3, 14))),
    }
