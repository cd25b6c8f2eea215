"""Declared records, and the records of encounters, trainers, species, items and trades against the real ROM."""

from __future__ import annotations

import hashlib
import json
import random
import struct
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import numpy.typing as npt
import pytest

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import (
    FeebasTiles,
    InGameTrade,
    ItemData,
    SpeciesData,
    SpeciesList,
    Trainer,
    TrainerMessageOffsets,
    TrainerMessages,
    TrainerParty,
    WildEncounters,
    ZoneEvents,
)
from formats.field.field_types import S8, U8, U16, Bits, Counted, Rest
from formats.field.layout import Record, layout
from formats.field.trainer_party import FORMS, PartyForm, PartyPokemon
from formats.json_codec import from_plain, to_plain
from formats.nitro.sdat import sound_names
from formats.recording import RecordingReader
from mapexplorer.rom import Rom
from tests.conftest import Cases

POINT = np.dtype([("x", "<u2"), ("z", "u1")])


@dataclass(frozen=True)
class Inner(Record, title="inner"):
    number: S8
    low: Annotated[int, Bits(10, "H")]
    high: Annotated[int, Bits(6, "H")]


@dataclass(frozen=True, eq=False)
class Outer(Record, title="outer"):
    flag: Annotated[bool, Bits(1, "B")]
    rest: Annotated[int, Bits(7, "B")]
    pair: tuple[U8, U8]
    inner: Annotated[tuple[Inner, ...], 2]
    raw: Annotated[bytes, 2]
    points: Annotated[npt.NDArray[np.void], Counted("B", POINT)]
    last: U16
    words: Annotated[npt.NDArray[np.uint16], Rest("<u2")]


@dataclass(frozen=True)
class Uniform(Record, title="uniform"):
    pair: tuple[U16, U16]


@dataclass(frozen=True)
class TooFewBits(Record, title="wrong"):
    low: Annotated[int, Bits(7, "B")]


@dataclass(frozen=True)
class TooManyBits(Record, title="wrong"):
    low: Annotated[int, Bits(4, "B")]
    high: Annotated[int, Bits(5, "B")]


@dataclass(frozen=True)
class TwoWords(Record, title="wrong"):
    low: Annotated[int, Bits(8, "H")]
    high: Annotated[int, Bits(8, "B")]


OUTER = Outer(
    True, 3, (5, 6), (Inner(-1, 513, 33), Inner(2, 0, 63)), b"ab", frozen([(7, 8)], POINT), 9, frozen([10, 11], "<u2")
)


def test_a_declared_record_is_read_and_written() -> None:
    assert Uniform((1, 2)).to_bytes() == b"\1\0\2\0" and Uniform.from_bytes(b"\1\0\2\0") == Uniform((1, 2))
    assert layout(Inner).size == 3
    assert Inner(-1, 513, 33).to_bytes() == struct.pack("<bH", -1, 513 | 33 << 10)


def test_all_kinds_of_fields() -> None:
    data = OUTER.to_bytes()
    head = struct.pack("<BBB", 1 | 3 << 1, 5, 6) + struct.pack("<bHbH", -1, 513 | 33 << 10, 2, 63 << 10)
    assert data == head + b"ab" + b"\1\7\0\x08" + b"\t\0" + b"\n\0\x0b\0"
    again = Outer.from_bytes(data)
    assert same(again, OUTER)
    assert same(from_plain(Outer, json.loads(json.dumps(to_plain(OUTER)))), OUTER)


def test_the_spans_of_a_record_cover_its_bytes() -> None:
    spans = OUTER.spans()
    covered = sorted({(span.offset, span.size) for span in spans})
    assert [offset for offset, _ in covered] == [0, *np.cumsum([size for _, size in covered])[:-1].tolist()]
    assert sum(size for _, size in covered) == len(OUTER.to_bytes())
    found = {span.name: (span.offset, span.size, span.value) for span in spans}
    assert found["flag"] == (0, 1, True) and found["rest"] == (0, 1, 3)
    assert found["pair 1"] == (2, 1, 6)
    assert found["inner 1: high"] == (7, 2, 63)
    assert found["points: count"] == (11, 1, 1) and found["points 0: z"] == (14, 1, 8)
    assert found["words 1"] == (19, 2, 11)


