from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import AreaBuild, AreaData, AreaLight
from formats.field.area_light import Light, LightBlock
from mapexplorer.rom import Rom

AREA = AreaData(prop_set=1, terrain_set=0x203, unused=3, light_set=2)
DARK = Light(False, (0, 0, 0), (0, 0, 0))
SUN = Light(True, (31, 20, 3), (-2043, -3548, 110))
BLOCK = LightBlock(7200, (SUN, DARK, DARK, SUN), (1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12))
LIGHTS = AreaLight((BLOCK, replace(BLOCK, end=43200)), False)
TEXT = (
    b"7200,\r\n1,31,20,3,-2043,-3548,110,\r\n0,0,0,0,0,0,0,\r\n0,0,0,0,0,0,0,\r\n1,31,20,3,-2043,-3548,110,\r\n"
    b"1,2,3,\r\n4,5,6,\r\n7,8,9,\r\n10,11,12,\r\n\r\n"
)


def test_an_area_is_four_words() -> None:
    assert AREA.to_bytes() == bytes((1, 0, 3, 2, 3, 0, 2, 0))
    assert AreaData.from_bytes(AREA.to_bytes()) == AREA
    with pytest.raises(ValueError, match="AreaData"):
        replace(AREA, light_set=65536).to_bytes()
    with pytest.raises(FormatError):
        AreaData.from_bytes(bytes(7))


@pytest.mark.parametrize("field, place", [("prop_set", 0), ("terrain_set", 2), ("unused", 4), ("light_set", 6)])
def test_an_edited_area_changes_one_word(field: str, place: int) -> None:
    edited = replace(AREA, **{field: 0xFFFF}).to_bytes()
    assert edited == AREA.to_bytes()[:place] + b"\xff\xff" + AREA.to_bytes()[place + 2 :]


@pytest.mark.parametrize("models", [[], [5], [5, 0, 589], [5, 0, 589, 7]])
def test_a_prop_list_of_any_length(models: list[int], rewritten: Callable[[Any], Any]) -> None:
    build = AreaBuild(frozen(models, "<u2"))
    assert len(build.to_bytes()) == 2 + 2 * len(models)
    assert rewritten(build).models.tolist() == models


def test_a_prop_list_that_counts_too_many_is_a_format_error() -> None:
    with pytest.raises(FormatError):
        AreaBuild.from_bytes(b"\x03\x00\x01\x00\x02\x00")


def test_the_text_of_a_light_set() -> None:
    assert LIGHTS.to_bytes() == TEXT + TEXT.replace(b"7200", b"43200") + b"EOF"
    assert replace(LIGHTS, final_line_end=True).to_bytes() == LIGHTS.to_bytes() + b"\r\n"
    assert same(AreaLight.from_bytes(LIGHTS.to_bytes()), LIGHTS)


@pytest.mark.parametrize(
    "edited",
    [
        replace(LIGHTS, blocks=LIGHTS.blocks[:1]),
        replace(LIGHTS, blocks=()),
        replace(LIGHTS, blocks=(BLOCK, *LIGHTS.blocks)),
        replace(LIGHTS, blocks=(replace(BLOCK, end=100000),)),
        replace(LIGHTS, blocks=(replace(BLOCK, lights=(DARK, SUN, DARK, DARK)),)),
        replace(LIGHTS, blocks=(replace(BLOCK, emission=(31, 0, 0)),)),
        replace(LIGHTS, final_line_end=True),
    ],
)
def test_edited_lights_are_written_and_read_back(edited: AreaLight, rewritten: Callable[[Any], Any]) -> None:
    assert same(rewritten(edited), edited)
    assert not same(edited, LIGHTS)


def read(text: bytes) -> LightBlock:
    return AreaLight.from_bytes(text + b"EOF").blocks[0]


def test_text_is_read_as_the_game_reads_it() -> None:
    assert read(TEXT.replace(b"\r\n", b"\r")) == BLOCK
    assert read(TEXT.replace(b"7200", b"7 00")).end == -1
    assert read(TEXT.replace(b"1,2,3,", b"1,x,3,this is ignored")).diffuse == (1, -1, 3)
    clamped = read(TEXT.replace(b"-2043,-3548,110", b"-5000,5000,4096")).lights[0]
    assert clamped.vector == (-4096, 4096, 4096)
    assert read(TEXT.replace(b"0,0,0,0,0,0,0,", b"2,9,9,9,9,9,9,", 1)).lights[1] == DARK


