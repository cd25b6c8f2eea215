"""What features consist of: their tables, what is drawn of them, where the player stands, choices of states.

Positions are fx32, matrix-wide; tiles are matrix-wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from formats.fixed import ONE, Vector
from mapexplorer.arrays import Picture
from mapexplorer.games.field_tables import FogRegisters, Rgb5
from mapexplorer.map_objects.drawn import UNIT_SCALE
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.terrain import Terrain, centre

_WALK_STEP: Final = 2 * ONE
"""How far a player walks in a tick."""

Tile = tuple[int, int]

Rectangle = tuple[int, int, int, int]
"""The north-west tile, then how many tiles from west to east and from north to south."""

Grid = tuple[str, ...]
"""Rows of tiles from north to south, one letter a tile."""


@dataclass(frozen=True)
class FeatureTable:
    """What `data/GAME/NAME.json` says about a feature, with its headers. Its positions and heights are fx32, in the
    file in units; tiles are matrix-wide, angles 1/65536 of a turn unless in degrees. Directions are numbered 0 north, 1
    south, 2 west, 3 east. Scripts are numbers of coordinate triggers and people."""

    headers: tuple[int, ...]


class RunTimeProp(NamedTuple):
    """A prop that code creates: member of the prop models, position, rotation about x, y, z (0..65535, None: created
    without one), whether it is hidden."""

    model: int
    position: Vector
    rotation: Vector | None = None
    hidden: bool = False


class PlacedProp(NamedTuple):
    """What a feature changes on the props of a model that are placed on the map: their height (None: as placed), the
    number of the animation in their list (None: none), whether it repeats, or is held at its last frame (`at_end`) or
    at its first; when that changes it plays once, forward or backward."""

    model: int
    height: int | None = None
    animation: int | None = None
    repeats: bool = False
    at_end: bool = False


class FeatureEffect(NamedTuple):
    """A model of the effects archive."""

    member: int
    """The member with the model."""
    position: Vector
    """x, y, z in fx32."""
    animations: tuple[int, ...] = ()
    """The members of its animations."""
    repeats: bool = True
    """Whether the animations repeat."""
    scale: Vector = UNIT_SCALE
    """Factors in fx32."""
    rotation: Vector | None = None
    """About x, y, z in degrees, None: none."""
    fog: bool = True
    """Whether fog lies before it where its materials say so."""
    ends: bool = False
    """Whether it vanishes when its animations have ended."""
    alpha: int | None = None
    """That of all materials, None: those of the model."""
    frame: int | None = None
    """The frame at which its animations are held, None: they play."""
    heights: tuple[int, ...] = ()
    """Added to its position tick by tick, over and over."""
    name: str = ""
    """What it is; empty where only its file has a name."""


class FeatureSky(NamedTuple):
    """What is seen behind the 3D picture: kind of the clouds' motion, strength of the tint, and who draws it with the
    files of a ROM."""

    kind: int
    tint: int
    painter: Callable[[WorldFiles], SkyPainter]


SkyPainter = Callable[[FeatureSky, int, Picture], Picture]
"""Draws a sky with the 2D engine: the displayed picture after some updates, uint8 (192, 256, 4) with r, g, b 0..63 and
alpha 31, from that of the 3D engine, in the same form with alpha 0..31. Used by one thread at a time; raises
FormatError, RomError."""


class PlayerTile(NamedTuple):
    """Where the player stands: matrix-wide tile, and the height (None: that of the ground)."""

    x: int
    z: int
    height: int | None = None


class HeightPlate(NamedTuple):
    """A rectangle of tiles with a height: the north-west tile, how many tiles from west to east and from north to
    south."""

    x: int
    z: int
    width: int
    length: int
    height: int

    def contains(self, x: int, z: int) -> bool:
        """Whether a tile lies on it."""
        return self.x <= x < self.x + self.width and self.z <= z < self.z + self.length


class LitPerson(NamedTuple):
    """A person whom a feature lights: tile, position, facing, the length of the light in tiles."""

    tile: Tile
    position: Vector
    facing: Direction
    length: int


class FeatureConditions(NamedTuple):
    """What a feature sets for the whole picture: fog (None: the weather's), whether people have shadows, the graphics
    id of the player (None: as usual), the edge colours (None: those of the area), whether all cells of the matrix are
    loaded."""

    fog: FogRegisters | None = None
    shadows: bool = True
    player_graphics: int | None = None
    edge_colors: tuple[Rgb5, ...] | None = None
    whole_matrix: bool = False


class StateChoice(NamedTuple):
    """A state that a person can choose: name, title, plain value."""

    name: str
    title: str
    state: Any


class Press(NamedTuple):
    """A direction that the player presses: on which ground, the tile and height where they stand, whether they surf,
    whether they can push boulders."""

    ground: Terrain
    x: int
    z: int
    y: int
    direction: Direction
    surfing: bool = False
    strong: bool = False

    @property
    def ahead(self) -> Tile:
        """The tile ahead on the ground."""
        return self.x + DX[self.direction], self.z + DZ[self.direction]


class SurfaceStep(NamedTuple):
    """What a step on a surface of the feature leads onto."""

    blocked: bool
    water: bool = False
    double_ledge: bool = False


def walked(start: Tile, end: Tile, y: int) -> Iterator[Vector]:
    """The position of a player at each tick of walking from tile to tile at height y: along x first, then along z."""
    (x, z), (end_x, end_z) = ((centre(east), centre(south)) for east, south in (start, end))
    for east in steps(x, end_x, _WALK_STEP) if x != end_x else ():
        yield east, y, z
    for south in steps(z, end_z, _WALK_STEP) if z != end_z else ():
        yield end_x, y, south


def steps(start: int, end: int, step: int) -> Iterator[int]:
    """The values after each tick of moving from `start` to `end` by `step`; one tick at least."""
    value = start
    while True:
        value = min(value + step, end) if end >= start else max(value - step, end)
        yield value
        if value == end:
            return
