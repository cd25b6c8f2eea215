"""The name dictionary: documented trees, any names, damaged bytes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import FormatError
from formats.binary import Reader
from formats.nitro.dictionary import build_tree, dictionary_size, read_dictionary, write_dictionary

LETTERS = st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=16).filter(
    lambda name: len(name) < 16 or name[15] < "\x80"
)
NAMES = st.lists(LETTERS, max_size=60, unique=True)


def find(tree: bytes, names: list[str], name: str) -> int | None:
    """The entry that the library finds for `name`: by linear search among few names, with the tree among 16 or more."""
    if len(names) < 16:
        return names.index(name) if name in names else None
    key = int.from_bytes(name.encode("latin-1"), "little")
    bits, left, right, entries = tree[0::4], tree[1::4], tree[2::4], tree[3::4]
    parent, node = 0, left[0]
    while bits[parent] > bits[node]:
        parent, node = node, right[node] if key >> bits[node] & 1 else left[node]
    return entries[node] if names[entries[node]] == name else None


@pytest.mark.parametrize(
    ("names", "tree"),
    [
        (["a"], "7F010000 06000100"),
        (["a", "b", "ab"], "7F010000 0E020102 06000300 01020301"),
        (
            ["root", "body", "head", "arm_l", "arm_r"],
            "7F010000 26020503 1E000300 1C030402 1B020401 24010504",
        ),
        ([], "7F000000"),
    ],
)
def test_documented_trees(names: list[str], tree: str) -> None:
    assert build_tree(tuple(names)) == bytes.fromhex(tree)


@given(NAMES, LETTERS)
def test_the_tree_finds_every_name_and_no_other(names: list[str], stranger: str) -> None:
    tree = build_tree(tuple(names))
    assert [find(tree, names, name) for name in names] == list(range(len(names)))
    if stranger not in names:
        assert find(tree, names, stranger) is None


@given(NAMES, st.integers(1, 10), st.integers(0, 5))
def test_what_is_written_is_read(names: list[str], words: int, offset: int) -> None:
    unit = 4 * words
    data = [bytes([index, len(name)]) * (unit // 2) for index, name in enumerate(names)]
    written = write_dictionary(names, unit, data)
    assert len(written) == dictionary_size(len(names), unit)
    notes: list[Any] = []
    dictionary = read_dictionary(Reader(bytes(offset) + written + b"behind"), offset, unit, notes=notes)
    assert not notes
    assert dictionary.names == tuple(names)
    assert dictionary.data == tuple(data)
    assert dictionary.end == offset + len(written)
    assert write_dictionary(dictionary.names, unit, dictionary.data) == written


def test_255_names() -> None:
    names = [f"name {index}" for index in range(255)]
    random.Random(1).shuffle(names)
    tree = build_tree(tuple(names))
    assert len(tree) == 1024
    assert [find(tree, names, name) for name in names] == list(range(255))
    with pytest.raises(ValueError, match="255"):
        write_dictionary([*names, "one more"], 4, [bytes(4)] * 256)


@pytest.mark.parametrize("names", [["a", "a"], ["a" * 17], ["\u0444"], ["a\0"], ["", ""], ["x" * 15 + "\x80"]])
def test_names_that_cannot_be_written(names: list[str]) -> None:
    with pytest.raises(ValueError):
        write_dictionary(names, 4, [bytes(4)] * len(names))


def test_another_unit_and_wrong_data_sizes() -> None:
    with pytest.raises(ValueError):
        write_dictionary(["a"], 4, [bytes(8)])
    with pytest.raises(FormatError, match="8 bytes"):
        read_dictionary(Reader(write_dictionary(["a"], 4, [bytes(4)])), 0, 8)


def test_a_foreign_tree_is_noted() -> None:
    data = bytearray(write_dictionary(["a", "b"], 4, [bytes(4)] * 2))
    data[12] ^= 1
    notes: list[Any] = []
    assert read_dictionary(Reader(bytes(data)), 0, 4, notes=notes).names == ("a", "b")
    assert len(notes) == 1
    assert "search tree" in notes[0].sentence


def test_names_without_a_tree_are_noted() -> None:
    data = write_dictionary(["a", "b"], 4, [bytes(4)] * 2).replace(b"b", b"a")
    notes: list[Any] = []
    assert read_dictionary(Reader(data), 0, 4, notes=notes).names == ("a", "a")
    assert [note.sentence for note in notes] == ["the name 'a' occurs twice in one dictionary"]


def test_damage_is_refused_or_read_within_bounds() -> None:
    whole = write_dictionary([f"name {index}" for index in range(20)], 4, [bytes(4)] * 20)
    for length in range(len(whole)):
        with pytest.raises(FormatError):
            read_dictionary(Reader(whole[:length]), 0, 4)
    outcomes = set()
    for place in range(8):
        for value in range(256):
            data = bytearray(whole)
            data[place] = value
            try:
                dictionary = read_dictionary(Reader(bytes(data)), 0, 4, notes=[])
                assert len(dictionary.names) <= 255
                outcomes.add("read")
            except FormatError:
                outcomes.add("refused")
    assert outcomes == {"read", "refused"}
