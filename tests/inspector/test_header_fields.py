"""Every field of a map header with the names of what it refers to, against the bytes of the ROM and the vectors."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import pytest

from mapexplorer.inspector.describe import describe
from mapexplorer.inspector.facts import Fact
from mapexplorer.inspector.things.headers import header_facts
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import subject
from tests.games.conftest import Cases, cases, diamond, heartgold

__all__ = ["cases", "diamond", "heartgold"]

HEADERS = 0xE601C
"""The offset of the header table in the program of the US release; a record has 24 bytes."""

FIELDS = (
    "area",
    "preload_list",
    "matrix",
    "scripts",
    "init_scripts",
    "message_bank",
    "day_music",
    "night_music",
    "wild_encounters",
    "events",
    "label_text",
    "label_window",
    "weather",
    "camera_type",
)
"""The fields before the two bytes of bits, in the order of the record."""

ARCHIVES = {
    "scripts": "scr_seq",
    "init_scripts": "scr_seq",
    "message_bank": "pl_msg",
    "wild_encounters": "pl_enc_data",
    "events": "zone_event",
    "preload_list": "move_model_list",
}

LINKS = {
    "scripts": "scripts",
    "init_scripts": "scripts",
    "message_bank": "messages",
    "wild_encounters": "encounters",
    "events": "events",
    "preload_list": "preload-list",
    "day_music": "music",
    "night_music": "music",
    "camera_type": "camera",
    "weather": "weather",
    "area": "area",
    "matrix": "matrix",
}


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld.open(rom_path)


def facts_of(world: FieldWorld, header: int) -> dict[str, Fact]:
    return {field: fact for facts in header_facts(world.place(header)).values() for field, fact in facts.items()}


def sequence_names(archive: bytes) -> Mapping[int, str]:
    """The sequences of a sound archive: the first list of its block of symbols, by the format alone."""
    (symbols,) = struct.unpack_from("<I", archive, 0x10)
    assert archive[symbols : symbols + 4] == b"SYMB"
    (first,) = struct.unpack_from("<I", archive, symbols + 8)
    (count,) = struct.unpack_from("<I", archive, symbols + first)
    offsets = struct.unpack_from(f"<{count}I", archive, symbols + first + 4)
    ends = {at: archive.index(b"\0", symbols + at) for at in offsets if at}
    return {number: archive[symbols + at : ends[at]].decode() for number, at in enumerate(offsets) if at}


def test_all_headers_have_what_the_rom_stores(real: FieldWorld) -> None:
    program = bytes(real.rom.arm9())
    music = sequence_names(bytes(real.rom.file("data/sound/pl_sound_data.sdat")))
    for header in range(len(real.headers)):
        *numbers, bits = struct.unpack_from("<BB8H4BH", program, HEADERS + 24 * header)
        facts = facts_of(real, header)
        for field, number in zip(FIELDS, numbers, strict=True):
            fact = facts[field]
            if (field, number) == ("wild_encounters", 0xFFFF):
                assert (fact.value, fact.link) == ("none", None)
                continue
            assert fact.value == str(number), (header, field)
            assert (fact.link is not None and fact.link.address) == (field in LINKS and f"{LINKS[field]}:{number}") or (
                field == "label_text" and fact.link == subject("text", 433, number)
            )
            assert fact.meaning.startswith(ARCHIVES.get(field, "")), (header, field)
        for field in ("day_music", "night_music"):
            number = int(facts[field].value)
            assert facts[field].meaning.partition(":")[0] == music.get(number, "no name is known"), number
        assert facts["label_text"].meaning == (real.headers[header].location_name or "no name is known")
        assert facts["map_type"].value == str(bits & 0x7F) and facts["battle_background"].value == str(bits >> 7 & 0x1F)
        for field, bit in (("bicycle", 12), ("running", 13), ("escape_rope", 14), ("fly", 15)):
            assert facts[field].value == ("yes" if bits >> bit & 1 else "no")


def test_weather_by_the_day_of_the_year(real: FieldWorld) -> None:
    fact = facts_of(real, 165)["weather"]
    assert (fact.value, fact.meaning) == ("36", "by day of the year (Snowpoint City); on 1 January snowing")


def test_the_panel_has_the_same_list(real: FieldWorld) -> None:
    for header in (0, 165, 342, 411):
        panel = describe(real, header, subject("header", header))
        shown = [(section.title, list(section.rows)) for section in panel.sections[:3]]
        assert shown == [(title, list(facts.values())) for title, facts in header_facts(real.place(header)).items()]
        assert not any(fact.name == "Constant" for section in panel.sections for fact in section.rows)


OF_VECTORS = {
    "preload": "preload_list",
    "messages": "message_bank",
    "label": "label_text",
    "camera": "camera_type",
    "mom_call": "mothers_call_group",
    "region": "kanto",
    "follow_mode": "follower_mode",
}
"""Fields of the vectors that have another name here."""


@pytest.mark.parametrize("game", ["diamond", "heartgold"])
def test_other_games(request: pytest.FixtureRequest, game: str, cases: Cases) -> None:
    """The stored numbers of all fields that the vectors have; no name where none is known."""
    world: FieldWorld = request.getfixturevalue(game)
    compared = 0
    for key, expected in cases(f"{game}/headers"):
        facts = facts_of(world, int(key))
        for field, value in expected.items():
            fact = facts.get(OF_VECTORS.get(field, field))
            if fact is None or field in ("matrix", "wild_encounters") or fact.value in ("yes", "no"):
                continue
            compared += 1
            assert fact.value == str(value), (key, field)
        assert {facts[field].meaning for field in ("day_music", "night_music")} == {"no name is known"}
        assert facts["symbolic_name"].meaning == facts["message_bank"].meaning.split(": ")[1] == "no name is known"
    assert compared > 1000


def test_the_further_fields_of_heartgold(heartgold: FieldWorld) -> None:
    """New Bark Town: in Johto, every Pokémon may follow."""
    facts = facts_of(heartgold, 60)
    assert (facts["kanto"].value, facts["follower_mode"].value) == ("no", "2")
    assert facts["follower_mode"].meaning == "all Pokémon follow"
    assert {facts[field].value for field in ("outgoing_calls", "incoming_calls", "radio")} == {"yes"}
    assert {"world_map_x", "world_map_y", "mothers_call_group"} <= set(facts)


def test_what_cannot_be_read_is_said(demo_image: bytes, tmp_path: Path) -> None:
    rom = tmp_path / "no events.nds"
    rom.write_bytes(demo_image.replace(b"zone_event.narc", b"zone_other.narc"))
    facts = facts_of(FieldWorld.open(rom), 4)
    assert facts["events"].meaning == "zone_event: the ROM has none"
