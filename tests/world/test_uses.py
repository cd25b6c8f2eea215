"""Who uses what, both ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from formats.field.map_matrix import MapMatrix
from formats.field.zone_event import ZoneEvents
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom
from mapexplorer.world import FieldWorld
from mapexplorer.world.references import KINDS, REFERENCES, ReferencePart
from mapexplorer.world.uses import Use
from mapexplorer.world.wording import part

PLACED_BY_CODE = {
    (28, 15): 119, (27, 16): 120, (28, 16): 121, (27, 17): 122,
    (23, 21): 176, (24, 21): 176, (23, 22): 176, (24, 22): 176,
}  # fmt: skip
"""Cell of matrix 0 -> the land of the Seabreak Path if it is known, of the Spring Path if it is not."""

HEADER_TABLE = 0xE601C
"""Where the header table of the American release is in the program."""


def test_references_of_twinleaf_town(real: FieldWorld) -> None:
    uses = real.uses
    assert uses.notes == []
    cell = ReferencePart("cell", (3, 27))
    assert uses.used_by("land", 0) == (Use("header", 411, cell),)
    assert Use("land", 0, cell) in uses.uses("header", 411)
    assert {use.number for use in uses.used_by("header", 411)} == {412, 414, 416, 417}
    assert 411 in uses.places("terrain set", 6)
    assert 411 in uses.places("light set", 0)


def test_scripts_and_preload_lists(real: FieldWorld) -> None:
    header = real.headers[411]
    assert Use("header", 411) in real.uses.used_by("scripts", header.scripts)
    assert Use("header", 411, ReferencePart("initial scripts")) in real.uses.used_by("scripts", header.init_scripts)
    users = tuple(Use("header", one.id) for one in real.headers if one.preload_list == header.preload_list)
    assert real.uses.used_by("preload list", header.preload_list) == users


def test_parts_in_words() -> None:
    parts = (
        ReferencePart("cell", (3, 27)),
        ReferencePart("warp", (4,)),
        ReferencePart("texture", name="grass"),
        ReferencePart("listed"),
        ReferencePart("cell if unknown", (23, 21), "Spring Path"),
        None,
    )
    words = ["cell (3, 27)", "warp 4", "texture grass", "listed", "cell (23, 21) while Spring Path is not known", ""]
    assert [part(one) for one in parts] == words


def test_the_kinds_are_those_of_the_references() -> None:
    shown = [reference for reference in REFERENCES if reference.shown]
    assert {kind for reference in shown for kind in (reference.user, reference.used)} == set(KINDS)


def test_uses_are_those_that_the_bytes_hold(real: FieldWorld) -> None:
    """Both directions against the header table, the matrices and the events, read here from their bytes."""
    rom = real.rom
    table = np.frombuffer(rom.arm9(), "<u2", 593 * 12, HEADER_TABLE).reshape(593, 12)
    lands, warps, areas = defaultdict(set), defaultdict(set), defaultdict(set)
    for header, row in enumerate(table.tolist()):
        areas[row[0] & 255].add(header)
        matrix = MapMatrix.from_bytes(rom.archive(PLATINUM.path(Role.MAP_MATRIX))[row[1]])
        for (z, x), land in np.ndenumerate(matrix.land):
            if land != 0xFFFF and (matrix.headers is None or matrix.headers[z, x] == header):
                lands[int(land)].add((header, (x, z)))
        for (x, z), land in PLACED_BY_CODE.items() if row[1] == 0 else ():
            if matrix.headers is not None and matrix.headers[z, x] == header:
                lands[land].add((header, (x, z)))
        events = ZoneEvents.from_bytes(rom.archive(PLATINUM.path(Role.ZONE_EVENT))[row[8]])
        for index, warp in enumerate(events.warps.tolist()):
            if warp[2] != 0xFFF:
                warps[warp[2]].add((header, (index,)))
    uses = real.uses
    for kind, expected in (("land", lands), ("header", warps)):
        assert sum(map(len, expected.values())) > 500
        found = defaultdict(set)
        for header in range(593):
            for use in uses.uses("header", header):
                if use.kind == kind and use.part is not None:
                    found[use.number].add((header, use.part.key))
        assert found == expected
        for number, users in expected.items():
            back = {
                (use.number, use.part.key) for use in uses.used_by(kind, number) if use.part and use.kind == "header"
            }
            assert back == users
    assert len(areas) > 50
    for area, headers in areas.items():
        assert uses.used_by("area", area) == tuple(Use("header", header) for header in sorted(headers))


def test_places_of_a_prop_are_those_that_place_it(real: FieldWorld) -> None:
    uses = real.uses
    placed = [model for model in range(590) if any(use.kind == "land" for use in uses.used_by("prop", model))]
    assert len(placed) == 360
    for header in uses.places("prop", 23):
        place = real.place(header)
        assert any(prop.stored == 23 for cell in place.cells for prop in place.props(cell))
    for animation in (0, 50, 97):
        assert uses.used_by("prop animation", animation)
    assert uses.unused("prop animation", 98) == ()
    assert uses.unused("terrain animation", 52) == ()
    assert len(uses.used_by("terrain animation", 0)) == 23
    assert 289 - len(uses.unused("matrix", 289)) == 270


def test_a_damaged_file_is_left_out(tiny_rom: Callable[..., Rom]) -> None:
    from mapexplorer.games import Role
    from mapexplorer.games.platinum import PLATINUM
    from mapexplorer.rom import build_archive

    rom = tiny_rom({PLATINUM.path(Role.AREA_DATA): build_archive([bytes(8), b"short"])})
    uses = FieldWorld(rom).uses
    assert len(uses.notes) == 1
    assert "area_data.narc[1]" in uses.notes[0]
    assert uses.places("land", 0) == (0, 2, 3, 4)
    assert uses.places("land", 1) == (0, 3, 4)
    assert uses.places("prop", 2) == (0, 2, 3, 4)
    assert uses.places("area", 1) == (2, 3)
