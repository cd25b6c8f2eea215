"""Heights: the candidates at a point, and irregularities of a cell's plates."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from formats.field.height_plates import HeightPlates
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from formats.fixed import ONE
from mapexplorer.inspector.ground import boxes, normal_of, overlapping, plane_words, slope_words
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.plates import sloped_plates
from mapexplorer.world.terrain import TerrainHeight
from mapexplorer.world.wording import height_reason


@dataclass(frozen=True)
class Candidate:
    """A plate that contains a point: its height there in units, its plane and slope as text, whether it is chosen."""

    plate: int
    height: float
    plane: str
    slope: str
    wins: bool


@dataclass(frozen=True)
class HeightFacts:
    """The height query at a point: `x`, `z` and the `near` height of the query, in units; the answer; the plates of its
    strip, and those of them that contain the point; the attribute word of the tile and the name of its behaviour."""

    x: float
    z: float
    near: float
    answer: TerrainHeight
    strip_plates: int
    candidates: tuple[Candidate, ...]
    attribute: int
    behaviour: str

    @property
    def tile(self) -> tuple[float, float]:
        """The point in matrix-wide tiles."""
        return self.x / TILE_UNITS, self.z / TILE_UNITS


def ask(place: FieldPlace, x: float, z: float, near: float) -> HeightFacts:
    """The height query at a point. Raises FormatError."""
    answer = place.height(x, z, near)
    attribute = place.terrain.attribute(math.floor(x / TILE_UNITS), math.floor(z / TILE_UNITS))
    behaviour = place.world.game.tables.behaviour_name(attribute & BEHAVIOUR)
    cell = place.terrain.cells.get(answer.cell)
    if cell is None:
        return HeightFacts(x, z, near, answer, 0, (), attribute, behaviour)
    bdhc = place.terrain.bdhc(cell)
    candidates = tuple(
        Candidate(plate, height, plane_words(bdhc, plate), slope_words(normal_of(bdhc, plate)), plate == answer.plate)
        for plate, height in answer.candidates
    )
    strip_plates = len(bdhc.strips[answer.strip].plates) if answer.strip is not None and answer.strip >= 0 else 0
    return HeightFacts(x, z, near, answer, strip_plates, candidates, attribute, behaviour)


def height_fields(facts: HeightFacts) -> list[tuple[str, object]]:
    """The answer as lines of name and value."""
    answer, (x, z) = facts.answer, facts.tile
    blocked = ", blocked" if facts.attribute & COLLISION else ""
    return [
        ("Tile", f"({x:g}, {z:g}), cell ({answer.cell[0]}, {answer.cell[1]})"),
        ("Land data", "none" if answer.land is None else answer.land),
        ("Behaviour", f"{facts.behaviour}{blocked}"),
        ("Height", f"{answer.height:g} units (fx32 {answer.fx32})"),
        ("Because", height_reason(answer)),
        *(
            ("Candidate", f"plate {one.plate} at {one.height:g}{'  <- chosen' if one.wins else ''}")
            for one in facts.candidates
        ),
    ]


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
            {"plate": one.plate, "height": one.height, "plane": one.plane, "slope": one.slope}
            for one in facts.candidates
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
    half = CELL_UNITS // 2
    centres = [((tile * TILE_UNITS + TILE_UNITS // 2) - half) * ONE for tile in range(CELL_TILES)]
    holes = tuple(
        (column, row)
        for row, z in enumerate(centres)
        for column, x in enumerate(centres)
        if bdhc.height_at(x, z, 0) is None
    )
    named = {int(plate) for strip in bdhc.strips for plate in strip.plates}
    lost = tuple(sorted(set(range(len(bdhc))) - named))
    return PlateReport(len(bdhc), len(bdhc.strips), int(sloped_plates(bdhc).sum()), tuple(pairs), holes, lost)


def report_json(found: PlateReport) -> dict[str, Any]:
    """The irregularities of a cell's plates as JSON values."""
    return asdict(found)


def plates_json(place: FieldPlace, cell: Cell) -> dict[str, Any]:
    """A cell's plates as JSON values, in units."""
    bdhc = place.terrain.bdhc(cell)
    found = report(bdhc)
    return {
        "cell": [cell.x, cell.z],
        "land": cell.land,
        "plates": [
            {
                "index": index,
                "west": west, "north": north, "east": east, "south": south,
                "normal": list(normal_of(bdhc, index)),
                "constant": int(bdhc.planes[index, 3]) / ONE,
                "plane": plane_words(bdhc, index),
                "slope": slope_words(normal_of(bdhc, index)),
            }
            for index, (west, north, east, south) in enumerate((boxes(bdhc) / ONE).tolist())
        ],
        "strips": [{"south": strip.scanline / ONE, "plates": strip.plates.tolist()} for strip in bdhc.strips],
        "overlaps": [list(pair) for pair in found.overlaps],
        "tiles_without_plate": [list(tile) for tile in found.holes],
        "plates_in_no_strip": list(found.lost),
    }  # fmt: skip
