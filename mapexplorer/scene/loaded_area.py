"""Cells of one area, loaded for the engine: textures in VRAM, resolved models, drawings in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.features import FeatureEffect, PlacedProp
from mapexplorer.g3d.animation.attach import AnimationFile
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.field_objects import ShownObject
from mapexplorer.scene.frame import Drawing, Flush, Segment
from mapexplorer.scene.missing_textures import MARK, given_pictures, marked
from mapexplorer.scene.model_resolver import (
    PROP,
    ModelResolver,
    PlacedModel,
    Played,
    ResolvedModel,
    place_cell,
    place_lands,
    place_run_time_props,
)
from mapexplorer.scene.object_events import ObjectEventRenderer
from mapexplorer.scene.playback import LOOPING, Playback
from mapexplorer.scene.registers import field_registers
from mapexplorer.scene.terrain_animation import TerrainAnimator
from mapexplorer.scene.vram import Vram
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import FieldPlace, PropPlacement
from mapexplorer.world.sources.damage import Damage

_KEPT_CELLS: Final = 48
"""The number of cells that stay cached after others are shown."""


class LoadedArea:
    """Cells with the textures and light of one area, that of `place`.

    `show` changes the cells; `update` makes the drawings for the conditions of the place that was entered. With `mark`,
    materials without their texture are magenta. `entered`: it is the area that was entered, where the feature has its
    props.
    """

    def __init__(
        self,
        place: FieldPlace,
        conditions: Conditions,
        cells: Iterable[Cell],
        layers: frozenset[str],
        *,
        mark: bool = False,
        entered: bool = True,
    ) -> None:
        self.place = place
        self.light_set = place.light_set().value
        self.mark = mark
        self._entered = entered
        self.vram = Vram()
        self.layers = layers
        terrain = place.terrain_textures().textures
        self.animator = TerrainAnimator(place.world, terrain, self.vram.place(terrain))
        self.object_events: ObjectEventRenderer | None = None
        self._played: dict[tuple[int, int, int], Played] = {}
        self._by_cell: dict[Cell, list[Drawing]] = {}
        self.cells = tuple(cells)
        self._place_damage = place.damage(self.cells)
        self._resolve(conditions)

    def update(self, conditions: Conditions, *, plays: bool = False) -> bool:
        """Make the drawings for other conditions; returns whether they changed. `plays`: animations of props that
        another state of the feature changes play once."""
        before = self._resolver.conditions
        if conditions.light(self.light_set) != self._light:
            self._resolve(conditions)
            return True
        if conditions.feature == before.feature and conditions.player == before.player:
            return False
        if conditions.feature != before.feature:
            self._resolver.set_feature(conditions.feature, conditions.tick if plays else None)
            if _placed_props(conditions) != _placed_props(before):
                self._by_cell.clear()
        self._resolver.conditions = conditions
        self._collect()
        return True

    def show(self, cells: Iterable[Cell]) -> None:
        """Set the cells that are drawn."""
        self.cells = tuple(cells)
        self._place_damage = self.place.damage(self.cells)
        self._collect()

    def populate(self, shown: Callable[[], Sequence[ShownObject]]) -> None:
        """Replace the map objects; `shown` is called in every frame."""
        if self.object_events is None:
            self.object_events = ObjectEventRenderer(self.place, self.vram, self._light.global_state, mark=self.mark)
        self.object_events.show(shown)

    def play(self, prop: PropPlacement, slot: int, tick: int) -> int:
        """Play animation `slot` of a prop's list once from `tick` on, as events do with doors; returns its duration in
        ticks. Only this prop is animated. Raises ValueError for a prop without such an animation."""
        entry = self.place.world.prop_animations(prop.model)
        if entry is None or not 0 <= slot < len(entry.used):
            raise ValueError(f"model {prop.model} has no animation {slot}")
        self._played[prop.cell.x, prop.cell.z, prop.index] = slot, Playback(tick)
        self._by_cell = {cell: kept for cell, kept in self._by_cell.items() if (cell.x, cell.z) != _at(prop.cell)}
        self._collect()
        count: int = self.place.world.animation(entry.used[slot]).animations[0].frame_count
        return count

    def step(self) -> None:
        """One field update of the terrain textures."""
        self.animator.step(self.vram.texture)

    def restart(self) -> None:
        """Reset the terrain textures to their state after loading."""
        self.animator.restart(self.vram.texture)

    @property
    def damaged(self) -> list[Damage]:
        """What is left out because its file cannot be read."""
        objects = self.object_events.damaged if self.object_events is not None else []
        return [*self._place_damage, *self.animator.damaged, *self._resolver.damaged, *objects]

    def registers(self, conditions: Conditions) -> npt.NDArray[np.uint32]:
        """The 88 rendering registers of a frame."""
        return field_registers(
            conditions.edge_colors(self.light_set), conditions.tables.engine.clear_plane, conditions.fog
        )

    def people(
        self, tick: int, flush: Flush, wanted: Callable[[ObjectInstance | FeatureEffect], bool]
    ) -> Iterator[Segment]:
        """The segments of the objects and effects for which `wanted` is true, between the last two flushes."""
        if self.object_events is not None:
            yield from self.object_events.segments(flush, tick, wanted)

    def _resolve(self, conditions: Conditions) -> None:
        self._light = conditions.light(self.light_set)
        if self.object_events is not None:
            self.object_events.set_state(self._light.global_state)
        self._resolver = ModelResolver(conditions, self.place, addresses=self.vram.place)
        self._models: dict[tuple[int, Played | None], FieldModel] = {}
        self._by_cell = {}
        self._collect()

    def _collect(self) -> None:
        for cell in self.cells:
            self._by_cell[cell] = self._by_cell.pop(cell) if cell in self._by_cell else self._drawings(cell)
        while len(self._by_cell) > max(_KEPT_CELLS, len(self.cells)):
            del self._by_cell[next(iter(self._by_cell))]
        self.run_time_props = self._created(place_run_time_props)
        """The props that code creates, drawn after those of the cells."""
        self.lands = self._created(place_lands)
        """The terrain of other maps, drawn between both."""
        lands = self.lands if "terrain" in self.layers else []
        own = self.run_time_props if "props" in self.layers else []
        self.drawings = [*(drawing for cell in self.cells for drawing in self._by_cell[cell]), *lands, *own]

    def _drawings(self, cell: Cell) -> list[Drawing]:
        terrain, props = place_cell(self._resolver, cell)
        parts = [terrain] if "terrain" in self.layers and terrain is not None else []
        parts += props if "props" in self.layers else ()
        drawings = []
        for part in parts:
            key = (cell.x, cell.z, part.prop.index) if part.prop is not None else None
            played = part.played if key is None else self._played.get(key, part.played)
            model = self._model(part.resolved, played)
            drawings.append(Drawing(model, part.position, part.scale, part.resolved.kind == PROP, part))
        return drawings

    def _created(self, place: Callable[[ModelResolver], list[PlacedModel]]) -> list[Drawing]:
        parts = place(self._resolver) if self._entered else []
        return [
            Drawing(self._model(part.resolved, part.played), part.position, part.scale, False, part, part.rotation)
            for part in parts
        ]

    def _model(self, resolved: ResolvedModel, played: Played | None) -> FieldModel:
        key = (id(resolved), played)
        if key not in self._models:
            slot, playing = (None, LOOPING) if played is None else played
            animations = self._resolver.animations(resolved, slot)
            resolved = self._marked(resolved, animations)
            if animations:
                textures = self.place.prop_textures().textures
                self._models[key] = FieldModel(resolved, animations, textures, self.vram.place(textures), playing)
            else:
                self._models[key] = FieldModel(resolved)
        return self._models[key]

    @property
    def marks(self) -> int:
        """The number of materials of the shown models that are marked."""
        models = {id(drawing.model): drawing.model.resolved for drawing in self.drawings}
        bound = [material for resolved in models.values() for material in resolved.binding.materials]
        return sum(material is not None and material.texture is MARK for material in bound)

    def _marked(self, resolved: ResolvedModel, animations: Sequence[AnimationFile]) -> ResolvedModel:
        if not self.mark:
            return resolved
        animated = given_pictures(resolved.model, animations, self.place.prop_textures().textures)
        return marked(resolved, self.vram.place, animated)


def _placed_props(conditions: Conditions) -> tuple[PlacedProp, ...]:
    return () if conditions.feature is None else conditions.feature.placed_props()


def _at(cell: Cell) -> tuple[int, int]:
    return cell.x, cell.z
