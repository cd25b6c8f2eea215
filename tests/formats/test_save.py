"""Saves: the game's rule which blocks count, every field, writing, containers, dumps of memory, other games."""

from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.binary import FormatError, Notes
from formats.save import SaveImage
from formats.save.image import (
    CHIP,
    DESMUME_END,
    DESMUME_FOOTER,
    HALF,
    NO_NUMBER,
    REPLAY_MAGIC,
    SIGNATURE,
    crc,
    is_newer,
)
from formats.save.sections import FIRST_VARIABLE, FOOTER_SIZE, LOCATIONS, OPTIONS, POCKETS, set_bits, species
from tests.saves import small_block

SWARMS = (342, 343, 344, 350, 353, 354, 356, 380, 382, 385, 388)
SWARM_HEADERS = (*SWARMS, 392, 395, 399, 400, 469, 403, 406, 407, 471, 200, 203)


def plain(value: Any) -> Any:
    """A field as numbers and lists."""
    if value.ndim and value.dtype.names:
        return [plain(each) for each in value]
    if value.dtype.names:
        return [plain(value[name]) for name in value.dtype.names if not name.startswith("rest")]
    return value.tolist()


def contents(small: Any) -> dict[str, Any]:
    """A small block as `expected.json` has it."""
    player, field, misc, met, clock = (small[name] for name in ("player", "field", "misc", "encounters", "system"))
    direct = ("trainer_id", "money", "gender", "language", "badges", "appearance", "game_code", "coins")
    variables = small["events"]["variables"]
    roamers = ("map", "ivs", "personality", "species", "hp", "level", "status", "active")
    simple = ("history_pointer", "cycling_gear", "running_shoes", "player_state", "poison_steps", "safari_steps")
    simple += ("safari_balls", "music", "weather", "blackout_warp", "camera", "history_current", "history")
    objects = small["map_objects"]
    dates = ("birthday", "date", "time", "day", "start_second", "first_completion_second", "penalty_minutes")
    whole = ("marsh_daily", "swarm_daily", "last_slathered_tree", "honey_trees", "trophy_garden", "recent_maps")
    whole += ("radar_chain_records", "swarm_enabled", "repel_steps", "radar_charge", "flute")
    return {
        "player_name_codes": plain(player["name"]),
        "rival_name_codes": plain(misc["rival_name"]),
        **{name: plain(player[name]) for name in direct},
        "main_story_cleared": int(player["story"]) & 1,
        "trainer_has_national_dex": int(player["story"]) >> 1 & 1,
        "options": {name: int(player["options"]) >> at & (1 << size) - 1 for name, at, size in OPTIONS},
        "play_time": [int(player[name]) for name in ("hours", "minutes", "seconds")],
        "flags": set_bits(small["events"]["flags"]),
        "variables": {str(FIRST_VARIABLE + int(each)): int(variables[each]) for each in np.flatnonzero(variables)},
        "field": {name: plain(field[name]) for name in (*LOCATIONS, *simple)},
        "map_objects": [
            {"slot": slot}
            | {
                name: bytes(each[name]).hex() if name.startswith("work") else plain(each[name])
                for name in each.dtype.names
                if not name.startswith("rest")
            }
            for slot, each in enumerate(objects)
            if each["status"]
        ],
        "bag": {
            name: [[slot, *plain(each)] for slot, each in enumerate(small["bag"][name]) if each["item"]]
            for _, name, _ in POCKETS
        },
        "registered_item": int(small["bag"]["registered_item"]),
        "encounters": {name: plain(met[name]) for name in whole}
        | {
            "swarm_map": SWARM_HEADERS[int(met["swarm_daily"]) % 22],
            "roamers": [
                {name: plain(roamer[name]) for name in roamers} | {"route_index": int(route)}
                for roamer, route in zip(met["roamers"], met["roamer_routes"], strict=True)
            ],
        },
        "daily_seed": int(small["daily"][1]["seed"]),
        "daily_random": int(small["daily"][1]["number"]),
        "berry_patches": [
            [number, *plain(patch)]
            for number, patch in enumerate(misc["berry_patches"])
            if patch["berry"] or patch["stage"] or patch["mulch"]
        ],
        "map_feature": {"id": int(misc["map_feature"]), "data": bytes(misc["map_feature_data"]).hex()},
        "clock": {"owner_rtc_offset": int(clock["clock_offset"]), "mac": bytes(clock["mac"]).hex()}
        | {name: plain(clock[name]) for name in dates},
        "pokedex": {
            "seen": species(small["pokedex"]["seen"]),
            "caught": species(small["pokedex"]["caught"]),
            "obtained": int(small["pokedex"]["obtained"]),
            "national": int(small["pokedex"]["national"]),
        },
    }


