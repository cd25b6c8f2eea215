"""Heights: the query at a point as facts and JSON, a plate in words, and irregularities of a cell's plates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from formats.field.bdhc_triangles import TriangleBdhc
from formats.field.height_plates import HeightPlates, HeightReason
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from formats.fixed import ONE
from mapexplorer.inspector.facts import Description, Fact, filled, section
from mapexplorer.values import count
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.subject import subject
from mapexplorer.world.terrain.plates import sloped_plates
from mapexplorer.world.terrain.terrain import TerrainHeight
from mapexplorer.world.wording import height_reason

_DIRECTIONS: Final = ("east", "southeast", "south", "southwest", "west", "northwest", "north", "northeast")


@dataclass(frozen=True)
class HeightFacts:
    """The height query at a point."""

    x: float
    """In units."""
    z: float
    """In units."""
    near: float
    """The height of the query: the nearest plate is chosen."""
    answer: TerrainHeight
    """The result."""
    matrix: int
    """The matrix of the place."""
    strip_plates: int
    """The number of plates of the strip that is searched."""
    plates: dict[int, tuple[str, str]]
    """Those of them that contain the point, with plane and slope in words."""
    attribute: int
    """The attribute word of the tile."""
    behaviour: str
    """The name of its behaviour."""

    @property
    def tile(self) -> tuple[float, float]:
        """The point in matrix-wide tiles."""
        return self.x / TILE_UNITS, self.z / TILE_UNITS


def ask(place: FieldPlace, x: float, z: float, near: float) -> HeightFacts:
    """The height query at a point. Raises FormatError."""
    answer = place.height(x, z, near)
    attribute = place.terrain.attribute(math.floor(x / TILE_UNITS), math.floor(z / TILE_UNITS))
    behaviour = place.world.game.tables.behaviour_name(attribute & BEHAVIOUR)
    cell, matrix = place.terrain.cells.get(answer.cell), place.matrix_id.value
    if cell is None:
        return HeightFacts(x, z, near, answer, matrix, 0, {}, attribute, behaviour)
    bdhc = place.terrain.bdhc(cell)
    plates = {plate: (plane_words(bdhc, plate), slope_words(normal_of(bdhc, plate))) for plate, _ in answer.candidates}
    strip_plates = len(bdhc.strips[answer.strip].plates) if answer.strip is not None and answer.strip >= 0 else 0
    return HeightFacts(x, z, near, answer, matrix, strip_plates, plates, attribute, behaviour)


def point_facts(facts: HeightFacts) -> list[Fact]:
    """Where the point is, with the land and the behaviour of its tile."""
    (x, z), cell, land = facts.tile, facts.answer.cell, facts.answer.land
    return [
        Fact("Tile", f"({x:g}, {z:g}), cell ({cell[0]}, {cell[1]})"),
        Fact("Land data", "none" if land is None else str(land), link=None if land is None else subject("land", land)),
        Fact("Behaviour", f"{facts.behaviour}{', blocked' if facts.attribute & COLLISION else ''}"),
    ]


def height_facts(facts: HeightFacts) -> list[Fact]:
    """The height, why it is that, and the plates that it was chosen from."""
    answer, unread = facts.answer, facts.answer.reason is HeightReason.NOT_READ
    strip = "" if answer.strip is None else f"strip {answer.strip} has {count(facts.strip_plates, 'plate')}"
    return [
        Fact("Height", "not known" if unread else f"{answer.height:g} units (fx32 {answer.fx32})"),
        Fact("Because", height_reason(answer), strip),
        *(
            Fact(
                "Candidate",
                f"plate {plate} at {height:g}{'  <- chosen' if plate == answer.plate else ''}",
                "; ".join(facts.plates[plate]),
                link=subject("plate", facts.matrix, *answer.cell, plate),
            )
            for plate, height in answer.candidates
        ),
    ]


def describe_height(facts: HeightFacts, irregular: PlateReport | None) -> Description:
    """The query at a point, and the irregularities of its cell's plates where they are known."""
    x, z = facts.tile
    of_cell = (
        (
            Fact("Plates", str(irregular.plates), f"{irregular.sloped} sloped, in {count(irregular.strips, 'strip')}"),
            Fact("Overlapping pairs", str(len(irregular.overlaps))),
            Fact("Tiles without plate", str(len(irregular.holes))),
            Fact("Plates in no strip", str(len(irregular.lost))),
        )
        if irregular is not None
        else ()
    )
    return Description(
        subject("tile", facts.matrix, math.floor(x), math.floor(z)),
        f"{facts.answer.height:g} units",
        f"at ({facts.x:.1f}, {facts.z:.1f}), tile ({x:.2f}, {z:.2f})",
        filled(section("Query", *point_facts(facts)[1:], *height_facts(facts)), section("This cell", *of_cell)),
    )


