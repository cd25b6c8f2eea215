"""The gym of Hearthome City: dark rooms with light cones, a clue on the floor, and one right door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from formats.binary import require
from formats.fixed import Vector, moved
from mapexplorer.features.feature import Feature, whole_number
from mapexplorer.features.values import FeatureConditions, FeatureEffect, FeatureTable, LitPerson, StateChoice, Tile
from mapexplorer.games.field_tables import FogRegisters
from mapexplorer.games.reading import Fx32Vector
from mapexplorer.world.direction import DX, DZ
from mapexplorer.world.terrain.obstacle import obstacle
from mapexplorer.world.terrain.terrain import TILE_LENGTH, Terrain, centre

_TENTHS = 10
_NORMAL_TRAINER = 1


def _free(grid: tuple[Tile, Sequence[str]]) -> tuple[Tile, ...]:
    """The tiles of a north-west tile and rows, where a row has a point."""
    (west, north), rows = grid
    return tuple((west + x, north + z) for z, row in enumerate(rows) for x, letter in enumerate(row) if letter == ".")


class DarkRoom(NamedTuple):
    """A trainer room: the number of its first door, the doors' tiles, the tiles that may have the clue."""

    first_door: int
    doors: tuple[Tile, ...]
    clue_tiles: Annotated[tuple[Tile, ...], _free]


@dataclass(frozen=True)
class HearthomeTable(FeatureTable):
    """The gym of Hearthome: its dark rooms. The models are members of the effects archive."""

    rooms: Mapping[int, DarkRoom]
    """Header -> the room."""
    wrong_door: tuple[int, int]
    """Header and warp where the other doors lead."""
    clues: tuple[int, ...]
    """The model by door."""
    clue_offset: Fx32Vector
    """Added to the position of a clue."""
    fog: FogRegisters
    """The fog of the rooms."""
    densities: Mapping[int, int]
    """The density of the fog by header, where it differs."""
    badge_density: int
    """The density of the fog with the badge of the gym."""
    player_graphics: int
    """The object graphics of the player there."""
    cone_model: int
    """The model of a light cone."""
    cone_animation: int
    """The animation of a light cone."""
    cone_offset: Fx32Vector
    """Added to the position of every cone."""
    player_length: int
    """The length of the player's cone in tiles."""
    cone_rotations: tuple[Vector, ...]
    """By direction, in degrees."""
    cone_scales: tuple[tuple[Vector, ...], ...]
    """By direction and length in tiles."""
    cone_offsets: tuple[tuple[Fx32Vector, ...], ...]
    """The offset from the person by direction and length in tiles."""


class Secret(NamedTuple):
    """The number of the right door in its room, and the tile of the clue, which the game draws by lot."""

    door: int
    clue: Tile


