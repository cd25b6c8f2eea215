"""The wild Pokémon that a saved game decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.gameplay.encounters import map_encounters
from mapexplorer.gameplay.saved_encounters import SavedMeeting, saved_meetings
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import fresh_save, saved_game
from tests.saves import small_block

MARSH, GARDEN, VALLEY = 505, 287, 200


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))


def test_what_the_day_decides(real: FieldWorld) -> None:
    small = small_block()
    met = small["encounters"]
    met["swarm_daily"], met["swarm_enabled"] = 22 * 5 + 20, 1  # the map with number 20: Valley Windworks
    met["marsh_daily"], met["trophy_garden"] = 7 << 5, (3, 0xFFFF)
    met["honey_trees"][17] = (1100, 2, 0, 1, 1)
    met["roamers"][2] = (VALLEY, 0, 0, 491, 100, 40, 0, 1, 0)
    save = saved_game(real.game, small)

    def meetings(header: int) -> list[SavedMeeting]:
        return list(saved_meetings(map_encounters(real, header), save))

    here = map_encounters(real, VALLEY)
    assert here.encounters is not None
    common = next(iter(here.lists.values()))
    assert meetings(VALLEY) == [
        *(SavedMeeting("swarm", species) for species in dict.fromkeys(here.encounters.swarm)),
        SavedMeeting("honey tree", common[2], "in 20 minutes"),
        SavedMeeting("roaming", 491, "level 40, 100 HP"),
    ]
    marsh, garden = (list(map_encounters(real, header).lists.values()) for header in (MARSH, GARDEN))
    assert meetings(MARSH) == [SavedMeeting("Great Marsh today", marsh[1][7])]
    assert meetings(GARDEN) == [SavedMeeting("Trophy Garden", garden[0][3])]
    assert not list(saved_meetings(map_encounters(real, 342), fresh_save(real.game)))
