"""Moving pictures from frames: APNG, exact, and GIF, in 256 colours a frame."""

from __future__ import annotations

import os
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mapexplorer.export.files import write_atomically

APNG_SUFFIXES = (".png", ".apng")
GIF_SUFFIX = ".gif"


def write_animation(path: str | os.PathLike[str], frames: Iterable[npt.NDArray[np.uint8]], milliseconds: float) -> Path:
    """Write RGB frames, uint8 (height, width, 3), as an endless APNG or GIF by the file's suffix, by rename.

    A GIF's times are whole hundredths of a second, at least two. Raises ValueError for another suffix or without
    frames, OSError.
    """
    from PIL import Image

    suffix = Path(path).suffix.lower()
    if suffix not in (*APNG_SUFFIXES, GIF_SUFFIX):
        raise ValueError(f"an animation is written as .png, .apng or .gif, not {suffix!r}")
    images = (Image.fromarray(np.ascontiguousarray(frame)) for frame in frames)
    first = next(images, None)
    if first is None:
        raise ValueError("an animation has at least one frame")
    buffer = BytesIO()
    if suffix == GIF_SUFFIX:
        packed = (image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE) for image in images)
        start = first.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        time = max(20, round(milliseconds / 10) * 10)
        start.save(buffer, "GIF", save_all=True, append_images=packed, duration=time, loop=0, optimize=False)
    else:
        first.save(buffer, "PNG", save_all=True, append_images=images, duration=milliseconds, loop=0)
    return write_atomically(path, buffer.getvalue())
