"""Random edits of a ROM, each with the change that it is."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any, Final

from formats.field.item_data import ItemData
from formats.field.land_data import LandData
from formats.field.map_header import MAP_HEADER_BYTES, MapHeader
from formats.field.message import MessageBank
from formats.field.script import Command, ScriptFile
from formats.field.species_data import SpeciesData
from formats.field.trainer import Trainer
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import ZoneEvents
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from mapexplorer.compare.change import Action, Kind
from mapexplorer.games import Role
from tests.compare.conftest import Edits

Told = tuple[Kind, Action, tuple[int | str, ...], str]
"""Kind, action, key and field of a change."""

_SET_FLAG: Final = (30, 31)
"""The commands that set and clear the flag in their only argument."""


def header(edits: Edits, number: int, **fields: Any) -> None:
    """Replace fields of a map header."""
    offset = edits.world.header_table.why.offset
    assert offset is not None
    start = offset + MAP_HEADER_BYTES * number
    record = MapHeader.from_bytes(bytes(edits.arm9[start : start + MAP_HEADER_BYTES]))
    edits.arm9[start : start + MAP_HEADER_BYTES] = dataclasses.replace(record, **fields).to_bytes()


def random_edits(edits: Edits, chance: random.Random, count: int) -> set[Told]:
    """Make different edits, one after the other, and say which changes they are."""
    made: set[Told] = set()
    tries = 0
    while len(made) < count:
        one = chance.choice(_EDITS)(edits, chance, made)
        made |= {one} if one is not None else set()
        tries += 1
        assert tries < 50 * count
    return made


Edit = Callable[[Edits, random.Random, set[Told]], Told | None]
"""Makes an edit that is not among those made; None: it found nothing to edit."""


def _number(edits: Edits, chance: random.Random, role: Role) -> int:
    return chance.randrange(len(edits.world.members(role)))


def _tile(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
    land, x, z = _number(edits, chance, Role.LAND_DATA), chance.randrange(32), chance.randrange(32)
    told: Told = (Kind.TILE, Action.CHANGED, (land, x, z), "collision")

    def block(words: Any) -> None:
        words[z, x] ^= 0x8000

    if told in made:
        return None
    edits.rows(Role.LAND_DATA, land, LandData, "attributes", block)
    return told


def _prop(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
    land = _number(edits, chance, Role.LAND_DATA)
    props = edits.value(Role.LAND_DATA, land, LandData).props
    if not len(props):
        return None
    index, field = chance.randrange(len(props)), chance.choice(["position", "scale"])

    def change(records: Any) -> None:
        records[index][field][1] += 1

    edits.rows(Role.LAND_DATA, land, LandData, "props", change)
    return Kind.PROP, Action.MOVED if field == "position" else Action.CHANGED, (land, index), field


def _event(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
    zone, name = _number(edits, chance, Role.ZONE_EVENT), chance.choice(["warps", "objects"])
    rows = getattr(edits.value(Role.ZONE_EVENT, zone, ZoneEvents), name)
    if not len(rows):
        return None
    index = chance.randrange(len(rows))

    def change(records: Any) -> None:
        if name == "warps":
            records[index]["header"] = (int(records[index]["header"]) + 1) % len(edits.world.headers)
        else:
            records[index]["trainer_type"] += 1

    edits.rows(Role.ZONE_EVENT, zone, ZoneEvents, name, change)
    if name == "warps":
        return Kind.WARP, Action.CHANGED, (zone, index), "target"
    return Kind.EVENT, Action.CHANGED, (zone, "object", index), "trainer_type"


def _script(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
    member = chance.choice(edits.world.headers).scripts
    file = edits.value(Role.SCRIPTS, member, ScriptFile)
    places = [index for index, item in enumerate(file.items) if isinstance(item, Command) and item.number in _SET_FLAG]
    told: list[Told] = [(Kind.SCRIPT, Action.CHANGED, (member, index), "instruction") for index in places]
    left = [(index, one) for index, one in zip(places, told, strict=True) if one not in made]
    if not left:
        return None
    index, chosen = chance.choice(left)
    items = list(file.items)
    command = items[index]
    assert isinstance(command, Command) and isinstance(command.arguments[0], int)
    items[index] = dataclasses.replace(command, arguments=(command.arguments[0] ^ 1,))
    edits.put(Role.SCRIPTS, member, dataclasses.replace(file, items=tuple(items)))
    return chosen


def _text(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
    number = _number(edits, chance, Role.MESSAGES)
    bank = edits.value(Role.MESSAGES, number, MessageBank)
    if not len(bank):
        return None
    index = chance.randrange(len(bank))
    if "{packed}" in bank[index]:
        return None
    texts = [text + "!" if at == index else text for at, text in enumerate(bank.messages)]
    edits.change(Role.MESSAGES, number, MessageBank, messages=tuple(texts))
    return Kind.TEXT, Action.CHANGED, (number, index), "text"


def _texture(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
    number = _number(edits, chance, Role.TERRAIN_TEXTURES)
    file = edits.value(Role.TERRAIN_TEXTURES, number, Nsbtx)
    textures = list(file.textures.textures)
    index = chance.randrange(len(textures))
    texture = textures[index]
    told: Told = (Kind.TEXTURE, Action.CHANGED, (str(Role.TERRAIN_TEXTURES), number, texture.name), "texels")
    if told in made:
        return None
    textures[index] = dataclasses.replace(texture, texels=bytes([texture.texels[0] ^ 1]) + texture.texels[1:])
    made_set = dataclasses.replace(file.textures, textures=tuple(textures))
    edits.put(Role.TERRAIN_TEXTURES, number, dataclasses.replace(file, textures=made_set))
    return told


def _model(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
    number = _number(edits, chance, Role.BUILD_MODEL)
    file = edits.value(Role.BUILD_MODEL, number, Nsbmd)
    first, *others = file.models
    model = dataclasses.replace(first, vertex_count=(first.vertex_count + 1) % 0x10000)
    edits.put(Role.BUILD_MODEL, number, dataclasses.replace(file, models=(model, *others)))
    return Kind.MODEL, Action.CHANGED, (number,), "vertex_count"


def _header(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
    number = chance.randrange(2, len(edits.world.headers))
    told: Told = (Kind.HEADER, Action.CHANGED, (number,), "battle_background")
    if told in made:
        return None
    header(edits, number, battle_background=(edits.world.headers[number].battle_background + 1) % 12)
    return told


def _record(role: Role, kind: Kind, record: Any, field: str) -> Edit:
    """Raises a byte in a field of a record."""

    def edit(edits: Edits, chance: random.Random, made: set[Told]) -> Told | None:
        number = _number(edits, chance, role)
        told: Told = (kind, Action.CHANGED, (number,), field)
        if told in made:
            return None
        value = edits.value(role, number, record)
        edits.put(role, number, dataclasses.replace(value, **{field: (getattr(value, field) + 1) % 256}))
        return told

    return edit


_EDITS: Final[tuple[Edit, ...]] = (
    _tile, _prop, _event, _script, _text, _texture, _model, _header,
    _record(Role.ITEMS, Kind.ITEM, ItemData, "price"),
    _record(Role.SPECIES, Kind.SPECIES, SpeciesData, "friendship"),
    _record(Role.TRAINERS, Kind.TRAINER, Trainer, "ai"),
    _record(Role.ENCOUNTERS, Kind.ENCOUNTER, WildEncounters, "unown_table"),
)  # fmt: skip
