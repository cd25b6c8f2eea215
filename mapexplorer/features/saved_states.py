"""The states of features in a saved game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mapexplorer.features import by_header, entered
from mapexplorer.world.save import HONEY_READY, Save
from mapexplorer.world.sources.matrix_patches import HIDDEN_LOCATIONS

_PLACES: Final = {
    1: ("pastoria gym", "u1"),
    3: ("canalave gym", "<u4"),
    5: ("sunyshore gym", "<i4"),
    6: ("great marsh", "<u2"),
}
"""Number of the place with a state, of which a save has only that of the player's map -> the feature, and the type of
its state."""
_ETERNA_CLOCK: Final = 0x404B
"""The variable with the time of the clock in the gym of Eterna City."""
_DISTORTION_PROGRESS: Final = 0x4055
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
    misc = save.contents["misc"]
    name, kind = _PLACES.get(int(misc["map_feature"]), ("", "u1"))
    if name:
        yield name, int(np.frombuffer(misc["map_feature_data"].tobytes(), kind, 1)[0])
    yield "eterna gym", save.variables.get(_ETERNA_CLOCK, 0)
    if _DISTORTION_PROGRESS in save.variables:
        yield "distortion world", {"progress": save.variables[_DISTORTION_PROGRESS]}
    yield "villa", [kind for kind, flag in enumerate(_FURNITURE) if flag in save.flags]
    known = [place for place, (number, value) in _LOCATIONS.items() if save.variables.get(number) == value]
    yield HIDDEN_LOCATIONS, known
    minutes, _, _, group, shakes = save.honey_tree(header) or (0, 0, 0, 0, 0)
    yield "honey tree", 1 + shakes if group and 0 < minutes <= HONEY_READY else 0
