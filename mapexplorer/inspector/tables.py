"""Facts as tables: one row each for a map, a tile of a map, a way to meet a wild Pokémon, a Pokémon of a trainer, an
item and its place, an item in a shop, a Pokémon that a script gives, a trade, a flag, a variable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final

from formats.binary import require
from formats.field.map_header import MapHeader
from mapexplorer.catalogue import wording
from mapexplorer.catalogue.edge import FRAME, HIDES
from mapexplorer.catalogue.store import open_store
from mapexplorer.catalogue.uses import Use, used_by
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.meetings import find_encounters, meetings
from mapexplorer.gameplay.names import name, species_name
from mapexplorer.gameplay.trainers import Trainers, find_trainer
from mapexplorer.games import NameBank, Topic
from mapexplorer.grouping import by_key
from mapexplorer.inspector.places.species import SCRIPTED, script_of, scripted_pokemon
from mapexplorer.inspector.things.named import MEANINGS
from mapexplorer.world import FieldWorld, Header
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.events.script_effects import NOT_CONSTANT
from mapexplorer.world.events.script_files import script_owners
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.subject import Subject
from mapexplorer.world.wording import leftover_label

Row = tuple[Any, ...]
Maps = Sequence[Header]


@dataclass(frozen=True)
class TableKind:
    """A kind of table."""

    columns: tuple[str, ...]
    """In snake case."""
    rows: Callable[[FieldWorld, Maps], Iterator[Row]]
    """Those of some maps, without headers of all."""
    whole: bool = True
    """All may be asked at once."""
    topic: Topic | None = None
    """What must be known of the game."""
    lacks: tuple[Topic, ...] = ()
    """Without which rows lack something."""
    parts: tuple[str, ...] = ()
    """The parts of the store that rows are made of; none: they are not."""
    free: Callable[[FieldWorld, Maps], Iterator[Row]] | None = None
    """The rows of what nothing uses, for which all of `lacks` must be known."""


def chosen_columns(table: TableKind, names: Iterable[str]) -> tuple[int, ...]:
    """The indices of some columns. Raises ValueError for a name that no column has."""
    indices = []
    for wanted in names:
        require(wanted in table.columns, f"{wanted!r} is no column; the columns are {', '.join(table.columns)}")
        indices.append(table.columns.index(wanted))
    return tuple(indices)


_NAMES: Final = ("header", "internal_name", "symbolic_name", "location_name", "place_name")


def _names(header: Header | None) -> Row:
    """The columns of `_NAMES`."""
    if header is None:
        return (None,) * len(_NAMES)
    return header.id, header.internal_name, header.symbolic_name, header.location_name, header.name


def _places(headers: Iterable[Header | None]) -> str:
    """The names of the places of maps, each once; a name may have a comma."""
    return "; ".join(dict.fromkeys(header.name for header in headers if header is not None))


def _of(world: FieldWorld, bank: NameBank | None, number: int | None) -> str | None:
    """The name of a number; None for 0, for none, and where there are no names."""
    return name(world, bank, number) or None if bank is not None and number else None


def _on(headers: Maps, header: Header | None) -> bool:
    """Whether a map is one of some, or none is named."""
    return not headers or any(header is chosen for chosen in headers)


# --- maps

_FIELDS: Final = tuple(field.name for field in fields(MapHeader))


def _maps(world: FieldWorld, headers: Maps) -> Iterator[Row]:
    for header in headers or world.headers:
        left = ", ".join(leftover_label(rule) for rule in world.leftovers(header.id))
        weather = world.game.tables.weather_name(header.weather)
        yield (*_names(header), header.kind, left, weather, *(getattr(header, field) for field in _FIELDS))


# --- the tiles of a map


def _tiles(world: FieldWorld, headers: Maps) -> Iterator[Row]:
    for header in headers:
        place = world.place(header.id)
        terrain, tables = place.terrain, world.game.tables
        for tile in terrain.tiles(place.cells):
            x, z, behaviour = int(tile["x"]), int(tile["z"]), int(tile["behaviour"])
            answer = terrain.height((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS)
            known = tables.behaviour(behaviour)
            height = answer.height if answer.plate is not None else None
            yield (
                header.id,
                x,
                z,
                bool(tile["blocked"]),
                behaviour,
                known.name,
                known.wild_encounters,
                known.surf,
                height,
                len(answer.candidates),
            )


# --- wild Pokémon


def _encounters(world: FieldWorld, headers: Maps) -> Iterator[Row]:
    for header in headers or world.headers:
        facts = read_or(None, find_encounters, world, header.id)
        for meeting in meetings(facts) if facts is not None else ():
            species = meeting.species, species_name(world, meeting.species)
            yield (
                *_names(header),
                meeting.how,
                meeting.when,
                *species,
                meeting.percent,
                meeting.lowest,
                meeting.highest,
            )


def _static(world: FieldWorld, headers: Maps) -> Iterator[Row]:
    for header, given in scripted_pokemon(world):
        if _on(headers, header):
            yield (
                *_names(header),
                SCRIPTED[given.how],
                given.species,
                _of(world, NameBank.SPECIES, given.species),
                given.level,
                given.item or None,
                _of(world, NameBank.ITEMS, given.item),
                script_of(header, given.member, given.entry),
            )


def _trades(world: FieldWorld, headers: Maps) -> Iterator[Row]:
    for header, given in scripted_pokemon(world):
        if given.trade is not None and _on(headers, header):
            number, record, *names = given.trade
            yield (
                *_names(header),
                number,
                record.species,
                species_name(world, record.species),
                *names,
                record.wanted_species,
                species_name(world, record.wanted_species),
                record.item or None,
                _of(world, NameBank.ITEMS, record.item),
                *record.individual_values,
                script_of(header, given.member, given.entry),
            )


# --- trainers


def _trainers(world: FieldWorld, headers: Maps) -> Iterator[Row]:
    on: dict[int, dict[str, Header]] = {}
    for used, header in open_store(world.rom).rows(_MET):
        on.setdefault(int(used), {})[world.headers[header].internal_name] = world.headers[header]
    for number in range(1, len(Trainers(world))):
        maps = on.get(number, {})
        if headers and not any(_on(headers, of_map) for of_map in maps.values()):
            continue
        trainer = read_or(None, find_trainer, world, number)
        if trainer is None:
            continue
        for slot, pokemon in enumerate(trainer.party):
            stored = pokemon.stored
            moves = [name(world, NameBank.MOVES, move) for move in stored.moves or () if move]
            yield (
                number,
                trainer.name,
                trainer.class_name,
                slot + 1,
                stored.species,
                species_name(world, stored.species),
                stored.level,
                pokemon.individual_value,
                name(world, NameBank.NATURES, pokemon.nature),
                None if pokemon.gender is None else pokemon.gender.value,
                _of(world, NameBank.ABILITIES, pokemon.ability),
                _of(world, NameBank.ITEMS, stored.item),
                ", ".join(moves),
                ", ".join(maps),
                _places(maps.values()),
            )


_MET: Final = """
SELECT used, header FROM edge WHERE used_kind = 'trainer' AND header IS NOT NULL
AND (how IN ('on', 'trainer', 'partner') OR how LIKE 'Start%') ORDER BY rowid"""
"""The maps of the battles with trainers."""


# --- items and shops


def _items(world: FieldWorld, headers: Maps) -> Iterator[Row]:
    owners = script_owners(world)
    for on, member, entry, item, *facts in open_store(world.rom).rows(_FOUND):
        header = owners.get(member) if on is None else world.headers[on]
        if _on(headers, header):
            script = None if member is None else script_of(header, member, entry)
            yield (*_names(header), item, _of(world, NameBank.ITEMS, item), *facts, script)


_FOUND: Final = f"""
SELECT header, member, entry, item, CASE source WHEN 'berry' THEN 'berry tree' WHEN 'script' THEN 'given'
WHEN 'add' THEN 'given' ELSE source END, x, z, nullif(count, {NOT_CONSTANT}), flag FROM item_source
WHERE source IN ('floor', 'hidden', 'berry', 'script', 'add') ORDER BY coalesce(header, 65536), rowid"""
"""The items on maps by header, then those that scripts give."""


def _shops(world: FieldWorld, headers: Maps) -> Iterator[Row]:
    items, owners, known = Items(world), script_owners(world), world.game.tables.items
    steps = {goods.item: known.step_by_badges.index(goods.step) for goods in world.common_mart.value}
    for number, shop in enumerate(items.shops(open_store(world.rom).effects("mart"))):
        opened = [(owners.get(member), member, entry) for member, entry in shop.opened_by]
        opened = [script for script in opened if _on(headers, script[0])]
        scripts = ", ".join(script_of(*script) for script in opened)
        if headers and not scripts:
            continue
        bank = {"decor": NameBank.UNDERGROUND_GOODS, "seals": None}.get(shop.kind, NameBank.ITEMS)
        badges = steps if shop.kind == "common" else {}
        for item, price in shop.goods:
            yield (
                number,
                shop.kind,
                shop.number,
                shop.place,
                item,
                _of(world, bank, item),
                price,
                badges.get(item),
                scripts,
                _places(script[0] for script in opened),
            )


# --- flags and variables


def _used(kind: str, ways: Mapping[str, str], free: bool, world: FieldWorld, headers: Maps) -> Iterator[Row]:
    """The flags or variables, with what uses them in each of some ways; `free`: those that neither the game nor this
    ROM uses."""
    store, known = open_store(world.rom), world.game.tables.save_names
    by_number = by_key((int(use.used.key[0]), use) for use in used_by(store, Subject(kind, ())))
    names = {int(key): shown for key, shown in store.rows("SELECT key, name FROM thing WHERE kind = ?", kind)}
    unused = {"flag": known.unused_flags, "variable": known.unused_variables}[kind]
    for number in sorted({*unused} - {*by_number} if free else names):
        uses = by_number.get(number, [])
        maps = [world.headers[use.header] for use in uses if use.header is not None]
        if not headers or any(_on(headers, header) for header in maps):
            title = world.shown_constant(kind, number) or names.get(number, "")
            yield number, title, MEANINGS[kind](world, number), *_by_way(uses, ways), _places(maps)


def _by_way(uses: Iterable[Use], ways: Mapping[str, str]) -> Iterator[str]:
    """What uses something, by column."""
    by_column: dict[str, dict[str, None]] = {column: {} for column in (*ways.values(), _OTHERS)}
    for use in uses:
        column = ways.get(use.how, _OTHERS)
        words = wording.at(use) if column != _OTHERS else f"{wording.how(use)} {wording.at(use)}"
        words += f" object {use.user.key[1]}" if use.how == HIDES else wording.never_run(use)
        by_column[column][words] = None
    return (", ".join(here) for here in by_column.values())


_OTHERS: Final = "others"
_FLAG: Final = {
    "set by": "set",
    "set when beaten:": "set",
    "set when the item is taken from": "set",
    "set on the first arrival on": "set",
    "cleared by": "cleared",
    "checked by": "checked",
    HIDES: "hides",
}
_VARIABLE: Final = {
    "set by": "set",
    "changed by": "changed",
    "read by": "read",
    "trigger": "trigger",
    FRAME: "frame",
}
"""How flags and variables are used (`catalogue.edges`) -> the column; other uses have one of their own."""


TABLES: Final[Mapping[str, TableKind]] = {
    "maps": TableKind((*_NAMES, "kind", "left_over", "weather_name", *_FIELDS), _maps),
    "tiles": TableKind(
        ("header", "x", "z", "blocked", "behaviour", "behaviour_name", "wild_encounters", "surf", "height", "plates"),
        _tiles,
        whole=False,
    ),
    "encounters": TableKind(
        (*_NAMES, "how", "when", "species", "species_name", "percent", "lowest_level", "highest_level"),
        _encounters,
        topic=Topic.ENCOUNTERS,
        parts=("wild encounters",),
    ),
    "trainers": TableKind(
        (
            "trainer",
            "name",
            "class",
            "slot",
            "species",
            "species_name",
            "level",
            "individual_value",
            "nature",
            "gender",
            "ability",
            "item",
            "moves",
            "maps",
            "place_names",
        ),
        _trainers,
        topic=Topic.TRAINERS,
        lacks=(Topic.SCRIPTS,),
        parts=("scripts of events", "scripts", "trainers"),
    ),
    "items": TableKind(
        (*_NAMES, "item", "item_name", "how", "x", "z", "count", "flag", "script"),
        _items,
        topic=Topic.ITEMS,
        lacks=(Topic.SCRIPTS,),
        parts=("items", "scripts"),
    ),
    "shops": TableKind(
        ("shop", "kind", "number", "place", "goods", "goods_name", "price", "badges", "scripts", "place_names"),
        _shops,
        topic=Topic.ITEMS,
        lacks=(Topic.SCRIPTS,),
        parts=("scripts",),
    ),
    "static": TableKind(
        (*_NAMES, "how", "species", "species_name", "level", "item", "item_name", "script"),
        _static,
        topic=Topic.SCRIPTS,
        parts=("scripts",),
    ),
    "trades": TableKind(
        (
            *_NAMES,
            "trade",
            "species",
            "species_name",
            "nickname",
            "trainer",
            "wanted",
            "wanted_name",
            "item",
            "item_name",
            "hp",
            "attack",
            "defense",
            "speed",
            "special_attack",
            "special_defense",
            "script",
        ),
        _trades,
        topic=Topic.SCRIPTS,
        parts=("scripts",),
    ),
    "flags": TableKind(
        ("flag", "name", "meaning", *dict.fromkeys(_FLAG.values()), _OTHERS, "place_names"),
        partial(_used, "flag", _FLAG, False),
        lacks=(Topic.SCRIPTS, Topic.TRAINERS),
        parts=("events", "scripts of events", "scripts"),
        free=partial(_used, "flag", _FLAG, True),
    ),
    "variables": TableKind(
        ("variable", "name", "meaning", *_VARIABLE.values(), _OTHERS, "place_names"),
        partial(_used, "variable", _VARIABLE, False),
        lacks=(Topic.SCRIPTS,),
        parts=("events", "initial scripts", "scripts"),
        free=partial(_used, "variable", _VARIABLE, True),
    ),
}
"""The tables by name."""
