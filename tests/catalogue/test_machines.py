"""What teaches moves: the machines of a program that has their table, and what is said where it is not found."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from mapexplorer.catalogue.store import open_store
from mapexplorer.catalogue.wording import told
from mapexplorer.games import PLATINUM, Topic
from mapexplorer.inspector.things.common import Context
from mapexplorer.inspector.things.records import describe_item
from mapexplorer.inspector.things.uses import answer, find_where_used, where_used_json
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import fresh_save
from mapexplorer.world.sources.item_tables import find_machines
from mapexplorer.world.subject import subject
from tests.catalogue.test_edges import compare, edges
from tests.catalogue.walk import WALKS

MOVES = 468
HMS = (15, 19, 57, 70, 432, 249, 127, 431)
TABLE = struct.pack("<100H", *range(200, 292), *HMS)
FILLER = b"\x0f\x00\x13\x00" * 500
"""Bytes that begin like the moves of the HMs."""


def test_machines_are_found_by_the_moves_of_the_hms() -> None:
    expected = {328 + index: 200 + index for index in range(92)} | dict(zip(range(420, 428), HMS, strict=True))
    assert find_machines(PLATINUM, FILLER + TABLE + FILLER, MOVES) == expected
    assert find_machines(PLATINUM, TABLE, MOVES) == expected
    repeated = TABLE[-16:] + TABLE  # the first match has no room for the TMs
    assert find_machines(PLATINUM, repeated, MOVES) == expected


@pytest.mark.parametrize(
    "program",
    [
        b"",
        FILLER,
        TABLE[2:],
        FILLER[1:] + TABLE,
        FILLER + TABLE + FILLER + TABLE,
        bytes(2) + TABLE[2:],
        struct.pack("<H", MOVES) + TABLE[2:],
        TABLE[:-16] + struct.pack("<8H", *HMS[:4], 250, *HMS[5:]),
    ],
    ids=["empty", "none", "cut short", "odd offset", "two", "move 0", "no such move", "other HMs"],
)
def test_other_programs_have_no_machines(program: bytes) -> None:
    assert find_machines(PLATINUM, program, MOVES) == {}


def test_the_machines_of_a_rom(rom_path: Path, tmp_path: Path) -> None:
    image = bytearray(rom_path.read_bytes())
    (program,) = struct.unpack_from("<I", image, 0x20)
    image[program + 0x80000 : program + 0x80000 + len(TABLE)] = TABLE
    path = tmp_path / "with_machines.nds"
    path.write_bytes(image)
    world = FieldWorld.open(path)
    (cut,) = find_where_used(world, "move:cut")
    assert ("taught by", "item:420", "") in told(cut.uses)
    assert "machines" in cut.asked and cut.not_known == (Topic.LEARNSETS,)
    assert {"how": "taught by", "at": "item:420", "location": ""} in where_used_json(world, cut)["uses"]
    _, _, (item, *_), _ = describe_item(Context(world, world.place("T01"), fresh_save(world.game)), 328)
    assert [(fact.name, fact.link) for fact in item.rows][1:] == [("Teaches", subject("move", 200))]
    store = open_store(world.rom)
    rule = cut.uses[[use.how for use in cut.uses].index("taught by")].rule
    compare(edges(store, rule), list(WALKS["machines"](world)))
    assert len(edges(store, rule)) == 100


def test_machines_that_are_not_found_are_not_known(real: FieldWorld) -> None:
    """The program of the test image has no table."""
    used, unused = (find_where_used(real, f"move:{number}")[0] for number in (15, 467))
    for found in (used, unused):
        assert found.known and found.not_known == (Topic.MACHINES, Topic.LEARNSETS)
        assert found.asked == ("trainers and their parties", "arguments of script commands")
    assert used.uses and where_used_json(real, used)["not_known"] == list(used.not_known)
    assert not unused.uses and answer(unused) == (
        "no use in trainers and their parties, arguments of script commands; "
        "not known in this game: machines that teach moves, learnsets and move tutors"
    )
    _, _, (item, *_), _ = describe_item(Context(real, real.place("T01"), fresh_save(real.game)), 420)
    assert [fact.name for fact in item.rows] == ["Price"]
