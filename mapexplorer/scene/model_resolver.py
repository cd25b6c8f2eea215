"""The models of a place at a second of the day: every cell's terrain and props, resolved and lit, with their sources.

A resolved model is a model file as the field draws it in an area: colours by the area's light, textures and palettes
by name from the area's sets, and the way of drawing - static props by their list of (material, shape) pairs, everything
else by its SBC. All instances of a model in one area share it. Positions are fx32, matrix-wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from formats.binary import FormatError
from formats.fixed import ONE
from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from mapexplorer.errors import RomError
from mapexplorer.g3d import sbc
from mapexplorer.g3d.animation.attach import AnimationFile
from mapexplorer.g3d.binding import Addresses, TextureBinding, bind
from mapexplorer.g3d.draw_list import DrawList, draw_list, draw_pairs
from mapexplorer.g3d.material import GlobalState
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.light import lit_prop, lit_terrain
from mapexplorer.world.animations import automatic_animations
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import DUMMY_MODEL, PropPlacement
from mapexplorer.world.provenance import Provenance, Resolved

TERRAIN = "terrain"
PROP = "prop"

Vector = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedModel:
    """A model as an area shows it. `number` is its land data or build_model id, `textures` the set it was bound to
    (None: its own), `pairs` its static draw list (None: its SBC is run), `state` the global words of the light."""

    kind: str
    number: int
    model: Model
    binding: TextureBinding
    textures: Resolved[int] | None
    light_set: int
    state: GlobalState
    pairs: tuple[tuple[int, int], ...] | None

    def draws(self) -> DrawList:
        """The draws of one instance, in the rest pose."""
        if self.pairs is not None:
            return draw_pairs(self.model, self.pairs, binding=self.binding)
        return draw_list(self.model, binding=self.binding, state=self.state)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedModel:
    """A resolved model at its place. `prop` is the record it comes from, None for terrain."""

    resolved: ResolvedModel
    position: Vector
    scale: Vector
    prop: PropPlacement | None
    why: Provenance

    @property
    def dummy(self) -> bool:
        """Whether this is the dummy box for a model that the area does not list."""
        return self.prop is not None and self.prop.substituted


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCell:
    """A cell with its terrain and its props in file order; props whose model is damaged are not among them."""

    cell: Cell
    terrain: PlacedModel
    props: tuple[PlacedModel, ...]


class ModelResolver:
    """Resolves models for the areas of a place under given conditions; results are cached.

    `damaged` lists the models and animations requested by `find_prop` and `animations` that cannot be read and are left
    out.
    """

    def __init__(
        self,
        conditions: Conditions,
        *,
        addresses: Callable[[Tex0], Addresses] | None = None,
    ) -> None:
        """`addresses` gives the VRAM address of a set; without it bound words contain no addresses."""
        self.conditions = conditions
        self.place = conditions.place
        self._addresses = addresses
        self._resolved: dict[tuple[str, int, int, int], ResolvedModel] = {}
        self._animations: dict[int, tuple[AnimationFile, ...]] = {}
        self._unreadable: set[tuple[int, int]] = set()
        self.damaged: list[str] = []

    def terrain(self, cell: Cell) -> ResolvedModel:
        """The terrain model of a cell."""
        textures = self.place.terrain_set(cell)
        light_set = self.place.light_set(cell).value
        key = (TERRAIN, cell.land, textures.value, light_set)
        if key not in self._resolved:
            light = self.conditions.light(light_set)
            model = lit_terrain(self.place.world.land(cell.land).model.models[0], light)
            binding = self._bind(model, self.place.terrain_textures(cell).textures)
            self._resolved[key] = ResolvedModel(
                TERRAIN, cell.land, model, binding, textures, light_set, light.global_state, None
            )
        return self._resolved[key]

    def prop(self, cell: Cell, number: int) -> ResolvedModel:
        """Prop model `number` in the area of a cell. The dummy box keeps its own textures. Raises FormatError."""
        textures = self.place.prop_set(cell)
        light_set = self.place.light_set(cell).value
        key = (PROP, number, textures.value, light_set)
        if key not in self._resolved:
            world = self.place.world
            file = world.prop_model(number)
            light = self.conditions.light(light_set)
            model = lit_prop(file.models[0], light)
            pairs = self._pairs(number, model)
            if pairs is None:
                sbc.check(model)
            own = number == DUMMY_MODEL and file.textures is not None
            sets = file.textures if own else self.place.prop_textures(cell).textures
            binding = self._bind(model, sets) if sets is not None else bind(model)
            self._resolved[key] = ResolvedModel(
                PROP,
                number,
                model,
                binding,
                None if own else textures,
                light_set,
                light.global_state,
                pairs,
            )
        return self._resolved[key]

    def find_prop(self, cell: Cell, number: int) -> ResolvedModel | None:
        """Prop model `number` in the area of a cell, None for one that cannot be read."""
        key = (number, cell.area.value)
        if key in self._unreadable:
            return None
        try:
            return self.prop(cell, number)
        except (FormatError, RomError) as error:
            self._unreadable.add(key)
            self.damaged.append(f"prop model {number} is left out: {error}")
            return None

    def animations(self, resolved: ResolvedModel) -> tuple[AnimationFile, ...]:
        """The animations of a prop that loop from the start, without damaged ones; none for terrain."""
        if resolved.kind != PROP:
            return ()
        if resolved.number not in self._animations:
            self._animations[resolved.number] = automatic_animations(self.place.world, resolved.number, self.damaged)
        return self._animations[resolved.number]

    def _bind(self, model: Model, textures: Tex0) -> TextureBinding:
        return bind(model, textures, addresses=self._addresses(textures) if self._addresses is not None else None)

    def _pairs(self, number: int, model: Model) -> tuple[tuple[int, int], ...] | None:
        lists = self.place.world.draw_lists
        if lists is None or number >= len(lists.models):
            return None
        pairs = lists.models[number]
        if pairs is None:
            return None
        materials, shapes = len(model.materials), len(model.shapes)
        return tuple([pair for pair in pairs.tolist() if pair[0] < materials and pair[1] < shapes])


def place_cells(resolver: ModelResolver, cells: Iterable[Cell] | None = None) -> list[PlacedCell]:
    """The models of `cells` (by default the place's own), row by row. Props that cannot be read are left out and listed
    in `resolver.damaged`. Raises FormatError, RomError."""
    place = resolver.place
    result = []
    for cell in place.cells if cells is None else cells:
        terrain = PlacedModel(resolver.terrain(cell), cell.centre, (ONE, ONE, ONE), None, cell.why)
        props = [
            PlacedModel(resolved, prop.position, prop.scale, prop, prop.why)
            for prop in place.props(cell)
            if (resolved := resolver.find_prop(cell, prop.model)) is not None
        ]
        result.append(PlacedCell(cell, terrain, tuple(props)))
    return result
