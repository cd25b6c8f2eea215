"""The images of weathers against the 2D engine, on members of random contents."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from formats.binary import frozen
from formats.nds.objects import AFFINE, HIDDEN, OBJECT
from formats.nitro.nanr import INDEX, Frame, Nanr, Sequence
from formats.nitro.ncer import CellData, Ncer
from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from formats.nitro.nscr import TEXT, Nscr
from mapexplorer.games.weather_tables import BackgroundSet, SpriteSet, WeatherTables
from mapexplorer.scene.weather.painter import WeatherPainter
from mapexplorer.scene.weather.pictures import ShownWeather, WeatherPictures
from mapexplorer.scene.weather.state import BG0, BG2, SPRITES, SpriteState, WeatherState

PALETTE, TILES, MAP, CELLS, FRAMES = range(5)
FRAME_COUNT = 12
TABLES = WeatherTables(
    {}, (BackgroundSet(PALETTE, TILES, MAP),), (SpriteSet(TILES, PALETTE, CELLS, FRAMES),) * 2, (0, 0), (), (), {}
)
HOLE = 63
"""What the 3D picture shows, which no image has."""


def members(seed: int) -> dict[int, Any]:
    """A member of each kind."""
    source = np.random.default_rng(seed)
    pixels = source.integers(0, 256, 32 * 400, np.uint8) * source.integers(0, 2, 32 * 400, np.uint8)
    cells = []
    for _ in range(FRAME_COUNT):
        objects = np.zeros(int(source.integers(0, 4)), OBJECT)
        x, y = source.integers(-64, 65, (2, len(objects)))
        hidden = np.where(source.integers(0, 5, len(objects)) == 0, HIDDEN, 0)
        objects["attribute0"] = y & 255 | hidden | source.integers(0, 3, len(objects)) << 14
        objects["attribute1"] = x & 511 | source.integers(0, 16, len(objects)) << 12
        objects["attribute2"] = source.integers(0, 300, len(objects)) | source.integers(0, 64, len(objects)) << 10
        cells.append(CellData(objects, int(source.integers(2, 64)), None))
    frames = tuple(Frame(int(number), 1) for number in source.permutation(FRAME_COUNT + 1))
    return {
        PALETTE: Nclr(4, False, frozen(source.integers(0, 1 << 16, 40), "<u2")),
        TILES: Ncgr(4, None, 0x10, False, False, pixels.tobytes()),
        MAP: Nscr(256, 256, 0, TEXT, frozen(source.integers(0, 1 << 16, 1024), "<u2")),
        CELLS: Ncer(tuple(cells), 0),
        FRAMES: Nanr((Sequence(frames, 0, INDEX, 1, 1),)),
    }


def state(empty: WeatherState, seed: int, sprites: int) -> WeatherState:
    """A state with a background and sprites anywhere."""
    from dataclasses import replace

    source = np.random.default_rng(seed)
    placed = tuple(
        SpriteState(
            int(source.integers(-64 << 12, 320 << 12)),
            int(source.integers(-64 << 12, 257 << 12)),
            int(source.integers(0, FRAME_COUNT + 3)),
            int(source.integers(0, 2)),
            slot,
        )
        for slot in range(sprites)
    )
    offset = (int(source.integers(512)), int(source.integers(512)))
    return replace(
        empty,
        layers=BG0 | BG2 | SPRITES,
        priority=(2, 1),
        background=(PALETTE, TILES, MAP),
        offset=offset,
        sprites=placed,
    )


def laid(shown: ShownWeather) -> npt.NDArray[np.uint8]:
    """Background and sprites over a picture that is HOLE everywhere."""
    result = np.full((192, 256, 3), HOLE, np.uint8)
    if shown.background is not None:
        x, y = shown.state.offset
        image = np.roll(shown.background, (-y, -x), (0, 1))[:192]
        result[image[..., 3] > 0] = image[image[..., 3] > 0][:, :3]
    for sprite in reversed(shown.sprites):
        height, width = sprite.image.shape[:2]
        top, left = max(0, sprite.y), max(0, sprite.x)
        bottom, right = min(192, sprite.y + height), min(256, sprite.x + width)
        part = sprite.image[top - sprite.y : bottom - sprite.y, left - sprite.x : right - sprite.x]
        place = result[top:bottom, left:right]
        place[part[..., 3] > 0] = part[part[..., 3] > 0][:, :3]
    return result


@pytest.fixture
def empty() -> WeatherState:
    """A state in which nothing is shown."""
    from mapexplorer.games.platinum import PLATINUM
    from mapexplorer.scene.weather.machine import WeatherMachine

    return WeatherMachine(PLATINUM.tables, 4096, 1, (0, 0, 0)).state()


@pytest.mark.parametrize("seed", range(12))
def test_images_are_those_of_the_2d_engine(empty: WeatherState, seed: int) -> None:
    read = members(seed).__getitem__
    painter, pictures = WeatherPainter(TABLES, read), WeatherPictures(TABLES, read)
    picture = np.full((192, 256, 4), (HOLE, HOLE, HOLE, 31), np.uint8)
    seen = 0
    for number in range(4):
        moment = state(empty, 100 * seed + number, 40)  # each has at most 3 sprites: OAM has 128
        shown = pictures.shown(moment)
        assert np.array_equal(laid(shown), painter.compose(moment, picture)[..., :3])
        seen += len(shown.sprites)
    assert seen > 0


def test_nothing_is_shown_without_its_layer_or_before_it_is_loaded(empty: WeatherState) -> None:
    from dataclasses import replace

    pictures = WeatherPictures(TABLES, members(0).__getitem__)
    full = state(empty, 5, 40)
    without = pictures.shown(replace(full, layers=BG0))
    assert (without.background, without.sprites) == (None, ())
    loading = pictures.shown(replace(full, background=(PALETTE, TILES, -1)))
    assert loading.background is None and loading.sprites


def test_an_image_is_made_once(empty: WeatherState) -> None:
    reads = []
    source = members(3)

    def read(index: int) -> Any:
        reads.append(index)
        return source[index]

    pictures = WeatherPictures(TABLES, read)
    first, second = (pictures.shown(state(empty, 7, 40)) for _ in range(2))
    assert first.background is second.background
    assert [sprite.image for sprite in first.sprites] == [sprite.image for sprite in second.sprites]
    assert len(reads) <= 3 + 2 * 4


def test_an_affine_sprite_keeps_its_size() -> None:
    from formats.nds.objects import draw

    tiles = np.arange(4 * 64, dtype=np.uint8).reshape(4, 8, 8)
    sprite = np.array([(AFFINE | 5, 1 << 14 | 0x3000 | 3, 0)], OBJECT)
    picture, left, top = draw(sprite, tiles)
    assert (left, top) == (3, 5)
    assert np.array_equal(picture, np.block([[tiles[0], tiles[1]], [tiles[2], tiles[3]]]))
