"""The state of the window: the ROM, the place, the selection and the camera. It emits signals for changes."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import Any

from formats.fixed import ONE
from mapexplorer.catalogue.kinds import header_of
from mapexplorer.errors import RomChangedError
from mapexplorer.features import Feature, remembered
from mapexplorer.features.saved_states import with_saved_states
from mapexplorer.games import DEFAULT, Game
from mapexplorer.gui.model.camera import GAME, SCALES, TOP, Point, ViewCamera
from mapexplorer.gui.model.clock import Clock
from mapexplorer.gui.model.history import History
from mapexplorer.gui.model.layers import Layers
from mapexplorer.gui.model.marks import Marks
from mapexplorer.gui.model.opened_map import (
    OpenedMap,
    arrive,
    first_place,
    first_spot,
    framing,
    ground_at,
    middle_of,
    on_matrix,
    tile_of,
)
from mapexplorer.gui.model.save_change import NO_CHANGE, SaveChange
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.model.signal import Signal
from mapexplorer.scene.view import ENTERED, LATEST, NEW, View
from mapexplorer.units import SECONDS_PER_HOUR
from mapexplorer.values import NO_WEATHER
from mapexplorer.world import FieldPlace, FieldWorld
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.saved_game import SavedGame
from mapexplorer.world.subject import Subject, subject

SCENE_LAYERS = ("terrain", "props", "people")
"""The layers of the window that are layers of a `View`."""


Visit = tuple[int, Subject, Point]
"""An entry of the history: a map header, the selection there, and what the camera looked at."""


class Explorer:
    """The state of the window.

    `zones`: the map headers since a place was entered, each with the tick: the first one was entered at tick 0, the
    player walked into the others. Their weather changes at these ticks.

    `options` are those of the picture that the user chose: weather, day of the week, save, all cells, all objects.

    `save_changes` is what the user changed of the flags and variables of a new game, each change with those before it;
    the present one is `save_change`.

    `feature` is what code adds to the present map, in its present state; None: nothing. `features` are the states that
    were chosen or walked into, by the name of the feature. `saved`: the saved game that was shown last, as it was read.

    `zoomed_beyond`: the top camera was to be zoomed out beyond its smallest scale.

    `rom_changed`, `place_changed`, `selection_changed`, `camera_changed`, `scene_changed` (weather, people, layers of
    the picture), `marks_changed` (what `mark` marks; a walk's trail comes with its pictures), `feature_changed`,
    `state_chosen`, `save_changed` and `history_changed` are emitted without arguments after the change.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock = Clock()
        self.layers = Layers()
        self.camera = ViewCamera()
        self.options = View()
        self._hidden_weather: int | None = None
        self._entering: tuple[Any, Save] | None = None
        self.world: FieldWorld | None = None
        self.rom_path = ""
        self.place: FieldPlace | None = None
        self.zones: tuple[tuple[int, int], ...] = ()
        self.feature: Feature | None = None
        self.features: dict[str, Any] = {}
        self.saved: SavedGame | None = None
        self.save_changes: History[SaveChange] = History()
        self.selection: Subject | None = None
        self.marks = Marks()
        self.marks_changed = Signal()
        self.history: History[Visit] = History()
        self.rom_changed = Signal()
        self.place_changed = Signal()
        self.selection_changed = Signal()
        self.camera_changed = Signal()
        self.scene_changed = Signal()
        self.feature_changed = Signal()
        self.state_chosen = Signal()
        self.save_changed = Signal()
        self.history_changed = Signal()
        self.zoomed_beyond = Signal()
        self.clock.restarted.connect(self._restarted)
        self.clock.changed.connect(self._follow_clock)

    # --- ROM and place

    @property
    def game(self) -> Game:
        """The game of the opened ROM."""
        return DEFAULT if self.world is None else self.world.game

    def first_header(self, world: FieldWorld, path: str) -> int:
        """The map header at which a ROM is opened: the one that was last shown of it, else that of `first_place`."""
        last = self.settings.get("last places", {}).get(path)
        return last if isinstance(last, int) and 0 <= last < len(world.headers) else first_place(world)

    def open(self, world: FieldWorld, path: str, first: OpenedMap | None = None) -> None:
        """Open another ROM, by default at the map of `first_header`."""
        self.clock.play(False)
        self.world, self.rom_path = world, path
        self.place = self.selection = self.feature = None
        if self.has_saved_game:
            self.options = replace(self.options, save=ENTERED)
        self.features.clear()
        self.save_changes.clear()
        self.history.clear()
        self.settings.add_recent(path)
        self.rom_changed.emit()
        if first is None:
            header = self.first_header(world, path)
            first = arrive(world, header, self.save_on_entering(header))
        self.enter(first)

    def reload(self, world: FieldWorld, header: int) -> None:
        """Replace the world by a later state of the same ROM, at map header `header`; there camera, clock and history
        are kept."""
        if self.world is not None and len(world.headers) < len(self.world.headers):
            self.history.clear()
        stays = self.place is not None and self.place.header.id == header
        self.world = world
        if not stays:
            self.place = self.selection = None
        self.rom_changed.emit()
        if not stays:
            self.go(header)
            return
        self.place = world.place(header)
        self.place_changed.emit()
        self.selection_changed.emit()
        self.camera_changed.emit()

    def go(self, header: int, selection: Subject | None = None, tile: tuple[float, float] | None = None) -> None:
        """Change to a map header: select it, or `selection` there; look at `tile` (matrix-wide), by default at the
        place's default position."""
        if self.world is None or not 0 <= header < len(self.world.headers):
            return
        self.enter(arrive(self.world, header, self.save_on_entering(header), tile), selection)

    def save_on_entering(self, header: int) -> Save:
        """The save with which a map is entered: what code adds is as in a saved game, else as on entering, where it
        does not stay."""
        of_save = with_saved_states(self.save_before, header).features
        return replace(self.save, features={**of_save, **remembered(self.features)})

    def enter(self, arrival: OpenedMap, selection: Subject | None = None) -> None:
        """Show a map, and select its header or `selection` there."""
        self._leave()
        self._enter(arrival)
        self._select(selection or subject("header", arrival.place.header.id))
        self._visit()

    def _enter(self, arrival: OpenedMap) -> None:
        camera = self.camera.looking_at(arrival.target)
        self.camera = camera if arrival.room is None or camera.kind == GAME else camera.framing(*arrival.room)
        self.features = arrival.features
        self.place, self.feature = arrival.place, arrival.feature
        self.clock.restart()
        last_places = self.settings.get("last places", {})
        self.settings.set("last places", {**last_places, self.rom_path: arrival.place.header.id})
        self.place_changed.emit()
        self.camera_changed.emit()

    def walk_into(self, header: int) -> None:
        """Change to a neighbouring map of the same matrix while walking: camera, clock and history are kept; a
        selected header is replaced by the new one."""
        before = self.place
        if self.world is not None:
            arrival = arrive(self.world, header, self.save, self.tile)
            self.place, self.feature = arrival.place, arrival.feature
            self.zones = (*self.zones, (self.clock.tick, header))
            self.place_changed.emit()
            if before is not None and self.selection == subject("header", before.header.id):
                self._select(subject("header", header))

    def _restarted(self) -> None:
        """The present place counts as entered at tick 0."""
        if self.place is not None:
            self.zones = ((0, self.place.header.id),)

    def ground(self, x: float, z: float, near: float = 0.0) -> Point:
        """The point on the ground of the present matrix at (x, z) units; at height `near` without a plate."""
        return (x, near, z) if self.place is None else ground_at(self.place, x, z, near)

    # --- selection and history

    def select(self, chosen: Subject) -> None:
        """Select a thing; the place is changed if it is on another map."""
        if self.world is None or chosen == self.selection:
            return
        header = header_of(chosen)
        if header is not None and (self.place is None or header != self.place.header.id):
            self.go(header, chosen, tile_of(self.world, chosen))
            return
        self._leave()
        self._select(chosen)
        self._visit()

    def _select(self, chosen: Subject) -> None:
        self.selection = chosen
        self.selection_changed.emit()

    def mark(self, **changed: Any) -> None:
        """Mark other things over the picture."""
        before, self.marks = self.marks, replace(self.marks, **changed)
        if self.marks != before:
            self.marks_changed.emit()

    def go_in_history(self, step: int) -> None:
        """Go one entry BACK or FORWARD in the history, if there is one."""
        self._leave()
        visit = self.history.go(step)
        if visit is None:
            return
        header, selection, (x, _, z) = visit
        if self.world is not None and (self.place is None or header != self.place.header.id):
            at = x / TILE_UNITS, z / TILE_UNITS
            self._enter(arrive(self.world, header, self.save_on_entering(header), at))
        self._select(selection)
        self.history_changed.emit()

    def _visit(self) -> None:
        assert self.place is not None and self.selection is not None
        self.history.visit((self.place.header.id, self.selection, self.camera.target))
        self.history_changed.emit()

    def _leave(self) -> None:
        """Store the camera in the present entry of the history."""
        here = self.history.current
        if here is not None and self.place is not None and here[0] == self.place.header.id:
            self.history.replace((*here[:2], self.camera.target))

    # --- camera

    @property
    def view(self) -> View:
        """The view of the place as parameters of a picture of the engine."""
        layers = tuple(name for name in SCENE_LAYERS if self.layers.shown(name))
        return replace(
            self.options,
            second=self.clock.second,
            tick=min(self.clock.tick, LATEST),
            layers=layers,
            at=self.tile,
            sky=self.layers.shown("sky"),
            **self.camera.view_fields,
        )

    @property
    def tile(self) -> tuple[float, float]:
        """The matrix-wide tile that the camera looks at, with fraction, limited to the matrix."""
        x, _, z = self.camera.focus
        return x / TILE_UNITS, z / TILE_UNITS

    def set_camera(self, camera: ViewCamera) -> None:
        """Set the camera."""
        if camera != self.camera:
            self.camera = camera if self.place is None else on_matrix(self.place, camera)
            self.camera_changed.emit()

    def look_at_tile(self, x: float, z: float) -> None:
        """Look at a matrix-wide tile."""
        self.set_camera(self.camera.looking_at(self.ground(*middle_of(x, z), self.camera.target[1])))

    def show_cell(self, x: int, z: int, tile_x: float, tile_z: float) -> None:
        """Select a cell of the matrix and look at a tile of it, on the map that has the cell."""
        place = self.place
        if place is None:
            return
        cell = place.matrix_cells[x, z]
        chosen = subject("cell", cell.matrix, x, z)
        if place.matrix.headers is not None and not cell.filler and cell.header != place.header.id:
            self.go(cell.header, chosen, (tile_x, tile_z))
        else:
            self.look_at_tile(tile_x, tile_z)
            self.select(chosen)

    def use_camera(self, kind: str) -> None:
        """Switch the kind of camera. A free camera that follows the game's starts with a view of the whole room."""
        camera = self.camera.switched(kind)
        self.set_camera(framing(self.place, camera) if self.place is not None and self.camera.kind == GAME else camera)

    def zoom(self, steps: float, toward: Point | None = None) -> None:
        """Zoom in by wheel steps, toward a point on the ground. The game's camera becomes an orbit with its picture."""
        camera = self.camera
        if camera.kind == TOP and camera.scale == SCALES[0] and steps < 0:
            self.zoomed_beyond.emit()
            return
        if camera.kind == GAME and self.place is not None and steps:
            camera = camera.orbiting_as(self.place.camera)
        self.set_camera(camera.zoomed(steps, toward))

    def reset_camera(self) -> None:
        """Set the camera to its first pose at the place's default position; its kind is kept."""
        if self.place is not None:
            x, z = first_spot(self.place)
            camera = ViewCamera(kind=self.camera.kind, speed=self.camera.speed)
            self.set_camera(framing(self.place, camera.looking_at(self.ground(*middle_of(x, z)))))

    def choose(self, **options: Any) -> None:
        """Set some of the `options`; for another save or day of the week the scripts of the map run again."""
        before, self.options = self.options, replace(self.options, **options)
        if (self.options.save, self.options.weekday) != (before.save, before.weekday):
            self.save_changed.emit()
        if self.options != before:
            self.scene_changed.emit()

    @property
    def has_saved_game(self) -> bool:
        """Whether maps are shown with a saved game."""
        return self.options.save not in (NEW, ENTERED)

    @property
    def save_name(self) -> str:
        """The name of the file of the saved game; empty for a new game."""
        return os.path.basename(self.options.save) if self.has_saved_game else ""

    @property
    def save_before(self) -> Save:
        """The save before the scripts of any map have run."""
        from mapexplorer.scene.saves import save_before

        return save_before(self.game, self.options.save)

    def show_save(self, chosen: str, *, there: bool = False) -> None:
        """Show the maps with another save, see `MapState.save`: a saved game at its hour, `there`: on the map and the
        tile where it was saved. Raises RomError, FormatError."""
        from mapexplorer.scene.saves import save_before, saved_moment, shown_game

        place, moment = self.place, saved_moment(chosen)
        if self.world is None or place is None:
            return
        self.saved, before = shown_game(chosen), save_before(self.game, chosen)
        header = before.resumed if there and before.resumed is not None else place.header.id
        header = header if 0 <= header < len(self.world.headers) else place.header.id
        self.clock.set_second(moment.pop("second", self.clock.second))
        self.options = replace(self.options, save=chosen, **moment)
        self.features.clear()
        self._entering = None
        stays = header == place.header.id
        tile = (before.position(header) if there else None) or (self.tile if stays else None)
        self.enter(arrive(self.world, header, self.save_on_entering(header), tile), self.selection if stays else None)
        self._save_changed()

    def toggle_weather(self) -> None:
        """Show no weather, or that which was chosen before."""
        if self.options.weather == NO_WEATHER:
            self.choose(weather=self._hidden_weather)
        else:
            self._hidden_weather = self.options.weather
            self.choose(weather=NO_WEATHER)

    # --- what code adds

    @property
    def save(self) -> Save:
        """A new game with the states of what code adds and what the user changed."""
        return self.save_change.of(replace(self._entered(), features=self.features))

    @property
    def absent(self) -> frozenset[Subject]:
        """The objects of the map that the save hides."""
        place, save = self.place, self.save
        records = () if place is None or place.events is None else place.events.objects[["hidden_flag", "script"]]
        hidden = (index for index, record in enumerate(records) if save.hides(*record.tolist()))
        return frozenset(subject("object", place.header.id, index) for index in hidden) if place else frozenset()

    def _entered(self) -> Save:
        """The save of the view without features; the scripts of the map run again when the hour or the day changes."""
        from mapexplorer.scene.conditions import shown_save

        if self.place is None:
            return fresh_save(self.game)
        moment = (self.place.world, self.place.header.id, self._hour, self.options.weekday, self.options.save)
        if self._entering is None or self._entering[0] != moment:
            try:
                self._entering = moment, shown_save(self.place, self.view)
            except RomChangedError:  # it is read again, and then the scripts run
                return shown_save(self.place, replace(self.view, save=NEW))
        return self._entering[1]

    @property
    def _hour(self) -> int:
        return self.clock.second // SECONDS_PER_HOUR

    def _follow_clock(self) -> None:
        """The scripts of the map run again when the hour changes."""
        if self._entering is not None and self._entering[0][2] != self._hour:
            self.save_changed.emit()

    @property
    def save_change(self) -> SaveChange:
        """What the user changed of the save."""
        return self.save_changes.current or NO_CHANGE

    def change_save(self, change: SaveChange) -> None:
        """Show the maps with another change of a new game's flags and variables."""
        self.save_changes.visit(self.save_change)  # the first one: no change
        self.save_changes.visit(change)
        self._save_changed()

    def undo_change(self, step: int) -> None:
        """Go one change of the save BACK or FORWARD, if there is one."""
        self.save_changes.go(step)
        self._save_changed()

    def _save_changed(self) -> None:
        self.save_changed.emit()
        self.scene_changed.emit()

    @property
    def state_text(self) -> str | None:
        """The state of what code adds to the present map as an option of a picture has it; None: as on entry."""
        if self.feature is None or self.feature.name not in self.features:
            return None
        return json.dumps(self.feature.state)

    def set_feature(self, feature: Feature) -> None:
        """Set what code adds to the present map, in another state, as a walk changes it."""
        if feature != self.feature:
            self.feature = feature
            self.features[feature.name] = feature.state
            self.feature_changed.emit()

    def choose_state(self, state: Any) -> None:
        """Choose the state of what code adds to the present map, a plain value, and look at the spot where the player
        stands in it, if it has one. Raises ValueError for one that it does not have."""
        if self.feature is None or self.place is None:
            return
        feature = self.feature.in_state(self.feature.table, self.feature.header, state)
        self.set_feature(feature.with_files(self.place.world))
        place = self.place.of_save(self.save)
        if place is not self.place:
            self.place = place
            self.place_changed.emit()
        spot = self.feature.spot
        if spot is not None:
            x, z = middle_of(spot.x, spot.z)
            y = self.camera.target[1] if spot.height is None else spot.height / ONE
            self.set_camera(self.camera.looking_at((x, y, z)))
        self.state_chosen.emit()
        self.scene_changed.emit()
