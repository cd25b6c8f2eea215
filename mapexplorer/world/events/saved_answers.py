"""What commands of scripts answer with a saved game, where the answer is in the save."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from formats.save.sections import POCKETS
from mapexplorer.world.save import Save

_GAME_COMPLETED: Final = 2404
"""The flag of a game in which the champion was beaten."""
_FIRST_EVENT: Final = 0x4043
_EVENT_VALUES: Final = (0x1209, 0x1112, 0x1123, 0x1103)
"""The values of the variables from _FIRST_EVENT on with which Darkrai's, Shaymin's, Arceus' and Rotom's events came."""


def _in_bag(save: Save, item: int, wanted: int = 1) -> bool:
    bag = save.contents["bag"]
    return any(slot[0] == item and slot[1] >= wanted for _, pocket, _ in POCKETS for slot in bag[pocket].tolist())


def _had_event(save: Save, event: int) -> bool:
    came = save.variables.get(_FIRST_EVENT + event)
    return 0 <= event < len(_EVENT_VALUES) and came == _EVENT_VALUES[event]


ANSWERS: Final[Mapping[str, Callable[..., int]]] = {
    "GetPlayerGender": lambda save: save.contents["player"]["gender"],
    "CheckGameCompleted": lambda save: _GAME_COMPLETED in save.flags,
    "GetSetNationalDexEnabled": lambda save, _: save.contents["pokedex"]["national"],
    "CheckBadgeAcquired": lambda save, badge: int(save.contents["player"]["badges"]) >> badge & 1,
    "CheckItem": _in_bag,
    "CheckDistributionEvent": _had_event,
}
"""Command -> the answer to its numbers, of which the variable for the answer is left out."""


def saved_answer(save: Save, command: str, numbers: Sequence[int]) -> int | None:
    """The answer of a command with a saved game; None in a new game and where it is not in the save."""
    answer = ANSWERS.get(command) if save.block else None
    return None if answer is None else int(answer(save, *numbers))
