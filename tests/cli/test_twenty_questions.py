"""Twenty questions about a ROM, each answered by one command and compared with an answer that is found another way.

The other way: the vectors, and the bytes of the ROM read with `struct` at the places of the fact sheets.
"""

from __future__ import annotations

import gzip
import json
import re
import struct
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from formats.field.init_script import FrameTable, InitScriptFile
from formats.field.message import MessageBank
from formats.field.zone_event import ZoneEvents
from mapexplorer.rom import Rom
from mapexplorer.world.opening import open_rom

HEADERS_AT, HEADERS, HEADER = 0xE601C, 593, struct.Struct("<2B8H4BH")
"""The header table of the US release: offset in the ARM9 program, count, record."""

SNOW = {5, 6, 7, 21}
YEARLY = (32, 33, 34, 35, 36)
"""Weathers of headers that mean a column of the table of the year."""

FIRST_DAYS = bytes.fromhex("0200060505020006060502000606050300060605")


class Header(NamedTuple):
    """A record of the header table."""

    area: int
    preload_list: int
    matrix: int
    scripts: int
    init_scripts: int
    message_bank: int
    day_music: int
    night_music: int
    wild_encounters: int
    events: int
    label_text: int
    label_window: int
    weather: int
    camera_type: int
    bits: int


