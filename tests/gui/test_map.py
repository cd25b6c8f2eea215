"""The map of the matrix in the real window, by wheel, drag, clicks and keys."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, QPointF, Qt
from PyQt5.QtGui import QColor, QWheelEvent
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QInputDialog, QLineEdit

from mapexplorer.gui.model.bookmarks import bookmarks
from mapexplorer.gui.model.camera import ViewCamera
from mapexplorer.gui.model.map_camera import MapCamera
from mapexplorer.gui.model.marks import Marks
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.rendering.tile_renderer import LEVELS, ImageTile
from mapexplorer.gui.views.map_marks import ruler_text
from mapexplorer.gui.widgets import theme
from mapexplorer.scene.camera import top_camera
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world.headers.place_labels import Rank
from mapexplorer.world.subject import subject
from tests.gui.conftest import drag, move_mouse

Wait = Callable[[Any], None]


def shown(window: Any, qtbot: Any) -> Any:
    """The map of a window, with all that is in view drawn."""
    if not window.map_mode.on:
        QApplication.setActiveWindow(window)
        qtbot.keyClick(window, Qt.Key_M)
    view = window.views.map
    view.fit_place()
    assert view.isVisible() and window.views.shown == "map" and not window.views.ds.isVisible()
    drawn(view, qtbot)
    return view


def drawn(view: Any, qtbot: Any) -> None:
    """Wait until all that is in view is drawn."""
    QApplication.processEvents()
    qtbot.waitUntil(lambda: view.complete, timeout=120_000)


def turn_wheel(view: Any, at: QPoint, steps: int) -> None:
    """Turn the wheel over a point of a view."""
    QApplication.sendEvent(
        view,
        QWheelEvent(
            QPointF(at),
            QPointF(view.mapToGlobal(at)),
            QPoint(),
            QPoint(0, 120 * steps),
            Qt.NoButton,
            Qt.NoModifier,
            Qt.NoScrollPhase,
            False,
        ),
    )


def asked(window: Any) -> QInputDialog:
    """The question that is open."""
    return next(dialog for dialog in window.findChildren(QInputDialog) if dialog.isVisible())


def spot(view: Any, x: float, z: float) -> QPoint:
    """The pixel of a tile with fraction."""
    return QPoint(*(round(value) for value in view.camera.pixel(x * 16, z * 16, view.area)))


def test_the_map_shows_the_exact_picture_from_above(town: Any, qtbot: Any, pixels: Any) -> None:
    """Every pixel of a tile is that of the engine's own picture from above, at a scale where a pixel is a unit."""
    for layer in ("people", "events"):
        town.explorer.layers.show(layer, False)
    view = shown(town, qtbot)
    x, z = (int(value) for value in town.explorer.tile)
    view.look_at(x * 16 + view.width() % 2 / 2, z * 16 + view.height() % 2 / 2, 1.0)
    drawn(view, qtbot)
    place, world = town.explorer.place, town.explorer.world
    layers = ("terrain", "props")
    camera = top_camera((x * 16 << 12, 0, z * 16 << 12), 1.0)
    scene = FieldScene(world.place(place.header.id), View(layers=layers, at=(x, z), all_cells=True), camera=camera)
    theirs = scene.render()[16:-16, 16:-16, :3]
    middle = pixels(view)[view.height() // 2 - 80 :, view.width() // 2 - 112 :][:160, :224]
    same = (middle == theirs).all(2)
    # Names, the mark of the camera and the border of the place lie over it.
    assert same.mean() > 0.9, same.mean()


def test_the_map_ends_at_the_border_of_the_matrix(demo: Any, qtbot: Any, pixels: Any) -> None:
    """Models that reach over the border are cut there, as in the overviews."""
    view = shown(demo, qtbot)
    _, _, east, south = view.tiles.pyramid.box
    view.look_at(east, south, 1.0)
    drawn(view, qtbot)
    seen = pixels(view)
    column, row = (round(value) for value in view.camera.pixel(east, south, view.area))
    empty = QColor(theme.colors().view).getRgb()[:3]
    for beyond in (seen[: row - 40, column + 2 : column + 40], seen[row + 2 : row + 40, 140:column]):
        assert beyond.size and (beyond == empty).all()
    assert not (seen[row - 60 : row - 2, column - 60 : column - 2] == empty).all(2).any()


def test_the_wheel_zooms_to_the_cursor_and_a_drag_moves(demo: Any, qtbot: Any) -> None:
    view = shown(demo, qtbot)
    for steps in (4, 9, -5):
        at = QPoint(view.width() // 3, view.height() // 4)
        before, scale = view.navigation.point(QPointF(at)), view.camera.scale
        turn_wheel(view, at, steps)
        assert np.allclose(view.navigation.point(QPointF(at)), before, atol=1e-6)
        assert (view.camera.scale > scale) == (steps > 0) and view.camera.scale != scale
    start, end = QPoint(200, 300), QPoint(290, 240)
    grabbed = view.navigation.point(QPointF(start))
    drag(view, start, end)
    assert np.allclose(view.navigation.point(QPointF(end)), grabbed, atol=1.0)
    x = view.camera.x
    qtbot.keyClick(view, Qt.Key_Right)
    assert view.camera.x > x
    for _ in range(60):
        turn_wheel(view, at, 5)
    assert view.camera.scale == 8.0
    qtbot.keyClick(demo, Qt.Key_Home)
    west, north, east, south = view.camera.box(view.area)
    land = view.tiles.pyramid.land
    assert west <= land[0] and north <= land[1] and east >= land[2] and south >= land[3]


def test_a_double_click_enters_the_place_and_escape_returns(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(411)
    settle(real)
    view = shown(real, qtbot)
    header = next(one for one in real.explorer.world.headers if one.internal_name == "T02")
    cell = real.explorer.world.place(header.id).cells[0]
    view.look_at((cell.x + 0.5) * 512, (cell.z + 0.5) * 512, 0.5)
    QTest.mouseDClick(view, Qt.LeftButton, Qt.NoModifier, spot(view, cell.x * 32 + 10.5, cell.z * 32 + 12.5))
    settle(real)
    assert real.views.shown == "ds" and real.explorer.place.header.id == header.id
    assert np.allclose(real.explorer.tile, (cell.x * 32 + 10.5, cell.z * 32 + 12.5), atol=0.1)
    assert real.views.ds.hasFocus()
    camera = view.camera
    qtbot.keyClick(real, Qt.Key_M)
    assert real.views.shown == "map" and view.camera == camera and view.hasFocus()
    qtbot.keyClick(view, Qt.Key_Escape)
    assert real.views.shown == "ds"


def test_a_walk_leaves_the_map(demo: Any, qtbot: Any) -> None:
    shown(demo, qtbot)
    qtbot.keyClick(demo, Qt.Key_K)
    assert demo.walk_mode.on and demo.views.shown == "ds" and demo.views.ds.hasFocus()
    qtbot.keyClick(demo.views.ds, Qt.Key_Escape)
    assert not demo.walk_mode.on and demo.views.shown == "ds"


def test_a_click_selects_and_the_status_says_what_is_below_the_mouse(town: Any, qtbot: Any, settle: Wait) -> None:
    town.explorer.layers.show("people", False)
    view = shown(town, qtbot)
    place = town.explorer.place
    column, row = next(
        (x, z)
        for z in range(place.cells[0].z * 32, place.cells[0].z * 32 + 32)
        for x in range(place.cells[0].x * 32, place.cells[0].x * 32 + 32)
        if place.terrain.collides(x, z)
    )
    view.look_at((column + 0.5) * 16, (row + 0.5) * 16, 2.0)
    move_mouse(view, spot(view, column + 0.5, row + 0.5))
    view.navigation.hovered.emit(0.5, 0.5)
    words = town.status.cursor.text()
    assert f"tile ({column}, {row})" in words and "height" in words and "blocked" in words
    town.action("layer_collision").trigger()
    drawn(view, qtbot)
    QTest.mouseClick(view, Qt.LeftButton, Qt.NoModifier, spot(view, column + 0.5, row + 0.5))
    settle(town)
    assert town.explorer.selection == subject("tile", place.matrix_id.value, column, row)
    assert f"({column}, {row})" in town.inspector.browser.toPlainText()
    town.action("layer_collision").trigger()
    free = next(
        (x, z)
        for z in range(place.cells[0].z * 32 + 8, place.cells[0].z * 32 + 32)
        for x in range(place.cells[0].x * 32 + 8, place.cells[0].x * 32 + 32)
        if not place.terrain.collides(x, z)
    )
    view.look_at((free[0] + 0.5) * 16, (free[1] + 0.5) * 16)
    drawn(view, qtbot)
    QTest.mouseClick(view, Qt.LeftButton, Qt.NoModifier, spot(view, free[0] + 0.5, free[1] + 0.5))
    qtbot.waitUntil(lambda: town.explorer.selection != subject("tile", place.matrix_id.value, column, row))
    settle(town)
    assert town.explorer.selection.kind in ("tile", "placed prop")
    if town.explorer.selection.kind == "tile":
        assert town.explorer.selection.key == (place.matrix_id.value, *free)
    assert "olygon" in town.inspector.browser.toPlainText()  # the surface of the pixel, with its source


def test_layers_lie_on_their_tiles(demo: Any, qtbot: Any, pixels: Any) -> None:
    for name in ("terrain", "props", "people"):
        demo.explorer.layers.show(name, False)
    place = demo.explorer.place
    cell = place.cells[0]
    view = shown(demo, qtbot)
    view.look_at((cell.x + 0.5) * 512, (cell.z + 0.5) * 512, 1.0)
    drawn(view, qtbot)
    without = pixels(view).astype(int)
    demo.explorer.layers.set_opacity("collision", 1.0)
    demo.action("layer_collision").trigger()
    drawn(view, qtbot)
    drawn(view, qtbot)
    red = np.abs(pixels(view).astype(int) - without).sum(2) > 60
    tiles = [(cell.x * 32 + x, cell.z * 32 + z) for x in range(1, 31, 2) for z in range(1, 31, 2)]
    points = [(tile, spot(view, tile[0] + 0.3, tile[1] + 0.3)) for tile in tiles]
    seen = [(tile, point) for tile, point in points if view.rect().adjusted(4, 4, -4, -4).contains(point)]
    names = [box.adjusted(-2, -2, 2, 2) for _, box, _ in view.placed_labels()]
    free = [(tile, point) for tile, point in seen if not any(box.contains(QPointF(point)) for box in names)]
    wrong = [tile for tile, point in free if red[point.y(), point.x()] != place.terrain.collides(*tile)]
    assert len(free) > 100 and not wrong, wrong


def test_names_appear_by_zoom_and_do_not_overlap(real: Any, qtbot: Any) -> None:
    real.explorer.go(411)
    view = real.views.map
    real.action("map_view").trigger()
    qtbot.waitUntil(lambda: view.tiles.pyramid is not None and view.tiles.pyramid.names is not None, timeout=60_000)
    ranks = []
    for scale in (0.037, 0.1, 0.8):
        view.look_at(116.5 * 16, 885 * 16, scale)
        if scale < 0.05:
            view.fit_region()
            view.set_camera(replace(view.camera, scale=scale))
        placed = view.placed_labels()
        ranks.append({label.rank for label, _, _ in placed})
        boxes = [box for _, box, _ in placed]
        assert not any(one.intersects(two) for at, one in enumerate(boxes) for two in boxes[:at])
        assert all(view.rect().contains(box.toAlignedRect()) for box in boxes)
    assert ranks == [{Rank.TOWN}, {Rank.TOWN, Rank.PLACE}, {Rank.TOWN, Rank.BUILDING}]
    names = {label.text for label, _, _ in placed}
    assert {"Twinleaf Town", "Player House", "Rival House"} <= names


def test_the_hour_changes_the_map(real: Any, qtbot: Any, pixels: Any) -> None:
    real.explorer.go(411)
    view = shown(real, qtbot)
    view.fit_place()
    drawn(view, qtbot)
    noon = pixels(view).astype(int)
    moment = view.tiles.pyramid.moment
    real.explorer.clock.set_second(22 * 3600)
    qtbot.waitUntil(lambda: view.tiles.pyramid.moment != moment)
    drawn(view, qtbot)
    night = pixels(view).astype(int)
    assert night.mean() < noon.mean() - 8
    real.explorer.clock.set_second(22 * 3600 + 60)  # the same light: nothing is drawn again
    assert view.complete and view.tiles.pyramid.fresh


def test_tiles_are_drawn_nearest_first_and_only_what_is_in_view(real: Any, qtbot: Any) -> None:
    real.explorer.go(411)
    view, order = real.views.map, []
    view.tiles.drawn.connect(order.append)
    real.action("map_view").trigger()
    view.look_at(3 * 512, 20 * 512, 0.5)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: len(order) >= 2, timeout=60_000)
    view.look_at(116.5 * 16, 885 * 16, 1.0)
    QApplication.processEvents()  # tiles are requested when the map is painted
    order.clear()
    drawn(view, qtbot)
    kept = [tile for tile in order if tile.level == LEVELS.index(1.0)]
    middles = [((tile.box[0] + tile.box[2]) / 2, (tile.box[1] + tile.box[3]) / 2) for tile in kept]
    distances = [np.hypot(x - view.camera.x, z - view.camera.z) for x, z in middles]
    assert distances == sorted(distances) and len(kept) > 6
    assert len(order) - len(kept) <= 2  # those that were in flight when the map was painted
    box = view.camera.box(view.area)
    inside = [
        tile.box[0] < box[2] and tile.box[2] > box[0] and tile.box[1] < box[3] and tile.box[3] > box[1] for tile in kept
    ]
    assert all(inside)


def test_the_ruler_measures_a_drag(demo: Any, qtbot: Any, pixels: Any) -> None:
    view = shown(demo, qtbot)
    view.fit_place()
    view.set_camera(replace(view.camera, scale=1.0))
    drawn(view, qtbot)
    camera, before = view.camera, pixels(view)
    qtbot.keyClick(demo, Qt.Key_R, Qt.ControlModifier)
    assert demo.action("ruler").isChecked()
    start, end = QPoint(150, 150), QPoint(150 + round(160 * camera.scale), 150 + round(48 * camera.scale))
    drag(view, start, end)
    assert view.camera == camera and (pixels(view) != before).any()
    words = ruler_text(*view.navigation.ruler)
    assert "10.4 tiles" in words and "0.33 cells" in words and "167 units" in words and "10.0 east, 3.0 south" in words
    qtbot.keyClick(view, Qt.Key_Escape)
    assert not demo.action("ruler").isChecked() and view.navigation.ruler is None and demo.views.shown == "map"


def test_going_to_a_tile_by_its_numbers(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(411)
    settle(real)

    def type_tile(words: str) -> None:
        qtbot.keyClick(real, Qt.Key_T, Qt.ControlModifier)
        dialog = asked(real)
        field = dialog.findChild(QLineEdit)
        field.selectAll()
        qtbot.keyClicks(field, words)
        qtbot.keyClick(field, Qt.Key_Return)
        qtbot.waitUntil(lambda: not dialog.isVisible())
        QApplication.setActiveWindow(real)

    header = next(one for one in real.explorer.world.headers if one.internal_name == "T02")
    cell = real.explorer.world.place(header.id).cells[0]
    type_tile(f"{cell.x * 32 + 3},{cell.z * 32 + 20}")
    settle(real)
    assert real.explorer.place.header.id == header.id
    assert np.allclose(real.explorer.tile, (cell.x * 32 + 3.5, cell.z * 32 + 20.5))
    view = shown(real, qtbot)
    type_tile("116,885")
    assert np.allclose((view.camera.x, view.camera.z), (116.5 * 16, 885.5 * 16)) and view.camera.scale >= 1
    type_tile("0,0")
    assert any("no land" in notice.sentence for notice in real.notices.shown)
    type_tile("T02")
    assert any("is not a tile" in notice.sentence for notice in real.notices.shown)


def close(camera: ViewCamera | MapCamera, wanted: ViewCamera | MapCamera) -> bool:
    """Whether two cameras show the same, their numbers to six digits."""
    of_view = ("eye", "target", "yaw", "pitch", "fov", "distance")
    names = ("x", "z", "scale") if isinstance(wanted, MapCamera) else of_view
    numbers = [[getattr(each, name) for name in names] for each in (camera, wanted)]
    return all(np.allclose(one, other, rtol=1e-5, atol=0.05) for one, other in zip(*numbers, strict=True))


def test_bookmarks_keep_the_view_and_its_camera(real: Any, qtbot: Any, settle: Wait, settings_file: Any) -> None:
    real.explorer.go(411)
    settle(real)
    view = shown(real, qtbot)
    view.look_at(1000.0, 12000.0, 0.3)
    on_map = view.camera

    def add(name: str) -> None:
        qtbot.keyClick(real, Qt.Key_D, Qt.ControlModifier)
        dialog = asked(real)
        dialog.setTextValue(name)
        qtbot.keyClick(dialog.findChild(QLineEdit), Qt.Key_Return)

    add("lake")
    qtbot.keyClick(view, Qt.Key_Escape)
    real.action("camera_orbit").trigger()
    real.explorer.set_camera(real.explorer.camera.turned(30, -10))
    of_place = real.explorer.camera
    add("house")
    real.explorer.go(418)
    settle(real)
    kept = Settings(settings_file).get(f"links in {real.explorer.rom_path}")
    assert list(kept) == ["lake", "house"] and "view=map" in kept["lake"]
    real.bookmark_menu.aboutToShow.emit()
    entries = {action.text(): action for action in real.bookmark_menu.actions()}
    entries["house"].trigger()
    settle(real)
    assert real.views.shown == "ds" and real.explorer.place.header.id == 411 and close(real.explorer.camera, of_place)
    real.action("palette").trigger()
    real.dialogs.palette.field.setText("bookmark lake")
    qtbot.keyClick(real.dialogs.palette.field, Qt.Key_Return)
    assert real.views.shown == "map" and close(view.camera, on_map)
    next(action for action in entries["Remove"].menu().actions() if action.text() == "lake").trigger()
    assert list(bookmarks(real.explorer)) == ["house"]


def test_zooming_out_of_the_top_view_continues_on_the_map(real: Any, settle: Wait) -> None:
    real.explorer.go(411)
    real.action("camera_top").trigger()
    real.action("whole_matrix").trigger()
    height = real.views.ds.picture().height()
    for _ in range(40):
        if real.views.shown != "map":
            turn_wheel(real.views.ds, real.views.ds.picture().center().toPoint(), -2)
    assert real.views.shown == "map"
    camera = real.views.map.camera
    assert camera.scale == pytest.approx(height / 192 / 32)
    assert np.allclose((camera.x / 16, camera.z / 16), real.explorer.tile, atol=1)


@pytest.mark.slow
def test_no_frame_of_a_zoom_takes_long(real: Any, qtbot: Any) -> None:
    """From the whole region to a tile and back: benchmarks/window.py --map measures the same with its limits."""
    real.explorer.go(411)
    view = shown(real, qtbot)
    times = []
    for steps in [1] * 26 + [-1] * 26:
        start = time.thread_time()
        turn_wheel(view, QPoint(view.width() // 2, view.height() // 2), steps)
        view.repaint()
        times.append(time.thread_time() - start)
        qtbot.wait(30)
    assert max(times) < 0.25, times


def test_the_camera_of_the_map_is_a_projection() -> None:
    camera, size = MapCamera(1000.0, 2000.0, 0.5), (640.0, 400.0)
    points = np.array([[1000.0, 0.0, 2000.0], [1200.0, 300.0, 1900.0], [700.0, -100.0, 2300.0]])
    flat, front = camera.projection(size).project(points)
    assert front.all()
    expected = [camera.pixel(x, z, size) for x, _, z in points.tolist()]
    assert np.allclose(flat * size, expected)
    ray = camera.projection(size).ray(*flat[1].tolist())
    assert np.allclose(ray.start[[0, 2]], (1200, 1900)) and ray.start[1] > ray.end[1]
    fitted = camera.fitting((0, 0, 15360, 15360), size)
    assert fitted.pixel(0, 0, size)[1] >= 0 and fitted.pixel(15360, 15360, size)[1] <= 400
    assert ImageTile(2, 3, 1).box == (720.0, 176.0, 960.0, 352.0)


def test_what_can_be_reached_and_a_way_are_marked_on_the_map_of_the_region(
    real: Any, qtbot: Any, settle: Wait, pixels: Any
) -> None:
    real.explorer.go(411, tile=(116, 886))
    settle(real)
    view = shown(real, qtbot)

    def changed() -> np.ndarray:
        """The pixels that the marks change."""
        view.fit_region()
        drawn(view, qtbot)
        marks, marked = real.explorer.marks, pixels(view).astype(int)
        real.explorer.marks = Marks()
        plain = pixels(view).astype(int)
        real.explorer.marks = marks
        return np.abs(marked - plain).sum(2) > 20

    assert not changed().any()
    qtbot.keyClick(real, Qt.Key_K, Qt.ShiftModifier)
    qtbot.waitUntil(lambda: real.explorer.marks.reached is not None, timeout=60_000)
    found = changed()
    (_, (_, x, z)), mask = max(real.explorer.marks.reached.items(), key=lambda one: one[1].sum())
    row, column = np.argwhere(mask)[mask.sum() // 2].tolist()
    goal = 32 * x + column + 0.5, 32 * z + row + 0.5
    spots = [
        view.camera.pixel((32 * x + column + 0.5) * 16, (32 * z + row + 0.5) * 16, view.area)
        for (_, (_, x, z)), mask in real.explorer.marks.reached.items()
        for row, column in np.argwhere(mask).tolist()
    ]
    assert np.mean([found[int(y), int(x)] for x, y in spots]) > 0.5, "names cover the others"
    assert not found[:, round(view.width() * 0.8) :].any(), "the far east cannot be reached on foot from there"
    qtbot.keyClick(real, Qt.Key_K, Qt.ShiftModifier)
    assert not changed().any()
    real.routes.show_way((goal[0] * 16, 0.0, goal[1] * 16))
    qtbot.waitUntil(lambda: bool(real.explorer.marks.way), timeout=60_000)
    found = changed()
    end = view.camera.pixel(*real.explorer.marks.way[-1][::2], view.area)
    assert found[int(end[1]), int(end[0])]
