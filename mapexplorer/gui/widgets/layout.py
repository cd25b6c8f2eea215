"""Layouts and common widgets as expressions: a panel is written in the order in which it is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from PyQt5.QtCore import QModelIndex, QObject, QPointF, QRect, Qt, QTimer
from PyQt5.QtGui import QColor, QFontDatabase, QKeySequence, QPainter, QPolygonF
from PyQt5.QtWidgets import (
    QAbstractItemView,
    QAction,
    QBoxLayout,
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QShortcut,
    QTextBrowser,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui.widgets import icons, theme
from mapexplorer.world.subject import Subject

Part = (
    QWidget
    | QLayout
    | int
    | None
    | tuple[QWidget | QLayout, int]
    | tuple[QWidget, int, Qt.Alignment | Qt.AlignmentFlag]
)
"""A part of a row or column: a widget or layout, also with its stretch and its alignment; pixels of space; None for the
room that is left."""

Margins = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

MUTED, HEADING, TITLE = "muted", "heading", "title"
"""Roles of labels in the style sheet of the theme."""

Box = TypeVar("Box", bound=QBoxLayout)
Value = TypeVar("Value")


def row(*parts: Part, margins: Margins | None = None, spacing: int | None = None) -> QHBoxLayout:
    """Parts from left to right."""
    return filled(QHBoxLayout(), *parts, margins=margins, spacing=spacing)


def column(*parts: Part, margins: Margins | None = None, spacing: int | None = None) -> QVBoxLayout:
    """Parts from top to bottom."""
    return filled(QVBoxLayout(), *parts, margins=margins, spacing=spacing)


def filled(box: Box, *parts: Part, margins: Margins | None = None, spacing: int | None = None) -> Box:
    """A layout with parts; margins and spacing are the style's by default."""
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        if part is None:
            box.addStretch(1)
        elif isinstance(part, int):
            box.addSpacing(part)
        else:
            item, *options = part if isinstance(part, tuple) else (part,)
            if isinstance(item, QLayout):
                box.addLayout(item, *options)
            else:
                box.addWidget(item, *options)
    return box


def form(*rows: tuple[str, QWidget | QLayout]) -> QFormLayout:
    """Rows of a title and what it stands for."""
    made = QFormLayout()
    for title, part in rows:
        made.addRow(title, part)
    return made


def scrolled(page: QWidget, *, sideways: bool = True) -> QScrollArea:
    """A page that can be scrolled when it is higher, and `sideways` when it is wider than its room."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.NoFrame)
    if not sideways:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
    area.setWidget(page)
    return area


def label(text: str = "", role: str = "", *, wrap: bool = True, selectable: bool = False) -> QLabel:
    """A text, in several lines where there is no room for one."""
    made = QLabel(text)
    if role:
        made.setProperty("role", role)
    made.setWordWrap(wrap)
    if selectable:
        made.setTextInteractionFlags(Qt.TextSelectableByMouse)
    return made


def line_edit(
    hint: str,
    changed: Callable[[str], object] | None = None,
    *,
    name: str = "",
    rows: QAbstractItemView | None = None,
    choose_first: Callable[[], object] | None = None,
) -> QLineEdit:
    """A field for a line of text, which can be emptied by a button; `changed` gets each text. Of a field that filters
    rows, Down leads to the first of them, and Enter chooses it: what `choose_first` does, which by default makes it the
    current one."""
    made = QLineEdit()
    made.setObjectName(name)
    made.setPlaceholderText(hint)
    made.setClearButtonEnabled(True)
    if changed is not None:
        made.textChanged.connect(changed)
    if rows is not None:
        choose = choose_first or (lambda: rows.setCurrentIndex(rows.model().index(0, 0)))
        down = QShortcut(QKeySequence(Qt.Key_Down), made, context=Qt.WidgetShortcut)
        for led in (rows.setFocus, choose):
            down.activated.connect(led)
        made.returnPressed.connect(choose)
    return made


def button(title: str, run: Callable[[], object], hint: str = "", *, default: bool | None = None) -> QPushButton:
    """A button that calls `run`. In dialogs: True for the one that Enter presses, False for one that it never does."""
    made = QPushButton(title)
    made.setToolTip(hint)
    made.clicked.connect(lambda _: run())
    if default is not None:
        made.setAutoDefault(default)
        made.setDefault(default)
    return made


def tool_button(action: QAction, focus: Qt.FocusPolicy = Qt.TabFocus) -> QToolButton:
    """The button of an action; one without a `focus` leaves the keys where they are."""
    made = QToolButton()
    made.setDefaultAction(action)
    made.setFocusPolicy(focus)
    return made


def icon_button(icon: str, hint: str, run: Callable[[], object], focus: Qt.FocusPolicy = Qt.TabFocus) -> QToolButton:
    """A button with an icon that calls `run`; one without a `focus` leaves the keys where they are."""
    made = QToolButton()
    made.setIcon(icons.icon(icon))
    made.setToolTip(hint)
    made.setFocusPolicy(focus)
    made.clicked.connect(lambda _: run())
    return made


def check_box(
    title: str, toggled: Callable[[bool], object] | None = None, *, checked: bool = False, hint: str = ""
) -> QCheckBox:
    """A box to check; `toggled` gets each state that the user or the program sets later."""
    made = QCheckBox(title)
    made.setChecked(checked)
    made.setToolTip(hint)
    if toggled is not None:
        made.toggled.connect(toggled)
    return made


def paint_triangle(painter: QPainter, middle: QPointF, is_open: bool) -> None:
    """The mark of a group, which points down while its rows are shown."""
    corners = [QPointF(-3, -4), QPointF(3, 0), QPointF(-3, 4)]
    if is_open:
        corners = [QPointF(-corner.y(), corner.x()) for corner in corners]
    pen = painter.pen()
    painter.setBrush(QColor(theme.colors().muted))
    painter.setPen(Qt.NoPen)
    painter.drawPolygon(QPolygonF([middle + corner for corner in corners]))
    painter.setPen(pen)


class Tree(QTreeWidget):
    """A tree with the triangles of rows that can be opened, which the theme's style does not draw."""

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex) -> None:
        """Draw the triangle of a row that can be opened."""
        item = self.itemFromIndex(index)
        if item is not None and (item.childCount() or item.childIndicatorPolicy() == QTreeWidgetItem.ShowIndicator):
            middle = QPointF(rect.right() - self.indentation() / 2 + 1, rect.center().y())
            painter.setRenderHint(QPainter.Antialiasing)
            paint_triangle(painter, middle, self.isExpanded(index))


