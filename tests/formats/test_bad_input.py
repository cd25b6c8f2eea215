"""Damaged files of every format: reading one answers with a value or a FormatError, quickly and in little memory.

Mutants are seeded, so a failure names the case that repeats it. Nine of ten keep their magic number; at least 30 % must
still read, or the damage would only ever reach the first checks.
"""

from __future__ import annotations

import contextlib
import random
import struct
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import FormatError, field
from formats.binary import Notes, frozen, same
from formats.field import (
    bdhc,
    bm_anime_list,
    build_model_matshp,
    distortion_floor,
    distortion_floor_list,
    encounter_extras,
    fldtanime,
    land_data,
    trainer,
    zone_event,
)
from formats.field.area_light import Light, LightBlock
from formats.field.init_script import FrameRow, FrameTable, InitScript
from formats.field.script import Command, MovementList, Target
from formats.field.trainer_party import PartyPokemon
from formats.nitro import KINDS, Nsbmd
from formats.nitro.sdat import sound_names
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom
from mapexplorer.world.opening import open_rom

PIKACHU = PartyPokemon(250, 50, 25, 0, None, (84, 85, 0, 0), 0)

CASES = 20_000
SECONDS = 1.0
MEMORY = 64 << 20
"""Bytes that a read may allocate for a file of up to 1 MB; more in proportion for larger ones."""

MEMBERS = 12
"""Files of each kind that are damaged, from the smallest to the largest."""

FIELD_PATHS = (
    "fielddata/mapmatrix/map_matrix.narc",
    "fielddata/land_data/land_data.narc",
    "fielddata/areadata/area_data.narc",
    "fielddata/areadata/area_build_model/area_build.narc",
    "fielddata/areadata/area_move_model/move_model_list.narc",
    "data/arealight.narc",
    "data/fldtanime.narc",
    "data/mmodel/mmodel.narc",
    "arc/bm_anime_list.narc",
    "fielddata/build_model/build_model_matshp.dat",
    "fielddata/eventdata/zone_event.narc",
    "fielddata/maptable/mapname.bin",
    "fielddata/tornworld/tw_arc.narc",
    "fielddata/tornworld/tw_arc_attr.narc",
    "fielddata/script/scr_seq.narc",
    "msgdata/pl_msg.narc",
    "fielddata/encountdata/pl_enc_data.narc",
    "arc/encdata_ex.narc",
    "poketool/trainer/trdata.narc",
    "poketool/trainer/trpoke.narc",
    "poketool/trmsg/trtbl.narc",
    "poketool/trmsg/trtblofs.narc",
    "poketool/personal/pl_personal.narc",
    "itemtool/itemdata/pl_item_data.narc",
    "fielddata/pokemon_trade/fld_trade.narc",
)

NOT_IN_DEMO = {
    "arc/encdata_ex.narc",
    "fielddata/pokemon_trade/fld_trade.narc",
    "data/mmodel/mmodel.narc",
    "fielddata/tornworld/tw_arc.narc",
    "fielddata/tornworld/tw_arc_attr.narc",
}


@dataclass(frozen=True)
class Sample:
    """A whole file, what reads it, and how many bytes of it are its magic number."""

    kind: str
    data: bytes
    read: Callable[[bytes, Notes], Any]
    magic: int


def by_name(name: str, data: bytes) -> Sample:
    def read(mutant: bytes, notes: Notes) -> Any:
        return formats.read(mutant, name, PLATINUM.kind(name), notes=notes)

    magic = data[:4] if data[:4] in KINDS or data[:4] in (b"NRes", b"J3D1", b"J3D2") else b""
    return Sample(magic.decode("latin-1") or name.partition("[")[0], data, read, len(magic))


def by_type(kind: Any, data: bytes) -> Sample:
    def read(mutant: bytes, notes: Notes) -> Any:
        return kind.from_bytes(mutant, notes=notes)

    return Sample(kind.__name__, data, read, 4 if data[:4] == b"BDHC" else 0)


def files(rom: Rom) -> Iterator[tuple[str, bytes]]:
    """The field files and all NITRO files of a ROM, members of archives by the name of their archive."""
    for path in rom.files:
        if path.endswith(".narc"):
            archive = rom.archive(path)
            for index in range(len(archive)):
                if path in FIELD_PATHS or archive[index][:4] in KINDS:
                    yield f"{path}[{index}]", archive[index]
        elif path in FIELD_PATHS or rom.source(path).read(0, 4) in KINDS:
            yield path, rom.file(path)


