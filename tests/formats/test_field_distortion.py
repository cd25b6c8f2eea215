"""The files of the Distortion World: floor list, floors, attributes of platforms."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import DistortionAttributes, DistortionFloor, DistortionFloorList
from formats.field.distortion_floor import CAMERA_ANGLE, GHOST_PROP, GHOST_TRIGGER, JUMP_POINT, PLATFORM
from formats.field.distortion_floor_list import FLOOR
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.games.role import Role
from mapexplorer.rom import Rom

WALL = (1, 2, 11, 258, 48, 0, 3, 9, 32, 32)
JUMP = (0, 2, 0, 12, 257, 49, 0, 0, 0, -1, 1, -1, 90, 16, 1, 0, 2, 1, 0)
ANGLE = (14, 257, 49, 0, 0, 0, 20, 45, 0, 2, 16)
PROP = (3, 22, -4, 257, 61)
TRIGGER = (3, 1, 1, 15, 1, 23, 0, 0, 4)
FLOOR_FILE = DistortionFloor(
    frozen([WALL, WALL], PLATFORM),
    frozen([JUMP], JUMP_POINT),
    frozen([ANGLE] * 3, CAMERA_ANGLE),
    frozen([PROP] * 2, GHOST_PROP),
    frozen([TRIGGER], GHOST_TRIGGER),
    1 << 31 | 5,
)
NOTHING = DistortionFloor(
    *(frozen([], dtype) for dtype in (PLATFORM, JUMP_POINT, CAMERA_ANGLE, GHOST_PROP, GHOST_TRIGGER)), 0
)


def test_a_floor_is_four_sections_behind_their_sizes() -> None:
    data = FLOOR_FILE.to_bytes()
    assert struct.unpack_from("<5i", data) == (0, 4 + 2 * 20, 4 + 40, 4 + 3 * 24, 12 + 2 * 12 + 20)
    assert struct.unpack_from("<i10h", data, 20) == (2, *WALL)
    assert struct.unpack_from("<iHhi16h", data, 64) == (1, *JUMP)
    assert struct.unpack_from("<i10hi", data, 108) == (3, *ANGLE)
    assert struct.unpack_from("<iiIIHhhh", data, 184) == (2, 1, 1 << 31 | 5, *PROP)
    assert struct.unpack_from("<I8h", data, 184 + 36) == TRIGGER
    assert NOTHING.to_bytes() == bytes(20)


@pytest.mark.parametrize(
    "edited",
    [
        NOTHING,
        replace(FLOOR_FILE, platforms=FLOOR_FILE.platforms[:1]),
        replace(FLOOR_FILE, platforms=NOTHING.platforms, camera_angles=NOTHING.camera_angles),
        replace(FLOOR_FILE, jump_points=frozen([JUMP] * 5, JUMP_POINT)),
        replace(FLOOR_FILE, ghost_props=NOTHING.ghost_props),
        replace(FLOOR_FILE, ghost_triggers=frozen([TRIGGER] * 4, GHOST_TRIGGER), visible_groups=0),
        replace(NOTHING, visible_groups=1),
    ],
)
def test_edited_floors_are_written_and_read_back(edited: DistortionFloor, rewritten: Callable[[Any], Any]) -> None:
    assert same(rewritten(edited), edited)
    assert not same(edited, FLOOR_FILE)


@pytest.mark.parametrize("size", range(len(FLOOR_FILE.to_bytes())))
def test_truncated_floors_are_a_format_error(size: int) -> None:
    with pytest.raises(FormatError) as caught:
        DistortionFloor.from_bytes(FLOOR_FILE.to_bytes()[:size])
    assert caught.value.offset <= size


@pytest.mark.parametrize(
    "offset, word, path",
    [
        (4, -4, "platforms"),
        (8, 1 << 30, "jump points"),
        (20, 3, "platforms"),
        (20, -1, "platforms"),
        (64, 1 << 30, "jump points"),
        (184, 1 << 30, "ghost props"),
        (188, 2, "ghost props"),
    ],
)
def test_sizes_and_counts_that_do_not_fit_are_format_errors(offset: int, word: int, path: str) -> None:
    data = bytearray(FLOOR_FILE.to_bytes())
    struct.pack_into("<i", data, offset, word)
    with pytest.raises(FormatError, match=path):
        DistortionFloor.from_bytes(bytes(data))


def test_what_the_game_tolerates_is_noted() -> None:
    data = bytearray(FLOOR_FILE.to_bytes() + b"rest")
    struct.pack_into("<i", data, 0, 7)
    struct.pack_into("<i", data, 20, 1)
    notes: Notes = []
    value = DistortionFloor.from_bytes(bytes(data), notes=notes)
    assert len(value.platforms) == 1
    assert [(note.offset, note.path.rpartition(" > ")[2]) for note in notes] == [
        (0, "Distortion World floor"),
        (44, "platforms"),
        (len(data) - 4, "Distortion World floor"),
    ]
    notes.clear()
    empty = struct.pack("<6i", 0, 4, 0, 0, 0, 0)
    assert same(DistortionFloor.from_bytes(empty, notes=notes), NOTHING)
    assert len(notes) == 1


def test_a_floor_that_cannot_be_written_is_refused() -> None:
    for wrong in (
        replace(FLOOR_FILE, visible_groups=1 << 32),
        replace(FLOOR_FILE, visible_groups=-1),
        replace(FLOOR_FILE, platforms=FLOOR_FILE.jump_points),
    ):
        with pytest.raises(ValueError):
            wrong.to_bytes()


def test_the_floor_list(rewritten: Callable[[Any], Any]) -> None:
    floors = DistortionFloorList(frozen([(573, 0, 21, 288, 10), (574, 1, -1, 256, 35)], FLOOR))
    assert floors.to_bytes() == struct.pack("<iIHhhhIHhhh", 2, 573, 0, 21, 288, 10, 574, 1, -1, 256, 35)
    for edited in (floors, DistortionFloorList(floors.floors[:1]), DistortionFloorList(floors.floors[:0])):
        assert same(rewritten(edited), edited)
    for wrong in (b"", floors.to_bytes()[:-1], b"\xff" * 8):
        with pytest.raises(FormatError):
            DistortionFloorList.from_bytes(wrong)
    notes: Notes = []
    DistortionFloorList.from_bytes(floors.to_bytes() + b"\0", notes=notes)
    assert len(notes) == 1


def test_attributes_of_a_platform(rewritten: Callable[[Any], Any]) -> None:
    value = DistortionAttributes(frozen([0x8000, 0x15], "<u2"))
    assert value.to_bytes() == b"\x00\x80\x15\x00"
    assert same(rewritten(value), value)
    notes: Notes = []
    assert DistortionAttributes.from_bytes(b"\x00\x80\x15", notes=notes).words.tolist() == [0x8000]
    assert [note.offset for note in notes] == [2]


def test_the_real_files_hold_what_is_known(rom: Rom) -> None:
    archive = rom.archive(PLATINUM.path(Role.DISTORTION_FLOORS))
    listed = DistortionFloorList.from_bytes(archive[0]).floors
    assert listed[["header", "x", "y", "z"]].tolist() == [
        (573, 21, 288, 10), (574, 0, 256, 35), (575, 15, 224, 0), (576, 47, 192, 21), (577, 57, 160, 34),
        (579, 57, 128, 34), (580, 56, 114, 38), (581, 74, 64, 32), (582, 0, 0, 0), (583, 70, 64, 30),
    ]  # fmt: skip
    assert listed["file"].tolist() == list(range(len(archive) - 1))
    floors = [DistortionFloor.from_bytes(archive[index]) for index in range(1, len(archive))]
    names = ("platforms", "jump_points", "camera_angles", "ghost_props", "ghost_triggers")
    counts = np.array([[len(getattr(floor, name)) for name in names] for floor in floors])
    assert counts.sum(0).tolist() == [10, 20, 26, 212, 144]
    attributes = rom.archive(PLATINUM.path(Role.DISTORTION_ATTRIBUTES))
    assert {len(DistortionAttributes.from_bytes(data).words) for data in attributes} == {1024}
    assert max(int(floor.platforms["attributes"].max(initial=0)) for floor in floors) < len(attributes)
