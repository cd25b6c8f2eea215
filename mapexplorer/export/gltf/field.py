"""A place, some of its cells or a whole matrix as one GLB.

Structure: scene "field" > place > cell nodes > terrain and prop nodes > shapes; the props and effects that code creates
at run time are nodes below the place, whose extras name the feature and its state; optional scenes "collision" and
"heights". The origin is the north-west corner of the exported cells at height 0; extras of the place's node hold the
matrix-wide offset. Extras hold the game's numbers and the sources of all objects.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from formats.binary import require
from formats.fixed import ONE, Vector
from formats.remembered import remembered
from mapexplorer.export.gltf.backdrop import backdrop_node, backdrop_picture
from mapexplorer.export.gltf.compact import compact
from mapexplorer.export.gltf.document import Document, Json, members
from mapexplorer.export.gltf.extras import (
    cell_extras,
    feature_extras,
    left_out_extras,
    model_extras,
    object_extras,
    place_extras,
)
from mapexplorer.export.gltf.field_clips import FieldClips
from mapexplorer.export.gltf.field_events import EventNode, event_nodes
from mapexplorer.export.gltf.field_report import FieldReport
from mapexplorer.export.gltf.hours import add_colors
from mapexplorer.export.gltf.joints import Trs, quaternion
from mapexplorer.export.gltf.layers import collision_mesh, heights_mesh, solid_meshes
from mapexplorer.export.gltf.merge import merged
from mapexplorer.export.gltf.parts import ModelInstance, ModelParts, add_instance
from mapexplorer.export.gltf.punctual import LUX, STRENGTHS, camera_node, sun, upright, view_of
from mapexplorer.export.gltf.shown_objects import PlacedObject, place_objects
from mapexplorer.export.gltf.written_models import WrittenModels
from mapexplorer.export.options import EVERYTHING, GODOT, SCENE_ENDINGS, ExportOptions
from mapexplorer.export.scene_files import options_for, write_scene
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33
from mapexplorer.scene.conditions import Conditions, chosen_save, feature_of, shown_save
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.light import VertexLight
from mapexplorer.scene.model_resolver import (
    TERRAIN,
    ModelResolver,
    PlacedModel,
    Played,
    ResolvedModel,
    place_cell,
    place_lands,
    place_run_time_props,
)
from mapexplorer.scene.object_events import PERSON
from mapexplorer.values import OutputFile
from mapexplorer.world import wording
from mapexplorer.world.cells import CELL_UNITS, Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.terrain.terrain import cell_of
from mapexplorer.world.wording import source

Floats = npt.NDArray[np.float64]

_UNSCALED = (ONE, ONE, ONE)
_ABOVE = 1 << 30
_AROUND = 1.5
"""The radius of the backdrop by that of a circle around all cells."""


def export_field(
    place: FieldPlace,
    path: str | os.PathLike[str],
    options: ExportOptions | None = None,
    *,
    cells: Iterable[Cell] | None = None,
) -> FieldReport:
    """Write a place as a GLB, .gltf or .obj, as the ending of `path` says.

    `cells` are those to export: by default the place's own; `place.matrix_cells.values()` for the whole matrix. Raises
    ValueError when there are none, and for another ending; FormatError, RomError, OSError.
    """
    target = Path(path)
    OutputFile(SCENE_ENDINGS).check(target)
    document, report = field_document(place, options_for(target, options or ExportOptions()), cells)
    _, report.size = write_scene(document, target)
    return report


def field_document(
    place: FieldPlace,
    options: ExportOptions,
    cells: Iterable[Cell] | None = None,
    models: WrittenModels | None = None,
) -> tuple[Document, FieldReport]:
    """The document of `export_field`, not yet written, and what is in it. `models` are those of the world with these
    options, which several places share; the bytes of a document do not depend on those before it."""
    parts = field_parts(place, options, cells, models)
    document = merged(parts.document) if options.resolved().merge == EVERYTHING else parts.document
    if options.compact:
        parts.report.floats = compact(document)
    return document, parts.report


@dataclass(frozen=True, slots=True, eq=False)
class FieldParts:
    """The document of a place, not merged, and what is in it: the node of each cell, and the instances of each model
    in the order of the first one."""

    document: Document
    report: FieldReport
    cells: list[tuple[Cell, int]]
    models: list[tuple[ResolvedModel, list[ModelInstance]]]


def field_parts(
    place: FieldPlace,
    options: ExportOptions,
    cells: Iterable[Cell] | None = None,
    models: WrittenModels | None = None,
) -> FieldParts:
    """The document of a place with its parts, not merged. Raises as `export_field` does."""
    chosen = list(place.cells if cells is None else cells)
    require(chosen, f"{place.header.title} has no cells: no cell of its matrix names header {place.header.id}")
    models = models or WrittenModels(place.world, options)
    parts = _FieldWriter(place, models, chosen).write()
    others = [models.at(second) for second in (options.hours or ())[1:]]
    add_colors(parts.document, [_FieldWriter(place, other, chosen).write().document for other in others])
    return parts


_Variant = tuple[ResolvedModel, Played | None, Matrix33]
"""What instances that share their meshes have in common: the model, what it plays, and where light is baked into the
colours their rotation."""


class _FieldWriter:
    def __init__(self, place: FieldPlace, models: WrittenModels, cells: list[Cell]) -> None:
        options = models.options
        save = chosen_save(place, options, shown_save(place, options))
        self.place = place = place.of_save(save)
        self.models = models
        self.options = options
        own = {(cell.x, cell.z) for cell in cells}
        self.margin = {
            (x, z)
            for x, z in place.matrix_cells
            if (x, z) not in own and any(max(abs(x - cell.x), abs(z - cell.z)) <= options.margin for cell in cells)
        }
        self.cells = cells = [cell for at, cell in place.matrix_cells.items() if at in own or at in self.margin]
        self.document = Document(pointers=options.pointers)
        self.report = FieldReport()
        self.save = save
        self.feature = feature_of(place, options, save)
        # Above everything, so that no prop of the feature is hidden from the player.
        self.conditions = Conditions(place, options.second, save=save, feature=self.feature, player=(0, _ABOVE, 0))
        self.resolver = ModelResolver(self.conditions, shared=models.resolved)
        self.west = min(cell.x for cell in cells)
        self.north = min(cell.z for cell in cells)
        self._view = view_of(place)
        turn = np.array(self._view[:9], float).reshape(3, 3).T / ONE
        self._facing = quaternion(turn)
        self._people_facing = self._facing if options.tilts_people else quaternion(upright(turn))
        self._instances: dict[_Variant, list[ModelInstance]] = {}
        self._clips = FieldClips(models.clips, options)
        self._effects: dict[ResolvedModel, FieldModel] = {}
        self._skinned: list[int] = []

    def write(self) -> FieldParts:
        document, report = self.document, self.report
        placed = [place_cell(self.resolver, cell) for cell in self.cells]
        lands, created = place_lands(self.resolver), place_run_time_props(self.resolver)
        exported = {(cell.x, cell.z) for cell in self.cells}
        created = [prop for prop in created if cell_of(prop.position) in exported]
        headers = list(dict.fromkeys(cell.header for cell in self.cells if not cell.filler))
        damaged = list(self.place.damage(self.cells))
        objects: list[PlacedObject] = []
        if self.feature is not None or self.options.people:
            people = headers if self.options.people else []
            toward = self._view[2:9:3] if self.options.tilts_people else (0, 0, 0)
            objects = place_objects(self.conditions, self.save, people, exported, toward, damaged)
            objects = [placed_object for placed_object in objects if cell_of(placed_object.placed.position) in exported]
        events = event_nodes(self.place, headers, exported.__contains__, self.save, damaged)
        damaged += self.resolver.damaged
        cells = [(cell, self._cell(cell, *models)) for cell, models in zip(self.cells, placed, strict=True)]
        nodes = [node for _, node in cells]
        nodes += [self._created(number, model) for models in (lands, created) for number, model in enumerate(models)]
        nodes += [self._object(number, placed_object) for number, placed_object in enumerate(objects)]
        if self.options.events:
            nodes += [self._event(event) for event in events]
        nodes += self._light_and_camera()
        behind = self._backdrop(damaged)
        damaged += self._clips.damaged
        report.damaged = list(dict.fromkeys(map(wording.damage, damaged)))
        extras = self._extras() | members(damaged=report.damaged)
        if self.conditions.sky is not None and not behind:
            extras |= {"backdrop": None}
        if not self.options.events:
            extras |= left_out_extras(events)
        root = document.node(self._name(), children=nodes, extras=extras)
        document.scene("field", [root, *self._skinned, *behind])
        self._clips.write(document, [(self._model(key), placed) for key, placed in self._instances.items()])
        if self.options.collision:
            self._layer("collision")
        if self.options.profile == GODOT:
            for cell, node in cells:
                self._add_solid(cell, node)
        if self.options.heights:
            self._layer("heights")
        report.cells = len(self.cells)
        report.materials = len(document.items("materials"))
        report.images = len(document.items("images"))
        report.animations = len(document.items("animations"))
        shown = [(resolved, instances) for (resolved, _, _), instances in self._instances.items()]
        return FieldParts(document, report, cells, shown)

    def _name(self) -> str:
        return f"{self.place.header.id:03}_{self.place.header.internal_name}"

    def _extras(self) -> Json:
        return place_extras(self.conditions, self.options, self.west, self.north)

    def _cell(self, cell: Cell, terrain: PlacedModel | None, props: list[PlacedModel]) -> int:
        name = f"c{cell.x:02}_{cell.z:02}"
        children = [] if terrain is None else [self._terrain(name, cell, terrain)]
        centre_x, _, centre_z = cell.centre
        for prop in props:
            assert prop.prop is not None
            x, y, z = prop.position
            children.append(self._prop(name, prop, (x - centre_x, y, z - centre_z)))
        extras = cell_extras(self.place, cell, margin=(cell.x, cell.z) in self.margin)
        return self.document.node(name, children=children, translation=self._corner(cell), extras=extras)

    def _terrain(self, name: str, cell: Cell, terrain: PlacedModel) -> int:
        extras: Json = {"land": cell.land, **model_extras(terrain.resolved), "provenance": source(terrain.why)}
        extras |= members(altitude=cell.altitude or None)
        self.report.terrains += 1
        label = f"{name}_{terrain.resolved.model.name}"
        return self._instance(terrain, label, (0, cell.centre[1], 0), extras)

    def _corner(self, cell: Cell) -> list[float]:
        """The cell's centre from the origin, at height 0."""
        half = CELL_UNITS // 2
        x, z = CELL_UNITS * (cell.x - self.west) + half, CELL_UNITS * (cell.z - self.north) + half
        return [x * self.options.scale, 0.0, z * self.options.scale]

    def _prop(self, cell: str, placed: PlacedModel, position: tuple[int, int, int]) -> int:
        prop, resolved = placed.prop, placed.resolved
        assert prop is not None
        self.report.props += 1
        name = f"{cell}_prop_{prop.index:02}_{resolved.model.name}"
        extras: Json = {"prop": prop.index, "model": prop.stored, "provenance": source(placed.why)}
        if placed.dummy:
            extras |= {"dummy": True, "drawn_model": prop.model}
            self.report.dummies.append(f"{name}: {source(placed.why)}")
            if not self.options.dummies:
                return self.document.node(name, extras=extras, **self._trs(position, placed.scale)._asdict())
        extras |= model_extras(resolved)
        return self._instance(placed, name, position, extras)

    def _created(self, number: int, placed: PlacedModel) -> int:
        """A prop that code creates, or the terrain of another map that it shows; its position counts from the
        origin."""
        resolved = placed.resolved
        if resolved.kind == TERRAIN:
            self.report.terrains += 1
            key, name = "land", f"land_{number:02}_{resolved.number:03}"
        else:
            self.report.props += 1
            key, name = "model", f"run_time_prop_{number:02}"
        extras: Json = {key: resolved.number, **feature_extras(self.feature), "provenance": source(placed.why)}
        extras |= model_extras(resolved)
        return self._instance(placed, f"{name}_{resolved.model.name}", self._from_origin(placed.position), extras)

    def _from_origin(self, position: Vector) -> Vector:
        unit = CELL_UNITS * ONE
        return position[0] - unit * self.west, position[1], position[2] - unit * self.north

    def _object(self, number: int, placed_object: PlacedObject) -> int:
        """A person or thing, or an effect of the feature; its position counts from the origin."""
        placed, resolved, person = placed_object.placed, placed_object.placed.resolved, placed_object.source
        self._effects[resolved] = placed_object.model
        if person is None:
            name = f"effect_{number:02}_{resolved.model.name}"
        else:
            part = "" if resolved.kind == PERSON else f"_{resolved.model.name}"
            name = f"person_{person.header or 0:03}_{person.event or 0:02}{part}"
        extras = object_extras(placed_object, self.conditions)
        return self._instance(placed, name, self._from_origin(placed.position), extras)

    def _event(self, event: EventNode) -> int:
        x, y, z = self._from_origin(event.position)
        unit = self.options.scale / ONE
        return self.document.node(event.name, translation=(x * unit, y * unit, z * unit), extras=event.extras)

    def _light_and_camera(self) -> list[int]:
        nodes = []
        if self.options.lit:
            nodes += sun(self.document, self.conditions.light(), STRENGTHS.get(self.options.profile, LUX))
        if self.options.camera:
            at = Conditions(self.place, save=self.save, feature=self.feature).position
            unit = CELL_UNITS * ONE
            origin = (unit * self.west, 0, unit * self.north)
            behind = 0.0 if self.conditions.sky is None else 2 * self._sphere()[1]
            with contextlib.suppress(ZeroDivisionError):
                nodes.append(camera_node(self.document, self.conditions.camera, at, origin, self.options.scale, behind))
        return nodes

    def _backdrop(self, damaged: list[Damage]) -> list[int]:
        """What code shows behind the map, around all cells; `damaged` takes what cannot be read."""
        picture = backdrop_picture(self.conditions, damaged)
        return [] if picture is None else [backdrop_node(self.document, picture, *self._sphere())]

    def _sphere(self) -> tuple[Floats, float]:
        """The centre and the radius of a sphere around all cells."""
        corners = np.array([self._corner(cell) for cell in self.cells])
        low, high = corners.min(0), corners.max(0)
        radius = _AROUND * (np.linalg.norm(high - low) / 2 + CELL_UNITS * self.options.scale)
        return (low + high) / 2, float(radius)

    def _trs(self, position: tuple[int, int, int], scale: tuple[int, int, int], rotation: Matrix33 = IDENTITY33) -> Trs:
        unit = self.options.scale / ONE
        x, y, z = position
        move = None if position == (0, 0, 0) else (x * unit, y * unit, z * unit)
        size = None if scale == _UNSCALED else (scale[0] / ONE, scale[1] / ONE, scale[2] / ONE)
        turn = None if rotation == IDENTITY33 else quaternion(np.array(rotation, float).reshape(3, 3) / ONE)
        return Trs(move, turn, size)

    def _instance(self, placed: PlacedModel, name: str, position: tuple[int, int, int], extras: Json) -> int:
        rotation = IDENTITY33 if self.options.lit else placed.rotation
        variant = placed.resolved, placed.played, rotation
        parts = self._model(variant)
        instance = add_instance(
            self.document,
            parts,
            name,
            self._trs(position, placed.scale, placed.rotation),
            extras=extras | members(missing=parts.missing),
            facing=self._facing if placed.resolved.kind != PERSON else self._people_facing,
        )
        self._skinned += instance.skinned
        self._instances.setdefault(variant, []).append(instance)
        self.report.triangles += parts.triangles
        self.report.degenerate += parts.degenerate
        self.report.duplicate += parts.duplicate
        return instance.root

    @remembered
    def _model(self, variant: _Variant) -> ModelParts:
        resolved, played, rotation = variant
        light = self._light(resolved.light_set, rotation)
        effect = self._effects.get(resolved)
        if effect is None:
            parts = self.models.add(self.document, resolved, light, self._clips.of(resolved, played), played)
        else:
            parts = self.models.write(self.document, resolved, light, self._clips.of_effect(effect))
        which = f"{resolved.kind} {resolved.number} {resolved.model.name}"
        where = "" if resolved.textures is None else f" not in {source(resolved.textures.why)}"
        missing = [f"{which}: {what}{where}" for what in parts.missing]
        self.report.missing += [sentence for sentence in missing if sentence not in self.report.missing]
        return parts

    @remembered
    def _light(self, light_set: int, rotation: Matrix33) -> VertexLight:
        """The light of a set on models of a rotation; -1: of the area that was entered."""
        state = self.conditions.light(None if light_set < 0 else light_set)
        return VertexLight(state, self._view, rotation)

    def _layer(self, kind: str) -> None:
        document, scale = self.document, self.options.scale
        nodes = []
        for cell in self.cells:
            parts = self.place.world.land_parts(cell.land)
            name = f"{kind}_{cell.land:03}"
            if kind == "collision":
                tables = self.place.world.game.tables
                mesh = collision_mesh(document, tables, parts.attributes, parts.plates, scale, name)
            else:
                mesh = heights_mesh(document, parts.plates, scale, name)
            label = f"{kind}_c{cell.x:02}_{cell.z:02}"
            extras = {"cell": [cell.x, cell.z], "land": cell.land}
            nodes.append(document.node(label, mesh=mesh, translation=self._corner(cell), extras=extras))
        document.scene(kind, [document.node(f"{self._name()}_{kind}", children=nodes, extras=self._extras())])

    def _add_solid(self, cell: Cell, node: int) -> None:
        """Add the ground of a cell and what blocks to its node; Godot makes bodies of them because of their names."""
        parts = self.place.world.land_parts(cell.land)
        name = f"c{cell.x:02}_{cell.z:02}"
        meshes = solid_meshes(self.document, parts.attributes, parts.plates, self.options.scale, name)
        self.document.attach(node, *(self.document.node(f"{label}-colonly", mesh=mesh) for label, mesh in meshes))
