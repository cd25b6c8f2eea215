"""The export dialog: every kind is written, a long one is stopped and resumed, nothing blocks the window."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image
from PyQt5.QtCore import Qt, QTime
from PyQt5.QtWidgets import QApplication

from mapexplorer.cli import program
from mapexplorer.export.options import ExportOptions
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.gui.dialogs.options import ModelOptions
from mapexplorer.gui.model.exports import (
    ALL_MAPS,
    FILE,
    HEIGHTS,
    KINDS,
    MODEL,
    PICTURE,
    POSTER,
    PRESETS,
    TABLES,
    TEXTURES,
    THIS_MAP,
    WHOLE_MATRIX,
)
from mapexplorer.world.animations import prop_animations

Wait = Callable[[Any], None]


def export(window: Any, qtbot: Any, kind: str, target: Path, model: int | None = None) -> Any:
    """Export by the dialog's own buttons; the outcome."""
    dialog = window.export_dialog()
    dialog.open(kind, model)
    assert dialog.kind.id == kind and dialog.target.text()
    dialog.target.setText(str(target))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    assert dialog.stop.text() == "Stop" and not dialog.start.isEnabled(), dialog.result.text()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert dialog.outcome is not None, dialog.result.text()
    assert dialog.start.isEnabled() and dialog.result.text().startswith("Done:")
    return dialog.outcome


def cli(*arguments: object) -> str:
    """Runs the command line; what it printed."""
    ran = CliRunner().invoke(program, [str(argument) for argument in arguments])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_every_kind_of_export_writes_what_it_says(
    demo: Any, qtbot: Any, tmp_path: Path, validate_glb: Callable[..., int]
) -> None:
    place = demo.explorer.place
    model = next(prop.model for cell in place.cells for prop in place.props(cell) if prop.model)
    done = set()
    for kind, name in ((THIS_MAP, "map.glb"), (WHOLE_MATRIX, "matrix.glb"), (MODEL, "model.glb")):
        export(demo, qtbot, kind, tmp_path / name, model)
        done.add(kind)
    sizes = [(tmp_path / name).stat().st_size for name in ("map.glb", "matrix.glb", "model.glb")]
    assert sizes[1] > sizes[0] > sizes[2]
    moving = next(number for number in range(40) if prop_animations(demo.explorer.world, number))
    export(demo, qtbot, MODEL, tmp_path / "moving.glb", moving)
    data = (tmp_path / "moving.glb").read_bytes()
    clips = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    assert len(clips["animations"]) == len(prop_animations(demo.explorer.world, moving))
    outcome = export(demo, qtbot, ALL_MAPS, tmp_path / "maps")
    manifest = json.loads((tmp_path / "maps" / "manifest.json").read_text("utf-8"))
    assert manifest["counts"]["files"] == len(list((tmp_path / "maps").glob("*.glb"))) > 3
    assert str(manifest["counts"]["files"]) in outcome.sentence
    assert validate_glb([*tmp_path.glob("*.glb"), *(tmp_path / "maps").glob("*.glb")]) > 6
    demo.export_dialog().poster.cell_pixels.setValue(256)
    export(demo, qtbot, POSTER, tmp_path / "poster.png")
    with Image.open(tmp_path / "poster.png") as picture:
        assert picture.size == (place.matrix.width * 256, place.matrix.height * 256)
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 50
    outcome = export(demo, qtbot, TEXTURES, tmp_path / "textures")
    assert len(outcome.files) > 3 and all(Image.open(file).size[0] >= 8 for file in outcome.files)
    export(demo, qtbot, HEIGHTS, tmp_path / "heights.json")
    assert len(json.loads((tmp_path / "heights.json").read_text())["cells"]) == len(place.cells)
    export(demo, qtbot, TABLES, tmp_path / "facts.json")
    facts = json.loads((tmp_path / "facts.json").read_text("utf-8"))
    assert facts[0]["kind"] == "header" and facts[0]["key"] == [place.header.id]
    dialog = demo.export_dialog()
    dialog.file.path.setText(f"{PLATINUM.path(Role.MAP_MATRIX)}#0")
    export(demo, qtbot, FILE, tmp_path / "file.json")
    assert json.loads((tmp_path / "file.json").read_text("utf-8")) == json.loads(
        cli("dump", "demo", f"{PLATINUM.path(Role.MAP_MATRIX)}#0")
    )
    export(demo, qtbot, PICTURE, tmp_path / "picture.png")
    with Image.open(tmp_path / "picture.png") as picture:
        assert (np.asarray(picture) == demo.director.frame.picture[..., :3]).all()
    done |= {ALL_MAPS, POSTER, PICTURE, TEXTURES, HEIGHTS, TABLES, FILE}
    assert done == {kind.id for kind in KINDS}


