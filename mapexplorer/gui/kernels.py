"""Compiling the kernels beside the window, in a child process.

Compilation holds up every thread of a process for moments of a second and more. The first time that a worker of the
window would have to compile, it stops; a child process compiles everything into the cache, and the worker starts its
job anew, which then finds what it needs. Without a cache that can be written, the worker compiles after all.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from typing import Any

log = logging.getLogger("mapexplorer.gui")

_COMPILE = "from mapexplorer.gui.kernels import give_way, compile_everything; give_way(); compile_everything()"
_NICENESS = 10
_SECONDS = 900

_thread = threading.local()
_lock = threading.Lock()
_compiled = threading.Event()
_installed = False


class KernelsMissingError(BaseException):
    """A worker would have to compile: its job is to be started anew when the kernels are in the cache.

    No handler of ordinary errors must take it for one.
    """


def gate_this_thread() -> None:
    """Have this thread stop instead of compiling, until the kernels were compiled beside it once."""
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


def compile_beside() -> None:
    """Compile in a child process and wait for it; once in the life of this process, whatever comes of it."""
    with _lock:
        if _compiled.is_set():
            return
        try:
            subprocess.run(
                [sys.executable, "-c", _COMPILE], capture_output=True, timeout=_SECONDS, check=True,
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            log.warning("compiling beside the window failed, so that it may stop for moments: %s", error)
        _compiled.set()


def give_way() -> None:
    """Let the window have the processor first, where the system knows niceness; others are told at the start."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)


def compile_everything() -> None:
    """Use every kernel once, on the demo world, so that all are in the cache."""
    from dataclasses import replace

    from mapexplorer.gpu import warm
    from mapexplorer.gui.card import CellRequest
    from mapexplorer.gui.model.camera import Camera
    from mapexplorer.gui.model.explorer import first_place
    from mapexplorer.gui.model.textures import SetKey, decode
    from mapexplorer.gui.stage import ALL_CLIPS
    from mapexplorer.gui.studio import FrameRequest, Studio
    from mapexplorer.rom import open_rom
    from mapexplorer.scene.spot import default_spot

    warm()
    studio = Studio(open_rom("demo"))
    header = first_place(studio.world)
    place = studio.world.place(header)
    spot = default_spot(place)
    camera = Camera().looking_at((spot[0] * 16.0, 0.0, spot[1] * 16.0))
    layers = frozenset(("terrain", "props", "people"))
    request = FrameRequest(header, spot, camera, 43200, 0, True, layers)
    frame = studio.frame(replace(request, wireframe=0.5))
    studio.why(request, 128, 96)
    studio.overlay(header, frame.cells)
    for key in (SetKey(True, place.terrain_set().value), SetKey(False, place.prop_set().value)):
        decode(studio.world, header, key)
    for cell in place.cells:
        studio.card.cell(CellRequest(cell.matrix, None, (cell.x, cell.z), header=header))
        for prop in place.props(cell):
            studio.model_picture(header, prop.model, 0.0, 0, ALL_CLIPS)
    studio.card.people(request)
