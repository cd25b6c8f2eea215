"""The ground under the walker: tiles, heights, zones, warps and people of a matrix, cached for searches.

Tiles and units count from the matrix' north-west corner; heights are fx32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from formats.remembered import remembered
from mapexplorer.grouping import by_key
from mapexplorer.map_objects.gait import Gait, gaits_of
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.events.map_objects import MapObject, map_objects
from mapexplorer.world.events.script_files import NamedCommand, script_commands
from mapexplorer.world.events.transition import entered_save
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_events
from mapexplorer.world.terrain.terrain import TILE_LENGTH, Terrain, centre

ObjectsOn = Callable[[int, int, int], Sequence[MapObject]]
"""(zone, x, z) -> the map objects that are on a tile of a zone or are leaving it."""


class Ground(Terrain):
    """The terrain of a matrix entered through `header`, with the events of its zones: `entered`: as each is left by its
    own scripts when `save`, by default a new game, enters it."""

    def __init__(
        self,
        world: WorldFiles,
        header: int,
        known: frozenset[str] = frozenset(),
        *,
        entered: bool = True,
        save: Save | None = None,
    ) -> None:
        super().__init__(world, world.headers[header].matrix, header, known)
        self.world = world
        self.header = header
        self.gaits = gaits_of(world.game.tables)
        self._by_scripts = entered
        self._before = fresh_save(world.game) if save is None else save
        self._damaged: list[Damage] = []
        self.heights: dict[tuple[int, int, int, Direction, Gait], tuple[int, ...]] = {}
        """The height after each tick of a movement on the ground from tile (x, z) at a height, those asked for."""

    def __repr__(self) -> str:
        return f"<Ground of matrix {self.matrix}>"

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """What the walk has done without so far because its file cannot be read."""
        return tuple(dict.fromkeys([*super().damaged, *self._damaged]))

    # --- zones

    def zone(self, x: int, z: int) -> int:
        """The header that governs a tile; the entered one where there is no land."""
        cell = self.cells.get((x >> 5, z >> 5))
        return self.header if cell is None else cell.header

    @remembered
    def rise(self, x: int, z: int, y: int, direction: Direction) -> int:
        """How much higher (fx32) the ground is a quarter of a tile ahead of the centre of a tile."""
        ahead = centre(x) + DX[direction] * TILE_LENGTH // 4, centre(z) + DZ[direction] * TILE_LENGTH // 4
        height = self.plate_height(*ahead, y)
        return 0 if height is None else height - y

    @remembered
    def _save(self, zone: int) -> Save:
        """The save in a zone."""
        before = self._before
        return entered_save(self.world, zone, before, self._damaged) if self._by_scripts else before

    @remembered
    def warps(self, zone: int) -> dict[tuple[int, int], int]:
        """Tile -> number of the first warp there, of a zone."""
        numbers: dict[tuple[int, int], int] = {}
        for number, tile in enumerate(self._warp_tiles(zone)):
            numbers.setdefault(tile, number)
        return numbers

    def _warp_tiles(self, zone: int) -> list[tuple[int, int]]:
        events = readable_events(self.world, zone, self._damaged)
        placed = None if events is None else self._save(zone).events(zone, events).warps
        return [] if placed is None else placed[["x", "z"]].tolist()

    def moved_warps(self, zone: int) -> dict[int, tuple[int, int]]:
        """Number -> tile of each warp of a zone that scripts have moved there."""
        moved = {change.number for change in self._save(zone).changes.get(zone, ()) if change.events == "warps"}
        return {number: tile for number, tile in enumerate(self._warp_tiles(zone)) if number in moved}

    def warp_at(self, x: int, z: int) -> tuple[int, int] | None:
        """(zone, warp number) of the warp event on a tile."""
        zone = self.zone(x, z)
        number = self.warps(zone).get((x, z))
        return None if number is None else (zone, number)

    @remembered
    def triggers(self, zone: int) -> list[tuple[int, ...]]:
        """A zone's triggers as (x, z, width, length, script, variable, value)."""
        events = readable_events(self.world, zone, self._damaged)
        fields = ["x", "z", "width", "length", "script", "variable", "value"]
        return [] if events is None else events.triggers[fields].tolist()

    @remembered
    def script_commands(self, zone: int, script: int) -> tuple[NamedCommand, ...]:
        """The commands that a script of a zone may execute."""
        return script_commands(self.world, zone, script) if zone < len(self.world.headers) else ()

    @remembered
    def objects(self, zone: int) -> dict[tuple[int, int], list[MapObject]]:
        """Tile -> the objects of a zone's events there that a new game has."""
        return by_key(((each.x, each.z), each) for each in map_objects(self.world, zone, self, self._save(zone)))

    def objects_on(self, zone: int, x: int, z: int) -> Sequence[MapObject]:
        """The objects of a zone's events on a tile: an `ObjectsOn` of objects that do not move."""
        return self.objects(zone).get((x, z), ())


@dataclass
class Grounds:
    """The grounds of a world in which some hidden locations are known, see `Ground`. Headers of a matrix whose cells
    name their headers share one."""

    world: WorldFiles
    known: frozenset[str] = frozenset()
    by_scripts: bool = True
    """Whether zones are as their scripts leave them, see `Ground`."""
    save: Save | None = None
    """The save before the scripts of any zone have run, None: a new game."""
    _grounds: dict[tuple[int, int], Ground] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """What walks and searches have done without so far because its file cannot be read."""
        return tuple(dict.fromkeys(damage for ground in self._grounds.values() for damage in ground.damaged))

    def entered(self, header: int) -> Ground:
        """The ground of the matrix that is entered through a header."""
        matrix = self.world.headers[header].matrix
        key = (matrix, header if self.world.matrix(matrix).headers is None else -1)
        if key not in self._grounds:
            self._grounds[key] = Ground(self.world, header, self.known, entered=self.by_scripts, save=self.save)
        return self._grounds[key]
