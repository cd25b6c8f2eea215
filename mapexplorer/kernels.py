"""All compiled units of the program by the modules that declare them, and their preparation before use."""

from __future__ import annotations

import contextlib
import importlib
import threading
from collections.abc import Callable, Iterable
from typing import Final

FILES: Final = ("formats.nds.display_list", "formats.nds.texels", "mapexplorer.g3d.geometry")
"""The units for reading models and their textures."""
ENGINE: Final = (
    "mapexplorer.gpu.commands",
    "mapexplorer.gpu.lighting",
    "mapexplorer.gpu.matrices",
    "mapexplorer.gpu.render",
    "mapexplorer.gpu.composition",
)
"""The units of the DS engines."""
DS_PICTURES: Final = ("formats.nds.display_list", "mapexplorer.gpu.commands", "mapexplorer.gpu.render")
"""The units for a DS picture. Weather needs `mapexplorer.gpu.composition`, too, which is compiled when weather is first
drawn, so that other pictures do not wait for it."""
EXPORTS: Final = (
    *FILES,
    "mapexplorer.export.gltf.triangles",
    "mapexplorer.export.gltf.vertices",
    "mapexplorer.gpu.lighting",
)
"""The units for an export to glTF."""
OPENGL: Final = (*FILES, "mapexplorer.opengl.blending", "mapexplorer.opengl.mesh")
"""The units for the OpenGL view."""
J3D: Final = ("formats.j3d.kernels", "mapexplorer.j3d.kernels")
WIREFRAME: Final = ("mapexplorer.scene.wireframe",)
EVERYTHING: Final = tuple(dict.fromkeys((*EXPORTS, *OPENGL, *ENGINE, *J3D, *WIREFRAME)))


_asking = threading.Lock()


def prepare(units: Iterable[str], meanwhile: Callable[[], object] | None = None) -> None:
    """Load these units, compiling missing ones in parallel; `meanwhile` is called repeatedly while they are compiled.
    Raises formats.kernel.KernelError if that is impossible."""
    from formats.kernel import resolve

    units = tuple(units)
    with _asking:
        _declare(units)
    resolve.prepare(units, meanwhile)


def prepare_ahead(units: Iterable[str], *, before: Iterable[str] = ()) -> threading.Thread:
    """Start a thread that loads these units or, if one is not compiled, queues all for compilation, first those of
    `before`. Until then no other thread prepares units. Errors are not raised here but at the first use of a unit."""
    units, before = tuple(units), tuple(before)

    def ask() -> None:
        from formats.kernel import KernelError, NotCompiledError, resolve

        resolve.never_wait()
        try:
            _declare(units)
            if resolve.lacking(units):
                _declare(before)
                for wanted in (before, units):
                    with contextlib.suppress(NotCompiledError):
                        resolve.prepare(wanted)
        except KernelError:
            pass
        finally:
            _asking.release()

    _asking.acquire()
    thread = threading.Thread(target=ask, name="kernels ahead", daemon=True)
    thread.start()
    return thread


def _declare(units: Iterable[str]) -> None:
    for unit in units:
        # The package first: another thread that imports it may wait for its module while this one waits for it.
        importlib.import_module(unit.rpartition(".")[0])
        importlib.import_module(unit)
