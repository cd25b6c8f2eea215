"""What the controllers know of a view."""

from __future__ import annotations

from typing import Protocol

from PyQt5.QtCore import QObject

from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.views.navigation import Navigation


class View(Protocol):
    """A picture of the map that is navigated with mouse and keys."""

    navigation: Navigation
    marks_only: bool
    """Whether the layers are part of the picture, so that a click on them is a click on a pixel."""

    def projection(self) -> Projection | None:
        """The camera of the picture that is shown; None when there is none."""

    def ask_pixel(self, x: float, y: float) -> None:
        """Ask what a fraction of the picture shows; the view's signals answer."""

    def installEventFilter(self, a0: QObject) -> None:
        """See QObject."""
