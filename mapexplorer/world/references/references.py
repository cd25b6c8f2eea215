"""The references of the field data: which fields of records, and which arguments of scripts, hold numbers of things.

`REFERENCES` is the only list of them. `reference_check` follows it to verify a ROM, and `catalogue.edges` to find
users. A thing is identified by its kind and its number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from formats.field.encounter_extras import SpeciesList
from formats.field.map_header import NO_WILD_ENCOUNTERS
from formats.field.map_matrix import EMPTY_CELL
from formats.field.script import ScriptFile, read_commands
from formats.field.species_data import SpeciesData
from formats.field.trade import InGameTrade
from formats.field.trainer import Trainer
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import RETURN_HEADER
from mapexplorer.games import Role
from mapexplorer.games.name_bank import NAMES_OF
from mapexplorer.games.script_tables import FIRST_SCRIPT_VARIABLE, FIRST_VARIABLE, IN_VARIABLE, Access
from mapexplorer.world.events.script_effects import NOT_CONSTANT, EffectsReader, ScriptEffects
from mapexplorer.world.events.script_files import script_bank, script_member
from mapexplorer.world.sources.matrix_patches import hidden_location_table
from mapexplorer.world.sources.provenance import ARM9
from mapexplorer.world.subject import ReferencePart

if TYPE_CHECKING:
    from mapexplorer.world.sources.files import WorldFiles


PROGRAM_TABLES: Final = {
    "hidden item": ("hidden_items", "item"),
    "common mart": ("common_mart", "item"),
    "special mart": ("special_marts", ""),
}
"""Kind -> the table of the program (of `WorldFiles`) whose rows its things are, and where a row has items."""

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
    """Things of a kind name things of another kind in a field. Readers raise FormatError and RomError."""

    user: str
    """The kind of the things that hold the field."""
    file: Role | None
    """The archive that holds the field, one member for each user (events: one for each header); None: the program."""
    field: str
    """Its name in reports."""
    used: str
    """The kind of the things that it names."""
    archive: Role | None
    """The archive whose members the numbers count; None: what `known` answers."""
    read: Callable[[WorldFiles, int], Iterable[Found]]
    """The numbers that a user holds."""
    none: int | None = None
    """The number that means no reference."""
    outside: Outside = Outside.PROBLEM
    """What a number outside the archive means."""
    checked: bool = True
    """Whether verification follows it."""
    shown: bool = True
    """Whether it counts as a use."""
    bank: Callable[[WorldFiles, int], int | None] | None = None
    """The message bank of a user, whose texts the numbers count (None: not known)."""
    candidates: Callable[[WorldFiles, int], Iterable[Found]] | None = None
    """Finds faster all numbers that `read` may find, and others."""

    @property
    def header_field(self) -> str:
        """The field of a map header that holds the reference, empty for other references."""
        return self.read.name if self.user == "header" and isinstance(self.read, _Field) else ""

    def found(self, world: WorldFiles, number: int) -> Iterator[Found]:
        """The references of thing `number`, without those equal to `none`."""
        return (held for held in self.read(world, number) if held[0] != self.none)


@dataclass(frozen=True)
class _Field:
    """Reads the number that a field of a record holds."""

    name: str
    read: Callable[[WorldFiles, int], int]
    part: ReferencePart | None = None

    def __call__(self, world: WorldFiles, number: int) -> list[Found]:
        return [(self.read(world, number), self.part)]


def _header(name: str, part: ReferencePart | None = None) -> _Field:
    return _Field(name, lambda world, header: getattr(world.headers[header], name), part)


def _area(name: str) -> _Field:
    return _Field(name, lambda world, area: getattr(world.area(area), name))


def _name_window(world: WorldFiles, header: int) -> Iterator[Found]:
    """The members of area_win_gra with the tiles and the palette of a header's window; 0 or None: no window."""
    window = world.headers[header].label_window
    return ((member, None) for member in ((2 * window - 2, 2 * window - 1) if window else ()))


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
    for patch in hidden_location_table(world.game.tables).patches:
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
        events = getattr(world.events(header), records, None)
        for index, number in enumerate(events[field].tolist() if events is not None else ()):
            yield number, ReferencePart(part, (index,), path=(records, index))

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


