"""The tiles of the map of a matrix, drawn in a worker's thread by the DS engine from above.

A tile is the part of an engine picture without its margin, whose pixels lack neighbours. The scales of the levels are
powers of two, and a tile begins at a whole pixel and unit, so that neighbouring tiles fit exactly.
"""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from mapexplorer import kernels
from mapexplorer.gpu.picture import displayed
from mapexplorer.inspector.facts import Description
from mapexplorer.inspector.places.pixel import explained
from mapexplorer.rom.source import Stamp
from mapexplorer.scene.culling import OVERHANG
from mapexplorer.scene.view import ENTERED, View
from mapexplorer.world import FieldPlace, FieldWorld
from mapexplorer.world.cells import CELL_UNITS
from mapexplorer.world.headers.place_labels import PlaceLabel, place_labels
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.subject import Subject

if TYPE_CHECKING:
    from mapexplorer.scene.camera import SceneCamera
    from mapexplorer.scene.scene import FieldScene

LEVELS: Final = (0.25, 0.5, 1.0, 2.0, 4.0)
"""The scales of the levels that the engine draws, in pixels per unit. The first one is the base of the overviews."""
OVERVIEWS: Final = (0.25, 0.125, 0.0625, 0.03125)
"""The scales of the pictures of a whole matrix, which are reduced from the tiles of the base; the first one is for
small matrices."""
PEOPLE_LEVEL: Final = 1
"""The first level with people."""
_MARGIN: Final = 8
WIDTH: Final = 256 - 2 * _MARGIN
HEIGHT: Final = 192 - 2 * _MARGIN
_SCENES: Final = 2
_TILES_OF_SCENE: Final = 600
"""Tiles after which a scene is made anew, because it keeps the models of all cells that it has drawn."""

Pixels = npt.NDArray[np.uint8]


class ImageTile(NamedTuple):
    """A tile by its level and its column and row from the north-west corner of the matrix."""

    level: int
    column: int
    row: int

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in units."""
        return WIDTH / LEVELS[self.level], HEIGHT / LEVELS[self.level]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """West, north, east and south in units."""
        width, height = self.size
        return self.column * width, self.row * height, (self.column + 1) * width, (self.row + 1) * height

    def may_show(self, cells: Container[tuple[int, int]]) -> bool:
        """Whether some of the cells or their models may be in the tile."""
        west, north, east, south = self.box
        columns = range(int((west - OVERHANG) // CELL_UNITS), int((east + OVERHANG) // CELL_UNITS) + 1)
        rows = range(int((north - OVERHANG) // CELL_UNITS), int((south + OVERHANG) // CELL_UNITS) + 1)
        return any((x, z) in cells for z in rows for x in columns)


@dataclass(frozen=True)
class MapMoment:
    """What tiles show beside their position."""

    header: int
    """The header through which the matrix is entered."""
    second: int
    """Of the day."""
    layers: tuple[str, ...]
    """Those of a `View`."""
    features: str
    """The states of what code adds, as JSON."""
    missing: bool = False
    """See `View`."""
    all_objects: bool = False
    """See `View`."""
    save: str = ENTERED
    """A new game, or the path of a saved one."""
    stamp: Stamp | None = None
    """Of the file of the save."""


class TileRenderer:
    """Draws tiles of one ROM. Used by one thread at a time."""

    def __init__(self, world: FieldWorld) -> None:
        self.world = world
        self._scenes: dict[tuple[MapMoment, tuple[str, ...]], FieldScene] = {}
        self._drawn = 0

    def tile(self, moment: MapMoment, tile: ImageTile) -> Pixels:
        """A tile as (HEIGHT, WIDTH, 4): blue, green, red, alpha 255, and 0 where nothing is drawn. Raises FormatError,
        RomError."""
        kernels.prepare(kernels.DS_PICTURES)  # first, because NotCompiledError would discard other work
        raw = self._scene(moment, tile).render(0, raw=True)[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
        picture = np.ascontiguousarray(displayed(raw)[..., [2, 1, 0, 3]])
        picture[raw[..., 3] == 0] = 0
        return picture

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """What is left out because it cannot be read."""
        return tuple(dict.fromkeys(damage for scene in self._scenes.values() for damage in scene.damaged))

    def explained(self, moment: MapMoment, tile: ImageTile, x: int, y: int, chosen: Subject) -> Description:
        """The explanation of what a click on a pixel of a tile selects, `chosen` where there is only terrain."""
        from mapexplorer.scene.pixel_trace import trace_pixel

        kernels.prepare(kernels.DS_PICTURES)
        return explained(trace_pixel(self._scene(moment, tile), x + _MARGIN, y + _MARGIN, 0), chosen)

    def labels(self, header: int) -> tuple[PlaceLabel, ...]:
        """The names on the matrix of a header. Raises FormatError, RomError."""
        return place_labels(self.world.place(header))

    def _scene(self, moment: MapMoment, tile: ImageTile) -> FieldScene:
        """The scene of a tile, with its camera set."""
        from mapexplorer.scene.scene import FieldScene

        layers = tuple(name for name in moment.layers if name != "people" or tile.level >= PEOPLE_LEVEL)
        key = (moment, layers)
        scene = self._scenes.pop(key, None)
        self._drawn += 1
        if scene is None or self._drawn % _TILES_OF_SCENE == 0:
            view = View(
                moment.second,
                layers=layers,
                at=(0, 0),
                all_cells=True,
                missing=moment.missing,
                all_objects=moment.all_objects,
            )
            save = self._save(moment)
            place: FieldPlace = self.world.place(moment.header).of_save(save)
            scene = FieldScene(place, view, camera=_camera(tile), save=save)
        else:
            scene.set_camera(_camera(tile))
        self._scenes[key] = scene
        while len(self._scenes) > _SCENES:
            del self._scenes[next(iter(self._scenes))]
        return scene

    def _save(self, moment: MapMoment) -> Save:
        from mapexplorer.scene.saves import save_before
        from mapexplorer.world.events.transition import entered_save

        before = replace(save_before(self.world.game, moment.save), second=moment.second)
        save = entered_save(self.world, moment.header, before)
        return replace(save, features=json.loads(moment.features))


def _camera(tile: ImageTile) -> SceneCamera:
    from mapexplorer.scene.camera import top_camera

    west, north, east, south = tile.box
    return top_camera((round((west + east) / 2 * ONE), 0, round((north + south) / 2 * ONE)), LEVELS[tile.level])
