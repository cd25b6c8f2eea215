"""The export dialog: every kind is written, a long one is stopped and resumed, nothing blocks the window."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image
from PyQt5.QtCore import Qt, QTime
from PyQt5.QtGui import QImage
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QComboBox

from mapexplorer.cli import program
from mapexplorer.export.options import PROFILES, ExportOptions
from mapexplorer.export.request import (
    AllMapsRequest,
    AllPicturesRequest,
    DatabaseRequest,
    FileRequest,
    KitRequest,
    MapRequest,
    MatrixRequest,
    ModelRequest,
    ModelsRequest,
    PictureRequest,
    PosterRequest,
    Request,
    TexturesRequest,
)
from mapexplorer.export.run import run
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.gui.dialogs.export import REQUESTS
from mapexplorer.gui.dialogs.forms import PRESETS, Form
from mapexplorer.inspector.request import FactsRequest, HeightsRequest
from mapexplorer.option import SECTIONS
from mapexplorer.world.models.animations import prop_animations

Wait = Callable[[Any], None]


def export(window: Any, qtbot: Any, kind: type[Request], target: Path, model: int | None = None) -> Any:
    """Export by the dialog's own buttons; the outcome."""
    dialog = window.dialogs.export
    dialog.open(kind, model)
    assert dialog.kind is kind and dialog.target.text()
    dialog.target.setText(str(target))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    assert dialog.stop.text() == "Stop" and not dialog.start.isEnabled(), dialog.message.text()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert dialog.outcome is not None, dialog.message.text()
    assert dialog.start.isEnabled() and dialog.message.text().startswith("Done:")
    return dialog.outcome


def unfold(dialog: Any) -> None:
    """Open all sections of options."""
    for section, header in dialog.form.headers.items():
        if section not in dialog.opened and header.isVisible():
            QTest.mouseClick(header, Qt.LeftButton)


def shown(dialog: Any, name: str) -> bool:
    """Whether the dialog shows the row of an option."""
    return bool(dialog.form[name].widget.isVisible())


