"""Clicking in the real window, and what its panels say of what was clicked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PyQt5.QtCore import QUrl
from PyQt5.QtGui import QImage
from PyQt5.QtWidgets import QApplication

Wait = Callable[[Any], None]


def test_clicking_a_pixel_names_the_prop_and_the_polygon(real: Any, qtbot: Any, settle: Wait, click: Any) -> None:
    real.explorer.go(411)
    settle(real)
    found = 0
    for box in real.director.overlay.props:
        flat, front = real.views.ds.projection().project(((box.low + box.high) / 2)[None])
        if not front.all() or not (0.1 < flat[0, 0] < 0.9 and 0.1 < flat[0, 1] < 0.9):
            continue
        click(real, *flat[0].tolist())
        qtbot.waitUntil(lambda: real._pixel is not None and real.explorer.selection.kind != "header", timeout=30_000)
        settle(real)
        found += real.explorer.selection.kind == "placed prop"
        text = real.inspector.browser.toPlainText()
        assert "Polygon" in text and "Model" in text
    assert found >= 1


@pytest.mark.parametrize("layer", ["events", "plates", "collision"])
def test_clicking_what_a_layer_shows_selects_it(
    real: Any, qtbot: Any, settle: Wait, layer: str, pixels: Any, point_of: Any, click: Any
) -> None:
    real.explorer.go(411)
    settle(real)
    before = pixels(real.views.ds)
    real.action(f"layer_{layer}").trigger()
    QApplication.processEvents()
    assert (pixels(real.views.ds) != before).any()
    overlay = real.director.overlay
    place = real.explorer.place
    if layer == "events":
        marker = next(marker for marker in overlay.markers if marker.subject.kind == "warp")
        wanted, corners = marker.subject, marker.corners
        real.explorer.look_at_tile(*(corners.mean(0)[[0, 2]] / 16).tolist())
        settle(real)
        wanted_kinds = {"warp", "object", "trigger"}
    else:
        cell = next(part for part in overlay.cells if part.cell in place.cells)
        x, z = (int(value) % 32 for value in real.explorer.tile)
        corners = cell.tiles[z, x]
        wanted, wanted_kinds = None, {"plates": {"plate"}, "collision": {"tile"}}[layer]
    click(real, *point_of(real, corners))
    settle(real)
    chosen = real.explorer.selection
    assert chosen.kind in wanted_kinds
    if layer == "collision":
        assert chosen.key[1:] == tuple(int(value) for value in real.explorer.tile)
    if layer == "plates":
        text = real.inspector.browser.toPlainText()
        assert "Plane" in text and "Slope" in text
    assert wanted is None or wanted.key[0] == chosen.key[0]


def test_links_of_the_inspector_lead_on(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(411)
    settle(real)
    real.inspector.browser.anchorClicked.emit(QUrl("area:6"))
    settle(real)
    text = real.inspector.browser.toPlainText()
    assert text.startswith("Area 6") and "Used by" in text
    assert real.bytes.raw.path.endswith("area_data.narc[6]")
    real.action("copy_json").trigger()
    assert '"title": "Area 6"' in QApplication.clipboard().text()


def test_hovering_names_the_tile_and_feeds_the_laboratory(demo: Any, qtbot: Any) -> None:
    demo.show_dock("heights")
    qtbot.waitUntil(lambda: demo.heights.isVisible())
    demo.picking.hover(demo.views.ds, 0.5, 0.6)
    words = demo.status_cursor.text()
    assert words.startswith("tile (") and "height" in words
    assert demo.heights.answer is not None
    assert abs(demo.heights.answer.x - demo.picking.hovered[0]) < 1e-6
    assert "Strip" in demo.heights.text.toPlainText()


def test_textures_and_models_are_listed_and_drawn(demo: Any, qtbot: Any) -> None:
    demo.show_dock("textures")
    qtbot.waitUntil(lambda: demo.textures.list.count() > 3, timeout=60_000)
    assert demo.textures.picture.pixmap() is not None
    demo.show_dock("models")
    qtbot.waitUntil(lambda: demo.models.drawn >= 0, timeout=60_000)
    assert demo.models.drawn == demo.models.current
    picture = demo.models.table.pixmap().toImage().convertToFormat(QImage.Format_RGB32)
    colors = {picture.pixel(x, y) for x in range(0, 256, 4) for y in range(0, 192, 4)}
    assert len(colors) > 5
    demo.models._inspect()
    qtbot.waitUntil(lambda: "build_model" in demo.inspector.browser.toPlainText())
