"""What else the real window does: settings, themes, the table of actions."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Wait = Callable[[Any], None]


def test_settings_are_kept(make_window: Callable[..., Any], qtbot: Any, settings_file: Path, settle: Wait) -> None:
    window = make_window()
    window.open("demo")
    qtbot.waitUntil(lambda: window.jobs.frame is not None and bool(window.maps.headers), timeout=240_000)
    other = next(
        header.id
        for header in window.maps.headers
        if header.id != window.explorer.place.header.id and window.explorer.world.place(header.id).cells
    )
    window.explorer.go(other)
    window.action("layer_grid").trigger()
    window.action("theme_dark").trigger()
    window.maps.groups.setCurrentIndex(2)
    settle(window)
    window.close()
    assert settings_file.exists()
    again = make_window()
    again.open("demo")
    qtbot.waitUntil(lambda: again.jobs.frame is not None, timeout=60_000)
    assert again.explorer.layers.shown("grid") and again.action("theme_dark").isChecked()
    assert again.maps.grouping == "area" and again.explorer.place.header.id == other
    again.action("theme_system").trigger()


def test_themes_change_the_colours(demo: Any, pixels: Any) -> None:
    light = pixels(demo.menuBar())[2, 400].astype(int)
    notice = demo.notices.notify("error", "Something is damaged")
    before = pixels(notice._cross).astype(int)[..., :3]
    demo.action("theme_dark").trigger()
    dark = pixels(demo.menuBar())[2, 400].astype(int)
    assert light.mean() > 180 and dark.mean() < 80
    assert before.min() < 80 and pixels(notice._cross)[..., :3].max() > 180, (
        "the cross is dark on light, then light on dark"
    )
    demo.action("theme_light").trigger()
    assert (pixels(demo.menuBar())[2, 400] == light).all()


def test_every_key_is_in_the_manual_and_belongs_to_one_action(demo: Any) -> None:
    from mapexplorer.gui.actions.action import GROUPS

    table = demo.action_set.table
    keys = [key for action in table for key in action.keys]
    assert len(keys) == len(set(keys)) > 40
    assert {action.group for action in table} == set(GROUPS)
    menus = [menu.menu() for menu in demo.menuBar().actions()]
    entries = [entry for menu in menus for entry in menu.actions() if not entry.isSeparator()]
    assert len(menus) <= 8 and 40 < len(entries) <= 60
    demo.action("keys").trigger()
    manual = demo.dialogs.manual
    sheet = manual.text.toPlainText()
    for action in table:
        if action.keys:
            assert action.name in sheet, action.id
    manual.close()


PORTAL = """
import sys
from PyQt5.QtCore import Q_CLASSINFO, QCoreApplication, QObject, QTimer, pyqtSlot
from PyQt5.QtDBus import QDBusAbstractAdaptor, QDBusConnection, QDBusMessage, QDBusVariant

application = QCoreApplication(sys.argv)

class Settings(QDBusAbstractAdaptor):
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

    @pyqtSlot(str, str, result=QDBusVariant)
    def Read(self, namespace, key):
        return QDBusVariant(0)

owner = QObject()
adaptor = Settings(owner)
bus = QDBusConnection.sessionBus()
assert bus.registerObject("/org/freedesktop/portal/desktop", owner, QDBusConnection.ExportAdaptors)
assert bus.registerService("org.freedesktop.portal.Desktop")

def change():
    path, interface = "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings"
    message = QDBusMessage.createSignal(path, interface, "SettingChanged")
    message.setArguments(["org.freedesktop.appearance", "color-scheme", QDBusVariant(1)])
    bus.send(message)

print("ready", flush=True)
sys.stdin.readline()
change()
QTimer.singleShot(60_000, application.quit)
application.exec_()
"""

FOLLOWER = """
import subprocess, sys
from PyQt5.QtCore import QTimer
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.app.application import application

portal = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
assert portal.stdout.readline().strip() == "ready"
running = application()
theme.apply(theme.SYSTEM)
light = theme.colors().window
scheme = theme.scheme()

def changed():
    theme.apply(theme.SYSTEM)
    print("light to dark" if (light, theme.colors().window) == (theme.LIGHT_COLORS.window, theme.DARK_COLORS.window)
          else "other", flush=True)
    portal.kill()
    running.quit()

scheme.changed.connect(changed)
QTimer.singleShot(300, lambda: (portal.stdin.write("go" + chr(10)), portal.stdin.flush()))
QTimer.singleShot(20_000, running.quit)
running.exec_()
"""


def test_the_theme_follows_the_desktop_while_running() -> None:
    run = shutil.which("dbus-run-session")
    if run is None:
        pytest.skip("dbus-run-session is not installed")  # a service of desktops; the program does without
    child = subprocess.run(
        [run, "--", sys.executable, "-c", FOLLOWER, PORTAL], capture_output=True, text=True, timeout=60, check=False
    )
    assert child.stdout.strip() == "light to dark", child.stderr
