"""What a member of an archive must hold so that maps can be shown with it; a well-formed file may lack it."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from mapexplorer.world import paths

_ANIMATIONS: Final = ("Nsbca", "Nsbta", "Nsbtp", "Nsbma", "Nsbva")

_NEEDS: Final = {
    paths.MAP_MATRIX: ("a matrix", ("MapMatrix",), None),
    paths.LAND_DATA: ("a model", ("LandData",), "model.models"),
    paths.AREA_DATA: ("an area", ("AreaData",), None),
    paths.AREA_BUILD: ("a prop list", ("AreaBuild",), None),
    paths.PROP_TEXTURES: ("a texture set", ("Nsbtx",), None),
    paths.TERRAIN_TEXTURES: ("a texture set", ("Nsbtx",), None),
    paths.AREA_LIGHT: ("a light block", ("AreaLight",), "blocks"),
    paths.BUILD_MODEL: ("a model", ("Nsbmd",), "models"),
    paths.PROP_ANIMATION_LIST: ("an animation list", ("PropAnimations",), None),
    paths.PROP_ANIMATIONS: ("an animation", _ANIMATIONS, "animations"),
    paths.ZONE_EVENT: ("events", ("ZoneEvents",), None),
}
"""Archive -> what each member must hold, the types that have it, and the field that must not be empty."""


def lacking(path: str, value: object) -> str | None:
    """What `value`, a member of the archive at `path`, lacks (`a model`); None where it lacks nothing. A value of None
    stands for bytes that are no known file."""
    if path not in _NEEDS:
        return None
    what, kinds, field = _NEEDS[path]
    if type(value).__name__ in kinds and (field is None or attrgetter(field)(value)):
        return None
    return what
