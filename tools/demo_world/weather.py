"""The pictures of the weather: our own for every set of sprites and every background that the game's tables name."""

from __future__ import annotations

from collections.abc import Sequence as Row

import numpy as np
import numpy.typing as npt

from formats.binary import frozen
from formats.nds import tiles
from formats.nds.objects import OBJECT, SIZES
from formats.nitro import nanr
from formats.nitro.ncer import CellData, Ncer
from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from formats.nitro.nscr import TEXT, Nscr
from mapexplorer.games.platinum import PLATINUM
from tools.demo_world.paint import Ints, blank, levels, noise, places, smooth
from tools.demo_world.picture import Indices, ramp, rgb5

_SIDE = 256
_DEPTH = 4
_LIGHTEST = 15
_PLAYER = (128, 84)
"""The pixel of the screen around which holes are."""


def weather_pictures() -> list[bytes]:
    """The members of the archive, without the lists of sets behind them, which are also in the tables."""
    effects = PLATINUM.tables.weather_effects
    members: dict[int, bytes] = {member: _palette(colors).to_bytes() for member, colors in _PALETTES.items()}
    for sprites, images in zip(effects.sprite_sets, _sprite_images(), strict=True):
        members[sprites.tiles] = Ncgr(_DEPTH, None, 0, False, False, b"".join(map(_tiles, images))).to_bytes()
        members[sprites.cells] = _cells(images).to_bytes()
        members[sprites.animations] = _frames(len(images)).to_bytes()
    for background, image in zip(effects.background_sets, _background_images(), strict=True):
        pixels = image.reshape(_SIDE // 8, 8, _SIDE // 8, 8).swapaxes(1, 2).reshape(-1, 64)
        different, entries = np.unique(pixels, axis=0, return_inverse=True)
        members[background.tiles] = Ncgr(
            _DEPTH, None, 0, False, False, tiles.pack(different.astype(np.uint8), _DEPTH)
        ).to_bytes()
        members[background.map] = Nscr(_SIDE, _SIDE, 0, TEXT, frozen(entries.ravel(), "<u2")).to_bytes()
    return [members[number] for number in range(max(members) + 1)]


# --- colours


_PALETTES = {
    3: ramp("#208050", "#60c890", "#c0ffe0"),
    7: ramp("#5070a0", "#90b0d8", "#d8e8ff"),
    9: ramp("#8040c0", "#4060e0", "#40c060", "#e8e040", "#f09030", "#e04040"),
    17: ramp("#808080", "#c0c0c0", "#ffffff"),
    21: ramp("#c8d8e8", "#e8f0f8", "#ffffff"),
    25: ramp("#90c8e8", "#d0f0ff", "#ffffff"),
    30: ramp("#ffffff"),
    35: ramp("#706028", "#a08838", "#d0b868"),
    37: ramp("#806830", "#b09848"),
    42: ramp("#404038", "#686860", "#909088"),
    46: ramp("#383840"),
    49: ramp("#181028", "#503078", "#a070c8"),
    51: ramp("#f8f8f8"),
    52: ramp("#000000"),
    55: ramp("#000000"),
    58: ramp("#000000"),
}
"""Member -> colours from dark to light, for 15 levels."""


def _palette(colors: Row[int]) -> Nclr:
    """Sixteen colours, the first of which is clear: each of `colors` for the same number of levels."""
    shades = [colors[(level - 1) * len(colors) // _LIGHTEST] for level in range(1, _LIGHTEST + 1)]
    return Nclr(_DEPTH, False, frozen([rgb5("#00ff00"), *shades], "<u2"))


# --- sprites


def _sprite_images() -> tuple[list[Indices], ...]:
    """The images of each set, one a frame."""
    flakes = [_disc(8, size) for size in (2, 4, 6, 8)]
    return (
        [_streak(8, 16), _streak(16, 32), _streak(16, 32), _splash()],
        flakes,
        [_disc(8, size) for size in (2, 3, 4, 5, 7)],
        [_disc(16, size) for size in (6, 9, 12, 15)],
        [_spark(frame % 4) for frame in range(20)],
        [_streak(16, 16), _streak(32, 32), _streak(32, 32), _splash()],
        flakes,
        [_disc(16, 3 + frame) for frame in range(14)],
        flakes,
        [_disc(16, size) for size in (6, 9, 12, 15)],
    )


def _from_middle(width: int, height: int, x: int, y: int) -> Ints:
    """Twice the distance of each pixel from the corner (x, y), squared."""
    across, down = places(width, height)
    distance: Ints = (2 * across + 1 - 2 * x) ** 2 + (2 * down + 1 - 2 * y) ** 2
    return distance


def _disc(side: int, size: int) -> Indices:
    """A round flake of a diameter in a square."""
    distance = _from_middle(side, side, side // 2, side // 2)
    return _levels(_LIGHTEST - 12 * distance // (size * size), distance < size * size)


def _streak(width: int, height: int) -> Indices:
    """A drop that falls from the upper right to the lower left, lighter at its lower end."""
    x, y = places(width, height)
    return _levels(1 + y * (_LIGHTEST - 1) // height, x == width - 1 - y * width // height)


def _splash() -> Indices:
    """A ring on the ground."""
    across, down = places(8, 8)
    distance = (2 * across - 7) ** 2 + 4 * (2 * down - 7) ** 2
    return _levels(_LIGHTEST, (distance >= 24) & (distance < 60))


def _spark(length: int) -> Indices:
    """A cross with arms of a length."""
    x, y = places(8, 8)
    arms = ((x == 4) & (abs(y - 4) <= length)) | ((y == 4) & (abs(x - 4) <= length))
    return _levels(_LIGHTEST - 2 * (abs(x - 4) + abs(y - 4)), arms)


def _levels(values: npt.ArrayLike, shown: npt.NDArray[np.bool_]) -> Indices:
    """An image of `values` where it is `shown`, and clear elsewhere."""
    return np.where(shown, values, 0).astype(np.uint8)


def _tiles(image: Indices) -> bytes:
    height, width = image.shape
    return tiles.pack(image.reshape(height // 8, 8, width // 8, 8).swapaxes(1, 2), _DEPTH)


def _cells(images: list[Indices]) -> Ncer:
    """A cell for each image, which is in its middle."""
    cells, tile = [], 0
    for image in images:
        height, width = image.shape
        [(shape, size)] = np.argwhere((SIZES[:3] == (width, height)).all(-1)).tolist()
        words = (-height // 2 & 0xFF | shape << 14, -width // 2 & 0x1FF | size << 14, tile)
        cells.append(CellData(frozen([words], OBJECT), max(width, height) // 8, None))
        tile += width * height // 64
    return Ncer(tuple(cells), 0)


def _frames(count: int) -> nanr.Nanr:
    frames = tuple(nanr.Frame(cell, 4) for cell in range(count))
    return nanr.Nanr((nanr.Sequence(frames, 0, nanr.INDEX, 1, 2),))


# --- backgrounds


def _background_images() -> tuple[Indices, ...]:
    """The image of each background; those with the same tiles have the same image."""
    _, y = places(_SIDE, _SIDE)
    flecks, plane = _flecks(2), blank(_SIDE, _SIDE, _LIGHTEST)
    bands = levels(_from_middle(_SIDE, _SIDE, 128, 220), *((2 * radius) ** 2 for radius in range(120, 165, 3)))
    holes = _levels(_LIGHTEST, smooth(_SIDE, _SIDE, 32, 9) < 150)
    return (
        flecks,
        flecks,
        _levels(bands, bands < _LIGHTEST),
        _flecks(3),
        plane,
        plane,
        plane,
        _hole(32),
        _levels(1 + y * _LIGHTEST // _SIDE, y >= 0),
        holes,
        _hole(16),
    )


def _flecks(seed: int) -> Indices:
    """Single pixels without pattern, four times across and down."""
    x, y = places(_SIDE // 4, _SIDE // 4)
    values = noise(x, y, seed)
    return np.tile(_levels(values % _LIGHTEST + 1, values > 240), (4, 4))


def _hole(radius: int) -> Indices:
    """A plane with a round hole."""
    return _levels(_LIGHTEST, _from_middle(_SIDE, _SIDE, *_PLAYER) >= (2 * radius) ** 2)