@dataclass(frozen=True)
class HearthomeGym(Feature):
    """A room. `secrets`: right door and clue of each room that has doors, in the order of their headers.

    The game draws lots whenever a room is entered; here the state has those of all rooms, so it is kept.
    """

    name: ClassVar[str] = "hearthome gym"
    kept: ClassVar[bool] = True
    missing: ClassVar[tuple[str, ...]] = ("the door and the place of the clue are the first ones, not drawn by lot",)

    table: HearthomeTable = field(compare=False, repr=False)
    secrets: tuple[Secret, ...]
    badge: bool = False

    @property
    def room(self) -> DarkRoom | None:
        """The table of the room; None for a room without doors."""
        return self.table.rooms.get(self.header)

    @property
    def secret(self) -> Secret | None:
        """The right door and the clue of the room; None for a room without doors."""
        return None if self.room is None else self.secrets[sorted(self.table.rooms).index(self.header)]

    @classmethod
    def entered(cls, table: HearthomeTable, header: int, entry: Tile | None) -> Self:
        """The first of the doors and clue tiles, where the game draws lots."""
        return cls(table, header, tuple(Secret(0, room.clue_tiles[0]) for room in _rooms(table)))

    @classmethod
    def in_state(cls, table: HearthomeTable, header: int, state: Any) -> Self:
        rooms = _rooms(table)
        require(
            isinstance(state, dict) and set(state) <= {"doors", "clues", "badge"},
            f"the state of {cls.name} has the doors and clues of the rooms, and a badge, not {state!r}",
        )
        doors = state.get("doors", [0] * len(rooms))
        clues = state.get("clues", [list(room.clue_tiles[0]) for room in rooms])
        require(
            all(isinstance(each, list) and len(each) == len(rooms) for each in (doors, clues)),
            f"the state of {cls.name} has a door and the tile of a clue for {len(rooms)} rooms",
        )
        secrets = []
        for room, door, given in zip(rooms, doors, clues, strict=True):
            clue = next((tile for tile in room.clue_tiles if list(tile) == given), None)
            if clue is None:
                raise ValueError(f"the state of {cls.name} has the clue on a free tile, not on {given!r}")
            secrets.append(Secret(whole_number(f"a door of {cls.name}", door, len(room.doors)), clue))
        return cls(table, header, tuple(secrets), bool(state.get("badge", False)))

    @property
    def state(self) -> Any:
        if self.room is None:
            return None
        return {
            "doors": [secret.door for secret in self.secrets],
            "clues": [list(secret.clue) for secret in self.secrets],
            "badge": self.badge,
        }

    @classmethod
    def choices(cls, table: HearthomeTable, header: int) -> tuple[StateChoice, ...]:
        if header not in table.rooms:
            return ()
        number = sorted(table.rooms).index(header)
        rooms = _rooms(table)
        return tuple(
            StateChoice(
                f"door {door}",
                f"the door on tile ({x}, {z}) leads on",
                {"doors": [door if index == number else 0 for index in range(len(rooms))]},
            )
            for door, (x, z) in enumerate(rooms[number].doors)
        )

    @property
    def conditions(self) -> FeatureConditions:
        table = self.table
        density = table.badge_density if self.badge else table.densities.get(self.header)
        fog = table.fog if density is None else replace(table.fog, densities=(density,) * len(table.fog.densities))
        return FeatureConditions(fog, shadows=False, player_graphics=table.player_graphics)

    def warp_target(self, x: int, z: int) -> tuple[int, int] | None:
        if self.room is None or self.secret is None or (x, z) not in self.room.doors:
            return None
        return None if self.room.doors.index((x, z)) == self.secret.door else self.table.wrong_door

    def light_length(self, trainer_type: int | None, parameter: int = 0) -> int:
        if trainer_type is None:
            return self.table.player_length
        return parameter if trainer_type == _NORMAL_TRAINER else 0

    def effects(self, ground: Terrain, people: Sequence[LitPerson] = ()) -> tuple[FeatureEffect, ...]:
        cones = tuple(self._cone(ground, person, people) for person in people if person.length)
        return cones if self.secret is None else (*cones, self._clue(ground, self.secret))

    def _clue(self, ground: Terrain, secret: Secret) -> FeatureEffect:
        assert self.room is not None
        x, z = map(centre, secret.clue)
        position = (x, ground.plate_height(x, z, 0) or 0, z)
        return FeatureEffect(
            self.table.clues[self.room.first_door + secret.door], moved(position, self.table.clue_offset)
        )

    def _cone(self, ground: Terrain, person: LitPerson, people: Sequence[LitPerson]) -> FeatureEffect:
        table, facing = self.table, person.facing
        free, end = _free_tiles(ground, person, people)
        scales, offsets = table.cone_scales[facing], table.cone_offsets[facing]
        if free == person.length:
            scale, offset = scales[free], offsets[free]
        else:
            axis = 2 if DZ[facing] else 0
            way = (end[axis] - person.position[axis]) * (DX[facing] + DZ[facing])
            scale, offset = (_between(way, person.length, lengths) for lengths in (scales, offsets))
        position = moved(moved(person.position, offset), table.cone_offset)
        return FeatureEffect(
            table.cone_model,
            position,
            (table.cone_animation,),
            scale=scale,
            rotation=table.cone_rotations[facing],
            fog=False,
        )


def _rooms(table: HearthomeTable) -> list[DarkRoom]:
    """The rooms with doors in the order of their headers."""
    return [room for _, room in sorted(table.rooms.items())]


def _free_tiles(ground: Terrain, person: LitPerson, people: Sequence[LitPerson]) -> tuple[int, Vector]:
    """How many tiles ahead of a person are free, up to the length of the light, and the position of what is behind
    them: a person, else the centre of the tile."""
    (x, z), facing, y = person.tile, person.facing, person.position[1]
    for free in range(person.length):
        rule = obstacle(ground, x, z, y, facing)
        x, z = x + DX[facing], z + DZ[facing]
        someone = next((other for other in people if other.tile == (x, z)), None)
        if rule is not None:
            return free, (centre(x), y, centre(z))
        if someone is not None:
            return free, someone.position
    return person.length, (centre(x), y, centre(z))


def _between(way: int, length: int, table: Sequence[Vector]) -> Vector:
    """The entry of a table by length for a way to an obstacle (fx32): two neighbours mixed in tenths."""
    tiles, rest = divmod(abs(way), TILE_LENGTH)
    near = max(0, min(tiles, length) - 1)
    sign = (way > 0) - (way < 0)
    far = max(0, min(near + sign * (rest > 0), length))
    tenths = rest // (TILE_LENGTH // _TENTHS)
    first, second = table[near], table[far]
    x, y, z = (a + int((b - a) / _TENTHS) * tenths for a, b in zip(first, second, strict=True))
    return x, y, z
