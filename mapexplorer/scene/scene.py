"""The field at a position, a second of the day and a tick, as the game draws it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.binary import require
from formats.fixed import Vector
from mapexplorer.arrays import Picture, Words
from mapexplorer.features import Feature, FeatureSky
from mapexplorer.gpu import Engine
from mapexplorer.gpu.picture import displayed, displayed_before
from mapexplorer.grouping import by_key
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.camera import Pose, SceneCamera, free_camera
from mapexplorer.scene.conditions import Conditions, shown_save
from mapexplorer.scene.culling import cells_in_view
from mapexplorer.scene.field_objects import (
    PLAYER_GRAPHICS,
    FieldObjects,
    ShownObject,
    ShownObjects,
)
from mapexplorer.scene.frame import Flush
from mapexplorer.scene.loaded_area import LoadedArea
from mapexplorer.scene.passes import SWAP, Pass, culled_pass, draw_passes, execute, whole_pass
from mapexplorer.scene.sky import sky_picture
from mapexplorer.scene.view import View
from mapexplorer.scene.weather.composer import WeatherComposer
from mapexplorer.scene.weather.pictures import ShownWeather
from mapexplorer.scene.weather.state import WeatherState
from mapexplorer.world.cells import Cell
from mapexplorer.world.direction import SOUTH
from mapexplorer.world.place import FieldPlace, PropPlacement
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import Damage


class FieldScene:
    """A place as the field shows it while the player is at `at`.

    The cells of the 2 x 2 block around the position are loaded, all with the textures and light of the area that was
    entered. With `all_cells` all cells of the matrix are loaded, each with its own area; the console cannot do that.

    `ticks` is the number of updates since the place was entered, by default that of the view. Requests in ascending
    order are fast. `timeline` is the weather from entering the place on; it may be replaced by that of other scenes of
    the same visit. One scene is used by one thread at a time.
    """

    def __init__(
        self,
        place: FieldPlace,
        view: View | None = None,
        *,
        camera: Pose | SceneCamera | None = None,
        save: Save | None = None,
        objects: ShownObjects | None = None,
    ) -> None:
        """`view`: what is shown; `camera` replaces that of the view; `save`: by default that of the view, else its day
        replaces that of the view; `objects`: see `show_objects`. Raises ValueError, FormatError, RomError."""
        view = view if view is not None else View()
        given = _camera(camera) if camera is not None else None
        view = replace(view, camera=view.camera if given is None else given.kind)
        self._entering: list[Damage] = []
        save = shown_save(place, view, self._entering) if save is None else save
        self.conditions = Conditions.of_view(place, view, save)
        self.place = self.conditions.place
        self.tick = 0
        self.wireframe = view.wireframe
        self.layers = frozenset(view.layers)
        self.shown = self.layers
        self.target: Vector = self.conditions.position
        self._areas: dict[int, LoadedArea] = {}
        self._given = objects
        self._objects = FieldObjects.of_view(self.conditions, view)
        self.save = self._objects.save
        self.view = view = replace(view, day=self.save.day)
        if "player" in self.layers and objects is None:
            self._objects.set_player(ObjectInstance(PLAYER_GRAPHICS, self.target, SOUTH))
        self.camera = given if given is not None else view.scene_camera(self.conditions.camera, self.target)
        self.timeline = self.conditions.weather_timeline(self.camera.target, view.seed)
        self._composer = WeatherComposer(place.world)
        self.blocks = [] if view.all_cells else [self._resident()]
        self._look()
        self._set_weather()

    def __repr__(self) -> str:
        x, z = self.at
        return f"<Scene of {self.place!r} at second {self.second}, tile ({x:g}, {z:g})>"

    @cached_property
    def _engine(self) -> Engine:
        """Created when a picture is first drawn; drawing with OpenGL does not need it."""
        return Engine()

    def _resident(self) -> LoadedArea:
        conditions, place = self.conditions, self.place.with_area(self.place.area_id.value)
        block = LoadedArea(place, conditions, conditions.cells, self.layers, mark=self.view.missing)
        self._populate(block, conditions.cells, [self.place.header.id])
        return block

    def _populate(self, block: LoadedArea, cells: Iterable[Cell], headers: Iterable[int]) -> None:
        """Set what a block draws: the objects of some headers that are in some cells, and the player."""
        places = frozenset((cell.x, cell.z) for cell in cells)
        owners = tuple(headers) if "people" in self.layers else ()
        for header in owners:
            if self._given is None or header != self._given.header:
                self._objects.of(header)
        effects = "props" in self.layers and self.conditions.feature is not None
        effects = effects and block.place.area_id.value == self.place.area_id.value
        if owners or effects or "player" in self.layers:
            block.populate(lambda: self._shown_objects(owners, places, effects))

    def _shown_objects(
        self, headers: tuple[int, ...], cells: frozenset[tuple[int, int]], effects: bool
    ) -> list[ShownObject]:
        """What is drawn of the objects of some headers in some cells, of the player and, with `effects`, of the
        feature."""
        given = self._given
        if given is None:
            return self._objects.shown(headers, cells, player="player" in self.layers, effects=effects)
        others = [header for header in headers if header != given.header]
        return [
            *(each for each in given.shown if (effects if each.of_feature else each.within(cells))),
            *self._objects.shown(others, cells, player=False),
        ]

    @property
    def block(self) -> LoadedArea:
        """The cells of the entered area."""
        return self.blocks[0]

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """What is left out of what was shown so far because its file cannot be read."""
        lost = [damage for block in self._every_block() for damage in block.damaged]
        feature = self.conditions.feature
        lost += feature.damaged if feature is not None else ()
        return tuple(dict.fromkeys([*self._entering, *lost, *self._objects.damaged, *self._composer.damaged]))

    def set_player(self, player: ObjectInstance | None) -> None:
        """Set the state of the player, None for no player; they are drawn with the layer `player`."""
        self._objects.set_player(player)
        self._move_player(None if player is None else player.position)

    def show_objects(self, objects: ShownObjects) -> None:
        """Set what is drawn of the player and of the objects of a header, as a walk has evaluated them. A scene that is
        created with such objects has no own player and no own objects of this header."""
        self._given = objects
        self._move_player(objects.player)

    def _move_player(self, position: Vector | None) -> None:
        if self.conditions.feature is not None and position is not None and position[1] != self.conditions.position[1]:
            self._change(player=position)

    def set_feature(self, feature: Feature | None, *, plays: bool = False) -> None:
        """Set what code adds to the map: its feature in another state; `plays`: the animations of buttons and the like
        play once, as in a walk."""
        if feature != self.conditions.feature:
            self._objects.feature = feature
            self._change(plays, feature=feature)

    def _change(self, plays: bool = False, **changed: Any) -> None:
        """Replace fields of the conditions."""
        self.conditions = replace(self.conditions, **changed)
        self._update(plays=plays)

    def _update(self, *, plays: bool = False) -> None:
        """Have what is drawn follow the conditions."""
        changed = [block.update(self.conditions, plays=plays) for block in self._every_block()]
        if any(changed):
            self._look()

    def set_moving(self, moving: bool) -> None:
        """Set whether objects move by themselves with the clock; by default they do not."""
        self._objects.moving = moving

    def show(self, layers: Iterable[str]) -> None:
        """Set the layers that are drawn. All stay loaded, so this is fast."""
        shown = frozenset(layers) & self.layers
        if shown != self.shown:
            self.shown = shown
            self._choose()

    # --- time

    @property
    def at(self) -> tuple[float, float]:
        """The matrix-wide tile of the player."""
        return self.conditions.tile

    @property
    def second(self) -> int:
        """The second of the day."""
        return self.conditions.second or 0

    def set_second(self, second: int) -> None:
        """Set the second of the day; the state is that after entering at this second."""
        self._objects.set_second(second)
        self._change(second=second)

    def advance(self, tick: int) -> None:
        """Set the state to that after `tick` updates; for a smaller number it restarts. Raises ValueError for a
        negative number."""
        require(tick >= 0, f"the number of updates is negative: {tick}")
        if tick < self.tick:
            self.tick = 0
            self._objects.restart()
            for block in self._every_block():
                block.restart()
            self.conditions = self.conditions.after(0)
            self._update()
        while self.tick < tick:
            self.tick += 1
            self._objects.step()
            for block in self._every_block():
                block.step()
            self.conditions = self.conditions.after(self.tick)
            self._update()
        self._set_weather()

    def _set_weather(self) -> None:
        """Set the conditions to the weather of the present tick."""
        state = self.timeline.at(self.tick, self.camera.target) if self.view.shows_fog else None
        self.conditions = self.conditions.with_weather(state)

    @property
    def weather_state(self) -> WeatherState | None:
        """The weather in the picture of the present tick; None where none is shown."""
        return self.conditions.weather_state if self.view.shows_weather else None

    @property
    def shown_weather(self) -> ShownWeather | None:
        """`weather_state` with its images, for a view that does not use the 2D engine."""
        state = self.weather_state
        return self._composer.shown(state) if state is not None else None

    @property
    def sky(self) -> FeatureSky | None:
        """What the map's code shows behind the 3D picture; None where it shows nothing. It belongs to the screen of
        the game's camera, like weather; others have it where they have a sky."""
        return self.conditions.sky if self.view.shows_weather or self.view.sky else None

    @property
    def shown_sky(self) -> Picture | None:
        """The picture of `sky`, for a view that does not use the 2D engine."""
        return None if self.sky is None else self._composer.sky(self.sky, self.tick)

    def _every_block(self) -> list[LoadedArea]:
        return list(self._areas.values()) if self.view.all_cells else self.blocks

    def play(self, prop: PropPlacement, slot: int, tick: int | None = None) -> int:
        """Play animation `slot` of a prop's list once, starting at `tick` (by default the present one), as opening a
        door does; returns its duration in ticks. Raises ValueError for a prop without such an animation or not
        loaded."""
        for block in self.blocks:
            if any((cell.x, cell.z) == (prop.cell.x, prop.cell.z) for cell in block.cells):
                length = block.play(prop, slot, self.tick if tick is None else tick)
                self._look()
                return length
        raise ValueError(f"{prop.cell} is not loaded")

    # --- camera

    def set_camera(self, camera: Pose | SceneCamera) -> None:
        """Set the camera. Raises ValueError."""
        self.camera = _camera(camera)
        if self.camera.kind != self.view.camera:
            self.view = replace(self.view, camera=self.camera.kind)
            self.conditions = replace(self.conditions, shows_fog=self.view.shows_fog)
            self._set_weather()
        self._look()

    def _look(self) -> None:
        """Compute what the camera sees."""
        if not self.view.all_cells:
            self._everything = [whole_pass(lambda: self._engine, self.block, self._flush(self.block))]
            self._choose()
            return
        seen = cells_in_view(self.place.matrix_cells.values(), self.camera)
        by_area = by_key((cell.area.value, cell) for cell in seen)
        if self.conditions.feature is not None:  # what it shows may be beside all cells
            by_area.setdefault(self.place.area_id.value, [])
        self.blocks = [self._area_block(area, cells) for area, cells in by_area.items()]
        flushes = [(block, self._flush(block)) for block in self.blocks]
        self._everything = [culled_pass(lambda: self._engine, block, flush, block.drawings) for block, flush in flushes]
        self._choose()

    def _flush(self, block: LoadedArea) -> Flush:
        return Flush(self.camera, self.conditions.light(block.light_set))

    def _choose(self) -> None:
        """Choose what is shown of what the camera sees."""
        whole = self.shown == self.layers
        self._passes = self._everything if whole else [each.of_layers(self.shown) for each in self._everything]

    def _area_block(self, area: int, cells: list[Cell]) -> LoadedArea:
        block = self._areas.get(area)
        if block is None:
            place, entered = self.place.with_area(area), area == self.place.area_id.value
            block = LoadedArea(place, self.conditions, (), self.layers, mark=self.view.missing, entered=entered)
            self._areas[area] = block
            for _ in range(self.tick):
                block.step()
        resolved = [block.place.matrix_cells[cell.x, cell.z] for cell in cells]
        if resolved != list(block.cells) or not cells:
            block.show(resolved)
            self._populate(block, cells, dict.fromkeys(cell.header for cell in cells))
        return block

    # --- frames

    def passes(self, ticks: int | None = None) -> list[Pass]:
        """The passes that draw the frame after `ticks` updates; one unless all cells are shown."""
        self.advance(self.view.tick if ticks is None else ticks)
        return self._passes

    def commands(self, ticks: int | None = None) -> Words:
        """The geometry commands of the frame after `ticks` updates: a flat stream without the last SWAP_BUFFERS."""
        parts: list[Words] = []
        for drawn in self.passes(ticks):
            parts += [SWAP] if parts else []
            parts += [segment.words for segment in drawn.segments(self.tick)]
        return np.concatenate(parts) if parts else np.zeros(0, np.uint32)

    @property
    def registers(self) -> npt.NDArray[np.uint32]:
        """The 88 rendering registers of the frame."""
        return self.block.registers(self.conditions)

    def render(self, ticks: int | None = None, raw: bool = False) -> Picture:
        """The picture after `ticks` updates: uint8 (192, 256, 4), RGBA, black where nothing is drawn. `raw`: that of
        the 3D engine alone, r, g, b 0..63 and alpha 0..31."""
        passes = self.passes(ticks)
        if self.view.all_cells:
            picture = draw_passes(self._engine, passes, self.conditions, self.wireframe)
        else:
            execute(self._engine, passes[0], passes[0].segments(self.tick), self.registers, self.wireframe)
            picture = self._engine.picture
        if raw:
            return picture
        sky, state = self.sky, self.weather_state
        if sky is not None:
            picture = self._composer.compose_sky(sky, self.tick, picture)
        elif state is not None:
            picture = self._composer.compose(state, picture)
        elif self.view.shows_sky and (colors := self.conditions.sky_colors) is not None:
            return displayed_before(picture, sky_picture(self.camera, colors, *picture.shape[1::-1]))
        return displayed(picture)


def _camera(camera: Pose | SceneCamera) -> SceneCamera:
    return camera if isinstance(camera, SceneCamera) else free_camera(camera)
