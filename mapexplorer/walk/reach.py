"""What can be reached: a search through the same step test and the same movements as a walk, over warps if wanted.

A state is a ground and a `Standing`; every state is stored with its predecessor and the letters between them, so that
each has a path for `play`. Plain steps go by `decide` and `after_step`; whatever moves the player further (ledges, ice,
spin tiles, slopes, ramps, climbs, warps) is carried out by a `Walker`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from formats.field.terrain_attribute import BEHAVIOUR
from mapexplorer.features.surface import Surface
from mapexplorer.map_objects.gait import Mode
from mapexplorer.walk.ability import Ability
from mapexplorer.walk.events import feature_change
from mapexplorer.walk.ground import Ground, Grounds
from mapexplorer.walk.path import play
from mapexplorer.walk.rules import Move, Standing, after_step, decide
from mapexplorer.walk.walker import Walker
from mapexplorer.walk.warps import Spot, pushed, resolve
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.matrix_patches import known_locations
from mapexplorer.world.terrain.obstacle import StepRule

_MOUNT: Final = {3: "C", 4: "CG"}
_BETWEEN_CHECKS: Final = 256
_DIRECTIONS: Final = tuple(Direction)


@dataclass(frozen=True)
class State:
    """A state of the search: which of the search's grounds, and how."""

    ground: Ground
    standing: Standing


@dataclass
class _Visited:
    """The results of a search on one ground: state -> (previous ground, previous state, letters), and the refused
    steps."""

    ground: Ground
    states: dict[Standing, tuple[int, Standing, str] | None] = field(default_factory=dict)
    refused: dict[tuple[int, int, Direction], tuple[StepRule, Standing]] = field(default_factory=dict)
    gears: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)


@dataclass(eq=False)
class Reach:
    """The result of a search: the states reached, their paths, and the refused steps."""

    world: WorldFiles
    start: Spot
    abilities: frozenset[Ability]
    people: bool
    grounds: Grounds
    visited: dict[int, _Visited] = field(default_factory=dict, init=False, repr=False)
    _left_outdoors: dict[tuple[int, Standing], Spot] = field(default_factory=dict, init=False, repr=False)

    def of(self, ground: Ground) -> _Visited:
        """The results on a ground."""
        key = id(ground)
        if key not in self.visited:
            self.visited[key] = _Visited(ground)
        return self.visited[key]

    @property
    def count(self) -> int:
        """How many different tiles were reached."""
        return sum(len(self.tiles(visited.ground)) for visited in self.visited.values())

    def tiles(self, ground: Ground) -> set[tuple[int, int]]:
        """The tiles of a ground that were reached."""
        return {(standing.x, standing.z) for standing in self.of(ground).states}

    def zones(self) -> dict[int, int]:
        """Header -> how many of its tiles were reached."""
        grounds = [visited.ground for visited in self.visited.values()]
        return Counter(ground.zone(*tile) for ground in grounds for tile in self.tiles(ground))

    def states(self) -> list[State]:
        """Everything that was reached, in the order of the search."""
        return [State(visited.ground, standing) for visited in self.visited.values() for standing in visited.states]

    def _back(self, state: State) -> Iterator[tuple[State, str]]:
        """The states from a state back to the start, each with the letters that lead there from the one before."""
        while (entry := self.of(state.ground).states[state.standing]) is not None:
            key, standing, letters = entry
            yield state, letters
            state = State(self.visited[key].ground, standing)
        yield state, ""

    def path(self, state: State) -> str:
        """The letters that lead from the start to a state."""
        return "".join(reversed([letters for _, letters in self._back(state)]))

    def state_at(self, spot: Spot) -> State | None:
        """The first state that was reached on a tile of a header's zone; None if it was not."""
        return next(
            (
                state
                for state in self.states()
                if (state.standing.x, state.standing.z) == (spot.x, spot.z)
                and state.ground.zone(spot.x, spot.z) == spot.header
            ),
            None,
        )

    @property
    def has_surfaces(self) -> bool:
        """Whether the search began on a map whose code adds ground with an orientation."""
        feature = self.states()[0].standing.feature
        return feature is not None and feature.has_surfaces

    def way(self, state: State) -> list[State]:
        """The states from the start to a state, each some letters after the one before."""
        return [earlier for earlier, _ in self._back(state)][::-1]

    def left_outdoors(self, state: State) -> Spot | None:
        """The warp by which the way to a state last left the outdoors."""
        ways = ((id(earlier.ground), earlier.standing) for earlier, _ in self._back(state))
        return next((self._left_outdoors[way] for way in ways if way in self._left_outdoors), None)


