"""The gym of Hearthome City: dark rooms with light cones, a clue on the floor, and one right door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from formats.fixed import Vector
from mapexplorer.features.feature import Feature, FeatureConditions, FeatureEffect, LitPerson, StateChoice, whole_number
from mapexplorer.games.gym_tables import DarkRoom, HearthomeTable, Tile
from mapexplorer.games.tables import Tables
from mapexplorer.world.direction import DX, DZ
from mapexplorer.world.obstacle import obstacle
from mapexplorer.world.terrain import TILE_LENGTH, Terrain, centre

_TENTHS = 10
_NORMAL_TRAINER = 1


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

    secrets: tuple[Secret, ...]
    badge: bool = False

    @property
    def table(self) -> HearthomeTable:
        """Its table."""
        return self.tables.features.hearthome

    @property
    def room(self) -> DarkRoom | None:
        """The table of the room; None for a room without doors."""
        return self.table.rooms.get(self.header)

    @property
    def secret(self) -> Secret | None:
        """The right door and the clue of the room; None for a room without doors."""
        return None if self.room is None else self.secrets[sorted(self.table.rooms).index(self.header)]

    @classmethod
    def entered(cls, tables: Tables, header: int, entry: Tile | None) -> Self:
        """The first of the doors and clue tiles, where the game draws lots."""
        return cls(tables, header, tuple(Secret(0, room.clue_tiles[0]) for room in _rooms(tables)))

    @classmethod
    def in_state(cls, tables: Tables, header: int, state: Any) -> Self:
        rooms = _rooms(tables)
        if not isinstance(state, dict) or not set(state) <= {"doors", "clues", "badge"}:
            raise ValueError(
                f"the state of {cls.name} has the doors and clues of the rooms, and a badge, not {state!r}"
            )
        doors = state.get("doors", [0] * len(rooms))
        clues = state.get("clues", [list(room.clue_tiles[0]) for room in rooms])
        if not all(isinstance(each, list) and len(each) == len(rooms) for each in (doors, clues)):
            raise ValueError(f"the state of {cls.name} has a door and the tile of a clue for {len(rooms)} rooms")
        secrets = []
        for room, door, given in zip(rooms, doors, clues, strict=True):
            clue = next((tile for tile in room.clue_tiles if list(tile) == given), None)
            if clue is None:
                raise ValueError(f"the state of {cls.name} has the clue on a free tile, not on {given!r}")
            secrets.append(Secret(whole_number(f"a door of {cls.name}", door, len(room.doors)), clue))
        return cls(tables, header, tuple(secrets), bool(state.get("badge", False)))

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
    def choices(cls, tables: Tables, header: int) -> tuple[StateChoice, ...]:
        if header not in tables.features.hearthome.rooms:
            return ()
        number = sorted(tables.features.hearthome.rooms).index(header)
        rooms = _rooms(tables)
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
        fog = table.fog if density is None else table.fog._replace(densities=(density,) * len(table.fog.densities))
        return FeatureConditions(fog, shadows=False, player_graphics=table.player_graphics)

    def warp_target(self, x: int, z: int) -> tuple[int, int] | None:
        if self.room is None or self.secret is None or (x, z) not in self.room.doors:
            return None
        return None if self.room.doors.index((x, z)) == self.secret.door else self.table.wrong_door

    def light_length(self, trainer_type: int | None, parameter: int = 0) -> int:
        if trainer_type is None:
            return self.table.cone.player_length
        return parameter if trainer_type == _NORMAL_TRAINER else 0

    def effects(self, ground: Terrain, people: Sequence[LitPerson] = ()) -> tuple[FeatureEffect, ...]:
        cones = tuple(self._cone(ground, person, people) for person in people if person.length)
        return cones if self.secret is None else (*cones, self._clue(ground, self.secret))

    def _clue(self, ground: Terrain, secret: Secret) -> FeatureEffect:
        assert self.room is not None
        x, z = map(centre, secret.clue)
        position = (x, ground.plate_height(x, z, 0) or 0, z)
        return FeatureEffect(
            self.table.clues[self.room.first_door + secret.door], _sum(position, self.table.clue_offset)
        )

    def _cone(self, ground: Terrain, person: LitPerson, people: Sequence[LitPerson]) -> FeatureEffect:
        cone, facing = self.table.cone, person.facing
        free, end = _free_tiles(ground, person, people)
        scales, offsets = cone.scales[facing], cone.offsets[facing]
        if free == person.length:
            scale, offset = scales[free], offsets[free]
        else:
            axis = 2 if DZ[facing] else 0
            way = (end[axis] - person.position[axis]) * (DX[facing] + DZ[facing])
            scale, offset = (_between(way, person.length, table) for table in (scales, offsets))
        position = _sum(_sum(person.position, offset), cone.offset)
        return FeatureEffect(
            cone.model, position, (cone.animation,), scale=scale, rotation=cone.rotations[facing], fog=False
        )


def _rooms(tables: Tables) -> list[DarkRoom]:
    """The rooms with doors in the order of their headers."""
    return [room for _, room in sorted(tables.features.hearthome.rooms.items())]


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


def _sum(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]
