"""The references of the field data: which fields of records, and which arguments of scripts, hold numbers of things.

`REFERENCES` is the only list of them. `reference_check` follows it to verify a ROM, and `catalogue.edges` to find
users. A thing is identified by its kind and its number."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from formats.field.encounter_extras import SpeciesList
from formats.field.map_header import NO_WILD_ENCOUNTERS
from formats.field.map_matrix import EMPTY_CELL
from formats.field.species_data import SpeciesData
from formats.field.trade import InGameTrade
from formats.field.trainer import Trainer
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import RETURN_HEADER
from mapexplorer.games import Role
from mapexplorer.games.name_bank import NAMES_OF
from mapexplorer.games.script_tables import IN_VARIABLE, MARTS
from mapexplorer.world.events.script_files import common_scripts, script_bank
from mapexplorer.world.references.readers import (
    FieldReader,
    Found,
    animated,
    animations,
    arguments,
    cells,
    effects,
    fields,
    headers,
    lands,
    listed,
    member_of,
    name_window,
    of_area,
    of_events,
    of_header,
    pictures,
    props,
    replaced_cells,
    row_of,
)
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.provenance import ARM9
from mapexplorer.world.subject import ReferencePart

PROGRAM_TABLES: Final = {
    "hidden item": ("hidden_items", "item"),
    "common mart": ("common_mart", "item"),
    "special mart": ("special_marts", ""),
}
"""Kind -> the table of the program (of `WorldFiles`) whose rows its things are, and where a row has items."""


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
        return self.read.name if self.user == "header" and isinstance(self.read, FieldReader) else ""

    def found(self, world: WorldFiles, number: int) -> Iterator[Found]:
        """The references of thing `number`, without those equal to `none`."""
        return (held for held in self.read(world, number) if held[0] != self.none)


_encounters = member_of(Role.ENCOUNTERS, WildEncounters)
_trade = member_of(Role.TRADES, InGameTrade)
_LIGHT_SET: Final = FieldReader("light_set", lambda world, area: world.game.light_set(world.area(area).light_set))

REFERENCES: Final = (
    Reference("header", None, "area", "area", Role.AREA_DATA, of_header("area")),
    Reference("header", None, "matrix", "matrix", Role.MAP_MATRIX, of_header("matrix")),
    Reference("header", None, "events", "events", Role.ZONE_EVENT, of_header("events")),
    Reference("header", None, "message bank", "messages", Role.MESSAGES, of_header("message_bank")),
    Reference("header", None, "scripts", "scripts", Role.SCRIPTS, of_header("scripts")),
    Reference(
        "header",
        None,
        "initial scripts",
        "scripts",
        Role.SCRIPTS,
        of_header("init_scripts", ReferencePart("initial scripts")),
    ),
    Reference("header", None, "preload list", "preload list", Role.PRELOAD_LISTS, of_header("preload_list")),
    Reference(
        "header",
        None,
        "wild encounters",
        "encounters",
        Role.ENCOUNTERS,
        of_header("wild_encounters"),
        NO_WILD_ENCOUNTERS,
    ),
    Reference("header", None, "name window", "name window", Role.PLACE_NAME_WINDOWS, name_window),
    Reference("header", None, "location name", "location", None, of_header("label_text")),
    Reference("header", None, "camera type", "camera", None, of_header("camera_type")),
    Reference("header", None, "weather", "weather", None, of_header("weather"), checked=False, shown=False),
    Reference("header", None, "land data", "land", Role.LAND_DATA, cells, checked=False),
    Reference("header", None, "land that code places", "land", Role.LAND_DATA, replaced_cells),
    Reference("matrix", Role.MAP_MATRIX, "land data", "land", Role.LAND_DATA, lands, EMPTY_CELL, shown=False),
    Reference("matrix", Role.MAP_MATRIX, "header", "header", None, headers, shown=False),
    Reference("area", Role.AREA_DATA, "prop set", "prop set", Role.AREA_BUILD, of_area("prop_set")),
    Reference(
        "area", Role.AREA_DATA, "prop textures", "prop set", Role.PROP_TEXTURES, of_area("prop_set"), shown=False
    ),
    Reference("area", Role.AREA_DATA, "terrain set", "terrain set", Role.TERRAIN_TEXTURES, of_area("terrain_set")),
    Reference("area", Role.AREA_DATA, "light set", "light set", Role.AREA_LIGHT, _LIGHT_SET),
    Reference("prop set", Role.AREA_BUILD, "prop model", "prop", Role.BUILD_MODEL, listed),
    Reference("land", Role.LAND_DATA, "prop model", "prop", Role.BUILD_MODEL, props, outside=Outside.DUMMY_BOX),
    Reference("prop", Role.PROP_ANIMATION_LIST, "animation", "prop animation", Role.PROP_ANIMATIONS, animations),
    Reference("terrain set", Role.TERRAIN_TEXTURES, "texture", "terrain animation", None, animated, checked=False),
    Reference("header", Role.ZONE_EVENT, "header", "header", None, of_events("warps", "header", "warp"), RETURN_HEADER),
    Reference(
        "header",
        Role.ZONE_EVENT,
        "object graphics",
        "object graphics",
        None,
        of_events("objects", "graphics", "object"),
        outside=Outside.NO_PICTURES,
    ),
    Reference("object graphics", None, "picture", "picture", Role.SPRITES, pictures),
    Reference(
        "encounters",
        Role.ENCOUNTERS,
        "species",
        "species",
        Role.SPECIES,
        fields(
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
        fields(_encounters, *(f"{method}.slots.species" for method in ("surf", "old_rod", "good_rod", "super_rod"))),
        0,
        shown=False,
    ),
    Reference(
        "species list",
        Role.ENCOUNTER_EXTRAS,
        "species",
        "species",
        Role.SPECIES,
        fields(
            lambda world, number: (
                None
                if number in world.game.files[Role.ENCOUNTER_EXTRAS].member_kinds
                else member_of(Role.ENCOUNTER_EXTRAS, SpeciesList)(world, number)
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
        fields(member_of(Role.TRAINERS, Trainer), "trainer_class"),
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINERS,
        "item",
        "item",
        None,
        fields(member_of(Role.TRAINERS, Trainer), "items"),
        0,
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINER_PARTIES,
        "species",
        "species",
        Role.SPECIES,
        fields(lambda world, trainer: world.party(trainer), "pokemon.species"),
        0,
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINER_PARTIES,
        "item",
        "item",
        None,
        fields(lambda world, trainer: world.party(trainer), "pokemon.item"),
        0,
        shown=False,
    ),
    Reference(
        "trainer",
        Role.TRAINER_PARTIES,
        "move",
        "move",
        None,
        fields(lambda world, trainer: world.party(trainer), "pokemon.moves"),
        0,
        shown=False,
    ),
    Reference(
        "trade",
        Role.TRADES,
        "species",
        "species",
        Role.SPECIES,
        fields(_trade, "species", "wanted_species"),
        0,
        shown=False,
    ),
    Reference("trade", Role.TRADES, "item", "item", None, fields(_trade, "item"), 0, shown=False),
    Reference(
        "species",
        Role.SPECIES,
        "item",
        "item",
        None,
        fields(member_of(Role.SPECIES, SpeciesData), "held_items"),
        0,
        shown=False,
    ),
    *(
        Reference(kind, None, "item", "item", None, fields(row_of(table), path), shown=False)
        for kind, (table, path) in PROGRAM_TABLES.items()
    ),
    Reference("scripts", Role.SCRIPTS, "text", "text", None, arguments("text"), shown=False, bank=script_bank),
    *(
        Reference(
            "scripts",
            Role.SCRIPTS,
            kind,
            kind,
            archive,
            effects(*names),
            0,
            shown=False,
            candidates=arguments(IN_VARIABLE),
        )
        for kind, archive, *names in (
            ("item", None, "give", "add item", "take"),
            ("trainer", Role.TRAINERS, "trainer", "partner"),
            ("species", Role.SPECIES, "wild", "pokemon", "egg"),
        )
    ),
    *(
        Reference("scripts", Role.SCRIPTS, kind, kind, archive, arguments(meaning), none, shown=False)
        for meaning, kind, archive, none in (
            ("species", "species", Role.SPECIES, 0),
            ("item", "item", None, 0),
            ("move", "move", None, 0),
            ("trainer", "trainer", Role.TRAINERS, 0),
            ("npc trade", "trade", Role.TRADES, None),
            ("script", "common script", None, None),
            *((f"mart {kind}", f"shop of {kind}", None, None) for kind in MARTS),
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


_NUMBERS: Final[Mapping[str, Callable[[WorldFiles], Collection[int] | None]]] = {
    "header": lambda world: range(len(world.headers)),
    "camera": lambda world: range(len(world.camera_table.value)),
    "location": lambda world: range(len(world.location_names)) or None,
    "object graphics": lambda world: world.object_graphics.value,
    "music": lambda world: range(len(world.sequence_names)) or None,
    "flag": lambda world: (
        range(max((numbers.stop for numbers, *_ in world.game.tables.save_names.flag_ranges), default=0)) or None
    ),
    "common script": common_scripts,
    "shop of specialties": lambda world: range(len(world.special_marts.value)) or None,
    "shop of decor": lambda world: range(len(world.game.tables.items.decor)) or None,
    "shop of seals": lambda world: range(len(world.game.tables.items.seals)) or None,
    "shop of frontier": lambda world: range(len(world.game.tables.items.frontier)) or None,
}
"""Kind -> the existing numbers, None where the ROM does not say it; of kinds without an archive."""


def known(world: WorldFiles, kind: str) -> Collection[int] | None:
    """The existing numbers of a kind with a table in the program or a bank of names; None for other kinds. Raises
    FormatError, RomError."""
    if kind in _NUMBERS:
        return _NUMBERS[kind](world)
    if kind in PROGRAM_TABLES:
        table = getattr(world, PROGRAM_TABLES[kind][0])
        return range(len(table.value) if table.why.archive == ARM9 else 0)
    names = world.names(NAMES_OF[kind]) if kind in NAMES_OF else None
    return range(len(names)) if names else None


def named(world: WorldFiles, kind: str, number: int) -> dict[str, tuple[str, int]]:
    """Field -> (kind, number) of what a thing names, for the fields that hold one number."""
    references = [
        reference for reference in REFERENCES if reference.user == kind and isinstance(reference.read, FieldReader)
    ]
    return {
        reference.field: (reference.used, held)
        for reference in references
        for held, _ in reference.found(world, number)
    }
