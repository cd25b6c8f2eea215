"""Where texture sets go in the engine's memory, and the texture animations that change it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from formats.field.fldtanime import FieldTextureAnimations, Step, TerrainAnimation
from formats.nitro.tex0 import COMPRESSED_4X4, Palette, Tex0, Texture
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene.terrain_animation import TerrainAnimator
from mapexplorer.scene.vram import Vram, VramFullError

COLORS_16 = 3


def texture(name: str, fill: int, *, side: int = 16, form: int = COLORS_16) -> Texture:
    count = side * side * (2 if form == COMPRESSED_4X4 else 4) // 8
    indices = bytes([fill ^ 0xFF]) * (side * side // 8) if form == COMPRESSED_4X4 else b""
    return Texture(name, form, side, side, False, side, side, bytes([fill]) * count, indices)


def palette(name: str, value: int) -> Palette:
    return Palette(name, np.full(16, value, np.uint16))


def test_sets_lie_side_by_side() -> None:
    vram = Vram()
    sets = [Tex0((texture("a", 10 + n), texture("b", 20 + n)), (palette("p", 100 + n),)) for n in range(3)]
    for tex0 in sets:
        places = vram.place(tex0)
        assert vram.place(tex0) == places
    for number, tex0 in enumerate(sets):
        places = vram.place(tex0)
        for index, fill in enumerate((10 + number, 20 + number)):
            start = places.images + tex0.layout.texture_offsets[index]
            assert (vram.texture[start : start + 128] == fill).all()
        start = places.palettes + tex0.layout.palette_offsets[0]
        assert (vram.palette[start : start + 32].view("<u2") == 100 + number).all()


def test_compressed_textures_have_their_indices_in_slot_1() -> None:
    vram = Vram()
    for number in range(6):
        tex0 = Tex0((texture("c", 1 + number, side=256, form=COMPRESSED_4X4),), (palette("p", 1),))
        place = vram.place(tex0).compressed
        slot, rest = divmod(place, 0x20000)
        assert slot in (0, 2)
        words = 0x20000 + (0x10000 if slot == 2 else 0) + rest // 2
        assert (vram.texture[place : place + 0x4000] == 1 + number).all()
        assert (vram.texture[words : words + 0x2000] == (1 + number) ^ 0xFF).all()


def test_memory_that_is_full_is_said() -> None:
    vram = Vram()
    with pytest.raises(VramFullError):
        for fill in range(20):
            vram.place(Tex0((texture("a", fill, side=256),), (palette("p", 1),)))


@pytest.mark.parametrize(("side", "changed_rows"), [(8, 0), (16, 16), (32, 32), (64, 36)])
def test_the_game_copies_a_part_of_large_pictures(side: int, changed_rows: int) -> None:
    steps = (Step(0, 1), Step(1, 0))
    animations = FieldTextureAnimations((TerrainAnimation("sea", steps),))
    frames = Tex0((texture("sea.1", 0x11, side=side), texture("sea.2", 0x22, side=side)), ())
    world = SimpleNamespace(
        game=PLATINUM,
        terrain_animations=animations,
        terrain_animation_frames=lambda number: SimpleNamespace(textures=frames),
    )
    vram = Vram()
    terrain = Tex0((texture("other", 0x77), texture("sea", 0x33, side=side)), (palette("p", 1),))
    places = vram.place(terrain)
    animator = TerrainAnimator(world, terrain, places)  # type: ignore[arg-type]
    start = places.images + terrain.layout.texture_offsets[1]

    def rows() -> list[int]:
        return vram.texture[start : start + side * side // 2].reshape(side, -1)[:, 0].tolist()

    seen = [rows()[0]]
    for _ in range(5):
        animator.step(vram.texture)
        seen.append(rows()[0])
        assert set(rows()[changed_rows:]) <= {0x33}
    # Duration 1 lasts two updates, duration 0 one; the set's own picture is shown until the first change.
    expected = [0x33, 0x33, 0x22, 0x11, 0x11, 0x22] if changed_rows else [0x33] * 6
    assert seen == expected
    assert (vram.texture[places.images : places.images + 128] == 0x77).all()
    animator.restart(vram.texture)
    assert set(rows()) == {0x33}