class Oracle:
    """The answers that are found another way."""

    def __init__(self, rom: Rom, vectors: Path) -> None:
        self.rom = rom
        self._vectors = vectors / "scripts"

    @cached_property
    def headers(self) -> list[Header]:
        table = self.rom.arm9()[HEADERS_AT : HEADERS_AT + HEADERS * HEADER.size]
        return [Header(*record) for record in HEADER.iter_unpack(table)]

    @cached_property
    def names(self) -> list[str]:
        """The internal names: 16 bytes each."""
        data = self.rom.file("fielddata/maptable/mapname.bin")
        return [data[at : at + 16].rstrip(b"\0").decode() for at in range(0, len(data), 16)]

    def id(self, name: str) -> int:
        return self.names.index(name)

    def objects(self, name: str) -> list[list[Any]]:
        """The object events of a map."""
        rows: list[list[Any]] = self.rows("events", "member")[self.headers[self.id(name)].events]["objects"]
        return rows

    def is_closed(self, name: str, x: int, z: int) -> bool:
        """Whether a tile of a map's matrix has the collision bit (sheet platinum-field.md)."""
        matrix = self._archive("fielddata/mapmatrix/map_matrix.narc")[self.headers[self.id(name)].matrix]
        width, height, has_headers, has_altitudes, name_length = matrix[:5]
        lands = 5 + name_length + width * height * (2 * has_headers + has_altitudes)
        cell = z // 32 * width + x // 32
        (land,) = struct.unpack_from("<H", matrix, lands + 2 * cell)
        data = self._archive("fielddata/land_data/land_data.narc")[land]
        (word,) = struct.unpack_from("<H", data, 16 + 2 * (z % 32 * 32 + x % 32))
        return bool(word >> 15)

    def lands(self, matrix: int) -> list[tuple[int, int]]:
        """(header, land) of the cells of a matrix; -1 as header where the matrix has none (sheet platinum-field.md)."""
        data = self._archive("fielddata/mapmatrix/map_matrix.narc")[matrix]
        width, height, has_headers, has_altitudes, name_length = data[:5]
        size, at = width * height, 5 + name_length
        headers = struct.unpack_from(f"<{size}H", data, at) if has_headers else (-1,) * size
        lands = struct.unpack_from(f"<{size}H", data, at + size * (2 * has_headers + has_altitudes))
        return [pair for pair in zip(headers, lands, strict=True) if pair[1] != 0xFFFF]

    def texture_users(self, terrain_set: int, index: int) -> tuple[str, set[int], set[int]]:
        """The name of a texture of a terrain set; the lands whose models name it, and their headers, where the area
        has the set."""
        textures = self._archive("fielddata/areadata/area_map_tex/map_tex_set.narc")[terrain_set]
        tex0 = textures.index(b"TEX0")
        name = _dictionary(textures, tex0 + struct.unpack_from("<H", textures, tex0 + 14)[0])[index]
        areas, land_data = (
            self._archive(path) for path in ("fielddata/areadata/area_data.narc", "fielddata/land_data/land_data.narc")
        )
        lands, headers = set(), set()
        for number, header in enumerate(self.headers):
            if struct.unpack_from("<H", areas[header.area], 2)[0] != terrain_set:
                continue
            for owner, land in self.lands(header.matrix):
                if owner in (-1, number) and name in _textures_of_model(land_data[land]):
                    lands.add(land)
                    headers.add(number)
        return name, lands, headers

    def parties(self) -> dict[int, list[int]]:
        """Trainer -> the species of its party (sheet 6.1)."""
        trainers = self._archive("poketool/trainer/trdata.narc")
        parties = self._archive("poketool/trainer/trpoke.narc")
        size = (8, 16, 10, 18)
        return {
            trainer: [
                struct.unpack_from("<H", parties[trainer], 4 + slot * size[trainers[trainer][0] & 3])[0] & 0x3FF
                for slot in range(trainers[trainer][3])
            ]
            for trainer in range(len(trainers))
        }

    def events(self, header: int) -> ZoneEvents:
        return ZoneEvents.from_bytes(self._archive("fielddata/eventdata/zone_event.narc")[self.headers[header].events])

    def words(self, bank: int, number: int) -> str:
        """A text, its breaks as spaces."""
        return " ".join(MessageBank.from_bytes(self._archive("msgdata/pl_msg.narc")[bank])[number].split())

    def _archive(self, path: str) -> Any:
        return self.rom.archive(path)

    @cache  # noqa: B019 - as long as the module's tests
    def rows(self, name: str, key: str) -> dict[int, dict[str, Any]]:
        """The lines of a file of vectors by one of their fields."""
        with gzip.open(self._vectors / f"{name}.jsonl.gz", "rt") as lines:
            return {row[key]: row for row in map(json.loads, lines)}

    def sold_and_given(self, item: int) -> dict[str, set[Any]]:
        """Source -> places of an item: `T01#1` of a map's script, `file:3#0` of another, a step of the common shops."""
        found: defaultdict[str, set[Any]] = defaultdict(set)
        for kind, *row in self.rows("xref_items", "key")[item]["rows"]:
            if kind in ("script", "add", "mart", "exchange"):
                member, entry = row[:2]
                owner = next((one for one, header in enumerate(self.headers) if header.scripts == member), None)
                found[kind].add(f"file:{member}#{entry}" if owner is None else f"{self.names[owner]}#{entry + 1}")
            elif kind == "common mart":
                found[kind].add(f"step {row[0]}")
            else:
                found[kind].add(f"{self.names[row[0]]}@{row[1]},{row[2]}")
        return found

    @cached_property
    def snow(self) -> set[str]:
        """The maps with snow on some day."""
        program = self.rom.arm9()
        start = program.index(FIRST_DAYS)
        days = [program[at : at + 5] for at in range(start, start + 366 * 5, 5)]
        return {
            name
            for name, header in zip(self.names, self.headers, strict=False)
            if header.weather in SNOW
            or (header.weather in YEARLY and any(day[YEARLY.index(header.weather)] in SNOW for day in days))
        }

    @cached_property
    def never_run(self) -> set[tuple[int, int]]:
        """(member, entry) of the scripts of maps that no event and no initial script runs."""
        run = {
            (header.scripts, script - 1) for number, header in enumerate(self.headers) for script in self._run(number)
        }
        archive = self._archive("fielddata/script/scr_seq.narc")
        return {
            (member, entry)
            for member in {header.scripts for header in self.headers}
            for entry in range(_entries(archive[member]))
            if (member, entry) not in run
        }

    def _run(self, header: int) -> Iterator[int]:
        events = self.events(header)
        for records in (events.background, events.objects, events.triggers):
            yield from records["script"].tolist()
        member = self._archive("fielddata/script/scr_seq.narc")[self.headers[header].init_scripts]
        for record in InitScriptFile.from_bytes(member).records:
            yield from [row.script for row in record.rows] if isinstance(record, FrameTable) else [record.script]


def _entries(data: bytes) -> int:
    """The number of entries of a script file: words until the mark, or until the first target (sheet 1.1)."""
    at, first = 0, len(data)
    while at < first and data[at : at + 2] != b"\x13\xfd":
        first = min(first, at + 4 + struct.unpack_from("<i", data, at)[0])
        at += 4
    return at // 4


