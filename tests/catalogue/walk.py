"""The uses that the values of a game hold, found without the code that makes the edges of the store.

The records are read by `formats`, their meanings are the tables in data/platinum, read here as JSON. Each function of
`WALKS` gives the uses that one rule of `edges.RULES` has to find, as rows of the table `edge`.
"""

from __future__ import annotations

import json
import re
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from formats.field.encounter_extras import SpeciesList
from formats.field.init_script import FrameTable, InitScriptFile
from formats.field.script import Command, ScriptFile, Target
from formats.field.script_commands import PLATINUM
from formats.field.trade import InGameTrade
from formats.field.trainer import Trainer, TrainerMessages
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import ZoneEvents
from mapexplorer.gameplay.items import script_effects
from mapexplorer.games import NameBank, Role
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import script_files


class Row(NamedTuple):
    """An edge as the store has it; keys are texts."""

    user_kind: str
    user: str
    used_kind: str
    used: str
    how: str
    part: str | None = None
    part_key: str | None = None
    part_name: str | None = None


Thing = tuple[Any, ...]
"""A kind, and numbers."""

Rows = Iterator[Row]
Walk = Callable[[FieldWorld], Rows]


def key(*numbers: object) -> str:
    return "/".join(map(str, numbers))


def row(user: Thing, used: Thing, how: str, part: str = "", numbers: tuple[int, ...] = (), name: str = "") -> Row:
    """The row of a use."""
    of_part = (part, key(*numbers), name or None) if part else (None, None, None)
    return Row(user[0], key(*user[1:]), used[0], key(*used[1:]), how, *of_part)


@cache
def table(name: str) -> dict[str, Any]:
    """A table of the game."""
    found: dict[str, Any] = json.loads(
        resources.files("mapexplorer.data").joinpath("platinum", f"{name}.json").read_text("utf-8")
    )
    return found


def members(world: FieldWorld, role: Role) -> Iterator[tuple[int, bytes]]:
    """(number, bytes) of the members of an archive; none where the ROM has none."""
    archive = world.archive(role)
    for number in range(len(archive) if archive is not None else 0):
        assert archive is not None
        yield number, bytes(archive[number])


def events(world: FieldWorld) -> Iterator[tuple[int, ZoneEvents]]:
    """(header, events); a file that two headers share is given for both."""
    archive = world.archive(Role.ZONE_EVENT)
    for header in world.headers if archive is not None else ():
        assert archive is not None
        yield header.id, ZoneEvents.from_bytes(archive[header.events])


# --- the field data


def field_data(world: FieldWorld, shown: bool = True) -> Rows:
    """The references of the records of the field data. `shown`: those that count as uses; areas and prop sets use
    something if a header leads to them."""
    areas = {header.area for header in world.headers}
    sets = {world.area(area).prop_set for area in areas}
    if shown:
        yield from _headers(world)
    else:
        for header in world.headers:
            yield row(("header", header.id), ("weather", header.weather), "weather")
        for number in range(len(world.members(Role.MAP_MATRIX))):
            matrix = world.matrix(number)
            for land in sorted(set(matrix.land.ravel().tolist()) - {0xFFFF}):
                yield row(("matrix", number), ("land", land), "land data")
            for one in sorted(set(matrix.headers.ravel().tolist())) if matrix.headers is not None else ():
                yield row(("matrix", number), ("header", one), "header")
    for number in range(len(world.members(Role.AREA_DATA))):
        area = world.area(number)
        if shown == (number in areas):
            yield row(("area", number), ("prop set", area.prop_set), "prop set")
            yield row(("area", number), ("terrain set", area.terrain_set), "terrain set")
            yield row(("area", number), ("light set", area.light_set), "light set")
        if not shown:
            yield row(("area", number), ("prop set", area.prop_set), "prop textures")
    for number, data in members(world, Role.AREA_BUILD):
        if shown == (number in sets):
            count, *models = struct.unpack(f"<{len(data) // 2}H", data)
            for model in models[:count]:
                yield row(("prop set", number), ("prop", model), "prop model", "listed")
    if shown:
        yield from _models(world)


