"""Lists of names, order files, names of sounds."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mapexplorer.decomp.enumerations import Enumerations, joined
from mapexplorer.decomp.files import FolderFiles
from mapexplorer.errors import SourceError

Tree = Callable[[Mapping[str, str | bytes]], FolderFiles]

MESON = "'weather': { 'type': 'mask', 'tag': 'W' },\n'winds': {'type': 'mask', 'tag': 'W', 'extra': ['--no-auto']},\n"


def test_a_list_counts_on_from_each_value(tree: Tree) -> None:
    text = "ROCK\nSAND = 7  # comment\n\n# comment\nMUD\nLAST = MUD\nNEXT\nHIGH=0x10\n"
    names = Enumerations(tree({"generated/ground.txt": text})).list("ground")
    assert dict(names) == {"ROCK": 0, "SAND": 7, "MUD": 8, "LAST": 8, "NEXT": 9, "HIGH": 16}
    assert names.origin("NEXT") == ("generated/ground.txt", 7)


def test_the_build_says_which_lists_are_masks(tree: Tree) -> None:
    text = "CALM\nRAIN\nWIND\n"
    files = {
        "generated/meson.build": MESON,
        **{f"generated/{name}.txt": text for name in ("weather", "winds", "plain")},
    }
    lists = Enumerations(tree(files))
    numbers = [list(lists.list(name).values()) for name in ("weather", "winds", "plain")]
    assert numbers == [[1, 2, 4], [0, 1, 2], [0, 1, 2]]


def test_a_name_that_stands_twice_is_an_error_where_it_is_used(tree: Tree) -> None:
    names = Enumerations(tree({"generated/flags.txt": "A\nB\nB\nC\n"})).list("flags")
    assert (names["A"], names["C"]) == (0, 3)
    with pytest.raises(SourceError, match=r"^generated/flags.txt, line 3: B is named twice \(first in line 2\)$"):
        names["B"]
    assert "B" not in list(names)


def test_a_name_that_is_not_there_is_told_with_the_nearest_one(tree: Tree) -> None:
    lists = Enumerations(tree({"generated/a.txt": "SPECIES_STARLY\n", "generated/b.txt": "NONE\n"}))
    assert (
        lists.list("a").unknown("SPECIES_STARLI")
        == "SPECIES_STARLI is not in generated/a.txt; did you mean SPECIES_STARLY?"
    )
    both = joined([lists.list("a"), lists.list("b")])
    assert dict(both) == {"SPECIES_STARLY": 0, "NONE": 0}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A\nB C\n", "line 2: this is no name, with or without = and a number or a name before it"),
        ("A = X\n", "line 1: X is neither a number nor a name before it"),
    ],
)
def test_a_line_that_is_no_name_is_told(tree: Tree, text: str, why: str) -> None:
    with pytest.raises(SourceError) as error:
        Enumerations(tree({"generated/a.txt": text})).list("a")
    assert str(error.value) == f"generated/a.txt, {why}"


def test_order_files_number_members(tree: Tree) -> None:
    lists = Enumerations(tree({"res/props.order": "rock_big.nsbmd\n\ntree\ntree\nhut\n"}))
    assert lists.order("res/props.order")[1:3] == (("tree", 3), ("tree", 4))
    assert dict(lists.index("res/props.order")) == {"rock_big_nsbmd": 0, "tree": 1, "hut": 3}


def test_sounds_count_in_their_sections(tree: Tree) -> None:
    text = """{"seqInfo": [{"name": ""}, {"name": "SEQ_A", "fileName": "A.sseq"},
        {"name": "SEQ_B", "fileName": "A.sseq"}], "bankInfo": [{"name": "BANK_A"}]}"""
    sounds = Enumerations(tree({"res/sound.json": text})).sounds("res/sound.json")
    assert dict(sounds) == {"SEQ_A": 1, "A_sseq": 1, "SEQ_B": 2, "A_sseq_1": 2, "BANK_A": 0}


def test_files_are_those_of_the_tree(tree: Tree, tmp_path: Path) -> None:
    files = tree({"a/b.txt": b"caf\xff", "a/c.txt": "text"})
    (tmp_path / "a" / "out").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "a" / "pipe")
    with open(tmp_path / "a" / "large", "wb") as large:
        large.truncate(2 << 30)
    assert files.names("a") == {"b.txt", "c.txt", "out", "pipe", "large"}
    assert (files.has("a/c.txt"), files.has("a/d.txt"), files.has("d")) == (True, False, False)
    assert files.text("a/c.txt") == "text"
    for path, why in {
        "a/b.txt": "a/b.txt, line 1: this is no UTF-8 text (byte 3)",
        "a/out": "a/out: this is a link to a place outside the folder",
        "a/d.txt": "a/d.txt: there is no such file",
        "../x": "../x: no file of the tree has such a path",
        "a\0b": "a\0b: no file of the tree has such a path",
        "a": "a: this is a folder, a file is needed",
    }.items():
        with pytest.raises(SourceError) as error:
            files.text(path)
        assert str(error.value) == why
    for path in ("a/pipe", "a/large"):
        with pytest.raises(SourceError, match=f"^{path}: this is "):
            files.read(path)
