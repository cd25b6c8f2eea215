"""The references of the field data: which fields of records hold numbers of other records.

`REFERENCES` is the only list of them. `reference_check` follows it to verify a ROM, `uses` to find users, and
`mapexplorer.inspector` to make links. A thing is identified by its kind (one of `KINDS`) and its number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

import numpy as np

from formats.field.map_header import NO_WILD_ENCOUNTERS
from formats.field.map_matrix import EMPTY_CELL
from formats.field.zone_event import RETURN_HEADER
from mapexplorer.games import Role
from mapexplorer.world.place_name_window import window_members

if TYPE_CHECKING:
    from mapexplorer.world.files import WorldFiles


@dataclass(frozen=True)
class ReferencePart:
    """The part of a thing that holds a reference.

    `cell` (x, z); `cell if known` and `cell if unknown`: the same, by the name of the hidden location that decides;
    `warp`, `object` or `prop` (index), `texture` by name, `listed` and `initial scripts` without any.
    """

    kind: str
    key: tuple[int, ...] = ()
    name: str = ""


Found = tuple[int, ReferencePart | None]
"""A number that a field holds, and the part of the thing that holds it."""


class Outside(Enum):
    """The meaning of a number outside the archive."""

    PROBLEM = auto()
    DUMMY_BOX = auto()
    """The game draws the dummy box instead."""
    NO_PICTURES = auto()
    """The game draws a model instead of pictures, or scripts set them."""


@dataclass(frozen=True)
class Reference:
    """Things of the kind `user` name things of the kind `used` in `field`, which is its name in reports.

    `file` is the archive that holds the field, one member for each user (events: one for each header); None: the
    program. `archive` is the one whose members the numbers count, None: what `known` answers. `read(world, number)`
    finds the numbers, `none` is the number that means no reference. `checked`: verification follows it; `shown`: it
    counts as a use. Readers raise FormatError and RomError.
    """

    user: str
    file: Role | None
    field: str
    used: str
    archive: Role | None
    read: Callable[[WorldFiles, int], Iterable[Found]]
    none: int | None = None
    outside: Outside = Outside.PROBLEM
    checked: bool = True
    shown: bool = True

    @property
    def header_field(self) -> str:
        """The field of a map header that holds the reference, empty for other references."""
        return self.read.name if isinstance(self.read, _HeaderField) else ""

    def found(self, world: WorldFiles, number: int) -> Iterator[Found]:
        """The references of thing `number`, without those equal to `none`."""
        return (found for found in self.read(world, number) if found[0] != self.none)


@dataclass(frozen=True)
class _HeaderField:
    """Reads the number in a field of a map header."""

    name: str
    part: ReferencePart | None = None

    def __call__(self, world: WorldFiles, header: int) -> list[Found]:
        return [(getattr(world.headers[header], self.name), self.part)]


@dataclass(frozen=True)
class _AreaField:
    """Reads the number in a field of an area."""

    name: str

    def __call__(self, world: WorldFiles, area: int) -> list[Found]:
        return [(getattr(world.area(area), self.name), None)]


class _AreaLight(_AreaField):
    """Reads the light set that a field of an area means."""

    def __call__(self, world: WorldFiles, area: int) -> list[Found]:
        return [(world.game.light_set(getattr(world.area(area), self.name)), None)]


def _name_window(world: WorldFiles, header: int) -> Iterator[Found]:
    return ((member, None) for member in window_members(world.headers[header].label_window) or ())


def _cells(world: WorldFiles, header: int) -> Iterator[Found]:
    """The lands of a header's own cells."""
    matrix = world.matrix(world.headers[header].matrix)
    mine = matrix.land != EMPTY_CELL
    if matrix.headers is not None:
        mine &= matrix.headers == header
    for z, x in np.argwhere(mine).tolist():
        yield int(matrix.land[z, x]), ReferencePart("cell", (x, z))


def _replaced_cells(world: WorldFiles, header: int) -> Iterator[Found]:
    """The lands that code puts on cells of a header (`matrix_patches`)."""
    number = world.headers[header].matrix
    matrix = world.matrix(number)
    for patch in world.game.tables.features.matrix_patches:
        kind = "cell if known" if patch.when_known else "cell if unknown"
        for (x, z), land in patch.lands.items() if patch.matrix == number else ():
            inside = x < matrix.width and z < matrix.height
            if inside and (matrix.headers is None or matrix.headers[z, x] == header):
                yield land, ReferencePart(kind, (x, z), patch.location)


def _lands(world: WorldFiles, matrix: int) -> Iterator[Found]:
    return ((land, None) for land in np.unique(world.matrix(matrix).land).tolist())


def _headers(world: WorldFiles, matrix: int) -> Iterator[Found]:
    headers = world.matrix(matrix).headers
    return ((header, None) for header in (np.unique(headers).tolist() if headers is not None else ()))


def _events(records: str, field: str, part: str) -> Callable[[WorldFiles, int], Iterable[Found]]:
    def read(world: WorldFiles, header: int) -> Iterator[Found]:
        found = getattr(world.events(header), records, None)
        for index, number in enumerate(found[field].tolist() if found is not None else ()):
            yield number, ReferencePart(part, (index,))

    return read


def _listed(world: WorldFiles, prop_set: int) -> Iterator[Found]:
    return ((model, ReferencePart("listed")) for model in world.prop_list(prop_set).models.tolist())


def _props(world: WorldFiles, land: int) -> Iterator[Found]:
    models = world.placed_props(land)["model"].tolist()
    return ((model, ReferencePart("prop", (index,))) for index, model in enumerate(models))


