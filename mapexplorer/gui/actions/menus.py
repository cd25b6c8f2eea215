"""The menus, the tool bar, the rail, and buttons over the picture, made from the actions of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from PyQt5.QtCore import QSize, Qt
from PyQt5.QtWidgets import QAction, QGridLayout, QLabel, QMenu, QMenuBar, QSizePolicy, QToolBar, QToolButton, QWidget

from mapexplorer.gui.actions.action_set import ActionSet
from mapexplorer.gui.docks.panel import Panel
from mapexplorer.gui.model.bookmarks import bookmarks, keep_bookmark
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.modes.map_mode import MapMode
from mapexplorer.gui.widgets.icons import icon
from mapexplorer.gui.widgets.layout import tool_button
from mapexplorer.gui.widgets.overlay import OverlayFrame

RECENT, BOOKMARKS, LINE = "recent", "bookmarks", ""
"""In the lists below: the menu of recent ROMs, that of bookmarks, a separator."""

MENUS: Final[dict[str, tuple[str, ...]]] = {
    "&File": (
        *("open", "open_folder", "open_save", RECENT, "open_files", LINE),
        *("export", "screenshot", "copy_picture", "copy_link", LINE),
        *("rom_page", "preferences", LINE, "quit"),
    ),
    "&Go": ("back", "forward", LINE, "palette", "go_to_tile", "follow_warp", LINE, "add_bookmark", BOOKMARKS),
    "&View": (
        *("ds_view", "gl_view", "split_view", "map_view", LINE),
        *("camera_game", "camera_orbit", "camera_fly", "camera_top", LINE),
        *("show_layers", "weather", "all_objects", "my_save", LINE),
        *("hide_panels", "full_screen", "default_layout"),
    ),
    "Wal&k": ("walk", "walk_bicycle", "walk_ghost", LINE, "reachable"),
    "&Inspect": (
        *("show_maps", "show_events", "show_encounters", "show_left", "show_files", "show_models", "show_names", LINE),
        *("show_inspector", "show_script", "show_bytes", "show_state"),
    ),
    "Com&pare": ("compare", "compare_folder", "compare_commit", "compare_close", LINE, "show_changes"),
    "&Help": ("manual", "keys", "welcome", LINE, "about"),
}
"""Title -> ids of the actions in a menu. All other actions are found in the palette, by their keys, or where they are
needed."""

RAIL: Final = ("show_maps", "show_events", "show_encounters", "show_left", "show_files", "show_names")
"""Ids of the actions in the rail."""

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


def recent_menu(
    parent: QWidget, settings: Settings, open_rom: Callable[[str], object], open_save: Callable[[str], object]
) -> QMenu:
    """A menu of ROMs and of saves that were opened before, with one to forget the saves; the functions get the path of
    the one that is chosen."""
    menu = QMenu("Open recent", parent)

    def fill() -> None:
        _fill(menu, [(path, partial(open_rom, path)) for path in settings.recent], "Nothing opened yet")
        saves = settings.recent_saves
        if saves:
            menu.addSeparator()
            entries = [(path, partial(open_save, path)) for path in saves]
            _fill(menu.addMenu("Saves"), [*entries, ("Forget these saves", settings.forget_saves)])

    menu.aboutToShow.connect(fill)
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


def fill_menu_bar(bar: QMenuBar, actions: ActionSet, others: Mapping[str, QMenu]) -> None:
    """Add the menus, with `others` by their names in MENUS. Actions are updated before a menu is shown."""
    for title, names in MENUS.items():
        menu = bar.addMenu(title)
        for name in names:
            if name in others:
                menu.addMenu(others[name])
            else:
                _add(menu, actions, name)
        menu.aboutToShow.connect(actions.update)


def _add(part: QMenu | QToolBar, actions: ActionSet, name: str) -> None:
    """Add an action or a line."""
    if name == LINE:
        part.addSeparator()
    else:
        part.addAction(actions[name])


def _bar(title: str, size: int, actions: ActionSet, names: Iterable[str]) -> QToolBar:
    """A bar of actions with icons of a size."""
    bar = QToolBar(title)
    bar.setObjectName(title.lower())
    bar.setMovable(False)
    bar.setIconSize(QSize(size, size))
    for name in names:
        _add(bar, actions, name)
    return bar


def tool_bar(actions: ActionSet, place: QLabel) -> QToolBar:
    """Buttons for the actions used most, the name of the place, and the search."""
    bar = _bar("Tools", 16, actions, TOOLBAR)
    for widget in (_spring(), place, _spring()):
        bar.addWidget(widget)
    bar.addAction(actions["palette"])
    more = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    assert more is not None
    more.setIcon(icon("forward"))  # Qt's own one is as dark as the dark theme
    more.setToolTip("More buttons")
    return bar


def rail(actions: ActionSet) -> QToolBar:
    """A button for each list at the left, which shows or hides it."""
    bar = _bar("Lists", 20, actions, RAIL)
    bar.setObjectName("rail")
    for name in RAIL:
        bar.widgetForAction(actions[name]).setAccessibleName(actions[name].text())
    return bar


def corner(parent: QWidget, action: QAction, panel: Panel, place: Qt.AlignmentFlag) -> None:
    """A button over a corner of the picture, and the panel that it opens, which leaves the corner to the button."""
    button = tool_button(action)
    frame = OverlayFrame(parent, Qt.AlignTop | place)
    frame.setProperty("role", "corner")
    layout = QGridLayout(frame)
    layout.setContentsMargins(2, 2, 2, 2)
    layout.addWidget(panel, 0, 0)
    layout.addWidget(button, 0, 0, Qt.AlignTop | place)
    button.raise_()
    frame.show()


def _spring() -> QWidget:
    """An empty widget that takes the space that is left."""
    widget = QWidget()
    widget.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Preferred)
    return widget