def _dictionary(data: bytes, at: int) -> list[str]:
    """The names of a dictionary (sheet nitro-g3d.md): 16 bytes each, behind the entries."""
    entries = at + struct.unpack_from("<H", data, at + 6)[0]
    names = entries + struct.unpack_from("<H", data, entries + 2)[0]
    return [data[names + 16 * one : names + 16 * one + 16].rstrip(b"\0").decode() for one in range(data[at + 1])]


def _textures_of_model(land: bytes) -> list[str]:
    """The textures that the materials of a land's model name."""
    mdl0 = land.index(b"MDL0")
    entries = mdl0 + 8 + struct.unpack_from("<H", land, mdl0 + 14)[0]
    model = mdl0 + struct.unpack_from("<I", land, entries + 4)[0]
    materials = model + struct.unpack_from("<I", land, model + 8)[0]
    return _dictionary(land, materials + struct.unpack_from("<H", land, materials)[0])


Answer = Callable[[Any], Any]


@pytest.fixture(scope="module")
def oracle(rom_path: Path, vectors: Path) -> Oracle:
    return Oracle(open_rom(rom_path), vectors)


def uses(address: str, *ways: str) -> Answer:
    """The places at which a thing of `find` is used in some ways."""

    def read(found: Any) -> set[str]:
        [entry] = [one for one in found["found"] if one["address"] == address]
        return {use["at"] for use in entry["uses"] if use["how"] in ways}

    return read


def listed(time: str) -> Answer:
    """(species, percent, lowest, highest) of the grass at a time of day."""

    def read(found: Any) -> list[list[int]]:
        [one] = [
            one
            for one in found["grass"]
            if one["time"] == time and not (one["swarm"] or one["radar"] or one["cartridge"])
        ]
        return [[species["species"], species["percent"], *species["levels"]] for species in one["species"]]

    return read


def grass_of(oracle: Oracle, name: str, time: str) -> list[list[int]]:
    case = oracle.rows("encounter_chances", "member")[oracle.headers[oracle.id(name)].wild_encounters]
    [rows] = [
        rows for at, swarm, radar, cartridge, rows in case["grass"] if (at, swarm, radar, cartridge) == (time, 0, 0, "")
    ]
    return rows  # type: ignore[no-any-return]


def surf_levels(oracle: Oracle, name: str) -> tuple[int, int]:
    case = oracle.rows("encounter_chances", "member")[oracle.headers[oracle.id(name)].wild_encounters]
    rows = case["water"]["surf"]
    return min(row[2] for row in rows), max(row[3] for row in rows)


def found_surf_levels(found: Any) -> tuple[int, int]:
    [surf] = [one for one in found["water"] if one["method"] == "surf"]
    levels = [species["levels"] for species in surf["species"]]
    return min(low for low, _ in levels), max(high for _, high in levels)


def places_of_pikachu(oracle: Oracle) -> set[int]:
    """The maps whose file has the species in a slot that the game can use (swarms of the file never have it)."""
    archive = oracle.rom.archive("fielddata/encountdata/pl_enc_data.narc")

    def lives(member: int) -> bool:
        data = archive[member]
        word = lambda at: struct.unpack_from("<I", data, at)[0]  # noqa: E731
        grass = [8 + 8 * slot for slot in range(12)] + list(range(0x6C, 0x8C, 4)) + list(range(0xA4, 0xCC, 4))
        water = [(rate, [rate + 8 + 8 * slot for slot in range(5)]) for rate in (0xCC, 0x124, 0x150, 0x17C)]
        return any(word(rate) and any(word(at) == 25 for at in slots) for rate, slots in ((0, grass), *water))

    return {
        number
        for number, header in enumerate(oracle.headers)
        if header.wild_encounters != 0xFFFF and lives(header.wild_encounters)
    }


def sign_text(oracle: Oracle, name: str, tile: list[int]) -> list[str]:
    """The text that command 54 shows, with which the script of a signpost begins."""
    header = oracle.headers[oracle.id(name)]
    file = oracle.rows("scripts", "member")[header.scripts]
    [script] = [row[5] for row in oracle.objects(name) if row[10:12] == tile]
    [text] = [
        arguments[0] for at, number, *arguments in file["commands"] if (at, number) == (file["entries"][script - 1], 54)
    ]
    return [oracle.words(header.message_bank, text)]


def said_at(tile: list[int]) -> Answer:
    def read(found: Any) -> list[str]:
        [event] = [one for one in found["events"] if one["tile"] == tile]
        return [" ".join(text.split()) for text in event["texts"]]

    return read