def cli(*arguments: object) -> str:
    """Runs the command line; what it printed."""
    ran = CliRunner().invoke(program, [str(argument) for argument in arguments])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_every_kind_of_export_writes_what_it_says(
    demo: Any, qtbot: Any, tmp_path: Path, validate_glb: Callable[..., int]
) -> None:
    place = demo.explorer.place
    moving = next(number for number in range(40) if prop_animations(demo.explorer.world, number))
    done = set()
    for kind, name in ((MapRequest, "map.glb"), (MatrixRequest, "matrix.glb"), (ModelRequest, "model.glb")):
        export(demo, qtbot, kind, tmp_path / name, moving)
        done.add(kind)
    sizes = [(tmp_path / name).stat().st_size for name in ("map.glb", "matrix.glb", "model.glb")]
    assert sizes[1] > sizes[0] > sizes[2]
    data = (tmp_path / "model.glb").read_bytes()
    clips = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    assert len(clips["animations"]) == len(prop_animations(demo.explorer.world, moving))
    outcome = export(demo, qtbot, AllMapsRequest, tmp_path / "maps")
    manifest = json.loads((tmp_path / "maps" / "manifest.json").read_text("utf-8"))
    assert manifest["counts"]["files"] == len(list((tmp_path / "maps").glob("*.glb"))) > 3
    assert str(manifest["counts"]["files"]) in outcome.sentence
    assert validate_glb([*tmp_path.glob("*.glb"), *(tmp_path / "maps").glob("*.glb")]) > 5
    demo.dialogs.export.form_of(ModelsRequest)["models"].set("prop:1-2")
    demo.dialogs.export.form_of(ModelsRequest)["jobs"].set(1)
    assert len(export(demo, qtbot, ModelsRequest, tmp_path / "models").files) == 2
    outcome = export(demo, qtbot, KitRequest, tmp_path / "kit")
    done |= {KitRequest, ModelsRequest}
    assert len(outcome.files) > len(list((tmp_path / "kit" / "props").glob("*.gltf"))) > 5
    demo.dialogs.export.form_of(KitRequest)["whole_matrix"].set(True)
    assert len(export(demo, qtbot, KitRequest, tmp_path / "kits").files) > len(outcome.files)
    demo.dialogs.export.form_of(PosterRequest)["cell_pixels"].set(256)
    demo.dialogs.export.form_of(PosterRequest)["whole_matrix"].set(True)
    export(demo, qtbot, PosterRequest, tmp_path / "poster.png")
    with Image.open(tmp_path / "poster.png") as picture:
        assert picture.size == (place.matrix.width * 256, place.matrix.height * 256)
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 50
    outcome = export(demo, qtbot, TexturesRequest, tmp_path / "textures")
    assert len(outcome.files) > 3 and all(Image.open(file).size[0] >= 8 for file in outcome.files)
    export(demo, qtbot, HeightsRequest, tmp_path / "heights.json")
    assert len(json.loads((tmp_path / "heights.json").read_text())["cells"]) == len(place.cells)
    export(demo, qtbot, FactsRequest, tmp_path / "facts.json")
    facts = json.loads((tmp_path / "facts.json").read_text("utf-8"))["facts"]
    assert facts[0]["kind"] == "header" and facts[0]["key"] == [place.header.id]
    dialog = demo.dialogs.export
    dialog.form_of(FileRequest)["path"].set(f"{PLATINUM.path(Role.MAP_MATRIX)}#0")
    export(demo, qtbot, FileRequest, tmp_path / "file.json")
    assert json.loads((tmp_path / "file.json").read_text("utf-8")) == json.loads(
        cli("dump", "demo", f"{PLATINUM.path(Role.MAP_MATRIX)}#0")
    )
    export(demo, qtbot, PictureRequest, tmp_path / "picture.png")
    with Image.open(tmp_path / "picture.png") as picture:
        assert (np.asarray(picture) == demo.jobs.frame.picture[..., :3]).all()
    assert "at" not in dialog.form_of(AllPicturesRequest).fields
    for name, value in (("maps", "0-3"), ("sheet", (2, 2)), ("second", 43200), ("jobs", 1)):
        dialog.form_of(AllPicturesRequest)[name].set(value)
        dialog.kinds.setCurrentIndex(REQUESTS.index(AllPicturesRequest))
    export(demo, qtbot, AllPicturesRequest, tmp_path / "pictures")
    cli("render", "demo", "0", "1", "2", "3", "-o", tmp_path / "same", "--sheet", "2x2")
    pictures, same = (sorted((tmp_path / folder).glob("*.png")) for folder in ("pictures", "same"))
    assert [file.name for file in pictures] == [file.name for file in same] and len(pictures) > 3
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(pictures, same, strict=True))
    export(demo, qtbot, DatabaseRequest, tmp_path / "all.sqlite")
    cli("database", "demo", "-o", tmp_path / "same.sqlite")
    assert (tmp_path / "all.sqlite").read_bytes() == (tmp_path / "same.sqlite").read_bytes()
    done |= {AllMapsRequest, PosterRequest, PictureRequest, TexturesRequest, HeightsRequest, FactsRequest, FileRequest}
    done |= {DatabaseRequest, AllPicturesRequest}
    assert done == set(REQUESTS)


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
    dialog.target.setText(str(tmp_path / "map.obj"))
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


