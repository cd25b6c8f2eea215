"""What moves on the picture of a floor while the player walks: the camera that turns with them, the ghost props that
they show and hide, the mount of a player who surfs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from formats.fixed import Vector, moved
from mapexplorer.features.distortion_world.camera import CameraTurn
from mapexplorer.features.distortion_world.floors import pressed_from
from mapexplorer.features.distortion_world.mount import bobs, mount_at
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.props import (
    DistortionProp,
    GhostProps,
    drawn_props,
    fixed_props,
    prop_position,
)
from mapexplorer.features.distortion_world.space import tile_of
from mapexplorer.features.distortion_world.tables import MovingPlatform
from mapexplorer.features.distortion_world.walking import DistortionLook, WalkedFloor
from mapexplorer.features.values import Press
from mapexplorer.world.direction import Direction

AnyFloor = TypeVar("AnyFloor", bound=WalkedFloor)


class DistortionMotion:
    """`camera` and `ghosts` belong to the present floor; `raised`: the height by which the mount of a surfing player is
    raised, and the player with it."""

    def __init__(self, floor: WalkedFloor, angles: Vector) -> None:
        """`angles`: those of the camera at first."""
        self.raised = 0
        self._bobs: Iterator[int] = iter(())
        self._enter(floor)
        self.camera.angles = angles

    def _enter(self, feature: WalkedFloor) -> None:
        self.floor = feature.files.floors[feature.header]
        self.camera = CameraTurn()
        self.ghosts = GhostProps(feature.table, self.floor, feature.files.obstacle_frames, state=feature.progress)
        self._progress = feature.progress
        self._fixed: tuple[DistortionProp, ...] = ()
        self._fixed_at: tuple[DistortionState, MovingPlatform | None] | None = None

    def pressed(self, feature: WalkedFloor, press: Press, *, moves: bool) -> None:
        """Some presses turn the camera; those that move the player may show and hide ghost props."""
        tile = tile_of(feature.in_space(press.x, press.z, press.y))
        if moves:
            self.ghosts.pressed(tile, press.direction)
        angle = pressed_from(self.floor.camera_angles, tile, press.direction)
        if angle is not None:
            self.camera.start(angle)

    def tick(self, feature: AnyFloor, position: Vector, facing: Direction, surfing: bool) -> AnyFloor:
        """The floor as it is seen after a further tick, with the player at a position of its map."""
        if self.floor.header != feature.header:
            self._enter(feature)
        if self._progress != feature.progress:
            self.ghosts.apply(feature.progress)
            self._progress = feature.progress
        angles = self.camera.tick()
        self.ghosts.tick()
        at = moved(position, feature.origin)
        if not surfing:
            self.raised = 0
        elif not self.raised:
            self._bobs = bobs(feature.table.surf_mount)
        mount = None
        if surfing:
            self.raised = next(self._bobs)
            mount = mount_at(feature.table.surf_mount, at, feature.surface, facing, self.raised)
        return replace(feature, look=DistortionLook(angles, self._props(feature, at), mount))

    def _props(self, feature: WalkedFloor, player: Vector) -> tuple[DistortionProp, ...]:
        tables, (platform, way) = feature.table, feature.ridden or (None, (0, 0, 0))
        if self._fixed_at != (feature.progress, platform):
            self._fixed_at = feature.progress, platform
            self._fixed = fixed_props(tables, feature.header, *self._fixed_at)
        fixed = self._fixed
        if platform is not None:
            place = moved(prop_position(tables, platform.kind, platform.tile), way)
            fixed = (*fixed, DistortionProp(platform.kind, place))
        return drawn_props(tables, self.ghosts.props(tile_of(player)), fixed)
