"""What the map of an atlas knows beside its tiles: where maps are, the layers over them, names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.atlas.sheets import TILE, Sheet, cells_region
from mapexplorer.atlas.site import Site
from mapexplorer.export.images import encode_png
from mapexplorer.export.overlays import is_item, is_trainer
from mapexplorer.gameplay.trainers import object_name
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS
from mapexplorer.world.headers.place_labels import Rank, place_labels
from mapexplorer.world.layers.behaviours import BEHAVIOURS
from mapexplorer.world.layers.collision import COLLISION
from mapexplorer.world.layers.encounters import WILD_ENCOUNTERS
from mapexplorer.world.layers.events import event_shapes
from mapexplorer.world.layers.kind import CellOverlay, LayerKind, event_owner
from mapexplorer.world.layers.ranges import RANGES
from mapexplorer.world.layers.shapes import ShapeSubject
from mapexplorer.world.layers.sight import SIGHT
from mapexplorer.world.layers.triggers import TRIGGERS
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.readable import readable_warp_target
from mapexplorer.world.terrain.behaviour_meaning import behaviour_meaning
from mapexplorer.world.world import FieldWorld

RASTERS: Final = {"collision": COLLISION, "behaviours": BEHAVIOURS, "wild": WILD_ENCOUNTERS}
"""Name -> a layer with a colour for each tile."""
_TILES: Final = (SIGHT, RANGES, TRIGGERS)
"""The layers of things that have several tiles."""

CellColors = tuple[int, int, list[npt.NDArray[np.uint8]]]
"""Where a cell is in the canvas, in tiles, and the colours (32, 32, 4) of its tiles in each of RASTERS."""


def header_things(world: FieldWorld, header: int) -> list[list[Any]]:
    """The events of a header, `[layer, kind, index, label, x, z, width, height]` in tiles, of a warp with the header
    and tile where it leads; and `[layer, kind, index, label, [x, z, x, z ...]]` for what has several tiles."""
    place = world.place(header)
    rows: list[list[Any]] = []
    events = event_shapes(place, header)
    for number, thing in enumerate(events.things):
        corners = events.faces_of(number)[..., ::2].reshape(-1, 2) / TILE_UNITS
        x, z = np.floor(corners.min(0)).astype(int).tolist()
        width, height = (np.ceil(corners.max(0)).astype(int) - (x, z)).tolist()
        goal = readable_warp_target(world, header, thing.key[1]) if thing.kind == "warp" else None
        rows.append(
            [_layer(world, thing), thing.kind, thing.key[1], _label(world, thing), x, z, width, height, *(goal or ())]
        )
    for cell in place.cells:
        part = CellOverlay(place, cell, header)
        for kind in _TILES:
            shapes = part[kind]
            for number, thing in enumerate(shapes.things):
                tiles = np.floor(shapes.faces_of(number)[..., ::2].min(1) / TILE_UNITS + 0.1).astype(int)
                rows.append([kind.id, thing.kind, thing.key[1], thing.label, tiles.ravel().tolist()])
    return rows


def _layer(world: FieldWorld, thing: ShapeSubject) -> str:
    """The layer of the atlas in which an event is."""
    return "items" if is_item(world, thing) else "trainers" if is_trainer(world, thing) else f"{thing.kind}s"


def _label(world: FieldWorld, thing: ShapeSubject) -> str:
    if thing.kind != "object":
        return thing.label
    events = world.events(thing.key[0])
    return (object_name(world, events.objects[thing.key[1]]) if events is not None else "") or thing.label


def cell_colors(world: FieldWorld, sheet: Sheet) -> list[CellColors]:
    """The colours of the cells of a sheet."""
    place = sheet.place(world)
    colors: list[CellColors] = []
    for cell in sheet.cells(world):
        part = CellOverlay(place, cell, event_owner(cell, sheet.header, whole=sheet.whole), sheet.whole)
        x, y = ((at + side * CELL_UNITS) // TILE_UNITS for at, side in zip(sheet.origin, (cell.x, cell.z), strict=True))
        colors.append((x, y, [part.tile_colors(kind) for kind in RASTERS.values()]))
    return colors


def rasters(level: int, cells: Iterable[CellColors]) -> Iterator[tuple[str, bytes]]:
    """The pictures of RASTERS over the whole canvas, a pixel for each tile."""
    side = (TILE << level) // TILE_UNITS
    pictures = np.zeros((len(RASTERS), side + 2 * CELL_TILES, side + 2 * CELL_TILES, 4), np.uint8)
    for x, y, colors in cells:
        for picture, part in zip(pictures, colors, strict=True):
            picture[y + CELL_TILES : y + 2 * CELL_TILES, x + CELL_TILES : x + 2 * CELL_TILES] = part
    for name, picture in zip(RASTERS, pictures, strict=True):
        yield f"layers/{name}.png", encode_png(picture[CELL_TILES:-CELL_TILES, CELL_TILES:-CELL_TILES])


def map_facts(site: Site, level: int, sheets: Mapping[int, Sheet]) -> dict[str, Any]:
    """Where the maps are: `headers` has for each the corner of its matrix in the canvas and its box, in pixels, and its
    names; `labels` the names on the map of the region; `legend` the colours of RASTERS."""
    world, labels = site.world, []
    for sheet in dict.fromkeys(sheets.values()):
        x, y = sheet.origin
        shown = read_or((), place_labels, sheet.place(world)) if sheet.whole else ()
        labels += [
            [each.text, round(x + each.x), round(y + each.z), int(each.rank)]
            for each in shown
            if each.rank < Rank.BUILDING
        ]
        if not sheet.whole:
            header = world.headers[sheet.header]
            labels.append([header.title, (2 * sheet.x + sheet.blocks[0] * TILE) // 2, sheet.y, int(Rank.BUILDING)])
    headers = {
        number: [
            *sheet.origin,
            *box_of(world, number, sheet),
            world.headers[number].title,
            world.headers[number].internal_name,
        ]
        for number, sheet in sheets.items()
    }
    return {
        "level": level,
        "release": world.game.release_code(world.rom),
        "headers": headers,
        "labels": labels,
        "legend": {name: _legend(world, kind) for name, kind in RASTERS.items()},
    }


def _legend(world: FieldWorld, kind: LayerKind) -> list[tuple[str, str]]:
    """The colours of a layer, each with what it means."""
    tables = world.game.tables
    meanings = [behaviour_meaning(tables, number) for number in range(256 if kind is BEHAVIOURS else 0)]
    colors = [(each.color, each.words) for each in meanings if each is not None] or kind.legend(tables, [])
    return [(f"rgb{color}", words) for color, words in dict.fromkeys(colors)]


def box_of(world: FieldWorld, header: int, sheet: Sheet) -> tuple[int, int, int, int]:
    """Where a map is in the canvas: west, north, east and south in pixels."""
    region = sheet.region
    if sheet.whole:
        region = cells_region((cell.x, cell.z) for cell in world.place(header).cells)
    x, y = sheet.origin
    return x + region.left, y + region.upper, x + region.right, y + region.lower
