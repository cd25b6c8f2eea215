"""What is shown of a map when it is entered: read from files, also by workers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from formats.binary import FormatError
from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.errors import RomError
from mapexplorer.features import Feature, entered
from mapexplorer.gui.model.camera import GAME, Point, ViewCamera
from mapexplorer.world import FieldPlace, FieldWorld
from mapexplorer.world.cells import CELL_TILES, FILLER_HEADER, TILE_UNITS
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.subject import Subject
from mapexplorer.world.terrain.ground import room_box


@dataclass(frozen=True, eq=False)
class OpenedMap:
    """What is shown of a map when it is entered."""

    place: FieldPlace
    features: dict[str, Any]
    """The states of what code adds to maps, as on entering."""
    feature: Feature | None
    target: Point
    """What the camera looks at, in units."""
    room: tuple[Point, Point] | None
    """The corners of a room that a free camera shows whole."""


def arrive(world: FieldWorld, header: int, save: Save, tile: tuple[float, float] | None = None) -> OpenedMap:
    """Enter a map at a matrix-wide tile, by default at the place's default position, where rooms are shown whole. Reads
    files, in any thread. Raises FormatError, RomError."""
    place = world.place(header).of_save(save)
    x, z = tile or first_spot(place)
    feature = entered(save, header)
    if feature is not None:
        feature = feature.with_files(world)
    return OpenedMap(
        place,
        dict(save.features),
        feature,
        ground_at(place, *middle_of(x, z)),
        room_box(place) if tile is None else None,
    )


def tile_of(world: FieldWorld, chosen: Subject) -> tuple[float, float] | None:
    """The matrix-wide tile of an event or a tile, None for other things. Raises FormatError, RomError."""
    if chosen.kind == "tile":
        return float(chosen.key[1]), float(chosen.key[2])
    if chosen.kind not in EVENT_LISTS:
        return None
    records = getattr(world.events(chosen.key[0]), EVENT_LISTS[chosen.kind], ())
    if chosen.key[1] >= len(records):
        return None
    return float(records[chosen.key[1]]["x"]), float(records[chosen.key[1]]["z"])


def first_spot(place: FieldPlace) -> tuple[float, float]:
    """The default position of a place, a matrix-wide tile; without land the corner of the matrix."""
    from mapexplorer.scene.start_position import default_spot

    return default_spot(place) if place.matrix_cells else (0.0, 0.0)


def ground_at(place: FieldPlace, x: float, z: float, near: float = 0.0) -> Point:
    """The point on the ground at (x, z) units; at height `near` without a plate."""
    try:
        answer = place.height(x, z, near)
    except (FormatError, RomError):
        return x, near, z  # plates that cannot be read are reported when the picture is drawn
    return x, answer.height if answer.found else near, z


def middle_of(x: float, z: float) -> tuple[float, float]:
    """The position of a tile in units; a whole number means its centre."""
    half = tuple(0.5 if value == int(value) else 0.0 for value in (x, z))
    return (x + half[0]) * TILE_UNITS, (z + half[1]) * TILE_UNITS


def framing(place: FieldPlace, camera: ViewCamera) -> ViewCamera:
    """A camera moved so that it sees the whole room; unchanged outside rooms and for the game's camera."""
    box = room_box(place) if camera.kind != GAME else None
    return camera if box is None else camera.framing(*box)


def on_matrix(place: FieldPlace, camera: ViewCamera) -> ViewCamera:
    """A camera whose target is limited to the matrix."""
    cell = CELL_TILES * TILE_UNITS
    x, y, z = camera.target
    inside = (
        min(place.matrix.width * cell - 1.0, max(0.0, x)),
        y,
        min(place.matrix.height * cell - 1.0, max(0.0, z)),
    )
    return camera if inside == camera.target else replace(camera, target=inside)


def first_place(world: FieldWorld) -> int:
    """The first header that is a town with cells, else the first with cells, else 0."""
    placed = [header for header in world.headers if header.id != FILLER_HEADER]
    with_cells = [header for header in placed if read_or((), lambda at=header.id: world.place(at).cells)]
    towns = [header for header in with_cells if header.map_type == world.game.town_type]
    chosen = towns or with_cells or list(world.headers)
    return chosen[0].id if chosen else 0
