"""Data of the OpenGL view, prepared in a worker's thread: cells, people and overlays of a renderer's world."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mapexplorer import kernels
from mapexplorer.features import Feature, PlacedProp
from mapexplorer.gui.model.walking import DoorSwing
from mapexplorer.opengl.camera import CameraMatrices
from mapexplorer.opengl.overlays import OverlayMesh, make_overlay
from mapexplorer.opengl.prepare import Prepared, Preparer
from mapexplorer.scene.camera import SceneCamera
from mapexplorer.scene.model_resolver import Played
from mapexplorer.scene.playback import Playback
from mapexplorer.world.layers.kind import LayerKind
from mapexplorer.world.sources.damage import Damage

if TYPE_CHECKING:
    from mapexplorer.gui.rendering.place_renderer import FrameRequest, PlaceRenderer
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.weather.pictures import Image, ShownWeather


@dataclass(frozen=True)
class CellRequest:
    """A cell as it is shown. Requests are equal when the cell looks the same, through whatever header the matrix was
    entered."""

    matrix: int
    """The map matrix of the cell."""
    area: int | None
    """The area that replaces the cell's own; None: its own."""
    cell: tuple[int, int]
    """Column and row in the matrix."""
    doors: tuple[DoorSwing, ...] = ()
    """The moved doors of the cell, in the order of their movement."""
    changes: tuple[PlacedProp, ...] = ()
    """What the feature changes on props."""
    known: frozenset[str] = frozenset()
    """See `FieldPlace`."""
    feature: Feature | None = field(default=None, compare=False)
    """What code adds to the map that was entered."""
    tick: int | None = field(default=None, compare=False)
    """When the feature changes props: see `ModelResolver.set_feature`."""
    header: int = field(default=0, compare=False)
    """The map header through which the matrix was entered."""


TickContents = tuple[list[Prepared], "ShownWeather | None", "Image | None", tuple[Damage, ...]]
"""What is made for each tick: the map objects of a frame, one group for each area in view, at least one, and what code
adds to its map, in groups of their own; the weather and the sky, None where none is shown; what is left out so far."""


class GlPreparer:
    """Prepares data for the GPU. Used by one thread at a time."""

    def __init__(self, renderer: PlaceRenderer) -> None:
        kernels.prepare(kernels.OPENGL)  # first, because NotCompiledError would discard other work
        self._renderer = renderer
        self._shown: tuple[int, frozenset[str]] = (-1, frozenset())
        self._preparers: dict[int | None, Preparer] = {}

    def cell(self, request: CellRequest) -> tuple[Prepared, tuple[Damage, ...]]:
        """Terrain and props of a cell, and what is left out so far. Raises FormatError, RomError."""
        preparer = self._preparer(request.header, request.matrix, request.area, request.known)
        played: dict[int, Played] = {door.record: (door.slot, Playback(door.tick)) for door in request.doors}
        preparer.set_feature(request.feature, request.tick)
        return preparer.cell(preparer.place.matrix_cells[request.cell], played), preparer.damaged

    def moment(self, request: FrameRequest) -> TickContents:
        """The people, the weather and the sky of a frame. Raises FormatError, RomError."""
        # Without the models of cells.
        scene = self._renderer.scene(replace(request, view=replace(request.view, layers=("people",))))
        scene.advance(request.view.tick)
        return self._people(scene, request), scene.shown_weather, scene.shown_sky, scene.damaged

    def _people(self, scene: FieldScene, request: FrameRequest) -> list[Prepared]:
        place = scene.place
        preparer = self._preparer(request.header, place.matrix_id.value, place.area_id.value, place.known)
        crowds = [
            block.object_events.drawings(request.view.tick) for block in scene.blocks if block.object_events is not None
        ]
        people = [preparer.people(drawings, ("people", number)) for number, drawings in enumerate(crowds or [[]])]
        added = [
            preparer.run_time_props(block.run_time_props, ("run-time props", number))
            for number, block in enumerate(scene.blocks)
            if block.run_time_props
        ]
        lands = [
            preparer.lands(block.lands, ("lands", number)) for number, block in enumerate(scene.blocks) if block.lands
        ]
        return people + lands + added

    def overlay(
        self,
        header: int,
        position: tuple[int, int],
        layer: LayerKind,
        known: frozenset[str] = frozenset(),
        *,
        whole: bool,
    ) -> OverlayMesh:
        """A layer of a cell; with the events of `header`, or in the `whole` matrix of the cell's own header."""
        part = self._renderer.cell_overlay(header, position, known, whole=whole)
        return make_overlay(part.cell, layer.id, part[layer])

    def _preparer(self, header: int, matrix: int, area: int | None, known: frozenset[str]) -> Preparer:
        if (matrix, known) != self._shown:
            self._preparers.clear()
            self._shown = matrix, known
        if area not in self._preparers:
            place = self._renderer.place(header, known)
            self._preparers[area] = Preparer(place if area is None else place.with_area(area))
        return self._preparers[area]


def field_camera(camera: SceneCamera, aspect: float) -> CameraMatrices:
    """A scene's camera for an OpenGL view `aspect` times as wide as high; it sees at least the DS camera's field of
    view."""
    matrices = CameraMatrices.of_scene(camera)
    projection = matrices.projection.copy()
    wider = aspect * 3 / 4
    projection[:, 0] /= max(1.0, wider)
    projection[:, 1] *= min(1.0, wider)
    return replace(matrices, projection=projection)
