"""The files of the Distortion World of a ROM as values, read once for all who use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from mapexplorer.features.distortion_world.floors import Floor, read_floors
from mapexplorer.features.distortion_world.props import obstacle_frames
from mapexplorer.games.tables import Tables
from mapexplorer.world.sources.files import WorldFiles


@dataclass(frozen=True, eq=False)
class DistortionFiles:
    """`floors` and the `titles` of their maps by header; `obstacle_frames`: see `props.obstacle_frames`; the tables of
    the game, None for no floors."""

    floors: Mapping[int, Floor]
    obstacle_frames: Mapping[int, int]
    titles: Mapping[int, str]
    tables: Tables | None = None


NO_FILES: Final = DistortionFiles({}, {}, {})


_known: Final[WeakKeyDictionary[WorldFiles, DistortionFiles]] = WeakKeyDictionary()


def distortion_files(world: WorldFiles) -> DistortionFiles:
    """Those of a ROM; no floors in one without the Distortion World. Raises FormatError, RomError."""
    if world not in _known:
        floors = read_floors(world)
        titles = {header: world.headers[header].title for header in floors}
        _known[world] = DistortionFiles(floors, obstacle_frames(world) if floors else {}, titles, world.game.tables)
    return _known[world]
