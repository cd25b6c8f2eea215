"""The contents that a member of an archive needs for showing maps; a well-formed file may lack them."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from mapexplorer.games import Role

_ANIMATIONS: Final = ("Nsbca", "Nsbta", "Nsbtp", "Nsbma", "Nsbva")

_NEEDS: Final = {
    Role.MAP_MATRIX: ("a matrix", ("MapMatrix",), None),
    Role.LAND_DATA: ("a model", ("LandData", "DiamondPearlLandData", "HeartGoldLandData"), "model.models"),
    Role.AREA_DATA: ("an area", ("AreaData", "HeartGoldAreaData"), None),
    Role.AREA_BUILD: ("a prop list", ("AreaBuild",), None),
    Role.PROP_TEXTURES: ("a texture set", ("Nsbtx", "EmptyTextureSet"), None),
    Role.TERRAIN_TEXTURES: ("a texture set", ("Nsbtx",), None),
    Role.AREA_LIGHT: ("a light block", ("AreaLight",), "blocks"),
    Role.BUILD_MODEL: ("a model", ("Nsbmd",), "models"),
    Role.PROP_ANIMATION_LIST: ("an animation list", ("PropAnimations", "HeartGoldPropAnimations"), None),
    Role.PROP_ANIMATIONS: ("an animation", _ANIMATIONS, "animations"),
    Role.ZONE_EVENT: ("events", ("ZoneEvents",), None),
}
"""Archive -> the required contents of each member, the types that have them, and the field that must not be empty."""


def lacking(role: Role | None, value: object) -> str | None:
    """What `value`, a member of the archive of a role, lacks (`a model`); None where it lacks nothing. None as `value`
    means bytes of no known file type."""
    if role not in _NEEDS:
        return None
    what, kinds, field = _NEEDS[role]
    if type(value).__name__ in kinds and (field is None or attrgetter(field)(value)):
        return None
    return what
