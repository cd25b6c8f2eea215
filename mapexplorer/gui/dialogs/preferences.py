"""The preferences: the scale of the interface, and the keys of every action."""

from __future__ import annotations

from PyQt5.QtCore import Qt
from PyQt5.QtGui import QKeySequence
from PyQt5.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui.action_set import ActionSet
from mapexplorer.gui.actions import Action
from mapexplorer.gui.model.search import matches, plain
from mapexplorer.gui.model.settings import SCALES, Settings
from mapexplorer.gui.widgets import ComboBox, fit_to_screen


class PreferencesDialog(QDialog):
    """Each change is kept at once. A shortcut that another action has is refused."""

    def __init__(self, parent: QWidget, actions: ActionSet, settings: Settings) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self._actions, self._settings = actions, settings
        self._started_with = settings.scale
        column = QVBoxLayout(self)
        form = QFormLayout()
        self.scale = ComboBox()
        self.scale.setObjectName("interface scale")
        for percent in SCALES:
            self.scale.addItem(f"{percent} %", percent)
        self.scale.setCurrentIndex(self.scale.findData(settings.scale))
        self.scale.currentIndexChanged.connect(self._scale_chosen)
        form.addRow("Interface scale", self.scale)
        self.scale_words = QLabel()
        self.scale_words.setProperty("role", "muted")
        self.scale_words.setWordWrap(True)
        form.addRow("", self.scale_words)
        column.addLayout(form)
        heading = QLabel("Shortcuts")
        heading.setProperty("role", "heading")
        column.addWidget(heading)
        self.filter = QLineEdit()
        self.filter.setObjectName("shortcut filter")
        self.filter.setPlaceholderText("Filter by action, menu or key")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._fill)
        column.addWidget(self.filter)
        self.tree = QTreeWidget()
        self.tree.setObjectName("shortcut list")
        self.tree.setHeaderLabels(["Action", "Menu", "Shortcut"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.currentItemChanged.connect(lambda *_: self._show_current())
        column.addWidget(self.tree, 1)
        row = QHBoxLayout()
        self.key = QKeySequenceEdit()
        self.key.setObjectName("shortcut keys")
        self.key.setToolTip("Click here and press the new keys")
        self.key.keySequenceChanged.connect(self._limit)
        self.set_button, self.remove_button = QPushButton("Set"), QPushButton("Remove")
        self.reset_button, self.reset_all_button = QPushButton("Reset"), QPushButton("Reset all")
        row.addWidget(self.key, 1)
        for button, run in (
            (self.set_button, self._set), (self.remove_button, self._remove), (self.reset_button, self._reset),
            (self.reset_all_button, self._reset_all),
        ):  # fmt: skip
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, run=run: run())
            row.addWidget(button)
        column.addLayout(row)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setMinimumHeight(2 * self.words.fontMetrics().lineSpacing())
        self.words.setAlignment(Qt.AlignTop | Qt.AlignLeft)
        column.addWidget(self.words)
        row = QHBoxLayout()
        row.addStretch(1)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        row.addWidget(close)
        column.addLayout(row)
        fit_to_screen(self, 640, 620)
        self._fill()
        self._show_scale()

    # --- scale

    def _scale_chosen(self) -> None:
        self._settings.set_scale(self.scale.currentData())
        self._show_scale()

    def _show_scale(self) -> None:
        waits = self._settings.scale != self._started_with
        self.scale_words.setText(
            "Used when the program is started again." if waits else "Letters, buttons and pictures of the window."
        )

    # --- shortcuts

    def _fill(self) -> None:
        chosen = self.current
        words = plain(self.filter.text()).split()
        self.tree.clear()
        for entry in self._actions.table:
            menu = entry.menu.replace("&", "")
            keys = ", ".join(map(_native, self._actions.shortcuts.of(entry)))
            if not matches(words, plain(f"{entry.name} {menu} {keys}")):
                continue
            item = QTreeWidgetItem([entry.name, menu, keys])
            item.setData(0, Qt.UserRole, entry)
            font = item.font(2)
            font.setBold(self._actions.shortcuts.changed(entry))
            item.setFont(2, font)
            self.tree.addTopLevelItem(item)
            if chosen is not None and entry.id == chosen.id:
                self.tree.setCurrentItem(item)
        if self.tree.currentItem() is None and self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))
        for place in range(2):
            self.tree.resizeColumnToContents(place)
        self._show_current()

    @property
    def current(self) -> Action | None:
        """The chosen action."""
        item = self.tree.currentItem()
        return item.data(0, Qt.UserRole) if item is not None else None

    def _show_current(self) -> None:
        entry, shortcuts = self.current, self._actions.shortcuts
        self.key.clear()
        self.words.clear()
        for button in (self.key, self.set_button):
            button.setEnabled(entry is not None)
        self.remove_button.setEnabled(entry is not None and bool(shortcuts.of(entry)))
        self.reset_button.setEnabled(entry is not None and shortcuts.changed(entry))
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
            self._tell("Click the field and press the new keys.")
            return
        key = sequence.toString(QKeySequence.PortableText)
        refused = self._actions.shortcuts.refusal(self._actions.table, entry, key)
        if refused:
            self._tell(refused)
            return
        self._actions.shortcuts.give(entry, (key,))
        self._changed(f"{_native(key)} is the shortcut of “{entry.name}”.")

    def _remove(self) -> None:
        entry = self.current
        if entry is not None:
            self._actions.shortcuts.give(entry, ())
            self._changed(f"“{entry.name}” has no shortcut.")

    def _reset(self) -> None:
        entry = self.current
        if entry is None:
            return
        refused = self._actions.shortcuts.reset(self._actions.table, entry)
        if refused:
            self._tell(refused)
        else:
            self._changed(f"“{entry.name}” has its first shortcut again.")

    def _reset_all(self) -> None:
        self._actions.shortcuts.reset_all()
        self._changed("Every action has its first shortcut again.")

    def _changed(self, words: str) -> None:
        self._actions.apply_shortcuts()
        self._fill()
        self._tell(words)

    def _tell(self, words: str) -> None:
        self.words.setText(words)


def _native(key: str) -> str:
    return str(QKeySequence(key).toString(QKeySequence.NativeText))
