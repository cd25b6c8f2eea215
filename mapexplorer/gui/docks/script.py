"""The script of what is selected, as coloured lines with links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from PyQt5.QtCore import QAbstractListModel, QModelIndex, QObject, QPoint, QRectF, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QKeySequence, QMouseEvent, QPainter, QResizeEvent
from PyQt5.QtWidgets import (
    QAbstractItemView,
    QAction,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui import icons, theme
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.history import History
from mapexplorer.gui.widgets import copy_text, is_seen, offer_copy
from mapexplorer.inspector.parts import Part, PartRole, plain_text
from mapexplorer.inspector.script_page import SUBJECTS, ScriptPage, read_page
from mapexplorer.inspector.script_text import ScriptRow
from mapexplorer.inspector.subject import Subject, subject

_HANG: Final = 9
"""The characters by which the rest of a long line is indented: as wide as the offset before a command."""

_LEAST: Final = 30
"""The fewest characters of a line."""


class ShownLine(NamedTuple):
    """A line of the view: the row, the characters of it, and the column at which they begin."""

    row: int
    start: int
    stop: int
    column: int


class ScriptModel(QAbstractListModel):
    """The rows of a script, broken into lines of some characters."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[ScriptRow] = ()
        self.texts: list[str] = []
        self.lines: list[ShownLine] = []
        self._columns = 0
        self._at: dict[int, int] = {}

    def show_rows(self, rows: Sequence[ScriptRow], columns: int) -> None:
        """Show other rows."""
        self.rows, self.texts = rows, [plain_text(row.parts) for row in rows]
        self._columns = 0
        self.fit(columns)

    def fit(self, columns: int) -> bool:
        """Break the rows into lines of at most so many characters; whether that changed the lines."""
        columns = max(_LEAST, columns)
        if columns == self._columns:
            return False
        self._columns = columns
        self.beginResetModel()
        self.lines = []
        for number, text in enumerate(self.texts):
            if len(text) <= columns:
                self.lines.append(ShownLine(number, 0, len(text), 0))
            else:
                self.lines += [ShownLine(number, *place) for place in broken(text, columns)]
        self._at = {}
        for at, line in enumerate(self.lines):
            offset = self.rows[line.row].offset
            if offset is not None:
                self._at.setdefault(offset, at)
        self.endResetModel()
        return True

    def line_of(self, offset: int) -> int | None:
        """The line of the command at a byte offset."""
        return self._at.get(offset)

    def part_at(self, line: int, column: int) -> Part | None:
        """The part at a column of a line."""
        shown = self.lines[line]
        at = column - shown.column + shown.start
        if not shown.start <= at < shown.stop:
            return None
        for part in self.rows[shown.row].parts:
            if at < len(part.text):
                return part
            at -= len(part.text)
        return None

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        """The number of lines."""
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: QModelIndex, role: int = Qt.DisplayRole) -> Any:
        """The text of a line."""
        if role != Qt.DisplayRole or not index.isValid():
            return None
        line = self.lines[index.row()]
        return " " * line.column + self.texts[line.row][line.start : line.stop]


def broken(text: str, columns: int) -> list[tuple[int, int, int]]:
    """Pieces (start, stop, column) of a text in lines of `columns` characters, where possible at spaces."""
    pieces, start, column = [], 0, 0
    while len(text) - start > columns - column:
        stop = start + columns - column
        space = text.rfind(" ", start + 1, stop + 1)
        if space > start and text[start:space].strip():
            stop = space + 1
        pieces.append((start, stop, column))
        start, column = stop, _HANG
    return [*pieces, (start, len(text), column)]


