"""Random edits of a ROM, each with the change that it is."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from formats.binary import frozen
from formats.field.area import AreaBuild, AreaData
from formats.field.area_light import AreaLight
from formats.field.bdhc import Bdhc
from formats.field.item_data import ItemData
from formats.field.land_data import LandData
from formats.field.map_header import MAP_HEADER_BYTES, MapHeader
from formats.field.map_matrix import MapMatrix
from formats.field.message import MessageBank
from formats.field.script import Command, ScriptFile, Target
from formats.field.species_data import SpeciesData
from formats.field.trainer import Trainer
from formats.field.trainer_party import TrainerParty
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import ZoneEvents
from formats.fixed import ONE
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbta import Nsbta
from formats.nitro.nsbtx import Nsbtx
from mapexplorer.compare.change import ChangeAction, ChangedKind
from mapexplorer.games import Role
from mapexplorer.world.sources.program_tables import table_record
from tests.compare.conftest import Edits

Told = tuple[ChangedKind, ChangeAction, tuple[int | str, ...], str]
"""Kind, action, key and field of a change."""

_TRIES: Final = 50
"""The most edits that are tried for each one that is wanted."""

_SET_FLAG: Final = (30, 31)
"""The commands that set and clear the flag in their only argument."""


def header(edits: Edits, number: int, **fields: Any) -> None:
    """Replace fields of a map header."""
    offset = edits.world.header_table.why.offset
    assert offset is not None
    start = offset + MAP_HEADER_BYTES * number
    record = MapHeader.from_bytes(bytes(edits.arm9[start : start + MAP_HEADER_BYTES]))
    edits.arm9[start : start + MAP_HEADER_BYTES] = dataclasses.replace(record, **fields).to_bytes()


class Made(set[Told]):
    """The changes that were made, and the things that no later edit may touch."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: set[tuple[object, ...]] = set()

    def take(self, *thing: object) -> bool:
        """Reserve a thing; False if it was reserved before."""
        free = thing not in self.taken
        self.taken.add(thing)
        return free


def random_edits(edits: Edits, chance: random.Random, count: int) -> Made:
    """Make different edits, one after the other, until there are `count` changes or a few more; say which they are."""
    made = Made()
    tries = 0
    while len(made) < count:
        one = chance.choice(_EDITS)(edits, chance, made)
        made.update([] if one is None else one if isinstance(one, list) else [one])
        tries += 1
        assert tries < _TRIES * count
    return made


Edit = Callable[[Edits, random.Random, Made], Told | list[Told] | None]
"""Makes an edit that is not among those made; None: it found nothing to edit."""


def _number(edits: Edits, chance: random.Random, role: Role) -> int:
    return chance.randrange(len(edits.world.members(role)))


def _index(chance: random.Random, items: Any) -> int | None:
    return chance.randrange(len(items)) if len(items) else None