def test_presets_set_the_options(demo: Any) -> None:
    dialog = demo.export_dialog()
    dialog.open()
    preset = dialog.gltf.preset
    index = next(i for i in range(preset.count()) if "collision" in preset.itemText(i))
    preset.setCurrentIndex(index)
    preset.activated.emit(index)
    options = dialog.gltf.options()
    assert options.collision and options.heights and not options.lit and options.scale == 1 / 16
    dialog.gltf.form.light.setCurrentIndex(1)
    assert dialog.gltf.options().lit
    for title, chosen in PRESETS.items():
        preset.setCurrentIndex(preset.findText(title))
        preset.activated.emit(preset.currentIndex())
        assert dialog.gltf.options() == chosen
    dialog.hide()


def test_the_dialog_has_every_option_of_a_glb() -> None:
    """Each field of the options can be set to something else than usual, and comes back."""
    changed = ExportOptions(
        second=3661, lit=True, scale=0.5, merge="material", bake_mirror=True, collision=True, heights=True,
        dummies=True, static=True, pattern="atlas",
    )  # fmt: skip
    usual = ExportOptions()
    assert all(getattr(changed, field.name) != getattr(usual, field.name) for field in dataclasses.fields(changed))
    form = ModelOptions(True)
    assert form.options() == usual
    form.take(changed)
    assert form.options() == changed
    form.deleteLater()


