"""What a save has left to do: items, hidden items, trainers and gifts whose flag is not set, places not yet seen."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from mapexplorer.gameplay.flags import flag_meaning
from mapexplorer.gameplay.items import Items, PlacedItem, Way, script_effects
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.trainers import trainer_title
from mapexplorer.games import NameBank
from mapexplorer.world.events.event_rules import BackgroundKind
from mapexplorer.world.events.script_effects import ScriptEffects
from mapexplorer.world.events.script_files import locate_script
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
    PLACE = "unseen place"


_OF_WAY: Final = {Way.FLOOR: LeftKind.ITEM, Way.HIDDEN: LeftKind.HIDDEN_ITEM}
_GIFTS: Final = {"give": "item", "add item": "item", "pokemon": "species", "egg": "species"}
"""Effect of a script -> the kind of thing that it gives, which is its first value."""


class Left(NamedTuple):
    """A thing that is left on a map: what, the flag that is set afterwards, its tile (None: the map), how many."""

    kind: LeftKind
    header: int
    flag: int
    thing: Subject
    tile: tuple[int, int] | None = None
    amount: int = 1


def left_on(world: WorldFiles, header: int, save: Save, items: Items | None = None) -> list[Left]:
    """What a save has left on a map: its items and hidden items, the trainers among its people, the gifts of its
    scripts, the map itself; `items`: those of the world, if they are known. Files that cannot be read have nothing."""
    placed = read_or((), (items or Items(world)).on_map, header)
    known = [
        Left(_OF_WAY[each.how], header, each.flag, subject("item", each.item), (each.x, each.z), each.count)
        for each in placed
        if isinstance(each, PlacedItem) and each.flag
    ]
    arrivals = save.game.tables.save_names.first_arrivals
    known += [Left(LeftKind.PLACE, to, flag, subject("header", to)) for flag, to in arrivals.items() if to == header]
    for find in (_trainers, _of_scripts):
        known += read_or([], lambda find=find: list(find(world, header)))
    return [each for each in known if each.flag not in save.flags]


def _trainers(world: WorldFiles, header: int) -> Iterator[Left]:
    events, tables = world.events(header), world.game.tables
    for record in () if events is None else events.objects:
        trainer = tables.script_numbers.trainer(int(record["script"]))
        if trainer is not None:
            flag, tile = tables.save_names.trainers[trainer[0]], (int(record["x"]), int(record["z"]))
            yield Left(LeftKind.TRAINER, header, flag, subject("trainer", trainer[0]), tile)


def _of_scripts(world: WorldFiles, header: int) -> Iterator[Left]:
    """The map itself if its scripts set a flag of a first arrival. The things that the scripts of people and signs give
    once: those that check and set the same flag. A script that gives several has as many flags that are not told
    apart."""
    member, tables = world.headers[header].scripts, world.game.tables
    effects = {entry: each for _, entry, each in script_effects(world, [(member, world.script_file(member))])}
    for flag in sorted({flag for each in effects.values() for flag in each.numbers("flag set")}):
        if flag_meaning(tables.save_names, flag)[0] == "first arrival":
            yield Left(LeftKind.PLACE, header, flag, subject("header", header))
    seen = set()
    for script, tile in _scripts_on(world, header):
        place = locate_script(world, header, script)
        if place is None or place.member != member or place.entry in seen or place.entry not in effects:
            continue
        seen.add(place.entry)
        given = effects[place.entry]
        once = {*given.numbers("flag check")} & {*given.numbers("flag set")} - {*tables.save_names.map_flags}
        for kind, number, count in _given(given) if once else ():
            yield Left(LeftKind.GIFT, header, min(once), subject(kind, number), tile, count)


def _scripts_on(world: WorldFiles, header: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """The scripts of the people and signs of a map, and where they are."""
    events = world.events(header)
    if events is not None:
        signs = events.background[events.background["type"] != BackgroundKind.HIDDEN_ITEM]
        for records in (events.objects, signs):
            yield from ((int(record["script"]), (int(record["x"]), int(record["z"]))) for record in records)


def _given(effects: ScriptEffects) -> Iterator[tuple[str, int, int]]:
    """What a script gives: kind of thing, number, how many."""
    for effect, kind in _GIFTS.items():
        for number, *more in effects.found.get(effect, ()):
            count = more[0] if kind == "item" and more else 1
            if isinstance(number, int) and number > 0 and isinstance(count, int):
                yield kind, number, max(1, count)


def left_name(world: WorldFiles, left: Left) -> str:
    """The name of a thing that is left, with its number if there are several."""
    kind, (number, *_) = left.thing.kind, left.thing.key
    if kind == "trainer":
        return read_or("", trainer_title, world, number)
    if kind == "header":
        return world.headers[number].title
    text = read_or("", partial(name, world, NameBank.ITEMS if kind == "item" else NameBank.SPECIES), number)
    return f"{text or number} ×{left.amount}" if left.amount > 1 else text or str(number)
