"""The real ROM's world, the vectors of map objects, and what of a run the vectors hold."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from formats.field.frame_sequence import FrameSequence
from mapexplorer.games import DEFAULT, Role
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.manager import MapObjectManager
from mapexplorer.map_objects.setting import ObjectSetting, object_setting
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import SOUTH
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.terrain.terrain import Terrain

Vectors = dict[str, npt.NDArray[Any]]
Load = Callable[[str], tuple[Vectors, int]]
Row = Callable[[FieldObject], list[int]]

TABLES = DEFAULT.tables
SEED = 1
"""The state of the generator in the vectors of placement and of actions, before the objects are created."""


@pytest.fixture(scope="session")
def world(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))


@pytest.fixture(scope="session")
def terrain(world: FieldWorld) -> Callable[[int], Terrain]:
    """The terrain of a header's place."""
    return lambda header: world.place(header).terrain


@pytest.fixture(scope="session")
def new_save(world: FieldWorld) -> Save:
    """A new game whose graphics variables are all 97, as in the vectors."""
    save = fresh_save(world.game)
    first = world.game.tables.new_game.first_graphics_variable
    graphics = {first + index: 97 for index in range(len(world.game.tables.map_objects.variable_graphics))}
    return dataclasses.replace(save, variables={**save.variables, **graphics})


@pytest.fixture(scope="session", params=["weather", "weather-2"])
def load(vectors: Path, request: pytest.FixtureRequest) -> Callable[[str], tuple[Vectors, int]]:
    """Name -> the arrays of a file of vectors and how many cases it has, for each of the two folders."""
    folder = vectors / request.param
    counts = json.loads((folder / "counts.json").read_text("utf-8"))

    def read(name: str) -> tuple[Vectors, int]:
        with np.load(folder / f"{name}.npz") as archive:
            return dict(archive), counts[f"{name}.npz"]

    return read


class Pictures:
    """The frame sequences of graphics ids."""

    def __init__(self, world: FieldWorld) -> None:
        self._world = world
        self._known: dict[int, FrameSequence] = {}

    def of(self, mover: FieldObject) -> tuple[int, int]:
        """(texture, palette) that an object shows."""
        graphics = mover.setting.graphics.id
        if graphics not in self._known:
            _, member = self._world.game.tables.sprite_parts[graphics]
            archive = self._world.archive(Role.SPRITES)
            assert archive is not None
            self._known[graphics] = FrameSequence.from_bytes(archive.reader(member))
        assert mover.picture is not None
        return self._known[graphics].picture(mover.picture.frame >> 12)


@pytest.fixture(scope="session")
def trace_row(world: FieldWorld) -> Callable[[FieldObject], list[int]]:
    """The numbers of an object that the vectors hold for each tick."""
    pictures = Pictures(world)

    def row(mover: FieldObject) -> list[int]:
        shown = -1 if mover.picture is None else int(mover.visible)
        frame = -1 if mover.picture is None else mover.picture.frame
        drawn = (-1, -1) if mover.picture is None else pictures.of(mover)
        return [
            mover.x,
            mover.z,
            mover.facing,
            mover.action,
            mover.code,
            *mover.position,
            mover.jump,
            shown,
            frame,
            *drawn,
        ]

    return row


def runs(start: npt.NDArray[Any]) -> Iterator[slice]:
    """The slices of a CSR array."""
    return (slice(first, last) for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True))


def populated(
    world: FieldWorld, terrain: Callable[[int], Terrain], header: int, save: Save, seed: int = SEED
) -> tuple[dict[int, FieldObject], MapObjectManager]:
    """The objects of a header that exist by a save, by event; the player stands far away, on tile (0, 0)."""
    manager = MapObjectManager(terrain(header), TABLES, seed)
    (manager.player,) = manager.add([standing(0, 0, 0, SOUTH)])
    events = world.events(header)
    assert events is not None
    present = [
        (index, object_setting(event, header, save))
        for index, event in enumerate(events.objects)
        if not save.hides(int(event["hidden_flag"]), int(event["script"]))
    ]
    made = manager.add([setting for _, setting in present])
    return {index: mover for (index, _), mover in zip(present, made, strict=True)}, manager


def standing(graphics: int, x: int, z: int, direction: int, height: int = 0) -> ObjectSetting:
    """Someone who does nothing without being told."""
    tables: Any = TABLES
    return ObjectSetting(
        1,
        tables.map_object_graphics[graphics],
        tables.map_objects.movement_types[0],
        0,
        0,
        direction,
        (0, 0, 0),
        0,
        0,
        x,
        z,
        height,
    )
