"""`FieldRenderer`: the field in the current OpenGL 3.3 context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ctypes import c_void_p
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.batches import Batch, ViewBatches, view_batches
from mapexplorer.opengl.buffers import GrowingBuffer, WordBuffer
from mapexplorer.opengl.camera import CameraMatrices, narrowed
from mapexplorer.opengl.edges import EdgeMarker, lay_over
from mapexplorer.opengl.errors import GlError
from mapexplorer.opengl.fog_mask import FogMask
from mapexplorer.opengl.gl import GL
from mapexplorer.opengl.gpu_resources import GpuResources
from mapexplorer.opengl.mesh import VERTEX
from mapexplorer.opengl.overlay_store import OverlayStore
from mapexplorer.opengl.overlays import OverlayMesh
from mapexplorer.opengl.picking import Pick, PickTarget
from mapexplorer.opengl.prepare import LAYERS, Prepared, Preparer
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import FIELD_VERTEX, PICK_FRAGMENT, SCREEN_VERTEX, VEIL_FRAGMENT, field_fragment
from mapexplorer.opengl.state import FrameState
from mapexplorer.opengl.uniforms import set_fog, set_view
from mapexplorer.opengl.weather import WeatherLayers
from mapexplorer.world.cells import Cell
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.place import FieldPlace

_TEXELS_NEEDED: Final = 1 << 23
"""Texels of a buffer texture: several times those of the largest matrix."""

_DRAWN: Final = 0x80
_BLENDED: Final = 0x40
_SHARED, _SOUP = range(2)


@dataclass(frozen=True)
class Counts:
    """Statistics of the last picture: visible instances, draw calls, triangles."""

    instances: int = 0
    calls: int = 0
    triangles: int = 0


class FieldRenderer:
    """Draws cells, people and overlays into a framebuffer with depth and stencil.

    Every method needs the context that was current in `initialize`, except those of `Preparer` and `overlays`, which
    make what is added here and may run in other threads.
    """

    def __init__(self) -> None:
        self.counts = Counts()
        self._ready = False
        self._camera: CameraMatrices | None = None
        self._seen: tuple[Any, ...] = ()
        self._batches: ViewBatches | None = None

    # --- initialization and release

    def initialize(self) -> None:
        """Compile the shaders and make the buffers. Raises GlError when the context is not 3.3 or better."""
        version = (int(GL.glGetIntegerv(GL.GL_MAJOR_VERSION)), int(GL.glGetIntegerv(GL.GL_MINOR_VERSION)))
        if version < (3, 3):
            raise GlError(f"OpenGL 3.3 is needed; the driver offers {version[0]}.{version[1]}")
        texels = int(GL.glGetIntegerv(GL.GL_MAX_TEXTURE_BUFFER_SIZE))
        if texels < _TEXELS_NEEDED:
            raise GlError(f"buffer textures of {_TEXELS_NEEDED} texels are needed; the driver offers {texels}")
        self._programs = {
            (blended, fog): Program(FIELD_VERTEX, field_fragment(blended=blended, fog=fog))
            for blended in (False, True)
            for fog in (False, True)
        }
        self._pick = Program(FIELD_VERTEX, PICK_FRAGMENT)
        self._veil = Program(SCREEN_VERTEX, VEIL_FRAGMENT)
        self.residence = GpuResources()
        self.overlays = OverlayStore()
        self._visible = WordBuffer(4, GL.GL_R32UI)
        self._elements = GrowingBuffer(4)
        self._arrays = [int(name) for name in np.atleast_1d(GL.glGenVertexArrays(2))]
        residence = self.residence
        for array, vertices, elements in (
            (self._arrays[_SHARED], residence.vertices, residence.indices),
            (self._arrays[_SOUP], residence.blended_vertices, self._elements),
        ):
            _describe(array, vertices, elements)
        self._picks = PickTarget()
        self._edges: EdgeMarker | None = None
        self._fog_mask: FogMask | None = None
        self._masked = False
        self._weather: WeatherLayers | None = None
        self._ready = True

    def release(self) -> None:
        """Delete all OpenGL objects."""
        if not self._ready:
            return
        self._ready = False
        for program in self._programs.values():
            program.release()
        for part in (
            self._pick,
            self._veil,
            self.residence,
            self.overlays,
            self._visible,
            self._elements,
            self._picks,
        ):
            part.release()
        if self._edges is not None:
            self._edges.release()
        if self._weather is not None:
            self._weather.release()
        if self._fog_mask is not None:
            self._fog_mask.release()
        GL.glDeleteVertexArrays(2, self._arrays)

    # --- contents

    def load(self, place: FieldPlace, cells: Iterable[Cell] | None = None, *, preparer: Preparer | None = None) -> None:
        """Add cells of a place, by default its own, all at once. `Preparer` and `add` do the same piece by piece."""
        preparer = preparer or Preparer(place)
        for cell in place.cells if cells is None else cells:
            self.add(preparer.cell(cell), place.world)

    def add(self, prepared: Prepared, world: WorldFiles | None = None) -> None:
        """Upload a prepared cell or the people, replacing a group with the same key."""
        self.residence.add(prepared, world)

    def add_overlay(self, overlay: OverlayMesh) -> None:
        """Upload an overlay of a cell, replacing that of the same layer and cell."""
        self.overlays.add(overlay)

    def remove(self, keys: Iterable[object]) -> None:
        """Remove groups and the overlays with the same keys."""
        keys = list(keys)
        self.residence.remove(keys)
        self.overlays.remove(keys)

    def clear(self) -> None:
        """Remove all contents."""
        self.residence.clear()
        self.overlays.clear()
        if self._weather is not None:
            self._weather.clear()
        self._camera = None

    # --- drawing

    def draw(self, framebuffer: int, width: int, height: int, camera: CameraMatrices, state: FrameState) -> None:
        """Draw a picture into a framebuffer object, from its lower left corner on."""
        batches = self._look(camera, height)
        self.residence.animate(state.tick, batches.shown)
        GL.glViewport(0, 0, width, height)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LESS)
        GL.glColorMask(True, True, True, True)
        GL.glDepthMask(True)
        self._masked = False
        if state.fog is not None and batches.fogless and state.wireframe < 1:
            self._mask_fog(width, height, camera, state, batches)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glStencilMask(0xFF)
        GL.glClearColor(*state.background, 1.0 if state.sky is None else 0.0)
        GL.glClearDepth(1.0)
        GL.glClearStencil(0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LESS)
        if state.wireframe < 1:
            self._bind(self._programs[False, state.fog is not None], camera, state)
            self._opaque(batches, state)
            if state.edge_colors is not None:
                self._mark_edges(framebuffer, width, height, camera, state, batches)
            self._blend(batches, camera, state)
        if state.wireframe > 0:
            self._edges_of_polygons(batches, camera, state)
        if state.sky is not None:
            self._weather = self._weather or WeatherLayers()
            self._weather.draw_sky(state.sky, width, height)
        if state.weather is not None:
            self._weather = self._weather or WeatherLayers()
            self._weather.draw(state.weather, width, height)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDepthMask(True)
        self.overlays.draw(camera, state.opacity)
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glDepthFunc(GL.GL_LESS)
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        self.counts = Counts(int(batches.shown.sum()), batches.calls, batches.triangles)

    def _mask_fog(
        self, width: int, height: int, camera: CameraMatrices, state: FrameState, batches: ViewBatches
    ) -> None:
        """Draw and bind the mask of the pixels without fog."""
        mask = self._fog_mask = self._fog_mask or FogMask()

        def opaque() -> None:
            self._bind(self._programs[False, False], camera, state)
            GL.glBindVertexArray(self._arrays[_SHARED])
            self._run([batch for batch in batches.opaque if state.opacity.get(LAYERS[batch.layer], 1.0) >= 1.0])

        def blended() -> None:
            self._bind(mask.program, camera, state)
            GL.glUniform1i(self._current.place("u_first"), -1)
            GL.glBindVertexArray(self._arrays[_SOUP])
            GL.glDisable(GL.GL_CULL_FACE)
            GL.glDrawElements(GL.GL_TRIANGLES, len(batches.elements), GL.GL_UNSIGNED_INT, c_void_p(0))

        mask.draw(width, height, opaque, blended)
        mask.bind()
        self._masked = True

    def _edges_of_polygons(self, batches: ViewBatches, camera: CameraMatrices, state: FrameState) -> None:
        """Fade the picture and draw all polygon edges over it."""
        if state.wireframe < 1:
            GL.glDisable(GL.GL_DEPTH_TEST)
            GL.glDisable(GL.GL_STENCIL_TEST)
            self._veil.use()
            GL.glUniform4f(self._veil.place("u_color"), *state.background, state.wireframe)
            lay_over()
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE)
        self._bind(self._programs[False, state.fog is not None], camera, state)
        self._opaque(batches, state)
        self._blend(batches, camera, state)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _look(self, camera: CameraMatrices, height: int) -> ViewBatches:
        self.residence.update()
        seen = (self.residence.version, height)
        if self._batches is None or seen != self._seen or not camera.same(self._camera):
            self._batches = self._sort(camera, height)
            self._camera, self._seen = camera, seen
        return self._batches

    def _sort(self, camera: CameraMatrices, height: int) -> ViewBatches:
        offsets = self.residence.place(camera)
        batches = view_batches(self.residence, camera, offsets, height)
        self._visible.replace(batches.visible)
        self._elements.replace(batches.elements)
        return batches

    def _bind(self, program: Program, camera: CameraMatrices, state: FrameState) -> None:
        residence = self.residence
        program.use()
        self._current = program
        for place, (name, buffer) in enumerate(
            (
                ("u_instances", residence.instance_rows),
                ("u_materials", residence.materials),
                ("u_matrices", residence.matrices),
                ("u_visible", self._visible),
                ("u_texels", residence.texels.buffer),
            )
        ):
            buffer.bind(place)
            GL.glUniform1i(program.place(name), place)
        set_view(program, camera, state, residence.light_slots, masked=self._masked)

    def _opaque(self, batches: ViewBatches, state: FrameState) -> None:
        GL.glBindVertexArray(self._arrays[_SHARED])
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilFunc(GL.GL_ALWAYS, _DRAWN, 0xFF)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
        GL.glDisable(GL.GL_BLEND)
        solid = [batch for batch in batches.opaque if state.opacity.get(LAYERS[batch.layer], 1.0) >= 1.0]
        if state.console_grid is not None:
            self._fill_cracks(solid, state.console_grid)
        self._run(solid)
        for number, layer in enumerate(LAYERS):
            opacity = state.opacity.get(layer, 1.0)
            if not 0 < opacity < 1:
                continue
            # First the depth of the layer's nearest surface, then that surface blended once.
            ghosts = [batch for batch in batches.opaque if batch.layer == number]
            GL.glColorMask(False, False, False, False)
            self._run(ghosts)
            GL.glColorMask(True, True, True, True)
            GL.glDepthFunc(GL.GL_EQUAL)
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
            self._run(ghosts)
            GL.glDisable(GL.GL_BLEND)
            GL.glDepthFunc(GL.GL_LESS)

    def _mark_edges(
        self, framebuffer: int, width: int, height: int, camera: CameraMatrices, state: FrameState, batches: ViewBatches
    ) -> None:
        if self._edges is None:
            self._edges = EdgeMarker()
        self._edges.begin(width, height)
        self._bind(self._edges.ids, camera, state)
        GL.glBindVertexArray(self._arrays[_SHARED])
        solid = [batch for batch in batches.opaque if state.opacity.get(LAYERS[batch.layer], 1.0) >= 1.0]
        if state.console_grid is not None:
            self._fill_cracks(solid, state.console_grid)
        self._run(solid)
        set_fog(self._edges.line(framebuffer, state), camera, state, masked=self._masked)
        self._edges.finish()

    def _fill_cracks(self, solid: Sequence[Batch], grid: tuple[int, int]) -> None:
        """Draw opaque polygons without the pixel grid first, to fill gaps between edges that are snapped to whole
        pixels."""
        place = self._current.place("u_grid")
        GL.glUniform2f(place, 0.0, 0.0)
        GL.glStencilMask(0)
        self._run(solid)
        GL.glStencilMask(0xFF)
        GL.glUniform2f(place, *grid)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)

    def _run(self, batches: Sequence[Batch]) -> None:
        place = self._current.place("u_first")
        faces = -1
        for batch in batches:
            if batch.faces != faces:
                faces = batch.faces
                _cull(faces)
            GL.glUniform1i(place, batch.visible)
            GL.glDrawElementsInstancedBaseVertex(
                GL.GL_TRIANGLES, batch.count, GL.GL_UNSIGNED_INT, c_void_p(4 * batch.first),
                batch.instances, batch.vertex,
            )  # fmt: skip

    def _blend(self, batches: ViewBatches, camera: CameraMatrices, state: FrameState) -> None:
        if not batches.runs:
            return
        self._bind(self._programs[True, state.fog is not None], camera, state)
        GL.glUniform1i(self._current.place("u_first"), -1)
        GL.glBindVertexArray(self._arrays[_SOUP])
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glEnable(GL.GL_STENCIL_TEST)
        # Where nothing was drawn the first polygon is not blended.
        for blend, mask in ((False, _DRAWN), (True, 0xFF)):
            if blend:
                GL.glEnable(GL.GL_BLEND)
                GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
            else:
                GL.glDisable(GL.GL_BLEND)
            for run in batches.runs:
                GL.glStencilFunc(GL.GL_NOTEQUAL, _DRAWN | _BLENDED | run.polygon_id, mask)
                GL.glDepthMask(run.writes_depth)
                GL.glDrawElements(GL.GL_TRIANGLES, run.count, GL.GL_UNSIGNED_INT, c_void_p(4 * run.first))

    # --- queries

    def pick(
        self, x: float, y: float, width: int, height: int, camera: CameraMatrices, state: FrameState
    ) -> Pick | None:
        """The model under pixel (x, y) from the top left of a picture of this size; None for the background."""
        x, y = int(x) + 0.5, int(y) + 0.5
        narrow = narrowed(camera, x, y, width, height)
        self.residence.update()
        batches = self._sort(narrow, height)
        self._camera = None
        self._picks.begin()
        self._bind(self._pick, narrow, state)
        GL.glBindVertexArray(self._arrays[_SHARED])
        self._run(batches.opaque)
        GL.glDisable(GL.GL_CULL_FACE)
        if len(batches.elements):
            GL.glUniform1i(self._current.place("u_first"), -1)
            GL.glBindVertexArray(self._arrays[_SOUP])
            GL.glDrawElements(GL.GL_TRIANGLES, len(batches.elements), GL.GL_UNSIGNED_INT, c_void_p(0))
        words = self._picks.end()
        return self._answer(words, camera, x, y, width, height)

    def _answer(
        self, words: npt.NDArray[np.uint32], camera: CameraMatrices, x: float, y: float, width: int, height: int
    ) -> Pick | None:
        if not words[0]:
            return None
        start, direction = camera.ray(x, y, width, height)
        depth = float(words[3:4].view(np.float32)[0])
        ahead = -camera.rotation[:, 2]
        point = start + direction * ((-depth - (start - camera.eye) @ ahead) / (direction @ ahead))
        instance = self.residence.instances[int(words[0]) - 1]
        draw = instance.mesh.draws[int(words[1])]
        return Pick(LAYERS[int(words[2])], instance.source, draw, tuple(point.tolist()))


def read_pixels(framebuffer: int, width: int, height: int) -> npt.NDArray[np.uint8]:
    """The picture in a framebuffer object: uint8 (height, width, 4), the first row on top."""
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    data = GL.glReadPixels(0, 0, width, height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
    pixels = np.frombuffer(data, np.uint8).reshape(height, width, 4)
    return np.ascontiguousarray(pixels[::-1])


def _describe(array: int, vertices: GrowingBuffer, elements: GrowingBuffer) -> None:
    GL.glBindVertexArray(array)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, vertices.name)
    stride = VERTEX.itemsize
    GL.glVertexAttribPointer(0, 3, GL.GL_FLOAT, False, stride, c_void_p(0))
    GL.glVertexAttribIPointer(1, 2, GL.GL_SHORT, stride, c_void_p(12))
    for place, offset in ((2, 16), (3, 20), (4, 24), (5, 28)):
        GL.glVertexAttribIPointer(place, 1, GL.GL_UNSIGNED_INT, stride, c_void_p(offset))
    for place in range(6):
        GL.glEnableVertexAttribArray(place)
    GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, elements.name)
    GL.glBindVertexArray(0)


def _cull(faces: int) -> None:
    """`faces`: bit 0 shows back faces, bit 1 front faces."""
    if faces == 3:
        GL.glDisable(GL.GL_CULL_FACE)
        return
    GL.glEnable(GL.GL_CULL_FACE)
    GL.glCullFace({0: GL.GL_FRONT_AND_BACK, 1: GL.GL_FRONT, 2: GL.GL_BACK}[faces])
