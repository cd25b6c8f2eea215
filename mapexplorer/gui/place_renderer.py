"""Pictures of places, made in a worker's thread: scenes are kept between frames, each renderer has its own world."""

from __future__ import annotations

import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mapexplorer import kernels
from mapexplorer.api import Place, World
from mapexplorer.gui.model.camera import GAME, TOP, Camera
from mapexplorer.gui.model.overlay import Overlay, PropBox, markers, prop_boxes
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.model.walking import DoorSwing, PlayerFigure
from mapexplorer.rom import Rom
from mapexplorer.world.cell_ground import CellGround, cell_ground
from mapexplorer.world.cells import FX, Cell
from mapexplorer.world.place import Place as WorldPlace

if TYPE_CHECKING:
    from mapexplorer.gui.model_preview import ModelPreview
    from mapexplorer.scene.camera import SceneCamera
    from mapexplorer.scene.pixel_trace import PixelTrace
    from mapexplorer.scene.scene import Scene

SCENES_KEPT = 4

SCENE_LAYERS = frozenset({"terrain", "props", "people"})


@dataclass(frozen=True)
class FrameRequest:
    """A picture: of which header, looking at which tile, when, how.

    `layers` are shown; `faint` those of them that are not opaque, with their opacity. `wireframe` is how much of the
    picture is the one of edges, 0 to 1. `missing`: what lacks its texture is magenta.
    """

    header: int
    tile: tuple[float, float]
    camera: Camera
    second: int
    tick: int
    weather: bool | int
    layers: frozenset[str]
    whole_matrix: bool = False
    player: PlayerFigure | None = None
    faint: tuple[tuple[str, float], ...] = ()
    wireframe: float = 0.0
    missing: bool = False

    @property
    def parts(self) -> list[tuple[float, frozenset[str], bool]]:
        """The pictures of the engine that make this one: (weight, layers, whether as edges); the weights add up to 1.

        A layer of opacity a shows a of the picture with it over 1 - a of the picture without it, for each in turn.
        """
        parts = [(1.0, self.layers)]
        for layer, opacity in self.faint:
            parts = [
                (weight * share, layers - without)
                for weight, layers in parts
                for share, without in ((opacity, frozenset[str]()), (1 - opacity, frozenset({layer})))
            ]
        ways = ((1 - self.wireframe, False), (self.wireframe, True))
        return [(weight * share, layers, edges) for share, edges in ways if share > 0 for weight, layers in parts]


@dataclass(frozen=True, eq=False)
class Frame:
    """A finished picture: uint8 (192, 256, 4), the camera that made it, and how long it took in seconds. `altered` says
    how it differs from what the console would show of the same layers, "" when it does not; `damaged` what is left out
    because it cannot be read, a sentence each."""

    request: FrameRequest
    picture: npt.NDArray[np.uint8]
    projection: Projection
    cells: tuple[tuple[int, int], ...]
    seconds: float
    altered: str = ""
    damaged: tuple[str, ...] = ()


