"""Values by key that a worker makes, requested as widgets want them."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError
from typing import Any, Final, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

Take = Callable[[V], None]
Fail = Callable[[BaseException], None]
Load = Callable[[K, Any, Take[V], Fail], object]
"""Requests a key in a version; calls one of the two functions later, in the window's thread. Returns None if nothing
can be requested now."""
_NEVER: Final = object()
"""The version of what was never made."""


class Loader(Generic[K, V]):
    """Requests keys in the order in which they are wanted, at most `at_once` at a time, and keeps the values.

    A key is wanted in a version: what is kept in another one is outdated, but is returned until the new value arrives.
    A key that failed is not requested again in the same version. `arrived` gets each key with its version and value,
    None for a failure.

    The values that were not used for the longest time are dropped when the sum of their sizes exceeds `budget`. None:
    no value is kept, because `arrived` takes it; the loader knows which versions there are.
    """

    def __init__(
        self,
        load: Load[K, V],
        arrived: Callable[[K, Any, V | None], None],
        *,
        at_once: float = math.inf,
        budget: float | None = math.inf,
        size: Callable[[V], float] = lambda value: 1.0,
    ) -> None:
        self._load, self._arrived = load, arrived
        self._at_once, self._budget, self._size = at_once, budget, size
        self._wanted: dict[object, OrderedDict[K, Any]] = {}
        """What each owner wants and is not there, in its order; the owner that asked last comes last."""
        self._in_flight: dict[K, tuple[Any]] = {}
        """The last request for each key, with its version."""
        self._postponed: set[K] = set()
        self._versions: dict[K, Any] = {}
        """Those that are there or failed."""
        self._values: OrderedDict[K, V] = OrderedDict()
        self._used = 0.0

    @property
    def keys(self) -> frozenset[K]:
        """The keys that are there, in whatever version."""
        return frozenset(self._versions)

    @property
    def known(self) -> frozenset[K]:
        """The keys that are there or in flight."""
        return self.keys | frozenset(self._in_flight)

    def get(self, key: K) -> V | None:
        """The value of a key as it was made last; None for one that is not kept."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def complete(self, owner: object = None) -> bool:
        """Whether everything that an owner wants is there or failed."""
        return not self._wanted.get(owner)

    def want(self, versions: Mapping[K, Any], owner: object = None) -> None:
        """Set which keys an owner wants, in which versions and which order. What it no longer wants is not requested,
        and what the last owner wants is requested first."""
        self._wanted.pop(owner, None)
        self._wanted[owner] = OrderedDict((key, versions[key]) for key in versions if self._lacks(key, versions[key]))
        self._go_on()

    def want_first(self, key: K, owner: object = None) -> None:
        """Want one more key, before the others of the owner."""
        if self._lacks(key, None):
            wanted = self._wanted.setdefault(owner, OrderedDict())
            wanted[key] = None
            wanted.move_to_end(key, last=False)
            self._go_on()

    def want_nothing(self) -> None:
        """Request nothing further for any owner."""
        self._wanted.clear()

    def postpone(self, key: K) -> None:
        """The request for a key waits for something else: until its answer it does not count among those at once, and
        another version is requested in its place."""
        if key in self._in_flight:
            self._postponed.add(key)
            self._go_on()

    def drop(self, keys: Iterable[K]) -> None:
        """Forget keys and what was requested of them."""
        for key in keys:
            self._versions.pop(key, None)
            self._in_flight.pop(key, None)
            self._postponed.discard(key)
            self._remove(key)

    def clear(self) -> None:
        """Forget everything, also what is in flight."""
        self.drop(self.known)
        self._wanted.clear()

    def _lacks(self, key: K, version: Any) -> bool:
        return bool(self._versions.get(key, _NEVER) != version)

    def _go_on(self) -> None:
        """Request what is wanted next."""
        for wanted in reversed(list(self._wanted.values())):
            for key, version in list(wanted.items()):
                if len(self._in_flight) - len(self._postponed) >= self._at_once:
                    return
                if self._in_flight.get(key) != (version,):
                    self._request(key, version)

    def _request(self, key: K, version: Any) -> None:
        request = (version,)

        def end() -> bool:
            """Whether this is still the last request for the key, which is over now."""
            last = self._in_flight.get(key) is request
            if last:
                del self._in_flight[key]
                self._postponed.discard(key)
            return last

        def take(value: V) -> None:
            if end():
                self._settle(key, version)
                self._keep(key, value)
                self._arrived(key, version, value)
                self._go_on()

        def fail(error: BaseException) -> None:
            if end():
                if not isinstance(error, CancelledError):
                    self._settle(key, version)
                    self._arrived(key, version, None)
                self._go_on()

        self._in_flight[key] = request
        if self._load(key, version, take, fail) is None:
            end()

    def _settle(self, key: K, version: Any) -> None:
        self._versions[key] = version
        for wanted in self._wanted.values():
            if wanted.get(key, _NEVER) == version:
                del wanted[key]

    def _keep(self, key: K, value: V) -> None:
        self._remove(key)
        if self._budget is not None:
            self._values[key] = value
            self._used += self._size(value)
            while self._used > self._budget:
                oldest = next(iter(self._values))
                self._remove(oldest)
                del self._versions[oldest]

    def _remove(self, key: K) -> None:
        value = self._values.pop(key, _NEVER)
        if value is not _NEVER:
            self._used -= self._size(value)  # type: ignore[arg-type]
