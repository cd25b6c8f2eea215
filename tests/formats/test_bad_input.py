"""Damaged files of every format: reading one answers with a value or a FormatError, in little memory.

`make fuzz` reads such files with a limit of time, too.

Mutants are seeded, so a failure names the case that repeats it. Nine of ten keep their magic number; at least 30 % must
still read, or the damage would only ever reach the first checks.
"""

from __future__ import annotations

import contextlib
import random
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import FormatError, field
from formats.binary import Notes, same
from formats.nitro import KINDS
from mapexplorer.rom import Rom
from mapexplorer.world.opening import open_rom
from tools.fuzz.mutation import mutate
from tools.fuzz.seeds import FIELD_PATHS, Seed, by_name, by_type, files, grouped, hand_built

CASES = 20_000
MEMORY = 64 << 20
"""Bytes that a read may allocate for a file of up to 1 MB; more in proportion for larger ones."""

MEMBERS = 12
"""Files of each kind that are damaged, from the smallest to the largest."""

NOT_IN_DEMO = {
    "arc/encdata_ex.narc",
    "fielddata/pokemon_trade/fld_trade.narc",
    "data/mmodel/mmodel.narc",
    "fielddata/tornworld/tw_arc.narc",
    "fielddata/tornworld/tw_arc_attr.narc",
}


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


def survives(sample: Seed, mutant: bytes, case: str) -> bool:
    """Whether a mutant still reads; checks that it does so, or fails, as a reader must."""
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    notes: Notes = []
    try:
        use(sample.read(mutant, notes))
        readable = True
    except FormatError as error:
        readable = False
        assert error.path and error.offset >= 0, f"{case}: {error}"
    except Exception as error:
        raise AssertionError(f"{case}: {type(error).__name__}: {error}") from error
    _, peak = tracemalloc.get_traced_memory()
    assert peak - before <= MEMORY * max(1.0, len(mutant) / (1 << 20)), f"{case}: {(peak - before) >> 20} MB"
    assert all(note.path and note.offset >= 0 for note in notes), case
    return readable


def damage(groups: dict[str, list[Seed]], cases: int, seed: str) -> Counter[tuple[str, bool]]:
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
def real(rom: Rom, vectors: Path, header_table: bytes) -> dict[str, list[Seed]]:
    """The ROM's files, and the shared J3D and MSH ones."""
    samples = [by_name(name, data) for name, data in files(rom)]
    samples.append(by_type(field.MapHeaderTable, header_table))
    for folder, pattern in (("j3d-samples", "*.b[mdc][dlk]"), ("msh", "*.msh"), ("msh", "*.rlb")):
        samples += [by_name(path.name, path.read_bytes()) for path in sorted((vectors / folder).rglob(pattern))]
    return grouped(samples, MEMBERS)


def test_damaged_hand_built_files() -> None:
    check(damage(grouped(hand_built(), MEMBERS), CASES // 20, "hand-built"), CASES // 20, 33)


def test_damaged_files_of_the_demo_world() -> None:
    groups = grouped([by_name(name, data) for name, data in files(open_rom("demo")) if data], MEMBERS)
    assert {"BMD0", "BTX0"} | (set(FIELD_PATHS) - NOT_IN_DEMO) <= set(groups)
    check(damage(groups, CASES // 20, "demo"), CASES // 20, len(groups))


def test_damaged_real_files(real: dict[str, list[Seed]]) -> None:
    assert len(real) == 41, sorted(real)
    check(damage(real, CASES // 20, "real"), CASES // 20, len(real))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_damaged_real_files(real: dict[str, list[Seed]]) -> None:
    check(damage(real, CASES, "many"), CASES, len(real))


@pytest.mark.parametrize("sample", hand_built(), ids=lambda sample: sample.kind)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=400), cut=st.integers(0, 400), keep=st.booleans())
def test_any_bytes_behind_any_beginning(sample: Seed, data: bytes, cut: int, keep: bool) -> None:
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