def hiding(index: int) -> Answer:
    def read(found: Any) -> tuple[int, dict[str, set[str]]]:
        [event] = [one for one in found["events"] if (one["kind"], one["index"]) == ("object", index)]
        users: defaultdict[str, set[str]] = defaultdict(set)
        for use in event["hidden_by"]["uses"]:
            users[use["how"]].add(use["at"].split("#")[0])
        return event["hidden_by"]["flag"], dict(users)

    return read


def users_of_flag(oracle: Oracle, name: str, index: int) -> tuple[int, dict[str, set[str]]]:
    header = oracle.id(name)
    flag = oracle.objects(name)[index][4]
    case = oracle.rows("xref_flags", "key")[flag]
    assert [header, index] in case["hides"]
    owners: dict[int, str] = {}
    for number, one in enumerate(oracle.headers):
        owners.setdefault(one.scripts, oracle.names[number])
    ways = {"set by": "set", "cleared by": "clear", "checked by": "check"}
    users = {
        how: {owners.get(member, f"file:{member}") for member, _ in case[key]}
        for how, key in ways.items()
        if key in case
    }
    return flag, users


def rows_as(kind: type) -> Answer:
    return lambda found: kind(tuple(row) if len(row) > 1 else row[0] for row in found["rows"])


def using_headers(text: str) -> set[int]:
    """The headers in the table of users."""
    return {int(number) for number in re.findall(r"^header +(\d+)\b", text, re.MULTILINE)}


def texture_and_users(found: Any) -> tuple[str, set[int], set[int]]:
    """The name of the only thing, the lands that use it and its maps."""
    [one] = found["things"]
    lands = {use["number"] for use in one["used_by"] if use["kind"] == "land"}
    return one["name"], lands, {place["header"] for place in one["places"]}


def ways_to_maps(found: Any) -> dict[str, set[str]]:
    """How the only thing is used -> the maps and files where it is used so, without flags and what nothing runs."""
    [one] = found["things"]
    ways: defaultdict[str, set[str]] = defaultdict(set)
    for use in one["uses"]:
        if ", flag " not in use["how"] and "(never run)" not in use["how"]:
            ways[use["how"]].add(use["at"].split("#")[0])
    return dict(ways)


def players_of(oracle: Oracle, sequence: int) -> dict[str, set[str]]:
    """The maps that play a sequence by their headers, or with a command of their scripts: the number of one of four
    commands with the sequence behind it (sheet 8)."""
    ways: defaultdict[str, set[str]] = defaultdict(set)
    owners: dict[int, str] = {}
    for name, header in zip(oracle.names, oracle.headers, strict=False):
        owners.setdefault(header.scripts, name)
        for how, music in (("by day", header.day_music), ("by night", header.night_music)):
            if music == sequence:
                ways[how].add(name)
    commands = {80: "played by", 87: "set by", 83: "until another map is entered, by", 78: "fanfare of"}
    for member, data in enumerate(oracle.rom.archive("fielddata/script/scr_seq.narc")):
        for number, how in commands.items():
            if struct.pack("<2H", number, sequence) in bytes(data):
                ways[how].add(owners.get(member, f"file:{member}"))
    return dict(ways)


def warps_to(oracle: Oracle, header: int) -> set[int]:
    return {number for number in range(HEADERS) if header in oracle.events(number).warps["header"].tolist()}


def led_to(found: Any) -> list[tuple[list[int], int]]:
    return [(event["tile"], event["leads_to"]["header"]) for event in found["events"] if event["kind"] == "warp"]


def warps_of(oracle: Oracle, name: str) -> list[tuple[list[int], int]]:
    rows = oracle.rows("events", "member")[oracle.headers[oracle.id(name)].events]["warps"]
    return [([x, z], header) for x, z, header, _ in rows]


def shown_text(oracle: Oracle, name: str, text: int) -> set[str]:
    """The scripts of a map that can show a text of its bank."""
    file = oracle.rows("script_effects", "member")[oracle.headers[oracle.id(name)].scripts]
    return {f"{name}#{entry + 1}" for entry, found in enumerate(file["entries"]) if text in found.get("text", [])}


class Question(NamedTuple):
    """A question, the command that answers it (its output as JSON unless `text`), the answer in the output, and the
    answer of the oracle."""

    question: str
    command: tuple[str, ...]
    answer: Answer
    expected: Callable[[Oracle], Any]
    text: bool = False


