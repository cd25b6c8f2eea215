"""Doors: the prop that belongs to a door tile, and the animations it plays.

The game looks through the loaded props, in their order, for the first door model that stands in a small rectangle of
tiles. Without one the player still goes through, without an animation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from formats.field.bm_anime_list import LOAD_LATER, HeartGoldPropAnimations
from mapexplorer.games import Role
from mapexplorer.walk.ground import Ground
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.terrain import TILE_LENGTH

ZOOM_IN: Final = -12
"""How the camera's half field of view changes per tick while the player goes in, in angle index units."""
ZOOM_LIMIT: Final = -96
ZOOM_OUT: Final = 16


@dataclass(frozen=True)
class Door:
    """A door prop. Animations are numbers within the model's list."""

    model: int
    """The number of the prop model."""
    position: tuple[int, int, int]
    """x, y, z in fx32."""
    cell: tuple[int, int]
    """Column and row of the cell that it is in."""
    record: int
    """The number of its record in the cell's list of props."""
    sound: str
    """`hinged`, `sliding` or `chime`."""
    opens: int | None
    """The animation that opens it, None where the model lacks it."""
    open_ticks: int
    """How long that takes."""
    closes: int | None
    """The animation that closes it, None where the model lacks it."""
    close_ticks: int
    """How long that takes."""
    zooms: bool
    """Whether the camera's field of view changes."""


def find_door(world: WorldFiles, ground: Ground, place: FieldPlace, x: int, z: int, *, entering: bool) -> Door | None:
    """The door that the player on (x, z) goes in by (`entering`), or the one on whose tile (x, z) they come out."""
    props = world.game.tables.props
    west, north, width, length = props.entering_area if entering else props.leaving_area
    west, north = x + west, z + north
    for cell in ground.resident(x, z).cells:
        for prop in place.props(cell, place.area_id.value):
            tile_x, tile_z = prop.position[0] // TILE_LENGTH, prop.position[2] // TILE_LENGTH
            inside = west <= tile_x < west + width and north <= tile_z < north + length
            if inside and _sound(world, prop.model) is not None:
                return _door(world, prop.model, prop.position, (cell.x, cell.z), prop.index, entering)
    return None


def _sound(world: WorldFiles, model: int) -> str | None:
    """The sound of a model if the game treats it as a door. In a ROM that has models of its own instead of the game's,
    fewer than the game numbers, any model with two or four animations on demand is one."""
    entry = world.prop_animations(model)
    if isinstance(entry, HeartGoldPropAnimations):
        return _DOOR_SOUNDS.get(entry.door)
    sounds = world.game.tables.door_sounds
    models = world.archive(Role.BUILD_MODEL)
    if model in sounds or models is None or len(models) > max(sounds):
        return sounds.get(model)
    is_door = entry is not None and bool(entry.flags & LOAD_LATER) and len(entry.used) in (2, 4)
    return "hinged" if is_door else None


_DOOR_SOUNDS: Final = {1: "hinged", 2: "sliding", 3: "chime", 4: "sliding"}
"""Kind of door of an animation entry -> its sound."""


def _door(
    world: WorldFiles, model: int, position: tuple[int, int, int], cell: tuple[int, int], record: int, entering: bool
) -> Door:
    from mapexplorer.world.models.animations import prop_animations

    lengths = [animation.frames for animation in prop_animations(world, model)]
    props = world.game.tables.props
    animations = props.four_animations if len(lengths) >= 4 else props.two_animations
    numbers = animations["entering" if entering else "leaving"]
    opens, closes = (number if number < len(lengths) else None for number in numbers)
    return Door(
        model,
        position,
        cell,
        record,
        _sound(world, model) or "hinged",
        opens,
        0 if opens is None else lengths[opens],
        closes,
        0 if closes is None else lengths[closes],
        model not in props.lift_doors,
    )
