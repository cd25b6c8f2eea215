"""Movement tick by tick: speeds, curves, forced movements, the camera."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import pytest

from mapexplorer.walk import EAST, NORTH, SOUTH, WEST, Ability, Mode, Tick, Walker, parse_path, play
from tools.demo_world.plates import Plate

FX = 4096
SOLID = 0x8000


def units(ticks: Iterable[Tick], axis: int = 0) -> list[float]:
    """How far each tick went along an axis."""
    places = [tick.position[axis] / FX for tick in ticks]
    return [after - before for before, after in itertools.pairwise(places)]


def walked(walker: Walker, letters: str) -> list[Tick]:
    return list(play(walker, parse_path(letters)))


def kinds(ticks: Iterable[Tick]) -> list[str]:
    return [event.kind for tick in ticks for event in tick.events]


@pytest.mark.parametrize(
    ("letters", "behaviour", "steps"),
    [
        ("2E", 0, [2] * 8),
        ("R 2E", 0, [4] * 4),
        ("C 2E", 0, [5, 6, 5]),
        ("2E", 0xA1, [2] * 8),
        ("2E", 0xA2, [1] * 16),
        ("2E", 0xA3, [0.5] * 32),
        ("R 2E", 0xA3, [0.5] * 32),
        ("2E", 0xA8, [2] * 8),
        ("R 2E", 0xA8, [4] * 4),
    ],
)
def test_ticks_per_tile(letters: str, behaviour: int, steps: list[float], make_walker: Callable[..., Walker]) -> None:
    """The speeds of 12.1; snow holds who leaves it, walking or running."""
    walker = make_walker(5, 5, tiles={(6, 5): behaviour} if behaviour else {})
    ticks = [tick for tick in walked(walker, letters) if tick.gait != "turn"]
    assert units(ticks)[-len(steps) :] == steps
    assert (walker.x, walker.position[0]) == (7, (7 * 16 + 8) * FX)


def test_the_fourth_gear_accelerates(make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(2, 5)
    walked(walker, "e C G")
    ticks = walked(walker, "5E")
    assert [2.0, *units(ticks)] == [2, 3, 3, 2, 3, 3] + [4] * 4 + [5, 6, 5] + [8, 8] + [8, 8]
    assert walker.speed == 3
    turned = walked(walker, "2S")
    assert units(turned, 2) == [8] * 3, "while moving a turn costs neither ticks nor speed"
    walked(walker, ".")
    assert walker.speed == 0


def test_a_tap_turns_and_a_bump_walks_on_the_spot(make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(5, 5, tiles={(6, 5): SOLID})
    assert len(walked(walker, "e")) == 3 and (walker.x, walker.facing) == (5, EAST)
    assert len(walked(walker, "e")) == 0
    ticks = walked(walker, "E")
    assert len(ticks) == 16 and kinds(ticks) == ["blocked"]
    assert ticks[0].events[0].values["rule"] == "collision bit"
    assert len(walked(walker, "N")) == 3 + 8
    assert len(walked(walker, "N")) == 8


def test_a_window_polls_once_per_tick(make_walker: Callable[..., Walker]) -> None:
    """A short press only turns; held, the step follows the turn."""
    walker = make_walker(5, 5)
    for _ in range(2):
        walker.update(WEST)
    for _ in range(5):
        walker.update(None)
    assert (walker.x, walker.facing, walker.busy) == (5, WEST, False)
    ticks = [walker.update(NORTH) for _ in range(3 + 8 + 8)]
    assert (walker.x, walker.z) == (5, 3) and ticks[-1].position[2] == (3 * 16 + 8) * FX
    assert walker.update(None).position == ticks[-1].position


def test_a_window_presses_the_action_button(make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(5, 5, tiles={(6, 5): 0x15, (7, 5): 0x15})
    walked(walker, "e")
    assert kinds([walker.update(None, interact=True)]) == ["surf"]
    walker.when_free(lambda: walker.note("gear", "Asked for in between."))
    ticks = [walker.update(None) for _ in range(9)]
    assert (walker.x, walker.mode) == (6, Mode.SURF) and kinds(ticks[:7]) == [] and kinds(ticks[7:]) == ["gear"]
    pusher = make_walker(5, 5, tiles={(6, 5): 0x15})
    pusher.surfs_by_itself = True
    walked(pusher, "E")
    assert (pusher.x, pusher.mode) == (6, Mode.SURF)


def test_the_tile_changes_first_and_the_old_one_stays_taken(make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(5, 5, tiles={})
    press = walker.press(SOUTH)
    assert next(press).position == ((5 * 16 + 8) * FX, 0, (5 * 16 + 10) * FX)
    assert (walker.x, walker.z, walker.previous) == (5, 6, (5, 5))
    list(press)
    assert walker.previous == (5, 6)


LEDGE_CURVE = [4, 6, 8, 10, 11, 12, 12, 12, 11, 10, 9, 8, 6, 4, 0]


@pytest.mark.parametrize(("behaviour", "direction"), [(0x38, EAST), (0x39, WEST), (0x3A, NORTH), (0x3B, SOUTH)])
def test_ledges(behaviour: int, direction: int, make_walker: Callable[..., Walker]) -> None:
    """Two tiles in 16 ticks over a solid tile, with the height curve; the landing tile is not tested."""
    dx, dz = ((0, -1), (0, 1), (-1, 0), (1, 0))[direction]
    tiles = {(10 + dx, 10 + dz): behaviour | SOLID, (10 + 2 * dx, 10 + 2 * dz): SOLID}
    walker = make_walker(10, 10, tiles=tiles)
    letter = "NSWE"[direction]
    walked(walker, letter.lower())
    ticks = walked(walker, letter)
    assert len(ticks) == 16 and (walker.x, walker.z) == (10 + 2 * dx, 10 + 2 * dz)
    assert [tick.jump / FX for tick in ticks] == [*LEDGE_CURVE, 0]
    assert [abs(step) for step in units(ticks, 0 if dx else 2)] == [2] * 15
    back = make_walker(10 + 2 * dx, 10 + 2 * dz, tiles=tiles)
    assert back.decide(type(EAST)((1, 0, 3, 2)[direction])).rule is not None


@pytest.mark.parametrize(("behaviour", "direction"), [(0x5A, NORTH), (0x5B, SOUTH), (0x5C, WEST), (0x5D, EAST)])
def test_double_ledges(behaviour: int, direction: int, make_walker: Callable[..., Walker]) -> None:
    dx, dz = ((0, -1), (0, 1), (-1, 0), (1, 0))[direction]
    walker = make_walker(10, 10, tiles={(10 + dx, 10 + dz): behaviour})
    letter = "NSWE"[direction]
    walked(walker, letter.lower())
    ticks = walked(walker, letter)
    assert len(ticks) == 24 and (walker.x, walker.z) == (10 + 3 * dx, 10 + 3 * dz)
    assert max(tick.jump for tick in ticks) == 12 * FX and ticks[-1].jump == 0


def test_ice_slides_until_something_stops_it(make_walker: Callable[..., Walker]) -> None:
    tiles = {(x, 5): 0x20 for x in range(6, 12)} | {(12, 5): SOLID}
    walker = make_walker(5, 5, tiles=tiles)
    ticks = walked(walker, "E")
    assert (walker.x, walker.z) == (11, 5) and kinds(ticks) == ["ice"] * 5
    assert units(ticks)[-20:] == [4] * 20
    walked(walker, "S")
    assert (walker.x, walker.z) == (11, 6), "one leaves the ice sideways as from any tile"
    beyond = make_walker(5, 5, tiles={(6, 5): 0x20, (7, 5): 0x20})
    walked(beyond, "E")
    assert beyond.x == 8, "the slide ends on the first tile that is no ice"


def test_rising_ice_sends_back_who_is_too_slow(make_walker: Callable[..., Walker]) -> None:
    """Without a run-up downhill the first rise stops the slide; the player goes back slowly, one tile."""
    up = (Plate(-256, -256, -144, 256, 0), Plate(-144, -256, -112, 256, 0, 8), Plate(-112, -256, 256, 256, 16))
    tiles = {(x, 5): 0x20 for x in range(5, 12)}
    walker = make_walker(4, 5, tiles=tiles, plates=up)
    ticks = walked(walker, "E")
    assert (walker.x, walker.z) == (6, 5) and [tick.gait for tick in ticks][-16:] == ["slow walk"] * 16
    assert walker.facing == EAST
    dip = (
        Plate(-256, -256, -176, 256, 16),
        Plate(-176, -256, -144, 256, 16, -8),
        Plate(-144, -256, -112, 256, 0, 8),
        Plate(-112, -256, 256, 256, 16),
    )
    fast = make_walker(3, 5, tiles={(x, 5): 0x20 for x in range(4, 12)}, plates=dip)
    walked(fast, "E")
    assert fast.x == 12, "what a descent gives in speed carries over the next rise"


def test_spin_tiles(make_walker: Callable[..., Walker]) -> None:
    """East, then redirected south, then over plain tiles until the wall; 8 ticks per tile, turning every 2."""
    tiles = {(6, 5): 0x40, (9, 5): 0x43, (9, 9): SOLID}
    walker = make_walker(5, 5, tiles=tiles)
    ticks = walked(walker, "E")
    assert (walker.x, walker.z) == (9, 8) and kinds(ticks) == ["spin"] * 6
    spinning = [tick for tick in ticks if tick.gait == "spin"]
    assert len(spinning) == 6 * 8
    facings = [tick.facing for tick in spinning]
    assert facings[0::8] != facings[2::8] and len(set(facings)) == 4
    assert all(facings[i] == facings[i + 1] for i in range(0, len(facings) - 1, 2))


def test_spin_tiles_that_never_end_let_go(make_walker: Callable[..., Walker]) -> None:
    tiles = {(6, 5): 0x40, (7, 5): 0x43, (7, 6): 0x41, (6, 6): 0x42}
    walker = make_walker(5, 5, tiles=tiles)
    assert kinds(walked(walker, "E"))[-1] == "endless"


SLOPE = {(5, 9): 0xDA, (5, 8): 0xD9}


def slope(make_walker: Callable[..., Walker], z: int) -> Walker:
    plates = (
        Plate(-256, -112 + 16, 256, 256, 0),
        Plate(-256, -128, 256, -96, 32, 0, -16),
        Plate(-256, -256, 256, -128, 32),
    )
    return make_walker(5, z, tiles=SLOPE, plates=plates)


def test_bike_slopes(make_walker: Callable[..., Walker]) -> None:
    """Northward only at the fourth gear's top speed; else slowly back. Southward fast, on foot as well."""
    climbing = slope(make_walker, 12)
    ticks = walked(climbing, "n C G 3N")
    assert (climbing.z, climbing.y) == (7, 32 * FX)
    assert [tick.gait for tick in ticks][-2:] == ["fast ride"] * 2
    slow = slope(make_walker, 11)
    ticks = walked(slow, "n C G 2N")
    assert slow.z == 10 and [tick.gait for tick in ticks][-16:] == ["slow walk"] * 16
    third = slope(make_walker, 14)
    walked(third, "n C 5N")
    assert third.z == 10
    on_foot = slope(make_walker, 10)
    walked(on_foot, "N")
    assert (on_foot.z, on_foot.facing) == (10, NORTH)
    down = slope(make_walker, 7)
    ticks = walked(down, "s S")
    assert (down.z, down.y) == (10, 0) and "slope" in kinds(ticks)
    assert [tick.gait for tick in ticks][-4:] == ["fast ride"] * 4


