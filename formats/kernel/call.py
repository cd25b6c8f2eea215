"""Calls machine code with Python's arguments.

Compiled code takes one pointer to 64-bit words: first RESULTS words for its results, then the arguments: an array
as its address and its lengths, a scalar as its bits. There are no strides, since arrays are C-contiguous.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from formats.kernel.declaration import Array, DeclaredEntry

RESULTS = 8
"""The number of words for results; every entry returns fewer values."""
FAILED = RESULTS - 1
"""The index of the word that is not 0 when the code raised an error."""

_FORMATS = {int: "q", bool: "q", float: "d"}
_C_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400
"""The bits of numpy's `flags.num`."""
_POINTER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_HEADER = object.__basicsize__
_pointer_at = ctypes.c_void_p.from_address


def bind(entry: DeclaredEntry[..., Any], address: int, fixed: Mapping[str, Any]) -> Callable[..., Any]:
    """A function that runs the code at `address`, without the GIL. It takes the arguments of `entry` in order, except
    the arrays in `fixed`, which it keeps. Raises TypeError for arrays that are not of the entry's types."""
    run = _POINTER(address)
    names = entry.py_func.__code__.co_varnames
    parameters = dict(zip(names, entry.parameters, strict=False))
    checks = {name: _check(entry, name, kind) for name, kind in parameters.items() if isinstance(kind, Array)}
    words: list[Any] = [0] * RESULTS
    free: list[tuple[int, Callable[[Any], tuple[int, ...]] | None, int]] = []
    form = "q" * RESULTS
    for name, kind in parameters.items():
        length = 1 + kind.dimensions if isinstance(kind, Array) else 1
        form += "q" * length if isinstance(kind, Array) else _FORMATS[kind]
        if name in fixed:
            words += checks[name](fixed[name])
        else:
            free.append((len(words), checks.get(name), length))
            words += [0] * length
    frame = struct.Struct("=" + form)
    pack, character = frame.pack, ctypes.c_char.from_buffer
    result = entry.result
    result_kinds = result if isinstance(result, tuple) else () if result is None else (result,)
    unpack = struct.Struct("=" + "".join(_FORMATS[kind] for kind in result_kinds)).unpack_from
    kept = tuple(fixed.values())

    checked = [check for _, check, _ in free]

    def call(*arguments: Any) -> Any:
        if kept:
            values = words.copy()
            for (place, check, length), argument in zip(free, arguments, strict=True):
                if check is None:
                    values[place] = argument
                else:
                    values[place : place + length] = check(argument)
        else:  # most calls: the arguments follow each other
            values = [0] * RESULTS
            for check, argument in zip(checked, arguments, strict=True):
                if check is None:
                    values.append(argument)
                else:
                    values += check(argument)
        buffer = bytearray(pack(*values))
        run(ctypes.addressof(character(buffer)))
        if buffer[8 * FAILED]:
            raise RuntimeError(f"the kernel {entry.name} raised an error")
        if result is None:
            return None
        results = unpack(buffer)
        if isinstance(result, tuple):
            return results
        return results[0] != 0 if result is bool else results[0]

    call.kept = kept  # type: ignore[attr-defined]
    return call


def _address(array: Any) -> int:
    """Where the elements of an array are. Its C structure begins with the header of an object and this pointer (numpy's
    C API, PyArrayObject_fields); numpy's attributes for it take eight times as long, longer than many kernels."""
    return _pointer_at(id(array) + _HEADER).value or 0


def _check(entry: DeclaredEntry[..., Any], name: str, kind: Array) -> Callable[[Any], tuple[int, ...]]:
    """A function of an array: its address and its lengths."""
    wanted, dimensions, written = np.dtype(kind.dtype), kind.dimensions, kind.written
    needed = _C_CONTIGUOUS | _ALIGNED | (_WRITEABLE if written else 0)

    def words(array: Any) -> tuple[int, ...]:
        flags = array.flags
        if array.dtype != wanted or array.ndim != dimensions or flags.num & needed != needed:
            form = "writable, C-contiguous" if written else "C-contiguous"
            raise TypeError(
                f"{entry.name} takes as {name} a {form} {wanted} array of {dimensions} dimensions, not {array.dtype} "
                f"{array.shape} with strides {array.strides}{'' if flags.writeable else ', read-only'}"
            )
        return (_address(array), *array.shape)

    return words
