"""Finding a map in the real window: list, matrix, palette, history, warps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPointF, QRectF, Qt
from PyQt5.QtWidgets import QApplication

from mapexplorer.world.cells import CELL_UNITS
from mapexplorer.world.subject import subject
from tests.gui.conftest import describes, move_mouse

Wait = Callable[[Any], None]


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
    assert place.header.location_name == "Sandgem Town" and real.place_title.text() == place.header.title
    assert maps.list.currentItem().data(0, Qt.UserRole).subject.key[0] == place.header.id
    assert (shown_picture(real) != before).any()
    assert "Sandgem Town" in real.inspector.browser.toPlainText()


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


def number_cells(window: Any, qtbot: Any) -> Any:
    """The map with the numbers of its cells."""
    if not window.docks.shown("matrix"):
        window.action("show_matrix").trigger()
    view = window.views.map
    qtbot.waitUntil(lambda: view.cells != "" and view.tiles.pyramid is not None)
    return view


def box_of_cell(view: Any, cell: Any) -> QRectF:
    """Where a cell is on the map."""
    corners = [view.camera.pixel((cell.x + at) * CELL_UNITS, (cell.z + at) * CELL_UNITS, view.area) for at in (0, 1)]
    return QRectF(QPointF(*corners[0]), QPointF(*corners[1]))


def test_clicking_the_matrix_goes_to_the_cell(town: Any, qtbot: Any) -> None:
    place, view = town.explorer.place, number_cells(town, qtbot)
    own = place.cells[0]
    near = [cell for cell in place.matrix_cells.values() if abs(cell.x - own.x) + abs(cell.z - own.z) < 6]
    cell = next(cell for cell in near if cell.header != place.header.id and not cell.filler)
    spot = box_of_cell(view, cell).center().toPoint()
    move_mouse(view, spot)
    qtbot.waitUntil(lambda: f"cell ({cell.x}, {cell.z}), land {cell.land}" in town.status.cursor.text())
    qtbot.mouseClick(view, Qt.LeftButton, pos=spot)
    chosen = subject("cell", cell.matrix, cell.x, cell.z)
    qtbot.waitUntil(lambda: describes(town, chosen))
    assert town.explorer.place.header.id == cell.header and town.explorer.selection == chosen
    assert f"Cell ({cell.x}, {cell.z})" in town.inspector.browser.toPlainText()
    title = town.place_title.text()
    assert title == town.explorer.place.header.title
    filler = next((cell for cell in near if cell.filler), None)
    if filler is not None:  # the demo world has none
        qtbot.mouseClick(view, Qt.LeftButton, pos=box_of_cell(view, filler).center().toPoint())
        assert town.place_title.text() == f"{title}, filler cell ({filler.x}, {filler.z})"


def test_a_header_without_cells_is_told_and_shows_its_matrix(town: Any, settle: Wait, shown_picture: Any) -> None:
    empty = next(header.id for header in town.explorer.world.headers if not town.explorer.world.place(header.id).cells)
    town.explorer.go(empty)
    settle(town)
    assert any("owns no cell" in notice.title for notice in town.notices.shown)
    assert shown_picture(town).any() and f"header {empty}" in town.inspector.browser.toPlainText()


def test_following_a_warp_selects_the_warp_it_leads_to(town: Any, settle: Wait) -> None:
    start = town.explorer.place.header.id
    target = town.explorer.world.warp_target(start, 0)[0]
    town.explorer.select(subject("warp", start, 0))
    settle(town)
    assert town.action("follow_warp").isEnabled()
    town.action("follow_warp").trigger()
    settle(town)
    assert town.explorer.place.header.id == target != start
    chosen = town.explorer.selection
    assert (chosen.kind, chosen.key[0]) == ("warp", target)
    assert f"warp {chosen.key[1]}" in town.inspector.browser.toPlainText()
    # That one leads back.
    assert town.explorer.world.warp_target(target, chosen.key[1])[0] == start


def test_the_palette_finds_maps_and_actions(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.action("palette").trigger()
    palette = demo.dialogs.palette
    assert palette.isVisible()
    qtbot.keyClicks(palette.field, "millbrook t01")
    qtbot.waitUntil(lambda: palette.list.count() > 0 and palette.list.item(0).text() == "Millbrook", timeout=60_000)
    qtbot.keyClick(palette.field, Qt.Key_Return)
    settle(demo)
    assert demo.explorer.place.header.internal_name == "T01" and not palette.isVisible()
    demo.action("palette").trigger()
    qtbot.keyClicks(palette.field, "collision")
    assert palette.list.item(0).text() == "Collision"
    qtbot.keyClick(palette.field, Qt.Key_Return)
    assert demo.explorer.layers.shown("collision")
    demo.action("palette").trigger()
    qtbot.keyClick(palette.field, Qt.Key_Escape)
    assert not palette.isVisible()


def test_thumbnails_come_by_themselves_and_then_nothing_moves(demo: Any, qtbot: Any) -> None:
    visible = [header.id for header in demo.maps.headers if demo.explorer.world.place(header.id).cells]
    thumbnails = demo.maps.thumbnails
    qtbot.waitUntil(
        lambda: any(thumbnails.get(subject("header", header)) is not None for header in visible), timeout=60_000
    )
    qtbot.waitUntil(lambda: demo.jobs.read.idle, timeout=60_000)


@pytest.mark.parametrize(
    ("grouping", "title", "field"),
    [
        ("location", "{}", "location_name"),
        ("matrix", "Matrix {}", "matrix"),
        ("area", "Area {}", "area"),
        ("kind", "{}", "kind"),
    ],
)
def test_the_list_is_grouped_as_chosen(demo: Any, settle: Wait, grouping: str, title: str, field: str) -> None:
    header = demo.explorer.place.header.id
    total = demo.maps.count.text()
    demo.maps.groups.setCurrentIndex(demo.maps.groups.findData(grouping))
    headers = demo.explorer.world.headers
    current = demo.maps.list.currentItem()
    own = headers[current.data(0, Qt.UserRole).subject.key[0]]
    assert own.id == header and current.parent().text(0).lower() == title.format(getattr(own, field)).lower()
    group = current.parent().data(0, Qt.UserRole).rows
    alike = [header.id for header in headers if getattr(header, field) == getattr(own, field)]
    assert sorted(row.subject.key[0] for row in group) == alike and len(alike) < len(headers)
    assert demo.maps.count.text() == total == "10 maps"


def test_a_filter_without_a_match_says_so(town: Any, qtbot: Any) -> None:
    assert not town.maps.nothing.isVisible()
    qtbot.keyClicks(town.maps.filter, "no such place")
    total = 10 if town.explorer.rom_path == "demo" else 593
    qtbot.waitUntil(lambda: town.maps.count.text() == f"0 of {total} maps")
    assert town.maps.nothing.isVisible() and "no such place" in town.maps.nothing.text()
    town.maps.filter.clear()
    qtbot.waitUntil(lambda: not town.maps.nothing.isVisible())


def test_the_matrix_shows_headers_lands_or_altitudes(real: Any, qtbot: Any, settle: Wait, pixels: Any) -> None:
    real.explorer.go(411)
    settle(real)
    view, modes, place = number_cells(real, qtbot), real.matrix.modes, real.explorer.place
    camera = view.camera
    view.set_camera(replace(camera, scale=1 / 64))  # so small that no label is written into the cells
    cells = [cell for cell in place.matrix_cells.values() if (cell.x, cell.z) not in view.loaded]
    corner = real.matrix.parentWidget().geometry().adjusted(-1, -1, 1, 1)
    middles = {cell: box_of_cell(view, cell).center().toPoint() for cell in cells}
    outline = {(own.x + x, own.z + z) for own in place.cells for x in (-1, 0, 1) for z in (-1, 0, 1)}
    middles = {
        cell: spot
        for cell, spot in middles.items()
        if view.rect().contains(spot) and not corner.contains(spot) and (cell.x, cell.z) not in outline
    }
    for mode, value in (
        ("headers", lambda cell: -1 if cell.filler else cell.header),
        ("lands", lambda cell: -1 if cell.filler else cell.land),
        ("altitudes", lambda cell: cell.altitude),
    ):
        modes.setCurrentIndex(modes.findData(mode))
        QApplication.processEvents()
        shown = pixels(view)
        colors: dict[int, set[tuple[int, ...]]] = {}
        for cell, middle in middles.items():
            colors.setdefault(value(cell), set()).add(tuple(shown[middle.y(), middle.x()].tolist()))
        assert len(colors) > 8 and all(len(alike) == 1 for alike in colors.values())
        if mode == "altitudes":  # the higher the lighter
            lightness = [sum(next(iter(colors[altitude]))) for altitude in sorted(colors)]
            assert lightness == sorted(lightness) and len(set(lightness)) > 8
    assert real.explorer.settings.get("matrix mode") == "altitudes"
    highest = max(middles, key=lambda cell: cell.altitude)
    move_mouse(view, middles[highest])
    qtbot.waitUntil(lambda: f", raised {8 * highest.altitude} units" in real.status.cursor.text())
    cell = next(cell for cell in middles if not cell.filler and cell.land >= 10)
    view.set_camera(replace(camera, x=(cell.x + 0.5) * CELL_UNITS, z=(cell.z + 0.5) * CELL_UNITS, scale=0.1))
    spot = box_of_cell(view, cell).toRect()
    below = slice(spot.center().y() - 12, spot.center().y() + 12), slice(spot.left() + 4, spot.right() - 3)
    for mode in ("headers", "lands", "altitudes"):
        modes.setCurrentIndex(modes.findData(mode))
        QApplication.processEvents()
        assert (pixels(view)[below].astype(int).max(-1) < 90).sum() > 4, mode  # the number
    real.action("show_matrix").trigger()
    qtbot.waitUntil(lambda: view.cells == "")
    qtbot.waitUntil(lambda: len(np.unique(pixels(view).reshape(-1, 3), axis=0)) > 200, timeout=60_000)


def test_every_action_is_found_in_the_palette_and_runs_from_there(demo: Any, qtbot: Any) -> None:
    palette = demo.dialogs.palette
    demo.action("palette").trigger()
    offered = {palette.list.item(row).text() for row in range(palette.list.count())}
    wanted = {entry.name for entry, _ in demo.action_set.usable()} - {"Find anything"}
    assert wanted <= offered and len(wanted) > 60
    qtbot.keyClicks(palette.field, "an hour later")
    qtbot.keyClick(palette.field, Qt.Key_Return)
    assert demo.explorer.clock.text == "13:00"


def test_another_rom_replaces_what_the_panels_show_of_the_old_one(
    demo: Any, qtbot: Any, rom_path: Path, settle: Wait
) -> None:
    for dock, listed in (
        ("textures", lambda: demo.textures.list.count()),
        ("models", lambda: demo.models.view.drawn + 1),
    ):
        demo.docks.show(dock)
        qtbot.waitUntil(lambda listed=listed: listed() > 0, timeout=60_000)
    old = demo.models.copied()[1]
    # The same header id in both: what a panel shows of it must still be that of the ROM that is open.
    header = demo.explorer.place.header.id
    demo.explorer.settings.set("last places", {str(rom_path): header})
    demo.open(str(rom_path))
    qtbot.waitUntil(lambda: demo.explorer.rom_path == str(rom_path), timeout=30_000)
    settle(demo)
    assert demo.explorer.place.header.id == header
    qtbot.waitUntil(lambda: bool(demo.models.copied()[1]) and demo.models.copied()[1] != old, timeout=60_000)
    qtbot.waitUntil(
        lambda: not demo.models.view.table.waiting and demo.models.view.drawn == demo.models.current, timeout=60_000
    )
