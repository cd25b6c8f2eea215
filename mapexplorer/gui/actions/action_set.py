"""The QActions of the window, one for each action, shared by menus, tool bar and palette."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PyQt5 import sip
from PyQt5.QtGui import QIcon, QKeySequence
from PyQt5.QtWidgets import QAction, QWidget

from mapexplorer.gui.actions.action import Action
from mapexplorer.gui.model.shortcuts import Shortcuts
from mapexplorer.gui.widgets import icons


class ActionSet:
    """The actions of a window and their QActions, which belong to `parent`."""

    def __init__(self, parent: QWidget, shortcuts: Shortcuts) -> None:
        self._parent, self.shortcuts = parent, shortcuts
        self._made: dict[str, QAction] = {}
        self.table: tuple[Action, ...] = ()

    def define(self, table: Iterable[Action]) -> None:
        """Create the QActions of a table; to be called once."""
        self.table = tuple(table)
        for entry in self.table:
            action = QAction(entry.title, self._parent)
            action.setObjectName(entry.id)
            action.setStatusTip(entry.hint)
            action.setCheckable(entry.checked is not None)
            action.setIconVisibleInMenu(False)
            action.setIcon(icons.icon(entry.icon) if entry.icon else QIcon())
            action.triggered.connect(lambda _=False, run=entry.run: self._run(run))
            self._parent.addAction(action)
            self._made[entry.id] = action
        self.apply_shortcuts()

    def apply_shortcuts(self) -> None:
        """Give the QActions their keys, and name these in the tool tips."""
        for entry in self.table:
            keys, action = self.shortcuts.of(entry), self._made[entry.id]
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setToolTip(": ".join(filter(None, (entry.name, entry.hint))) + (f"  ({keys[0]})" if keys else ""))

    def _run(self, run: Callable[[], object]) -> None:
        run()
        self.update()

    def __getitem__(self, name: str) -> QAction:
        """The QAction of an id. Raises KeyError."""
        return self._made[name]

    def update(self) -> None:
        """Update which actions are enabled and checked."""
        if sip.isdeleted(self._parent):  # what actions ask for their state is deleted, too
            return
        for entry in self.table:
            if entry.enabled is not None:
                self._made[entry.id].setEnabled(entry.enabled())
            if entry.checked is not None:
                self._made[entry.id].setChecked(entry.checked())

    def usable(self) -> list[tuple[Action, QAction]]:
        """The enabled actions."""
        return [(entry, self._made[entry.id]) for entry in self.table if self._made[entry.id].isEnabled()]
