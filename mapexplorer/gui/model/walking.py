"""The state of walking in the window: the player, the held keys, the trail, and the reason why a step is refused."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from formats.fixed import ONE, Vector
from mapexplorer.features import remembered
from mapexplorer.gameplay.trainers import object_name
from mapexplorer.gui.model.camera import GAME, Point
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.opened_map import first_spot
from mapexplorer.gui.model.signal import Signal
from mapexplorer.gui.model.walk_objects import WalkObjects
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.field_objects import PLAYER_GRAPHICS, ShownObjects
from mapexplorer.scene.view import NEW
from mapexplorer.world import FieldPlace
from mapexplorer.world.cells import FILLER_HEADER, TILE_UNITS
from mapexplorer.world.sources.readable import readable_events

if TYPE_CHECKING:
    from mapexplorer.walk import Direction, Tick, Walker
    from mapexplorer.walk.tick import Event

PEOPLE, GHOST, RUN, SURF = "people", "ghost", "run", "surf"
"""Modes: people block tiles, nothing does, the player runs also without the button, pushing against water starts
surfing."""
TRAIL = 400
"""The number of tiles in the trail."""
_QUIET = ("resident", "fade in", "fade out", "door opens", "door closes")
_STRIDE = 16
_FASTER = 2


@dataclass(frozen=True)
class DoorSwing:
    """A door that plays an animation: the prop's cell and record, the slot in its animation list, the tick of its
    start."""

    cell: tuple[int, int]
    record: int
    slot: int
    tick: int


@dataclass(frozen=True)
class PlayerFigure:
    """The walk at a field update as it is drawn: the fx32 position of the player's feet, the player and the map's
    objects, the doors that they open or close. `half_fov` is added to half the camera's field of view."""

    position: Vector
    objects: ShownObjects
    doors: tuple[DoorSwing, ...] = ()
    half_fov: int = 0


