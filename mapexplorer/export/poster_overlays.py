"""What lies over a poster: the layers of its overlays as pixels of a band and as SVG, and their legend."""

from __future__ import annotations

import unicodedata
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mapexplorer.export.markup import Markup, tag
from mapexplorer.export.overlays import OVERLAYS, chosen_shapes
from mapexplorer.world.cells import CELL_UNITS, Cell
from mapexplorer.world.colors import Rgb
from mapexplorer.world.layers.kind import CellOverlay, LayerKind, event_owner
from mapexplorer.world.layers.shapes import Array, Shapes
from mapexplorer.world.place import FieldPlace

Pixels = npt.NDArray[np.uint8]

_ROW: Final = 22
"""Pixels of the height of a line of the legend."""
_PAPER: Final = 245
_LETTERS: Final = "#1b1f23"


class PlacedLayer(NamedTuple):
    """A layer of an overlay in some cells."""

    overlay: str
    kind: LayerKind
    shapes: Shapes


class OverlayGround(NamedTuple):
    """What overlays are over: a place, all cells of its matrix (`whole`) or its own, and the pixels of a cell."""

    place: FieldPlace
    whole: bool
    overlays: tuple[str, ...]
    cell_pixels: int

    @property
    def names(self) -> list[str]:
        """The overlays from the lowest to the uppermost."""
        return [name for name in OVERLAYS if name in self.overlays]

    def parts(self, cells: Iterable[Cell]) -> Iterator[CellOverlay]:
        """The layers of some cells."""
        for cell in cells:
            yield CellOverlay(self.place, cell, event_owner(cell, self.place.header.id, whole=self.whole), self.whole)

    def layers(self, cells: Iterable[Cell]) -> Iterator[PlacedLayer]:
        """The layers of the overlays in some cells, from the lowest to the uppermost. Raises FormatError."""
        parts = list(self.parts(cells))
        for name in self.names:
            for kind, chosen in OVERLAYS[name]:
                yield from (PlacedLayer(name, kind, chosen_shapes(part, kind, chosen)) for part in parts)

    def legend(self, cells: Iterable[Cell]) -> list[tuple[Rgb, str]]:
        """The colours of the overlays in some cells, each once. Raises FormatError."""
        parts = list(self.parts(cells)) if "behaviours" in self.names else []
        kinds = dict.fromkeys(kind for name in self.names for kind, _ in OVERLAYS[name])
        tables = self.place.world.game.tables
        return list(dict.fromkeys(entry for kind in kinds for entry in kind.legend(tables, parts)))

    def projected(self, points: Array, corner: tuple[int, int]) -> Array:
        """Points (n, k, 3) in units as (n, k, 2) pixels from a corner."""
        pixels: Array = points[..., ::2] * self.cell_pixels / CELL_UNITS - corner
        return pixels


def painted(ground: OverlayGround, pixels: Pixels, corner: tuple[int, int], layers: Iterable[PlacedLayer]) -> Pixels:
    """Pixels (rows, width, 3) with layers over them; `corner`: where the first one is in the matrix."""
    from PIL import Image, ImageDraw

    picture = Image.fromarray(pixels).convert("RGBA")
    for _, kind, shapes in layers:
        faces, lines = (ground.projected(points, corner) for points in (shapes.faces, shapes.lines))
        over = Image.new("RGBA", picture.size)
        draw = ImageDraw.Draw(over)
        for face, fill, edge in zip(faces, shapes.fills, shapes.edges, strict=True):
            if face[:, 1].max() >= 0 and face[:, 1].min() <= len(pixels):
                draw.polygon([*map(tuple, face)], _with(fill, kind.opacity), _with(edge, kind.opacity))
        for line, color in zip(lines, shapes.line_colors, strict=True):
            draw.line([*map(tuple, line)], _with(color, kind.opacity))
        picture.alpha_composite(over)
    return np.asarray(picture.convert("RGB"))


