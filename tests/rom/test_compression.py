"""LZ10, LZ11 and BLZ: what is packed unpacks, an independent decoder agrees, and damaged streams say so."""

from __future__ import annotations

import random

import ndspy.codeCompression
import ndspy.lz10
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.binary import FormatError
from mapexplorer.rom.compression import (
    compress_backward,
    compress_lz10,
    compress_lz11,
    decompress,
    decompress_backward,
    try_decompress,
)

repetitive = st.lists(st.tuples(st.binary(min_size=1, max_size=6), st.integers(1, 400)), max_size=12).map(
    lambda parts: b"".join(part * count for part, count in parts)
)
contents = st.one_of(st.binary(max_size=300), repetitive)


@given(contents)
def test_lz10_and_lz11_unpack_to_what_was_packed(data: bytes) -> None:
    assert decompress(compress_lz10(data)) == data
    assert decompress(compress_lz11(data)) == data


@given(repetitive.filter(len))
@settings(max_examples=50)
def test_ndspy_unpacks_our_lz10_and_we_unpack_its(data: bytes) -> None:
    assert ndspy.lz10.decompress(compress_lz10(data)) == data
    assert try_decompress(ndspy.lz10.compress(data)) == data


@given(repetitive, st.integers(0, 64))
@settings(max_examples=100)
def test_blz_unpacks_to_what_was_packed(data: bytes, plain: int) -> None:
    data += bytes(200)
    plain = min(plain, len(data) - 150)
    packed = compress_backward(data, plain)
    assert packed[:plain] == data[:plain]
    assert decompress_backward(packed) == data


def test_ndspy_agrees_about_blz() -> None:
    generator = random.Random(5)
    data = b"".join(bytes([generator.randrange(8)]) * generator.randrange(1, 40) for _ in range(300))
    assert bytes(ndspy.codeCompression.decompress(compress_backward(data))) == data
    assert decompress_backward(ndspy.codeCompression.compress(data)) == data


def test_all_three_length_forms_of_lz11() -> None:
    for length in (3, 0x10, 0x11, 0x110, 0x111, 0x2000, 0x10110, 0x10111):
        data = b"a" + b"b" * length
        packed = compress_lz11(data)
        assert decompress(packed) == data
        assert len(packed) < 24


def test_data_that_does_not_shrink_has_no_blz_form() -> None:
    with pytest.raises(ValueError, match="does not shrink"):
        compress_backward(bytes(range(100)))


@pytest.mark.parametrize("pack", [compress_lz10, compress_lz11, compress_backward])
def test_damage_raises_only_format_errors(pack) -> None:  # type: ignore[no-untyped-def]
    generator = random.Random(11)
    data = b"".join(generator.randbytes(4) * generator.randrange(1, 9) for _ in range(60))
    packed = pack(data)
    unpack = decompress_backward if pack is compress_backward else decompress
    refused = 0
    for _ in range(600):
        mutant = bytearray(packed)
        for _ in range(generator.randrange(1, 4)):
            mutant[generator.randrange(len(mutant))] = generator.randrange(256)
        if generator.random() < 0.3:
            del mutant[generator.randrange(len(mutant)) :]
        try:
            unpack(bytes(mutant))
        except FormatError:
            refused += 1
    assert 50 < refused < 600


def test_plain_bytes_that_begin_like_lz_are_left_alone() -> None:
    assert try_decompress(bytes([0x10, 0, 3, 0, 12, 0, 13, 0, 14, 0, 15, 0])) is None
    assert try_decompress(b"\x10\x04\x00\x00") is None
    assert try_decompress(b"\x11") is None
    assert try_decompress(compress_lz10(b"abcabcabc") + b"more") is None