def _tile(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    land, x, z = _number(edits, chance, Role.LAND_DATA), chance.randrange(32), chance.randrange(32)
    told: Told = (ChangedKind.TILE, ChangeAction.CHANGED, (land, x, z), "collision")

    def block(words: Any) -> None:
        words[z, x] ^= 0x8000

    if told in made:
        return None
    edits.rows(Role.LAND_DATA, land, LandData, "attributes", block)
    return told


def _prop(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    land = _number(edits, chance, Role.LAND_DATA)
    props = edits.value(Role.LAND_DATA, land, LandData).props
    if not len(props) or not made.take("props", land):
        return None
    index, field = chance.randrange(len(props)), chance.choice(["position", "scale"])

    def change(records: Any) -> None:
        records[index][field][1] += 1

    edits.rows(Role.LAND_DATA, land, LandData, "props", change)
    return ChangedKind.PROP, ChangeAction.MOVED if field == "position" else ChangeAction.CHANGED, (land, index), field


def _event(edits: Edits, chance: random.Random, made: Made) -> Told | None:
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
        return ChangedKind.WARP, ChangeAction.CHANGED, (zone, index), "target"
    return ChangedKind.EVENT, ChangeAction.CHANGED, (zone, "object", index), "trainer_type"


def _script(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    member = chance.choice(edits.world.headers).scripts
    file = edits.value(Role.SCRIPTS, member, ScriptFile)
    if ("script", member) in made.taken:
        return None
    places = [index for index, item in enumerate(file.items) if isinstance(item, Command) and item.number in _SET_FLAG]
    told: list[Told] = [(ChangedKind.SCRIPT, ChangeAction.CHANGED, (member, index), "instruction") for index in places]
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


def _text(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.MESSAGES)
    bank = edits.value(Role.MESSAGES, number, MessageBank)
    if not len(bank):
        return None
    index = chance.randrange(len(bank))
    if "{packed}" in bank[index]:
        return None
    texts = [text + "!" if at == index else text for at, text in enumerate(bank.messages)]
    edits.change(Role.MESSAGES, number, MessageBank, messages=tuple(texts))
    return ChangedKind.TEXT, ChangeAction.CHANGED, (number, index), "text"


def _texture(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.TERRAIN_TEXTURES)
    file = edits.value(Role.TERRAIN_TEXTURES, number, Nsbtx)
    textures = list(file.textures.textures)
    index = chance.randrange(len(textures))
    texture = textures[index]
    told: Told = (
        ChangedKind.TEXTURE,
        ChangeAction.CHANGED,
        (str(Role.TERRAIN_TEXTURES), number, texture.name),
        "texels",
    )
    if told in made:
        return None
    textures[index] = dataclasses.replace(texture, texels=bytes([texture.texels[0] ^ 1]) + texture.texels[1:])
    made_set = dataclasses.replace(file.textures, textures=tuple(textures))
    edits.put(Role.TERRAIN_TEXTURES, number, dataclasses.replace(file, textures=made_set))
    return told


def _model(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.BUILD_MODEL)
    if not made.take("model", number):
        return None
    file = edits.value(Role.BUILD_MODEL, number, Nsbmd)
    first, *others = file.models
    model = dataclasses.replace(first, vertex_count=(first.vertex_count + 1) % 0x10000)
    edits.put(Role.BUILD_MODEL, number, dataclasses.replace(file, models=(model, *others)))
    return ChangedKind.MODEL, ChangeAction.CHANGED, (number,), "vertex_count"


def _header(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = chance.randrange(2, len(edits.world.headers))
    told: Told = (ChangedKind.HEADER, ChangeAction.CHANGED, (number,), "battle_background")
    if told in made:
        return None
    header(edits, number, battle_background=(edits.world.headers[number].battle_background + 1) % 12)
    return told


def _record(role: Role, kind: ChangedKind, record: Any, field: str) -> Edit:
    """Raises a byte in a field of a record."""

    def edit(edits: Edits, chance: random.Random, made: Made) -> Told | None:
        number = _number(edits, chance, role)
        told: Told = (kind, ChangeAction.CHANGED, (number,), field)
        if told in made:
            return None
        value = edits.value(role, number, record)
        edits.put(role, number, dataclasses.replace(value, **{field: (getattr(value, field) + 1) % 256}))
        return told

    return edit


def _behaviour(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    land, x, z = _number(edits, chance, Role.LAND_DATA), chance.randrange(32), chance.randrange(32)
    told: Told = (ChangedKind.TILE, ChangeAction.CHANGED, (land, x, z), "behaviour")

    def grow(words: Any) -> None:
        words[z, x] ^= 2

    if told in made:
        return None
    edits.rows(Role.LAND_DATA, land, LandData, "attributes", grow)
    return told


def _height(edits: Edits, chance: random.Random, made: Made) -> list[Told] | None:
    """All plates of a land are raised by 8 units."""
    land = _number(edits, chance, Role.LAND_DATA)
    bdhc = edits.value(Role.LAND_DATA, land, LandData).bdhc
    if not isinstance(bdhc, Bdhc) or not made.take("plates", land):
        return None
    middles = [(16 * tile + 8 - 256) * ONE for tile in range(32)]
    covered = [(x, z) for z in range(32) for x in range(32) if bdhc.candidates(middles[x], middles[z])[1]]
    if not covered or len(covered) > 40:
        return None
    edits.change(
        Role.LAND_DATA, land, LandData, bdhc=dataclasses.replace(bdhc, constants=frozen(bdhc.constants - 8 * ONE))
    )
    return [(ChangedKind.TILE, ChangeAction.CHANGED, (land, x, z), "height") for x, z in covered]


def _prop_model(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    land = _number(edits, chance, Role.LAND_DATA)
    props = edits.value(Role.LAND_DATA, land, LandData).props
    index = _index(chance, props)
    others = set(range(len(edits.world.members(Role.BUILD_MODEL)))) - set(props["model"].tolist())
    if index is None or not made.take("props", land):
        return None

    def replace(records: Any) -> None:
        records[index]["model"] = min(others)

    edits.rows(Role.LAND_DATA, land, LandData, "props", replace)
    return ChangedKind.PROP, ChangeAction.REPLACED, (land, index), "model"


def _prop_count(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    land, adds = _number(edits, chance, Role.LAND_DATA), chance.random() < 0.5
    props = edits.value(Role.LAND_DATA, land, LandData).props
    index = _index(chance, props)
    if index is None or not made.take("props", land):
        return None

    def change(records: Any) -> Any:
        if not adds:
            return np.delete(records, index)
        more = np.append(records, records[index : index + 1])
        more[-1]["position"] += 8 * ONE
        return more

    edits.rows(Role.LAND_DATA, land, LandData, "props", change)
    if adds:
        return ChangedKind.PROP, ChangeAction.ADDED, (land, len(props)), ""
    equal = [number for number, record in enumerate(props) if record == props[index]]
    return ChangedKind.PROP, ChangeAction.REMOVED, (land, equal[-1]), ""


def _event_position(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    zone, name = _number(edits, chance, Role.ZONE_EVENT), chance.choice(["background", "triggers", "warps"])
    index = _index(chance, getattr(edits.value(Role.ZONE_EVENT, zone, ZoneEvents), name))
    if index is None or not made.take("position", zone, name, index):
        return None

    def move(records: Any) -> None:
        records[index]["z"] += 1

    edits.rows(Role.ZONE_EVENT, zone, ZoneEvents, name, move)
    if name == "warps":
        return ChangedKind.WARP, ChangeAction.MOVED, (zone, index), "x, z"
    return (
        ChangedKind.EVENT,
        ChangeAction.MOVED,
        (zone, "sign" if name == "background" else "trigger", index),
        "x, z, y",
    )


def _script_line(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    """A command is inserted after another one."""
    member = chance.choice(edits.world.headers).scripts
    file = edits.value(Role.SCRIPTS, member, ScriptFile)
    commands = [index for index, item in enumerate(file.items) if isinstance(item, Command)]
    if not commands or any(told[0] is ChangedKind.SCRIPT and told[2][0] == member for told in made):
        return None
    made.take("script", member)
    at = chance.choice(commands)
    inserted = Command(min(_SET_FLAG), (300,))
    edits.put(Role.SCRIPTS, member, with_line(file, at, inserted))
    equal = at + 1
    while equal < len(file.items) and file.items[equal] == inserted:
        equal += 1
    return ChangedKind.SCRIPT, ChangeAction.ADDED, (member, equal), ""


def with_line(file: ScriptFile, at: int, inserted: Command) -> ScriptFile:
    """A script file with a command after item `at`; what led to later items still does."""

    def shifted(target: Target) -> Target:
        return dataclasses.replace(target, item=target.item + (target.item > at))

    def moved(item: Any) -> Any:
        if not isinstance(item, Command):
            return item
        arguments = tuple(shifted(one) if isinstance(one, Target) else one for one in item.arguments)
        return dataclasses.replace(item, arguments=arguments)

    items = [moved(item) for item in file.items]
    items.insert(at + 1, inserted)
    return dataclasses.replace(file, items=tuple(items), entries=tuple(map(shifted, file.entries)))


def _new_text(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.MESSAGES)
    messages = edits.value(Role.MESSAGES, number, MessageBank).messages
    edits.change(Role.MESSAGES, number, MessageBank, messages=(*messages, f"Text {len(messages)}"))
    return ChangedKind.TEXT, ChangeAction.ADDED, (number, len(messages)), ""


def _palette(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.PROP_TEXTURES)
    file = edits.value(Role.PROP_TEXTURES, number, Nsbtx)
    index = _index(chance, file.textures.palettes)
    if index is None:
        return None
    palettes = list(file.textures.palettes)
    palette = palettes[index]
    key = str(Role.PROP_TEXTURES), number, f"palette {palette.name}"
    if not len(palette.colors) or not made.take(*key):
        return None
    colors = palette.colors.copy()
    colors[0] ^= 1
    palettes[index] = dataclasses.replace(palette, colors=frozen(colors))
    textures = dataclasses.replace(file.textures, palettes=tuple(palettes))
    edits.put(Role.PROP_TEXTURES, number, dataclasses.replace(file, textures=textures))
    return ChangedKind.TEXTURE, ChangeAction.CHANGED, key, "colors[0]"


def _swapped_models(edits: Edits, chance: random.Random, made: Made) -> list[Told] | None:
    models = edits.world.members(Role.BUILD_MODEL)
    numbers = chance.sample(range(len(models)), 2)
    contents = [bytes(models[number]) for number in numbers]
    if any(("model", number) in made.taken for number in numbers):
        return None
    if any(sum(bytes(models[other]) == data for other in range(len(models))) > 1 for data in contents):
        return None
    for number, data in zip(numbers, reversed(contents), strict=True):
        made.take("model", number)
        edits.put(Role.BUILD_MODEL, number, data)
    return [(ChangedKind.MODEL, ChangeAction.MOVED, (str(Role.BUILD_MODEL), number), "number") for number in numbers]


def _cell(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.MAP_MATRIX)
    matrix = edits.value(Role.MAP_MATRIX, number, MapMatrix)
    z, x = chance.randrange(matrix.height), chance.randrange(matrix.width)
    if matrix.altitudes is None or not made.take("cell", number, x, z):
        return None
    altitudes = matrix.altitudes.copy()
    altitudes[z, x] ^= 1
    edits.change(Role.MAP_MATRIX, number, MapMatrix, altitudes=frozen(altitudes))
    return ChangedKind.MATRIX, ChangeAction.CHANGED, (number, x, z), "altitude"


def _area(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.AREA_DATA)
    if not made.take("area", number):
        return None
    area = edits.value(Role.AREA_DATA, number, AreaData)
    edits.change(Role.AREA_DATA, number, AreaData, light_set=area.light_set ^ 1)
    return ChangedKind.AREA, ChangeAction.CHANGED, (number,), "light_set"


def _light(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.AREA_LIGHT)
    light = edits.value(Role.AREA_LIGHT, number, AreaLight)
    index, part = chance.randrange(len(light.blocks)), chance.randrange(3)
    told: Told = (ChangedKind.LIGHT, ChangeAction.CHANGED, (number,), f"blocks[{index}].ambient[{part}]")
    if len([one for one in made if one[0] is ChangedKind.LIGHT and one[2] == (number,)]) > 10 or told in made:
        return None
    blocks = list(light.blocks)
    ambient = list(blocks[index].ambient)
    ambient[part] = (ambient[part] + 1) % 32
    blocks[index] = dataclasses.replace(blocks[index], ambient=tuple(ambient))
    edits.change(Role.AREA_LIGHT, number, AreaLight, blocks=tuple(blocks))
    return told


def _camera(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    table = edits.world.camera_table
    size = table_record(edits.world.game.program.camera_record).itemsize
    number = chance.randrange(len(table.value))
    if not made.take("camera", number):
        return None
    assert table.why.archive is not None and table.why.offset is not None
    edits.overlay(table.why.archive)[table.why.offset + size * number] ^= 1
    return ChangedKind.CAMERA, ChangeAction.CHANGED, (table.value[number].id,), "distance"


def _prop_list(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.AREA_BUILD)
    models = edits.value(Role.AREA_BUILD, number, AreaBuild).models
    index = _index(chance, models)
    if index is None or not made.take("prop list", number):
        return None

    def replace(numbers: Any) -> None:
        numbers[index] = 60000

    edits.rows(Role.AREA_BUILD, number, AreaBuild, "models", replace)
    return ChangedKind.PROP_SET, ChangeAction.REPLACED, (number, index), "model"


def _encounter(edits: Edits, chance: random.Random, made: Made) -> list[Told] | None:
    """A slot that alone has its species gets another one, which the file does not have."""
    number = _number(edits, chance, Role.ENCOUNTERS)
    file = edits.value(Role.ENCOUNTERS, number, WildEncounters)
    found = [slot.species for slot in file.grass]
    alone = [index for index, species in enumerate(found) if found.count(species) == 1]
    other = chance.randrange(1, len(edits.world.members(Role.SPECIES)))
    if not file.grass_rate or not alone or other in found or not made.take("grass", number):
        return None
    grass = list(file.grass)
    index = chance.choice(alone)
    grass[index] = dataclasses.replace(grass[index], species=other)
    edits.change(Role.ENCOUNTERS, number, WildEncounters, grass=tuple(grass))
    return [
        (ChangedKind.ENCOUNTER, ChangeAction.CHANGED, (number, "grass", species), "grass percent")
        for species in (found[index], other)
    ]


def _party(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = chance.randrange(1, len(edits.world.members(Role.TRAINER_PARTIES)))
    record = edits.value(Role.TRAINERS, number, Trainer)
    data = edits.world.members(Role.TRAINER_PARTIES)[number]
    party = TrainerParty.from_bytes(data, form=record.party_form)
    index = _index(chance, party.pokemon)
    if index is None or not made.take("party", number):
        return None
    pokemon = list(party.pokemon)
    pokemon[index] = dataclasses.replace(pokemon[index], level=pokemon[index].level + 1)
    edits.put(Role.TRAINER_PARTIES, number, dataclasses.replace(party, pokemon=tuple(pokemon)))
    return ChangedKind.TRAINER, ChangeAction.CHANGED, (number,), f"pokemon[{index}].level"


def _animation(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    number = _number(edits, chance, Role.PROP_ANIMATIONS)
    if bytes(edits.world.members(Role.PROP_ANIMATIONS)[number][:4]) != b"BTA0" or not made.take("animation", number):
        return None
    file = edits.value(Role.PROP_ANIMATIONS, number, Nsbta)
    first, *others = file.animations
    changed = dataclasses.replace(first, texture_matrix_mode=first.texture_matrix_mode ^ 1)
    edits.put(Role.PROP_ANIMATIONS, number, dataclasses.replace(file, animations=(changed, *others)))
    path = edits.world.path(Role.PROP_ANIMATIONS)
    return ChangedKind.ANIMATION, ChangeAction.CHANGED, (path, number), f"animations.{first.name}.texture_matrix_mode"


def _new_file(edits: Edits, chance: random.Random, made: Made) -> Told | None:
    path = f"new/{len(edits.files)}.bin"
    edits.files[path] = b"new"
    return ChangedKind.FILE, ChangeAction.ADDED, (path,), ""


_EDITS: Final[tuple[Edit, ...]] = (
    _tile,
    _behaviour,
    _height,
    _prop,
    _prop_model,
    _prop_count,
    _event,
    _event_position,
    _script,
    _script_line,
    _text,
    _new_text,
    _texture,
    _palette,
    _model,
    _swapped_models,
    _header,
    _cell,
    _area,
    _light,
    _camera,
    _prop_list,
    _encounter,
    _party,
    _animation,
    _new_file,
    _record(Role.ITEMS, ChangedKind.ITEM, ItemData, "price"),
    _record(Role.SPECIES, ChangedKind.SPECIES, SpeciesData, "friendship"),
    _record(Role.TRAINERS, ChangedKind.TRAINER, Trainer, "ai"),
    _record(Role.ENCOUNTERS, ChangedKind.ENCOUNTER, WildEncounters, "unown_table"),
)