def _headers(world: FieldWorld) -> Rows:
    fields = {
        "area": ("area", "area"),
        "matrix": ("matrix", "matrix"),
        "events": ("events", "events"),
        "message bank": ("message_bank", "messages"),
        "scripts": ("scripts", "scripts"),
        "preload list": ("preload_list", "preload list"),
        "location name": ("label_text", "location"),
        "camera type": ("camera_type", "camera"),
    }
    for header in world.headers:
        user = ("header", header.id)
        for how, (field, kind) in fields.items():
            yield row(user, (kind, getattr(header, field)), how)
        yield row(user, ("scripts", header.init_scripts), "initial scripts", "initial scripts")
        if header.wild_encounters != 0xFFFF:
            yield row(user, ("encounters", header.wild_encounters), "wild encounters")
        for member in (2 * header.label_window - 2, 2 * header.label_window - 1) if header.label_window else ():
            yield row(user, ("name window", member), "name window")
        matrix = world.matrix(header.matrix)
        mine = (matrix.land != 0xFFFF) & (True if matrix.headers is None else matrix.headers == header.id)
        for z, x in np.argwhere(mine).tolist():
            yield row(user, ("land", int(matrix.land[z, x])), "land data", "cell", (x, z))
        for location, known, number, cells, _ in table("hidden_locations")["patches"]:
            part = "cell if known" if known else "cell if unknown"
            for (x, z), land in cells if number == header.matrix else ():
                inside = x < matrix.width and z < matrix.height
                if inside and (matrix.headers is None or matrix.headers[z, x] == header.id):
                    yield row(user, ("land", land), "land that code places", part, (x, z), location)
    for number, found in events(world):
        for index, warp in enumerate(found.warps):
            if warp["header"] != 0xFFF:
                yield row(("header", number), ("header", warp["header"]), "header", "warp", (index,))
        for index, one in enumerate(found.objects):
            yield row(("header", number), ("object graphics", one["graphics"]), "object graphics", "object", (index,))


