"""The tables in the program are found by their shape, at any offset."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from pathlib import Path

import ndspy.codeCompression
import numpy as np
import pytest

from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Overlay, Rom, build_archive
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.sources.header_search import find_headers, header_routine
from mapexplorer.world.sources.program_tables import find_cameras, find_object_graphics, find_yearly_weather
from mapexplorer.world.sources.provenance import ARM9
from mapexplorer.world.wording import reason, source

LIMITS = {"area": 75, "preload_list": 75, "matrix": 289, "message_bank": 724, "events": 534, "label_text": 126}


@pytest.fixture(scope="module")
def arm9(rom_path: Path) -> bytes:
    with open_rom(rom_path) as rom:
        return rom.arm9()


@pytest.mark.parametrize("hint", [0xE601C, None, 0x1234])
def test_the_header_table_is_found_without_help(arm9: bytes, hint: int | None) -> None:
    found = find_headers(PLATINUM, arm9, 593, LIMITS, hint)
    assert "0xE601C" in source(found.why)
    assert "the only place" in source(found.why)
    assert len(found.value) == 593
    assert found.value.tobytes() == arm9[0xE601C : 0xE601C + 593 * 24]


def test_it_is_found_where_a_hack_moved_it(arm9: bytes) -> None:
    table = arm9[0xE601C : 0xE601C + 593 * 24]
    cleared = arm9[:0xE601C] + bytes(len(table)) + arm9[0xE601C + len(table) :]
    moved = cleared[:0x40004] + table + cleared[0x40004 + len(table) :]
    assert find_headers(PLATINUM, moved, 593, LIMITS, 0xE601C).why.offset == 0x40004


def test_of_two_tables_the_usual_place_decides(arm9: bytes) -> None:
    table = arm9[0xE601C : 0xE601C + 593 * 24]
    two = arm9[:0x40004] + table + arm9[0x40004 + len(table) :]
    assert find_headers(PLATINUM, two, 593, LIMITS, 0xE601C).why.offset == 0xE601C
    with pytest.raises(RomError, match="could be at any of 0x40004, 0xE601C"):
        find_headers(PLATINUM, two, 593, LIMITS, None)


def test_a_stray_header_of_a_hack_is_borne(arm9: bytes) -> None:
    changed = bytearray(arm9)
    struct.pack_into("<H", changed, 0xE601C + 24 * 500 + 2, 4000)
    found = find_headers(PLATINUM, bytes(changed), 593, LIMITS, None)
    assert found.why.offset == 0xE601C
    assert "99.8%" in reason(found.why)


def test_it_is_found_without_the_two_headers_that_are_no_places(arm9: bytes) -> None:
    table = arm9[0xE601C + 48 : 0xE601C + 593 * 24] + arm9[0xE601C + 48 : 0xE601C + 96]
    moved = arm9[:0x40004] + table + arm9[0x40004 + len(table) : 0xE601C] + bytes(593 * 24)
    found = find_headers(PLATINUM, moved, 593, LIMITS, 0xE601C)
    assert found.why.offset == 0x40004 and "the only place" in source(found.why)


def test_an_empty_table_is_none(arm9: bytes) -> None:
    with pytest.raises(RomError, match="--header-archive"):
        find_headers(PLATINUM, arm9[:0xE601C] + bytes(593 * 24), 593, LIMITS, 0xE601C)


def test_names_without_headers_make_no_headers(arm9: bytes) -> None:
    found = find_headers(PLATINUM, arm9, 600, LIMITS, 0xE601C)
    assert (found.why.offset, len(found.value)) == (0xE601C, 593)


ROUTINE = bytes.fromhex("00b5011c942000220af07efd031cdef7e4fd00bd")
"""Reads a header from the archive, wherever it is."""


def test_headers_are_those_of_the_archive_that_the_program_reads(tiny_rom: Callable[..., Rom], arm9: bytes) -> None:
    records = FieldWorld(tiny_rom()).header_table.value
    archive = {PLATINUM.path(Role.DYNAMIC_HEADERS): build_archive(record.tobytes() for record in records[:3])}
    program = FieldWorld(tiny_rom(archive)).rom.arm9()
    assert FieldWorld(tiny_rom(archive)).header_table.why.archive == ARM9
    world = FieldWorld(tiny_rom(archive, arm9=program[:0x802] + ROUTINE + program[0x802 + len(ROUTINE) :]))
    assert len(world.headers) == 3 and "0x802" in source(world.header_table.why)
    with pytest.raises(RomError, match="--header-archive"):
        FieldWorld(tiny_rom(arm9=program[:0x802] + ROUTINE + program[0x802 + len(ROUTINE) :]))
    marked = arm9[:0x3A024] + ROUTINE[:2] + arm9[0x3A026:]
    assert header_routine(PLATINUM, "CPUE", marked) == (0x3A024, False)
    assert header_routine(PLATINUM, "CPUS", marked) is None


def test_no_table_is_an_error(arm9: bytes) -> None:
    with pytest.raises(RomError, match="The table of 593 map headers was not found"):
        find_headers(PLATINUM, arm9[:0xE0000], 593, LIMITS, 0xE601C)
    with pytest.raises(RomError, match="was not found"):
        find_headers(PLATINUM, b"", 593, LIMITS, None)


def test_cameras_come_from_overlay_5(rom_path: Path) -> None:
    with open_rom(rom_path) as rom:
        overlay = rom.overlay(5)
    assert overlay is not None
    found = find_cameras(PLATINUM, overlay)
    assert found.value == PLATINUM.tables.cameras
    assert found.why.archive == "overlay 5"
    edited = bytearray(overlay.data)
    place = edited.find((2731713).to_bytes(4, "little"))
    edited[place : place + 4] = (3000000).to_bytes(4, "little")
    assert find_cameras(PLATINUM, Overlay(5, bytes(edited), overlay.load_address)).value[0].distance == 3000000


def test_cameras_and_graphics_without_the_overlay() -> None:
    assert find_cameras(PLATINUM, None).value == PLATINUM.tables.cameras
    assert "the ROM has no overlay 5" in source(find_cameras(PLATINUM, None).why)
    empty = Overlay(5, bytes(0x6000), 0x021D0D80)
    assert "holds no camera table" in source(find_cameras(PLATINUM, empty).why)
    assert "holds no such table" in source(find_object_graphics(PLATINUM, empty).why)
    assert find_object_graphics(PLATINUM, None).value == PLATINUM.tables.object_graphics


def test_object_graphics_come_from_overlay_5(rom_path: Path) -> None:
    with open_rom(rom_path) as rom:
        found = find_object_graphics(PLATINUM, rom.overlay(5))
    assert found.why.offset == 0x2BC34
    assert len(found.value) == 440
    assert found.value == PLATINUM.tables.object_graphics


def test_the_years_weather(arm9: bytes) -> None:
    found = find_yearly_weather(PLATINUM, arm9)
    assert found is not None
    assert found.value.shape == (366, 5)
    assert hashlib.sha1(found.value.tobytes()).hexdigest() == "1c357310e95edb58aac3639021c4ef43cf8a37f3"
    assert [int((found.value[:, 0] == weather).sum()) for weather in (2, 3, 4, 1)] == [302, 56, 7, 1]
    assert find_yearly_weather(PLATINUM, arm9[:0x1000]) is None


def test_weather_of_a_header(real: FieldWorld) -> None:
    by_date = [header for header in real.headers if header.weather >= 32]
    assert sorted(header.weather for header in by_date) == [32, 33, 34, 35, 36]
    for header in by_date:
        weather = real.weather(header, 5)
        assert real.yearly_weather is not None
        assert weather.value == real.yearly_weather.value[5, header.weather - 32]
        assert "day 5" in source(weather.why)
    assert real.weather(real.headers[411]).value == 0


def test_headers_of_an_archive(tiny_rom: Callable[..., Rom]) -> None:
    records = FieldWorld(tiny_rom()).header_table.value
    members = build_archive(record.tobytes() for record in records[:3])
    rom = tiny_rom({"debug/cb_edit/d_test.narc": members})
    world = FieldWorld(rom, header_archive="debug/cb_edit/d_test.narc")
    assert len(world.headers) == 3
    assert world.headers[2].internal_name == "R901"
    assert np.array_equal(world.header_table.value, records[:3])
    assert "it was named" in source(world.header_table.why)


def test_the_tiny_program_packed_and_plain(tiny_rom: Callable[..., Rom]) -> None:
    plain = tiny_rom().arm9()
    packed = bytearray(plain[:0x1000] + ndspy.codeCompression.compress(plain[0x1000:] + bytes(4000)))
    struct.pack_into("<I", packed, 0xBB4, 0x02000000 + len(packed))
    world = FieldWorld(tiny_rom(arm9=bytes(packed)))
    assert [header.internal_name for header in world.headers] == ["EVERYWHERE", "NOTHING", "R901", "R901R0101", "T90"]
    assert world.header_table.why.offset == 0x1200
    assert world.notes == []
    assert PLATINUM.path(Role.MESSAGES) not in world.game.missing(world.rom)
