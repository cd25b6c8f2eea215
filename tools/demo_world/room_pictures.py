"""Pictures indoors and below ground: floors, walls, furniture, ice."""

from __future__ import annotations

import numpy as np

from tools.demo_world.ground_pictures import BARK, STONE, WOOD, bark, earth, planks, rail, rock, stairs, warp_panel
from tools.demo_world.paint import blank, frame, levels, noise, places, rectangle, smooth
from tools.demo_world.picture import A5I3, COLORS_4, COLORS_16, COMPRESSED_4X4, Indices, Picture, ramp
from tools.demo_world.prop_pictures import BOULDER, SHADOW, boulder, box_shadow, cloud_map, glow, lantern, shadow

BOARDS = ramp("#805838", "#986c44", "#a87c50", "#b88c5c", "#c89c6c")
RUG = ramp("#8c2c40", "#a83c4c", "#c45458", "#e8c070", "#f4e0b0")
CAVE = ramp("#40384c", "#50485c", "#60586a", "#706878", "#847c88")
CAVE_LEDGE = ramp("#585060", "#6c6270", "#7e7480", "#908690", "#a8a0a4")
CAVE_WALL = ramp("#2c2438", "#40364a", "#584c5c", "#706470", "#8c8088", "#a89ca0")
SNOW = ramp("#b8cce4", "#d0e0f0", "#e4eef8", "#f0f6fc", "#fcfcfc")
ICE = ramp("#70a4d8", "#88bce4", "#a0d0ec", "#c0e4f4", "#e8f8fc")
POOL = ramp("#244868", "#305c80", "#40749c", "#6098b8", "#a0d0e0")


def boards() -> Indices:
    """A floor of long boards, 32 x 32; 0..4 dark to light."""
    image = blank(32, 32, 3)
    for row in range(4):
        top = 8 * row
        tone = (2, 3, 2, 4)[row]
        image[top : top + 8] = tone - (tone == 4)
        image[top] = min(4, tone + 1)
        image[top + 7] = 0
        seam = (5, 21, 13, 29)[row]
        image[top : top + 7, seam] = 1
        image[top + 2 + row % 3, (seam + 8) % 32 : (seam + 8) % 32 + 9] = 1
        image[top + 4, (seam + 15) % 24 : (seam + 15) % 24 + 6] = tone - 1
    return image


def rug() -> Indices:
    """A woven rug without its border, 32 x 32; 0..4."""
    x, y = places(32, 32)
    diamond = (np.abs(x % 16 - 8) + np.abs(y % 16 - 8)) % 16
    image = np.where(diamond == 8, 3, np.where(diamond < 3, 4, np.where(diamond < 8, 2, 1)))
    return np.where((x + y) % 2 == 0, image, np.where(image < 3, np.maximum(image - 1, 0), image)).astype(np.uint8)


def wallpaper() -> Indices:
    """A papered wall over a wainscot, 32 x 48; 0..2 wood dark to light, 3..5 paper, 6 ornament."""
    x, y = places(32, 48)
    image = np.where(x % 8 < 4, 4, 5)
    sprig = (x % 16 == 8) & (y % 12 > 3) & (y % 12 < 9) | (np.abs(x % 16 - 8) == 1) & (y % 12 == 5)
    image = np.where(sprig & (y < 28), 6, image)
    image = np.where(y < 3, 1, np.where(y == 3, 0, image))
    image = np.where(y >= 30, np.where(x % 8 == 0, 0, np.where(x % 8 == 1, 2, 1)), image)
    image = np.where((y == 29) | (y == 30), 2, np.where((y == 31) | (y > 45), 0, image))
    return np.where(y == 28, 3, image).astype(np.uint8)


