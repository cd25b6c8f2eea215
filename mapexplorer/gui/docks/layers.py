"""The layers with their visibility, opacity, sets to choose, and a legend of their colours."""

from __future__ import annotations

from functools import partial

from PyQt5.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt
from PyQt5.QtWidgets import QCheckBox, QWidget

from mapexplorer.gui.docks.panel import CORNER, Copied, Panel
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.layers import PRESETS, Layer
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.widgets.controls import Slider, rows_as_text
from mapexplorer.gui.widgets.layout import button, check_box, column, label, row, scrolled
from mapexplorer.world.layers import LAYERS
from mapexplorer.world.layers.kind import Legend

_WIDTH = 300
"""Pixels of the width of the rows."""


class LayersPanel(Panel):
    """Sets of layers, one row for each layer, and the legend below. A row shows the opacity while it is below the mouse
    or has the focus."""

    name, title = "layers", "Layers"

    def __init__(self, explorer: Explorer) -> None:
        super().__init__(explorer)
        self._boxes: dict[str, QCheckBox] = {}
        self._sliders: dict[str, Slider] = {}
        self._views = "ds"
        self._overlay: MapOverlay | None = None
        presets = [
            button(title, partial(explorer.layers.show_only, names), "Of what is drawn over the picture, this alone")
            for title, names in PRESETS.items()
        ]
        self.legend = label()
        self.legend.setTextFormat(Qt.RichText)
        self._page = QWidget()
        rows = [self._row(layer) for layer in explorer.layers]
        sets = row(*presets, None, CORNER, spacing=4)
        self._page.setLayout(column(sets, 4, *rows, 6, self.legend, None, margins=(4, 2, 4, 4), spacing=2))
        area = scrolled(self._page, sideways=False)
        area.setFocusPolicy(Qt.TabFocus)
        self.setLayout(column(area, margins=(4, 2, 4, 4)))
        explorer.layers.changed.connect(self._changed)
        self._show_legend()
        self.offer_copy(self)

    def sizeHint(self) -> QSize:
        """Everything, with room for a scroll bar."""
        page = self._page.layout()
        # Without a legend that wraps, there is no height for a width.
        return QSize(_WIDTH + 20, max(page.totalHeightForWidth(_WIDTH), page.totalMinimumSize().height()) + 12)

    def _row(self, layer: Layer) -> QWidget:
        layers = self.explorer.layers
        box = check_box(layer.title, lambda on: layers.show(layer.id, on), checked=layer.visible, hint=layer.hint)
        slider = Slider(lambda value: layers.set_opacity(layer.id, value / 100), f"Opacity of {layer.title}")
        slider.setRange(0, 100)
        slider.setToolTip("Opacity")
        self._boxes[layer.id], self._sliders[layer.id] = box, slider
        made = QWidget()
        made.setLayout(row((box, 1), slider, margins=(0, 0, 0, 0)))
        policy = slider.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        slider.setSizePolicy(policy)
        slider.setFixedSize(72, box.sizeHint().height())
        slider.hide()
        for widget in (made, box, slider):
            widget.installEventFilter(self)
        box.setFocusPolicy(Qt.TabFocus)  # a click leaves the keys to the picture
        slider.setFocusPolicy(Qt.StrongFocus)
        self._show(layer)
        return made

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the opacity of the row below the mouse, and of the one with the focus."""
        if event.type() in (QEvent.Enter, QEvent.Leave, QEvent.FocusIn, QEvent.FocusOut):
            for layer in self.explorer.layers:
                box, slider = self._boxes[layer.id], self._sliders[layer.id]
                used = box.parentWidget().underMouse() or box.hasFocus() or slider.hasFocus()
                slider.setVisible(layer.fades and used)
        return False

    def _show(self, layer: Layer) -> None:
        self._boxes[layer.id].setChecked(layer.visible)
        with QSignalBlocker(self._sliders[layer.id]):
            self._sliders[layer.id].setValue(round(layer.opacity * 100))
        self._sliders[layer.id].setEnabled(layer.visible)
        self._boxes[layer.id].setEnabled(layer.view in ("", self._views) or self._views == "both")

    def set_views(self, views: str) -> None:
        """Set the visible views, "ds", "gl" or "both"; some layers exist only in one of them."""
        self._views = views
        for layer in self.explorer.layers:
            self._show(layer)

    def _changed(self, name: str) -> None:
        self._show(self.explorer.layers[name])
        self._show_legend()

    def show_overlay(self, overlay: MapOverlay) -> None:
        """Show the behaviours in view in the legend."""
        self._overlay = overlay
        self._show_legend()

    def copied(self) -> Copied:
        """The layers and the legend."""
        layers, legend = list(self.explorer.layers), self._rows()
        rows = [(layer.title, "shown" if layer.visible else "hidden", f"{layer.opacity:.0%}") for layer in layers]
        text = rows_as_text([*rows, *(("#{:02x}{:02x}{:02x}".format(*rgb), meaning) for rgb, meaning in legend)])
        states = {layer.id: {"shown": layer.visible, "opacity": layer.opacity} for layer in layers}
        return text, {"layers": states, "legend": [{"colour": list(rgb), "meaning": text} for rgb, text in legend]}

    def _show_legend(self) -> None:
        cells = [
            f"<tr><td style='background:#{r:02x}{g:02x}{b:02x}'>&nbsp;&nbsp;&nbsp;</td>"
            f"<td style='padding-left:5px'>{text}</td></tr>"
            for (r, g, b), text in self._rows()
        ]
        self.legend.setText(f"<table cellspacing='2'>{''.join(cells)}</table>" if cells else "")
        self.updateGeometry()

    def _rows(self) -> Legend:
        """The legend of the colours over the picture."""
        layers, tables = self.explorer.layers, self.explorer.game.tables
        cells = () if self._overlay is None else self._overlay.cells
        shown = [kind for kind in LAYERS if layers.shown(kind.id)]
        explained = {kind.id for kind in shown}
        return [row for kind in shown if kind.explained_by not in explained for row in kind.legend(tables, cells)]
