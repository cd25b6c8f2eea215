"""Prepares cells, people and what code adds for upload. It uses no OpenGL and can run in a worker thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from formats.nitro.tex0 import Tex0
from mapexplorer.features import Feature, FeatureEffect
from mapexplorer.g3d.animation.attach import Animation, AnimationFile
from mapexplorer.g3d.matrix import IDENTITY33, scale43
from mapexplorer.kernels import OPENGL, prepare
from mapexplorer.map_objects.drawn import UNIT_SCALE
from mapexplorer.opengl.blending import POLYGON
from mapexplorer.opengl.decode import decoded
from mapexplorer.opengl.mesh import UNTURNED, VERTEX, Base, Mesh, build_mesh
from mapexplorer.opengl.shaders import BIASED
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.frame import Drawing
from mapexplorer.scene.model_resolver import (
    PROP,
    TERRAIN,
    ModelResolver,
    PlacedModel,
    Played,
    ResolvedModel,
    place_cell,
)
from mapexplorer.scene.playback import LOOPING, Playback
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import Damage

LAYERS: Final = (TERRAIN, PROP, "people")
"""The layers of models, in the order of their numbers."""

_SLACK: Final = 32.0
"""Units by which animations and billboards may exceed the box of the rest pose."""

Floats = npt.NDArray[np.float64]
TERRAIN_LAYER, PROP_LAYER, PEOPLE_LAYER = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A placed mesh: `position` and `scale` in units, matrix-wide; `source` is the caller's object, for picking.
    `biased` instances have a depth offset toward the viewer."""

    mesh: Mesh
    position: tuple[float, float, float]
    scale: tuple[float, float, float]
    layer: int
    source: Any
    biased: bool = False


@dataclass(frozen=True, eq=False)
class Prepared:
    """Instances that are added and removed together: those of a cell, the people, or what code adds. The values for the
    GPU's tables are computed here."""

    key: object
    """Identifies the group."""
    instances: tuple[Instance, ...]
    """The placed meshes."""
    terrain: Tex0 | None = None
    """The texture set of a cell's terrain, for texture animations."""
    positions: Floats = field(init=False)
    """(n, 3) in units."""
    scales: Floats = field(init=False)
    """(n, 3)."""
    low: Floats = field(init=False)
    """The smallest corners of boxes, (n, 3) in units."""
    high: Floats = field(init=False)
    """The largest corners of boxes, (n, 3) in units."""
    flags: npt.NDArray[np.uint32] = field(init=False)
    """The layer, and BIASED, of each instance."""
    blended_vertices: npt.NDArray[Any] = field(init=False)
    """The vertices of what may blend, of their own for every instance, numbered within the group."""
    blended: npt.NDArray[Any] = field(init=False)
    """The polygons of what may blend, of their own for every instance."""

    def __post_init__(self) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        instances, shape = self.instances, (len(self.instances), 3)
        positions = np.array([instance.position for instance in instances], float).reshape(shape)
        scales = np.array([instance.scale for instance in instances], float).reshape(shape)
        boxes = np.array([instance.mesh.box for instance in instances], float).reshape(-1, 2, 3)
        corners = boxes * scales[:, None] + positions[:, None]
        loose = [instance.mesh.attached is not None or instance.layer == PEOPLE_LAYER for instance in instances]
        slack = np.where(np.array(loose, np.bool_), _SLACK, 0.0)[:, None]
        put("positions", positions)
        put("scales", scales)
        put("low", corners.min(1) - slack if instances else positions)
        put("high", corners.max(1) + slack if instances else positions)
        flags = [instance.layer | (BIASED if instance.biased else 0) for instance in instances]
        put("flags", np.array(flags, np.uint32))
        vertices, polygons, first = [np.zeros(0, VERTEX)], [np.zeros(0, POLYGON)], 0
        for number, instance in enumerate(instances):
            if len(instance.mesh.blended):
                vertices.append(instance.mesh.blended_vertices.copy())
                polygons.append(instance.mesh.blended.copy())
                vertices[-1]["instance"] = polygons[-1]["instance"] = number
                polygons[-1]["first"] += np.uint32(first)
                first += len(vertices[-1])
        put("blended_vertices", np.concatenate(vertices))
        put("blended", np.concatenate(polygons))


