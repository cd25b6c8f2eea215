"""Writes animated pictures: APNG, lossless, and GIF, with 256 colours per frame."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mapexplorer.export.files import write_atomically
from mapexplorer.export.images import LEVEL, RGB, SIGNATURE, chunk, scan_lines

Pixels = npt.NDArray[np.uint8]

_APNG_SUFFIXES = (".png", ".apng")
_GIF_SUFFIX = ".gif"


def write_animation(path: str | os.PathLike[str], frames: Iterable[Pixels], milliseconds: float) -> Path:
    """Write RGB frames, uint8 (height, width, 3), as an endless APNG or GIF by the file's suffix, by rename.

    A GIF's times are whole hundredths of a second, at least two. Raises ValueError for another suffix or without
    frames, OSError.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (*_APNG_SUFFIXES, _GIF_SUFFIX):
        raise ValueError(f"an animation is written as .png, .apng or .gif, not {suffix!r}")
    iterator = iter(frames)
    first = next(iterator, None)
    if first is None:
        raise ValueError("an animation has at least one frame")
    encode = _gif if suffix == _GIF_SUFFIX else _apng
    return write_atomically(path, encode(first, iterator, milliseconds))


def _apng(first: Pixels, others: Iterator[Pixels], milliseconds: float) -> bytes:
    height, width, channels = first.shape
    body: list[bytes] = []
    number = count = 0
    frame: Pixels | None = first
    while frame is not None:
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, round(milliseconds), 1000, 0, 0)
        data = zlib.compress(scan_lines(frame.reshape(height, width * channels)), LEVEL)
        number += 1
        body.append(chunk(b"fcTL", control))
        if count == 0:
            body.append(chunk(b"IDAT", data))
        else:
            body.append(chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
        count += 1
        frame = next(others, None)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, RGB, 0, 0, 0))
    return b"".join((SIGNATURE, header, chunk(b"acTL", struct.pack(">II", count, 0)), *body, chunk(b"IEND", b"")))


def _gif(first: Pixels, others: Iterator[Pixels], milliseconds: float) -> bytes:
    from PIL import Image

    def image(frame: Pixels) -> Image.Image:
        whole = Image.fromarray(np.ascontiguousarray(frame))
        return whole.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)

    buffer = BytesIO()
    time = max(20, round(milliseconds / 10) * 10)
    image(first).save(buffer, "GIF", save_all=True, append_images=map(image, others), duration=time, loop=0)
    return buffer.getvalue()
