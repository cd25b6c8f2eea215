"""Pictures of textures, read back with Pillow: every format, alpha classes, mirrored copies."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from formats.binary import frozen
from formats.nds import texels
from formats.nds.texture_format import A3I5, A5I3, BITS
from formats.nitro.tex0 import Palette, Texture
from mapexplorer.export.images import encode_indexed_png, encode_png
from mapexplorer.export.textures import CUTOUT, OPAQUE, TRANSLUCENT, picture, suggested_palette


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_encoded_pixels_come_back(channels: int) -> None:
    source = np.random.default_rng(channels).integers(0, 256, (5, 7, channels), dtype=np.uint8)
    back = np.asarray(Image.open(io.BytesIO(encode_png(source[:, :, 0] if channels == 1 else source))))
    assert np.array_equal(back.reshape(source.shape), source)


def test_indexed_pixels_come_back() -> None:
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 5, (6, 3), dtype=np.uint8)
    palette, alpha = rng.integers(0, 256, (5, 3), dtype=np.uint8), np.array([0, 128], np.uint8)
    back = pixels(encode_indexed_png(numbers, palette, alpha))
    assert np.array_equal(back[..., :3], palette[numbers])
    assert np.array_equal(back[..., 3], np.array([0, 128, 255, 255, 255])[numbers])


def texture(form: int, color0: bool, seed: int) -> tuple[Texture, Palette]:
    rng = np.random.default_rng(seed)
    size = 16 * 8 * BITS[form] // 8
    data = rng.integers(0, 256, size, dtype=np.uint8).tobytes()
    words = (rng.integers(0, 4, size // 4).astype("<u2") | rng.integers(0, 4, size // 4).astype("<u2") << 14).tobytes()
    colors = frozen(rng.integers(0, 0x8000, 256), np.uint16)
    return Texture("t", form, 16, 8, color0, 16, 8, data, words if form == 5 else b""), Palette("p", colors)


@pytest.mark.parametrize("color0", [False, True])
@pytest.mark.parametrize("form", range(1, 8))
def test_every_format_shows_what_the_hardware_decodes(form: int, color0: bool) -> None:
    image, palette = texture(form, color0, form)
    expected = texels.decode_rgba(
        form, 16, 8, image.texels, palette.colors, color0_transparent=color0, indices=image.indices
    )
    result = picture(image, palette)
    assert (result.width, result.height) == (16, 8)
    assert np.array_equal(pixels(result.png), expected)
    levels = set(expected[..., 3].ravel().tolist())
    kind = OPAQUE if levels == {255} else CUTOUT if levels <= {0, 255} else TRANSLUCENT
    assert result.alpha == kind
    if form in (A3I5, A5I3):
        assert kind == TRANSLUCENT


def test_colour_0_that_no_texel_uses_leaves_the_image_opaque() -> None:
    image, palette = texture(3, True, 3)
    filled = Texture("t", 3, 16, 8, True, 16, 8, bytes([0x11] * 64))
    assert picture(filled, palette).alpha == OPAQUE
    assert picture(image, palette).alpha == CUTOUT


def test_mirrored_copies() -> None:
    image, palette = texture(4, False, 9)
    plain = pixels(picture(image, palette).png)
    wide = picture(image, palette, mirror_s=True)
    assert (wide.width, wide.height) == (32, 8)
    assert np.array_equal(pixels(wide.png), np.concatenate([plain, plain[:, ::-1]], 1))
    tall = picture(image, palette, mirror_t=True)
    assert np.array_equal(pixels(tall.png), np.concatenate([plain, plain[::-1]], 0))


@pytest.mark.parametrize("form", [1, 3, 5, 6, 7])
def test_clear_texels_have_the_colour_of_those_beside_them_where_viewers_filter(form: int) -> None:
    image, palette = texture(form, True, form)
    plain, spread = pixels(picture(image, palette).png), pixels(picture(image, palette, filtered=True).png)
    clear = plain[..., 3] == 0
    assert clear.any() and not clear.all()
    assert np.array_equal(plain[~clear], spread[~clear]) and np.array_equal(plain[..., 3], spread[..., 3])
    at = np.argwhere(clear)[:, None] + [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    around = np.zeros_like(clear)
    around[at[..., 0] % 8, at[..., 1] % 16] = True
    mean = plain[around & ~clear, :3].mean(axis=0)
    assert np.abs(spread[clear, :3] - mean).max() <= 1


def test_palette_that_is_too_short_is_black_beyond() -> None:
    image, _ = texture(3, False, 4)
    short = Palette("p", frozen([0x7FFF], np.uint16))
    shown = pixels(picture(image, short).png)
    assert set(map(tuple, shown.reshape(-1, 4).tolist())) == {(255, 255, 255, 255), (0, 0, 0, 255)}


@pytest.mark.parametrize(
    ("texture", "palette"),
    [
        ("sea", "sea"),
        ("seaside", "seaside_pl"),
        ("a_very_long_name", "a_very_long_n_pl"),
        ("grass2", "grass1"),
        ("stone", "seaside_pl"),
    ],
)
def test_the_palette_that_a_name_suggests(texture: str, palette: str) -> None:
    """One with a usual name, else the one whose name begins most like it."""
    assert suggested_palette(texture, ["roof", "seaside_pl", "sea", "grass1", "a_very_long_n_pl"]) == palette
    assert suggested_palette(texture, []) is None
