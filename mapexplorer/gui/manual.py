"""The manual in the window: which section is about a widget, and a window that shows its pages."""

from __future__ import annotations

import re
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, Final

from PyQt5.QtCore import QEvent, QObject, Qt, QTimer, QUrl
from PyQt5.QtGui import QDesktopServices, QHelpEvent, QImage, QTextCursor, QTextDocument, QTextTable
from PyQt5.QtWidgets import QDialog, QDockWidget, QTabBar, QTextBrowser, QWhatsThis, QWidget, qApp

from mapexplorer.gui.widgets.controls import fit_to_screen
from mapexplorer.gui.widgets.layout import bring_up, column

PACKAGE: Final = "mapexplorer.manual"
WINDOW_PAGE: Final = "window.md"
START_PAGE: Final = "index.md"
PICTURE: Final = 720
"""The greatest width of a picture, in pixels."""

SECTIONS: Final = {
    "BrowseDialog": "Models, textures and sprites",
    "ClockBar": "Clock",
    "CommandPalette": "Find anything",
    "DsView": "DS picture",
    "ExportDialog": "Export",
    "GlView": "OpenGL view",
    "MapView": "Map",
    "Notices": "Status bar",
    "PreferencesDialog": "Preferences",
    "QMenuBar": "Tool bar and menus",
    "QStatusBar": "Status bar",
    "RomPage": "About this ROM",
    "QToolBar": "Tool bar and menus",
    "TextBox": "Walking",
    "Welcome": "Start page",
}
"""Class of a widget -> the section of the page about the window. The section about a dock has the dock's title."""


def section_of(widget: QWidget | None) -> str:
    """The section about a widget or the nearest one around it that has a section; empty: none has."""
    while widget is not None:
        name = type(widget).__name__
        if isinstance(widget, QDockWidget):
            return widget.windowTitle()
        if name in SECTIONS:
            return SECTIONS[name]
        widget = widget.parentWidget()
    return ""


def page(name: str) -> str:
    """A page as Markdown that Qt shows; what only the built manual can show is left out. Raises OSError."""
    text = (resources.files(PACKAGE) / name).read_text("utf-8")
    text = re.sub(r"^::: (\S+)\n", r"* `\1`\n", text, flags=re.MULTILINE)
    return re.sub(r"^```\w+\n--8<-- .*\n```\n|^--8<-- .*\n", "", text, flags=re.MULTILINE)


def anchor(title: str) -> str:
    """The anchor of a title in links."""
    return re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")


class Pages(QTextBrowser):
    """Shows pages; pictures are at most as wide as the window is at first."""

    def loadResource(self, kind: int, name: QUrl) -> Any:
        """A picture of the manual, or what Qt finds."""
        if kind != QTextDocument.ImageResource:
            return super().loadResource(kind, name)
        image = QImage(str(resources.files(PACKAGE) / name.path()))
        return image.scaledToWidth(PICTURE, Qt.SmoothTransformation) if image.width() > PICTURE else image


def _space_tables(document: QTextDocument) -> None:
    """Give the cells of tables some space and one line between them."""
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable):
            form = table.format()
            form.setCellPadding(4)
            form.setCellSpacing(0)
            form.setBorderCollapse(True)
            table.setFormat(form)


class ManualWindow(QDialog):
    """A page of the manual; links lead to other pages, those of the network to the browser."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self.text = Pages()
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(self._follow)
        self.name = ""
        """The page that is shown."""
        self.setLayout(column(self.text, margins=(0, 0, 0, 0)))
        fit_to_screen(self, PICTURE + 60, 720)

    def open_page(self, name: str, section: str = "") -> None:
        """Show a page, at the section with this title or anchor. Raises OSError."""
        if name != self.name:
            self.text.setMarkdown(page(name))
            _space_tables(self.text.document())
            self.name = name
        bring_up(self)
        self._scroll_to(anchor(section))

    def _scroll_to(self, wanted: str) -> None:
        block = self.text.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and (not wanted or anchor(block.text()) == wanted):
                self.text.moveCursor(QTextCursor.End)  # so that the heading comes to the upper edge
                self.text.setTextCursor(QTextCursor(block))
                return
            block = block.next()

    def _follow(self, target: QUrl) -> None:
        name = Path(target.path()).name
        if target.scheme():
            QDesktopServices.openUrl(target)
        elif name.endswith(".md") or not name:
            self.open_page(name or self.name, target.fragment())


class WhatsThis(QObject):
    """Opens the manual's section about a widget that is clicked after `begin`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self.active = False
        """Whether the next click asks."""

    @cached_property
    def manual(self) -> ManualWindow:
        """The window with the pages."""
        return ManualWindow(self._parent)

    def begin(self) -> None:
        """The next click asks what a widget is; Escape ends that."""
        self.active = True
        qApp.installEventFilter(self)
        QWhatsThis.enterWhatsThisMode()

    def open_manual(self) -> None:
        """The first page."""
        self.manual.open_page(START_PAGE)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Answers the questions of Qt's mode for help about widgets."""
        if event.type() == QEvent.LeaveWhatsThisMode:
            self.active = False
            qApp.removeEventFilter(self)
        elif isinstance(event, QHelpEvent) and event.type() in (QEvent.QueryWhatsThis, QEvent.WhatsThis):
            section = _section_at(watched, event)
            event.setAccepted(bool(section))
            if section and event.type() == QEvent.WhatsThis:
                QTimer.singleShot(0, QWhatsThis.leaveWhatsThisMode)
                QTimer.singleShot(0, lambda: self.manual.open_page(WINDOW_PAGE, section))
            return True
        return False


def _section_at(watched: QObject, event: QHelpEvent) -> str:
    """The section about the widget at a point; a tab of the docks stands for its dock."""
    if isinstance(watched, QTabBar) and isinstance(watched.parent(), QWidget):
        return watched.tabText(watched.tabAt(event.pos()))
    return section_of(watched if isinstance(watched, QWidget) else None)
