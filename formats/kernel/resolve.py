"""Finds the code of an entry: in the library of the installed package, in the cache, or by compilation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from formats.kernel import cache, library
from formats.kernel.call import bind
from formats.kernel.declaration import UNITS, DeclaredEntry
from formats.kernel.errors import NotCompiledError
from formats.kernel.stamp import functions, stamp

if TYPE_CHECKING:
    from formats.kernel.compilation import Ticket

Source = Literal["library", "cache", "compiled"]

sources: dict[str, Source] = {}
"""Unit -> where its code came from, for the units used in this process."""

_lock = threading.Lock()
_addresses: dict[str, dict[str, int]] = {}
_tickets: dict[str, Ticket] = {}
_thread = threading.local()


def never_wait() -> None:
    """Make this thread raise NotCompiledError instead of waiting for compilation."""
    _thread.never_waits = True


def code_of(entry: DeclaredEntry[..., Any], fixed: Mapping[str, Any]) -> Callable[..., Any]:
    """The function that runs an entry's code, see `call.bind`. Raises KernelError when there is none."""
    prepare([entry.module])
    return bind(entry, _addresses[entry.module][entry.symbol], fixed)


def prepare(units: Iterable[str], meanwhile: Callable[[], object] | None = None) -> None:
    """Load the code of these modules' entries, and compile what is missing, in parallel. Raises KernelError when that
    is impossible.

    `meanwhile` is called repeatedly while code is compiled; a KeyboardInterrupt that it raises stops that.
    """
    with _lock:
        missing = _load_found(units)
        # The largest units first, so that no process compiles one while the others have nothing left to do.
        missing.sort(key=lambda unit: len(functions(unit)), reverse=True)
        awaited = [ticket for unit in missing if (ticket := _find(unit)) is not None]
    if awaited and getattr(_thread, "never_waits", False):
        raise NotCompiledError(awaited)
    try:
        for ticket in awaited:
            ticket.wait(meanwhile)
    except KeyboardInterrupt:
        from formats.kernel import compilation

        compilation.stop()
        raise
    with _lock:
        for ticket in awaited:
            _find(ticket.unit)


def lacking(units: Iterable[str]) -> list[str]:
    """Load the code of these modules' entries without compiling; the result is the modules that have no code.

    Raises KernelError for code that cannot be used.
    """
    with _lock:
        return _load_found(units)


def _load_found(units: Iterable[str]) -> list[str]:
    """Load the units that have code; the result is the others."""
    wanted = list(dict.fromkeys(units))
    for unit in wanted:
        _find(unit, compiles=False)
    return [unit for unit in wanted if unit not in _addresses]


def _find(unit: str, compiles: bool = True) -> Ticket | None:
    """Load a unit if there is code for it, else return the ticket of its compilation (None unless `compiles`)."""
    if unit in _addresses:
        return None
    ticket = _tickets.get(unit)
    if ticket is not None:
        if not ticket.done():
            return ticket
        _load(unit, ticket.wait(), "compiled")
        return None
    made_from = library.trusted_stamp(unit) or stamp(unit)
    addresses = library.addresses(unit, made_from)
    if addresses is not None:
        _addresses[unit], sources[unit] = addresses, "library"
        return None
    code = cache.load(unit, made_from)
    if code is not None:
        _load(unit, code, "cache")
        return None
    if not compiles:
        return None
    from formats.kernel import compilation

    _tickets[unit] = compilation.submit(unit, made_from)
    return _tickets[unit]


def _load(unit: str, code: bytes, source: Source) -> None:
    from formats.kernel.machine_code import addresses

    _addresses[unit] = addresses(code, [entry.symbol for entry in UNITS[unit].values()])
    sources[unit] = source
