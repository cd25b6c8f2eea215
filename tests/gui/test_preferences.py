"""The preferences: shortcuts and the scale of the interface."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import Qt
from PyQt5.QtGui import QKeySequence
from PyQt5.QtWidgets import QApplication

from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.model.shortcuts import Shortcuts


@pytest.fixture
def preferences(demo: Any, qtbot: Any) -> Any:
    """The dialog, as its shortcut opens it."""
    qtbot.keyClick(demo, Qt.Key_Comma, Qt.ControlModifier)
    assert demo.dialogs.preferences.isVisible()
    return demo.dialogs.preferences


def _choose(dialog: Any, title: str) -> None:
    (item,) = dialog.tree.findItems(title, Qt.MatchExactly)
    dialog.tree.setCurrentItem(item)


def _click(qtbot: Any, button: Any) -> None:
    qtbot.mouseClick(button, Qt.LeftButton)


def test_a_new_shortcut_works_at_once_and_after_a_restart(
    demo: Any, preferences: Any, qtbot: Any, settings_file: Path
) -> None:
    _choose(preferences, "Ruler")
    qtbot.keyClick(preferences.key, Qt.Key_F9, Qt.ControlModifier)
    _click(qtbot, preferences.set_button)
    assert preferences.tree.currentItem().text(2) == "Ctrl+F9"
    preferences.close()
    QApplication.setActiveWindow(demo)
    qtbot.keyClick(demo, Qt.Key_F9, Qt.ControlModifier)
    assert demo.map_mode.measures
    qtbot.keyClick(demo, Qt.Key_R, Qt.ControlModifier)
    assert demo.map_mode.measures, "the former shortcut is free"
    assert Shortcuts(Settings(settings_file)).of(_entry(demo, "ruler")) == ("Ctrl+F9",)


def _entry(window: Any, name: str) -> Any:
    return next(entry for entry in window.action_set.table if entry.id == name)


@pytest.mark.parametrize(
    ("key", "modifier", "words"),
    [(Qt.Key_K, Qt.ControlModifier, "Ctrl+K is the shortcut of “Find anything” (Go)"), (Qt.Key_W, Qt.NoModifier, "W ")],
)
def test_a_key_that_is_in_use_is_refused(
    demo: Any, preferences: Any, qtbot: Any, key: int, modifier: int, words: str
) -> None:
    _choose(preferences, "Ruler")
    qtbot.keyClick(preferences.key, key, modifier)
    _click(qtbot, preferences.set_button)
    assert preferences.message.text().startswith(words)
    assert demo.action("ruler").shortcut() == QKeySequence("Ctrl+R")


def test_shortcuts_are_reset(demo: Any, preferences: Any, qtbot: Any) -> None:
    _choose(preferences, "Ruler")
    _click(qtbot, preferences.remove_button)
    assert demo.action("ruler").shortcuts() == []
    _choose(preferences, "Walk")
    qtbot.keyClick(preferences.key, Qt.Key_R, Qt.ControlModifier)
    _click(qtbot, preferences.set_button)
    assert demo.action("walk").shortcut() == QKeySequence("Ctrl+R")
    _click(qtbot, preferences.reset_all_button)
    assert demo.action("ruler").shortcut() == QKeySequence("Ctrl+R")
    assert demo.action("walk").shortcut() == QKeySequence("K")


def test_the_shortcuts_of_the_table_are_in_the_form_of_qt(demo: Any) -> None:
    for entry in demo.action_set.table:
        for key in entry.keys:
            assert QKeySequence(key).toString(QKeySequence.PortableText) == key, entry.id


def test_damaged_settings_of_shortcuts_are_ignored(demo: Any, tmp_path: Path) -> None:
    file = tmp_path / "damaged.json"
    file.write_text(json.dumps({"version": 1, "shortcuts": {"ruler": 3, "walk": [1]}, "interface scale": 7}), "utf-8")
    settings = Settings(file)
    assert Shortcuts(settings).of(_entry(demo, "ruler")) == ("Ctrl+R",)
    assert Shortcuts(settings).of(_entry(demo, "walk")) == ("K",)
    assert settings.scale == 100


def test_the_scale_is_used_by_the_next_start(
    preferences: Any, qtbot: Any, settings_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    preferences.scale.setCurrentIndex(preferences.scale.findData(200))
    monkeypatch.delenv("QT_SCALE_FACTOR", raising=False)
    program = (
        "from types import SimpleNamespace\n"
        "from PyQt5.QtCore import QTimer\n"
        "from mapexplorer.gui.app import application\n"
        "make = application.make_window\n"
        "def make_window(*given):\n"
        "    window = make(*given)\n"
        "    print(window.devicePixelRatioF())\n"
        "    QTimer.singleShot(0, window.close)\n"
        "    return window\n"
        "application.make_window = make_window\n"
        "application.run((), SimpleNamespace(problem=lambda: ''))\n"
    )
    environment = os.environ | {"MAPEXPLORER_SETTINGS": str(settings_file), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.strip() == "2.0", done.stderr
