"""Why a place was not reached: the blocked edge nearest to it, and the condition that would open it.

From every refused step at the border of the reached tiles, shortest paths over the other tiles are searched, if
necessary through walls. The edge reported for a place is the one whose path arrives there first.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
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


class _Grid:
    """A ground as flat lists over all its cells and a border of one tile: the cost of a tile, the least cost found, and
    the exit. `best` is -1 on reached tiles and without land, where the search does not continue.
    """

    def __init__(self, ground: Ground, inside: set[tuple[int, int]]) -> None:
        places = ground.cells
        self.ground = ground
        self.west = min(x for x, _ in places) * CELL_TILES - 1
        self.north = min(z for _, z in places) * CELL_TILES - 1
        self.width = (max(x for x, _ in places) + 1) * CELL_TILES - self.west + 1
        height = (max(z for _, z in places) + 1) * CELL_TILES - self.north + 1
        weights = np.zeros((height, self.width), np.int64)
        for (x, z), cell in places.items():
            solid = ground.attributes(cell) & COLLISION != 0
            column, row = x * CELL_TILES - self.west, z * CELL_TILES - self.north
            weights[row : row + CELL_TILES, column : column + CELL_TILES] = np.where(solid, _HARD, 1)
        self.weights: list[int] = weights.ravel().tolist()
        self.best: list[int] = np.where(weights, _FAR, -1).ravel().tolist()
        for x, z in inside:
            self.best[self.index(x, z)] = -1
        self.exits: dict[int, _Exit] = {}
        self.warps: dict[int, tuple[int, int]] = {}
        for zone in {cell.header for cell in places.values()}:
            moved, warps = ground.moved_warps(zone), ground.warps(zone).items()
            self.warps |= {self.index(*tile): (zone, number) for tile, number in warps if number not in moved}

    def index(self, x: int, z: int) -> int:
        """The index of a tile in the lists; 0, which is on the border, for a tile outside."""
        column, row = x - self.west, z - self.north
        inside = 0 <= column < self.width and 0 <= row < len(self.weights) // self.width
        return row * self.width + column if inside else 0

    def tile(self, index: int) -> tuple[int, int]:
        """The tile at a place of the lists."""
        row, column = divmod(index, self.width)
        return column + self.west, row + self.north


class _Onward:
    """The search over tiles that were not reached."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.world = reach.world
        self.inside = {key: reach.tiles(visited.ground) for key, visited in reach.visited.items()}
        self.grids: dict[int, _Grid] = {}
        self.zones: dict[int, _Exit] = {}
        self._queue: list[tuple[int, int, int]] = []

    def run(self) -> dict[int, _Exit]:
        """Header -> exit, for every zone with a path."""
        for visited in list(self.reach.visited.values()):
            grid = self._grid(visited.ground)
            for (x, z, direction), (rule, standing) in visited.refused.items():
                ahead = (x + DX[direction], z + DZ[direction])
                cost = _rule_cost(visited.ground, ahead, direction, rule)
                self._push(cost, grid, ahead, _Exit(visited.ground, standing, direction, rule, None, (x, z)))
            for index, warp in list(grid.warps.items()):
                tile = grid.tile(index)
                around = (tile, *((tile[0] + DX[side], tile[1] + DZ[side]) for side in _DIRECTIONS))
                if any(place in self.inside[id(visited.ground)] for place in around):
                    self._through(0, warp, _Exit(visited.ground, None, None, None, warp, tile))
        while self._queue:
            cost, key, index = heapq.heappop(self._queue)
            grid = self.grids[key]
            if cost == grid.best[index]:
                self._expand(cost, grid, index)
        return self.zones

    def _grid(self, ground: Ground) -> _Grid:
        key = id(ground)
        if key not in self.grids:
            self.grids[key] = _Grid(ground, self.inside.get(key, set()))
        return self.grids[key]

    def _push(self, cost: int, grid: _Grid, tile: tuple[int, int], out: _Exit) -> None:
        index = grid.index(*tile)
        if cost < grid.best[index]:
            grid.best[index] = cost
            grid.exits[index] = out
            heapq.heappush(self._queue, (cost, id(grid.ground), index))

    def _expand(self, cost: int, grid: _Grid, index: int) -> None:
        out = grid.exits[index]
        self.zones.setdefault(grid.ground.zone(*grid.tile(index)), out)
        if index in grid.warps:
            self._through(cost, grid.warps[index], out)
        best, weights, exits, key = grid.best, grid.weights, grid.exits, id(grid.ground)
        for ahead in (index - grid.width, index + grid.width, index - 1, index + 1):
            onward = cost + weights[ahead]
            if onward < best[ahead]:
                best[ahead] = onward
                exits[ahead] = out
                heapq.heappush(self._queue, (onward, key, ahead))

    def _through(self, cost: int, warp: tuple[int, int], out: _Exit) -> None:
        """Follow a warp, whether or not a step fires it."""
        spot = resolve(self.world, *warp).spot
        if spot is not None:
            self._push(cost + _WARP, self._grid(self.reach.grounds.entered(spot.header)), (spot.x, spot.z), out)


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


def _opened_by(reach: Reach, out: _Exit) -> str:
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
        return BlockedEdge(zone, out.tile, None, "warp", sentence, _opened_by(reach, out))
    why = refusal(out.ground, out.standing, out.direction, out.rule)
    return BlockedEdge(header, out.tile, out.direction, out.rule.value, why.sentence, _opened_by(reach, out))


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
