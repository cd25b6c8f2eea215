"""Warps: what fires them, how one leaves and arrives, where those of the real ROM lead."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from mapexplorer.games.platinum import PLATINUM
from mapexplorer.walk import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Direction,
    Ground,
    Mode,
    Standing,
    Transition,
    Walker,
    parse_path,
    play,
    warps,
)
from mapexplorer.walk.warps import WarpArrival, pushed, resolve, stepped, warps_of
from mapexplorer.world import FieldWorld
from tools.demo_world.plates import Plate

FX = 4096
SOLID = 0x8000


def walked(walker: Walker, letters: str) -> list[Any]:
    return list(play(walker, parse_path(letters)))


PUSHED = [
    (0x62, EAST, Transition.MAT),
    (0x6C, EAST, Transition.MAT),
    (0x63, WEST, Transition.MAT),
    (0x6D, WEST, Transition.MAT),
    (0x65, SOUTH, Transition.MAT),
    (0x6F, SOUTH, Transition.MAT),
    (0x5E, EAST, Transition.STAIRS),
    (0x5F, WEST, Transition.STAIRS),
]
STEPPED = [
    (0x64, NORTH, Transition.MAT),
    (0x6E, NORTH, Transition.MAT),
    (0x67, None, Transition.PANEL),
    (0x6A, None, Transition.ESCALATOR),
    (0x6B, None, Transition.ESCALATOR),
]


@pytest.mark.parametrize(("behaviour", "way", "transition"), PUSHED)
def test_pushing(behaviour: int, way: Direction, transition: Transition, make_world: Any, make_map: Any) -> None:
    """Only in its own direction, only against something solid, only with a warp event on the tile underfoot."""
    walls = {(5, 4): SOLID, (5, 6): SOLID, (4, 5): SOLID, (6, 5): SOLID}
    there = make_map(warps=((9, 9, 0, 0),))
    world = make_world(make_map(tiles={(5, 5): behaviour, **walls}, warps=((5, 5, 1, 0),)), there)
    for direction in Direction:
        walker = Walker(world, 0, 5, 5)
        walked(walker, direction.letter)
        assert (walker.header == 1) == (direction is way)
    use = pushed(Walker(world, 0, 5, 5).ground, Standing(5, 5, 0), way)
    assert use is not None and use.transition is transition
    without = make_world(make_map(tiles={(5, 5): behaviour, **walls}), there)
    walker = Walker(without, 0, 5, 5)
    walked(walker, way.letter)
    assert walker.header == 0 and walker.last_refusal is not None
    open_ahead = make_world(make_map(tiles={(5, 5): behaviour}, warps=((5, 5, 1, 0),)), there)
    walker = Walker(open_ahead, 0, 5, 5)
    walked(walker, way.letter)
    assert walker.header == 0


@pytest.mark.parametrize(("behaviour", "way", "transition"), STEPPED)
def test_stepping(
    behaviour: int, way: Direction | None, transition: Transition, make_world: Any, make_map: Any
) -> None:
    world = make_world(
        make_map(tiles={(5, 5): behaviour}, warps=((5, 5, 1, 0),)), make_map(warps=((9, 9, 0, 0),), kind=4)
    )
    for direction in Direction:
        dx, dz = ((0, -1), (0, 1), (-1, 0), (1, 0))[direction]
        walker = Walker(world, 0, 5 - dx, 5 - dz)
        walked(walker, direction.letter)
        assert (walker.header == 1) == (way in (None, direction))
    use = stepped(Walker(world, 0, 5, 5).ground, Standing(5, 5, 0), NORTH)
    assert use is not None and use.transition is transition


def test_other_tiles_fire_nothing(make_world: Any, make_map: Any) -> None:
    """A warp event on any other tile waits for a script."""
    world = make_world(make_map(warps=((5, 5, 1, 0),)), make_map(warps=((9, 9, 0, 0),)))
    walker = Walker(world, 0, 4, 5)
    walked(walker, "E")
    assert (walker.header, walker.x) == (0, 5)


def test_a_house(make_world: Any, make_map: Any) -> None:
    """In through a door, out over a mat: the player walks out of the door's tile, one tile south."""
    town = make_map(tiles={(5, 5): 0x69 | SOLID}, warps=((5, 5, 1, 0),), kind=1)
    room = make_map(tiles={(3, 8): 0x65, (3, 9): SOLID}, warps=((3, 8, 0, 0),), kind=4)
    walker = Walker(make_world(town, room), 0, 5, 6)
    ticks = walked(walker, "n N")
    assert (walker.header, walker.x, walker.z, walker.facing) == (1, 3, 8, NORTH)
    walking = [tick for tick in ticks if tick.header == 0 and tick.gait == "walk"]
    assert [tick.half_fov for tick in walking[:8]] == [-12 * step for step in range(1, 9)]
    assert ticks[-1].events[0].kind == "warp" and ticks[-1].events[0].values["arrival"] == WarpArrival.STAND.value
    ticks = walked(walker, "S")
    assert (walker.header, walker.x, walker.z, walker.facing) == (0, 5, 6, SOUTH)
    assert len(walker.history) == 2
    outside = [tick for tick in ticks if tick.header == 0]
    assert outside[0].hidden and [tick.half_fov for tick in outside] == [-80, -64, -48, -32, -16, 0, 0, 0, 0]
    assert walker.back() and walker.header == 1
    assert walker.back() and (walker.header, walker.x, walker.z) == (0, 5, 6)
    assert not walker.back()
    assert walked(walker, "<")[0].events[-1].kind == "blocked"


