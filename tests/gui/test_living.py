"""Stacked things, the menu of a point, ways and reach, the start page, and what follows a walk or the clock."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QEvent, QPoint, QPointF, Qt
from PyQt5.QtGui import QMouseEvent, QWheelEvent
from PyQt5.QtWidgets import QApplication, QCheckBox

from mapexplorer.gui.model.walking import PEOPLE
from mapexplorer.walk.path import play
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.subject import Subject, subject
from tests.gui.conftest import describes

Wait = Callable[[Any], None]


def spot_of(window: Any, x: int, z: int) -> tuple[float, float]:
    """Where a tile is in the DS picture, as fractions of it."""
    middle = np.array([window.explorer.ground(*((tile + 0.5) * TILE_UNITS for tile in (x, z)))], float)
    flat, front = window.views.ds.projection().project(middle)
    assert front.all() and (flat > 0).all() and (flat < 1).all()
    return float(flat[0, 0]), float(flat[0, 1])


def point_of(window: Any, x: float, y: float) -> QPoint:
    area = window.views.ds.picture()
    return QPoint(round(area.x() + x * area.width()), round(area.y() + y * area.height()))


def warp_in_view(window: Any, settle: Wait) -> tuple[int, int, int]:
    """Looks at a warp of the map; its number and tile."""
    explorer = window.explorer
    number = 0
    x, z = (int(explorer.place.events.warps[number][axis]) for axis in "xz")
    explorer.look_at_tile(x, z + 1)
    settle(window)
    return number, x, z


def test_clicks_at_one_spot_go_through_what_is_stacked_there(demo: Any, qtbot: Any, click: Any, settle: Wait) -> None:
    number, x, z = warp_in_view(demo, settle)
    header = demo.explorer.place.header.id
    spot = spot_of(demo, x, z)
    demo.action("layer_events").trigger()
    demo.action("layer_plates").trigger()
    settle(demo)
    here = demo.picking.here(demo.views.ds, *spot)
    assert here[0] == subject("warp", header, number) and len(here) >= 3
    assert {one.kind for one in here} >= {"warp", "plate", "tile"}
    seen = []
    for _ in here:
        click(demo, *spot)
        settle(demo)
        seen.append(demo.explorer.selection)
    assert seen == here
    click(demo, *spot)
    settle(demo)
    assert demo.explorer.selection == here[0]
    qtbot.mouseClick(demo.views.ds, Qt.RightButton, pos=point_of(demo, *spot))
    menu = QApplication.activePopupWidget()
    assert menu.actions()[0].text().startswith(f"Warp {number}: → ")
    menu.close()


def test_the_menu_of_a_point_lists_what_is_there_and_marks_the_way(demo: Any, qtbot: Any, settle: Wait) -> None:
    warp_in_view(demo, settle)
    demo.action("walk").trigger()
    demo.walk_mode._timer.stop()
    settle(demo)
    walker = demo.walk_mode.walking.walker
    reach = walker.ground
    goal = next(
        (a, b)
        for a, b in ((walker.x + dx, walker.z + dz) for dz in (1, 2, 0) for dx in (-2, 2, -1, 1))
        if not reach.collides(a, b)
    )
    spot = spot_of(demo, *goal)
    qtbot.mouseClick(demo.views.ds, Qt.RightButton, pos=point_of(demo, *spot))
    menu = QApplication.activePopupWidget()
    titles = [action.text() for action in menu.actions()]
    assert f"Tile {demo.explorer.place.matrix_id.value}" not in titles
    assert f"Tile {goal[0]}, {goal[1]}" in titles and "How do I get here" in titles
    next(action for action in menu.actions() if action.text() == "How do I get here").trigger()
    menu.close()
    qtbot.waitUntil(lambda: bool(demo.explorer.marks.way), timeout=30_000)
    way = demo.explorer.marks.way
    assert (int(way[0][0] // 16), int(way[0][2] // 16)) == (walker.x, walker.z)
    assert (int(way[-1][0] // 16), int(way[-1][2] // 16)) == goal
    [notice] = [notice for notice in demo.notices.shown if notice.title == "The way there"]
    assert " on foot in " in notice.sentence
    demo.action("hide_way").trigger()
    assert not demo.explorer.marks.way


def test_reachable_tiles_are_those_of_a_search(demo: Any, qtbot: Any, settle: Wait, pixels: Any) -> None:
    from mapexplorer.walk.reach import search

    demo.action("walk").trigger()
    demo.walk_mode._timer.stop()
    settle(demo)
    before = pixels(demo.views.ds)
    demo.action("reachable").trigger()
    qtbot.waitUntil(lambda: demo.explorer.marks.reached is not None, timeout=30_000)
    walker = demo.walk_mode.walking.walker
    found = search(demo.explorer.world, walker.header, walker.x, walker.z, near=walker.y, over_warps=False)
    tiles = found.tiles(found.grounds.entered(walker.header))
    marked = {
        (32 * x + int(column), 32 * z + int(row))
        for (_, (_, x, z)), mask in demo.explorer.marks.reached.items()
        for row, column in np.argwhere(mask)
    }
    assert marked == tiles and len(tiles) > 50
    assert not np.array_equal(before, pixels(demo.views.ds))
    demo.action("reachable").trigger()
    assert demo.explorer.marks.reached is None


def test_a_search_for_a_way_ends_at_its_goal() -> None:
    from mapexplorer.walk import Spot, Walker
    from mapexplorer.walk.reach import search
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open("demo")
    place = world.place("T01")
    warp = place.events.warps[0]  # type: ignore[union-attr]
    whole = search(world, place.header.id, int(warp["x"]), int(warp["z"]))
    far = next(one for one in whole.states()[60:] if one.standing.y == whole.states()[0].standing.y)
    goal = Spot(far.ground.zone(far.standing.x, far.standing.z), far.standing.x, far.standing.z)
    found = search(world, place.header.id, int(warp["x"]), int(warp["z"]), goal=goal)
    state = found.state_at(goal)
    assert state is not None and found.count < whole.count
    assert len(found.path(state)) == len(whole.path(whole.state_at(goal)))  # type: ignore[arg-type]
    walker = Walker(world, place.header.id, int(warp["x"]), int(warp["z"]))
    list(play(walker, found.path(state)))
    assert (walker.x, walker.z) == (goal.x, goal.z)
    way = found.way(state)
    assert way[-1] == state and (way[0].standing.x, way[0].standing.z) == (int(warp["x"]), int(warp["z"]))


def test_the_start_page_lists_recent_roms_and_finds_in_the_last_one(
    make_window: Callable[..., Any], qtbot: Any, tmp_path: Path, settle: Wait
) -> None:
    rom = tmp_path / "game.nds"
    rom.write_bytes(resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes())
    first = make_window()
    first.open(str(rom))
    qtbot.waitUntil(lambda: first.jobs.frame is not None, timeout=240_000)
    settle(first)
    release = first.explorer.game.release(first.explorer.world.rom)
    first.close()
    window = make_window()
    window.start()
    page = window.dialogs.welcome
    assert page.isVisible() and page.roms.count() == 1
    item = page.roms.item(0)
    assert release in item.text() and first.explorer.world.rom.code in item.text() and not item.icon().isNull()
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=60_000)
    qtbot.keyClicks(page.search, "mirror")
    qtbot.keyClick(page.search, Qt.Key_Return)
    qtbot.waitUntil(lambda: window.explorer.rom_path == str(rom.resolve()), timeout=60_000)
    qtbot.waitUntil(lambda: "mirror" in window.explorer.place.header.title.lower(), timeout=60_000)
    assert not page.isVisible()
    window.action("welcome").trigger()
    spot = page.roms.visualItemRect(page.roms.item(0)).center()
    qtbot.mouseClick(page.roms.viewport(), Qt.LeftButton, pos=spot)
    assert not page.isVisible()


def test_loose_files_may_be_given_at_the_start(make_window: Callable[..., Any], qtbot: Any, tmp_path: Path) -> None:
    from mapexplorer.world.world import FieldWorld

    file = tmp_path / "house.nsbmd"
    file.write_bytes(FieldWorld.open("demo").prop_model(1).to_bytes())
    window = make_window()
    window.start([str(file)])
    qtbot.waitUntil(lambda: window.dialogs.loose_files is not None and window.dialogs.loose_files.isVisible())
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=60_000)
    assert window.explorer.rom_path == "demo"
    window.dialogs.loose_files.close()


def test_a_pixel_is_explained_at_the_present_hour(demo: Any, qtbot: Any, click: Any, settle: Wait) -> None:
    explorer = demo.explorer
    click(demo, 0.5, 0.6)
    settle(demo)
    text = lambda: demo.inspector.copied()[0]  # noqa: E731
    qtbot.waitUntil(lambda: f"at second {explorer.clock.second}" in text(), timeout=10_000)
    before = explorer.selection
    demo.action("evening").trigger()
    qtbot.waitUntil(lambda: f"at second {20 * 3600}" in text(), timeout=10_000)
    assert explorer.selection == before


def test_the_selected_header_follows_the_walk(real: Any, qtbot: Any, settle: Wait) -> None:
    explorer = real.explorer
    world = explorer.world
    town, route = world.place("Route 219").header.id, world.place("Route 220").header.id
    explorer.go(town)
    settle(real)
    explorer.walk_into(route)
    assert explorer.selection == Subject("header", (route,))
    qtbot.waitUntil(lambda: describes(real, explorer.selection), timeout=30_000)
    assert real.maps.list.currentItem().data(0, Qt.UserRole).subject.key[0] == route


@pytest.mark.gl
def test_the_source_of_a_surface_is_that_of_the_present_map(real: Any, qtbot: Any, settle: Wait) -> None:
    from mapexplorer.inspector.places.pixel import explained_pick

    explorer = real.explorer
    here, other = (explorer.world.place(name) for name in ("Route 219", "Route 220"))
    assert here.area_id.value == other.area_id.value
    real.action("gl_view").trigger()
    real.jobs.go(here.header.id)
    qtbot.waitUntil(
        lambda: explorer.place.header.id == here.header.id and real.views.gl is not None and real.views.gl.complete,
        timeout=60_000,
    )
    view = real.views.gl
    pick = None

    def picked() -> bool:
        nonlocal pick
        pick = view.painter.picked(view.shown, 0.5, 0.6) if view.shown is not None else None
        return pick is not None

    qtbot.waitUntil(picked, timeout=60_000)
    explorer.walk_into(other.header.id)
    assert picked()
    described = explained_pick(pick, None, explorer.place, whole=False)
    [fact] = [fact for section in described.sections for fact in section.rows if fact.name == "Textures"]
    assert fact.why.facts.area.why.facts.header == other.header.id


def test_the_player_surfs_in_the_graphics_of_surfing(real: Any) -> None:
    explorer = real.explorer
    explorer.go(explorer.world.place("Route 219").header.id, None, (176, 890))
    real.action("walk").trigger()
    real.walk_mode._timer.stop()
    walking = real.walk_mode.walking
    walking.switch(PEOPLE)
    graphics = {walking._graphics()}
    from mapexplorer.walk import Direction

    walking.hold(Direction.SOUTH)
    for _ in range(60):
        real.walk_mode.update()
        drawn = [one.source for one in walking.figure.objects.shown if getattr(one.source, "event", 0) is None]
        graphics |= {one.graphics for one in drawn}
    assert walking.walker.mode.name == "SURF"
    assert graphics == {0, explorer.game.tables.map_objects.player_graphics["surf"]}


def test_old_results_leave_the_export_dialog(demo: Any, qtbot: Any, tmp_path: Path, pixels: Any) -> None:
    dialog = demo.dialogs.export
    demo.explorer.settings.set("export folder", str(tmp_path))
    demo.action("export_now").trigger()
    qtbot.waitUntil(lambda: dialog.outcome is not None, timeout=120_000)
    assert dialog.message.text().startswith("Done") and list(tmp_path.glob("*.glb"))
    row = next(row for row in range(dialog.kinds.count()) if "prop model" in dialog.kinds.itemText(row))
    assert not dialog.kinds.model().index(row, 0).flags() & Qt.ItemIsEnabled
    dialog.kinds.showPopup()
    entries = dialog.kinds.view()
    shown = pixels(entries.viewport()).astype(int)
    boxes = [entries.visualRect(dialog.kinds.model().index(number, 0)) for number in (row, row - 1)]
    dialog.kinds.hidePopup()
    rows = [shown[box.top() : box.bottom(), box.left() : box.right()] for box in boxes]
    faint, plain = (int(np.abs(one - one[1, 1]).max()) for one in rows)
    assert faint < plain - 30
    dialog.kinds.setCurrentIndex(2)
    assert not dialog.message.text() and not dialog.show_files.isVisible()
    dialog.close()


@pytest.mark.parametrize("theme", ["theme_light", "theme_dark"])
def test_boxes_to_check_are_seen(demo: Any, pixels: Any, theme: str) -> None:
    """Their frame has the contrast of 3 : 1 with what is around them that WCAG 2.1 asks for (1.4.11)."""
    demo.action(theme).trigger()
    box = QCheckBox()
    box.resize(24, 24)
    box.show()
    QApplication.processEvents()
    luminance = luminances(pixels(box))
    around = luminance[-1, -1]
    lighter, darker = np.maximum(luminance, around), np.minimum(luminance, around)
    assert ((lighter + 0.05) / (darker + 0.05) >= 3).sum() > 20
    demo.action("theme_light").trigger()


def luminances(pixels: np.ndarray) -> np.ndarray:
    """The relative luminance of sRGB pixels, 0 to 1, as WCAG defines it."""
    channels = pixels / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def test_a_model_is_turned_in_both_directions_and_comes_nearer(
    demo: Any, qtbot: Any, settle: Wait, pixels: Any
) -> None:
    demo.docks.show("models")
    panel, table = demo.models, demo.models.view.table
    qtbot.waitUntil(lambda: panel.view.drawn == panel.current and panel.current is not None, timeout=60_000)
    qtbot.waitUntil(lambda: table.pixmap() is not None and not panel.view.table.waiting, timeout=30_000)
    shown = [pixels(table)]
    for start, end in (((60, 60), (120, 60)), ((60, 60), (60, 120))):
        qtbot.mousePress(table, Qt.LeftButton, pos=QPoint(*start))
        where = QPointF(*end)
        QApplication.sendEvent(
            table, QMouseEvent(QEvent.MouseMove, where, where, Qt.NoButton, Qt.LeftButton, Qt.NoModifier)
        )
        qtbot.mouseRelease(table, Qt.LeftButton, pos=QPoint(*end))
        qtbot.waitUntil(lambda: not panel.view.table.waiting, timeout=30_000)
        qtbot.waitUntil(lambda: not np.array_equal(pixels(table), shown[-1]), timeout=30_000)
        shown.append(pixels(table))
    turn = QWheelEvent(
        QPointF(60, 60), QPointF(60, 60), QPoint(), QPoint(0, 240), Qt.NoButton, Qt.NoModifier, Qt.NoScrollPhase, False
    )
    QApplication.sendEvent(table, turn)
    assert table.orbit.distance < 1.75
    qtbot.waitUntil(lambda: not np.array_equal(pixels(table), shown[-1]), timeout=30_000)
