"""The tables of map objects: drawing of each graphics id, movement types, movement actions, the state of a new game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from formats.fixed import ONE

_DIRECTIONS = "NSWE"


class Animation(NamedTuple):
    """A range of a frame sequence: `first` and `last` frame; `once`: it stops at its end instead of repeating."""

    first: int
    last: int
    once: bool


@dataclass(frozen=True)
class ObjectGraphics:
    """Drawing of a graphics id: the name, the renderer (`draws`), its animations; `shadow` and `reflection`: whether it
    has one; `footprint`: its kind (0 none, 1 feet, 2 wheels); `fog`: whether fog is applied to it."""

    id: int
    name: str
    draws: str
    animations: tuple[Animation, ...]
    shadow: bool
    footprint: int
    reflection: bool
    fog: bool

    @property
    def pushed(self) -> bool:
        """Whether a player with Strength pushes it."""
        return self.name == "strength boulder"


@dataclass(frozen=True)
class MovementType:
    """A movement type of an object event: its kind, its directions (0 north, 1 south, 2 west, 3 east) in order, the
    axis (`x`, `z` or none) on which a path turns back."""

    id: int
    kind: str
    directions: tuple[int, ...]
    axis: str


@dataclass(frozen=True)
class MovementAction:
    """A movement action: its kind, its direction (None: none), the fx32 units moved in each tick, the movement code
    that selects the animation, the step of the jump curve in 1/256 of an entry."""

    id: int
    kind: str
    direction: int | None
    units: tuple[int, ...]
    code: int
    jump_step: int


def read_graphics(table: dict[str, Any]) -> dict[int, ObjectGraphics]:
    """Graphics id -> drawing of it."""
    animations = [
        tuple([Animation(first, last, bool(once)) for first, last, once in row]) for row in table["animations"]
    ]
    without_fog = frozenset(table["graphics without fog"])
    return {
        number: ObjectGraphics(
            number,
            name,
            draws,
            animations[index] if index >= 0 else (),
            bool(shadow),
            footprint,
            bool(reflection),
            number not in without_fog,
        )
        for number, name, draws, index, shadow, footprint, reflection in table["graphics"]
    }


def read_movement_types(table: dict[str, Any]) -> dict[int, MovementType]:
    """Movement type id -> movement type."""
    return {
        number: MovementType(number, kind, tuple([_DIRECTIONS.index(letter) for letter in letters]), axis)
        for number, kind, letters, axis in table["movement types"]
    }


def read_movement_actions(table: dict[str, Any]) -> dict[int, MovementAction]:
    """Action number -> movement action."""
    actions = {}
    for kind, first, letters, units, code, jump_step in table["actions"]:
        steps = tuple([round(unit * ONE) for unit in units])
        for index, letter in enumerate(letters or " "):
            direction = _DIRECTIONS.index(letter) if letters else None
            actions[first + index] = MovementAction(first + index, kind, direction, steps, code, jump_step)
    return actions


@dataclass(frozen=True)
class NewGame:
    """The state of a new game: flags, variables, the berry of every patch (1 Cheri), and by header the graphics
    variables that the scripts of the map set for a male player."""

    flags: frozenset[int]
    variables: dict[int, int]
    berries: tuple[int, ...]
    map_variables: dict[int, dict[int, int]]
    first_graphics_variable: int


def read_new_game(table: dict[str, Any]) -> NewGame:
    """The new game of a table."""
    return NewGame(
        frozenset(table["flags"]),
        {int(number): value for number, value in table["variables"].items()},
        tuple(table["berries"]),
        {
            int(header): {int(number): value for number, value in variables.items()}
            for header, variables in table["graphics variables"].items()
        },
        table["first graphics variable"],
    )


class EffectModelShape(NamedTuple):
    """An effect drawn as a model: its number in the game, members of the effects archive by kind, the member of its
    pattern animation (None: none), fx32 offset."""

    number: int
    members: tuple[int, ...]
    animation: int | None
    offset: tuple[int, int, int]


class EffectBillboardShape(NamedTuple):
    """An effect drawn as a billboard: its number in the game, members of the effects archive (texture and sequence -1:
    those of the object), fx32 offset, the last frame."""

    number: int
    model: int
    texture: int
    sequence: int
    offset: tuple[int, int, int]
    last: int


def _fx32(units: list[float]) -> tuple[int, int, int]:
    x, y, z = (round(unit * ONE) for unit in units)
    return x, y, z


def read_effect_models(table: dict[str, Any]) -> dict[str, EffectModelShape]:
    """Name -> effect with models."""
    return {
        name: EffectModelShape(number, tuple(members), animation, _fx32(offset))
        for name, (number, members, animation, offset) in table["models"].items()
    }


def read_effect_billboards(table: dict[str, Any]) -> dict[str, EffectBillboardShape]:
    """Name -> effect that is a billboard."""
    return {
        name: EffectBillboardShape(number, model, texture, sequence, _fx32(offset), last)
        for name, (number, model, texture, sequence, offset, last) in table["billboards"].items()
    }


def read_sign_offsets(table: dict[str, Any]) -> dict[int, tuple[int, int, int]]:
    """Graphics id of a sign -> its fx32 offset."""
    return {int(graphics): _fx32(offset) for graphics, offset in table["offsets of signs"].items()}
