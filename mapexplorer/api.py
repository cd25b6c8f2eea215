"""The Python names that users rely on: a facade over the packages, one call into a package per method.

import mapexplorer
world = mapexplorer.World(mapexplorer.open_rom("platinum.nds"))
place = world.place("Twinleaf Town")
picture = place.scene(second=20 * 3600).render()

`World`, `Place` and `Scene` each hold the value of a package as `underlying`, which all functions of the packages take;
nothing in the packages uses this module.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from formats.fixed import ONE
from mapexplorer.api_facts import GameFacts, MapFacts, check_kind
from mapexplorer.rom import Rom
from mapexplorer.units import NOON
from mapexplorer.world import place as world_place
from mapexplorer.world import wording
from mapexplorer.world import world as world_world
from mapexplorer.world.cells import TILE_UNITS, Cell
from mapexplorer.world.opening import open_rom

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from formats.field.area import AreaRecord
    from formats.field.area_light import AreaLight
    from formats.field.map_matrix import MapMatrix
    from formats.field.message import MessageBank
    from formats.field.zone_event import ZoneEvents
    from mapexplorer.compare.change import Comparison
    from mapexplorer.export.gltf.field_report import FieldReport
    from mapexplorer.export.options import ExportOptions
    from mapexplorer.games.field_tables import CameraType
    from mapexplorer.scene import scene as scene_scene
    from mapexplorer.scene.camera import Pose, SceneCamera
    from mapexplorer.scene.link import Link
    from mapexplorer.scene.pixel_trace import PixelTrace
    from mapexplorer.system.progress import Outcome
    from mapexplorer.walk.warps import Warp
    from mapexplorer.world.headers.header import Header
    from mapexplorer.world.save import Save
    from mapexplorer.world.sources.provenance import Resolved
    from mapexplorer.world.terrain.terrain import Terrain, TerrainHeight


class World(GameFacts):
    """The places of a ROM. `underlying`: the `mapexplorer.world.FieldWorld`, which gives access to all data of the
    ROM."""

    def __init__(self, rom: Rom | str | os.PathLike[str], *, header_archive: str | None = None) -> None:
        """`rom`: an opened ROM, or an argument of `open_rom`: an image, an unpacked folder, or "demo".
        `header_archive`: for hacks that keep their headers in a NARC of 24-byte members instead of in the program."""
        opened = rom if isinstance(rom, Rom) else open_rom(rom)
        self.underlying = world_world.FieldWorld(opened, header_archive=header_archive)

    def __repr__(self) -> str:
        return repr(self.underlying)

    @property
    def rom(self) -> Rom:
        """The ROM as named files."""
        return self.underlying.rom

    @property
    def headers(self) -> tuple[Header, ...]:
        """All map headers by id, with internal name and location name."""
        return self.underlying.headers

    @property
    def notes(self) -> list[str]:
        """A sentence for each unusual or missing part of the ROM."""
        return self.underlying.notes

    def place(self, key: int | str, matrix: int | None = None, area: int | None = None) -> Place:
        """The place of a header id, internal name or location name; `matrix` and `area` replace those of the header.

        Raises PlaceError when no header or more than one has the name.

        Examples:
            >>> World("demo").place("Mirror Lake")
            <Place 5 Mirror Lake>
        """
        check_kind("the id or the name of a map", Integral | str, key)
        check_kind("the number of a file", Integral | None, matrix, area)
        return Place(self, self.underlying.place(key, matrix, area))

    def scene(self, link: Link | str) -> Scene:
        """The scene of a link, which the window copies and exported files have. Raises PlaceError for a link of
        another release, and for a map or a tile that is not there.

        Examples:
            >>> World("demo").scene("mapexplorer:PLATINUM-US+MAPEX-DEMO/T01@8,36?hour=20").place
            <Place 4 Millbrook>
        """
        from mapexplorer.scene.link import Link
        from mapexplorer.scene.scene import FieldScene

        chosen = Link.parse(str(link))
        place = Place(self, chosen.place(self.underlying))
        return Scene(place, FieldScene(place.underlying, chosen.drawn))

    def compare(self, other: World) -> Comparison:
        """What is different in another ROM: `changes`, each with kind, key, field, before and after. Raises
        RomError.

        Examples:
            >>> world = World("demo")
            >>> world.compare(world).changes
            ()
        """
        from mapexplorer.compare.comparison import compare

        check_kind("a World", World, other)
        return compare(self.underlying, other.underlying)


@dataclass(frozen=True)
class Prop:
    """A prop of a cell: its index in the land's list, the number of the model that is drawn, its `position` (x, y, z)
    in units of the matrix, its `scale` (1.0: the model's own size). `underlying`: the same with the game's fx32
    integers, the stored model and the source."""

    index: int
    model: int
    position: tuple[float, ...]
    scale: tuple[float, ...]
    underlying: world_place.PropPlacement


class Place(MapFacts):
    """A map as the game shows it when it is entered through its header, created by `World.place`.

    Tiles and units count from the matrix' north-west corner. Methods that read a file raise FormatError or RomError.
    `underlying`: the `mapexplorer.world.FieldPlace`.
    """

    def __init__(self, world: World, underlying: world_place.FieldPlace) -> None:
        self.world = world
        self.underlying = underlying

    def __repr__(self) -> str:
        return repr(self.underlying)

    @property
    def header(self) -> Header:
        """The map header with its id and names."""
        return self.underlying.header

    @property
    def matrix_id(self) -> Resolved[int]:
        """The number of the matrix, with its source."""
        return self.underlying.matrix_id

    @property
    def area_id(self) -> Resolved[int]:
        """The number of the area, with its source."""
        return self.underlying.area_id

    @property
    def matrix(self) -> MapMatrix:
        """The matrix that contains the place."""
        return self.underlying.matrix

    @property
    def area(self) -> AreaRecord:
        """The area that the game loads when the place is entered."""
        return self.underlying.area

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The place's own cells, row by row."""
        return self.underlying.cells

    @property
    def matrix_cells(self) -> dict[tuple[int, int], Cell]:
        """(x, z) -> cell with land, of the whole matrix."""
        return self.underlying.matrix_cells

    @property
    def light(self) -> AreaLight | None:
        """The light of the area by time of day; None if it cannot be read."""
        return self.underlying.light

    @property
    def camera(self) -> CameraType:
        """The camera type that the game uses for the place."""
        return self.underlying.camera

    @property
    def events(self) -> ZoneEvents | None:
        """People, warps, signs and triggers; None when the ROM has none."""
        return self.underlying.events

    @property
    def messages(self) -> MessageBank | None:
        """The texts of the place's scripts; None when the ROM has none."""
        return self.underlying.messages

    def props(self, cell: Cell) -> tuple[Prop, ...]:
        """The props of a cell where the game places them.

        Examples:
            >>> place = World("demo").place("T01R0101")
            >>> first = place.props(place.cells[0])[0]
            >>> first.model, first.position
            (24, (192.0, 0.0, 184.0))
        """
        check_kind("a cell of the place", Cell, cell)
        return tuple(
            Prop(
                each.index, each.model, tuple(n / ONE for n in each.position), tuple(n / ONE for n in each.scale), each
            )
            for each in self.underlying.props(cell)
        )

    def warps(self) -> tuple[Warp, ...]:
        """The warps with their tiles and targets.

        Examples:
            >>> door = World("demo").place("T01").warps()[0]
            >>> door.tile, door.target.spot
            ((7, 34), Spot(header=6, x=15, z=18))
        """
        from mapexplorer.walk.warps import warps_of

        return warps_of(self.world.underlying, self.header.id)

    # --- ground

    @property
    def terrain(self) -> Terrain:
        """Attributes and heights over the whole matrix."""
        return self.underlying.terrain

    def collision(self) -> npt.NDArray[np.void]:
        """The tiles of the place's own cells, read-only records (n,) with the fields x, z (matrix-wide tile), behaviour
        (0..255) and blocked.

        Examples:
            >>> tiles = World("demo").place("T01").collision()
            >>> int(tiles["blocked"].sum()), len(tiles)
            (323, 1024)
        """
        return self.terrain.tiles(self.cells)

    def height(self, x: float, z: float, near: float = 0.0) -> TerrainHeight:
        """The height query at (x, z), matrix-wide units; the plate nearest to height `near` is chosen.

        Raises PlaceError for a point outside the matrix.

        Examples:
            >>> answer = World("demo").place("H01").height(20.5 * 16, 7.5 * 16)
            >>> answer.height, answer.plate, answer.reason.name
            (32.0, 5, 'ONLY_PLATE')
        """
        check_kind("a number of units", Real, x, z, near)
        self.underlying.check_tile((x / TILE_UNITS, z / TILE_UNITS))
        return self.underlying.height(x, z, near)

    # --- pictures and files

    def export_gltf(
        self, path: str | os.PathLike[str], options: ExportOptions | None = None, *, cells: Iterable[Cell] | None = None
    ) -> FieldReport:
        """Write the place as one GLB, .gltf or .obj; another ending raises ValueError (see
        `mapexplorer.export.gltf.field.export_field`)."""
        from mapexplorer.export.gltf.field import export_field

        return export_field(self.underlying, path, options, cells=cells)

    def export_poster(self, path: str | os.PathLike[str], *, whole_matrix: bool = False, **options: Any) -> Outcome:
        """Write the place, or its whole matrix, from above as a PNG; `options` are those of
        `mapexplorer.export.request.PosterRequest`. Raises OptionError, PlaceError, FormatError, RomError, OSError."""
        from mapexplorer.export.request import PosterRequest
        from mapexplorer.export.run import run

        matrix = self.matrix_id.value if self.matrix_id.value != self.header.matrix else None
        place = {"output": path, "place": self.header.id, "matrix": matrix, "whole_matrix": whole_matrix}
        return run(PosterRequest.from_json({**options, **place}), self.world.underlying)

    def scene(
        self,
        second: int = NOON,
        at: tuple[float, float] | None = None,
        people: bool = True,
        weather: bool | int = True,
        *,
        camera: str | Pose | SceneCamera = "game",
        layers: Iterable[str] = ("terrain", "props", "people"),
        save: Save | str = "entered",
        **options: Any,
    ) -> Scene:
        """The place as the field shows it at a second of the day, with the player at matrix-wide tile `at` = (x, z).

        `at` None: a suitable tile of the place; `weather` True: that of the header on `day` of the year, False: none,
        or a weather id; `camera`: "game", "top" (straight down), "free" (from the south), or a pose; `save`: a new
        game after the scripts of the map have run, "new": before any script, or the path of a saved game, whose hour
        the caller gives. `options` are the other fields of
        `mapexplorer.scene.view.View`: `features=False`, `day=59`, `all_cells=True` ... Raises PlaceError for a tile
        outside the matrix; ValueError, FormatError, RomError.

        Examples:
            >>> World("demo").place("L01").scene(weather=False, all_cells=True).render().shape
            (192, 256, 4)
        """
        from mapexplorer.scene.scene import FieldScene
        from mapexplorer.scene.view import View

        check_kind("a weather id, True or False", Integral, weather)
        named, pose = ({"camera": camera}, None) if isinstance(camera, str) else ({}, camera)
        named_save, given_save = ({"save": save}, None) if isinstance(save, str) else ({}, save)
        drawn = tuple(layer for layer in layers if people or layer != "people")
        chosen = {"second": second, "at": at, "weather": None if weather is True else int(weather), "layers": drawn}
        view = View.from_json({**options, **chosen, **named, **named_save})
        self.underlying.check_tile(view.at)
        return Scene(self, FieldScene(self.underlying, view, camera=pose, save=given_save))


class Scene:
    """A place at a second of the day, drawn as by the DS, created by `Place.scene`. `underlying`: the
    `mapexplorer.scene.scene.FieldScene`."""

    def __init__(self, place: Place, underlying: scene_scene.FieldScene) -> None:
        self.place = place
        self.underlying = underlying

    def __repr__(self) -> str:
        return repr(self.underlying)

    @property
    def link(self) -> Link:
        """The address of the view of its options; `str` of it is the text for people and files.

        Examples:
            >>> str(World("demo").place("T01").scene(second=20 * 3600, at=(8, 36)).link)
            'mapexplorer:PLATINUM-US+MAPEX-DEMO/T01@8,36?hour=20'
        """
        from mapexplorer.scene.link import Link

        return Link.of(self.place.underlying, self.underlying.view, target=self.underlying.view.target)

    def render(self, ticks: int | None = None, raw: bool = False) -> npt.NDArray[np.uint8]:
        """The picture after `ticks` field updates, here and below by default the `tick` of the scene (0): uint8
        (192, 256, 4), 8-bit RGBA. `raw`: that of the 3D engine alone, without the sprites and the background of the
        weather: r, g, b 0..63 and alpha 0..31.

        Examples:
            >>> picture = World("demo").place("T01").scene(second=20 * 3600).render(ticks=30)
            >>> picture.shape, int(picture[..., 3].min())
            ((192, 256, 4), 255)
        """
        check_kind("a number of updates", Integral | None, ticks)
        return self.underlying.render(ticks, raw)

    @property
    def damaged(self) -> list[str]:
        """A sentence for each part of the place that cannot be read and is left out of the picture."""
        return [wording.damage(lost) for lost in self.underlying.damaged]

    def commands(self, ticks: int | None = None) -> npt.NDArray[np.uint32]:
        """The GX commands of the frame as a flat stream, without the last SWAP_BUFFERS."""
        return self.underlying.commands(ticks)

    def why(self, x: int, y: int, ticks: int | None = None) -> PixelTrace:
        """The explanation of a pixel: polygons, material, texture, light and rule."""
        from mapexplorer.scene.pixel_trace import trace_pixel

        return trace_pixel(self.underlying, x, y, self.underlying.view.tick if ticks is None else ticks)

    def explain(self, x: int, y: int, ticks: int | None = None) -> list[str]:
        """`why` as text, a line for each polygon and each of its facts.

        Examples:
            >>> lines = World("demo").place("T01").scene().explain(128, 96)
            >>> lines[3].strip()
            'textures: map_tex_set[0] because area 0 of header 4'
        """
        from mapexplorer.inspector.places.pixel import sentences

        return sentences(self.why(x, y, ticks))

    def export_gltf(self, path: str | os.PathLike[str], options: ExportOptions | None = None) -> FieldReport:
        """Write the scene's place as one GLB with the light of the scene's second and what code adds to the map (see
        `Place.export_gltf`)."""
        from mapexplorer.export.options import ExportOptions

        feature = self.underlying.conditions.feature
        state = None if feature is None or feature.state is None else json.dumps(feature.state)
        chosen = dataclasses.replace(
            options or ExportOptions(), second=self.underlying.second, features=feature is not None, state=state
        )
        return self.place.export_gltf(path, chosen)