def _fields(read: Callable[[WorldFiles, int], Any], *paths: str) -> Callable[[WorldFiles, int], Iterable[Found]]:
    """Reads the numbers at paths of a record (`grass.species`: of all slots)."""
    return lambda world, number: [
        held
        for record in [read(world, number)]
        for path in paths
        for held in _numbers(record, path.split(".") if path else [], ())
    ]


def _numbers(value: Any, names: list[str], path: tuple[str | int, ...]) -> list[Found]:
    """The numbers at a path below a value, which has the path `path` itself; none in what is absent or has a rate of
    0."""
    if names and hasattr(value, names[0]):
        element = getattr(value, names[0]) if getattr(value, "rate", True) else None
        return _numbers(element, names[1:], (*path, names[0]))
    if isinstance(value, tuple | np.ndarray):
        return [held for index, element in enumerate(value) for held in _numbers(element, names, (*path, index))]
    return [] if value is None else [(int(value), ReferencePart("field", path=path))]


def _member(role: Role, kind: type[Any]) -> Callable[[WorldFiles, int], Any]:
    return lambda world, number: world.member(role, number, kind.from_bytes)


def _record(table: str) -> Callable[[WorldFiles, int], Any]:
    return lambda world, number: getattr(world, table).value[number]


def _arguments(meaning: str) -> Callable[[WorldFiles, int], Iterable[Found]]:
    return lambda world, member: world.script_arguments.get(member, _read_arguments, world, member).get(meaning, ())


def _read_arguments(world: WorldFiles, member: int) -> Mapping[str, list[Found]]:
    """Meaning -> the numbers with it among the arguments of a script file's commands; `IN_VARIABLE`: those that are put
    into variables of the running script."""
    by_meaning: dict[str, list[Found]] = defaultdict(list)
    if (world.script_kinds.get(member) or type(script_member(world, member))) is not ScriptFile:
        return by_meaning
    names = world.game.tables.script_commands
    code, meanings = read_commands(world.members(Role.SCRIPTS).reader(member)), names.meanings
    for at in sorted(at for at, command in code.items() if meanings[command[0]]):
        number, arguments, _ = code[at]
        for index, meaning, access in meanings[number]:
            is_number = access is Access.NUMBER or arguments[index] < FIRST_VARIABLE
            if is_number and (meaning != IN_VARIABLE or arguments[0] >= FIRST_SCRIPT_VARIABLE):
                part = ReferencePart("command", (at, index), names.names[number].name)
                by_meaning[meaning].append((arguments[index], part))
    return by_meaning


def _effects(*effects: str) -> Callable[[WorldFiles, int], Iterable[Found]]:
    """Reads what some effects of the entries of a script file are about, also by variables."""
    return lambda world, member: [
        (number, ReferencePart("entry", (entry,), effect))
        for entry, effects_of_entry in enumerate(world.script_effects.get(member, _read_effects, world, member))
        for effect in effects
        for number in effects_of_entry.numbers(effect)
        if number != NOT_CONSTANT
    ]


def _read_effects(world: WorldFiles, member: int) -> tuple[ScriptEffects, ...]:
    file = script_member(world, member)
    if not isinstance(file, ScriptFile):
        return ()
    reader = EffectsReader(file, world.game.tables.script_commands)
    return tuple(map(reader.effects, range(len(file.entries))))


_encounters = _member(Role.ENCOUNTERS, WildEncounters)
_trade = _member(Role.TRADES, InGameTrade)
_LIGHT_SET: Final = _Field("light_set", lambda world, area: world.game.light_set(world.area(area).light_set))

