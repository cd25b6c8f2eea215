"""The tables of what code adds to maps at run time, from `data/GAME/features.json`, as values.

Units are those of `gym_tables`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from formats.fixed import Vector
from mapexplorer.games.gym_tables import (
    CanalaveTable,
    EternaTable,
    HearthomeTable,
    PastoriaTable,
    Rectangle,
    SnowpointTable,
    SunyshoreRoom,
    Tile,
    VeilstoneTable,
    fx32,
    read_sunyshore,
    vector,
)


class Lift(NamedTuple):
    """A platform lift: model, heights at the bottom and at the top, plate, the row of the entrance at which it is at
    the bottom, whether it goes down, the position (x, z) of a prop that code creates (None: it is placed on the map),
    its upward step per tick."""

    model: int
    heights: tuple[int, int]
    plate: Rectangle
    bottom_z: int
    goes_down: bool
    own_prop: tuple[int, int] | None
    step: int


def read_lifts(table: dict[str, Any]) -> dict[int, Lift]:
    """Header -> lift."""
    return {
        header: Lift(
            model,
            (fx32(low), fx32(high)),
            tuple(plate),
            z,
            bool(down),
            None if own is None else (fx32(own[0]), fx32(own[1])),
            fx32(step),
        )
        for header, model, (low, high), plate, z, down, own, step in table["lifts"]
    }


@dataclass(frozen=True)
class TramTable:
    """The tram of the Great Marsh. `stations`: the z of each stop; `slow_south` and `slow_north`: by stop the row of
    tiles from which it slows down going there; `called`: speed per tick and its duration in ticks (None: to the
    stop); `ridden`: ticks per tile of the player by speed; `behind`: how far it is south of the player."""

    model: int
    x: int
    y: int
    stations: tuple[int, ...]
    names: tuple[str, ...]
    initial: int
    slow_south: tuple[int | None, ...]
    slow_north: tuple[int | None, ...]
    called: tuple[tuple[int, int | None], ...]
    ridden: tuple[int, ...]
    behind: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> TramTable:
        """Read its table."""
        model, x, y = table["tram"]
        return cls(
            model,
            fx32(x),
            fx32(y),
            tuple(map(fx32, table["stations"])),
            tuple(table["names"]),
            table["initial"],
            tuple(table["slow from tile going south"]),
            tuple(table["slow from tile going north"]),
            tuple((fx32(speed), ticks) for speed, ticks in table["called"]),
            tuple(table["ridden ticks per tile"]),
            fx32(table["behind the player"]),
        )


class Furniture(NamedTuple):
    """A piece of furniture: kind, model, position, the tiles (west, north, east, south, inclusive) that it blocks, the
    script that it runs."""

    kind: int
    model: int
    position: Vector
    blocks: Rectangle | None
    script: int


@dataclass(frozen=True)
class VillaTable:
    """The furniture of the villa, and the names of its kinds; `only_facing_north`: the kinds that are used only by
    someone south of them."""

    furniture: tuple[Furniture, ...]
    names: tuple[str, ...]
    only_facing_north: frozenset[int]

    @classmethod
    def of(cls, table: dict[str, Any]) -> VillaTable:
        """Read its table."""
        return cls(
            tuple(
                Furniture(kind, model, vector(position), None if blocks is None else tuple(blocks), script)
                for kind, model, position, blocks, script in table["furniture"]
            ),
            tuple(table["names"]),
            frozenset(table["only facing north"]),
        )


@dataclass(frozen=True, eq=False)
class MatrixPatch:
    """Cells of a matrix that differ while a hidden location is known (`when_known`) or unknown: (x, z) -> land, and
    their altitude (None: that of the matrix)."""

    location: str
    when_known: bool
    matrix: int
    lands: Mapping[Tile, int]
    altitude: int | None


def read_matrix_patches(table: dict[str, Any]) -> tuple[MatrixPatch, ...]:
    """All patches."""
    return tuple(
        MatrixPatch(
            location,
            key == "known",
            table["matrix"],
            {(x, z): land for x, z, land in patch["cells"]},
            patch.get("altitude"),
        )
        for key in ("known", "unknown")
        for location, patch in table[key].items()
    )


@dataclass(frozen=True)
class HoneyTreeTable:
    """Honey trees: the model of the prop and how many animations of shaking it has."""

    model: int
    animations: int


@dataclass(frozen=True)
class FeatureTables:
    """All tables of features; `names`: header -> name of its feature, for the headers that have one."""

    names: Mapping[int, str]
    pastoria: PastoriaTable
    canalave: CanalaveTable
    sunyshore: Mapping[int, SunyshoreRoom]
    eterna: EternaTable
    veilstone: VeilstoneTable
    hearthome: HearthomeTable
    snowpoint: SnowpointTable
    lifts: Mapping[int, Lift]
    great_marsh: TramTable
    villa: VillaTable
    honey_tree: HoneyTreeTable
    matrix_patches: tuple[MatrixPatch, ...]

    @classmethod
    def of(cls, table: dict[str, Any]) -> FeatureTables:
        """Read the tables."""
        return cls(
            {header: name for name, headers in table["headers"].items() for header in headers},
            PastoriaTable.of(table["pastoria gym"]),
            CanalaveTable.of(table["canalave gym"]),
            read_sunyshore(table["sunyshore gym"]),
            EternaTable.of(table["eterna gym"]),
            VeilstoneTable.of(table["veilstone gym"]),
            HearthomeTable.of(table["hearthome gym"]),
            SnowpointTable.of(table["snowpoint gym"]),
            read_lifts(table["platform lift"]),
            TramTable.of(table["great marsh"]),
            VillaTable.of(table["villa"]),
            HoneyTreeTable(**table["honey tree"]),
            read_matrix_patches(table["matrix patches"]),
        )
