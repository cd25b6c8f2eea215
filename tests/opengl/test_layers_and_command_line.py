"""The layers of both views say of every tile what the command line says: collision, behaviour, height.

Random tiles of random maps are found by the pixel on which they lie: in the drawn pictures of both views, and by
picking through the cameras of both views and of the map.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.fixed import ONE
from mapexplorer.gui.model.layers import Layers
from mapexplorer.gui.model.map_camera import MapCamera
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.rendering.gl_preparer import field_camera
from mapexplorer.scene.camera import SceneCamera, game_camera, top_camera
from mapexplorer.world.colors import BLOCKED
from mapexplorer.world.layers.behaviours import BEHAVIOURS
from mapexplorer.world.layers.collision import COLLISION
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.overlay_picking import Ray, cell_of, ground_point, picked_thing, tile_of
from mapexplorer.world.terrain.behaviour_meaning import behaviour_meaning

pytestmark = pytest.mark.gl

SIDE = 512
"""Pixels of a cell in the pictures of OpenGL; those of the painter are as wide as the screen of a DS is."""
SPOT = 0.2
"""Where in a tile its colour is read: beside the arrow of a ledge and the borders."""
NEARLY = 6
"""The largest difference of a channel that blending and smoothing make."""


@dataclass(frozen=True)
class Row:
    """What the command line says of a tile."""

    blocked: bool
    behaviour: int
    behaviour_name: str
    height: float | None
    plates: int


Table = dict[tuple[int, int], Row]


def table_of(rom: Path, header: int, folder: Path) -> Table:
    """`mapexplorer table ROM tiles MAP` as rows by tile."""
    from mapexplorer.cli import main

    output = folder / f"{header}.csv"
    with pytest.raises(SystemExit) as end:
        main(["table", str(rom), "tiles", str(header), "-o", str(output)])
    assert end.value.code == 0
    with output.open(encoding="utf-8") as lines:
        return {
            (int(row["x"]), int(row["z"])): Row(
                row["blocked"].lower() in ("true", "1"),
                int(row["behaviour"]),
                row["behaviour_name"],
                float(row["height"]) if row["height"] else None,
                int(row["plates"]),
            )
            for row in csv.DictReader(lines)
        }


def sampled(world: Any, places: int, tiles: int, seed: int) -> Iterator[tuple[Any, Any, list[tuple[int, int]]]]:
    """Random maps with land, of each one of its cells and some of the tiles of that."""
    chance = random.Random(seed)
    own = [header.id for header in world.headers if header.matrix and world.place(header.id).cells]
    outdoors = [header.id for header in world.headers if not header.matrix and world.place(header.id).cells]
    headers = chance.sample(outdoors, places // 2) + chance.sample(own, places - places // 2)
    for number, header in enumerate(headers):
        place = world.place(header)
        cell = chance.choice(place.cells)
        every = [(cell.x * 32 + x, cell.z * 32 + z) for x in range(32) for z in range(32)]
        count = tiles // places + (number < tiles % places)
        yield place, cell, chance.sample(every, count)


def expected(world: Any, layer: LayerKind, row: Row) -> tuple[int, ...]:
    """The colour of a tile in a layer by what the command line says; black for none."""
    if layer is COLLISION:
        return BLOCKED if row.blocked else (0, 0, 0)
    meaning = behaviour_meaning(world.game.tables, row.behaviour)
    return (0, 0, 0) if meaning is None else meaning.color


def above(cell: Any) -> SceneCamera:
    """The camera from above that shows a cell."""
    x, _, z = cell.centre
    return top_camera((x, 0, z), 192 / 512)


def drawn_by_opengl(renderer: Any, place: Any, part: CellOverlay, layer: LayerKind) -> np.ndarray:
    """The layer of a cell as the OpenGL view draws it, without models: int (SIDE, SIDE, 3)."""
    from mapexplorer.opengl.camera import CameraMatrices
    from mapexplorer.opengl.offscreen import RenderTarget
    from mapexplorer.opengl.overlays import make_overlay
    from mapexplorer.opengl.scenes import widened
    from mapexplorer.opengl.state import FrameState

    renderer.clear()
    renderer.overlays.add(make_overlay(part.cell, layer.id, part[layer]))
    camera = widened(CameraMatrices.of_scene(above(part.cell)), SIDE, SIDE)
    target = RenderTarget(SIDE, SIDE)
    renderer.draw(target.framebuffer, SIDE, SIDE, camera, FrameState(opacity={layer.id: 1.0}))
    picture = target.pixels()[..., :3].astype(int)
    target.release()
    return picture


def drawn_by_qt(place: Any, part: CellOverlay, layer: LayerKind) -> np.ndarray:
    """The layer of a cell as the DS view paints it, its square part: int (SIDE, SIDE, 3)."""
    from PyQt5.QtCore import QRectF
    from PyQt5.QtGui import QImage

    from mapexplorer.gui.model.overlay import MapOverlay
    from mapexplorer.gui.views.overlay_painter import OverlayPainter
    from mapexplorer.gui.widgets.painting import painting

    class WithoutNames(OverlayPainter):
        def _names(self, *_: Any) -> None:
            pass

    camera = above(part.cell)
    layers = Layers()
    layers.show(layer.id, True)
    layers.set_opacity(layer.id, 1.0)
    width = SIDE * 4 // 3 + 1
    image = QImage(width, SIDE, QImage.Format_RGB32)
    image.fill(0)
    area = QRectF((width - SIDE * 4 / 3) / 2, 0, SIDE * 4 / 3, SIDE)
    with painting(image) as painter:
        painted = WithoutNames(painter, area, Projection.of_scene(camera.view, camera.projection), layers)
        painted.paint(MapOverlay(place.header.id, (part,), {}), None)
    data = np.frombuffer(bytes(image.constBits().asarray(width * SIDE * 4)), np.uint8)
    left = (width - SIDE) // 2
    return data.reshape(SIDE, width, 4)[:, left : left + SIDE, 2::-1].astype(int)


def through_pixel(projection: Projection, point: Any, size: tuple[int, int]) -> Ray | None:
    """The line of sight through the middle of the pixel on which a point lies; None where it is not in the picture."""
    flat, front = projection.project(np.array(point, float)[None])
    column, row = (int(share * extent) for share, extent in zip(flat[0], size, strict=True))
    if not front[0] or not (0 <= column < size[0] and 0 <= row < size[1]):
        return None
    return projection.ray((column + 0.5) / size[0], (row + 0.5) / size[1])


def cameras(place: Any, point: Any) -> Iterator[tuple[Projection, tuple[int, int]]]:
    """The cameras with which both views and the map show a point, and the sizes of their pictures."""
    from mapexplorer.gui.views.gl_view import of_field

    target = tuple(round(value * ONE) for value in point)
    for camera in (game_camera(place.camera, target), top_camera(target, 1.0)):
        yield Projection.of_scene(camera.view, camera.projection), (256, 192)
        yield of_field(field_camera(camera, 1.6)), (1280, 800)
    yield MapCamera(point[0], point[2], 2.0).projection((1280.0, 800.0)), (1280, 800)


def check(world: Any, rom: Path, renderer: Any, folder: Path, places: int, tiles: int, seed: int) -> None:
    """Compare, and assert that enough was compared."""
    wrong: list[Any] = []
    seen = dict.fromkeys(("blocked", "free", "behaviour", "height", "picked"), 0)
    for place, cell, chosen in sampled(world, places, tiles, seed):
        table = table_of(rom, place.header.id, folder)
        part = CellOverlay(place, cell, place.header.id)
        for layer in (BEHAVIOURS, COLLISION):
            pictures = drawn_by_opengl(renderer, place, part, layer), drawn_by_qt(place, part, layer)
            for x, z in chosen:
                column, row = (int((value % 32 + SPOT) * SIDE / 32) for value in (x, z))
                colors = [picture[row, column] for picture in pictures]
                right = expected(world, layer, table[x, z])
                if any(np.abs(color - right).max() > NEARLY for color in colors):
                    wrong.append((place.header.id, x, z, layer, right, colors))
        for x, z in chosen:
            row = table[x, z]
            seen["blocked" if row.blocked else "free"] += 1
            seen["behaviour"] += behaviour_meaning(world.game.tables, row.behaviour) is not None
            point = part.ground.tiles[z % 32, x % 32].mean(0)
            for number, (projection, size) in enumerate(cameras(place, point)):
                ray = through_pixel(projection, point, size)
                assert ray is not None
                wrong += picked_wrong(place, part, table, ray, seen, straight=number > 1, tile=(x, z))
    assert not wrong, (len(wrong), "\n".join(map(str, wrong[:8])))
    assert seen["blocked"] + seen["free"] == tiles
    assert min(seen["blocked"], seen["free"]) > tiles / 5 and seen["behaviour"] > tiles / 20
    assert seen["height"] > tiles and seen["picked"] > 4 * tiles


def picked_wrong(
    place: Any,
    part: CellOverlay,
    table: Table,
    ray: Ray,
    seen: dict[str, int],
    *,
    straight: bool,
    tile: tuple[int, int],
) -> Iterator[Any]:
    """What a pick through a line of sight says otherwise than the command line. `straight`: from above, where nothing
    hides the `tile`."""
    for layer in (BEHAVIOURS, COLLISION):
        thing = picked_thing((part,), (layer.id,), ray)
        where = tile if thing is None else thing.key[1:]
        row = table[where]
        if straight and where != tile:
            yield "another tile", place.header.id, tile, layer, thing
        if layer is COLLISION and (straight or thing is not None) and (thing is not None) != row.blocked:
            yield "collision", place.header.id, where, thing, row
        if layer is BEHAVIOURS and thing is not None and thing.label != row.behaviour_name:
            yield "behaviour", place.header.id, where, thing, row
        if layer is BEHAVIOURS and straight:
            named = behaviour_meaning(place.world.game.tables, row.behaviour) is not None
            if named != (thing is not None):
                yield "no behaviour", place.header.id, where, thing, row
        seen["picked"] += 1
    hit = ground_point(place, (), ray)
    if hit is None or tile_of(hit[0], hit[2]) not in table:
        return
    x, z = tile_of(hit[0], hit[2])
    row = table[x, z]
    # The table has the height of the middle of a tile and, where plates lie above each other, of one of them.
    plate, middle = place.height(hit[0], hit[2], hit[1]).plate, place.height(x * 16 + 8, z * 16 + 8).plate
    here = cell_of(hit[0], hit[2]) == (part.cell.x, part.cell.z)
    if row.plates == 1 and plate is not None and plate == middle and here:
        if not part.ground.sloped[plate]:
            seen["height"] += 1
            if row.height is None or abs(hit[1] - row.height) > 0.01:
                yield "height", place.header.id, hit, row
        if straight:
            picked = picked_thing((part,), ("plates",), ray)
            if picked is None or picked.key[-1] != plate:
                yield "plate", place.header.id, hit, picked, plate


def test_layers_agree_with_the_command_line(world: Any, rom_path: Path, renderer: Any, tmp_path: Path) -> None:
    check(world, rom_path, renderer, tmp_path, 10, 300, 0)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(1, 6))
def test_layers_agree_with_the_command_line_at_10000_tiles_of_60_maps(
    world: Any, rom_path: Path, renderer: Any, tmp_path: Path, part: int
) -> None:
    check(world, rom_path, renderer, tmp_path, 12, 2000, part)
