"""Pictures of places, drawn in a worker's thread. Scenes are kept between frames."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from formats.fixed import Vector
from mapexplorer import kernels
from mapexplorer.caching import Cache
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.store import open_store
from mapexplorer.features import Feature
from mapexplorer.gameplay.trainers import object_name
from mapexplorer.gui.model.camera import ORBIT, ViewCamera
from mapexplorer.gui.model.explorer import SCENE_LAYERS
from mapexplorer.gui.model.overlay import MapOverlay, PropBoxes, prop_boxes
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.model.save_change import NO_CHANGE, SaveChange
from mapexplorer.gui.model.walking import DoorSwing, PlayerFigure
from mapexplorer.inspector.facts import Description
from mapexplorer.inspector.places.pixel import explained
from mapexplorer.scene.view import View
from mapexplorer.units import SECONDS_PER_HOUR
from mapexplorer.values import NO_WEATHER
from mapexplorer.world import FieldPlace, FieldWorld
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.layers.events import EVENTS, event_shapes
from mapexplorer.world.layers.kind import CellOverlay, event_owner
from mapexplorer.world.models.model_places import ModelPlaces
from mapexplorer.world.models.textures import unresolved
from mapexplorer.world.save import Save
from mapexplorer.world.saved_game import saved_stamp
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.matrix_patches import HIDDEN_LOCATIONS
from mapexplorer.world.subject import Subject
from mapexplorer.world.terrain.ground import room_box
from mapexplorer.world.wording import leftover_label

if TYPE_CHECKING:
    from PyQt5.QtGui import QImage

    from mapexplorer.gui.rendering.model_preview import ModelPreview, Orbit
    from mapexplorer.scene.conditions import Conditions
    from mapexplorer.scene.pixel_trace import PixelTrace
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.weather.timeline import WeatherTimeline

SCENES_KEPT = 4
CELLS_KEPT = 160
"""Cells whose layers are kept."""

_GROUND = ("terrain", "props")


@dataclass(frozen=True)
class FrameRequest:
    """The parameters of a frame."""

    header: int
    """The map header of the place."""
    view: View
    """What is shown of it."""
    player: PlayerFigure | None = None
    """The walking player; None while nobody walks."""
    faint: tuple[tuple[str, float], ...] = ()
    """The layers of the view that are not opaque, with their opacity."""
    wireframe: float = 0.0
    """The weight of the wireframe picture, 0 to 1."""
    zones: tuple[tuple[int, int], ...] = ()
    """See `Explorer`; by default the header alone."""
    feature: Feature | None = None
    """What code adds to the map; None: as on entering."""
    known: frozenset[str] = frozenset()
    """See `FieldPlace`."""
    change: SaveChange = NO_CHANGE
    """What the user changed of the save."""

    def __post_init__(self) -> None:
        if not self.zones:
            object.__setattr__(self, "zones", ((0, self.header),))

    @property
    def parts(self) -> list[tuple[float, frozenset[str], bool]]:
        """The pictures that are blended: (weight, layers, whether as wireframe); the weights add up to 1.

        A layer of opacity a is the picture with it, weighted by a, plus the picture without it, weighted by 1 - a.
        """
        parts = [(1.0, frozenset(self.view.layers))]
        for layer, opacity in self.faint:
            parts = [
                (weight * share, layers - without)
                for weight, layers in parts
                for share, without in ((opacity, frozenset[str]()), (1 - opacity, frozenset({layer})))
            ]
        ways = ((1 - self.wireframe, False), (self.wireframe, True))
        return [(weight * share, layers, edges) for share, edges in ways if share > 0 for weight, layers in parts]


@dataclass(frozen=True, eq=False)
class RenderedFrame:
    """A finished picture."""

    request: FrameRequest
    """Its parameters."""
    picture: npt.NDArray[np.uint8]
    """Its pixels (192, 256, 4)."""
    projection: Projection
    """The camera that it was drawn with."""
    cells: tuple[tuple[int, int], ...]
    """The positions of the cells that are loaded."""
    seconds: float
    """How long it took to draw."""
    altered: str = ""
    """How it differs from the console's picture of the same layers; empty for no difference."""
    damaged: tuple[Damage, ...] = ()
    """What cannot be read and is left out."""
    image: QImage | None = None
    """The picture enlarged for the DS view; None where the view is smaller than it."""
    before: npt.NDArray[np.uint8] | None = None
    """The picture of the same view in the ROM with which this one is compared; None where there is none."""

    def enlarged(self, width: int, height: int) -> RenderedFrame:
        """The frame with its image in some pixels; without one where they are fewer than those of the picture."""
        from mapexplorer.gui.rendering.images import enlarged_image

        if height < self.picture.shape[0] or width < self.picture.shape[1]:
            return self
        return replace(self, image=enlarged_image(self.picture, width, height))


