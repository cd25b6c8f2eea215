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


@dataclass(frozen=True, eq=False)
class Found:
    """What differs: the differences, the places with some by header, and the rows of the list."""

    comparison: Comparison
    places: Mapping[int, ChangedPlace]
    groups: tuple[ListedGroup, ...]


@dataclass
class ComparedRom:
    """The state of a comparison. `path`: the ROM as it was before, empty while nothing is compared; `found`: None while
    it is being compared; `slider`: where the line is, as a fraction of the picture's width. `changed` is emitted after
    each change."""

    path: str = ""
    found: Found | None = None
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
