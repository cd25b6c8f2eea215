"""What the OpenGL view has on the GPU: cells, people and overlays are asked for as the camera and the clock move,
made in a worker, and uploaded one by one."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from mapexplorer.gui.gl_preparer import CellRequest, GlPreparer, Moment, doors_by_cell
from mapexplorer.gui.jobs.controller import SOON, JobController, Opened
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.place_renderer import FrameRequest, PlaceRenderer
from mapexplorer.opengl.overlays import OverlayMesh
from mapexplorer.scene.conditions import Conditions
from mapexplorer.world.damage import Damage
from mapexplorer.world.layers import DRAWN
from mapexplorer.world.layers.kind import LayerKind

if TYPE_CHECKING:
    from mapexplorer.opengl.prepare import Prepared
    from mapexplorer.opengl.renderer import FieldRenderer
    from mapexplorer.scene.weather.pictures import Image, ShownWeather
    from mapexplorer.world.files import WorldFiles
    from mapexplorer.world.place import FieldPlace

NEAR = 49
"""Cells around the camera's whose layers are loaded when the whole matrix is shown."""
AT_ONCE = 6
"""Cells of the whole matrix that are asked for at once: the nearest ones, also after the camera has moved."""
PATIENCE = 0.1
"""Seconds for which people and weather are awaited."""

Position = tuple[int, int]
Change = Callable[["FieldRenderer"], None]


