"""The start page: recent ROMs, a search and an introduction over the picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PyQt5.QtCore import QEvent, QSize, Qt
from PyQt5.QtGui import QIcon, QKeyEvent, QPixmap
from PyQt5.QtWidgets import QBoxLayout, QWidget

from mapexplorer.gui.dialogs.palette import CommandPalette
from mapexplorer.gui.model.recent import RecentRom, recent_roms
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.widgets.controls import keep_typed
from mapexplorer.gui.widgets.layout import MUTED, TITLE, bring_up, button, column, label, list_row, list_view, row
from mapexplorer.gui.widgets.overlay import OverlayFrame

_THUMBNAIL = QSize(72, 54)
_SIDE_BY_SIDE = 400
"""Pixels from which the page has room for its buttons in one row, and for more space between its parts."""
_ROWS = 3
"""The most recent ROMs that are shown without scrolling."""
_FOUND = 250
"""Pixels of the height of what was found."""


class Welcome(OverlayFrame):
    """A page in the middle of the view, with the `finder`, a search in the ROM that was opened last. `ask` opens a ROM
    that the user chooses, `open_rom` a recent one by its path, or `demo`."""

    def __init__(
        self,
        parent: QWidget,
        settings: Settings,
        finder: CommandPalette,
        ask: Callable[[], object],
        open_rom: Callable[[str], object],
    ) -> None:
        super().__init__(parent, Qt.AlignCenter)
        self._open_rom = open_rom
        self.setObjectName("welcome")
        self._settings = settings
        self.introduction = [
            label(paragraph)
            for paragraph in (
                "Behind this page is the demo world, a small original map in the game's own file formats. Open your "
                "own ROM to see all of Sinnoh: the exact picture of the console, every prop, plate and event, and why "
                "it is there.",
                "Drop an .nds image, an unpacked folder, or model and texture files anywhere on this window. Nothing "
                "is written into the ROM, and nothing is sent anywhere.",
            )
        ]
        self.finder, self.search = finder, finder.field
        self.search.setObjectName("start search")
        finder.asked.connect(self._show_parts)
        finder.closed.connect(self.hide)
        self.roms = list_view("Recent ROMs")
        self.roms.setObjectName("recent roms")
        self.roms.setIconSize(_THUMBNAIL)
        for chosen in (self.roms.itemClicked, self.roms.itemActivated):
            chosen.connect(lambda item: self._open(item.data(Qt.UserRole)))
        self._hint = label("Ctrl+K finds anything · H shows every key · a click says what it is", MUTED)
        opened = button("Open a ROM …", ask, default=True)
        opened.setProperty("default", True)
        self._buttons = row(None, button("Explore the demo world", lambda: self._open("demo")), opened)
        title = label("See every map of Pokémon Platinum", TITLE)
        self.setLayout(
            column(
                title,
                *self.introduction,
                (finder, 1),
                self.roms,
                self._hint,
                4,
                self._buttons,
                margins=(26, 22, 26, 20),
                spacing=10,
            )
        )

    def open(self) -> None:
        """Show the page; the search has the keys."""
        recent = recent_roms(self._settings)
        self._fill(recent)
        where = f"in {Path(recent[0][0]).name}" if recent else "in the demo world"
        self.search.setPlaceholderText(f"Find anything {where}")
        self.finder.begin()
        self.place()
        bring_up(self)
        self.search.setFocus(Qt.OtherFocusReason)

    def _show_parts(self, searching: bool) -> None:
        """Show what was found in place of the ROMs and the introduction."""
        has_roms = self.roms.count() > 0
        self.roms.setVisible(has_roms and not searching)
        self._hint.setVisible(not searching)
        for paragraph in self.introduction:
            paragraph.setVisible(not has_roms and not searching)
        self.finder.list.setMinimumHeight(_FOUND if searching else 0)
        self.place()

    def _fill(self, recent: list[RecentRom]) -> None:
        self.roms.clear()
        for path, title, picture in recent:
            item = list_row(self.roms, f"{title}\n{path}", path, path)
            pixmap = QPixmap()
            pixmap.loadFromData(picture)
            if not pixmap.isNull():
                item.setIcon(QIcon(pixmap))
            item.setSizeHint(QSize(100, _THUMBNAIL.height() + 8))
        self.roms.setFixedHeight(min(len(recent), _ROWS) * (_THUMBNAIL.height() + 8) + 4)

    def _open(self, path: str) -> None:
        self.hide()
        self._open_rom(path)

    def place(self) -> None:
        """Lie in the middle."""
        parent = self.parentWidget()
        width = min(520, parent.width() - 40)
        self._buttons.setDirection(QBoxLayout.LeftToRight if width >= _SIDE_BY_SIDE else QBoxLayout.TopToBottom)
        self.layout().setSpacing(10 if width >= _SIDE_BY_SIDE else 5)
        self.setFixedWidth(width)
        height = self.layout().totalHeightForWidth(width)
        self.setGeometry((parent.width() - width) // 2, max(10, (parent.height() - height) // 2), width, height)

    def event(self, event: QEvent) -> bool:
        """Letters are for the page, and not for actions on the picture below it."""
        return keep_typed(event) or super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays on the page."""
        widget = self.focusWidget() or self
        while True:
            widget = widget.nextInFocusChain() if forward else widget.previousInFocusChain()
            if widget is self or (
                self.isAncestorOf(widget) and widget.isVisible() and widget.focusPolicy() & Qt.TabFocus
            ):
                widget.setFocus(Qt.TabFocusReason)
                return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes."""
        if event.key() == Qt.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
