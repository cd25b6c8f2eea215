"""What can be reached from the player, and the way to a tile, marked over the picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from formats.fixed import ONE
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.marks import Point, ReachedTiles
from mapexplorer.gui.model.walking import Walking
from mapexplorer.gui.widgets.notices import INFO, ROUTE, Notices
from mapexplorer.scene.view import NEW
from mapexplorer.values import count
from mapexplorer.walk import ALL_ABILITIES, Ability, Grounds, Spot
from mapexplorer.walk.reach import Reach, search
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.layers.overlay_picking import tile_of
from mapexplorer.world.sources.matrix_patches import known_locations
from mapexplorer.world.subject import subject


class Routes:
    """Searches from the player, else from the tile that the camera looks at; a notice tells the result."""

    def __init__(self, explorer: Explorer, jobs: JobController, walking: Walking, notices: Notices) -> None:
        self.explorer, self.jobs, self.walking, self.notices = explorer, jobs, walking, notices
        self._matrix: int | None = None
        explorer.place_changed.connect(self._place_changed)

    @property
    def shown(self) -> bool:
        """Whether the tiles that can be reached are marked."""
        return self.explorer.marks.reached is not None

    def toggle_reached(self) -> None:
        """Mark the tiles of the matrix that can be reached on foot without a warp, or remove the marks."""
        if self.shown:
            self._mark(reached=None)
            return

        def take(reach: Reach) -> None:
            place = self.explorer.place
            if place is not None and place.matrix_id.value == matrix:
                reached = _masks(reach, matrix)
                self._mark(reached=reached)
                tiles = sum(int(mask.sum()) for mask in reached.values())
                self._tell("Reachable tiles", f"{count(tiles, 'tile')} can be reached on foot without a warp.")

        place = self.explorer.place
        if place is not None:
            matrix = place.matrix_id.value
            self._search(take, over_warps=False)

    def show_way(self, point: Point) -> None:
        """Mark the shortest way to the tile at a point of the present matrix, on foot, else with all abilities."""
        place, world = self.explorer.place, self.explorer.world
        if place is None or world is None:
            return
        x, z = tile_of(point[0], point[2])
        header = Grounds(world, place.known).entered(place.header.id).zone(x, z)
        goal = Spot(header, x, z)

        def on_foot(reach: Reach) -> None:
            if reach.state_at(goal) is None:
                self._search(lambda again: self._show(again, goal), abilities=ALL_ABILITIES, goal=goal)
            else:
                self._show(reach, goal)

        self._search(on_foot, goal=goal)

    def hide_way(self) -> None:
        """Remove the marked way."""
        self._mark(way=())

    def _show(self, reach: Reach, goal: Spot) -> None:
        place, state = self.explorer.place, reach.state_at(goal)
        if place is None or state is None:
            self._tell("No way leads there", f"Tile ({goal.x}, {goal.z}) is not reached, even with all abilities.")
            return
        way = reach.way(state)
        here = [each.standing for each in way if each.ground.matrix == place.matrix_id.value]
        self._mark(way=tuple((TILE_UNITS * (at.x + 0.5), at.y / ONE, TILE_UNITS * (at.z + 0.5)) for at in here))
        means = "with all abilities" if reach.abilities else "on foot"
        zones = list(dict.fromkeys(each.ground.zone(each.standing.x, each.standing.z) for each in way))
        names = [place.world.headers[zone].title for zone in zones]
        through = f", through {', '.join(names[1:-1])}" if len(names) > 2 else ""
        steps = count(len(reach.path(state)), "step")
        where = f"in {names[0]}" if len(names) == 1 else f"from {names[0]} to {names[-1]}{through}"
        self._tell("The way there", f"{steps} {means} {where}.")

    # --- searching

    def _search(
        self,
        take: Callable[[Reach], None],
        *,
        abilities: frozenset[Ability] = frozenset(),
        over_warps: bool = True,
        goal: Spot | None = None,
    ) -> None:
        opened, start, save = self.jobs.rom, self._start(), self.explorer.save
        if opened is None or start is None:
            return
        world, (header, x, z, near) = opened.world, start
        grounds = Grounds(world, known_locations(save), self.explorer.options.save != NEW, self.explorer.save_before)

        def run(task: Task) -> Reach:
            return search(
                world,
                header,
                x,
                z,
                near=near,
                abilities=abilities,
                over_warps=over_warps,
                save=save,
                grounds=grounds,
                goal=goal,
                check=task.check,
            )

        def done(reach: Reach) -> None:
            self.jobs.busy.emit("")
            if self.jobs.rom is opened:
                take(reach)

        def failed(error: BaseException, trace: str) -> None:
            self.jobs.busy.emit("")
            self.jobs.notify("The search failed", error, trace)

        self.jobs.busy.emit("Searching a way …")
        self.jobs.work.submit(run, done, failed, key="reach")

    def _start(self) -> tuple[int, int, int, int] | None:
        """A header, the column and row of a tile of its map, and the fx32 height nearest to which the player stands."""
        place, walker = self.explorer.place, self.walking.walker
        if place is None:
            return None
        if walker is not None:
            return walker.header, walker.x, walker.z, walker.y
        x, z = (int(value) for value in self.explorer.tile)
        return place.header.id, x, z, round(self.explorer.camera.target[1] * ONE)

    # --- marks

    def _mark(self, **changed: object) -> None:
        self.notices.end(ROUTE)
        self.explorer.mark(**changed)

    def _tell(self, title: str, text: str) -> None:
        self.notices.notify(INFO, title, text, about=ROUTE)

    def _place_changed(self) -> None:
        """Marks belong to a matrix."""
        place = self.explorer.place
        matrix = None if place is None else place.matrix_id.value
        if matrix != self._matrix:
            self._matrix = matrix
            if self.shown or self.explorer.marks.way:
                self._mark(reached=None, way=())


def _masks(reach: Reach, matrix: int) -> ReachedTiles:
    """The tiles of a search on one matrix."""
    tiles = np.array(sorted(reach.tiles(reach.grounds.entered(reach.start.header))), np.int64).reshape(-1, 2)
    cells, owners = np.unique(tiles // CELL_TILES, axis=0, return_inverse=True)
    masks = {}
    for number, (x, z) in enumerate(cells.tolist()):
        inside = tiles[owners.ravel() == number] % CELL_TILES
        mask = np.zeros((CELL_TILES, CELL_TILES), np.bool_)
        mask[inside[:, 1], inside[:, 0]] = True
        masks[subject("cell", matrix, x, z)] = mask
    return masks
