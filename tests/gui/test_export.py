"""What is exported by the export dialog: the files of every kind, and those of the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt5.QtCore import Qt, QTime

from mapexplorer.export.request import (
    AllMapsRequest,
    AllPicturesRequest,
    ConvertRequest,
    DatabaseRequest,
    FileRequest,
    KitRequest,
    MapRequest,
    MatrixRequest,
    ModelRequest,
    ModelsRequest,
    PictureRequest,
    PosterRequest,
    TexturesRequest,
)
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.gui.dialogs.export import REQUESTS
from mapexplorer.world.models.animations import prop_animations
from tests.gui.exporting import cli, export, shown, unfold

Wait = Callable[[Any], None]


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
    done |= {AllMapsRequest, PosterRequest, PictureRequest, TexturesRequest, FileRequest}
    done |= {DatabaseRequest, AllPicturesRequest}
    assert done | {ConvertRequest} == set(REQUESTS)  # which tests/gui/test_loose_files.py has


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
