"""Light and dark: one small set of colours, applied as a palette, and a style sheet that names roles of the palette."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from PyQt5 import sip
from PyQt5.QtCore import QPointF, QRectF, Qt, QTimer
from PyQt5.QtGui import QColor, QFont, QPainter, QPalette, QPen, QPolygonF
from PyQt5.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QProxyStyle,
    QScrollArea,
    QStyle,
    QStyleOption,
    QTabBar,
    QWidget,
)

from mapexplorer.gui.widgets.painting import painting
from mapexplorer.gui.widgets.scheme import SystemScheme

SYSTEM, LIGHT, DARK = "system", "light", "dark"
AT_ONCE = 300
"""So many widgets are given another theme in one turn of the event loop."""
ON_VIEW = "#c5cad3"
"""The colour of text in a view, whose background is dark in every theme."""


@dataclass(frozen=True)
class ThemeColors:
    """The colours of a theme, as `#rrggbb`."""

    window: str
    """The background of the window and its bars."""
    panel: str
    """The background of lists, texts and fields."""
    raised: str
    """The background of buttons, notices, and rows below the mouse."""
    border: str
    """Lines around and between widgets."""
    text: str
    """Text and icons."""
    muted: str
    """Less important text."""
    accent: str
    """Links, and what is active."""
    accent_text: str
    """Text over the accent."""
    selection: str
    """The background of selected rows."""
    view: str
    """The background of a view."""
    warning: str
    """The mark of a warning."""
    error: str
    """The mark of an error."""
    message: str
    """Texts of the game in a script."""
    changed: str
    """The background of a fact that differs from the ROM with which the present one is compared."""


LIGHT_COLORS = ThemeColors(
    "#f3f4f6",
    "#ffffff",
    "#e9ebef",
    "#d3d7de",
    "#1d232b",
    "#667080",
    "#2b6cb8",
    "#ffffff",
    "#dbe8f7",
    "#20242b",
    "#9a6700",
    "#b3261e",
    "#1b7340",
    "#ffdcec",
)
DARK_COLORS = ThemeColors(
    "#1e2127",
    "#25292f",
    "#2f343c",
    "#3b414a",
    "#e3e6ea",
    "#98a1ad",
    "#6aa9ee",
    "#10151c",
    "#2d4560",
    "#14161a",
    "#e0b14a",
    "#ef8a80",
    "#8fcb9b",
    "#4d2b45",
)

_STYLE = """
QMainWindow, QDialog { background: {window}; }
QToolTip { background: {raised}; color: {text}; border: 1px solid {border}; padding: 3px 5px; }
QMenuBar { background: {window}; padding: 1px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: {raised}; }
QMenu { background: {panel}; border: 1px solid {border}; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: {selection}; color: {text}; }
QMenu::item:disabled { color: {muted}; }
QMenu::separator { height: 1px; background: {border}; margin: 4px 8px; }
QMenu::indicator, QMenu::icon { left: 5px; }
QToolBar { background: {window}; border: none; border-bottom: 1px solid {border}; spacing: 2px; padding: 3px; }
QToolBar::separator { background: {border}; width: 1px; margin: 5px 6px; }
QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px 6px; color: {text}; }
QToolButton:hover { background: {raised}; }
QToolButton:pressed, QToolButton:checked { background: {selection}; border-color: {accent}; }
QToolButton:disabled { color: {muted}; }
QToolButton::menu-indicator { image: none; }
QWidget#choices QToolButton { background: {raised}; border-color: {border}; }
QWidget#choices QToolButton:checked { background: {selection}; border-color: {accent}; }
QToolButton#qt_toolbar_ext_button { padding: 0; }
QToolBar#rail { border: none; border-right: 1px solid {border}; }
QToolBar#rail QToolButton { padding: 4px; }
QSplitter::handle { background: {window}; }
QSplitter::handle:hover { background: {accent}; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: {muted}; padding: 5px 4px; border: none;
  border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: {text}; border-bottom-color: {accent}; }
QTabBar::tab:hover { color: {text}; }
QTabBar::scroller { width: 32px; }
QTabBar QToolButton { background: {raised}; border: 1px solid {border}; border-radius: 3px; padding: 0; }
QTabWidget::pane { border: none; border-top: 1px solid {border}; }
QAbstractSpinBox { min-height: 24px; }
QLineEdit, QComboBox, QPlainTextEdit, QTextEdit { background: {panel}; color: {text};
  border: 1px solid {border}; border-radius: 5px; padding: 4px 6px; selection-background-color: {accent};
  selection-color: {accent_text}; }
