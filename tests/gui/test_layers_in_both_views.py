"""The layers over a map are the same shapes in both views, and the same is picked: compared pixel by pixel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QRectF
from PyQt5.QtGui import QImage

from mapexplorer.gui.model.layers import Layers
from mapexplorer.gui.views.overlay_painter import OverlayPainter
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.world.layers.overlay_picking import picked_thing
from mapexplorer.world.subject import Subject
from tests.gui.gl_pictures import gl_picture

pytestmark = pytest.mark.gl

Wait = Callable[[Any], None]

WIDTH, HEIGHT = 256, 192
PLACES = ("T01", "L01", "D01R0101", "H01", "F01", "T01R0101")
PICKED = ("behaviours", "collision", "plates", "events", "encounters", "sight", "ranges", "triggers")


@pytest.fixture
def split(demo: Any, qtbot: Any, settle: Wait) -> Callable[[str, str], Any]:
    """Goes to a place with both views and one layer alone, fully opaque."""
    demo.action("split_view").trigger()
    demo.explorer.choose(weather=0)  # behind the layers it is as white as the lines of strips

    def go(name: str, layer: str) -> Any:
        demo.explorer.go(demo.explorer.world.place(name).header.id)
        for one in ("terrain", "props", "people", *PICKED, "grid"):
            demo.explorer.layers.show(one, one == layer)
        demo.explorer.layers.set_opacity(layer, 1.0)
        views = demo.views
        qtbot.waitUntil(lambda: views.shown == "both" and views.gl.complete, timeout=60_000)
        settle(demo)
        return demo

    return go


def drawn_by_opengl(window: Any) -> np.ndarray:
    """Where OpenGL draws the layers, bool (HEIGHT, WIDTH)."""
    pictures = [gl_picture(window, WIDTH, HEIGHT, overlays=overlays) for overlays in (True, False)]
    return np.abs(pictures[0] - pictures[1]).max(-1) > 20


class WithoutLabels(OverlayPainter):
    """Paints shapes only."""

    def _names(self, *_: Any) -> None:
        pass

    def _tags(self, *_: Any) -> None:
        pass


def drawn_by_qt(window: Any) -> np.ndarray:
    """Where the painter of the DS view draws the layers, bool (HEIGHT, WIDTH)."""
    image = QImage(WIDTH, HEIGHT, QImage.Format_ARGB32)
    image.fill(0)
    layers: Layers = window.explorer.layers
    with painting(image) as painter:
        WithoutLabels(painter, QRectF(0, 0, WIDTH, HEIGHT), window.views.ds.projection(), layers).paint(
            window.jobs.overlay, None
        )
    data = np.frombuffer(bytes(image.constBits().asarray(WIDTH * HEIGHT * 4)), np.uint8).reshape(HEIGHT, WIDTH, 4)
    return data[..., 3] > 30


def edges_of(mask: np.ndarray) -> np.ndarray:
    """The pixels beside which a mask changes, and those of the border, beside which it may."""
    beside = np.ones_like(mask)
    beside[1:-1, 1:-1] = False
    for axis in (0, 1):
        changes = np.diff(mask, axis=axis)
        beside |= np.pad(changes, [(0, 1) if one == axis else (0, 0) for one in (0, 1)])
        beside |= np.pad(changes, [(1, 0) if one == axis else (0, 0) for one in (0, 1)])
    return beside


@pytest.mark.parametrize("name", [*PLACES[:3], *(pytest.param(name, marks=pytest.mark.slow) for name in PLACES[3:])])
def test_both_views_draw_the_same_shapes_and_pick_the_same_things(split: Any, name: str) -> None:
    from mapexplorer.gui.rendering.gl_preparer import field_camera
    from mapexplorer.gui.views.gl_view import of_field

    compared = 0
    for layer in PICKED:
        window = split(name, layer)
        ours, theirs = drawn_by_opengl(window), drawn_by_qt(window)
        clear = ~edges_of(ours) & ~edges_of(theirs)
        assert (ours == theirs)[clear].all(), layer
        assert clear.mean() > 0.5
        camera = window.explorer.view.scene_camera(window.explorer.place.camera)
        projections = window.views.ds.projection(), of_field(field_camera(camera, WIDTH / HEIGHT))
        assert np.allclose(projections[0].matrix, projections[1].matrix, atol=1e-6)
        cells = window.jobs.overlay.cells
        for y, x in np.argwhere(clear)[::199].tolist():
            spot = (x + 0.5) / WIDTH, (y + 0.5) / HEIGHT
            things = [picked_thing(cells, [layer], projection.ray(*spot)) for projection in projections]
            assert things[0] == things[1], (layer, x, y)
            # The arrows of plates are drawn, but nothing to be picked.
            assert (things[0] is not None) == ours[y, x] or (layer == "plates" and ours[y, x]), (layer, x, y)
            compared += things[0] is not None
    assert compared > 50


def test_a_click_chooses_the_same_in_both_views(
    split: Any, qtbot: Any, settle: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Models are not shown, so that nothing hides a shape from the OpenGL view."""
    chosen: list[Subject] = []
    window = split(PLACES[0], "collision")
    monkeypatch.setattr(window.inspection, "select_clicked", chosen.append)
    for name in PLACES:
        split(name, "collision")
        for layer in PICKED:
            window.explorer.layers.show(layer, True)
        qtbot.waitUntil(lambda: window.views.gl.complete, timeout=60_000)
        settle(window)
        ds, gl = window.views.ds, window.views.gl
        same = 0
        for spot in ((x, y) for y in np.linspace(0.15, 0.9, 6).tolist() for x in np.linspace(0.1, 0.9, 7).tolist()):
            # Both cameras stand in one spot; the OpenGL view is not as wide as the DS picture, so that it shows more.
            flat, front = gl.projection().project(np.array(ds.projection().ray(*spot).at(0.5))[None])
            assert front.all()
            chosen.clear()
            window.picking.click(ds, *spot)
            window.picking.click(gl, *flat[0].tolist())
            assert len(chosen) in (0, 2), (name, spot, chosen)
            assert not chosen or chosen[0] == chosen[1], (name, spot, chosen)
            same += len(chosen) == 2
        settle(window)
        assert same > 15
