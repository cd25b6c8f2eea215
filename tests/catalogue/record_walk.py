"""The uses that records hold: of the field data, events, encounters, trainers, items, species, music and weather."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from functools import partial

import numpy as np

from formats.field.encounter_extras import SpeciesList
from formats.field.init_script import FrameTable, InitScriptFile
from formats.field.trade import InGameTrade
from formats.field.trainer import Trainer, TrainerMessages
from formats.field.wild_encounters import WildEncounters
from mapexplorer.games import NameBank, Role
from mapexplorer.world import FieldWorld
from tests.catalogue.edge_rows import Rows, events, floor_file, members, row, script_of, table

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
