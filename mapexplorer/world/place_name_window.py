"""The window that shows the name of a place on arrival."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from mapexplorer.games import Role

if TYPE_CHECKING:
    from mapexplorer.world.files import WorldFiles


class PlaceNameWindow(NamedTuple):
    """The tiles of a window, 32 in a row as stored, and their palette; the name is centred on it."""

    tiles: Ncgr
    palette: Nclr


def window_members(label_window: int | None) -> tuple[int, int] | None:
    """The members of area_win_gra with the tiles and the palette of a header's window, None for 0: no window."""
    return (2 * label_window - 2, 2 * label_window - 1) if label_window else None


def place_name_window(world: WorldFiles, header: int) -> PlaceNameWindow | None:
    """The window of a header, None without one and in a ROM without windows. Raises FormatError."""
    members = window_members(world.headers[header].label_window)
    if members is None or not world.has(Role.PLACE_NAME_WINDOWS):
        return None
    tiles, palette = members
    return PlaceNameWindow(
        world.member(Role.PLACE_NAME_WINDOWS, tiles, Ncgr.from_bytes),
        world.member(Role.PLACE_NAME_WINDOWS, palette, Nclr.from_bytes),
    )
