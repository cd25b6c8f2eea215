from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import MessageBank
from formats.field.charmap import CHARACTERS, CODES
from formats.field.message import decode, encode
from mapexplorer.games import NameBank
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom

BANK = MessageBank(0x1234, ("Hello!", "", "two\nlines"))


def units(*values: int) -> Any:
    return frozen(values, "u2")


def test_the_character_map_has_known_characters() -> None:
    assert len(CHARACTERS) == 484
    known = {
        0x121: "0",
        0x12A: "9",
        0x12B: "A",
        0x144: "Z",
        0x145: "a",
        0x15E: "z",
        0x15F: "À",
        0x1DE: " ",
        1: "\u3000",
    }
    assert {code: CHARACTERS[code] for code in known} == known
    assert all(len(character) == 1 for character in CHARACTERS.values())
    assert [code for code, character in CHARACTERS.items() if CODES[character] != code] == [0xF5]


@pytest.mark.parametrize(
    "values, text",
    [
        ((0x12B, 0x145, 0xFFFF), "Aa"),
        ((0xFFFF,), ""),
        ((0x12B, 0xE000, 0x25BC, 0x25BD, 0xFFFF), "A\n\r\f"),
        ((0xFFFE, 0x0103, 2, 0, 65535, 0x12B, 0xFFFF), "{command 0103 0 65535}A"),
        ((0xFFFE, 0x0200, 0, 0xFFFF), "{command 0200}"),
        ((0xFFFE, 0x0103, 5, 0x12B, 0xFFFF), "{FFFE}" + CHARACTERS[0x103] + CHARACTERS[5] + "A"),
        ((0x12B, 0xFFFE, 0xFFFF), "A{FFFE}"),
        ((0x0F5, 0x1234, 0xFFFF), "{00F5}{1234}"),
        ((0x12B, 0xFFFF, 0x12B, 0xFFFF), "A{FFFF}A"),
        ((0x12B,), "A{no end}"),
        ((), "{no end}"),
    ],
)
def test_units_and_their_notation(values: tuple[int, ...], text: str) -> None:
    assert decode(units(*values)) == text
    assert encode(text).tolist() == list(values)


def test_a_packed_string_holds_nine_bit_characters_low_bits_first() -> None:
    """Its end, nine ones, may lie in the spare bits and in the end mark."""
    bits = sum(code << 9 * index for index, code in enumerate((0x12B, 0x145, 0x146, 0x1FF)))
    values = units(0xF100, bits & 0x7FFF, bits >> 15 & 0x7FFF, 0xFFFF)
    assert decode(values) == "{packed}Aab"
    assert encode("{packed}Aab").tolist() == values.tolist()
    assert decode(encode("{packed}")) == "{packed}"
    assert decode(encode("{packed}Barry and Dawn")) == "{packed}Barry and Dawn"


def test_a_packed_string_with_other_spare_bits_keeps_its_units() -> None:
    values = units(0xF100, 0x12B | (0x1FF << 9 & 0x7FFF), 0x1FF >> 6, 0xFFFF)
    text = decode(values)
    assert text.startswith("{F100}")
    assert encode(text).tolist() == values.tolist()


@given(st.lists(st.one_of(st.sampled_from([0xFFFE, 0xFFFF, 0xF100, 0xE000, 0, 1, 2]), st.integers(0, 0xFFFF))))
def test_any_units_come_back(values: list[int]) -> None:
    assert encode(decode(units(*values))).tolist() == values


@pytest.mark.parametrize(
    "text", ["中", "{", "}", "{nothing}", "{command 0103 65536}", "{12}", "{packed}\n", "{no end}A"]
)
def test_text_that_the_game_cannot_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        encode(text)


def test_the_table_and_the_texts_are_scrambled() -> None:
    data = MessageBank(0x1234, ("A", "b")).to_bytes()
    words = np.frombuffer(data, "<u4", 4, 4).tolist()
    keys = [(0x1234 * 765 * place & 0xFFFF) * 0x10001 for place in (1, 2)]
    assert [word ^ keys[i // 2] for i, word in enumerate(words)] == [20, 2, 24, 2]
    first, second = 596947 & 0xFFFF, 2 * 596947 & 0xFFFF
    assert np.frombuffer(data, "<u2", 4, 20).tolist() == [
        0x12B ^ first,
        0xFFFF ^ (first + 18749 & 0xFFFF),
        0x146 ^ second,
        0xFFFF ^ (second + 18749 & 0xFFFF),
    ]


@pytest.mark.parametrize(
    "edited",
    [
        MessageBank(0x1234, ("Hello, you!", "", "two\nlines")),
        MessageBank(0x1234, ("Hi", "", "two\nlines")),
        MessageBank(0x1234, (*BANK.messages, "more {command 0100 7}")),
        MessageBank(0x1234, BANK.messages[1:]),
        MessageBank(0xFFFF, BANK.messages),
        MessageBank(0, ()),
    ],
)
def test_edited_banks_are_written_and_read_back(edited: MessageBank, rewritten: Callable[[Any], Any]) -> None:
    assert same(rewritten(edited), edited)
    assert not same(edited, BANK)


@pytest.mark.parametrize("size", range(len(BANK.to_bytes())))
def test_a_truncated_bank_is_a_format_error(size: int) -> None:
    with pytest.raises(FormatError):
        MessageBank.from_bytes(BANK.to_bytes()[:size])


def test_texts_that_overlap_beyond_the_file_are_a_format_error() -> None:
    count = 1000
    bank = bytearray(MessageBank(0, ("x" * 999,) + ("",) * (count - 1)).to_bytes())
    bank[4 : 4 + 8 * count] = bank[4:12] * count
    with pytest.raises(FormatError, match="fit the file"):
        MessageBank.from_bytes(bank)


def test_texts_out_of_order_are_noted() -> None:
    bank = bytearray(MessageBank(0, ("", "")).to_bytes())
    bank[12:16] = bank[4:8]
    notes: Notes = []
    assert len(MessageBank.from_bytes(bank, notes=notes)) == 2
    assert [note.offset for note in notes] == [4, 22]


def test_a_bank_without_room_is_refused() -> None:
    for wrong in (MessageBank(0x10000, ()), MessageBank(0, ("",) * 0x10000)):
        with pytest.raises(ValueError):
            wrong.to_bytes()


def test_the_real_place_names(rom: Rom) -> None:
    archive = rom.archive("msgdata/pl_msg.narc")
    names = MessageBank.from_bytes(archive[PLATINUM.name_banks[NameBank.PLACES].western])
    assert len(names) == 126
    assert names[1] == "Twinleaf Town"
    assert "Route 205" in names.messages and "Pokémon League" in names.messages
    assert not any("{" in name for name in names.messages)


def test_an_edit_of_a_real_bank_changes_one_message(rom: Rom) -> None:
    bank = MessageBank.from_bytes(rom.archive("msgdata/pl_msg.narc")[PLATINUM.name_banks[NameBank.PLACES].western])
    for name in ("A Town with a Much Longer Name", "T"):
        messages = (bank[0], name, *bank.messages[2:])
        edited = MessageBank.from_bytes(MessageBank(bank.seed, messages).to_bytes())
        assert edited.messages == messages and edited.seed == bank.seed


@pytest.mark.slow
def test_all_real_messages_are_text_that_ends(rom: Rom) -> None:
    count = 0
    for data in rom.archive("msgdata/pl_msg.narc"):
        for message in MessageBank.from_bytes(data).messages:
            count += 1
            assert not message.endswith("{no end}")
    assert count == 46053
