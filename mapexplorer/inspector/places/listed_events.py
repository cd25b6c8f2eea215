"""The events of a map as rows of a list."""

from __future__ import annotations

from typing import Final

from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank
from mapexplorer.inspector.facts import ListedGroup, ListedThing
from mapexplorer.inspector.places.map_events import MapEvent, MapEvents, object_words
from mapexplorer.values import capital
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import BERRY_PATCH
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.terrain.terrain import TILE_LENGTH

_GROUPS: Final = ("People and things", "Items", "Berry and honey trees", "Signs", "Warps", "Triggers")
_PEOPLE, _ITEMS, _TREES, _SIGNS, _WARPS, _TRIGGERS = _GROUPS
_WHERE: Final = {"object": "on the floor", "sign": "hidden"}
"""Kind of the event of an item -> where it is."""
_OF_KIND: Final = {"object": _PEOPLE, "sign": _SIGNS, "warp": _WARPS, "trigger": _TRIGGERS}


def listed_events(world: FieldWorld, events: MapEvents) -> tuple[ListedGroup, ...]:
    """The events of a map by what they are, and its honey trees. Raises FormatError, RomError."""
    groups: dict[str, list[ListedThing]] = {title: [] for title in _GROUPS}
    items = Items(world)
    for event in events.events:
        groups[_group(world, event)].append(_listed(world, events.header.id, event, items))
    groups[_TREES] += _honey_trees(world, events.header.id)
    return tuple(ListedGroup(title, tuple(things)) for title, things in groups.items() if things)


def _group(world: FieldWorld, event: MapEvent) -> str:
    numbers = world.game.tables.script_numbers
    if event.script is not None and (event.script in numbers.item_balls or event.script in numbers.hidden_items):
        return _ITEMS
    if event.looks is not None and event.looks.graphics == BERRY_PATCH:
        return _TREES
    if event.looks is not None and event.looks.graphics in world.game.tables.sign_models:
        return _SIGNS
    return _OF_KIND[event.kind]


def _listed(world: FieldWorld, header: int, event: MapEvent, items: Items) -> ListedThing:
    item = _item(items, event)
    lines = (
        [f"“{' '.join(text.split())}”" for text in event.texts[:1]]
        if item is None
        else [_WHERE.get(event.kind, event.kind)]
    )
    flag, need = event.hidden_by, event.need
    needs = subject("variable", need.variable) if need is not None else None
    if flag is not None:
        lines.append(f"{'absent' if event.absent else 'there'}: {flag.text}")
        needs = subject("flag", flag.flag)
    lines += [*object_words(event), *([f"runs {need.text}"] if need is not None else [])]
    x, z = event.tile
    goal = subject(event.kind, header, event.index)
    picture = item or event.picture
    return ListedThing(
        goal, event_title(world, event, items), tuple(lines), f"{x}, {z}", picture, event.absent, None, needs
    )


def _item(items: Items, event: MapEvent) -> Subject | None:
    """The item on the floor or the hidden one that an event is."""
    given = None if event.script is None else read_or(None, items.of_script, event.script)
    return None if given is None else subject("item", given[0])


def event_title(world: FieldWorld, event: MapEvent, items: Items) -> str:
    """What an event is called: a trainer, an item, the map that a warp leads to, what an object looks like ..."""
    item, kind = _item(items, event), f"{event.kind} {event.index}"
    if event.kind == "warp":
        if event.leads_to is not None:
            return f"to {event.leads_to[0].title}"
        return f"nowhere: {event.leads_nowhere}" if event.leads_nowhere else "back to where the player came from"
    if item is not None:
        return name(world, NameBank.ITEMS, item.key[0]) or f"Item {item.key[0]}"
    if event.name:
        is_trainer = world.game.tables.script_numbers.trainer(event.script or 0) is not None
        return event.name if is_trainer else f"{event.name} ({kind})"
    script = "" if event.script is None else f", script {event.script}"
    return capital(event.meaning or f"{kind}{script}")


def _honey_trees(world: FieldWorld, header: int) -> list[ListedThing]:
    place, prop = world.place(header), world.game.tables.script_numbers.honey_tree_prop
    return [
        ListedThing(
            subject("placed prop", cell.matrix, cell.x, cell.z, tree.index),
            "Honey tree",
            side=", ".join(str(tree.position[axis] // TILE_LENGTH) for axis in (0, 2)),
        )
        for cell in place.cells
        for tree in place.props(cell)
        if tree.model == prop
    ]
