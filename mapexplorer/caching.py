"""Caches of values that are computed once, also when several threads request them at the same time.

The first thread that requests a value computes it, the others wait for it; requests for different values do not wait
for each other. If the computation raises, nothing is stored.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cached_property
from threading import Lock, RLock
from typing import Any, Generic, TypeVar, overload

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


_ABSENT: Any = object()


class Cache(Generic[K, V]):
    """Values by key. The `limit` most recently requested ones are kept, by default all."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._lock = Lock()
        self._values: OrderedDict[K, V] = OrderedDict()
        self._making: dict[K, Any] = {}

    def __len__(self) -> int:
        """The number of values that are stored."""
        return len(self._values)

    def get(self, key: K, make: Callable[..., V], *arguments: object) -> V:
        """The value of a key; if it is not stored, it is computed by `make(*arguments)`."""
        if self._limit is None:
            value: V = self._values.get(key, _ABSENT)  # values are not removed, so no lock is needed
            if value is not _ABSENT:
                return value
        else:
            with self._lock:
                value = self._values.get(key, _ABSENT)
                if value is not _ABSENT:
                    self._values.move_to_end(key)
                    return value
        with self._making.setdefault(key, RLock()):
            try:
                with self._lock:
                    if key in self._values:
                        return self._values[key]
                value = make(*arguments)
                with self._lock:
                    self._values[key] = value
                    if self._limit is not None and len(self._values) > self._limit:
                        self._values.popitem(last=False)
                return value
            finally:
                self._making.pop(key, None)

    def items(self) -> list[tuple[K, V]]:
        """The keys and values that are stored."""
        with self._lock:
            return list(self._values.items())

    def clear(self) -> None:
        """Remove all values; no other thread may use the cache at the same time."""
        self._values.clear()


class shared_property(cached_property[V]):
    """A `functools.cached_property` whose function runs only once, also when several threads read it at the same
    time."""

    def __init__(self, func: Callable[[Any], V]) -> None:
        super().__init__(func)
        self._making: dict[int, Any] = {}

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> shared_property[V]: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> V: ...

    def __get__(self, instance: object | None, owner: type[Any] | None = None) -> shared_property[V] | V:
        if instance is None:
            return self
        name, kept = self.attrname, vars(instance)
        assert name is not None
        with self._making.setdefault(id(instance), RLock()):
            try:
                if name not in kept:
                    kept[name] = self.func(instance)
                value: V = kept[name]
                return value
            finally:
                self._making.pop(id(instance), None)
