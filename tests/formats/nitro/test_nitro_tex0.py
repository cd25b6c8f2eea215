"""Texture sets: layout, sharing, edits, and what does not fit."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from formats import FormatError, same
from formats.binary import frozen
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Palette, Tex0, Texture

replace = dataclasses.replace


def read_back(textures: Tex0) -> Tex0:
    data = Nsbtx(textures).to_bytes()
    notes: list[Any] = []
    result = Nsbtx.from_bytes(data, notes=notes)
    assert not notes
    assert result.to_bytes() == data
    return result.textures


def test_all_formats_are_read_back(textures: Tex0) -> None:
    assert sorted({texture.format for texture in textures.textures}) == [1, 2, 3, 4, 5, 6, 7]
    assert same(read_back(textures), textures)


def test_equal_data_is_stored_once(textures: Tex0) -> None:
    layout = textures.layout
    names = [texture.name for texture in textures.textures]
    offsets = dict(zip(names, layout.texture_offsets, strict=True))
    assert offsets["shared"] == offsets["texture3.1"]
    assert offsets["texture5.2"] == 32
    assert offsets["texture5.3"] == offsets["block again"] == 64
    assert len(layout.compressed) == 32 + 32 + 64 == 2 * len(layout.indices)
    assert len(layout.images) == 128 + 32 + 64 + 128 + 128 + 256 + 128
    assert layout.palette_offsets == (0, 32, 0, 48)
    assert len(layout.palettes) == 32 + 16 + 528


def test_entries_are_found_by_name(textures: Tex0) -> None:
    assert textures.texture("shared") is textures.textures[7]
    assert textures.palette("long") is textures.palettes[3]
    assert textures.texture("no such") is None
    assert textures.palette_index("four") == 1
    assert textures.palettes[1].four_colors


def test_param() -> None:
    texture = Texture("t", 3, 64, 8, True, 64, 8, bytes(256))
    assert texture.param(0x1238) == 0x1238 >> 3 | 3 << 20 | 0 << 23 | 3 << 26 | 1 << 29


def test_short_palettes_are_filled_with_black() -> None:
    again = read_back(Tex0((), (Palette("p", frozen([1, 2, 3], np.uint16), 1),)))
    assert again.palettes[0].colors.tolist() == [1, 2, 3, 0]
    again = read_back(Tex0((), (again.palettes[0], Palette("q", frozen([4], np.uint16)))))
    assert [one.colors.tolist() for one in again.palettes] == [[1, 2, 3, 0, 0, 0, 0, 0], [4, 0, 0, 0]]


def test_a_palette_begins_where_its_materials_can_say() -> None:
    """PLTT_BASE counts 16 bytes, unless a palette is of a 4-colour texture."""
    colors = frozen(range(12), np.uint16)
    data = bytearray(Nsbtx(Tex0((), (Palette("p", colors, 1), Palette("q", frozen([7] * 4, np.uint16), 1)))).to_bytes())
    place = data.index(b"\x03\0\x01\0")
    for flags, expected in ((1, [7] * 4), (0, [8, 9, 10, 11, 7, 7, 7, 7])):
        data[place + 2] = flags
        notes: list[Any] = []
        file = Nsbtx.from_bytes(bytes(data), notes=notes)
        assert file.textures.palettes[1].colors.tolist() == expected
        assert any("between two addresses" in note.sentence for note in notes) == (not flags)
        assert same(Nsbtx.from_bytes(file.to_bytes()), file)


BIG = Texture("big", 3, 512, 1024, False, 512, 1000, bytes(262144))
TALL = Texture("tall", 7, 8, 128, False, 8, 128, bytes(2048))

EDITS: dict[str, Callable[[Tex0], Tex0]] = {
    "shorter name": lambda t: replace(t, textures=(replace(t.textures[0], name="t"), *t.textures[1:])),
    "longer palette name": lambda t: replace(t, palettes=(replace(t.palettes[0], name="x" * 16), *t.palettes[1:])),
    "one texture less": lambda t: replace(t, textures=t.textures[1:]),
    "no textures": lambda t: replace(t, textures=()),
    "nothing": lambda t: Tex0((), ()),
    "largest": lambda t: replace(
        t, textures=(*t.textures, Texture("big", 3, 512, 1024, False, 512, 1000, bytes(262144)))
    ),
    "another size": lambda t: replace(t, textures=(TALL, *t.textures[1:])),
    "one palette less": lambda t: replace(t, palettes=t.palettes[1:]),
    "many palettes": lambda t: replace(
        t, palettes=tuple(Palette(f"p{i}", frozen([i] * 8, np.uint16), i & 1) for i in range(255))
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_read_back(textures: Tex0, edit: str) -> None:
    changed = EDITS[edit](textures)
    assert same(read_back(changed), changed)


BAD: dict[str, Tex0] = {
    "width 24": Tex0((Texture("t", 4, 24, 8, False, 24, 8, bytes(192)),), ()),
    "height 2048": Tex0((Texture("t", 4, 8, 2048, False, 8, 2048, bytes(16384)),), ()),
    "format 0": Tex0((Texture("t", 0, 8, 8, False, 8, 8, b""),), ()),
    "too few texels": Tex0((Texture("t", 4, 8, 8, False, 8, 8, bytes(63)),), ()),
    "no indices": Tex0((Texture("t", 5, 8, 8, False, 8, 8, bytes(16)),), ()),
    "original size": Tex0((Texture("t", 4, 8, 8, False, 2048, 8, bytes(64)),), ()),
    "over 512 KiB": Tex0(tuple(Texture(f"t{i}", 4, 1024, 256, False, 0, 0, bytes([i]) * 262144) for i in range(3)), ()),
    "empty palette": Tex0((), (Palette("p", frozen([], np.uint16)),)),
    "palette flags": Tex0((), (Palette("p", frozen([1], np.uint16), 65536),)),
    "a name twice": Tex0((), (Palette("p", frozen([1], np.uint16)),) * 2),
}


@pytest.mark.parametrize("case", BAD)
def test_values_that_do_not_fit_are_refused(case: str) -> None:
    with pytest.raises(ValueError):
        Nsbtx(BAD[case]).to_bytes()


def test_a_texture_beyond_the_data_is_refused() -> None:
    data = bytearray(Nsbtx(Tex0((Texture("t", 4, 8, 8, False, 8, 8, bytes(64)),), ())).to_bytes())
    entry = 0x14 + 0x3C + 8 + 8 + 4
    assert data[entry + 3] == 4 << 2
    for place, value in ((entry, 1), (entry + 2, 0x10), (entry + 3, 0)):
        damaged = bytearray(data)
        damaged[place] = value
        with pytest.raises(FormatError):
            Nsbtx.from_bytes(bytes(damaged))


def test_textures_cannot_multiply_the_data() -> None:
    """Textures that each begin a little after the one before would be copied again and again."""
    count = 12
    images = [Texture(f"t{i}", 4, 256, 64, False, 256, 64, i.to_bytes(2, "little") * 8192) for i in range(count)]
    data = bytearray(Nsbtx(Tex0(tuple(images), ())).to_bytes())
    entries = 0x14 + 0x3C + 8 + 4 * (count + 1) + 4
    for i in range(count):
        data[entries + 8 * i : entries + 8 * i + 2] = i.to_bytes(2, "little")
    assert len(Nsbtx.from_bytes(bytes(data)).textures.textures) == count
    data[0x14 + 0x0C : 0x14 + 0x0E] = (16384 + 8 * count >> 3).to_bytes(2, "little")
    with pytest.raises(FormatError, match="overlap"):
        Nsbtx.from_bytes(bytes(data))


def test_layouts_agree_with_numpy_colors(textures: Tex0) -> None:
    assert np.frombuffer(textures.layout.palettes, "<u2")[:16].tolist() == textures.palettes[0].colors.tolist()