class _Search:
    """A breadth-first search. `over_warps` follows warps; without, it stays on the start's matrix."""

    def __init__(self, reach: Reach, walker: Walker, over_warps: bool) -> None:
        """`walker` stands at the start; it carries out the movements."""
        self.reach = reach
        self._save = walker.save
        self._over_warps = over_warps
        groups = reach.world.game.tables.behaviour_groups
        self._bike_bridges = groups.bike_bridge_north_south | groups.bike_bridge_east_west
        self._for_speed = groups.slopes | groups.ramps
        # The tiles with a special effect when a step ends on them.
        self._active = groups.step_warps.union(self._for_speed, groups.ice, *groups.spin)
        self._walker = walker
        self._walker.trainers = self._walker.observed = False
        self._first = self._walker.feature
        self._queue: deque[tuple[_Visited, Standing]] = deque()
        self._reached(self._walker.ground, self._walker.standing, None)

    def run(self, goal: Spot | None = None, check: Callable[[], None] | None = None) -> Reach:
        """Search until nothing new is found, or until a state on the tile `goal` of a header's zone is. `check` is
        called now and then and may raise to end the search."""
        expanded = 0
        while self._queue and not (goal is not None and self._at(goal)):
            self._expand(*self._queue.popleft())
            expanded += 1
            if check is not None and expanded % _BETWEEN_CHECKS == 0:
                check()
        return self.reach

    def _at(self, goal: Spot) -> bool:
        """Whether the next state to be expanded is on the goal."""
        visited, standing = self._queue[0]
        return (standing.x, standing.z) == (goal.x, goal.z) and visited.ground.zone(goal.x, goal.z) == goal.header

    def _reached(self, ground: Ground, standing: Standing, before: tuple[int, Standing, str] | None) -> bool:
        visited = self.reach.of(ground)
        if standing.feature is not None and self._first is not None:
            standing = standing._replace(feature=standing.feature.in_search(self._first))
        if standing in visited.states:
            return False
        visited.states[standing] = before
        self._queue.append((visited, standing))
        return True

    def _expand(self, visited: _Visited, standing: Standing) -> None:
        ground, states, key = visited.ground, visited.states, id(visited.ground)
        people = ground.objects_on if self.reach.people else None
        if Ability.BICYCLE in self.reach.abilities:
            gears = self._gears(visited, standing)
            if standing.mode is Mode.BICYCLE:
                self._simulate(visited, standing, "C")
                if standing.gear not in gears:
                    return
            elif standing.mode is Mode.FOOT:
                for gear in gears:
                    self._simulate(visited, standing, _MOUNT[gear])
        feature, surface = standing.feature, standing.surface
        for direction in _DIRECTIONS:
            departure = None if feature is None else feature.departure(standing.press(ground, direction))
            if departure is not None:
                if self._over_warps or not departure.warps:
                    self._simulate(visited, standing, direction.letter)
                continue
            move, rule = decide(ground, standing, direction, people)
            x, z = standing.x + DX[direction], standing.z + DZ[direction]
            if move is Move.STEP:
                if surface is Surface.LAND and ground.attribute(x, z) & BEHAVIOUR in self._active:
                    self._simulate(visited, standing, direction.letter)
                    continue
                after = after_step(ground, standing, direction)
                if after.feature is not None and feature_change(ground, ground.zone(x, z), after) is not None:
                    self._simulate(visited, standing, direction.letter)
                elif after not in states:
                    states[after] = (key, standing, direction.letter)
                    self._queue.append((visited, after))
            elif rule is None:
                self._simulate(visited, standing, direction.letter)
            else:
                visited.refused.setdefault((standing.x, standing.z, direction), (rule, standing))
                self._past(visited, standing, direction, rule)

    def _past(self, visited: _Visited, standing: Standing, direction: Direction, rule: StepRule) -> None:
        """What a refused step may still lead to: a warp, the water, a climb."""
        ground = visited.ground
        use = pushed(ground, standing, direction)
        if use is not None:
            if self._over_warps:
                back = resolve(ground.world, use.zone, use.number).returns
                spot = self.reach.left_outdoors(State(ground, standing)) if back else None
                self._simulate(visited, standing, direction.letter, spot)
            return
        behaviour = ground.behaviour(standing.x + DX[direction], standing.z + DZ[direction])
        abilities, on_land = self.reach.abilities, standing.surface is Surface.LAND
        surfs = rule is StepRule.WATER and Ability.SURF in abilities
        climbs = on_land and behaviour in ground.groups.rock_climb[direction] and Ability.ROCK_CLIMB in abilities
        falls = on_land and behaviour in ground.groups.falls[direction] and Ability.WATERFALL in abilities
        if (
            (surfs and standing.mode is Mode.FOOT)
            or (climbs and standing.mode is Mode.FOOT)
            or (falls and standing.mode is Mode.SURF)
        ):
            self._simulate(visited, standing, direction.letter.lower() + "A")

    def _simulate(self, visited: _Visited, standing: Standing, letters: str, back: Spot | None = None) -> None:
        """Play letters from a state; where they end is reached."""
        walker = self._walker
        walker.stand(visited.ground.header, standing)
        walker.moving, walker.return_spot, walker.save = True, back, self._save
        walker.history.clear()
        for _ in play(walker, letters):
            pass
        walker.pending()
        if walker.history and not self._over_warps:
            return
        after = walker.standing
        if self._reached(walker.ground, after, (id(visited.ground), standing, letters)) and walker.return_spot != back:
            assert walker.return_spot is not None
            self.reach._left_outdoors[id(walker.ground), after] = walker.return_spot

    def _gears(self, visited: _Visited, standing: Standing) -> tuple[int, ...]:
        """The gears in which a bicycle reaches more than feet do within the 2 x 2 cells around a tile: third for bike
        bridges, also fourth for slopes and ramps."""
        block = ((standing.x - 16) >> 5, (standing.z - 16) >> 5)
        gears = visited.gears.get(block)
        if gears is None:
            cells = [visited.ground.cells.get((block[0] + dx, block[1] + dz)) for dx in (0, 1) for dz in (0, 1)]
            attributes = [visited.ground.attributes(cell) & BEHAVIOUR for cell in cells if cell is not None]
            behaviours = {number for part in attributes for number in np.unique(part).tolist()}
            gears = (3, 4) if behaviours & self._for_speed else (3,) if behaviours & self._bike_bridges else ()
            visited.gears[block] = gears
        return gears


def search(
    world: WorldFiles,
    header: int,
    x: int,
    z: int,
    *,
    near: int | None = None,
    abilities: frozenset[Ability] = frozenset(),
    people: bool = False,
    over_warps: bool = True,
    save: Save | None = None,
    grounds: Grounds | None = None,
    goal: Spot | None = None,
    check: Callable[[], None] | None = None,
) -> Reach:
    """Everything that can be reached from a tile of the map entered through `header`; with a `goal`, a tile of a
    header's zone, everything that is not farther from the start than it. `check`: see
    `_Search.run`.

    The features of maps change by steps, as buttons and platforms do, and by slides; nobody is talked to, nobody sees
    the player, no bag is punched and no boulder pushed.
    """
    save = fresh_save(world.game) if save is None else save
    reach = Reach(world, Spot(header, x, z), abilities, people, grounds or Grounds(world, known_locations(save)))
    walker = Walker(
        world, header, x, z, near=near, abilities=abilities, people=people, grounds=reach.grounds, save=save
    )
    return _Search(reach, walker, over_warps).run(goal, check)
