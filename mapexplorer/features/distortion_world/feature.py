"""The Distortion World as what code adds to the maps of its floors.

Its positions are those of the map, as of all features: those in the space of all floors without the floor's offset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from formats.binary import FormatError
from formats.fixed import ONE, Vector, moved
from mapexplorer.errors import RomError
from mapexplorer.features.distortion_world import events, sky
from mapexplorer.features.distortion_world.files import distortion_files
from mapexplorer.features.distortion_world.motion import DistortionMotion
from mapexplorer.features.distortion_world.progress import FEATURE, SPOT, DistortionState
from mapexplorer.features.distortion_world.props import GhostProps, bob_cycle, drawn_props, fixed_props
from mapexplorer.features.distortion_world.space import tile_of
from mapexplorer.features.distortion_world.tables import DistortionSpot, DistortionTables, MovingPlatform
from mapexplorer.features.distortion_world.walking import WalkedFloor
from mapexplorer.features.values import (
    FeatureConditions,
    FeatureEffect,
    FeatureSky,
    LitPerson,
    PlayerTile,
    SkyPainter,
    StateChoice,
)
from mapexplorer.games.field_tables import CameraType
from mapexplorer.map_objects.setting import ObjectSetting, object_setting
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import Damage, LeftOut
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.terrain import TILE_LENGTH, Terrain


@dataclass(frozen=True)
class DistortionWorld(WalkedFloor):
    """A floor, by default with the lift that leads there. `problem`: why its files cannot be read."""

    name: ClassVar[str] = FEATURE
    missing: ClassVar[tuple[str, ...]] = (
        "the scenes of the story and the flights of Giratina's shadow are not played",
        "the mount of a surfing player does not turn with a waterfall",
        "bobbing platforms begin at the same point, not at a random one",
    )

    problem: Damage | None = None

    # --- states

    @classmethod
    def entered(cls, table: DistortionTables, header: int, entry: tuple[int, int] | None) -> Self:
        return cls.in_state(table, header, {})

    @classmethod
    def in_state(cls, table: DistortionTables, header: int, state: Any) -> Self:
        progress = DistortionState.of(table, header, state)
        lift = _arrival_lift(table, header)
        if "platform_flags" not in state and lift is not None and lift.flag is not None:
            progress = replace(progress, platform_flags=progress.platform_flags | {lift.flag})
        name, spots = state.get(SPOT), table.spots[header]
        if name is not None and name not in [spot.name for spot in spots]:
            # The state is that of all floors, the spot that of one.
            if name not in [spot.name for each in table.spots.values() for spot in each]:
                raise ValueError(f"the spots of {cls.name} are {', '.join(spot.name for spot in spots)}, not {name!r}")
            name = None
        return cls(table, header, progress, chosen=name)

    @property
    def state(self) -> dict[str, Any]:
        plain = self.progress.plain()
        return plain if self.chosen is None else {**plain, SPOT: self.chosen}

    @classmethod
    def choices(cls, table: DistortionTables, header: int) -> tuple[StateChoice, ...]:
        states = [StateChoice("new game", "as a new game has it", {})]
        room, flag = table.room_platforms
        shown = {"puzzle_flags": [flag]} if header == room else {}
        states += [StateChoice(spot.name, spot.title, {SPOT: spot.name, **shown}) for spot in table.spots[header]]
        if any(platform.flag is not None for platform in table.moving_platforms[header]):
            flags = list(range(len(table.platform_flag_names)))
            states.append(StateChoice("all lifts", "with every lift at this floor", {"platform_flags": flags}))
        last = len(table.progress_names) - 1
        states.append(StateChoice("end", f"after the story: {table.progress_names[last]}", {"progress": last}))
        return tuple(states)

    def with_files(self, world: WorldFiles) -> Self:
        try:
            return replace(self, files=distortion_files(world))
        except (FormatError, RomError) as error:
            return replace(self, problem=Damage(LeftOut.FEATURE_FILES, str(error), name=self.name))

    @property
    def damaged(self) -> tuple[Damage, ...]:
        return () if self.problem is None else (self.problem,)

    # --- what is seen

    @property
    def conditions(self) -> FeatureConditions:
        table = self.table
        surfing = self.look is not None and self.look.mount is not None
        graphics, _ = table.player_graphics["surfing" if surfing else "on foot"]
        return FeatureConditions(table.fog, False, graphics, edge_colors=table.edge_colors, whole_matrix=True)

    def camera(self, camera: CameraType) -> CameraType:
        own = self.table.camera
        x, y, z = self.angles
        return replace(
            camera,
            orthographic=False,
            distance=own.distance,
            angle_x=(own.base_angle + x) & 0xFFFF,
            angle_y=y,
            angle_z=z,
            half_fov=own.half_fov_by_header.get(self.header, own.half_fov),
            near=own.near * ONE,
            far=own.far * ONE,
        )

    @property
    def angles(self) -> Vector:
        """The angles (u16 index) by which the camera is turned."""
        if self.look is not None:
            return self.look.angles
        spot, floor = self._spot, self.floor
        if spot is None or spot.camera_angle is None or floor is None:
            return 0, 0, 0
        known = floor.camera_angles
        return known[spot.camera_angle].angles if spot.camera_angle < len(known) else (0, 0, 0)

    @property
    def _spot(self) -> DistortionSpot | None:
        return next((spot for spot in self.table.spots[self.header] if spot.name == self.chosen), None)

    @property
    def spot(self) -> PlayerTile | None:
        spot, floor = self._spot, self.floor
        if spot is None or floor is None:
            return None
        x, y, z = moved(spot.tile, floor.offset, -1)
        return PlayerTile(x, z, y * TILE_LENGTH)

    @property
    def arrival(self) -> PlayerTile | None:
        """Where the player arrives from outside, else where the lift from the floor above ends."""
        floor, table = self.floor, self.table
        if floor is None:
            return None
        there = table.arrivals.get(self.header)
        if there is not None:
            return PlayerTile(there[0] - floor.offset[0], there[1] - floor.offset[2])
        lift = _arrival_lift(table, self.header)
        return None if lift is None else PlayerTile(lift.tile[0] - floor.offset[0], lift.tile[2] - floor.offset[2])

    def sky(self, y: int) -> FeatureSky:
        table, progress = self.table.sky, self.progress.progress
        height = y + self.origin[1]
        kind, tint = sky.sky_kind(table, self.header, progress), sky.tint_level(table, self.header, progress, height)
        return FeatureSky(kind, tint, _cloud_painter)

    def lands(self) -> Mapping[int, Vector]:
        below = self.table.below(self.header)
        if below is None or below not in self.files.floors:
            return {}
        return {below: moved(replace(self, header=below).origin, self.origin, -1)}

    def effects(self, ground: Terrain, people: Sequence[LitPerson] = ()) -> tuple[FeatureEffect, ...]:
        floor = self.floor
        if floor is None:
            return ()
        table = self.table
        if self.look is not None:
            props, bobbing = self.look.props, 0
        else:
            ghosts = GhostProps(table, floor, self.files.obstacle_frames, state=self.progress).props(floor.offset)
            props = drawn_props(table, ghosts, fixed_props(table, self.header, self.progress))
            bobbing = len(ghosts)
        cycle = bob_cycle(table)
        drawn = []
        if self.look is not None and self.look.mount is not None:
            position, rotation = self.look.mount
            drawn.append(FeatureEffect(table.surf_mount.model, self.on_map(position), rotation=rotation))
        for number, prop in enumerate(props):
            kind = table.prop_kinds[prop.kind]
            drawn.append(
                FeatureEffect(
                    kind.model,
                    self.on_map(prop.position),
                    () if kind.animation is None else (kind.animation,),
                    alpha=prop.alpha,
                    frame=prop.frame,
                    heights=cycle if number < bobbing and prop.kind in table.bobbing else (),
                    name=kind.name,
                )
            )
        return tuple(drawn)

    # --- in a walk

    def motion(self, x: int, z: int, y: int) -> DistortionMotion | None:
        """The camera begins as at a spot of the table, if the walk begins there."""
        if self.floor is None:
            return None
        tile = tile_of(self.in_space(x, z, y))
        spot = next((spot.name for spot in self.table.spots[self.header] if spot.tile == tile), None)
        return DistortionMotion(self, replace(self, chosen=spot, look=None).angles)

    def objects(self, save: Save) -> tuple[ObjectSetting, ...]:
        floor = self.floor
        if floor is None:
            return ()
        settings = []
        for each in events.objects(self.table, self.header, self.progress):
            event = {
                "local_id": each.local_id,
                "graphics": each.graphics,
                "movement_type": each.movement_type,
                "trainer_type": 0,
                "hidden_flag": each.hidden_flag,
                "script": each.script,
                "direction": each.direction,
                "parameters": (0, 0, 0),
                "range_x": each.range_x,
                "range_z": 0,
                "x": each.x - floor.offset[0],
                "z": each.z - floor.offset[2],
                "y": int((each.y - floor.offset[1]) * TILE_LENGTH),
            }
            if not save.hides(each.hidden_flag, each.script):
                setting = replace(object_setting(event, self.header, save), turn=each.sprite_turn)
                pushed = self.pushed_to(each.local_id)
                if pushed is not None:
                    x, y, z = self.on_map(pushed)
                    setting = replace(setting, x=x // TILE_LENGTH, z=z // TILE_LENGTH, height=y, position=(x, y, z))
                settings.append(setting)
        return tuple(settings)


def _arrival_lift(tables: DistortionTables, header: int) -> MovingPlatform | None:
    """The lift by which the player comes from the floor above; None where they arrive otherwise."""
    if header in tables.arrivals:
        return None
    return next((platform for platform in tables.moving_platforms[header] if platform.ride == "up"), None)


def _cloud_painter(world: WorldFiles) -> SkyPainter:
    """The painter of the clouds; what does not draw need not load the 2D engine."""
    from mapexplorer.features.distortion_world.sky_picture import CloudPainter

    return CloudPainter(world).compose