def test_how_the_fields_are_stored() -> None:
    how = {span.name: span.how for span in OUTER.spans()}
    assert how["flag"] == "bits 0 to 0 of U8" and how["rest"] == "bits 1 to 7 of U8"
    assert (how["pair 0"], how["pair 1"], how["raw"], how["last"]) == ("U8", "U8", "bytes", "U16")
    assert (how["inner 0: low"], how["inner 0: high"]) == ("bits 0 to 9 of U16", "bits 10 to 15 of U16")
    assert (how["points: count"], how["points 0: z"], how["words 1"]) == ("the number of elements", "U8", "U16")


@pytest.mark.parametrize(
    "wrong",
    [
        replace(OUTER, rest=128),
        replace(OUTER, rest=-1),
        replace(OUTER, pair=(5, 256)),
        replace(OUTER, pair=(5,)),  # type: ignore[arg-type]
        replace(OUTER, inner=OUTER.inner[:1]),
        replace(OUTER, inner=(Inner(128, 0, 0), OUTER.inner[0])),
        replace(OUTER, raw=b"abc"),
        replace(OUTER, last=0x10000),
        replace(OUTER, points=frozen([(1, 2)] * 256, POINT)),
        replace(OUTER, points=frozen([1], "<u2")),
        replace(OUTER, words=frozen([1], "<u4")),
    ],
)
def test_what_does_not_fit_is_refused(wrong: Outer) -> None:
    with pytest.raises(ValueError):
        wrong.to_bytes()


@pytest.mark.parametrize("size", range(17))
def test_a_record_cut_short_is_a_format_error(size: int) -> None:
    with pytest.raises(FormatError) as caught:
        Outer.from_bytes(OUTER.to_bytes()[:size])
    assert caught.value.path == "outer" and caught.value.offset <= size


@pytest.mark.parametrize("wrong", [TooFewBits(1), TooManyBits(1, 2), TwoWords(1, 2)])
def test_bit_fields_must_fill_their_words(wrong: Record) -> None:
    with pytest.raises(TypeError, match="do not fill"):
        wrong.to_bytes()


def test_bytes_after_a_record_are_noted() -> None:
    notes: Notes = []
    Uniform.from_bytes(bytes(5), notes=notes)
    assert len(notes) == 1 and notes[0].offset == 4


