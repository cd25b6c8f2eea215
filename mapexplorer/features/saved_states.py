"""The states of features in a saved game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from formats.save.sections import IN_USE, set_bits
from mapexplorer.features import by_header, entered
from mapexplorer.world.save import HONEY_READY, Save
from mapexplorer.world.sources.matrix_patches import HIDDEN_LOCATIONS

_NUMBERS: Final = {
    1: ("pastoria gym", "u1"),
    3: ("canalave gym", "<u4"),
    5: ("sunyshore gym", "<i4"),
    6: ("great marsh", "<u2"),
    7: ("platform lift", "<u2"),
}
"""Place with a state that is a number -> the feature, and the type of the number."""
_HEARTHOME, _VEILSTONE, _DISTORTION = 2, 4, 9
"""Places with other states."""
_RELIC_BADGE: Final = 4
_GYM_OBJECT: Final = 253
"""The local id of the bags (first parameter 1) and of the stacks that stand (0) in the gym of Veilstone City."""
_ETERNA_CLOCK: Final = 0x404B
"""The variable with the time of the clock in the gym of Eterna City."""
_DISTORTION_PROGRESS, _DISTORTION_CYRUS = 0x4055, 0x405B
_SHADOWS: Final = range(2478, 2480)
"""The flags of the shadows of Giratina that were seen, by number."""
_LOCATIONS: Final = {"Spring Path": (0x4038, 0x312), "Seabreak Path": (0x4039, 0x1028)}
"""Hidden location -> its variable, and the value with which it is known."""
_FURNITURE: Final = range(2455, 2475)
"""The flags of the furniture of the villa, by kind."""


def with_saved_states(save: Save, header: int) -> Save:
    """A saved game with the states of the features that it has on a header. States that a feature does not have are
    left out."""
    if not save.block:
        return save
    for name, state in _states(save, header):
        changed = replace(save, features={**save.features, name: state})
        try:
            if by_header(save.game.tables).get(header) == name:
                entered(changed, header)
        except ValueError:
            continue
        save = changed
    return save


def _states(save: Save, header: int) -> Iterator[tuple[str, Any]]:
    """Names of features and their states; of the place on which the game was saved also what only that map has."""
    small, variables = save.contents, save.variables
    place, data = int(small["misc"]["map_feature"]), small["misc"]["map_feature_data"]
    here: Any = entered(save, header) if small["field"]["player"]["map"] == header else None
    name, kind = _NUMBERS.get(place, ("", "u1"))
    if name and (here is not None or name == "great marsh"):
        yield name, int(np.frombuffer(data.tobytes(), kind, 1)[0])
    badge = {"badge": bool(small["player"]["badges"] >> _RELIC_BADGE & 1)}
    yield "hearthome gym", badge
    if place == _HEARTHOME and here is not None and here.name == "hearthome gym" and here.room is not None:
        yield here.name, _doors_and_clues(here, data.view("<i2").tolist()) | badge
    if place == _VEILSTONE and here is not None and here.name == "veilstone gym":
        yield here.name, _bags_and_stacks(here, small["map_objects"])
    if _DISTORTION_PROGRESS in variables or place == _DISTORTION:
        seen = [number for number, flag in enumerate(_SHADOWS) if flag in save.flags]
        state = {"progress": variables.get(_DISTORTION_PROGRESS, 0), "cyrus": variables.get(_DISTORTION_CYRUS, 0)}
        is_saved = place == _DISTORTION and data[0] & 1
        flags = {"platform_flags": set_bits(data[10:12]), "puzzle_flags": set_bits(data[12:16])} if is_saved else {}
        yield "distortion world", state | {"shadows_seen": seen} | flags
    yield "eterna gym", variables.get(_ETERNA_CLOCK, 0)
    yield "villa", [kind for kind, flag in enumerate(_FURNITURE) if flag in save.flags]
    known = [place for place, (number, value) in _LOCATIONS.items() if variables.get(number) == value]
    yield HIDDEN_LOCATIONS, known
    minutes, _, _, group, shakes = save.honey_tree(header) or (0, 0, 0, 0, 0)
    yield "honey tree", 1 + shakes if group and 0 < minutes <= HONEY_READY else 0


def _doors_and_clues(gym: Any, words: list[int]) -> dict[str, Any]:
    """The state of the gym of Hearthome City in one of whose rooms the game was saved; the words: whether lots were
    drawn, the number of the right door, the tile of its clue."""
    state, room = gym.state, sorted(gym.table.rooms).index(gym.header)
    state["doors"][room], state["clues"][room] = words[1] - gym.room.first_door, words[2:4]
    return {"doors": state["doors"], "clues": state["clues"]}


def _bags_and_stacks(gym: Any, objects: Any) -> dict[str, Any]:
    """The state of the gym of Veilstone City by the saved map objects."""
    own = objects[(objects["status"] & IN_USE != 0) & (objects["local_id"] == _GYM_OBJECT)]
    tiles = [([x, z], kind) for (x, _, z), (kind, *_) in zip(own["now"].tolist(), own["data"].tolist(), strict=True)]
    stacks = [number for number, tile in enumerate(gym.table.stacks) if ([*tile], 0) in tiles]
    return {"bags": [tile for tile, kind in tiles if kind], "stacks": stacks}
