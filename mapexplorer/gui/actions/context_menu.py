"""The menu of a point of the picture: the things that are there, and what can be done with the tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PyQt5.QtWidgets import QMenu, QWidget

from mapexplorer.world.layers.shapes import ShapeSubject
from mapexplorer.world.subject import Subject


def context_menu(parent: QWidget, things: Sequence[ShapeSubject], choose: Callable[[Subject], object]) -> QMenu:
    """A menu with the things that are at a point; `choose` gets the one that is chosen."""
    menu = QMenu(parent)
    for thing in things:
        chosen = Subject(thing.kind, thing.key)
        menu.addAction(_title(thing)).triggered.connect(lambda _, chosen=chosen: choose(chosen))
    return menu


def _title(thing: ShapeSubject) -> str:
    """A thing as a line of the menu: `Object 3: lass`, `Tile 116, 885`."""
    numbers = thing.key[1:] if thing.kind in ("tile", "object", "warp", "sign", "trigger") else thing.key
    label = f": {thing.label}" if thing.label and thing.kind != "tile" else ""
    return f"{thing.kind.capitalize()} {', '.join(map(str, numbers))}{label}"
