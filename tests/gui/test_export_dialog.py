"""The options in the export dialog, its presets and its preview."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from PyQt5.QtCore import Qt
from PyQt5.QtGui import QImage
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QComboBox

from mapexplorer.export.options import PROFILES, ExportOptions
from mapexplorer.export.request import (
    AllMapsRequest,
    DatabaseRequest,
    FileRequest,
    MapRequest,
    ModelRequest,
    PictureRequest,
    PosterRequest,
)
from mapexplorer.export.run import run
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.gui.dialogs.export import REQUESTS
from mapexplorer.gui.dialogs.forms import PRESETS, Form
from mapexplorer.option import SECTIONS
from tests.gui.exporting import cli, shown, unfold


def test_a_page_has_the_options_of_its_request(demo: Any) -> None:
    """Each option of a request has a row that its page shows, and nothing else has one; the widgets hold defaults."""
    dialog = demo.dialogs.export
    every = set()
    for kind in REQUESTS:
        dialog.open(kind, 1)
        unfold(dialog)
        names = {one.name for one in kind.declared()}
        assert set(dialog.form.values()) == names, kind
        for name, value in (("camera", "free"), ("frames", 2)):
            if name in names and not isinstance(dialog.form[name].declared.default, bool):
                dialog.form[name].set(value)
        seen = {name for name, field in dialog.form.fields.items() if field.widget.isVisible()}
        assert seen == names - {"zoom"}, kind
        every |= names
    assert len(every) > 35
    forms = [Form(*form.classes) for form in dialog.forms.values()]
    for form in forms:
        for name, field in form.fields.items():
            assert field.value() == field.declared.default, name
        form.deleteLater()
    dialog.hide()


def test_presets_set_the_options(demo: Any) -> None:
    """The list shows the preset whose options are set, also when they are set one by one; the hour is kept."""
    dialog = demo.dialogs.export
    dialog.open()
    preset = dialog.form_of(MapRequest).findChild(QComboBox, "export preset")
    dialog.form_of(MapRequest)["second"].set(72000)

    def options() -> ExportOptions:
        return MapRequest.made(dialog.form_of(MapRequest).values(), place=0, output=Path("x.glb")).options

    index = next(i for i in range(preset.count()) if "collision" in preset.itemText(i))
    preset.setFocus()
    QTest.keyClick(preset, Qt.Key_Home)
    for _ in range(index):
        QTest.keyClick(preset, Qt.Key_Down)
    assert options().collision and options().heights and not options().lit and options().scale == 1 / 16
    dialog.form_of(MapRequest)["lit"].widget.setCurrentIndex(1)
    assert options().lit and preset.currentText() == ""
    for title, chosen in PRESETS.items():
        preset.setCurrentIndex(preset.findText(title))
        preset.activated.emit(preset.currentIndex())
        assert options() == ExportOptions(second=72000, **chosen) and preset.currentText() == title
    assert {chosen["profile"] for chosen in PRESETS.values()} == set(PROFILES)
    dialog.form_of(MapRequest).take(PRESETS["Every program"])
    for name in ("collision", "heights"):
        dialog.form_of(MapRequest)[name].widget.click()
    assert preset.currentIndex() == index
    dialog.hide()


def test_options_are_in_sections_that_keys_open(demo: Any, qtbot: Any) -> None:
    """What is chosen first is seen: kind, preset, target; the sections that are open are kept for all kinds."""
    dialog = demo.dialogs.export
    dialog.open()
    names = [field.declared.name for field in dialog.form_of(MapRequest).fields.values() if field.widget.isVisible()]
    assert (
        names == []
        and dialog.form_of(MapRequest).findChild(QComboBox, "export preset").isVisible()
        and dialog.target.isVisible()
    )
    headers = dialog.form_of(MapRequest).headers
    assert list(headers) == list(SECTIONS) and all(header.isVisible() for header in headers.values())
    QApplication.setActiveWindow(dialog)
    dialog.kinds.setFocus()
    for key, section, name in ((Qt.Key_Space, "Include", "collision"), (Qt.Key_Return, "Light", "lit")):
        for _ in range(20):
            if headers[section].hasFocus():
                break
            QTest.keyClick(dialog.focusWidget(), Qt.Key_Tab)
        QTest.keyClick(headers[section], key)
        assert shown(dialog, name) and dialog.task is None
    assert not shown(dialog, "scale") and not shown(dialog, "static") and not shown(dialog, "seed")
    qtbot.waitUntil(lambda: demo.explorer.settings.get("export sections") == ["", "Include", "Light"])
    bar = dialog.page.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    dialog.hide()
    dialog.open()
    assert bar.value() == 0 and shown(dialog, "collision")
    dialog.open(PosterRequest)
    assert shown(dialog, "grid") and shown(dialog, "second") and not shown(dialog, "jobs") and shown(dialog, "names")
    for kind in REQUESTS:
        dialog.open(kind, 1)
        unfold(dialog)
        fields = dialog.form.fields.values()
        assert all(field.widget.accessibleName() for field in fields if field.widget.isVisible())
    dialog.hide()


def test_the_preview_says_what_the_export_writes(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = demo.dialogs.export
    dialog._later.setInterval(10)

    def preview() -> str:
        qtbot.waitUntil(lambda: not dialog._later.isActive() and dialog.shown.text() != "…", timeout=20_000)
        return str(dialog.shown.text())

    dialog.open(MapRequest)
    plain = preview()
    assert "triangles" in plain and "texture pictures" in plain and "clips" in plain
    assert not dialog.shown_picture.pixmap().isNull()
    dialog.form_of(MapRequest)["people"].set(True)
    dialog.form_of(MapRequest)["static"].set(True)
    with_people = preview()
    assert with_people != plain and "clips" not in with_people
    assert not list(tmp_path.iterdir()), "nothing was written yet"
    written = cli("export", "demo", demo.explorer.place.header.id, "--people", "--static", "-o", tmp_path / "map.glb")
    assert with_people.startswith(f"{(tmp_path / 'map.glb').stat().st_size:,} bytes\n")
    assert with_people.split("\n")[1] in written
    QApplication.setActiveWindow(dialog)
    dialog.target.setFocus()
    dialog.target.selectAll()
    QTest.keyClick(dialog.target, Qt.Key_Delete)
    assert preview() == "To which file or folder?"
    QTest.keyClicks(dialog.target, str(tmp_path / "map.xyz"))
    assert preview().startswith("To: it is written as .glb")
    for _ in "xyz":
        QTest.keyClick(dialog.target, Qt.Key_Backspace)
    QTest.keyClicks(dialog.target, "obj")
    assert preview() not in (plain, with_people)
    dialog.form_of(MapRequest)["cell"].widget.setText("a,b")
    assert "X,Z" in preview()
    dialog.form_of(MapRequest)["cell"].widget.clear()
    dialog.open(AllMapsRequest)
    assert preview() == f"{len(demo.explorer.world.headers)} map headers" and not dialog.shown_picture.isVisible()
    dialog.form_of(MapRequest)["maps"].widget.setText("0-2")
    assert preview() == "3 map headers"
    dialog.open(ModelRequest, 1)
    assert "triangle" in preview()
    dialog.open(PictureRequest)
    dialog.form_of(PictureRequest)["second"].set(0)
    preview()
    run(dialog._made(demo.explorer.place.header.id, tmp_path / "night.png"), demo.explorer.world)
    night = QImage(str(tmp_path / "night.png")).convertToFormat(QImage.Format_RGB32)
    assert dialog.shown_picture.pixmap().toImage().convertToFormat(QImage.Format_RGB32) == night
    dialog.open(DatabaseRequest)
    assert preview() == "" and "Maps, events" in dialog.hint.text()
    dialog.open(MapRequest)
    preview()
    dialog._preview()
    running = dialog._previews
    dialog.close()
    qtbot.waitUntil(lambda: running.finished, timeout=20_000)
    assert running.result is None and "cancelled" not in dialog.shown.text(), "who closes the dialog wants no preview"
    dialog.hide()


def test_what_is_typed_is_completed(demo: Any, qtbot: Any) -> None:
    dialog = demo.dialogs.export
    dialog.open(FileRequest)
    QApplication.setActiveWindow(dialog)
    line = dialog.form_of(FileRequest)["path"].widget
    line.setFocus()
    QTest.keyClicks(line, "MAP_MATRIX")
    offered = line.completer().popup()
    qtbot.waitUntil(offered.isVisible)
    QTest.keyClick(offered, Qt.Key_Down)
    QTest.keyClick(offered, Qt.Key_Return)
    assert line.text() == PLATINUM.path(Role.MAP_MATRIX)
    dialog.open(MapRequest)
    unfold(dialog)
    cell, line = demo.explorer.place.cells[0], dialog.form_of(MapRequest)["cell"].widget
    line.setFocus()
    QTest.keyClicks(line, str(cell.x))
    assert line.completer().currentCompletion() == f"{cell.x},{cell.z}"
    line.completer().popup().hide()
    dialog.hide()


def test_the_dialog_has_every_option_of_a_glb(qtbot: Any) -> None:
    """Each option can be set to something else than usual, and comes back; clips that are left out have no pattern."""
    changed = {
        "second": 3661,
        "lit": True,
        "scale": 0.5,
        "merge": "material",
        "bake_mirror": True,
        "collision": True,
        "heights": True,
        "dummies": True,
        "pattern": "atlas",
        "state": "1",
        "day": 100,
        "weekday": "friday",
        "seed": 7,
        "save": "new",
        "margin": 2,
        "people": True,
        "events": True,
        "camera": True,
        "profile": "godot",
        "people_facing": "camera",
        "clips": "models",
        "pointers": False,
        "compact": True,
    }
    usual = ExportOptions()
    assert {*changed, "static", "features", "hours"} == {field.name for field in dataclasses.fields(usual)}
    assert all(getattr(usual, name) != value for name, value in changed.items())
    form = Form(ExportOptions)
    qtbot.addWidget(form)
    assert ExportOptions(**form.values()) == usual
    form.take(changed)
    assert ExportOptions(**form.values()) == ExportOptions(**changed)
    form["static"].set(True)
    still = {name: getattr(usual, name) for name in ("pattern", "clips", "pointers")}
    assert ExportOptions(**form.values()) == ExportOptions(**{**changed, **still, "static": True})
    form.take({"lit": False, "hours": (4 * 3600, 19 * 3600)})
    assert ExportOptions(**form.values()).hours == (4 * 3600, 19 * 3600)
    form["features"].set(False)
    assert not ExportOptions(**form.values()).features and ExportOptions(**form.values()).state is None
