"""Whether the desktop is set to dark colours, with a signal for changes. All queries are asynchronous."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

from PyQt5.QtCore import QObject, QSettings, Qt, pyqtSignal, pyqtSlot
from PyQt5.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher
from PyQt5.QtGui import QPalette
from PyQt5.QtWidgets import QApplication

_SERVICE, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_SETTINGS = "org.freedesktop.portal.Settings"
_APPEARANCE, _SCHEME = "org.freedesktop.appearance", "color-scheme"
_DARK = 1
_KEPT: Final = {
    "darwin": (str(Path.home() / "Library/Preferences/.GlobalPreferences.plist"), "AppleInterfaceStyle", "Dark"),
    "win32": (
        r"HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Themes\Personalize",
        "AppsUseLightTheme",
        0,
    ),
}
"""System -> where it keeps the setting, its name, and its value for dark colours."""


class SystemScheme(QObject):
    """The system's light or dark setting: that of Windows or macOS, the desktop portal on Linux, else the palette
    that Qt was started with. `changed` is emitted when `dark` has another value than before."""

    changed = pyqtSignal()

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._palette_is_dark = application.palette().color(QPalette.Window).lightness() < 128
        self._portal: bool | None = None
        self.dark = self._read()
        application.applicationStateChanged.connect(self._state_changed)
        if sys.platform.startswith("linux"):
            self._query_portal()

    def _read(self) -> bool:
        if sys.platform in _KEPT:
            file, name, dark = _KEPT[sys.platform]
            return bool(QSettings(file, QSettings.NativeFormat).value(name) == dark)
        return self._palette_is_dark if self._portal is None else self._portal

    def _update(self) -> None:
        dark = self._read()
        if dark != self.dark:
            self.dark = dark
            self.changed.emit()

    def _state_changed(self, state: Any) -> None:
        if state == Qt.ApplicationActive:
            self._update()

    # --- the desktop portal

    def _query_portal(self) -> None:
        if not os.environ.get("DBUS_SESSION_BUS_ADDRESS") and not Path(f"/run/user/{os.getuid()}/bus").exists():
            return
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        message = QDBusMessage.createMethodCall(_SERVICE, _PATH, _SETTINGS, "Read")
        message.setArguments([_APPEARANCE, _SCHEME])
        self._watcher = QDBusPendingCallWatcher(bus.asyncCall(message), self)
        self._watcher.finished.connect(self._answered)
        bus.connect("", _PATH, _SETTINGS, "SettingChanged", self._setting_changed)

    def _answered(self, watcher: QDBusPendingCallWatcher) -> None:
        reply: QDBusMessage = watcher.reply()  # type: ignore[attr-defined]
        if reply.type() != QDBusMessage.ErrorMessage and reply.arguments():
            self._take(reply.arguments()[0])

    @pyqtSlot(QDBusMessage)
    def _setting_changed(self, message: QDBusMessage) -> None:
        arguments = message.arguments()
        if arguments[:2] == [_APPEARANCE, _SCHEME] and len(arguments) > 2:
            self._take(arguments[2])

    def _take(self, value: Any) -> None:
        while hasattr(value, "variant"):
            value = value.variant()
        if isinstance(value, int):
            self._portal = value == _DARK
            self._update()
