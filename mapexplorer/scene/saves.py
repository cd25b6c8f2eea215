"""What a value of `MapState.save` means: a new game, or the file of a saved one."""

from __future__ import annotations

from typing import Any

from mapexplorer.games import Game
from mapexplorer.scene.view import ENTERED, NEW, WEEKDAYS
from mapexplorer.world.save import Save, fresh_save, moment_of
from mapexplorer.world.saved_game import read_saved_game


def save_before(game: Game, chosen: str) -> Save:
    """The save that a value of `MapState.save` means, before any script has run. Raises RomError, FormatError."""
    return fresh_save(game) if chosen in (NEW, ENTERED) else read_saved_game(chosen).save(game)


def saved_moment(chosen: str) -> dict[str, Any]:
    """The hour, the day and the day of the week of a saved game, as options of a view; none for a new game. Raises
    RomError, FormatError."""
    if chosen in (NEW, ENTERED):
        return {}
    day, second, weekday = moment_of(read_saved_game(chosen).small)
    return {"second": second, "day": day, "weekday": WEEKDAYS[weekday]}
