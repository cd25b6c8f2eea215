"""Loads object files into this process with LLVM's in-memory linker."""

from __future__ import annotations

import contextlib
import functools
import threading
from typing import Any

from formats.kernel.errors import KernelError

_lock = threading.Lock()
_kept: list[Any] = []


@functools.cache
def _target() -> Any:
    import llvmlite.binding as llvm

    for name in ("initialize", "initialize_native_target", "initialize_native_asmprinter"):
        with contextlib.suppress(AttributeError, RuntimeError):  # newer releases raise an error
            getattr(llvm, name)()
    return llvm.Target.from_default_triple()


def addresses(code: bytes, symbols: list[str]) -> dict[str, int]:
    """Load an object file: symbol -> address. It stays loaded until the process ends."""
    import llvmlite.binding as llvm

    with _lock:
        target = _target()
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target.create_target_machine())
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        address_of = {symbol: int(engine.get_function_address(symbol)) for symbol in symbols}
        _kept.append(engine)
    missing = [symbol for symbol, address in address_of.items() if not address]
    if missing:
        raise KernelError(f"compiled code lacks {missing[0]}")
    return address_of
