"""The menu of a point of the picture: the things that are there, and what can be done with the tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PyQt5.QtWidgets import QMenu, QWidget

from mapexplorer.world.subject import Subject


def context_menu(parent: QWidget, things: Sequence[Subject], choose: Callable[[Subject], object]) -> QMenu:
    """A menu with the things that are at a point; `choose` gets the one that is chosen."""
    menu = QMenu(parent)
    for thing in things:
        menu.addAction(_title(thing)).triggered.connect(lambda _, thing=thing: choose(thing))
    return menu


def _title(thing: Subject) -> str:
    """A thing as a line of the menu: `Object 3`, `Tile 116, 885`."""
    numbers = thing.key[1:] if thing.kind in ("tile", "object", "warp", "sign", "trigger") else thing.key
    return f"{thing.kind.capitalize()} {', '.join(map(str, numbers))}"
