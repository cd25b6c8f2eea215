from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from formats import FormatError
from formats.field import MapHeader, MapHeaderTable
from mapexplorer.rom import Rom
from mapexplorer.world import FieldWorld

HEADER = MapHeader(
    area=6, preload_list=5, matrix=300, scripts=1052, init_scripts=982, message_bank=554, day_music=1004,
    night_music=1033, wild_encounters=0xFFFF, events=390, label_text=1, label_window=2, weather=14, camera_type=12,
    map_type=3, battle_background=22, bicycle=True, running=False, escape_rope=True, fly=False,
)  # fmt: skip


def test_the_record_is_laid_out_as_struct_map_header() -> None:
    data = HEADER.to_bytes()
    assert len(data) == 24
    assert data[0:2] == bytes((6, 5))
    assert data[2:4] == (300).to_bytes(2, "little")
    assert data[14:16] == b"\xff\xff"
    assert data[18:22] == bytes((1, 2, 14, 12))
    assert int.from_bytes(data[22:], "little") == 3 | 22 << 7 | 1 << 12 | 1 << 14
    assert MapHeader.from_bytes(data) == HEADER


@pytest.mark.parametrize("field", list(vars(HEADER)))
def test_an_edit_changes_its_own_bits_only(field: str) -> None:
    value = getattr(HEADER, field)
    edited = replace(HEADER, **{field: not value if isinstance(value, bool) else value ^ 1})
    before, after = (int.from_bytes(header.to_bytes(), "little") for header in (HEADER, edited))
    assert (before ^ after).bit_count() == 1
    assert MapHeader.from_bytes(edited.to_bytes()) == edited != HEADER


def test_the_bytes_of_each_field() -> None:
    spans = {span.name: (span.offset, span.size, span.value) for span in HEADER.spans()}
    assert spans["events"] == (16, 2, 390) and spans["weather"] == (20, 1, 14)
    assert {name for name, span in spans.items() if span[:2] == (22, 2)} == {
        "map_type",
        "battle_background",
        "bicycle",
        "running",
        "escape_rope",
        "fly",
    }


def test_a_header_of_a_world_keeps_its_record(rom: Rom) -> None:
    header = FieldWorld(rom).headers[411]
    assert MapHeader.from_bytes(header.record.to_bytes()).events == header.events and len(header.record.spans()) == 20


@pytest.mark.parametrize("field, value", [("area", 256), ("matrix", -1), ("map_type", 128), ("battle_background", 32)])
def test_a_number_without_room_is_refused(field: str, value: int) -> None:
    with pytest.raises(ValueError):
        replace(HEADER, **{field: value}).to_bytes()


def test_one_header_more_and_one_less(rewritten: Callable[[Any], Any]) -> None:
    table = MapHeaderTable((HEADER, replace(HEADER, matrix=7)))
    more = rewritten(MapHeaderTable((*table.headers, replace(HEADER, events=9))))
    assert more.headers == (*table.headers, replace(HEADER, events=9))
    assert rewritten(MapHeaderTable(table.headers[1:])).headers == table.headers[1:]


def test_a_table_cut_within_a_record_is_refused() -> None:
    with pytest.raises(FormatError):
        MapHeaderTable.from_bytes(HEADER.to_bytes()[:-1])


def test_the_real_table_holds_what_is_known_of_it(header_table: bytes) -> None:
    headers = MapHeaderTable.from_bytes(header_table).headers
    assert Counter(header.map_type for header in headers) == {0: 1, 1: 20, 2: 71, 3: 166, 4: 334, 6: 1}
    windows = Counter(header.label_window for header in headers)
    assert windows == {1: 17, 2: 56, 3: 67, 4: 116, 5: 9, 6: 303, 7: 7, 8: 7, 9: 11}
    assert sum(header.wild_encounters == 0xFFFF for header in headers) == 439
    assert max(header.battle_background for header in headers) == 17
    cameras = Counter(header.camera_type for header in headers)
    assert (cameras[0], cameras[4], cameras[12], cameras[16]) == (189, 300, 60, 0)
    town = headers[411]
    assert (town.area, town.matrix, town.label_text, town.label_window, town.events) == (6, 0, 1, 2, 390)
