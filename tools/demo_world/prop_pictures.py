"""Pictures of the outdoor props: houses, trees, lamps, the windmill, the waterfall."""

from __future__ import annotations

import numpy as np

from tools.demo_world.ground_pictures import CAVE_MOUTH, cave_mouth, rock
from tools.demo_world.paint import blank, frame, levels, noise, places, rectangle, smooth, stamp
from tools.demo_world.picture import (
    A3I5,
    A5I3,
    COLORS_4,
    COLORS_16,
    COLORS_256,
    COMPRESSED_4X4,
    DIRECT,
    Indices,
    Picture,
    from_rows,
    ramp,
)

TIMBER = ramp("#3c2820", "#5c3c2c", "#7c5436", "#966a44", "#b08456", "#c89e6c")
PLASTER = ramp("#c8a880", "#dcc49c", "#ecd8b4", "#f4e8cc")
RED_TILES = ramp("#702c34", "#943c3c", "#b85044", "#d06c50", "#e08c64")
BLUE_TILES = ramp("#2c3c6c", "#3c5488", "#4c6ca4", "#6488bc", "#88a8d0")
LEAVES = ramp("#20543c", "#2c6c44", "#3c8848", "#54a450", "#78c05c", "#a4d870")
NEEDLES = ramp("#183c38", "#204c44", "#2c6450", "#3c7c5c", "#549868")
BOULDER = ramp("#50505c", "#686872", "#80808a", "#9c9ca2", "#b8b8ba", "#d0d0cc")
SHADOW = ramp("#181830")


def house_wall() -> Indices:
    """Plaster between timbers, 64 x 32; 0..3 timber dark to light, 4..7 plaster dark to light."""
    x, y = places(64, 32)
    image = levels(smooth(64, 32, 8, 71), 70, 200) + 5
    image = np.where(noise(x, y, 72) < 8, 4, image).astype(np.uint8)
    for left in (0, 30, 60):
        rectangle(image, left, 0, 4, 32, 2)
        image[:, left] = 3
        image[:, left + 3] = 0
        if left < 60:
            image[:, left + 4] = 4
    for top in (0, 27):
        rectangle(image, 0, top, 64, 4, 2)
        image[top] = 3
        image[top + 3] = 0
        image[min(31, top + 4)] = np.where(image[min(31, top + 4)] > 3, 4, image[min(31, top + 4)])
    for step in range(24):
        for thick in range(3):
            column = 34 + step
            image[27 - step if step < 24 else 4, min(59, column + thick)] = (3, 2, 0)[thick]
    image[31] = 0
    return image


def foundation() -> Indices:
    """Field stones, 32 x 16; 0..3 dark to light."""
    image = blank(32, 16, 1)
    for row, widths in enumerate(((9, 12, 11), (12, 9, 11))):
        left = 3 * row
        for width in widths:
            block = blank(width - 1, 7, 2)
            block[0, 1:-1] = 3
            block[6, :] = 0
            block[:, -1] = 1
            stamp(image, block, left, 8 * row, 255)
            left += width
    return image


def roof() -> Indices:
    """Curved tiles in rows, 32 x 32; 0..4 dark to light."""
    image = blank(32, 32, 2)
    for row in range(4):
        for column in range(4):
            left = 8 * column + 4 * (row % 2)
            tone = int(noise(np.array(column), np.array(row), 77)) % 4
            tile = blank(8, 8, 2)
            tile[0:2] = 1
            tile[2:6, 1:6] = 3
            tile[3:5, 2:4] = 4 if tone else 3
            tile[7] = 0
            tile[6, 0] = tile[6, 7] = 0
            tile[:, 7] = 1
            tile[:, 0] = 2 if tone > 1 else 1
            stamp(image, tile, left, 8 * row, 255)
    return image


def window() -> Indices:
    """A window with four panes, 16 x 16; 0 frame dark, 1 frame, 2..4 glass dark to light."""
    image = blank(16, 16, 1)
    frame(image, 0, 0, 16, 16, 0)
    for left, top in ((2, 2), (9, 2), (2, 9), (9, 9)):
        rectangle(image, left, top, 5, 5, 3)
        for place in range(4):
            image[top + 4 - place, left + place] = 4
        image[top + 4, left + 4] = 2
    return image


def door() -> Indices:
    """A plank door with iron bands and a knob, 16 x 32; 0..5 wood, 6..7 iron, 8 brass."""
    image = blank(16, 32, 3)
    for left in (0, 4, 8, 12):
        image[:, left] = 1
        image[:, left + 1] = 4
        image[6 + left : 11 + left, left + 2] = 2
    for top in (5, 23):
        rectangle(image, 1, top, 14, 3, 6)
        image[top] = 7
        image[top + 1, 2::4] = 7
    frame(image, 0, 0, 16, 32, 0)
    image[15:18, 12:14] = 8
    image[17, 13] = 6
    return image


