"""Compiling the kernels beside the window, in a child process.

Compilation holds up every thread of a process for moments of a second and more. A worker of the window that would
have to compile puts its job aside; a child process compiles into the cache, first what reading files needs, then what
drawing needs, and after each part the jobs that were put aside are tried again. Without a cache that can be written,
workers compile after all.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

log = logging.getLogger("mapexplorer.gui")

_COMPILE = "from mapexplorer.gui.kernels import give_way, compile_everything; give_way(); compile_everything()"
_PART = "part done"
_NICENESS = 10
_SECONDS = 900

_thread = threading.local()
_lock = threading.Lock()
_compiled = threading.Event()
_waiting: list[Callable[[], None]] = []
_started = False
_installed = False


class KernelsMissingError(BaseException):
    """A worker would have to compile: its job is to be started anew when the kernels are in the cache.

    No handler of ordinary errors must take it for one.
    """


def gate_this_thread() -> None:
    """Have this thread raise KernelsMissingError instead of compiling, until all kernels were compiled beside it."""
    _thread.gated = True


def install() -> None:
    """Watch for compilation. Imports numba."""
    global _installed
    from formats import kernel

    if _installed or not kernel.CACHED:
        return
    from numba.core import event

    class Gate(event.Listener):
        def on_start(self, event: Any) -> None:
            if getattr(_thread, "gated", False) and not _compiled.is_set():
                raise KernelsMissingError

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Gate())
    _installed = True


def compile_beside(again: Callable[[], None]) -> None:
    """Have a child process compile, once in the life of this process whatever comes of it. `again` is called from
    another thread when the next part is in the cache; at once when all is."""
    global _started
    with _lock:
        if not _compiled.is_set():
            _waiting.append(again)
            if not _started:
                _started = True
                threading.Thread(target=_compile, name="kernels", daemon=True).start()
            return
    again()


def _compile() -> None:
    problem = ""
    try:
        child = subprocess.Popen(
            [sys.executable, "-c", _COMPILE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
        )  # fmt: skip
        limit = threading.Timer(_SECONDS, child.kill)
        limit.daemon = True
        limit.start()
        assert child.stdout is not None
        for line in child.stdout:
            if line.strip() == _PART:
                _call_waiting()
        problem = f"status {child.wait()}" if child.wait() else ""
        limit.cancel()
    except OSError as error:
        problem = str(error)
    if problem:
        log.warning("compiling beside the window failed, so that it may stop for moments: %s", problem)
    with _lock:
        _compiled.set()
    _call_waiting()


def _call_waiting() -> None:
    with _lock:
        called = _waiting[:]
        _waiting.clear()
    for again in called:
        again()


def give_way() -> None:
    """Let the window have the processor first, where the system knows niceness; others are told at the start."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)


def compile_everything() -> None:
    """Use every kernel once, on the demo world, so that all are in the cache; says when those that read files are."""
    from dataclasses import replace

    from mapexplorer.gpu import warm
    from mapexplorer.gui.card import CellRequest
    from mapexplorer.gui.model.camera import Camera
    from mapexplorer.gui.model.describe import describe
    from mapexplorer.gui.model.explorer import first_place
    from mapexplorer.gui.model.subject import subject
    from mapexplorer.gui.model.textures import SetKey, decode
    from mapexplorer.gui.stage import ALL_CLIPS
    from mapexplorer.gui.studio import FrameRequest, Studio
    from mapexplorer.rom import open_rom
    from mapexplorer.scene.spot import default_spot

    studio = Studio(open_rom("demo"))
    header = first_place(studio.world)
    place = studio.world.place(header)
    describe(studio.world, header, subject("header", header))
    studio.overlay(header, tuple((cell.x, cell.z) for cell in place.cells))
    for key in (SetKey(True, place.terrain_set().value), SetKey(False, place.prop_set().value)):
        decode(studio.world, header, key)
    print(_PART, flush=True)
    warm()
    spot = default_spot(place)
    camera = Camera().looking_at((spot[0] * 16.0, 0.0, spot[1] * 16.0))
    layers = frozenset(("terrain", "props", "people"))
    request = FrameRequest(header, spot, camera, 43200, 0, True, layers)
    studio.frame(replace(request, wireframe=0.5))
    studio.why(request, 128, 96)
    for cell in place.cells:
        studio.card.cell(CellRequest(cell.matrix, None, (cell.x, cell.z), header=header))
        for prop in place.props(cell):
            studio.model_picture(header, prop.model, 0.0, 0, ALL_CLIPS)
    studio.card.people(request)