class PlaceRenderer:
    """Draws frames of one ROM. Used by one thread at a time."""

    def __init__(self, rom: Rom) -> None:
        self.world = World(rom)
        self._scenes: OrderedDict[Any, Scene] = OrderedDict()
        self._swung: dict[int, set[DoorSwing]] = {}
        self._cells: dict[tuple[int, int, int], CellGround] = {}
        self._boxes: dict[tuple[int, int, int], list[PropBox]] = {}
        self._stage: tuple[Any, ModelPreview] | None = None

    def scene(self, request: FrameRequest) -> Scene:
        """The scene of a request, its clock and camera set."""
        from mapexplorer.scene.conditions import Conditions
        from mapexplorer.scene.field_objects import PLAYER_GRAPHICS, ObjectInstance
        from mapexplorer.scene.scene import Scene

        place = self.world.place(request.header)
        x, z = _on_matrix(place, request.tile)
        resident = Conditions(place, at=(x, z)).resident
        where = None if request.whole_matrix else (resident.west, resident.north)
        own = frozenset({"player"} if request.player is not None else ())
        # Everything is loaded, so that showing and hiding costs nothing; but cells are not resolved for people alone.
        layers = (SCENE_LAYERS if request.layers - {"people"} else frozenset({"people"})) | own
        key = (request.header, where, request.weather, layers, request.missing)
        scene = self._scenes.get(key)
        camera = scene_camera(place, request.camera, request.player.half_fov if request.player is not None else 0)
        if scene is None:
            scene = Scene(
                place, request.second, (x, z), True, request.weather, camera=camera, layers=layers,
                all_cells=request.whole_matrix, missing=request.missing,
            )  # fmt: skip
            self._scenes[key] = scene
            while len(self._scenes) > SCENES_KEPT:
                _, dropped = self._scenes.popitem(last=False)
                self._swung.pop(id(dropped), None)
        self._scenes.move_to_end(key)
        scene.set_second(request.second)
        if scene.camera != camera:
            scene.set_camera(camera)
        scene.show(request.layers | own)
        # A walk does not know of people who go about, so that they stand where they are in its way.
        scene.set_moving(request.player is None)
        if request.player is not None:
            player = request.player
            figure = ObjectInstance(
                PLAYER_GRAPHICS, player.position, player.direction, tile=player.tile, jump=player.jump,
                phase=player.phase, running=player.running,
            )  # fmt: skip
            scene.set_player(None if player.hidden else figure)
            self._swing(scene, player.doors)
        return scene

    def _swing(self, scene: Scene, doors: tuple[DoorSwing, ...]) -> None:
        """Let doors of a scene play what they were not told yet."""
        told = self._swung.setdefault(id(scene), set())
        for door in doors:
            if door not in told and door.cell in scene.place.matrix_cells:
                told.add(door)
                props = scene.place.props(scene.place.matrix_cells[door.cell], scene.place.area_id.value)
                with suppress(ValueError):
                    scene.play(props[door.record], door.slot, door.tick)

    def frame(self, request: FrameRequest) -> Frame:
        """Draw a picture. Raises FormatError, RomError."""
        kernels.prepare(kernels.DS_PICTURES)  # before work that would have to be done again
        start = time.perf_counter()
        scene = self.scene(request)
        picture = _blended(scene, request)
        projection = Projection.of_scene(scene.camera.view, scene.camera.projection)
        cells = tuple((cell.x, cell.z) for block in scene.blocks for cell in block.cells)
        seconds = time.perf_counter() - start
        return Frame(request, picture, projection, cells, seconds, _altered(scene, request), tuple(scene.damaged))

    def why(self, request: FrameRequest, x: int, y: int) -> PixelTrace:
        """Why a pixel of a frame looks as it does."""
        from mapexplorer.scene.pixel_trace import trace_pixel

        return trace_pixel(self.scene(request), x, y, request.tick)

    def overlay(self, header: int, cells: tuple[tuple[int, int], ...]) -> Overlay:
        """What can be drawn over the cells and picked in them. Raises FormatError, RomError."""
        place = self.world.place(header)
        parts: list[CellGround] = []
        boxes: list[PropBox] = []
        for position in cells:
            cell = place.matrix_cells[position]
            key = (cell.matrix, cell.x, cell.z)
            parts.append(self.ground(place, cell))
            if key not in self._boxes:
                self._boxes[key] = prop_boxes(place, cell)
            boxes += self._boxes[key]
        return Overlay(header, tuple(parts), tuple(boxes), tuple(markers(place)))

    def ground(self, place: WorldPlace, cell: Cell) -> CellGround:
        """Tiles and plates of a cell. Raises FormatError."""
        key = (cell.matrix, cell.x, cell.z)
        if key not in self._cells:
            self._cells[key] = cell_ground(place, cell)
        return self._cells[key]

    def model_picture(self, header: int, number: int, yaw: float, tick: int, clip: int | None) -> npt.NDArray[np.uint8]:
        """A prop model on a turntable (192, 256, 4), still or playing: see `ModelPreview.of_prop`."""
        from mapexplorer.gui.model_preview import ModelPreview

        kernels.prepare(kernels.DS_PICTURES)
        key = (header, number, clip)
        if self._stage is None or self._stage[0] != key:
            self._stage = key, ModelPreview.of_prop(self.world.place(header), number, clip)
        return self._stage[1].picture(yaw, tick)

    def thumbnail(self, header: int) -> npt.NDArray[np.uint8] | None:
        """A small picture (96, 128, 4) of a place at noon; None for one without cells."""
        from mapexplorer.scene.scene import Scene

        kernels.prepare(kernels.DS_PICTURES)
        place = self.world.place(header)
        if not place.cells:
            return None
        picture = Scene(place, people=False, weather=False).render()
        return reduced(picture, 2)

    def cell_picture(self, header: int, x: int, z: int, size: int = 48) -> npt.NDArray[np.uint8]:
        """A cell of a place's matrix from above, (size, size, 4); `size` divides 192."""
        from mapexplorer.scene.camera import top_camera
        from mapexplorer.scene.scene import Scene

        kernels.prepare(kernels.DS_PICTURES)
        place = self.world.place(header)
        cell = place.matrix_cells[x, z]
        owner = cell.header if cell.header < len(self.world.headers) and not cell.filler else header
        governing = self.world.place(owner)
        if governing.matrix_id.value != cell.matrix:
            governing = place
        centre_x, _, centre_z = cell.centre
        camera = top_camera((centre_x, 0, centre_z), 192 / 512)
        scene = Scene(
            governing, at=(x * 32 + 15, z * 32 + 15), people=False, weather=False, camera=camera,
            layers=("terrain", "props"),
        )  # fmt: skip
        picture = scene.render()
        return reduced(np.ascontiguousarray(picture[:, 32:224]), 192 // size)


def _blended(scene: Scene, request: FrameRequest) -> npt.NDArray[np.uint8]:
    """The picture of a request: the engine's own when nothing is to be blended."""
    own = scene.shown - request.layers
    total = np.zeros((192, 256, 4))
    parts = request.parts
    for weight, layers, edges in parts:
        scene.show(layers | own)
        scene.wireframe = edges
        picture = scene.render(request.tick)
        if len(parts) > 1:
            total += weight * picture
    scene.show(request.layers | own)
    scene.wireframe = False
    return picture if len(parts) == 1 else np.rint(total).astype(np.uint8)


def _altered(scene: Scene, request: FrameRequest) -> str:
    """How a picture differs from the console's."""
    words = ["edges"] if request.wireframe > 0 else []
    words += ["blended layers"] if request.faint else []
    marks = sum(block.marks for block in scene.blocks) if request.missing else 0
    words += [f"{marks} materials without texture in magenta"] if marks > 1 else []
    words += ["a material without texture in magenta"] if marks == 1 else []
    return ", ".join(words)


def reduced(picture: npt.NDArray[np.uint8], factor: int) -> npt.NDArray[np.uint8]:
    """A picture `factor` times smaller, each pixel the mean of those it stands for."""
    height, width = picture.shape[:2]
    parts = picture.reshape(height // factor, factor, width // factor, factor, 4).astype(np.uint32)
    small: npt.NDArray[np.uint8] = (parts.sum((1, 3)) // factor**2).astype(np.uint8)
    return small


def scene_camera(place: Place, camera: Camera, half_fov: int = 0) -> SceneCamera:
    """The engine's matrices of a camera of the window; `half_fov` is added to the half angle of the game's."""
    from mapexplorer.scene.camera import Pose, free_camera, game_camera, top_camera

    target = tuple(round(value * FX) for value in camera.target)
    if camera.kind == GAME:
        return game_camera(replace(place.camera, half_fov=place.camera.half_fov + half_fov), target)  # type: ignore[arg-type]
    if camera.kind == TOP:
        return top_camera(target, camera.scale)  # type: ignore[arg-type]
    return free_camera(Pose(camera.eye, camera.yaw, camera.pitch, camera.fov, *camera.depths))


def _on_matrix(place: Place, tile: tuple[float, float]) -> tuple[float, float]:
    """A tile kept on the matrix; a whole number is moved to the tile's centre, so that it stays a spot in it."""
    matrix = place.matrix
    x = min(matrix.width * 32 - 0.5, max(0.25, tile[0]))
    z = min(matrix.height * 32 - 0.5, max(0.25, tile[1]))
    return x, z
