"""The questions of users that were once answered wrongly, in a misleading way, or not at all: each is answered by one
command.

What is expected is found another way: in bytes of the ROMs at the places of the fact sheets, in the vectors, or by hand
on the demo world.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.cli.test_twenty_questions import Oracle, oracle  # noqa: F401

Cli = Callable[..., Any]

CLONE = 0xFFFF
"""The script of an object that is a copy of one of another map (sheet 2.2); its flag is the header of that map."""

WILD = (292, 701, 792, 793)
GIFT, EGG = 150, 151
SET_FLAG, CLEAR_FLAG, CHECK_FLAG = 30, 31, 32
COMMON_SHOP = 327
FIRST_HIDDEN, FIRST_BEATEN = 730, 1360
"""The flags of hidden item 0 and of trainer 0 (sheets 5 and 6.4)."""

SCRIPTS = "fielddata/script/scr_seq.narc"
EVENTS = "fielddata/eventdata/zone_event.narc"
PARTIES, TRAINERS = "poketool/trainer/trpoke.narc", "poketool/trainer/trdata.narc"


# --- the other way


def scripts_with(o: Oracle, commands: Iterable[int], number: int) -> set[str]:
    """The maps in whose scripts the number of one of some commands stands with a number behind it, or `file:3`."""
    found = set()
    owners: dict[int, str] = {}
    for header, name in zip(o.headers, o.names, strict=False):
        owners.setdefault(header.scripts, name)
    for member, data in enumerate(o.rom.archive(SCRIPTS)):
        if any(struct.pack("<2H", command, number) in bytes(data) for command in commands):
            found.add(owners.get(member, f"file:{member}"))
    return found


def tables(o: Oracle, header: int) -> dict[str, list[tuple[int, ...]]]:
    """The signs (script, type, x, z) and objects (script, flag, x, z) of a map: words of its events."""
    data = bytes(o.rom.archive(EVENTS)[o.headers[header].events])
    (signs,) = struct.unpack_from("<I", data)
    (objects,) = struct.unpack_from("<I", data, 4 + 20 * signs)
    found: dict[str, list[tuple[int, ...]]] = {"signs": [], "objects": []}
    for at in range(4, 4 + 20 * signs, 20):
        script, kind, x, z = struct.unpack_from("<2H2i", data, at)
        found["signs"].append((script, kind, x, z))
    for at in range(8 + 20 * signs, 8 + 20 * signs + 32 * objects, 32):
        flag, script = struct.unpack_from("<2H", data, at + 8)
        found["objects"].append((script, flag, *struct.unpack_from("<2H", data, at + 24)))
    return found


def flags_of_hidden_items(o: Oracle) -> dict[int, set[str]]:
    """Flag -> the tiles of the hidden items that it stands for."""
    found: dict[int, set[str]] = {}
    for header, name in enumerate(o.names[: len(o.headers)]):
        for script, kind, x, z in tables(o, header)["signs"]:
            if kind == 2:
                found.setdefault(FIRST_HIDDEN + script - 8000, set()).add(f"{name}@{x},{z}")
    return found


def moves_of_parties(o: Oracle) -> dict[int, set[int]]:
    """Move -> the trainers with a Pokémon that has it by the records of parties."""
    found: dict[int, set[int]] = {}
    for trainer, (record, party) in enumerate(zip(o.rom.archive(TRAINERS), o.rom.archive(PARTIES), strict=True)):
        kind = record[0] & 3
        size = (8, 16, 10, 18)[kind]
        for slot in range(record[3] if kind & 1 else 0):
            for move in struct.unpack_from("<4H", bytes(party), slot * size + (8 if kind & 2 else 6)):
                found.setdefault(move, set()).add(trainer)
    return found


def species_of(o: Oracle, headers: Iterable[int]) -> set[int]:
    """The species in the grass slots of some maps, of the second slot's and the other times' not."""
    found: set[int] = set()
    for header in headers:
        member = o.headers[header].wild_encounters
        if member != 0xFFFF:
            data = bytes(o.rom.archive("fielddata/encountdata/pl_enc_data.narc")[member])
            if struct.unpack_from("<I", data)[0]:
                found |= {struct.unpack_from("<I", data, 8 + 8 * slot)[0] for slot in range(12)}
    return found


def lands_with(o: Oracle, behaviour: int) -> dict[int, int]:
    """Land -> how many of its tiles have a behaviour: the low bytes of 32 x 32 words behind four sizes."""
    found = {}
    for land, data in enumerate(o.rom.archive("fielddata/land_data/land_data.narc")):
        tiles = bytes(data)[16 : 16 + 2 * 1024 : 2].count(behaviour)
        if tiles:
            found[land] = tiles
    return found


def maps_of_lands(o: Oracle, lands: Iterable[int]) -> set[int]:
    wanted, found = set(lands), set()
    for number, header in enumerate(o.headers):
        if any(land in wanted for owner, land in o.lands(header.matrix) if owner in (-1, number)):
            found.add(number)
    return found


def named(o: Oracle, field: str, number: int) -> set[int]:
    """The headers with a number in a field."""
    return {at for at, header in enumerate(o.headers) if getattr(header, field) == number}


def located(o: Oracle, location: str) -> set[int]:
    """The headers whose location name is a text."""
    return {at for at, header in enumerate(o.headers) if o.words(433, header.label_text) == location}


# --- what commands print


def ask(cli: Cli, rom: object, verb: str, *arguments: object, status: int = 0) -> Any:
    ran = cli(verb, rom, *arguments, "--json")
    assert ran.status == status, ran.err
    return json.loads(ran.out)


def used(cli: Cli, rom: object, thing: str, status: int = 0) -> Any:
    [one] = ask(cli, rom, "where-used", thing, status=status)["things"]
    return one


def at(one: Any, how: str) -> set[str]:
    """Where a thing is used in ways that begin with some words."""
    return {use["at"] for use in one["uses"] if use["how"].startswith(how)}


def maps_at(one: Any, how: str) -> set[str]:
    return {place.split("#")[0] for place in at(one, how)}


def headers(places: Any) -> set[int]:
    return {place["header"] for place in places}


def said_not_known(cli: Cli, rom: object, *command: str) -> str:
    """What is said in place of an answer, in the status of one that could not be given."""
    ran = cli(command[0], rom, *command[1:])
    assert ran.status == 1 and "no use in" not in ran.out, (command, ran.out)
    return str(ran.out + ran.err)


# --- 1 to 3: Pokémon that scripts give or let fight, and Feebas


@pytest.mark.parametrize("species", ["GIRATINA", "ROTOM", "SPIRITOMB", "DARKRAI", "REGIGIGAS"])
def test_where_a_pokemon_is_fought(cli: Cli, rom_path: Path, oracle: Oracle, species: str) -> None:  # noqa: F811
    number = numbers(oracle, 412)[species]
    expected = scripts_with(oracle, WILD, number)
    assert expected and maps_at(used(cli, rom_path, f"species:{species}"), "fought") == expected
    found = ask(cli, rom_path, "encounters", species)
    assert {one["at"].split("#")[0] for one in found["scripts"] if one["how"] == "fought"} == expected


@pytest.mark.parametrize(
    ("species", "command", "how"),
    [
        ("EEVEE", GIFT, "given"),
        ("PORYGON", GIFT, "given"),
        ("TOGEPI", EGG, "as an egg"),
        ("RIOLU", EGG, "as an egg"),
    ],
)
def test_where_a_pokemon_is_given(
    cli: Cli,
    rom_path: Path,
    oracle: Oracle,  # noqa: F811
    species: str,
    command: int,
    how: str,
) -> None:
    number = numbers(oracle, 412)[species]
    expected = scripts_with(oracle, [command], number)
    assert expected and maps_at(used(cli, rom_path, f"species:{species}"), how) == expected
    assert {one["at"].split("#")[0] for one in ask(cli, rom_path, "encounters", species)["scripts"]} >= expected


def numbers(o: Oracle, bank: int) -> dict[str, int]:
    """Name -> number of a bank of names, of the first with a name."""
    from formats.field.message import MessageBank

    names = MessageBank.from_bytes(o.rom.archive("msgdata/pl_msg.narc")[bank]).messages
    return {text: number for number, text in reversed(list(enumerate(names)))}


def test_where_feebas_is(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    (species,) = struct.unpack("<I", bytes(oracle.rom.archive("arc/encdata_ex.narc")[0])[:4])
    found = ask(cli, rom_path, "encounters", f"species:{species}")
    [place] = found["places"]
    assert (place["internal_name"], found["name"]) == ("D05R0113", "FEEBAS")
    assert [(one["how"], one["percent"], one["levels"]) for one in place["meetings"]] == [
        ("Feebas tiles", 50, [10, 20])
    ]
    here = ask(cli, rom_path, "encounters", "D05R0113")
    assert species in {one["species"] for group in here["lists"] for one in group["species"]}


# --- 4, 5, 7, 15: flags


def test_a_clone_is_hidden_by_no_flag(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    every = {number: tables(oracle, number)["objects"] for number in range(len(oracle.headers))}
    with_clones = {header: [row for row in rows if row[0] == CLONE] for header, rows in every.items()}
    assert sum(map(len, with_clones.values())) == 47
    for header in [one for one, rows in with_clones.items() if rows]:
        found = [one for one in ask(cli, rom_path, "events", f"map:{header}")["events"] if one["kind"] == "object"]
        for index, (script, flag, _, _) in enumerate(every[header]):
            if script == CLONE:
                assert found[index]["hidden_by"] is None
                assert found[index]["clone_of"]["header"] == flag, (header, index)
    text = cli("events", rom_path, "T01").out
    assert "clone of object 3 of Route 201" in text and "block_pastoria_city_croagunk_event" not in text


def test_what_a_flag_of_a_range_is(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    of_items = flags_of_hidden_items(oracle)
    for flag in [931, 897, *list(of_items)[::40]]:
        one = used(cli, rom_path, f"flag:{flag}")
        assert at(one, "set when the item is taken from") == of_items[flag]
        assert one["name"].startswith(f"hidden item {flag - FIRST_HIDDEN} ")
    for trainer in (246, 1, 500, 927):
        assert used(cli, rom_path, f"flag:{FIRST_BEATEN + trainer}")["uses"][0]["at"] == f"trainer:{trainer}"
    assert "no use" not in cli("where-used", rom_path, f"flag:{FIRST_BEATEN + 246}").out
    assert "  set when beaten: Leader Roark (trainer:246)\n" in cli("show", rom_path, f"flag:{FIRST_BEATEN + 246}").out


def test_flags_of_diamond_are_not_called_unused(cli: Cli, rom_path: Path) -> None:
    rom = rom_path.with_name("diamond-field.nds")
    ran = cli("events", rom, "T01")
    assert ran.status == 0 and "hidden while flag 402 is set: which scripts change it is not known" in ran.out
    [barry] = [one["hidden_by"] for one in ask(cli, rom, "events", "T01")["events"] if one["hidden_by"]]
    assert (barry["flag"], barry["known"], barry["uses"]) == (402, False, [])
    one = used(cli, rom, "flag:402")
    assert one["known"] and "scripts" in one["not_known"]
    assert "not known in this game, so uses there are missing: scripts" in cli("where-used", rom, "flag:402").out


@pytest.mark.parametrize("thing", ["move:15", "item:17", "flag:168"])
def test_the_last_line_counts_the_uses_that_are_listed(cli: Cli, rom_path: Path, thing: str) -> None:
    """Two commands of one script that use a thing in the same way are one use."""
    lines = cli("where-used", rom_path, thing).out.splitlines()
    listed = sum(not line.startswith("not known") for line in lines[1:-1])
    assert re.search(rf": {listed} uses?, in", lines[-1])


def test_free_flags_are_used_by_nothing(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    free = {row["flag"] for row in ask(cli, rom_path, "table", "flags", "--free")["rows"]}
    hiding = {
        flag
        for header in range(len(oracle.headers))
        for script, flag, *_ in tables(oracle, header)["objects"]
        if script != CLONE
    }
    beaten = range(FIRST_BEATEN + 1, FIRST_BEATEN + len(oracle.rom.archive(TRAINERS)))
    assert free and not free & (hiding | set(flags_of_hidden_items(oracle)) | set(beaten))
    used_by_scripts = {
        key for key, row in oracle.rows("xref_flags", "key").items() if row.keys() & {"set", "clear", "check"}
    }
    assert not free & used_by_scripts
    for flag in sorted(free)[::10]:
        assert used(cli, rom_path, f"flag:{flag}")["uses"] == []
        ran = cli("where-used", rom_path, f"flag:{flag}")
        assert (ran.status, ran.out.startswith("no use in events, ")) == (0, True)
    # By bytes: what neither a script holds beside a command of flags nor an object has is at least not set.
    for flag in sorted(free)[::5]:
        for command in (SET_FLAG, CLEAR_FLAG, CHECK_FLAG):
            assert not scripts_with(oracle, [command], flag), flag


# --- 6, 13, 19, 28: trainers


def test_who_knows_a_move(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    surf = numbers(oracle, 647)["Surf"]
    expected = {f"trainer:{one}" for one in moves_of_parties(oracle)[surf]}
    assert expected and at(used(cli, rom_path, "move:Surf"), "known in the party of") == expected


def test_where_a_trainer_is_met_whom_a_variable_names(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    found = used(cli, rom_path, "trainer:858")
    assert {place["internal_name"] for place in found["places"]} == {"T06R0101"}
    member = bytes(oracle.rom.archive(SCRIPTS)[oracle.headers[oracle.id("T06R0101")].scripts])
    assert struct.pack("<H", 858) in member and all("variable" in one["how"] for one in found["uses"])


def test_the_teams_of_the_rival(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    found = {one["numbers"][0] for one in ask(cli, rom_path, "find", "rival", "--kind", "trainer")["found"]}
    cedric = {
        number
        for number, data in enumerate(oracle.rom.archive(TRAINERS))
        if data[1] == 63 and oracle.words(618, number) == "Cedric"
    }
    assert cedric and found >= cedric
    text = cli("show", rom_path, "TRAINER_RIVAL_ROUTE_203_PIPLUP").out
    party = [oracle.words(412, species) for species in oracle.parties()[247]]
    assert re.findall(r"Pokémon \d: (\w+)", text) == party and text.startswith("PKMN Trainer Cedric")


def test_the_trainers_of_a_route_with_parties(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    rows = ask(cli, rom_path, "table", "trainers", "Route 202")["rows"]
    objects = tables(oracle, oracle.id("R202"))["objects"]
    trainers = sorted(script - 2999 for script, *_ in objects if 3000 <= script < 5000)
    assert [(row["trainer"], row["species"]) for row in rows] == [
        (trainer, species) for trainer in trainers for species in oracle.parties()[trainer]
    ]
    lines = cli("table", rom_path, "trainers", "Route 202", "--csv").out.splitlines()
    assert len(lines) == len(rows) + 1 and lines[0].startswith("trainer,name,class")


def test_a_trainer_has_its_party_and_messages_without_marks(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    text = cli("show", rom_path, "trainer:246").out
    party = [oracle.words(412, species) for species in oracle.parties()[246]]
    assert re.findall(r"Pokémon \d: (\w+)", text) == party and "\\n" not in text


# --- 8, 33: a hack


def test_a_hack_as_text_is_checked_and_compared(cli: Cli, tmp_path: Path) -> None:
    tree, image = tmp_path / "tree", tmp_path / "changed.nds"
    assert cli("unpack", "demo", tree, "-j", "1").status == 0
    wild = tree / "data/fielddata/encountdata/pl_enc_data.narc/0000.json"
    sound = wild.read_text("utf-8")
    slot = json.loads(sound)["value"]["grass"][0]["species"]
    assert sound.count('"grass_rate": 0') == 0
    line = 1 + next(at for at, words in enumerate(sound.splitlines()) if f'"species": {slot}' in words)

    wild.write_text(sound.replace(f'"species": {slot}', '"species": 9999', 1), "utf-8")
    ran = cli("pack", tree, image, "-j", "1")
    assert ran.status == 1 and not image.exists()
    assert f"0000.json, line {line}" in ran.err and "9999" in ran.err
    assert cli("pack", tree, image, "--unchecked", "-j", "1").status == 0
    [problem] = ask(cli, image, "verify", status=1)["problems"]
    assert problem.startswith("pl_enc_data[0], grass 0: species 9999 ")

    other = 3 if slot != 3 else 4
    wild.write_text(sound.replace(f'"species": {slot}', f'"species": {other}', 1), "utf-8")
    assert cli("pack", tree, image, "-j", "1").status == 0
    assert cli("verify", image).status == 0
    lines = [one for one in cli("diff", "demo", image).out.splitlines() if "->" in one]
    assert lines and all("grass" in one for one in lines)


@pytest.mark.slow  # tests/world/test_verification.py verifies the same
def test_the_retail_data_hold_no_reference_that_leads_nowhere(cli: Cli, rom_path: Path) -> None:
    assert ask(cli, rom_path, "verify")["problems"] == []


# --- 9, 10, 14, 23, 31: maps and names


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("Snowpoint", "Gym"), "C09GYM0101"),
        (("jubilife", "mart"), "C01FS0101"),
        (("Route 209",), "R209"),
    ],
)
def test_a_name_of_a_room(cli: Cli, rom_path: Path, words: tuple[str, ...], name: str) -> None:
    assert ask(cli, rom_path, "show", *words)["internal_name"] == name
    assert ask(cli, rom_path, "show", " ".join(words))["internal_name"] == name


@pytest.mark.parametrize("name", ["Route 23", "flag", "header", "go", "Jubilfeee Ctiy", "a\udcffb", "map:-1"])
def test_what_has_no_such_name_is_not_guessed(cli: Cli, rom_path: Path, tmp_path: Path, name: str) -> None:
    ran = cli("show", rom_path, name)
    assert (ran.status, ran.out) == (1, "") and ran.err
    for verb, file in (("render", "x.png"), ("export", "x.glb")):
        assert cli(verb, rom_path, name, "-o", tmp_path / file).status in (1, 2)
    assert not list(tmp_path.glob("x.*"))


def test_every_field_of_a_header_with_names(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    number = oracle.id("R209")
    header = oracle.headers[number]
    found = ask(cli, rom_path, "show", "Route 209")["fields"]
    stored = {key: found[key] for key in header._asdict() if key != "bits"}
    assert stored == {key: value for key, value in header._asdict().items() if key != "bits"}
    bits = header.bits  # sheet platinum-field.md, 2.1
    assert (found["map_type"], found["battle_background"]) == (bits & 0x7F, bits >> 7 & 31)
    assert [found[key] for key in ("bicycle", "running", "escape_rope", "fly")] == [
        bool(bits >> at & 1) for at in (12, 13, 14, 15)
    ]
    text = cli("show", rom_path, "Route 209").out
    for words in ("SEQ_ROAD_E_D", "TEXT_BANK_ROUTE_209", "MAP_HEADER_ROUTE_209", "Scripts            441", "plain"):
        assert words in text


@pytest.mark.parametrize(
    ("constant", "kind", "number"),
    [
        ("ITEM_POTION", "item", 17),
        ("SPECIES_PIKACHU", "species", 25),
        ("FLAG_HIDE_ROUTE_201_RIVAL", "flag", 370),
        ("VAR_PLAYER_STARTER", "variable", 0x4030),
        ("TRAINER_LEADER_ROARK", "trainer", 246),
        ("MOVE_SURF", "move", 57),
    ],
)
def test_a_constant_of_the_decompilation(cli: Cli, rom_path: Path, constant: str, kind: str, number: int) -> None:
    found = ask(cli, rom_path, "show", constant)
    assert (found["kind"], found["key"]) == (kind, [number])
    assert used(cli, rom_path, constant)["numbers"] == [number]


def test_unused_maps(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    found = ask(cli, rom_path, "maps", "unused")["maps"]
    assert all(one["symbolic_name"].startswith("UNUSED_") for one in found)
    # Jubilife City has no Gym, and no third floor of a house can be entered.
    assert {oracle.id(name) for name in ("C01GYM0101", "C01R0303", "C03R0103")} <= headers(found)
    assert oracle.id("C01FS0101") not in headers(found)


# --- 11, 21, 32: files


def test_the_parts_of_a_land(cli: Cli, rom_path: Path, oracle: Oracle, tmp_path: Path) -> None:  # noqa: F811
    land = bytes(oracle.rom.archive("fielddata/land_data/land_data.narc")[5])
    sizes = struct.unpack_from("<4I", land)
    start = 16
    for part, size in zip(("permissions", "props", "model", "bdhc"), sizes, strict=True):
        assert cli("extract", rom_path, "land:5", "--part", part, "-o", tmp_path / part).status == 0
        assert (tmp_path / part).read_bytes() == land[start : start + size]
        start += size
    assert cli("extract", rom_path, "land:5", "-o", tmp_path / "land5.nsbmd").status == 0
    assert (tmp_path / "land5.nsbmd").read_bytes()[:4] == b"BMD0"


def test_all_buildings_and_a_sheet_of_textures(cli: Cli, rom_path: Path, oracle: Oracle, tmp_path: Path) -> None:  # noqa: F811
    models = oracle.rom.archive("fielddata/build_model/build_model.narc")
    assert cli("extract", rom_path, "prop:all", "-o", tmp_path / "props").status == 0
    files = sorted((tmp_path / "props").iterdir())
    assert [one.read_bytes() for one in files] == [bytes(one) for one in models]
    assert cli("extract", rom_path, "terrain-set:6", "-o", tmp_path / "sheet.png").status == 0
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.width * sheet.height > 16 * 16


def test_a_town_as_obj_and_a_region_from_above(cli: Cli, tmp_path: Path) -> None:
    assert cli("export", "demo", "T01", "-o", tmp_path / "town.obj").status == 0
    assert (tmp_path / "town.obj").read_text("utf-8").count("\nv ") > 100
    assert cli("poster", "demo", "0", "-o", tmp_path / "region.png").status == 0
    with Image.open(tmp_path / "region.png") as picture:
        assert picture.size == (1024, 1024)  # 2 x 2 cells of 32 tiles of 16 pixels


# --- 12: walking


def test_a_way_says_where_it_begins_and_what_it_goes_around(cli: Cli, rom_path: Path) -> None:
    """The whole way around the snowballs: `tests/walk/test_walk_command.py`."""
    goal = ("C09GYM0101", "--to", "C09GYM0101@11,27")
    found = ask(cli, rom_path, "walk", *goal)
    assert (found["start"], found["people"]) == ({"header": 167, "tile": [11, 28]}, True)
    ran = cli("walk", rom_path, *goal)
    assert "from (11, 28) to (11, 27)" in ran.out and "around map objects" in ran.out
    assert "without map objects" in cli("walk", rom_path, *goal, "--no-people").out


# --- 16, 24 to 26: wild Pokémon and weather


@pytest.mark.parametrize("location", ["Mt. Coronet", "Solaceon Ruins"])
def test_the_encounters_of_a_location(cli: Cli, rom_path: Path, oracle: Oracle, location: str) -> None:  # noqa: F811
    found = ask(cli, rom_path, "encounters", location)["maps"]
    expected = located(oracle, location)
    assert len(expected) > 1 and headers(found) == expected
    for one in found:
        member = oracle.headers[one["header"]].wild_encounters
        assert one["encounters"] == (None if member == 0xFFFF else member)
    shown = {
        one["species"]
        for place in found
        for grass in place["grass"]
        if not (grass["swarm"] or grass["radar"] or grass["cartridge"])
        for one in grass["species"]
    }
    stored = species_of(oracle, expected) - {0}  # 0: Unown, whose letters are of another table
    assert shown and shown >= stored
    rows = ask(cli, rom_path, "table", "encounters", location)["rows"]
    assert {row["header"] for row in rows} <= expected


def test_where_it_snows(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    things = ask(cli, rom_path, "where-used", "weather:snow")["things"]
    assert {place["internal_name"] for one in things for place in one["places"]} == oracle.snow
    assert "\\n" not in cli("where-used", rom_path, "weather:snow").out
    assert "\\n" not in cli("where-used", "demo", "weather:snow").out


def test_night_swarm_and_radar(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    number = oracle.id("R201")
    data = bytes(oracle.rom.archive("fielddata/encountdata/pl_enc_data.narc")[oracle.headers[number].wild_encounters])
    found = ask(cli, rom_path, "encounters", "Route 201")["grass"]
    for key, offset, count in (("swarm", 0x64, 2), ("radar", 0x7C, 4)):
        species = set(struct.unpack_from(f"<{count}I", data, offset))
        assert species <= {one["species"] for grass in found if grass[key] for one in grass["species"]}
    night = {one["species"] for grass in found if grass["time"] == "night" for one in grass["species"]}
    assert set(struct.unpack_from("<2I", data, 0x74)) <= night


def test_the_other_wild_pokemon(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    extras = oracle.rom.archive("arc/encdata_ex.narc")
    lists = {
        one["list"]: {row["species"] for row in one["species"]}
        for one in ask(cli, rom_path, "encounters", "R207")["lists"]
    }
    for name, member in (("common", 2), ("uncommon", 3), ("rare", 4)):
        assert lists[f"honey tree, {name}"] == set(struct.unpack("<6I", bytes(extras[member])[:24]))
    garden = ask(cli, rom_path, "encounters", "Trophy Garden")["lists"]
    assert {row["species"] for row in garden[0]["species"]} == set(struct.unpack("<16I", bytes(extras[8])[:64]))
    marsh = ask(cli, rom_path, "encounters", "Great Marsh")["maps"]
    assert headers(marsh) == {
        one for one in located(oracle, "Great Marsh") if oracle.headers[one].wild_encounters != 0xFFFF
    }
    assert ask(cli, rom_path, "encounters", "D07R0101")["unown"] == "!?"


# --- 17, 22, 34: what uses it


@pytest.mark.parametrize(("name", "number"), [("105", 0x69), ("ice", 0x20)])
def test_the_lands_and_maps_with_a_behaviour(
    cli: Cli,
    rom_path: Path,
    oracle: Oracle,  # noqa: F811
    name: str,
    number: int,
) -> None:
    one = used(cli, rom_path, f"behaviour:{name}")
    lands = lands_with(oracle, number)
    tiles = {use["at"]: int(re.findall(r"on (\d+) tile", use["how"])[0]) for use in one["uses"]}
    assert lands and tiles == {f"land:{land}": count for land, count in lands.items()}
    assert headers(one["places"]) == maps_of_lands(oracle, lands)
    assert "symbolic name" in cli("where-used", rom_path, f"behaviour:{name}").out


def test_where_script_files_and_text_banks_belong(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    assert headers(used(cli, rom_path, "text:554")["places"]) == named(oracle, "message_bank", 554)
    assert headers(used(cli, rom_path, "file:441")["places"]) == named(oracle, "scripts", 441)
    assert at(used(cli, rom_path, "file:412"), "scripts from 9600 (new game)") == {"file:arm9"}
    assert ask(cli, rom_path, "script", "file:412#0")["member"] == 412


@pytest.mark.parametrize(
    ("thing", "field", "number"),
    [
        ("area:7", "area", 7),
        ("camera:9", "camera_type", 9),
        ("music:1025", "day_music", 1025),
    ],
)
def test_the_maps_with_a_thing_of_their_headers(
    cli: Cli,
    rom_path: Path,
    oracle: Oracle,  # noqa: F811
    thing: str,
    field: str,
    number: int,
) -> None:
    assert headers(used(cli, rom_path, thing)["places"]) >= named(oracle, field, number) != set()


def test_the_maps_with_a_land(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    assert headers(used(cli, rom_path, "land:5")["places"]) == maps_of_lands(oracle, [5])


# --- 18, 20, 27: items, shops and trades


def test_what_a_shop_sells(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    rows = ask(cli, rom_path, "table", "shops", "jubilife", "mart")["rows"]
    common = {row["goods"] for row in rows if row["kind"] == "common"}
    prices = {row["goods"]: row["price"] for row in rows if row["kind"] == "common"}
    known = oracle.rows("xref_items", "key")
    sold = {item for item, row in known.items() if "common mart" in {one[0] for one in row["rows"]}}
    assert common == sold | {item for item in common if item not in known}
    assert (prices[4], prices[17]) == (200, 300)
    assert all(row["scripts"].startswith("C01FS0101#") for row in rows)
    member = oracle.headers[oracle.id("C01FS0101")].scripts
    assert struct.pack("<H", COMMON_SHOP) in bytes(oracle.rom.archive(SCRIPTS)[member])
    assert "mart: common (Poké Ball," in cli("script", rom_path, "C01FS0101").out


def test_in_game_trades(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    rows = ask(cli, rom_path, "table", "trades")["rows"]
    stored = [
        struct.unpack("<20I", bytes(data)[:80]) for data in oracle.rom.archive("fielddata/pokemon_trade/fld_trade.narc")
    ]
    columns = ("species", "hp", "attack", "defense", "speed", "special_attack", "special_defense", "item", "wanted")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        (*record[:7], record[15], record[19]) for record in stored
    ]
    found = {one["kind"]: one for one in ask(cli, rom_path, "find", rows[0]["nickname"])["found"]}
    assert found["trade"]["numbers"] == [0]


def test_where_an_item_is(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    for item in sorted(oracle.rows("xref_items", "key"))[::20]:
        one, expected = used(cli, rom_path, f"item:{item}"), oracle.sold_and_given(item)
        for how, kinds in (("hidden", ["hidden"]), ("floor", ["floor"]), ("berry tree", ["berry"])):
            assert at(one, how) == set().union(*(expected[kind] for kind in kinds)), (item, how)
        assert at(one, "given by") >= expected["script"] | expected["add"], item


# --- 29, 30: texts and pixels


def test_find_takes_an_address_with_a_name_and_things_without_names(cli: Cli, rom_path: Path) -> None:
    for words, address in (("move:Surf", "move:57"), ("text:554", "messages:554"), ("scripts:412", "scripts:412")):
        assert [one["address"] for one in ask(cli, rom_path, "find", words)["found"]] == [address]
    first = ask(cli, rom_path, "find", "behaviour:ice")["found"][0]
    assert (first["address"], first["name"]) == ("behaviour:32", "ice")
    assert ask(cli, rom_path, "find", "land:99999", status=1)["found"] == []


def test_who_says_a_text(cli: Cli, rom_path: Path, oracle: Oracle) -> None:  # noqa: F811
    [found] = ask(cli, rom_path, "find", "technology just blows")["found"]
    bank, number = found["numbers"]
    assert named(oracle, "message_bank", bank) == {oracle.id("T01")}
    assert oracle.words(bank, number).startswith("Technology just blows me away!")
    assert {use["at"].split("#")[0] for use in found["uses"]} == {"T01"}


def test_why_a_pixel_is_so(cli: Cli) -> None:
    found = ask(cli, "demo", "render", "T01", "--why", "128,96")
    [seen] = [one for one in found["surfaces"] if one["seen"]]
    facts = {one["name"]: one["value"] for one in seen["facts"]}
    assert "texture" in facts["Material"] and facts["Textures"].startswith("map_tex_set[")


# --- 35: other games


@pytest.mark.parametrize("game", ["diamond-field.nds", "heartgold-field.nds"])
@pytest.mark.parametrize(
    "command",
    [
        ("encounters", "map:30"),
        ("script", "map:30"),
        ("show", "item:17"),
        ("table", "trainers"),
        ("table", "encounters"),
        ("table", "flags", "--free"),
        ("encounters", "species:25"),
        ("where-used", "species:25"),
        ("show", "trainer:3"),
        ("find", "potion", "--kind", "item"),
    ],
)
def test_what_is_not_known_of_another_game(cli: Cli, rom_path: Path, game: str, command: tuple[str, ...]) -> None:
    said = said_not_known(cli, rom_path.with_name(game), *command)
    assert "Nothing is known about " in said or "not known" in said, said


@pytest.mark.parametrize("game", ["diamond-field.nds", "heartgold-field.nds"])
def test_sql_says_what_is_not_known(cli: Cli, rom_path: Path, game: str) -> None:
    ran = cli("database", rom_path.with_name(game), "--query", "SELECT count(*) FROM encounter")
    assert "not known in this game" in ran.out + ran.err
    assert used(cli, rom_path.with_name(game), "species:25", status=1)["known"] is False
