"""Simple bodies as faces: boxes, cards, prisms, roofs; sizes in units, texels counted in units by custom."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from formats.fixed import FULL_TURN, ONE, cos_index, sin_index
from tools.demo_world.mesh import Corner, Face, Vector

Rectangle = tuple[float, float, float, float]


def quad(points: Sequence[Vector], texels: Rectangle = (0, 0, 16, 16)) -> Face:
    """A face from its upper left corner counter-clockwise; `texels` are left, top, right and bottom."""
    left, top, right, bottom = texels
    places = ((left, top), (left, bottom), (right, bottom), (right, top))
    return tuple(Corner(point, place) for point, place in zip(points, places, strict=True))


def card(left: Vector, right: Vector, height: float, texels: Rectangle) -> Face:
    """An upright face above the line from `left` to `right`, seen with `left` on the left."""
    (x0, y0, z0), (x1, y1, z1) = left, right
    return quad(((x0, y0 + height, z0), left, right, (x1, y1 + height, z1)), texels)


def box(
    low: Vector,
    high: Vector,
    *,
    top: bool = True,
    bottom: bool = False,
    sides: str = "nesw",
    scale: float = 1,
    offset: tuple[float, float] = (0, 0),
) -> list[Face]:
    """The faces of a box; texture coordinates start at `offset` on every face and grow by `scale` per unit."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    width, height, depth = (x1 - x0) * scale, (y1 - y0) * scale, (z1 - z0) * scale
    s, t = offset
    faces = []
    if "s" in sides:
        faces.append(quad(((x0, y1, z1), (x0, y0, z1), (x1, y0, z1), (x1, y1, z1)), (s, t, s + width, t + height)))
    if "n" in sides:
        faces.append(quad(((x1, y1, z0), (x1, y0, z0), (x0, y0, z0), (x0, y1, z0)), (s, t, s + width, t + height)))
    if "w" in sides:
        faces.append(quad(((x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1)), (s, t, s + depth, t + height)))
    if "e" in sides:
        faces.append(quad(((x1, y1, z1), (x1, y0, z1), (x1, y0, z0), (x1, y1, z0)), (s, t, s + depth, t + height)))
    if top:
        faces.append(quad(((x0, y1, z0), (x0, y1, z1), (x1, y1, z1), (x1, y1, z0)), (s, t, s + width, t + depth)))
    if bottom:
        faces.append(quad(((x0, y0, z1), (x0, y0, z0), (x1, y0, z0), (x1, y0, z1)), (s, t, s + width, t + depth)))
    return faces


def around(angle: int, radius: float) -> tuple[float, float]:
    """x and z of a point at `angle` (65536 = a turn, 0 = east, a quarter = south), rounded to 1/16 unit."""
    return _sixteenth(radius * cos_index(angle) / ONE), _sixteenth(radius * sin_index(angle) / ONE)


def _sixteenth(value: float) -> float:
    return round(value * 16) / 16


def lathe(
    profile: Sequence[tuple[float, float]],
    sides: int,
    *,
    center: Vector = (0, 0, 0),
    texels: tuple[float, float] = (64, 64),
    turn: int = 0,
    smooth: bool = True,
) -> list[Face]:
    """A body turned about the y axis: `profile` are (radius, y) from the top down.

    The picture's `texels` are laid once round it and once from top to bottom.
    """
    faces: list[Face] = []
    angles = [turn + FULL_TURN * i // sides for i in range(sides + 1)]
    tops = [texels[1] * place / (len(profile) - 1) for place in range(len(profile))]
    for (radius_a, ya), (radius_b, yb), ta, tb in zip(profile, profile[1:], tops, tops[1:], strict=False):
        lean = (radius_b - radius_a) / (ya - yb) if ya != yb else 1.0
        for place, (first, second) in enumerate(itertools.pairwise(angles)):
            s0, s1 = texels[0] * place / sides, texels[0] * (place + 1) / sides
            corners = []
            # Seen from outside, angles grow to the left.
            for angle, s in ((second, s0), (first, s1)):
                ux, uz = around(angle, 1) if not smooth else (cos_index(angle) / ONE, sin_index(angle) / ONE)
                size = (1 + lean * lean) ** 0.5
                normal = (ux / size, lean / size, uz / size)
                ax, az = around(angle, radius_a)
                bx, bz = around(angle, radius_b)
                corners.append(
                    (
                        Corner((center[0] + ax, center[1] + ya, center[2] + az), (s, ta), normal),
                        Corner((center[0] + bx, center[1] + yb, center[2] + bz), (s, tb), normal),
                    )
                )
            (left_top, left_bottom), (right_top, right_bottom) = corners
            if radius_a == 0:
                faces.append((left_top, left_bottom, right_bottom))
            elif radius_b == 0:
                faces.append((left_top, left_bottom, right_top))
            else:
                faces.append((left_top, left_bottom, right_bottom, right_top))
    return faces


def gable_roof(low: Vector, high: Vector, *, overhang: float = 6, scale: float = 1) -> tuple[list[Face], list[Face]]:
    """A roof whose ridge runs east to west over the rectangle from `low` to `high` (y: eaves to ridge).

    The slopes (with the undersides of their eaves), and the two gables in the plane of the walls.
    """
    (x0, y0, z0), (x1, y1, z1) = low, high
    middle = (z0 + z1) / 2
    fall = (y1 - y0) / (middle - z0)
    west, east = x0 - overhang, x1 + overhang
    north, south, eaves = z0 - overhang, z1 + overhang, y0 - overhang * fall
    length = ((middle - north) ** 2 + (y1 - eaves) ** 2) ** 0.5
    width = east - west
    span = (0, 0, width * scale, round(length * scale))
    slopes = [
        quad(((west, y1, middle), (west, eaves, south), (east, eaves, south), (east, y1, middle)), span),
        quad(((east, y1, middle), (east, eaves, north), (west, eaves, north), (west, y1, middle)), span),
    ]
    gables: list[Face] = []
    for x, order in ((x0, 1), (x1, -1)):
        points = ((x, y1, middle), (x, y0, z0), (x, y0, z1))[::order]
        gables.append(tuple(Corner(point, (point[2] - z0, y1 - point[1])) for point in points))
    return slopes, gables
