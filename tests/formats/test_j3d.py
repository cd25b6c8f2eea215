"""Reading J3D files: every section, every texture format, what is refused by name, and damage."""

from __future__ import annotations

import hashlib
import json
import random
import struct
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import formats
from formats import j3d
from formats.binary import FormatError, Notes, same
from formats.j3d import Bck, Bmd
from formats.json_codec import from_plain, to_plain

SAMPLES = Path(__file__).parents[1] / "j3d" / "samples"
EXPECTED: dict[str, Any] = json.loads((SAMPLES / "expected.json").read_text())
MODELS = sorted(path.name for path in SAMPLES.glob("*.bmd"))


def sections(data: bytes) -> Iterator[tuple[str, int, int]]:
    """Tag, offset and size of every section."""
    offset = 0x20
    for _ in range(struct.unpack_from(">I", data, 12)[0]):
        tag, size = struct.unpack_from(">4sI", data, offset)
        yield tag.decode(), offset, size
        offset += size


def section(data: bytes, tag: str) -> int:
    return next(offset for name, offset, _ in sections(data) if name == tag)


def patched(data: bytes, offset: int, form: str, *values: int) -> bytes:
    result = bytearray(data)
    struct.pack_into(form, result, offset, *values)
    return bytes(result)


def load(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


@pytest.mark.parametrize("name", MODELS)
def test_models_have_the_expected_parts(name: str) -> None:
    notes: Notes = []
    model = formats.read(load(name), name, notes=notes)
    wanted = EXPECTED[name]
    assert isinstance(model, Bmd)
    counts = {
        "joints": len(model.joints),
        "shapes": len(model.shapes),
        "materials": len(model.materials),
        "textures": len(model.textures),
        "envelopes": len(model.envelopes.counts),
        "draw_matrices": len(model.draw_matrices),
        "packets": sum(len(shape.packets) for shape in model.shapes),
    }
    assert counts == wanted["counts"]
    assert model.information.flags == wanted["inf1_flags"]
    assert list(model.hierarchy.parents) == wanted["parents"]
    places = model.hierarchy.placements
    assert {str(place.shape): place.material for place in places} == wanted["shape_material"]
    assert {str(place.shape): place.joint for place in places} == wanted["shape_joint"]
    assert notes == []


def test_textures_of_every_format_decode_to_the_expected_pixels() -> None:
    levels, kinds = 0, set()
    for name in MODELS:
        textures = j3d.read(load(name)).textures
        for texture, wanted in zip(textures, EXPECTED[name]["textures"], strict=True):
            assert (texture.name, texture.format) == (wanted["name"], wanted["format"])
            assert [texture.width, texture.height, texture.levels] == [wanted[k] for k in ("width", "height", "levels")]
            assert [texture.wrap_s, texture.wrap_t] == wanted["wrap"]
            assert [texture.min_filter, texture.mag_filter] == wanted["filter"]
            assert texture.rgba()[0].tolist() == wanted["first_row"]
            for level, digest in enumerate(wanted["level_sha256"]):
                assert hashlib.sha256(texture.rgba(level).tobytes()).hexdigest() == digest
                levels += 1
            with pytest.raises(ValueError, match="levels"):
                texture.rgba(texture.levels)
            kinds.add(texture.format)
    assert levels == 19
    assert kinds == {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 14}


def test_shared_images_are_held_once() -> None:
    textures = {texture.name: texture for texture in j3d.read(load("synth_textures.bmd")).textures}
    assert textures["tShared"].image is textures["tRGBA32"].image
    assert textures["tShared"].min_filter != textures["tRGBA32"].min_filter


def test_palette_index_past_the_palette_is_transparent_black() -> None:
    data = load("synth_textures.bmd")
    start = section(data, "TEX1")
    headers = start + struct.unpack_from(">I", data, start + 12)[0]
    number = next(i for i, t in enumerate(j3d.read(data).textures) if t.format == 9)
    short = j3d.read(patched(data, headers + 0x20 * number + 10, ">H", 1)).textures[number].rgba()
    whole = j3d.read(data).textures[number].rgba()
    assert {tuple(texel) for texel in short.reshape(-1, 4).tolist()} == {tuple(whole[0, 0].tolist()), (0, 0, 0, 0)}


def test_animation_is_read() -> None:
    animation = formats.read(load("synth_skin_wave.bck"), "wave.bck")
    wanted = EXPECTED["synth_skin_wave.bck"]
    assert isinstance(animation, Bck)
    found = (animation.length, animation.loop_mode, animation.rotation_shift)
    assert found == (wanted["frames"], wanted["loop"], wanted["rotation_shift"])
    assert animation.tracks.shape == (3, 3, 3)


@pytest.mark.parametrize("name", [*MODELS, "synth_skin_wave.bck"])
def test_plain_form_rebuilds_the_value(name: str) -> None:
    value = j3d.read(load(name))
    assert same(from_plain(type(value), json.loads(json.dumps(to_plain(value)))), value)


def test_matrix_slots_are_kept_between_packets() -> None:
    shape = j3d.read(load("synth_skin.bmd")).shapes[0]
    assert len(shape.packets) == 2
    first, second = shape.slots()
    kept = [slot for slot, matrix in enumerate(shape.packets[1].matrices) if matrix == 0xFFFF]
    assert kept
    assert [first[slot] for slot in kept] == [second[slot] for slot in kept]
    assert first != second


def test_third_party_models_are_framed_completely(vectors: Path) -> None:
    files = sorted((vectors / "j3d-samples" / "third-party").iterdir())
    tags = []
    for path in files:
        notes: Notes = []
        data = path.read_bytes()
        model = formats.read(data, path.name, notes=notes)
        assert model.kind == path.suffix[1:] + {".bmd": "3", ".bdl": "4"}[path.suffix]
        listed = list(sections(data))
        assert sum(size for _, _, size in listed) + 0x20 == len(data)
        tags += [tag for tag, _, _ in listed]
        assert not [note for note in notes if "hash" in note.sentence or "unknown" in note.sentence]
        for texture in model.textures:
            for level in range(texture.levels):
                assert texture.rgba(level).shape[2] == 4
    assert len(files) == 6
    assert tags.count("MDL3") == 2


# -- variants ----------------------------------------------------------------------------------------------------------


def as_bmd2(data: bytes) -> bytes:
    """A bmd3 as the older bmd2: other table order and record layout, no ambient colours, lights and indirect."""
    start = section(data, "MAT3")
    size = struct.unpack_from(">I", data, start + 4)[0]
    old = data[start : start + size]
    count = struct.unpack_from(">H", old, 8)[0]
    offsets = struct.unpack_from(">30I", old, 12)
    records = 1 + max(struct.unpack_from(f">{count}H", old, offsets[1]))
    kept = [i for i in range(30) if i not in (3, 8, 9)]
    body = bytearray()
    for i in range(records):
        record = old[offsets[0] + 0x14C * i :][:0x14C]
        pieces = [(0, 0x14), (0x28, 0x48), (0x48, 0x5C), (0x5C, 0x84), (0x84, 0x12C), (0x12C, 0x144), (0x144, 0x14C)]
        body += b"".join(record[a:b] for a, b in pieces)
    assert len(body) == 0x138 * records
    shift = 12 + 4 * 27
    tables = old[12 + 120 :]
    head = bytearray(b"MAT2" + bytes(4) + old[8:12])
    moved = [offset - 4 * 3 if offset else 0 for offset in (offsets[i] for i in kept)]
    moved[0] = shift + len(tables)
    whole = bytearray(head + struct.pack(">27I", *moved) + tables + body)
    whole += bytes(-len(whole) % 32)
    struct.pack_into(">I", whole, 4, len(whole))
    result = bytearray(data[:start] + whole + data[start + size :])
    struct.pack_into(">8sI", result, 0, b"J3D2bmd2", len(result))
    return bytes(result)


def test_older_materials_mean_the_same() -> None:
    compared = 0
    for name in MODELS:
        new, old = j3d.read(load(name)), j3d.read(as_bmd2(load(name)))
        assert old.kind == "bmd2"
        for a, b in zip(new.materials, old.materials, strict=True):
            assert a.name == b.name
            assert b.indirect is None
            fields = {field: getattr(a.state, field) for field in a.state.__dataclass_fields__}
            for field, value in fields.items():
                if field != "ambient_colors":
                    assert same(value, getattr(b.state, field)), (name, a.name, field)
            assert b.state.ambient_colors == ((50, 50, 50, 50),) * 2
            compared += 1
    assert compared == 38


def test_bdl_skips_its_display_lists() -> None:
    data = load("synth_prims.bmd")
    extra = b"MDL3" + struct.pack(">I", 64) + b"\xff" * 56
    bdl = bytearray(data + extra)
    struct.pack_into(">8sII", bdl, 0, b"J3D2bdl4", len(bdl), struct.unpack_from(">I", data, 12)[0] + 1)
    notes: Notes = []
    model = j3d.read(bytes(bdl), notes=notes)
    assert model.kind == "bdl4"
    assert notes == []
    assert same(model.shapes, j3d.read(data).shapes)


@pytest.mark.parametrize(
    ("kind", "raw", "rgba"),
    [
        (0, "f81f0000", (255, 0, 255, 255)),
        (1, "01020304", (1, 2, 3, 255)),
        (2, "01020304", (1, 2, 3, 255)),
        (3, "12340000", (0x11, 0x22, 0x33, 0x44)),
        (4, "fc0fc100", (255, 0, 255, 4)),
        (5, "01020304", (1, 2, 3, 4)),
    ],
)
def test_colour_types(kind: int, raw: str, rgba: tuple[int, ...]) -> None:
    data = load("synth_prims.bmd")
    start = section(data, "VTX1")
    entry = start + struct.unpack_from(">I", data, start + 8)[0]
    while struct.unpack_from(">I", data, entry)[0] != 11:
        entry += 16
    colors = start + struct.unpack_from(">I", data, start + 0x0C + 4 * 3)[0]
    changed = patched(patched(data, entry + 8, ">I", kind), colors, ">4s", bytes.fromhex(raw))
    assert tuple(j3d.read(changed).arrays[11].values[0].tolist()) == rgba


# -- what is refused by name -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("magic", "words"),
    [
        (b"J3D1bmd1", "oldest"),
        (b"J3D2bmt3", "table of materials"),
        (b"J3D1btk1", "texture matrix animation"),
        (b"J3D1bva1", "visibility"),
        (b"2D3J3dmb", "little-endian"),
        (b"J3D2what", "J3D2what"),
    ],
)
def test_other_kinds_are_refused_by_name(magic: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        formats.read(magic + load("synth_prims.bmd")[8:], "other.bmd")


def sm64ds_model() -> bytes:
    """A Super Mario 64 DS model with one of everything, all of it zero."""
    header = struct.pack("<15I", 3, 1, 0x3C, 1, 0x7C, 1, 0x84, 1, 0x98, 1, 0xA8, 0xD8, 0, 0, 0)
    return header + bytes(0xE0 - len(header))


@pytest.mark.parametrize("name", ["", "model.bmd", "MODEL.BMD"])
def test_bmd_of_super_mario_64_ds_is_told_apart(name: str) -> None:
    with pytest.raises(FormatError, match="Super Mario 64 DS model, which is not supported"):
        formats.read(sm64ds_model(), name)


def test_other_bytes_are_not_taken_for_super_mario_64_ds() -> None:
    for data in (bytes(0x100), sm64ds_model()[:0x80], b"\xff" * 0x100, b"", b"BMD"):
        with pytest.raises(FormatError) as caught:
            formats.read(data, "model.bmd")
        assert "Super Mario" not in str(caught.value)


# -- damage ------------------------------------------------------------------------------------------------------------


def tries(read: Callable[[bytes], Any], data: bytes) -> bool:
    """Whether the bytes can be read; anything but FormatError is a failure."""
    try:
        read(data)
    except FormatError as error:
        assert str(error)
        return False
    return True


@pytest.mark.parametrize("name", [*MODELS, "synth_skin_wave.bck"])
def test_truncated_files_are_refused(name: str) -> None:
    data = load(name)
    last = max(offset for _, offset, _ in sections(data))
    assert not any(tries(j3d.read, data[:length]) for length in range(0, last, 7))
    for length in range(last, len(data), 3):
        assert not tries(j3d.read, data[:length])


def mutations(seed: int, count: int) -> Iterator[bytes]:
    rng = random.Random(seed)
    files = [load(name) for name in [*MODELS, "synth_skin_wave.bck"]]
    for i in range(count):
        data = bytearray(files[i % len(files)])
        for _ in range(rng.choice((1, 1, 2, 6))):
            at = rng.randrange(min(len(data), rng.choice((64, 512, 1 << 20))))
            data[at] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
        yield bytes(data)


def check_mutations(seed: int, count: int) -> None:
    from mapexplorer.export.gltf.j3d import j3d_document

    def read_and_convert(data: bytes) -> None:
        value = j3d.read(data)
        if isinstance(value, Bmd):
            j3d_document(value).to_bytes()

    results = [tries(read_and_convert, data) for data in mutations(seed, count)]
    assert len(results) == count
    assert count / 10 < sum(results) < count * 9 / 10


@pytest.mark.filterwarnings("error")
def test_changed_bytes_raise_nothing_else() -> None:
    check_mutations(1, 900)


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_many_changed_bytes_raise_nothing_else() -> None:
    check_mutations(2, 9000)


def test_shared_bytes_do_not_multiply() -> None:
    """65535 shapes, packets, textures or names that all lead to the same bytes."""
    data = load("synth_prims.bmd")
    shapes = section(data, "SHP1")
    record = shapes + struct.unpack_from(">I", data, shapes + 12)[0]
    many = patched(data, record + 2, ">H", 0xFFFF)
    group, location = (shapes + struct.unpack_from(">I", data, shapes + at)[0] for at in (0x24, 0x28))
    filler = 8 * 0x10000
    end = shapes + struct.unpack_from(">I", data, shapes + 4)[0]
    grown = bytearray(many[:end] + bytes(2 * filler) + many[end:])
    for source, start, at in ((group, end, 0x24), (location, end + filler, 0x28)):
        grown[start : start + filler] = many[source : source + 8] * 0x10000
        struct.pack_into(">I", grown, shapes + at, start - shapes)
    struct.pack_into(">I", grown, shapes + 4, end - shapes + 2 * filler)
    struct.pack_into(">I", grown, 8, len(grown))
    tracemalloc.start()
    with pytest.raises(FormatError, match="overlap less"):
        j3d.read(bytes(grown))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * len(grown)


def test_many_joints_of_one_record_stay_small() -> None:
    data = load("synth_prims.bmd")
    start = section(data, "JNT1")
    end = start + struct.unpack_from(">I", data, start + 4)[0]
    grown = bytearray(data[:end] + bytes(2 * 0xFFE0) + data[end:])
    struct.pack_into(">I", grown, start + 4, end - start + 2 * 0xFFE0)
    struct.pack_into(">H", grown, start + 8, 0xFFE0)
    struct.pack_into(">II", grown, start + 0x10, end - start, 0)
    struct.pack_into(">I", grown, 8, len(grown))
    tracemalloc.start()
    model = j3d.read(bytes(grown))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(model.joints) == 0xFFE0
    assert peak < 64 << 20


@pytest.mark.parametrize(
    ("tag", "offset", "form", "value", "words"),
    [
        ("INF1", 0x14, ">I", 0x7FFFFFFF, "node list"),
        ("INF1", 0x18, ">H", 2, "ascent"),
        ("INF1", 0x1A, ">H", 99, "joint below"),
        ("DRW1", 0x08, ">H", 0xFFFF, "draw matrix"),
        ("JNT1", 0x08, ">H", 0xFFFF, "joint"),
        ("SHP1", 0x18, ">I", 0xFFFFFF00, "bytes"),
        ("MAT3", 0x0C, ">I", 0x7FFFFFFF, "material record"),
        ("TEX1", 0x08, ">H", 0xFFFF, "texture headers"),
        ("VTX1", 0x0C, ">I", 0, "array of attribute 9"),
    ],
)
def test_errors_name_the_place(tag: str, offset: int, form: str, value: int, words: str) -> None:
    data = load("synth_prims.bmd")
    with pytest.raises(FormatError, match=words) as caught:
        formats.read(patched(data, section(data, tag) + offset, form, value), "prims.bmd")
    assert caught.value.path.startswith("prims.bmd > ")
    assert caught.value.offset >= 0x20


def test_numbers_that_are_none_are_refused() -> None:
    data = load("synth_skin.bmd")
    start = section(data, "JNT1")
    joint = start + struct.unpack_from(">I", data, start + 12)[0]
    for offset in (0x04, 0x18):
        with pytest.raises(FormatError, match="finite"):
            j3d.read(patched(data, joint + offset, ">I", 0x7FC00000))


def test_tolerated_things_become_notes() -> None:
    data = load("synth_skin.bmd")
    information, joints = section(data, "INF1"), section(data, "JNT1")
    names = joints + struct.unpack_from(">I", data, joints + 0x14)[0]
    changed = patched(patched(data, information + 0x0C, ">I", 77), names + 4, ">H", 0x1234) + b"tail"
    notes: Notes = []
    model = formats.read(changed, "skin.bmd", notes=notes)
    assert isinstance(model, Bmd)
    text = " ".join(str(note) for note in notes)
    assert len(notes) == 4
    for words in ("counts 77 packets", "another hash", "follow the last section", "the file has"):
        assert words in text


def test_falling_key_times_are_refused() -> None:
    data = load("synth_skin_wave.bck")
    animation = j3d.read(data)
    start = section(data, "ANK1")
    offsets = struct.unpack_from(">4I", data, start + 0x14)
    joint, axis = (int(i) for i in np.argwhere(animation.tracks["count"][:, :, 1] > 1)[0])
    first = int(animation.tracks[joint, axis, 1]["first"])
    with pytest.raises(FormatError, match="never fall"):
        j3d.read(patched(data, start + offsets[2] + 2 * first, ">h", 32000))