PARTY = "SELECT species, level, individual_value, nature FROM party WHERE trainer = 7 ORDER BY slot"
WITH_BIDOOF = "SELECT DISTINCT trainer FROM party WHERE name = 'BIDOOF'"
SNOWY = (
    "SELECT DISTINCT internal_name FROM header_weather AS w JOIN header USING (header) WHERE w.weather IN (5, 6, 7, 21)"
)
HIDDEN = "SELECT DISTINCT header FROM place_item WHERE source = 'hidden'"
TRIGGERS = "SELECT DISTINCT header FROM variable_use WHERE variable = 16614 AND use = 'trigger'"

BESIDE = {"north", "south", "west", "east"}

QUESTIONS = (
    Question(
        "Which wild Pokémon live here at night?",
        ("encounters", "R205A"),
        listed("night"),
        lambda o: grass_of(o, "R205A", "night"),
    ),
    Question(
        "Which levels do the Pokémon on the water have?",
        ("encounters", "R205A"),
        found_surf_levels,
        lambda o: surf_levels(o, "R205A"),
    ),
    Question(
        "Where does Pikachu live?",
        ("encounters", "Pikachu"),
        lambda found: {place["header"] for place in found["places"]},
        places_of_pikachu,
    ),
    Question(
        "Where do I get a Moon Stone?",
        ("find", "Moon Stone"),
        uses("item:81", "hidden", "floor"),
        lambda o: set().union(*o.sold_and_given(81).values()),
    ),
    Question(
        "Who sells Potions?",
        ("find", "potion"),
        uses("item:17", "sold by", "common shops"),
        lambda o: o.sold_and_given(17)["mart"] | o.sold_and_given(17)["common mart"],
    ),
    Question(
        "Who gives Potions?", ("find", "potion"), uses("item:17", "given by"), lambda o: o.sold_and_given(17)["script"]
    ),
    Question(
        "What does this sign say?", ("events", "T02"), said_at([165, 843]), lambda o: sign_text(o, "T02", [165, 843])
    ),
    Question(
        "What runs when I press A here?",
        ("tile", "T02", "187,855"),
        lambda found: {run["script"] for run in found["runs"]},
        lambda o: {row[5] for row in o.objects("T02") if row[10:12] == [187, 855]},
    ),
    Question(
        "Which flag hides this person, and who sets it?",
        ("events", "T02"),
        hiding(3),
        lambda o: users_of_flag(o, "T02", 3),
    ),
    Question(
        "Which maps play this music by day?",
        ("find", "music:1004"),
        uses("music:1004", "by day"),
        lambda o: {name for name, header in zip(o.names, o.headers, strict=False) if header.day_music == 1004},
    ),
    Question(
        "Which maps play this music, by their headers or by scripts?",
        ("where-used", "music:1069"),
        ways_to_maps,
        lambda o: players_of(o, 1069),
    ),
    Question(
        "Which scripts play this fanfare?", ("where-used", "music:1158"), ways_to_maps, lambda o: players_of(o, 1158)
    ),
    Question(
        "What is in the party of this trainer?",
        ("database", "--query", PARTY),
        rows_as(list),
        lambda o: [
            tuple(one[key] for key in ("species", "level", "ivs", "nature"))
            for one in o.rows("trainers", "trainer")[7]["party"]
        ],
    ),
    Question(
        "Which trainers have a Bidoof?",
        ("database", "--query", WITH_BIDOOF),
        rows_as(set),
        lambda o: {trainer for trainer, party in o.parties().items() if 399 in party},
    ),
    Question(
        "Which scripts does nobody run?",
        ("database", "--query", "SELECT member, entry FROM never_run"),
        rows_as(set),
        lambda o: o.never_run,
    ),
    Question("On which maps does it snow?", ("database", "--query", SNOWY), rows_as(set), lambda o: o.snow),
    Question(
        "Which maps have hidden items?",
        ("database", "--query", HIDDEN),
        rows_as(set),
        lambda o: {number for number in range(HEADERS) if 2 in o.events(number).background["type"].tolist()},
    ),
    Question(
        "Which maps have a trigger with this variable?",
        ("database", "--query", TRIGGERS),
        rows_as(set),
        lambda o: {number for number in range(HEADERS) if 16614 in o.events(number).triggers["variable"]},
    ),
    Question("Where do the warps of this map lead?", ("events", "T02"), led_to, lambda o: warps_of(o, "T02")),
    Question(
        "From which maps do warps lead here?",
        ("where-used", "header", "411"),
        using_headers,
        lambda o: warps_to(o, 411),
        text=True,
    ),
    Question(
        "Which maps use this matrix?",
        ("where-used", "matrix", "0"),
        using_headers,
        lambda o: {number for number, header in enumerate(o.headers) if header.matrix == 0},
        text=True,
    ),
    Question(
        "What is this texture, and who uses it?",
        ("where-used", "texture:1/6/3"),
        texture_and_users,
        lambda o: o.texture_users(6, 3),
    ),
    Question(
        "Where is this text shown?",
        ("find", "wow what was that your friend"),
        uses("text:561/6", "said by"),
        lambda o: shown_text(o, "T02", 6),
    ),
    Question(
        "Why can I not walk here?",
        ("tile", "T02", "177,841"),
        lambda found: {(one["faces"], one["rule"]) for one in found["refused"]},
        lambda o: {(one, "collision bit") for one in BESIDE if o.is_closed("T02", 177, 841)},
    ),
)


