"""The bounded reader of big-endian files: the same bounds, paths and errors as `formats.binary.Reader`."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.binary import Reader


class BigEndianReader(Reader):
    """A bounded big-endian view of bytes, with its path and offset in the file."""

    __slots__ = ()

    _U16, _S16, _U32, _S32 = map(struct.Struct, (">H", ">h", ">I", ">i"))

    def array(self, offset: int, dtype: npt.DTypeLike, count: int, what: str = "records") -> npt.NDArray[Any]:
        """`count` big-endian records of `dtype` (given in any byte order) as a read-only array in native order."""
        kind = np.dtype(dtype)
        self.need(offset, kind.itemsize * count, what)
        values = np.frombuffer(self.data, kind.newbyteorder(">"), count, offset).astype(kind.newbyteorder("="))
        values.flags.writeable = False
        return values

    def finite(self, offset: int, count: int, what: str) -> tuple[float, ...]:
        """`count` f32 numbers at `offset`. Raises FormatError when one of them is infinite or NaN."""
        return tuple(self.finite_array(offset, count, what).tolist())

    def finite_array(self, offset: int, count: int, what: str) -> npt.NDArray[np.float32]:
        """`count` f32 numbers as an array. Raises FormatError when one of them is infinite or NaN."""
        values = self.array(offset, "f4", count, what)
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            self.fail(offset + 4 * int(bad[0]), f"a finite number ({what})", values[bad[0]])
        return values
