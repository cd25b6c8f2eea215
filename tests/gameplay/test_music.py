"""Music: by time of day, flag, script and movement; the headers and the name of each sequence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mapexplorer.gameplay.music import FieldMusic, MusicRule, field_music, headers_by_sequence, scripted_music
from mapexplorer.games.script_tables import MusicCommand
from mapexplorer.units import NOON
from mapexplorer.world import FieldWorld
from mapexplorer.world.script_files import script_files

NIGHT = 22 * 3600


def test_every_sequence_of_the_vectors(real: FieldWorld, cases: Callable[[str], list[dict[str, Any]]]) -> None:
    found = headers_by_sequence(real)
    for case in cases("xref_music"):
        assert [list(one) for one in found[case["key"]]] == [case["day"], case["night"]]
    assert len(cases("xref_music")) == 50 and len(found) == 85


def test_the_sequences_of_headers_have_names_and_titles(real: FieldWorld) -> None:
    names, titles = real.sequence_names, real.game.tables.music.titles
    assert set(headers_by_sequence(real)) == set(titles)
    assert all(names[number] for number in titles)
    assert names[1004] == "SEQ_TOWN01_D" and titles[1004] == ("Twinleaf Town", "day")


def test_the_music_of_a_town_by_hour(real: FieldWorld) -> None:
    by_hour = [field_music(real, 411, hour * 3600) for hour in range(24)]
    assert by_hour[4:20] == [FieldMusic(1004, MusicRule.DAY)] * 16
    assert by_hour[:4] + by_hour[20:] == [FieldMusic(1033, MusicRule.NIGHT)] * 8


def test_exceptions_in_the_order_of_the_game(real: FieldWorld) -> None:
    lake = 314
    usual = field_music(real, lake, NOON)
    assert usual.rule is MusicRule.DAY
    for second in (NOON, NIGHT):
        assert field_music(real, lake, second, {2436}) == FieldMusic(1070, MusicRule.FLAG, 2436)
    assert field_music(real, lake, NOON, {2446}) == usual
    assert field_music(real, lake, NOON, {2436}, script=1100) == FieldMusic(1100, MusicRule.SCRIPT)
    assert field_music(real, lake, NOON, script=1100, radar=True).rule is MusicRule.RADAR
    assert field_music(real, lake, NOON, surfing=True, radar=True) == FieldMusic(1151, MusicRule.SURFING)
    road = next(header.id for header in real.headers if header.internal_name == "R206")
    assert field_music(real, road, NOON, cycling=True) == FieldMusic(1189, MusicRule.CYCLING_ROAD)
    assert field_music(real, lake, NOON, cycling=True) == usual


def test_a_world_without_sounds(demo: FieldWorld) -> None:
    assert demo.sequence_names == ()


def test_the_music_of_scripts(real: FieldWorld) -> None:
    """Every command with a sequence names one that exists; the four ways all occur but one."""
    found = scripted_music(script_files(real), real.game.tables.script_commands)
    assert all(real.sequence_names[number] for number in found)
    uses = [one.use for ones in found.values() for one in ones]
    assert set(uses) == set(MusicCommand) - {MusicCommand.OVERRIDE} and uses.count(MusicCommand.FANFARE) > 50
