"""The data on the GPU: meshes with their rows, and the table of instances that use them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.nitro.tex0 import Palette, Tex0
from mapexplorer.arrays import Words
from mapexplorer.g3d.draw_list import Draw
from mapexplorer.opengl import rows
from mapexplorer.opengl.blending import POLYGON
from mapexplorer.opengl.buffers import GrowingBuffer, WordBuffer
from mapexplorer.opengl.camera import CameraMatrices
from mapexplorer.opengl.clip_matrices import clip_matrices
from mapexplorer.opengl.gl import GL
from mapexplorer.opengl.mesh import VERTEX, Mesh
from mapexplorer.opengl.pictures import TerrainPictures, TexelStore
from mapexplorer.opengl.prepare import Instance, Prepared
from mapexplorer.opengl.shaders import BIASED, LIGHT_SLOTS
from mapexplorer.scene.model_resolver import TERRAIN
from mapexplorer.scene.playback import LOOPING
from mapexplorer.world.sources.files import WorldFiles

INSTANCE_WORDS: Final = 12
_PALETTE_BYTES: Final = 512


@dataclass(frozen=True, slots=True, eq=False)
class Resident:
    """A mesh on the GPU: the first of its vertices, indices of triangles and of polygons, material and matrix rows;
    `owner` is the terrain set of its cell."""

    mesh: Mesh
    vertex: int
    index: int
    corner: int
    material: int
    matrix: int
    owner: Tex0 | None


class GpuResources:
    """All uploaded data. Cells are added and removed by key; the tables are updated before the next picture."""

    def __init__(self) -> None:
        self.vertices = GrowingBuffer(VERTEX.itemsize)
        self.indices = GrowingBuffer(4)
        self.blended_vertices = GrowingBuffer(VERTEX.itemsize)
        self.materials = WordBuffer(16, GL.GL_RGBA32UI)
        self.matrices = WordBuffer(16, GL.GL_RGBA32UI)
        self.instance_rows = WordBuffer(16, GL.GL_RGBA32UI)
        self.clip_matrices = WordBuffer(16, GL.GL_RGBA32I)
        self.texels = TexelStore()
        self._residents: dict[int, Resident] = {}
        self._groups: dict[object, Prepared] = {}
        self._pictures: dict[int, TerrainPictures] = {}
        self.light_slots: dict[int, int] = {}
        """Light set -> slot in the tables of the shaders."""
        self._posed: dict[int, tuple[int, Words]] = {}
        self._first_palettes: dict[int, tuple[Tex0, Palette]] = {}
        self._changed = True
        self.version = 0
        self.tick = 0
        self._tables()

    # --- contents

    @property
    def groups(self) -> tuple[object, ...]:
        """The keys of what is resident."""
        return tuple(self._groups)

    @property
    def nbytes(self) -> int:
        """Bytes reserved on the GPU."""
        buffers = (
            self.vertices,
            self.indices,
            self.blended_vertices,
            self.materials,
            self.matrices,
            self.clip_matrices,
            self.instance_rows,
            self.texels.buffer,
        )
        return sum(buffer.size for buffer in buffers)

    def add(self, prepared: Prepared, world: WorldFiles | None = None) -> None:
        """Upload a group, replacing one with the same key. `world` has the terrain's texture animations."""
        if prepared.terrain is not None and world is not None and id(prepared.terrain) not in self._pictures:
            self._pictures[id(prepared.terrain)] = TerrainPictures(world, prepared.terrain)
        for instance in prepared.instances:
            if id(instance.mesh) not in self._residents:
                self._upload(instance.mesh, prepared.terrain)
        pictures = self._pictures.get(id(prepared.terrain))
        if pictures is not None and self.tick:
            for name, data in pictures.shown:
                self.texels.show(pictures.textures, name, data)
        self._groups[prepared.key] = prepared
        self._changed = True

    def remove(self, keys: Iterable[object]) -> None:
        """Remove these groups; their meshes are kept until `clear`."""
        for key in keys:
            self._changed = self._groups.pop(key, None) is not None or self._changed

    def clear(self) -> None:
        """Remove all contents; the buffers keep their reserved space."""
        self._residents.clear()
        self._groups.clear()
        self._pictures.clear()
        self.light_slots.clear()
        self._posed.clear()
        self._first_palettes.clear()
        for buffer in (self.vertices, self.indices, self.blended_vertices, self.materials, self.matrices):
            buffer.clear()
        self.texels.clear()
        self.tick = 0
        self._changed = True

    def _upload(self, mesh: Mesh, owner: Tex0 | None) -> None:
        vertex = self.vertices.append(mesh.vertices)
        index, corner = self.indices.append(mesh.indices), self.indices.append(mesh.corners)
        material = self.materials.append(self._material_rows(mesh, mesh.draws, owner)) // 4
        matrix = self.matrices.append(mesh.matrix_rows) // 6
        self._residents[id(mesh)] = Resident(mesh, vertex, index, corner, material, matrix, owner)

    def _material_rows(self, mesh: Mesh, draws: tuple[Draw, ...], owner: Tex0 | None) -> npt.NDArray[np.uint32]:
        slot = self.light_slots.setdefault(mesh.resolved.light_set, len(self.light_slots) % LIGHT_SLOTS)
        keeps = rows.KEEPS_COLORS if mesh.resolved.light_set < 0 else 0
        changing: Collection[str] = ()
        if mesh.resolved.kind == TERRAIN and id(owner) in self._pictures:
            changing = self._pictures[id(owner)].names
        result = np.zeros((len(draws), rows.MATERIAL_WORDS), np.uint32)
        for number, draw in enumerate(draws):
            material = draw.material
            texture = material.texture
            animated = texture is not None and texture.name in changing
            palette = material.palette or (self._first_palette(owner) if texture is not None else None)
            texel = self.texels.place(texture, palette, owner, animated)
            result[number] = rows.material_row(
                material, mesh.flags(draw) | keeps | slot << rows.LIGHT_SLOT_SHIFT, texel
            )
        return result

    def _first_palette(self, owner: Tex0 | None) -> Palette | None:
        """The palette for a material without one: the console uses the beginning of palette memory, where the terrain
        set's palettes are."""
        if owner is None:
            return None
        if id(owner) not in self._first_palettes:
            words = np.frombuffer(owner.layout.palettes[:_PALETTE_BYTES], "<u2")
            self._first_palettes[id(owner)] = owner, Palette("", words)
        return self._first_palettes[id(owner)][1]

    # --- tables

    def update(self) -> None:
        """Update the tables after groups were added or removed."""
        if self._changed:
            self._changed = False
            self.version += 1
            self._tables()

    def _tables(self) -> None:
        groups = list(self._groups.values())
        self.instances: list[Instance] = [instance for group in groups for instance in group.instances]
        count = len(self.instances)
        none = np.zeros((0, 3))
        self.positions = np.concatenate([none, *[group.positions for group in groups]])
        self.scales = np.concatenate([none, *[group.scales for group in groups]])
        self.low = np.concatenate([none, *[group.low for group in groups]])
        self.high = np.concatenate([none, *[group.high for group in groups]])
        flags = np.concatenate([np.zeros(0, np.uint32), *[group.flags for group in groups]])
        self.layers = (flags & 0xFF).astype(np.int64)
        residents = [self._residents[id(instance.mesh)] for instance in self.instances]
        numbers = {id(resident): number for number, resident in enumerate(dict.fromkeys(residents))}
        self.used = list(dict.fromkeys(residents))
        self.mesh_of = np.array([numbers[id(resident)] for resident in residents], np.int64)
        self._rows = np.zeros((count, INSTANCE_WORDS), np.uint32)
        self._rows[:, 3] = [resident.material for resident in residents]
        self._rows[:, 4:7] = self.scales.astype(np.float32).view(np.uint32)
        self._rows[:, 7] = [resident.matrix for resident in residents]
        self._rows[:, 8] = flags
        self._blend(groups)

    def _blend(self, groups: list[Prepared]) -> None:
        self.polygons = _joined([group.blended for group in groups], POLYGON)
        vertices = _joined([group.blended_vertices for group in groups], VERTEX)
        instances = np.cumsum([0, *[len(group.instances) for group in groups]])[:-1]
        firsts = np.cumsum([0, *[len(group.blended_vertices) for group in groups]])[:-1]
        of_polygon = np.repeat(np.arange(len(groups)), [len(group.blended) for group in groups])
        of_vertex = np.repeat(np.arange(len(groups)), [len(group.blended_vertices) for group in groups])
        self.polygons["first"] += firsts[of_polygon].astype(np.uint32)
        self.polygons["instance"] += instances[of_polygon].astype(np.uint32)
        vertices["instance"] += instances[of_vertex].astype(np.uint32)
        self.blended_vertices.replace(vertices)

    def place(self, camera: CameraMatrices) -> npt.NDArray[np.float64]:
        """Upload the positions of the instances relative to a camera's eye; returns these offsets (n, 3)."""
        offsets = self.positions - camera.eye
        self._rows[:, 0:3] = offsets.astype(np.float32).view(np.uint32)
        self.instance_rows.replace(self._rows)
        return offsets

    def project(self, camera: CameraMatrices, shown: npt.NDArray[np.bool_]) -> None:
        """Upload the clip matrices of shown instances, for pictures on the console's grid."""
        numbers = np.flatnonzero(shown)
        residents = [self.used[number] for number in self.mesh_of[numbers].tolist()]
        poses = [self._posed[id(each)][1] if id(each) in self._posed else each.mesh.matrix_rows for each in residents]
        counts = [len(pose) for pose in poses]
        self._rows[numbers, 9] = np.cumsum([0, *counts])[:-1]
        self.instance_rows.replace(self._rows)
        of_row = np.repeat(numbers, counts)
        matrix_rows = np.concatenate([np.zeros((0, rows.MATRIX_WORDS), np.uint32), *poses])
        biased = self._rows[of_row, 8] & BIASED != 0
        self.clip_matrices.replace(
            clip_matrices(matrix_rows, self.positions[of_row], self.scales[of_row], biased, camera)
        )

    # --- time

    def animate(self, tick: int, shown: npt.NDArray[np.bool_]) -> None:
        """Set animations and texture animations to the state after `tick` updates, for meshes that `shown` instances
        use."""
        for pictures in self._pictures.values():
            for name, data in pictures.advance(tick):
                self.texels.show(pictures.textures, name, data)
        for number in np.unique(self.mesh_of[shown]).tolist():
            resident = self.used[number]
            at_rest = 0 if resident.mesh.playing == LOOPING else None  # others may begin at their end
            posed_tick = self._posed[id(resident)][0] if id(resident) in self._posed else at_rest
            if resident.mesh.attached is None or posed_tick == tick:
                continue
            draws, matrices = resident.mesh.posed(tick)
            self._posed[id(resident)] = tick, matrices
            self.matrices.write(6 * resident.matrix, matrices)
            self.materials.write(4 * resident.material, self._material_rows(resident.mesh, draws, resident.owner))
        self.tick = tick


def _joined(parts: list[npt.NDArray[Any]], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Concatenated records; numpy concatenates bytes much faster than records."""
    return np.concatenate([np.zeros(0, np.uint8), *[part.view(np.uint8) for part in parts]]).view(dtype)
