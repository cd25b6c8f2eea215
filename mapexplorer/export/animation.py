"""Writes animated pictures: APNG, lossless, and GIF, with 256 colours per frame."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable
from io import BytesIO
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mapexplorer.export.files import write_atomically
from mapexplorer.export.images import LEVEL, RGB, SIGNATURE, chunk, header_chunk, scan_lines

Pixels = npt.NDArray[np.uint8]


def write_animation(path: str | os.PathLike[str], frames: Iterable[Pixels], milliseconds: float) -> Path:
    """Write RGB frames, uint8 (height, width, 3), as an endless APNG or GIF by the file's suffix, by rename.

    A GIF's times are whole hundredths of a second, at least two. Raises ValueError for another suffix or without
    frames, OSError.
    """
    suffix = Path(path).suffix.lower()
    encode = {".png": _apng, ".apng": _apng, ".gif": _gif}.get(suffix)
    if encode is None:
        raise ValueError(f"an animation is written as .png, .apng or .gif, not {suffix!r}")
    iterator = iter(frames)
    first = next(iterator, None)
    if first is None:
        raise ValueError("an animation has at least one frame")
    return write_atomically(path, encode(chain([first], iterator), milliseconds))


def _apng(frames: Iterable[Pixels], milliseconds: float) -> bytes:
    body: list[bytes] = []
    for number, frame in enumerate(frames):
        height, width, channels = frame.shape
        first = max(2 * number - 1, 0)  # the numbers of chunks: one for the first frame, two for each of the others
        control = struct.pack(">IIIIIHHBB", first, width, height, 0, 0, round(milliseconds), 1000, 0, 0)
        data = zlib.compress(scan_lines(frame.reshape(height, width * channels)), LEVEL)
        picture = chunk(b"fdAT", struct.pack(">I", first + 1) + data) if number else chunk(b"IDAT", data)
        body += [chunk(b"fcTL", control), picture]
    count = chunk(b"acTL", struct.pack(">II", len(body) // 2, 0))
    return b"".join((SIGNATURE, header_chunk(width, height, RGB), count, *body, chunk(b"IEND", b"")))


def _gif(frames: Iterable[Pixels], milliseconds: float) -> bytes:
    from PIL import Image

    def image(frame: Pixels) -> Image.Image:
        whole = Image.fromarray(np.ascontiguousarray(frame))
        return whole.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)

    buffer = BytesIO()
    time = max(20, round(milliseconds / 10) * 10)
    images = map(image, frames)
    next(images).save(buffer, "GIF", save_all=True, append_images=images, duration=time, loop=0)
    return buffer.getvalue()
