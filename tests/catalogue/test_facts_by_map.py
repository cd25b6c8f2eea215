"""What tables and `encounters` say from the store, against the vectors and the bytes of the ROM."""

from __future__ import annotations

import struct
from collections import Counter
from typing import Any

import pytest

from mapexplorer.catalogue.database import Store
from mapexplorer.inspector.places import species as species_places
from mapexplorer.inspector.places.species import find_species, species_json, species_rows
from mapexplorer.inspector.tables import TABLES
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header import Header
from tests.conftest import Cases

TRADES = "fielddata/pokemon_trade/fld_trade.narc"
SPECIES, ITEMS, TRADE_NAMES = 412, 392, 370
"""Message banks of the US release."""
UNKNOWN = -1
"""A number that a script computes, in the vectors."""


def rows(world: FieldWorld, name: str, headers: list[Header] = [], *, free: bool = False) -> list[dict[str, Any]]:  # noqa: B006
    table = TABLES[name]
    read = table.free if free and table.free is not None else table.rows
    return [dict(zip(table.columns, row, strict=True)) for row in read(world, headers)]


def address(world: FieldWorld, member: int, entry: int) -> str:
    """A script as `script` takes it: of the first map with the file, else of the file."""
    shared = {band.member for band in world.game.tables.script_numbers.bands}
    owner = next((one for one in world.headers if one.scripts == member and member not in shared), None)
    return f"file:{member}#{entry}" if owner is None else f"{owner.internal_name}#{entry + 1}"


def scripted(world: FieldWorld, cases: Cases, effect: str) -> Counter[tuple[Any, ...]]:
    """(address, values) of an effect of the vectors; values that scripts compute are None."""
    found: Counter[tuple[Any, ...]] = Counter()
    for row in cases("script_effects"):
        for entry, effects in enumerate(row["entries"]):
            for values in (effects or {}).get(effect, ()):
                plain = [None if one == UNKNOWN else one for one in (values if isinstance(values, list) else [values])]
                found[(address(world, row["member"], entry), *plain)] += 1
    return found


def test_the_pokemon_of_scripts_are_those_of_the_vectors(real: FieldWorld, store: Store, cases: Cases) -> None:
    found = {
        how: Counter((one["script"], one["species"], one["level"]) for one in rows(real, "static") if one["how"] == how)
        for how in ("fought", "gift", "egg")
    }
    fought, gifts, eggs = (scripted(real, cases, effect) for effect in ("wild", "pokemon", "egg"))
    assert fought and eggs and fought <= found["fought"]
    assert Counter(one[:3] for one in gifts.elements()) <= found["gift"]
    assert Counter((*one, None) for one in eggs.elements()) <= found["egg"]
    assert all(one["header"] is None or one["location_name"] for one in rows(real, "static"))


def test_the_trades_are_those_of_the_archive(real: FieldWorld, store: Store) -> None:
    records = [struct.unpack("<20I", record) for record in real.rom.archive(TRADES)]
    names, texts, items = real.messages(SPECIES), real.messages(TRADE_NAMES), real.messages(ITEMS)
    found = rows(real, "trades")
    assert [one["trade"] for one in found] == list(range(len(records)))
    for one, words in zip(found, records, strict=True):
        values = [one[name] for name in ("hp", "attack", "defense", "speed", "special_attack", "special_defense")]
        assert values == list(words[1:7])
        assert [one[name] for name in ("species", "item", "wanted")] == [words[0], words[15], words[19]]
        assert (one["species_name"], one["wanted_name"]) == (names[words[0]], names[words[19]])
        assert one["item_name"] == items[words[15]]
        assert (one["nickname"], one["trainer"]) == (texts[one["trade"]], texts[len(records) + one["trade"]])
    assert found[0]["script"] == "C03R0201#1" and found[0]["location_name"] == "Oreburgh City"