def kitchen() -> Indices:
    """Chequered tiles, 16 x 16; 0..3."""
    x, y = places(16, 16)
    image = np.where((x // 8 + y // 8) % 2 == 0, 3, 1)
    return np.where((x % 8 == 7) | (y % 8 == 7), np.maximum(image - 1, 0), image).astype(np.uint8)


def doormat() -> Indices:
    """A mat in the doorway, 16 x 16; 0..4."""
    image = blank(16, 16, 2)
    image[::2] = 1
    frame(image, 0, 0, 16, 16, 0)
    frame(image, 1, 1, 14, 14, 3)
    image[7:9, 4:12] = 4
    return image


def pool() -> Indices:
    """A still pool below ground, 32 x 32; 0..4."""
    image = levels(smooth(32, 32, 8, 121, 4) + smooth(32, 32, 16, 122, 8), 160, 240, 320, 400)
    return image.astype(np.uint8)


def snow() -> Indices:
    """Drifts, 32 x 32; 0..4."""
    x, y = places(32, 32)
    image = levels(smooth(32, 32, 16, 131, 8), 50, 110) + 2
    image = np.where(noise(x, y, 133) > 250, 4, image)
    return np.where(noise(x, y, 134) < 5, 1, np.minimum(image, 4)).astype(np.uint8)


def deep_snow() -> Indices:
    """Snow in which one sinks, 32 x 32: soft hollows; 0..4."""
    x, y = places(32, 32)
    hollow = (x % 16 - 8) ** 2 + 2 * (y % 16 - 8) ** 2
    image = np.where(hollow < 20, 1, np.where(hollow < 40, 2, 3))
    return np.where((hollow > 90), 4, image).astype(np.uint8)


def ice() -> Indices:
    """Polished ice with scratches, 32 x 32; 0..4."""
    x, y = places(32, 32)
    image = levels(smooth(32, 32, 16, 141), 90, 180) + 1
    band = (x + y) % 32
    image = np.where((band > 5) & (band < 10), image + 1, image)
    image = np.where((band == 13) & (x % 16 < 11), 4, image)
    return np.minimum(image, 4).astype(np.uint8)


def table_top() -> Indices:
    """A cloth on a table, 32 x 32; 0..1 wood, 2..4 cloth."""
    x, y = places(32, 32)
    image = np.where((x // 4 + y // 4) % 2 == 0, 3, 4)
    return np.where((x < 3) | (x > 28) | (y < 3) | (y > 28), 2, image).astype(np.uint8)


def quilt() -> Indices:
    """A bed from above, 32 x 64: pillow, sheet, patchwork; 0..6."""
    x, y = places(32, 64)
    image = 2 + (x // 8 + y // 8) % 3
    image = np.where((x % 8 == 0) | (y % 8 == 0), 1, image)
    image = np.where(y < 22, 6, image)
    image = np.where((y > 3) & (y < 17) & (x > 3) & (x < 28), 5, image)
    image = np.where((y == 17) & (x > 3) & (x < 28), 0, image)
    return np.where((x == 0) | (x == 31), 0, image).astype(np.uint8)


def books() -> Indices:
    """Two shelves of books, 32 x 32; 0..2 wood, 3..8 spines."""
    image = blank(32, 32, 0)
    for top in (1, 17):
        x = 2
        for number in range(9):
            width = 2 + (number * 5 + top) % 3
            high = 10 + (number * 7 + top) % 4
            if x + width > 30:
                break
            rectangle(image, x, top + 14 - high, width, high, 3 + (number * 3 + top) % 6)
            image[top + 14 - high + 2, x : x + width] = 2
            x += width
        image[top + 14] = 2
        image[top + 13 if top > 30 else top + 14] = 1
    frame(image, 0, 0, 32, 32, 1)
    return image


def television(step: int) -> Indices:
    """A set with a picture, 32 x 32; 0..2 cabinet, 3..6 screen."""
    x, y = places(32, 32)
    image = blank(32, 32, 1)
    frame(image, 0, 0, 32, 32, 0)
    rectangle(image, 3, 3, 22, 20, 0)
    inner = (x > 3) & (x < 24) & (y > 3) & (y < 22)
    if step == 0:
        shown = np.where(y > 15, 5, 3)
        shown = np.where((x - 10) ** 2 + (y - 13) ** 2 < 20, 6, shown)
    elif step == 1:
        shown = np.where(y > 15, 5, 3)
        shown = np.where((x - 17) ** 2 + (y - 11) ** 2 < 20, 6, shown)
    else:
        shown = 3 + noise(x // 2, y, 151) % 4
    image = np.where(inner, shown, image).astype(np.uint8)
    image[6:9, 27:30] = 2
    image[12:15, 27:30] = 2
    image[26:29, 4:25:2] = 2
    return image


def fire(step: int) -> Indices:
    """Flames, 32 x 32, 0 clear; 1..4 dark to bright."""
    x, y = places(32, 32)
    side = x if step == 0 else 31 - x
    tongues = np.array([9, 12, 17, 23, 27, 24, 18, 13, 15, 20, 25, 29, 26, 20, 14, 10])[side // 2]
    height = tongues * (16 - np.abs(x - 16)) // 14
    up = 31 - y
    image = np.where(up < height // 3, 4, np.where(up < height * 3 // 5, 3, np.where(up < height * 4 // 5, 2, 1)))
    return np.where(up < height, image, 0).astype(np.uint8)


def potted_plant() -> Indices:
    """A broad-leaved plant, 16 x 32, 0 clear; 1..4 leaves dark to light, 5..6 pot."""
    image = blank(16, 32)
    for stem, (lean, top) in enumerate(((-6, 6), (-3, 1), (0, 0), (3, 2), (6, 7), (-5, 13), (5, 12))):
        for step in range(24 - top):
            y = 23 - step
            x = 8 + lean * step // max(1, 23 - top)
            for wide in range(-1, 2):
                if 0 <= x + wide < 16:
                    image[y, x + wide] = max(1, min(4, 2 + stem % 3 - (wide > 0)))
    rectangle(image, 3, 23, 10, 9, 5)
    image[23, 2:14] = 6
    image[24, 2:14] = 5
    image[25:, 3:5] = 6
    return image


def room_pictures() -> list[Picture]:
    """All pictures of rooms, the cave and the ice cavern."""
    light, light_alphas = glow()
    dark, dark_alphas = shadow()
    square, square_alphas = box_shadow()
    screen = ramp("#2c2420", "#5c4838", "#a89878", "#203858", "#3868a0", "#78b860", "#f8e078")
    flames = ramp("#000000", "#a82820", "#e05820", "#f8a830", "#fcf0a0")
    return [
        Picture("boards", COLORS_16, boards(), BOARDS),
        Picture("rug", COLORS_16, rug(), RUG),
        Picture(
            "wallpaper",
            COLORS_16,
            np.vstack([wallpaper(), wallpaper()[:16]]),
            ramp("#583824", "#7c5434", "#a07850", "#b8a078", "#d8c8a0", "#e4d8b4", "#90a878"),
        ),
        Picture("kitchen", COLORS_4, kitchen(), ramp("#688890", "#8cb0b4", "#c0d4d0", "#e4f0e8")),
        Picture("doormat", COLORS_16, doormat(), ramp("#4c5830", "#687840", "#809050", "#a0b068", "#d8dca0")),
        Picture("cave_floor", COLORS_16, earth(111), CAVE),
        Picture("cave_ledge", COLORS_16, earth(111), CAVE_LEDGE),
        Picture("cave_wall", COMPRESSED_4X4, rock(32, 64, 115), CAVE_WALL),
        Picture("pool", COLORS_16, pool(), POOL),
        Picture("cave_stairs", COLORS_16, stairs(), CAVE, palette_name="cave_floor_pl"),
        Picture("snow", COLORS_16, snow(), SNOW),
        Picture("deep_snow", COLORS_16, deep_snow(), SNOW, palette_name="snow_pl"),
        Picture("ice", COLORS_16, ice(), ICE),
        Picture(
            "ice_wall",
            COMPRESSED_4X4,
            rock(32, 64, 145),
            ramp("#4878b0", "#6090c4", "#78a8d4", "#98c4e4", "#b8dcf0", "#e0f4fc"),
        ),
        Picture("panel", COLORS_16, warp_panel(), (*STONE, *ramp("#285c8c", "#3c8cb8", "#68c8e0", "#d0fcfc"))),
        Picture("bark", COLORS_4, bark(), BARK),
        Picture("planks", COLORS_16, boards()[:16, :16].copy(), WOOD[:5]),
        Picture("deck", COLORS_16, planks(False), WOOD),
        Picture("rail", COLORS_16, rail(), ramp("#000000", "#5c3c2c", "#966a44", "#c89e6c"), clear=True),
        Picture("cloth", COLORS_16, table_top(), ramp("#7c5436", "#b08456", "#c85c50", "#e8e0d0", "#f4b8a0")),
        Picture(
            "quilt",
            COLORS_16,
            quilt(),
            ramp("#806048", "#405878", "#4c78a0", "#d8b060", "#88b078", "#fcfcf4", "#d8dce0"),
        ),
        Picture(
            "books",
            COLORS_16,
            books(),
            ramp("#3c2820", "#7c5436", "#c89e6c", "#a83c3c", "#3c6ca0", "#4c8848", "#c8a040", "#784c88", "#40888c"),
        ),
        *(Picture(f"tv.{step + 1}", COLORS_16, television(step), screen, palette_name="tv.1_pl") for step in range(3)),
        *(
            Picture(f"fire.{step + 1}", COLORS_16, fire(step), flames, clear=True, palette_name="fire.1_pl")
            for step in range(2)
        ),
        Picture(
            "fire_hot", COLORS_16, fire(0), ramp("#000000", "#c84020", "#f08830", "#fcd060", "#fcfcdc"), clear=True
        ),
        Picture(
            "potted",
            COLORS_16,
            potted_plant(),
            ramp("#000000", "#20543c", "#2c6c44", "#3c8848", "#54a450", "#a05838", "#c87850"),
            clear=True,
        ),
        Picture("boulder", COMPRESSED_4X4, boulder(), BOULDER),
        Picture("lantern", COLORS_16, lantern(), ramp("#40404c", "#f0b040", "#fcd870", "#fcfce0")),
        Picture("glow", A5I3, light, ramp("#fcd870", "#fcecb0", "#fcfcec"), alphas=light_alphas),
        Picture("shadow", A5I3, dark, SHADOW, alphas=dark_alphas),
        Picture("shadow_box", A5I3, square, SHADOW, alphas=square_alphas, palette_name="shadow_pl"),
        Picture(
            "ice_mirror",
            COLORS_16,
            cloud_map(),
            ramp("#6890c8", "#88b0dc", "#a8cce8", "#c4e0f4", "#dcf0fc", "#ecf8fc", "#fcfcfc"),
        ),
    ]
