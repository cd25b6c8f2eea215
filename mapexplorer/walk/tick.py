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
    """The player after one field update."""

    number: int
    """The number of the update from the start of the walk."""
    header: int
    """The map that was entered."""
    zone: int
    """The map that the tile belongs to."""
    x: int
    """The column of the tile, which changes when a step begins."""
    z: int
    """The row of the tile, which changes when a step begins."""
    behaviour: int
    """The behaviour of the tile."""
    position: Vector
    """x, y, z in fx32, feet on the ground."""
    jump: int
    """How high a jump lifts the sprite, fx32."""
    sink: int
    """How deep the ground swallows the sprite, fx32, negative."""
    facing: Direction
    """The direction that the player looks in."""
    mode: Mode
    """What the player moves on."""
    elevated: bool
    """On the deck of a bridge."""
    gait: str
    """The name of the way of moving."""
    hidden: bool
    """The player is not shown."""
    camera: Vector
    """What the camera looks at, fx32."""
    half_fov: int
    """What a door adds to the camera's half field of view."""
    events: tuple[Event, ...]
    """What happened in this update."""
    sprite_turn: float = 0
    """The turn of the sprite, degrees clockwise."""
    raised: int = 0
    """How high a mount lifts the sprite, fx32."""

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