def test_the_trainers_of_maps_are_those_of_the_vectors(real: FieldWorld, store: Store, cases: Cases) -> None:
    parties = {row["trainer"]: row["party"] for row in cases("trainers")}
    compared = 0
    for case in cases("xref_trainers"):
        found = rows(real, "trainers", [real.headers[case["key"]]])
        assert set(case["rows"]) <= {one["trainer"] for one in found}
        for number in parties.keys() & set(case["rows"]):
            party = [(one["species"], one["level"]) for one in found if one["trainer"] == number]
            assert party == [(one["species"], one["level"]) for one in parties[number]]
            compared += 1
        assert all(real.headers[case["key"]].internal_name in one["maps"].split(", ") for one in found)
    assert compared > 40
    everybody = rows(real, "trainers")
    assert len({one["trainer"] for one in everybody}) == len(list(real.rom.archive("poketool/trainer/trdata.narc"))) - 1
    rematch = {one["maps"] for one in everybody if one["trainer"] == 858}  # Roark in the Battleground
    assert rematch == {"T06R0101"}


def test_the_items_of_maps_are_those_of_the_vectors(real: FieldWorld, store: Store, cases: Cases) -> None:
    found: dict[int, set[tuple[Any, ...]]] = {}
    for one in rows(real, "items"):
        place = (one["header"], one["x"], one["z"], one["count"])
        facts = {"floor": (*place, one["flag"]), "hidden": (*place, one["flag"]), "berry tree": place}
        how = one["how"]
        found.setdefault(one["item"], set()).add((how, *facts.get(how, (one["script"], one["count"]))))
    for case in cases("xref_items"):
        wanted = set()
        for how, *facts in case["rows"]:
            if how in ("floor", "hidden"):
                wanted.add((how, *facts))
            elif how == "berry":
                wanted.add(("berry tree", *facts[:4]))
            elif how in ("script", "add"):
                number = None if facts[2] == UNKNOWN else facts[2]
                wanted.add(("given", address(real, *facts[:2]), number))
        here = found.get(case["key"], set())
        assert wanted <= here, case["key"]
        # The vectors lack what entries give that have too many paths for them.
        assert {one[0] for one in here - wanted} <= {"given"}, case["key"]


def test_what_shops_sell(real: FieldWorld, store: Store, cases: Cases) -> None:
    found = rows(real, "shops")
    of_jubilife = rows(real, "shops", [real.place("C01FS0101").header])
    assert {one["number"] for one in of_jubilife if one["kind"] == "specialties"} == {0}
    sold = {(one["goods_name"], one["price"], one["badges"]) for one in of_jubilife}
    assert {("Poké Ball", 200, 0), ("Ultra Ball", 1200, 5), ("Air Mail", 50, None), ("Heal Ball", 300, None)} <= sold
    assert {one["scripts"] for one in of_jubilife} == {"C01FS0101#1", "C01FS0101#2"}
    for case in cases("xref_items"):
        wanted = {(row[3], address(real, *row[1:3])) for row in case["rows"] if row[0] == "mart"}
        here = [one for one in found if one["kind"] == "specialties" and one["goods"] == case["key"]]
        assert {(one["number"], script) for one in here for script in one["scripts"].split(", ")} == wanted
        coins = [price for how, *rest in case["rows"] if how == "game corner" for price in rest]
        assert [one["price"] for one in found if one["kind"] == "game corner" and one["goods"] == case["key"]] == coins


def test_the_users_of_flags_are_those_of_the_vectors(real: FieldWorld, store: Store, cases: Cases) -> None:
    found = {one["flag"]: one for one in rows(real, "flags")}
    for case in cases("xref_flags"):
        one = found[case["key"]]
        hides = {f"{real.headers[header].internal_name} object {index}" for header, index in case.get("hides", ())}
        assert set(filter(None, one["hides"].split(", "))) == hides
        for use, column in (("set", "set"), ("clear", "cleared"), ("check", "checked")):
            files = {address(real, member, 0).rpartition("#")[0] for member, _ in case.get(use, ())}
            shown = {user.partition(" ")[0].partition("#")[0] for user in one[column].split(", ")}
            bare = {f"file:{member}" for member, _ in case.get(use, ())}
            assert files <= shown or files <= shown | {name for name in files if bare & shown}, (case["key"], use)
    assert found[1606]["meaning"] == "trainer 246 Roark beaten" and found[1606]["set"].startswith("trainer:246")
    assert found[931]["meaning"] == "hidden item 201: Odd Keystone, taken"