def leaves() -> Indices:
    """Foliage in clumps, 32 x 32; 0..5 dark to light."""
    x, y = places(32, 32)
    image = blank(32, 32, 1)
    clump = from_rows(("..mmm..", ".mlllm.", "mlhllmm", "mllllmd", "mmlmmdd", ".mmddd.", "..ddd.."), ".dmlh")
    for number, (cx, cy) in enumerate(
        (
            (1, 0),
            (9, 2),
            (17, 0),
            (25, 3),
            (5, 8),
            (13, 9),
            (21, 8),
            (29, 10),
            (0, 16),
            (9, 17),
            (17, 15),
            (25, 18),
            (4, 24),
            (13, 25),
            (21, 23),
            (29, 26),
        )
    ):
        base = number % 3 == 0
        stamp(image, np.array([255, 1 - base, 2, 3, 4 + base], np.uint8)[clump], cx, cy, 255)
    return np.where((noise(x, y, 81) > 246) & (image > 2), 5, image).astype(np.uint8)


def needles() -> Indices:
    """Drooping fir twigs, 32 x 16; 0..4 dark to light."""
    x, y = places(32, 16)
    sweep = (y + np.abs(x % 8 - 4)) % 8
    image = np.where(sweep < 2, 4, np.where(sweep < 4, 3, np.where(sweep < 6, 2, 1)))
    image = np.where(noise(x, y, 83) < 40, np.maximum(image - 1, 0), image)
    return np.where(y == 15, 0, image).astype(np.uint8)


def boulder() -> Indices:
    """A mossless stone surface, 32 x 32; 0..5 dark to light."""
    return rock(32, 32, 91)


