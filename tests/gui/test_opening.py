"""Opening ROMs in the real window: the demo world, the user's own, broken ones, dropped files, the first run."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from PyQt5 import sip
from PyQt5.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PyQt5.QtGui import QDragEnterEvent, QDropEvent
from PyQt5.QtWidgets import QApplication, QPushButton

from mapexplorer.gui.app.application import make_window as make_window_of
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.window import LAYOUT_VERSION

Wait = Callable[[Any], None]


def test_the_demo_world_opens_and_its_picture_is_the_exact_one(demo: Any, shown_picture: Any) -> None:
    from mapexplorer import World

    frame = demo.jobs.frame
    assert demo.explorer.place.header.kind == "town or city"
    assert demo.explorer.place.header.title in demo.windowTitle()
    x, z = demo.explorer.tile
    truth = World("demo").place(demo.explorer.place.header.id).scene(second=43200, at=(x, z)).render()
    assert (frame.picture == truth).all()
    demo.views.set_sharp(True)
    QApplication.processEvents()
    assert (shown_picture(demo) == truth[..., :3]).all()


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """An image of a ROM at a path of its own."""
    path = tmp_path / "game.nds"
    path.write_bytes(resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes())
    return path


def test_the_first_run_greets_over_the_demo_world(
    make_window: Callable[..., Any], qtbot: Any, pixels: Any, image: Path
) -> None:
    window = make_window()
    window.start()
    assert window.dialogs.welcome.isVisible()
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=240_000)
    assert window.explorer.rom_path == "demo"
    light = pixels(window.dialogs.welcome)[20, 20].astype(int)
    window.action("theme_dark").trigger()
    assert light.mean() > 180 and pixels(window.dialogs.welcome)[20, 20].mean() < 80
    window.action("theme_light").trigger()
    qtbot.keyClick(window.dialogs.welcome, Qt.Key_Escape)
    assert not window.dialogs.welcome.isVisible()
    window.action("welcome").trigger()
    assert window.dialogs.welcome.isVisible()
    drop(window, [image])  # who opens a ROM has no more need of it
    qtbot.waitUntil(lambda: not window.dialogs.welcome.isVisible(), timeout=30_000)
    assert window.explorer.rom_path == str(image)


def _told(window: Any, words: str) -> bool:
    return any(words in notice.title for notice in window.notices.shown)


def test_a_broken_rom_is_told_and_the_old_one_stays(demo: Any, qtbot: Any, tmp_path: Path, image: Path) -> None:
    header = demo.explorer.place.header.id
    broken = tmp_path / "broken.nds"
    broken.write_bytes(image.read_bytes()[:30_000])
    for path, words in ((broken, "broken.nds"), (tmp_path / "nothing.nds", "nothing.nds")):
        demo.open(str(path))
        qtbot.waitUntil(partial(_told, demo, words), timeout=20_000)
        notice = demo.notices.shown[-1]
        assert notice.level == "error" and notice.sentence and notice.isVisible()
        # What stands behind it is folded away and can be copied; the window can be used all the while.
        assert QApplication.activeModalWidget() is None and not notice._details.isVisible()
        qtbot.mouseClick(next(b for b in notice.findChildren(QPushButton) if b.text() == "Details"), Qt.LeftButton)
        assert notice._details.isVisible() and words in notice._details.toPlainText()
        qtbot.mouseClick(notice._copy, Qt.LeftButton)
        copied = QApplication.clipboard().text()
        assert notice.sentence in copied and "Kind of error" in copied and "Traceback" not in copied
    assert demo.explorer.rom_path == "demo" and demo.explorer.place.header.id == header
    demo.notices.shown[0].dismiss()
    assert len(demo.notices.shown) == 1


def drop(window: Any, paths: list[Path]) -> None:
    """Drop files on the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    enter = QDragEnterEvent(QPoint(200, 200), Qt.CopyAction, data, Qt.LeftButton, Qt.NoModifier)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    event = QDropEvent(QPointF(200, 200), Qt.CopyAction, data, Qt.LeftButton, Qt.NoModifier, QEvent.Drop)
    QApplication.sendEvent(window, event)


def test_dropping_an_image_opens_it(demo: Any, qtbot: Any, image: Path, settle: Wait) -> None:
    drop(demo, [image])
    qtbot.waitUntil(lambda: demo.explorer.rom_path == str(image), timeout=30_000)
    settle(demo)
    assert demo.explorer.settings.recent == [str(image)]
    demo.recent_menu.aboutToShow.emit()
    assert [action.text() for action in demo.recent_menu.actions()] == [str(image)]


