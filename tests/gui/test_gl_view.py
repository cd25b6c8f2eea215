"""The OpenGL view in the window: needs a display."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtGui import QImage
from PyQt5.QtTest import QTest

from mapexplorer.world.layers import LAYERS
from mapexplorer.world.subject import subject
from tests.gui.conftest import describes
from tests.gui.gl_pictures import gl_picture

pytestmark = pytest.mark.gl

Wait = Callable[[Any], None]


HOUSES = (7, 35)
"""A tile of the demo world's town beside houses."""


@pytest.fixture
def gl(demo: Any, qtbot: Any, settle: Wait) -> Any:
    """A window on the demo world that shows houses of its town in both views."""
    in_both_views(demo, qtbot, settle)
    demo.explorer.look_at_tile(*HOUSES)
    arrived(demo, qtbot)
    settle(demo)
    return demo


def in_both_views(window: Any, qtbot: Any, settle: Wait) -> Any:
    """Show the town T01 in both views."""
    window.explorer.go(window.explorer.world.place("T01").header.id)
    window.action("split_view").trigger()
    arrived(window, qtbot)
    settle(window)
    return window


def picture(view: Any) -> np.ndarray:
    """What the view shows when its thread has drawn all that the model asks for, uint8 (height, width, 3)."""
    for _ in range(6000):
        if view.complete:
            break
        QTest.qWait(10)
    assert view.complete
    image = view.grab().toImage().convertToFormat(QImage.Format_RGB32)
    data = image.constBits().asarray(image.width() * image.height() * 4)
    return np.frombuffer(bytes(data), np.uint8).reshape(image.height(), image.width(), 4)[..., 2::-1]


def arrived(window: Any, qtbot: Any) -> None:
    """Wait until the OpenGL view is there, and everything that the model asks for on the GPU."""
    views = window.views
    qtbot.waitUntil(lambda: views.shown == views.wanted and views.gl is not None and views.gl.complete, timeout=60_000)


def test_both_views_show_the_same_field(gl: Any) -> None:
    gl.explorer.layers.show("people", False)
    ours = gl_picture(gl, overlays=False)
    theirs = gl.jobs.frame.picture[..., :3].astype(int)
    close = (np.abs(ours - theirs).max(2) <= 32).mean()
    assert close > 0.8, close


def test_a_click_names_the_prop(gl: Any, qtbot: Any, settle: Wait) -> None:
    view = gl.views.gl
    projection = view.projection()
    found = 0
    for low, high in gl.jobs.overlay.props.values():
        flat, front = projection.project(((low + high) / 2)[None])
        if not front.all() or not (0.1 < flat[0, 0] < 0.9 and 0.1 < flat[0, 1] < 0.9):
            continue
        spot = QPoint(round(flat[0, 0] * view.width()), round(flat[0, 1] * view.height()))
        qtbot.mouseClick(view, Qt.LeftButton, pos=spot)
        settle(gl)
        found += gl.explorer.selection.kind == "placed prop"
    assert found >= 1


def test_layers_of_the_scene_fade(gl: Any) -> None:
    whole = picture(gl.views.gl)
    for layer in ("terrain", "props"):
        gl.explorer.layers.set_opacity(layer, 0.3)
        assert (picture(gl.views.gl) != whole).mean() > 0.05, layer
        gl.explorer.layers.set_opacity(layer, 1.0)
    assert (picture(gl.views.gl) == whole).all()


@pytest.mark.parametrize("layer", ["collision", "plates", "grid", "behaviours", "events"])
def test_layers_lie_on_the_ground_behind_what_stands_before_them(gl: Any, qtbot: Any, layer: str) -> None:
    view = gl.views.gl
    plain = gl_picture(gl)
    gl.action(f"layer_{layer}").trigger()
    arrived(gl, qtbot)
    changed = np.abs(gl_picture(gl) - plain).max(2)
    assert (changed > 20).sum() > 50
    if layer in ("events", "behaviours"):
        return  # their names are written over everything
    state, camera = view.frame_state(0), view._camera(256 / 192)
    spots = [(x, y) for y in range(2, 192, 6) for x in range(2, 256, 6)]
    picks = view.painter.wait_for(lambda renderer: [renderer.pick(x, y, 256, 192, camera, state) for x, y in spots])
    high = [
        (y, x)
        for (x, y), pick in zip(spots, picks, strict=True)
        if pick is not None
        and pick.kind == "prop"
        and pick.point[1] > gl.explorer.ground(pick.point[0], pick.point[2])[1] + 12
    ]
    gl.explorer.layers.show("props", False)
    with_layer = gl_picture(gl)
    gl.action(f"layer_{layer}").trigger()
    bare = np.abs(with_layer - gl_picture(gl)).max(2)
    rows, columns = np.array(high).T
    # What is hidden shows through, but only faintly.
    assert len(high) > 60 and changed[rows, columns].mean() < 0.5 * bare[rows, columns].mean()


