"""The people, items, trees, signs, warps and triggers of the present map."""

from __future__ import annotations

from mapexplorer.gui.docks.map_list import MapAnswer, MapQuestion
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.inspector.listed_events import listed_events
from mapexplorer.inspector.map_events import events_json, events_lines, find_events
from mapexplorer.world.save import Save


def _read(renderer: PlaceRenderer, header: int, save: Save) -> MapAnswer:
    world = renderer.world
    found = find_events(world, header, save)
    rows = listed_events(world, found, save)
    return MapAnswer(rows, lambda: "\n".join(events_lines(found)), lambda: events_json(found), found.damaged)


EVENTS = MapQuestion("events", "Filter by name, text or flag", "This map has no events.", _read)
