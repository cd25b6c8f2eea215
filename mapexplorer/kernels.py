"""All compiled units of the program by the modules that declare them, and getting them ready ahead of their use."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Final

FILES: Final = ("formats.nds.display_list", "formats.nds.texels", "mapexplorer.g3d.geometry")
"""What reading models and their textures takes."""
ENGINE: Final = (
    "mapexplorer.gpu.commands",
    "mapexplorer.gpu.lighting",
    "mapexplorer.gpu.matrices",
    "mapexplorer.gpu.render",
    "mapexplorer.gpu.test_commands",
)
"""What the DS 3D engine consists of."""
DS_PICTURES: Final = ("formats.nds.display_list", "mapexplorer.gpu.commands", "mapexplorer.gpu.render")
"""What a DS picture takes."""
EXPORTS: Final = (*FILES, "mapexplorer.export.gltf.vertices", "mapexplorer.gpu.lighting")
"""What an export to glTF takes."""
OPENGL: Final = (*FILES, "mapexplorer.opengl.blending", "mapexplorer.opengl.mesh")
"""What the OpenGL view takes."""
J3D: Final = ("formats.j3d.kernels", "mapexplorer.j3d.kernels")
RARE: Final = ("mapexplorer.gpu.history", "mapexplorer.scene.wireframe")
EVERYTHING: Final = tuple(dict.fromkeys((*EXPORTS, *OPENGL, *ENGINE, *J3D, *RARE)))


def prepare(units: Iterable[str]) -> None:
    """See that these units are compiled, at the same time. Raises formats.kernel.KernelError where that cannot be."""
    from formats.kernel import resolve

    units = tuple(units)
    for unit in units:
        importlib.import_module(unit)
    resolve.prepare(units)


def prepare_everything(progress: Callable[[int, int], None] | None = None) -> None:
    """Have every kernel of the program compiled. `progress(done, total)` counts functions; it is not called when
    nothing has to be compiled."""
    from formats.kernel.progress import observe

    end = observe(lambda state: progress(state.done, state.total)) if progress is not None else None
    try:
        prepare(EVERYTHING)
    finally:
        if end is not None:
            end()
