"""The conditions of a place that glTF has no properties for, as extras: weather, fog, the game's camera."""

from __future__ import annotations

from typing import Final

import numpy as np

from formats.fixed import FULL_TURN, ONE
from mapexplorer.export.gltf.backdrop import BACKDROP
from mapexplorer.export.gltf.document import Json
from mapexplorer.games.field_tables import CameraType, FogRegisters
from mapexplorer.scene.camera import depth_distance, projection_matrix
from mapexplorer.scene.conditions import Conditions

_DEPTHS: Final = 0x8000


def condition_extras(conditions: Conditions) -> Json:
    """`weather` with which the place is entered, `fog` of it (null without fog), `clear_color` 0..31, `backdrop`, and
    `camera`."""
    camera, fog = conditions.camera, conditions.fog
    return {
        "weather": {"id": conditions.weather, "name": conditions.tables.weather_name(conditions.weather)},
        "fog": None if fog is None else _fog(fog, camera),
        "clear_color": list(conditions.tables.engine.clear_plane.color),
        "backdrop": _backdrop(conditions),
        "camera": _camera(camera),
    }


def _backdrop(conditions: Conditions) -> Json | None:
    """What cameras see beyond the map: the node that code's picture has, or the colours of the sky of the hour, 0..255,
    which the game does not show; None indoors."""
    if conditions.sky is not None:
        return {"node": BACKDROP}
    sky = conditions.sky_colors
    return None if sky is None else dict(zip(("above", "horizon"), np.rint(sky).astype(int).tolist(), strict=True))


def _fog(fog: FogRegisters, camera: CameraType) -> Json:
    """The registers, and from them distances from the game's camera: density 0 up to `begin_units`, the largest one
    from `end_units` on, between them linear in depth. null: no depth is so far away."""
    end = fog.offset + (_DEPTHS >> fog.shift)
    return {
        "color": list(fog.color),
        "alpha": fog.alpha,
        "offset": fog.offset,
        "shift": fog.shift,
        "densities": list(fog.densities),
        "begin_units": _distance(camera, fog.offset),
        "end_units": _distance(camera, end),
    }


def _distance(camera: CameraType, depth: int) -> float | None:
    try:
        distance = depth_distance(projection_matrix(camera), depth / _DEPTHS)
    except ZeroDivisionError:  # an invalid camera of a hack
        return None
    return None if depth >= _DEPTHS else round(distance, 2)


def _camera(camera: CameraType) -> Json:
    """The camera, which looks north and down at the player."""
    turn = 360 / FULL_TURN
    return {
        "id": camera.id,
        "name": camera.name,
        "projection": "parallel" if camera.orthographic else "perspective",
        "distance_units": camera.distance / ONE,
        "pitch_degrees": round(-camera.angle_x % FULL_TURN * turn, 3),
        "field_of_view_degrees": round(2 * camera.half_fov * turn, 3),
        "near_units": camera.near / ONE,
        "far_units": camera.far / ONE,
    }