class PlaceRenderer:
    """Draws frames of one ROM. Used by one thread at a time."""

    def __init__(self, world: FieldWorld) -> None:
        self.world = world
        self._scenes: Cache[Any, tuple[FieldScene, set[DoorSwing]]] = Cache(SCENES_KEPT)
        """Scenes, and the doors that were started in each."""
        self._cells: Cache[tuple[int, ...], CellOverlay] = Cache(CELLS_KEPT)
        self._boxes: Cache[tuple[int, ...], PropBoxes] = Cache()
        self._previews: Cache[tuple[int, int, int | None], ModelPreview] = Cache(1)
        self._weather_key: Any = None
        self._weather: WeatherTimeline | None = None
        self._zones: tuple[tuple[int, int], ...] = ()

    @property
    def store(self) -> Store:
        """The store of the ROM, which is made when it is first asked for. Raises FormatError, RomError."""
        return open_store(self.world.rom)

    def place(self, header: int, known: frozenset[str] = frozenset()) -> FieldPlace:
        """The place of a header while some hidden locations are known."""
        return self.world.place(header).knowing(known)

    def scene(self, request: FrameRequest) -> FieldScene:
        """The scene of a request, with its clock and camera set."""
        from mapexplorer.scene.conditions import Conditions
        from mapexplorer.scene.scene import FieldScene

        place, view = self.place(request.header, request.known), request.view
        assert view.at is not None
        at = _on_matrix(place, view.at)
        save = saved(self.world, request)
        conditions = Conditions.of_view(place, replace(view, at=at), save, request.feature)
        where = None if view.all_cells else (conditions.resident.west, conditions.resident.north)
        own = ("player",) if request.player is not None else ()
        # All layers are loaded, so that showing one needs no loading; for people alone cells are not resolved.
        layers = (*(SCENE_LAYERS if set(view.layers) - {"people"} else ("people",)), *own)
        entered = (view.save, saved_stamp(view.save), view.day, view.weekday, view.second // SECONDS_PER_HOUR)
        chosen = (view.missing, view.all_objects, view.sky, view.features, view.state, entered)
        key = (request.header, where, view.weather, layers, chosen, request.known, request.change)
        camera = view.scene_camera(conditions.camera)

        def make() -> tuple[FieldScene, set[DoorSwing]]:
            given = request.player.objects if request.player is not None else None
            loaded = replace(view, at=at, layers=layers)
            return FieldScene(place, loaded, camera=camera, save=save, objects=given), set()

        scene, started = self._scenes.get(key, make)
        scene.set_feature(conditions.feature, plays=request.player is not None)
        scene.timeline = self._timeline(request, camera.target)
        scene.set_second(view.second)
        if scene.camera != camera:
            scene.set_camera(camera)
        scene.show((*view.layers, *own))
        # While the player walks, the walk evaluates the objects of the map; those of others start when it enters them.
        scene.set_moving(request.player is None)
        if request.player is not None:
            scene.show_objects(request.player.objects)
            _swing(scene, started, request.player.doors)
        return scene

    def _timeline(self, request: FrameRequest, target: Vector) -> WeatherTimeline:
        """The weather from entering the first zone of a request on; all scenes of these zones share it. `target`: that
        of the camera, fx32 units."""
        from mapexplorer.scene.conditions import Conditions

        def conditions(header: int) -> Conditions:
            return Conditions.of_view(self.world.place(header), request.view)

        view, zones = request.view, request.zones
        key = (view.weather, view.day, view.seed)
        if self._weather is None or key != self._weather_key or zones[: len(self._zones)] != self._zones:
            self._weather = conditions(zones[0][1]).weather_timeline(target, view.seed)
            self._weather_key, self._zones = key, zones[:1]
        for tick, header in zones[len(self._zones) :]:
            self._weather.at(tick, target)
            self._weather.change(conditions(header).weather)
        self._zones = zones
        return self._weather

    def frame(self, request: FrameRequest) -> RenderedFrame:
        """Draw a picture. Raises FormatError, RomError."""
        kernels.prepare(kernels.DS_PICTURES)  # first, because NotCompiledError would discard other work
        start = time.perf_counter()
        scene = self.scene(request)
        picture = _blended(scene, request)
        projection = Projection.of_scene(scene.camera.view, scene.camera.projection)
        cells = tuple((cell.x, cell.z) for block in scene.blocks for cell in block.cells)
        seconds = time.perf_counter() - start
        return RenderedFrame(request, picture, projection, cells, seconds, _altered(scene, request), scene.damaged)

    def why(self, request: FrameRequest, x: int, y: int) -> PixelTrace:
        """The explanation of a pixel of a frame."""
        from mapexplorer.scene.pixel_trace import trace_pixel

        return trace_pixel(self.scene(request), x, y, request.view.tick)

    def explained(self, request: FrameRequest, x: int, y: int, tile: Subject | None) -> Description:
        """The explanation of what a click on a pixel of a frame selects, the `tile` where there is only terrain."""
        return explained(self.why(request, x, y), tile)

    def overlay(
        self, header: int, cells: tuple[tuple[int, int], ...], known: frozenset[str] = frozenset(), *, whole: bool
    ) -> MapOverlay:
        """The overlay of cells; `known`: see `FieldPlace`; `whole`: with the events of each cell's own header. Raises
        FormatError, RomError."""
        place = self.place(header, known)
        parts: list[CellOverlay] = []
        boxes: PropBoxes = {}
        for position in cells:
            parts.append(self.cell_overlay(header, position, known, whole=whole))
            cell = parts[-1].cell
            boxes |= self._boxes.get((cell.matrix, cell.x, cell.z, cell.land), prop_boxes, place, cell)
        return MapOverlay(header, tuple(parts), boxes, event_shapes(place, header, named=object_name), known)

    def cell_overlay(
        self, header: int, position: tuple[int, int], known: frozenset[str] = frozenset(), *, whole: bool
    ) -> CellOverlay:
        """The layers of a cell of a header's matrix. Raises FormatError, RomError."""
        place = self.place(header, known)
        cell = place.matrix_cells[position]
        owner = event_owner(cell, header, whole=whole)
        key = cell.matrix, cell.x, cell.z, cell.land, owner, whole
        overlay = self._cells.get(key, CellOverlay, place, cell, owner, whole, object_name)
        _ = overlay[EVENTS]  # which are picked while they are not shown, too
        return overlay

    def model_picture(
        self, header: int, number: int, orbit: Orbit, tick: int, clip: int | None
    ) -> npt.NDArray[np.uint8]:
        """A picture (192, 256, 4) of a prop model, still or animated: see `ModelPreview.of_prop`."""
        from mapexplorer.gui.rendering.model_preview import ModelPreview

        kernels.prepare(kernels.DS_PICTURES)
        place = self.world.place(header)
        preview = self._previews.get((header, number, clip), ModelPreview.of_prop, place, number, clip)
        return preview.picture(orbit, tick)

    @cached_property
    def prop_places(self) -> ModelPlaces:
        """The maps through which prop models are shown alone."""
        return ModelPlaces(self.world)

    def lacking_textures(self, header: int, number: int) -> list[str]:
        """The textures and palettes of a prop model that the prop set of a map does not have. Raises FormatError."""
        world = self.world
        names: dict[str | None, None] = {}
        for material in unresolved(world.prop_model(number).models[0], world.place(header).prop_textures().textures):
            names |= {material.texture: None, material.palette: None}
        return [name for name in names if name]

    def prop_thumbnail(self, number: int) -> npt.NDArray[np.uint8]:
        """A small picture (96, 128, 4) of a prop model. Raises FormatError, RomError."""
        from mapexplorer.gui.rendering.model_preview import ModelPreview, Orbit

        kernels.prepare(kernels.DS_PICTURES)
        place = self.world.place(self.prop_places.of("prop", number))
        return reduced(ModelPreview.of_prop(place, number, None).picture(Orbit(), 0), 2)

    def thumbnail(self, header: int) -> npt.NDArray[np.uint8] | None:
        """A small picture (96, 128, 4) of a place at noon without fog and weather, which would hide it, cropped to what
        is visible; rooms are shown whole. None for a place without cells."""
        from mapexplorer.scene.scene import FieldScene

        kernels.prepare(kernels.DS_PICTURES)
        place = self.world.place(header)
        if not place.cells:
            return None
        box = room_box(place)
        if box is None:
            return cropped(FieldScene(place, View(layers=_GROUND, weather=NO_WEATHER)).render())
        camera = ViewCamera(kind=ORBIT).framing(*box)
        x, _, z = camera.target
        at = _on_matrix(place, (x / TILE_UNITS, z / TILE_UNITS))
        view = View(layers=_GROUND, weather=NO_WEATHER, at=at, **camera.view_fields)
        return cropped(FieldScene(place, view).render())

    def left_over(self, header: int) -> str:
        """Why a map counts as unused or unfinished, in a few words; empty for a used one."""
        return ", ".join(leftover_label(leftover) for leftover in self.world.leftovers(header))


def saved(world: FieldWorld, request: FrameRequest) -> Save:
    """The save of a request, with what is known and what the user changed."""
    from mapexplorer.scene.conditions import shown_save

    save = request.change.of(shown_save(world.place(request.header), request.view))
    return replace(save, features={HIDDEN_LOCATIONS: sorted(request.known)}) if request.known else save


def _swing(scene: FieldScene, started: set[DoorSwing], doors: tuple[DoorSwing, ...]) -> None:
    """Start the door animations in a scene that were not started yet."""
    for door in doors:
        if door not in started and door.cell in scene.place.matrix_cells:
            started.add(door)
            props = scene.place.props(scene.place.matrix_cells[door.cell], scene.place.area_id.value)
            with suppress(ValueError):
                scene.play(props[door.record], door.slot, door.tick)


def _blended(scene: FieldScene, request: FrameRequest) -> npt.NDArray[np.uint8]:
    """The picture of a request, blended from its parts."""
    own = scene.shown - set(request.view.layers)
    total = np.zeros((192, 256, 4))
    parts = request.parts
    for weight, layers, edges in parts:
        scene.show(layers | own)
        scene.wireframe = edges
        picture = scene.render(request.view.tick)
        if len(parts) > 1:
            total += weight * picture
    scene.show({*request.view.layers, *own})
    scene.wireframe = False
    return picture if len(parts) == 1 else np.rint(total).astype(np.uint8)


def _altered(scene: FieldScene, request: FrameRequest) -> str:
    """The differences from the console's picture, as text."""
    differences = ["edges"] if request.wireframe > 0 else []
    differences += ["blended layers"] if request.faint else []
    marks = sum(block.marks for block in scene.blocks) if request.view.missing else 0
    differences += [f"{marks} materials without texture in magenta"] if marks > 1 else []
    differences += ["a material without texture in magenta"] if marks == 1 else []
    return ", ".join(differences)


def cropped(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A picture (192, 256, 4) without its black edges, as far as the aspect ratio allows, as (96, 128, 4)."""
    from PIL import Image

    drawn = (picture[..., :3] != 0).any(2)
    columns, rows = np.flatnonzero(drawn.any(0)), np.flatnonzero(drawn.any(1))
    if not len(columns):
        return reduced(picture, 2)
    left, right, upper, lower = int(columns[0]), int(columns[-1]) + 1, int(rows[0]), int(rows[-1]) + 1
    height = max(lower - upper, math.ceil((right - left) * 3 / 4))
    width = math.ceil(height * 4 / 3)
    left = min(max((left + right - width) // 2, 0), 256 - min(width, 256))
    upper = min(max((upper + lower - height) // 2, 0), 192 - height)
    part = Image.fromarray(picture[upper : upper + height, left : left + width])
    return np.asarray(part.resize((128, 96), Image.Resampling.BOX))


def reduced(picture: npt.NDArray[np.uint8], factor: int) -> npt.NDArray[np.uint8]:
    """A picture reduced by `factor`; each pixel is the mean of a block."""
    height, width = picture.shape[:2]
    parts = picture.reshape(height // factor, factor, width // factor, factor, 4).astype(np.uint32)
    small: npt.NDArray[np.uint8] = (parts.sum((1, 3)) // factor**2).astype(np.uint8)
    return small


def _on_matrix(place: FieldPlace, tile: tuple[float, float]) -> tuple[float, float]:
    """A tile limited to the matrix; a whole number is moved to the tile's centre, because it means the whole tile."""
    matrix = place.matrix
    x = min(matrix.width * CELL_TILES - 0.5, max(0.25, tile[0]))
    z = min(matrix.height * CELL_TILES - 0.5, max(0.25, tile[1]))
    return x, z