def test_unusual_text_is_noted() -> None:
    notes: Notes = []
    AreaLight.from_bytes(TEXT[:-2] + b"x\r\nEOF then some", notes=notes)
    assert [note.sentence for note in notes] == [
        "the line between two light blocks is not empty",
        "the bytes after the letters EOF are ignored",
    ]


@pytest.mark.parametrize(
    "text",
    [b"", TEXT, TEXT[:40], TEXT.replace(b"4,5,6,", b"4,5") + b"EOF", TEXT.replace(b"7200", b"7" * 9999) + b"EOF"],
)
def test_broken_light_text_is_a_format_error(text: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        AreaLight.from_bytes(text)
    assert caught.value.path == "area light" and 0 <= caught.value.offset <= len(text)


@pytest.mark.parametrize(
    "light",
    [Light(True, (1, 1, 1), (0, 0, 4097)), Light(False, (1, 0, 0), (0, 0, 0)), Light(False, (0, 0, 0), (0, 1, 0))],
)
def test_a_light_that_would_read_back_differently_is_refused(light: Light) -> None:
    with pytest.raises(ValueError):
        AreaLight((replace(BLOCK, lights=(light, DARK, DARK, DARK)),), False).to_bytes()


def test_the_real_areas_have_the_known_light_sets(rom: Rom) -> None:
    areas = [AreaData.from_bytes(data) for data in rom.archive("fielddata/areadata/area_data.narc")]
    assert Counter(area.light_set for area in areas) == {0: 22, 1: 50, 2: 3}
    assert [i for i, area in enumerate(areas) if area.light_set == 2] == [42, 69, 72]
    assert sum(area.prop_set == i for i, area in enumerate(areas)) == 3
    assert sum(area.terrain_set == i for i, area in enumerate(areas)) == 21
    lists = [AreaBuild.from_bytes(data) for data in rom.archive("fielddata/areadata/area_build_model/area_build.narc")]
    assert all(int(build.models.max(initial=0)) < 590 for build in lists)
    sizes = sorted(len(build.models) for build in lists)[-5:]
    assert (sizes[0], sizes[-1]) == (99, 138)


def test_the_real_lights_have_the_known_blocks(rom: Rom) -> None:
    sets = [AreaLight.from_bytes(data) for data in rom.archive("data/arealight.narc")]
    assert [len(lights.blocks) for lights in sets] == [15, 15, 15, 15]
    assert [lights.final_line_end for lights in sets] == [False, True, False, True]
    outdoor = [0, 7200, 8100, 9000, 14400, 20700, 21600, 27000, 27900, 30600, 32400, 33300, 34200, 36000, 43200]
    other = [900, 1800, 7200, 8100, 9000, 19800, 20700, 21600, 28800, 29700, 30600, 34200, 35100, 36000, 43200]
    assert [[block.end for block in lights.blocks] for lights in sets] == [outdoor, other, outdoor, other]
    assert not any(block.lights[1].valid for lights in sets for block in lights.blocks)
    afternoon = sets[0].blocks[7]
    assert afternoon.lights[0] == Light(True, (24, 24, 20), (-2043, -3548, 110))
    assert afternoon.lights[2] == Light(True, (2, 2, 13), (0, 0, 4096))
    assert afternoon.lights[3] == Light(True, (31, 31, 31), (0, 0, 4096))
    assert afternoon.diffuse == (16, 16, 16) and afternoon.ambient == (10, 12, 12)
    assert afternoon.specular == (18, 18, 18) and afternoon.emission == (14, 14, 14)
    inside = {(b.lights[0].color, b.diffuse, b.ambient, b.specular, b.emission) for b in sets[1].blocks}
    assert inside == {((23, 23, 25), (16,) * 3, (14,) * 3, (20,) * 3, (16,) * 3)}
