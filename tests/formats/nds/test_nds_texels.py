"""Texel formats: kernels against the rules written out in Python, decoding against encoding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.kernel import interpreted
from formats.nds import texels
from formats.nds.colors import to_5_bits, to_8_bits, to_rgb8
from formats.nds.texture_format import BITS, COLORS

FORMATS = range(1, 8)


def expected_texel(
    form: int, texture: bytes, words: bytes, palette: list[int], width: int, s: int, t: int, color0: bool
) -> tuple[int, int]:
    """Colour and alpha by the documented rules; `palette` never ends."""
    i = t * width + s
    if form == 1:
        a = texture[i] >> 5
        return palette[texture[i] & 31], 4 * a + a // 2
    if form == 6:
        return palette[texture[i] & 7], texture[i] >> 3
    if form == 7:
        word = texture[2 * i] + 256 * texture[2 * i + 1]
        return word % 32768, 31 * (word // 32768)
    if form == 5:
        block = (t // 4) * (width // 4) + s // 4
        value = texture[4 * block + t % 4] // 4 ** (s % 4) % 4
        info = words[2 * block] + 256 * words[2 * block + 1]
        k = palette[2 * (info % 16384) :][:4]
        mode = info // 16384
        mixed = {1: {2: (1, 1, 2)}, 3: {2: (5, 3, 8), 3: (3, 5, 8)}}.get(mode, {}).get(value)
        if mixed is not None:
            x, y, whole = mixed
            parts = [(x * (k[0] >> f & 31) + y * (k[1] >> f & 31)) // whole for f in (0, 5, 10)]
            return parts[0] + 32 * parts[1] + 1024 * parts[2], 31
        return (0, 0) if value == 3 and mode < 2 else (k[value], 31)
    bits = BITS[form]
    index = texture[i * bits // 8] >> (i * bits % 8) & ((1 << bits) - 1)
    return palette[index], 0 if color0 and index == 0 else 31


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("color0", [False, True])
def test_decoding_follows_the_rules(form: int, color0: bool) -> None:
    random = np.random.default_rng(form)
    width, height = 32, 16
    data = random.bytes(width * height * BITS[form] // 8)
    words = random.bytes(len(data) // 2) if form == 5 else b""
    palette = random.integers(0, 0x8000, 0x10000).tolist()
    colors, alphas = texels.decode(form, width, height, data, palette, color0_transparent=color0, indices=words)
    rgba = texels.decode_rgba(form, width, height, data, palette, color0_transparent=color0, indices=words)
    for t in range(height):
        for s in range(width):
            expected = expected_texel(form, data, words, palette, width, s, t, color0)
            assert (colors[t, s], alphas[t, s]) == expected, (s, t)
    assert np.array_equal(rgba[..., :3], to_rgb8(colors))
    assert np.array_equal(rgba[..., 3], to_8_bits(alphas))


def _fetch_all(texture, palette, form, address, base, width, color0, colors, alphas):  # type: ignore[no-untyped-def]
    with interpreted():
        for t, s in np.ndindex(colors.shape):
            colors[t, s], alphas[t, s] = texels.vram_texel(texture, palette, form, address, base, width, s, t, color0)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("address", [0, 0x1000, 0x40000 + 0x800])
def test_video_memory_holds_the_same_image(form: int, address: int) -> None:
    """An image placed as the library places it is fetched as the file's image is decoded."""
    random = np.random.default_rng(form)
    width, height = 16, 32
    data = random.bytes(width * height * BITS[form] // 8)
    words = random.bytes(len(data) // 2) if form == 5 else b""
    base = 0x400
    memory = np.frombuffer(random.bytes(0x20000), np.uint8)
    texture = np.zeros(0x80000, np.uint8)
    texture[address : address + len(data)] = np.frombuffer(data, np.uint8)
    at = 0x20000 + ((address & 0x1FFFF) >> 1) + ((address & 0x40000) >> 2)
    texture[at : at + len(words)] = np.frombuffer(words, np.uint8)
    colors, alphas = np.empty((height, width), np.uint16), np.empty((height, width), np.uint8)
    _fetch_all(texture, memory, form, address, base, width, 31, colors, alphas)
    palette = np.roll(memory, -base).view("<u2")
    expected = texels.decode(form, width, height, data, palette, indices=words)
    assert np.array_equal(colors, expected[0])
    assert np.array_equal(alphas, expected[1])


def test_video_memory_wraps_and_its_second_slot_has_no_blocks() -> None:
    texture = np.arange(0x80000).astype(np.uint8)
    palette = (np.arange(0x20000) % 251).astype(np.uint8)
    colors, alphas = np.empty((8, 8), np.uint16), np.empty((8, 8), np.uint8)
    _fetch_all(texture, palette, 4, 0x7FFF8, 0x1FFF0, 8, 31, colors, alphas)
    for s in range(8):
        places = (2 * (0xF8 + s) - 0x10, 0x1FFF0 + 2 * s, 2 * s)
        words = [int(palette[place]) + 256 * int(palette[place + 1]) & 0x7FFF for place in places]
        assert colors[:3, s].tolist() == words
    texture[0x20000:0x40000] = 0xFF
    _fetch_all(texture, palette, 5, 0x20000, 0, 8, 31, colors, alphas)
    assert set(alphas.ravel().tolist()) == {31}
    assert len(set(colors.ravel().tolist())) == 1


@settings(deadline=None)
@given(st.sampled_from(sorted(COLORS)), st.integers(0, 2**32 - 1), st.sampled_from([(8, 8), (8, 16), (32, 8)]))
def test_indices_survive(form: int, seed: int, shape: tuple[int, int]) -> None:
    random = np.random.default_rng(seed)
    indices = random.integers(0, COLORS[form], shape)
    alphas = random.integers(0, 32, shape)
    data = texels.encode_indices(form, indices, alphas)
    again, stored = texels.decode_indices(form, shape[1], shape[0], data)
    assert np.array_equal(again, indices)
    if form == texels.A5I3:
        assert np.array_equal(stored, alphas)
    elif form == texels.A3I5:
        assert np.array_equal(stored >> 2, alphas >> 2)
        assert texels.encode_indices(form, again, stored) == data
    else:
        assert set(stored.ravel().tolist()) == {31}


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_direct_images_survive(seed: int) -> None:
    random = np.random.default_rng(seed)
    colors, opaque = random.integers(0, 0x8000, (8, 16)), random.integers(0, 2, (8, 16))
    data = texels.encode_direct(colors, opaque * 31)
    again, alphas = texels.decode(7, 16, 8, data)
    assert np.array_equal(again, colors)
    assert np.array_equal(alphas, opaque * 31)


def test_colors() -> None:
    assert to_5_bits(to_8_bits(range(32))).tolist() == list(range(32))
    assert to_8_bits([0, 1, 16, 31]).tolist() == [0, 8, 132, 255]
    assert to_5_bits([0, 4, 5, 254, 255]).tolist() == [0, 0, 1, 31, 31]
    assert to_rgb8(0x801F).tolist() == [255, 0, 0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: texels.decode(0, 8, 8, b""),
        lambda: texels.decode(8, 8, 8, bytes(64)),
        lambda: texels.decode(4, 8, 8, bytes(63)),
        lambda: texels.decode(4, 12, 8, bytes(96)),
        lambda: texels.decode(5, 8, 8, bytes(16)),
        lambda: texels.decode(4, 8, 8, bytes(64), indices=bytes(8)),
        lambda: texels.decode(4, 0, 8, b""),
        lambda: texels.decode_indices(7, 8, 8, bytes(128)),
        lambda: texels.decode_indices(5, 8, 8, bytes(16)),
        lambda: texels.encode_indices(3, [[16, 0]]),
        lambda: texels.encode_indices(3, [[-1, 0]]),
        lambda: texels.encode_indices(5, [[0]]),
        lambda: texels.encode_indices(1, [[0]], [[32]]),
    ],
)
def test_what_does_not_fit_is_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError):
        call()
