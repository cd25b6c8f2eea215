"""The models of field effects: changed materials, rotations, turned billboards."""

from __future__ import annotations

import dataclasses
import math
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.fixed import FULL_TURN, ONE
from formats.nds import gx
from formats.nitro.model import Model
from mapexplorer.features import FeatureEffect
from mapexplorer.g3d.geometry import decode_shape
from mapexplorer.g3d.material import ALPHA
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33, rotation33
from mapexplorer.scene.light import FOG

EFFECT: Final = "effect"

_ALPHA_SHIFT: Final = 16


def rotation_of(effect: FeatureEffect) -> Matrix33:
    """The rotation of an effect as a matrix."""
    if effect.rotation is None:
        return IDENTITY33
    return rotation33(*(angle * FULL_TURN // 360 for angle in effect.rotation))


def faded(model: Model, alpha: int | None) -> Model:
    """A model whose materials have another alpha, 0..31."""
    if alpha is None:
        return model
    materials = [
        dataclasses.replace(material, polygon_attr=material.polygon_attr & ~ALPHA | alpha << _ALPHA_SHIFT)
        for material in model.materials
    ]
    return dataclasses.replace(model, materials=tuple(materials))


def turned(model: Model, degrees: float) -> Model:
    """A billboard model that is turned clockwise on the screen about the middle of its box. About that point a player
    on a wall or a ceiling has their feet on its surface."""
    angle = math.radians(degrees)
    sine, cosine = math.sin(angle), math.cos(angle)
    shapes = []
    for shape in model.shapes:
        points = decode_shape(shape.commands, ONE).vertices["position"].astype(float)
        middle = (points.min(0) + points.max(0)) / 2 if len(points) else np.zeros(3)
        across, up, along = (points - middle).T
        points = np.rint(np.stack([across * cosine + up * sine, up * cosine - across * sine, along], 1) + middle)
        shapes.append(dataclasses.replace(shape, commands=_with_vertices(shape.commands, points.astype(np.int64))))
    return dataclasses.replace(model, shapes=tuple(shapes))


def _with_vertices(commands: npt.NDArray[np.uint32], points: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
    """A flat display list with other positions (n, 3), one for each of its vertices."""
    words, place, number = commands.tolist(), 0, 0
    moved: list[int] = []
    while place < len(words):
        command, count = words[place], gx.PARAMETERS.get(words[place], 0)
        if gx.VTX_16 <= command <= gx.VTX_DIFF and number < len(points):
            x, y, z = (value & 0xFFFF for value in points[number].tolist())
            moved += [gx.VTX_16, x | y << 16, z]
            number += 1
        else:
            moved += words[place : place + 1 + count]
        place += 1 + count
    return np.array(moved, np.uint32)


def without_fog(model: Model) -> Model:
    """A model whose materials have no fog before them."""
    materials = [
        dataclasses.replace(material, polygon_attr=material.polygon_attr & ~FOG) for material in model.materials
    ]
    return dataclasses.replace(model, materials=tuple(materials))
