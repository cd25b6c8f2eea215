"""The preferences: the scale of the interface, and the keys of every action."""

from __future__ import annotations

from PyQt5.QtCore import Qt
from PyQt5.QtGui import QKeySequence, QShowEvent
from PyQt5.QtWidgets import QDialog, QKeySequenceEdit, QWidget

from mapexplorer.gui.actions.action import Action
from mapexplorer.gui.actions.action_set import ActionSet
from mapexplorer.gui.model.editors import EDITORS, FIRST
from mapexplorer.gui.model.search import filtered
from mapexplorer.gui.model.settings import SCALES, Settings
from mapexplorer.gui.modes.inspection import EDITOR
from mapexplorer.gui.widgets.controls import ComboBox, fit_to_screen
from mapexplorer.gui.widgets.layout import (
    HEADING,
    MUTED,
    button,
    chosen_value,
    column,
    form,
    label,
    line_edit,
    row,
    table,
    table_row,
)
from mapexplorer.gui.widgets.theme import DARK, LIGHT, SYSTEM


class PreferencesDialog(QDialog):
    """Each change is kept at once. A shortcut that another action has is refused."""

    def __init__(self, parent: QWidget, actions: ActionSet, settings: Settings) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self._actions, self._settings = actions, settings
        self.scale = ComboBox([(f"{percent} %", percent) for percent in SCALES], name="interface scale")
        self.scale.choose(settings.scale)
        self.scale.currentIndexChanged.connect(lambda _: settings.set_scale(self.scale.currentData()))
        self.theme = ComboBox([("Follow the system", SYSTEM), ("Light", LIGHT), ("Dark", DARK)], name="theme")
        self.theme.currentIndexChanged.connect(lambda _: actions[f"theme_{self.theme.currentData()}"].trigger())
        self.filter = line_edit("Filter by action, menu or key", lambda _: self._fill(), name="shortcut filter")
        self.tree = table("shortcut list", "Action", "Menu", "Shortcut")
        self.tree.currentItemChanged.connect(lambda *_: self._show_current())
        self.key = QKeySequenceEdit()
        self.key.setObjectName("shortcut keys")
        self.key.setToolTip("Click here and press the new keys")
        self.key.keySequenceChanged.connect(self._limit)
        runs = {"Set": self._set, "Remove": self._remove, "Reset all": self._reset_all}
        buttons = [button(title, run, default=False) for title, run in runs.items()]
        self.set_button, self.remove_button, self.reset_all_button = buttons
        self.message = label()
        self.message.setMinimumHeight(2 * self.message.fontMetrics().lineSpacing())
        self.message.setAlignment(Qt.AlignTop | Qt.AlignLeft)
        self.editor = ComboBox(EDITORS, name="editor")
        self.editor.choose(settings.get(EDITOR, FIRST))
        self.editor.currentIndexChanged.connect(lambda _: settings.set(EDITOR, self.editor.currentData()))
        scale = form(
            ("Theme", self.theme),
            ("Interface scale", self.scale),
            ("", label("Letters, buttons and pictures; used when the program is started again.", MUTED)),
            ("Editor of source text", self.editor),
        )
        changes = row((self.key, 1), *buttons)
        close = row(None, button("Close", self.accept, default=False))
        heading = label("Shortcuts", HEADING, wrap=False)
        self.setLayout(column(scale, heading, self.filter, (self.tree, 1), changes, self.message, close))
        fit_to_screen(self, 640, 620)
        self._fill()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the theme that is used."""
        super().showEvent(event)
        self.theme.choose(self._settings.get("theme", SYSTEM))

    # --- shortcuts

    def _fill(self) -> None:
        chosen = self.current
        self.tree.clear()
        for entry in filtered(self.filter.text(), self._actions.table, lambda entry: " ".join(self._texts(entry))):
            item = table_row(self.tree, self._texts(entry), entry)
            font = item.font(2)
            font.setBold(self._actions.shortcuts.changed(entry))
            item.setFont(2, font)
            if chosen is not None and entry.id == chosen.id:
                self.tree.setCurrentItem(item)
        if self.tree.currentItem() is None and self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))
        for place in range(2):
            self.tree.resizeColumnToContents(place)
        self._show_current()

    def _texts(self, entry: Action) -> tuple[str, str, str]:
        """The columns of an action: its name, menu and keys."""
        keys = self._actions.shortcuts.of(entry)
        return entry.name, entry.group, ", ".join(map(_native, keys))

    @property
    def current(self) -> Action | None:
        """The chosen action."""
        return chosen_value(self.tree, Action)

    def _show_current(self) -> None:
        entry, shortcuts = self.current, self._actions.shortcuts
        self.key.clear()
        self.message.clear()
        for widget in (self.key, self.set_button):
            widget.setEnabled(entry is not None)
        self.remove_button.setEnabled(entry is not None and bool(shortcuts.of(entry)))
        self.reset_all_button.setEnabled(any(map(shortcuts.changed, self._actions.table)))

    def _limit(self, sequence: QKeySequence) -> None:
        """Keep the first of up to four chords, without waiting for others."""
        if not sequence.isEmpty():
            self.key.setKeySequence(QKeySequence(sequence[0]))

    def _set(self) -> None:
        entry, sequence = self.current, self.key.keySequence()
        if entry is None:
            return
        if sequence.isEmpty():
            self.message.setText("Click the field and press the new keys.")
            return
        key = sequence.toString(QKeySequence.PortableText)
        refused = self._actions.shortcuts.refusal(self._actions.table, entry, key)
        if refused:
            self.message.setText(refused)
            return
        self._actions.shortcuts.give(entry, (key,))
        self._changed(f"{_native(key)} is the shortcut of “{entry.name}”.")

    def _remove(self) -> None:
        entry = self.current
        if entry is not None:
            self._actions.shortcuts.give(entry, ())
            self._changed(f"“{entry.name}” has no shortcut.")

    def _reset_all(self) -> None:
        self._actions.shortcuts.reset_all()
        self._changed("Every action has its first shortcut again.")

    def _changed(self, text: str) -> None:
        self._actions.apply_shortcuts()
        self._fill()
        self.message.setText(text)


def _native(key: str) -> str:
    return str(QKeySequence(key).toString(QKeySequence.NativeText))