EXTRA = ((1, 0x23000, 0xBA0), *((number, 0x20000 + 0x2000 * number, 0x1D50) for number in range(2, 6)))
"""The blocks of the Battle Frontier and the recordings: number, place in the half, size without the footer."""
EXTRA_FOOTER = struct.Struct("<3I2H")


def extra_status(image: SaveImage) -> int:
    """The state of the extra blocks as the game's bits, by what the small block says of them: 1, 2 an older copy or
    none of the Battle Frontier, 4, 8 of a recording; 0 for good ones, and where they were not set up."""
    misc, status = image.small["misc"], 0
    for (number, at, size), *keys, half in zip(
        EXTRA, misc["extra_keys"], misc["extra_old_keys"], misc["extra_halves"], strict=True
    ):
        if misc["extra_blocks"] & 1 and keys[0] != NO_NUMBER:
            first, other = (extra_key(image, each ^ half & 1, number, at, size) for each in (0, 1))
            is_older = other == keys[0] if first is None else other == keys[1]
            if first != keys[0]:
                status |= (1 if is_older and other is not None else 2) << 2 * (number > 1)
    return status


def extra_key(image: SaveImage, half: int, number: int, at: int, size: int) -> int | None:
    """The key of an extra block, its first word; None if it is not valid."""
    block = image.chip[half * HALF + at :][: size + EXTRA_FOOTER.size]
    signature, _, stored_size, stored_number, stored_crc = EXTRA_FOOTER.unpack(block[size:])
    is_valid = (signature, stored_size, stored_number, stored_crc) == (SIGNATURE, size, number, crc(block[:-2]))
    return int.from_bytes(block[:4], "little") if is_valid else None


def values(expected: Any) -> int:
    """How many values an expectation fixes."""
    if isinstance(expected, dict | list):
        return sum(map(values, expected.values() if isinstance(expected, dict) else expected))
    return 1


def container(image: SaveImage) -> str:
    """The name of a kind of file in `expected.json`."""
    if image.memory is not None:
        return "memory"
    return "dsv" if image.tail else "raw" if len(image.stored) == CHIP else "short"


def read_vector(folder: Path, name: str, container: str = "") -> SaveImage:
    """An image of the vectors."""
    with gzip.open(folder / f"{name}.gz") as stored:
        return SaveImage.from_bytes(stored.read(), memory=0 if container == "memory" else None)


def test_all_vectors(vectors: Path) -> None:
    folder = vectors / "save"
    cases = json.loads((folder / "expected.json").read_text("utf-8"))
    counts = json.loads((folder / "counts.json").read_text("utf-8"))
    assert len(cases) == len(counts) >= 64
    for case in cases:
        image = read_vector(folder, case["file"], case["container"])
        use, blocks = image.in_use, []
        used = [each for each in (use.small, use.box) if each]
        for block in image.blocks:
            stored = {name: int(block.footer[name]) for name in ("save_counter", "block_counter", "size", "signature")}
            crcs = {"crc_stored": int(block.footer["crc"]), "crc_computed": block.computed_crc}
            kind = ("small", "box")[block.kind]
            blocks.append({"half": block.half, "block": kind} | stored | {"id": int(block.footer["id"])} | crcs)
            blocks[-1]["valid"] = block.is_valid
        read = {
            "result": use.result,
            "small_half": use.small.half if use.small else None,
            "box_half": use.box.half if use.box else None,
            "save_counter": int(use.small.footer["save_counter"]) if use.small else None,
            "block_counters": [int(each.footer["block_counter"]) for each in used] if used else None,
            "blocks": blocks,
        }
        if case["save"] is None:
            with pytest.raises(FormatError):
                _ = image.small
        else:
            read |= {"save": contents(image.small)}
            assert SaveImage.of(image.small).small.tobytes()[:-FOOTER_SIZE] == image.small.tobytes()[:-FOOTER_SIZE]
        if case["extra_status"] is not None:
            assert extra_status(image) == case["extra_status"]
        with gzip.open(folder / f"{case['file']}.gz") as stored_file:
            assert image.to_bytes() == stored_file.read()
        for name, value in read.items():
            assert value == case[name], (case["file"], name)
        assert values(case) == counts[case["file"]]
        assert case["container"] == container(image) and case["bytes"] == len(image.to_bytes())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("half_first_bad.sav", "a newer save"),
        ("half_second_bad.sav", ""),
        ("small_newer_bad.sav", "a newer save"),
        ("small_older_bad.sav", "another copy of the save"),
        ("box_older_bad.sav", ""),
        ("cut_2.sav", "another copy of the save"),
        ("cut_4.sav", "a newer save"),
        ("quick_box_only.sav", ""),
        ("new_game.sav", ""),
    ],
)
def test_what_is_said_of_damage_is_true(vectors: Path, name: str, said: str) -> None:
    notes: Notes = []
    with gzip.open(vectors / "save" / f"{name}.gz") as stored:
        SaveImage.from_bytes(stored.read(), notes=notes)
    assert [note.sentence.partition(" is damaged")[0] for note in notes] == [said] * bool(said)


