"""Damaged files: a FormatError or a value, in bounded time and memory, never anything else."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from formats import FormatError
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0

Kind = type[Nsbmd] | type[Nsbtx]


@pytest.fixture(params=["nsbmd", "nsbtx"])
def file(request: pytest.FixtureRequest, nsbmd: Nsbmd, textures: Tex0) -> tuple[Kind, bytes]:
    value = nsbmd if request.param == "nsbmd" else Nsbtx(textures)
    return type(value), value.to_bytes()


def outcome(kind: Kind, data: bytes) -> str:
    """What became of the bytes; only the two documented errors pass."""
    try:
        value = kind.from_bytes(data, notes=[])
    except FormatError:
        return "refused"
    try:
        return "the same" if value.to_bytes() == data else "other bytes"
    except ValueError:
        return "not writable"


def test_every_truncation_is_refused(file: tuple[Kind, bytes]) -> None:
    kind, data = file
    for length in range(0, len(data), 1 + len(data) // 1000):
        assert outcome(kind, data[:length]) == "refused"


@pytest.mark.parametrize("seed", range(4))
def test_flips(file: tuple[Kind, bytes], seed: int) -> None:
    kind, data = file
    random = np.random.default_rng(seed)
    outcomes: dict[str, int] = {}
    for _ in range(500):
        damaged = bytearray(data)
        for _ in range(int(random.integers(1, 5))):
            damaged[int(random.integers(0, len(data)))] = int(random.integers(0, 256))
        result = outcome(kind, bytes(damaged))
        outcomes[result] = outcomes.get(result, 0) + 1
    assert sum(outcomes.values()) == 500
    assert outcomes["the same"] > 10
    assert outcomes["refused"] > 10


@pytest.mark.parametrize("value", [0x00, 0x7F, 0xFF])
def test_every_byte_of_the_head(file: tuple[Kind, bytes], value: int) -> None:
    """Offsets, sizes and counts of all parts, each byte in turn."""
    kind, data = file
    refused = 0
    for place in range(min(len(data), 0x300)):
        damaged = bytearray(data)
        damaged[place] = value
        refused += outcome(kind, bytes(damaged)) == "refused"
    assert refused > 20


VALUES = (0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x10, 0x40)


def spoil_words(data: bytes, step: int) -> Iterator[bytes]:
    """Each word of the head with every `step`th of the values, which begin with the next one for the next word."""
    for number, place in enumerate(range(0, min(len(data), 0x400) - 3, 4)):
        for value in VALUES[number % step :: step]:
            damaged = bytearray(data)
            damaged[place : place + 4] = value.to_bytes(4, "little")
            yield bytes(damaged)


@pytest.mark.parametrize("step", [len(VALUES), pytest.param(1, marks=pytest.mark.slow)])
def test_time_and_memory_are_bounded(file: tuple[Kind, bytes], step: int) -> None:
    kind, data = file
    outcome(kind, data)
    tracemalloc.start()
    slowest = 0.0
    try:
        for damaged in spoil_words(data, step):
            start = time.thread_time()
            outcome(kind, damaged)
            slowest = max(slowest, time.thread_time() - start)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Python's table of interned strings, 1.9 MB, may be allocated again at any call.
    assert peak < 60 * len(data) + 2_000_000
    assert slowest < 1


def test_shapes_cannot_multiply_one_display_list(nsbmd: Nsbmd) -> None:
    data = bytearray(nsbmd.to_bytes())
    sizes = [place for place in range(0, len(data) - 12, 4) if data[place : place + 4] == b"\0\0\x10\0"]
    assert len(sizes) >= 4
    for place in sizes[:2]:
        data[place + 12 : place + 16] = (1 << 31).to_bytes(4, "little")
    with pytest.raises(FormatError):
        Nsbmd.from_bytes(bytes(data))


def test_models_cannot_multiply_one_model(nsbmd: Nsbmd) -> None:
    whole = nsbmd.to_bytes()
    first = 0x18 + 8 + 8 + 4 * 3 + 4
    data = bytearray(whole)
    data[first + 4 : first + 8] = data[first : first + 4]
    size = int.from_bytes(data[0x1C:0x20], "little")
    Nsbmd.from_bytes(bytes(data))
    start = 0x18 + int.from_bytes(data[first : first + 4], "little")
    data[start : start + 4] = (size - 0x80).to_bytes(4, "little")
    with pytest.raises(FormatError, match="in all"):
        Nsbmd.from_bytes(bytes(data))


REFUSALS: list[Callable[[bytearray], Any]] = [
    lambda data: data.__setitem__(slice(0, 4), b"BTX1"),
    lambda data: data.__setitem__(14, 3),
    lambda data: data.__setitem__(slice(0x18, 0x1C), b"TEX0"),
]


@pytest.mark.parametrize("spoil", REFUSALS)
def test_other_containers_are_refused(nsbmd: Nsbmd, spoil: Callable[[bytearray], Any]) -> None:
    data = bytearray(nsbmd.to_bytes())
    spoil(data)
    with pytest.raises(FormatError):
        Nsbmd.from_bytes(bytes(data))
