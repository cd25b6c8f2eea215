"""Events, object graphics lists, terrain animations, map names, frame sequences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import FieldTextureAnimations, FrameSequence, MapNames, MoveModelList, ZoneEvents
from formats.field.fldtanime import Step, TerrainAnimation
from formats.field.zone_event import BACKGROUND_EVENT, COORD_EVENT, OBJECT_EVENT, WARP_EVENT
from mapexplorer.rom import Rom

SIGN = (7, 1, 107, 893, -1, 4, 0)
PERSON = (0, 12, 3, 0, 0, 6, -1, (1, 0, 5), 1, -2, 119, 878, 65536)
WARP = (105, 875, 412, 0, 0)
TRIGGER = (4, 108, 867, 8, 1, 0, 1, 0x4000)
EVENTS = ZoneEvents(
    frozen([SIGN], BACKGROUND_EVENT),
    frozen([PERSON, (1, *PERSON[1:])], OBJECT_EVENT),
    frozen([WARP] * 3, WARP_EVENT),
    frozen([TRIGGER], COORD_EVENT),
)
SEA = TerrainAnimation("sea", (Step(0, 9), Step(1, 9), Step(0, 9)))
LAMP = TerrainAnimation("lamp.1", tuple(Step(i, 255 - i) for i in range(18)))


def test_the_sections_of_events_are_counted_records() -> None:
    data = EVENTS.to_bytes()
    assert len(data) == 4 + 20 + 4 + 2 * 32 + 4 + 3 * 12 + 4 + 16
    assert data[:16] == bytes((1, 0, 0, 0, 7, 0, 1, 0, 107, 0, 0, 0, 0x7D, 3, 0, 0))
    assert data[24:28] == bytes((2, 0, 0, 0))
    assert np.frombuffer(data, "<i2", 10, 28).tolist() == [0, 12, 3, 0, 0, 6, -1, 1, 0, 5]


@pytest.mark.parametrize(
    "edited, growth",
    [
        (replace(EVENTS, background=frozen([SIGN, SIGN], BACKGROUND_EVENT)), 20),
        (replace(EVENTS, background=EVENTS.background[:0]), -20),
        (replace(EVENTS, objects=frozen([*EVENTS.objects.tolist(), PERSON], OBJECT_EVENT)), 32),
        (replace(EVENTS, objects=EVENTS.objects[1:]), -32),
        (replace(EVENTS, warps=frozen([*EVENTS.warps.tolist(), WARP], WARP_EVENT)), 12),
        (replace(EVENTS, warps=EVENTS.warps[:2]), -12),
        (replace(EVENTS, triggers=frozen([TRIGGER] * 5, COORD_EVENT)), 64),
        (replace(EVENTS, triggers=EVENTS.triggers[:0]), -16),
        (replace(EVENTS, warps=frozen([(1, *WARP[1:]), WARP, WARP], WARP_EVENT)), 0),
    ],
)
def test_edited_events_are_written_and_read_back(
    edited: ZoneEvents, growth: int, rewritten: Callable[[Any], Any]
) -> None:
    assert same(rewritten(edited), edited)
    assert len(edited.to_bytes()) - len(EVENTS.to_bytes()) == growth
    assert not same(edited, EVENTS)


@pytest.mark.parametrize("size", range(0, len(EVENTS.to_bytes()), 3))
def test_truncated_events_are_a_format_error(size: int) -> None:
    with pytest.raises(FormatError) as caught:
        ZoneEvents.from_bytes(EVENTS.to_bytes()[:size])
    assert caught.value.offset <= size


def test_a_huge_count_is_a_format_error_and_a_long_file_a_note() -> None:
    with pytest.raises(FormatError):
        ZoneEvents.from_bytes(b"\xff" * 100)
    notes: Notes = []
    ZoneEvents.from_bytes(replace(EVENTS, objects=frozen([PERSON] * 64, OBJECT_EVENT)).to_bytes() + b"\0", notes=notes)
    assert len(notes) == 2


def test_the_real_events_add_up(rom: Rom, header_table: bytes) -> None:
    events = [ZoneEvents.from_bytes(data) for data in rom.archive("fielddata/eventdata/zone_event.narc")]
    sections = ("background", "objects", "warps", "triggers")
    sizes = [[len(getattr(zone, section)) for section in sections] for zone in events]
    assert np.sum(sizes, 0).tolist() == [682, 3555, 1213, 186]
    assert np.max(sizes, 0).tolist() == [35, 51, 20, 31]
    town = events[390]
    assert [len(getattr(town, section)) for section in sections] == [1, 8, 4, 2]
    assert town.warps[1].tolist() == (116, 885, 414, 0, 0)


@pytest.mark.parametrize("graphics, size", [([], 4), ([5], 4), ([5, 6], 8), ([1, 2, 3], 8), (list(range(21)), 44)])
def test_a_graphics_list_ends_with_a_mark_and_is_padded(
    graphics: list[int], size: int, rewritten: Callable[[Any], Any]
) -> None:
    value = MoveModelList(frozen(graphics, "<u2"))
    data = value.to_bytes()
    assert len(data) == size and data[2 * len(graphics) :] in (b"\xff\xff", b"\xff\xff\0\0")
    assert rewritten(value).graphics.tolist() == graphics


def test_a_graphics_list_without_its_mark() -> None:
    with pytest.raises(FormatError):
        MoveModelList.from_bytes(b"\x01\x00\x02\x00\xff")
    with pytest.raises(ValueError):
        MoveModelList(frozen([0xFFFF], "<u2")).to_bytes()
    notes: Notes = []
    assert MoveModelList.from_bytes(b"\x01\x00\xff\xff\x07\x00", notes=notes).graphics.tolist() == [1]
    assert MoveModelList.from_bytes(b"\xff\xff\x07\x00", notes=notes).graphics.tolist() == []
    assert len(notes) == 2


def test_the_real_preload_lists_hold_what_is_known(rom: Rom) -> None:
    archive = rom.archive("fielddata/areadata/area_move_model/move_model_list.narc")
    lists = [MoveModelList.from_bytes(data) for data in archive]
    assert len(lists) == 75
    assert {tuple(value.graphics.tolist()) for value in lists} == {
        (),
        tuple(range(1, 21)),
    }


def test_terrain_animation_records() -> None:
    data = FieldTextureAnimations((SEA,)).to_bytes()
    assert data == b"\x01\0\0\0" + b"sea".ljust(16, b"\0") + bytes((0, 9, 1, 9, 0, 9)) + b"\xff" * 30
    notes: Notes = []
    data = FieldTextureAnimations((SEA, LAMP)).to_bytes()
    assert same(FieldTextureAnimations.from_bytes(data, notes=notes), FieldTextureAnimations((SEA, LAMP)))
    assert [note.offset for note in notes] == [4 + 52 + 16]


@pytest.mark.parametrize(
    "edited",
    [
        (LAMP,),
        (SEA, LAMP, SEA),
        (),
        (replace(SEA, texture="sixteen_letters_"), LAMP),
        (replace(SEA, texture=""), LAMP),
        (replace(SEA, steps=SEA.steps[:1]), LAMP),
        (replace(SEA, steps=(*SEA.steps, Step(254, 255))), LAMP),
    ],
)
def test_edited_animations_are_written_and_read_back(
    edited: tuple[TerrainAnimation, ...], rewritten: Callable[[Any], Any]
) -> None:
    assert rewritten(FieldTextureAnimations(edited)).animations == edited != (SEA, LAMP)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(SEA, texture="x" * 17),
        replace(SEA, texture="海"),
        replace(SEA, steps=(Step(0, 0),) * 19),
        replace(SEA, steps=(Step(255, 0),)),
        replace(SEA, steps=(Step(0, 256),)),
    ],
)
def test_an_animation_without_room_is_refused(wrong: TerrainAnimation) -> None:
    with pytest.raises(ValueError):
        FieldTextureAnimations((wrong,)).to_bytes()


def test_a_count_of_animations_beyond_the_file_is_a_format_error() -> None:
    with pytest.raises(FormatError):
        FieldTextureAnimations.from_bytes(b"\xff\xff\xff\xff" + bytes(52))


def test_the_real_terrain_animations(rom: Rom) -> None:
    archive = rom.archive("data/fldtanime.narc")
    animations = FieldTextureAnimations.from_bytes(archive[0]).animations
    assert len(animations) == len(archive) - 1 == 52
    by_name = {animation.texture: animation for animation in animations}
    assert by_name["sea"].steps == tuple(Step(frame, 9) for frame in range(8))
    assert by_name["rhana"].steps == (Step(0, 16), Step(1, 16), Step(2, 16), Step(1, 16))
    assert len(by_name["c3_s03b.1"].steps) == 16


def test_map_names(rewritten: Callable[[Any], Any]) -> None:
    names = MapNames(("EVERYWHERE", "T01"))
    assert names.to_bytes() == b"EVERYWHERE".ljust(16, b"\0") + b"T01".ljust(16, b"\0")
    for edited in (("A_NAME_OF_16_CHR", "T01"), ("E", "T01"), ("EVERYWHERE", "T01", "NEW"), ("EVERYWHERE",), ()):
        assert rewritten(MapNames(edited)).names == edited
    for wrong in ("A_NAME_OF_17_CHRS", "名"):
        with pytest.raises(ValueError):
            MapNames((wrong,)).to_bytes()
    notes: Notes = []
    assert MapNames.from_bytes(names.to_bytes() + b"rest", notes=notes).names == names.names
    assert len(notes) == 1


def test_the_real_map_names(rom: Rom) -> None:
    names = MapNames.from_bytes(rom.file("fielddata/maptable/mapname.bin")).names
    assert len(names) == 593 and max(map(len, names)) == 10
    known = {0: "EVERYWHERE", 1: "NOTHING", 2: "UG", 3: "C01", 342: "R201", 411: "T01", 592: "D35R0106"}
    assert {index: names[index] for index in known} == known


def test_frame_sequences(rewritten: Callable[[Any], Any]) -> None:
    keys = FrameSequence(frozen([0, 4, 30], "<u2"), frozen([0, 1, 2], "u1"), frozen([0, 0, 1], "u1"))
    assert keys.to_bytes() == bytes((3, 0, 0, 0, 0, 0, 4, 0, 30, 0, 0, 1, 2, 0, 0, 1))
    shorter = FrameSequence(keys.starts[:2], keys.textures[:2], keys.palettes[:2])
    longer = FrameSequence(frozen([0, 4, 30, 300], "<u2"), frozen([0, 1, 2, 3], "u1"), frozen([0, 0, 1, 0], "u1"))
    for edited in (shorter, longer):
        assert same(rewritten(edited), edited)
    with pytest.raises(ValueError):
        replace(keys, textures=keys.textures[:2]).to_bytes()
    with pytest.raises(FormatError):
        FrameSequence.from_bytes(keys.to_bytes()[:-1])


def test_the_real_walking_sequence_has_four_ticks_a_picture(rom: Rom) -> None:
    keys = FrameSequence.from_bytes(rom.archive("data/mmodel/mmodel.narc")[445])
    assert keys.starts.tolist() == list(range(0, 64, 4))
