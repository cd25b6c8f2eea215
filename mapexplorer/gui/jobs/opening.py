"""Opens a ROM with what each worker needs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from formats.binary import FormatError
from mapexplorer.catalogue.store import follow
from mapexplorer.errors import RomError
from mapexplorer.gui.model.opened_map import OpenedMap, arrive
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.rendering.tile_renderer import TileRenderer
from mapexplorer.rom import Rom
from mapexplorer.scene.view import View
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import fresh_save


@dataclass(frozen=True, eq=False)
class Opened:
    """An opened ROM: its world, which all threads share, and a renderer for each worker that draws or reads."""

    path: str
    """The image or folder, or "demo"."""
    world: FieldWorld
    """The ROM as values."""
    draw: PlaceRenderer
    """Draws the frames of the DS view."""
    move: PlaceRenderer
    """Makes people and weather of a tick for the OpenGL view."""
    read: PlaceRenderer
    """Reads what panels and the OpenGL view show."""
    tiles: TileRenderer
    """Draws the tiles of the map."""
    first: int
    """The map header at which it is opened."""
    arrival: OpenedMap | None
    """That map in a new game; None if it cannot be read."""


def open_everything(path: str, first_header: Callable[[FieldWorld, str], int], earlier: Rom | None = None) -> Opened:
    """Open a ROM with the objects of each worker, at the map header that `first_header` chooses. `earlier`: the same
    ROM before it was changed. Raises FormatError, RomError, OSError."""
    from mapexplorer.scene.conditions import shown_save

    world = FieldWorld(open_rom(path, earlier))
    if earlier is not None:
        follow(world.rom, earlier)
    first = first_header(world, path)
    arrival = None
    with suppress(FormatError, RomError):  # a place that cannot be read does not keep the ROM from being opened
        arrival = arrive(world, first, fresh_save(world.game))
        shown_save(arrival.place, View())  # the window's thread asks for it at once; what it needs is in memory then
    draw, move, read = (PlaceRenderer(world) for _ in range(3))
    return Opened(path, world, draw, move, read, TileRenderer(world), first, arrival)
