"""The states of features in a saved game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from formats.save.sections import IN_USE, set_bits
from mapexplorer.features import by_header, entered
from mapexplorer.world.save import HONEY_READY, Save
from mapexplorer.world.sources.matrix_patches import HIDDEN_LOCATIONS

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
    """A saved game with the states of the features that it has on a header, without one that the feature of the header
    does not have."""
    if not save.block:
        return save
    small, states, own = save.contents, _states(save, header), by_header(save.game.tables).get(header, "")
    name, everywhere, state_of = _PLACES.get(int(small["misc"]["map_feature"]), ("", False, None))
    try:
        feature = entered(replace(save, features=states), header)
        if state_of is not None and own == name and (everywhere or small["field"]["player"]["map"] == header):
            states[name] = state_of(feature, small)
            entered(replace(save, features=states), header)
    except ValueError:
        states.pop(own, None)
    return replace(save, features={**save.features, **states})


def _states(save: Save, header: int) -> dict[str, Any]:
    """Feature -> its state, of those that a save has of all maps."""
    variables, badges = save.variables, int(save.contents["player"]["badges"])
    minutes, _, _, group, shakes = save.honey_tree(header) or (0, 0, 0, 0, 0)
    states = {
        "hearthome gym": {"badge": bool(badges >> _RELIC_BADGE & 1)},
        "eterna gym": variables.get(_ETERNA_CLOCK, 0),
        "villa": [kind for kind, flag in enumerate(_FURNITURE) if flag in save.flags],
        HIDDEN_LOCATIONS: [place for place, (number, value) in _LOCATIONS.items() if variables.get(number) == value],
        "honey tree": 1 + shakes if group and 0 < minutes <= HONEY_READY else 0,
    }
    if _DISTORTION_PROGRESS in variables:
        states["distortion world"] = {
            "progress": variables[_DISTORTION_PROGRESS],
            "cyrus": variables.get(_DISTORTION_CYRUS, 0),
            "shadows_seen": [number for number, flag in enumerate(_SHADOWS) if flag in save.flags],
        }
    return states


def _number(kind: str, feature: Any, small: Any) -> int:
    """A state that is a number."""
    return int(np.frombuffer(small["misc"]["map_feature_data"].tobytes(), kind, 1)[0])


def _doors_and_clues(gym: Any, small: Any) -> dict[str, Any]:
    """The state of the gym of Hearthome City; the words: whether lots were drawn in the room, the number of the right
    door, the tile of its clue."""
    state, (is_drawn, door, *clue) = gym.state, small["misc"]["map_feature_data"].view("<i2")[:4].tolist()
    if state is not None and is_drawn:
        room = sorted(gym.table.rooms).index(gym.header)
        state["doors"][room], state["clues"][room] = door - gym.room.first_door, clue
    return state or {"badge": gym.badge}


def _bags_and_stacks(gym: Any, small: Any) -> dict[str, Any]:
    """The state of the gym of Veilstone City by the saved map objects."""
    objects = small["map_objects"]
    own = objects[(objects["status"] & IN_USE != 0) & (objects["local_id"] == _GYM_OBJECT)]
    tiles = [([x, z], kind) for (x, _, z), (kind, *_) in zip(own["now"].tolist(), own["data"].tolist(), strict=True)]
    stacks = [number for number, tile in enumerate(gym.table.stacks) if ([*tile], 0) in tiles]
    return {"bags": [tile for tile, kind in tiles if kind], "stacks": stacks}


def _boulders_and_platforms(floor: Any, small: Any) -> dict[str, Any]:
    """The state of the Distortion World; bit 0 of the bytes: they are set."""
    data = small["misc"]["map_feature_data"]
    flags = {"platform_flags": set_bits(data[10:12]), "puzzle_flags": set_bits(data[12:16])} if data[0] & 1 else {}
    return {**floor.state, **flags}


_PLACES: Final[dict[int, tuple[str, bool, Callable[[Any, Any], Any]]]] = {
    1: ("pastoria gym", False, partial(_number, "u1")),
    2: ("hearthome gym", False, _doors_and_clues),
    3: ("canalave gym", False, partial(_number, "<u4")),
    4: ("veilstone gym", False, _bags_and_stacks),
    5: ("sunyshore gym", False, partial(_number, "<i4")),
    6: ("great marsh", True, partial(_number, "<u2")),
    7: ("platform lift", False, partial(_number, "<u2")),
    9: ("distortion world", True, _boulders_and_platforms),
}
"""Place with a state, of which a save has only the player's -> the feature, whether all its maps have that state, and
what gives it for the feature in the state of all maps with the block of a save."""
