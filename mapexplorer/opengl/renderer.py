"""`FieldRenderer`: the field in the current OpenGL 3.3 context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ctypes import c_void_p
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.batches import Batch, ViewBatches, view_batches
from mapexplorer.opengl.buffers import GrowingBuffer, WordBuffer
from mapexplorer.opengl.camera import CameraMatrices, narrowed
from mapexplorer.opengl.errors import GlError
from mapexplorer.opengl.final_pass import FinalPass
from mapexplorer.opengl.gl import GL, disable
from mapexplorer.opengl.gpu_resources import GpuResources
from mapexplorer.opengl.mesh import VERTEX
from mapexplorer.opengl.overlay_store import OverlayStore
from mapexplorer.opengl.picking import Pick, PickTarget
from mapexplorer.opengl.polygon_shader import POLYGON_GEOMETRY
from mapexplorer.opengl.prepare import LAYERS, Prepared, Preparer
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import (
    PICK_FRAGMENT,
    POLYGON_ID,
    SCREEN_VERTEX,
    VEIL_FRAGMENT,
    PolygonKind,
    field_fragment,
    field_vertex,
)
from mapexplorer.opengl.sky import SkyProgram
from mapexplorer.opengl.state import FrameState
from mapexplorer.opengl.targets import PictureBuffers
from mapexplorer.opengl.uniforms import ViewUniforms
from mapexplorer.opengl.vertex_arrays import vertex_array
from mapexplorer.opengl.weather import WeatherLayers
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.files import WorldFiles

_TEXELS_NEEDED: Final = 1 << 23
"""Texels of a buffer texture: several times those of the largest matrix."""

_ATTRIBUTES: Final = (
    (3, GL.GL_FLOAT, 0),
    (2, GL.GL_SHORT, 12),
    *((1, GL.GL_UNSIGNED_INT, offset) for offset in (16, 20, 24, 28)),
)
"""What the shaders of the field read of a `mesh.VERTEX`."""

_DRAWN: Final = 0x80
_BLENDED: Final = 0x40
_SHARED, _SOUP = range(2)
"""The vertex arrays: of meshes, which their instances share, and of blended polygons, each with vertices of its own."""


class FieldRenderer:
    """Draws cells, people and overlays into a framebuffer with depth and stencil.

    Every method needs the context that was current in `initialize`, except those of `Preparer` and `overlays`, which
    make what is added here and may run in other threads.
    """

    def __init__(self) -> None:
        self._camera: CameraMatrices | None = None
        self._seen: tuple[Any, ...] = ()
        self._batches: ViewBatches | None = None
        self._uniforms: ViewUniforms | None = None

    # --- initialization

    def initialize(self) -> None:
        """Compile the shaders and make the buffers. Raises GlError when the context is not 3.3 or better."""
        version = (int(GL.glGetIntegerv(GL.GL_MAJOR_VERSION)), int(GL.glGetIntegerv(GL.GL_MINOR_VERSION)))
        if version < (3, 3):
            raise GlError(f"OpenGL 3.3 is needed; the driver offers {version[0]}.{version[1]}")
        texels = int(GL.glGetIntegerv(GL.GL_MAX_TEXTURE_BUFFER_SIZE))
        if texels < _TEXELS_NEEDED:
            raise GlError(f"buffer textures of {_TEXELS_NEEDED} texels are needed; the driver offers {texels}")
        self._programs: dict[tuple[PolygonKind, bool], Program] = {}
        for kind in (PolygonKind.SOLID, PolygonKind.CUT_OUT, PolygonKind.BLENDED):
            self._program(kind)
        self._pick = Program(field_vertex(), PICK_FRAGMENT)
        self._veil = Program(SCREEN_VERTEX, VEIL_FRAGMENT)
        self.residence = GpuResources()
        self.overlays = OverlayStore()
        self._visible = WordBuffer(4, GL.GL_R32UI)
        self._elements = GrowingBuffer(4)
        residence = self.residence
        self._arrays = [
            vertex_array(_ATTRIBUTES, VERTEX.itemsize, vertices.name, elements.name)
            for vertices, elements in (
                (residence.vertices, residence.indices),
                (residence.blended_vertices, self._elements),
            )
        ]
        self._picks = PickTarget()
        self._buffers = PictureBuffers()
        self._final_pass = FinalPass()
        self._weather: WeatherLayers | None = None
        self._sky: SkyProgram | None = None

    def _program(self, kind: PolygonKind, *, grid: bool = False) -> Program:
        """The program of a kind of polygons, which is compiled on the first call."""
        if (kind, grid) not in self._programs:
            geometry = POLYGON_GEOMETRY if grid else None
            self._programs[kind, grid] = Program(field_vertex(grid=grid), field_fragment(kind, grid=grid), geometry)
        return self._programs[kind, grid]

    # --- contents

    def load(self, place: FieldPlace, cells: Iterable[Cell] | None = None, *, preparer: Preparer | None = None) -> None:
        """Add cells of a place, by default its own, all at once. `Preparer` and `add` do the same piece by piece."""
        preparer = preparer or Preparer(place)
        for cell in place.cells if cells is None else cells:
            self.add(preparer.cell(cell), place.world)

    def add(self, prepared: Prepared, world: WorldFiles | None = None) -> None:
        """Upload a prepared cell or the people, replacing a group with the same key."""
        self.residence.add(prepared, world)

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
        if state.wireframe > 0:
            state = replace(state, console_grid=None)
        batches = self._look(camera, height, whole=state.console_grid is not None)
        self.residence.animate(state.tick, batches.shown)
        if state.console_grid is not None:
            self.residence.project(camera, batches.shown)
        self._buffers.resize(width, height)
        GL.glViewport(0, 0, width, height)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LESS)
        GL.glColorMask(True, True, True, True)
        GL.glDepthMask(True)
        GL.glStencilMask(0xFF)
        GL.glClearDepth(1.0)
        if state.wireframe < 1:
            self._field(width, height, camera, state, batches)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._buffers.finished)
        if state.wireframe > 0:
            self._edges_of_polygons(batches, camera, state)
        if state.weather is not None:
            self._weather = self._weather or WeatherLayers()
            self._weather.draw(state.weather, width, height)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDepthMask(True)
        self.overlays.draw(camera, state.opacity)
        disable(GL.GL_BLEND, GL.GL_CULL_FACE)
        GL.glDepthFunc(GL.GL_LESS)
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        self._buffers.copy_to(framebuffer)

    def _field(self, width: int, height: int, camera: CameraMatrices, state: FrameState, batches: ViewBatches) -> None:
        """Draw the finished picture of the field, its depth and stencil."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._buffers.field)
        GL.glClearColor(*state.background, POLYGON_ID / 255)
        GL.glClearStencil(_DRAWN)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)
        if state.sky is not None or state.sky_colors is not None:
            self._sky = self._sky or SkyProgram()
            self._sky.draw(state, camera, (width, height))
        self._opaque(batches, camera, state)
        masked = state.fog is not None and batches.fogless
        if masked:
            self._mask_fog(camera, state, batches)
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._buffers.field)
        self._blend(batches, camera, state)
        sky = self._sky if state.sky is not None else None
        self._final_pass.draw(self._buffers, (width, height), camera, state, masked, sky)

    def _mask_fog(self, camera: CameraMatrices, state: FrameState, batches: ViewBatches) -> None:
        """Draw the mask of the pixels without fog."""
        self._buffers.begin_mask()
        self._bind(PolygonKind.FOGLESS, camera, state)
        self._use_soup()
        GL.glDrawElements(_primitive(state), len(batches.elements), GL.GL_UNSIGNED_INT, c_void_p(0))
        GL.glDepthMask(True)

    def _use_soup(self) -> None:
        """Draw elements of the blended polygons from now on with the current program, from both sides."""
        GL.glUniform1i(self._current.place("u_first"), -1)
        GL.glBindVertexArray(self._arrays[_SOUP])
        GL.glDisable(GL.GL_CULL_FACE)

    def _edges_of_polygons(self, batches: ViewBatches, camera: CameraMatrices, state: FrameState) -> None:
        """Draw all polygon edges: over the picture, which fades, or alone."""
        if state.wireframe < 1:
            disable(GL.GL_DEPTH_TEST, GL.GL_STENCIL_TEST, GL.GL_CULL_FACE)
            self._veil.use()
            self._veil.set(u_color=(*state.background, state.wireframe))
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
            self._veil.cover()
        else:
            GL.glClearColor(*state.background, 1.0)
            GL.glClearStencil(0)
            GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE)
        self._opaque(batches, camera, state)
        self._blend(batches, camera, state)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        # The alpha of opaque pixels was their attributes.
        GL.glColorMask(False, False, False, True)
        GL.glClearColor(0.0, 0.0, 0.0, 1.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glColorMask(True, True, True, True)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _look(self, camera: CameraMatrices, height: int, *, whole: bool) -> ViewBatches:
        self.residence.update()
        seen = (self.residence.version, height, whole)
        if self._batches is None or seen != self._seen or not camera.same(self._camera):
            self._batches = self._sort(camera, height, whole=whole)
            self._camera, self._seen = camera, seen
        return self._batches

    def _sort(self, camera: CameraMatrices, height: int, *, whole: bool = False) -> ViewBatches:
        batches = view_batches(self.residence, camera, self.residence.place(camera), height, whole=whole)
        self._visible.replace(batches.visible)
        self._elements.replace(batches.elements)
        return batches

    def _bind(self, kind: PolygonKind, camera: CameraMatrices, state: FrameState) -> None:
        """Use the program of a kind of polygons."""
        self._use(self._program(kind, grid=state.console_grid is not None), camera, state)

    def _use(self, program: Program, camera: CameraMatrices, state: FrameState) -> None:
        residence = self.residence
        program.use()
        self._current = program
        tables = (
            residence.instance_rows,
            residence.materials,
            residence.matrices,
            self._visible,
            residence.texels.buffer,
            residence.clip_matrices,
        )
        for unit, buffer in enumerate(tables):
            buffer.bind(unit)
        slots = residence.light_slots
        if self._uniforms is None or not self._uniforms.fit(camera, state, slots):
            self._uniforms = ViewUniforms(camera, state, slots)
        self._uniforms.set(program)

    def _opaque(self, batches: ViewBatches, camera: CameraMatrices, state: FrameState) -> None:
        """Draw what is opaque, into a stencil that is _DRAWN everywhere; it is 0 afterwards where nothing was drawn."""
        disable(GL.GL_STENCIL_TEST, GL.GL_BLEND)
        solid = [batch for batch in batches.opaque if state.opacity.get(LAYERS[batch.layer], 1.0) >= 1.0]
        self._run(solid, camera, state)
        self._mark_void()
        GL.glStencilFunc(GL.GL_ALWAYS, _DRAWN, 0xFF)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
        for number, layer in enumerate(LAYERS):
            opacity = state.opacity.get(layer, 1.0)
            if not 0 < opacity < 1:
                continue
            # First the depth of the layer's nearest surface, then that surface blended once.
            ghosts = [batch for batch in batches.opaque if batch.layer == number]
            GL.glColorMask(False, False, False, False)
            self._run(ghosts, camera, state)
            GL.glColorMask(True, True, True, True)
            GL.glDepthFunc(GL.GL_EQUAL)
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendColor(0, 0, 0, opacity)
            GL.glBlendFuncSeparate(GL.GL_CONSTANT_ALPHA, GL.GL_ONE_MINUS_CONSTANT_ALPHA, GL.GL_ONE, GL.GL_ZERO)
            self._run(ghosts, camera, state)
            GL.glDisable(GL.GL_BLEND)
            GL.glDepthFunc(GL.GL_LESS)

    def _mark_void(self) -> None:
        """Clear the stencil where the depth is that of the background. To write it for every opaque polygon would take
        longer."""
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilFunc(GL.GL_ALWAYS, 0, 0xFF)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
        GL.glColorMask(False, False, False, False)
        GL.glDepthMask(False)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glDepthRange(1.0, 1.0)
        GL.glDisable(GL.GL_CULL_FACE)
        self._veil.use()
        self._veil.cover()
        GL.glDepthRange(0.0, 1.0)
        GL.glDepthFunc(GL.GL_LESS)
        GL.glDepthMask(True)
        GL.glColorMask(True, True, True, True)

    def _run(self, batches: Sequence[Batch], camera: CameraMatrices, state: FrameState) -> None:
        """Draw opaque polygons."""
        for kind, some in groupby(batches, lambda batch: batch.kind):
            self._bind(kind, camera, state)
            self._call(some, whole=state.console_grid is not None)

    def _call(self, batches: Iterable[Batch], *, whole: bool = False) -> None:
        """Draw with the current program: triangles, or polygons that stay `whole`, whose program knows the faces that
        are shown."""
        GL.glBindVertexArray(self._arrays[_SHARED])
        place = self._current.place("u_first")
        GL.glDisable(GL.GL_CULL_FACE)
        faces = -1
        for batch in batches:
            if batch.faces != faces and not whole:
                faces = batch.faces
                _cull(faces)
            GL.glUniform1i(place, batch.visible)
            GL.glDrawElementsInstancedBaseVertex(
                GL.GL_LINES_ADJACENCY if whole else GL.GL_TRIANGLES,
                4 * batch.polygons if whole else batch.count,
                GL.GL_UNSIGNED_INT,
                c_void_p(4 * (batch.corner if whole else batch.first)),
                batch.instances,
                batch.vertex,
            )

    def _blend(self, batches: ViewBatches, camera: CameraMatrices, state: FrameState) -> None:
        if not batches.runs:
            return
        self._bind(PolygonKind.BLENDED, camera, state)
        self._use_soup()
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glColorMask(True, True, True, False)
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
                GL.glDrawElements(_primitive(state), run.count, GL.GL_UNSIGNED_INT, c_void_p(4 * run.first))
        GL.glColorMask(True, True, True, True)
        GL.glDepthMask(True)
        GL.glDisable(GL.GL_BLEND)

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
        self._use(self._pick, narrow, replace(state, console_grid=None))
        self._call(batches.opaque)
        if len(batches.elements):
            self._use_soup()
            GL.glDrawElements(GL.GL_TRIANGLES, len(batches.elements), GL.GL_UNSIGNED_INT, c_void_p(0))
        return self._answer(self._picks.end(), camera, x, y, width, height)

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
        return Pick(LAYERS[int(words[2])], instance.source, instance.mesh.draws[int(words[1])], tuple(point.tolist()))


def _cull(faces: int) -> None:
    """`faces`: bit 0 shows back faces, bit 1 front faces."""
    if faces == 3:
        GL.glDisable(GL.GL_CULL_FACE)
        return
    GL.glEnable(GL.GL_CULL_FACE)
    GL.glCullFace({0: GL.GL_FRONT_AND_BACK, 1: GL.GL_FRONT, 2: GL.GL_BACK}[faces])


def _primitive(state: FrameState) -> int:
    """What the elements of blended polygons are."""
    primitive: int = GL.GL_TRIANGLES if state.console_grid is None else GL.GL_LINES_ADJACENCY
    return primitive
