"""Finding a map in the real window: list, matrix, palette, history, warps."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PyQt5.QtCore import QPointF, Qt

from mapexplorer.gui.model.subject import subject

Wait = Callable[[Any], None]
TOWN = "Twinleaf Town"


def test_searching_and_choosing_in_the_list_shows_another_map(
    real: Any, qtbot: Any, settle: Wait, shown_picture: Any
) -> None:
    maps = real.maps
    assert maps.count.text() == "593 maps"
    qtbot.keyClicks(maps.filter, "sandgem t02 outd")
    qtbot.waitUntil(lambda: maps.count.text() != "593 maps")
    assert maps.count.text() == "0 of 593 maps"
    maps.filter.clear()
    qtbot.keyClicks(maps.filter, "sandgem town")
    qtbot.waitUntil(lambda: "of 593" in maps.count.text() and not maps.count.text().startswith("0"))
    before = shown_picture(real)
    qtbot.keyClick(maps.filter, Qt.Key_Return)
    settle(real)
    place = real.explorer.place
    assert place.header.location_name == "Sandgem Town" and real.place_label.text() == place.header.title
    assert maps.tree.currentItem().data(0, Qt.UserRole).header == place.header.id
    assert (shown_picture(real) != before).any()
    assert "Sandgem Town" in real.inspector.browser.toPlainText()


def _shows(window: Any, header: int) -> bool:
    frame = window.director.frame
    return frame is not None and frame.request.header == header


def test_another_map_is_shown_within_half_a_second(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(3)
    settle(real)
    times = []
    for header in (411, 6, 342, 418):
        start = time.perf_counter()
        real.explorer.go(header)
        qtbot.waitUntil(partial(_shows, real, header))
        times.append(time.perf_counter() - start)
    assert sorted(times)[len(times) // 2] < 0.5, times


def test_back_and_forward_by_their_keys(demo: Any, qtbot: Any, settle: Wait) -> None:
    first = demo.explorer.place.header.id
    other = demo.maps.neighbour(1) if demo.maps.neighbour(1) is not None else demo.maps.neighbour(-1)
    assert not demo.action("back").isEnabled()
    demo.explorer.go(other)
    settle(demo)
    assert demo.action("back").isEnabled() and not demo.action("forward").isEnabled()
    qtbot.keyClick(demo, Qt.Key_Left, Qt.AltModifier)
    qtbot.waitUntil(lambda: demo.explorer.place.header.id == first)
    settle(demo)
    qtbot.keyClick(demo, Qt.Key_Right, Qt.AltModifier)
    qtbot.waitUntil(lambda: demo.explorer.place.header.id == other)


def test_clicking_the_matrix_goes_to_the_cell(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(411)
    settle(real)
    grid = real.matrix.grid
    cell = next(cell for cell in real.explorer.place.matrix_cells.values() if cell.header == 418)
    grid._origin = QPointF(20 - cell.x * grid._scale, 20 - cell.z * grid._scale)
    box = grid._rect(cell.x, cell.z)
    qtbot.mouseClick(grid, Qt.LeftButton, pos=box.center().toPoint())
    settle(real)
    assert real.explorer.place.header.id == 418
    assert real.explorer.selection == subject("cell", cell.matrix, cell.x, cell.z)
    assert f"Cell ({cell.x}, {cell.z})" in real.inspector.browser.toPlainText()
    assert (cell.x, cell.z) in grid.resident


def test_a_header_without_cells_is_told_and_shows_its_matrix(real: Any, settle: Wait, shown_picture: Any) -> None:
    empty = next(header.id for header in real.explorer.world.headers if not real.explorer.world.place(header.id).cells)
    real.explorer.go(empty)
    settle(real)
    assert any("owns no cell" in notice.title for notice in real.notices.shown)
    assert shown_picture(real).any() and f"header {empty}" in real.inspector.browser.toPlainText()


def test_following_a_warp_selects_the_warp_it_leads_to(real: Any, settle: Wait) -> None:
    real.explorer.go(411)
    real.explorer.select(subject("warp", 411, 0))
    settle(real)
    assert real.action("follow_warp").isEnabled()
    real.action("follow_warp").trigger()
    settle(real)
    assert real.explorer.place.header.id == 412 and real.explorer.selection == subject("warp", 412, 0)
    assert "Warp 0" in real.inspector.browser.toPlainText()


def test_the_palette_finds_maps_and_actions(real: Any, qtbot: Any, settle: Wait) -> None:
    real.action("palette").trigger()
    palette = real.palette_frame
    assert palette.isVisible()
    qtbot.keyClicks(palette.field, "twinleaf town")
    assert palette.list.item(0).text() == f"{TOWN} (T01)"
    qtbot.keyClick(palette.field, Qt.Key_Return)
    settle(real)
    assert real.explorer.place.header.id == 411 and not palette.isVisible()
    real.action("palette").trigger()
    qtbot.keyClicks(palette.field, "collision")
    assert palette.list.item(0).text() == "Collision"
    qtbot.keyClick(palette.field, Qt.Key_Return)
    assert real.explorer.layers.shown("collision")
    real.action("palette").trigger()
    qtbot.keyClick(palette.field, Qt.Key_Escape)
    assert not palette.isVisible()


def test_thumbnails_come_by_themselves_and_then_nothing_moves(demo: Any, qtbot: Any) -> None:
    visible = [header for header in demo.maps._items if demo.explorer.world.place(header).cells]
    qtbot.waitUntil(
        lambda: any(
            demo.maps.thumbnail(header) is not None and not demo.maps.thumbnail(header).isNull() for header in visible
        ),
        timeout=60_000,
    )
    qtbot.waitUntil(lambda: demo.director.look.idle, timeout=60_000)
