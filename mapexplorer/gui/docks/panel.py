"""What all panels have in common: their contents can be copied, and workers read them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from PyQt5.QtCore import QEvent, QPoint, Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QKeySequence, QResizeEvent
from PyQt5.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QShortcut,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import PRESENT
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets.controls import as_json, copy_text, keep_typed, rows_as_text
from mapexplorer.gui.widgets.layout import MUTED, label

Extra = Sequence[tuple[str, Callable[[], Any]]]
"""Titles and functions of further entries of a menu."""

CORNER: Final = 30
"""Pixels of the side of the corner that a panel over a corner of the picture leaves to its button."""

Copied = tuple[str, Any]
"""The contents of a panel as plain text, and as values of JSON types."""

Wanted = tuple[Hashable, Callable[[PlaceRenderer], Any]]
"""What decides the contents of a panel, and how a worker reads them."""


class Panel(QWidget):
    """Contents at a side of the window, or over a corner of the picture. `chosen`: the user chose a thing in it
    (Subject); `left`: the user has finished with it, by Escape for example. Letters are for what has the focus in it,
    and not for actions."""

    name = ""
    """Its name in actions and settings."""
    title = ""
    """Its name for users, which its tab shows."""
    first: QWidget | None = None
    """The filter, else what else gets the focus when a key opens the panel; None where the picture keeps it."""
    chosen = pyqtSignal(object)
    left = pyqtSignal()

    def __init__(self, explorer: Explorer) -> None:
        super().__init__()
        self.explorer = explorer
        QShortcut(QKeySequence(Qt.Key_Escape), self, self.leave, context=Qt.WidgetWithChildrenShortcut)

    def copied(self) -> Copied:
        """What is copied of the panel."""
        raise NotImplementedError  # of subclasses: ABCMeta cannot be the metaclass of a QWidget

    def event(self, event: QEvent) -> bool:
        """Keys that can be typed stay in the panel; a text that is only read has no use for them."""
        if event.type() in (QEvent.Show, QEvent.Hide):
            QTimer.singleShot(0, self.visibility_changed)
        typed = not isinstance(QApplication.focusWidget(), QTextBrowser) and keep_typed(event)
        return typed or super().event(event)

    def take_focus(self) -> None:
        """Give the focus to the filter, or to what else a key is for."""
        if self.first is not None:
            self.first.setFocus(Qt.ShortcutFocusReason)
        if isinstance(self.first, QLineEdit):
            self.first.selectAll()

    def leave(self) -> None:
        """Empty the filter and go back to the picture."""
        if isinstance(self.first, QLineEdit):
            self.first.clear()
        self.left.emit()

    def visibility_changed(self) -> None:
        """Called when the panel has become visible or hidden."""

    def refresh(self) -> None:
        """Redraw in the colours of the theme, and for the width of the panel."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Redraw for another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.refresh()

    def offer_copy(self, widget: QWidget, extra: Callable[[QPoint], Extra] = lambda point: ()) -> None:
        """Give a widget of the panel a context menu that copies; `extra` names more for the point that was clicked."""

        def show(point: QPoint) -> None:
            ground = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
            self._menu(widget, extra(point)).popup(ground.mapToGlobal(point))

        widget.setContextMenuPolicy(Qt.CustomContextMenu)
        widget.customContextMenuRequested.connect(show)

    def _menu(self, widget: QWidget, extra: Extra) -> QMenu:
        menu = widget.createStandardContextMenu() if isinstance(widget, (QTextEdit, QPlainTextEdit)) else QMenu(widget)
        menu.setParent(widget, menu.windowFlags())  # the standard menu of a text has no parent
        if not menu.isEmpty():
            menu.addSeparator()
        copying = (("Copy all as text", self.copy_text), ("Copy all as JSON", self.copy_json))
        for title, run in (*extra, *copying):
            menu.addAction(title, run)
        menu.setAttribute(Qt.WA_DeleteOnClose)
        return menu

    def copy_text(self) -> None:
        """Copy the contents to the clipboard as text."""
        copy_text(self.copied()[0])

    def copy_json(self) -> None:
        """Copy the contents to the clipboard as JSON."""
        copy_text(as_json(self.copied()[1]))


def copied_rows(rows: Sequence[Mapping[str, object]]) -> Copied:
    """Rows of a table with the names of their columns."""
    return rows_as_text([list(row.values()) for row in rows]), rows


class LoadedPanel(Panel):
    """A panel whose contents a worker reads while it is visible: those of `wanted`, which `show_loaded` shows."""

    problem = "This cannot be read"
    """The title of the notice about an error."""
    priority = PRESENT

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs.explorer)
        self.jobs = jobs
        self.message = label(role=MUTED)
        """What there is to say about the contents, for subclasses that have a place for it."""
        self._loaded: Hashable = None
        self.explorer.rom_changed.connect(self._rom_changed)
        self.explorer.place_changed.connect(self.load)

    def wanted(self) -> Wanted | None:
        """What is to be shown; None: nothing."""
        raise NotImplementedError  # of subclasses: ABCMeta cannot be the metaclass of a QWidget

    def show_loading(self) -> None:
        """Show that a worker reads."""
        self.message.setText("Reading …")

    def show_loaded(self, answer: Any) -> None:
        """Show what was read."""
        raise NotImplementedError  # of subclasses: ABCMeta cannot be the metaclass of a QWidget

    def show_error(self, error: BaseException) -> None:
        """Show that it cannot be read."""
        self.jobs.notify(self.problem, error)

    def clear(self) -> None:
        """Show nothing."""

    def visibility_changed(self) -> None:
        """Called when the panel has become visible or hidden."""
        self.load()

    def load(self) -> None:
        """Have what is to be shown read, unless that is shown already or the panel is not visible."""
        if not self.isVisible():
            return
        key, read = self.wanted() or (None, None)
        if key == self._loaded:
            return
        self._loaded = key
        if read is None:
            self.clear()
        else:
            self.show_loading()
            self.jobs.request(
                read,
                partial(self._take, key, self.show_loaded),
                key=self.name,
                priority=self.priority,
                title=self.problem,
                failed=partial(self._take, key, self.show_error),
            )

    def _take(self, key: Hashable, show: Callable[[Any], None], result: Any) -> None:
        if key == self._loaded:
            show(result)

    def _rom_changed(self) -> None:
        self._loaded = None
        self.clear()
