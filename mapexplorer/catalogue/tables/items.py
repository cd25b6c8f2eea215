"""Items and where each comes from; names of species, moves ..."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from mapexplorer.catalogue.source import Row, Rows, Source
from mapexplorer.gameplay.items import (
    BerryTree,
    Items,
    ItemSource,
    PlacedItem,
    ScriptItem,
    SoldItem,
)
from mapexplorer.gameplay.names import name, unpacked
from mapexplorer.games import NameBank, Role
from mapexplorer.games.gameplay_tables import CommonItem, PrizeItem

_COLUMNS: Final = ("header", "x", "z", "count", "flag", "patch", "member", "entry", "shop", "step", "coins")
_LONG: Final = (NameBank.ITEM_DESCRIPTIONS, NameBank.TRAINER_MESSAGES)


def fill_names(source: Source) -> Iterator[tuple[str, Rows]]:
    """The names of all kinds that have a message bank; descriptions and messages of trainers are in `text`."""
    yield (
        "name",
        (
            (kind, number, unpacked(text))
            for kind in NameBank
            if kind not in _LONG and (bank := source.part(partial(source.world.names, kind))) is not None
            for number, text in enumerate(bank.messages)
        ),
    )


def fill_items(source: Source) -> Iterator[tuple[str, Rows]]:
    """The items with a record in the archive."""
    world, items = source.world, Items(source.world)
    members = len(source.members(Role.ITEMS))
    numbers = [item for item, files in enumerate(world.game.tables.icons.items) if files.data < members]
    yield (
        "item",
        (
            (
                item,
                name(world, NameBank.ITEMS, item),
                data.price,
                data.field_pocket,
                data.hold_effect,
                data.hold_parameter,
                data.fling_power,
            )
            for item, data in source.each(numbers, items.data)
        ),
    )


def fill_item_sources(source: Source) -> Iterator[tuple[str, Rows]]:
    """Where all items come from."""
    items = Items(source.world)
    by_item = source.part(partial(items.by_item, [*source.store.effects("give", "add item", "mart")])) or {}
    yield "item_source", (_row(way) for sources in by_item.values() for way in sources)
    for sentence in items.notes:
        source.note(sentence)


def _row(way: ItemSource) -> Row:
    """A source with the columns that it has."""
    match way:
        case PlacedItem():
            return _filled(way.item, way.how, header=way.header, x=way.x, z=way.z, count=way.count, flag=way.flag)
        case BerryTree():
            berry = {"header": way.header, "x": way.x, "z": way.z, "count": way.berries, "patch": way.patch}
            return _filled(way.item, "berry", **berry)
        case ScriptItem():
            return _filled(way.item, way.how, member=way.member, entry=way.entry, count=way.count)
        case SoldItem():
            return _filled(way.item, way.shop, member=way.member, entry=way.entry, shop=way.number)
        case CommonItem():
            return _filled(way.item, "common mart", step=way.step)
        case PrizeItem():
            return _filled(way.item, "game corner", coins=way.coins)


def _filled(item: int, source: str, **given: int) -> Row:
    return (item, source, *(given.get(column) for column in _COLUMNS))
