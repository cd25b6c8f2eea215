"""Text of the Iron3D engine: windows-1251 bytes; every byte is preserved by reading and writing."""

from __future__ import annotations

import codecs

from formats.binary import FormatError

# windows-1251 leaves 0x98 undefined; here it is U+0098, so that the table is a bijection.
_CHARACTERS = "".join("\x98" if byte == 0x98 else bytes([byte]).decode("cp1251") for byte in range(256))
_BYTES = codecs.charmap_build(_CHARACTERS)


def decode(data: bytes) -> str:
    """The characters of windows-1251 bytes."""
    return codecs.charmap_decode(data, "strict", _CHARACTERS)[0]


def encode(text: str, path: str) -> bytes:
    """The windows-1251 bytes of `text`; raises `FormatError` with `path` for a character outside windows-1251."""
    try:
        return codecs.charmap_encode(text, "strict", _BYTES)[0]
    except UnicodeEncodeError as error:
        raise FormatError(path, error.start, "text of windows-1251 characters", repr(text)) from None


def fixed(text: str, size: int, path: str) -> bytes:
    """`text` as a field of `size` bytes padded with zeros; raises `FormatError` when it does not fit."""
    data = encode(text, path)
    if len(data) > size:
        raise FormatError(path, 0, f"at most {size} bytes of text", f"{len(data)} in {text!r}")
    return data.ljust(size, b"\0")


def shown(text: str) -> str:
    """The part of a fixed field that the game uses: up to the first NUL."""
    return text.partition("\0")[0]
