"""The files of a place as far as they can be read. A damaged or absent file becomes an empty value, with an entry in
`damaged`; the functions raise RomChangedError alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from formats.field.area import AreaData, AreaRecord
from formats.field.build_model_matshp import BuildModelMatshp
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt
from mapexplorer.world.sources.files import WorldFiles

NO_SET: Final = 0xFFFF
"""The number of each set of an area that cannot be read."""
_NO_AREA: Final[AreaRecord] = AreaData(NO_SET, NO_SET, 0, NO_SET)
_NO_TEXTURES: Final = Nsbtx(Tex0((), ()))

T = TypeVar("T")
Damaged = list[Damage] | None


def _readable(
    read: Callable[[WorldFiles, int], T],
    otherwise: T,
    what: LeftOut,
    world: WorldFiles,
    number: int,
    damaged: Damaged = None,
) -> T:
    """What `read` gives for a number; `otherwise` for NO_SET."""
    return otherwise if number == NO_SET else attempt(partial(read, world, number), otherwise, damaged, what, number)


readable_events = partial(_readable, lambda world, header: world.events(header), None, LeftOut.EVENTS)
"""The events of a header; None where they cannot be read or the ROM has none."""
readable_area = partial(_readable, lambda world, number: world.area(number), _NO_AREA, LeftOut.AREA)
"""An area; one that cannot be read has no textures, no prop list and no lights."""
readable_prop_list = partial(_readable, lambda world, number: world.prop_list(number), None, LeftOut.PROP_LIST)
"""The models that an area with a prop set loads; None where they cannot be read."""
readable_prop_textures = partial(
    _readable, lambda world, number: world.prop_textures(number), _NO_TEXTURES, LeftOut.PROP_TEXTURES
)
"""A texture set of props; an empty one where it cannot be read."""
readable_terrain_textures = partial(
    _readable, lambda world, number: world.terrain_textures(number), _NO_TEXTURES, LeftOut.TERRAIN_TEXTURES
)
"""A texture set of terrain; an empty one where it cannot be read."""
readable_light = partial(_readable, lambda world, number: world.light_set(number), None, LeftOut.LIGHT)
"""A light set; None where it cannot be read."""


def readable_warp_target(
    world: WorldFiles, header: int, warp: int, damaged: Damaged = None
) -> tuple[int, int, int] | None:
    """`WorldFiles.warp_target`; None also if the events there cannot be read."""
    events = readable_events(world, header, damaged)
    if events is None or not 0 <= warp < len(events.warps):
        return None
    target = int(events.warps[warp]["header"])
    return attempt(lambda: world.warp_target(header, warp), None, damaged, LeftOut.EVENTS, target)


def readable_original(world: WorldFiles, clone: np.void) -> tuple[int, int | None] | None:
    """The header and the index of the object that a clone (a record of an object) represents: the one there with its
    local id that is no clone itself; the index is None where there is none, or the events there cannot be read. None
    for an object that is no clone."""
    from mapexplorer.world.save import CLONE

    if int(clone["script"]) != CLONE:
        return None
    header = int(clone["hidden_flag"])
    there = readable_events(world, header) if header < len(world.headers) else None
    if there is None:
        return header, None
    same = (there.objects["local_id"] == clone["local_id"]) & (there.objects["script"] != CLONE)
    return header, int(same.argmax()) if same.any() else None


def readable_props(world: WorldFiles, land: int, damaged: Damaged = None) -> npt.NDArray[np.void]:
    """The props of a land, MAP_PROP records with numbers of this program; none where these cannot be read or found."""
    from mapexplorer.world.terrain.land_parts import NO_PROPS

    stored = world.land_parts(land).props
    return attempt(lambda: world.prop_numbers.placed(land, stored), NO_PROPS, damaged, LeftOut.PROPS, land)


def readable_draw_lists(world: WorldFiles, damaged: Damaged = None) -> BuildModelMatshp | None:
    """The draw lists of static props; None where they cannot be read or the ROM has none."""
    return attempt(lambda: world.draw_lists, None, damaged, LeftOut.DRAW_LISTS)
