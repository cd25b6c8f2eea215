"""The layers with their visibility, opacity and a legend of their colours."""

from __future__ import annotations

from typing import Any

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QGridLayout, QLabel, QScrollArea, QSlider, QVBoxLayout, QWidget

from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.layers import Layer
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.widgets import CheckBox, Slider, offer_copy, rows_as_text
from mapexplorer.world.layers import LAYERS
from mapexplorer.world.layers.kind import Legend


class LayersPanel(QWidget):
    """One row for each layer, and the legend below."""

    def __init__(self, explorer: Explorer) -> None:
        super().__init__()
        self.explorer = explorer
        self._boxes: dict[str, CheckBox] = {}
        self._sliders: dict[str, QSlider] = {}
        self._views = "ds"
        outer = QVBoxLayout(self)
        outer.setContentsMargins(4, 2, 8, 4)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.NoFrame)
        outer.addWidget(area)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(4, 2, 4, 4)
        grid = QGridLayout()
        grid.setVerticalSpacing(5)
        grid.setHorizontalSpacing(10)
        grid.setColumnStretch(1, 1)
        for row, layer in enumerate(explorer.layers):
            self._add(grid, row, layer)
        column.addLayout(grid)
        self.legend = QLabel()
        self.legend.setTextFormat(Qt.RichText)
        self.legend.setWordWrap(True)
        column.addSpacing(6)
        column.addWidget(self.legend)
        column.addStretch(1)
        area.setWidget(inner)
        explorer.layers.changed.connect(self._changed)
        self._overlay: MapOverlay | None = None
        self._show_legend()
        offer_copy(self, self)

    def _add(self, grid: QGridLayout, row: int, layer: Layer) -> None:
        box = CheckBox(layer.title)
        box.setChecked(layer.visible)
        box.setToolTip(layer.hint)
        box.toggled.connect(lambda on: self.explorer.layers.show(layer.id, on))
        slider = Slider(Qt.Horizontal)
        slider.setRange(0, 100)
        slider.setValue(round(layer.opacity * 100))
        slider.setToolTip("Opacity")
        slider.setAccessibleName(f"Opacity of {layer.title}")
        slider.setFocusPolicy(Qt.StrongFocus)
        slider.valueChanged.connect(lambda value: self.explorer.layers.set_opacity(layer.id, value / 100))
        grid.addWidget(box, row, 0)
        grid.addWidget(slider, row, 1)
        if not layer.fades:
            slider.hide()
        self._boxes[layer.id], self._sliders[layer.id] = box, slider
        self._enable(layer)

    def _enable(self, layer: Layer) -> None:
        self._sliders[layer.id].setEnabled(layer.visible)
        self._boxes[layer.id].setEnabled(layer.view in ("", self._views) or self._views == "both")

    def set_views(self, views: str) -> None:
        """Set the visible views, "ds", "gl" or "both"; some layers exist only in one of them."""
        self._views = views
        for layer in self.explorer.layers:
            self._enable(layer)

    def _changed(self, name: str) -> None:
        layer = self.explorer.layers[name]
        self._boxes[name].setChecked(layer.visible)
        slider = self._sliders[name]
        slider.blockSignals(True)
        slider.setValue(round(layer.opacity * 100))
        slider.blockSignals(False)
        self._enable(layer)
        self._show_legend()

    def show_overlay(self, overlay: MapOverlay) -> None:
        """Show the behaviours in view in the legend."""
        self._overlay = overlay
        self._show_legend()

    def as_text(self) -> str:
        """The layers and the legend."""
        rows = [(layer.title, "shown" if layer.visible else "hidden", f"{layer.opacity:.0%}")
                for layer in self.explorer.layers]  # fmt: skip
        return rows_as_text([*rows, *(("#{:02x}{:02x}{:02x}".format(*rgb), words) for rgb, words in self._rows())])

    def as_value(self) -> Any:
        """The same as plain values."""
        layers = {layer.id: {"shown": layer.visible, "opacity": layer.opacity} for layer in self.explorer.layers}
        return {"layers": layers, "legend": [{"colour": list(rgb), "meaning": words} for rgb, words in self._rows()]}

    def _show_legend(self) -> None:
        cells = [
            f"<tr><td style='background:#{r:02x}{g:02x}{b:02x}'>&nbsp;&nbsp;&nbsp;</td>"
            f"<td style='padding-left:5px'>{text}</td></tr>"
            for (r, g, b), text in self._rows()
        ]
        self.legend.setText(f"<table cellspacing='2'>{''.join(cells)}</table>" if cells else "")

    def _rows(self) -> Legend:
        """The legend of the colours over the picture."""
        layers, tables = self.explorer.layers, self.explorer.game.tables
        cells = () if self._overlay is None else self._overlay.cells
        shown = [kind for kind in LAYERS if layers.shown(kind.id)]
        explained = {kind.id for kind in shown}
        return [row for kind in shown if kind.explained_by not in explained for row in kind.legend(tables, cells)]
