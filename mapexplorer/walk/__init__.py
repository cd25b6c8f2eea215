"""Walking by the game's rules: movement tick by tick, warps, and what can be reached. It draws nothing.

`Walker` is the player, `DistortionWalker` that in the Distortion World; `decide` is the one step test; `search`
computes what can be reached.
"""

from mapexplorer.walk.ability import ALL_ABILITIES, Ability
from mapexplorer.walk.distortion_walker import AnyWalker, DistortionWalker, walker_at
from mapexplorer.walk.gait import Mode
from mapexplorer.walk.ground import Ground, Grounds
from mapexplorer.walk.path import NOTATION, compact, parse_path, play
from mapexplorer.walk.rules import Decision, Move, Refusal, Standing, decide, refusal
from mapexplorer.walk.tick import Event, Tick
from mapexplorer.walk.walker import Walker
from mapexplorer.walk.warps import Spot, Transition, resolve
from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST, Direction
from mapexplorer.world.obstacle import StepRule

__all__ = [
    "ALL_ABILITIES",
    "EAST",
    "NORTH",
    "NOTATION",
    "SOUTH",
    "WEST",
    "Ability",
    "AnyWalker",
    "Decision",
    "Direction",
    "DistortionWalker",
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
    "walker_at",
]
