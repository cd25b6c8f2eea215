"""The records of a walk: the state after every tick, with the events of the tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from formats.fixed import ONE, Vector
from mapexplorer.games.tables import Tables
from mapexplorer.map_objects.gait import Mode
from mapexplorer.world.direction import Direction


class Event(NamedTuple):
    """Something that happened: a kind, a sentence, and its values.

    Kinds: `blocked`, `surf`, `ashore`, `climb`, `waterfall`, `bicycle`, `gear`, `ice`, `spin`, `slope`, `ramp`,
    `ledge`, `mud`, `interact`, `trigger`, `door opens`, `door closes`, `fade out`, `fade in`, `warp`, `back`, `zone`,
    `resident`, `elevated`, `endless`, `feature`, `trainer`, `battle`,
    `boulder`.
    """

    kind: str
    sentence: str
    values: dict[str, Any]


@dataclass(frozen=True)
class Tick:
    """The player after one field update.

    `x`, `z`: the tile, which changes when a step begins; `position`: fx32, feet on the ground, and apart from it how
    high a jump lifts (`jump`) or the ground swallows (`sink`, negative) the sprite; `camera`: what the camera looks
    at; `half_fov`: what a door adds to the camera's half field of view; `sprite_turn`: the turn of the sprite,
    degrees clockwise; `raised`: how high a mount lifts it.
    """

    number: int
    header: int
    zone: int
    x: int
    z: int
    behaviour: int
    position: Vector
    jump: int
    sink: int
    facing: Direction
    mode: Mode
    elevated: bool
    gait: str
    hidden: bool
    camera: Vector
    half_fov: int
    events: tuple[Event, ...]
    sprite_turn: float = 0
    raised: int = 0

    def plain(self, tables: Tables) -> dict[str, Any]:
        """The tick as JSON; lengths in units. `tables` are those of the game."""
        return {
            "tick": self.number,
            "header": self.zone,
            "tile": [self.x, self.z],
            "behaviour": tables.behaviour_name(self.behaviour),
            "position": [part / ONE for part in self.position],
            "jump": self.jump / ONE,
            "sink": self.sink / ONE,
            "facing": self.facing.word,
            "mode": self.mode.name.lower(),
            "elevated": self.elevated,
            "gait": self.gait,
            "hidden": self.hidden,
            "camera": [part / ONE for part in self.camera],
            "half_fov": self.half_fov,
            "events": [{"kind": event.kind, "sentence": event.sentence, **event.values} for event in self.events],
        }
