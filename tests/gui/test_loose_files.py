"""Loose files in their dialog: it writes what `mapexplorer convert` writes, to the byte, and says what is in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt5 import sip
from PyQt5.QtCore import Qt

from formats.nitro import KINDS
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.export.options import ConvertOptions, ExportOptions, MshOptions
from mapexplorer.export.request import ConvertRequest
from mapexplorer.export.run import run
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.gui.model.loose import TITLES, Assembly, Bench, LooseItem, export_of, put_together, read_file
from mapexplorer.gui.widgets.model_view import Turntable
from mapexplorer.system.progress import Outcome
from mapexplorer.world.models.animations import prop_animations
from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld

J3D_SAMPLES = Path(__file__).parent.parent / "j3d" / "samples"


def written(bench: Bench, assembly: Assembly, target: Path, options: ConvertOptions) -> Outcome:
    """What is exported of a model of the workbench."""
    export = export_of(bench, LooseItem(assembly.file, assembly))
    assert export is not None
    return run(ConvertRequest(files=export.files, output=target, options=options))


def exported(window: Any, qtbot: Any, target: Path) -> Any:
    """Write what the export dialog was opened for; its message."""
    dialog = window.dialogs.export
    assert dialog.isVisible() and dialog.wanted is ConvertRequest
    dialog.target.setText(str(target))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert dialog.message.text().startswith("Done:"), dialog.message.text()
    return dialog.message.text()


def converted(files: list[Path], output: Path, *options: str) -> Path:
    """What `mapexplorer convert` makes of the files."""
    from mapexplorer.cli import main

    with pytest.raises(SystemExit) as end:
        main(["convert", *map(str, files), *options, "-o", str(output)])
    assert end.value.code == 0
    return output


def clip_names(file: Path) -> list[str]:
    data = file.read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    return [animation["name"] for animation in document.get("animations", ())]


def write_prop(world: FieldWorld, folder: Path, number: int, prop_set: int) -> list[Path]:
    """A prop model without its own textures, its texture set and its animations, as files."""
    rom = world.rom
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"m{number}.nsbmd", folder / f"set{prop_set}.nsbtx"]
    files[0].write_bytes(Nsbmd(world.prop_model(number).models, None).to_bytes())
    files[1].write_bytes(bytes(rom.archive(PLATINUM.path(Role.PROP_TEXTURES))[prop_set]))
    indices = {animation.index for animation in prop_animations(world, number)}
    for index in sorted(indices):
        files.append(folder / f"m{number}_{index}.anim")
        files[-1].write_bytes(bytes(rom.archive(PLATINUM.path(Role.PROP_ANIMATIONS))[index]))
    return files


def props_with_sets(world: FieldWorld) -> dict[int, int]:
    """Prop model -> a prop set that a place shows it with, for those that have animations."""
    found: dict[int, int] = {}
    for header in world.headers:
        place = world.place(header.id)
        for cell in place.cells:
            for prop in place.props(cell):
                if prop.model and prop.model not in found and prop_animations(world, prop.model):
                    found[prop.model] = place.prop_set(cell).value
    return found


def opened_bench(window: Any, qtbot: Any, files: list[Path]) -> Any:
    """The dialog with files in it, as a drop adds them."""
    window.dialogs.loose_files.show_files([str(file) for file in files])
    qtbot.waitUntil(lambda: len(window.dialogs.loose_files.bench.given) == len(files), timeout=60_000)
    return window.dialogs.loose_files


def lines_of(bench: Any) -> list[tuple[str, list[str]]]:
    """What the tree shows: models or files, with what is below each."""
    tree = bench.tree
    items = [tree.topLevelItem(index) for index in range(tree.topLevelItemCount())]
    return [(item.text(0), [item.child(at).text(0) for at in range(item.childCount())]) for item in items]


def test_a_dropped_model_is_written_with_its_clips_as_convert_writes_it(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    world = demo.explorer.world
    number, prop_set = next(
        (model, chosen) for model, chosen in props_with_sets(world).items() if len(prop_animations(world, model)) == 2
    )
    files = write_prop(world, tmp_path / "door", number, prop_set)
    bench = opened_bench(demo, qtbot, files)
    names = [animation.name for animation in prop_animations(world, number)]
    assert lines_of(bench) == [(f"m{number}", [f"set{prop_set}.nsbtx", *names])]
    assert all(name in bench.message.text() for name in names)
    qtbot.mouseClick(bench.export_button, Qt.LeftButton)
    dialog = demo.dialogs.export
    assert Path(dialog.target.text()).name == f"m{number}.glb"
    assert "1 model written with 2 clips" in exported(demo, qtbot, tmp_path / "window.glb")
    assert clip_names(tmp_path / "window.glb") == names
    assert (tmp_path / "window.glb").read_bytes() == converted(files, tmp_path / "cli.glb").read_bytes()
    # One clip alone moves the turntable.
    bench.tree.setCurrentItem(bench.tree.topLevelItem(0).child(2))
    qtbot.waitUntil(lambda: bench._timer.isActive(), timeout=60_000)
    assert bench.current.clip.name == names[1]
    # With the options of the form, as with those of the command line.
    qtbot.mouseClick(bench.export_button, Qt.LeftButton)
    assert dialog.form.shown is ExportOptions and "place" not in dialog.form.fields
    dialog.form["static"].set(True)
    dialog.form["lit"].set(True)
    dialog.form["scale"].set(1)
    assert not dialog.form["pattern"].widget.isEnabled()
    exported(demo, qtbot, tmp_path / "still.glb")
    expected = converted(files, tmp_path / "still_cli.glb", "--static", "--lit", "--metres-per-unit", "1")
    assert (tmp_path / "still.glb").read_bytes() == expected.read_bytes() and clip_names(expected) == []
    bench.close()


def test_several_models_and_textures_into_folders(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    world = demo.explorer.world
    chosen = list(props_with_sets(world).items())[:3]
    files = list(
        dict.fromkeys(file for model, used in chosen for file in write_prop(world, tmp_path / "in", model, used))
    )
    files.append(tmp_path / "in" / "broken.nsbmd")
    files[-1].write_bytes(files[0].read_bytes()[:50])
    good = files[:-1]
    bench = opened_bench(demo, qtbot, files)
    assert lines_of(bench)[-1][0] == "broken.nsbmd"
    qtbot.mouseClick(bench.all_button, Qt.LeftButton)
    exported(demo, qtbot, tmp_path / "window")
    written = sorted(converted(good, tmp_path / "cli").iterdir())
    assert [file.name for file in written] == sorted(f"m{model}.glb" for model, _ in chosen)
    for file in written:
        assert (tmp_path / "window" / file.name).read_bytes() == file.read_bytes()
    # Of a texture set alone the pictures.
    bench.tree.setCurrentItem(bench.tree.topLevelItem(0).child(0))
    assert bench.current.file.kind == "Nsbtx"
    qtbot.mouseClick(bench.export_button, Qt.LeftButton)
    assert not demo.dialogs.export.form.fields
    exported(demo, qtbot, tmp_path / "pictures")
    pictures = sorted(converted([bench.current.file.path], tmp_path / "same").iterdir())
    assert len(pictures) > 3
    for file in pictures:
        assert (tmp_path / "pictures" / file.name).read_bytes() == file.read_bytes()
    bench.close()


def test_an_animation_that_plays_nowhere_is_said(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    world = demo.explorer.world
    (first, used), (other, _) = list(props_with_sets(world).items())[:2]
    files = write_prop(world, tmp_path, first, used)[:2]
    stray = write_prop(world, tmp_path, other, used)[2]
    bench = opened_bench(demo, qtbot, [*files, stray])
    assert [line[0] for line in lines_of(bench)] == [f"m{first}", stray.name]
    bench.tree.setCurrentItem(bench.tree.topLevelItem(1))
    assert f"drives nothing in m{first}" in bench.message.text()
    assert not bench.export_button.isEnabled()
    bench.close()


@pytest.mark.parametrize(
    "names", [["synth_skin.bmd", "synth_skin_wave.bck"], ["synth_textures.bmd"]], ids=["clip", "still"]
)
def test_gamecube_models(tmp_path: Path, names: list[str]) -> None:
    files = [J3D_SAMPLES / name for name in names]
    bench = put_together([read_file(file) for file in files])
    outcome = written(bench, bench.assemblies[0], tmp_path / "window.glb", ConvertOptions())
    assert len(outcome.facts["models"][0]["clips"]) == len(names) - 1
    assert outcome.files[0].read_bytes() == converted(files, tmp_path / "cli.glb").read_bytes()


@pytest.mark.parametrize("name", ["synth_anim.msh", "synth_archive.rlb"])
def test_iron3d_models(vectors: Path, tmp_path: Path, name: str, qtbot: Any) -> None:
    from mapexplorer.gui.dialogs.forms import Form

    form = Form(MshOptions)
    qtbot.addWidget(form)

    def chosen() -> ConvertOptions:
        return ConvertOptions(msh=MshOptions(**form.values()))

    file = vectors / "msh" / name
    bench = put_together([read_file(file)])
    assert bench.assemblies
    several = len(bench.assemblies) > 1
    target = tmp_path / "window" if several else tmp_path / "window" / f"{bench.assemblies[0].name}.glb"
    written(bench, bench.assemblies[0], target, chosen())
    by_convert = sorted(converted([file], tmp_path / "cli").iterdir())
    assert len(by_convert) == len(bench.assemblies)
    for one in by_convert:
        assert (tmp_path / "window" / one.name).read_bytes() == one.read_bytes()
    form["rate"].set(50)
    form["bake"].set(True)
    others = written(bench, bench.assemblies[0], tmp_path / "baked", chosen()).files
    expected = sorted(converted([file], tmp_path / "fast", "--rate", "50", "--bake").iterdir())
    assert [other.read_bytes() for other in sorted(others)] == [one.read_bytes() for one in expected]
    assert len(expected) == len(by_convert)


def test_every_real_prop_comes_out_as_convert_makes_it(
    rom_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = FieldWorld(open_rom(rom_path))
    every = props_with_sets(world)
    clips = 0
    for model, used in every.items():
        files = write_prop(world, tmp_path, model, used)
        bench = put_together([read_file(file) for file in files])
        outcome = written(bench, bench.assemblies[0], tmp_path / "window.glb", ConvertOptions())
        (file,), (made,) = outcome.files, outcome.facts["models"]
        assert file.read_bytes() == converted(files, tmp_path / "cli.glb").read_bytes(), model
        words = capsys.readouterr().out
        assert all(notice in words for notice in made["notices"])
        assert made["clips"] == clip_names(file)
        clips += len(made["clips"])
    assert (len(every), clips) == (103, 153)


def test_a_long_export_is_stopped_between_two_files(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    world = FieldWorld(open_rom("demo"))
    model, texture_set = next(iter(props_with_sets(world).items()))
    files = write_prop(world, tmp_path / "in", model, texture_set)
    for number in range(150):
        (tmp_path / "in" / f"copy{number}.nsbmd").write_bytes(files[0].read_bytes())
        files.append(tmp_path / "in" / f"copy{number}.nsbmd")
    bench = opened_bench(demo, qtbot, files)
    qtbot.waitUntil(lambda: len(bench.bench.assemblies) == 151 and bench.all_button.isEnabled(), timeout=60_000)
    qtbot.mouseClick(bench.all_button, Qt.LeftButton)
    dialog = demo.dialogs.export
    dialog.target.setText(str(tmp_path / "out"))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    # Files are written faster than the number is looked at, which may be that of any of them.
    qtbot.waitUntil(lambda: dialog.progress.value() > 2, timeout=60_000)
    qtbot.mouseClick(dialog.stop, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.task is None, timeout=60_000)
    assert dialog.message.text() == "Stopped. Files that were finished are complete."
    written = sorted((tmp_path / "out").iterdir())
    assert 2 <= len(written) < 151 and all(file.suffix == ".glb" and clip_names(file) for file in written)


@pytest.mark.parametrize("fails", [False, True])
def test_a_picture_that_comes_after_its_view_is_deleted_is_dropped(qapp: Any, fails: bool) -> None:
    requests: list[tuple[Any, Any]] = []
    view = Turntable(lambda wanted, orbit, take, fail: requests.append((take, fail)) or True)
    view.want("a model")
    sip.delete(view)
    [(take, fail)] = requests
    if fails:
        fail(ValueError("damaged"))
    else:
        take(np.zeros((192, 256, 4), np.uint8))


def test_every_nitro_file_has_a_title() -> None:
    assert set(KINDS.values()) <= set(TITLES) and len(set(TITLES.values())) == len(TITLES)
