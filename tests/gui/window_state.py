"""What a test can change in a window, as values that can be compared."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
from PyQt5 import sip
from PyQt5.QtCore import QObject
from PyQt5.QtWidgets import QAction, QApplication, QWidget

from mapexplorer.gui.jobs.controller import Opened
from mapexplorer.gui.jobs.loader import Loader
from mapexplorer.gui.jobs.worker import Task, Worker
from mapexplorer.gui.model.signal import Signal
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.views.map_tiles import MapTiles, TilePyramid
from mapexplorer.gui.widgets import theme
from mapexplorer.world import FieldWorld

_LEFT_OUT = frozenset(
    {
        *("_ticked", "_go_task", "rom", "frame", "overlay", "_overlay", "frames_drawn", "_redraws", "drawn"),
        *(
            "rom_watch",
            "other_watch",
            "save_watch",
            "file",
            "time",
            "_due",
            "_phase",
            "_chosen",
            "_moved_at",
            "_replaced",
        ),
        *("_painted", "_painted_through", "_painted_marks", "_labels", "_cells", "_texts", "count", "_row"),
        *("gl", "splitter", "_loaded", "_problem", "_held", "cover", "compilation", "palette", "_fitted", "_kept"),
        *("welcome", "row", "_png", "problem"),
    }
)
"""Attributes that count or measure, and what is made anew when it is shown again."""
_CACHES = (Worker, Task, Loader, Signal, FieldWorld, PlaceRenderer, Opened, MapTiles, TilePyramid, np.ndarray)
"""What holds files and pictures of the ROM that are the same after it was opened again."""
_SHOWN = ("isHidden", "isEnabled", "text", "toPlainText", "isChecked", "value", "currentIndex", "currentRow", "count")
"""Methods of widgets and actions that return what they show."""
_LONGEST = 64
"""Of longer collections only the length counts."""


def state_of(window: Any) -> dict[str, Any]:
    """The values of a window's parts by the path of their attributes, and those of Qt."""
    return {
        "docks": docks_of(window),
        "size": (window.width(), window.height(), int(window.windowState())),
        "colors": theme.colors(),
        "OpenGL": window.views._problem or "",
        "focus": type(QApplication.focusWidget()).__name__,
        **dict(_values("", vars(window), set())),
    }


def docks_of(window: Any) -> dict[str, tuple[bool, bool, int]]:
    """Each panel: whether its side is hidden, whether the panel can be seen, and how wide its side is then."""
    docks = {name: window.docks[name] for name in window.docks.panels}
    return {
        name: (side.isHidden(), window.docks.shown(name), side.width() * window.docks.shown(name))
        for name, side in docks.items()
    }


def differences(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    """The names of the values that differ."""
    missing = object()
    return [name for name in {**first, **second} if first.get(name, missing) != second.get(name, missing)]


def _values(path: str, value: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if value is None or isinstance(value, str | int | float | bytes | Enum | Path):
        yield path, value
    elif id(value) in seen or isinstance(value, _CACHES):
        return
    else:
        seen.add(id(value))
        yield from _parts(path, value, seen)


def _parts(path: str, value: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, QObject) and sip.isdeleted(value):
        yield path, "deleted"
        return
    if isinstance(value, QWidget | QAction):
        yield path, tuple(_shown(value))
    if isinstance(value, Mapping):
        for key, part in list(value.items()):
            if key not in _LEFT_OUT:
                yield from _values(f"{path}.{key}", part, seen)
    elif isinstance(value, tuple | list | set | frozenset | deque):
        yield f"{path} length", len(value)
        for number, part in enumerate(value if len(value) <= _LONGEST else ()):
            yield from _values(f"{path}[{number}]", part, seen)
    elif type(value).__module__.startswith("mapexplorer.gui") and not isinstance(value, type | types.FunctionType):
        yield from _values(path, getattr(value, "__dict__", {}), seen)
    elif is_dataclass(value):
        yield path, repr(value)


def _shown(widget: QWidget | QAction) -> Iterator[Any]:
    if isinstance(widget, QAction):
        yield tuple(keys.toString() for keys in widget.shortcuts())
    for name in _SHOWN:
        read = getattr(widget, name, None)
        if read is not None:
            with suppress(TypeError):  # of a model, which asks for an index
                shown = read()
                if isinstance(shown, str | int | float):
                    yield shown
