"""Why a place was not reached: the blocked edge nearest to it, and the condition that would open it.

From every refused step at the border of the reached tiles, shortest paths over the other tiles are searched, if
necessary through walls. The edge reported for a place is the one whose path arrives there first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from formats.remembered import remembered
from mapexplorer.walk.ground import Ground
from mapexplorer.walk.reach import Reach
from mapexplorer.walk.rules import Standing, refusal
from mapexplorer.walk.warps import Spot, resolve
from mapexplorer.world.cells import CELL_TILES
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.sources.readable import readable_events
from mapexplorer.world.terrain.obstacle import StepRule

_EASY: Final = 2
_WARP: Final = 4
_HARD: Final = 40
_FAR: Final = 1 << 40
_DIRECTIONS: Final = tuple(Direction)

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class BlockedEdge:
    """The edge at which a place is blocked: the tile before it, the refusing rule's name or `warp`, and the condition
    that would open it."""

    header: int
    tile: tuple[int, int]
    direction: Direction | None
    rule: str
    sentence: str
    opened_by: str


@dataclass(frozen=True)
class Unreached:
    """A header of which no tile was reached; `edge` is None if no step or warp leads there under any condition."""

    header: int
    edge: BlockedEdge | None
    sentence: str


@dataclass(frozen=True)
class _Exit:
    """The edge where a path leaves the reached tiles: a refused step, or a warp that no step fires."""

    ground: Ground
    standing: Standing | None
    direction: Direction | None
    rule: StepRule | None
    warp: tuple[int, int] | None = None
    tile: tuple[int, int] = (0, 0)


_TILE: Final = np.dtype(
    [("weight", np.int32), ("width", np.int32), ("header", np.int32), ("exit", np.int32), ("best", np.int64)]
)
"""A tile of the search: its cost, 0 without land; the width of its grid; its header; the number of the exit, and the
least cost found. `best` is -1 on reached tiles and without land, where the search does not continue."""


class _Grid:
    """A ground as rows of tiles: all its cells and a border of one tile, from `base` among the tiles of the search."""

    def __init__(self, ground: Ground, base: int) -> None:
        places = ground.cells
        self.ground, self.base = ground, base
        self.west = min(x for x, _ in places) * CELL_TILES - 1
        self.north = min(z for _, z in places) * CELL_TILES - 1
        self.width = (max(x for x, _ in places) + 1) * CELL_TILES - self.west + 1
        self.height = (max(z for _, z in places) + 1) * CELL_TILES - self.north + 1

    def index(self, x: int, z: int) -> int:
        """The index of a tile; `base`, which is on the border, for a tile outside."""
        column, row = x - self.west, z - self.north
        inside = 0 <= column < self.width and 0 <= row < self.height
        return self.base + (row * self.width + column if inside else 0)

    def tiles(self, reached: set[tuple[int, int]]) -> npt.NDArray[np.void]:
        """Its tiles, (height * width,) records of _TILE."""
        tiles = np.zeros((self.height, self.width), _TILE)
        for (x, z), cell in self.ground.cells.items():
            column, row = x * CELL_TILES - self.west, z * CELL_TILES - self.north
            part = tiles[row : row + CELL_TILES, column : column + CELL_TILES]
            part["weight"] = np.where(self.ground.attributes(cell) & COLLISION, _HARD, 1)
            part["header"] = cell.header
        tiles["width"], tiles["best"] = self.width, np.where(tiles["weight"], _FAR, -1)
        for x, z in reached:
            tiles["best"][z - self.north, x - self.west] = -1
        return tiles.ravel()

    def warps(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Tile -> (zone, number) of its warp, without those that scripts have moved."""
        return {
            tile: (zone, number)
            for zone in {cell.header for cell in self.ground.cells.values()}
            for moved in (self.ground.moved_warps(zone),)
            for tile, number in self.ground.warps(zone).items()
            if number not in moved
        }


