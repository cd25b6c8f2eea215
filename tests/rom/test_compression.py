"""LZ10, LZ11 and BLZ: streams of tokens unpack to what they say, other packers' streams too, and damage is refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import ndspy.codeCompression
import ndspy.lz10
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.binary import FormatError
from mapexplorer.rom.compression import decompress, decompress_backward, try_decompress

Token = bytes | tuple[int, int]
"""A literal byte, or the length and distance of a copy."""


def expanded(tokens: Sequence[Token]) -> bytes:
    """What tokens stand for."""
    out = bytearray()
    for token in tokens:
        if isinstance(token, bytes):
            out += token
        else:
            for _ in range(token[0]):
                out.append(out[-token[1]])
    return bytes(out)


def packed(tokens: Sequence[Token], kind: int = 0x11) -> bytes:
    """The LZ10 or LZ11 stream of tokens, after GBATEK."""
    out = bytearray((kind | len(expanded(tokens)) << 8).to_bytes(4, "little"))
    for start in range(0, len(tokens), 8):
        group = tokens[start : start + 8]
        out.append(sum(0x80 >> at for at, token in enumerate(group) if not isinstance(token, bytes)))
        for token in group:
            if isinstance(token, bytes):
                out += token
                continue
            length, distance = token
            if kind == 0x10:
                out += ((length - 3) << 12 | distance - 1).to_bytes(2, "big")
            elif length <= 0x10:
                out += ((length - 1) << 12 | distance - 1).to_bytes(2, "big")
            elif length <= 0x110:
                out += ((length - 0x11) << 12 | distance - 1).to_bytes(3, "big")
            else:
                out += (1 << 28 | (length - 0x111) << 12 | distance - 1).to_bytes(4, "big")
    return bytes(out)


@st.composite
def tokens(draw: st.DrawFn, longest: int) -> list[Token]:
    """Tokens whose copies are `longest` at most and stay inside what is unpacked."""
    found: list[Token] = [draw(st.binary(min_size=1, max_size=1))]
    size = 1
    for _ in range(draw(st.integers(0, 20))):
        if draw(st.booleans()):
            length = draw(st.integers(3, longest))
            found.append((length, draw(st.integers(1, min(size, 4096)))))
            size += length
        else:
            found.append(draw(st.binary(min_size=1, max_size=1)))
            size += 1
    return found


repetitive = st.lists(st.tuples(st.binary(min_size=1, max_size=6), st.integers(1, 400)), max_size=12).map(
    lambda parts: b"".join(part * count for part, count in parts)
)


@given(tokens(18))
def test_lz10_unpacks_to_what_its_tokens_say(stream: list[Token]) -> None:
    assert decompress(packed(stream, 0x10)) == expanded(stream)


@given(tokens(0x400))
def test_lz11_unpacks_to_what_its_tokens_say(stream: list[Token]) -> None:
    assert decompress(packed(stream)) == expanded(stream)


@given(repetitive.filter(len))
@settings(max_examples=50)
def test_lz10_of_ndspy_is_unpacked(data: bytes) -> None:
    assert try_decompress(ndspy.lz10.compress(data)) == data


@given(repetitive, st.integers(0, 64))
@settings(max_examples=50)
def test_blz_of_ndspy_is_unpacked_behind_plain_bytes(data: bytes, plain: int) -> None:
    data += bytes(200)
    stored = data[:plain] + ndspy.codeCompression.compress(data[plain:])
    assert len(stored) < len(data)
    assert decompress_backward(stored) == data


@pytest.mark.parametrize("length", [3, 0x10, 0x11, 0x110, 0x111, 0x2000, 0x10110])
def test_all_three_length_forms_of_lz11(length: int) -> None:
    assert decompress(packed([b"a", b"b", (length, 1)])) == b"ab" + b"b" * length


def damaged_lz11() -> bytes:
    generator = random.Random(11)
    return packed([token for _ in range(60) for token in (b"%c" % generator.randrange(256), (20, 1), b"x", (300, 2))])


def repeated() -> bytes:
    generator = random.Random(11)
    return b"".join(generator.randbytes(4) * generator.randrange(1, 9) for _ in range(60))


@pytest.mark.parametrize(
    ("stream", "unpack"),
    [
        (ndspy.lz10.compress(repeated()), decompress),
        (damaged_lz11(), decompress),
        (ndspy.codeCompression.compress(repeated()), decompress_backward),
    ],
    ids=["lz10", "lz11", "blz"],
)
def test_damage_raises_only_format_errors(stream: bytes, unpack: Callable[[bytes], bytes]) -> None:
    generator = random.Random(11)
    refused = 0
    for _ in range(600):
        mutant = bytearray(stream)
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
    assert try_decompress(packed([b"a", b"b", b"c", (6, 3)], 0x10)) == b"abcabcabc"
    assert try_decompress(packed([b"a", b"b", b"c", (6, 3)], 0x10) + b"more") is None
