"""PNG files from pixel arrays, deterministic to the byte.

The encoder is written on zlib directly: most pictures here are palette images of 16 x 16 to 64 x 64 texels, for which
the set-up of a general image library costs several times the compression itself.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mapexplorer.export.files import write_atomically

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY, _RGB, _INDEXED, _RGBA = 0, 2, 3, 6
_COLOR_TYPES = {1: _GREY, 3: _RGB, 4: _RGBA}


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _file(rows: npt.NDArray[np.uint8], width: int, color_type: int, tables: bytes, level: int) -> bytes:
    """A PNG of unfiltered scan lines; `rows` is uint8 (height, bytes per line)."""
    height, pitch = rows.shape
    lines = np.zeros((height, pitch + 1), np.uint8)
    lines[:, 1:] = rows
    header = struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            tables,
            _chunk(b"IDAT", zlib.compress(lines.tobytes(), level)),
            _chunk(b"IEND", b""),
        )
    )


def encode_png(pixels: npt.NDArray[np.uint8], *, level: int = 6) -> bytes:
    """A PNG of uint8 pixels: (height, width) grey, (height, width, 3) RGB or (height, width, 4) RGBA."""
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    height, width = pixels.shape[:2]
    rows = np.ascontiguousarray(pixels, np.uint8).reshape(height, width * channels)
    return _file(rows, width, _COLOR_TYPES[channels], b"", level)


def encode_indexed_png(
    indices: npt.NDArray[np.uint8],
    palette: npt.NDArray[np.uint8],
    alpha: npt.NDArray[np.uint8] | None = None,
    *,
    level: int = 6,
) -> bytes:
    """A palette PNG: `indices` uint8 (height, width), `palette` uint8 (n, 3), `alpha` uint8 (n or fewer) or None."""
    tables = _chunk(b"PLTE", np.ascontiguousarray(palette, np.uint8).tobytes())
    if alpha is not None:
        tables += _chunk(b"tRNS", np.ascontiguousarray(alpha, np.uint8).tobytes())
    return _file(np.ascontiguousarray(indices, np.uint8), indices.shape[1], _INDEXED, tables, level)


def write_png(path: str | os.PathLike[str], pixels: npt.NDArray[np.uint8]) -> Path:
    """Write pixels (see `encode_png`) as a PNG file by rename. Raises OSError."""
    return write_atomically(path, encode_png(pixels))
