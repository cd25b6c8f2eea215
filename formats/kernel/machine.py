"""The processors that code is compiled for: two levels of x86-64, one of every other architecture."""

from __future__ import annotations

import functools
import platform
import sys
from importlib import import_module

GENERIC = "generic"
AVX2 = "avx2"

FEATURES = {GENERIC: "", AVX2: "+avx,+avx2"}
"""Level -> the LLVM features beyond the generic processor of an architecture. They do not change results."""


@functools.cache
def level() -> str:
    """The highest level that this processor supports, as numpy detects it."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return GENERIC
    try:
        return AVX2 if import_module("numpy._core._multiarray_umath").__cpu_features__.get("AVX2") else GENERIC
    except (ImportError, AttributeError):
        return GENERIC


@functools.cache
def name() -> str:
    """System, architecture and level; code can be shared between machines for which these are equal."""
    return f"{sys.platform}-{platform.machine()}-{level()}".lower()
