"""PNG files from pixel arrays; equal pixels give equal bytes.

The encoder is written on zlib directly: most pictures here are palette images of 16 x 16 to 64 x 64 texels, for which
the set-up of a general image library takes several times as long as the compression.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mapexplorer.export.files import atomic_file, write_atomically

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY, RGB, _INDEXED, _RGBA = 0, 2, 3, 6
_COLOR_TYPES = {1: _GREY, 3: RGB, 4: _RGBA}

LEVEL = 6
"""The level of compression of zlib."""


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG with its checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header_chunk(width: int, height: int, color_type: int) -> bytes:
    """The first chunk of a PNG with eight bits a channel."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0))


def scan_lines(rows: npt.NDArray[np.uint8]) -> bytes:
    """The unfiltered scan lines of uint8 rows (height, bytes per line)."""
    height, pitch = rows.shape
    lines = np.zeros((height, pitch + 1), np.uint8)
    lines[:, 1:] = rows
    return lines.tobytes()


def _file(rows: npt.NDArray[np.uint8], width: int, color_type: int, tables: bytes) -> bytes:
    """A PNG of unfiltered scan lines; `rows` is uint8 (height, bytes per line)."""
    return b"".join(
        (
            SIGNATURE,
            header_chunk(width, len(rows), color_type),
            tables,
            chunk(b"IDAT", zlib.compress(scan_lines(rows), LEVEL)),
            chunk(b"IEND", b""),
        )
    )


def encode_png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """A PNG of uint8 pixels: (height, width) grey, (height, width, 3) RGB or (height, width, 4) RGBA."""
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    height, width = pixels.shape[:2]
    rows = np.ascontiguousarray(pixels, np.uint8).reshape(height, width * channels)
    return _file(rows, width, _COLOR_TYPES[channels], b"")


def encode_indexed_png(
    indices: npt.NDArray[np.uint8],
    palette: npt.NDArray[np.uint8],
    alpha: npt.NDArray[np.uint8] | None = None,
) -> bytes:
    """A palette PNG: `indices` uint8 (height, width), `palette` uint8 (n, 3), `alpha` uint8 (n or fewer) or None."""
    tables = chunk(b"PLTE", np.ascontiguousarray(palette, np.uint8).tobytes())
    if alpha is not None:
        tables += chunk(b"tRNS", np.ascontiguousarray(alpha, np.uint8).tobytes())
    return _file(np.ascontiguousarray(indices, np.uint8), indices.shape[1], _INDEXED, tables)


def write_png(path: str | os.PathLike[str], pixels: npt.NDArray[np.uint8]) -> Path:
    """Write pixels (see `encode_png`) as a PNG file by rename. Raises OSError."""
    return write_atomically(path, encode_png(pixels))


CompressedRows = tuple[bytes, int, int]
"""Rows of an RGB picture as a piece of a PNG's data: deflated on its own, with the checksum and size before."""


def compress_rows(pixels: npt.NDArray[np.uint8]) -> CompressedRows:
    """Compress the next rows of a picture, uint8 (height, width, 3), independently of those before."""
    height, width, channels = pixels.shape
    plain = scan_lines(pixels.reshape(height, width * channels))
    packer = zlib.compressobj(LEVEL, wbits=-15)
    data = packer.compress(plain) + packer.flush(zlib.Z_SYNC_FLUSH)
    return data, zlib.adler32(plain), len(plain)


def write_png_rows(path: str | os.PathLike[str], width: int, height: int, pieces: Iterable[CompressedRows]) -> Path:
    """Write an RGB picture while its rows are produced, to a temporary file that is renamed. Raises OSError."""
    with atomic_file(path) as file:
        file.writelines(png_rows(width, height, pieces))
    return Path(path)


def png_rows(width: int, height: int, pieces: Iterable[CompressedRows]) -> Iterator[bytes]:
    """An RGB picture as PNG while its rows are produced."""
    checksum = 1
    yield SIGNATURE + header_chunk(width, height, RGB)
    lead = b"\x78\x9c"
    for data, own_checksum, size in pieces:
        yield chunk(b"IDAT", lead + data)
        checksum = _joined_adler32(checksum, own_checksum, size)
        lead = b""
    yield chunk(b"IDAT", lead + b"\x03\x00" + struct.pack(">I", checksum))
    yield chunk(b"IEND", b"")


def _joined_adler32(first: int, second: int, size: int) -> int:
    """The Adler-32 of two runs of bytes from theirs; `size` is the second one's."""
    base = 65521
    low = ((first & 0xFFFF) + (second & 0xFFFF) - 1) % base
    high = ((first >> 16) + (second >> 16) + size * ((first & 0xFFFF) - 1)) % base
    return high << 16 | low


def write_contact_sheets(folder: Path, pictures: Sequence[Path], columns: int, rows: int) -> list[Path]:
    """Write pictures of one size side by side as `sheet_01.png` ..., so many columns and rows on each."""
    from PIL import Image

    most = columns * rows
    sheets = [pictures[first : first + most] for first in range(0, len(pictures), most)]
    for number, shown in enumerate(sheets, 1):
        images = [Image.open(path) for path in shown]
        width, height = images[0].size
        sheet = Image.new("RGB", (columns * width, rows * height))
        for index, image in enumerate(images):
            sheet.paste(image, (index % columns * width, index // columns * height))
        write_png(folder / f"sheet_{number:02}.png", np.asarray(sheet))
    return [folder / f"sheet_{number:02}.png" for number in range(1, len(sheets) + 1)]
