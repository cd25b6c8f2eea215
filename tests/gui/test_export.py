"""The export dialog: every kind is written, a long one is stopped and resumed, nothing blocks the window."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication

from mapexplorer.gui.model.exports import (
    ALL_MAPS,
    HEIGHTS,
    KINDS,
    MODEL,
    POSTER,
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
    assert dialog.stop.text() == "Stop" and not dialog.start.isEnabled()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert dialog.outcome is not None, dialog.result.text()
    assert dialog.start.isEnabled() and dialog.result.text().startswith("Done:")
    return dialog.outcome


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
    done |= {ALL_MAPS, POSTER, TEXTURES, HEIGHTS, TABLES}
    assert done == {kind.id for kind in KINDS}


def test_presets_set_the_options(demo: Any) -> None:
    dialog = demo.export_dialog()
    dialog.open()
    index = next(i for i in range(dialog.preset.count()) if "collision" in dialog.preset.itemText(i))
    dialog.preset.setCurrentIndex(index)
    dialog.preset.activated.emit(index)
    options = dialog.chosen_options()
    assert options.collision and options.heights and not options.lit and options.scale == 1 / 16
    dialog.light.setCurrentIndex(1)
    assert dialog.chosen_options().lit
    dialog.hide()


def test_a_long_export_is_stopped_and_goes_on_later(real: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = real.export_dialog()
    dialog.open(ALL_MAPS)
    dialog.headers = tuple(range(3, 19))
    dialog.target.setText(str(tmp_path / "maps"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.progress.value() >= 2, timeout=120_000)
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


def test_the_window_lives_while_files_are_written(real: Any, qtbot: Any, tmp_path: Path, settle: Wait) -> None:
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
    assert max(busy) < 0.1 and max(waited) < 1.0, (max(busy), max(waited))
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
    import numpy as np

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
