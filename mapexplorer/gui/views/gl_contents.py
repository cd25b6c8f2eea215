"""What the OpenGL view has on the GPU: cells, people and overlays are requested as the camera and the clock move,
made in a worker, and uploaded one by one."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from mapexplorer.caching import Cache
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.loader import Fail, Loader, Take
from mapexplorer.gui.jobs.opening import Opened
from mapexplorer.gui.jobs.requests import MOVE, SOON
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.rendering.gl_preparer import CellRequest, GlPreparer, TickContents
from mapexplorer.gui.rendering.place_renderer import FrameRequest, PlaceRenderer
from mapexplorer.opengl.overlays import OverlayMesh
from mapexplorer.scene.conditions import Conditions
from mapexplorer.world.layers import DRAWN
from mapexplorer.world.layers.kind import LayerKind
from mapexplorer.world.sources.damage import Damage

if TYPE_CHECKING:
    from mapexplorer.opengl.prepare import Prepared
    from mapexplorer.opengl.renderer import FieldRenderer
    from mapexplorer.scene.weather.pictures import Image, ShownWeather
    from mapexplorer.world.place import FieldPlace

NEAR = 49
"""Cells around the camera's whose layers are loaded when the whole matrix is shown."""
AT_ONCE = 6
"""Cells of the whole matrix that are requested at once: the nearest ones, also after the camera has moved."""
PATIENCE = 0.1
"""Seconds for which people and weather are awaited."""

Position = tuple[int, int]
OverlayKey = tuple[Position, LayerKind]
Made = tuple["Prepared", tuple[Damage, ...]]
"""A cell, and what is left out so far."""
Change = Callable[["FieldRenderer"], None]


