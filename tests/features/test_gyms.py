"""Walks through the gyms of the real ROM: from the door to the leader by recorded keys, and what stays closed."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import replace

import pytest

from formats.fixed import ONE
from mapexplorer.features import LitPerson, choosing, entered, table_of
from mapexplorer.features.canalave_gym import CanalaveGym
from mapexplorer.features.eterna_gym import EternaGym
from mapexplorer.features.great_marsh import GreatMarsh
from mapexplorer.features.hearthome_gym import HearthomeGym
from mapexplorer.features.pastoria_gym import PastoriaGym
from mapexplorer.features.platform_lift import PlatformLift
from mapexplorer.features.veilstone_gym import VeilstoneGym
from mapexplorer.walk import EAST, NORTH, SOUTH, Walker, parse_path, play
from mapexplorer.walk.reach import search
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import DX, DZ, WEST, Direction
from mapexplorer.world.models.animations import prop_animations
from mapexplorer.world.save import fresh_save
from mapexplorer.world.terrain.obstacle import StepRule
from mapexplorer.world.terrain.terrain import centre


@pytest.mark.parametrize(("header", "door", "leader"), [(67, (11, 27), (11, 4)), (133, (12, 30), (12, 5))])
def test_without_battles_and_punches_the_way_is_closed(
    header: int, door: tuple[int, int], leader: tuple[int, int], real: FieldWorld
) -> None:
    found = search(real, header, *door, near=0, over_warps=False, people=True)
    ground = found.grounds.entered(header)
    assert leader not in found.tiles(ground)
    rules = {rule for rule, _ in found.of(ground).refused.values()}
    assert StepRule.FEATURE in rules


def test_a_bag_that_cannot_move_swings(real: FieldWorld) -> None:
    """With the direction held the player punches on; every update is a tick."""
    walker = Walker(real, 133, 22, 11, near=0)
    bag = VeilstoneGym.entered(table_of(VeilstoneGym, real.game.tables), 133, None).bags.index((23, 11))
    ticks = [walker.update(EAST) for _ in range(20)]
    assert [tick.number for tick in ticks] == list(range(1, 21))
    assert any(event.sentence == f"Bag {bag} swings." for tick in ticks for event in tick.events)
    walker.update()
    assert walker.feature == VeilstoneGym.entered(table_of(VeilstoneGym, real.game.tables), 133, None)


def test_the_buttons_of_pastoria_move_before_the_water(real: FieldWorld) -> None:
    """For as long as their longest animation."""
    walker = Walker(real, 122, 3, 35, near=64 * ONE)
    states = []
    for _ in walker.press(NORTH):
        gym = walker.feature
        assert isinstance(gym, PastoriaGym)
        states.append((gym.goal, gym.water))
    pressed = states.index((0, None))
    moves = next(number for number, (_, surface) in enumerate(states) if surface is not None)
    lengths = [prop_animations(real, model)[0].frames for model in (240, 241)]
    assert moves - pressed == max(lengths) > 1 and walker.feature.state == 0


def test_eterna_is_remembered_and_pastoria_is_not(real: FieldWorld) -> None:
    eterna = Walker(real, 67, 11, 27, near=0)
    list(play(eterna, parse_path("4N3EnA")))
    eterna.place(67, 11, 27, near=0)
    assert eterna.feature is not None and eterna.feature.state == 1
    pastoria = Walker(real, 122, 13, 42, near=0)
    list(play(pastoria, parse_path("16N8W8SWWN4E")))
    assert pastoria.feature is not None and pastoria.feature.state != 1
    pastoria.place(122, 13, 42, near=0)
    assert pastoria.feature.state == 1


def test_the_second_room_of_sunyshore_starts_by_its_entrance(real: FieldWorld) -> None:
    save = fresh_save(real.game)
    states = [entered(save, 155, tile).state for tile in ((9, 21), (9, 2))]
    assert states == [0, 1]


def test_a_sinking_platform_has_its_new_floor_at_once(real: FieldWorld) -> None:
    """With the upper floor it would be hidden at the end of the way down. It goes the way of a rising one back."""
    low = CanalaveGym.in_state(table_of(CanalaveGym, real.game.tables), 35, 0)
    rising = [moment.feature.props(moment.player[1])[3 + 9] for moment in low.board(9).moments() if moment.player]
    high = CanalaveGym.in_state(table_of(CanalaveGym, real.game.tables), 35, 1 << 9)
    sinking = [moment.feature.props(moment.player[1])[3 + 9] for moment in high.board(9).moments() if moment.player]
    assert [prop.position for prop in sinking[1:-1]] == [prop.position for prop in rising[-3::-1]]
    assert not any(prop.hidden for prop in (*rising, *sinking))


def test_lifts(real: FieldWorld) -> None:
    """Up from below; the lift of the League stays up, that of Iron Island comes down again."""
    league = Walker(real, 176, 4, 15, near=0)
    list(play(league, parse_path("4N")))
    assert (league.x, league.z, league.y) == (4, 11, 160 * ONE)
    list(play(league, parse_path("NS")))
    assert league.y == 160 * ONE
    island = Walker(real, 291, 6, 26, near=0)
    list(play(island, parse_path("4E3NE")))
    assert (island.x, island.z) == (11, 23) and island.y == 144 * ONE
    list(play(island, parse_path("NS")))
    assert island.y == 16 * ONE


def test_lifts_are_at_the_top_for_whoever_comes_from_above(real: FieldWorld) -> None:
    """Those of the League stay there; that of Iron Island goes down."""
    for header, door, keys in ((176, (4, 2), "9S"), (185, (8, 2), "7S")):
        walker = Walker(real, header, *door)
        list(play(walker, parse_path(keys)))
        lift = table_of(PlatformLift, real.game.tables).lifts[header]
        assert walker.y == lift.heights[1] and walker.feature is not None and walker.feature.state == 1
        assert walker.feature.plate_height(walker.x, walker.z) == walker.y
        assert walker.refused(SOUTH) is None or walker.refused(WEST) is None
    island = Walker(real, 291, 2, 3)
    list(play(island, parse_path("6S4E4N9E3N3E12SWW5S5ESS9WSSW")))
    assert (island.x, island.z, island.y) == (11, 23, 16 * ONE)


def test_the_champion_takes_the_player_up(real: FieldWorld) -> None:
    """Only her script moves the lift of her room."""
    around = Walker(real, 185, 8, 18, near=0)
    list(play(around, parse_path("6NEE5NWWN")))
    assert (around.x, around.z, around.y) == (8, 8, 0)
    walker = Walker(real, 185, 8, 18, near=0)
    ticks = list(play(walker, parse_path("6NA")))
    assert (walker.x, walker.z, walker.y) == (8, 8, 240 * ONE)
    assert {tick.position[1] for tick in ticks} >= {0, 2 * ONE, 120 * ONE, 240 * ONE}
    list(play(walker, parse_path("7N")))
    assert walker.header == 186


def test_light_cones(real: FieldWorld) -> None:
    """A cone is as long as the free tiles ahead; behind a wall of the room or a person it is shorter."""
    gym = entered(fresh_save(real.game), 89)
    ground = real.place(89).terrain
    assert gym is not None and not gym.conditions.shadows

    def lit(x: int, z: int, facing: Direction, length: int) -> LitPerson:
        return LitPerson((x, z), (x * 16 * ONE + 8 * ONE, 0, z * 16 * ONE + 8 * ONE), facing, length)

    table = table_of(HearthomeGym, real.game.tables)
    open_side = next(
        direction
        for direction in Direction
        if all(not ground.collides(8 + DX[direction] * step, 8 + DZ[direction] * step) for step in (1, 2))
    )
    assert [gym.light_length(*who) for who in ((None,), (1, 3), (1, 0), (0, 3))] == [2, 3, 0, 0]
    person = lit(8, 8, open_side, 2)
    cone = gym.effects(ground, [person])[0]
    assert cone.scale == table.cone_scales[open_side][2] and cone.rotation == table.cone_rotations[open_side]
    ahead = lit(8 + DX[open_side], 8 + DZ[open_side], WEST, 0)
    shorter = gym.effects(ground, [person, ahead])[0]
    assert shorter.scale == table.cone_scales[open_side][0]
    clue = gym.effects(ground)[0]
    assert clue.member == 116 and not clue.animations


def test_the_tram_carries_the_player(real: FieldWorld) -> None:
    """It starts and stops slowly, and stands at the station in the end, 8 units south of the player."""
    marsh = GreatMarsh.in_state(table_of(GreatMarsh, real.game.tables), 504, 2)
    change = marsh.ride(0, 66, 107, 16 * ONE)
    moments = list(change.moments())
    ways = [moment.player[2] for moment in moments if moment.player]
    speeds = [abs(after - before) for before, after in itertools.pairwise(ways)]
    assert change.after.state == 0 and change.ends_at == (66, 39, 16 * ONE)
    assert ways[-1] == centre(39) and moments[-1].feature.props()[0].position[2] == centre(39) + 8 * ONE
    assert (speeds[0], max(speeds), speeds[-1]) == (ONE // 2, 8 * ONE, ONE // 2)
    with pytest.raises(ValueError, match="already"):
        marsh.call(2)


def test_the_sign_of_a_stop_calls_the_tram_and_boards_it(real: FieldWorld) -> None:
    """From stop to stop and back to the first; on the side where the player came from."""
    walker = Walker(real, 508, 62, 107, near=32 * ONE)
    stops = []
    for _ in range(3):
        ticks = list(play(walker, parse_path("nA")))
        assert walker.feature is not None and walker.position[1] == 32 * ONE
        stops.append((walker.feature.state, walker.x, walker.z, walker.zone))
        assert max(tick.position[0] for tick in ticks) == centre(65)
    assert stops == [(0, 62, 39, 504), (1, 62, 81, 506), (2, 62, 107, 508)]
    there = GreatMarsh.in_state(table_of(GreatMarsh, real.game.tables), 504, 2)
    commands = walker.ground.script_commands(504, 8804)
    at_stop = there.talked(commands, 69, 39, 32 * ONE)
    elsewhere = GreatMarsh.in_state(table_of(GreatMarsh, real.game.tables), 504, 0).talked(commands, 69, 39, 32 * ONE)
    assert at_stop is not None and elsewhere is not None
    assert at_stop.ends_at == elsewhere.ends_at == (69, 81, 32 * ONE)
    called, boarded = (list(change.moments()) for change in (at_stop, elsewhere))
    assert called[0].feature == replace(there, number=0, moving=called[0].feature.moving)
    assert called[-len(boarded) :] == boarded and called[0].player is None and len(called) > len(boarded)


def test_fountains(real: FieldWorld) -> None:
    """The right one falls after the second battle, the left one after the third."""
    ground = real.place(67).terrain
    for beaten, seen, falls in ((0, 8, 0), (1, 8, 4), (2, 4, 4), (3, 0, 0)):
        gym = EternaGym.in_state(table_of(EternaGym, real.game.tables), 67, beaten)
        assert len(gym.effects(ground)) == seen
        last = list(gym.advance().moments())[-1].feature.effects(ground)
        assert sum(not effect.repeats for effect in last) == falls


def test_the_villa(real: FieldWorld) -> None:
    """Furniture bars tiles and answers the action button once it is bought; the television only from the south."""
    bare = Walker(real, 464, 12, 6, near=0)
    assert bare.feature is not None and not bare.feature.props()
    save = dataclasses.replace(fresh_save(real.game), features={"villa": list(range(20))})
    villa = entered(save, 464)
    assert villa is not None and len(villa.props()) == 23
    texts = {"all": list(range(20)), "piano": [14], "TV, Pokemon bust,houseplant": [5, 9, 12], "[3]": [3]}
    for text, kinds in texts.items():
        chosen = entered(choosing(fresh_save(real.game), 464, text), 464)
        assert chosen is not None and chosen.state == kinds
    with pytest.raises(ValueError, match=r"no state of villa.*piano"):
        choosing(fresh_save(real.game), 464, "piano, organ")
    assert villa.collides(bare.ground, 12, 6, 0) and villa.collides(bare.ground, 10, 6, 0) is None
    assert villa.script_at(12, 3, NORTH) == 10100 and villa.script_at(12, 3, SOUTH) is None
    assert villa.script_at(12, 6, SOUTH) == 21