def changed(image: SaveImage, *places: int) -> SaveImage:
    """A copy with other bytes at places."""
    data = bytearray(image.to_bytes())
    for place in places:
        data[place] ^= 0xFF
    return SaveImage.from_bytes(bytes(data))


def test_saved_once() -> None:
    image = SaveImage.of(small_block(money=1234))
    result, *used = image.in_use
    assert result == "ok" and [(each.half, *each.footer.tolist()[:2]) for each in used if each] == [(1, 1, 1)] * 2
    assert image.small["player"]["money"] == 1234
    again = SaveImage.from_bytes(image.to_bytes())
    assert again.in_use.result == "ok" and again.small["player"]["money"] == 1234


def test_damage_uses_the_earlier_save_and_says_so() -> None:
    first = SaveImage.of(small_block(money=1)).to_bytes()
    data = first[HALF:] + first[HALF:]
    counters = (0xCF2C - 20, 0xCF2C + 0x121E4 - 20)
    newer = bytearray(data)
    for at in counters:
        newer[at], newer[at + 4] = 2, 2
    newer[0x40000 + 0x7C] = 1
    notes: Notes = []
    image = SaveImage.from_bytes(bytes(newer), notes=notes)
    assert image.in_use.small is not None and image.in_use.small.half == 0 and not notes
    damaged = bytearray(newer)
    damaged[0x2000] ^= 1
    image = SaveImage.from_bytes(bytes(damaged), notes=notes)
    assert image.in_use.result == "corrupt" and image.small["player"]["money"] == 1
    assert [note.sentence for note in notes] == ["a newer save is damaged or unfinished: an earlier one is used"]
    with pytest.raises(FormatError, match="both copies damaged"):
        _ = changed(image, HALF + 0x2000).small


@pytest.mark.parametrize(("first", "second", "newer"), [(0, 2**32 - 1, True), (1, 2**32 - 1, False), (3, 2, True)])
def test_counters_wrap_at_one_place(first: int, second: int, newer: bool) -> None:
    assert is_newer(first, second) is newer and is_newer(second, first) is not newer


def test_containers() -> None:
    image = SaveImage.of(small_block(money=77))
    footer = b"|<--Snip above here".ljust(DESMUME_FOOTER - len(DESMUME_END)) + DESMUME_END
    for head, tail in ((b"", b""), (b"", footer), (REPLAY_MAGIC.ljust(0xA4, b"\0"), b""), (b"", b"more bytes")):
        data = head + image.to_bytes() + tail
        again = SaveImage.from_bytes(data)
        assert again.small["player"]["money"] == 77 and again.to_bytes() == data


def test_dump_of_memory() -> None:
    image = SaveImage.of(small_block(money=4321))
    block = bytearray(image.small.tobytes())
    block[-20:] = bytes(20)
    for before in (0, 0x1234):
        dump = b"\xab" * before + bytes(0x14) + bytes(block) + bytes(0x200)
        notes: Notes = []
        for read in (SaveImage.from_bytes(dump, notes=notes), SaveImage.from_bytes(dump, memory=before)):
            assert read.memory == before and read.in_use.result == "live"
            assert read.small["player"]["money"] == 4321 and read.to_bytes() == dump
        assert [note.offset for note in notes] == [before]
    with pytest.raises(FormatError, match="expected 53056 bytes"):
        SaveImage.from_bytes(dump, memory=0x1000000 - 1)
    with pytest.raises(FormatError, match="found other bytes"):
        SaveImage.from_bytes(dump, memory=8)
    with pytest.raises(FormatError, match="no valid block"):
        _ = SaveImage.from_bytes(bytes(0x1000)).small


@pytest.mark.parametrize(
    ("at", "size", "signature", "owner"),
    [
        (0xC0F4, 0xC100, 0x20060623, "Diamond or Pearl"),
        (0xF61C, 0xF628, 0x20060623, "HeartGold or SoulSilver"),
        (0xCF20, 0xCF2C, 0x20070903, "Korean"),
    ],
)
def test_other_games_are_named(at: int, size: int, signature: int, owner: str) -> None:
    data = bytearray(CHIP)
    data[HALF + at : HALF + at + 8] = size.to_bytes(4, "little") + signature.to_bytes(4, "little")
    with pytest.raises(FormatError, match=owner):
        _ = SaveImage.from_bytes(bytes(data)).small
