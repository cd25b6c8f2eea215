"""Declared kernels: their names and types, and the entries of each module."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    import numpy.typing as npt

P = ParamSpec("P")
R = TypeVar("R")

Scalar = type[int] | type[float] | type[bool]
"""Scalars are 64 bits wide: int64, float64; a bool is 0 or 1."""


@dataclass(frozen=True)
class Array:
    """A C-contiguous array parameter: its element type, number of dimensions, and whether the kernel writes into it."""

    dtype: npt.DTypeLike
    dimensions: int = 1
    written: bool = False


def reads(dtype: npt.DTypeLike, dimensions: int = 1) -> Array:
    """An array that the kernel only reads; it may be read-only."""
    return Array(dtype, dimensions)


def writes(dtype: npt.DTypeLike, dimensions: int = 1) -> Array:
    """An array that the kernel writes into."""
    return Array(dtype, dimensions, written=True)


Parameter = Array | Scalar
Result = Scalar | tuple[type[int] | type[float], ...] | None


UNITS: dict[str, dict[str, DeclaredEntry[..., Any]]] = {}
"""Unit (the name of a module) -> the entries that it declares, by name."""

_interpreted = False


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Inside the block Python interprets kernels, except entries; for tests of single functions."""
    global _interpreted
    before, _interpreted = _interpreted, True
    try:
        yield
    finally:
        _interpreted = before


class Kernel(Generic[P, R]):
    """A function that is compiled as part of the entries that call it. `py_func` is the Python function."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.py_func = function
        functools.update_wrapper(cast(Any, self), function)

    @property
    def name(self) -> str:
        """The name within its module."""
        return self.py_func.__name__

    @property
    def module(self) -> str:
        """The name of the module that declares it."""
        return self.py_func.__module__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Interpret the function within `interpreted`. Raises TypeError elsewhere."""
        if _interpreted:
            return self.py_func(*args, **kwargs)
        raise TypeError(f"{self.module}.{self.name} can only be called by other kernels; it has no compiled code")


class DeclaredEntry(Kernel[P, R]):
    """A kernel that Python calls, with the types of its parameters and of its result."""

    def __init__(self, function: Callable[P, R], parameters: tuple[Parameter, ...], result: Result) -> None:
        super().__init__(function)
        self.parameters = parameters
        self.result = result

    @property
    def symbol(self) -> str:
        """The name of its code in a library or an object file."""
        return f"{self.module}.{self.name}".replace(".", "_")


kernel = Kernel
"""Declares a function as a kernel that other kernels call."""
