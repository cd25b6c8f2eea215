"""Nintendo's LZ77 forms: LZ10 and LZ11 (BIOS, compressed archive members) and BLZ (backward LZ: ARM9 and overlays).

All three copy earlier output by (length, distance); they differ in how a copy is packed and, for BLZ, in the
direction: it is read from its end to its start so that the code can be unpacked in place. Layouts as in GBATEK
("LZ decompression functions") and, for BLZ, as the start-up code of the NITRO SDK unpacks itself.

Reading raises only `FormatError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from formats.binary import Buffer, Reader

_LARGEST = 1 << 26
"""The largest unpacked size of a file; a larger one raises FormatError before memory is allocated."""

_BLZ_FOOTER = 8


def decompress(data: Buffer) -> bytes:
    """Unpack an LZ10 (first byte 0x10) or LZ11 (0x11) stream. At most 15 bytes of padding may follow. Raises
    FormatError."""
    reader = Reader.of(data)
    kind = reader.u8(0)
    reader.check(kind in (0x10, 0x11), 0, "0x10 or 0x11 (LZ10, LZ11)", f"0x{kind:02X}")
    size = reader.u32(0) >> 8
    start = 4
    if size == 0:
        size = reader.u32(4)
        start = 8
    reader.check(size <= _LARGEST, 1, f"an unpacked size of at most {_LARGEST} bytes", size)
    source = bytes(reader.data)
    result, end = _expand(source, start, size, reader.fail, extended=kind == 0x11)
    # Some packers fill up the last group of eight tokens, then the word.
    reader.check(
        len(source) - end <= 3 or (len(source) - end <= 15 and not any(source[end:])),
        end,
        "the end of the stream",
        f"{len(source) - end} more bytes",
    )
    return result


def try_decompress(data: bytes | memoryview) -> bytes | None:
    """The unpacked bytes when `data` is an LZ10 or LZ11 stream from its first byte to its last, else None.

    An uncompressed file may begin with 0x10 or 0x11 too, so the stream must unpack to exactly the size in its header
    and end at the end of `data`.
    """
    if len(data) < 5 or data[0] not in (0x10, 0x11):
        return None
    try:
        result = decompress(data)
    except ValueError:
        return None
    return result if result else None


def _expand(
    source: bytes,
    position: int,
    size: int,
    fail: Callable[[int, str, object], NoReturn],
    *,
    extended: bool = False,
    nearest: int = 1,
) -> tuple[bytes, int]:
    """Unpack tokens from `position` to `size` bytes; returns them and the position after the last token. `extended`:
    copies are those of LZ11; `nearest`: the distance of a copy whose distance field is 0; `fail` raises FormatError for
    a position in `source`."""
    out = bytearray()
    try:
        while len(out) < size:
            flags = source[position]
            position += 1
            for bit in (128, 64, 32, 16, 8, 4, 2, 1):
                if len(out) >= size:
                    break
                if not flags & bit:
                    out.append(source[position])
                    position += 1
                    continue
                at = position
                first = source[position]
                if not extended:
                    length = (first >> 4) + 3
                elif first >> 4 == 0:
                    length = ((first & 15) << 4 | source[position + 1] >> 4) + 0x11
                    position += 1
                elif first >> 4 == 1:
                    length = ((first & 15) << 12 | source[position + 1] << 4 | source[position + 2] >> 4) + 0x111
                    position += 2
                else:
                    length = (first >> 4) + 1
                distance = ((source[position] & 15) << 8 | source[position + 1]) + nearest
                position += 2
                if distance > len(out):
                    fail(at, f"a distance of at most {len(out)}", distance)
                if len(out) + length > size:
                    fail(at, f"at most {size - len(out)} bytes left to copy", length)
                _copy(out, length, distance)
    except IndexError:
        fail(len(source), f"a stream that unpacks to {size} bytes", f"its end after {len(out)}")
    return bytes(out), position


def _copy(out: bytearray, length: int, distance: int) -> None:
    if distance >= length:
        begin = len(out) - distance
        out += out[begin : begin + length]
    else:
        pattern = out[-distance:]
        out += (pattern * (length // distance + 1))[:length]


def decompress_backward(data: Buffer) -> bytes:
    """Unpack a BLZ image: its last 8 bytes are u24 packed length, u8 footer length, u32 growth.

    The packed length counts from the end of the file and includes the footer; the bytes before it are not compressed.
    Raises FormatError.
    """
    reader = Reader.of(data)
    size = len(reader)
    reader.need(size - _BLZ_FOOTER, _BLZ_FOOTER, "a BLZ footer")
    word = reader.u32(size - 8)
    packed, footer = word & 0xFFFFFF, word >> 24
    growth = reader.u32(size - 4)
    reader.check(_BLZ_FOOTER <= footer <= 11, size - 5, "a footer length from 8 to 11", footer)
    reader.check(footer <= packed <= size, size - 8, f"a packed length from {footer} to {size}", packed)
    reader.check(growth <= _LARGEST, size - 4, f"a growth of at most {_LARGEST} bytes", growth)
    start = size - packed
    source = bytes(reader.data[start : size - footer])[::-1]

    def fail(position: int, expected: str, found: object) -> NoReturn:
        reader.fail(max(start, size - footer - position - 2), expected, found)

    out, _ = _expand(source, 0, packed + growth, fail, nearest=3)
    return bytes(reader.data[:start]) + out[::-1]
