"""The references of the field data: who uses what, both ways, and what damage hides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from formats.field.map_matrix import MapMatrix
from formats.field.zone_event import ZoneEvents
from mapexplorer.catalogue.build import make_references
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import KINDS
from mapexplorer.catalogue.rules import REFERENCE, RULES
from mapexplorer.catalogue.store import reference_store
from mapexplorer.catalogue.uses import places, used_by, uses, where_used
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom, build_archive
from mapexplorer.world import FieldWorld
from mapexplorer.world.references.references import REFERENCES
from mapexplorer.world.subject import ReferencePart, Subject, subject
from mapexplorer.world.wording import part
from tests.world.conftest import tiny_rom

__all__ = ["tiny_rom"]

PLACED_BY_CODE = {
    (28, 15): 119, (27, 16): 120, (28, 16): 121, (27, 17): 122,
    (23, 21): 176, (24, 21): 176, (23, 22): 176, (24, 22): 176,
}  # fmt: skip
"""Cell of matrix 0 -> the land of the Seabreak Path if it is known, of the Spring Path if it is not."""

HEADER_TABLE = 0xE601C
"""Where the header table of the American release is in the program."""


def refer(store: Store, user: Subject) -> set[tuple[Subject, ReferencePart | None]]:
    """What a thing refers to, and by which part."""
    return {(use.used, use.part) for use in uses(store, user) if use.rule == REFERENCE}


def referring(store: Store, used: Subject) -> list[tuple[Subject, ReferencePart | None]]:
    """What refers to a thing, and by which part."""
    return [(use.user, use.part) for use in used_by(store, used) if use.rule == REFERENCE]


def test_references_of_twinleaf_town(store: Store) -> None:
    twinleaf, cell = subject("header", 411), ReferencePart("cell", (3, 27))
    assert store.rows("SELECT * FROM damaged") == []
    assert referring(store, subject("land", 0)) == [(twinleaf, cell)]
    assert (subject("land", 0), cell) in refer(store, twinleaf)
    assert {user for user, _ in referring(store, twinleaf)} == {
        subject("header", number) for number in (412, 414, 416, 417)
    }
    assert 411 in places(store, subject("terrain set", 6))
    assert 411 in places(store, subject("light set", 0))


def test_scripts_and_preload_lists(real: FieldWorld, store: Store) -> None:
    header = real.headers[411]
    users = referring(store, subject("scripts", header.scripts))
    assert (subject("header", 411), None) in users
    users = referring(store, subject("scripts", header.init_scripts))
    assert (subject("header", 411), ReferencePart("initial scripts")) in users
    users = [(subject("header", one.id), None) for one in real.headers if one.preload_list == header.preload_list]
    assert referring(store, subject("preload list", header.preload_list)) == users


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


def test_the_kinds_of_references_are_kinds_of_things() -> None:
    """Verification also follows numbers that are no things: of natures, of backdrops."""
    shown = [reference for reference in REFERENCES if reference.shown]
    assert {kind for reference in shown for kind in (reference.user, reference.used)} <= set(KINDS)


def test_the_field_data_alone_give_the_same_answers(real: FieldWorld, store: Store) -> None:
    """The store that is made in a fraction of a second has the references of the whole one."""
    alone = Store(make_references(real), whole=False)
    query = "SELECT user_kind, user, used_kind, used, how, part, part_key, part_name, header FROM edge WHERE rule = 0"
    assert alone.rows(query) == store.rows(query) != []
    for one in (subject("prop", 23), subject("terrain set", 6), subject("area", 9)):
        assert places(alone, one) == places(store, one) != ()
    for number in range(len(real.headers)):
        assert places(alone, subject("header", number)) == places(store, subject("header", number)) == ()


def test_uses_are_those_that_the_bytes_hold(real: FieldWorld, store: Store) -> None:
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
    found: dict[str, dict[int, set[Any]]] = {"land": defaultdict(set), "header": defaultdict(set)}
    for header in range(593):
        for used, by in refer(store, subject("header", header)):
            if used.kind in found and by is not None:
                found[used.kind][used.key[0]].add((header, by.key))
    for kind, expected in (("land", lands), ("header", warps)):
        assert sum(map(len, expected.values())) > 500
        assert found[kind] == expected
        for number, users in expected.items():
            back = {(user.key[0], by.key) for user, by in referring(store, subject(kind, number)) if by is not None}
            assert back == users
    assert len(areas) > 50
    for area, headers in areas.items():
        assert referring(store, subject("area", area)) == [(subject("header", one), None) for one in sorted(headers)]


def test_places_of_a_prop_are_those_that_place_it(real: FieldWorld, store: Store) -> None:
    def used(kind: str, count: int, by: str = "") -> list[int]:
        users = ((number, referring(store, subject(kind, number))) for number in range(count))
        return [number for number, found in users if any(by in ("", user.kind) for user, _ in found)]

    assert len(used("prop", 590, "land")) == 360
    having = {
        header.id
        for header in real.headers
        if any(
            prop.stored == 23 for place in [real.place(header.id)] for cell in place.cells for prop in place.props(cell)
        )
    }
    assert set(places(store, subject("prop", 23))) == having != set()
    assert used("prop animation", 98) == list(range(98))
    assert used("terrain animation", 52) == list(range(52))
    assert len(referring(store, subject("terrain animation", 0))) == 23
    assert len(used("matrix", 289)) == 270


def test_a_damaged_file_is_left_out(tiny_rom: Callable[..., Rom]) -> None:
    rom = tiny_rom({PLATINUM.path(Role.AREA_DATA): build_archive([bytes(8), b"short"])})
    tiny = reference_store(FieldWorld(rom))
    [(sentence, rule)] = tiny.rows("SELECT sentence, part FROM damaged")
    assert "area_data.narc[1]" in sentence and rule == RULES[REFERENCE].title
    assert places(tiny, subject("land", 0)) == (0, 2, 3, 4)
    assert places(tiny, subject("land", 1)) == (0, 3, 4)
    assert places(tiny, subject("prop", 2)) == (0, 2, 3, 4)
    assert places(tiny, subject("area", 1)) == (2, 3)
    found = where_used(FieldWorld(rom), subject("prop set", 1))
    assert found.damaged == (sentence,) and not found.uses
