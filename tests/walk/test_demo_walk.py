"""One walk through everything that the demo world shows, by the letters that a user would type."""

from __future__ import annotations

from collections.abc import Callable

from mapexplorer.games.platinum import PLATINUM
from mapexplorer.walk import ALL_ABILITIES, Mode, Standing, Tick, Walker, parse_path, play
from mapexplorer.walk.reach import search
from mapexplorer.walk.unreached import unreached
from mapexplorer.world import FieldWorld

FX = 4096
VILLAGE = ("T01", 14, 44)


class Tour:
    """A player who is sent from goal to goal; every way is found by a search and then walked tick by tick."""

    def __init__(self, world: FieldWorld) -> None:
        name, x, z = VILLAGE
        self.world = world
        self.walker = Walker(world, world.place(name).header.id, x, z, people=False)
        self.ticks: list[Tick] = []

    def go(self, name: str, wanted: Callable[[Standing, int], bool], then: str = "") -> list[Tick]:
        """To the nearest place in a zone that `wanted` (standing, behaviour) accepts, and then some letters more."""
        zone = self.world.place(name).header.id
        walker = self.walker
        found = search(self.world, walker.header, walker.x, walker.z, near=walker.y, abilities=ALL_ABILITIES)
        goal = next(
            state
            for state in found.states()
            if state.ground.zone(state.standing.x, state.standing.z) == zone
            and wanted(state.standing, state.ground.behaviour(state.standing.x, state.standing.z))
        )
        ticks = list(play(walker, found.path(goal)))
        assert (walker.zone, walker.standing) == (zone, goal.standing)
        ticks += list(play(walker, parse_path(then)))
        self.ticks += ticks
        return ticks


def kinds(ticks: list[Tick]) -> set[str]:
    return {event.kind for tick in ticks for event in tick.events}


def at(x: int, z: int, y: int | None = None) -> Callable[[Standing, int], bool]:
    return lambda standing, _: (standing.x, standing.z) == (x, z) and y in (None, standing.y // FX)


def on(name: str) -> Callable[[Standing, int], bool]:
    return lambda _, behaviour: PLATINUM.tables.behaviour_name(behaviour) == name


def test_everything_is_reached(demo: FieldWorld) -> None:
    name, x, z = VILLAGE
    found = search(demo, demo.place(name).header.id, x, z, abilities=ALL_ABILITIES)
    named = {header.internal_name for header in demo.headers if header.location_name != "Nowhere"}
    assert {demo.headers[zone].internal_name for zone in found.zones()} == named and len(named) == 8
    assert all(one.edge is None for one in unreached(found))


def test_a_walk_through_every_feature(demo: FieldWorld) -> None:
    tour = Tour(demo)
    walker = tour.walker

    # A house: in at the door, out over the mat, out of the door.
    assert "warp" in kinds(tour.go("T01R0101", lambda *_: True))
    assert {"warp", "door opens"} <= kinds(tour.go("T01", lambda *_: True)) | kinds(tour.ticks)

    # The bridge over the river: elevated on it, and not wet; under it, on the water.
    ticks = tour.go("T01", lambda standing, behaviour: standing.elevated and behaviour == 0x73)
    assert "elevated" in kinds(ticks) and walker.mode is Mode.FOOT
    assert kinds(tour.go("L01", at(36, 40))) & {"zone"}
    ticks = tour.go("T01", lambda standing, behaviour: standing.mode is Mode.SURF and behaviour == 0x73)
    assert "surf" in kinds(ticks) and not walker.elevated

    # Up the waterfall, and ashore on the hill.
    ticks = tour.go("H01", lambda standing, _: standing.mode is Mode.SURF and standing.z < 8)
    assert "waterfall" in kinds(ticks)
    assert "ashore" in kinds(tour.go("H01", lambda standing, _: standing.mode is Mode.FOOT))

    # Grass, and down the ledges.
    tour.go("F01", on("very tall grass"))
    heights = {tick.position[1] for tick in tour.ticks}
    for letters, name, ledge in (("S", "jump south", (40, 13)), ("S", "jump south twice", (48, 21))):
        assert PLATINUM.tables.behaviour_name(walker.ground.behaviour(*ledge)) == name
        ticks = tour.go("F01", at(ledge[0], ledge[1] - 1), "s" + letters)
        assert "ledge" in kinds(ticks) and max(tick.jump for tick in ticks) == 12 * FX
    assert len(heights) > 20, "slopes were walked, tick by tick"

    # The cave: over the wooden bridge and under it.
    tour.go("D01R0101", lambda standing, behaviour: behaviour == 0x72 and standing.elevated)
    deck = walker.y
    tour.go("D01R0101", lambda standing, behaviour: behaviour == 0x72 and standing.y < deck)
    assert not walker.elevated and deck - walker.y == 32 * FX
    tour.go("D01R0101", on("puddle"))

    # Snow slows, ice slides, the panel leads to the lake.
    ticks = tour.go("D01R0201", on("snow deep"))
    assert ticks[-1].sink == -12 * FX
    ticks = tour.go("D01R0201", lambda standing, behaviour: behaviour == 0x20)
    assert "ice" in kinds(ticks)
    ticks = tour.go("L01", at(51, 52))
    assert "panel" in kinds(ticks)

    # Sand, the jetty, shallow water, and back into the village.
    for name in ("sand", "shallow water", "bridge"):
        tour.go("L01", on(name))
    tour.go("T01", at(VILLAGE[1], VILLAGE[2]))
    entered = {demo.headers[tick.zone].internal_name for tick in tour.ticks}
    assert entered >= {"T01", "T01R0101", "L01", "H01", "F01", "D01R0101", "D01R0201"}


def test_refusals_of_the_demo_world(demo: FieldWorld) -> None:
    """Trees, water, one-way edges and people, each by its own rule."""
    header = demo.place("F01").header.id
    rules = set()
    found = search(demo, header, 40, 12, people=True)
    for visited in found.visited.values():
        rules |= {rule.value for rule, _ in visited.refused.values()}
    assert {"collision bit", "water", "person", "one-way edge of this tile"} <= rules
