"""What a save has left to do: items, hidden items, trainers, gifts, places not yet seen."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from formats.field.zone_event import ZoneEvents
from mapexplorer.gameplay.activation import Activation, Cause
from mapexplorer.gameplay.flags import flag_meaning
from mapexplorer.gameplay.gifts import gifts_on, is_true
from mapexplorer.gameplay.items import Items, PlacedItem, Way
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.trainers import trainer_title
from mapexplorer.games import NameBank
from mapexplorer.games.script_tables import FIRST_VARIABLE
from mapexplorer.world.events.script_paths import Known
from mapexplorer.world.references.readers import effects_of_entries
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.subject import Subject, subject


class LeftKind(StrEnum):
    """What is left."""

    ITEM = "item"
    HIDDEN_ITEM = "hidden item"
    TRAINER = "trainer"
    GIFT = "gift"
    UNKNOWN_GIFT = "unknown gift"
    """A gift of which a save does not tell whether it was had."""
    PLACE = "unseen place"


_LISTS: Final = {Cause.OBJECT: "objects", Cause.BACKGROUND_EVENT: "background", Cause.TRIGGER: "triggers"}
_OF_WAY: Final = {Way.FLOOR: LeftKind.ITEM, Way.HIDDEN: LeftKind.HIDDEN_ITEM}


class Left(NamedTuple):
    """A thing that is left on a map: what it is, what a save has when it was done (None: not known), its tile (None:
    the map), how many."""

    kind: LeftKind
    header: int
    memory: Known | None
    thing: Subject
    tile: tuple[int, int] | None = None
    amount: int = 1

    @property
    def decides(self) -> Subject | None:
        """The flag or the variable that tells whether it was done; None where neither does."""
        numbers = sorted(key for key in self.memory or () if isinstance(key, int))
        return subject("flag" if numbers[0] < FIRST_VARIABLE else "variable", numbers[0]) if numbers else None

    def is_done(self, save: Save) -> bool:
        """Whether a save says that it was done."""
        return self.memory is not None and is_true(save, self.memory)


def left_on(world: WorldFiles, header: int, save: Save, items: Items | None = None) -> list[Left]:
    """What a save has left on a map: its items and hidden items, the trainers among its people, the gifts of its
    scripts, the map itself; `items`: those of the world, if they are known. Files that cannot be read have nothing."""
    placed = read_or((), (items or Items(world)).on_map, header)
    known = [
        Left(_OF_WAY[each.how], header, {each.flag: 1}, subject("item", each.item), (each.x, each.z), each.count)
        for each in placed
        if isinstance(each, PlacedItem) and each.flag
    ]
    arrivals = save.game.tables.save_names.first_arrivals
    known += [_place(header, flag) for flag, to in arrivals.items() if to == header]
    for find in (_trainers, _of_scripts):
        known += read_or([], lambda find=find: list(find(world, header)))
    return [each for each in known if not each.is_done(save)]


def _place(header: int, flag: int) -> Left:
    return Left(LeftKind.PLACE, header, {flag: 1}, subject("header", header))


def _trainers(world: WorldFiles, header: int) -> Iterator[Left]:
    events, tables = world.events(header), world.game.tables
    for record in () if events is None else events.objects:
        trainer = tables.script_numbers.trainer(int(record["script"]))
        if trainer is not None:
            flag, tile = tables.save_names.trainers[trainer[0]], (int(record["x"]), int(record["z"]))
            yield Left(LeftKind.TRAINER, header, {flag: 1}, subject("trainer", trainer[0]), tile)


def _of_scripts(world: WorldFiles, header: int) -> Iterator[Left]:
    """The map itself if its scripts set a flag of a first arrival, and the gifts of its scripts that are had once."""
    events, effects = world.events(header), effects_of_entries(world, world.headers[header].scripts)
    for flag in sorted({flag for each in effects for flag in each.numbers("flag set")}):
        if flag_meaning(world.game.tables.save_names, flag)[0] == "first arrival":
            yield _place(header, flag)
    for thing, amount, runs, memory in gifts_on(world, header, effects):
        if memory != {}:
            kind = LeftKind.UNKNOWN_GIFT if memory is None else LeftKind.GIFT
            yield Left(kind, header, memory, thing, _tile(events, runs), amount)


def _tile(events: ZoneEvents | None, runs: Activation) -> tuple[int, int] | None:
    """The tile of an event that runs a script; None for the map."""
    records = getattr(events, _LISTS.get(runs.cause, ""), None)
    return None if records is None else (int(records[runs.index]["x"]), int(records[runs.index]["z"]))


def left_name(world: WorldFiles, left: Left) -> str:
    """The name of a thing that is left, with its number if there are several."""
    kind, (number, *_) = left.thing.kind, left.thing.key
    if kind == "trainer":
        return read_or("", trainer_title, world, number)
    if kind == "header":
        return world.headers[number].title
    if not number:
        return "an item" if kind == "item" else "a Pokémon"
    text = read_or("", partial(name, world, NameBank.ITEMS if kind == "item" else NameBank.SPECIES), number)
    return f"{text or number} ×{left.amount}" if left.amount > 1 else text or str(number)
