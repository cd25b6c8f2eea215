"""Compilation of the engine's kernels: saying so when it happens, and doing it ahead.

Kernels are compiled when they are first used on a computer, which takes a while, and are then kept in a cache.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from numba.core import event

log = logging.getLogger("mapexplorer.gpu")

_ROOM = "mapexplorer.gpu."


class _Announcer(event.Listener):  # type: ignore[misc]
    def __init__(self) -> None:
        self.said = False
        self.callbacks: list[Callable[[str], None]] = []

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if not function.__module__.startswith(_ROOM):
            return
        if not self.said and not self.callbacks:
            log.warning("compiling the 3D engine for this computer: once, for about a minute")
        self.said = True
        for callback in self.callbacks:
            callback(f"{function.__module__.removeprefix(_ROOM)}: {function.__name__}")

    def on_end(self, event: Any) -> None:
        pass


_announcer = _Announcer()
event.register("numba:compile", _announcer)


def on_compile(callback: Callable[[str], None]) -> Callable[[], None]:
    """Have `callback` called with the name of every kernel of the engine that has to be compiled, when that begins.

    Without a callback the first compilation is logged as a warning. The result ends the calls. It is called in the
    thread that draws, while that waits.
    """
    _announcer.callbacks.append(callback)
    return lambda: _announcer.callbacks.remove(callback)


def warm(progress: Callable[[str, int, int], None] | None = None) -> None:
    """Compile everything in the engine that is not in the cache yet.

    `progress(what, done, total)` is called before each step.
    """
    import numpy as np

    from formats.nds import gx
    from mapexplorer.gpu.engine import Engine
    from mapexplorer.gpu.lighting import light_vertices
    from mapexplorer.gpu.test_commands import box_test

    engine = Engine()
    identity = [0x1000 if i % 5 == 0 else 0 for i in range(16)]
    words = np.zeros(4, np.uint32)
    steps: list[tuple[str, Callable[[], object]]] = [
        ("geometry commands", lambda: engine.execute([gx.END_VTXS])),
        ("rasterisation", lambda: engine.pixel_history(0, 0)),
        ("frames", lambda: engine.execute([gx.SWAP_BUFFERS, 0])),
        ("matrices", lambda: engine.geometry),
        ("display lists", lambda: engine.execute_packed(bytes(4))),
        ("box test", lambda: box_test(identity, identity, (0, 0, 0, 0, 0, 0))),
        ("vertex lighting", lambda: light_vertices(words, identity, words, words, [0] * 13, 0, [0] * 128)),
    ]
    for done, (what, step) in enumerate(steps):
        if progress is not None:
            progress(what, done, len(steps))
        step()