def _animations(world: WorldFiles, model: int) -> Iterator[Found]:
    entry = world.prop_animations(model)
    return ((animation, None) for animation in (entry.used if entry is not None else ()))


def _animated(world: WorldFiles, terrain_set: int) -> Iterator[Found]:
    """The terrain animations whose texture the set holds."""
    if world.terrain_animations is None:
        return
    textures = world.terrain_textures(terrain_set).textures
    for index, animation in enumerate(world.terrain_animations.animations):
        if textures.texture(animation.texture) is not None:
            yield index, ReferencePart("texture", name=animation.texture)


def _pictures(world: WorldFiles, graphics: int) -> Iterator[Found]:
    yield world.object_graphics.value[graphics], None


REFERENCES: Final = (
    Reference("header", None, "area", "area", Role.AREA_DATA, _HeaderField("area")),
    Reference("header", None, "matrix", "matrix", Role.MAP_MATRIX, _HeaderField("matrix")),
    Reference("header", None, "events", "events", Role.ZONE_EVENT, _HeaderField("events")),
    Reference("header", None, "message bank", "messages", Role.MESSAGES, _HeaderField("message_bank")),
    Reference("header", None, "scripts", "scripts", Role.SCRIPTS, _HeaderField("scripts")),
    Reference("header", None, "initial scripts", "scripts", Role.SCRIPTS,
              _HeaderField("init_scripts", ReferencePart("initial scripts"))),
    Reference(
        "header", None, "preload list", "preload list", Role.PRELOAD_LISTS, _HeaderField("preload_list")
    ),
    Reference("header", None, "wild encounters", "encounters", Role.ENCOUNTERS, _HeaderField("wild_encounters"),
              NO_WILD_ENCOUNTERS),
    Reference("header", None, "name window", "name window", Role.PLACE_NAME_WINDOWS, _name_window, shown=False),
    Reference("header", None, "location name", "location name", None, _HeaderField("label_text"), shown=False),
    Reference("header", None, "camera type", "camera", None, _HeaderField("camera_type")),
    Reference("header", None, "weather", "weather", None, _HeaderField("weather"), checked=False),
    Reference("header", None, "land data", "land", Role.LAND_DATA, _cells, checked=False),
    Reference("header", None, "land that code places", "land", Role.LAND_DATA, _replaced_cells),
    Reference("matrix", Role.MAP_MATRIX, "land data", "land", Role.LAND_DATA, _lands, EMPTY_CELL, shown=False),
    Reference("matrix", Role.MAP_MATRIX, "header", "header", None, _headers, shown=False),
    Reference("area", Role.AREA_DATA, "prop set", "prop set", Role.AREA_BUILD, _AreaField("prop_set")),
    Reference(
        "area", Role.AREA_DATA, "prop textures", "prop set", Role.PROP_TEXTURES, _AreaField("prop_set"), shown=False
    ),
    Reference("area", Role.AREA_DATA, "terrain set", "terrain set", Role.TERRAIN_TEXTURES, _AreaField("terrain_set")),
    Reference("area", Role.AREA_DATA, "light set", "light set", Role.AREA_LIGHT, _AreaLight("light_set")),
    Reference("prop set", Role.AREA_BUILD, "prop model", "prop", Role.BUILD_MODEL, _listed),
    Reference(
        "land", Role.LAND_DATA, "prop model", "prop", Role.BUILD_MODEL, _props, outside=Outside.DUMMY_BOX
    ),
    Reference("prop", Role.PROP_ANIMATION_LIST, "animation", "prop animation", Role.PROP_ANIMATIONS, _animations),
    Reference("terrain set", Role.TERRAIN_TEXTURES, "texture", "terrain animation", None, _animated, checked=False),
    Reference("header", Role.ZONE_EVENT, "header", "header", None, _events("warps", "header", "warp"), RETURN_HEADER),
    Reference("header", Role.ZONE_EVENT, "object graphics", "object graphics", None,
              _events("objects", "graphics", "object"), outside=Outside.NO_PICTURES),
    Reference("object graphics", None, "picture", "picture", Role.SPRITES, _pictures, shown=False),
)  # fmt: skip

ARCHIVES: Final = {
    reference.used: reference.archive for reference in reversed(REFERENCES) if reference.archive and reference.shown
}
"""Kind -> the archive whose members have its numbers, for the kinds of `KINDS` that have one."""

KINDS: Final = (
    "header", "matrix", "land", "area", "prop set", "terrain set", "light set", "prop", "prop animation", "events",
    "encounters", "messages", "scripts", "preload list", "terrain animation", "object graphics", "camera", "weather",
)  # fmt: skip
"""The kinds that use or are used."""


def known(world: WorldFiles, kind: str) -> Collection[int] | None:
    """The existing numbers of a kind with a table in the program; None for other kinds."""
    if kind == "header":
        return range(len(world.headers))
    if kind == "camera":
        return range(len(world.camera_table.value))
    if kind == "location name" and world.location_names:
        return range(len(world.location_names))
    if kind == "object graphics":
        return world.object_graphics.value
    return None


def named(world: WorldFiles, kind: str, number: int) -> dict[str, tuple[str, int]]:
    """Field -> (kind, number) of what a thing names, for the fields that hold one number."""
    fields = [one for one in REFERENCES if one.user == kind and isinstance(one.read, _HeaderField | _AreaField)]
    return {one.field: (one.used, found) for one in fields for found, _ in one.found(world, number)}
