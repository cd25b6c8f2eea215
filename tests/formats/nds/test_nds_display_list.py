"""Display lists: packed to flat and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.binary import FormatError, Reader, frozen
from formats.nds import gx
from formats.nds.display_list import pack, unpack, unpack_lists

COMMANDS = sorted(set(gx.PARAMETERS) - {gx.NOP})


@st.composite
def commands(draw: st.DrawFn) -> list[list[int]]:
    """Commands with their parameters."""
    numbers = draw(st.lists(st.sampled_from(COMMANDS), max_size=30))
    words = st.integers(0, 0xFFFFFFFF)
    return [[n, *draw(st.lists(words, min_size=(c := gx.PARAMETERS[n]), max_size=c))] for n in numbers]


def packed_by_hand(slots: list[list[int]]) -> bytes:
    """Four commands a word, an empty one a no-operation."""
    words: list[int] = []
    for start in range(0, len(slots), 4):
        group = slots[start : start + 4]
        words.append(sum((command or [0])[0] << 8 * place for place, command in enumerate(group)))
        words += [parameter for command in group for parameter in command[1:]]
    return np.array(words, "<u4").tobytes()


@given(commands())
def test_any_list_survives(command_list: list[list[int]]) -> None:
    flat = frozen([word for command in command_list for word in command], np.uint32)
    packed = pack(flat)
    assert unpack(packed).tolist() == flat.tolist()
    assert unpack_lists(Reader(packed), [("", 0, len(packed))])[0][1] is None


@given(st.data())
def test_any_layout_survives(data: st.DataObject) -> None:
    slots = [c for command in data.draw(commands()) for c in ([[]] * data.draw(st.integers(0, 5)) + [command])]
    slots += [[]] * data.draw(st.integers(0, 9))
    packed = packed_by_hand(slots)
    usual = pack([gx.BEGIN_VTXS, 0])
    first, last = len(usual), len(usual) + len(packed)
    lists = [("", 0, first), ("", first, len(packed)), ("", last, first)]
    (_, nops), (flat, slots_of_nops), (after, _) = unpack_lists(Reader(usual + packed + usual), lists)
    assert (slots_of_nops is None) == (pack(flat) == packed)
    assert flat.tolist() == [word for slot in slots for word in slot]
    assert pack(flat, slots_of_nops) == packed
    assert nops is None and after.tolist() == [gx.BEGIN_VTXS, 0]


def test_the_converters_layout() -> None:
    triangle = [gx.BEGIN_VTXS, 0, gx.VTX_16, 1, 2, gx.VTX_10, 3, gx.END_VTXS]
    assert np.frombuffer(pack(triangle), "<u4").tolist() == [0x41242340, 0, 1, 2, 3, 0]
    longer = [*triangle, gx.COLOR, 9]
    assert np.frombuffer(pack(longer), "<u4").tolist() == [0x41242340, 0, 1, 2, 3, 0, 0x20, 9, 0]
    assert pack([]) == bytes(4)
    assert unpack_lists(Reader(b""), [("", 0, 0)])[0][1] is not None
    assert unpack_lists(Reader(b""), []) == []


@pytest.mark.parametrize("packed", ["01000000", "40", "40000000", "2300000000000000", "00404140 00000000", "FF000000"])
def test_damage_is_refused(packed: str) -> None:
    first, damaged = pack([gx.END_VTXS]), bytes.fromhex(packed)
    with pytest.raises(FormatError) as error:
        unpack_lists(Reader(first + damaged), [("", 0, len(first)), ("list", len(first), len(damaged))])
    with pytest.raises(FormatError) as alone:
        unpack(Reader(damaged, "list", len(first)))
    assert str(alone.value) == str(error.value)


def test_a_list_outside_its_section_is_refused() -> None:
    with pytest.raises(FormatError, match=r"lists: at byte 0x4: expected 8 bytes of one, found 4 before the end"):
        unpack_lists(Reader(bytes(8), "lists"), [("one", 4, 8)])


@pytest.mark.parametrize("flat", [[0], [0x100], [0x40], [0x23, 1], [0x41, 0x99], [0x140, 1]])
def test_what_is_no_flat_list_is_refused(flat: list[int]) -> None:
    with pytest.raises(ValueError):
        pack(flat)


@pytest.mark.parametrize("nops", [[5, 1, 3], [7, 7, 7], [0xFFFFFFFF], [0, 0, 1]])
def test_slots_out_of_order_do_no_harm(nops: list[int]) -> None:
    flat = [gx.BEGIN_VTXS, 0, gx.VTX_16, 1, 2, gx.END_VTXS]
    packed = pack(flat, np.array(nops, np.uint32))
    assert len(packed) <= 4 * (len(flat) + len(nops))
    assert unpack(packed).tolist() == flat


def test_every_command_is_known() -> None:
    assert len(COMMANDS) == 37
