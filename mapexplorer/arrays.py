"""The types of arrays by their elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint32]
"""Commands of the geometry engine, or words of its registers."""
Picture = npt.NDArray[np.uint8]
"""(height, width, 3 or 4): red, green, blue and maybe alpha."""
