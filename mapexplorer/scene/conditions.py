"""The conditions of a picture of a place at a moment: light, fog, edge colours, clear plane, cells, camera, feature.

The DS view, the OpenGL view, the exports and the reports all use these conditions. Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from formats.binary import require
from formats.fixed import ONE, Vector
from mapexplorer.features import Feature, FeatureSky, choosing, entered
from mapexplorer.features.saved_states import with_saved_states
from mapexplorer.games.field_tables import CameraType, FogRegisters, Rgb5
from mapexplorer.games.tables import Tables
from mapexplorer.option import OptionError
from mapexplorer.scene.light import LIBRARY_DEFAULT, LightState, light_block, light_state
from mapexplorer.scene.saves import save_before
from mapexplorer.scene.sky import SkyColors, sky_colors
from mapexplorer.scene.start_position import default_spot
from mapexplorer.scene.view import NEW, WEEKDAYS, MapState, View
from mapexplorer.scene.weather.state import WeatherState
from mapexplorer.scene.weather.timeline import WeatherTimeline
from mapexplorer.units import NOON, SECONDS_PER_DAY
from mapexplorer.world.cells import TILE_UNITS, Cell
from mapexplorer.world.events.transition import entered_save
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.matrix_patches import HIDDEN_LOCATIONS, needed_locations
from mapexplorer.world.sources.readable import readable_light
from mapexplorer.world.terrain.terrain import ResidentBlock, Terrain

_NO_TARGET = (0, 0, 0)


@dataclass(frozen=True)
class Conditions:
    """The moment of a place. What reads a file raises FormatError or RomError."""

    place: FieldPlace
    """The place."""
    second: int | None = NOON
    """The second of the day at which it was entered; None: no light shines, models keep their own colours."""
    weather_choice: int | None = None
    """A weather id, 0 for none, or None for the weather of the map header with `save`."""
    save: Save | None = None
    """The flags and variables; None: a new game on 1 January."""
    tick: int = 0
    """The number of field updates since it was entered."""
    at: tuple[float, float] | None = None
    """x, z: the matrix-wide tile of the player, None for one that suits the place."""
    shows_fog: bool = True
    """See `View`."""
    weather_state: WeatherState | None = None
    """The weather at the tick, None: as on entering."""
    feature: Feature | None = None
    """What code adds to the map, None: nothing."""
    player: Vector | None = None
    """Where the player is exactly, fx32; None for the ground of the tile."""
    _lights: dict[int, LightState] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Light set -> its light, for those that were read."""

    @classmethod
    def of_view(
        cls, place: FieldPlace, view: View, save: Save | None = None, feature: Feature | None = None
    ) -> Conditions:
        """Those in which a picture shows a place, when it is entered; `save` None: a new game on the view's day;
        `feature`: what code adds to the map, if a walk has changed it. Raises OptionError for a state that the map does
        not have."""
        save = chosen_save(place, view, shown_save(place, view) if save is None else save)
        place = place.of_save(save)
        if feature is None or feature.header != place.header.id:
            feature = feature_of(place, view, save)
        return cls(place, view.second, view.weather, save, at=view.at, shows_fog=view.shows_fog, feature=feature)

    def __post_init__(self) -> None:
        require(
            self.second is None or 0 <= self.second < SECONDS_PER_DAY,
            f"a second of the day is 0 to {SECONDS_PER_DAY - 1}, not {self.second}",
        )

    @property
    def tables(self) -> Tables:
        """The constant tables of the game."""
        return self.place.world.game.tables

    # --- light

    @cached_property
    def light_set(self) -> int:
        """The light set of the area that was entered."""
        return self.place.light_set().value

    def light_block(self, light_set: int | None = None) -> int:
        """The light block in force of a set, by default that of the area; 0 for a set that cannot be read."""
        light = readable_light(self.place.world, self.light_set if light_set is None else light_set)
        return 0 if light is None else light_block(light, self.second or 0, self.tick)

    def light(self, light_set: int | None = None) -> LightState:
        """The light of a set, by default that of the area; that of the library for a set that cannot be read."""
        number = self.light_set if light_set is None else light_set
        if number not in self._lights:
            light = readable_light(self.place.world, number)
            recolors = self.outdoor(number) and self.second is not None
            self._lights[number] = (
                LIBRARY_DEFAULT
                if light is None
                else light_state(light.blocks[self.light_block(number)], recolors=recolors)
            )
        return self._lights[number]

    def outdoor(self, light_set: int | None = None) -> bool:
        """Whether a light set, by default that of the area, is one of those outdoors."""
        number = self.light_set if light_set is None else light_set
        return number in self.tables.engine.outdoor_light_sets

    # --- weather

    @cached_property
    def weather(self) -> int:
        """The weather id with which the place is entered, 0 for none."""
        if self.weather_choice is None:
            save = fresh_save(self.place.world.game) if self.save is None else self.save
            return save.entered_weather(self.place.world.weather(self.place.header, save.day).value)
        return self.weather_choice

    def weather_timeline(self, target: Vector, seed: int = 0) -> WeatherTimeline:
        """The weather from entering the place on. `target` is that of the camera, fx32 units; `seed` that of the random
        numbers."""
        camera = self.camera
        timeline = WeatherTimeline(self.tables, camera.distance, camera.half_fov, target, seed)
        timeline.enter(self.weather, target)
        return timeline

    @cached_property
    def fog(self) -> FogRegisters | None:
        """The fog registers: those that the feature sets, else those of the weather; None without fog. A weather that
        was chosen replaces both."""
        if not self.shows_fog:
            return None
        own = self.feature.conditions.fog if self.feature is not None and self.weather_choice is None else None
        if own is not None:
            return own
        return self._weather_fog

    @property
    def _weather_fog(self) -> FogRegisters | None:
        state = self.weather_state
        if state is None:
            state = self.weather_timeline(_NO_TARGET).at(0, _NO_TARGET)
        return state.fog if state.fog.enabled else None

    @property
    def sky_colors(self) -> SkyColors | None:
        """The sky of the hour and the weather, for cameras that see beyond the map; None indoors, and where the feature
        has its own."""
        if self.second is None or not self.outdoor() or self.sky is not None:
            return None
        return sky_colors(self.second, self._weather_fog)

    @property
    def sky(self) -> FeatureSky | None:
        """What the feature has behind the 3D picture; None where it has nothing or weather was chosen."""
        if self.feature is None or self.weather_choice is not None:
            return None
        return self.feature.sky(self.position[1])

    # --- the engine's state

    def edge_colors(self, light_set: int | None = None) -> tuple[Rgb5, ...]:
        """The edge colours (RGB5) of the eight groups of polygon ids, in the light of a set, by default that of the
        area."""
        own = self.feature.conditions.edge_colors if self.feature is not None else None
        if own is not None:
            return own
        engine = self.tables.engine
        return engine.edge_colors_outdoors if self.outdoor(light_set) else engine.edge_colors_indoors

    # --- camera and player

    @cached_property
    def camera(self) -> CameraType:
        """The camera of the game: that of the header, or as the feature changes it."""
        camera = self.place.camera
        return camera if self.feature is None else self.feature.camera(camera)

    @cached_property
    def terrain(self) -> Terrain:
        """The ground of the matrix, with the height plates of the feature."""
        terrain = self.place.terrain
        return terrain if self.feature is None else terrain.with_plates(self.feature.plate_height)

    @cached_property
    def position(self) -> Vector:
        """Where the player is, fx32."""
        if self.player is not None:
            return self.player
        x, z = (tile_units(value) for value in self.tile)
        spot = self.feature.spot if self.feature is not None else None
        if spot is not None and spot.height is not None:
            return x, spot.height, z
        return x, self.terrain.plate_height(x, z, 0) or 0, z

    # --- cells

    @cached_property
    def tile(self) -> tuple[float, float]:
        """The matrix-wide tile of the player. A whole number means the tile's centre, a fraction a point in it."""
        if self.at is not None:
            return self.at
        saved = None if self.save is None else self.save.position(self.place.header.id)
        if saved is not None and self.place.terrain.cell_at(*saved) is not None:
            return saved
        spot = self.feature.spot if self.feature is not None else None
        return default_spot(self.place) if spot is None else (spot.x, spot.z)

    @cached_property
    def resident(self) -> ResidentBlock:
        """The cells that are loaded around the player."""
        return self.place.terrain.resident(*(tile_units(value) // (ONE * TILE_UNITS) for value in self.tile))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The loaded cells in the game's order, all in the area that was entered."""
        area = self.place.with_area(self.place.area_id.value).area_id
        return tuple(replace(cell, area=area) for cell in self._loaded)

    @property
    def cell_positions(self) -> tuple[tuple[int, int], ...]:
        """The cells (x, z) of the matrix that are loaded, in the game's order."""
        return tuple((cell.x, cell.z) for cell in self._loaded)

    @property
    def _loaded(self) -> Iterable[Cell]:
        if self.feature is not None and self.feature.conditions.whole_matrix:
            return self.place.matrix_cells.values()
        return self.resident.cells

    # --- other moments

    def after(self, tick: int) -> Conditions:
        """The same `tick` updates after the place was entered."""
        return self if tick == self.tick else self._changed(tick=tick, _lights={})

    def with_weather(self, state: WeatherState | None) -> Conditions:
        """The same with this weather."""
        if state is self.weather_state:
            return self
        changed = self._changed(weather_state=state)
        vars(changed).pop("fog", None)
        return changed

    def _changed(self, **values: Any) -> Conditions:
        """A copy with other values. It keeps the cached properties, most of which depend neither on tick nor on
        weather: they would be computed again for every tick."""
        changed = copy(self)
        vars(changed).update(values)
        return changed


def shown_save(place: FieldPlace, shown: MapState, damaged: list[Damage] | None = None) -> Save:
    """The save that a place is shown with, without the state of its feature; before the scripts of the map have run if
    they cannot be read. Raises RomChangedError; for a save that cannot be read RomError, FormatError."""
    game, header, weekday = place.world.game, place.header.id, WEEKDAYS.index(shown.weekday)
    save = with_saved_states(save_before(game, shown.save), header)
    save = replace(save, day=shown.day, second=shown.second, weekday=weekday, seed=shown.seed)
    if shown.save == NEW:
        return save
    save = entered_save(place.world, header, save, damaged)
    known = save.features.get(HIDDEN_LOCATIONS, ())
    needed = needed_locations(game.tables, place.matrix_id.value, [(cell.x, cell.z) for cell in place.cells])
    added = [location for location in needed if location not in known]
    return replace(save, features={**save.features, HIDDEN_LOCATIONS: [*known, *added]}) if added else save


def chosen_save(place: FieldPlace, shown: MapState, save: Save) -> Save:
    """A save with the state of the place's feature that was chosen. Raises OptionError for one that it does not
    have."""
    if shown.state is None:
        return save
    try:
        return choosing(save, place.header.id, shown.state)
    except ValueError as error:
        raise OptionError("{state}: {0}", error) from None


def feature_of(place: FieldPlace, shown: MapState, save: Save) -> Feature | None:
    """What code adds to a place with a save; None for nothing."""
    feature = entered(save, place.header.id) if shown.features else None
    return None if feature is None else feature.with_files(place.world)


def tile_units(tile: float) -> int:
    """A matrix-wide tile in fx32 units: a whole number means the tile's centre."""
    middle = 0.5 if tile == int(tile) else 0.0
    return round((tile + middle) * TILE_UNITS * ONE)