REFERENCES: Final = (
    Reference("header", None, "area", "area", Role.AREA_DATA, _header("area")),
    Reference("header", None, "matrix", "matrix", Role.MAP_MATRIX, _header("matrix")),
    Reference("header", None, "events", "events", Role.ZONE_EVENT, _header("events")),
    Reference("header", None, "message bank", "messages", Role.MESSAGES, _header("message_bank")),
    Reference("header", None, "scripts", "scripts", Role.SCRIPTS, _header("scripts")),
    Reference(
        "header",
        None,
        "initial scripts",
        "scripts",
        Role.SCRIPTS,
        _header("init_scripts", ReferencePart("initial scripts")),
    ),
    Reference("header", None, "preload list", "preload list", Role.PRELOAD_LISTS, _header("preload_list")),
    Reference(
        "header", None, "wild encounters", "encounters", Role.ENCOUNTERS, _header("wild_encounters"), NO_WILD_ENCOUNTERS
    ),
    Reference("header", None, "name window", "name window", Role.PLACE_NAME_WINDOWS, _name_window),
    Reference("header", None, "location name", "location", None, _header("label_text")),
    Reference("header", None, "camera type", "camera", None, _header("camera_type")),
    Reference("header", None, "weather", "weather", None, _header("weather"), checked=False, shown=False),
    Reference("header", None, "land data", "land", Role.LAND_DATA, _cells, checked=False),
    Reference("header", None, "land that code places", "land", Role.LAND_DATA, _replaced_cells),
    Reference("matrix", Role.MAP_MATRIX, "land data", "land", Role.LAND_DATA, _lands, EMPTY_CELL, shown=False),
    Reference("matrix", Role.MAP_MATRIX, "header", "header", None, _headers, shown=False),
    Reference("area", Role.AREA_DATA, "prop set", "prop set", Role.AREA_BUILD, _area("prop_set")),
    Reference("area", Role.AREA_DATA, "prop textures", "prop set", Role.PROP_TEXTURES, _area("prop_set"), shown=False),
    Reference("area", Role.AREA_DATA, "terrain set", "terrain set", Role.TERRAIN_TEXTURES, _area("terrain_set")),
    Reference("area", Role.AREA_DATA, "light set", "light set", Role.AREA_LIGHT, _LIGHT_SET),
    Reference("prop set", Role.AREA_BUILD, "prop model", "prop", Role.BUILD_MODEL, _listed),
    Reference("land", Role.LAND_DATA, "prop model", "prop", Role.BUILD_MODEL, _props, outside=Outside.DUMMY_BOX),
    Reference("prop", Role.PROP_ANIMATION_LIST, "animation", "prop animation", Role.PROP_ANIMATIONS, _animations),
    Reference("terrain set", Role.TERRAIN_TEXTURES, "texture", "terrain animation", None, _animated, checked=False),
    Reference("header", Role.ZONE_EVENT, "header", "header", None, _events("warps", "header", "warp"), RETURN_HEADER),
    Reference(
        "header",
        Role.ZONE_EVENT,
        "object graphics",
        "object graphics",
        None,
        _events("objects", "graphics", "object"),
        outside=Outside.NO_PICTURES,
    ),
    Reference("object graphics", None, "picture", "picture", Role.SPRITES, _pictures),
    Reference(
        "encounters",
        Role.ENCOUNTERS,
        "species",
        "species",
        Role.SPECIES,
        _fields(
            lambda *file: wild if (wild := _encounters(*file)).grass_rate else None,
            "grass.species",
            "day",
            "night",
            "swarm",
            "radar",
            "dual_slot.ruby",
            "dual_slot.sapphire",
            "dual_slot.emerald",
            "dual_slot.firered",
            "dual_slot.leafgreen",
        ),
        0,
        shown=False,
    ),
    Reference(
        "encounters",
        Role.ENCOUNTERS,
        "species",
        "species",
        Role.SPECIES,
        _fields(_encounters, *(f"{method}.slots.species" for method in ("surf", "old_rod", "good_rod", "super_rod"))),
        0,
        shown=False,
    ),
    Reference(
        "species list",
        Role.ENCOUNTER_EXTRAS,
        "species",
        "species",
        Role.SPECIES,
        _fields(
            lambda world, number: (
                None
                if number in world.game.files[Role.ENCOUNTER_EXTRAS].member_kinds
                else _member(Role.ENCOUNTER_EXTRAS, SpeciesList)(world, number)
            ),
            "species",
        ),
        0,
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINERS,
        "trainer class",
        "trainer class",
        None,
        _fields(_member(Role.TRAINERS, Trainer), "trainer_class"),
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINERS,
        "item",
        "item",
        None,
        _fields(_member(Role.TRAINERS, Trainer), "items"),
        0,
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINER_PARTIES,
        "species",
        "species",
        Role.SPECIES,
        _fields(lambda world, trainer: world.party(trainer), "pokemon.species"),
        0,
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINER_PARTIES,
        "item",
        "item",
        None,
        _fields(lambda world, trainer: world.party(trainer), "pokemon.item"),
        0,
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINER_PARTIES,
        "move",
        "move",
        None,
        _fields(lambda world, trainer: world.party(trainer), "pokemon.moves"),
        0,
        shown=False,
    ),
    Reference(
        "trade",
        Role.TRADES,
        "species",
        "species",
        Role.SPECIES,
        _fields(_trade, "species", "wanted_species"),
        0,
        shown=False,
    ),
    Reference("trade", Role.TRADES, "item", "item", None, _fields(_trade, "item"), 0, shown=False),
    Reference(
        "species",
        Role.SPECIES,
        "item",
        "item",
        None,
        _fields(_member(Role.SPECIES, SpeciesData), "held_items"),
        0,
        shown=False,
    ),
    *(
        Reference(kind, None, "item", "item", None, _fields(_record(table), path), shown=False)
        for kind, (table, path) in PROGRAM_TABLES.items()
    ),
    Reference("scripts", Role.SCRIPTS, "text", "text", None, _arguments("text"), shown=False, bank=script_bank),
    *(
        Reference(
            "scripts",
            Role.SCRIPTS,
            kind,
            kind,
            archive,
            _effects(*effects),
            0,
            shown=False,
            candidates=_arguments(IN_VARIABLE),
        )
        for kind, archive, *effects in (
            ("item", None, "give", "add item", "take"),
            ("trainer", Role.TRAINERS, "trainer", "partner"),
            ("species", Role.SPECIES, "wild", "pokemon", "egg"),
        )
    ),
    *(
        Reference("scripts", Role.SCRIPTS, kind, kind, archive, _arguments(meaning), none, shown=False)
        for meaning, kind, archive, none in (
            ("species", "species", Role.SPECIES, 0),
            ("item", "item", None, 0),
            ("move", "move", None, 0),
            ("trainer", "trainer", Role.TRAINERS, 0),
            ("npc trade", "trade", Role.TRADES, None),
            *(
                (kind, kind, None, None)
                for kind in (
                    "header",
                    "flag",
                    "trainer class",
                    "nature",
                    "accessory",
                    "backdrop",
                    "poketch app",
                    "ug goods",
                    "ug trap",
                    "ug item",
                )
            ),
            ("sound", "music", None, 0),
        )
    ),
)

