"""The models of a place at a second of the day: every cell's terrain and props, resolved and lit, with their sources.

A resolved model is a model file as the field draws it in an area: colours by the area's light, textures and palettes
by name from the area's sets, and the way of drawing - static props by their list of (material, shape) pairs, everything
else by its SBC. All instances of a model in one area share it. What the feature of the conditions creates or changes
is part of it; props that code creates keep their own colours. Positions are fx32, matrix-wide.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace

from formats.fixed import Vector, moved
from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from formats.remembered import remembered
from mapexplorer.caching import Cache
from mapexplorer.features import Feature, PlacedProp
from mapexplorer.g3d import sbc
from mapexplorer.g3d.animation.attach import AnimationFile
from mapexplorer.g3d.binding import Addresses, TextureBinding, bind
from mapexplorer.g3d.draw_list import DrawList, draw_list, draw_pairs
from mapexplorer.g3d.material import GlobalState
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33, rotation33
from mapexplorer.games import Role
from mapexplorer.map_objects.drawn import UNIT_SCALE
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.light import LightState, lit_prop, lit_terrain
from mapexplorer.scene.playback import LONG_AGO, LOOPING, Playback
from mapexplorer.world.cells import Cell
from mapexplorer.world.models.animations import animation_in_slot, automatic_animations, terrain_animation
from mapexplorer.world.place import FieldPlace, PropPlacement
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt
from mapexplorer.world.sources.provenance import Facts, Provenance, Resolved, SourceRule
from mapexplorer.world.sources.readable import readable_draw_lists, readable_prop_list

TERRAIN = "terrain"
PROP = "prop"
RUN_TIME_PROP = "run-time prop"

Played = tuple[int, Playback]
"""An animation of a prop: its slot in the list of the model, and how it plays."""


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedModel:
    """A model as an area shows it."""

    kind: str
    """TERRAIN, PROP or RUN_TIME_PROP."""
    number: int
    """Its land data or build_model id."""
    model: Model
    """The model as read."""
    binding: TextureBinding
    """The textures and palettes of its materials."""
    textures: Resolved[int] | None
    """The set that it was bound to, None: its own."""
    light_set: int
    """That of its area; -1: it keeps its own colours."""
    state: GlobalState
    """The global words of the light."""
    pairs: tuple[tuple[int, int], ...] | None
    """Its static draw list, None: its SBC is run."""

    def draws(self) -> DrawList:
        """The draws of one instance, in the rest pose."""
        if self.pairs is not None:
            return draw_pairs(self.model, self.pairs, binding=self.binding)
        return draw_list(self.model, binding=self.binding, state=self.state)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedModel:
    """A resolved model at its place. `prop` is the record it comes from, None for terrain and for a prop that code
    creates. `played`: the only animation that plays; None: those that loop from the start."""

    resolved: ResolvedModel
    position: Vector
    scale: Vector
    prop: PropPlacement | None
    why: Provenance
    rotation: Matrix33 = IDENTITY33
    played: Played | None = None

    @property
    def dummy(self) -> bool:
        """Whether this is the dummy box for a model that the area does not list."""
        return self.prop is not None and self.prop.substituted


SharedModels = Cache[Hashable, ResolvedModel]
"""Models by what they are resolved from; only the sources of their textures differ between places."""


class ModelResolver:
    """Resolves models for the areas of a place under given conditions; results are cached.

    `damaged` lists the models and animations requested by the methods `find_...` and `animations` that cannot be read
    and are left out.
    """

    def __init__(
        self,
        conditions: Conditions,
        place: FieldPlace | None = None,
        *,
        addresses: Callable[[Tex0], Addresses] | None = None,
        shared: SharedModels | None = None,
    ) -> None:
        """`place`: that of the conditions, by default, or the same in another area; `addresses` gives the VRAM address
        of a set; without it bound words contain no addresses. `shared` are models of other places of the world,
        resolved without addresses."""
        self.conditions = conditions
        self.place = conditions.place if place is None else place
        self._addresses = addresses
        self._shared = shared
        self._resolved: dict[tuple[str, int, int, int], ResolvedModel] = {}
        self._unreadable: set[tuple[LeftOut, int, int]] = set()
        self.switched: dict[int, Played] = {}
        """Model of placed props -> the animation that plays once since the feature changed it."""
        self.damaged: list[Damage] = []
        self._draw_lists = readable_draw_lists(self.place.world)

    def set_feature(self, feature: Feature | None, tick: int | None = None) -> None:
        """Set what code adds to the map. Animations of placed props whose end it changes play once from `tick` on; with
        None they are at their end at once."""
        before = self.conditions.feature
        self.conditions = replace(self.conditions, feature=feature)
        if feature is None or before is None or tick is None:
            self.switched.clear()
            return
        held = {change.model: change for change in before.placed_props() if not change.repeats}
        for change in feature.placed_props():
            was = held.get(change.model)
            if was is None or change.animation is None or change.repeats or was.animation != change.animation:
                self.switched.pop(change.model, None)
            elif was.at_end != change.at_end:
                self.switched[change.model] = change.animation, Playback(tick, backward=not change.at_end)

    def terrain(self, cell: Cell) -> ResolvedModel:
        """The terrain model of a cell. Raises FormatError."""
        return self._in_area(TERRAIN, cell, cell.land, self.place.terrain_set(cell))

    def prop(self, cell: Cell, number: int) -> ResolvedModel:
        """Prop model `number` in the area of a cell. The dummy box keeps its own textures. Raises FormatError."""
        return self._in_area(PROP, cell, number, self.place.prop_set(cell))

    def _in_area(self, kind: str, cell: Cell, number: int, textures: Resolved[int]) -> ResolvedModel:
        """A model in the area of a cell, resolved once for a texture set and a light set; as this place names its
        textures, which another place may share."""
        light_set = self.place.light_set(cell).value
        key = (kind, number, textures.value, light_set)
        if key not in self._resolved:
            resolve = self._terrain if kind == TERRAIN else self._prop
            arguments = cell, number, textures, light_set, self.conditions.light(light_set)
            if self._shared is None:
                self._resolved[key] = resolve(*arguments)
            else:
                model = self._shared.get((*key, arguments[-1]), resolve, *arguments)
                self._resolved[key] = model if model.textures is None else replace(model, textures=textures)
        return self._resolved[key]

    def _terrain(
        self, cell: Cell, number: int, textures: Resolved[int], light_set: int, light: LightState
    ) -> ResolvedModel:
        model = lit_terrain(self.place.world.terrain_model(number), light)
        binding = self._bind(model, self.place.terrain_textures(cell).textures)
        return ResolvedModel(TERRAIN, number, model, binding, textures, light_set, light.global_state, None)

    def _prop(
        self, cell: Cell, number: int, textures: Resolved[int], light_set: int, light: LightState
    ) -> ResolvedModel:
        file, dummies = self.place.world.prop_model(number), self.place.world.prop_numbers.dummies
        own = file.textures if number in dummies else None
        return self._of_list(PROP, number, lit_prop(file.models[0], light), own, cell, textures, light_set, light)

    def _of_list(
        self,
        kind: str,
        number: int,
        model: Model,
        own: Tex0 | None,
        cell: Cell | None,
        textures: Resolved[int],
        light_set: int,
        light: LightState,
    ) -> ResolvedModel:
        """A prop model, drawn by its list if it has one, with its `own` textures or those of the set."""
        pairs = self._pairs(number, model)
        if pairs is None:
            sbc.check(model)
        binding = self._bind(model, self.place.prop_textures(cell).textures if own is None else own)
        named = textures if own is None else None
        return ResolvedModel(kind, number, model, binding, named, light_set, light.global_state, pairs)

    @remembered
    def run_time_prop(self, number: int) -> ResolvedModel:
        """Prop model `number` as code creates it in the area that was entered: with its own colours. Raises
        FormatError."""
        place, world = self.place, self.place.world
        textures, light = place.prop_set(), self.conditions.light(place.light_set().value)
        prop_list = readable_prop_list(world, textures.value)
        dummy = world.prop_numbers.first(place.area)
        drawn = number if prop_list is None or number in prop_list.models.tolist() else dummy
        file = world.prop_model(drawn)
        own = file.textures if drawn == dummy else None
        return self._of_list(RUN_TIME_PROP, drawn, file.models[0], own, None, textures, -1, light)

    def find_terrain(self, cell: Cell) -> ResolvedModel | None:
        """The terrain model of a cell, None for one that cannot be read."""
        return self._readable(LeftOut.TERRAIN_MODEL, cell.land, cell.area.value, lambda: self.terrain(cell))

    def find_prop(self, cell: Cell, number: int) -> ResolvedModel | None:
        """Prop model `number` in the area of a cell, None for one that cannot be read."""
        return self._readable(LeftOut.PROP_MODEL, number, cell.area.value, lambda: self.prop(cell, number))

    def find_run_time_prop(self, number: int) -> ResolvedModel | None:
        """`run_time_prop`, None for one that cannot be read."""
        return self._readable(LeftOut.PROP_MODEL, number, -1, lambda: self.run_time_prop(number))

    def _readable(
        self, what: LeftOut, number: int, area: int, resolve: Callable[[], ResolvedModel]
    ) -> ResolvedModel | None:
        key = (what, number, area)
        if key in self._unreadable:
            return None
        model = attempt(resolve, None, self.damaged, what, number)
        if model is None:
            self._unreadable.add(key)
        return model

    def animations(self, resolved: ResolvedModel, slot: int | None = None) -> tuple[AnimationFile, ...]:
        """The animation in a slot of a prop's list, by default those that loop from the start, of props that code
        creates only the first; of terrain that of the area. Without damaged ones."""
        if resolved.kind == TERRAIN:
            return self._terrain_animation(resolved)
        if slot is not None:
            return animation_in_slot(self.place.world, resolved.number, slot, self.damaged)
        files = self._automatic(resolved.number)
        return files[:1] if resolved.kind == RUN_TIME_PROP else files

    @remembered
    def _automatic(self, number: int) -> tuple[AnimationFile, ...]:
        """The animations of a prop model that loop from the start."""
        return automatic_animations(self.place.world, number, self.damaged, self.conditions.second or 0)

    def _terrain_animation(self, resolved: ResolvedModel) -> tuple[AnimationFile, ...]:
        damaged: list[Damage] = []
        animation = attempt(
            lambda: terrain_animation(self.place.world, self.place.area, resolved.number, resolved.model),
            None,
            damaged,
            LeftOut.TERRAIN_SRT_ANIMATION,
            resolved.number,
        )
        self.damaged += [lost for lost in damaged if lost not in self.damaged]
        return () if animation is None else (animation,)

    def _bind(self, model: Model, textures: Tex0) -> TextureBinding:
        return bind(model, textures, addresses=self._addresses(textures) if self._addresses is not None else None)

    def _pairs(self, number: int, model: Model) -> tuple[tuple[int, int], ...] | None:
        lists = self._draw_lists
        if lists is None or number >= len(lists.models):
            return None
        pairs = lists.models[number]
        if pairs is None:
            return None
        materials, shapes = len(model.materials), len(model.shapes)
        return tuple([pair for pair in pairs.tolist() if pair[0] < materials and pair[1] < shapes])


def place_cell(resolver: ModelResolver, cell: Cell) -> tuple[PlacedModel | None, list[PlacedModel]]:
    """The terrain of a cell, None if it cannot be read, and its props in file order. Models that cannot be read are
    left out and listed in `resolver.damaged`."""
    model = resolver.find_terrain(cell)
    terrain = None if model is None else PlacedModel(model, cell.centre, UNIT_SCALE, None, cell.why)
    props = [
        _placed(resolved, prop, _change(resolver.conditions.feature, cell, prop.model), resolver.switched)
        for prop in resolver.place.props(cell)
        if (resolved := resolver.find_prop(cell, prop.model)) is not None
    ]
    return terrain, props


def _change(feature: Feature | None, cell: Cell, model: int) -> PlacedProp | None:
    """What a feature changes on the props of a model in a cell: only on the map of its own header."""
    if feature is None or cell.header != feature.header:
        return None
    return next((change for change in feature.placed_props() if change.model == model), None)


def _placed(
    resolved: ResolvedModel, prop: PropPlacement, change: PlacedProp | None, switched: Mapping[int, Played]
) -> PlacedModel:
    position, played = prop.position, None
    if change is not None and change.height is not None:
        position = (position[0], change.height, position[2])
    if change is not None and change.animation is not None:
        held = change.animation, Playback(LONG_AGO, backward=not change.at_end)
        played = (change.animation, LOOPING) if change.repeats else switched.get(change.model, held)
    return PlacedModel(resolved, position, prop.scale, prop, prop.why, played=played)


def place_lands(resolver: ModelResolver) -> list[PlacedModel]:
    """The terrain of other maps that the feature of the conditions shows, in the area that was entered."""
    place, feature = resolver.place, resolver.conditions.feature
    lands = []
    for header, offset in feature.lands().items() if feature is not None else ():
        other = FieldPlace(place.world, place.world.headers[header], None, place.area_id.value)
        for cell in other.matrix_cells.values():
            model = resolver.find_terrain(cell)
            if model is not None:
                lands.append(PlacedModel(model, moved(cell.centre, offset), UNIT_SCALE, None, cell.why))
    return lands


def place_run_time_props(resolver: ModelResolver) -> list[PlacedModel]:
    """The props that the feature of the conditions creates and does not hide. Those that cannot be read are left out
    and listed in `resolver.damaged`."""
    conditions = resolver.conditions
    feature = conditions.feature
    if feature is None:
        return []
    props = []
    for prop in feature.props(conditions.position[1]):
        resolved = None if prop.hidden else resolver.find_run_time_prop(prop.model)
        if resolved is not None:
            facts = Facts(feature=feature.name, header=feature.header)
            why = Provenance(Role.BUILD_MODEL, SourceRule.FEATURE, resolved.number, facts=facts)
            rotation = IDENTITY33 if prop.rotation is None else rotation33(*prop.rotation)
            props.append(PlacedModel(resolved, prop.position, UNIT_SCALE, None, why, rotation))
    return props
