"""MSH models: what is read, what is refused, what is noted, what is written."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.binary import FormatError, Note, frozen, same
from formats.json_codec import from_json, to_json
from formats.parkan import KEY, Entry, KeyPool, Msh, NRes, Stream, Track, Tracks, read
from formats.parkan.animation import canonical_frame_count, canonical_words
from formats.parkan.geometry import BATCH, NODE, SLOT, STORED_NODE, TRIANGLE, range_maxima, spread


@pytest.fixture(scope="module")
def folder(vectors: Path) -> Path:
    return vectors / "msh"


@pytest.fixture(scope="module")
def anim_bytes(folder: Path) -> bytes:
    return (folder / "synth_anim.msh").read_bytes()


@pytest.fixture(scope="module")
def anim(anim_bytes: bytes) -> Msh:
    return Msh.from_bytes(anim_bytes)


def changed(data: bytes, type_id: int, edit: Callable[[bytearray], Any] = bytes, **attributes: int) -> bytes:
    """The container with the payload of one stream edited in place and attributes replaced."""
    container = NRes.from_bytes(data)
    entries = []
    for entry in container.entries:
        if entry.type_id == type_id:
            payload = bytearray(entry.payload)
            edit(payload)
            entry = replace(entry, payload=bytes(payload), **attributes)
        entries.append(entry)
    return NRes(tuple(entries)).to_bytes()


def put(form: str, at: int, value: float) -> Callable[[bytearray], None]:
    return lambda payload: struct.pack_into(form, payload, at, value)


def test_animated_model(anim_bytes: bytes) -> None:
    assert [record.itemsize for record in (STORED_NODE, SLOT, BATCH, TRIANGLE)] == [38, 68, 20, 16]
    notes: list[Note] = []
    model = Msh.from_bytes(anim_bytes, notes=notes, strict=True)
    assert notes == []
    assert model.to_bytes() == anim_bytes
    assert isinstance(model.animation, Tracks)
    assert model.animation.frame_count is None
    assert [len(track.keys) for track in model.animation.tracks] == [1, 4, 2, 1]
    assert all(track.words is None for track in model.animation.tracks)
    assert [model.node_name(node) for node in range(4)] == ["root", "turret", "barrel", "antenna"]
    assert model.nodes["slots"][:, 0, 0].tolist() == [0xFFFF, 0, 2, 3]
    counts = [len(values) for values in (model.positions, model.normals, model.uvs, model.indices, model.triangles)]
    assert counts == [96, 96, 96, 144, 48]
    assert model.material_numbers().tolist() == [0, 0, 1, 1]
    assert [stream.payload for stream in model.streams if stream.type_id == 17] == [b""]


def test_static_model(folder: Path) -> None:
    data = (folder / "synth_static.msh").read_bytes()
    notes: list[Note] = []
    model = Msh.from_bytes(data, notes=notes, strict=True)
    assert notes == []
    assert model.to_bytes() == data
    pool = model.animation.pool()
    assert (pool.frame_count, len(pool.words), pool.map_starts.tolist()) == (1, 0, [0xFFFF, 0xFFFF])
    assert model.node_name(1) == "Base_TL"


def test_legacy_model(folder: Path) -> None:
    data = (folder / "synth_legacy24.msh").read_bytes()
    notes: list[Note] = []
    model = Msh.from_bytes(data, notes=notes, strict=True)
    assert len(notes) == 1
    assert "24-byte" in notes[0].sentence
    assert model.legacy
    assert not model.animated
    assert model.has_geometry
    assert model.to_bytes() == data


MUTATIONS: dict[str, Callable[[bytes], bytes]] = {
    "append 1 byte to the Res8": lambda data: changed(data, 8, lambda payload: payload.append(0)),
    "drop last byte of Res19": lambda data: changed(data, 19, lambda payload: payload.pop()),
    "node 1 fallback_key := 200": lambda data: changed(data, 1, put("<H", 38 + 6, 200)),
    "node 1 map_start := 10": lambda data: changed(data, 1, put("<H", 38 + 4, 10)),
    "key 2 time := 0.0": lambda data: changed(data, 8, put("<f", 48 + 12, 0.0)),
    "Res19.attr2 := 0": lambda data: changed(data, 19, attr2=0),
    "node 2 parent := 3": lambda data: changed(data, 1, put("<H", 76 + 2, 3)),
    "Res19.attr2 := 9": lambda data: changed(data, 19, attr2=9),
    "map word of node 1 frame 7 := 5": lambda data: changed(data, 19, put("<H", 14, 5)),
    "key 1 time := 0.5": lambda data: changed(data, 8, put("<f", 24 + 12, 0.5)),
    "header total_size += 64": lambda data: data[:12] + struct.pack("<I", len(data) + 64) + data[16:],
    "entry 3 sort_index := 0": lambda data: data[: -11 * 64 + 60] + bytes(4) + data[-11 * 64 + 64 :],
}
# What the sentence of the error must say (path, words), or of the warning.
EXPECTED = {
    "append 1 byte to the Res8": ("Res8", "multiple of 24"),
    "drop last byte of Res19": ("Res19", "multiple of 2"),
    "node 1 fallback_key := 200": ("Res1", "fallback key below 8"),
    "node 1 map_start := 10": ("Res1", "map block of 8 words inside 16"),
    "key 2 time := 0.0": ("Res8", "key times that rise"),
    "Res19.attr2 := 0": ("Res19", "frame count above 0"),
    "node 2 parent := 3": ("Res1", "parent before node 2"),
    "Res19.attr2 := 9": ("Res1", "map block of 9 words inside 16"),
    "map word of node 1 frame 7 := 5": ("Res19", "fallback key"),
    "key 1 time := 0.5": ("Res8", "time 0"),
    "header total_size += 64": ("", "total size"),
    "entry 3 sort_index := 0": ("", "sort index"),
}


def test_documented_mutations(folder: Path, anim_bytes: bytes) -> None:
    cases = json.loads((folder / "msh-vectors.json").read_text())["invalid_mutations"]
    done = set()
    for case in cases:
        name = max((name for name in MUTATIONS if case["change"].startswith(name)), key=len)
        done.add(name)
        data = MUTATIONS[name](anim_bytes)
        path, words = EXPECTED[name]
        notes: list[Note] = []
        if case["expect"].startswith("error"):
            with pytest.raises(FormatError, match=words) as error:
                Msh.from_bytes(data)
            assert path in error.value.path
            assert 0 <= error.value.offset < len(data)
            continue
        model = Msh.from_bytes(data, notes=notes)
        assert any(path in note.path and words in note.sentence for note in notes), notes
        if case["expect"].startswith("warning only"):
            assert model.to_bytes() == data
            assert same(model, Msh.from_bytes(data, strict=True))
        else:
            with pytest.raises(FormatError, match=words):
                Msh.from_bytes(data, strict=True)
            assert model.to_bytes() == anim_bytes
    assert len(cases) == 12
    assert done == set(MUTATIONS)


@pytest.mark.parametrize(
    ("type_id", "edit", "words"),
    [
        (1, lambda p: p.pop(), "multiple of 38"),
        (1, put("<H", 2 * 38 + 8, 4), "one of 4 slots"),
        (1, put("<H", 2 * 38 + 4, 0xFFFE), "map block"),
        (1, put("<H", 38 + 6, 1), "at least two keys"),
        (2, lambda p: p.pop(), "multiple of 68"),
        (2, lambda p: p.clear(), "the bounds"),
        (2, put("<H", 0x8C + 4, 4), "batch range of slot 0"),
        (2, put("<H", 0x8C + 68 + 2, 60), "triangle range of slot 1"),
        (3, lambda p: p.append(0), "multiple of 12"),
        (7, lambda p: p.pop(), "multiple of 16"),
        (8, put("<f", 12, float("nan")), "finite key time"),
        (10, lambda p: p.append(0), "the end after 4 labels"),
        (10, put("<I", 0, 5000), "label text"),
        (10, lambda p: p.pop(), "bytes of data"),
        (13, put("<H", 8, 35), "multiple of 3"),
        (13, put("<I", 10, 0xFFFFFFF0), "indices inside 144"),
        (13, put("<I", 16, 0xFFFFFFF0), "vertices of batch 0"),
        (15, lambda p: p.pop(), "multiple of 8"),
    ],
)
def test_bad_streams(anim_bytes: bytes, type_id: int, edit: Callable[[bytearray], Any], words: str) -> None:
    data = changed(anim_bytes, type_id, edit)
    with pytest.raises(FormatError, match=words) as error:
        Msh.from_bytes(data)
    assert f"Res{type_id}[" in error.value.path


def test_vertices_out_of_range_are_the_batch_s_fault(anim_bytes: bytes) -> None:
    for data, count in (
        (changed(anim_bytes, 3, lambda payload: payload.__delitem__(slice(0, 12))), 95),
        (changed(anim_bytes, 6, put("<H", 2 * 143, 24)), 96),
    ):
        with pytest.raises(FormatError, match=f"vertices of batch 3 below {count}") as error:
            Msh.from_bytes(data)
        assert "Res13[" in error.value.path


def test_node_sizes(anim_bytes: bytes) -> None:
    with pytest.raises(FormatError, match="38 or 24"):
        Msh.from_bytes(changed(anim_bytes, 1, attr3=40))


def test_labels_end_with_a_zero(anim_bytes: bytes) -> None:
    def label(payload: bytearray) -> None:
        payload[:4] = b"\2\0\0\0ab!"

    with pytest.raises(FormatError, match="zero byte"):
        Msh.from_bytes(changed(anim_bytes, 10, label))


@pytest.mark.parametrize(
    ("type_id", "edit", "words"),
    [
        (1, put("<H", 3 * 38 + 6, 6), "rise from node to node"),
        (2, put("<f", 0x8C + 8, 1.5), "box of slot 0"),
        (2, put("<f", 0x8C + 20, float("inf")), "finite bounds of slot 0"),
        (2, put("<f", 0, float("nan")), "finite bounds of the model"),
        (3, put("<f", 0, float("nan")), "finite position"),
        (4, lambda p: p.__delitem__(slice(0, 4)), "one per vertex"),
        (8, put("<h", 24 * 3 + 20, 30000), "length"),
        (8, put("<h", 24 * 3 + 20, -32768), "-32768"),
        (8, lambda p: p.__setitem__(slice(16, 24), bytes(8)), "zeros"),
        (8, put("<f", 0, float("inf")), "finite position"),
        (8, lambda p: p.extend(bytes(22) + b"\xff\x7f"), "after the last track"),
        (9, lambda p: p.extend(bytes(32)), "kept as they are"),
        (15, lambda p: p.extend(bytes(8)), "one per vertex"),
        (19, put("<H", 2, 200), "map word"),
    ],
)
def test_unusual_streams(anim_bytes: bytes, type_id: int, edit: Callable[[bytearray], Any], words: str) -> None:
    count = {4: 95, 15: 97, 8: 9}
    probe = NRes.from_bytes(changed(anim_bytes, type_id, edit))
    size = next(len(entry.payload) for entry in probe.entries if entry.type_id == type_id)
    attributes = {"attr1": count[type_id]} if size not in (384, 768, 192) and type_id in count else {}
    data = changed(anim_bytes, type_id, edit, **attributes)
    notes: list[Note] = []
    model = Msh.from_bytes(data, notes=notes, strict=True)
    assert any(f"Res{type_id}[" in note.path and words in note.sentence for note in notes), notes
    assert model.to_bytes() == data
    assert Msh.from_bytes(model.to_bytes()).to_bytes() == data


def test_attributes(anim_bytes: bytes) -> None:
    kept = changed(changed(changed(anim_bytes, 17, attr1=9, attr2=8, attr3=7), 9, attr2=5, attr3=6), 1, attr2=77)
    assert Msh.from_bytes(kept, strict=True).to_bytes() == kept
    other_stride = changed(anim_bytes, 8, attr3=24)
    assert Msh.from_bytes(other_stride).to_bytes() == other_stride
    wrong_count = changed(anim_bytes, 3, attr1=95)
    notes: list[Note] = []
    assert Msh.from_bytes(wrong_count, notes=notes).to_bytes() == anim_bytes
    assert any("95 elements" in note.sentence for note in notes)
    with pytest.raises(FormatError, match="96 elements"):
        Msh.from_bytes(wrong_count, strict=True)


def test_unknown_and_repeated_streams_stay(anim_bytes: bytes) -> None:
    container = NRes.from_bytes(anim_bytes)
    more = (Entry(77, 1, 2, 3, "synth_anim", b"?"), Entry(3, 0, 0, 0, "synth_anim", b"a second one"))
    data = replace(container, entries=container.entries + more).to_bytes()
    notes: list[Note] = []
    model = Msh.from_bytes(data, notes=notes)
    assert len(notes) == 2
    assert len(model.positions) == 96
    assert model.to_bytes() == data
    assert model.payload(77) == b"?"


def test_gaps_survive_in_a_model(anim_bytes: bytes) -> None:
    from formats.parkan.nres import canonical_layout

    container = NRes.from_bytes(anim_bytes)
    usual = canonical_layout([len(entry.payload) for entry in container.entries])
    gaps = (*usual.gaps[:4], usual.gaps[4] + b"unindexed bytes.", *usual.gaps[5:])
    data = replace(container, layout=replace(usual, gaps=gaps)).to_bytes()
    model = Msh.from_bytes(data)
    assert model.to_bytes() == data
    assert replace(model, layout=None).to_bytes() == anim_bytes


def test_overlapping_tracks_keep_the_flat_form(anim_bytes: bytes) -> None:
    data = changed(anim_bytes, 1, put("<H", 3 * 38 + 6, 6))
    model = Msh.from_bytes(data)
    assert isinstance(model.animation, KeyPool)
    assert model.to_bytes() == data


def test_map_blocks_in_another_order_keep_the_flat_form(anim_bytes: bytes) -> None:
    def swap(payload: bytearray) -> None:
        struct.pack_into("<H", payload, 38 + 4, 8)
        struct.pack_into("<H", payload, 76 + 4, 0)

    def turn(payload: bytearray) -> None:
        payload[:] = payload[16:] + payload[:16]

    data = changed(changed(anim_bytes, 1, swap), 19, turn)
    notes: list[Note] = []
    model = Msh.from_bytes(data, notes=notes)
    assert any("map blocks" in note.sentence for note in notes)
    assert isinstance(model.animation, KeyPool)
    assert model.to_bytes() == data


def test_geometry_alone_and_animation_alone(anim_bytes: bytes) -> None:
    container = NRes.from_bytes(anim_bytes)
    alone = {"geometry": {1, 2, 3, 4, 5, 6, 7, 13}, "animation": {1, 8, 19, 9}}
    for name, types in alone.items():
        data = NRes(tuple(entry for entry in container.entries if entry.type_id in types)).to_bytes()
        model = read(data)
        assert isinstance(model, Msh)
        assert model.to_bytes() == data
        assert model.has_geometry == (name == "geometry")
        assert model.animated == (name == "animation")


def keys_of(*records: tuple[float, tuple[float, float, float]]) -> Any:
    keys = np.zeros(len(records), KEY)
    keys["orientation"] = (0, 0, 0, 32767)
    for key, (time, position) in zip(keys, records, strict=True):
        key["time"], key["position"] = time, position
    return frozen(keys)


def track_of(keys: Any) -> Track:
    """A track that was edited: the map follows from the keys, and exists when there is more than one."""
    return Track(frozen(keys, KEY), len(keys) > 1)


def built() -> Msh:
    """A model that no file was read for: two roots, one slot drawn twice, a Cyrillic label, a lightmap."""
    nodes = np.zeros(2, NODE)
    nodes["parent"] = 0xFFFF
    nodes["slots"] = 0xFFFF
    nodes["slots"][:, 0, 0] = 0
    slots = np.zeros(1, SLOT)
    slots["batch_count"], slots["box_max"], slots["sphere_radius"] = 1, (1, 1, 0), 2
    batches = np.zeros(1, BATCH)
    batches["index_count"], batches["vertex_count"] = 3, 3
    tracks = (Track(keys_of((0, (1, 2, 3))), False), Track(keys_of((0, (0, 0, 0)), (3, (0, 0, 1))), True))
    return Msh(
        frozen(nodes),
        Tracks(tracks),
        tuple(Stream(kind, "tri") for kind in (1, 2, 3, 18, 13, 6, 8, 19, 9, 10)),
        bounds=frozen(np.zeros(35), np.float32),
        slots=frozen(slots),
        positions=frozen([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32),
        lightmap_uvs=frozen([[0, 0], [1024, 0], [0, 1024]], np.int16),
        indices=frozen([0, 1, 2], np.uint16),
        batches=frozen(batches),
        node_names=("one", ""),
        labels=("", "башня"),
    )


def test_a_model_built_from_values() -> None:
    model = built()
    data = model.to_bytes()
    notes: list[Note] = []
    again = Msh.from_bytes(data, notes=notes, strict=True)
    assert notes == []
    assert same(model, again)
    assert again.to_bytes() == data
    assert [again.node_name(node) for node in range(2)] == ["one", "башня"]
    assert [stream.type_id for stream in again.streams] == [1, 2, 3, 18, 13, 6, 8, 19, 9, 10]


def test_edits_are_written(anim: Msh) -> None:
    animation = anim.animation
    assert isinstance(animation, Tracks)
    longer = track_of(keys_of((0, (0, 0, 0)), (4, (1, 1, 1)), (12, (2, 2, 2))))
    model = replace(
        anim, animation=animation.replaced(3, longer), node_names=("r", "turret", "barrel", "a longer name")
    )
    notes: list[Note] = []
    again = Msh.from_bytes(model.to_bytes(), notes=notes, strict=True)
    assert notes == []
    assert same(model, again)
    pool = again.animation.pool()
    assert pool.frame_count == 13
    assert pool.fallbacks.tolist() == [0, 4, 6, 9]
    assert pool.map_starts.tolist() == [0xFFFF, 0, 13, 26]
    assert pool.words.tolist()[26:] == [7] * 4 + [8] * 8 + [9]
    assert pool.words.tolist()[:13] == [1, 1, 2, 2, 2, 3, 3] + [4] * 6
    shorter = replace(model, animation=animation.replaced(1, track_of(keys_of((0, (0, 0, 0))))))
    pool = Msh.from_bytes(shorter.to_bytes()).animation.pool()
    assert pool.map_starts.tolist() == [0xFFFF, 0xFFFF, 0, 0xFFFF]


def test_a_deviating_map_follows_its_track_until_that_is_edited(anim_bytes: bytes) -> None:
    model = Msh.from_bytes(changed(anim_bytes, 19, put("<H", 16 + 6, 6)))
    animation = model.animation
    assert isinstance(animation, Tracks)
    assert animation.tracks[2].words is not None
    assert animation.tracks[2].words.tolist() == [0, 0, 0, 1, 0, 0, 0, 1]
    root = track_of(keys_of((0, (0, 0, 0)), (7, (0, 0, 0))))
    words = animation.replaced(1, root).pool().words
    assert words.tolist()[8:] == [3, 3, 3, 4, 3, 3, 3, 4]
    rebuilt = animation.replaced(2, track_of(animation.tracks[2].keys))
    assert rebuilt.pool().words.tolist()[8:] == [5] * 7 + [6]


def test_explicit_length(anim: Msh) -> None:
    assert isinstance(anim.animation, Tracks)
    model = replace(anim, animation=replace(anim.animation, frame_count=10))
    notes: list[Note] = []
    again = Msh.from_bytes(model.to_bytes(), notes=notes)
    assert [("frame count" in note.sentence) for note in notes] == [True]
    assert same(model, again)


def test_key_times_between_frames(anim: Msh) -> None:
    assert isinstance(anim.animation, Tracks)
    track = track_of(keys_of((0, (0, 0, 0)), (2.4, (1, 1, 1))))
    with pytest.raises(FormatError, match="whole frames"):
        replace(anim, animation=anim.animation.replaced(3, track)).to_bytes()


def test_limits(anim: Msh) -> None:
    one = keys_of((0, (0, 0, 0)))
    many = np.zeros(40000, KEY)
    many["time"] = np.arange(40000)
    with pytest.raises(FormatError, match="at most 65535 keys"):
        Tracks((Track(frozen(many), True), Track(frozen(many), True))).pool()
    with pytest.raises(FormatError, match="map start"):
        Tracks(
            (Track(frozen(many), True), Track(keys_of((0, (0, 0, 0)), (1, (0, 0, 0))), True)) * 1
            + (Track(keys_of((0, (0, 0, 0)), (1, (0, 0, 0))), True),)
        ).pool()
    with pytest.raises(FormatError, match="at least one key"):
        Tracks((Track(one[:0], False),)).pool()
    with pytest.raises(FormatError, match="key times below"):
        canonical_frame_count((Track(keys_of((1e30, (0, 0, 0))), False),))
    with pytest.raises(FormatError, match="frames"):
        canonical_words([0, 1], 1 << 30)


@pytest.mark.parametrize(
    "edit",
    [
        lambda m: replace(m, positions=m.positions[:5]),
        lambda m: replace(m, positions=None),
        lambda m: replace(m, streams=m.streams[1:]),
        lambda m: replace(m, streams=m.streams + (Stream(3, "x"),)),
        lambda m: replace(m, streams=m.streams + (Stream(17, "x"),)),
        lambda m: replace(m, node_names=m.node_names[:2]),
        lambda m: replace(m, labels=("\u4e00",) * 4),
        lambda m: replace(m, node_names=("n" * 33,) * 4),
        lambda m: replace(m, bounds=None),
        lambda m: replace(m, animation=Tracks(m.animation.tracks[:2])),
        lambda m: replace(m, nodes=m.nodes[:2]),
    ],
)
def test_values_that_cannot_be_written(anim: Msh, edit: Callable[[Msh], Msh]) -> None:
    with pytest.raises(FormatError):
        edit(anim).to_bytes()


def test_a_dump_rebuilds_the_same_bytes(folder: Path, anim_bytes: bytes) -> None:
    flat = changed(anim_bytes, 1, put("<H", 3 * 38 + 6, 6))
    files = [path.read_bytes() for path in sorted(folder.glob("synth_*"))]
    assert len(files) == 4
    for data in (*files, flat):
        assert from_json(to_json(read(data))).to_bytes() == data


def survives(data: bytes) -> bool:
    """Whether the bytes read; a model that reads writes, and its writing is a fixed point."""
    try:
        value = read(data)
    except FormatError:
        return False
    written = value.to_bytes()
    assert read(written).to_bytes() == written
    return True


def test_every_prefix_is_refused(anim_bytes: bytes) -> None:
    assert not any(survives(anim_bytes[:size]) for size in range(0, len(anim_bytes), 7))


def test_any_word_may_be_damaged(anim_bytes: bytes) -> None:
    """Every 16-bit word of the small streams and of the directory, with the values that break things."""
    tried = read_back = 0
    directory = len(anim_bytes) - 14 * 64
    places = [
        *range(0, 580, 2),
        *range(3272, 3352, 2),
        *range(4408, directory, 2),
        *range(directory, len(anim_bytes), 4),
    ]
    for at in places:
        for value in (1, 0xFFFF):
            data = bytearray(anim_bytes)
            struct.pack_into("<H", data, at, value)
            tried += 1
            read_back += survives(bytes(data))
    assert tried == 2 * len(places) > 1400
    assert 0 < read_back < tried


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_random_damage(anim_bytes: bytes, data: st.DataObject) -> None:
    damaged = bytearray(anim_bytes)
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    survives(bytes(damaged))


def test_shared_ranges_cost_no_more_than_the_file() -> None:
    """50000 batches over the same 65535 indices, 600 slots over all batches: 3 G references in 1.3 MB."""
    model = built()
    assert model.batches is not None
    assert model.slots is not None
    batches = np.repeat(model.batches, 50000)
    batches["index_count"] = 65535
    slots = np.repeat(model.slots, 600)
    slots["batch_count"] = 50000
    indices = np.zeros(65535, np.uint16)
    large = replace(model, batches=frozen(batches), slots=frozen(slots), indices=frozen(indices))
    assert same(Msh.from_bytes(large.to_bytes()), large)


def test_overlapping_maps_cost_no_more_than_the_file() -> None:
    """20000 nodes with one map block of 20000 words between them."""
    nodes = np.zeros(20000, NODE)
    nodes["parent"], nodes["slots"] = 0xFFFF, 0xFFFF
    keys = np.zeros(40000, KEY)
    keys["time"] = np.tile([0, 1], 20000)
    pool = KeyPool(
        20000,
        frozen(keys),
        frozen(np.full(20000, 0xFFFF), np.uint16),
        frozen(np.zeros(20000), np.uint16),
        frozen(np.arange(1, 40000, 2), np.uint16),
    )
    model = Msh(frozen(nodes), pool, tuple(Stream(kind, "many") for kind in (1, 8, 19)))
    assert same(Msh.from_bytes(model.to_bytes()), model)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_ranges(ranges: list[tuple[int, int]]) -> None:
    values = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3])
    starts, counts = [start for start, _ in ranges], [count for _, count in ranges]
    wanted = [max(values[s : s + c], default=-1) for s, c in ranges]
    assert range_maxima(values, starts, counts).tolist() == wanted
    assert spread(starts, counts).tolist() == [number for s, c in ranges for number in range(s, s + c)]