def glow() -> tuple[Indices, Indices]:
    """A soft round light: a quarter of it, 16 x 16, mirrored by its material."""
    x, y = places(16, 16)
    far = (15 - x) ** 2 + (15 - y) ** 2
    alphas = np.maximum(0, 31 - far * 31 // 225)
    alphas = alphas * alphas // 31
    image = np.where(far < 30, 2, np.where(far < 90, 1, 0))
    return image.astype(np.uint8), alphas.astype(np.uint8)


def shadow() -> tuple[Indices, Indices]:
    """A quarter of a round shadow, 16 x 16."""
    x, y = places(16, 16)
    far = (15 - x) ** 2 + (15 - y) ** 2
    alphas = np.where(far > 225, 0, np.minimum(15, (225 - far) // 6))
    return np.zeros((16, 16), np.uint8), alphas.astype(np.uint8)


def box_shadow() -> tuple[Indices, Indices]:
    """A quarter of the shadow of something square, 16 x 16."""
    x, y = places(16, 16)
    edge = np.minimum(x, y)
    alphas = np.minimum(15, edge * 4)
    return np.zeros((16, 16), np.uint8), alphas.astype(np.uint8)


def waterfall() -> tuple[Indices, Indices]:
    """Falling water, 32 x 32, repeating downward; 0..5 deep to foam, with alphas."""
    streak = smooth(32, 32, 4, 95, 16)
    fine = smooth(32, 32, 2, 96, 8)
    mixed = streak * 2 + fine
    image = levels(mixed, 200, 300, 400, 500, 580)
    return image, np.where(image > 3, 30, 24).astype(np.uint8)


def foam() -> tuple[Indices, Indices]:
    """Spray at the foot of a waterfall, 32 x 32; alphas fade outward from the top."""
    _, y = places(32, 32)
    grain = smooth(32, 32, 4, 98)
    alphas = np.where(grain > 90 + y * 5, 28 - y // 2, np.where(grain > 60 + y * 5, 14 - y // 4, 0))
    return np.where(grain > 150, 1, 0).astype(np.uint8), np.clip(alphas, 0, 31).astype(np.uint8)


def sailcloth() -> Indices:
    """A windmill's sail: lattice and canvas, 16 x 64, 0 clear; 1..2 wood, 3..5 canvas dark to light."""
    image = blank(16, 64)
    rectangle(image, 5, 4, 11, 60, 4)
    image[4:, 5] = 5
    image[:, 2:4] = 1
    image[:, 3] = 2
    for top in range(4, 64, 10):
        image[top, 2:] = 2
        image[top + 1, 5:] = 3
    image[4:, 15] = 2
    image[63, 2:] = 2
    x, y = places(16, 64)
    return np.where((image == 4) & (noise(x, y // 2, 99) < 40), 3, image).astype(np.uint8)


def lantern() -> Indices:
    """A lamp's pane, 8 x 8; 0 frame, 1..3 glass toward the flame."""
    rows = ("########", "#aabbaa#", "#abccba#", "#bccccb#", "#bccccb#", "#abccba#", "#aabbaa#", "########")
    return from_rows(rows, "#abc")


def flag_cloth() -> Indices:
    """A banner with a white mill wheel, 32 x 32; 0..2 cloth dark to light, 3 white, 4 trim."""
    x, y = places(32, 32)
    image = blank(32, 32, 1)
    image[:, 0:32:8] = 2
    frame(image, 0, 0, 32, 32, 4)
    radius = (2 * x - 31) ** 2 + (2 * y - 31) ** 2
    spokes = (np.abs(x - y) < 2) | (np.abs(x + y - 31) < 2)
    image = np.where((radius < 22 * 22) & ((radius > 17 * 17) | spokes), 3, image)
    return image.astype(np.uint8)


def screen(step: int) -> Indices:
    """The notice screen, 32 x 32: a sun over hills, the lake with a boat, a fish; direct colours."""
    x, y = places(32, 32)
    if step == 0:
        image = np.where(y < 18, 1, 2)
        image = np.where((2 * x - 40) ** 2 + (2 * y - 20) ** 2 < 11 * 11, 4, image)
        image = np.where(y > 22 - np.abs(x % 20 - 10) // 2, 3, image)
    elif step == 1:
        image = np.where(y < 16, 1, 5)
        image = np.where((y > 14) & (y < 19) & (np.abs(x - 15) < 10 - (y - 14)), 6, image)
        image = np.where((x > 14) & (x < 15 + y - 4) & (y > 4) & (y < 14), 7, image)
        image = np.where((y > 20) & ((x + 3 * y) % 9 < 3), 1, image)
    else:
        image = blank(32, 32, 5).astype(np.int64)
        body = (x - 14) ** 2 + 3 * (y - 16) ** 2 < 90
        tail = (x > 20) & (x < 28) & (np.abs(y - 16) < x - 20)
        image = np.where(body | tail, 8, image)
        image = np.where((np.abs(x - 9) < 2) & (np.abs(y - 14) < 2), 7, image)
        image = np.where(((x - 4) ** 2 + (y - 7) ** 2 < 6) | ((x - 6) ** 2 + (y - 3) ** 2 < 3), 1, image)
    image = np.array(image, np.uint8)
    frame(image, 0, 0, 32, 32, 0)
    return image


SCREEN_COLORS = ramp(
    "#283040", "#88c8f0", "#f0d890", "#58a858", "#f8c840", "#3878c0", "#804830", "#f8f8f8", "#f08850", "#182028"
)


def neon() -> Indices:
    """The inn's sign, 32 x 16: a bed and a moon, 0 clear; 1 board, 2..3 tubes."""
    rows = (
        "################################",
        "#..............................#",
        "#...................aaa........#",
        "#..................aa..........#",
        "#.................aa...........#",
        "#.bb..............aa...........#",
        "#.bb..............aa...........#",
        "#.bb...............aa..........#",
        "#.bbbbb.............aaa........#",
        "#.bb..bbbbbbbbbb.........a...a.#",
        "#.bbbbbbbbbbbbbbb.........a.a..#",
        "#.bb...........bb..........a...#",
        "#.bb...........bb.........a.a..#",
        "#........................a...a.#",
        "#..............................#",
        "################################",
    )
    return from_rows(rows, "#.ab")


def painting() -> Indices:
    """A mosaic of 64 colours, for the inn's front and the dummy box: 32 x 32 in rings."""
    x, y = places(32, 32)
    ring = ((2 * x - 31) ** 2 + (2 * y - 31) ** 2) // 40
    wedge = (np.abs(2 * x - 31) + 2 * np.abs(2 * y - 31)) // 6
    image: Indices = ((ring * 5 + wedge) % 64).astype(np.uint8)
    return image


def mosaic_colors() -> tuple[int, ...]:
    """64 colours that run from terracotta over gold to teal."""
    first = ((28, 14, 10), (30, 24, 10), (12, 22, 18), (8, 12, 20))
    colors = []
    for step in range(64):
        index, part = divmod(step * 4, 64)
        a, b = first[index], first[(index + 1) % 4]
        r, g, blue = ((p * (64 - part) + q * part) // 64 for p, q in zip(a, b, strict=True))
        colors.append(r | g << 5 | blue << 10)
    return tuple(colors)


def bush() -> Indices:
    """A round bush with blossoms, 32 x 32, 0 clear; 1..5 leaves dark to light, 6..7 blossom."""
    x, y = places(32, 32)
    texture = leaves()
    wobble = noise(x // 3, y // 3, 101) % 20
    inside = (2 * x - 31) ** 2 + (2 * y - 36) ** 2 * 5 // 4 < (26 * 26 - wobble * 8)
    shade = np.clip(texture.astype(np.int64) + 1 - (y > 21) - (x > 21), 1, 5)
    image = np.where(inside & (y > 5), shade, 0).astype(np.uint8)
    blossom = from_rows((".o.", "oho", ".o."), ".oh")
    for bx, by in ((8, 10), (17, 8), (13, 16), (22, 15), (6, 19), (18, 22)):
        stamp(image, np.array([255, 6, 7], np.uint8)[blossom], bx, by, 255)
    return image


def sign_board() -> Indices:
    """A wooden board with carved lines, 32 x 16; 0..5 dark to light."""
    image = blank(32, 16, 4)
    x, y = places(32, 16)
    image = np.where(noise(x // 4, y, 103) < 60, 3, image).astype(np.uint8)
    frame(image, 0, 0, 32, 16, 1)
    frame(image, 1, 1, 30, 14, 5)
    for top, words in ((4, ((4, 9), (11, 17), (19, 27))), (8, ((4, 7), (9, 18), (20, 24))), (11, ((4, 12), (14, 21)))):
        for left, right in words:
            image[top, left:right] = 0
    return image


def cloud_map() -> Indices:
    """What a crystal mirrors, 32 x 32: pale sky above, deep ice below, a bright window; 0..6."""
    x, y = places(32, 32)
    image = levels(smooth(32, 32, 8, 105) + (31 - y) * 9, 120, 200, 280, 340, 420)
    return np.where(((2 * x - 22) ** 2 + (2 * y - 18) ** 2 < 80), 6, image).astype(np.uint8)


def prop_pictures() -> list[Picture]:
    """The pictures of the outdoor props."""
    light, light_alphas = glow()
    dark, dark_alphas = shadow()
    square, square_alphas = box_shadow()
    fall, fall_alphas = waterfall()
    spray, spray_alphas = foam()
    lit = ramp("#fcd870", "#fcecb0", "#fcfcec")
    return [
        Picture("house_wall", COLORS_16, house_wall(), (*TIMBER[:4], *PLASTER)),
        Picture("foundation", COLORS_4, foundation(), ramp("#585460", "#74707c", "#949098", "#b0acac")),
        Picture("roof_red", COLORS_16, roof(), RED_TILES),
        Picture("roof_blue", COLORS_16, roof(), BLUE_TILES),
        Picture("window", COLORS_16, window(), ramp("#4c3428", "#8c6444", "#b0c0d0", "#d8e4f0", "#fcfcfc")),
        Picture("door", COLORS_16, door(), (*TIMBER, *ramp("#40404c", "#70707c", "#f0c858"))),
        Picture("leaves", COLORS_16, leaves(), LEAVES),
        Picture("needles", COLORS_16, needles(), NEEDLES),
        Picture("boulder", COMPRESSED_4X4, boulder(), BOULDER),
        Picture("glow", A5I3, light, lit, alphas=light_alphas),
        Picture("shadow", A5I3, dark, SHADOW, alphas=dark_alphas),
        Picture("shadow_box", A5I3, square, SHADOW, alphas=square_alphas, palette_name="shadow_pl"),
        Picture("lantern", COLORS_16, lantern(), ramp("#40404c", "#f0b040", "#fcd870", "#fcfce0")),
        Picture("falls", A3I5, fall, FALLS, alphas=fall_alphas),
        Picture("foam", A5I3, spray, ramp("#c8e4f4", "#fcfcfc"), alphas=spray_alphas),
        Picture(
            "sail",
            COLORS_16,
            sailcloth(),
            ramp("#000000", "#4c3428", "#7c5436", "#d0c4a8", "#e8e0c8", "#fcf8e8"),
            clear=True,
        ),
        Picture("flag", COLORS_16, flag_cloth(), ramp("#1c5c70", "#28788c", "#3890a0", "#fcfcf4", "#f0c858")),
        *(Picture(f"screen.{step + 1}", DIRECT, screen(step), SCREEN_COLORS) for step in range(3)),
        Picture("neon", COLORS_16, neon(), ramp("#3c2820", "#5c3c2c", "#fce080", "#fc8c9c")),
        Picture("mosaic", COLORS_256, painting(), mosaic_colors()),
        Picture("bush", COLORS_16, bush(), (*ramp("#000000"), *LEAVES[:5], *ramp("#f0a0b8", "#fcf0f4")), clear=True),
        Picture("board", COLORS_16, sign_board(), TIMBER),
        Picture(
            "ice_mirror",
            COLORS_16,
            cloud_map(),
            ramp("#6890c8", "#88b0dc", "#a8cce8", "#c4e0f4", "#dcf0fc", "#ecf8fc", "#fcfcfc"),
        ),
        Picture("cave_mouth", COLORS_16, cave_mouth(), CAVE_MOUTH, clear=True),
    ]


FALLS = ramp("#3c74b8", "#5490cc", "#78b0dc", "#a0cce8", "#d0e8f4", "#fcfcfc")