class Walking:
    """Walking of a player through the explorer's place, one field update at a time.

    `changed` is emitted when walking starts or stops, when a mode changes, and when the status text changes; `spoken`
    with the number of a script that the action button runs.
    """

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.changed = Signal()
        self.spoken = Signal()
        self.walker: Walker | None = None
        self.figure: PlayerFigure | None = None
        self.trail: deque[Point] = deque(maxlen=TRAIL)
        self.refused: tuple[Point, ...] = ()
        self.reason = ""
        """Why the step to the refused tile was refused."""
        self.text = ""
        self.met = ""
        """Whom or what the action button reached last."""
        self.modes = {PEOPLE, SURF}
        self._held: list[Direction] = []
        self.runs = False
        """Whether the run button is held."""
        self._interact = False
        self._phase = 0
        self._doors: tuple[DoorSwing, ...] = ()
        self._moving_place = False
        self._objects: WalkObjects | None = None
        explorer.place_changed.connect(self._place_changed)
        explorer.state_chosen.connect(self._use_state)

    @property
    def active(self) -> bool:
        """Whether the player walks."""
        return self.walker is not None

    @property
    def rides(self) -> bool:
        """Whether the player is on the bicycle."""
        return self.walker is not None and self.walker.mode.name == "BICYCLE"

    # --- start and stop

    def start(self) -> None:
        """Place the player where the camera looks, and follow them with the game's camera."""
        place = self.explorer.place
        if place is None or not place.matrix_cells:
            return
        tile = self._first_tile(place)
        self.explorer.use_camera(GAME)
        self.put(*tile, self.explorer.camera.target[1])

    def _first_tile(self, place: FieldPlace) -> tuple[int, int]:
        """Where the camera looks; in a room at whose default position it looks, where a visitor comes in."""
        from mapexplorer.walk.warps import entrance

        x, z = map(int, self.explorer.tile)
        feature = self.explorer.feature
        by_code = feature is not None and feature.arrival is not None
        is_default = (x, z) == tuple(map(int, first_spot(place)))
        comes_in = entrance(place) if is_default and place.matrix.headers is None and not by_code else None
        return comes_in or (x, z)

    def stop(self) -> None:
        """Remove the player."""
        if self.walker is not None:
            self.walker = self.figure = self._objects = None
            self.release_all()
            self.trail.clear()
            self.refused = ()
            self.say("")
            self.explorer.scene_changed.emit()

    def put(self, x: int, z: int, near: float | None = None) -> None:
        """Place the player on a matrix-wide tile of the present place, on the level nearest to height `near` in
        units."""
        from mapexplorer.walk import ALL_ABILITIES, Grounds, Walker
        from mapexplorer.walk.ability import saved_abilities

        place, world = self.explorer.place, self.explorer.world
        if place is None or world is None:
            return
        height = None if near is None else round(near * ONE)
        before = self.walker
        save, first = self.explorer.save, self.explorer.save_before
        grounds = Grounds(world, place.known, self.explorer.options.save != NEW, first)
        if before is not None and before.grounds == grounds:
            grounds = before.grounds
        abilities = saved_abilities(first) if self.explorer.has_saved_game else ALL_ABILITIES
        self.walker = Walker(
            world,
            place.header.id,
            x,
            z,
            near=height,
            abilities=abilities,
            people=PEOPLE in self.modes,
            grounds=grounds,
            save=save,
        )
        self._use_state()
        self._use_modes()
        if before is not None and before.world is world:
            self.walker.history = before.history
        self.trail.clear()
        self.refused = ()
        self.say(f"Tile ({x}, {z})")
        self._show(self.walker.tick())

    def _use_state(self) -> None:
        """Walk on with the explorer's state of what code adds. Maps that are entered later begin anew, except for the
        states that a save keeps."""
        walker, feature = self.walker, self.explorer.feature
        if walker is None or feature is None:
            return
        walker.save = replace(walker.save, features=remembered(self.explorer.features))
        if walker.feature is not None and walker.feature.name == feature.name:
            use = partial(walker.use_state, feature)
            walker.when_free(use) if walker.busy else use()

    def _place_changed(self) -> None:
        """Place the player on a newly selected map, unless they walked there."""
        if self.active and not self._moving_place:
            x, z = self.explorer.tile
            self.put(int(x), int(z), self.explorer.camera.target[1])

    # --- keys

    def hold(self, direction: Direction) -> None:
        """Press a direction's key; the last one pressed is used."""
        if direction not in self._held:
            self._held.append(direction)

    def release(self, direction: Direction) -> None:
        """Release a direction's key."""
        if direction in self._held:
            self._held.remove(direction)

    @property
    def holding(self) -> bool:
        """Whether a direction's key is held."""
        return bool(self._held)

    def release_all(self) -> None:
        """Release all keys."""
        self._held.clear()
        self.runs = False

    def interact(self) -> None:
        """Press the action button for the next update."""
        self._interact = True

    # --- modes

    def toggle_bicycle(self) -> None:
        """Get on or off the bicycle after the present step."""
        if self.walker is not None:
            self.walker.when_free(self.walker.toggle_bicycle)

    def shift_gear(self) -> None:
        """Change between third and fourth gear after the present step."""
        if self.walker is not None:
            self.walker.when_free(self.walker.shift_gear)

    def switch(self, mode: str) -> None:
        """Switch one of the modes on or off."""
        self.modes ^= {mode}
        self._use_modes()
        self.changed.emit()

    def _use_modes(self) -> None:
        if self.walker is not None:
            self.walker.people, self.walker.ghost = PEOPLE in self.modes, GHOST in self.modes
            self.walker.surfs_by_itself = SURF in self.modes

    def back(self) -> None:
        """Return to the tile of the last warp."""
        if self.walker is not None and self.walker.back():
            self._show(self.walker.tick())

    # --- a field update

    def update(self) -> None:
        """Run one field update: move the player by the held keys, update the camera and advance the clock."""
        walker = self.walker
        if walker is None:
            return
        walker.running = self.runs or RUN in self.modes
        held = self._held[-1] if self._held else None
        interact = self._interact and not walker.busy
        self._interact = self._interact and not interact
        self._show(walker.update(held, interact=interact))
        if not self.explorer.clock.playing:
            self.explorer.clock.step()

    def _show(self, tick: Tick) -> None:
        walker = self.walker
        assert walker is not None
        self._follow(tick)
        x, y, z = tick.position
        spot = (x / ONE, y / ONE, z / ONE)
        here = (tick.x * TILE_UNITS + 8.0, spot[1], tick.z * TILE_UNITS + 8.0)
        if not self.trail or self.trail[-1][::2] != here[::2]:
            self.trail.append(here)
        for event in tick.events:
            sentence = self._with_name(event, tick.zone)
            if event.kind == "warp":
                self._doors = ()
            if event.kind in ("door opens", "door closes"):
                cell_x, cell_z = event.values["cell"]
                swing = DoorSwing(
                    (cell_x, cell_z), event.values["record"], event.values["animation"], self.explorer.clock.tick
                )
                self._doors = (*self._doors[-3:], swing)
            if event.kind == "blocked":
                self._refuse(event.values.get("ahead"), spot[1])
                self.reason = sentence
            if event.kind == "interact":
                self.met = sentence.partition(" runs ")[0]
                self.spoken.emit(event.values["script"])
            if event.kind not in _QUIET:
                self.say(sentence)
        self.figure = self._figure(tick)
        feature, shown = walker.shown, self.explorer.feature
        if feature is not None and shown is not None and feature.name == shown.name:
            self.explorer.set_feature(feature)
        if self.refused and tick.gait not in ("bump", ""):
            self.refused = ()
        target = (tick.camera[0] / ONE, tick.camera[1] / ONE, tick.camera[2] / ONE)
        self.explorer.set_camera(self.explorer.camera.looking_at(target))
        self.explorer.scene_changed.emit()

    def _follow(self, tick: Tick) -> None:
        """Change to the map that the player has entered. Filler cells between the maps of a matrix do not change it."""
        place = self.explorer.place
        if place is None or tick.zone == FILLER_HEADER or tick.zone == place.header.id:
            return
        through_a_warp = self.explorer.world is not None and (
            self.explorer.world.headers[tick.zone].matrix != place.matrix_id.value
        )
        self._moving_place = True
        try:
            if through_a_warp:
                self.trail.clear()
                self.explorer.go(tick.zone, None, (tick.x, tick.z))
            else:
                self.explorer.walk_into(tick.zone)
        finally:
            self._moving_place = False

    def _figure(self, tick: Tick) -> PlayerFigure:
        if not tick.gait or tick.gait == "turn":
            self._phase = 0
        else:
            fast = tick.gait in ("run", "surf", "fast ride") or tick.gait.startswith("bicycle")
            self._phase = (self._phase + (_FASTER if fast else 1)) % _STRIDE
        player = ObjectInstance(
            self._graphics(),
            tick.position,
            int(tick.facing),
            tile=(tick.x, tick.z),
            jump=tick.jump,
            phase=self._phase,
            running=tick.gait == "run",
            turn=tick.sprite_turn,
            raised=tick.raised,
        )
        assert self.walker is not None
        feature, zone = self.walker.shown or self.explorer.feature, tick.zone
        moved = [each for each in self.walker.moved if each.header == zone]
        objects = self._present_objects()
        shown = objects.step(None if tick.hidden else player, self.explorer.clock.second, feature, moved)
        return PlayerFigure(tick.position, shown, self._doors, tick.half_fov)

    def _graphics(self) -> int:
        """The graphics of the player by what they move on, as far as the ROM has their pictures. Where what code adds
        to the map has graphics of its own, those on foot stand for them."""
        assert self.walker is not None
        world, feature = self.walker.world, self.walker.shown or self.explorer.feature
        if feature is not None and feature.conditions.player_graphics is not None:
            return PLAYER_GRAPHICS
        number = world.game.tables.map_objects.player_graphics.get(self.walker.mode.name.lower(), PLAYER_GRAPHICS)
        return number if number in world.object_graphics.value else PLAYER_GRAPHICS

    def _present_objects(self) -> WalkObjects:
        """The objects of the present map; new ones when another map is entered or others are to be shown."""
        place, view = self.explorer.place, self.explorer.view
        assert place is not None and self.walker is not None
        if self._objects is None or not self._objects.are_of(place, view):
            self._objects = WalkObjects(place, view, self.explorer.save)
        self.walker.moved_objects = self._objects.on
        return self._objects

    def _refuse(self, tile: list[int] | None, y: float) -> None:
        if tile is None:
            return
        west, north = tile[0] * TILE_UNITS, tile[1] * TILE_UNITS
        east, south = west + TILE_UNITS, north + TILE_UNITS
        self.refused = ((west, y, north), (west, y, south), (east, y, south), (east, y, north))

    def _with_name(self, event: Event, header: int) -> str:
        """The sentence about an event, with the name of the person or thing of a header in place of its number."""
        assert self.walker is not None
        sentence, number = event.sentence, event.values.get("object", -1)
        events = readable_events(self.walker.world, header)
        name = object_name(self.walker.world, events.objects[number]) if events is not None and number >= 0 else ""
        for words in ("The trainer of object", "Object", "object") if name else ():
            sentence = sentence.replace(f"{words} {number}", name)
        return sentence

    def say(self, text: str) -> None:
        """Show a text in the status bar."""
        self.text = text
        self.changed.emit()
