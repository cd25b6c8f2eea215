"""A real window on the demo world or the real ROM, with settings of its own, driven through Qt's events.

`demo`, `real` and `town` are windows that tests share, as they are after the ROM was opened, `opened` opens another ROM
in that of the demo world; what is about starting, closing and kept settings makes its own by `make_window`.

Without a display Qt's offscreen platform is used; tests marked `gl` need a display with OpenGL (Xvfb and Mesa do).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PATIENCE = 240_000
"""Milliseconds: on a fresh checkout kernels are compiled first."""


def pytest_pycollect_makemodule() -> None:
    """Chooses the offscreen platform; not when this module is imported, because the process that hands tests to workers
    imports it too, and each of them has a display of its own."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(scope="session")
def qapp() -> Any:
    """The application as the program makes it, with letters as large as on a desktop: the offscreen platform has larger
    ones."""
    from mapexplorer.gui.app.application import application

    made = application()
    if made.platformName() == "offscreen":
        font = made.font()
        font.setPointSize(9)
        made.setFont(font)
    return made


@pytest.fixture(scope="session")
def compiled() -> None:
    """The kernels of both views, so that no test sees what only the first one of a fresh checkout would."""
    from mapexplorer import kernels

    kernels.prepare((*kernels.OPENGL, *kernels.DS_PICTURES))


