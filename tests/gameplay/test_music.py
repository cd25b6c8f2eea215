"""Music: the titles and the names of sequences."""

from __future__ import annotations

from formats.field.script import Command
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import script_files


def test_the_sequences_of_headers_have_names_and_titles(real: FieldWorld) -> None:
    names, titles = real.sequence_names, real.game.tables.music.titles
    played = {number for header in real.headers for number in (header.day_music, header.night_music)}
    assert played == set(titles) and len(played) == 85
    assert all(names[number] for number in titles)
    assert names[1004] == "SEQ_TOWN01_D" and titles[1004] == ("Twinleaf Town", "day")


def test_a_world_without_sounds(demo: FieldWorld) -> None:
    assert demo.sequence_names == ()


def test_the_music_of_scripts(real: FieldWorld) -> None:
    """Every command with a sequence names one that exists."""
    commands = real.game.tables.script_commands.music
    items = [item for _, file in script_files(real) for item in file.items if isinstance(item, Command)]
    named = [item.arguments[0] for item in items if item.number in commands]
    assert len(named) > 50 and all(isinstance(one, int) and real.sequence_names[one] for one in named)