def spread(samples: list[Sample]) -> list[Sample]:
    """Samples from the smallest to the largest."""
    ordered = sorted(samples, key=lambda sample: (len(sample.data), sample.data))
    if len(ordered) <= MEMBERS:
        return ordered
    return [ordered[round(i * (len(ordered) - 1) / (MEMBERS - 1))] for i in range(MEMBERS)]


def grouped(samples: Iterator[Sample] | list[Sample]) -> dict[str, list[Sample]]:
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(sample.kind, []).append(sample)
    return {kind: spread(group) for kind, group in groups.items()}


def mutate(source: random.Random, sample: Sample) -> bytes:
    """A damaged copy: bytes or words overwritten, the end cut off, a piece taken out, doubled or filled in."""
    data = bytearray(sample.data)
    way = source.random()
    for _ in range(source.choice((1, 1, 2, 4, 8))):
        place = source.randrange(len(data)) if source.random() < 0.5 else source.randrange(min(len(data), 64))
        if way < 0.45:
            data[place] = source.choice((0, 1, 0x7F, 0x80, 0xFF, source.randrange(256), data[place] ^ 1))
        elif way < 0.8:
            size = source.choice((2, 4))
            place -= place % size
            word = source.choice((0, 1, 0xFFFF, len(data), len(data) - 1, 1 << 31, 0xFFFFFFFF, source.getrandbits(32)))
            data[place : place + size] = (word & (1 << 8 * size) - 1).to_bytes(size, "little")[: len(data) - place]
    if 0.8 <= way < 0.9:
        del data[source.randrange(len(data)) :]
    elif way >= 0.9:
        place, size = source.randrange(len(data)), source.choice((1, 2, 4, 16, 100))
        piece = bytes(data[place : place + size])
        data[place : place + size] = source.choice((b"", piece * 2, bytes(len(piece)), source.randbytes(len(piece))))
    if source.random() < 0.9:
        data[: sample.magic] = sample.data[: min(sample.magic, len(data))]
    return bytes(data)


def use(value: Any) -> None:
    """What comes next: writing the value, which only a ValueError may refuse, gives a file of the same value; asking
    for a height does not fail."""
    if hasattr(value, "to_bytes"):
        data = None
        with contextlib.suppress(ValueError):
            data = value.to_bytes()
        if data is not None:
            assert same(type(value).from_bytes(data), value)
    if isinstance(value, field.LandData):
        value.bdhc.query(0, 0, 0)
        value.bdhc.query(-1 << 31, (1 << 31) - 1, 0)


_slowness: Callable[[], float]


@pytest.fixture(autouse=True)
def _measure(slowness: Callable[[], float]) -> None:
    global _slowness
    _slowness = slowness


def survives(sample: Sample, mutant: bytes, case: str) -> bool:
    """Whether a mutant still reads; checks that it does so, or fails, as a reader must."""
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    start = time.process_time()
    notes: Notes = []
    try:
        use(sample.read(mutant, notes))
        readable = True
    except FormatError as error:
        readable = False
        assert error.path and error.offset >= 0, f"{case}: {error}"
    except Exception as error:
        raise AssertionError(f"{case}: {type(error).__name__}: {error}") from error
    seconds = time.process_time() - start
    _, peak = tracemalloc.get_traced_memory()
    assert seconds <= SECONDS or seconds <= SECONDS * _slowness(), f"{case}: {seconds:.2f} s"
    assert peak - before <= MEMORY * max(1.0, len(mutant) / (1 << 20)), f"{case}: {(peak - before) >> 20} MB"
    assert all(note.path and note.offset >= 0 for note in notes), case
    return readable


def damage(groups: dict[str, list[Sample]], cases: int, seed: str) -> Counter[tuple[str, bool]]:
    """Read `cases` mutants, equally many of every kind; counts by kind and whether they still read."""
    for group in groups.values():
        for sample in group:
            use(sample.read(sample.data, []))
    kinds = sorted(groups)
    outcome: Counter[tuple[str, bool]] = Counter()
    tracemalloc.start()
    try:
        for number in range(cases):
            kind = kinds[number % len(kinds)]
            case = f"{seed} {number}"
            source = random.Random(case)
            sample = source.choice(groups[kind])
            outcome[kind, survives(sample, mutate(source, sample), f"{kind}, case {case!r}")] += 1
    finally:
        tracemalloc.stop()
    return outcome


