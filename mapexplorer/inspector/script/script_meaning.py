"""What a script number means on all maps, as text."""

from __future__ import annotations

from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles


def script_meaning(world: WorldFiles, number: int) -> str:
    """A trainer, an item on the floor or a hidden one, a shared script; empty for a script of the map itself and for no
    script."""
    numbers = world.game.tables.script_numbers
    band, trainer = numbers.band(number), numbers.trainer(number)
    if number in numbers.none or band is None:
        return ""
    if trainer is not None:
        title = read_or("", name, world, NameBank.TRAINERS, trainer[0])
        return f"trainer {trainer[0]} {', '.join(filter(None, (title, trainer[1])))}"
    for scripts, kind in ((numbers.item_balls, "item on the floor"), (numbers.hidden_items, "hidden item")):
        if number in scripts:
            return f"{kind} {number - scripts.start}{_item(world, number)}"
    return f"shared by all maps: {numbers.names.get(number, band.name)}"


def _item(world: WorldFiles, number: int) -> str:
    """`: Potion x 2`"""
    given = read_or(None, Items(world).of_script, number)
    if given is None:
        return ""
    item, count = given
    title = read_or("", name, world, NameBank.ITEMS, item) or f"item {item}"
    return f": {title}" + (f" x {count}" if count > 1 else "")
