"""The shared libraries of an installed package, one for each level of processors, with the code of every unit.

They are in `compiled/` beside this file, with `kernels.json`: their names, and the stamp of each unit. A checkout has
none; `tools/kernel_library.py` builds them.
"""

from __future__ import annotations

import ctypes
import functools
import json
import sys
from pathlib import Path
from typing import Any

from formats.kernel.declaration import UNITS
from formats.kernel.errors import KernelError
from formats.kernel.machine import GENERIC, level

FOLDER = Path(__file__).resolve().parent / "compiled"
DESCRIPTION = "kernels.json"


@functools.cache
def _description() -> dict[str, Any]:
    try:
        description: dict[str, Any] = json.loads((FOLDER / DESCRIPTION).read_text("utf-8"))
        return description
    except (OSError, ValueError):
        return {}


def units() -> tuple[str, ...]:
    """The units in the library; none when there is no library."""
    return tuple(_description().get("units", {}))


@functools.cache
def _library() -> ctypes.CDLL:
    libraries = _description()["libraries"]
    path = FOLDER / libraries.get(level(), libraries[GENERIC])
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise KernelError(
            f"the library of compiled kernels cannot be loaded ({error}); install the program again"
        ) from None


def trusted_stamp(unit: str) -> str:
    """The stamp of a unit in the library, for a program without its sources; else empty.

    Raises KernelError when such a program has no code for the unit, because it cannot compile.
    """
    if not getattr(sys, "frozen", False):
        return ""
    if unit not in units():
        raise KernelError(f"this program lacks the compiled code of {unit}; install it again")
    return str(_description()["units"][unit])


def addresses(unit: str, stamp: str) -> dict[str, int] | None:
    """Symbol -> address of the functions of a unit; None when there is no library, or it was built from other
    sources."""
    if _description().get("units", {}).get(unit) != stamp:
        return None
    try:
        functions = {entry.symbol: getattr(_library(), entry.symbol) for entry in UNITS[unit].values()}
    except AttributeError as error:
        raise KernelError(f"the library of compiled kernels is damaged ({error}); install the program again") from None
    return {symbol: int(ctypes.cast(function, ctypes.c_void_p).value or 0) for symbol, function in functions.items()}
