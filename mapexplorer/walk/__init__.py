"""Walking by the game's rules: movement tick by tick, warps, and what can be reached. It draws nothing.

`Walker` is the player; `decide` is the one step test; `search` computes what can be reached.

One step test (`rules`) serves ticks and searches. A search tests plain steps itself and uses a `Walker` for all other
movements, so every stored path can be replayed where no trainer looks. Steps are tested against the events; objects
that the walk moves (trainers who come, boulders) are in `Standing.moved`, which counts before them. A feature is held
in `Standing` as a value, so that a search has one state for each state of the feature; its `Change` runs tick by tick.
Where the feature has surfaces, as walls, it also holds on which one the player stands.
"""

from mapexplorer.map_objects.gait import Mode
from mapexplorer.walk.ability import ALL_ABILITIES, Ability
from mapexplorer.walk.ground import Ground, Grounds
from mapexplorer.walk.path import NOTATION, compact, parse_path, play
from mapexplorer.walk.rules import Decision, Move, Refusal, Standing, decide, refusal
from mapexplorer.walk.tick import Event, Tick
from mapexplorer.walk.walker import Walker
from mapexplorer.walk.warps import Spot, Transition, resolve
from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST, Direction
from mapexplorer.world.terrain.obstacle import StepRule

__all__ = [
    "ALL_ABILITIES",
    "EAST",
    "NORTH",
    "NOTATION",
    "SOUTH",
    "WEST",
    "Ability",
    "Decision",
    "Direction",
    "Event",
    "Ground",
    "Grounds",
    "Mode",
    "Move",
    "Refusal",
    "Spot",
    "Standing",
    "StepRule",
    "Tick",
    "Transition",
    "Walker",
    "compact",
    "decide",
    "parse_path",
    "play",
    "refusal",
    "resolve",
]
