"""The wild encounters of the present map."""

from __future__ import annotations

from mapexplorer.gameplay.meetings import find_encounters
from mapexplorer.gui.docks.map_list import MapAnswer, MapQuestion
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.inspector.encounters import encounters_json, meetings_text
from mapexplorer.inspector.listed_encounters import listed_encounters
from mapexplorer.world.save import Save


def _read(renderer: PlaceRenderer, header: int, save: Save) -> MapAnswer:
    facts = find_encounters(renderer.world, header)
    return MapAnswer(listed_encounters(facts), lambda: meetings_text(facts), lambda: encounters_json(facts))


ENCOUNTERS = MapQuestion(
    "encounters", "Filter: a species, night, surf …", "No wild Pokémon are met on this map.", _read
)
