"""The menu of a point of the picture: the things that are there, and what can be done with the tile."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PyQt5.QtCore import QObject, QPoint, pyqtSignal
from PyQt5.QtWidgets import QMenu, QWidget

from mapexplorer.gui.model.camera import Point
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.widgets import copy_text
from mapexplorer.world.overlay_picking import tile_of
from mapexplorer.world.subject import Subject


class ContextMenu(QObject):
    """`chosen`: a thing is to be selected; `way_wanted`, `walk_wanted`: a way to a point on the ground, a walk from
    there."""

    chosen = pyqtSignal(object)
    way_wanted = pyqtSignal(object)
    walk_wanted = pyqtSignal(object)

    def __init__(self, parent: QWidget, explorer: Explorer) -> None:
        super().__init__(parent)
        self._parent, self._explorer = parent, explorer
        self.menu: QMenu | None = None

    def open(self, things: Sequence[Subject], ground: Point | None, place: QPoint) -> None:
        """Show the menu at a place of the screen."""
        menu = self.menu = QMenu(self._parent)
        for thing in things:
            action = menu.addAction(_title(thing))
            action.triggered.connect(partial(self._choose, thing))
        if ground is not None and self._explorer.place is not None:
            menu.addSeparator()
            menu.addAction("How do I get here").triggered.connect(lambda: self.way_wanted.emit(ground))
            menu.addAction("Walk from here").triggered.connect(lambda: self.walk_wanted.emit(ground))
            x, z = tile_of(ground[0], ground[2])
            name = f"{self._explorer.place.header.internal_name}@{x},{z}"
            menu.addAction(f"Copy “{name}”").triggered.connect(lambda: copy_text(name))
        if not menu.isEmpty():
            menu.popup(place)

    def _choose(self, thing: Subject, _: bool = False) -> None:
        self.chosen.emit(thing)


def _title(thing: Subject) -> str:
    """A thing as a line of the menu: `Object 3`, `Tile 116, 885`."""
    numbers = thing.key[1:] if thing.kind in ("tile", "object", "warp", "sign", "trigger") else thing.key
    return f"{thing.kind.capitalize()} {', '.join(map(str, numbers))}"
