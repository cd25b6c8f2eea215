"""A place, some of its cells or a whole matrix as one GLB.

Structure: scene "field" > place > cell nodes > terrain and prop nodes > shapes; the props and effects that code creates
at run time are nodes below the place, whose extras name the feature and its state; optional scenes "collision" and
"heights". The origin is the north-west corner of the exported cells at height 0; extras of the place's node hold the
matrix-wide offset. Extras hold the game's numbers and the sources of all objects.

Every animation of a model is one clip for all its instances, which share its phase as in the game: `auto.NAME` clips
loop from the start on, the others (doors, stairs) play on events, as their extras describe.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from formats.fixed import ONE, Vector
from formats.nitro.tex0 import Tex0
from mapexplorer.export.gltf.animation import Clip, Motion
from mapexplorer.export.gltf.conditions import condition_extras
from mapexplorer.export.gltf.curves import clip_timing
from mapexplorer.export.gltf.document import Channel, Document, Json
from mapexplorer.export.gltf.feature_effects import PlacedEffect, effect_motion, place_effects
from mapexplorer.export.gltf.joints import Trs, quaternion
from mapexplorer.export.gltf.layers import collision_mesh, heights_mesh
from mapexplorer.export.gltf.nitro import write_model
from mapexplorer.export.gltf.parts import ModelParts, Placed
from mapexplorer.export.gltf.parts import place as place_model
from mapexplorer.export.options import ExportOptions
from mapexplorer.g3d.matrix import IDENTITY33, IDENTITY43, Matrix33, Matrix43
from mapexplorer.scene.camera import view_matrix
from mapexplorer.scene.conditions import Conditions, chosen_save, feature_of
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.light import VertexLight
from mapexplorer.scene.model_resolver import (
    PROP,
    TERRAIN,
    ModelResolver,
    PlacedCell,
    PlacedModel,
    Played,
    ResolvedModel,
    place_cells,
    place_lands,
    place_run_time_props,
)
from mapexplorer.scene.playback import Playing
from mapexplorer.scene.terrain_animation import running_textures
from mapexplorer.world import wording
from mapexplorer.world.animations import AUTOMATIC, ON_DEMAND, PropAnimation, prop_animations
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, Cell
from mapexplorer.world.damage import Damage
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.readable import readable_prop_textures, readable_terrain_textures
from mapexplorer.world.save import fresh_save
from mapexplorer.world.wording import source

_UNSCALED = (ONE, ONE, ONE)
_ABOVE = 1 << 30


@dataclass(slots=True)
class FieldReport:
    """What an export contains. `triangles` are those of all instances; `missing` lists what stays white, `damaged` what
    is left out, and why; `dummies` are props that the game replaces by the dummy box."""

    cells: int = 0
    terrains: int = 0
    props: int = 0
    triangles: int = 0
    materials: int = 0
    images: int = 0
    animations: int = 0
    dummies: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    size: int = 0

    def to_json(self) -> dict[str, Any]:
        """As a manifest keeps it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def export_field(
    place: FieldPlace,
    path: str | os.PathLike[str],
    options: ExportOptions | None = None,
    *,
    cells: Iterable[Cell] | None = None,
) -> FieldReport:
    """Write a place as a GLB file.

    `cells` are those to export: by default the place's own; `place.matrix_cells.values()` for the whole matrix. Raises
    ValueError when there are none, FormatError, RomError, OSError.
    """
    document, report = field_document(place, options or ExportOptions(), cells)
    target = document.write(path)
    report.size = target.stat().st_size
    return report


def field_document(
    place: FieldPlace, options: ExportOptions, cells: Iterable[Cell] | None = None
) -> tuple[Document, FieldReport]:
    """The document of `export_field`, not yet written."""
    chosen = list(place.cells if cells is None else cells)
    if not chosen:
        raise ValueError(f"{place.header.title} has no cells: no cell of its matrix names header {place.header.id}")
    writer = _FieldWriter(place, options, chosen)
    writer.write()
    return writer.document, writer.report


