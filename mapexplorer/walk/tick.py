"""What a walk tells about itself: a record of every tick, with the events that happened in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from formats.fixed import Vector
from mapexplorer.games import DEFAULT
from mapexplorer.walk.gait import Mode
from mapexplorer.world.cells import FX
from mapexplorer.world.direction import Direction


class Event(NamedTuple):
    """Something that happened: a kind, a sentence, and its values.

    Kinds: `blocked`, `surf`, `ashore`, `climb`, `waterfall`, `bicycle`, `gear`, `ice`, `spin`, `slope`, `ramp`,
    `ledge`, `mud`, `interact`, `trigger`, `door opens`, `door closes`, `fade out`, `fade in`, `warp`, `back`, `zone`,
    `resident`, `elevated`, `endless`.
    """

    kind: str
    sentence: str
    values: dict[str, Any]


@dataclass(frozen=True)
class Tick:
    """The player after one field update.

    `x`, `z`: the tile, which changes when a step begins; `position`: fx32, feet on the ground, and apart from it how
    high a jump lifts (`jump`) or the ground swallows (`sink`, negative) the sprite; `camera`: what the camera looks
    at; `half_fov`: what a door adds to the camera's half field of view.
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

    def plain(self) -> dict[str, Any]:
        """The tick as numbers and words; units, not fx32."""
        return {
            "tick": self.number,
            "zone": self.zone,
            "tile": [self.x, self.z],
            "behaviour": DEFAULT.tables.behaviour_name(self.behaviour),
            "position": [part / FX for part in self.position],
            "jump": self.jump / FX,
            "sink": self.sink / FX,
            "facing": self.facing.word,
            "mode": self.mode.name.lower(),
            "elevated": self.elevated,
            "gait": self.gait,
            "hidden": self.hidden,
            "camera": [part / FX for part in self.camera],
            "half_fov": self.half_fov,
            "events": [{"kind": event.kind, "sentence": event.sentence, **event.values} for event in self.events],
        }
