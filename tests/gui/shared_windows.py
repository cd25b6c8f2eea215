"""Windows that tests share: each is put back to how it was when its ROM had just been opened."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PyQt5.QtCore import QSignalBlocker, Qt
from PyQt5.QtGui import QCursor
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QMainWindow

from mapexplorer.gui.jobs.opening import Opened
from mapexplorer.gui.model.camera import ViewCamera
from mapexplorer.gui.model.comparison import ComparedRom
from mapexplorer.gui.model.layers import STANDARD
from mapexplorer.gui.model.map_camera import MapCamera
from mapexplorer.gui.model.marks import Marks
from mapexplorer.gui.model.signal import Signal
from mapexplorer.gui.model.walking import PEOPLE, SURF
from mapexplorer.gui.views.area import DS
from mapexplorer.gui.widgets.controls import show_text
from mapexplorer.gui.widgets.theme import SYSTEM
from mapexplorer.scene.view import View
from mapexplorer.units import NOON
from tests.gui.window_state import differences, docks_of, state_of

SIZE = 1280, 800
Make = Callable[[], Any]
Settle = Callable[[Any], None]
log = logging.getLogger(__name__)


class SharedWindows:
    """At most one window for each ROM.

    A window is handed out again only if nothing in it differs from how it was when it was new; otherwise, as after a
    test that has closed it, a new one takes its place.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Any, Opened, MapCamera, dict[str, Any]]] = {}
        """By ROM: its window, what was read of the ROM, and the camera of the map and the state when it was new."""

    def at_start(self, rom: str, settings_file: Path, make: Make, settle: Settle) -> Any:
        """The window of a ROM, at the map at which it is opened. `make` makes another one."""
        if rom in self._kept:
            window, opened, camera, first = self._kept[rom]
            changes = ["it was closed"]
            if not window.isHidden():
                reset(window, opened, first["docks"])
                window.views.map.set_camera(camera)
                settle(window)
                changes = differences(first, state_of(window))
            if not changes:
                window.explorer.settings.file = settings_file
                return window
            log.info("another window for %s, because of %s", rom, ", ".join(changes[:12]))
            self.close(rom)
        window = make()
        window.open(rom)
        settle(window)
        self._kept[rom] = window, window.jobs.rom, window.views.map.camera, state_of(window)
        return window

    def close(self, rom: str) -> None:
        """Close the window of a ROM, and let it be deleted."""
        window, *_ = self._kept.pop(rom)
        window.close()
        window.deleteLater()
        QTest.qWait(1)

    def close_all(self) -> None:
        """Close every window."""
        for rom in list(self._kept):
            self.close(rom)


def drop_dialogs(window: Any) -> None:
    """Delete dialogs that no worker has a job of; they are made anew when they are shown."""
    dialogs, explorer = window.dialogs, window.explorer
    made = vars(dialogs)
    dropped = [made.pop(name, None) for name in ("preferences", "loose_files", "manual")]
    if "export" in made and made["export"].task is None:
        dropped.append(made.pop("export"))
        explorer.place_changed.disconnect(dropped[-1]._suggest)
        dropped[-1]._previewed = None  # a worker may be busy with a preview
    for dialog in filter(None, dropped):
        dialog.close()
        dialog.deleteLater()


def empty_panels(window: Any) -> None:
    """Empty fields and lists of panels; what they read is read again when they are shown."""
    names, textures, heights = window.names, window.textures, window.heights
    for field in (names.field, window.models.first):
        field.clear()
    names.kinds.setCurrentIndex(0)
    for box in (names.here, textures.here, window.inspector.sources):
        box.setChecked(box is textures.here)
    for message in (names.message, window.script.message, window.bytes.message):
        show_text(message, "")
    window.matrix.modes.setCurrentIndex(0)
    window.status.cursor.clear()
    heights.text.clear()
    for field in (textures.sets, *heights.fields):
        with QSignalBlocker(field):
            field.clear() if field is textures.sets else field.setValue(0)
    textures._header = -1


def disconnect_tests(explorer: Any) -> None:
    """Disconnect what tests have connected to the signals of the model."""
    for signal in vars(explorer).values():
        if isinstance(signal, Signal):
            for receiver in tuple(signal._receivers):
                if str(receiver.__module__).startswith("tests."):
                    signal.disconnect(receiver)


def reset(window: Any, opened: Opened, docks: Any) -> None:
    """Close what a window has opened, use the standard settings, and open a ROM again as it was read before, also after
    another one."""
    explorer = window.explorer
    disconnect_tests(explorer)
    for other in QApplication.topLevelWidgets():
        if other.isVisible() and not isinstance(other, QMainWindow):
            other.close()
    drop_dialogs(window)
    empty_panels(window)
    window.dialogs.welcome.hide()
    window.compare_mode.close()
    window.compare_mode.state.slide(ComparedRom.slider)
    if window.routes.shown:
        window.routes.toggle_reached()
    walking = window.walk_mode.walking
    walking.stop()
    walking.modes, walking.reason = {PEOPLE, SURF}, ""
    explorer.marks = Marks()
    if window.map_mode.measures:
        window.map_mode.toggle_ruler()
    window.views.show_view(DS)
    for notice in window.notices.shown:
        notice.dismiss()
    for panel in (window.maps, window.files):
        panel.filter.clear()
    window.maps.groups.setCurrentIndex(0)
    window.files.show_loaded(())
    window.files.message.clear()
    window.inspection._pixel = window.inspection._drawn = window.inspection._state = None
    window.picking._clicked = None
    window.picking.hovered = None
    if explorer.settings.get("theme", SYSTEM) != SYSTEM:
        window.set_theme(SYSTEM)
    explorer.settings._values.clear()
    window._remembered = ""
    explorer.layers.restore({layer.id: [layer.visible, layer.opacity] for layer in STANDARD})
    explorer.clock.set_speed(1)
    explorer.clock.set_second(NOON + 1)  # a second of a playing clock has a fraction
    explorer.clock.set_second(NOON)
    explorer._entering = None
    explorer.options = View()
    explorer._hidden_weather = None
    explorer.scene_changed.emit()
    explorer.camera = ViewCamera()
    if window.windowState() != Qt.WindowNoState:
        window.setWindowState(Qt.WindowNoState)
    window.resize(*SIZE)
    window.docks.hide_all(False)
    if docks_of(window) != docks:
        window.docks.arrange()
    window.jobs._take(replace(opened, arrival=None))
    window.maps.rebuild()
    QCursor.setPos(QApplication.primaryScreen().geometry().bottomRight())
    window.raise_()
    QApplication.setActiveWindow(window)
    window.views.active.setFocus(Qt.OtherFocusReason)