def _view(place: FieldPlace) -> Matrix43:
    """The view under which light is baked: that of the place's camera, or the identity for an invalid camera of a
    hack."""
    try:
        return view_matrix(place.camera)
    except ZeroDivisionError:
        return IDENTITY43


def prop_clips(world: WorldFiles, number: int, model_name: str, damaged: list[Damage] | None = None) -> list[Clip]:
    """The clips of prop model `number`: `auto.NAME` for those that loop from the start, `MODEL.NAME` for the others;
    `damaged` takes each animation that cannot be read."""
    found = prop_animations(world, number, damaged)
    names = [(animation.name, animation.when) for animation in found]
    clips = []
    for entry in found:
        automatic = entry.when == AUTOMATIC
        name = entry.name if entry.name == model_name else f"{model_name}.{entry.name}"
        if names.count((entry.name, entry.when)) > 1:
            name = f"{name}.{entry.kind.lower()}"
        value = next(one for one in world.animation(entry.index).animations if one.name == entry.name)
        title = f"auto.{name}" if automatic else name
        clips.append(Clip(title, value, _prop_extras(entry, number), 0 if automatic else None))
    return clips


class _FieldWriter:
    def __init__(self, place: FieldPlace, options: ExportOptions, cells: list[Cell]) -> None:
        save = chosen_save(place, options, fresh_save(place.world.game, options.day))
        self.place = place = place.of_save(save)
        self.options = options
        self.cells = cells = [place.matrix_cells[cell.x, cell.z] for cell in cells]
        self.document = Document()
        self.report = FieldReport()
        self.save = save
        self.feature = feature_of(place, options, save)
        second = None if options.lit else options.second
        # Above everything, so that no prop of the feature is hidden from the player.
        self.conditions = Conditions(place, second, save=save, feature=self.feature, player=(0, _ABOVE, 0))
        self.resolver = ModelResolver(self.conditions)
        self.west = min(cell.x for cell in cells)
        self.north = min(cell.z for cell in cells)
        self._view = _view(place)
        self._lights: dict[int, VertexLight] = {}
        self._parts: dict[tuple[ResolvedModel, Played | None], ModelParts] = {}
        self._instances: dict[tuple[ResolvedModel, Played | None], list[Placed]] = {}
        self._effects: dict[ResolvedModel, FieldModel] = {}
        self._clips: dict[tuple[str, int], list[Clip]] = {}
        self._clip_names: dict[str, object] = {}

    def write(self) -> None:
        document, report = self.document, self.report
        placed = place_cells(self.resolver, self.cells)
        lands, created = place_lands(self.resolver), place_run_time_props(self.resolver)
        damaged = list(self.place.damage(self.cells))
        effects = [] if self.feature is None else place_effects(self.conditions, self.feature, self.save, damaged)
        exported = {(cell.x, cell.z) for cell in self.cells}
        created = [prop for prop in created if _cell_of(prop) in exported]
        effects = [effect for effect in effects if _cell_of(effect.placed) in exported]
        self._leave_out([*damaged, *self.resolver.damaged])
        skinned: list[int] = []
        nodes = [self._cell(cell, skinned) for cell in placed]
        nodes += [self._land(number, land, skinned) for number, land in enumerate(lands)]
        nodes += [self._run_time_prop(number, prop, skinned) for number, prop in enumerate(created)]
        nodes += [self._effect(number, effect, skinned) for number, effect in enumerate(effects)]
        left_out = {"damaged": report.damaged} if report.damaged else {}
        root = document.node(self._name(), children=nodes, extras=self._extras() | left_out)
        document.scene("field", [root, *skinned])
        self._animate()
        if self.options.collision:
            self._layer("collision", placed)
        if self.options.heights:
            self._layer("heights", placed)
        report.cells = len(placed)
        report.materials = len(document.items("materials"))
        report.images = len(document.items("images"))
        report.animations = len(document.items("animations"))

    def _leave_out(self, damaged: Iterable[Damage]) -> None:
        """Report what cannot be read."""
        sentences = dict.fromkeys(map(wording.damage, damaged))
        self.report.damaged += [sentence for sentence in sentences if sentence not in self.report.damaged]

    def _name(self) -> str:
        return f"{self.place.header.id:03}_{self.place.header.internal_name}"

    def _extras(self) -> Json:
        place = self.place
        origin = [CELL_UNITS * self.west, 0, CELL_UNITS * self.north]
        return {
            "header": place.header.id,
            "internal_name": place.header.internal_name,
            "symbolic_name": place.header.symbolic_name,
            "location_name": place.header.location_name,
            "matrix": place.matrix_id.value,
            "area": place.area_id.value,
            "second": self.conditions.second,
            "day": self.options.day,
            **self._feature_extras(),
            **condition_extras(self.conditions),
            "metres_per_unit": self.options.scale,
            "origin_units": origin,
            "origin_tile": [CELL_TILES * self.west, CELL_TILES * self.north],
            "provenance": [source(place.matrix_id.why), source(place.area_id.why)],
        }

    def _cell(self, placed: PlacedCell, skinned: list[int]) -> int:
        cell = placed.cell
        name = f"c{cell.x:02}_{cell.z:02}"
        children = [] if placed.terrain is None else [self._terrain(cell, placed.terrain, skinned)]
        centre_x, _, centre_z = cell.centre
        for prop in placed.props:
            assert prop.prop is not None
            x, y, z = prop.position
            children.append(self._prop(prop, (x - centre_x, y, z - centre_z), skinned))
        return self.document.node(
            name, children=children, translation=self._corner(cell), extras=self._cell_extras(cell)
        )

    def _terrain(self, cell: Cell, terrain: PlacedModel, skinned: list[int]) -> int:
        extras: Json = {"land": cell.land, **self._model_extras(terrain.resolved), "provenance": source(terrain.why)}
        if cell.altitude:
            extras["altitude"] = cell.altitude
        self.report.terrains += 1
        label = f"terrain_{cell.land:03}_{terrain.resolved.model.name}"
        return self._instance(terrain, label, (0, cell.centre[1], 0), extras, skinned)

    def _cell_extras(self, cell: Cell) -> Json:
        place = self.place
        extras: Json = {"cell": [cell.x, cell.z], "header": cell.header, "area": cell.area.value}
        if cell.filler:
            extras["filler"] = True
        parts = (cell.area, place.terrain_set(cell), place.prop_set(cell), place.light_set(cell))
        return extras | {"provenance": [source(part.why) for part in parts]}

    def _corner(self, cell: Cell) -> list[float]:
        """The cell's centre from the origin, at height 0."""
        half = CELL_UNITS // 2
        x, z = CELL_UNITS * (cell.x - self.west) + half, CELL_UNITS * (cell.z - self.north) + half
        return [x * self.options.scale, 0.0, z * self.options.scale]

    def _prop(self, placed: PlacedModel, position: tuple[int, int, int], skinned: list[int]) -> int:
        prop, resolved = placed.prop, placed.resolved
        assert prop is not None
        self.report.props += 1
        name = f"prop_{prop.index:02}_{resolved.model.name}"
        extras: Json = {"prop": prop.index, "model": prop.stored, "provenance": source(placed.why)}
        if placed.dummy:
            extras |= {"dummy": True, "drawn_model": prop.model}
            self.report.dummies.append(f"{prop.cell} {name}: {source(placed.why)}")
            if not self.options.dummies:
                trs = self._trs(position, placed.scale)
                return self.document.node(name, extras=extras, **trs.properties())
        extras |= self._model_extras(resolved)
        return self._instance(placed, name, position, extras, skinned)

    def _run_time_prop(self, number: int, placed: PlacedModel, skinned: list[int]) -> int:
        """A prop that code creates; its position counts from the origin."""
        self.report.props += 1
        resolved = placed.resolved
        extras: Json = {"model": resolved.number, **self._feature_extras(), "provenance": source(placed.why)}
        name = f"run_time_prop_{number:02}_{resolved.model.name}"
        position = self._from_origin(placed.position)
        return self._instance(placed, name, position, extras | self._model_extras(resolved), skinned)

    def _land(self, number: int, placed: PlacedModel, skinned: list[int]) -> int:
        """The terrain of another map that code shows with this one."""
        self.report.terrains += 1
        resolved = placed.resolved
        extras: Json = {"land": resolved.number, **self._feature_extras(), "provenance": source(placed.why)}
        name = f"land_{number:02}_{resolved.number:03}_{resolved.model.name}"
        position = self._from_origin(placed.position)
        return self._instance(placed, name, position, extras | self._model_extras(resolved), skinned)

    def _from_origin(self, position: Vector) -> Vector:
        unit = CELL_UNITS * ONE
        return position[0] - unit * self.west, position[1], position[2] - unit * self.north

    def _effect(self, number: int, effect: PlacedEffect, skinned: list[int]) -> int:
        """An effect of the feature; its position counts from the origin."""
        placed, resolved = effect.placed, effect.placed.resolved
        self._effects[resolved] = effect.model
        extras: Json = {"effect": resolved.number, **self._feature_extras(), "provenance": source(placed.why)}
        name = f"effect_{number:02}_{resolved.model.name}"
        return self._instance(placed, name, self._from_origin(placed.position), extras, skinned)

    def _feature_extras(self) -> Json:
        """The feature of the map and its state; empty for a map without one."""
        return {} if self.feature is None else {"feature": self.feature.name, "state": self.feature.state}

    def _model_extras(self, resolved: ResolvedModel) -> Json:
        extras: Json = {"drawn_by": "script" if resolved.pairs is None else "pairs"}
        if resolved.textures is not None:
            extras["textures"] = resolved.textures.value
        return extras

    def _trs(self, position: tuple[int, int, int], scale: tuple[int, int, int], rotation: Matrix33 = IDENTITY33) -> Trs:
        unit = self.options.scale / ONE
        x, y, z = position
        move = None if position == (0, 0, 0) else (x * unit, y * unit, z * unit)
        size = None if scale == _UNSCALED else (scale[0] / ONE, scale[1] / ONE, scale[2] / ONE)
        turn = None if rotation == IDENTITY33 else quaternion(np.array(rotation, float).reshape(3, 3) / ONE)
        return Trs(move, turn, size)

    def _instance(
        self, placed: PlacedModel, name: str, position: tuple[int, int, int], extras: Json, skinned: list[int]
    ) -> int:
        parts = self._model(placed.resolved, placed.played)
        if parts.missing:
            extras["missing"] = parts.missing
        nodes = place_model(
            self.document, parts, name, self._trs(position, placed.scale, placed.rotation), extras=extras
        )
        skinned += nodes.skinned
        self._instances.setdefault((placed.resolved, placed.played), []).append(nodes)
        self.report.triangles += parts.triangles
        return nodes.root

    def _model(self, resolved: ResolvedModel, played: Played | None) -> ModelParts:
        parts = self._parts.get((resolved, played))
        if parts is None:
            light = self._light(resolved.light_set)
            motion = self._motion(resolved, played)
            draws = resolved.draws() if motion is None else motion.draws
            parts = write_model(self.document, draws, self.options, light=light, motion=motion)
            self._parts[resolved, played] = parts
            which = f"{resolved.kind} {resolved.number} {resolved.model.name}"
            where = "" if resolved.textures is None else f" not in {source(resolved.textures.why)}"
            self.report.missing += [f"{which}: {what}{where}" for what in parts.missing]
        return parts

    # -- clips -----------------------------------------------------------------------------------------------------

    def _motion(self, resolved: ResolvedModel, played: Played | None) -> Motion | None:
        """The clips of a model in its area; None when it has none. `played`: the animation that it rests in."""
        if resolved in self._effects and not self.options.static:
            return effect_motion(self._effects[resolved])
        if self.options.static or resolved.pairs is not None or resolved.textures is None:
            return None
        world = self.place.world
        if resolved.kind != TERRAIN:
            clips = self._known_clips(PROP, resolved.number, lambda: self._prop_clips(resolved))
            clips = clips if played is None else _resting(clips, *played)
            textures = readable_prop_textures(world, resolved.textures.value).textures
        else:
            number = resolved.textures.value
            textures = readable_terrain_textures(world, number).textures
            clips = self._known_clips(resolved.kind, number, lambda: self._terrain_clips(textures))
            used = {pairing.name for pairing in resolved.model.texture_pairings}
            clips = [clip for clip in clips if clip.pictures[0].name in used]
        if not clips:
            return None
        return Motion(resolved.model, clips, binding=resolved.binding, state=resolved.state, textures=textures)

    def _known_clips(self, kind: str, number: int, find: Callable[[], list[Clip]]) -> list[Clip]:
        key = (kind, number)
        if key not in self._clips:
            self._clips[key] = find()
        return self._clips[key]

    def _prop_clips(self, resolved: ResolvedModel) -> list[Clip]:
        damaged: list[Damage] = []
        clips = prop_clips(self.place.world, resolved.number, resolved.model.name, damaged)
        self._leave_out(damaged)
        return [
            dataclasses.replace(clip, name=self._unique_name(clip.name, (PROP, resolved.number, index)))
            for index, clip in enumerate(clips)
        ]

    def _terrain_clips(self, textures: Tex0) -> list[Clip]:
        clips = []
        damaged: list[Damage] = []
        for running in running_textures(self.place.world, textures, damaged):
            pictures = tuple(running.loop())
            extras = {
                "kind": "terrain texture", "fldtanime": running.number, "texture": running.target.name,
                **clip_timing(AUTOMATIC, len(pictures)),
            }  # fmt: skip
            name = self._unique_name(f"auto.terrain.{running.target.name}", (running.number, pictures))
            clips.append(Clip(name, None, extras, 0, pictures))
        self._leave_out(damaged)
        return clips

    def _unique_name(self, name: str, owner: object) -> str:
        """A clip's name, with a number appended if another animation has the name."""
        title, number = name, 1
        while self._clip_names.setdefault(title, owner) != owner:
            number += 1
            title = f"{name}.{number}"
        return title

    def _animate(self) -> None:
        """Write every clip with the channels of all models and instances that it moves."""
        channels: dict[str, dict[Any, Channel]] = {}
        extras: dict[str, Json] = {}
        counts: dict[str, int] = {}
        for key, instances in self._instances.items():
            for clip in self._parts[key].clips:
                extras.setdefault(clip.name, clip.extras)
                counts[clip.name] = counts.get(clip.name, 0) + len(instances)
                known = channels.setdefault(clip.name, {})
                for channel in clip.channels(instances):
                    known.setdefault(channel.pointer or (channel.node, channel.path), channel)
        for name, by_target in channels.items():
            self.document.animation(name, by_target.values(), extras=extras[name] | {"instances": counts[name]})

    def _light(self, light_set: int) -> VertexLight:
        """The light of a set; -1: of the area that was entered."""
        if light_set not in self._lights:
            self._lights[light_set] = VertexLight(
                self.conditions.light(None if light_set < 0 else light_set), self._view
            )
        return self._lights[light_set]

    def _layer(self, kind: str, placed: list[PlacedCell]) -> None:
        document, scale = self.document, self.options.scale
        nodes = []
        for part in placed:
            cell = part.cell
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


def _cell_of(placed: PlacedModel) -> tuple[int, int]:
    unit = CELL_UNITS * ONE
    return placed.position[0] // unit, placed.position[2] // unit


def _resting(clips: Sequence[Clip], slot: int, playing: Playing) -> list[Clip]:
    """The clips of a prop that shows one of them alone: in a loop, or held at its first or last frame."""
    found = []
    for number, clip in enumerate(clips):
        loops = number == slot and playing.started is None
        ends = number == slot and not loops and not playing.backward
        rest = None if number != slot else clip.frame_count - 1 if ends else 0
        when = clip_timing(AUTOMATIC if loops else ON_DEMAND, clip.frame_count)
        name = f"auto.{clip.name}" if loops else clip.name.removeprefix("auto.")
        found.append(dataclasses.replace(clip, name=name, rest=rest, extras={**clip.extras, **when}))
    return found


def _prop_extras(entry: PropAnimation, model: int) -> Json:
    return {"kind": entry.kind, "model": model, "bm_anime": entry.index, **clip_timing(entry.when, entry.frames)}
