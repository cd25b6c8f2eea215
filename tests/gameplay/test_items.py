"""Items: every source of the vectors; the tables of the program in other places and programs without them."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from mapexplorer.gameplay.icons import item_files
from mapexplorer.gameplay.items import (
    BerryTree,
    Items,
    ItemSource,
    PlacedItem,
    ScriptItem,
    SoldItem,
    Way,
    script_effects,
)
from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank
from mapexplorer.games.gameplay_tables import CommonItem, PrizeItem
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.inspector.script.script_listing import ask
from mapexplorer.inspector.script.script_text import script_text
from mapexplorer.world import FieldWorld
from mapexplorer.world.sources.item_tables import find_common_mart, find_hidden_items, find_special_marts
from mapexplorer.world.sources.provenance import ARM9, RETAIL
from mapexplorer.world.wording import source
from tests.conftest import Cases

KNOWN = PLATINUM.tables.items
OF_SCRIPTS = ("script", "add", "mart", "exchange")


@pytest.fixture(scope="module")
def items(real: FieldWorld) -> Items:
    return Items(real)


def row(one: ItemSource) -> list[Any]:
    """A source as the vectors have it."""
    match one:
        case PlacedItem():
            return [str(one.how), one.header, one.x, one.z, one.count, one.flag]
        case BerryTree():
            return ["berry", one.header, one.x, one.z, one.berries, one.patch]
        case ScriptItem():
            return [str(one.how), one.member, one.entry, one.count]
        case SoldItem():
            return [str(one.shop), one.member, one.entry, one.number]
        case CommonItem():
            return ["common mart", one.step]
        case PrizeItem():
            return ["game corner", one.coins]


def test_every_source_of_the_vectors(items: Items, real: FieldWorld, cases: Cases) -> None:
    """There are more only of entries with too many paths for the reference, whose effects the vectors do not have."""
    found = items.by_item(script_effects(real))
    known = {
        (case["member"], entry)
        for case in cases("script_effects")
        for entry, effects in enumerate(case["entries"])
        if effects is not None
    }
    more = []
    for case in cases("xref_items"):
        rows = [row(one) for one in found.get(case["key"], ())]
        assert [one for one in case["rows"] if one not in rows] == [], case["key"]
        more += [one for one in rows if one not in case["rows"]]
    assert len(more) <= 4 and all(
        kind in OF_SCRIPTS and (member, entry) not in known for kind, member, entry, _ in more
    )


def test_without_effects_all_other_sources_are_there(items: Items, cases: Cases) -> None:
    for case in cases("xref_items"):
        wanted = [one for one in case["rows"] if one[0] not in OF_SCRIPTS]
        assert sorted(map(row, items.sources(case["key"])), key=str) == sorted(wanted, key=str)


def test_the_number_of_items_on_maps(items: Items, real: FieldWorld) -> None:
    on_maps = items.on_maps
    placed = [one for one in on_maps if isinstance(one, PlacedItem)]
    assert len([one for one in placed if one.how == "floor"]) == 329
    assert len([one for one in placed if one.how == "hidden"]) == 262
    assert items.on_map(411) == tuple(one for one in on_maps if getattr(one, "header", None) == 411)


def test_prices_and_files(items: Items, real: FieldWorld) -> None:
    assert items.data(17).price == 300 and items.data(1).price == 0
    assert item_files(real, 467).data == 445 and item_files(real, 9999) == item_files(real, 0)


def test_every_shop_and_who_opens_it(items: Items, real: FieldWorld, cases: Cases) -> None:
    shops = {(one.kind, one.number): one for one in items.shops(script_effects(real))}
    kinds = [kind for kind, _ in shops]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "common": 1,
        "specialties": 20,
        "decor": 2,
        "seals": 7,
        "frontier": 2,
        "game corner": 1,
    }
    for row in cases("script_effects"):
        for entry, effects in enumerate(row["entries"]):
            for kind, number in (effects or {}).get("mart", ()):
                assert (row["member"], entry) in shops[kind, number].opened_by
    mart, data = shops["specialties", 0], real.rom.archive("itemtool/itemdata/pl_item_data.narc")
    prices = [struct.unpack_from("<H", data[item_files(real, one).data])[0] for one in (146, 14)]
    assert (mart.place, mart.goods) == ("Jubilife", ((146, prices[0]), (14, prices[1])))
    assert shops["game corner", 0].goods[0] == (251, 1000) and {price for _, price in shops["seals", 6].goods} == {None}


def test_a_listing_says_what_a_shop_sells(real: FieldWorld) -> None:
    """All common shops have one list, whatever the number of their command."""
    lines = script_text(real, *ask(real, "C01FS0101")).splitlines()
    sold = ", ".join(name(real, NameBank.ITEMS, one.item) for one in KNOWN.common_mart)
    assert f"  mart: common ({sold})" in lines
    assert any(line.endswith(f"PokeMartCommon 1 ({sold})") for line in lines)
    special = ", ".join(name(real, NameBank.ITEMS, one) for one in (146, 14))
    assert f"  mart: specialties 0 ({special})" in lines
    assert any(line.endswith(f"PokeMartSpecialties 0 ({special})") for line in lines)


def test_the_tables_are_found_in_the_program(real: FieldWorld) -> None:
    assert real.hidden_items.value == KNOWN.hidden and real.hidden_items.why.offset == 959352
    assert real.common_mart.value == KNOWN.common_mart and real.common_mart.why.archive == "arm9"
    assert real.special_marts.value == tuple(sold for _, sold in KNOWN.special_marts)
    assert real.special_marts.why.archive == "arm9"
    assert source(real.common_mart.why).endswith("because its table of the common shops is there")


def hidden_bytes() -> bytes:
    return b"".join(struct.pack("<HBBHH", one.item, one.amount, one.range, 0, one.number) for one in KNOWN.hidden)


def test_hidden_items_are_found_elsewhere() -> None:
    moved = bytes(1000) + hidden_bytes() + bytes(1000)
    for headers in (None, 0, 1000 - KNOWN.hidden_after_headers):
        found = find_hidden_items(PLATINUM, moved, headers)
        assert found.value == KNOWN.hidden and found.why.offset == 1000
    edited = bytearray(moved)
    edited[1000:1002] = (5).to_bytes(2, "little")
    found = find_hidden_items(PLATINUM, bytes(edited), 1000 - KNOWN.hidden_after_headers)
    assert found.value[0].item == 5 and found.value[1:] == KNOWN.hidden[1:]


def test_a_program_without_tables_has_those_of_the_retail_game() -> None:
    for program in (b"", bytes(5000), b"\xff" * 1_000_000):
        for found, wanted in (
            (find_hidden_items(PLATINUM, program, 100), KNOWN.hidden),
            (find_common_mart(PLATINUM, program, "CPUE"), KNOWN.common_mart),
            (find_special_marts(PLATINUM, program, "CPUE"), tuple(sold for _, sold in KNOWN.special_marts)),
        ):
            assert found.value == wanted and found.why.archive == RETAIL
            assert source(found.why).startswith("the retail game's ")
            assert "because the program holds no " in source(found.why)


def test_shops_are_read_where_the_code_points() -> None:
    program = bytearray(400_000)

    def word(at: int, value: int) -> None:
        program[at : at + 4] = value.to_bytes(4, "little")

    word(KNOWN.common_mart_pointer["CPUJ"], 0x02000000 + 1000)
    program[KNOWN.common_mart_count["CPUJ"]] = 2
    program[1000:1008] = struct.pack("<4H", 4, 1, 3, 6)
    assert [tuple(one) for one in find_common_mart(PLATINUM, bytes(program), "CPUJ").value] == [(4, 1), (3, 6)]
    program[1006] = 9  # no step
    assert find_common_mart(PLATINUM, bytes(program), "CPUJ").why.archive == RETAIL
    word(KNOWN.special_mart_pointer["CPUJ"], 0x02000000 + 2000)
    for number in range(20):
        word(2000 + 4 * number, 0x02000000 + 3000 + 4 * number)
        program[3000 + 4 * number : 3004 + 4 * number] = struct.pack("<2H", 100 + number, 0xFFFF)
    found = find_special_marts(PLATINUM, bytes(program), "CPUJ")
    assert found.value == tuple((100 + number,) for number in range(20)) and found.why.offset == 2000
    assert find_special_marts(PLATINUM, bytes(program), "XXXX").why.archive == RETAIL


def test_the_items_of_the_demo(demo: FieldWorld) -> None:
    hill, forest, lake = (demo.place(name).header.id for name in ("H01", "F01", "L01"))
    assert demo.hidden_items.why.archive == ARM9
    assert set(Items(demo).on_maps) == {
        PlacedItem(3, Way.FLOOR, hill, 24, 13, 1, 1014),
        PlacedItem(7, Way.HIDDEN, hill, 24, 20, 1, 730),
        PlacedItem(5, Way.FLOOR, forest, 38, 21, 2, 1015),
        PlacedItem(9, Way.HIDDEN, lake, 58, 43, 1, 731),
    }
    gifts = {one.item for one in Items(demo).script_sources(script_effects(demo))}
    assert gifts == {17}