@pytest.mark.parametrize(
    ("letters", "x", "rule"),
    [("e 5E", 8, "bike ramp"), ("e C 5E", 10, ""), ("e C G 5E", 12, ""), ("e C G . 3E", 7, ""), ("7E", 8, "bike ramp")],
)
def test_bike_ramps(letters: str, x: int, rule: str, make_walker: Callable[..., Walker]) -> None:
    """On foot a wall; in third gear a hop of one tile; in fourth at top speed a jump of three."""
    walker = make_walker(4, 5, tiles={(9, 5): 0xD7 | SOLID})
    ticks = walked(walker, letters)
    assert walker.x == x, [tick.gait for tick in ticks]
    assert (walker.last_refusal.rule.value if walker.last_refusal else "") == rule


def test_a_ramp_needs_top_speed_in_fourth_gear(make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(7, 5, tiles={(9, 5): 0xD7 | SOLID})
    walked(walker, "e C G 2E")
    assert walker.x == 8 and walker.last_refusal is not None and walker.last_refusal.rule.value == "bike ramp"


def test_surfing_there_and_back(make_walker: Callable[..., Walker]) -> None:
    tiles = {(x, 5): 0x15 for x in range(6, 9)}
    walker = make_walker(5, 5, tiles=tiles)
    ticks = walked(walker, "e E")
    assert walker.last_refusal is not None and walker.last_refusal.rule.value == "water"
    ticks = walked(walker, "A")
    assert len(ticks) == 8 and kinds(ticks) == ["surf"] and (walker.x, walker.mode) == (6, Mode.SURF)
    ticks = walked(walker, "2E")
    assert units(ticks) == [4] * 7 and walker.x == 8
    ticks = walked(walker, "E")
    assert len(ticks) == 8 and (walker.x, walker.mode) == (9, Mode.FOOT) and kinds(ticks) == ["ashore"]
    dry = make_walker(5, 5, tiles=tiles)
    dry.abilities = frozenset()
    assert kinds(walked(dry, "e A")) == ["blocked"] and dry.x == 5


@pytest.mark.parametrize(("behaviour", "ability"), [(0x4B, Ability.ROCK_CLIMB), (0x13, Ability.WATERFALL)])
def test_climbs(behaviour: int, ability: Ability, make_walker: Callable[..., Walker]) -> None:
    """Over the whole run of tiles, up and down; the other axis and who cannot are refused."""
    water = behaviour == 0x13
    rest = {(5, z): 0x15 for z in range(20)} if water else {}
    tiles = rest | {(5, 8): behaviour | SOLID, (5, 9): behaviour | SOLID}
    walker = make_walker(5, 10, tiles=tiles)
    ticks = walked(walker, "n A")
    assert (walker.x, walker.z) == (5, 7) and kinds(ticks) == ["waterfall" if water else "climb"]
    walked(walker, "s A")
    assert walker.z == 10
    walker.abilities -= {ability}
    assert kinds(walked(walker, "n A")) == ["blocked"] and walker.z == 10
    aside = make_walker(4, 9, tiles={(5, 9): 0x4B | SOLID})
    assert walked(aside, "e A")[-1].x == 4


def test_sinking_and_mud(make_walker: Callable[..., Walker]) -> None:
    for behaviour, sink in ((0xA1, -12), (0xA2, -14), (0xA3, -16), (0xA4, -12), (0xA5, -14), (0xA8, 0)):
        walker = make_walker(5, 5, tiles={(6, 5): behaviour})
        ticks = walked(walker, "E")
        assert ticks[-1].sink == sink * FX
        assert ("mud" in kinds(ticks)) == (behaviour in (0xA4, 0xA5))


def test_bicycles_where_they_may(make_walker: Callable[..., Walker]) -> None:
    assert kinds(walked(make_walker(5, 5, bicycle=False), "C .")) == ["blocked"]
    deck = {(5, z): 0x76 for z in range(6, 9)} | {(5, 5): 0x70}
    walker = make_walker(5, 5, tiles=deck)
    walked(walker, "s S")
    assert walker.last_refusal is not None and walker.last_refusal.rule.value == "bike bridge"
    walked(walker, "C S")
    assert (walker.z, walker.mode) == (6, Mode.BICYCLE)
    assert kinds(walked(walker, "C .")) == ["blocked"] and walker.mode is Mode.BICYCLE


def test_the_cycling_road_rolls_south(make_walker: Callable[..., Walker]) -> None:
    deck = {(5, z): 0x76 for z in range(6, 12)} | {(5, 5): 0x70, (5, 12): SOLID}
    walker = make_walker(5, 5, tiles=deck, name="R206")
    walked(walker, "C S")
    ticks = [walker.update(None) for _ in range(4)]
    assert units(ticks, 2) == [8] * 3 and walker.z == 8
    for _ in range(20):
        walker.update(None)
    assert walker.z == 11 and not walker.busy
    elsewhere = make_walker(5, 5, tiles=deck)
    walked(elsewhere, "C S")
    assert elsewhere.update(None).z == 6


def test_the_camera_follows_height_six_ticks_later(make_walker: Callable[..., Walker]) -> None:
    plates = (Plate(-256, -256, 0, 256, 0), Plate(0, -256, 16, 256, 0, 16), Plate(16, -256, 256, 256, 16))
    walker = make_walker(15, 5, plates=plates)
    start = walker.position
    ticks = walked(walker, "2E") + [walker.update(None) for _ in range(6)]
    ys = [start[1]] * 6 + [tick.position[1] for tick in ticks]
    for index, tick in enumerate(ticks):
        assert tick.camera[0] == tick.position[0] and tick.camera[2] == tick.position[2]
        assert tick.camera[1] == ys[index], index
    assert ticks[-1].camera == ticks[-1].position and walker.y == 16 * FX


def test_zones_and_loaded_cells(make_world: Callable[..., object], make_map: type) -> None:
    """Crossing a cell's middle loads cells; entering a cell of another header changes the zone."""
    both = make_map(width=2, zones=(0, 1))
    walker = Walker(make_world(both, make_map()), 0, 14, 5)  # type: ignore[arg-type]
    ticks = walked(walker, "20E")
    happened = [(tick.x, event.kind) for tick in ticks for event in tick.events]
    assert happened == [(16, "resident"), (32, "zone")]
    zone = next(event for tick in ticks for event in tick.events if event.kind == "zone")
    assert zone.values["header"] == 1 and zone.values["popup"] is True and zone.values["weather"] == 1


def test_signs_tables_triggers(make_walker: Callable[..., Walker]) -> None:
    sign = {"x": 5, "z": 4, "script": 3, "type": 1}
    clerk = {"x": 7, "z": 3, "script": 8}
    trigger = {"x": 6, "z": 4, "width": 1, "length": 2, "script": 11, "variable": 16500, "value": 1}
    walker = make_walker(5, 5, signs=(sign,), objects=(clerk,), triggers=(trigger,), tiles={(7, 4): 0x80 | SOLID})
    ticks = walked(walker, "n A")
    assert [event.values["script"] for event in ticks[-1].events] == [3]
    ticks = walked(walker, "2E")
    assert [event.values["variable"] for tick in ticks for event in tick.events] == [16500]
    ticks = walked(walker, "n A")
    assert [event.values["script"] for event in ticks[-1].events] == [8], "one talks over a table"


def test_paths() -> None:
    assert parse_path("2N, 3e  A.<") == "NNeeeA.<"
    for wrong in ("X", "3", "N4", "-1N"):
        with pytest.raises(ValueError, match="no letter of a path"):
            parse_path(wrong)
    with pytest.raises(ValueError, match="at most"):
        parse_path("9999999N")


def test_ghosts_pass_everything(make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(5, 5, tiles={(6, 5): SOLID, (7, 5): 0x15})
    walker.ghost = True
    walked(walker, "3E")
    assert (walker.x, walker.refused(EAST)) == (8, None)
