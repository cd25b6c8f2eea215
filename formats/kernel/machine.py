"""Which processors code is made for: two levels of x86-64, one of every other kind."""

from __future__ import annotations

import functools
import platform
import sys
from importlib import import_module

GENERIC = "generic"
AVX2 = "avx2"

FEATURES = {GENERIC: "", AVX2: "+avx,+avx2"}
"""Level -> what LLVM may use beyond the generic processor of a kind. None of it changes a result."""


@functools.cache
def level() -> str:
    """The highest level that this processor has, as far as numpy knows it."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return GENERIC
    for module in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        try:
            return AVX2 if import_module(module).__cpu_features__.get("AVX2") else GENERIC
        except (ImportError, AttributeError):
            continue
    return GENERIC


@functools.cache
def name() -> str:
    """System, kind of machine and level: what code can be shared between."""
    return f"{sys.platform}-{platform.machine()}-{level()}".lower()