@pytest.mark.parametrize("one", QUESTIONS, ids=lambda one: one.question)
def test_each_question_is_answered_by_one_command(
    cli: Callable[..., Any], rom_path: Path, oracle: Oracle, one: Question
) -> None:
    verb, *arguments = one.command
    ran = cli(verb, rom_path, *arguments, *([] if one.text else ["--json"]))
    assert ran.status == 0
    answer, expected = one.answer(ran.out if one.text else json.loads(ran.out)), one.expected(oracle)
    assert expected and answer == expected


ON_THE_DEMO = (
    (("encounters", "demo", "F01"), listed("night"), [[1, 40, 3, 5], [2, 40, 4, 6], [5, 20, 5, 6]]),
    (("find", "demo", "trout fly"), uses("item:5", "floor"), {"F01@38,21"}),
    (("find", "demo", "bell"), uses("item:9", "hidden"), {"L01@58,43"}),
    (("find", "demo", "loaf of bread"), uses("item:17", "given by"), {"T01R0101#1"}),
    (("find", "demo", "holm"), uses("trainer:1", "on"), {"F01"}),
    (("events", "demo", "T01"), said_at([13, 33]), ["Millbrook Where the brook turns the wheel"]),
    (
        ("find", "demo", "keeps a bed"),
        lambda found: [one["name"] for one in found["found"]],
        ["Good day, {player}! The inn keeps a bed for you."],
    ),
    (("events", "demo", "T01"), said_at([21, 38]), ["Good day, {player}! The inn keeps a bed for you."]),
    (
        ("events", "demo", "L01"),
        hiding(1),
        (90, {"set by": {"L01"}, "cleared by": {"T01", "L01"}, "checked by": {"L01"}}),
    ),
    (("tile", "demo", "T01", "13,33"), lambda found: {run["script"] for run in found["runs"]}, {100}),
    (
        ("database", "demo", "--query", "SELECT species, level FROM party WHERE trainer = 1"),
        rows_as(list),
        [(1, 6), (2, 8)],
    ),
)
"""Commands on the demo world, and what its sources (tools/demo_world) say."""


@pytest.mark.parametrize(
    ("command", "answer", "expected"), ON_THE_DEMO, ids=[" ".join(command) for command, _, _ in ON_THE_DEMO]
)
def test_questions_about_the_demo(
    cli: Callable[..., Any], command: tuple[str, ...], answer: Answer, expected: Any
) -> None:
    assert answer(json.loads(cli(*command, "--json").out)) == expected


def test_a_script_of_the_demo_that_nothing_runs(cli: Callable[..., Any]) -> None:
    query = (
        "SELECT words FROM command JOIN argument USING (member, at) JOIN text ON text.text = value AND bank = 1 "
        "WHERE kind = 'text' AND NOT reached"
    )
    assert json.loads(cli("database", "demo", "--query", query, "--json").out)["rows"] == [["An old plan of the mill."]]


def test_a_bad_query_is_misuse(cli: Callable[..., Any]) -> None:
    for query in ("SELECT nothing FROM nowhere", "DELETE FROM header", "SELECT 1; SELECT 2"):
        assert cli("database", "demo", "--query", query).status == 2, query
    assert cli("database", "demo").status == 2
