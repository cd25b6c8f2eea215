"""The elements of an accessor, which several glTF documents may have."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

Json = dict[str, Any]


def members(**values: Any) -> Json:
    """The members of an object whose values are neither None nor empty."""
    return {name: value for name, value in values.items() if value or (value is not None and value not in ("", [], {}))}


VERTICES: Final = 34962
INDICES: Final = 34963

_COMPONENTS = {
    np.dtype(np.int8): 5120,
    np.dtype(np.uint8): 5121,
    np.dtype(np.int16): 5122,
    np.dtype(np.uint16): 5123,
    np.dtype(np.uint32): 5125,
    np.dtype(np.float32): 5126,
}
_SHAPES: dict[tuple[int, ...], str] = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}


class AccessorData(NamedTuple):
    """An accessor that is in no document yet: its elements as bytes, what is equal for accessors in one buffer view
    (what they are for, 0: neither vertices nor indices, and the bytes of an element), what equal ones have in common
    (`key`), and the members that it has in every document (`entry`)."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    target: int | None
    raw: bytes
    view: tuple[int, int]
    key: object
    entry: Json

    @classmethod
    def of(
        cls,
        array: npt.NDArray[Any],
        target: int | None,
        normalized: bool,
        bounds: bool | tuple[npt.NDArray[Any], npt.NDArray[Any]],
    ) -> Self:
        """See `Document.accessor`."""
        data = np.ascontiguousarray(array)
        if data.ndim == 0 or not len(data):
            raise ValueError("an accessor needs at least one element")
        kind = data.dtype, data.shape[1:]
        try:
            component, shape = _COMPONENTS[data.dtype], _SHAPES[data.shape[1:]]
        except KeyError:
            raise ValueError(f"glTF has no accessor of {kind}") from None
        kept = {"componentType": component, "normalized": True} if normalized else {"componentType": component}
        entry: Json = {**kept, "count": len(data), "type": shape}
        rows = data.reshape(len(data), -1)
        if bounds is not False:
            low, high = (rows.min(0), rows.max(0)) if bounds is True else bounds
            entry |= {"min": low.tolist(), "max": high.tolist()}
            if not all(map(math.isfinite, entry["min"] + entry["max"])):
                raise ValueError("the bounds of an accessor are not finite, and JSON has no such numbers")
        unused = -rows.itemsize * rows.shape[1] % 4 if target == VERTICES else 0
        raw = np.pad(rows, ((0, 0), (0, unused // rows.itemsize))).tobytes() if unused else data.tobytes()
        key = (target, component, shape, normalized, bounds is not False, raw)
        return cls(data.dtype, data.shape, target, raw, (target or 0, len(raw) // len(data)), key, entry)

    def placed(self, view: int, offset: int) -> Json:
        """The accessor as a document has it, in a buffer view at an offset."""
        place = {"bufferView": view, "byteOffset": offset} if offset else {"bufferView": view}
        return {**place, **self.entry}

    @property
    def array(self) -> npt.NDArray[Any]:
        """The elements, not to be changed."""
        filled = np.frombuffer(self.raw, self.dtype).reshape(self.shape[0], -1)
        return filled[:, : math.prod(self.shape[1:])].reshape(self.shape)


class BufferData:
    """The data of accessors, in one buffer view for each purpose and element size (see `AccessorData.view`)."""

    def __init__(self) -> None:
        self._chunks: dict[tuple[int, int], list[bytes]] = {}
        self._sizes: dict[tuple[int, int], int] = {}

    def add(self, data: AccessorData) -> int:
        """Add data; the result is its offset in its view."""
        offset = self._sizes.setdefault(data.view, 0)
        self._chunks.setdefault(data.view, []).append(data.raw)
        self._sizes[data.view] += len(data.raw)
        return offset

    def laid_out(self) -> tuple[dict[tuple[int, int], Json], bytes]:
        """The views, each from a multiple of four bytes on, and the bytes of the buffer."""
        views: dict[tuple[int, int], Json] = {}
        chunks: list[bytes] = []
        position = 0
        for (target, element), parts in self._chunks.items():
            size = self._sizes[target, element]
            stride = element if target == VERTICES else None
            place = {"byteOffset": position, "byteLength": size}
            views[target, element] = place | members(byteStride=stride, target=target or None)
            chunks += [*parts, bytes(-size % 4)]
            position += size + -size % 4
        return views, b"".join(chunks)
