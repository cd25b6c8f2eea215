"""The keyboard sheet, made from the actions."""

from __future__ import annotations

import html
from typing import Final

from PyQt5.QtCore import Qt
from PyQt5.QtGui import QKeySequence
from PyQt5.QtWidgets import QDialog, QLabel, QWidget

from mapexplorer.gui import theme
from mapexplorer.gui.action_set import ActionSet
from mapexplorer.gui.actions import MENUS
from mapexplorer.gui.layout import button, column, label, row, scrolled
from mapexplorer.gui.widgets import fit_to_screen

MOUSE: Final = (
    ("Click", "Inspect what is under the cursor"),
    ("Double click", "Follow a warp; while walking, put the player there; on the map, enter the place"),
    ("Left drag", "Turn, or move (game, top)"),
    ("Right drag", "Move over the ground"),
    ("Wheel", "Zoom to the cursor; fly ahead"),
    ("Ctrl+wheel", "Speed when flying"),
    ("Right click in a panel", "Copy it as text or JSON"),
    ("Double click on a tab", "Detach its panel"),
    ("W A S D, arrows", "Move the camera"),
    ("Q, E", "Down and up when flying"),
    ("Shift", "Four times as fast"),
    ("Escape", "Remove the ruler, leave the map; while walking, stop"),
)
"""The rows of the keyboard sheet about the mouse and held keys."""


_COLUMN = 390
"""The least width of a column, in pixels."""


class KeysDialog(QDialog):
    """Every action with a key, by menu, and the functions of the mouse."""

    def __init__(self, parent: QWidget, actions: ActionSet) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard and mouse")
        sections = [("Mouse and held keys", list(MOUSE))]
        for menu in MENUS:
            rows = [
                (", ".join(QKeySequence(key).toString(QKeySequence.NativeText) for key in keys), entry.title)
                for entry in actions.table
                if entry.menu == menu and (keys := actions.shortcuts.of(entry))
            ]
            sections.append((menu.replace("&", ""), rows))
        fit_to_screen(self, 1220, 700)
        columns: list[list[tuple[str, list[tuple[str, str]]]]] = [[] for _ in range(max(1, self.width() // _COLUMN))]
        weights = [0] * len(columns)
        for title, rows in sections:
            lightest = weights.index(min(weights))
            columns[lightest].append((title, rows))
            weights[lightest] += len(rows) + 2
        inner = QWidget()
        inner.setLayout(row(*((_page(part), 1) for part in columns), spacing=18))
        self.setLayout(column(scrolled(inner), row(None, button("Close", self.accept))))


def _page(sections: list[tuple[str, list[tuple[str, str]]]]) -> QLabel:
    """A column of sections."""
    made = label(_table(sections))
    made.setTextFormat(Qt.RichText)
    made.setAlignment(Qt.AlignTop)
    return made


def _table(sections: list[tuple[str, list[tuple[str, str]]]]) -> str:
    """Sections as one HTML table, so that the keys of a column are aligned."""
    colors = theme.colors()
    lines: list[str] = []
    for title, rows in sections:
        space = 12 if lines else 0
        style = f"padding-top:{space}px; font-weight:600"
        lines.append(f"<tr><td colspan='2' style='{style}'>{html.escape(title)}</td></tr>")
        lines += [
            f"<tr><td style='color:{colors.accent}; padding-right:12px; white-space:nowrap'>{html.escape(keys)}</td>"
            f"<td>{html.escape(what.rstrip(' …'))}</td></tr>"
            for keys, what in rows
        ]
    return f"<table cellpadding='2'>{''.join(lines)}</table>"