def test_a_party_is_read_in_the_form_of_its_trainer() -> None:
    plain = PartyPokemon(0, 50, 25, 3, None, None, 1)
    full = replace(plain, item=4, moves=(84, 85, 86, 87))
    for form, size in zip(FORMS, (8, 10, 16, 18), strict=True):
        one = replace(full, item=4 if form.own_items else None, moves=full.moves if form.own_moves else None)
        party = TrainerParty(*form, (one, one, one))
        data = party.to_bytes()
        assert len(data) == -(-3 * size // 4) * 4
        reader = RecordingReader(data, "party")
        assert TrainerParty.from_bytes(reader, form=form) == party
        assert [span.offset for span in reader.spans() if span.name.endswith("level")] == [2, 2 + size, 2 + 2 * size]
        for wrong in (plain, full):
            if wrong != one:
                with pytest.raises(ValueError):
                    replace(party, pokemon=(wrong,)).to_bytes()
        notes: Notes = []
        assert TrainerParty.from_bytes(data[: 3 * size] + b"\1", form=form, notes=notes) == party
        assert len(notes) == 1
    with pytest.raises(FormatError):
        TrainerParty.from_bytes(bytes(6), form=PartyForm(False, False))
    with pytest.raises(FormatError):
        TrainerParty.from_bytes(bytes(6))


def test_feebas_tiles_must_be_as_many_as_counted() -> None:
    notes: Notes = []
    FeebasTiles.from_bytes(FeebasTiles(frozen([1, 2], "<u4"), frozen([7, 8], "<u2")).to_bytes(), notes=notes)
    assert len(notes) == 1


# --- the vectors


def sha1(data: bytes) -> str:
    return hashlib.sha1(data).hexdigest()


def test_wild_encounters_are_those_of_the_vectors(rom: Rom, cases: Cases) -> None:
    archive = rom.archive("fielddata/encountdata/pl_enc_data.narc")
    for case in cases("encounters"):
        data = archive[case["member"]]
        assert sha1(data) == case["sha1"]
        value = WildEncounters.from_bytes(data)
        assert value.grass_rate == case["grass_rate"]
        assert [[slot.level, slot.species] for slot in value.grass] == case["grass"]
        for name in ("swarm", "day", "night", "radar", "forms"):
            assert list(getattr(value, name)) == case[name]
        assert value.unown_table == case["unown_table"]
        assert to_plain(value.dual_slot) == case["dual_slot"]
        for name in ("surf", "old", "good", "super"):
            water = getattr(value, name if name == "surf" else f"{name}_rod")
            slots = [[slot.lowest, slot.highest, slot.species] for slot in water.slots]
            assert [water.rate, slots] == case[name]
        assert not any(value.unused)


def test_trainers_are_those_of_the_vectors(rom: Rom, cases: Cases) -> None:
    records, parties = rom.archive("poketool/trainer/trdata.narc"), rom.archive("poketool/trainer/trpoke.narc")
    table = TrainerMessages.from_bytes(rom.archive("poketool/trmsg/trtbl.narc")[0]).rows
    offsets = TrainerMessageOffsets.from_bytes(rom.archive("poketool/trmsg/trtblofs.narc")[0]).offsets
    for case in cases("trainers"):
        number = case["trainer"]
        assert (sha1(records[number]), sha1(parties[number])) == (case["sha1"], case["party_sha1"])
        trainer = Trainer.from_bytes(records[number])
        assert trainer.own_moves | trainer.own_items << 1 | trainer.unused_bits << 2 == case["type"]
        assert (trainer.trainer_class, list(trainer.items), trainer.ai, trainer.battle_type) == (
            case["class"],
            case["items"],
            case["ai"],
            case["battle_type"],
        )
        party = TrainerParty.from_bytes(parties[number], form=trainer.party_form)
        found = []
        for pokemon in party.pokemon[: trainer.party_size]:
            one = {name: getattr(pokemon, name) for name in ("species", "form", "level", "iv_scale")}
            one["seal"] = pokemon.capsule
            one |= {"item": pokemon.item} if trainer.own_items else {}
            found.append(one | ({"moves": list(pokemon.moves or ())} if trainer.own_moves else {}))
        wanted = [{key: one[key] for key in one if key not in ("ivs", "pid", "nature")} for one in case["party"]]
        assert found == wanted
        mine = [[row["type"], index] for index, row in enumerate(table) if row["trainer"] == number]
        assert [list(map(int, row)) for row in mine] == case["messages"]
        assert not mine or mine[0][1] * 4 == offsets[number]


def test_the_form_of_every_party_is_told_by_its_contents(rom: Rom) -> None:
    records, parties = rom.archive("poketool/trainer/trdata.narc"), rom.archive("poketool/trainer/trpoke.narc")
    forms = [Trainer.from_bytes(data).party_form for data in records]
    assert [TrainerParty.from_bytes(data).form for data in parties] == forms
    assert [forms.count(form) for form in FORMS] == [672, 4, 198, 54]


def test_events_are_those_of_the_vectors(rom: Rom, cases: Cases) -> None:
    archive = rom.archive("fielddata/eventdata/zone_event.narc")
    for case in cases("events"):
        data = archive[case["member"]]
        assert sha1(data) == case["sha1"]
        events = ZoneEvents.from_bytes(data)
        assert [list(event)[:6] for event in events.background.tolist()] == case["background"]
        assert json.loads(json.dumps(events.objects.tolist(), default=np.ndarray.tolist)) == case["objects"]
        assert [list(event)[:4] for event in events.warps.tolist()] == case["warps"]
        assert [list(event) for event in events.triggers.tolist()] == case["triggers"]


def test_known_species_items_and_trades(rom: Rom) -> None:
    pikachu = SpeciesData.from_bytes(rom.archive("poketool/personal/pl_personal.narc")[25])
    assert pikachu.base.speed == 90 and pikachu.effort.speed == 2 and pikachu.types == (13, 13)
    assert pikachu.held_items == (155, 236) and not pikachu.flipped
    potion = ItemData.from_bytes(rom.archive("itemtool/itemdata/pl_item_data.narc")[17])
    assert potion.price == 300 and potion.party_use.restore_hp and potion.party_use.hp_restored == 20
    trade = InGameTrade.from_bytes(rom.archive("fielddata/pokemon_trade/fld_trade.narc")[0])
    assert (trade.species, trade.wanted_species, trade.language) == (63, 66, 2)


def test_the_other_encounters(rom: Rom) -> None:
    members = list(rom.archive("arc/encdata_ex.narc"))
    lists = [SpeciesList.from_bytes(data).species.tolist() for data in (members[0], *members[2:11])]
    assert [len(one) for one in lists] == [1, 6, 6, 6, 6, 6, 6, 16, 32, 32]
    assert lists[0] == [349] and lists[1:4] == lists[4:7]
    feebas = FeebasTiles.from_bytes(members[1])
    assert feebas.counts.tolist() == [228, 300] and len(feebas.tiles) == 528


# --- names in a sound archive


def archive_of(*lists: list[str | None]) -> bytes:
    """A sound archive with nothing but these lists of names."""
    head = 8 + 4 * 8
    body, starts = b"", []
    names_at = head + sum(4 + 4 * len(one) for one in lists)
    names = b""
    for one in lists:
        starts.append(head + len(body))
        body += struct.pack("<I", len(one))
        for name in one:
            body += struct.pack("<I", 0 if name is None else names_at + len(names))
            names += b"" if name is None else name.encode() + b"\0"
    block = b"SYMB" + bytes(4) + struct.pack(f"<{len(starts)}I", *starts)
    block = block.ljust(head, b"\0") + body + names
    return b"SDAT".ljust(16, b"\0") + struct.pack("<II", 24, len(block)) + block


SOUNDS = archive_of(["SEQ_A", None, "SEQ_B"], [], [None, "BANK"])


def test_the_names_of_sounds() -> None:
    assert sound_names(SOUNDS) == ("SEQ_A", None, "SEQ_B")
    assert sound_names(archive_of([], ["SEQ_A"])) == ()


def test_damaged_sound_archives_are_format_errors_at_most() -> None:
    chance, refused = random.Random("sounds"), 0
    for _ in range(2000):
        data = bytearray(SOUNDS)
        for _ in range(chance.choice((1, 2, 4))):
            at = chance.randrange(len(data))
            data[at] = chance.choice((0, 1, 0x7F, 0xFF, data[at] ^ 1))
        try:
            sound_names(bytes(data[: chance.choice((len(data), chance.randrange(len(data))))]))
        except FormatError:
            refused += 1
    assert 500 < refused < 2000
    with pytest.raises(FormatError, match="fit the block"):
        sound_names(many_of_one_name())


def many_of_one_name() -> bytes:
    """An archive whose names are the same long one."""
    data = bytearray(archive_of(["x" * 1000, *["y"] * 100]))
    first = data[24 + 8 + 32 + 4 : 24 + 8 + 32 + 8]
    data[24 + 8 + 32 + 4 : 24 + 8 + 32 + 4 + 4 * 101] = first * 101
    return bytes(data)


def test_the_names_of_the_real_sequences(rom: Rom) -> None:
    names = sound_names(rom.file("data/sound/pl_sound_data.sdat"))
    assert len(names) == 2133 and sum(name is not None for name in names) == 1013
    assert names[1004] == "SEQ_TOWN01_D"
