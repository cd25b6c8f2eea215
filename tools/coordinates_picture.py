"""The picture of the coordinates: `python -m tools.coordinates_picture` writes docs/coordinates.svg.

Every number in it is computed from one tile and the constants of the packages.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from formats.field.terrain_attribute import TILES
from formats.fixed import ONE
from mapexplorer.units import TICKS_PER_SECOND

PAGE: Final = Path(__file__).parents[1] / "docs" / "coordinates.svg"

TILE_UNITS: Final = 16
TILE: Final = (45, 20)
"""The tile of the picture, in the matrix."""
MATRIX: Final = (3, 2)
"""Its columns and rows of cells."""

_SIZE: Final = (880, 560)
_SQUARE: Final = 192
"""The size of the drawn cell and of the drawn tile."""

_STYLE: Final = """
text { font: 13px sans-serif; fill: #222 }
.title { font-weight: bold; font-size: 15px } .small { font-size: 12px; fill: #555 }
.line { fill: none; stroke: #bbb; stroke-width: 0.5 } .edge { fill: none; stroke: #333; stroke-width: 1.5 }
.chosen { fill: #f4a742; stroke: #a35c00 } .pale { fill: #fbe5c6; stroke: #a35c00 }
.zoom { fill: none; stroke: #a35c00; stroke-dasharray: 4 3 }
.plate { stroke: #2b6cb0; stroke-width: 4 } .arrow { stroke: #333; stroke-width: 1.5; marker-end: url(#tip) }
"""


def page() -> str:
    """The picture."""
    width, height = _SIZE
    parts = [_matrix(30, 70), _cell(290, 70), _tile(580, 70), _heights(30, 380), _ticks(580, 410)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="Matrix, cell, tile, unit, plate and tick">\n<style>{_STYLE}</style>\n'
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 8 4 0 8z"/></marker>\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n{"".join(parts)}</svg>\n'
    )


def _matrix(x: int, y: int) -> str:
    columns, rows = MATRIX
    cell, (column, row) = 64, _cell_of(TILE)
    made = _title(x, y, "map matrix", "columns east (x), rows south (z)")
    for j in range(rows):
        for i in range(columns):
            is_chosen = (i, j) == (column, row)
            made += _rect(x + i * cell, y + j * cell, cell, "pale" if is_chosen else "edge")
            made += _text(x + i * cell + 5, y + j * cell + 56, f"cell {i},{j}", "small")
    made += _zoom(x + (column + 1) * cell, y + row * cell, cell, x + 260, y)
    made += f'<path class="arrow" d="M{x + 20} {y + 152}v-20"/>\n'
    made += f'<rect class="edge" x="{x}" y="{y + 152}" width="{_SQUARE}" height="44"/>\n'
    made += _text(x + 8, y + 170, "map header, one per map")
    made += _text(x + 8, y + 187, "names matrix, area, events ...", "small")
    made += _text(x, y + _SQUARE + 22, "A cell names a land and, in some")
    return made + _text(x, y + _SQUARE + 40, "matrices, the header of its map.")


def _cell(x: int, y: int) -> str:
    step = _SQUARE / TILES
    column, row = TILE[0] % TILES, TILE[1] % TILES
    made = _title(x, y, f"cell {_words(_cell_of(TILE))}", f"{TILES} x {TILES} tiles, {TILES * TILE_UNITS} units wide")
    for index in range(1, TILES):
        at = index * step
        made += f'<path class="line" d="M{x + at:g} {y}v{_SQUARE}M{x} {y + at:g}h{_SQUARE}"/>\n'
    made += _rect(x, y, _SQUARE, "edge") + _rect(x + column * step, y + row * step, step, "chosen")
    made += _zoom(x + (column + 1) * step, y + row * step, step, x + 290, y)
    made += _text(x, y + _SQUARE + 20, f"tile {_words(TILE)} of the matrix:")
    return made + _text(x, y + _SQUARE + 38, f"{column},{row} in its cell")


def _tile(x: int, y: int) -> str:
    step = _SQUARE / TILE_UNITS
    west, north = (one * TILE_UNITS for one in TILE)
    made = _title(x, y, f"tile {_words(TILE)}", f"{TILE_UNITS} x {TILE_UNITS} units; 1 unit = {ONE} in fx32")
    made += _rect(x, y, _SQUARE, "pale")
    for index in range(1, TILE_UNITS):
        at = index * step
        made += f'<path class="line" d="M{x + at:g} {y}v{_SQUARE}M{x} {y + at:g}h{_SQUARE}"/>\n'
    made += _rect(x, y, _SQUARE, "edge")
    made += f'<circle cx="{x}" cy="{y}" r="4"/><circle cx="{x + _SQUARE / 2:g}" cy="{y + _SQUARE / 2:g}" r="4"/>\n'
    middle = y + _SQUARE / 2
    made += _text(x + _SQUARE + 12, y + 10, f"unit {_words((west, north))}")
    made += _text(x + _SQUARE + 12, y + 28, f"fx32 {west * ONE:,}", "small")
    made += _text(x + _SQUARE + 12, middle, f"tile {TILE[0] + 0.5},{TILE[1] + 0.5}")
    half = TILE_UNITS // 2
    made += _text(x + _SQUARE + 12, middle + 18, f"unit {_words((west + half, north + half))}")
    return made + _text(x, y + _SQUARE + 20, "A tile has a collision bit and a behaviour.")


def _heights(x: int, y: int) -> str:
    ground = y + 120
    made = _title(x, y, "height (y), from the south", "plates of the cell's BDHC under one point")
    made += f'<path class="arrow" d="M{x} {ground}v-95"/>{_text(x + 11, ground - 84, "y")}\n'
    made += f'<path class="arrow" d="M{x} {ground}h500"/>{_text(x + 506, ground + 4, "x")}\n'
    for start, above, length in ((20, 10, 330), (150, 62, 120)):
        made += f'<path class="plate" d="M{x + start} {ground - above}h{length}"/>\n'
    made += f'<path class="zoom" d="M{x + 210} {ground}v-95"/>\n'
    made += _text(x + 276, ground - 58, "plate of a bridge") + _text(x + 356, ground - 8, "plate of the ground")
    return made + _text(x, ground + 24, "The game takes the plate nearest to the present height.")


def _ticks(x: int, y: int) -> str:
    made = _title(x, y - 30, "tick", f"1 update of the field = 1/{TICKS_PER_SECOND:.1f} s")
    made += f'<path class="arrow" d="M{x} {y + 20}h250"/>\n'
    for tick in range(8):
        made += f'<path class="edge" d="M{x + tick * 30} {y + 12}v16"/>{_text(x + tick * 30 - 4, y + 46, str(tick))}\n'
    return made


def _cell_of(tile: tuple[int, int]) -> tuple[int, int]:
    return tile[0] // TILES, tile[1] // TILES


def _words(pair: tuple[int, int]) -> str:
    return f"{pair[0]},{pair[1]}"


def _title(x: int, y: int, title: str, words: str) -> str:
    return _text(x, y - 30, title, "title") + _text(x, y - 12, words, "small")


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{words}</text>\n'


def _rect(x: float, y: float, size: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"/>\n'


def _zoom(x: float, y: float, size: float, to_x: float, to_y: float) -> str:
    """Lines from the eastern corners of a square to the western corners of its enlargement."""
    return f'<path class="zoom" d="M{x:g} {y:g}L{to_x:g} {to_y:g}M{x:g} {y + size:g}L{to_x:g} {to_y + _SQUARE:g}"/>\n'


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.stdout.write(f"{PAGE}\n")
