"""Where items come from: on the floor, hidden, on berry trees, in shops, as prizes, and by scripts.

What scripts give and sell follows from their effects (`script_effects`); everything else is in events, in the file of
the scripts of items on the floor, and in tables of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.field.item_data import ItemData
from formats.field.script import Command, ScriptFile
from mapexplorer.caching import shared_property
from mapexplorer.gameplay.icons import item_files
from mapexplorer.games import Role
from mapexplorer.games.gameplay_tables import CommonItem, HiddenItem, PrizeItem
from mapexplorer.grouping import by_key
from mapexplorer.world.events.event_rules import BackgroundKind
from mapexplorer.world.events.script_effects import EffectsReader, ScriptEffects
from mapexplorer.world.events.script_files import script_files
from mapexplorer.world.save import BERRY_PATCH
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles


class Way(StrEnum):
    """How an item comes to the player."""

    FLOOR = "floor"
    HIDDEN = "hidden"
    GIVEN = "script"
    """Through a shared script that shows it."""
    ADDED = "add"
    """Put into the bag by a command."""
    SPECIAL_MART = "mart"
    FRONTIER = "exchange"
    """Sold for Battle Points."""


@dataclass(frozen=True)
class PlacedItem:
    """An item on a map: the tile, how many, and the flag that is set when it was taken."""

    item: int
    how: Way
    header: int
    x: int
    z: int
    count: int
    flag: int


@dataclass(frozen=True)
class BerryTree:
    """A berry patch at the start of a game: its tile, its number, how many berries it gives."""

    item: int
    header: int
    x: int
    z: int
    berries: int
    patch: int


@dataclass(frozen=True)
class ScriptItem:
    """An item that entry `entry` of script file `member` can hand over, and how many; -1: as many as the script
    computes."""

    item: int
    how: Way
    member: int
    entry: int
    count: int


_SHOPS: Final = {"specialties": Way.SPECIAL_MART, "frontier": Way.FRONTIER}
"""Kind of shop in effects -> of the items that it sells."""


@dataclass(frozen=True)
class SoldItem:
    """An item in shop number `number` of its kind, which an entry of a script file opens."""

    item: int
    shop: Way
    member: int
    entry: int
    number: int


@dataclass(frozen=True)
class ShopList:
    """What a shop sells: its kind (`common`, `specialties`, `decor`, `seals`, `frontier`, `game corner`) and number,
    where it is (empty: not known), its goods and the price of each (money, coins of the Game Corner; None: not known),
    and the (member, entry) of the scripts that open it.

    Goods are items, of `decor` Underground goods, of `seals` seals, with a shop for each day of the week. The common
    shops have one list, which grows with the number of badges (`Items.common_mart`); the argument of the command that
    opens them is not used.
    """

    kind: str
    number: int
    place: str
    goods: tuple[tuple[int, int | None], ...]
    opened_by: tuple[tuple[int, int], ...]


ItemSource = PlacedItem | BerryTree | ScriptItem | SoldItem | CommonItem | PrizeItem
"""Where an item comes from."""


EntryEffects = Iterable[tuple[int, int, ScriptEffects]]
"""(member, entry, effects) of the entries of script files."""


def script_effects(
    world: WorldFiles, files: Iterable[tuple[int, ScriptFile]] | None = None
) -> Iterator[tuple[int, int, ScriptEffects]]:
    """What all scripts can do, for `Items.sources`; following all their paths takes seconds. Files that cannot be read
    are left out; `files`: those of the world, if they were read before."""
    for member, file in script_files(world) if files is None else files:
        reader = EffectsReader(file, world.game.tables.script_commands)
        for entry in range(len(file.entries)):
            yield member, entry, reader.effects(entry)


class Items:
    """Where the items of a ROM come from. Maps whose events are damaged are left out and named in `notes`."""

    def __init__(self, world: WorldFiles) -> None:
        self.notes: list[str] = []
        self._world = world
        self._known = world.game.tables.items
        self._numbers = world.game.tables.script_numbers

    @shared_property
    def _lists(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """Kind of shop -> the goods of each by number."""
        known = self._known
        return {
            "common": (tuple(sold.item for sold in self._world.common_mart.value),),
            "specialties": self._world.special_marts.value,
            "decor": known.decor,
            "seals": known.seals,
            "frontier": known.frontier,
            "game corner": (tuple(prize.item for prize in known.game_corner),),
        }

    def sold(self, kind: str, number: int) -> tuple[int, ...]:
        """The goods of a shop; empty for an unknown one. The common shops are all number 0."""
        lists = self._lists.get(kind, ())
        return lists[number] if 0 <= number < len(lists) else ()

    def shops(self, effects: EntryEffects) -> tuple[ShopList, ...]:
        """All shops by kind and number, with the scripts that open them by their `effects`. Raises FormatError."""
        opened = by_key(
            (mart, (member, entry)) for member, entry, of_entry in effects for mart in of_entry.found.get("mart", ())
        )
        places = [place for place, _ in self._known.special_marts]
        return tuple(
            ShopList(
                kind,
                number,
                places[number] if kind == "specialties" else "",
                tuple((item, self._price(kind, item)) for item in goods),
                tuple(opened.get((kind, number), ())),
            )
            for kind, lists in self._lists.items()
            for number, goods in enumerate(lists)
            if goods
        )

    def _price(self, kind: str, number: int) -> int | None:
        if kind == "game corner":
            return dict(self._known.game_corner)[number]
        if kind not in ("common", "specialties"):
            return None
        data = read_or(None, self.data, number)
        return None if data is None else data.price

    def data(self, item: int) -> ItemData:
        """The record of an item; that of item 0 for a number that is no item. Raises FormatError, RomError."""
        return self._world.member(Role.ITEMS, item_files(self._world, item).data, ItemData.from_bytes)

    # --- sources

    def sources(self, item: int, effects: EntryEffects | None = None) -> tuple[ItemSource, ...]:
        """Where an item comes from: shops and prizes, maps by header, scripts if their `effects` are given."""
        return self.by_item(effects).get(item, ())

    def by_item(self, effects: EntryEffects | None = None) -> dict[int, tuple[ItemSource, ...]]:
        """Item -> its sources."""
        of_scripts = self.script_sources(effects) if effects is not None else ()
        sources = by_key((source.item, source) for source in (*self.general, *self.on_maps, *of_scripts))
        return {item: tuple(sources[item]) for item in sorted(sources)}

    @shared_property
    def general(self) -> tuple[ItemSource, ...]:
        """The common shops and the Game Corner."""
        return (*self._world.common_mart.value, *self._known.game_corner)

    @shared_property
    def on_maps(self) -> tuple[ItemSource, ...]:
        """The items on the maps of all headers."""
        sources: list[ItemSource] = []
        for header in self._world.headers:
            try:
                sources += self.on_map(header.id)
            except FormatError as error:
                self.notes.append(str(error))
        return tuple(sources)

    def on_map(self, header: int) -> tuple[ItemSource, ...]:
        """The items on the floor, the berry trees, and the hidden items of a map, each in the order of the events.
        Raises FormatError."""
        events = self._world.events(header)
        if events is None:
            return ()
        return (*self._of_objects(header, events.objects), *self._of_backgrounds(header, events.background))

    def of_script(self, number: int) -> tuple[int, int] | None:
        """The item and the count that a script number of an item on the floor or a hidden item means; None for another
        number. Raises FormatError, RomError."""
        if number in self._numbers.item_balls:
            ball = number - self._numbers.item_balls.start
            return self._visible[ball] if ball < len(self._visible) else None
        if number in self._numbers.hidden_items:
            hidden = self._hidden.get(number - self._numbers.hidden_items.start)
            return None if hidden is None else (hidden.item, hidden.amount)
        return None

    def _of_objects(self, header: int, objects: npt.NDArray[np.void]) -> Iterator[ItemSource]:
        scripts, numbers = objects["script"], self._numbers.item_balls
        visible = (scripts >= numbers.start) & (scripts < numbers.stop)
        for event in objects[visible | (objects["graphics"] == BERRY_PATCH)]:
            x, z = int(event["x"]), int(event["z"])
            if event["graphics"] == BERRY_PATCH:
                yield from self._berries(header, x, z, int(event["parameters"][0]))
            elif (given := self.of_script(int(event["script"]))) is not None:
                yield PlacedItem(given[0], Way.FLOOR, header, x, z, given[1], int(event["hidden_flag"]))

    def _berries(self, header: int, x: int, z: int, patch: int) -> Iterator[BerryTree]:
        berries, known = self._world.game.tables.new_game.berries, self._known
        if patch < min(len(berries), len(known.berry_yields)) and berries[patch]:
            item = known.first_berry - 1 + berries[patch]
            yield BerryTree(item, header, x, z, known.berry_yields[patch], patch)

    def _of_backgrounds(self, header: int, events: npt.NDArray[np.void]) -> Iterator[PlacedItem]:
        flags = self._world.game.tables.save_names.hidden_items
        for event in events[events["type"] == BackgroundKind.HIDDEN_ITEM]:
            script, given = int(event["script"]), self.of_script(int(event["script"]))
            if given is not None:
                x, z, flag = int(event["x"]), int(event["z"]), flags[script - self._numbers.hidden_items.start]
                yield PlacedItem(given[0], Way.HIDDEN, header, x, z, given[1], flag)

    @shared_property
    def _hidden(self) -> dict[int, HiddenItem]:
        return {hidden.number: hidden for hidden in self._world.hidden_items.value}

    @shared_property
    def _visible(self) -> tuple[tuple[int, int] | None, ...]:
        """Item and count by number of the script, None for a script of another form: each begins by setting the
        variables of the item and of the count."""
        world, member = self._world, self.visible_member
        archive = world.archive(Role.SCRIPTS)
        if member is None or archive is None or member >= len(archive):
            return ()
        file = world.script_file(member)
        sets = world.game.tables.script_commands.set_variable
        given: list[tuple[int, int] | None] = []
        for target in file.entries:
            match file.items[target.item : target.item + 2]:
                case (
                    Command(command, (variable, int(item))),
                    Command(other, (other_variable, int(count))),
                ) if (command, other) == (sets, sets) and (variable, other_variable) == self._known.visible_variables:
                    given.append((item, count))
                case _:
                    given.append(None)
        return tuple(given)

    @property
    def visible_member(self) -> int | None:
        """The script file of the items on the floor."""
        band = self._numbers.band(self._numbers.item_balls.start)
        return None if band is None else band.member

    def script_sources(self, effects: EntryEffects) -> Iterator[ScriptItem | SoldItem]:
        """The items that scripts hand over and sell, without those that a script computes, and without the file of the
        items on the floor."""
        for member, entry, of_entry in effects:
            if member == self.visible_member:
                continue
            for effect, how in (("give", Way.GIVEN), ("add item", Way.ADDED)):
                for item, count in of_entry.found.get(effect, ()):
                    if isinstance(item, int) and isinstance(count, int) and item >= 0:
                        yield ScriptItem(item, how, member, entry, count)
            for kind, number in of_entry.found.get("mart", ()):
                shop = _SHOPS.get(str(kind))
                if shop is not None and isinstance(number, int):
                    yield from (SoldItem(item, shop, member, entry, number) for item in self.sold(str(kind), number))