QLineEdit:focus, QComboBox:focus { border-color: {accent}; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox QAbstractItemView { background: {panel}; border: 1px solid {border}; selection-background-color: {selection};
  selection-color: {text}; outline: none; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QPushButton { background: {raised}; color: {text}; border: 1px solid {border}; border-radius: 5px; padding: 5px 14px; }
QPushButton:hover { border-color: {accent}; }
QPushButton:pressed { background: {selection}; }
QPushButton:default { background: {accent}; color: {accent_text}; border-color: {accent}; }
QPushButton[role="section"] { background: transparent; color: {text}; border-color: transparent; padding: 4px 6px;
  font-weight: 600; text-align: left; }
QPushButton[role="section"]:hover, QPushButton[role="section"]:focus { border-color: {accent}; }
QPushButton:disabled { color: {muted}; background: {window}; border-color: {border}; }
QTreeView, QListView, QTableView, QTextBrowser { background: {panel}; color: {text}; border: 1px solid {border};
  border-radius: 5px; outline: none; }
QTreeView { show-decoration-selected: 0; }
QTreeView::branch { background: transparent; }
QTreeView::item, QListView::item { padding: 2px; border: none; }
QTreeView::item:hover, QListView::item:hover { background: {raised}; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: {selection};
  color: {text}; }
QListView::item:disabled, QComboBox QAbstractItemView::item:disabled { color: {muted}; font-style: italic; }
QHeaderView::section { background: {window}; color: {muted}; border: none; border-bottom: 1px solid {border};
  padding: 4px 6px; }
QScrollBar { background: transparent; width: 10px; height: 10px; margin: 0; }
QScrollBar::handle { background: {border}; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }
QScrollBar::handle:hover { background: {muted}; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; width: 0;
  height: 0; }
QStatusBar { background: {window}; border-top: 1px solid {border}; color: {muted}; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: {muted}; padding: 1px 8px; }
QSlider::groove:horizontal { height: 4px; background: {border}; border-radius: 2px; }
QSlider::sub-page:horizontal { background: {accent}; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; margin: -5px 0; border-radius: 7px; background: {panel};
  border: 2px solid {accent}; }
QSlider::groove:horizontal:disabled, QSlider::sub-page:horizontal:disabled { background: {raised}; }
QSlider::handle:horizontal:disabled { border-color: {border}; }
QProgressBar { background: {raised}; border: none; border-radius: 4px; text-align: center; color: {text};
  min-height: 16px; }
QProgressBar::chunk { background: {selection}; border: 1px solid {accent}; border-radius: 4px; }
QLabel[role="muted"] { color: {muted}; }
QLabel[role="title"] { font-size: {title}pt; font-weight: 600; }
QLabel[role="heading"] { font-weight: 600; }
QFrame[role="notice"] { background: {raised}; border: 1px solid {border}; border-left: 3px solid {accent};
  border-radius: 5px; }
QFrame[role="notice"][level="error"] { border-left-color: {error}; }
QFrame[role="notice"][level="warning"] { border-left-color: {warning}; }
QFrame[role="text box"] { background: #fbfbfb; border: 3px solid #56708c; border-radius: 9px; }
QFrame[role="text box"] QLabel[role="muted"] { color: #667080; }
QFrame#welcome, QFrame#palette { background: {window}; border: 1px solid {border}; border-radius: 9px; }
QWidget[role="cover"] { background: {view}; }
QFrame[role="corner"] { background: {window}; border: 1px solid {border}; border-radius: 6px; }
QFrame[role="corner"] QPushButton { padding: 3px 7px; }
QFrame[role="bar"] { background: {window}; border-top: 1px solid {border}; }
"""

_ROLES: Final = {
    "window": (QPalette.Window, "window"),
    "base": (QPalette.Base, "panel"),
    "button": (QPalette.Button, "raised"),
    "mid": (QPalette.Mid, "border"),
    "text": (QPalette.Text, "text"),
    "bright-text": (QPalette.BrightText, "muted"),
    "highlight": (QPalette.Highlight, "accent"),
    "highlighted-text": (QPalette.HighlightedText, "accent_text"),
    "midlight": (QPalette.Midlight, "selection"),
    "shadow": (QPalette.Shadow, "view"),
    "light": (QPalette.Light, "warning"),
    "link-visited": (QPalette.LinkVisited, "error"),
}
"""Role of the palette by its name in style sheets -> the colour. Qt's style uses none from `midlight` on."""

_OTHER_ROLES: Final = (
    (QPalette.WindowText, "text"),
    (QPalette.AlternateBase, "window"),
    (QPalette.ButtonText, "text"),
    (QPalette.ToolTipBase, "raised"),
    (QPalette.ToolTipText, "text"),
    (QPalette.Link, "accent"),
    (QPalette.Dark, "border"),
    (QPalette.PlaceholderText, "muted"),
)
"""Roles that Qt itself uses -> the colour."""

_current = LIGHT_COLORS


class _Style(QProxyStyle):
    """Fusion with boxes to check that are seen in both themes: Fusion's outline has nearly the colour of a dark
    background. Labels and tool tips show plain text unless they are set to rich text: Qt would take names in a ROM that
    contain tags for rich text. What can have the focus has an accessible name: its text, the hint in it, its name, its
    tool tip; what only scrolls, or has tabs, is called Pages."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def polish(self, part: Any) -> Any:
        """Prepare a widget, or the palette or the application, to be shown."""
        if isinstance(part, QLabel) and part.textFormat() == Qt.AutoText:
            part.setTextFormat(Qt.PlainText)
        if isinstance(part, QWidget) and part.focusPolicy() & Qt.TabFocus and not part.accessibleName():
            text = part.text() if isinstance(part, QAbstractButton) else part.property("placeholderText")
            part.setAccessibleName(
                text
                or "Pages" * isinstance(part, QScrollArea | QTabBar)
                or part.objectName().capitalize()
                or part.toolTip()
            )
        return super().polish(part)

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Draw boxes to check; everything else as Fusion does."""
        if element not in (QStyle.PE_IndicatorCheckBox, QStyle.PE_IndicatorItemViewItemCheck):
            super().drawPrimitive(element, option, painter, widget)
            return
        enabled, checked = bool(option.state & QStyle.State_Enabled), bool(option.state & QStyle.State_On)
        active = checked or bool(option.state & (QStyle.State_HasFocus | QStyle.State_MouseOver))
        side = min(option.rect.width(), option.rect.height(), 14) - 1.0
        box = QRectF(0, 0, side, side)
        box.moveCenter(QRectF(option.rect).center())
        with painting(painter, smooth=True):
            painter.setOpacity(1.0 if enabled else 0.5)
            color = _current.accent if enabled else _current.muted
            painter.setPen(QPen(QColor(color if active else _current.muted), 1.2))
            painter.setBrush(QColor(color if checked else _current.panel))
            painter.drawRoundedRect(box, 3, 3)
            if checked:
                painter.setPen(QPen(QColor(_current.accent_text), 1.8, Qt.SolidLine, Qt.RoundCap, Qt.RoundJoin))
                shares = ((0.23, 0.52), (0.43, 0.72), (0.785, 0.29))
                painter.drawPolyline(QPolygonF([QPointF(box.x() + x * side, box.y() + y * side) for x, y in shares]))


def colors() -> ThemeColors:
    """The colours of the current theme."""
    return _current


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def scheme() -> SystemScheme:
    """The system's setting; created once, before the first theme is applied."""
    application = _application()
    kept = application.property("system scheme")
    if not isinstance(kept, SystemScheme):
        kept = SystemScheme(application)
        application.setProperty("system scheme", kept)
    return kept


def apply(theme: str) -> None:
    """Apply a theme: SYSTEM, LIGHT or DARK. The style sheet is set once, because to set another one takes ten times as
    long as to have all widgets look up the palette again; those that are seen do so first."""
    global _current
    application, system = _application(), scheme()
    dark = theme == DARK or (theme == SYSTEM and system.dark)
    _current = DARK_COLORS if dark else LIGHT_COLORS
    application.setPalette(_palette(_current))
    if application.styleSheet():
        polished = [widget for widget in application.allWidgets() if widget.testAttribute(Qt.WA_WState_Polished)]
        _polish(sorted(polished, key=lambda widget: not widget.isVisible()))
    else:
        font = QFont(application.font())
        font.setPointSize(max(9, font.pointSize()))
        application.setFont(font)
        application.setStyle(_Style())
        style = _STYLE.replace("{title}", str(font.pointSize() + 5))
        for name, (_, color) in _ROLES.items():
            style = style.replace("{" + color + "}", f"palette({name})")
        application.setStyleSheet(style)


def _polish(widgets: Sequence[QWidget]) -> None:
    """Have widgets look up the palette again, some of them in each turn of the event loop."""
    for widget in widgets[:AT_ONCE]:
        if not sip.isdeleted(widget):
            widget.style().polish(widget)
    if widgets[AT_ONCE:]:
        QTimer.singleShot(0, lambda: _polish(widgets[AT_ONCE:]))


def _palette(colors: ThemeColors) -> QPalette:
    palette = QPalette()
    for role, color in (*_ROLES.values(), *_OTHER_ROLES):
        palette.setColor(role, QColor(getattr(colors, color)))
    for role in (QPalette.Text, QPalette.WindowText, QPalette.ButtonText):
        palette.setColor(QPalette.Disabled, role, QColor(colors.muted))
    return palette
