"""What can be reached in the Distortion World, and walking there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from mapexplorer.features.distortion_world.progress import FEATURE, DistortionState
from mapexplorer.features.distortion_world.space import AvatarState
from mapexplorer.games import DEFAULT
from mapexplorer.walk.distortion_moves import DistortionMoves
from mapexplorer.walk.distortion_player import DistortionPlayer
from mapexplorer.walk.distortion_reach import DistortionReach
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.terrain import TILE_LENGTH

Rows = Callable[[str], list[list[int]]]

STARTS = (573, 582, 583, 581)

LAND, FLOOR, WEST, EAST, CEILING = AvatarState
ALL_FLOORS = {
    (573, LAND): 88, (574, LAND): 89, (575, LAND): 192, (576, LAND): 326, (577, LAND): 471, (579, LAND): 374,
    (580, LAND): 233, (581, LAND): 77, (574, WEST): 22, (575, WEST): 19, (576, WEST): 12, (577, EAST): 51,
    (575, FLOOR): 189, (577, CEILING): 94,
}  # fmt: skip
"""Places by floor and state, as published, but one more on the land of 576 (published: 325), which is not among the
places that the vectors tell of."""
COUNTS = (ALL_FLOORS, {(582, LAND): 6}, {(583, LAND): 160, (583, EAST): 39}, ALL_FLOORS)


@pytest.fixture(scope="module")
def reaches(moves: DistortionMoves) -> list[DistortionReach]:
    save = fresh_save(DEFAULT)
    return [
        DistortionReach(moves, moves.arrival(header), DistortionState.entering(save, header), teleports=False)
        for header in STARTS
    ]


def test_the_same_places_are_reached(rows: Rows, reaches: list[DistortionReach]) -> None:
    """The vectors have those places whose x + z is even."""
    for start, reach in enumerate(reaches):
        expected = {tuple(row[1:]) for row in rows("reachable") if row[0] == start}
        found = {(at.header, at.avatar, at.platform, *at.tile, at.surfing) for at in reach.standings()}
        assert {place for place in found if (place[3] + place[5]) % 2 == 0} == expected
        assert Counter((header, avatar) for header, avatar, *_ in found) == COUNTS[start]


def test_the_paths_lead_there(moves: DistortionMoves, reaches: list[DistortionReach]) -> None:
    """To the last place that the search finds on every floor, in every state of the player."""
    for header, reach in zip(STARTS[:3], reaches, strict=False):
        targets = {(at.standing.header, at.standing.avatar, at.standing.surfing): at for at in reach.states}
        for target in targets.values():
            state = DistortionState.entering(fresh_save(DEFAULT), header)
            player = DistortionPlayer(moves, moves.arrival(header), state)
            before = player.position
            for tick in player.play(reach.path(target)):
                assert tick.position == player.position
                far = max(abs(here - there) for here, there in zip(tick.position, before, strict=True))
                assert far <= TILE_LENGTH // 2 or player.standing.surfing
                before = tick.position
            assert before == player.position == player.standing.position
            assert (player.standing, player.state.platform_flags) == target


def test_teleports_lead_to_giratina_and_back(moves: DistortionMoves) -> None:
    early = DistortionState.entering(fresh_save(DEFAULT), 581)
    late = DistortionState.entering(Save(DEFAULT, features={FEATURE: {"progress": 10}}), 581)
    assert 582 not in {at.header for at in DistortionReach(moves, moves.arrival(581), early).standings()}
    there = DistortionReach(moves, moves.arrival(581), late).standings()
    assert {573, 581, 582} <= {at.header for at in there}
    back = DistortionReach(moves, moves.arrival(582), late).standings()
    assert {573, 581, 582} <= {at.header for at in back}
