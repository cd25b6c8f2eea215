"""The keyboard sheet, made from the actions."""

from __future__ import annotations

import html
from typing import Final

from PyQt5.QtCore import Qt
from PyQt5.QtGui import QKeySequence
from PyQt5.QtWidgets import QDialog, QLabel, QWidget

from mapexplorer.gui.actions.action import GROUPS
from mapexplorer.gui.actions.action_set import ActionSet
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.controls import fit_to_screen
from mapexplorer.gui.widgets.layout import button, column, label, row, scrolled

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
    ("Escape", "In a panel, back to the picture; remove the ruler, leave the map; while walking, stop"),
)
"""The rows of the keyboard sheet about the mouse and held keys."""


Section = tuple[str, list[tuple[str, str]]]
"""A title, and rows of keys and what they do."""

_COLUMN = 390
"""The least width of a column, in pixels."""


def keys_dialog(parent: QWidget, actions: ActionSet) -> QDialog:
    """Every action with a key, by group, and the functions of the mouse, in columns that are about as long."""
    dialog = QDialog(parent)
    dialog.setWindowTitle("Keyboard and mouse")
    fit_to_screen(dialog, 1220, 700)
    sections = [
        ("Mouse and held keys", list(MOUSE)),
        *((group, _rows(actions, group)) for group in GROUPS),
    ]
    columns: list[list[Section]] = [[] for _ in range(max(1, dialog.width() // _COLUMN))]
    for section in sections:
        min(columns, key=lambda part: sum(len(rows) + 2 for _, rows in part)).append(section)
    page = QWidget()
    page.setLayout(row(*((_page(part), 1) for part in columns), spacing=18))
    dialog.setLayout(column(scrolled(page), row(None, button("Close", dialog.accept))))
    return dialog


def _rows(actions: ActionSet, group: str) -> list[tuple[str, str]]:
    """The keys and titles of the actions of a group."""
    return [
        (", ".join(QKeySequence(key).toString(QKeySequence.NativeText) for key in keys), entry.title)
        for entry in actions.table
        if entry.group == group and (keys := actions.shortcuts.of(entry))
    ]


def _page(sections: list[Section]) -> QLabel:
    """A column of sections."""
    made = label(_table(sections))
    made.setTextFormat(Qt.RichText)
    made.setAlignment(Qt.AlignTop)
    return made


def _table(sections: list[Section]) -> str:
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
