"""A real window on the demo world or the real ROM, with settings of its own, driven through Qt's events.

Without a display Qt's offscreen platform is used; tests marked `gl` need a display with OpenGL (Xvfb and Mesa do).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PATIENCE = 240_000
"""Milliseconds: on a fresh checkout the engine's kernels are compiled first."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """One worker runs all tests of the window: they share the clipboard of the display."""
    if config.pluginmanager.hasplugin("xdist"):
        here = Path(__file__).parent
        for item in items:
            if item.path.is_relative_to(here):
                item.add_marker(pytest.mark.xdist_group("window"))


@pytest.fixture(scope="session")
def qapp() -> Any:
    """The application as the program makes it."""
    from mapexplorer.gui.application import application

    return application()


@pytest.fixture
def settings_file(tmp_path: Path) -> Path:
    """Where the window of a test keeps its settings."""
    return tmp_path / "settings" / "window.json"


@pytest.fixture
def make_window(qtbot: Any, settings_file: Path) -> Iterator[Callable[..., Any]]:
    """Makes windows that are closed, and their threads ended, when the test is over."""
    from PyQt5.QtWidgets import QApplication

    from mapexplorer.gui.application import make_window as make
    from mapexplorer.gui.model.settings import Settings

    made = []

    def build(opengl_problem: str = "") -> Any:
        window = make(Settings(settings_file), lambda: opengl_problem)
        window.resize(1280, 800)
        window.show()
        qtbot.waitUntil(window.windowHandle().isExposed)
        QApplication.setActiveWindow(window)
        made.append(window)
        return window

    yield build
    for window in made:
        window.close()
        window.deleteLater()
    qtbot.wait(1)


@pytest.fixture
def opened(make_window: Callable[..., Any], qtbot: Any) -> Callable[[str], Any]:
    """A window in which a ROM has been opened and whose first picture is there."""

    def open_rom(rom: str) -> Any:
        window = make_window()
        window.open(rom)
        qtbot.waitUntil(lambda: window.director.frame is not None, timeout=PATIENCE)
        settle(window, qtbot)
        return window

    return open_rom


@pytest.fixture
def demo(opened: Callable[[str], Any]) -> Any:
    """A window on the demo world."""
    return opened("demo")


@pytest.fixture
def real(opened: Callable[[str], Any], rom_path: Path) -> Any:
    """A window on the real ROM."""
    return opened(str(rom_path))


@pytest.fixture(name="settle")
def settle_fixture(qtbot: Any) -> Callable[[Any], None]:
    """Waits until a window has drawn and read everything that it was asked for."""
    return lambda window: settle(window, qtbot)


def settle(window: Any, qtbot: Any) -> None:
    """Wait until the picture and the panels show what the model asks for."""

    def shown() -> bool:
        director, explorer = window.director, window.explorer
        frame = director.frame
        if explorer.place is None or not director.settled:
            return False
        if frame is not None and frame.request != director.wanted():
            return False
        described = (
            explorer.selection is None or explorer.selection.kind == "pixel" or window.is_shown(explorer.selection)
        )
        overlaid = frame is None or (
            director.overlay is not None and director.overlay.header == explorer.place.header.id
        )
        return described and overlaid

    qtbot.waitUntil(shown, timeout=PATIENCE)
