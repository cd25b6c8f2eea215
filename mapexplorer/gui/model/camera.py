"""The camera of the window as numbers: the game's camera, an orbit, a flying camera, and a top view.

Units and axes are the world's: x east, y up, z south, counted from the matrix' north-west corner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from formats.fixed import FULL_TURN, ONE
from mapexplorer.games.field_tables import CameraType
from mapexplorer.scene import view
from mapexplorer.scene.link import DISTANCES

Point = tuple[float, float, float]

GAME, ORBIT, FLY, TOP = "game", "orbit", "fly", "top"
KINDS = (GAME, ORBIT, FLY, TOP)

MAX_PITCH = 89.0
SCALES = (0.03125, 8.0)
SPEEDS = (8.0, 4000.0)
_STEP = 1.15
"""Factor of a wheel step."""
_STRIDE = 48.0
"""Units that a wheel step moves the flying camera ahead."""
_SCREEN = (256, 192)
_FILLED = 0.95
"""The largest share of the screen that a framed box takes."""


@dataclass(frozen=True)
class ViewCamera:
    """A camera of a kind, with the parameters of all kinds."""

    kind: str = GAME
    """One of KINDS."""
    target: Point = (0.0, 0.0, 0.0)
    """What the game's camera, the orbit or the top view looks at."""
    position: Point = (0.0, 0.0, 0.0)
    """Where the flying camera is."""
    yaw: float = 0.0
    """Degrees east of north."""
    pitch: float = 50.0
    """Degrees below the horizon."""
    distance: float = 520.0
    """Units from the target of the orbit to the camera."""
    fov: float = 40.0
    """Degrees of the vertical field of view of the orbit and the flying camera."""
    scale: float = 0.5
    """Pixels per unit of the top view on a DS screen."""
    speed: float = 320.0
    """Units per second of the flying camera."""

    @property
    def eye(self) -> Point:
        """The position of an orbiting or flying camera."""
        if self.kind == FLY:
            return self.position
        ahead = self.ahead
        x, y, z = self.target
        return x - ahead[0] * self.distance, y - ahead[1] * self.distance, z - ahead[2] * self.distance

    @property
    def ahead(self) -> Point:
        """The unit vector of the direction of view."""
        yaw, pitch = math.radians(self.yaw), math.radians(self.pitch)
        return math.sin(yaw) * math.cos(pitch), -math.sin(pitch), -math.cos(yaw) * math.cos(pitch)

    @property
    def depths(self) -> tuple[float, float]:
        """The distances of the near and far clip plane of an orbiting or flying camera, in units."""
        if self.kind == FLY:
            return 4.0, 2400.0
        return max(4.0, self.distance / 50), min(7900.0, max(1600.0, self.distance * 3))

    @property
    def view_fields(self) -> dict[str, Any]:
        """The camera as fields of a `View`."""
        if self.kind == TOP:
            return {"camera": view.TOP, "target": self.target, "zoom": self.scale}
        if self.kind == GAME:
            return {"camera": view.GAME, "target": self.target}
        near, far = self.depths
        eye = tuple(min(view.FAR, max(-view.FAR, value)) for value in self.eye)
        pose = {"eye": eye, "yaw": self.yaw, "pitch": self.pitch, "fov": self.fov, "near": near, "far": far}
        return {"camera": view.FREE, "target": self.target, **pose}

    @property
    def focus(self) -> Point:
        """The point around which cells must be loaded."""
        if self.kind != FLY:
            return self.target
        # The intersection of the flying camera's axis with the ground, at most a cell ahead.
        ahead, (x, y, z) = self.ahead, self.position
        reach = min(512.0, y / -ahead[1]) if ahead[1] < -0.05 and y > 0 else 256.0
        return x + ahead[0] * reach, 0.0, z + ahead[2] * reach

    def switched(self, kind: str) -> ViewCamera:
        """A camera of another kind with the same target."""
        if kind == self.kind:
            return self
        if kind == FLY:
            start = self if self.kind == ORBIT else replace(self, kind=ORBIT, yaw=0.0, pitch=45.0, distance=420.0)
            return replace(start, kind=FLY, position=start.eye)
        target = self.focus if self.kind == FLY else self.target
        return replace(self, kind=kind, target=target)

    def orbiting_as(self, camera: CameraType) -> ViewCamera:
        """The orbit that has the picture of a camera of the game; the usual one for a camera with parallel lines."""
        orbit = self.switched(ORBIT)
        if camera.orthographic:
            return orbit
        pitch = -camera.angle_x * 360 / FULL_TURN % 360
        distance = min(DISTANCES[1], max(DISTANCES[0], camera.distance / ONE))
        return replace(
            orbit, yaw=0.0, pitch=min(MAX_PITCH, pitch), distance=distance, fov=camera.half_fov * 720 / FULL_TURN
        )

    def turned(self, yaw: float, pitch: float) -> ViewCamera:
        """The camera rotated by degrees."""
        limit = min(MAX_PITCH, max(-MAX_PITCH if self.kind == FLY else 2.0, self.pitch + pitch))
        return replace(self, yaw=(self.yaw + yaw + 180) % 360 - 180, pitch=limit)

    def panned(self, right: float, forward: float) -> ViewCamera:
        """The camera moved horizontally by units, to its right and ahead."""
        yaw = math.radians(self.yaw) if self.kind in (ORBIT, FLY) else 0.0
        dx = right * math.cos(yaw) + forward * math.sin(yaw)
        dz = right * math.sin(yaw) - forward * math.cos(yaw)
        if self.kind == FLY:
            x, y, z = self.position
            return replace(self, position=(x + dx, y, z + dz))
        x, y, z = self.target
        return replace(self, target=(x + dx, y, z + dz))

    def flown(self, right: float, up: float, forward: float) -> ViewCamera:
        """Moved by units along its own right, the world's up, and its direction of view."""
        yaw, ahead = math.radians(self.yaw), self.ahead
        x, y, z = self.position
        place = (
            x + right * math.cos(yaw) + forward * ahead[0],
            y + up + forward * ahead[1],
            z + right * math.sin(yaw) + forward * ahead[2],
        )
        return replace(self, position=place)

    def zoomed(self, steps: float, toward: Point | None = None) -> ViewCamera:
        """The camera zoomed in by wheel steps: changes the top view's scale or the orbit's distance, so that the point
        `toward` keeps its place in the picture; the flying camera moves ahead. The game's camera has no zoom."""
        factor = _STEP**steps
        if self.kind == TOP:
            new = replace(self, scale=min(SCALES[1], max(SCALES[0], self.scale * factor)))
            return new._nearer(toward, self.scale / new.scale)
        if self.kind == ORBIT:
            new = replace(self, distance=min(DISTANCES[1], max(DISTANCES[0], self.distance / factor)))
            return new._nearer(toward, new.distance / self.distance)
        if self.kind == FLY:
            return self.flown(0.0, 0.0, _STRIDE * steps)
        return self

    def _nearer(self, toward: Point | None, ratio: float) -> ViewCamera:
        """The camera whose target has moved toward a point on the ground, to `ratio` of its distance from it."""
        if toward is None:
            return self
        x, y, z = (there + (here - there) * ratio for here, there in zip(self.target, toward, strict=True))
        return replace(self, target=(x, y, z))

    def faster(self, steps: float) -> ViewCamera:
        """The camera with another flying speed, by wheel steps."""
        return replace(self, speed=min(SPEEDS[1], max(SPEEDS[0], self.speed * _STEP**steps)))

    def framing(self, low: Point, high: Point) -> ViewCamera:
        """The camera moved to the south so that it sees a whole box, given by its lowest and highest corner; the game's
        camera is moved to look at its centre."""
        middle = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2
        if self.kind == TOP:
            fitting = _FILLED * min(_SCREEN[0] / (high[0] - low[0]), _SCREEN[1] / (high[2] - low[2]))
            return replace(self, target=middle, scale=min(SCALES[1], max(SCALES[0], fitting)))
        orbit = replace(self, kind=ORBIT, target=middle, yaw=0.0, pitch=50.0)
        (_, sine, cosine), upright = orbit.ahead, math.tan(math.radians(self.fov / 2))
        level = upright * _SCREEN[0] / _SCREEN[1]
        distance = 0.0
        for x, y, z in product(*zip(low, high, strict=True)):
            right, above, south = x - middle[0], y - middle[1], z - middle[2]
            ahead, up = above * sine + south * cosine, -above * cosine + south * sine
            distance = max(distance, abs(right) / level - ahead, abs(up) / upright - ahead)
        orbit = replace(orbit, distance=min(DISTANCES[1], max(DISTANCES[0], distance / _FILLED)))
        return replace(orbit, kind=self.kind, position=orbit.eye)

    def looking_at(self, target: Point) -> ViewCamera:
        """The camera moved so that it looks at a point."""
        moved = replace(self, target=target)
        if self.kind == FLY:
            moved = replace(moved, position=replace(moved, kind=ORBIT, distance=300.0).eye)
        return moved
