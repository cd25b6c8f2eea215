from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import Bdhc, LandData
from formats.field.bdhc import NORMAL, PLATE, POINT
from formats.field.land_data import MAP_PROP, HeartGoldLandData
from formats.field.terrain_attribute import attribute, behaviours, collides
from formats.nitro import Nsbmd
from mapexplorer.rom import Rom

LAND = "fielddata/land_data/land_data.narc"
PROP = (66, (8 * 4096, -4096, 3), (0, 0, 0), (4096, 4096, 4096), (0, 0))
CELL = LandData(
    frozen(np.arange(1024).reshape(32, 32) | 0x8000, "<u2"),
    frozen([PROP, (2, *PROP[1:])], MAP_PROP),
    b"",
    Nsbmd(()),
    Bdhc(frozen([], POINT), frozen([], NORMAL), frozen([], "<i4"), frozen([], PLATE), ()),
)


def test_sections_follow_their_sizes() -> None:
    data = CELL.to_bytes()
    model = CELL.model.to_bytes()
    assert np.frombuffer(data, "<u4", 4).tolist() == [2048, 96, len(model), 16]
    assert data[16:20] == b"\x00\x80\x01\x80"
    assert data[0x810 : 0x810 + 8] == (66).to_bytes(4, "little") + (8 * 4096).to_bytes(4, "little")
    sections = LandData.sections(data)
    assert bytes(sections.model.data) == model
    assert sections.bdhc.bytes(0, 4) == b"BDHC"
    assert same(sections.read_attributes(), CELL.attributes)
    assert same(sections.read_props(), CELL.props)


@pytest.mark.parametrize(
    "edited",
    [
        replace(CELL, attributes=frozen(CELL.attributes ^ 1)),
        replace(CELL, props=frozen(CELL.props.tolist() + [PROP], MAP_PROP)),
        replace(CELL, props=CELL.props[:1]),
        replace(CELL, props=CELL.props[:0]),
        replace(CELL, prop_stray=b"\r\n"),
        replace(CELL, bdhc=replace(CELL.bdhc, constants=frozen([7], "<i4"))),
    ],
)
def test_edits_are_written_and_read_back(edited: LandData, rewritten: Callable[[Any], Any]) -> None:
    assert same(rewritten(edited), edited)
    assert not same(edited, CELL)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(CELL, attributes=CELL.attributes[:31]),
        replace(CELL, props=CELL.props["model"]),
        replace(CELL, prop_stray=bytes(48)),
    ],
)
def test_what_has_no_room_is_refused(wrong: LandData) -> None:
    with pytest.raises(ValueError):
        wrong.to_bytes()


@pytest.mark.parametrize("size", [0, 15, 16, 0x80F, 0x810 + 95, len(CELL.to_bytes()) - 1])
def test_truncated_land_is_a_format_error(size: int) -> None:
    with pytest.raises(FormatError):
        LandData.from_bytes(CELL.to_bytes()[:size])


def test_errors_name_the_part(rom: Rom) -> None:
    data = bytearray(rom.archive(LAND)[150])
    where = LandData.sections(data).bdhc.origin
    data[where] = 0
    with pytest.raises(FormatError) as caught:
        LandData.sections(data).read_bdhc()
    assert (caught.value.path, caught.value.offset) == ("land data > BDHC", where)


def test_an_edit_of_a_real_cell_changes_its_own_bytes_only(rom: Rom) -> None:
    data = rom.archive(LAND)[150]
    cell = LandData.from_bytes(data)
    attributes = cell.attributes.copy()
    attributes[3, 5] = attribute(0x69, collision=True)
    edited = replace(cell, attributes=attributes).to_bytes()
    assert edited != data
    assert [i for i, (a, b) in enumerate(zip(data, edited, strict=True)) if a != b and i // 2 != 8 + 3 * 32 + 5] == []
    props = cell.props.copy()
    props["position"][0, 1] += 1
    edited = replace(cell, props=props).to_bytes()
    assert {i for i, (a, b) in enumerate(zip(data, edited, strict=True)) if a != b} <= set(range(0x818, 0x81C))
    longer = LandData.from_bytes(replace(cell, props=frozen([*cell.props.tolist(), PROP], MAP_PROP)).to_bytes())
    assert len(longer.props) == len(cell.props) + 1
    assert same(longer.model, cell.model) and same(longer.bdhc, cell.bdhc)


def test_attribute_words() -> None:
    words = frozen([attribute(0x69, collision=True), attribute(0xFF), 0x0010], "<u2")
    assert words.tolist() == [0x8069, 0x00FF, 0x10]
    assert collides(words).tolist() == [True, False, False]
    assert behaviours(words).tolist() == [0x69, 0xFF, 0x10]
    with pytest.raises(ValueError):
        attribute(0x100)


def test_the_real_cells_hold_what_is_known_of_them(rom: Rom) -> None:
    count = tiles = solid = upper = props = most = rotated = unusual = doors = 0
    models: set[int] = set()
    used: set[int] = set()
    for data in rom.archive(LAND):
        sections = LandData.sections(data)
        attributes, records = sections.read_attributes(), sections.read_props()
        count += 1
        tiles += attributes.size
        solid += int(collides(attributes).sum())
        upper += int((attributes & 0x7F00).any())
        doors += int((behaviours(attributes) == 0x69).sum())
        used |= set(behaviours(attributes).flat)
        props += len(records)
        most = max(most, len(records))
        rotated += int(records["rotation"].any()) + int((records["scale"] != 4096).any())
        unusual += int((records["unused"] == (1, 0)).all(axis=1).sum())
        models |= set(records["model"].tolist())
    assert (count, tiles, solid, upper, doors) == (666, 681984, 335165, 0, 192)
    assert (props, most, rotated, unusual, len(models)) == (3476, 32, 0, 16, 360)
    assert len(used) == 94


def test_file_506_ends_its_props_with_two_stray_bytes(rom: Rom) -> None:
    notes: Notes = []
    cell = LandData.from_bytes(rom.archive(LAND).reader(506), notes=notes)
    assert (len(cell.props), cell.prop_stray) == (3, b"\r\n")
    assert [str(note) for note in notes] == [
        "land_data.narc[506] > props: at byte 0x8A0: 2 stray bytes follow the last prop"
    ]
    fixed = LandData.from_bytes(replace(cell, prop_stray=b"").to_bytes())
    assert same(fixed, replace(cell, prop_stray=b""))


def test_a_land_of_another_game_is_read_where_its_model_shows_it() -> None:
    plain = CELL.to_bytes()
    with_sound = plain[:16] + b"\x34\x12\x08\0" + bytes(8) + plain[16:]
    notes: Notes = []
    assert same(LandData.from_bytes(with_sound, notes=notes), CELL) and "another game" in str(notes[0])
    notes = []
    read = HeartGoldLandData.from_bytes(plain, notes=notes)
    assert same(read.bdhc, CELL.bdhc) and read.sound == b"" and "another game" in str(notes[0])
    notes = []
    assert HeartGoldLandData.from_bytes(with_sound, notes=notes).sound == bytes(8) and notes == []