def test_key_by_key_the_player_comes_out_of_a_house(make_world: Any, make_map: Any) -> None:
    """With `update`, as in the window, an arrival goes on until the player stands outside and is seen."""
    town = make_map(tiles={(5, 5): 0x69 | SOLID}, warps=((5, 5, 1, 0),), kind=1)
    room = make_map(tiles={(3, 8): 0x65, (3, 9): SOLID}, warps=((3, 8, 0, 0),), kind=4)
    walker = Walker(make_world(town, room), 1, 3, 8, facing=SOUTH)
    walker.update(SOUTH)
    while walker.busy:
        last = walker.update()
    assert (walker.header, walker.x, walker.z) == (0, 5, 6)
    assert not last.hidden and last.position[2] == ((2 * 6 + 1) * 16 * FX) // 2


def test_arrivals() -> None:
    arrival = partial(warps.arrival, PLATINUM.tables.behaviour_groups)
    assert arrival(Transition.MAT, 0x69, SOUTH) == (WarpArrival.DOOR, SOUTH)
    assert arrival(Transition.MAT, 0, SOUTH) == (WarpArrival.STEP_SOUTH, SOUTH)
    assert arrival(Transition.DOOR, 0x65, NORTH) == (WarpArrival.STAND, NORTH)
    assert arrival(Transition.STAIRS, 0x5E, EAST) == (WarpArrival.STAIRS, WEST)
    assert arrival(Transition.STAIRS, 0x5F, WEST) == (WarpArrival.STAIRS, EAST)
    assert arrival(Transition.ESCALATOR, 0x6B, EAST) == (WarpArrival.ESCALATOR, EAST)
    assert arrival(Transition.ESCALATOR, 0x6A, EAST) == (WarpArrival.ESCALATOR, WEST)
    assert arrival(Transition.PANEL, 0x67, NORTH) == (WarpArrival.SPIN, NORTH)


def test_stairs_lead_down_beside_the_tile(make_world: Any, make_map: Any) -> None:
    """Slowly out, 16 ticks; slowly onto the tile from the side, with the height that is asked for there."""
    plates = (Plate(-256, -256, -80, 256, 0), Plate(-80, -256, -64, 256, 0, -16), Plate(-64, -256, 256, 256, -16))
    upstairs = make_map(tiles={(5, 5): 0x5E, (6, 5): SOLID}, warps=((5, 5, 1, 0),))
    downstairs = make_map(tiles={(10, 5): 0x5E, (11, 5): SOLID}, warps=((10, 5, 0, 0),), plates=plates)
    walker = Walker(make_world(upstairs, downstairs), 0, 5, 5)
    ticks = walked(walker, "e E")
    assert [tick.gait for tick in ticks].count("slow walk") >= 32
    arrived = [tick for tick in ticks if tick.header == 1]
    assert len(arrived) == 16 and arrived[0].position[0] == (11 * 16 + 8 - 1) * FX
    assert (walker.x, walker.facing, walker.y) == (10, WEST, 0)


def test_return_warps_lead_to_where_one_came_from(make_world: Any, make_map: Any) -> None:
    town = make_map(tiles={(5, 5): 0x69 | SOLID}, warps=((5, 5, 1, 0),), kind=1)
    room = make_map(tiles={(3, 8): 0x65, (3, 9): SOLID}, warps=((3, 8, 0xFFF, 0x100),), kind=4)
    world = make_world(town, room)
    assert resolve(world, 1, 0).returns
    walker = Walker(world, 0, 5, 6)
    walked(walker, "n N S")
    assert (walker.header, walker.x, walker.z) == (0, 5, 6)
    lost = Walker(world, 1, 3, 8)
    ticks = walked(lost, "s S")
    assert lost.header == 1 and ticks[-1].events[-1].kind == "blocked"