@pytest.fixture(autouse=True)
def no_kept_overviews(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the pictures that another one has drawn."""
    from mapexplorer.gui.rendering import kept_overviews

    monkeypatch.setattr(kept_overviews, "SMALLEST", 1 << 30)


@pytest.fixture
def settings_file(tmp_path: Path) -> Path:
    """Where the window of a test keeps its settings."""
    return tmp_path / "settings" / "window.json"


def new_window(settings_file: Path, qtbot: Any, opengl_problem: str = "", size: tuple[int, int] = (1280, 800)) -> Any:
    """A window that is shown and active, without a ROM."""
    from PyQt5.QtWidgets import QApplication

    from mapexplorer.gui.app.application import make_window
    from mapexplorer.gui.model.settings import Settings

    window = make_window(Settings(settings_file), lambda: opengl_problem)
    window.resize(*size)
    window.show()
    qtbot.waitUntil(window.windowHandle().isExposed)
    QApplication.setActiveWindow(window)
    return window


@pytest.fixture
def make_window(qtbot: Any, compiled: None, settings_file: Path) -> Iterator[Callable[..., Any]]:
    """Makes windows that are closed, and their threads ended, when the test is over."""
    made = []

    def build(opengl_problem: str = "", size: tuple[int, int] = (1280, 800)) -> Any:
        made.append(new_window(settings_file, qtbot, opengl_problem, size))
        return made[-1]

    yield build
    for window in made:
        window.close()
        window.deleteLater()
    qtbot.wait(1)


@pytest.fixture(scope="session")
def shared_windows(qapp: Any, compiled: None) -> Iterator[Any]:
    """The windows that tests share."""
    from tests.gui.shared_windows import SharedWindows

    windows = SharedWindows()
    yield windows
    windows.close_all()


@pytest.fixture
def shared(shared_windows: Any, qtbot: Any, settings_file: Path) -> Callable[[str], Any]:
    """The shared window in which a ROM is open, as it is after opening it."""
    make, wait = partial(new_window, settings_file, qtbot), partial(settle, qtbot=qtbot)
    return lambda rom: shared_windows.at_start(rom, settings_file, make, wait)


@pytest.fixture
def demo(shared: Callable[[str], Any]) -> Any:
    """A window on the demo world."""
    return shared("demo")


@pytest.fixture
def real(shared: Callable[[str], Any], rom_path: Path) -> Any:
    """A window on the real ROM."""
    return shared(str(rom_path))


@pytest.fixture
def opened(demo: Any, qtbot: Any) -> Callable[[str], Any]:
    """Opens another ROM in the window on the demo world, and waits for its first picture."""

    def open_rom(rom: str) -> Any:
        before = demo.jobs.rom
        demo.open(rom)
        qtbot.waitUntil(lambda: demo.jobs.rom is not before, timeout=PATIENCE)
        settle(demo, qtbot)
        return demo

    return open_rom


@pytest.fixture(params=["demo", "real"])
def town(request: pytest.FixtureRequest, shared: Callable[[str], Any], qtbot: Any) -> Any:
    """A window on the town T01, once that of the demo world and once that of the real ROM."""
    window = shared("demo" if request.param == "demo" else str(request.getfixturevalue("rom_path")))
    window.explorer.go(window.explorer.world.place("T01").header.id)
    settle(window, qtbot)
    return window


@pytest.fixture(name="settle")
def settle_fixture(qtbot: Any) -> Callable[[Any], None]:
    """Waits until a window has drawn and read everything that it was asked for."""
    return lambda window: settle(window, qtbot)


def settle(window: Any, qtbot: Any) -> None:
    """Wait until the picture and the panels show what the model asks for."""

    def shown() -> bool:
        jobs, explorer = window.jobs, window.explorer
        frame = jobs.frame
        if explorer.place is None or not jobs.settled:
            return False
        if jobs.frames_wanted and frame is not None and frame.request != jobs.wanted():
            return False
        described = (
            explorer.selection is None or explorer.selection.kind == "pixel" or describes(window, explorer.selection)
        )
        overlaid = frame is None or (jobs.overlay is not None and jobs.overlay.header == explorer.place.header.id)
        return described and overlaid

    qtbot.waitUntil(shown, timeout=PATIENCE)


def describes(window: Any, thing: Any) -> bool:
    """Whether the inspector shows a thing."""
    return window.inspector.description is not None and window.inspector.description.subject == thing


def background_done(window: Any, qtbot: Any) -> None:
    """Wait until thumbnails and the map of the region are there, which are asked for a moment after the picture."""
    qtbot.wait(1000)
    qtbot.waitUntil(lambda: window.jobs.read.idle and window.jobs.map.idle, timeout=PATIENCE)


# --- what a user sees and does


@pytest.fixture(name="pixels")
def pixels_fixture() -> Callable[[Any], np.ndarray]:
    """What a widget shows, uint8 (height, width, 3)."""
    return pixels


def pixels(widget: Any) -> np.ndarray:
    """What a widget shows, uint8 (height, width, 3)."""
    from PyQt5.QtGui import QImage

    image = widget.grab().toImage().convertToFormat(QImage.Format_RGB32)
    data = image.constBits().asarray(image.width() * image.height() * 4)
    return np.frombuffer(bytes(data), np.uint8).reshape(image.height(), image.width(), 4)[..., 2::-1]


@pytest.fixture
def shown_picture() -> Callable[[Any], np.ndarray]:
    """The picture in the DS view of a window, sampled once for each pixel of the DS."""

    def shown(window: Any) -> np.ndarray:
        view = window.views.ds
        area, whole = view.picture(), pixels(view)
        ratio = view.devicePixelRatioF()
        xs = ((area.x() + (np.arange(256) + 0.5) * area.width() / 256) * ratio).astype(int)
        ys = ((area.y() + (np.arange(192) + 0.5) * area.height() / 192) * ratio).astype(int)
        return whole[np.ix_(ys, xs)]

    return shown


def move_mouse(widget: Any, point: Any, buttons: Any = None) -> None:
    """Tell a widget that the mouse moved to a point (QPoint) of it. The move is sent as an event, because a display may
    join or delay moves of its pointer."""
    from PyQt5.QtCore import QEvent, QPointF, Qt
    from PyQt5.QtGui import QMouseEvent
    from PyQt5.QtWidgets import QApplication

    over = QPointF(widget.mapToGlobal(point))
    move = QMouseEvent(QEvent.MouseMove, QPointF(point), over, Qt.NoButton, buttons or Qt.NoButton, Qt.NoModifier)
    QApplication.sendEvent(widget, move)


def drag(widget: Any, start: Any, end: Any) -> None:
    """Drag between two points (QPoint) of a widget with the left button."""
    from PyQt5.QtCore import Qt
    from PyQt5.QtTest import QTest

    QTest.mousePress(widget, Qt.LeftButton, Qt.NoModifier, start)
    for share in (0.3, 0.7, 1.0):
        move_mouse(widget, start + (end - start) * share, Qt.LeftButton)
    QTest.mouseRelease(widget, Qt.LeftButton, Qt.NoModifier, end)


@pytest.fixture
def point_of() -> Callable[[Any, np.ndarray], tuple[float, float]]:
    """Where the middle of a shape lies in the DS picture of a window, as a fraction."""

    def point(window: Any, corners: np.ndarray) -> tuple[float, float]:
        flat, front = window.views.ds.projection().project(corners.mean(0)[None])
        assert front.all()
        return float(flat[0, 0]), float(flat[0, 1])

    return point


@pytest.fixture
def click(qtbot: Any) -> Callable[[Any, float, float], None]:
    """Clicks the DS picture of a window at a fraction of it."""
    from PyQt5.QtCore import QPoint, Qt

    def click_at(window: Any, x: float, y: float) -> None:
        view = window.views.ds
        area = view.picture()
        spot = QPoint(round(area.x() + x * area.width()), round(area.y() + y * area.height()))
        qtbot.mouseClick(view, Qt.LeftButton, pos=spot)

    return click_at