def test_options_that_the_command_line_has(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    """A cell, another area, no clips, an atlas: the same bytes as from the command line."""
    dialog = demo.export_dialog()
    place = demo.explorer.place
    cell = place.cells[0]
    dialog.open(THIS_MAP)
    assert dialog.gltf.cell.isVisible() and not dialog.gltf.maps.isVisible() and not dialog.processes.isVisible()
    dialog.gltf.cell.setText(f"{cell.x},{cell.z}")
    dialog.gltf.form.animations.setCurrentIndex(1)
    export(demo, qtbot, THIS_MAP, tmp_path / "still.glb")
    where = ("export", "demo", place.header.id, "--cell", f"{cell.x},{cell.z}")
    cli(*where, "--static", "-o", tmp_path / "a.glb")
    assert (tmp_path / "still.glb").read_bytes() == (tmp_path / "a.glb").read_bytes()
    dialog.gltf.form.animations.setCurrentIndex(0)
    dialog.gltf.form.pattern.setCurrentIndex(1)
    dialog.gltf.area.setValue(1)
    export(demo, qtbot, THIS_MAP, tmp_path / "atlas.glb")
    cli(*where, "--pattern", "atlas", "--area", 1, "-o", tmp_path / "b.glb")
    assert (tmp_path / "atlas.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
    assert (tmp_path / "atlas.glb").read_bytes() != (tmp_path / "still.glb").read_bytes()
    for text, sentence in (("1", "X,Z"), ("a,b", "X,Z")):
        dialog.gltf.cell.setText(text)
        qtbot.mouseClick(dialog.start, Qt.LeftButton)
        assert dialog.task is None and sentence in dialog.result.text()
    dialog.open(ALL_MAPS)
    assert dialog.gltf.maps.isVisible() and dialog.processes.isVisible() and not dialog.gltf.cell.isVisible()
    dialog.gltf.maps.setText("1-900")
    dialog.begin()
    assert dialog.task is None and "map headers go from 0" in dialog.result.text()
    dialog.gltf.maps.setText(f"0-1, {place.header.internal_name}")
    outcome = export(demo, qtbot, ALL_MAPS, tmp_path / "some")
    manifest = json.loads((tmp_path / "some" / "manifest.json").read_text("utf-8"))
    assert [entry["header"] for entry in manifest["maps"]] == sorted({0, 1, place.header.id})
    assert outcome.files == [tmp_path / "some"]
    dialog.open(THIS_MAP)
    dialog.target.setText(str(tmp_path / "map.gltf"))
    dialog.begin()
    assert dialog.task is None and "ends in .glb" in dialog.result.text()


def test_films_and_posters_are_those_of_the_command_line(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = demo.export_dialog()
    header = demo.explorer.place.header.id
    dialog.open(PICTURE)
    page = dialog.picture
    page.camera.setCurrentIndex(page.camera.findData("game"))
    assert page.spot.isVisible() and not page.eye.isVisible() and not page.step.isEnabled()
    page.frames.setValue(3)
    page.step.setValue(5)
    page.day_cycle.setChecked(True)
    page.scale.setValue(2)
    page.time.setTime(QTime(6, 30))
    page.layers["people"].setChecked(False)
    export(demo, qtbot, PICTURE, tmp_path / "film.png")
    cli("render", "demo", header, "--frames", 3, "--step", 5, "--day-cycle", "--scale", 2, "--hour", "6:30",
        "--layers", "terrain,props", "-o", tmp_path / "film_cli.png")  # fmt: skip
    assert (tmp_path / "film.png").read_bytes() == (tmp_path / "film_cli.png").read_bytes()
    page.camera.setCurrentIndex(page.camera.findData("free"))
    assert page.eye.isVisible()
    page.eye.setText("here")
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    assert dialog.task is None and "X,Y,Z" in dialog.result.text()
    page.eye.clear()
    page.pitch.setValue(50)
    page.frames.setValue(1)
    page.weather.setCurrentIndex(page.weather.findData(False))
    page.wireframe.setChecked(True)
    page.missing.setChecked(True)
    export(demo, qtbot, PICTURE, tmp_path / "free.png")
    cli("render", "demo", header, "--camera", "free", "--pitch", 50, "--scale", 2, "--hour", "6:30",
        "--weather", "none", "--layers", "terrain,props", "--wireframe", "--missing", "-o",
        tmp_path / "free_cli.png")  # fmt: skip
    assert (tmp_path / "free.png").read_bytes() == (tmp_path / "free_cli.png").read_bytes()
    dialog.target.setText(str(tmp_path / "one.gif"))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    assert dialog.task is None and ".gif" in dialog.result.text()
    poster = dialog.poster
    poster.cell_pixels.setValue(128)
    poster.grid.setChecked(True)
    poster.names.setChecked(True)
    poster.collision.setChecked(True)
    poster.time.setTime(QTime(20, 0))
    dialog.processes.setValue(2)
    export(demo, qtbot, POSTER, tmp_path / "poster.png")
    name = demo.explorer.place.header.internal_name
    cli("poster", "demo", name, "--cell", 128, "--grid", "--names", "--collision", "--hour", 20, "--jobs", 1, "-o",
        tmp_path / "poster_cli.png")  # fmt: skip
    assert (tmp_path / "poster.png").read_bytes() == (tmp_path / "poster_cli.png").read_bytes()


@pytest.mark.parametrize("kind", ["orbit", "fly", "top", "game"])
def test_a_picture_as_the_window_shows_it(demo: Any, qtbot: Any, settle: Wait, tmp_path: Path, kind: str) -> None:
    demo.explorer.look(demo.explorer.camera.switched(kind).panned(8, 5))
    demo.explorer.clock.set_second(72000)
    settle(demo)
    export(demo, qtbot, PICTURE, tmp_path / "picture.png")
    with Image.open(tmp_path / "picture.png") as picture:
        assert (np.asarray(picture) == demo.director.frame.picture[..., :3]).all()
        assert len(picture.convert("RGB").getcolors(1 << 16)) > 20


@pytest.mark.gl
def test_a_picture_by_opengl(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = demo.export_dialog()
    dialog.open(PICTURE)
    page = dialog.picture
    page.engine.setCurrentIndex(page.engine.findData("gl"))
    page.camera.setCurrentIndex(page.camera.findData("game"))
    page.scale.setValue(2)
    page.tick.setValue(0)
    assert not page.particles.isEnabled()
    export(demo, qtbot, PICTURE, tmp_path / "gl.png")
    hour = demo.explorer.clock.second
    words = ["render", "demo", demo.explorer.place.header.id, "--engine", "gl", "--scale", 2, "-o", tmp_path / "b.png"]
    words += ["--hour", f"{hour // 3600}:{hour // 60 % 60}:{hour % 60}"]
    subprocess.run([sys.executable, "-m", "mapexplorer", *map(str, words)], check=True, capture_output=True)
    assert (tmp_path / "gl.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_poster_that_is_stopped_leaves_nothing(real: Any, qtbot: Any, tmp_path: Path) -> None:
    real.explorer.go(411)
    dialog = real.export_dialog()
    dialog.open(POSTER)
    assert dialog.processes.isVisible()
    dialog.processes.setValue(2)
    dialog.target.setText(str(tmp_path / "sinnoh.png"))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.progress.value() >= 1, timeout=120_000)
    assert dialog.progress.maximum() > 20 and len(list(tmp_path.glob(".sinnoh.png*"))) == 1
    children = descendants()
    assert len(children) >= 3  # the export and its two
    qtbot.mouseClick(dialog.stop, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.task is None, timeout=30_000)
    assert dialog.result.text() == "Stopped. Nothing was written." and dialog.outcome is None
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
    dialog = real.export_dialog()
    dialog.open(ALL_MAPS)
    dialog.gltf.maps.setText("3-18")
    dialog.processes.setValue(1)
    dialog.target.setText(str(tmp_path / "maps"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.progress.value() >= 2 or dialog.task is None, timeout=20_000)
    assert dialog.task is not None, dialog.result.text()
    qtbot.mouseClick(dialog.stop, Qt.LeftButton)
    assert dialog.result.text() == "Stopping …"
    qtbot.waitUntil(lambda: dialog.task is None, timeout=60_000)
    assert dialog.result.text().startswith("Stopped") and dialog.outcome is None
    files = list((tmp_path / "maps").glob("*.glb"))
    assert 2 <= len(files) < 16 and not (tmp_path / "maps" / "manifest.json").exists()
    assert all(file.read_bytes()[:4] == b"glTF" for file in files)
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert dialog.outcome is not None and f"{len(files)} up to date" in dialog.outcome.sentence
    assert (tmp_path / "maps" / "manifest.json").exists()
    assert real.notices.shown == []


def _shows(window: Any, header: int) -> bool:
    frame = window.director.frame
    return frame is not None and frame.request.header == header


def test_the_window_lives_while_files_are_written(
    real: Any, qtbot: Any, tmp_path: Path, settle: Wait, slowness: Callable[[], float]
) -> None:
    dialog = real.export_dialog()
    dialog.open(WHOLE_MATRIX)
    real.explorer.go(3)
    dialog.target.setText(str(tmp_path / "matrix.glb"))
    dialog.begin()
    real.explorer.go(411)
    frames = real.director.frames_drawn
    busy, waited = [], []
    end = time.perf_counter() + 3
    while time.perf_counter() < end and not (_shows(real, 411) and len(busy) >= 100):
        work, start = time.thread_time(), time.perf_counter()
        QApplication.processEvents()
        busy.append(time.thread_time() - work)
        waited.append(time.perf_counter() - start)
    assert real.director.frames_drawn > frames and _shows(real, 411)
    assert dialog.task is not None, "the file was finished before another map was shown"
    # What the window itself worked at a stretch; the clock on the wall also counts what else the machine does.
    assert max(busy) < 0.1 * slowness() and max(waited) < 1.0 * slowness(), (max(busy), max(waited))
    dialog._stop()
    stopped = time.perf_counter()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=30_000)
    # The largest file of all takes much longer than this: it was really stopped, and nothing of it is left.
    assert time.perf_counter() - stopped < 5 and list(tmp_path.glob("*matrix*")) == []
    assert dialog.result.text().startswith("Stopped")


def test_a_target_that_cannot_be_written_is_told(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    dialog = demo.export_dialog()
    dialog.open(THIS_MAP)
    dialog.target.setText(str(tmp_path / "file" / "map.glb"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=60_000)
    assert dialog.result.text().startswith("Failed:")
    assert any("export failed" in notice.title for notice in demo.notices.shown)


@pytest.mark.parametrize("factor", [1, 3])
def test_the_ds_picture_is_saved_enlarged_to_the_pixel(demo: Any, tmp_path: Path, factor: int) -> None:
    demo.action("screenshot").trigger()
    dialog = demo.screenshot_dialog
    dialog.factor.setValue(factor)
    dialog.overlays.setChecked(False)
    assert dialog.write(tmp_path / "picture.png")
    dialog.reject()
    saved = np.asarray(Image.open(tmp_path / "picture.png").convert("RGB"))
    truth = demo.director.frame.picture[..., :3]
    assert saved.shape == (192 * factor, 256 * factor, 3)
    assert (saved[::factor, ::factor] == truth).all() and (
        saved[factor - 1 :: factor, factor - 1 :: factor] == truth
    ).all()
