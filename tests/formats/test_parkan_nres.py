"""The NRes container: the sample files, unusual layouts, and bytes that are no container."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.binary import FormatError, Note, same
from formats.parkan import Entry, Msh, NRes, PayloadLayout, models, read
from formats.parkan.nres import ENTRY_SIZE, sort_indices


@pytest.fixture(scope="module")
def folder(vectors: Path) -> Path:
    return vectors / "msh"


def test_sample_files(folder: Path) -> None:
    cases: list[dict[str, Any]] = json.loads((folder / "msh-vectors.json").read_text())["containers"]
    entries = 0
    for case in cases:
        data = (folder / case["file"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (case["size"], case["sha256"])
        notes: list[Note] = []
        container = NRes.from_bytes(data, notes=notes, strict=True)
        assert notes == []
        assert container.layout is None
        assert container.to_bytes() == data
        order = sort_indices([entry.name for entry in container.entries])
        for entry, index, wanted in zip(container.entries, order, case["entries"], strict=True):
            found = (entry.type_id, entry.attr1, entry.attr2, entry.attr3, entry.name, len(entry.payload), index)
            keys = ("type", "attr1", "attr2", "attr3", "name", "size", "sort_index")
            assert found == tuple(wanted[key] for key in keys)
            assert data[wanted["offset"] : wanted["offset"] + wanted["size"]] == entry.payload
            entries += 1
    assert (len(cases), entries) == (4, 44)


def test_archive_of_models(folder: Path) -> None:
    archive = read((folder / "synth_archive.rlb").read_bytes())
    assert isinstance(archive, NRes)
    assert [entry.kind for entry in archive.entries] == ["MESH", "MESH"]
    found = dict(models(archive))
    assert list(found) == ["synth_static.msh", "Synth_Anim.msh"]
    for name, model in found.items():
        assert model.to_bytes() == (folder / name.lower()).read_bytes()


def container(*payloads: bytes, names: tuple[str, ...] = ()) -> NRes:
    names = names or tuple(f"entry{number}" for number in range(len(payloads)))
    return NRes(tuple(Entry(100 + i, 1, 2, 3, names[i], data) for i, data in enumerate(payloads)))


@given(st.lists(st.tuples(st.binary(max_size=40), st.text("abXYZ\xe4Ж_", max_size=35)), max_size=8))
def test_any_container_comes_back(items: list[tuple[bytes, str]]) -> None:
    items = [(data, name.replace("\xe4", "a")) for data, name in items]
    value = container(*(data for data, _ in items), names=tuple(name for _, name in items))
    data = value.to_bytes()
    assert len(data) == 16 + sum(len(p) + -len(p) % 8 for p, _ in items) + ENTRY_SIZE * len(items)
    again = NRes.from_bytes(data, strict=True)
    assert same(value, again)
    assert again.to_bytes() == data


def test_names_sort_without_case_and_keep_the_order_of_equals() -> None:
    assert sort_indices(["b", "A", "a", "B"]) == [1, 2, 0, 3]
    assert sort_indices(["b\0a", "c", "B"]) == [0, 2, 1]


def test_gaps_order_and_padding_survive() -> None:
    value = replace(
        container(b"first", b"", b"third!"), layout=PayloadLayout((2, 0, 1), (b"gap", b"", b"\1\2", b"end"))
    )
    data = value.to_bytes()
    notes: list[Note] = []
    again = NRes.from_bytes(data, notes=notes)
    assert same(value, again)
    assert again.to_bytes() == data
    assert len(notes) == 3
    compact = replace(again, layout=None).to_bytes()
    assert len(compact) < len(data) + 8
    plain: list[Note] = []
    assert same(NRes.from_bytes(compact, notes=plain), container(b"first", b"", b"third!"))
    assert plain == []


def test_names_with_bytes_behind_their_end_are_kept() -> None:
    data = container(b"x", names=("abc\0junk",)).to_bytes()
    notes: list[Note] = []
    value = NRes.from_bytes(data, notes=notes)
    assert value.entries[0].name == "abc\0junk"
    assert value.to_bytes() == data
    assert len(notes) == 1


def test_wrong_sort_indices_are_repaired() -> None:
    data = bytearray(container(b"x", b"y").to_bytes())
    good = bytes(data)
    struct.pack_into("<I", data, len(data) - 4, 0)
    notes: list[Note] = []
    assert NRes.from_bytes(bytes(data), notes=notes).to_bytes() == good
    assert [note.offset for note in notes] == [len(data) - 4]
    with pytest.raises(FormatError, match="sort index"):
        NRes.from_bytes(bytes(data), strict=True)


@pytest.mark.parametrize(
    ("at", "value", "sentence"),
    [
        (0, 0x73655258, "NRes"),
        (4, 0x101, "version"),
        (8, 0xFFFFFFFF, "at least 0"),
        (8, 0x7FFFFFFF, "entries"),
        (12, 1, "total size"),
        (-64 + 12, 0xFFFFFFFF, "payload of entry 1"),
        (-64 + 56, 8, "payload of entry 1"),
        (-64 + 56, 16, "apart from"),
        (-64 + 20, None, "name that ends"),
    ],
)
def test_bad_containers(at: int, value: int | None, sentence: str) -> None:
    data = bytearray(container(b"12345678", b"abc").to_bytes())
    at = at if at >= 0 else len(data) + at
    if value is None:
        data[at : at + 36] = b"n" * 36
    else:
        struct.pack_into("<I", data, at, value)
    with pytest.raises(FormatError, match=sentence) as error:
        NRes.from_bytes(bytes(data))
    assert error.value.path == "NRes"


def test_truncation() -> None:
    data = container(b"12345678", b"abc").to_bytes()
    for size in range(len(data)):
        with pytest.raises(FormatError):
            NRes.from_bytes(data[:size])


@pytest.mark.parametrize(
    "entry",
    [
        Entry(1, 0, 0, 0, "n" * 36, b""),
        Entry(1, 0, 0, 0, "\u4e00", b""),
        Entry(-1, 0, 0, 0, "n", b""),
        Entry(1, 0, 1 << 32, 0, "n", b""),
    ],
)
def test_values_that_do_not_fit(entry: Entry) -> None:
    with pytest.raises(FormatError):
        NRes((entry,)).to_bytes()


def test_a_layout_of_other_entries_is_refused() -> None:
    with pytest.raises(FormatError, match="layout"):
        replace(container(b"a", b"b"), layout=PayloadLayout((0,), (b"", b""))).to_bytes()


def test_an_archive_is_no_model_and_terrain_is_named() -> None:
    with pytest.raises(FormatError, match="streams of a model"):
        Msh.from_bytes(container(b"a").to_bytes())
    terrain = NRes(tuple(Entry(type_id, 0, 0, 0, "land", b"") for type_id in (1, 2, 3, 11, 21)))
    with pytest.raises(FormatError, match="terrain"):
        read(terrain.to_bytes())
