"""The lights and the camera of a place as nodes: KHR_lights_punctual and a camera."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from formats.fixed import FULL_TURN, ONE, Vector
from mapexplorer.export.gltf.document import Document, Json
from mapexplorer.export.gltf.joints import Quaternion, quaternion
from mapexplorer.export.gltf.materials import linear
from mapexplorer.export.options import BLENDER, GODOT
from mapexplorer.games.field_tables import CameraType
from mapexplorer.scene.camera import camera_position, view_matrix
from mapexplorer.scene.light import LightState

_ASPECT: Final = 4 / 3

LUX: Final = math.pi
"""The intensity at which a surface that faces a white light shows its own colour."""

STRENGTHS: Final = {BLENDER: 683 * LUX, GODOT: 1.0}
"""The same for the imports of programs that measure lights otherwise: Blender divides by 683 lumens per watt, Godot
takes the number as the energy of its lights, of which 1 shows a surface in its own colour."""


def light_nodes(document: Document, light: LightState, numbers: list[int], intensity: float) -> list[int]:
    """A directional light for each of the lights `numbers` that is not black: the first is the sun."""
    nodes: list[int] = []
    for number in numbers:
        color = [linear(light.lights.colors[number] >> shift & 31) for shift in (0, 5, 10)]
        word = light.lights.vectors[number]
        ray = np.array([((word >> shift & 0x3FF) ^ 0x200) - 0x200 for shift in (0, 10, 20)], float)
        if any(color) and ray.any():
            index = document.light(
                {"type": "directional", "name": f"light_{number}", "color": color, "intensity": intensity}
            )
            extension = {"KHR_lights_punctual": {"light": index}}
            name = "sun" if not nodes else f"light_{number}"
            nodes.append(document.node(name, rotation=_along(ray), extensions=extension))
    return nodes


def ambient(light: LightState) -> Json:
    """The colours of the area's light for materials, linear: glTF has no ambient light."""
    state = light.global_state
    return {
        "diffuse": [linear(state.dif_amb >> shift & 31) for shift in (0, 5, 10)],
        "ambient": [linear(state.dif_amb >> shift & 31) for shift in (16, 21, 26)],
        "emission": [linear(state.spe_emi >> shift & 31) for shift in (16, 21, 26)],
    }


def camera_node(document: Document, camera: CameraType, target: Vector, origin: Vector, scale: float) -> int:
    """The game's camera looking at `target`; both fx32, as is the `origin` of the file, of which one unit is `scale`
    metres. Raises ZeroDivisionError for an invalid camera of a hack."""
    half = camera.half_fov * 2 * math.pi / FULL_TURN
    planes = {"znear": camera.near / ONE * scale, "zfar": camera.far / ONE * scale}
    if camera.orthographic:
        height = math.tan(half) * camera.distance / ONE * scale
        kind: Json = {"type": "orthographic", "orthographic": {"xmag": height * _ASPECT, "ymag": height, **planes}}
    else:
        kind = {"type": "perspective", "perspective": {"yfov": 2 * half, "aspectRatio": _ASPECT, **planes}}
    index = document.camera(kind | {"name": "game_camera"})
    eye = camera_position(camera, target)
    place = [(eye[axis] - origin[axis]) / ONE * scale for axis in range(3)]
    rows = np.array(view_matrix(camera, target)[:9], float).reshape(3, 3) / ONE
    return document.node("game_camera", camera=index, translation=place, rotation=quaternion(rows.T))


def _along(ray: np.ndarray) -> Quaternion:
    """The rotation of a node, which shines along its negative z axis, into a direction."""
    z = -ray / np.linalg.norm(ray)
    helper = np.array([0.0, 1.0, 0.0]) if abs(z[1]) < 0.99 else np.array([0.0, 0.0, 1.0])
    x = np.cross(helper, z)
    x /= np.linalg.norm(x)
    return quaternion(np.stack([x, np.cross(z, x), z]))