def check(outcome: Counter[tuple[str, bool]], cases: int, kinds: int) -> None:
    assert outcome.total() == cases
    assert len({kind for kind, _ in outcome}) == kinds
    assert sum(count for (_, readable), count in outcome.items() if readable) >= 0.3 * cases, outcome
    assert sum(count for (_, readable), count in outcome.items() if not readable) >= 0.1 * cases, outcome


@pytest.fixture(scope="module")
def real(rom: Rom, vectors: Path, header_table: bytes) -> dict[str, list[Sample]]:
    """The ROM's files, and the shared J3D and MSH ones."""
    samples = [by_name(name, data) for name, data in files(rom)]
    samples.append(by_type(field.MapHeaderTable, header_table))
    for folder, pattern in (("j3d-samples", "*.b[mdc][dlk]"), ("msh", "*.msh"), ("msh", "*.rlb")):
        samples += [by_name(path.name, path.read_bytes()) for path in sorted((vectors / folder).rglob(pattern))]
    return grouped(samples)


def hand_built() -> list[Sample]:
    """One small file of every field format."""
    height_plates = bdhc.Bdhc(
        frozen([(-(1 << 20), -(1 << 20)), (1 << 20, 1 << 20)], bdhc.POINT),
        frozen([(0, 4096, 0), (0, 2896, 2896)], bdhc.NORMAL),
        frozen([0, -4096], "<i4"),
        frozen([(0, 1, 0, 0), (0, 1, 1, 1)], bdhc.PLATE),
        (bdhc.Strip(0, frozen([0], "<u2")), bdhc.Strip(1 << 20, frozen([0, 1], "<u2"))),
    )
    prop = (66, (4096, 0, -4096), (0, 0, 0), (4096, 4096, 4096), (0, 0))
    lamp = Light(True, (1, 2, 3), (0, -4096, 0))
    light = LightBlock(43200, (lamp, lamp, lamp, lamp), (1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12))
    values = (
        field.MapMatrix("x", frozen([[1, 2]], "<u2"), frozen([[0, 1]], "u1"), frozen([[3, 4]], "<u2")),
        height_plates,
        field.LandData(
            frozen(np.zeros((32, 32)), "<u2"), frozen([prop] * 2, land_data.MAP_PROP), b"", Nsbmd(()), height_plates
        ),
        field.AreaData(1, 2, 3, 0),
        field.AreaBuild(frozen([1, 2, 3], "<u2")),
        field.AreaLight((replace(light, end=9000), light), True),
        bm_anime_list.PropAnimations(1, 0, 0, 0, (1, 2, -1, -1)),
        field.BuildModelMatshp((None, frozen([(0, 0), (1, 2)], build_model_matshp.PAIR))),
        field.ZoneEvents(
            frozen(np.zeros(2, zone_event.BACKGROUND_EVENT)),
            frozen(np.zeros(3, zone_event.OBJECT_EVENT)),
            frozen(np.zeros(1, zone_event.WARP_EVENT)),
            frozen(np.zeros(1, zone_event.COORD_EVENT)),
        ),
        field.MoveModelList(frozen([1, 2, 3], "<u2")),
        field.FieldTextureAnimations(
            (fldtanime.TerrainAnimation("sea", (fldtanime.Step(0, 9), fldtanime.Step(1, 9))),)
        ),
        field.MapNames(("T01", "R201")),
        field.MessageBank(77, ("Hello", "{packed}Two", "{command 0103 1}!")),
        field.DistortionFloor(
            frozen(np.ones(2, distortion_floor.PLATFORM)),
            frozen(np.ones(1, distortion_floor.JUMP_POINT)),
            frozen(np.ones(3, distortion_floor.CAMERA_ANGLE)),
            frozen(np.ones(2, distortion_floor.GHOST_PROP)),
            frozen(np.ones(1, distortion_floor.GHOST_TRIGGER)),
            3,
        ),
        field.DistortionFloorList(frozen(np.ones(2, distortion_floor_list.FLOOR))),
        field.DistortionAttributes(frozen([0x8000, 0x15], "<u2")),
        field.FrameSequence(frozen([0, 4], "<u2"), frozen([0, 1], "u1"), frozen([0, 0], "u1")),
        field.SpeciesList(frozen([1, 2], "<u4")),
        field.FeebasTiles(frozen([1, 2], "<u4"), frozen([7, 8, 9], "<u2")),
        field.LookoutTiles(frozen([(3, 4)], encounter_extras.TILE)),
        field.TrainerMessages(frozen([(1, 0), (1, 1)], trainer.TRAINER_MESSAGE)),
        field.TrainerMessageOffsets(frozen([0, 0], "<u2")),
        field.TrainerParty(True, False, (PIKACHU, PIKACHU)),
        field.Trainer.from_bytes(bytes(20)),
        field.WildEncounters.from_bytes(bytes(424)),
        field.SpeciesData.from_bytes(bytes(44)),
        field.ItemData.from_bytes(bytes(34)),
        field.InGameTrade.from_bytes(bytes(80)),
        field.ScriptFile(
            (Target(0), Target(2)),
            (
                Command(94, (255, Target(4))),
                Command(28, (1, Target(0))),
                Command(44, (3,)),
                Command(2),
                MovementList(((12, 3), (254, 0))),
            ),
        ),
        field.InitScriptFile((InitScript(2, 7), FrameTable((FrameRow(0x4055, 1, 9),)))),
    )
    headers = field.MapHeaderTable.from_bytes(bytes(range(72)))
    samples = [by_type(type(value), value.to_bytes()) for value in (*values, headers)]
    named = (field.InitScriptFile((InitScript(3, 5),)), field.ScriptFile((Target(0),), (Command(2),)))
    samples += [by_type(field.ScriptMember, value.to_bytes()) for value in named]
    return [*samples, sounds(("SEQ_A", None, "SEQ_BEE"))]


