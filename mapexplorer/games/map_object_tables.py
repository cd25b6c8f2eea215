"""The tables of map objects: drawing of each graphics id, movement types, movement actions, field effects, the state of
a new game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from mapexplorer.games.reading import Fx32, Fx32Vector, Span

_DIRECTIONS = "NSWE"


def _directions(letters: str) -> tuple[int, ...]:
    return tuple([_DIRECTIONS.index(letter) for letter in letters])


class Animation(NamedTuple):
    """A range of a frame sequence: `first` and `last` frame; `once`: it stops at its end instead of repeating."""

    first: int
    last: int
    once: bool


@dataclass(frozen=True)
class ObjectGraphics:
    """Drawing of a graphics id."""

    id: int
    """The number of the graphics."""
    name: str
    """A name in plain words, empty without one."""
    draws: str
    """The renderer, see `map_objects.renderers`."""
    animations: Annotated[tuple[Animation, ...], tuple]
    """The ranges of its frame sequence, by the number of the animation."""
    shadow: bool
    """Whether it has a shadow."""
    footprint: int
    """The kind of its footprints: 0 none, 1 feet, 2 wheels."""
    reflection: bool
    """Whether water reflects it."""
    fog: bool = True
    """Whether fog is applied to it."""

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
    directions: Annotated[tuple[int, ...], _directions]
    axis: str


@dataclass(frozen=True)
class MovementAction:
    """A movement action: its kind, its direction (-1: none), the fx32 units moved in each tick, the movement code
    that selects the animation, the step of the jump curve in 1/256 of an entry."""

    id: int
    kind: str
    direction: Annotated[int, _DIRECTIONS.find]
    units: tuple[Fx32, ...]
    code: int
    jump_step: int


Rows = Annotated[Sequence[Sequence[Any]], tuple]


@dataclass(frozen=True)
class MapObjectTables:
    """`map_objects.json`."""

    graphics: Rows
    """For `ObjectGraphics`, with the number of the animations among `animations`; -1: the last ones, which are none."""
    animations: tuple[tuple[Animation, ...], ...]
    """Lists of animations, which `graphics` names by number."""
    player_graphics: Mapping[str, int]
    """What a male player moves on (`bicycle`, `surf`) -> its object graphics id; on foot it is 0."""
    variable_graphics: Span
    """The graphics ids that stand for variables, in the order of the variables."""
    movement_types: Mapping[int, MovementType]
    """Movement type of an object event -> how the object moves."""
    movement_type_names: tuple[str, ...]
    """The names of the movement types by number."""
    actions: Rows
    """For `MovementAction`, whose directions have consecutive numbers from the first on."""
    jump_curve: tuple[int, ...]
    """Heights in units of a jump."""


@dataclass(frozen=True)
class NewGame:
    """The state of a new game."""

    flags: frozenset[int]
    """Those that are set."""
    variables: Mapping[int, int]
    """Number -> value, of those that are not 0."""
    berries: tuple[int, ...]
    """The berry of every patch; 1 is Cheri."""
    map_variables: Mapping[int, Mapping[int, int]]
    """Header -> the graphics variables that the scripts of the map set for a male player."""
    first_graphics_variable: int
    """The number of the first variable for the graphics of objects."""
    invisible: int
    """The graphics id of an object without a picture."""
    hidden_by_code: Mapping[int, tuple[int, int]]
    """Header -> the first and last local id of the objects that code hides when the map is entered."""
    names: Mapping[str, tuple[int, int]]
    """Who is given a name -> message bank (of western releases) and entry of the name that the game has for them."""

    def unseen(self, header: int) -> range:
        """The local ids of the objects that code hides when a map is entered."""
        first, last = self.hidden_by_code.get(header, (0, -1))
        return range(first, last + 1)


class EffectModelShape(NamedTuple):
    """An effect drawn as a model: its number in the game, members of the effects archive by kind, the member of its
    pattern animation (None: none), fx32 offset."""

    number: int
    members: tuple[int, ...]
    animation: int | None
    offset: Fx32Vector


class EffectBillboardShape(NamedTuple):
    """An effect drawn as a billboard: its number in the game, members of the effects archive (texture and sequence -1:
    those of the object), fx32 offset, the last frame."""

    number: int
    model: int
    texture: int
    sequence: int
    offset: Fx32Vector
    last: int


@dataclass(frozen=True)
class FieldEffects:
    """`field_effects.json`: models and billboards by the name of the effect. `sign_offsets`: graphics id of a sign ->
    how far it stands beside its object, by default not at all; `headers_without_shadows`: on whose maps objects cast no
    shadow: underground and in another world; `ring_frames`: how many ticks a ring is seen; `river_offset`: by how much
    a reflection in a river is lower than in a puddle."""

    models: Mapping[str, EffectModelShape]
    billboards: Mapping[str, EffectBillboardShape]
    sign_offsets: Mapping[int, Fx32Vector]
    headers_without_shadows: frozenset[int]
    ring_frames: int
    river_offset: Fx32
