"""Kernels that Python calls: the decorator, and the class that calls their machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from formats.kernel.declaration import UNITS, DeclaredEntry, Parameter, Result

if TYPE_CHECKING:
    import numpy.typing as npt

P = ParamSpec("P")
R = TypeVar("R")


class KernelEntry(DeclaredEntry[P, R]):
    """A kernel that Python calls: with positional arguments of exactly the types of its `parameters`.

    Raises TypeError for arrays of another type, number of dimensions or layout, and KernelError when there is no code
    for this machine.
    """

    def __init__(self, function: Callable[P, R], parameters: tuple[Parameter, ...], result: Result) -> None:
        super().__init__(function, parameters, result)
        self._code: Callable[..., Any] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled code."""
        if self._code is None:
            self._code = self.bound()
        return cast(R, self._code(*args, **kwargs))

    def bound(self, **arrays: npt.NDArray[Any]) -> Callable[..., R]:
        """A function of the remaining arguments, with these arrays bound. They are checked only once, which makes calls
        faster; their memory must not move."""
        from formats.kernel.resolve import code_of

        return code_of(self, arrays)


def entry(*, returns: Result = None, **parameters: Parameter) -> Callable[[Callable[P, R]], KernelEntry[P, R]]:
    """Declare a kernel that Python calls, with the types of its parameters, in order, and of its result."""

    def declare(function: Callable[P, R]) -> KernelEntry[P, R]:
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        if names != tuple(parameters):
            raise TypeError(f"{function.__name__} has the parameters {names}, its entry declares {tuple(parameters)}")
        made = KernelEntry(function, tuple(parameters.values()), returns)
        UNITS.setdefault(made.module, {})[made.name] = made
        return made

    return declare
