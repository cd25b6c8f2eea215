"""The state of the Distortion World in a save, and the conditions on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final

from formats.binary import require
from mapexplorer.features.distortion_world.commands import DistortionCondition
from mapexplorer.features.distortion_world.tables import DistortionTables, ElevatorPath

FEATURE: Final = "distortion world"
"""The name of the state in `Save.features`."""
SPOT: Final = "spot"
"""The name of the spot among the plain values of a state: where the player stands in a picture."""


class ConditionKind(IntEnum):
    """The kinds of `DistortionCondition`."""

    ALWAYS = 0
    PUZZLE_FLAG_CLEAR = 1
    PUZZLE_FLAG_SET = 2
    PROGRESS_EQUALS = 3
    PROGRESS_AT_MOST = 4
    PROGRESS_AT_LEAST = 5
    NEVER = 6
    SHADOW_NOT_SEEN = 7
    CYRUS_EQUALS = 8


@dataclass(frozen=True)
class DistortionState:
    """Progress of the story (0 to 14), puzzle flags, flags of the moving platforms, the shadows of Giratina that were
    seen, the state of Cyrus. Names of the numbers: `DistortionTables`."""

    progress: int
    puzzle_flags: frozenset[int]
    platform_flags: frozenset[int]
    shadows_seen: frozenset[int] = frozenset()
    cyrus: int = 0

    @classmethod
    def of(cls, tables: DistortionTables, header: int, values: Any) -> DistortionState:
        """The state of plain values, those of a new game where they are absent; its platform flags depend on the floor
        that is entered. The spot of a picture may be among them. Raises ValueError for another form."""
        require(
            isinstance(values, Mapping) and set(values) <= {*_FIELDS, SPOT},
            f"the state of {FEATURE} is an object with {', '.join(_FIELDS)}, {SPOT}, not {values!r}",
        )
        platforms = tables.first_platform_flags_by_header.get(header, tables.first_platform_flags)
        return cls(
            int(values.get("progress", 0)),
            frozenset(values.get("puzzle_flags", tables.first_puzzle_flags)),
            frozenset(values.get("platform_flags", platforms)),
            frozenset(values.get("shadows_seen", ())),
            int(values.get("cyrus", 0)),
        )

    def plain(self) -> dict[str, Any]:
        """The state as plain values, as `Save.features` has them."""
        return {
            "progress": self.progress,
            "puzzle_flags": sorted(self.puzzle_flags),
            "platform_flags": sorted(self.platform_flags),
            "shadows_seen": sorted(self.shadows_seen),
            "cyrus": self.cyrus,
        }

    def holds(self, condition: DistortionCondition) -> bool:
        """Whether a condition holds."""
        kind, value = condition
        return _HOLDS[ConditionKind(kind)](self, value)

    def after_ride(self, path: ElevatorPath) -> DistortionState:
        """The state after a ride by an elevator path."""
        return replace(self, platform_flags=(self.platform_flags | path.sets) - path.clears)


_FIELDS: Final = ("progress", "puzzle_flags", "platform_flags", "shadows_seen", "cyrus")

_HOLDS: Final[Mapping[ConditionKind, Callable[[DistortionState, int], bool]]] = {
    ConditionKind.ALWAYS: lambda state, value: True,
    ConditionKind.PUZZLE_FLAG_CLEAR: lambda state, value: value not in state.puzzle_flags,
    ConditionKind.PUZZLE_FLAG_SET: lambda state, value: value in state.puzzle_flags,
    ConditionKind.PROGRESS_EQUALS: lambda state, value: state.progress == value,
    ConditionKind.PROGRESS_AT_MOST: lambda state, value: state.progress <= value,
    ConditionKind.PROGRESS_AT_LEAST: lambda state, value: state.progress >= value,
    ConditionKind.NEVER: lambda state, value: False,
    ConditionKind.SHADOW_NOT_SEEN: lambda state, value: value not in state.shadows_seen,
    ConditionKind.CYRUS_EQUALS: lambda state, value: state.cyrus == value,
}
