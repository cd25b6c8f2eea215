"""What else the real window does: settings, themes, the table of actions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Wait = Callable[[Any], None]


def test_settings_are_kept(make_window: Callable[..., Any], qtbot: Any, settings_file: Path, settle: Wait) -> None:
    window = make_window()
    window.open("demo")
    qtbot.waitUntil(lambda: window.director.frame is not None, timeout=240_000)
    other = next(header for header in window.maps._items if header != window.explorer.place.header.id
                 and window.explorer.world.place(header).cells)  # fmt: skip
    window.explorer.go(other)
    window.action("layer_grid").trigger()
    window.action("theme_dark").trigger()
    window.maps.groups.setCurrentIndex(2)
    settle(window)
    window.close()
    assert settings_file.exists()
    again = make_window()
    again.open("demo")
    qtbot.waitUntil(lambda: again.director.frame is not None, timeout=60_000)
    assert again.explorer.layers.shown("grid") and again.action("theme_dark").isChecked()
    assert again.maps.grouping == "area" and again.explorer.place.header.id == other
    again.action("theme_system").trigger()


def test_themes_change_the_colours(demo: Any, pixels: Any) -> None:
    light = pixels(demo.menuBar())[2, 400].astype(int)
    demo.action("theme_dark").trigger()
    dark = pixels(demo.menuBar())[2, 400].astype(int)
    assert light.mean() > 180 and dark.mean() < 80
    demo.action("theme_light").trigger()
    assert (pixels(demo.menuBar())[2, 400] == light).all()


def test_every_key_is_on_the_sheet_and_belongs_to_one_action(demo: Any) -> None:
    from mapexplorer.gui.actions import ACTIONS, MENUS

    keys = [key for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys)) > 40
    assert {action.menu for action in ACTIONS} == set(MENUS)
    in_menus = {action.objectName() for menu in demo.menuBar().actions() for action in menu.menu().actions()}
    assert {action.id for action in ACTIONS} <= in_menus
    demo.show_keys()
    from PyQt5.QtWidgets import QLabel

    sheet = " ".join(label.text() for label in demo.keys_dialog.findChildren(QLabel))
    for action in ACTIONS:
        if action.keys:
            assert action.title.rstrip(" …") in sheet, action.id
    demo.keys_dialog.close()
