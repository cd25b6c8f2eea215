"""The files of the ROM, its page, and all its models, texture sets and sprites."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtWidgets import QFileDialog, QMenu

from mapexplorer.export.extract import extract
from mapexplorer.world.subject import subject

Wait = Callable[[Any], None]

PROPS = "fielddata/build_model/build_model.narc"
MATRICES = "fielddata/mapmatrix/map_matrix.narc"
PROP_SETS = "fielddata/areadata/area_build_model/areabm_texset.narc"


def _item(window: Any, qtbot: Any, path: str, member: int | None = None) -> Any:
    """The row of a file, or of a member of an archive, seen in the tree."""
    panel = window.files
    qtbot.waitUntil(lambda: panel.tree.topLevelItemCount() > 0, timeout=30_000)
    found = panel.tree.findItems(path.rpartition("/")[2], Qt.MatchExactly | Qt.MatchRecursive)
    (item,) = [one for one in found if one.data(0, Qt.UserRole).path == path]
    parent = item.parent()
    while parent is not None:
        parent.setExpanded(True)
        parent = parent.parent()
    if member is not None:
        item.setExpanded(True)
        qtbot.waitUntil(lambda: item.childCount() > 0, timeout=30_000)
        item = item.child(member)
    panel.tree.scrollToItem(item)
    return item


def _double_click(window: Any, qtbot: Any, item: Any) -> None:
    tree = window.files.tree
    spot = tree.visualItemRect(item).center()
    qtbot.mouseClick(tree.viewport(), Qt.LeftButton, pos=spot)
    qtbot.mouseDClick(tree.viewport(), Qt.LeftButton, pos=spot)


def test_the_tree_has_every_file_with_its_size_and_archives_their_members(demo: Any, qtbot: Any) -> None:
    qtbot.keyClick(demo, Qt.Key_F6)
    rom = demo.explorer.world.rom
    qtbot.waitUntil(lambda: len(demo.files.copied()[1]) == len(rom.files), timeout=30_000)
    assert {one["path"]: one["size"] for one in demo.files.copied()[1]} == {path: rom.size(path) for path in rom.files}
    last = _item(demo, qtbot, MATRICES, len(rom.archive(MATRICES)) - 1)
    assert last.text(1) == f"{len(rom.archive(MATRICES).raw(len(rom.archive(MATRICES)) - 1)):,}"
    demo.files.filter.setText("matrix")
    assert [one["path"] for one in demo.files.copied()[1]] == [MATRICES]


def test_a_double_click_shows_what_a_member_holds(demo: Any, qtbot: Any) -> None:
    qtbot.keyClick(demo, Qt.Key_F6)
    _double_click(demo, qtbot, _item(demo, qtbot, MATRICES, 0))
    qtbot.waitUntil(lambda: demo.explorer.selection == subject("matrix", 0), timeout=30_000)
    _double_click(demo, qtbot, _item(demo, qtbot, PROP_SETS, 1))
    textures = demo.textures
    qtbot.waitUntil(lambda: textures.isVisible() and textures.copied()[1]["set"] == "areabm_texset[1]", timeout=30_000)
    _double_click(demo, qtbot, _item(demo, qtbot, PROPS, 1))
    qtbot.waitUntil(lambda: demo.models.isVisible() and demo.models.view.drawn == 1, timeout=60_000)


@pytest.mark.parametrize(("ending", "form"), [("", "stored"), (".json", "json"), (".glb", "glb")])
def test_extract_writes_what_the_verb_writes(
    demo: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, form: str
) -> None:
    qtbot.keyClick(demo, Qt.Key_F6)
    item = _item(demo, qtbot, PROPS, 1)
    offered: list[str] = []

    def choose(parent: Any, title: str, name: str, filters: str) -> tuple[str, str]:
        offered.extend(filters.split(";;"))
        wanted = {"stored": "As it is", "json": "JSON", "glb": "GLB"}[form]
        return str(tmp_path / "thing"), next(one for one in offered if one.startswith(wanted))

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    tree = demo.files.tree
    tree.customContextMenuRequested.emit(tree.visualItemRect(item).center())
    menu = next(menu for menu in tree.findChildren(QMenu) if menu.isVisible())
    next(action for action in menu.actions() if action.text() == "Extract …").trigger()
    menu.close()
    written = tmp_path / f"thing{ending}"
    qtbot.waitUntil(lambda: demo.jobs.work.idle and written.exists(), timeout=60_000)
    world, wanted = demo.explorer.world, tmp_path / f"verb{ending}"
    extract(world, "prop", (1,), "", wanted, form)
    assert written.read_bytes() == wanted.read_bytes()
    assert not any(one.startswith("PNG") for one in offered), "a model is no picture"


def test_a_file_that_cannot_be_decoded_is_told(
    demo: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo.docks.show("files")
    _item(demo, qtbot, PROPS)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "x"), "JSON (*.json)"))
    demo.files._choose_form(_item(demo, qtbot, PROPS).data(0, Qt.UserRole))
    qtbot.waitUntil(lambda: any("cannot be extracted" in one.title for one in demo.notices.shown), timeout=30_000)


def test_the_facts_of_the_rom_name_it(demo: Any, qtbot: Any) -> None:
    qtbot.keyClick(demo, Qt.Key_I, Qt.ControlModifier)
    rom, text = demo.explorer.world.rom, demo.inspector.browser.toPlainText
    qtbot.waitUntil(lambda: rom.code in text() and "Language" in text() and rom.name in text(), timeout=30_000)


def test_all_props_have_pictures_and_are_turned(
    real: Any, qtbot: Any, settle: Wait, pixels: Callable[[Any], np.ndarray]
) -> None:
    """F4, a name, Enter: a prop of another map on the turntable, with its facts."""
    real.explorer.go(3)
    settle(real)
    qtbot.keyClick(real, Qt.Key_F4)
    models = real.models
    qtbot.waitUntil(lambda: models.list.total == 590 and models.filter.hasFocus(), timeout=30_000)
    qtbot.keyClicks(models.filter, "t1_door1")
    assert [thing.side for thing in models.list.shown] == ["67"]
    pictures = models.list._pictures
    qtbot.waitUntil(lambda: pictures.get(subject("prop", 67)) is not None, timeout=60_000)
    qtbot.keyClick(models.filter, Qt.Key_Return)
    qtbot.waitUntil(lambda: models.view.drawn == 67, timeout=60_000)
    assert real.explorer.selection == subject("prop", 67)
    assert models.message.text().startswith("Textures of ")
    _scrub(models.view, qtbot, pixels)


def test_all_texture_sets_are_listed_and_all_sprites_found(real: Any, qtbot: Any) -> None:
    real.action("show_textures").trigger()
    textures, names = real.textures, real.names
    qtbot.waitUntil(lambda: textures.sets.count() == 71 + 74, timeout=30_000)
    textures.sets.setCurrentIndex(textures.sets.findText("areabm_texset[70]"))
    qtbot.waitUntil(lambda: textures.copied()[1]["set"] == "areabm_texset[70]" and textures.list.count() > 0)
    real.action("show_names").trigger()
    names.show_kind("object graphics")
    qtbot.waitUntil(lambda: len(names.list.shown) >= 440, timeout=30_000)


def _scrub(view: Any, qtbot: Any, pixels: Callable[[Any], np.ndarray]) -> None:
    """The slider shows each frame of an opening door, and the same picture for the same frame."""
    view.clips.setCurrentIndex(1)
    qtbot.waitUntil(lambda: view.tick > 2, timeout=30_000)
    assert view.playing and view.slider.maximum() == 7
    seen = {}
    for frame in (7, 0, 5, 0):
        qtbot.mousePress(view.slider, Qt.LeftButton, pos=QPoint(1, 1))
        qtbot.mouseRelease(view.slider, Qt.LeftButton, pos=QPoint(1, 1))
        view.slider.setValue(frame)
        assert not view.playing and view.tick == frame
        qtbot.waitUntil(lambda: not view.table.waiting, timeout=30_000)
        qtbot.wait(1)
        shown = pixels(view.table)
        assert np.array_equal(seen.setdefault(frame, shown), shown)
    assert len({shown.tobytes() for shown in seen.values()}) == 3


def test_textures_that_a_map_lacks_are_magenta(compiled: None) -> None:
    from mapexplorer.gui.rendering.model_preview import ModelPreview, Orbit
    from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
    from mapexplorer.world.opening import open_rom
    from mapexplorer.world.world import FieldWorld

    renderer = PlaceRenderer(FieldWorld(open_rom("demo")))
    world = renderer.world
    town, cave = world.place("T01"), world.place("D01R0101")
    house = next(iter(town.props(town.cells[0]))).model

    def magenta(place: Any) -> int:
        picture = ModelPreview.of_prop(place, house, None).picture(Orbit(), 0)
        return int((picture[..., :3] == (255, 0, 255)).all(-1).sum())

    assert magenta(town) == 0 and not renderer.lacking_textures(town.header.id, house)
    assert magenta(cave) > 100 and renderer.lacking_textures(cave.header.id, house)