def _with(color: npt.NDArray[np.uint8], opacity: float) -> tuple[int, int, int, int]:
    red, green, blue, alpha = color.tolist()
    return red, green, blue, round(alpha * opacity)


# --- the legend


def legend_picture(entries: Sequence[tuple[Rgb, str]], width: int) -> Pixels:
    """A legend as lines below a poster, uint8 (height, width, 3)."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (width, _ROW * len(entries) + 6), (_PAPER, _PAPER, _PAPER))
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(13)
    for number, (color, words) in enumerate(entries):
        y = 4 + number * _ROW
        draw.rectangle((6, y, 22, y + 14), color, _LETTERS)
        letters = unicodedata.normalize("NFD", words).encode("ascii", "ignore").decode()  # those that the font has
        draw.text((30, y), letters, _LETTERS, font)
    return np.asarray(picture)


# --- SVG


def svg(
    ground: OverlayGround,
    png: bytes,
    box: tuple[int, int, int, int],
    cells: Sequence[Cell],
    names: Iterable[tuple[str, float, float]],
    entries: Sequence[tuple[Rgb, str]],
) -> Markup:
    """A poster as SVG: its picture, which shows a box (left, upper, width, height) of the matrix in pixels; a group for
    each overlay, whose shapes have their titles; names in their middles; a legend."""
    left, upper, width, height = box
    data = f"data:image/png;base64,{b64encode(png).decode()}"
    layers = list(ground.layers(cells))
    texts = [_name(text, x, y, max(10, ground.cell_pixels // 9)) for text, x, y in names]
    return tag(
        "svg",
        tag("image", href=data, width=width, height=height, style="image-rendering:pixelated"),
        (
            tag("g", (_shapes(ground, each, (left, upper)) for each in layers if each.overlay == name), id=name)
            for name in ground.names
        ),
        tag("g", texts, id="names") if texts else None,
        tag("g", [*_entries(entries, height)], id="legend") if entries else None,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height + _ROW * len(entries)}",
        width=width,
        height=height + _ROW * len(entries),
        font_family="sans-serif",
    )


def _shapes(ground: OverlayGround, layer: PlacedLayer, corner: tuple[int, int]) -> list[Markup]:
    shapes = layer.shapes
    faces, lines = (ground.projected(points, corner) for points in (shapes.faces, shapes.lines))
    drawn = [
        tag(
            "polygon",
            tag("title", shapes.things[owner].label or str(shapes.things[owner].key)),
            points=" ".join(f"{x:g},{y:g}" for x, y in face.round(1)),
            fill=_css(fill, layer.kind.opacity),
            stroke=_css(edge, layer.kind.opacity),
        )
        for face, fill, edge, owner in zip(faces, shapes.fills, shapes.edges, shapes.owners.tolist(), strict=True)
        if np.ptp(face, 0).min() > 0
    ]
    for ((x1, y1), (x2, y2)), color in zip(lines.round(1).tolist(), shapes.line_colors, strict=True):
        drawn.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_css(color, layer.kind.opacity)))
    return drawn


def _css(color: npt.NDArray[np.uint8], opacity: float) -> str:
    red, green, blue, alpha = _with(color, opacity)
    return f"rgb({red} {green} {blue} / {alpha / 255:.2g})"


def _name(text: str, x: float, y: float, size: int) -> Markup:
    outline = {"fill": "#fff", "stroke": "#000", "stroke_width": 3, "paint_order": "stroke"}
    return tag("text", text, x=x, y=y, text_anchor="middle", dominant_baseline="central", font_size=size, **outline)


def _entries(entries: Sequence[tuple[Rgb, str]], top: int) -> Iterator[Markup]:
    for number, ((red, green, blue), words) in enumerate(entries):
        y = top + number * _ROW
        yield tag("rect", x=6, y=y + 4, width=16, height=14, fill=f"rgb({red} {green} {blue})", stroke=_LETTERS)
        yield tag("text", words, x=30, y=y + 16, font_size=13)