@pytest.mark.parametrize("layer", ["collision", "behaviours", "plates", "events"])
def test_a_click_on_a_layer_selects_what_it_shows(gl: Any, qtbot: Any, settle: Wait, layer: str) -> None:
    gl.action(f"layer_{layer}").trigger()
    arrived(gl, qtbot)
    overlay, view = gl.jobs.overlay, gl.views.gl
    kind = next(kind for kind in LAYERS if kind.id == layer)
    shapes = [face for part in overlay.cells for face in part[kind].faces]
    kinds = {"plates": {"plate"}, "events": {"object", "warp", "sign", "trigger"}}.get(layer, {"tile"})
    flat, front = view.projection().project(np.stack(shapes).mean(1))
    inside = np.flatnonzero(front & ((flat > 0.05) & (flat < 0.95)).all(1))
    tried = found = 0
    for index in inside[:: max(1, len(inside) // 12)].tolist():
        corners, spot = shapes[index], flat[index]
        tried += 1
        qtbot.mouseClick(view, Qt.LeftButton, pos=QPoint(int(spot[0] * view.width()), int(spot[1] * view.height())))
        settle(gl)
        chosen = gl.explorer.selection
        if chosen.kind == "tile":
            found += chosen.key[1:] == (int(corners[:, 0].mean() // 16), int(corners[:, 2].mean() // 16))
        elif chosen.kind in kinds:
            found += 1
        assert describes(gl, chosen)
        gl.explorer.select(subject("header", gl.explorer.place.header.id))
    # Some are hidden by what stands before them.
    assert found >= max(1, tried / 4), (tried, found)


def test_a_click_on_the_ground_names_tile_and_surface(gl: Any, qtbot: Any, settle: Wait) -> None:
    qtbot.mouseClick(gl.views.gl, Qt.LeftButton, pos=gl.views.gl.rect().center())
    settle(gl)
    assert gl.explorer.selection.kind == "tile"
    facts = {fact.name: fact for section in gl.inspector.description.sections for fact in section.rows}
    assert facts["Material"].value and "texture" in facts["Material"].meaning and "alpha 31" in facts["Drawn"].value


def test_people_who_were_hidden_come_back(gl: Any, qtbot: Any) -> None:
    town = gl.explorer.place.header.id
    gl.explorer.layers.show("people", False)
    gl.explorer.go(gl.explorer.world.place("L01").header.id)
    arrived(gl, qtbot)
    gl.explorer.go(town)
    arrived(gl, qtbot)
    without = picture(gl.views.gl)
    gl.explorer.layers.show("people", True)
    arrived(gl, qtbot)
    assert (picture(gl.views.gl) != without).any()


def test_opening_the_same_rom_again_shows_it_again(gl: Any, qtbot: Any) -> None:
    town = gl.explorer.place.header.id
    before = picture(gl.views.gl)
    first = gl.jobs.rom
    gl.open("demo")
    qtbot.waitUntil(lambda: gl.jobs.rom is not first, timeout=60_000)
    gl.explorer.go(town)
    gl.explorer.look_at_tile(*HOUSES)
    arrived(gl, qtbot)
    assert gl.views.gl.contents.cells and (picture(gl.views.gl) == before).all()


def test_what_moves_in_the_ds_picture_moves_on_the_card(gl: Any, qtbot: Any, settle: Wait) -> None:
    gl.explorer.go(gl.explorer.world.place("L01").header.id)
    arrived(gl, qtbot)
    settle(gl)
    before, exact = gl_picture(gl, overlays=False), gl.jobs.frame.picture[..., :3].astype(int)
    for _ in range(9):
        gl.explorer.clock.step()
    arrived(gl, qtbot)
    settle(gl)
    moved = (gl.jobs.frame.picture[..., :3].astype(int) != exact).any(2)
    ours = (np.abs(gl_picture(gl, overlays=False) - before) > 8).any(2)
    assert moved.sum() > 50
    assert (ours & moved).sum() > 0.6 * moved.sum()


def test_a_door_that_opens_is_seen_on_the_card(demo: Any, qtbot: Any) -> None:
    demo.action("split_view").trigger()
    demo.explorer.go(demo.explorer.world.place("T01").header.id, None, (7, 35))
    demo.action("walk").trigger()
    demo.walk_mode._timer.stop()
    arrived(demo, qtbot)
    view, seen = demo.views.gl, []
    QTest.keyPress(demo.views.ds, Qt.Key_Up)
    for _ in range(60):
        demo.walk_mode.update()
        if demo.explorer.place.header.internal_name != "T01":
            break
        arrived(demo, qtbot)
        figure = demo.jobs.walking.figure
        if figure is not None and figure.doors:
            assert view.contents.moment.player == figure
            drawn = gl_picture(demo, overlays=False)
            playing = [one for one in view.painter.renderer.residence.instances if one.mesh.playing.started is not None]
            seen.append((len(playing), drawn))
    QTest.keyRelease(demo.views.ds, Qt.Key_Up)
    assert len(seen) > 5 and all(count == 1 for count, _ in seen), [count for count, _ in seen]
    assert (seen[0][1] != seen[-1][1]).any()


def test_camera_and_player_stay_together_at_a_border(demo: Any, qtbot: Any) -> None:
    """Until the objects of a later field update are there, the camera is that of the update that is shown."""
    demo.action("split_view").trigger()
    demo.explorer.go(demo.explorer.world.place("H01").header.id, None, (15, 29))
    demo.action("walk").trigger()
    demo.walk_mode._timer.stop()
    arrived(demo, qtbot)
    view = demo.views.gl
    qtbot.waitUntil(lambda: view.contents.moment.player is not None, timeout=60_000)
    shown, projection = view.contents.moment, view.projection().matrix
    QTest.keyPress(demo.views.ds, Qt.Key_Down)
    for _ in range(200):
        demo.walk_mode.update()
        assert view.contents.moment is shown and (view.projection().matrix == projection).all()
        if demo.explorer.place.header.internal_name == "T01":
            break
    QTest.keyRelease(demo.views.ds, Qt.Key_Down)
    assert demo.explorer.place.header.internal_name == "T01"
    arrived(demo, qtbot)
    assert view.contents.moment.header == demo.explorer.place.header.id
    assert (view.projection().matrix != projection).any()


def test_without_the_ds_view_no_ds_picture_is_made(gl: Any, qtbot: Any, settle: Wait) -> None:
    gl.action("gl_view").trigger()
    count = gl.jobs.frames_drawn
    room = gl.explorer.world.place("T01R0201").header.id
    gl.explorer.go(room)
    arrived(gl, qtbot)
    settle(gl)
    gl.action("layer_events").trigger()
    arrived(gl, qtbot)
    assert gl.jobs.frames_drawn == count and gl.jobs.overlay.header == room
    assert gl.views.map.loaded == {(part.cell.x, part.cell.z) for part in gl.jobs.overlay.cells}
    gl.action("ds_view").trigger()
    settle(gl)
    assert gl.jobs.frame.request.header == room


def test_the_copied_picture_holds_both_views_and_the_overlays(gl: Any, qtbot: Any) -> None:
    from PyQt5.QtWidgets import QApplication

    gl.action("copy_picture").trigger()
    before = QApplication.clipboard().image().convertToFormat(QImage.Format_RGB32)
    views = gl.views
    ratio = views.devicePixelRatioF()
    assert before.width() == round(views.width() * ratio)
    gl.action("layer_grid").trigger()
    arrived(gl, qtbot)
    gl.action("copy_picture").trigger()
    after = QApplication.clipboard().image().convertToFormat(QImage.Format_RGB32)
    for start, width in ((0, views.ds.width()), (views.gl.x(), views.gl.width())):
        columns = range(round(start * ratio), round((start + width) * ratio) - 1, 2)
        rows = range(before.height() // 3, before.height() * 2 // 3)
        assert any(before.pixel(x, y) != after.pixel(x, y) for y in rows for x in columns)


def test_the_hour_and_the_camera_change_the_picture(gl: Any, settle: Wait) -> None:
    noon = picture(gl.views.gl).astype(int)
    gl.explorer.clock.set_second(22 * 3600)
    night = picture(gl.views.gl).astype(int)
    assert night.mean() < noon.mean() - 8
    gl.explorer.use_camera("orbit")
    settle(gl)
    assert (picture(gl.views.gl) != night).any()


def test_the_whole_matrix_is_loaded_the_nearest_cells_first(real: Any, qtbot: Any, settle: Wait) -> None:
    window = in_both_views(real, qtbot, settle)  # the demo world has no more cells than the game loads at once
    contents, cells = window.views.gl.contents, window.explorer.place.matrix_cells
    window.action("gl_view").trigger()
    window.action("whole_matrix").trigger()
    qtbot.waitUntil(lambda: len(contents.cells) > 20, timeout=60_000)

    def within(radius: int) -> set[tuple[int, int]]:
        x, z = (int(value) // 32 for value in window.explorer.tile)
        return {cell for cell in cells if max(abs(cell[0] - x), abs(cell[1] - z)) <= radius}

    assert within(1) <= contents.cells and not window.views.gl.complete
    far = max(cells, key=lambda cell: cell[0] - cell[1])  # in the north-east
    assert far not in contents.cells
    window.explorer.look_at_tile(far[0] * 32 + 16, far[1] * 32 + 16)
    qtbot.waitUntil(lambda: within(1) <= contents.cells, timeout=60_000)
    assert len(contents.cells) < len(cells) / 2
    window.action("whole_matrix").trigger()
    qtbot.waitUntil(lambda: len(contents.cells) <= 4, timeout=60_000)


def test_every_cell_of_a_matrix_is_loaded(real: Any, qtbot: Any, settle: Wait) -> None:
    window = in_both_views(real, qtbot, settle)
    underground = next(header.id for header in window.explorer.world.headers if header.internal_name == "UG")
    window.explorer.go(underground)
    window.action("gl_view").trigger()
    window.action("whole_matrix").trigger()
    qtbot.waitUntil(lambda: window.views.gl.complete, timeout=60_000)
    cells = window.explorer.place.matrix_cells
    assert len(cells) == 225 and window.views.gl.contents.cells == set(cells)
    groups = window.views.gl.painter.wait_for(lambda renderer: set(renderer.residence.groups))
    assert {key for key in groups if key[0] == "cell"} == {("cell", *cell) for cell in cells}