def test_a_warp_to_nothing_is_refused(make_world: Any, make_map: Any) -> None:
    world = make_world(make_map(tiles={(5, 5): 0x67}, warps=((5, 5, 1, 7),)), make_map())
    assert resolve(world, 0, 0).problem and resolve(world, 0, 9).problem
    walker = Walker(world, 0, 5, 6)
    ticks = walked(walker, "n N")
    assert walker.header == 0 and ticks[-1].events[-1].values["rule"] == "warp"


def test_a_bicycle_stays_outside(make_world: Any, make_map: Any) -> None:
    town = make_map(tiles={(5, 5): 0x69 | SOLID}, warps=((5, 5, 1, 0),), kind=1)
    room = make_map(tiles={(3, 8): 0x65}, warps=((3, 8, 0, 0),), kind=4, bicycle=False)
    walker = Walker(make_world(town, room), 0, 5, 6)
    walked(walker, "n C N")
    assert (walker.header, walker.mode) == (1, Mode.FOOT)


def test_every_warp_of_the_rom(real: FieldWorld) -> None:
    """Of 1,213 warps 1,207 resolve, 6 lead back, none fails."""
    zones = {header.events: header.id for header in reversed(real.headers)}.values()
    warps = [(zone, warp) for zone in zones for warp in warps_of(real, zone)]
    assert (len(warps), sum(warp.target.returns for _, warp in warps)) == (1213, 6)
    for zone, one in warps:
        number, spot = one.number, one.target.spot
        assert spot is not None or one.target.returns
        if spot is None or one.target.returns:
            continue
        there = real.events(spot.header)
        warp = real.events(zone).warps[number]  # type: ignore[union-attr]
        record = there.warps[int(warp["warp"])]  # type: ignore[union-attr]
        assert (spot.x, spot.z) == (int(record["x"]), int(record["z"]))


def test_the_players_house(real: FieldWorld) -> None:
    """Warp 1 of Twinleaf Town leads to (6, 10) of the house, which leads back."""
    place = real.place("Twinleaf Town")
    assert len(place.events.warps) == 4  # type: ignore[union-attr]
    spot = resolve(real, place.header.id, 1).spot
    assert spot is not None and (spot.x, spot.z) == (6, 10)
    assert real.headers[spot.header].internal_name == "T01R0201"
    back = resolve(real, spot.header, 0).spot
    assert back is not None and (back.header, back.x, back.z) == (place.header.id, 116, 885)
    walker = Walker(real, place.header.id, 116, 886, people=False)
    ticks = walked(walker, "n N")
    assert walker.header == spot.header and (walker.x, walker.z) == (6, 10)
    opened = [event for tick in ticks for event in tick.events if event.kind == "door opens"]
    assert len(opened) == 1 and opened[0].values["sound"] == "hinged"
    assert opened[0].values["ticks"] > 0 and opened[0].values["animation"] == 0
    opening = [tick for tick in ticks if tick.header == place.header.id and tick.z == 886]
    assert len(opening) == 3 + opened[0].values["ticks"]
    ticks = walked(walker, "S")
    assert (walker.zone, walker.x, walker.z) == (place.header.id, 116, 886)
    kinds = [event.kind for tick in ticks for event in tick.events]
    assert kinds.index("warp") < kinds.index("door opens") < kinds.index("door closes")


@pytest.mark.parametrize(
    ("land", "x", "z", "heights"),
    [
        (150, 30, 3, {98402}),
        (200, 9, 3, {-32818}),
        (250, 7, 7, {-8192, -8253}),
        (300, 3, 10, {90026}),
        (400, 2, 2, {-32677}),
        (28, 11, 8, {377224, 65536}),
        (225, 5, 10, {0, 655360, 1310720, 1966080}),
    ],
)
def test_heights_of_known_tiles(land: int, x: int, z: int, heights: set[int], real: FieldWorld) -> None:
    """The worked examples of the height query, and that who stands on a level keeps it."""
    _, found = real.land_sections(land).read_bdhc().candidates((16 * x + 8 - 256) * FX, (16 * z + 8 - 256) * FX)
    assert {height for _, height in found} == heights
    for header in real.headers:
        for cell in real.cells(header.matrix, header.id).values():
            if cell.land == land:
                ground = Ground(real, header.id)
                tile = (cell.x * 32 + x, cell.z * 32 + z)
                assert set(ground.levels(*tile)) == heights
                for height in heights:
                    assert ground.centre_height(*tile, height) == height
                return
    assert land == 200, "only this one is in no matrix"