class Preparer:
    """Meshes of a place's cells; each resolved model is built once. Cells of several areas share a preparer.

    The first one may compile kernels, also those for drawing; so create it in the thread that prepares cells.
    """

    def __init__(self, place: FieldPlace) -> None:
        prepare(OPENGL)
        self.place = place
        self._resolver = ModelResolver(Conditions(place, None))
        self._damaged: dict[Damage, None] = {}
        self._meshes: dict[tuple[int, Playback, Base, int | None], tuple[ResolvedModel, Mesh]] = {}

    def set_feature(self, feature: Feature | None, tick: int | None = None) -> None:
        """Set what code adds to the map, which changes props of the cells that are prepared from now on; `tick`:
        see `ModelResolver.set_feature`."""
        self._resolver.set_feature(feature, tick)

    def cell(self, cell: Cell, played: Mapping[int, Played] | None = None) -> Prepared:
        """A cell's terrain and props under the key ("cell", x, z). `played`: the records of props that play one of
        their animations, as doors do."""
        ground, props = place_cell(self._resolver, cell)
        self._damaged.update(dict.fromkeys(self.place.damage([cell])))
        instances = [] if ground is None else [self._instance(ground, TERRAIN_LAYER, cell)]
        for prop in props:
            playing = played.get(prop.prop.index, prop.played) if played and prop.prop is not None else prop.played
            instances.append(self._instance(prop, PROP_LAYER, cell, playing))
        key = ("cell", cell.x, cell.z)
        terrain = self.place.terrain_textures(cell).textures
        _ = terrain.layout  # computed here, because texture animations need it later
        return Prepared(key, tuple(instances), terrain)

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """What is left out so far because its file cannot be read."""
        return tuple(dict.fromkeys([*self._damaged, *self._resolver.damaged]))

    def people(self, drawings: Iterable[Drawing], key: object = "people") -> Prepared:
        """People, shadows, signs and the effects of a feature as the scene draws them, as a group with the key
        `key`."""
        layers = ((PROP_LAYER if isinstance(each.source, FeatureEffect) else PEOPLE_LAYER, each) for each in drawings)
        return Prepared(key, tuple([self._drawn(drawing, layer, biased=True) for layer, drawing in layers]))

    def run_time_props(self, drawings: Iterable[Drawing], key: object = "run-time props") -> Prepared:
        """The props that code creates as the scene draws them, as a group with the key `key`."""
        return Prepared(key, tuple([self._drawn(drawing, PROP_LAYER, biased=False) for drawing in drawings]))

    def lands(self, drawings: Iterable[Drawing], key: object = "lands") -> Prepared:
        """The terrain of other maps as the scene draws it, as a group with the key `key`."""
        return Prepared(key, tuple([self._drawn(drawing, TERRAIN_LAYER, biased=False) for drawing in drawings]))

    def _drawn(self, drawing: Drawing, layer: int, *, biased: bool) -> Instance:
        model, scale, base = drawing.model, drawing.scale, UNTURNED
        if drawing.rotation != IDENTITY33:
            base = Base(scale43(scale, (*drawing.rotation, 0, 0, 0))[:9], drawing.rotation)
            scale = UNIT_SCALE
        mesh = self._mesh(model.resolved, model.animations, model.textures, model.playing, base)
        return Instance(mesh, _units(drawing.position), _units(scale), layer, drawing, biased)

    def _instance(self, placed: PlacedModel, layer: int, cell: Cell, played: Played | None = None) -> Instance:
        slot, playing = (None, LOOPING) if played is None else played
        files = self._resolver.animations(placed.resolved, slot)
        textures = self.place.prop_textures(cell).textures if files else None
        mesh = self._mesh(placed.resolved, files, textures, playing, slot=slot)
        return Instance(mesh, _units(placed.position), _units(placed.scale), layer, placed)

    def _mesh(
        self,
        resolved: ResolvedModel,
        animations: Sequence[Animation | AnimationFile],
        textures: Tex0 | None,
        playing: Playback,
        base: Base = UNTURNED,
        slot: int | None = None,
    ) -> Mesh:
        key = (id(resolved), playing, base, slot)
        known = self._meshes.get(key)
        if known is None:
            known = self._meshes[key] = resolved, build_mesh(resolved, animations, textures, playing, base)
            for draw in known[1].draws:
                if draw.material.texture is not None and draw.material.palette is not None:
                    decoded(draw.material.texture, draw.material.palette)
        return known[1]


def _units(vector: tuple[int, int, int]) -> tuple[float, float, float]:
    return vector[0] / ONE, vector[1] / ONE, vector[2] / ONE