def table(name: str, *titles: str, tree: bool = False) -> QTreeWidget:
    """A table with these titles, as a `tree` with triangles."""
    made = Tree()
    made.setObjectName(name)
    made.setHeaderLabels(titles)
    made.setRootIsDecorated(tree)
    made.setIndentation(11 if tree else made.indentation())
    made.setUniformRowHeights(True)
    made.ensurePolished()  # the height of the rows is measured once, perhaps before the table is shown
    return made


def table_row(
    parent: QTreeWidget | QTreeWidgetItem,
    texts: Sequence[str],
    value: object = None,
    hints: Mapping[int, str] | None = None,
    *,
    right: Sequence[int] = (),
) -> QTreeWidgetItem:
    """A row of a table, or below another row: its texts, what it stands for, hints by column, columns aligned to the
    right."""
    made = QTreeWidgetItem(parent, texts)
    made.setData(0, Qt.UserRole, value)
    for at, hint in (hints or {}).items():
        made.setToolTip(at, hint)
    for at in right:
        made.setTextAlignment(at, int(Qt.AlignRight | Qt.AlignVCenter))
    return made


def chosen_value(rows: QTreeWidget | QListWidget, kind: type[Value]) -> Value | None:
    """What the current row of a table or list stands for, if that is of a kind; None without one."""
    value = rows.currentIndex().siblingAtColumn(0).data(Qt.UserRole)
    return value if isinstance(value, kind) else None


def list_view(name: str) -> QListWidget:
    """A list with a name for users, whose rows end with an ellipsis where the room is too narrow for them."""
    made = QListWidget()
    made.setAccessibleName(name)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
    return made


def list_row(parent: QListWidget, text: str, value: object, hint: str = "") -> QListWidgetItem:
    """A row of a list, and what it stands for."""
    made = QListWidgetItem(text, parent)
    made.setData(Qt.UserRole, value)
    made.setToolTip(hint)
    return made


def browser(name: str, follow: Callable[[Subject], object] | None = None) -> QTextBrowser:
    """A page of text; `follow` gets the things of the links that are clicked."""
    made = QTextBrowser()
    made.setObjectName(name)
    made.setOpenLinks(False)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
    if follow is not None:
        made.anchorClicked.connect(lambda url: follow(Subject.at(url.toString())))
    return made


def fixed_font_style() -> str:
    """The style sheet of a widget with letters of one width, a little smaller than others."""
    font = QFontDatabase.systemFont(QFontDatabase.FixedFont)
    return f"font-family: '{font.family()}'; font-size: {font.pointSizeF() * 0.9:.1f}pt;"


def timer(parent: QObject, milliseconds: int, run: Callable[[], object], *, repeats: bool = False) -> QTimer:
    """A timer that is not started yet, which calls `run` once, or again and again."""
    made = QTimer(parent)
    made.setSingleShot(not repeats)
    made.setInterval(milliseconds)
    made.timeout.connect(run)
    return made


def bring_up(window: QWidget) -> None:
    """Show a window in front of the others."""
    window.show()
    window.raise_()
