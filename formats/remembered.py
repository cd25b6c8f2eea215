"""Methods that compute each result once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")


def remembered(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A method whose object keeps its results, by hashable arguments. They live as long as the object."""
    name = f"_remembered_{method.__name__}"
    defaults = getattr(method, "__kwdefaults__", None) or {}

    @functools.wraps(method)
    def result(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        known = vars(self).setdefault(name, {})
        key = (args, *{**defaults, **kwargs}.items()) if defaults or kwargs else args
        if key not in known:
            known[key] = method(self, *args, **kwargs)
        value: R = known[key]
        return value

    return result
