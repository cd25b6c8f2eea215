"""The tables of the gyms with features, from `data/GAME/features.json`, as values.

Positions and heights are fx32, matrix-wide; tiles are matrix-wide; angles are 1/65536 of a turn unless in degrees.
Directions are numbered 0 north, 1 south, 2 west, 3 east. Scripts are numbers of coordinate triggers and people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from formats.fixed import ONE, Vector

Tile = tuple[int, int]
Rectangle = tuple[int, int, int, int]
"""The north-west tile, then how many tiles from west to east and from north to south."""
Grid = tuple[str, ...]
"""Rows of tiles from north to south, one letter a tile."""

_TILE = 16
_AXES = {"NS": (0, 1), "EW": (2, 3)}


def fx32(units: float) -> int:
    """Units in fx32."""
    return round(units * ONE)


def vector(units: Sequence[float]) -> Vector:
    """A position in units as fx32."""
    x, y, z = units
    return fx32(x), fx32(y), fx32(z)


def _numbered(table: Mapping[str, Any]) -> dict[int, Any]:
    return {int(number): value for number, value in table.items()}


class FeatureFog(NamedTuple):
    """Fog registers that a feature sets: shift, offset, RGB5 colour, alpha, the 32 densities."""

    shift: int
    offset: int
    color: tuple[int, int, int]
    alpha: int
    densities: tuple[int, ...]


class WaterLevel(NamedTuple):
    """A level of the water: the colour of its button, the height, the model of the button."""

    color: str
    height: int
    button: int


@dataclass(frozen=True)
class PastoriaTable:
    """The gym of Pastoria City. `walkable`: behaviour of a tile -> the only height from which it is entered."""

    model: int
    x: int
    z: int
    levels: tuple[WaterLevel, ...]
    initial: int
    plate: Rectangle
    walkable: Mapping[int, int]
    step: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> PastoriaTable:
        """Read its table."""
        water = table["water"]
        return cls(
            water["model"],
            fx32(water["x"]),
            fx32(water["z"]),
            tuple(WaterLevel(color, fx32(height), button) for color, height, button in table["levels"]),
            table["initial"],
            tuple(table["plate"]),
            {behaviour: fx32(height) for behaviour, height in _numbered(table["walkable at"]).items()},
            fx32(table["units per tick"]),
        )


class GymFloor(NamedTuple):
    """The model of an upper floor, its position, and the height of the player from which it is drawn."""

    model: int
    position: Vector
    shown_from: int


class Platform(NamedTuple):
    """A platform between two positions, A and B, on the centres of tiles, and the floor of each."""

    model: int
    ends: tuple[Vector, Vector]
    floors: tuple[int, int]


@dataclass(frozen=True)
class CanalaveTable:
    """The gym of Canalave City. `initial`: bit i is set if platform i is at B; `collision`: a grid per floor, `#`
    blocked; `step` of a lift per tick; `ticks_per_tile` of a ride on a floor."""

    floors: tuple[GymFloor, ...]
    platforms: tuple[Platform, ...]
    initial: int
    collision: tuple[Grid, ...]
    floor_distance: int
    step: int
    ticks_per_tile: int
    clip_planes: tuple[int, int]
    fog: FeatureFog

    @classmethod
    def of(cls, table: dict[str, Any]) -> CanalaveTable:
        """Read its table."""
        near, far = table["clip planes"]
        fog = table["fog"]
        return cls(
            tuple(GymFloor(model, vector((x, y, z)), fx32(shown)) for model, x, y, z, shown in table["floors"]),
            tuple(
                Platform(model, (_on_tile(a), _on_tile(b)), (low, high))
                for model, a, b, low, high, _ in table["platforms"]
            ),
            sum(row[5] << index for index, row in enumerate(table["platforms"])),
            tuple(tuple(rows) for rows in table["collision"]),
            fx32(table["floor distance"]),
            fx32(table["units per tick"]),
            table["ticks per tile"],
            (fx32(near), fx32(far)),
            FeatureFog(fog["shift"], fog["offset"], tuple(fog["colour"]), fog["alpha"], tuple(fog["densities"])),
        )


def _on_tile(tile: Sequence[int]) -> Vector:
    """The centre of a tile at a height in tiles."""
    x, y, z = tile
    return fx32(x * _TILE + _TILE / 2), fx32(y * _TILE), fx32(z * _TILE + _TILE / 2)


class Gear(NamedTuple):
    """A gear: model, position, quarter turns in state 0, whether it turns clockwise, whether it is vertical."""

    model: int
    position: Vector
    quarter: int
    clockwise: bool
    vertical: bool


@dataclass(frozen=True)
class SunyshoreRoom:
    """A room of the gym of Sunyshore City. `first_z`: the row of the entrance at which the state is 0, at all others it
    is `initial`; `blocked`: the numbers of the blocked regions by state; `turns`: quarter turns by type of button;
    `step` of a gear per tick."""

    initial: int
    first_z: int
    gears: tuple[Gear, ...]
    regions: tuple[Rectangle, ...]
    blocked: tuple[tuple[int, ...], ...]
    turns: tuple[int, ...]
    step: int


def read_sunyshore(table: dict[str, Any]) -> dict[int, SunyshoreRoom]:
    """Header -> room."""
    return {
        room["header"]: SunyshoreRoom(
            room["initial"],
            room["state 0 when entered at z"],
            tuple(_gear(*row) for row in room["gears"]),
            tuple(tuple(region) for region in room["regions"]),
            tuple(tuple(regions) for regions in room["blocked"]),
            tuple(table["turns by type of button"]),
            table["step per tick"],
        )
        for room in table["rooms"]
    }


def _gear(model: int, x: int, y: int, z: int, quarter: int, clockwise: int, vertical: int) -> Gear:
    east, up, south = _on_tile((x, y, z))
    return Gear(model, (east, up + fx32(_TILE / 2) * vertical, south), quarter, bool(clockwise), bool(vertical))


@dataclass(frozen=True)
class Fountains:
    """The fountains of a gym: members of the effects archive, the tiles of each, which are seen by state."""

    model: int
    animation: int
    falling: int
    tiles: Mapping[str, tuple[Tile, ...]]
    shown: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class EternaTable:
    """The gym of Eterna City. `times`: (hour, minute) of the clock by state; `clock` and `row`: north-west tile and a
    grid by state, `#` blocked; `jumps`: by state the tile that is jumped over and in which directions;
    `beaten_variable`: that with the number of beaten trainers."""

    hour_hand: tuple[int, Vector]
    minute_hand: tuple[int, Vector]
    times: tuple[tuple[int, int], ...]
    rotations: tuple[int, ...]
    minute_rotation: int
    hour_rotation_per_minute: int
    hour_offset: int
    minute_offset: int
    minutes_per_tick: int
    clock: tuple[Tile, tuple[Grid, ...]]
    row: tuple[Tile, tuple[Grid, ...]]
    jumps: tuple[tuple[Tile, tuple[int, int]] | None, ...]
    fountains: Fountains
    beaten_variable: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> EternaTable:
        """Read its table."""
        (hour, *hour_at), (minute, *minute_at) = table["hands"]["hour"], table["hands"]["minute"]
        clock, row, fountains = table["clock"], table["fountain row"], table["fountains"]
        z = fountains["z"]
        return cls(
            (hour, vector(hour_at)),
            (minute, vector(minute_at)),
            tuple((hours, minutes) for hours, minutes in table["times"]),
            tuple(table["rotations"]),
            table["minute rotation"],
            table["hour rotation per minute"],
            table["hour offset"],
            table["minute offset"],
            table["minutes per tick"],
            ((clock["x"], clock["z"]), tuple(tuple(rows) for rows in clock["states"])),
            ((row["x"], row["z"]), tuple((only,) for only in row["states"])),
            tuple(None if jump is None else ((jump[0], jump[1]), _AXES[jump[2]]) for jump in table["jumps"]),
            Fountains(
                fountains["model"],
                fountains["animation"],
                fountains["falling"],
                {
                    side: tuple((x, z) for x in range(fountains[side][0], fountains[side][1] + 1))
                    for side in ("left", "right")
                },
                tuple(tuple(sides) for sides in fountains["shown"]),
            ),
            table["variable of beaten trainers"],
        )


@dataclass(frozen=True)
class VeilstoneTable:
    """The gym of Veilstone City: bags, stacks of tyres and members of the effects archive. `swings` and `slides` by
    direction of a bag's movement reversed; `topple`: the animations of a stack; `rules`: a digit per tile."""

    bags: tuple[Tile, ...]
    stacks: tuple[Tile, ...]
    bag_model: int
    stack_model: int
    toppled_model: int
    swings: tuple[int, ...]
    slides: tuple[int, ...]
    topple: tuple[int, ...]
    height: int
    rules: Grid
    camera_follows_above: tuple[int, ...]

    @classmethod
    def of(cls, table: dict[str, Any]) -> VeilstoneTable:
        """Read its table."""
        models = table["models"]
        return cls(
            tuple((x, z) for x, z in table["bags"]),
            tuple((x, z) for x, z in table["stacks"]),
            models["bag"],
            models["stack"],
            models["toppled stack"],
            tuple(table["swings"]),
            tuple(table["slides"]),
            tuple(table["topple"]),
            fx32(table["height"]),
            tuple(table["rules"]),
            tuple(table["camera follows above"]),
        )


