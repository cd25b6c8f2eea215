"""The player: where they are and how, and moving them tick by tick.

All numbers are integers: tiles, and fx32 units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from formats.fixed import Vector, moved
from mapexplorer.features import Feature, FeatureChange, Press, entered_walking
from mapexplorer.features.surface import Surface
from mapexplorer.map_objects.gait import Gait, Mode, gaits_of
from mapexplorer.walk.ability import ALL_ABILITIES, Ability
from mapexplorer.walk.camera import CameraTarget
from mapexplorer.walk.door import ZOOM_LIMIT
from mapexplorer.walk.ground import Ground, Grounds, ObjectsOn
from mapexplorer.walk.rules import Refusal, Standing, heights, same_object
from mapexplorer.walk.special_tiles import Momentum
from mapexplorer.walk.tick import Event, Tick
from mapexplorer.walk.warps import Spot
from mapexplorer.world.direction import DX, DZ, SOUTH, Direction
from mapexplorer.world.events.map_objects import MapObject
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.matrix_patches import known_locations
from mapexplorer.world.terrain.terrain import TILE_LENGTH, centre, resident_corner

_SPIN_TICKS: Final = 2
_TURNING: Final = (Direction.NORTH, Direction.EAST, Direction.SOUTH, Direction.WEST)


class Player:
    """A player on the ground of a map.

    `people`: map objects stand in the way; `trainers`: those that see the player walk up, if `people` is set;
    `moved_objects`: the objects that move by themselves, where they are now (None: where their events place them);
    `held`: the direction that is pressed; `feature`: that of the map, in its present state; `shown`: the feature as it
    was seen in the last tick; without `observed`, in a search, it is not evaluated and changes end at once; `moved`:
    the objects that the walk has moved, where they are now; `save`: the states of features when their maps are
    entered, and who is beaten.
    """

    def __init__(
        self,
        world: WorldFiles,
        header: int,
        x: int,
        z: int,
        *,
        near: int | None = None,
        facing: Direction = SOUTH,
        abilities: frozenset[Ability] = ALL_ABILITIES,
        people: bool = True,
        grounds: Grounds | None = None,
        save: Save | None = None,
    ) -> None:
        """`near` (fx32) chooses the level; by default the highest plate of the tile."""
        self.world = world
        self.gaits = gaits_of(world.game.tables)
        self.abilities = abilities
        self.people = people
        self.trainers = self.observed = True
        self.moved_objects: ObjectsOn | None = None
        self.save = fresh_save(world.game) if save is None else save
        self.grounds = grounds or Grounds(world, known_locations(self.save))
        self.held: Direction | None = None
        self.ticks = 0
        self.history: list[tuple[int, Standing, Direction]] = []
        """Header, standing and facing before each warp."""
        self.return_spot: Spot | None = None
        self._events: list[Event] = []
        self.place(header, x, z, near=near, facing=facing)

    def place(self, header: int, x: int, z: int, *, near: int | None = None, facing: Direction = SOUTH) -> None:
        """Put the player on a tile of a map entered through `header`, on the highest level that the feature of the map
        leaves open, or nearest to `near`."""
        ground = self.grounds.entered(header)
        feature = self.feature_of(header, x, z)
        levels: list[tuple[int, Feature | None]]
        if feature is None:
            levels = [(level, None) for level in ground.levels(x, z)]
        else:
            levels = [*feature.levels(ground, x, z)]
            if near is None and feature.spot is not None and (feature.spot.x, feature.spot.z) == (x, z):
                near = feature.spot.height
        highest = levels[0] if levels else (0, feature)
        y, feature = highest if near is None else min(levels, key=lambda level: abs(level[0] - near), default=highest)
        groups, behaviour = ground.groups, behaviour_under(ground, x, z, y, feature)
        bridge = behaviour in groups.bridge and len(levels) > 1 and y == highest[0]
        elevated = behaviour in groups.bridge_start or bridge
        mode = Mode.SURF if groups.on_water(behaviour, elevated) else Mode.FOOT
        self.stand(header, Standing(x, z, y, elevated, mode, feature=feature), facing)

    def feature_of(self, header: int, x: int, z: int) -> Feature | None:
        """The feature of a map that is entered on a tile."""
        feature = entered_walking(self.save, header, (x, z))
        return None if feature is None else feature.with_files(self.world)

    def stand(self, header: int, standing: Standing, facing: Direction = SOUTH) -> None:
        """Set the header, standing and facing of the player."""
        self.header = header
        self.ground: Ground = self.grounds.entered(header)
        (
            self.x,
            self.z,
            self.y,
            self.elevated,
            self.mode,
            self.gear,
            self.speed,
            self.feature,
            self.moved,
        ) = standing
        self.previous = (self.x, self.z)
        self.facing = facing
        self.moving = False
        self.hidden = False
        self.hop: Vector = (0, 0, 0)
        self.turn: float = 0
        self.half_fov = self.zoom = 0
        self.gait = ""
        self.last_refusal: Refusal | None = None
        self.momentum = Momentum()
        self.zone = self.ground.zone(self.x, self.z)
        self._block = resident_corner(self.x, self.z)
        self.position: Vector = (centre(self.x), self.y, centre(self.z))
        self.camera = CameraTarget(self.position)
        self.shown = feature = self.feature
        self._motion = None if feature is None or not self.observed else feature.motion(self.x, self.z, self.y)

    @property
    def standing(self) -> Standing:
        """What the next step depends on."""
        return Standing(
            self.x, self.z, self.y, self.elevated, self.mode, self.gear, self.speed, self.feature, self.moved
        )

    @property
    def objects_on(self) -> ObjectsOn:
        """The map objects by tile."""
        return self.moved_objects or self.ground.objects_on

    @property
    def obstacles(self) -> ObjectsOn | None:
        """The map objects that stand in the way."""
        return self.objects_on if self.people else None

    @property
    def behaviour(self) -> int:
        """The behaviour of the tile underfoot."""
        return behaviour_under(self.ground, self.x, self.z, self.y, self.feature)

    def note(self, kind: str, sentence: str, **values: Any) -> None:
        """Add an event to the coming tick."""
        self._events.append(Event(kind, sentence, values))

    def pending(self) -> tuple[Event, ...]:
        """Remove and return the events noted since the last tick."""
        events, self._events = tuple(self._events), []
        return events

    def tick(self) -> Tick:
        """End a tick: the camera follows, and everything noted since the last one goes with it."""
        self.ticks += 1
        self.camera.follow(self.position)
        self.half_fov = max(ZOOM_LIMIT, min(0, self.half_fov + self.zoom))
        events = self.pending()
        behaviour = self.behaviour
        sink = self.world.game.tables.movement.sink.get(behaviour, 0)
        (x, y, z), (across, jump, along) = self.position, self.hop
        self.shown = self.feature
        if self._motion is not None:
            self.shown = self._motion.tick(self.feature, self.position, self.facing, self.mode is Mode.SURF)
        return Tick(
            self.ticks,
            self.header,
            self.zone,
            self.x,
            self.z,
            behaviour,
            (x + across, y, z + along),
            jump,
            sink,
            self.facing,
            self.mode,
            self.elevated,
            self.gait,
            self.hidden,
            self.camera.position,
            self.half_fov,
            events,
            self.standing.surface.sprite_turn + self.turn,
            0 if self._motion is None else self._motion.raised,
        )

    def rest(self) -> None:
        """Stand still."""
        self.moving, self.speed, self.gait = False, 0, ""

    def press_toward(self, direction: Direction) -> Press:
        """A press of a direction, for the feature of the map."""
        return self.standing.press(self.ground, direction, Ability.STRENGTH in self.abilities)

    def leave_tile(self, direction: Direction, *, moves: bool) -> None:
        """Tell what moves on the picture of the feature about a press that moves the player or is refused."""
        if self._motion is not None:
            self._motion.pressed(self.feature, self.press_toward(direction), moves=moves)

    def ahead(self) -> tuple[int, int]:
        """The tile that the player faces."""
        return self.x + DX[self.facing], self.z + DZ[self.facing]

    def move(self, direction: Direction, gait: Gait, *, spinning: bool = False) -> Iterator[Tick]:
        """Move without a step test: the tile changes at once, the position tick by tick; a search does without
        the ticks."""
        start = self.standing
        ys = heights(self.ground, start, direction, gait)
        self.previous = (self.x, self.z)
        self.x, _, self.z = start.ahead(direction, gait.tiles)
        self.gait = gait.name
        self._stream()
        east, _, south = start.surface.deltas[direction]
        x, z, last = centre(start.x), centre(start.z), len(gait.steps) - 1
        for index, units in enumerate(gait.steps) if self.observed else ((last, sum(gait.steps)),):
            x, z = x + east * units, z + south * units
            self.y = ys[index]
            self.position = (x, self.y, z)
            self.hop = (0, gait.heights[index] if gait.heights else 0, 0)
            if spinning and index % _SPIN_TICKS == 0:
                self.facing = _TURNING[(_TURNING.index(self.facing) + 1) % 4]
            if index == last:
                self.hop = (0, 0, 0)
                self.previous = (self.x, self.z)
                self._arrived()
            if self.observed:
                yield self.tick()

    def carry_out(self, change: FeatureChange | None) -> Iterator[Tick]:
        """The ticks of a change of the map's feature and of those that follow it, which may carry the player, also to
        another map."""
        while change is not None:
            self.note_change(change)
            self.gait = ""
            if change.before is not None:
                waits = self._animation_ticks(self.feature, change.before)
                self.feature = change.before
                for _ in range(waits):
                    yield self.tick()
            skipped = not self.observed and change.ends_at is not None
            for feature, position, self.hop, self.turn, self.gait in () if skipped else change.moments():
                self._carry(feature, position, at_once=change.warps)
                yield self.tick()
            self.hop, self.turn, self.gait = (0, 0, 0), 0, ""
            self._carry(change.after, None)
            self.keep(change.after)
            if change.ends_at is not None:
                self.x, self.z, self.y = change.ends_at
                self.previous = (self.x, self.z)
                self.position = (centre(self.x), self.y, centre(self.z))
                self._stream()
                self.change_zone()
            self.facing = self.facing if change.facing is None else change.facing
            change = change.then

    def _carry(self, feature: Feature, position: Vector | None, *, at_once: bool = False) -> None:
        """Go on with a moment of a change: its feature, which may be that of another map, and the player's position."""
        if feature.header != self.header and self.feature is not None:
            self.camera.move(moved(self.feature.origin, feature.origin, -1))
            self.header = self.zone = feature.header
            self.ground = self.grounds.entered(feature.header)
            if position is not None:
                self.x, self.z = position[0] // TILE_LENGTH, position[2] // TILE_LENGTH
        self.feature = feature
        if position is not None:
            self.y, self.position = position[1], position
        if at_once:
            self.camera.place(self.position)

    def talk(self, script: int) -> FeatureChange | None:
        """What the script of a person or of a sign does to the feature of the map."""
        if self.feature is None:
            return None
        return self.feature.talked(self.ground.script_commands(self.zone, script), self.x, self.z, self.y)

    def note_change(self, change: FeatureChange) -> None:
        """Add the event of a change of the map's feature."""
        after = change.after
        if change.sentence:
            values = {"feature": after.name, "change": change.kind, "state": after.state, **change.values}
            self.note(change.event, change.sentence, **values)

    def keep(self, feature: Feature) -> None:
        """Set the feature of the map, also in the save if its state is kept there."""
        self.feature = feature
        if feature.kept:
            self.save = replace(self.save, features={**self.save.features, feature.name: feature.state})

    def use_state(self, feature: Feature) -> None:
        """Walk on with the feature of the map in a state that a person has chosen."""
        self.feature = feature if self.feature is None else self.feature.with_state(feature)

    def displace(self, moved: MapObject) -> None:
        """Set where an object is that has left the tile of its event."""
        self.moved = (*(other for other in self.moved if not same_object(other, moved)), moved)

    def _animation_ticks(self, before: Feature | None, after: Feature) -> int:
        """How long the animations of the placed props play that differ between two states of the feature."""
        from mapexplorer.world.models.animations import prop_animations

        known = () if before is None else before.placed_props()
        changed = [prop for prop in after.placed_props() if prop not in known and prop.animation is not None]
        return max([prop_animations(self.world, prop.model)[prop.animation or 0].frames for prop in changed], default=0)

    def _stream(self) -> None:
        block = resident_corner(self.x, self.z)
        whole = self.feature is not None and self.feature.conditions.whole_matrix
        if block != self._block and not whole:
            self._block = block
            cells = [[cell.x, cell.z] for cell in self.ground.resident(self.x, self.z).cells]
            self.note("resident", f"Cells {block} and its neighbours are loaded.", cells=cells)

    def _arrived(self) -> None:
        """What a completed step changes: the surface, the elevated flag, the zone."""
        if self.feature is not None and self.feature.surface is not Surface.LAND:
            self.feature = self.feature.arrived(self.x, self.z, self.y)
            return
        groups, behaviour = self.ground.groups, self.behaviour
        elevated = groups.elevated_on(behaviour, self.elevated)
        if elevated != self.elevated:
            self.elevated = elevated
            self.note("elevated", "Is on the bridge." if elevated else "Is off the bridge.", elevated=elevated)
        self.change_zone()
        if behaviour in groups.mud:
            self.note("mud", "The mud may hold the player here; a few presses of a direction end it.")

    def change_zone(self) -> None:
        """Change the zone if the tile belongs to another header."""
        zone = self.ground.zone(self.x, self.z)
        if zone == self.zone:
            return
        before, self.zone = self.world.headers[self.zone], zone
        # The game creates the objects of a zone anew whenever it is entered.
        self.moved = ()
        now = self.world.headers[zone]
        self.note(
            "zone",
            f"From {before.title} into {now.title}.",
            header=zone,
            popup=before.label_text != now.label_text,
            weather=now.weather,
            music=[now.day_music, now.night_music],
        )


def behaviour_under(ground: Ground, x: int, z: int, y: int, feature: Feature | None) -> int:
    """The behaviour of the tile under a player: of the surface of the feature, if they stand on one."""
    if feature is None or feature.surface is Surface.LAND:
        return ground.behaviour(x, z)
    return feature.behaviour(x, z, y)