class Contents:
    """Keeps a renderer's contents in step with the model.

    `upload` changes the renderer in the thread that draws, and draws anew soon, `upload_moment` at once. `moment` is
    what the people on the GPU and the weather were asked for.
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
        self._asked: dict[Position, CellRequest] = {}
        self._ready: dict[Position, CellRequest] = {}
        self._overlays: dict[tuple[Position, LayerKind], int] = {}
        self._overlays_ready: dict[tuple[Position, LayerKind], int] = {}
        self._people_key: object = None
        self._people_ready: object = None
        self._asked_at = 0.0
        self._more = False
        self._people: list[Any] = []
        self._preparers: dict[PlaceRenderer, GlPreparer] = {}

    def _preparer(self, renderer: PlaceRenderer) -> GlPreparer:
        """What prepares data of the ROM that a renderer reads; called by the worker that owns the renderer."""
        if renderer not in self._preparers:
            self._preparers[renderer] = GlPreparer(renderer)
        return self._preparers[renderer]

    @property
    def cells(self) -> frozenset[Position]:
        """The cells on the GPU."""
        return frozenset(self._ready)

    @property
    def empty(self) -> bool:
        """Whether no cell is on the GPU, but one is asked for."""
        return bool(self._asked) and not self._ready

    @property
    def complete(self) -> bool:
        """Whether everything that was asked for is on the GPU."""
        together = self._asked == self._ready and self._overlays == self._overlays_ready
        return bool(self._asked) and together and not self._more and self._people_ready == self._people_key

    def follow(self) -> None:
        """Ask for what the model shows now and is not there."""
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

        if self.jobs.whole_matrix:
            wanted = sorted(place.matrix_cells, key=distance)
        else:
            wanted = resident_cells(self.explorer)
            self._drop([cell for cell in self._asked if cell not in wanted])
        return wanted

    def _restart(self, shown: tuple[Opened, int, frozenset[str]]) -> None:
        self.upload(lambda renderer: renderer.clear())
        if self._shown is None or self._shown[0] is not shown[0]:
            self._preparers.clear()
        self._shown = shown
        self._asked.clear()
        self._ready.clear()
        self._overlays.clear()
        self._overlays_ready.clear()
        self._people_key, self._people_ready, self._people = None, None, []
        self.moment = self._weather = self._sky = None

    def _drop(self, cells: list[Position]) -> None:
        if not cells:
            return
        self.upload(lambda renderer: renderer.remove([("cell", x, z) for x, z in cells]))
        for cell in cells:
            self._asked.pop(cell, None)
            self._ready.pop(cell, None)
        for known in (self._overlays, self._overlays_ready):
            for key in [key for key in known if key[0] in cells]:
                del known[key]

    # --- cells

    def _follow_cells(self, place: FieldPlace, wanted: list[Position], request: FrameRequest) -> None:
        # The game dresses all four loaded cells with the area that was entered; the whole matrix has each its own.
        area = None if request.view.all_cells else place.area_id.value
        doors = doors_by_cell(request.player.doors if request.player is not None else ())
        feature = request.feature
        changes = () if feature is None else feature.placed_props()
        self._more = False
        for cell in wanted:
            if area is None and cell not in self._asked and len(self._asked) - len(self._ready) >= AT_ONCE:
                self._more = True
                break
            wish = CellRequest(
                place.matrix_id.value, area, cell, doors.get(cell, ()), changes, place.known, feature,
                None if request.player is None else request.view.tick, place.header.id,
            )  # fmt: skip
            if self._asked.get(cell) != wish:
                self._asked[cell] = wish
                self._ask_cell(wish, place.world)

    def _ask_cell(self, wish: CellRequest, world: WorldFiles) -> None:
        shown = self._shown

        def take(made: tuple[Prepared, tuple[Damage, ...]]) -> None:
            prepared, damaged = made
            if shown == self._shown and self._asked.get(wish.cell) == wish:
                self._ready[wish.cell] = wish
                self.upload(lambda renderer: renderer.add(prepared, world))
                if self._more:
                    self.follow()
                # Each answer has what all before it had: the last one says it all.
                if self._asked == self._ready:
                    self.jobs.tell_damaged(damaged)

        self.jobs.ask(
            lambda renderer: self._preparer(renderer).cell(wish),
            take,
            priority=SOON,
            title="A cell cannot be shown",
        )

    # --- people and weather

    @property
    def awaits_moment(self) -> bool:
        """Whether people and weather are soon there; the picture is drawn when they are. In a walk nothing else of it
        changes."""
        walks = self.moment is not None and self.moment.player is not None
        return self._people_key != self._people_ready and (walks or monotonic() - self._asked_at < PATIENCE)

    @property
    def weather(self) -> ShownWeather | None:
        """The weather of `moment`; None where none is shown, and while that of the model is not known."""
        moment, explorer = self.moment, self.explorer
        if moment is None or moment.zones[:1] != explorer.zones[:1] or moment.view.weather != explorer.weather:
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
            request.header, spot, view.all_cells, view.all_objects, seen, time, view.tick, request.player, weather,
            request.feature, request.known, request.change,
        )  # fmt: skip
        if key == self._people_key:
            return
        if self._people_key == self._people_ready:
            self._asked_at = monotonic()
        self._people_key, shown = key, self._shown

        def take(made: Moment) -> None:
            if shown == self._shown:
                self._people_ready = key
                self._take_people(request, made)
                self.jobs.tell_damaged(made.damaged)

        def failed(error: BaseException) -> None:
            if key == self._people_key:
                self._people_ready = key
                self.upload_moment(_nothing)

        self.jobs.ask(
            lambda renderer: self._preparer(renderer).moment(request), take, key="moment", failed=failed, of_tick=True
        )

    def _take_people(self, request: FrameRequest, made: Moment) -> None:
        self.moment, self._weather, self._sky = request, made.weather, made.sky
        groups = made.people
        looks = [(group.key, [(id(one.mesh), one.position, one.scale) for one in group.instances]) for group in groups]
        if looks == self._people:
            self.upload_moment(_nothing)
            return
        gone = {key for key, _ in self._people} - {key for key, _ in looks}
        new = [group for group, look in zip(groups, looks, strict=True) if look not in self._people]
        self._people = looks

        def exchange(renderer: FieldRenderer) -> None:
            renderer.remove(gone)
            for group in new:
                renderer.add(group)

        self.upload_moment(exchange)

    # --- overlays

    def _follow_overlays(self, place: FieldPlace, wanted: list[Position]) -> None:
        layers, whole = self.explorer.layers, self.jobs.whole_matrix
        for layer in DRAWN:
            if not layers.shown(layer.id):
                continue
            header = -1 if whole or not layer.owned else place.header.id
            for cell in wanted:
                if self._overlays.get((cell, layer)) != header:
                    self._overlays[cell, layer] = header
                    self._ask_overlay(place, cell, layer, header, whole)

    def _ask_overlay(self, place: FieldPlace, cell: Position, layer: LayerKind, header: int, whole: bool) -> None:
        shown, entered, known = self._shown, place.header.id, place.known

        def take(overlay: OverlayMesh) -> None:
            if shown == self._shown and self._overlays.get((cell, layer)) == header:
                self.upload(lambda renderer: renderer.add_overlay(overlay))
                self._overlays_ready[cell, layer] = header

        self.jobs.ask(
            lambda renderer: self._preparer(renderer).overlay(entered, cell, layer, known, whole=whole), take,
            priority=SOON, title="Tiles and plates cannot be read",
        )  # fmt: skip


def _nothing(renderer: FieldRenderer) -> None:
    """A change of nothing."""


def resident_cells(explorer: Explorer) -> list[Position]:
    """The cells that are loaded where the camera looks, in the game's order."""
    assert explorer.place is not None
    return list(Conditions.of_view(explorer.place, explorer.view).cell_positions)
