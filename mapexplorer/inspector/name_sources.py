"""What the index of names holds: the named things of a ROM with their uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from formats.binary import FormatError
from formats.field.init_script import FrameTable
from formats.field.script import ScriptFile
from formats.field.trainer import Trainer, TrainerMessages
from mapexplorer.errors import RomError
from mapexplorer.gameplay.activation import of_header
from mapexplorer.gameplay.flags import FlagUses, flag_name, flag_uses
from mapexplorer.gameplay.items import (
    HIDDEN_ITEM_EVENT,
    BerryTree,
    CommonItem,
    Items,
    ItemSource,
    PlacedItem,
    PrizeItem,
    ScriptItem,
    SoldItem,
    item_effects,
)
from mapexplorer.gameplay.music import headers_by_sequence, scripted_music
from mapexplorer.gameplay.names import name, unpacked
from mapexplorer.gameplay.script_effects import constant_effects
from mapexplorer.gameplay.script_names import readable
from mapexplorer.gameplay.text_slots import BankSlots
from mapexplorer.gameplay.trainers import stored_party, trainers_on_map
from mapexplorer.gameplay.variables import variable_uses
from mapexplorer.games import NameBank, Role
from mapexplorer.games.script_tables import MusicCommand
from mapexplorer.inspector.encounters import find_encounters, meetings
from mapexplorer.inspector.name_index import Entry, Use
from mapexplorer.inspector.things import prop_names, texture_names
from mapexplorer.world import FieldWorld, Header
from mapexplorer.world.script_files import locate_script, script_bank, script_files
from mapexplorer.world.weather_maps import weather_maps
from mapexplorer.world.wording import weather_days

_Uses = defaultdict[int, list[Use]]

BY_SCRIPTS: Final = ("set by", "cleared by", "checked by")
"""How scripts use a flag."""


def entries(world: FieldWorld) -> Iterator[Entry]:
    """All named things of a ROM. Files that cannot be read are left out."""
    scripts = Scripts(world)
    yield from _maps(world)
    yield from _named(world, "species", NameBank.SPECIES, _species_uses(world))
    yield from _named(world, "item", NameBank.ITEMS, _item_uses(world, scripts))
    yield from _trainers(world, scripts)
    yield from _named(world, "move", NameBank.MOVES, {})
    yield from _flags(world, scripts)
    yield from _variables(world, scripts)
    yield from _common_scripts(world)
    yield from _never_run(world, scripts)
    yield from _music(world, scripts)
    yield from _weathers(world)
    for name_of_prop, number in prop_names(world):
        yield Entry("prop", number, name_of_prop)
    for texture, place in texture_names(world):
        yield Entry("texture", place, texture, f"{('prop set', 'terrain set')[place[0]]} {place[1]}")
    for path in world.rom.files:
        role = world.game.role(path)
        yield Entry("file", (), path, f"{role}: {world.game.files[role].purpose}" if role is not None else "")
    yield from _texts(world, scripts)


class Scripts:
    """All script files, read once, and the addresses of their entries."""

    def __init__(self, world: FieldWorld) -> None:
        self.files: list[tuple[int, ScriptFile]] = []
        with suppress(FormatError):
            self.files += script_files(world)
        self._headers: dict[int, Header] = {}
        for header in world.headers:
            self._headers.setdefault(header.scripts, header)
        for band in world.game.tables.script_numbers.bands:
            self._headers.pop(band.member, None)
        self._entries: dict[int, dict[int, tuple[int, ...]]] = {}
        self._items: dict[int, dict[int, int]] = {}
        self._by_member = dict(self.files)

    def entry(self, how: str, member: int, entry: int) -> Use:
        """The use by an entry: `T01#1` for the scripts of a map (the first that has them), else `file:3#0`."""
        header = self._headers.get(member)
        if header is None:
            return Use(how, f"file:{member}#{entry}")
        return Use(how, f"{header.internal_name}#{entry + 1}", header.location_name)

    def item(self, how: str, member: int, item: int) -> list[Use]:
        """The uses by the entries that lead to an item of a file; by the file where none does."""
        if member not in self._entries:
            self._entries[member] = self._by_member[member].entries_by_item()
        found = self._entries[member].get(item, ())
        return [self.entry(how, member, entry) for entry in found] or [Use(f"{how} (never run)", f"file:{member}")]

    def offset(self, how: str, member: int, offset: int) -> list[Use]:
        """As `item`, of the item at a byte offset."""
        if member not in self._items:
            self._items[member] = {at: item for item, at in enumerate(self._by_member[member].offsets())}
        return self.item(how, member, self._items[member][offset])


def _on(header: Header, how: str, x: int | None = None, z: int | None = None) -> Use:
    tile = "" if x is None else f"@{x},{z}"
    return Use(how, f"{header.internal_name}{tile}", header.location_name)


def _maps(world: FieldWorld) -> Iterator[Entry]:
    for header in world.headers:
        what = " ".join(filter(None, (header.symbolic_name, header.kind)))
        hidden = "hidden items" if _hides_items(world, header.id) else ""
        yield Entry("map", (header.id,), header.title, ", ".join(filter(None, (what, hidden))))


def _hides_items(world: FieldWorld, header: int) -> bool:
    with suppress(FormatError):
        events = world.events(header)
        return events is not None and HIDDEN_ITEM_EVENT in events.background["type"].tolist()
    return False


def _named(world: FieldWorld, kind: str, bank: NameBank, uses: dict[int, list[Use]]) -> Iterator[Entry]:
    try:
        texts = world.names(bank)
    except FormatError:
        return
    for number, text in enumerate(texts.messages if texts is not None else ()):
        if text.strip(" -?"):
            yield Entry(kind, (number,), unpacked(text), "", _unique(uses.get(number, [])))


def _unique(uses: list[Use]) -> tuple[Use, ...]:
    return tuple(dict.fromkeys(uses))


def _species_uses(world: FieldWorld) -> _Uses:
    found: _Uses = defaultdict(list)
    for header in world.headers:
        try:
            here = meetings(find_encounters(world, header.id))
        except (FormatError, RomError):
            continue
        for one in here:
            found[one.species].append(_on(header, one.how))
    archive = world.archive(Role.TRAINERS)
    for trainer in range(len(archive) if archive is not None else 0):
        with suppress(FormatError, RomError):
            for pokemon in stored_party(world, trainer)[1]:
                found[pokemon.species].append(Use("in the party of", f"trainer:{trainer}"))
    return found


def _item_uses(world: FieldWorld, scripts: Scripts) -> _Uses:
    found: _Uses = defaultdict(list)
    try:
        sources = Items(world).by_item(item_effects(world, scripts.files))
    except (FormatError, RomError):
        return found
    for item, ways in sources.items():
        found[item] += [_item_use(world, scripts, source) for source in ways]
    return found


def _item_use(world: FieldWorld, scripts: Scripts, source: ItemSource) -> Use:
    match source:
        case PlacedItem():
            return _on(world.headers[source.header], source.how, source.x, source.z)
        case BerryTree():
            return _on(world.headers[source.header], "berry tree", source.x, source.z)
        case ScriptItem():
            return scripts.entry("given by", source.member, source.entry)
        case SoldItem():
            return scripts.entry("sold by", source.member, source.entry)
        case CommonItem():
            return Use("common shops", f"step {source.step}")
        case PrizeItem():
            return Use("Game Corner", f"{source.coins} coins")


def _trainers(world: FieldWorld, scripts: Scripts) -> Iterator[Entry]:
    uses: _Uses = defaultdict(list)
    for header in world.headers:
        try:
            for number in trainers_on_map(world, header.id):
                uses[number].append(_on(header, "on"))
        except FormatError:
            continue
    for member, file in scripts.files:
        for item, effect, values in constant_effects(file, world.game.tables.script_commands):
            if effect in ("trainer", "partner"):
                uses[int(values[0])] += scripts.item(effect, member, item)
    for entry in _named(world, "trainer", NameBank.TRAINERS, uses):
        try:
            kind = world.member(Role.TRAINERS, entry.number[0], Trainer.from_bytes).trainer_class
            about = name(world, NameBank.TRAINER_CLASSES, kind)
        except (FormatError, RomError):
            about = ""
        yield Entry(entry.kind, entry.number, entry.name, about, entry.uses)


def users_of_flag(scripts: Scripts, uses: FlagUses) -> tuple[Use, ...]:
    """The scripts that set, clear and check a flag."""
    found: list[Use] = []
    for how, commands in zip(BY_SCRIPTS, (uses.set, uses.cleared, uses.checked), strict=True):
        for member, offset in commands:
            found += scripts.offset(how, member, offset)
    return _unique(found)


def _flags(world: FieldWorld, scripts: Scripts) -> Iterator[Entry]:
    names = world.game.tables.save_names
    known = flag_uses(world, scripts.files)
    for flag in sorted({*names.flags, *names.hidden_items, *names.trainers, *known}):
        uses = known.get(flag, FlagUses())
        hides = tuple(_on(world.headers[header], f"hides object {index} of") for header, index in uses.hides)
        title = flag_name(names, flag) or f"flag {flag}"
        yield Entry("flag", (flag,), title, "", (*hides, *users_of_flag(scripts, uses)))


def _variables(world: FieldWorld, scripts: Scripts) -> Iterator[Entry]:
    uses: _Uses = defaultdict(list)
    for header in world.headers:
        try:
            events = world.events(header.id)
        except FormatError:
            continue
        for event in events.triggers if events is not None else ():
            uses[int(event["variable"])].append(_on(header, "trigger", int(event["x"]), int(event["z"])))
        with suppress(FormatError, RomError):
            for table in world.init_scripts(header.id).records:
                for row in table.rows if isinstance(table, FrameTable) else ():
                    uses[row.variable].append(_on(header, f"while it is {row.value}, runs script {row.script} of"))
    for number, users in variable_uses(scripts.files, world.game.tables.script_commands).items():
        for how, places in (("set by", users.set), ("changed by", users.changed), ("read by", users.read)):
            for member, item in places:
                uses[number] += scripts.item(how, member, item)
    names = world.game.tables.save_names.variables
    for number in sorted({*names, *uses}):
        yield Entry("variable", (number,), names.get(number, f"variable 0x{number:X}"), "", _unique(uses[number]))


def _common_scripts(world: FieldWorld) -> Iterator[Entry]:
    numbers = world.game.tables.script_numbers
    for number, text in sorted(numbers.names.items()):
        band = numbers.band(number)
        where = () if band is None else (Use("in", f"file:{band.member}#{number - band.first}"),)
        yield Entry("script", (number,), text, "" if band is None else band.name, where)


def _never_run(world: FieldWorld, scripts: Scripts) -> Iterator[Entry]:
    """The scripts of maps that no event and no initial script runs."""
    run: set[tuple[int, int]] = set()
    owners: dict[int, Header] = {}
    for header in world.headers:
        owners.setdefault(header.scripts, header)
        with suppress(FormatError, RomError):
            for one in of_header(world, header.id):
                place = locate_script(world, header.id, one.script)
                if place is not None:
                    run.add((place.member, place.entry))
    for member, file in scripts.files:
        owner = owners.get(member)
        if owner is None:
            continue
        for entry in range(len(file.entries)):
            if (member, entry) not in run:
                yield Entry("unused", (member, entry), f"{owner.internal_name}#{entry + 1}", owner.location_name)


_BY_SCRIPTS: Final = {
    MusicCommand.PLAY: "played by", MusicCommand.SET: "set by", MusicCommand.FANFARE: "fanfare of",
    MusicCommand.OVERRIDE: "until another map is entered, by",
}  # fmt: skip


def _music(world: FieldWorld, scripts: Scripts) -> Iterator[Entry]:
    try:
        names = world.sequence_names
    except FormatError:
        return
    users, scripted = headers_by_sequence(world), scripted_music(scripts.files, world.game.tables.script_commands)
    for number, text in enumerate(names):
        if text:
            day, night = users.get(number, ((), ()))
            uses = [_on(world.headers[header], "by day") for header in day]
            uses += [_on(world.headers[header], "by night") for header in night]
            uses += [
                _on(world.headers[header], f"{time}, flag {one.flag} on")
                for one in world.game.tables.music.by_flag
                for time, sequence in (("by day", one.day), ("by night", one.night))
                for header in sorted(one.headers)
                if sequence == number and header < len(world.headers)
            ]
            for one in scripted.get(number, ()):
                uses += scripts.item(_BY_SCRIPTS[one.use], one.member, one.item)
            title, _ = world.game.tables.music.titles.get(number, ("", ""))
            yield Entry("music", (number,), text, title, _unique(uses))


def _weathers(world: FieldWorld) -> Iterator[Entry]:
    for number, weather in world.game.tables.weathers.items():
        uses = tuple(_on(world.headers[one.header], weather_days(one)) for one in weather_maps(world, number))
        yield Entry("weather", (number,), weather.name, "" if weather.visual == weather.name else weather.visual, uses)


_NAMED_BANKS = (NameBank.SPECIES, NameBank.ITEMS, NameBank.MOVES, NameBank.TRAINERS)
"""The banks whose texts are the names of other kinds."""


def _texts(world: FieldWorld, scripts: Scripts) -> Iterator[Entry]:
    try:
        archive = world.archive(Role.MESSAGES)
    except FormatError:
        archive = None
    if archive is None:
        return
    said: defaultdict[tuple[int, int], list[Use]] = defaultdict(list)
    slots = BankSlots(world.game.tables.script_commands)
    for member, file in scripts.files:
        bank = script_bank(world, member)
        for item, effect, values in constant_effects(file, world.game.tables.script_commands):
            if effect == "text" and bank is not None:
                said[bank, int(values[0])] += scripts.item("said by", member, item)
                slots.add(bank, int(values[0]), file, item)
    code = world.rom.code
    of_trainers = world.game.name_bank(NameBank.TRAINER_MESSAGES, code)
    if of_trainers is not None:
        with suppress(FormatError, RomError):
            rows = world.member(Role.TRAINER_MESSAGES, 0, TrainerMessages.from_bytes).rows
            for entry, trainer in enumerate(rows["trainer"].tolist()):
                said[of_trainers, entry].append(Use("said by", f"trainer:{trainer}"))
    skipped = {world.game.name_bank(bank, code) for bank in _NAMED_BANKS}
    for bank in range(len(archive)):
        if bank in skipped:
            continue
        try:
            texts = world.messages(bank)
        except FormatError:
            continue
        for number, text in enumerate(texts.messages if texts is not None else ()):
            if text:
                shown = readable(unpacked(text), slots.of(bank, number)) if "{" in text else text
                yield Entry("text", (bank, number), " ".join(shown.split()), "", _unique(said.get((bank, number), [])))