def sounds(names: tuple[str | None, ...]) -> Sample:
    """A sound archive that is only its names."""
    place, table, text = 0x20 + 4 * len(names), b"", b""
    for name in names:
        table += struct.pack("<I", place + len(text) if name else 0)
        text += f"{name}\0".encode() if name else b""
    block = struct.pack("<4sII", b"SYMB", 0, 0x1C) + bytes(16) + struct.pack("<I", len(names)) + table + text
    block = block[:4] + struct.pack("<I", len(block)) + block[8:]
    data = b"SDAT".ljust(0x10, b"\0") + struct.pack("<2I", 0x18, len(block)) + block
    return Sample("SDAT", data, lambda mutant, notes: sound_names(mutant), 4)


def test_damaged_hand_built_files() -> None:
    check(damage(grouped(hand_built()), CASES // 20, "hand-built"), CASES // 20, 33)


def test_damaged_files_of_the_demo_world() -> None:
    groups = grouped([by_name(name, data) for name, data in files(open_rom("demo")) if data])
    assert {"BMD0", "BTX0"} | (set(FIELD_PATHS) - NOT_IN_DEMO) <= set(groups)
    check(damage(groups, CASES // 20, "demo"), CASES // 20, len(groups))


def test_damaged_real_files(real: dict[str, list[Sample]]) -> None:
    assert len(real) == 41, sorted(real)
    check(damage(real, CASES // 10, "real"), CASES // 10, len(real))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_damaged_real_files(real: dict[str, list[Sample]]) -> None:
    check(damage(real, CASES, "many"), CASES, len(real))


@pytest.mark.parametrize("sample", hand_built(), ids=lambda sample: sample.kind)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=400), cut=st.integers(0, 400), keep=st.booleans())
def test_any_bytes_behind_any_beginning(sample: Sample, data: bytes, cut: int, keep: bool) -> None:
    try:
        use(sample.read(sample.data[:cut] + data if keep else data, []))
    except FormatError as error:
        assert error.path and error.offset >= 0


@pytest.mark.parametrize("magic", [*KINDS, b"J3D1bck1", b"J3D2bmd3", b"NRes"], ids=lambda magic: magic.decode())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=400))
def test_any_bytes_behind_a_magic_number(magic: bytes, data: bytes) -> None:
    with pytest.raises(FormatError):
        formats.read(magic + data, "file")