def test_options_that_the_command_line_has(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    """A cell, another area, no clips, an atlas: the same bytes as from the command line."""
    dialog = demo.dialogs.export
    place = demo.explorer.place
    cell = place.cells[0]
    dialog.open(MapRequest)
    unfold(dialog)
    assert shown(dialog, "cell") and not shown(dialog, "maps") and not shown(dialog, "jobs")
    dialog.form_of(MapRequest)["cell"].widget.setText(f"{cell.x},{cell.z}")
    dialog.form_of(MapRequest)["static"].set(True)
    export(demo, qtbot, MapRequest, tmp_path / "still.glb")
    where = ("export", "demo", place.header.id, "--cell", f"{cell.x},{cell.z}")
    cli(*where, "--static", "-o", tmp_path / "a.glb")
    assert (tmp_path / "still.glb").read_bytes() == (tmp_path / "a.glb").read_bytes()
    dialog.form_of(MapRequest)["static"].set(False)
    dialog.form_of(MapRequest)["pattern"].set("atlas")
    dialog.form_of(MapRequest)["area"].widget.setValue(1)
    export(demo, qtbot, MapRequest, tmp_path / "atlas.glb")
    cli(*where, "--pattern", "atlas", "--area", 1, "-o", tmp_path / "b.glb")
    assert (tmp_path / "atlas.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
    assert (tmp_path / "atlas.glb").read_bytes() != (tmp_path / "still.glb").read_bytes()
    for text, sentence in (("1", "X,Z"), ("a,b", "X,Z")):
        dialog.form_of(MapRequest)["cell"].widget.setText(text)
        qtbot.mouseClick(dialog.start, Qt.LeftButton)
        assert dialog.task is None and sentence in dialog.message.text()
    dialog.open(AllMapsRequest)
    assert shown(dialog, "maps") and shown(dialog, "jobs") and not shown(dialog, "cell")
    dialog.form_of(MapRequest)["maps"].widget.setText("1-900")
    dialog.begin()
    assert dialog.task is None and "map headers go from 0" in dialog.message.text()
    dialog.form_of(MapRequest)["maps"].widget.setText(f"0-1, {place.header.internal_name}")
    outcome = export(demo, qtbot, AllMapsRequest, tmp_path / "some")
    manifest = json.loads((tmp_path / "some" / "manifest.json").read_text("utf-8"))
    assert [entry["header"] for entry in manifest["maps"]] == sorted({0, 1, place.header.id})
    assert outcome.files == [tmp_path / "some"]
    dialog.open(MapRequest)
    dialog.form_of(MapRequest)["cell"].widget.clear()
    dialog.target.setText(str(tmp_path / "map.fbx"))
    dialog.begin()
    assert dialog.task is None and "must end in .glb or .gltf or .obj" in dialog.message.text()


def test_films_and_posters_are_those_of_the_command_line(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = demo.dialogs.export
    header = demo.explorer.place.header.id
    dialog.open(PictureRequest)
    unfold(dialog)
    page = dialog.form
    page["camera"].set("game")
    assert shown(dialog, "at") and not shown(dialog, "eye") and not page["step"].widget.isEnabled()
    page["frames"].widget.setValue(3)
    page["step"].widget.setValue(5)
    page["day_cycle"].widget.setChecked(True)
    page["scale"].widget.setValue(2)
    page["second"].widget.setTime(QTime(6, 30))
    page["layers"].set([layer for layer in page["layers"].value() if layer != "people"])
    export(demo, qtbot, PictureRequest, tmp_path / "film.png")
    cli(
        "render",
        "demo",
        header,
        "--frames",
        3,
        "--step",
        5,
        "--day-cycle",
        "--scale",
        2,
        "--hour",
        "6:30",
        "--layers",
        "terrain,props",
        "-o",
        tmp_path / "film_cli.png",
    )
    assert (tmp_path / "film.png").read_bytes() == (tmp_path / "film_cli.png").read_bytes()
    page["camera"].set("free")
    assert shown(dialog, "eye")
    page["eye"].widget.setText("here")
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    assert dialog.task is None and "X,Y,Z" in dialog.message.text()
    page["eye"].widget.clear()
    page["pitch"].widget.setValue(50)
    page["frames"].set(None)
    page["weather"].set(0)
    page["wireframe"].widget.setChecked(True)
    page["missing"].widget.setChecked(True)
    export(demo, qtbot, PictureRequest, tmp_path / "free.png")
    cli(
        "render",
        "demo",
        header,
        "--camera",
        "free",
        "--pitch",
        50,
        "--scale",
        2,
        "--hour",
        "6:30",
        "--weather",
        "none",
        "--layers",
        "terrain,props",
        "--wireframe",
        "--missing",
        "--sky",
        "-o",
        tmp_path / "free_cli.png",
    )
    assert (tmp_path / "free.png").read_bytes() == (tmp_path / "free_cli.png").read_bytes()
    dialog.target.setText(str(tmp_path / "one.gif"))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    assert dialog.task is None and ".gif" in dialog.message.text()
    poster = dialog.form_of(PosterRequest)
    poster["cell_pixels"].widget.setValue(128)
    for name in ("grid", "names", "collision"):
        poster[name].widget.setChecked(True)
    poster["second"].widget.setTime(QTime(20, 0))
    poster["jobs"].widget.setValue(2)
    export(demo, qtbot, PosterRequest, tmp_path / "poster.png")
    name = demo.explorer.place.header.internal_name
    cli(
        "poster",
        "demo",
        name,
        "--cell-pixels",
        128,
        "--grid",
        "--names",
        "--collision",
        "--hour",
        20,
        "--jobs",
        1,
        "-o",
        tmp_path / "poster_cli.png",
    )
    assert (tmp_path / "poster.png").read_bytes() == (tmp_path / "poster_cli.png").read_bytes()


@pytest.mark.parametrize("kind", ["orbit", "fly", "top", "game"])
def test_a_picture_as_the_window_shows_it(demo: Any, qtbot: Any, settle: Wait, tmp_path: Path, kind: str) -> None:
    demo.explorer.set_camera(demo.explorer.camera.switched(kind).panned(8, 5))
    demo.explorer.clock.set_second(72000)
    settle(demo)
    export(demo, qtbot, PictureRequest, tmp_path / "picture.png")
    with Image.open(tmp_path / "picture.png") as picture:
        assert (np.asarray(picture) == demo.jobs.frame.picture[..., :3]).all()
        assert len(picture.convert("RGB").getcolors(1 << 16)) > 20


@pytest.mark.gl
def test_a_picture_by_opengl(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = demo.dialogs.export
    dialog.open(PictureRequest)
    page = dialog.form
    page["engine"].set("gl")
    page["camera"].set("game")
    page["scale"].set(2)
    page["tick"].set(0)
    export(demo, qtbot, PictureRequest, tmp_path / "gl.png")
    hour = demo.explorer.clock.second
    words = ["render", "demo", demo.explorer.place.header.id, "--engine", "gl", "--scale", 2, "-o", tmp_path / "b.png"]
    words += ["--hour", f"{hour // 3600}:{hour // 60 % 60}:{hour % 60}"]
    subprocess.run([sys.executable, "-m", "mapexplorer", *map(str, words)], check=True, capture_output=True)
    assert (tmp_path / "gl.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_poster_that_is_stopped_leaves_nothing(real: Any, qtbot: Any, tmp_path: Path) -> None:
    real.explorer.go(411)
    dialog = real.dialogs.export
    real.action("poster").trigger()
    unfold(dialog)
    assert dialog.kind is PosterRequest and shown(dialog, "jobs")
    dialog.form["whole_matrix"].widget.setChecked(True)
    dialog.form["jobs"].widget.setValue(2)
    dialog.target.setText(str(tmp_path / "sinnoh.png"))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.progress.value() >= 1, timeout=120_000)
    assert dialog.progress.maximum() > 20 and len(list(tmp_path.glob(".sinnoh.png*"))) == 1
    children = descendants()
    assert len(children) >= 3  # the export and its two
    qtbot.mouseClick(dialog.stop, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.task is None, timeout=30_000)
    assert dialog.message.text() == "Stopped. Nothing was written." and dialog.outcome is None
    assert list(tmp_path.glob("*sinnoh*")) == list(tmp_path.glob(".sinnoh*")) == []
    qtbot.waitUntil(lambda: not descendants() & children, timeout=10_000)


def descendants() -> set[int]:
    """The processes below this one, without multiprocessing's own helper."""
    if not Path("/proc/self/status").exists():
        pytest.skip("processes are counted in /proc")
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            text = status.read_text()
            words = status.with_name("cmdline").read_text()
            if "spawn_main" in words and "State:\tZ" not in text:
                parents[int(status.parent.name)] = int(text.split("PPid:")[1].split()[0])
    found = {os.getpid()}
    while True:
        more = {process for process, parent in parents.items() if parent in found} - found
        if not more:
            return found - {os.getpid()}
        found |= more


def test_a_long_export_is_stopped_and_goes_on_later(real: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = real.dialogs.export
    dialog.open(AllMapsRequest)
    dialog.form_of(MapRequest)["maps"].widget.setText("3-18")
    dialog.form_of(MapRequest)["jobs"].widget.setValue(1)
    dialog.target.setText(str(tmp_path / "maps"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.progress.value() >= 2 or dialog.task is None, timeout=20_000)
    assert dialog.task is not None, dialog.message.text()
    qtbot.mouseClick(dialog.stop, Qt.LeftButton)
    assert dialog.message.text() == "Stopping …"
    qtbot.waitUntil(lambda: dialog.task is None, timeout=60_000)
    assert dialog.message.text().startswith("Stopped") and dialog.outcome is None
    files = list((tmp_path / "maps").glob("*.glb"))
    assert 2 <= len(files) < 16 and not (tmp_path / "maps" / "manifest.json").exists()
    assert all(file.read_bytes()[:4] == b"glTF" for file in files)
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert dialog.outcome is not None and f"{len(files)} up to date" in dialog.outcome.sentence
    assert (tmp_path / "maps" / "manifest.json").exists()
    assert real.notices.shown == []


def _shows(window: Any, header: int) -> bool:
    frame = window.jobs.frame
    return frame is not None and frame.request.header == header


def test_another_map_is_shown_while_a_file_is_written(real: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = real.dialogs.export
    dialog.open(MatrixRequest)
    real.explorer.go(3)
    dialog.target.setText(str(tmp_path / "matrix.glb"))
    dialog.begin()
    real.explorer.go(411)
    qtbot.waitUntil(lambda: _shows(real, 411), timeout=30_000)
    assert dialog.task is not None, "the file was finished before another map was shown"
    dialog._stop()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=30_000)
    assert list(tmp_path.glob("*matrix*")) == []
    assert dialog.message.text().startswith("Stopped")


def test_a_target_that_cannot_be_written_is_told(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    dialog = demo.dialogs.export
    dialog.open(MapRequest)
    dialog.target.setText(str(tmp_path / "file" / "map.glb"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=60_000)
    assert dialog.message.text().startswith("Failed:")
    assert any("export failed" in notice.title for notice in demo.notices.shown)


@pytest.mark.parametrize("factor", [1, 3])
def test_the_ds_picture_is_saved_enlarged_to_the_pixel(demo: Any, tmp_path: Path, factor: int) -> None:
    demo.action("screenshot").trigger()
    dialog = demo.dialogs.screenshot
    dialog.factor.setValue(factor)
    dialog.overlays.setChecked(False)
    assert dialog.write(tmp_path / "picture.png")
    dialog.reject()
    saved = np.asarray(Image.open(tmp_path / "picture.png").convert("RGB"))
    truth = demo.jobs.frame.picture[..., :3]
    assert saved.shape == (192 * factor, 256 * factor, 3)
    assert (saved[::factor, ::factor] == truth).all() and (
        saved[factor - 1 :: factor, factor - 1 :: factor] == truth
    ).all()
