"""What can be reached in the Distortion World: a breadth-first search over standings and flags of the elevators.

Every state is stored with its predecessor and the letters between them, so that its path can be walked by
`DistortionPlayer`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import NamedTuple

from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.walk.distortion_moves import TELEPORT, DistortionMoves, DistortionStanding
from mapexplorer.world.direction import Direction


class Reached(NamedTuple):
    """A state of the search: where the player stands, and which platform flags are set."""

    standing: DistortionStanding
    platform_flags: frozenset[int]


class DistortionReach:
    """Everything that can be reached from a standing; `states`: state -> (previous state, letters), None for the
    first."""

    def __init__(
        self,
        moves: DistortionMoves,
        start: DistortionStanding,
        state: DistortionState,
        *,
        teleports: bool = True,
        surf: bool = True,
    ) -> None:
        """The story does not go on. Without `teleports` the search ends at them; `surf`: the player can surf."""
        self.moves = moves
        self.start = Reached(start, state.platform_flags)
        self.states: dict[Reached, tuple[Reached, str] | None] = {self.start: None}
        queue = deque([self.start])
        while queue:
            here = queue.popleft()
            now = replace(state, platform_flags=here.platform_flags)
            for direction in Direction:
                movements = moves.press(here.standing, direction, now, surf=surf)
                if not movements or (movements[-1].kind == TELEPORT and not teleports):
                    continue
                there = Reached(movements[-1].end, movements[-1].state.platform_flags)
                if there not in self.states:
                    begins = movements[0].end.surfing and not here.standing.surfing
                    self.states[there] = (here, direction.letter.lower() + "A" if begins else direction.letter)
                    queue.append(there)

    def standings(self) -> set[DistortionStanding]:
        """Where the player can stand."""
        return {reached.standing for reached in self.states}

    def path(self, reached: Reached) -> str:
        """The letters that lead from the start to a state."""
        parts = []
        entry = self.states[reached]
        while entry is not None:
            before, letters = entry
            parts.append(letters)
            entry = self.states[before]
        return "".join(reversed(parts))
