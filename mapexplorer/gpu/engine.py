"""The 3D engine as an object with its geometry state, memories and buffers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.kernel.resolve import prepare
from mapexplorer.arrays import Picture
from mapexplorer.gpu import state as st
from mapexplorer.gpu.buffers import FRAME_SIZE, ROW_COUNT, STENCIL_SIZE
from mapexplorer.gpu.commands import execute
from mapexplorer.gpu.matrices import update_clip_matrix
from mapexplorer.gpu.registers import (
    COUNT,
    DISP_1DOT_DEPTH,
    HEIGHT,
    PALETTE_VRAM_SIZE,
    PIXELS,
    SWAP_BUFFERS_INIT,
    TEXTURE_VRAM_SIZE,
    WIDTH,
)
from mapexplorer.gpu.render import render
from mapexplorer.gpu.slopes import EDGE_FIELDS


@dataclass(frozen=True, eq=False)
class GeometryState:
    """The state of the geometry engine, for inspection."""

    matrices: npt.NDArray[np.int32]
    """(5, 16): projection, position, vector, texture, clip."""
    polygons: npt.NDArray[np.int32]
    """(n, 16): the polygons drawn last in the order of submission, columns as in `mapexplorer.gpu.state`."""
    vertices: npt.NDArray[np.int32]
    """(n, 16): their corners, columns as in `mapexplorer.gpu.state`."""
    render_order: npt.NDArray[np.int16]
    """Polygon rows in drawing order."""
    test_results: npt.NDArray[np.int32]
    """(t, 5): a row for each test command, its number, then the result."""
    stored_vertices: int
    """The number of vertices, those shared in strips counted once."""
    projection_pointer: int
    """The pointer of the projection matrix stack."""
    position_pointer: int
    """The pointer of the position and vector matrix stack."""
    texture_pointer: int
    """The pointer of the texture matrix stack."""
    matrix_error: bool
    """A matrix stack overflowed or underflowed."""
    list_overflow: bool
    """There were more polygons or vertices than the memory has room for."""


class _List:
    """One of the two polygon lists: one is drawn while the other one fills."""

    def __init__(self) -> None:
        # The rows beyond the capacity hold the previous polygon of a strip that continues after SWAP_BUFFERS.
        self.polygons = np.zeros((st.POLYGON_CAPACITY + 1, 16), np.int32)
        self.corners = np.zeros((st.CORNER_CAPACITY + 4, 16), np.int32)
        self.execute: Callable[..., int]
        self.render: Callable[..., None]


class Engine:
    """A Nintendo DS 3D engine: executes geometry commands and draws a frame at every SWAP_BUFFERS.

    An engine keeps its state between calls, as the hardware does: `execute` any part of a command stream, load memory
    or registers between frames, and take the `picture` of the last frame. One thread uses an engine at a time.
    """

    def __init__(self) -> None:
        self._texture = np.zeros(TEXTURE_VRAM_SIZE, np.uint8)
        self._palette = np.zeros(PALETTE_VRAM_SIZE, np.uint8)
        self._loaded = {id(self._texture): 0, id(self._palette): 0}
        self._registers = np.zeros(COUNT, np.int64)
        self._state = np.zeros(st.SIZE, np.int64)
        self._matrices = np.zeros((5, 16), np.int32)
        self._stacks = np.zeros((66, 16), np.int32)
        self._shininess = np.zeros(128, np.int32)
        self._slots = np.zeros((4, st.FIELDS), np.int64)
        self._lists = np.zeros((2, st.CLIP_CAPACITY, st.FIELDS), np.int64)
        self._parameter = np.zeros(16, np.int64)
        self._results = np.zeros((64, 5), np.int32)
        self._filling = _List()
        self._drawn = _List()
        self._drawn_counts = (0, 0, 0)
        self._order = np.zeros((3, st.POLYGON_CAPACITY), np.int32)
        self._color = np.zeros(2 * PIXELS, np.int32)
        self._depth = np.zeros(2 * PIXELS, np.int32)
        self._attributes = np.zeros(2 * PIXELS, np.int32)
        self._stencil = np.zeros(STENCIL_SIZE, np.int32)
        self._frame = np.zeros(FRAME_SIZE, np.int64)
        self._edges = np.zeros((2, EDGE_FIELDS), np.int64)
        self._rows = np.zeros((ROW_COUNT, WIDTH + 1), np.int32)
        self._factors = np.zeros(WIDTH, np.float64)
        self._stencil_before = np.zeros_like(self._stencil)
        prepare([execute.module, render.module])
        for part in (self._filling, self._drawn):
            self._bind(part)
        self.reset()

    def _bind(self, part: _List) -> None:
        """Give a polygon list its two kernels, with the arrays that stay the same."""
        part.execute = execute.bound(
            state=self._state,
            matrices=self._matrices,
            stacks=self._stacks,
            shininess=self._shininess,
            slots=self._slots,
            lists=self._lists,
            parameter=self._parameter,
            polygons=part.polygons,
            corners=part.corners,
        )
        part.render = render.bound(
            registers=self._registers,
            texture=self._texture,
            palette=self._palette,
            polygons=part.polygons,
            corners=part.corners,
            order=self._order,
            color=self._color,
            depth=self._depth,
            attributes=self._attributes,
            stencil=self._stencil,
            frame=self._frame,
            edges=self._edges,
            rows=self._rows,
            factors=self._factors,
        )

    def reset(self) -> None:
        """The state after power-on: identity matrices, everything else zero. Registers and memories are kept."""
        for memory in (self._state, self._stacks, self._shininess, self._slots, self._stencil):
            memory[:] = 0
        self._state[st.PREDECESSOR] = -1
        self._state[st.CLIP_STALE] = 1
        self._matrices[:] = np.eye(4, dtype=np.int32).ravel() * 0x1000
        self._manual = False
        self._drawn_counts = (0, 0, 0)
        self._follow_registers()

    def load_registers(self, registers: npt.ArrayLike) -> None:
        """Set all rendering registers: 88 values (`mapexplorer.gpu.registers`). Raises ValueError for another number.

        The entry for the SWAP_BUFFERS before the list selects the depth buffering of the polygons that follow.
        """
        values = np.asarray(registers)
        if values.shape != (COUNT,):
            raise ValueError(f"there are {COUNT} rendering registers, not an array of shape {values.shape}")
        self._registers[:] = values
        self._registers &= 0xFFFFFFFF
        self._follow_registers()

    def _follow_registers(self) -> None:
        self._state[st.W_BUFFERING] = int(self._registers[SWAP_BUFFERS_INIT]) >> 1 & 1
        self._state[st.ONE_DOT_LIMIT] = (int(self._registers[DISP_1DOT_DEPTH]) & 0x7FFF) * 0x200 + 0x1FF

    def load_texture_vram(self, data: npt.ArrayLike | bytes) -> None:
        """Fill texture memory (0x80000 bytes) from address 0, the rest with zero. Raises ValueError for too many."""
        self._load(self._texture, data, "texture")

    def load_palette_vram(self, data: npt.ArrayLike | bytes) -> None:
        """Fill palette memory (0x20000 bytes) from address 0, the rest with zero. Raises ValueError for too many."""
        self._load(self._palette, data, "palette")

    def _load(self, memory: npt.NDArray[np.uint8], data: npt.ArrayLike | bytes, name: str) -> None:
        values: npt.NDArray[np.uint8]
        if isinstance(data, bytes | bytearray | memoryview):
            values = np.frombuffer(data, np.uint8)
        else:
            values = np.asarray(data, np.uint8)
        if values.ndim != 1 or values.size > memory.size:
            raise ValueError(f"{name} memory has {memory.size:#x} bytes, not an array of shape {values.shape}")
        memory[: values.size] = values
        memory[values.size : self._loaded[id(memory)]] = 0
        self._loaded[id(memory)] = values.size

    def execute(self, commands: npt.ArrayLike) -> int:
        """Execute a flat command list (uint32; `formats.nds.gx`) and draw a frame at every SWAP_BUFFERS in it.

        The result is the number of frames drawn. Words that are not commands are skipped; a command with missing
        parameters ends the list.
        """
        return sum(1 for _ in self._execute(commands))

    def frames(self, commands: npt.ArrayLike) -> Iterator[Picture]:
        """Execute a command list step by step: the picture of every frame in it. Commands after the last follow too."""
        for _ in self._execute(commands):
            yield self.picture

    def _execute(self, commands: npt.ArrayLike) -> Iterator[None]:
        words = np.zeros(np.size(commands) + 1, np.uint32)
        words[:-1] = np.ravel(commands)
        position = 0
        while True:
            position = self._filling.execute(words, position, words.size - 1, self._results)
            stopped = self._state[st.STOPPED]
            if stopped == st.AT_END:
                return
            if stopped == st.AT_SWAP:
                self._swap()
                yield
            else:
                self._results = np.concatenate([self._results, np.zeros_like(self._results)])

    def _swap(self) -> None:
        state = self._state
        self._filling, self._drawn = self._drawn, self._filling
        self._drawn_counts = (int(state[st.POLYGON_COUNT]), int(state[st.CORNER_COUNT]), int(state[st.VERTEX_COUNT]))
        predecessor = int(state[st.PREDECESSOR])
        if predecessor >= 0:
            polygon = self._drawn.polygons[predecessor]
            first, count = int(polygon[st.FIRST_CORNER]), int(polygon[st.CORNERS])
            if count <= 4:
                self._filling.corners[st.CORNER_CAPACITY :][:count] = self._drawn.corners[first : first + count]
                self._filling.polygons[st.POLYGON_CAPACITY] = polygon
                self._filling.polygons[st.POLYGON_CAPACITY, st.FIRST_CORNER] = st.CORNER_CAPACITY
            state[st.PREDECESSOR] = st.POLYGON_CAPACITY if count <= 4 else -1
        swap = int(state[st.SWAP_PARAMETER])
        state[[st.POLYGON_COUNT, st.CORNER_COUNT, st.VERTEX_COUNT]] = 0
        state[st.W_BUFFERING] = swap >> 1
        self._manual = swap & 1 != 0
        self._draw(self._manual)

    def _draw(self, manual: bool) -> None:
        self._stencil_before[:] = self._stencil
        self._drawn.render(self._drawn_counts[0], manual)

    @property
    def polygon_count(self) -> int:
        """How many polygons the commands since the last SWAP_BUFFERS stored; the next one gets this row."""
        return int(self._state[st.POLYGON_COUNT])

    def redraw(self, rows: npt.ArrayLike) -> Picture:
        """The last frame with only these of its polygons (rows of `geometry.polygons`, ascending).

        `picture`, `depth` and `attributes` are then those of the new frame; everything else stays as it was.
        """
        chosen = np.asarray(rows, np.int64)
        counts, polygons, order = self._drawn_counts, self._drawn.polygons.copy(), self._order.copy()
        stencil, stencil_before = self._stencil.copy(), self._stencil_before.copy()
        self._stencil[:] = stencil_before
        self._drawn.polygons[: len(chosen)] = polygons[chosen]
        self._drawn_counts = (len(chosen), *counts[1:])
        self._draw(self._manual)
        self._drawn_counts = counts
        self._drawn.polygons[:], self._order[:] = polygons, order
        self._stencil[:], self._stencil_before[:] = stencil, stencil_before
        return self.picture

    @property
    def picture(self) -> Picture:
        """The last frame: uint8 (192, 256, 4), r, g, b 0..63 and alpha 0..31; row 0 is the top line."""
        return self._color[:PIXELS].astype("<i4").view(np.uint8).reshape(HEIGHT, WIDTH, 4)

    @property
    def depth(self) -> npt.NDArray[np.uint32]:
        """The depth buffer (24 bits) of the last frame, topmost layer: uint32 (192, 256)."""
        return self._depth[:PIXELS].astype(np.uint32).reshape(HEIGHT, WIDTH)

    @property
    def attributes(self) -> npt.NDArray[np.uint32]:
        """The attribute buffer of the last frame, topmost layer: uint32 (192, 256), see `mapexplorer.gpu.buffers`."""
        return self._attributes[:PIXELS].astype(np.uint32).reshape(HEIGHT, WIDTH)

    @property
    def test_results(self) -> npt.NDArray[np.int32]:
        """One row for each test command since the reset: its number, then its result (BOX_TEST: 0 or 1)."""
        return self._results[: self._state[st.RESULT_COUNT]].copy()

    @property
    def geometry(self) -> GeometryState:
        """The present state of the geometry engine, and the polygons of the last frame."""
        update_clip_matrix(self._state, self._matrices)
        polygons, corners, vertices = self._drawn_counts
        return GeometryState(
            self._matrices.copy(),
            self._drawn.polygons[:polygons].copy(),
            self._drawn.corners[:corners].copy(),
            self._order[0, :polygons].astype(np.int16),
            self.test_results,
            vertices,
            int(self._state[st.PROJECTION_POINTER]),
            int(self._state[st.POSITION_POINTER]),
            int(self._state[st.TEXTURE_POINTER]),
            bool(self._state[st.MATRIX_ERROR]),
            bool(self._state[st.LIST_OVERFLOW]),
        )


_engines = threading.local()


def render_frame(
    commands: npt.ArrayLike, registers: npt.ArrayLike, texture_vram: npt.ArrayLike, palette_vram: npt.ArrayLike
) -> Picture:
    """The last frame that a command list draws from the reset state: uint8 (192, 256, 4), r, g, b 0..63, alpha 0..31.

    `commands`: flat list, uint32 (`formats.nds.gx`); `registers`: 88 values (`mapexplorer.gpu.registers`);
    `texture_vram`, `palette_vram`: uint8 from address 0, what they lack is 0. A list without SWAP_BUFFERS gives the
    clear plane. Raises ValueError for memories or registers of a wrong size.
    """
    engine: Engine | None = getattr(_engines, "engine", None)
    if engine is None:
        engine = _engines.engine = Engine()
    engine.load_registers(registers)
    engine.load_texture_vram(texture_vram)
    engine.load_palette_vram(palette_vram)
    engine.reset()
    if engine.execute(commands) == 0:
        engine._draw(False)
    return engine.picture