ARCHIVES: Final = {
    reference.used: reference.archive for reference in reversed(REFERENCES) if reference.archive and reference.shown
}
"""Kind -> the archive whose members have its numbers."""


def known(world: WorldFiles, kind: str) -> Collection[int] | None:
    """The existing numbers of a kind with a table in the program or a bank of names; None for other kinds. Raises
    FormatError, RomError."""
    if kind == "header":
        return range(len(world.headers))
    if kind == "camera":
        return range(len(world.camera_table.value))
    if kind == "location" and world.location_names:
        return range(len(world.location_names))
    if kind == "object graphics":
        return world.object_graphics.value
    if kind == "music" and world.sequence_names:
        return range(len(world.sequence_names))
    if kind in PROGRAM_TABLES:
        table = getattr(world, PROGRAM_TABLES[kind][0])
        return range(len(table.value) if table.why.archive == ARM9 else 0)
    names = world.names(NAMES_OF[kind]) if kind in NAMES_OF else None
    return range(len(names)) if names else None


def named(world: WorldFiles, kind: str, number: int) -> dict[str, tuple[str, int]]:
    """Field -> (kind, number) of what a thing names, for the fields that hold one number."""
    references = [
        reference for reference in REFERENCES if reference.user == kind and isinstance(reference.read, _Field)
    ]
    return {
        reference.field: (reference.used, held)
        for reference in references
        for held, _ in reference.found(world, number)
    }
