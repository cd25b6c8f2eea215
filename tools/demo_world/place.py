"""The parts of a place of the demo world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from formats.binary import frozen
from formats.field.land_data import MAP_PROP, LandData
from formats.field.map_header import NO_WILD_ENCOUNTERS, MapHeader
from formats.field.zone_event import BACKGROUND_EVENT, COORD_EVENT, OBJECT_EVENT, WARP_EVENT, ZoneEvents
from formats.fixed import ONE
from formats.nitro.nsbmd import Nsbmd
from tools.demo_world.catalogue import NUMBERS
from tools.demo_world.grid import CELL_UNITS
from tools.demo_world.model import ModelBuilder
from tools.demo_world.plates import Plate, build_bdhc

NORTH, SOUTH, WEST, EAST = range(4)
"""Directions of object events."""

ANY_SIDE = 4
SIGN_SIDE = 0
"""From where a background event is read."""

FIRST_SIGN_SCRIPT, FIRST_TRIGGER_SCRIPT = 100, 200
"""Numbers of scripts; those of people begin with 1."""

FIRST_TRIGGER_VARIABLE = 0x406C
"""The first trigger of a zone runs while this variable is 0, the second while the next one is."""


@dataclass(frozen=True)
class Placement:
    """A prop at matrix-wide tiles (x, z), `y` units high."""

    prop: str
    x: float
    z: float
    y: float = 0
    scale: float = 1


@dataclass(frozen=True)
class Person:
    """Someone or something at a tile: graphics id, direction, movement type, wandering ranges, script (0: the next of
    the zone's own), the flag that hides it; of a trainer how many tiles it sees ahead."""

    graphics: int
    x: int
    z: int
    direction: int = SOUTH
    movement: int = 0
    range_x: int = 0
    range_z: int = 0
    y: int = 0
    script: int = 0
    hidden_flag: int = 0
    sight: int = 0


@dataclass(frozen=True)
class Sign:
    """A background event at a tile: kind, from where it is read, script (0: the next of the zone's own)."""

    x: int
    z: int
    kind: int
    facing: int
    script: int = 0


@dataclass(frozen=True)
class Events:
    """The events of a zone. Warps are (x, z, header, warp), triggers (x, z, width, length)."""

    people: Sequence[Person] = ()
    warps: Sequence[tuple[int, int, int, int]] = ()
    signs: Sequence[Sign] = ()
    triggers: Sequence[tuple[int, int, int, int]] = ()

    def build(self) -> ZoneEvents:
        """The event file's value."""
        signs = [
            (one.script or FIRST_SIGN_SCRIPT + i, one.kind, one.x, one.z, 0, one.facing, 0)
            for i, one in enumerate(self.signs)
        ]
        people = [
            (
                i,
                who.graphics,
                who.movement,
                bool(who.sight),
                who.hidden_flag,
                who.script or i + 1,
                who.direction,
                (who.sight, 0, 0),
                who.range_x,
                who.range_z,
                who.x,
                who.z,
                who.y * ONE,
            )
            for i, who in enumerate(self.people)
        ]
        warps = [(x, z, header, warp, 0) for x, z, header, warp in self.warps]
        triggers = [
            (FIRST_TRIGGER_SCRIPT + i, x, z, w, h, 0, 0, FIRST_TRIGGER_VARIABLE + i)
            for i, (x, z, w, h) in enumerate(self.triggers)
        ]
        return ZoneEvents(
            frozen(np.array(signs, BACKGROUND_EVENT)),
            frozen(np.array(people, OBJECT_EVENT)),
            frozen(np.array(warps, WARP_EVENT)),
            frozen(np.array(triggers, COORD_EVENT)),
        )


@dataclass(frozen=True)
class Cell:
    """The land of one cell: its terrain model, attribute words, height plates and props (matrix-wide positions)."""

    builder: ModelBuilder
    attributes: npt.NDArray[np.uint16]
    plates: Sequence[Plate]
    props: Sequence[Placement] = field(default_factory=tuple)
    mx: int = 0
    mz: int = 0

    def build(self) -> LandData:
        """The land data."""
        records = np.zeros(len(self.props), MAP_PROP)
        for record, placed in zip(records, self.props, strict=True):
            record["model"] = NUMBERS[placed.prop]
            x, z = (
                placed.x * 16 - CELL_UNITS * self.mx - CELL_UNITS // 2,
                placed.z * 16 - CELL_UNITS * self.mz - CELL_UNITS // 2,
            )
            record["position"] = [round(x * ONE), round(placed.y * ONE), round(z * ONE)]
            record["scale"] = round(placed.scale * ONE)
        model = Nsbmd((self.builder.build(),))
        return LandData(frozen(self.attributes, np.uint16), frozen(records), b"", model, build_bdhc(self.plates))


def header(**fields: int | bool) -> MapHeader:
    """A map header with default values for the fields that are not given."""
    plain = {
        "area": 0,
        "preload_list": 0,
        "matrix": 0,
        "scripts": 0,
        "init_scripts": 0,
        "message_bank": 0,
        "day_music": 1000,
        "night_music": 1000,
        "wild_encounters": NO_WILD_ENCOUNTERS,
        "events": 0,
        "label_text": 0,
        "label_window": 0,
        "weather": 0,
        "camera_type": 0,
        "map_type": 0,
        "battle_background": 0,
        "bicycle": False,
        "running": True,
        "escape_rope": False,
        "fly": False,
    }
    return MapHeader(**{**plain, **fields})  # type: ignore[arg-type]
