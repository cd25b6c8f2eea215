"""The lights and the camera of a place as nodes: KHR_lights_punctual and a camera."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.fixed import FULL_TURN, ONE, Vector
from mapexplorer.export.gltf.document import Document, Json
from mapexplorer.export.gltf.joints import Quaternion, quaternion
from mapexplorer.export.gltf.materials import SUN, linear
from mapexplorer.export.options import BLENDER, GODOT
from mapexplorer.g3d.matrix import IDENTITY43, Matrix43
from mapexplorer.games.field_tables import CameraType
from mapexplorer.scene.camera import camera_position, view_matrix
from mapexplorer.scene.light import LightState, direction
from mapexplorer.world.place import FieldPlace

_ASPECT: Final = 4 / 3

LUX: Final = math.pi
"""The intensity at which a surface that faces a white light shows its own colour."""

STRENGTHS: Final = {BLENDER: 683 * LUX, GODOT: 1.0}
"""The same for the imports of programs that measure lights otherwise: Blender divides by 683 lumens per watt, Godot
takes the number as the energy of its lights, of which 1 shows a surface in its own colour."""


def sun(document: Document, light: LightState, intensity: float) -> list[int]:
    """The first light, the only one that shines on surfaces of many directions, as a node; none where it is black."""
    color = [linear(light.lights.colors[0] >> shift & 31) for shift in (0, 5, 10)]
    ray = np.array(direction(light.lights.vectors[0]), float)
    if not any(color) or not ray.any():
        return []
    index = document.add_definition(
        "lights", {"type": "directional", "name": "light_0", "color": color, "intensity": intensity * SUN}
    )
    return [document.node("sun", rotation=_along(ray), extensions={"KHR_lights_punctual": {"light": index}})]


def ambient(light: LightState) -> Json:
    """The colours of the area's light for materials, linear: glTF has no ambient light."""
    state = light.global_state
    return {
        "diffuse": [linear(state.dif_amb >> shift & 31) for shift in (0, 5, 10)],
        "ambient": [linear(state.dif_amb >> shift & 31) for shift in (16, 21, 26)],
        "emission": [linear(state.spe_emi >> shift & 31) for shift in (16, 21, 26)],
    }


def camera_node(
    document: Document, camera: CameraType, target: Vector, origin: Vector, scale: float, behind: float
) -> int:
    """The game's camera looking at `target`; both fx32, as is the `origin` of the file, of which one unit is `scale`
    metres. It sees `behind` metres more than on the console. Raises ZeroDivisionError for an invalid camera of a
    hack."""
    half = camera.half_fov * 2 * math.pi / FULL_TURN
    planes = {"znear": camera.near / ONE * scale, "zfar": camera.far / ONE * scale + behind}
    if camera.orthographic:
        height = math.tan(half) * camera.distance / ONE * scale
        kind: Json = {"type": "orthographic", "orthographic": {"xmag": height * _ASPECT, "ymag": height, **planes}}
    else:
        kind = {"type": "perspective", "perspective": {"yfov": 2 * half, "aspectRatio": _ASPECT, **planes}}
    index = document.add_definition("cameras", kind | {"name": "game_camera"})
    eye = camera_position(camera, target)
    place = [(eye[axis] - origin[axis]) / ONE * scale for axis in range(3)]
    rows = np.array(view_matrix(camera, target)[:9], float).reshape(3, 3) / ONE
    return document.node("game_camera", camera=index, translation=place, rotation=quaternion(rows.T))


def view_of(place: FieldPlace) -> Matrix43:
    """The view under which light is baked: that of the place's camera, or the identity for an invalid camera of a
    hack."""
    try:
        return view_matrix(place.camera)
    except ZeroDivisionError:
        return IDENTITY43


def upright(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A rotation (3, 3), whose rows are for row vectors, without its tilt; none for a camera straight above."""
    back = rows[2] * (1, 0, 1)
    if not back.any():
        return np.eye(3)
    back /= np.linalg.norm(back)
    return np.stack([np.cross((0, 1, 0), back), (0, 1, 0), back])


def _along(ray: np.ndarray) -> Quaternion:
    """The rotation of a node, which shines along its negative z axis, into a direction."""
    z = -ray / np.linalg.norm(ray)
    helper = np.array([0.0, 1.0, 0.0]) if abs(z[1]) < 0.99 else np.array([0.0, 0.0, 1.0])
    x = np.cross(helper, z)
    x /= np.linalg.norm(x)
    return quaternion(np.stack([x, np.cross(z, x), z]))