def test_dropping_loose_files_puts_them_together(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    from mapexplorer.games import Role
    from mapexplorer.games.platinum import PLATINUM

    rom = demo.explorer.world.rom
    place = demo.explorer.place
    model = next(prop.model for cell in place.cells for prop in place.props(cell) if prop.model)
    (tmp_path / "house.nsbmd").write_bytes(bytes(rom.archive(PLATINUM.path(Role.BUILD_MODEL))[model]))
    (tmp_path / "set.nsbtx").write_bytes(bytes(rom.archive(PLATINUM.path(Role.PROP_TEXTURES))[place.prop_set().value]))
    (tmp_path / "junk.bin").write_bytes(b"nothing known")
    drop(demo, sorted(tmp_path.glob("*.*")))
    qtbot.waitUntil(
        lambda: demo.dialogs.loose_files is not None and len(demo.dialogs.loose_files.bench.given) == 3, timeout=30_000
    )
    bench = demo.dialogs.loose_files
    assert [assembly.texture_sources for assembly in bench.bench.assemblies] == [(tmp_path / "set.nsbtx",)]
    assert bench.bench.assemblies[0].lacking == ()
    errors = [file.error for file in bench.bench.given if file.value is None]
    assert len(errors) == 1 and "junk.bin" in errors[0]
    qtbot.waitUntil(lambda: bench.table.pixmap() is not None and not bench.table.pixmap().isNull(), timeout=60_000)
    bench.export_button.click()
    dialog = demo.dialogs.export
    dialog.target.setText(str(tmp_path / "house.glb"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.outcome is not None, timeout=60_000)
    dialog.close()
    assert (tmp_path / "house.glb").read_bytes()[:4] == b"glTF"
    (tmp_path / "more.bin").write_bytes(b"nothing known either")
    drop(bench, [tmp_path / "more.bin"])
    qtbot.waitUntil(lambda: len(bench.bench.given) == 4, timeout=30_000)
    bench.close()


def test_dropping_a_folder_opens_an_unpacked_rom_or_shows_its_loose_files(
    demo: Any, qtbot: Any, tmp_path: Path, settle: Wait
) -> None:
    from mapexplorer.games import Role
    from mapexplorer.games.platinum import PLATINUM

    rom = demo.explorer.world.rom
    loose = tmp_path / "models"
    loose.mkdir()
    (loose / "box.nsbmd").write_bytes(bytes(rom.archive(PLATINUM.path(Role.BUILD_MODEL))[0]))
    drop(demo, [loose])
    qtbot.waitUntil(
        lambda: demo.dialogs.loose_files is not None and len(demo.dialogs.loose_files.bench.given) == 1, timeout=30_000
    )
    assert demo.explorer.rom_path == "demo" and not demo.notices.shown
    demo.dialogs.loose_files.close()

    unpacked = tmp_path / "unpacked"
    for name in rom.files:
        (unpacked / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        (unpacked / "data" / name).write_bytes(rom.file(name))
    drop(demo, [unpacked])  # without its program
    qtbot.waitUntil(partial(_told, demo, "unpacked cannot be opened"), timeout=20_000)
    assert demo.explorer.rom_path == "demo"
    (unpacked / "arm9.bin").write_bytes(rom.arm9())
    drop(demo, [unpacked])
    qtbot.waitUntil(lambda: demo.explorer.rom_path == str(unpacked), timeout=30_000)
    settle(demo)
    assert len(demo.explorer.world.headers) == 10 and demo.jobs.frame.picture[..., :3].any()


def test_without_opengl_the_reason_is_told_and_the_ds_picture_stays(
    make_window: Callable[..., Any], qtbot: Any
) -> None:
    window = make_window("the driver offers OpenGL 2.1, 3.3 is needed")
    window.open("demo")
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=240_000)
    window.action("gl_view").trigger()
    qtbot.waitUntil(lambda: bool(window.notices.shown), timeout=60_000)
    assert window.views.shown == "ds" and window.action("ds_view").isChecked()
    assert any("2.1" in notice.sentence for notice in window.notices.shown)


def test_a_first_rom_that_cannot_be_opened_leaves_the_demo_world(
    make_window: Callable[..., Any], qtbot: Any, tmp_path: Path, settings_file: Path
) -> None:
    """Also with values in the settings that the window does not write."""
    kept = {"version": 1, "layout version": LAYOUT_VERSION, "geometry": "\ud800", "panels": {"widths": {"left": "x"}}}
    settings_file.parent.mkdir()
    settings_file.write_text(json.dumps(kept | {"export sections": [[]], "last places": {"demo": "3"}, "view": "x"}))
    window = make_window()
    window.start([str(tmp_path / "nothing.nds")])
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=240_000)
    assert window.explorer.rom_path == "demo" and window.dialogs.welcome.isVisible()
    assert _told(window, "nothing.nds")


def test_a_window_that_is_deleted_asks_nothing_of_its_panels(
    qapp: Any, compiled: None, settings_file: Path, qtbot: Any
) -> None:
    window = make_window_of(Settings(settings_file), lambda: "")
    window.show()
    window.open("demo")
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=240_000)
    window.jobs.stop()
    sip.delete(window)
    qtbot.wait(1)