class Contents:
    """Keeps a renderer's contents in step with the model.

    `upload` changes the renderer in the thread that draws, and draws anew soon, `upload_moment` at once. `moment` is
    what the people on the GPU and the weather were requested for.
    """

    def __init__(
        self,
        explorer: Explorer,
        jobs: JobController,
        upload: Callable[[Change], None],
        upload_moment: Callable[[Change], None],
    ) -> None:
        self.explorer, self.jobs = explorer, jobs
        self.upload, self.upload_moment = upload, upload_moment
        self.moment: FrameRequest | None = None
        self._weather: ShownWeather | None = None
        self._sky: Image | None = None
        self._shown: tuple[Opened, int, frozenset[str]] | None = None
        self._cells: Loader[Position, Made] = Loader(self._load_cell, self._take_cell, at_once=AT_ONCE, budget=None)
        self._overlays: Loader[OverlayKey, OverlayMesh] = Loader(self._load_overlay, self._take_overlay, budget=None)
        self._moments: Loader[None, tuple[FrameRequest, TickContents]] = Loader(
            self._load_moment, self._take_moment, at_once=1, budget=None
        )
        self._request: FrameRequest | None = None
        """The last one for people and weather."""
        self._requested_at = 0.0
        self._people: list[Any] = []
        self._preparers: Cache[PlaceRenderer, GlPreparer] = Cache()

    def _preparer(self, renderer: PlaceRenderer) -> GlPreparer:
        """What prepares data with a renderer; called by the worker that owns the renderer."""
        return self._preparers.get(renderer, GlPreparer, renderer)

    @property
    def cells(self) -> frozenset[Position]:
        """The cells on the GPU."""
        return self._cells.keys

    @property
    def empty(self) -> bool:
        """Whether no cell is on the GPU, but one is requested."""
        return not self.cells and not self._cells.complete()

    @property
    def complete(self) -> bool:
        """Whether everything that was requested is on the GPU."""
        return bool(self.cells) and all(loader.complete() for loader in (self._cells, self._overlays, self._moments))

    def follow(self) -> None:
        """Request what the model shows now and is not there."""
        place, rom = self.explorer.place, self.jobs.rom
        if place is None or rom is None or place.world is not rom.world:
            return
        shown = rom, place.matrix_id.value, place.known
        if self._shown != shown:
            self._restart(shown)
        request = self.jobs.wanted()
        wanted = self._wanted(place)
        near = wanted[:NEAR]
        if request is not None:
            self._follow_cells(place, wanted, request)
            self._follow_people(request)
        self._follow_overlays(place, near)
        if not self.jobs.frames_wanted or self.jobs.frame is None:  # else it comes with the frame
            self.jobs.request_overlay(place.header.id, tuple(near), place.known)

    def _wanted(self, place: FieldPlace) -> list[Position]:
        """The cells that should be there, the nearest first; others leave the GPU."""
        x, z = (int(value) for value in self.explorer.tile)
        middle_x, middle_z = x // 32, z // 32

        def distance(cell: Position) -> int:
            return (cell[0] - middle_x) ** 2 + (cell[1] - middle_z) ** 2

        if self.explorer.options.all_cells:
            wanted = sorted(place.matrix_cells, key=distance)
        else:
            wanted = resident_cells(self.explorer)
            self._drop([cell for cell in self._cells.known if cell not in wanted])
        return wanted

    def _restart(self, shown: tuple[Opened, int, frozenset[str]]) -> None:
        self.upload(lambda renderer: renderer.clear())
        self._shown = shown
        self._preparers = Cache()
        for loader in (self._cells, self._overlays, self._moments):
            loader.clear()
        self._people = []
        self.moment = self._weather = self._sky = None

    def _drop(self, cells: list[Position]) -> None:
        if cells:
            self.upload(lambda renderer: renderer.remove([("cell", x, z) for x, z in cells]))
            self._cells.drop(cells)
            self._overlays.drop([key for key in self._overlays.known if key[0] in cells])

    def _with_notice(self, title: str, fail: Fail) -> Fail:
        """Shows an error before the loader knows of it."""

        def failed(error: BaseException) -> None:
            self.jobs.notify(title, error)
            fail(error)

        return failed

    # --- cells

    def _follow_cells(self, place: FieldPlace, wanted: list[Position], request: FrameRequest) -> None:
        # The game dresses all four loaded cells with the area that was entered; the whole matrix has each its own.
        area = None if request.view.all_cells else place.area_id.value
        doors = request.player.doors if request.player is not None else ()
        feature = request.feature
        changes = () if feature is None else feature.placed_props()
        tick = None if request.player is None else request.view.tick
        self._cells.want(
            {
                cell: CellRequest(
                    place.matrix_id.value,
                    area,
                    cell,
                    tuple(door for door in doors if door.cell == cell),
                    changes,
                    place.known,
                    feature,
                    tick,
                    place.header.id,
                )
                for cell in wanted
            }
        )

    def _load_cell(self, cell: Position, request: CellRequest, take: Take[Made], fail: Fail) -> Task | None:
        return self.jobs.request(
            lambda renderer: self._preparer(renderer).cell(request),
            take,
            priority=SOON,
            failed=self._with_notice("A cell cannot be shown", fail),
        )

    def _take_cell(self, cell: Position, request: CellRequest, made: Made | None) -> None:
        place = self.explorer.place
        if made is None or place is None:
            return
        (prepared, damaged), world = made, place.world
        self.upload(lambda renderer: renderer.add(prepared, world))
        if self._cells.complete():  # each answer has what all before it had: the last one says it all
            self.jobs.notify_damaged(damaged)

    # --- people and weather

    @property
    def awaits_moment(self) -> bool:
        """Whether people and weather are soon there; the picture is drawn when they are. In a walk nothing else of it
        changes."""
        walks = self.moment is not None and self.moment.player is not None
        return not self._moments.complete() and (walks or monotonic() - self._requested_at < PATIENCE)

    @property
    def weather(self) -> ShownWeather | None:
        """The weather of `moment`; None where none is shown, and while that of the model is not known."""
        moment, explorer = self.moment, self.explorer
        if moment is None or moment.zones[:1] != explorer.zones[:1] or moment.view.weather != explorer.options.weather:
            return None
        return self._weather

    @property
    def sky(self) -> Image | None:
        """The sky of `moment`; None where none is shown, and while that of the model is not known."""
        moment, place = self.moment, self.explorer.place
        return self._sky if moment is not None and place is not None and moment.header == place.header.id else None

    def _follow_people(self, request: FrameRequest) -> None:
        view = request.view
        spot = tuple(int(value) // 16 for value in self.explorer.tile)
        seen = self.explorer.camera if view.all_cells else None
        time = self.explorer.game.tables.time_of_day(view.second)
        weather = (view.weather, view.shows_weather, view.shows_fog, request.zones)
        key = (
            request.header,
            spot,
            view.all_cells,
            view.all_objects,
            seen,
            time,
            view.tick,
            request.player,
            weather,
            request.feature,
            request.known,
            request.change,
        )
        before = self._moments.complete()
        self._request = request
        self._moments.want({None: key})
        if before and not self._moments.complete():
            self._requested_at = monotonic()

    def _load_moment(
        self, key: None, version: object, take: Take[tuple[FrameRequest, TickContents]], fail: Fail
    ) -> Task | None:
        request = self._request
        assert request is not None
        return self.jobs.request(
            lambda renderer: (request, self._preparer(renderer).moment(request)),
            take,
            key="moment",
            failed=fail,
            by=MOVE,
        )

    def _take_moment(self, key: None, version: object, made: tuple[FrameRequest, TickContents] | None) -> None:
        if made is None:
            self.upload_moment(_nothing)
            return
        self.moment, (people, self._weather, self._sky, damaged) = made
        self._take_people(people)
        self.jobs.notify_damaged(damaged)

    def _take_people(self, groups: list[Prepared]) -> None:
        states = [
            (group.key, [(id(instance.mesh), instance.position, instance.scale) for instance in group.instances])
            for group in groups
        ]
        if states == self._people:
            self.upload_moment(_nothing)
            return
        gone = {key for key, _ in self._people} - {key for key, _ in states}
        new = [group for group, state in zip(groups, states, strict=True) if state not in self._people]
        self._people = states

        def exchange(renderer: FieldRenderer) -> None:
            renderer.remove(gone)
            for group in new:
                renderer.add(group)

        self.upload_moment(exchange)

    # --- overlays

    def _follow_overlays(self, place: FieldPlace, wanted: list[Position]) -> None:
        layers, whole = self.explorer.layers, self.explorer.options.all_cells
        self._overlays.want(
            {
                (cell, layer): -1 if whole or not layer.owned else place.header.id
                for layer in DRAWN
                if layers.shown(layer.id)
                for cell in wanted
            }
        )

    def _load_overlay(self, key: OverlayKey, header: int, take: Take[OverlayMesh], fail: Fail) -> Task | None:
        place, whole = self.explorer.place, self.explorer.options.all_cells
        assert place is not None
        (cell, layer), entered, known = key, place.header.id, place.known
        return self.jobs.request(
            lambda renderer: self._preparer(renderer).overlay(entered, cell, layer, known, whole=whole),
            take,
            priority=SOON,
            failed=self._with_notice("Tiles and plates cannot be read", fail),
        )

    def _take_overlay(self, key: OverlayKey, header: int, overlay: OverlayMesh | None) -> None:
        if overlay is not None:
            self.upload(lambda renderer: renderer.overlays.add(overlay))


def _nothing(renderer: FieldRenderer) -> None:
    """A change of nothing."""


def resident_cells(explorer: Explorer) -> list[Position]:
    """The cells that are loaded where the camera states, in the game's order."""
    assert explorer.place is not None
    return list(Conditions.of_view(explorer.place, explorer.view).cell_positions)
