"""The matrix over the map: what its cells show."""

from __future__ import annotations

from mapexplorer.gui.docks.panel import CORNER, Copied, Panel, copied_rows
from mapexplorer.gui.views.map_cells import HEADERS, MODES
from mapexplorer.gui.views.map_view import MapView
from mapexplorer.gui.widgets.controls import ComboBox
from mapexplorer.gui.widgets.layout import HEADING, column, label, row

_WIDTH = 190
_BESIDE = 16
"""Pixels between the panel and the edge of the map."""


class MatrixPanel(Panel):
    """While it is shown, the cells of the map have numbers."""

    name, title = "matrix", "Matrix"

    def __init__(self, view: MapView) -> None:
        super().__init__(view.explorer)
        self.view, settings = view, view.explorer.settings
        self.heading = label(role=HEADING)
        modes = [(title, mode) for mode, title in MODES.items()]
        hint = "The numbers of the cells: their headers, their lands, or their altitudes in units"
        self.modes = ComboBox(modes, name="matrix mode", hint=hint, letters=6)
        self.modes.currentIndexChanged.connect(lambda _: settings.set("matrix mode", self.modes.currentData()))
        self.modes.currentIndexChanged.connect(self.visibility_changed)
        self.setLayout(column(6, row(CORNER, self.heading), 9, self.modes, margins=(6, 4, 6, 6), spacing=6))
        self.setFixedWidth(_WIDTH)
        self.modes.choose(settings.get("matrix mode", HEADERS))
        self.offer_copy(self)
        self.explorer.place_changed.connect(self._place_changed)

    def visibility_changed(self) -> None:
        """Number the cells of the map while the panel is shown."""
        if self.isHidden():
            self.view.show_cells("", 0)
        else:
            self.view.show_cells(self.modes.currentData(), self.sizeHint().height() + _BESIDE)

    def copied(self) -> Copied:
        """The cells with land, one in a line: x, z, land, header, altitude."""
        place = self.explorer.place
        if place is None:
            return "", None
        cells = [
            {
                "x": x,
                "z": z,
                "land": cell.land,
                "header": None if cell.filler else cell.header,
                "altitude": cell.altitude,
            }
            for (x, z), cell in sorted(place.matrix_cells.items(), key=lambda entry: entry[0][::-1])
        ]
        size = {"width": place.matrix.width, "height": place.matrix.height}
        return copied_rows(cells)[0], {"matrix": place.matrix_id.value, **size, "cells": cells}

    def _place_changed(self) -> None:
        place = self.explorer.place
        if place is not None:
            matrix = place.matrix
            self.heading.setText(f"Matrix {place.matrix_id.value}: {matrix.width} × {matrix.height}")