class _Onward:
    """The search over tiles that were not reached, cost by cost."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.inside = {key: reach.tiles(visited.ground) for key, visited in reach.visited.items()}
        self.zones: dict[int, _Exit] = {}
        self._tiles = np.zeros(0, _TILE)
        """Those of all grids, with room for more behind them."""
        self._used = 0
        self._warps: dict[int, tuple[int, int]] = {}
        self._exits: list[_Exit] = []
        self._levels: dict[int, list[Integers]] = {}
        """Cost -> the indices of tiles to which a path of this cost leads."""

    def run(self) -> dict[int, _Exit]:
        """Header -> exit, for every zone with a path."""
        for key, visited in list(self.reach.visited.items()):
            ground, grid = visited.ground, self._grid(visited.ground)
            refused: dict[int, list[tuple[int, int]]] = {}
            for (x, z, direction), (rule, standing) in visited.refused.items():
                ahead = (x + DX[direction], z + DZ[direction])
                at = grid.index(*ahead), len(self._exits)
                self._exits.append(_Exit(ground, standing, direction, rule, None, (x, z)))
                refused.setdefault(_rule_cost(ground, ahead, direction, rule), []).append(at)
            for cost, pairs in sorted(refused.items()):
                self._push(cost, *np.array(pairs).T)
            for tile, warp in grid.warps().items():
                around = (tile, *((tile[0] + DX[side], tile[1] + DZ[side]) for side in _DIRECTIONS))
                if any(place in self.inside[key] for place in around):
                    self._exits.append(_Exit(ground, None, None, None, warp, tile))
                    self._through(0, warp, len(self._exits) - 1)
        while self._levels:
            cost = min(self._levels)
            tiles = np.sort(np.concatenate(self._levels.pop(cost)))
            self._expand(cost, tiles[self._tiles["best"][tiles] == cost])
        return self.zones

    @remembered
    def _grid(self, ground: Ground) -> _Grid:
        grid = _Grid(ground, self._used)
        tiles = grid.tiles(self.inside.get(id(ground), set()))
        start, self._used = self._used, self._used + len(tiles)
        if self._used > len(self._tiles):
            self._tiles = np.concatenate((self._tiles, np.zeros(self._used, _TILE)))
        self._tiles[start : self._used] = tiles
        self._warps |= {grid.index(*tile): warp for tile, warp in grid.warps().items()}
        return grid

    def _push(self, cost: int, tiles: Integers, exits: Integers) -> None:
        """Continue at those tiles that no cheaper path leads to, each with the first of its exits."""
        better = self._tiles["best"][tiles] > cost
        tiles, first = np.unique(tiles[better], return_index=True)
        if len(tiles):
            self._tiles["best"][tiles], self._tiles["exit"][tiles] = cost, exits[better][first]
            self._levels.setdefault(cost, []).append(tiles)

    def _expand(self, cost: int, tiles: Integers) -> None:
        exits, width = self._tiles["exit"][tiles], self._tiles["width"][tiles]
        for header, first in zip(*np.unique(self._tiles["header"][tiles], return_index=True), strict=True):
            self.zones.setdefault(int(header), self._exits[exits[first]])
        for index in sorted(self._warps.keys() & set(tiles.tolist())):
            self._through(cost, self._warps[index], int(self._tiles["exit"][index]))
        ahead = np.stack((tiles - width, tiles + width, tiles - 1, tiles + 1), 1).ravel()
        exits, weights = np.repeat(exits, 4), self._tiles["weight"][ahead]
        for weight in (1, _HARD):
            self._push(cost + weight, ahead[weights == weight], exits[weights == weight])

    def _through(self, cost: int, warp: tuple[int, int], number: int) -> None:
        """Follow a warp, whether or not a step fires it, with the exit of a number."""
        spot = resolve(self.reach.world, *warp).spot
        if spot is not None:
            grid = self._grid(self.reach.grounds.entered(spot.header))
            self._push(cost + _WARP, np.array([grid.index(spot.x, spot.z)]), np.array([number]))


def _rule_cost(ground: Ground, ahead: tuple[int, int], direction: Direction, rule: StepRule) -> int:
    if rule in (StepRule.COLLISION, StepRule.HEIGHT, StepRule.EDGE_AHEAD, StepRule.EDGE_HERE):
        return _EASY if _ability(ground, ahead, direction) else _HARD
    return _EASY


def _ability(ground: Ground, ahead: tuple[int, int], direction: Direction) -> str:
    behaviour = ground.behaviour(*ahead)
    if behaviour in ground.groups.rock_climb[direction]:
        return "Rock Climb"
    return "Waterfall" if behaviour in ground.groups.falls[direction] else ""


_OPENERS: Final = {
    StepRule.WATER: "Surf",
    StepRule.WATERFALL: "Waterfall",
    StepRule.BIKE_BRIDGE: "a bicycle",
    StepRule.BIKE_RAMP: "a bicycle",
    StepRule.BICYCLE: "getting off the bicycle",
    StepRule.EDGE_HERE: "coming from the other side",
    StepRule.EDGE_AHEAD: "coming from the other side",
    StepRule.DYNAMIC_HEIGHT: "moving the platform",
    StepRule.FEATURE: "a button, a platform or a trainer of this map",
}


def _opened_by(out: _Exit) -> str:
    if out.rule is None or out.direction is None or out.standing is None:
        return "a script: no step fires this warp"
    if out.rule is StepRule.PERSON:
        flag = refusal(out.ground, out.standing, out.direction, out.rule).numbers["hidden_flag"]
        return f"setting flag {flag}" if flag else "an event that moves this object"
    ahead = (out.tile[0] + DX[out.direction], out.tile[1] + DZ[out.direction])
    ability = _ability(out.ground, ahead, out.direction)
    if ability:
        return ability
    return _OPENERS.get(out.rule, "no ability: an event of the game takes the player past it")


def _edge(reach: Reach, out: _Exit) -> BlockedEdge:
    header = out.ground.zone(*out.tile)
    if out.rule is None or out.direction is None or out.standing is None:
        assert out.warp is not None
        zone, number = out.warp
        word = out.ground.attribute(*out.tile)
        behaviour = reach.world.game.tables.behaviour_name(word & BEHAVIOUR)
        solid = ", solid" if word & COLLISION else ""
        sentence = f"Warp {number} of header {zone} is on tile {out.tile} ({behaviour}{solid}), which no step fires."
        return BlockedEdge(zone, out.tile, None, "warp", sentence, _opened_by(out))
    why = refusal(out.ground, out.standing, out.direction, out.rule)
    return BlockedEdge(header, out.tile, out.direction, out.rule.value, why.sentence, _opened_by(out))


_ONE_WAY: Final = (
    "Nothing leads here, but its own warps lead to ({out.x}, {out.z}) of header {out.header}: a script is the way in."
)


def _way_out(reach: Reach, header: int, known: set[int]) -> Spot | None:
    """The target of the warps of a place without a path to it, among the places in `known`."""
    queue, seen = [header], {header}
    while queue:
        zone = queue.pop(0)
        events = readable_events(reach.world, zone)
        for number in range(0 if events is None else len(events.warps)):
            spot = resolve(reach.world, zone, number).spot
            if spot is not None and spot.header in known:
                return spot
            if spot is not None and spot.header not in seen:
                seen.add(spot.header)
                queue.append(spot.header)
    return None


def _behind_moved_warps(reach: Reach, zones: Iterable[int]) -> dict[int, BlockedEdge]:
    """Header -> the warp of one of some zones that would lead there, if a script did not move it."""
    edges: dict[int, BlockedEdge] = {}
    for zone in zones:
        for number, tile in reach.grounds.entered(zone).moved_warps(zone).items():
            sentence = f"Warp {number} of header {zone} leads here; a script puts it on tile {tile} on entering."
            spot = resolve(reach.world, zone, number).spot
            if spot is not None:
                edges.setdefault(spot.header, BlockedEdge(zone, tile, None, "warp", sentence, "a script"))
    return edges


def unreached(reach: Reach) -> tuple[Unreached, ...]:
    """Every header of which no tile was reached, with the blocked edge nearest to it."""
    reached = reach.zones()
    ways, moved = _Onward(reach).run(), _behind_moved_warps(reach, reached)
    answers = []
    for header in reach.world.headers:
        if header.id in reached:
            continue
        if header.id in moved or header.id in ways:
            edge = moved.get(header.id) or _edge(reach, ways[header.id])
            answers.append(Unreached(header.id, edge, f"{edge.sentence} Opened by: {edge.opened_by}."))
            continue
        owns = any(cell.header == header.id for cell in reach.world.cells(header.matrix, header.id).values())
        out = _way_out(reach, header.id, {*reached, *ways})
        if not owns:
            answers.append(Unreached(header.id, None, f"No cell of matrix {header.matrix} belongs to this header."))
        elif out is None:
            answers.append(Unreached(header.id, None, "Nothing leads here or away: only a script brings the player."))
        else:
            edge = BlockedEdge(out.header, (out.x, out.z), None, "warp", _ONE_WAY.format(out=out), "a script")
            answers.append(Unreached(header.id, edge, edge.sentence))
    return tuple(answers)
