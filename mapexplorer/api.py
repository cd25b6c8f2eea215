"""The Python names that users rely on: a facade over the packages, one call into a package per method.

import mapexplorer
world = mapexplorer.World(mapexplorer.open_rom("platinum.nds"))
place = world.place("Twinleaf Town")
picture = place.scene(second=20 * 3600).render()
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mapexplorer.rom import Rom
from mapexplorer.units import NOON
from mapexplorer.world import place as world_place
from mapexplorer.world import world as world_world
from mapexplorer.world.header import find_header
from mapexplorer.world.opening import open_rom

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from mapexplorer.export.gltf.field import FieldReport
    from mapexplorer.export.options import ExportOptions
    from mapexplorer.scene.camera import Pose, SceneCamera
    from mapexplorer.scene.pixel_trace import PixelTrace
    from mapexplorer.scene.scene import Scene as FieldScene
    from mapexplorer.world.cells import Cell
    from mapexplorer.world.save import Save


class World(world_world.World):
    """A ROM as places (see `mapexplorer.world.World`)."""

    def __init__(self, rom: Rom | str | os.PathLike[str], *, header_archive: str | None = None) -> None:
        """`rom` is an opened ROM or what `open_rom` takes: an image, an unpacked folder, or "demo"."""
        super().__init__(rom if isinstance(rom, Rom) else open_rom(rom), header_archive=header_archive)

    def place(self, key: int | str, matrix: int | None = None, area: int | None = None) -> Place:
        """The place of a header id, internal name or location name; `matrix` and `area` replace what the header names.

        Raises PlaceError when no header or more than one answers to the name.
        """
        return Place(self, find_header(self.headers, key), matrix, area)


class Place(world_place.Place):
    """A map as the game shows it when it is entered through a header (see `mapexplorer.world.Place`)."""

    def export_gltf(
        self, path: str | os.PathLike[str], options: ExportOptions | None = None, *, cells: Iterable[Cell] | None = None
    ) -> FieldReport:
        """Write the place as one GLB (see `mapexplorer.export.gltf.field.export_field`)."""
        from mapexplorer.export.gltf.field import export_field

        return export_field(self, path, options, cells=cells)

    def scene(
        self,
        second: int = NOON,
        at: tuple[float, float] | None = None,
        people: bool = True,
        weather: bool | int = True,
        *,
        camera: str | Pose | SceneCamera = "game",
        layers: Iterable[str] = ("terrain", "props", "people"),
        all_cells: bool = False,
        day: int = 0,
        particles: bool = False,
        wireframe: bool = False,
        missing: bool = False,
        features: bool = True,
        save: Save | None = None,
    ) -> Scene:
        """The place as the field shows it at a second of the day, the player at matrix-wide tile `at` = (x, z).

        `at` None: a tile that suits the place; `weather` True: the header's on `day` of the year, False: none, or a
        weather id; `save` None: a new game. The others are those of `mapexplorer.scene.scene.Scene`. Raises
        ValueError, FormatError, RomError.
        """
        from mapexplorer.scene.scene import Scene as FieldScene

        field = FieldScene(
            self, second, at, people, weather, camera=camera, layers=layers, all_cells=all_cells, day=day,
            particles=particles, wireframe=wireframe, missing=missing, features=features, save=save,
        )  # fmt: skip
        return Scene(self, field)


class Scene:
    """A place at a second of the day, as the DS draws it: see `Place.scene`. `field` is the scene itself
    (`mapexplorer.scene.scene`)."""

    def __init__(self, place: Place, field: FieldScene) -> None:
        self.place = place
        self.field = field

    def __repr__(self) -> str:
        return f"<Scene of {self.place!r} at second {self.field.second}, tile {self.field.at}>"

    def render(self, ticks: int = 0, raw: bool = False) -> npt.NDArray[np.uint8]:
        """The picture after `ticks` field updates: uint8 (192, 256, 4), 8-bit RGBA, or with `raw` what the hardware
        holds: r, g, b 0..63 and alpha 0..31."""
        return self.field.render(ticks, raw)

    @property
    def damaged(self) -> list[str]:
        """What of the place cannot be read and is left out of the picture, a sentence each."""
        return self.field.damaged

    def commands(self, ticks: int = 0) -> npt.NDArray[np.uint32]:
        """The frame's GX commands in the flat form, without the last swap of buffers."""
        return self.field.commands(ticks)

    def why(self, x: int, y: int, ticks: int = 0) -> PixelTrace:
        """Why a pixel looks as it does: polygons, material, texture, light and rule."""
        from mapexplorer.scene.pixel_trace import trace_pixel

        return trace_pixel(self.field, x, y, ticks)

    def explain(self, x: int, y: int, ticks: int = 0) -> list[str]:
        """`why` in words, a line for each polygon and each question."""
        from mapexplorer.inspector.pixel import sentences

        return sentences(self.why(x, y, ticks))

    def export_gltf(self, path: str | os.PathLike[str], options: ExportOptions | None = None) -> FieldReport:
        """Write the scene's place as one GLB with the light of the scene's second (see `Place.export_gltf`)."""
        from mapexplorer.export.options import ExportOptions

        return self.place.export_gltf(path, dataclasses.replace(options or ExportOptions(), second=self.field.second))
