"""What a value of `MapState.save` means: a new game, or the file of a saved one."""

from __future__ import annotations

from typing import Any

from mapexplorer.games import Game
from mapexplorer.scene.view import ENTERED, NEW, WEEKDAYS
from mapexplorer.world.save import Save, fresh_save, moment_of
from mapexplorer.world.saved_game import SavedGame, read_saved_game


def shown_game(chosen: str) -> SavedGame | None:
    """The saved game that a value of `MapState.save` names; None for a new game. Raises RomError, FormatError."""
    return None if chosen in (NEW, ENTERED) else read_saved_game(chosen)


def save_before(game: Game, chosen: str) -> Save:
    """The save that a value of `MapState.save` means, before any script has run. Raises RomError, FormatError."""
    saved = shown_game(chosen)
    return fresh_save(game) if saved is None else saved.save(game)


def saved_moment(chosen: str) -> dict[str, Any]:
    """The hour, the day and the day of the week of a saved game, as options of a view; none for a new game. Raises
    RomError, FormatError."""
    saved = shown_game(chosen)
    if saved is None:
        return {}
    day, second, weekday = moment_of(saved.small)
    return {"second": second, "day": day, "weekday": WEEKDAYS[weekday]}