class _Delegate(QStyledItemDelegate):
    """Paints the parts of a line in their colours."""

    def __init__(self, view: ScriptView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """The same for all lines."""
        return QSize(100, self._view.line_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint a line."""
        view, colors = self._view, theme.colors()
        area = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.State_Selected:
            painter.fillRect(area, QColor(colors.selection))
        line = view.script.lines[index.row()]
        row = view.script.rows[line.row]
        painter.setFont(view.font())
        if row.dead:
            painter.setOpacity(0.5)
        passed, x = 0, view.left + line.column * view.character
        for part in row.parts:
            text = part.text[max(0, line.start - passed) : max(0, line.stop - passed)]
            passed += len(part.text)
            if text:
                painter.setPen(QColor(part_color(part)))
                painter.setFont(view.heading if part.role is PartRole.HEADING else view.font())
                painter.drawText(QRectF(x, area.y(), 4000, area.height()), Qt.AlignVCenter, text)
                x += len(text) * view.character
        painter.restore()


def part_color(part: Part) -> str:
    """The colour of a part of a line in the present theme."""
    colors = theme.colors()
    if part.role is PartRole.MESSAGE:
        return colors.message
    if part.target is not None:
        return colors.accent
    if part.role in (PartRole.COMMAND, PartRole.HEADING):
        return colors.text
    return colors.muted


class ScriptView(QListView):
    """The lines. `followed`: a link was clicked; `line_chosen`: a line was clicked, by the byte offset of its row."""

    followed = pyqtSignal(object)
    line_chosen = pyqtSignal(object)
    left = 4.0
    """Pixels before the first column."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("script")
        font = QFontDatabase.systemFont(QFontDatabase.FixedFont)
        self.setStyleSheet(f"font-family: '{font.family()}'; font-size: {font.pointSizeF() * 0.9:.1f}pt;")
        self.script = ScriptModel(self)
        self.setModel(self.script)
        self.setItemDelegate(_Delegate(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollPerPixel)
        self.setMouseTracking(True)
        self._measured: tuple[str, float, int] | None = None
        copy = QAction("Copy lines", self)
        copy.setShortcut(QKeySequence.Copy)
        copy.setShortcutContext(Qt.WidgetShortcut)
        copy.triggered.connect(lambda _=False: copy_text(self.selected_text()))
        self.addAction(copy)

    @property
    def heading(self) -> QFont:
        """The font of headings, as wide as the others."""
        font = QFont(self.font())
        font.setBold(True)
        return font

    def _measure(self) -> tuple[str, float, int]:
        key = self.font().toString()
        if self._measured is None or self._measured[0] != key:
            metrics = QFontMetricsF(self.font())
            self._measured = key, metrics.horizontalAdvance("0" * 64) / 64, round(metrics.lineSpacing()) + 2
        return self._measured

    @property
    def character(self) -> float:
        """The width of a character in pixels."""
        return self._measure()[1]

    @property
    def line_height(self) -> int:
        """The height of a line in pixels."""
        return self._measure()[2]

    @property
    def columns(self) -> int:
        """The characters that fit into a line."""
        return int((self.viewport().width() - 2 * self.left) / self.character)

    def show_rows(self, rows: Sequence[ScriptRow]) -> None:
        """Show other rows, from the first."""
        self.script.show_rows(rows, self.columns)
        self.scrollToTop()

    def go_to(self, offset: int) -> bool:
        """Select and show the command at a byte offset; false where there is none."""
        line = self.script.line_of(offset)
        if line is None:
            return False
        index = self.script.index(line, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.PositionAtCenter)
        return True

    def selected_text(self) -> str:
        """The selected rows as text."""
        rows = sorted({self.script.lines[index.row()].row for index in self.selectedIndexes()})
        return "".join(f"{self.script.texts[row]}\n" for row in rows)

    def link_at(self, point: QPoint) -> Subject | int | None:
        """The target of the link at a point of the view."""
        index = self.indexAt(point)
        if not index.isValid():
            return None
        part = self.script.part_at(index.row(), int((point.x() - self.left) / self.character))
        return part.target if part is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew; what is selected and what is at the top stays so."""
        super().resizeEvent(event)
        lines = self.script.lines
        top, present = self.indexAt(QPoint(0, 0)).row(), self.currentIndex().row()
        rows = [lines[at].row if 0 <= at < len(lines) else None for at in (top, present)]
        if self.script.fit(self.columns):
            self._restore(*rows)

    def _restore(self, top: int | None, present: int | None) -> None:
        """Select and show the first lines of some rows again."""
        first: dict[int, int] = {}
        for at, line in enumerate(self.script.lines):
            first.setdefault(line.row, at)
        if present is not None:
            self.setCurrentIndex(self.script.index(first[present], 0))
        if top is not None:
            self.scrollTo(self.script.index(first[top], 0), QAbstractItemView.PositionAtTop)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Links have a hand."""
        hand = self.link_at(event.pos()) is not None
        self.viewport().setCursor(Qt.PointingHandCursor if hand else Qt.ArrowCursor)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow a link, else choose the line."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.pos())
        if event.button() != Qt.LeftButton or not index.isValid() or len(self.selectedIndexes()) > 1:
            return
        target = self.link_at(event.pos())
        if target is not None:
            self.followed.emit(target)
        else:
            self.line_chosen.emit(self.script.rows[self.script.lines[index.row()].row].offset)


class ScriptPanel(QWidget):
    """The script of the selection, or all scripts of the map. `followed`: a link to a thing was clicked;
    `path_chosen`: the tiles of the movement list that was chosen, none for another line."""

    followed = pyqtSignal(object)
    path_chosen = pyqtSignal(object)

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.explorer, self.jobs = explorer, jobs
        self.page: ScriptPage | None = None
        self.history: History[tuple[Subject, int | None]] = History()
        self._wanted: Subject | None = None
        self._goal: int | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 8, 4)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(2)
        self.back_button, self.forward_button = QToolButton(), QToolButton()
        for button, title, run in (
            (self.back_button, "Back in the scripts", self.back),
            (self.forward_button, "Forward in the scripts", self.forward),
        ):
            button.setToolTip(title)
            button.setFocusPolicy(Qt.NoFocus)
            button.clicked.connect(lambda _=False, run=run: run())
            row.addWidget(button)
        self.title = QLabel()
        self.title.setProperty("role", "muted")
        self.title.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        row.addWidget(self.title, 1)
        whole = QPushButton("All of the map")
        whole.setToolTip("All scripts of this map, what runs them, and the code that nothing runs")
        whole.clicked.connect(lambda _=False: self.show_map())
        row.addWidget(whole)
        column.addLayout(row)
        self.view = ScriptView()
        self.view.followed.connect(self._follow)
        self.view.line_chosen.connect(self._line_chosen)
        column.addWidget(self.view, 1)
        offer_copy(self, self.view, lambda point: [("Copy lines", lambda: copy_text(self.view.selected_text()))])
        explorer.rom_changed.connect(self._rom_changed)
        explorer.selection_changed.connect(self._selected)
        self.refresh_icons()
        self._update_buttons()

    def refresh_icons(self) -> None:
        """Redraw the icons in the colours of the theme."""
        self.back_button.setIcon(icons.icon("back"))
        self.forward_button.setIcon(icons.icon("forward"))

    def _rom_changed(self) -> None:
        self.page, self._wanted = None, None
        self.history.clear()
        self.view.show_rows(())
        self._say("")

    # --- what is shown

    def look(self) -> None:
        """Show what is wanted, if the panel is visible; at first the script of the selection, else of the map."""
        if not is_seen(self) or self.explorer.place is None:
            return
        if self._wanted is None:
            chosen = self.explorer.selection
            if chosen is not None and chosen.kind in SUBJECTS:
                self._want(chosen)
            else:
                self.show_map()
        elif self.page is None or self.page.shown != self._wanted:
            self._ask()

    def show_map(self) -> None:
        """Show all scripts of the present map."""
        if self.explorer.place is not None:
            self._want(subject("header", self.explorer.place.header.id))

    def show_initial(self) -> None:
        """Show the initial scripts of the present map."""
        if self.explorer.place is not None:
            self._want(subject("scripts", self.explorer.place.header.init_scripts))

    def _selected(self) -> None:
        chosen = self.explorer.selection
        if chosen is not None and chosen.kind in SUBJECTS and chosen != self._wanted:
            self._want(chosen)

    def _want(self, chosen: Subject, goal: int | None = None) -> None:
        self.history.visit((chosen, goal))
        self._show_wanted(chosen, goal)

    def _show_wanted(self, chosen: Subject, goal: int | None) -> None:
        self._wanted, self._goal = chosen, goal
        self._update_buttons()
        if self.page is not None and self.page.shown == chosen:
            self._go_to_goal()
        else:
            self.look()

    def _ask(self) -> None:
        chosen, place = self._wanted, self.explorer.place
        assert chosen is not None and place is not None
        header = place.header.id
        self.jobs.ask(
            lambda renderer: read_page(renderer.world, header, chosen), lambda page: self._show(chosen, page),
            key="script", title="This script cannot be read", failed=lambda error: self._failed(chosen, error),
        )  # fmt: skip

    def _show(self, chosen: Subject, page: ScriptPage | None) -> None:
        if chosen != self._wanted:
            return
        self.page = page
        title, *rows = page.rows if page is not None else (ScriptRow((Part(f"{chosen} runs no script."),)),)
        self.view.show_rows(rows if not rows or rows[0].parts else rows[1:])
        self._say(plain_text(title.parts))
        self._go_to_goal()

    def _failed(self, chosen: Subject, error: BaseException) -> None:
        if chosen == self._wanted:
            self.page = None
            self.view.show_rows(())
            self._say(str(error))

    def _say(self, text: str) -> None:
        self.title.setText(text)
        self.title.setToolTip(text)

    def _go_to_goal(self) -> None:
        goal = self._goal if self._goal is not None or self.page is None else self.page.goal
        if goal is not None:
            self.view.go_to(goal)
        else:
            self.view.scrollToTop()

    # --- links

    def _follow(self, target: Subject | int) -> None:
        if isinstance(target, int):
            self._jump(target)
        elif target.kind in ("script", "scripts"):
            self._want(target)
        else:
            self.followed.emit(target)

    def _jump(self, offset: int) -> None:
        """Go to a command of the shown script, and keep the line from which it was left."""
        if self.page is None or self.view.script.line_of(offset) is None:
            return
        present = self.view.currentIndex()
        if present.isValid():
            row = self.view.script.rows[self.view.script.lines[present.row()].row]
            self.history.replace((self.page.shown, row.offset))
        self._want(self.page.shown, offset)
        self._line_chosen(offset)

    def _line_chosen(self, offset: int | None) -> None:
        paths = self.page.paths if self.page is not None else {}
        self.path_chosen.emit(paths.get(offset, ()) if offset is not None else ())

    def back(self) -> None:
        """To the script or line that was shown before."""
        self._return_to(self.history.back())

    def forward(self) -> None:
        """The opposite of `back`."""
        self._return_to(self.history.forward())

    def _return_to(self, visit: tuple[Subject, int | None] | None) -> None:
        if visit is not None:
            self._show_wanted(*visit)

    def _update_buttons(self) -> None:
        self.back_button.setEnabled(self.history.can_go_back)
        self.forward_button.setEnabled(self.history.can_go_forward)

    # --- copying

    def as_text(self) -> str:
        """The whole script, as the command line prints it."""
        world = self.explorer.world
        return self.page.as_text(world) if self.page is not None and world is not None else ""

    def as_value(self) -> Any:
        """The same as plain values."""
        return self.page.as_value() if self.page is not None else None