def test_free_flags_and_variables_are_used_nowhere(real: FieldWorld, store: Store, cases: Cases) -> None:
    flags = {one["flag"] for one in rows(real, "flags", free=True)}
    variables = {one["variable"] for one in rows(real, "variables", free=True)}
    assert len(flags) > 50 and len(variables) > 10
    assert not flags & {case["key"] for case in cases("xref_flags")}
    assert not flags & {1606, 931, 897, 344, 342} and not flags & {*range(730, 1014), *range(1360, 2288)}
    for header in real.headers:
        events = real.events(header.id)
        if events is not None:
            clones = events.objects["script"] == 0xFFFF
            assert not flags & set(events.objects["hidden_flag"][~clones].tolist())
            assert not variables & set(events.triggers["variable"].tolist())
    for case in cases("init_scripts"):
        assert not variables & {row[0] for kind, value in case["entries"] if kind == 1 for row in value}
    for case in cases("scripts"):
        assert not variables & {value for _, _, *arguments in case["commands"] for value in arguments}


def test_a_map_has_the_flags_and_variables_of_its_things(real: FieldWorld, store: Store) -> None:
    town = [real.place("T01").header]
    flags, variables = rows(real, "flags", town), rows(real, "variables", town)
    assert {372, 931, 2480} <= {one["flag"] for one in flags} < {one["flag"] for one in rows(real, "flags")}
    hidden = {int(one["hidden_flag"]) for one in real.events(411).objects if one["script"] != 0xFFFF} - {0}
    assert hidden <= {one["flag"] for one in flags}
    assert set(real.events(411).triggers["variable"].tolist()) <= {one["variable"] for one in variables}


# --- a species


@pytest.mark.parametrize(
    "name", ["SPIRITOMB", "GIRATINA", "ROTOM", "PORYGON", "RIOLU", "DARKRAI", "REGIGIGAS", "EEVEE"]
)
def test_a_species_of_scripts_is_where_the_vectors_have_it(
    real: FieldWorld, store: Store, cases: Cases, name: str
) -> None:
    texts = real.messages(SPECIES)
    assert texts is not None
    number = texts.messages.index(name)
    plain = species_json(find_species(real, number))
    assert plain["scripts"]
    found = {(one["how"], one["at"], one["level"]) for one in plain["scripts"]}
    for how, effect in (("fought", "wild"), ("gift", "pokemon"), ("egg", "egg")):
        for at, species, *rest in scripted(real, cases, effect):
            if species == number:
                assert (how, at, rest[0] if rest else None) in found


def test_trades_and_roaming_pokemon_name_their_scripts(real: FieldWorld, store: Store) -> None:
    abra = find_species(real, 63)
    assert ("C03R0201#1", "trade", "for MACHOP") in {(row[1], row[3], row[4]) for row in species_rows(abra)}
    mesprit = find_species(real, 481)
    assert ("D27R0103#2", "roaming", "50") in {(row[1], row[3], row[6]) for row in species_rows(mesprit)}
    assert len(mesprit.places) == len(real.game.tables.encounters.roamer_headers)
    starters = find_species(real, 387)
    assert not starters.places and not starters.scripts and "R201#13" in starters.computed


def test_only_the_encounter_files_with_a_species_are_read(
    real: FieldWorld, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[int]()
    once = species_places.find_encounters
    counted = lambda world, header: read.append(header) or once(world, header)  # noqa: E731
    monkeypatch.setattr(species_places, "find_encounters", counted)
    found = find_species(real, 396)
    assert read == [header.id for header, _ in found.places] and 0 < len(read) < len(real.headers) / 2
    read.clear()
    assert find_species(real, 442).scripts and not read
