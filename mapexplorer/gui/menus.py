"""The menus and the tool bar of the window, made from its actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PyQt5.QtCore import QSize
from PyQt5.QtWidgets import QLabel, QMenu, QMenuBar, QSizePolicy, QToolBar, QWidget

from mapexplorer.gui.action_set import ActionSet
from mapexplorer.gui.actions import MENUS
from mapexplorer.gui.map_mode import MapMode
from mapexplorer.gui.model.settings import Settings

TOOLBAR: Final = (
    "open", "export", "screenshot", "", "back", "forward", "", "camera_game", "camera_orbit", "camera_fly",
    "camera_top", "", "walk", "", "whole_matrix", "", "ds_view", "gl_view", "split_view", "map_view",
)  # fmt: skip
"""Ids of the actions in the tool bar; an empty one is a separator."""

RECENT_AFTER: Final = "open_folder"
"""Id of the action that the menu of recent ROMs follows."""

BOOKMARKS_AFTER: Final = "add_bookmark"
"""Id of the action that the menu of bookmarks follows."""


class RecentMenu(QMenu):
    """ROMs that were opened before; `open_rom` gets the path of the one that is chosen."""

    def __init__(self, parent: QWidget, settings: Settings, open_rom: Callable[[str], object]) -> None:
        super().__init__("Open recent", parent)
        self._settings, self._open = settings, open_rom
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        for path in self._settings.recent:
            self.addAction(path).triggered.connect(lambda _=False, path=path: self._open(path))
        if self.isEmpty():
            self.addAction("Nothing opened yet").setEnabled(False)


class BookmarkMenu(QMenu):
    """The bookmarks of the ROM, and a menu to remove them."""

    def __init__(self, parent: QWidget, map_mode: MapMode) -> None:
        super().__init__("Bookmarks", parent)
        self._map_mode = map_mode
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        for one in self._map_mode.here:
            self.addAction(one.name).triggered.connect(lambda _=False, one=one: self._map_mode.open(one))
        if self.isEmpty():
            self.addAction("None in this ROM").setEnabled(False)
            return
        self.addSeparator()
        removing = self.addMenu("Remove")
        for one in self._map_mode.here:
            chosen = removing.addAction(one.name)
            chosen.triggered.connect(lambda _=False, one=one: self._map_mode.bookmarks.remove(one))


def fill_menu_bar(bar: QMenuBar, actions: ActionSet, after: Mapping[str, QMenu]) -> None:
    """Put every action into its menu, and menus `after` the actions with these ids. Actions are updated before a menu
    is shown."""
    menus = {title: bar.addMenu(title) for title in MENUS}
    for entry in actions.table:
        menu = menus[entry.menu]
        menu.addAction(actions[entry.id])
        if entry.id in after:
            menu.addMenu(after[entry.id])
        if entry.separator:
            menu.addSeparator()
    for menu in menus.values():
        menu.aboutToShow.connect(actions.update)


class Toolbar(QToolBar):
    """Buttons for the actions used most, the name of the map, and the search."""

    def __init__(self, actions: ActionSet) -> None:
        super().__init__("Tools")
        self.setObjectName("tools")
        self.setMovable(False)
        self.setIconSize(QSize(16, 16))
        for name in TOOLBAR:
            if name:
                self.addAction(actions[name])
            else:
                self.addSeparator()
        self.place = QLabel()
        self.place.setProperty("role", "heading")
        for widget in (_spring(), self.place, _spring()):
            self.addWidget(widget)
        self.addAction(actions["palette"])


def _spring() -> QWidget:
    """An empty widget that takes the space that is left."""
    widget = QWidget()
    widget.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Preferred)
    return widget
