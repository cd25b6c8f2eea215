"""A frame as edges: every polygon has alpha 0, which the engine draws as a wireframe (GBATEK: POLYGON_ATTR)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, reads, writes
from formats.nds import gx
from mapexplorer.arrays import Words
from mapexplorer.g3d.material import ALPHA
from mapexplorer.gpu.commands import PARAMETER_COUNT

_POLYGON_ATTR = gx.POLYGON_ATTR
_KEPT = np.uint32(0xFFFFFFFF ^ ALPHA)


def as_wireframe(words: Words) -> Words:
    """A copy of a flat command list whose polygons all have alpha 0."""
    result = words.copy()
    _clear_alpha(result, PARAMETER_COUNT)
    return result


@entry(words=writes(np.uint32), parameters=reads(np.int64))
def _clear_alpha(words: Words, parameters: npt.NDArray[np.int64]) -> None:
    place = 0
    while place < len(words):
        command = words[place]
        if command == _POLYGON_ATTR and place + 1 < len(words):
            words[place + 1] &= _KEPT
        place += 1 + (parameters[command] if command < 256 else 0)
