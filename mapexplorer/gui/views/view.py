"""What the controllers know of a view."""

from __future__ import annotations

from typing import Protocol

from PyQt5.QtCore import QObject

from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.views.navigation import Navigation
from mapexplorer.world.overlay_picking import Point


class MapView(Protocol):
    """A picture of the map that is navigated with mouse and keys."""

    @property
    def navigation(self) -> Navigation:
        """What gets the events of the view."""

    @property
    def overlay(self) -> MapOverlay | None:
        """What is drawn over the picture."""

    def projection(self) -> Projection | None:
        """The camera of the picture that is shown; None when there is none."""

    def ask_pixel(self, x: float, y: float) -> None:
        """Ask what a fraction of the picture shows; the view's signals answer."""

    def seen_point(self, x: float, y: float) -> Point | None:
        """The point of a model, in units, that hides what the layers have behind it at a fraction of the picture; None
        where nothing hides them."""

    def installEventFilter(self, a0: QObject) -> None:
        """See QObject."""