@dataclass(frozen=True)
class LightCone:
    """The light cone of a person, a model of the effects archive. By direction: rotation in degrees; by direction and
    length in tiles: fx32 scale, offset from the person."""

    model: int
    animation: int
    offset: Vector
    player_length: int
    rotations: tuple[Vector, ...]
    scales: tuple[tuple[Vector, ...], ...]
    offsets: tuple[tuple[Vector, ...], ...]


class DarkRoom(NamedTuple):
    """A trainer room: the number of its first door, the doors' tiles, the tiles that may have the clue."""

    first_door: int
    doors: tuple[Tile, ...]
    clue_tiles: tuple[Tile, ...]


@dataclass(frozen=True)
class HearthomeTable:
    """The gym of Hearthome City. `rooms` by header; `wrong_door`: header and warp where the other doors lead; `clues`:
    members of the effects archive by door; `densities`: by header where the fog differs."""

    rooms: Mapping[int, DarkRoom]
    wrong_door: tuple[int, int]
    clues: tuple[int, ...]
    clue_offset: Vector
    fog: FeatureFog
    densities: Mapping[int, int]
    badge_density: int
    player_graphics: int
    cone: LightCone

    @classmethod
    def of(cls, table: dict[str, Any]) -> HearthomeTable:
        """Read its table."""
        fog, cone = table["fog"], table["cone"]
        header, warp = table["wrong door"]
        return cls(
            {room["header"]: _dark_room(room) for room in table["rooms"]},
            (header, warp),
            tuple(table["clues"]),
            vector(table["clue offset"]),
            FeatureFog(fog["shift"], fog["offset"], tuple(fog["colour"]), fog["alpha"], (fog["density"],) * 32),
            _numbered(fog["densities by header"]),
            fog["density with the badge"],
            table["player graphics"],
            LightCone(
                cone["model"],
                cone["animation"],
                vector(cone["offset"]),
                cone["player length"],
                tuple((a, b, c) for a, b, c in cone["rotations"]),
                tuple(tuple((x, y, z) for x, y, z in scales) for scales in cone["scales"]),
                tuple(tuple(map(vector, offsets)) for offsets in cone["offsets"]),
            ),
        )


def _dark_room(room: dict[str, Any]) -> DarkRoom:
    west, north = room["offset"]
    tiles = tuple(
        (west + x, north + z) for z, row in enumerate(room["no clue"]) for x, letter in enumerate(row) if letter == "."
    )
    return DarkRoom(room["first door"], tuple((x, z) for x, z in room["doors"]), tiles)


class Snowball(NamedTuple):
    """A snowball: the number of its object event, its tile."""

    event: int
    tile: Tile


@dataclass(frozen=True)
class SnowpointTable:
    """The gym of Snowpoint City: its snowballs; the model and the animation of one that breaks, members of the effects
    archive."""

    snowballs: tuple[Snowball, ...]
    model: int
    animation: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> SnowpointTable:
        """Read its table."""
        snowballs = tuple(Snowball(event, (x, z)) for event, x, z in table["snowballs"])
        return cls(snowballs, table["model"], table["animation"])
