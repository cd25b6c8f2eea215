"""The comparison of the window's ROM with another one: what differs, and how the picture shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mapexplorer.compare.change import Comparison
from mapexplorer.compare.changed_places import ChangedPlace
from mapexplorer.gui.model.signal import Signal
from mapexplorer.inspector.facts import ListedGroup


class Shown(StrEnum):
    """What the picture shows of two ROMs. SLIDER: at the left of a line the one before, at its right the present
    one."""

    BEFORE = "before"
    AFTER = "after"
    DIFFERENCE = "difference"
    SLIDER = "slider"


@dataclass
class ComparedRom:
    """The state of a comparison. `path`: the ROM as it was before, empty while nothing is compared; `comparison`: what
    differs, None while nothing is compared; `places`: those with differences by header, `groups`: the rows of the list;
    `slider`: where the line is, as a fraction of the picture's width. `changed` is emitted after each change."""

    path: str = ""
    comparison: Comparison | None = None
    places: Mapping[int, ChangedPlace] = field(default_factory=dict)
    groups: tuple[ListedGroup, ...] = ()
    shown: Shown = Shown.AFTER
    slider: float = 0.5
    changed: Signal = field(default_factory=Signal)

    @property
    def active(self) -> bool:
        """Whether a ROM is compared."""
        return bool(self.path)

    def show(self, shown: Shown) -> None:
        """Show something else."""
        self.shown = shown
        self.changed.emit()

    def slide(self, fraction: float) -> None:
        """Move the line of the slider."""
        self.slider = min(1.0, max(0.0, fraction))
        self.changed.emit()