def _models(world: FieldWorld) -> Rows:
    for land, data in members(world, Role.LAND_DATA):
        attributes, props = struct.unpack_from("<2I", data)
        for index in range(props // 48):
            (model,) = struct.unpack_from("<I", data, 16 + attributes + 48 * index)
            yield row(("land", land), ("prop", model), "prop model", "prop", (index,))
    for model, data in members(world, Role.PROP_ANIMATION_LIST):
        slots = struct.unpack_from("<4i", data, 4)
        for animation in slots[: slots.index(-1)] if -1 in slots else slots:
            yield row(("prop", model), ("prop animation", animation), "animation")
    animations = world.terrain_animations.animations if world.terrain_animations is not None else ()
    for number in range(len(world.members(Role.TERRAIN_TEXTURES))):
        names = {texture.name for texture in world.terrain_textures(number).textures.textures}
        for index, animation in enumerate(animations):
            if animation.texture in names:
                used = ("terrain animation", index)
                yield row(("terrain set", number), used, "texture", "texture", name=animation.texture)
    for graphics, picture in world.object_graphics.value.items():
        yield row(("object graphics", graphics), ("picture", picture), "picture")


# --- events


def band_of(number: int) -> list[Any] | None:
    """The last band of script numbers that begins at or below a number."""
    bands = [band for band in table("script_numbers")["bands"] if band[0] <= number]
    return max(bands, key=lambda band: band[0]) if bands else None


def script_of(world: FieldWorld, header: int, number: int) -> tuple[str, int, int] | None:
    """The entry of a script file that a script number means on a map."""
    if number in table("script_numbers")["none"]:
        return None
    band = band_of(number)
    return (
        ("scripts", world.headers[header].scripts, number - 1)
        if band is None
        else ("scripts", band[1], number - band[0])
    )


def of_events(world: FieldWorld) -> Rows:
    all_events = dict(events(world))
    for header, found in all_events.items():
        for index, one in enumerate(found.objects):
            user = ("object", header, index)
            if one["script"] == 0xFFFF:  # a clone: its header stands in the field of the flag
                there = all_events[int(one["hidden_flag"])].objects
                same = [
                    at
                    for at, other in enumerate(there)
                    if other["local_id"] == one["local_id"] and other["script"] != 0xFFFF
                ]
                yield row(user, ("header", one["hidden_flag"]), "clone of", "object", tuple(same[:1]))
            elif one["hidden_flag"]:
                yield row(user, ("flag", one["hidden_flag"]), "hides")
        for index, one in enumerate(found.triggers):
            yield row(("trigger", header, index), ("variable", one["variable"]), "trigger")
        for kind, records in (("object", found.objects), ("sign", found.background), ("trigger", found.triggers)):
            for index, one in enumerate(records):
                script = script_of(world, header, int(one["script"]))
                if script is not None:
                    yield row((kind, header, index), script, "run by")


def of_event_scripts(world: FieldWorld) -> Rows:
    numbers, items = table("script_numbers"), table("items")
    balls, hidden = numbers["item balls"], numbers["hidden items"]
    on_floor, hides = partial(_on_floor, world, floor_file()), _hidden(world)
    for header, found in events(world):
        for index, one in enumerate(found.objects):
            user, script = ("object", header, index), int(one["script"])
            for (first, last), trainer, _ in numbers["trainers"]:
                if first <= script <= last:
                    yield row(user, ("trainer", script - first + trainer), "on")
            if balls[0] <= script <= balls[1]:
                item, count = on_floor(script - balls[0])
                yield row(user, ("item", item), "floor", "count", (count,))
            patch = int(one["parameters"][0])
            if one["graphics"] == 100 and table("new_game")["berries"][patch] and script != 0xFFFF:
                item = items["first berry"] - 1 + table("new_game")["berries"][patch]
                yield row(user, ("item", item), "berry tree", "patch", (patch,))
        for index, one in enumerate(found.background):
            number = int(one["script"]) - hidden[0]
            if one["type"] == 2 and number in hides and int(one["script"]) <= hidden[1]:
                item, count = hides[number]
                yield row(("sign", header, index), ("item", item), "hidden", "count", (count,))
                flag = table("flags")["hidden items"][0] + number
                yield row(("sign", header, index), ("flag", flag), "set when the item is taken from")


def _hidden(world: FieldWorld) -> dict[int, tuple[int, int]]:
    """Number -> the item and the count of the hidden items, by the table of the program, 17,244 bytes behind that of
    the headers: u16 item, u8 count, u8 range, u16 0, u16 number."""
    at = (world.header_table.why.offset or 0) + table("items")["hidden after headers"]
    rows = struct.iter_unpack("<HBBHH", world.rom.arm9()[at : at + 8 * len(table("items")["hidden"])])
    return {number: (item, count) for item, count, _, _, number in rows}


def _on_floor(world: FieldWorld, member: int, entry: int) -> tuple[int, int]:
    """The item and the count of a script of an item on the floor: what it first puts into two variables."""
    data = bytes(world.rom.archive(world.path(Role.SCRIPTS))[member])
    at = 4 * entry + 4 + struct.unpack_from("<i", data, 4 * entry)[0]
    command, first, item, other, second, count = struct.unpack_from("<6H", data, at)
    assert (command, other) == (40, 40) and [first, second] == table("items")["visible variables"]
    return item, count


def of_initial_scripts(world: FieldWorld) -> Rows:
    archive = world.archive(Role.SCRIPTS)
    for header in world.headers if archive is not None else ():
        assert archive is not None
        scripts = []
        for record in InitScriptFile.from_bytes(archive[header.init_scripts]).records:
            if isinstance(record, FrameTable):
                for one in record.rows:
                    yield row(
                        ("header", header.id), ("variable", one.variable), "frame", "frame", (one.value, one.script)
                    )
                scripts += [one.script for one in record.rows]
            else:
                scripts.append(record.script)
        for number in scripts:
            script = script_of(world, header.id, number)
            if script is not None:
                yield row(("header", header.id), script, "run on entering")


# --- wild Pokémon

CARTRIDGES = {name.lower(): f"{name} cartridge" for name in ("Ruby", "Sapphire", "Emerald", "FireRed", "LeafGreen")}


def of_wild_pokemon(world: FieldWorld) -> Rows:
    known = table("encounters")
    for header in world.headers:
        archive = world.archive(Role.ENCOUNTERS)
        if header.wild_encounters != 0xFFFF and archive is not None:
            for how, when, species in _slots(WildEncounters.from_bytes(archive[header.wild_encounters]), header.id):
                yield row(("header", header.id), ("species", species), how, "when", name=when)
        for how, number in _lists(header.id) if world.has(Role.ENCOUNTER_EXTRAS) else ():
            data = world.rom.archive(world.path(Role.ENCOUNTER_EXTRAS))[number]
            for species in sorted(set(SpeciesList.from_bytes(data).species.tolist())):
                yield row(("header", header.id), ("species", species), how, "when", name="always")
        for species, _, used in known["roamers"]["rows"] if header.id in known["roamer headers"] else ():
            if used:
                yield row(("header", header.id), ("species", species), "roaming", "when", name="always")


def _slots(file: WildEncounters, header: int) -> set[tuple[str, str, int]]:
    """(how, when, species) of an encounter file: a slot that another list replaces at some times counts at these."""
    known, found = table("encounters"), set()
    usual = [slot.species for slot in file.grass]
    if file.grass_rate:
        by_time = {
            "morning": [usual[slot] for slot in known["replaced"]["time"]],
            "day": file.day,
            "night": file.night,
        }
        always = len({tuple(one) for one in by_time.values()}) == 1
        for slot, species in enumerate(usual):
            if always or slot not in known["replaced"]["time"]:
                found.add(("grass", "always", species))
        for time, pair in by_time.items() if not always else ():
            found |= {("grass", time, species) for species in pair}
        others = [("swarm", "swarm", file.swarm)] if header in known["swarm headers"] else []
        others += [("Poké Radar", "Poké Radar", file.radar)]
        others += [(title, "second slot", getattr(file.dual_slot, name)) for name, title in CARTRIDGES.items()]
        for when, slots, species in others:
            if [usual[slot] for slot in known["replaced"][slots]] != list(species):
                found |= {("grass", when, one) for one in species}
    for how in ("surf", "old rod", "good rod", "super rod"):
        water = getattr(file, how.replace(" ", "_"))
        if water.rate:
            found |= {(how, "always", slot.species) for slot in water.slots}
    return found


def _lists(header: int) -> Iterator[tuple[str, int]]:
    known = table("encounters")
    if header in known["honey tree headers"]:
        yield from zip(
            [f"honey tree, {one}" for one in ("common", "uncommon", "rare")], known["honey trees"], strict=True
        )
    if header == known["feebas header"]:
        yield "Feebas tiles", known["feebas"]
    if header == known["trophy garden header"]:
        yield "Trophy Garden", known["trophy garden"]
    if header in known["great marsh headers"]:
        yield from zip(("Great Marsh with the National Pokédex", "Great Marsh"), known["great marsh"], strict=True)


# --- trainers, items, trades


def of_trainers(world: FieldWorld) -> Rows:
    first, last = table("flags")["trainers"]
    music = dict(table("trainers")["eyes meet"])
    parties = dict(members(world, Role.TRAINER_PARTIES))
    for number, data in members(world, Role.TRAINERS):
        record, user = Trainer.from_bytes(data), ("trainer", number)
        if number and first + number <= last:
            yield row(user, ("flag", first + number), "set when beaten:")
        played = music.get(record.trainer_class, table("trainers")["eyes meet of others"])
        yield row(user, ("music", played), "when eyes meet:")
        for slot, item in enumerate(record.items):
            if item:
                yield row(user, ("item", item), "used by", "slot", (slot,))
        layout = f"<3H{'H' * record.own_items}{'4H' * record.own_moves}H"
        for slot in range(record.party_size):
            _, _, species, *own, _ = struct.unpack_from(layout, parties[number], slot * struct.calcsize(layout))
            uses = [("species", species & 0x3FF, "in the party of")]
            uses += [("item", own.pop(0), "held in the party of")] if record.own_items else []
            uses += [("move", move, "known in the party of") for move in own]
            yield from (row(user, (kind, value), how, "slot", (slot,)) for kind, value, how in uses if value)


def of_trainer_messages(world: FieldWorld) -> Rows:
    bank = world.game.name_bank(NameBank.TRAINER_MESSAGES, world.rom.code)
    for _, data in members(world, Role.TRAINER_MESSAGES):
        for entry, one in enumerate(TrainerMessages.from_bytes(data).rows):
            yield row(("trainer", one["trainer"]), ("text", bank, entry), "said by")


def of_machines(world: FieldWorld) -> Rows:
    program, names = world.rom.arm9(), world.names(NameBank.MOVES)
    hms = struct.pack("<8H", 15, 19, 57, 70, 432, 249, 127, 431)
    tables = [
        struct.unpack_from("<100H", program, at)
        for at in range(0, len(program) - 199, 2)
        if program[at + 184 : at + 200] == hms
    ]
    found = [one for one in tables if names is not None and min(one) > 0 and max(one) < len(names.messages)]
    for index, move in enumerate(found[0] if len(found) == 1 else ()):
        yield row(("item", 328 + index), ("move", move), "taught by")


def of_nothing(world: FieldWorld) -> Rows:
    """Of what is read in no game."""
    return iter(())


def shops() -> list[tuple[str, int, list[Any]]]:
    """(kind, number, goods) of all shops in the order of their numbers as things."""
    known = table("items")
    kinds = {
        "common": [known["common mart"]],
        "specialties": [goods for _, goods in known["special marts"]],
        "decor": known["decor"],
        "seals": known["seals"],
        "frontier": known["frontier"],
        "game corner": [known["game corner"]],
    }
    return [(kind, number, goods) for kind, lists in kinds.items() for number, goods in enumerate(lists) if goods]


def of_shops(world: FieldWorld) -> Rows:
    for thing, (kind, number, goods) in enumerate(shops()):
        if kind in ("common", "game corner"):
            how, part = {"common": ("common shops", "step"), "game corner": ("Game Corner", "coins")}[kind]
            yield from (row(("shop", thing), ("item", item), how, part, (value,)) for item, value in goods)
        for member, entry, found in effects(world):
            for _ in [one for one in found.get("mart", ()) if one == (kind, number)] if member != floor_file() else ():
                yield row(("scripts", member, entry), ("shop", thing), "opened by")
                sort = {"specialties": "mart", "frontier": "exchange"}.get(kind)
                for item in goods if sort else ():
                    yield row(("scripts", member, entry), ("item", item), "sold by", sort or "", (number,))


def of_trades(world: FieldWorld) -> Rows:
    for number, data in members(world, Role.TRADES):
        trade, user = InGameTrade.from_bytes(data), ("trade", number)
        for kind, value, how in (
            ("species", trade.species, "received in"),
            ("species", trade.wanted_species, "wanted in"),
            ("item", trade.item, "held by the Pokémon of"),
        ):
            if value:
                yield row(user, (kind, value), how)


def of_program(world: FieldWorld) -> Rows:
    """The flags of first arrivals, and the files and the texts of the scripts that all maps share."""
    for flag, header in table("flags")["first arrivals"]:
        if header < len(world.headers):
            yield row(("header", header), ("flag", flag), "set on the first arrival on")
    for first, member, bank, name in table("script_numbers")["bands"]:
        for used in (("scripts", member), ("messages", bank)):
            yield row(("file", "arm9"), used, "shared scripts", "first", (first,), name)


# --- music, weather, tiles


def of_music(world: FieldWorld) -> Rows:
    known = table("music")
    for name, how in (
        ("surfing", "while surfing:"),
        ("cycling road", "on Cycling Road:"),
        ("radar", "with a chain of the Poké Radar:"),
    ):
        yield row(("file", "arm9"), ("music", known[name]), how)
    for header in world.headers:
        yield row(("header", header.id), ("music", header.day_music), "by day")
        yield row(("header", header.id), ("music", header.night_music), "by night")
    for flag, headers, day, night in known["by flag"]:
        for header in headers:
            if header < len(world.headers):
                yield row(("header", header), ("music", day), "by day", "flag", (flag,))
                yield row(("header", header), ("music", night), "by night", "flag", (flag,))


def of_weather(world: FieldWorld) -> Rows:
    columns = [number for number, _ in table("weather")["yearly columns"]]
    until = {int(weather): flag for weather, flag in table("weather_effects")["clearing flags"].items()}
    for header in world.headers:
        days = Counter({header.weather: 366})
        if header.weather in columns:
            yearly = world.yearly_weather
            at = columns.index(header.weather)
            days = Counter([0] * 366 if yearly is None else [int(one[at]) for one in yearly.value])
        for weather, number in days.items():
            numbers = (number, until[weather]) if weather in until else (number,)
            name = "always" if number == 366 else ""
            yield row(("header", header.id), ("weather", weather), "weather", "days", numbers, name)


def of_tiles(world: FieldWorld) -> Rows:
    for behaviour, number, _ in table("script_numbers")["tile scripts"]:
        script = script_of(world, 0, number)
        if script is not None:
            yield row(("behaviour", behaviour), script, "run on tiles with")
    for land, data in members(world, Role.LAND_DATA):
        for behaviour, tiles in Counter(data[16 : 16 + 2048 : 2]).items():
            yield row(("land", land), ("behaviour", behaviour), "tiles", "tiles", (tiles,))


def of_species(world: FieldWorld) -> Rows:
    """The items that wild ones hold are the two words behind the base stats, types, chances and effort values."""
    for number, data in members(world, Role.SPECIES):
        for slot, item in enumerate(struct.unpack_from("<2H", data, 12)):
            if item:
                yield row(("species", number), ("item", item), "held by wild", "slot", (slot,))


# --- scripts

USES = {
    "flag set": [("flag", 0, "set by")],
    "flag clear": [("flag", 0, "cleared by")],
    "flag check": [("flag", 0, "checked by")],
    "give": [("item", 0, "given by")],
    "add item": [("item", 0, "given by")],
    "take": [("item", 0, "taken by")],
    "pokemon": [("species", 0, "given by"), ("item", 2, "held by a gift of")],
    "egg": [("species", 0, "as an egg by")],
    "wild": [("species", 0, "fought in")],
    "trainer": [("trainer", 0, "trainer")],
    "partner": [("trainer", 0, "partner")],
    "warp": [("header", 0, "led to by")],
    "trade": [("trade", 0, "traded by")],
    "text": [("text", 0, "said by")],
}
"""Effect -> the kind of a thing, which value is its number, and how an entry uses it."""
DETAILS = {"wild": "level", "pokemon": "level", "give": "count", "add item": "count", "take": "count"}
MUSIC = {"play": "played by", "set": "set by", "fanfare": "fanfare of", "override": "until another map is entered, by"}
MEANINGS = {
    "flag": "flag",
    "variable": "variable",
    "item": "item",
    "trainer": "trainer",
    "species": "species",
    "move": "move",
    "header": "header",
    "sound": "music",
    "bank": "messages",
}
ARGUMENT = re.compile(r"(\w+) (\w+)(?: \((.+)\))?")


class Argument(NamedTuple):
    """An argument of a command: which one, its value, its access and its meaning by the table of commands."""

    index: int
    value: int
    access: str
    meaning: str


def floor_file() -> int:
    """The script file of the items on the floor, whose items the events say."""
    band = band_of(table("script_numbers")["item balls"][0])
    assert band is not None
    return int(band[1])


def arguments(command: Command) -> list[Argument]:
    """The arguments of a command that are no targets."""
    known = table("script_commands")
    if command.number >= len(known["names"]) or not command.arguments:
        return []
    texts = known["names"][command.number][1:]
    if texts and isinstance(texts[-1], dict):
        texts = texts[:-1] + texts[-1].get(str(command.arguments[0]), [])
    found = []
    for index, (value, text) in enumerate(zip(command.arguments, texts, strict=False)):
        about = ARGUMENT.fullmatch(text)
        assert about is not None
        if isinstance(value, int):
            found.append(Argument(index, value, about[1], about[3] or ""))
    return found


def effects_of(command: Command) -> Iterator[tuple[str, tuple[int | str, ...]]]:
    """(effect, values) of a command by the table of commands."""
    known = table("script_commands")
    for number, effect, indices, *more in known["effects"]:
        if number == command.number:
            none, prefix = (*more, [], [])[:2]
            values = [command.arguments[index] for index in indices]
            if not set(values) & set(none) and not any(isinstance(value, Target) for value in values):
                yield effect, (*prefix, *values)


def named(world: FieldWorld, member: int, effect: str, values: tuple[Any, ...]) -> Iterator[tuple[Thing, str]]:
    """(thing, how) of the values of an effect in a script file; 0 is no thing, but the first trade and text are."""
    for kind, index, how in USES.get(effect, ()):
        value = values[index]
        if kind == "text":
            if value >= 0 and bank_of(world, member) is not None:
                yield (kind, bank_of(world, member), value), how
        elif value > 0 or (kind == "trade" and value == 0):
            yield (kind, value), how


def bank_of(world: FieldWorld, member: int) -> int | None:
    """The message bank of a script file."""
    for _, number, bank, _ in table("script_numbers")["bands"]:
        if number == member:
            return int(bank)
    return next((header.message_bank for header in world.headers if header.scripts == member), None)


_FILES: dict[FieldWorld, list[tuple[int, ScriptFile, dict[int, list[int]]]]] = {}
_EFFECTS: dict[FieldWorld, list[tuple[int, int, Any]]] = {}


def files(world: FieldWorld) -> list[tuple[int, ScriptFile, dict[int, list[int]]]]:
    """(member, file, item -> the entries that lead to it) of the script files."""
    if world not in _FILES:
        _FILES[world] = [(member, file, reached(file)) for member, file in script_files(world)]
    return _FILES[world]


def reached(file: ScriptFile) -> dict[int, list[int]]:
    """Item -> the entries that lead to it."""
    found: dict[int, list[int]] = {}
    for entry, start in enumerate(file.entries):
        waiting, seen = [start.item] if start.offset == 0 else [], set()
        while waiting:
            at = waiting.pop()
            if at in seen or at >= len(file.items):
                continue
            seen.add(at)
            found.setdefault(at, []).append(entry)
            item = file.items[at]
            if isinstance(item, Command):
                waiting += [one.item for one in item.arguments if isinstance(one, Target) and one.offset == 0]
                waiting += [] if item.number in PLATINUM.no_return else [at + 1]
    return found


def effects(world: FieldWorld) -> list[tuple[int, int, Any]]:
    """(member, entry, effect -> values) over all paths; tests of `gameplay` compare them with the vectors."""
    if world not in _EFFECTS:
        read = script_effects(world, [(member, file) for member, file, _ in files(world)])
        _EFFECTS[world] = [(member, entry, one.found) for member, entry, one in read]
    return _EFFECTS[world]


def by_entries(member: int, item: int, entries: dict[int, list[int]]) -> Iterator[Thing]:
    """The users of what an item of a script file holds: the entries that lead to it, or the file if none does."""
    yield from ((("scripts", member, entry)) for entry in entries[item]) if item in entries else (("scripts", member),)


def of_scripts(world: FieldWorld) -> Rows:
    held: dict[Any, set[Any]] = {}
    for member, file, entries in files(world):
        offsets = file.offsets()
        for at, item in enumerate(file.items):
            for used, how, detail, number in _held(world, member, item) if isinstance(item, Command) else ():
                numbers = (offsets[at], number) if detail else (offsets[at],)
                for user in by_entries(member, at, entries):
                    held.setdefault((user, used, how), set()).add((detail, number))
                    yield row(user, used, how, "command", numbers, detail)
    for member, entry, found in effects(world):
        for effect, lists in found.items() if member != floor_file() else ():
            for values in lists:
                for used, how in named(world, member, effect, values):
                    user = ("scripts", member, entry)
                    detail, number = _detail(effect, values)
                    known = held.get((user, used, how))
                    if known is None or (detail and (detail, number) not in known):
                        yield row(user, used, how, "computed" if detail else "", (number,), detail)


def _held(world: FieldWorld, member: int, command: Command) -> Iterator[tuple[Thing, str, str, int]]:
    """(thing, how, what a number beside it is, the number) of the things that a command names by itself."""
    known, done = table("script_commands"), set()
    for effect, values in effects_of(command):
        if effect == "common" and (band := band_of(int(values[0]))) is not None:
            yield ("scripts", band[1], int(values[0]) - band[0]), "called by", "", 0
        for used, how in named(world, member, effect, values):
            if used[-1] < 0x4000:
                yield used, how, *_detail(effect, values)
    for name, how in MUSIC.items():
        if known["music"].get(str(command.number)) == name:
            yield ("music", command.arguments[0]), how, "", 0
    ways = {"write": "set by", "change": "changed by", "read": "read by", "value": "read by"}
    for one in arguments(command):
        use = one.value, ways.get(one.access)
        if 0x4000 <= one.value < 0x8000 and one.access in ways and use not in done:
            done.add(use)
            yield ("variable", one.value), ways[one.access], "", 0


def _detail(effect: str, values: tuple[Any, ...]) -> tuple[str, int]:
    """What the second value of an effect is, and the value, if it is constant."""
    if effect in DETAILS and 0 <= values[1] < 0x4000:
        return DETAILS[effect], values[1]
    return "", 0


def of_roaming_pokemon(world: FieldWorld) -> Rows:
    rows = table("encounters")["roamers"]["rows"]
    for member, entry, found in effects(world):
        for number, *_ in found.get("roamer", ()):
            if 0 <= number < len(rows):
                species, level, _ = rows[number]
                yield row(
                    ("scripts", member, entry), ("species", species), "roams after", "computed", (level,), "level"
                )


FLAGS = {"SetTrainerFlag": "set by", "ClearTrainerFlag": "cleared by", "CheckTrainerFlag": "checked by"}


def of_arguments(world: FieldWorld) -> Rows:
    """The numbers that commands hold, without those that `of_scripts` has; those that come through a variable are in
    `through_variables`."""
    first = table("flags")["trainers"][0]
    for member, file, entries in files(world):
        offsets = file.offsets()
        for at, item in enumerate(file.items):
            if not isinstance(item, Command):
                continue
            name, found = command_name(item), []
            for one in arguments(item):
                kind = MEANINGS.get(one.meaning, "variable")
                constant = one.access == "number" or (one.access == "value" and one.value < 0x4000)
                if kind != "variable" and constant and (one.value or kind in ("header", "messages")):
                    if kind == "trainer" and name in FLAGS:
                        found.append((("flag", first + one.value), FLAGS[name]))
                    if not names_by_itself(item, one, kind):
                        found.append(((kind, one.value), name))
            for used, how in dict.fromkeys(found):
                yield from (row(user, used, how, "command", (offsets[at],)) for user in by_entries(member, at, entries))


def command_name(command: Command) -> str:
    names = table("script_commands")["names"]
    return str(names[command.number][0]) if command.number < len(names) else ""


def names_by_itself(command: Command, one: Argument, kind: str) -> bool:
    """Whether an effect of a command, or the music that it plays, is about an argument."""
    known = table("script_commands")
    if str(command.number) in known["music"] and one.index == 0:
        return True
    for number, effect, indices, *_ in known["effects"]:
        if command.number == number and any(
            of == kind and indices[at] == one.index for of, at, _ in USES.get(effect, ())
        ):
            return True
    return False


class Taken(NamedTuple):
    """A number that a command takes through a variable: the kind of the thing, the number, the command that takes it,
    the member and the byte offset of the command that puts it into the variable."""

    kind: str
    number: int
    command: str
    member: int
    at: int


def through_variables(world: FieldWorld) -> tuple[set[Taken], set[Taken]]:
    """Numbers that a command puts into a variable: those that a command with a meaning surely takes, because it follows
    with nothing between them but commands that do not change the variable; and those that one of all script files may
    take, because it takes that variable."""
    surely, takers, puts = set(), set(), []
    for member, file, _ in files(world):
        commands = [item for item in file.items if isinstance(item, Command)]
        named = {one.item for item in commands for one in item.arguments if isinstance(one, Target)}
        named |= {target.item for target in file.entries}
        copies = [item.arguments for item in commands if item.number == table("script_commands")["copy variable"]]
        offsets = file.offsets()
        held: dict[int, tuple[int, int]] = {}
        for at, item in enumerate(file.items):
            if at in named or not isinstance(item, Command):
                held.clear()
            if not isinstance(item, Command):
                continue
            for one in arguments(item):
                kind = MEANINGS.get(one.meaning, "variable")
                if kind != "variable" and one.value >= 0x4000 and one.access in ("value", "read"):
                    for variable in sources(one.value, copies):
                        takers.add((variable, kind, command_name(item), member if variable >= 0x8000 else None))
                    if one.value in held:
                        number, offset = held[one.value]
                        surely.add(Taken(kind, number, command_name(item), member, offset))
            for one in arguments(item):
                if one.access in ("write", "change"):
                    held.pop(one.value, None)
            if item.number == table("script_commands")["set variable"]:
                variable, number = item.arguments
                held[variable] = number, offsets[at]  # type: ignore[index, assignment]
                puts.append((variable, number, member, offsets[at]))
            if item.number == table("script_commands")["call common"] or item.number in PLATINUM.no_return:
                held.clear()
    may = {
        Taken(kind, number, command, member, offset)
        for variable, number, member, offset in puts
        for taken, kind, command, here in takers
        if taken == variable and here in (None, member)
    }
    return surely, may


def sources(variable: int, copies: list[Any]) -> set[int]:
    """A variable, and those whose values are copied into it, by (goal, source) of the commands that copy."""
    found = {variable}
    while more := {source for goal, source in copies if goal in found} - found:
        found |= more
    return found


WALKS: dict[str, Walk] = {
    "the field data": field_data,
    "events": of_events,
    "scripts of events": of_event_scripts,
    "initial scripts": of_initial_scripts,
    "wild encounters": of_wild_pokemon,
    "trainers and their parties": of_trainers,
    "messages of trainers": of_trainer_messages,
    "machines": of_machines,
    "learnsets and move tutors": of_nothing,
    "shops and prizes": of_shops,
    "in-game trades": of_trades,
    "tables of the program": of_program,
    "the music of maps": of_music,
    "the weather of the year": of_weather,
    "the tiles of lands": of_tiles,
    "records of species": of_species,
    "scripts": of_scripts,
    "Pokémon that roam": of_roaming_pokemon,
    "arguments of script commands": of_arguments,
}
"""Title of a rule -> the uses that it has to find."""
