"""The menus and the tool bar of the window, made from its actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PyQt5.QtCore import QSize
from PyQt5.QtWidgets import QLabel, QMenu, QMenuBar, QSizePolicy, QToolBar, QWidget

from mapexplorer.gui.actions.action import MENUS
from mapexplorer.gui.actions.action_set import ActionSet
from mapexplorer.gui.model.bookmarks import bookmarks, keep_bookmark
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.modes.map_mode import MapMode

TOOLBAR: Final = (
    "open",
    "export",
    "screenshot",
    "",
    "back",
    "forward",
    "",
    "camera_game",
    "camera_orbit",
    "camera_fly",
    "camera_top",
    "",
    "walk",
    "",
    "whole_matrix",
    "",
    "ds_view",
    "gl_view",
    "split_view",
    "map_view",
)
"""Ids of the actions in the tool bar; an empty one is a separator."""

RECENT_AFTER: Final = "open_folder"
"""Id of the action that the menu of recent ROMs follows."""

BOOKMARKS_AFTER: Final = "add_bookmark"
"""Id of the action that the menu of bookmarks follows."""


def recent_menu(parent: QWidget, settings: Settings, open_rom: Callable[[str], object]) -> QMenu:
    """A menu of ROMs that were opened before; `open_rom` gets the path of the one that is chosen."""
    menu = QMenu("Open recent", parent)
    menu.aboutToShow.connect(
        lambda: _fill(menu, [(path, partial(open_rom, path)) for path in settings.recent], "Nothing opened yet")
    )
    return menu


def bookmark_menu(parent: QWidget, map_mode: MapMode) -> QMenu:
    """A menu of the bookmarks of the ROM, with one to remove them."""
    menu = QMenu("Bookmarks", parent)

    def fill() -> None:
        here, remove = bookmarks(map_mode.explorer), partial(keep_bookmark, map_mode.explorer, link="")
        _fill(menu, [(name, partial(map_mode.open, link)) for name, link in here.items()], "None in this ROM")
        if here:
            menu.addSeparator()
            _fill(menu.addMenu("Remove"), [(name, partial(remove, name)) for name in here])

    menu.aboutToShow.connect(fill)
    return menu


def _fill(menu: QMenu, entries: Sequence[tuple[str, Callable[[], object]]], nothing: str = "") -> None:
    """Replace the entries of a menu by titles with functions, or by a text for none."""
    menu.clear()
    for title, run in entries:
        menu.addAction(title).triggered.connect(lambda _, run=run: run())
    if not entries:
        menu.addAction(nothing).setEnabled(False)


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


def tool_bar(actions: ActionSet, place: QLabel) -> QToolBar:
    """Buttons for the actions used most, the name of the place, and the search."""
    bar = QToolBar("Tools")
    bar.setObjectName("tools")
    bar.setMovable(False)
    bar.setIconSize(QSize(16, 16))
    for name in TOOLBAR:
        if name:
            bar.addAction(actions[name])
        else:
            bar.addSeparator()
    for widget in (_spring(), place, _spring()):
        bar.addWidget(widget)
    bar.addAction(actions["palette"])
    return bar


def _spring() -> QWidget:
    """An empty widget that takes the space that is left."""
    widget = QWidget()
    widget.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Preferred)
    return widget