def height_json(facts: HeightFacts) -> dict[str, Any]:
    """The answer as JSON values."""
    answer = facts.answer
    return {
        "tile": list(facts.tile),
        "near": facts.near,
        "found": answer.found,
        "height": answer.height,
        "fx32": answer.fx32,
        "cell": list(answer.cell),
        "land": answer.land,
        "strip": answer.strip,
        "strip_plates": facts.strip_plates,
        "plate": answer.plate,
        "candidates": [
            {"plate": plate, "height": height, "plane": facts.plates[plate][0], "slope": facts.plates[plate][1]}
            for plate, height in answer.candidates
        ],
        "reason": answer.reason.name.lower(),
        "why": height_reason(answer),
        "attribute": facts.attribute,
    }


@dataclass(frozen=True, eq=False)
class PlateReport:
    """A cell's plates: `overlaps` are pairs of plates that share an area, `holes` tiles (x, z in the cell) whose centre
    is on no plate, `lost` plates in no strip."""

    plates: int
    strips: int
    sloped: int
    overlaps: tuple[tuple[int, int], ...]
    holes: tuple[tuple[int, int], ...]
    lost: tuple[int, ...]


def report(bdhc: HeightPlates) -> PlateReport:
    """The irregularities of a cell's plates."""
    pairs = [(index, other) for index in range(len(bdhc)) for other in overlapping(bdhc, index, index + 1)]
    in_strips = {int(plate) for strip in bdhc.strips for plate in strip.plates}
    lost = tuple(sorted(set(range(len(bdhc))) - in_strips))
    sloped = int(sloped_plates(bdhc).sum())
    return PlateReport(len(bdhc), len(bdhc.strips), sloped, tuple(pairs), holes(bdhc), lost)


def holes(bdhc: HeightPlates) -> tuple[tuple[int, int], ...]:
    """The tiles (x, z in the cell) whose centre is on no plate."""
    centres = [((tile * TILE_UNITS + TILE_UNITS // 2) - CELL_UNITS // 2) * ONE for tile in range(CELL_TILES)]
    return tuple(
        (column, row)
        for row, z in enumerate(centres)
        for column, x in enumerate(centres)
        if bdhc.height_at(x, z, 0) is None
    )


def slope_words(normal: tuple[float, float, float]) -> str:
    """A plate's slope as text: the angle, and the side to which it rises."""
    nx, ny, nz = normal
    if ny == 0:
        return "vertical: the game's division by zero returns 0"
    if nx == 0 and nz == 0:
        return "flat"
    steep = math.degrees(math.atan2(math.hypot(nx, nz), abs(ny)))
    # The horizontal part of the normal points to where the height decreases, so the plate rises the opposite way.
    rise_x, rise_z = -nx / ny, -nz / ny
    side = _DIRECTIONS[round(math.degrees(math.atan2(rise_z, rise_x)) / 45) % 8]
    per_tile = math.hypot(rise_x, rise_z) * TILE_UNITS
    return f"rises to the {side} by {per_tile:.4g} units a tile ({steep:.1f}°)"


def normal_of(bdhc: HeightPlates, plate: int) -> tuple[float, float, float]:
    """A plate's normal as numbers."""
    nx, ny, nz, _ = (bdhc.planes[plate] / ONE).tolist()
    return nx, ny, nz


def plane_words(bdhc: HeightPlates, plate: int) -> str:
    """A plate's plane as an equation, x and z from the cell's centre."""
    terms = list(zip((bdhc.planes[plate] / ONE).tolist(), ("·x", "·y", "·z", ""), strict=True))
    words = " ".join(f"{'−' if value < 0 else '+'} {abs(value):g}{name}" for value, name in terms if value)
    return f"{words.removeprefix('+ ') or '0'} = 0"


def boxes(bdhc: HeightPlates) -> np.ndarray:
    """(n, 4) fx32 west, north, east, south of the plates."""
    outlines = bdhc.outlines
    return np.concatenate([outlines.min(1), outlines.max(1)], 1) if len(bdhc) else np.zeros((0, 4), np.int64)


def overlapping(bdhc: HeightPlates, index: int, first: int = 0) -> list[int]:
    """The other plates, from number `first` on, that share an area (more than an edge) with a plate."""
    bounds = boxes(bdhc)[first:]
    mine = boxes(bdhc)[index]
    hit = (bounds[:, 0] < mine[2]) & (bounds[:, 2] > mine[0]) & (bounds[:, 1] < mine[3]) & (bounds[:, 3] > mine[1])
    others = np.flatnonzero(hit) + first
    others = others[others != index]
    if isinstance(bdhc, TriangleBdhc):
        others = others[_share_area(bdhc.outlines[index], bdhc.outlines[others])]
    return [int(number) for number in others]


def _share_area(mine: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which convex polygons (n, 4, 2) share an area with another one (4, 2): those that no line along a side of one of
    both separates."""
    mine = np.broadcast_to(mine, others.shape)
    shares = np.ones(len(others), np.bool_)
    for polygon in (mine, others):
        for corner in range(4):
            side = polygon[:, (corner + 1) % 4] - polygon[:, corner]
            across = np.stack([-side[:, 1], side[:, 0]], -1)[:, None]
            own, other = (mine * across).sum(-1), (others * across).sum(-1)
            apart = (own.max(1) <= other.min(1)) | (other.max(1) <= own.min(1))
            shares &= ~(apart & (side != 0).any(1))
    return shares
