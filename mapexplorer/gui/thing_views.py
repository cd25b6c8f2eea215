"""Shows things in the views and the panels."""

from __future__ import annotations

from dataclasses import replace

from mapexplorer.gui.docks.docks import Docks
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.modes.walk_mode import WalkMode
from mapexplorer.inspector.script.script_page import SUBJECTS
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.subject import Subject, subject


class ThingViews:
    """Shows things that were chosen in lists and links."""

    def __init__(self, jobs: JobController, docks: Docks, walk_mode: WalkMode) -> None:
        self.explorer, self.jobs, self.docks, self.walk_mode = jobs.explorer, jobs, docks, walk_mode

    def go(self, header: Subject) -> None:
        """Change to a map, if another one is shown."""
        if self.explorer.place is None or self.explorer.place.header.id != header.key[0]:
            self.jobs.go(header.key[0])

    def show_cell(self, x: int, z: int, tile_x: float, tile_z: float) -> None:
        """Look at a tile of a cell of the matrix, on the map that has the cell."""
        place = self.explorer.place
        if place is None:
            return
        cell = place.matrix_cells[x, z]
        chosen = subject("cell", cell.matrix, x, z)
        if place.matrix.headers is not None and not cell.filler and cell.header != place.header.id:
            self.explorer.go(cell.header, chosen, (tile_x, tile_z))
        else:
            self.explorer.look_at_tile(tile_x, tile_z)
            self.explorer.select(chosen)

    def show(self, chosen: Subject) -> None:
        """Select a thing and look at it, if it is on a map. The script panel stays in front for what has a script."""
        self.jobs.look_at(chosen)
        if chosen.kind not in SUBJECTS or not self.docks.shown("script"):
            self.docks.show("inspector")

    def show_path(self, tiles: tuple[tuple[float, float], ...]) -> None:
        """Show the way of a movement list on the map."""
        if not self.walk_mode.on:
            middles = [((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS) for x, z in tiles]
            trail = tuple(self.explorer.ground(x, z) for x, z in middles)
            self.explorer.marks = replace(self.explorer.marks, trail=trail, refused=())
            self.walk_mode.views.refresh()
