"""The prop models, texture sets and sprites of a ROM, with a picture of each."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from mapexplorer.catalogue.kinds import NamedThing
from mapexplorer.catalogue.names import props
from mapexplorer.errors import RomError
from mapexplorer.export.icons import readable_picture, texture_set_picture
from mapexplorer.games import Role
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.world import FieldWorld
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.subject import Subject, subject

PROPS, PROP_SETS, TERRAIN_SETS, SPRITES = "prop", "prop set", "terrain set", "object graphics"
TITLES: Final = {
    PROPS: "Props",
    PROP_SETS: "Texture sets of props",
    TERRAIN_SETS: "Texture sets of terrain",
    SPRITES: "Sprites",
}
"""Kind -> what its things are called."""

_ARCHIVES: Final = {
    PROPS: Role.BUILD_MODEL,
    PROP_SETS: Role.PROP_TEXTURES,
    TERRAIN_SETS: Role.TERRAIN_TEXTURES,
}


def browsed(world: FieldWorld, kind: str) -> tuple[NamedThing, ...]:
    """All things of a kind of `TITLES`, by number. Raises FormatError, RomError."""
    if kind == SPRITES:
        names = world.game.tables.map_object_graphics
        numbers = sorted(world.object_graphics.value)
        return tuple(NamedThing(subject(kind, n), names[n].name if n in names else "") for n in numbers)
    archive = world.archive(_ARCHIVES[kind])
    known = {key[0]: name for name, key in props(world)} if kind == PROPS else {}
    return tuple(NamedThing(subject(kind, n), known.get(n, "")) for n in range(0 if archive is None else len(archive)))


def browsed_picture(renderer: PlaceRenderer, chosen: Subject) -> npt.NDArray[np.uint8] | None:
    """A picture of one of them, at most (96, 128, 4); None where it cannot be read."""
    number = chosen.key[0]
    with suppress(FormatError, RomError):
        if chosen.kind == PROPS:
            return renderer.prop_thumbnail(number)
        if chosen.kind in (PROP_SETS, TERRAIN_SETS):
            return texture_set_picture(SetKey(chosen.kind == TERRAIN_SETS, number).read(renderer.world))
        return readable_picture(renderer.world, chosen.kind, number)
    return None
