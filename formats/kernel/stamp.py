"""The hash of everything that the machine code of a unit depends on: the source of its functions and their constants.

It does not include paths, times or the versions of Python and numba, so it is the same on every machine.
"""

from __future__ import annotations

import functools
import hashlib
import linecache
import os
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from formats.kernel.declaration import UNITS, Array, DeclaredEntry, Kernel

CALLING_CONVENTION = 2
"""The version of the calling convention of `call` and `compiler`."""

BOUNDS_VARIABLE = "MAPEXPLORER_KERNEL_BOUNDS"
"""The environment variable that, set to 1, has kernels compiled with checks of every index: an access outside an array
is an error of the kernel. For tests; the code is several times slower."""


def checks_bounds() -> bool:
    """Whether the code of this process checks indices."""
    return os.environ.get(BOUNDS_VARIABLE) == "1"


def functions(unit: str) -> dict[str, Kernel[..., Any]]:
    """The entries of a unit and all kernels that they call, by qualified name in sorted order."""
    kernels: dict[str, Kernel[..., Any]] = {}
    waiting: list[Kernel[..., Any]] = list(UNITS[unit].values())
    while waiting:
        kernel = waiting.pop()
        name = f"{kernel.module}.{kernel.name}"
        if name not in kernels:
            kernels[name] = kernel
            waiting += [value for _, value in _names(kernel) if isinstance(value, Kernel)]
    return dict(sorted(kernels.items()))


def stamp(unit: str) -> str:
    """The hash of a unit: 64 hexadecimal digits. Raises OSError when the source of a function cannot be read."""
    digest = hashlib.sha256(f"{CALLING_CONVENTION}{' checks bounds' if checks_bounds() else ''}\n".encode())
    for name, kernel in functions(unit).items():
        digest.update(f"{name}\n{_source(kernel)}\n".encode())
        for constant, value in _names(kernel):
            digest.update(f"{constant}=".encode() + _bytes(value) + b"\n")
    for name, entry in sorted(UNITS[unit].items()):
        digest.update(f"{name}{_types_text(entry)}\n".encode())
    return digest.hexdigest()


def _names(kernel: Kernel[..., Any]) -> Iterator[tuple[str, Any]]:
    """The global names that a function uses, and the attributes of our modules among them, with their values."""
    names = sorted(kernel.py_func.__code__.co_names)
    known = kernel.py_func.__globals__
    packages = ("formats", kernel.module.partition(".")[0])
    for name in names:
        value = known.get(name)
        if isinstance(value, ModuleType):
            if value.__name__.partition(".")[0] in packages:
                yield from ((f"{name}.{inner}", getattr(value, inner)) for inner in names if hasattr(value, inner))
        else:
            yield name, value


def _bytes(value: Any) -> bytes:
    """A constant as bytes; any other value gives the same bytes."""
    if isinstance(value, Kernel):
        return b"kernel"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.shape}".encode() + value.tobytes()
    if isinstance(value, np.generic):
        return f"{value.dtype.str}{value.item()!r}".encode()
    if isinstance(value, tuple):
        return b"(" + b",".join(map(_bytes, value)) + b")"
    return repr(value).encode() if isinstance(value, int | float | str) else b"-"


def _types_text(entry: DeclaredEntry[..., Any]) -> str:
    parameters = [
        f"{np.dtype(p.dtype).descr}{p.dimensions}" if isinstance(p, Array) else p.__name__ for p in entry.parameters
    ]
    result = entry.result if isinstance(entry.result, tuple) else (entry.result,)
    return f"{parameters} -> {[r.__name__ if r else '' for r in result]}"


def _source(kernel: Kernel[..., Any]) -> str:
    """The source of a function, from `def` to its last line."""
    try:
        return _blocks(kernel.module)[kernel.name]
    except KeyError:
        raise OSError(f"the text of {kernel.module}.{kernel.name} cannot be read") from None


@functools.cache
def _blocks(module: str) -> dict[str, str]:
    found_in = sys.modules[module]
    text = "".join(linecache.getlines(found_in.__file__ or "", vars(found_in)))
    # A function ends before the next line without indentation, except the `)` that closes its parameters.
    parts = re.split(r"\n(?=[^\s)])", text)
    matches = ((re.match(r"def (\w+)\(", part), part) for part in parts)
    return {match.group(1): part.rstrip() for match, part in matches if match}
