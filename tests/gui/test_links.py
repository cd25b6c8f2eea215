"""Links of views: copied by a key, opened from the search, the start page and the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication

from mapexplorer.gui.model.camera import FLY, GAME, KINDS, ORBIT, TOP
from mapexplorer.gui.model.layers import STANDARD
from mapexplorer.scene.link import Link
from mapexplorer.world.subject import subject
from tests.gui.conftest import PATIENCE

Wait = Callable[[Any], None]
DEMO = "mapexplorer:PLATINUM-US+MAPEX-DEMO"


def copied(window: Any, qtbot: Any) -> str:
    """The link that the key copies."""
    QApplication.clipboard().clear()
    QApplication.setActiveWindow(window)
    window.views.take_focus()
    qtbot.keyClick(window, Qt.Key_L, Qt.ControlModifier | Qt.ShiftModifier)
    return QApplication.clipboard().text()


def paste(window: Any, qtbot: Any, text: str) -> Any:
    """Paste a text into the search, and wait for what is found."""
    QApplication.setActiveWindow(window)
    qtbot.keyClick(window, Qt.Key_K, Qt.ControlModifier)
    field = window.dialogs.palette.field
    QApplication.clipboard().setText(text)
    qtbot.keyClick(field, Qt.Key_V, Qt.ControlModifier)
    qtbot.waitUntil(lambda: not window.dialogs.palette._searching)
    return field


def state(window: Any) -> tuple[Any, ...]:
    explorer = window.explorer
    layers = {layer.id: layer.visible for layer in explorer.layers}
    return explorer.place.header.id, explorer.clock.second, explorer.options, layers, window.views.wanted


def test_the_link_of_a_new_window_is_short(real: Any, qtbot: Any) -> None:
    real.explorer.go(411, None, (116, 885))
    assert copied(real, qtbot) == "mapexplorer:PLATINUM-US/T01@116,885"
    real.explorer.clock.set_second(72000)
    real.explorer.layers.show("collision", True)
    real.explorer.choose(weather=6)
    wanted = "mapexplorer:PLATINUM-US/T01@116,885?hour=20&weather=heavy-snow&layers=collision"
    assert copied(real, qtbot) == wanted


def test_each_layer_has_a_name_in_links(demo: Any) -> None:
    layers = demo.explorer.layers
    for layer in STANDARD:
        layers.show(layer.id, not layer.visible)
        assert str(demo.map_mode.link).endswith(f"layers={'-' if layer.visible else ''}{layer.id}")
        layers.show(layer.id, layer.visible)


def test_a_copied_link_shows_the_view_again(real: Any, qtbot: Any, settle: Wait) -> None:
    explorer = real.explorer
    explorer.go(418)
    explorer.clock.set_second(72000 + 1800)
    explorer.choose(weather=6, weekday="sunday", save="new", all_objects=True, all_cells=True)
    for layer, shown in (("collision", True), ("grid", True), ("people", False), ("missing", False)):
        explorer.layers.show(layer, shown)
    links = {}
    for kind in KINDS:
        explorer.use_camera(kind)
        explorer.set_camera(explorer.camera.turned(31, 7).panned(100, 20).zoomed(1))
        links[kind] = copied(real, qtbot), explorer.camera, state(real)
    explorer.use_camera(GAME)
    explorer.go(411)
    for name in ("terrain", "people", "missing"):
        explorer.layers.show(name, True)
    for kind in reversed(KINDS):
        text, camera, before = links[kind]
        explorer.clock.set_second(0)
        explorer.choose(weather=None, weekday="monday", save="entered", all_objects=False, all_cells=False)
        explorer.layers.show("grid", False)
        field = paste(real, qtbot, f" {text}\n")
        assert real.dialogs.palette.list.item(0).text() == f"View of {real.explorer.world.headers[418].title}"
        qtbot.keyClick(field, Qt.Key_Return)
        settle(real)
        assert state(real) == before and explorer.camera.kind == kind
        points = {GAME: ("target",), TOP: ("target", "scale"), FLY: ("position", "yaw", "pitch", "fov")}
        for name in points.get(kind, ("target", "eye", "yaw", "pitch", "fov", "distance")):
            assert getattr(explorer.camera, name) == pytest.approx(getattr(camera, name), abs=0.2), (kind, name)
        assert copied(real, qtbot) == text


def test_what_is_selected_is_in_a_link(demo: Any, qtbot: Any, settle: Wait) -> None:
    explorer = demo.explorer
    header, matrix = explorer.place.header.id, explorer.place.matrix_id.value
    chosen = {
        "object:1": subject("object", header, 1),
        "tile:7,36": subject("tile", matrix, 7, 36),
        "prop:1": subject("prop", 1),
    }
    links = {}
    for text, thing in chosen.items():
        explorer.select(thing)
        links[text] = copied(demo, qtbot)
        assert links[text].endswith(f"select={text}")
    for text, thing in chosen.items():
        explorer.select(subject("header", header))
        demo.map_mode.open(links[text])
        settle(demo)
        assert explorer.selection == thing and not demo.notices.shown
    explorer.select(subject("header", header))
    demo.map_mode.open(links["prop:1"].replace("prop:1", f"prop:{explorer.world.prop_model(1).models[0].name}"))
    assert explorer.selection == subject("prop", 1)


def test_a_link_that_cannot_be_shown_is_refused_in_a_sentence(demo: Any, qtbot: Any) -> None:
    before = state(demo)
    for text, sentence in (
        ("mapexplorer:PEARL-US/T01", "The link is for PEARL-US, and demo is PLATINUM-US+MAPEX-DEMO."),
        (f"{DEMO}/T99", "There is no place called 'T99'"),
        (f"{DEMO}/T01@900,3", "Tile (900, 3) is outside matrix 0"),
        (f"{DEMO}/T01?hour=25", "In the link, hour: '25' is not a time of the day"),
        ("mapexplorer:", "'mapexplorer:' is no link"),
        (f"{DEMO}/T01?select=object:x", "There is no object called '4/x'"),
        (f"{DEMO}/T01?select=object:1,2", "An object has 2 numbers"),
        (f"{DEMO}/T01?select=pixel:1,2", "'pixel' is not possible"),
    ):
        field = paste(demo, qtbot, text)
        assert demo.dialogs.palette.message.text().startswith(sentence)
        qtbot.keyClick(field, Qt.Key_Return)
        qtbot.keyClick(field, Qt.Key_Escape)
        demo.map_mode.open(text)
        assert demo.notices.shown[-1].sentence.startswith(sentence)
    assert state(demo) == before


def test_a_link_is_found_on_the_start_page(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.dialogs.welcome.open()
    qtbot.keyClicks(demo.dialogs.welcome.search, f"{DEMO}/L01@50,40?hour=20&view=map")
    qtbot.keyClick(demo.dialogs.welcome.search, Qt.Key_Return)
    qtbot.waitUntil(lambda: demo.explorer.place.header.internal_name == "L01")
    assert demo.dialogs.welcome.isHidden() and demo.explorer.clock.second == 72000 and demo.map_mode.on
    assert copied(demo, qtbot).startswith(f"{DEMO}/L01@50,40?hour=20&")


def test_the_window_opens_on_a_link(
    make_window: Callable[..., Any], qtbot: Any, settle: Wait, rom_path: Path, settings_file: Path
) -> None:
    link = "mapexplorer:PLATINUM-US/T02@177,841?hour=20&camera=top&zoom=0.5"
    window = make_window()
    window.start([link, str(rom_path)])
    qtbot.waitUntil(lambda: window.explorer.camera.kind == TOP, timeout=PATIENCE)
    assert not window.dialogs.welcome.isVisible() and copied(window, qtbot) == link
    assert Link.parse(link).place(window.explorer.world).header is window.explorer.place.header
    window.explorer.use_camera(ORBIT)
    window.keep_layout()
    again = make_window()
    again.start([f"{DEMO}/T01"])  # the ROM that was opened last is another one
    qtbot.waitUntil(lambda: again.notices.shown != [], timeout=PATIENCE)
    assert again.notices.shown[0].sentence.startswith("The link is for PLATINUM-US+MAPEX-DEMO, and ")
    assert again.explorer.rom_path == str(rom_path.resolve())
