"""What code adds to maps at run time: props, height plates, collision and events of gyms, lifts, the tram, the villa.

`entered` is the feature of a header for a save, `choices` the states that a person can choose for it. Each feature is a
module with its table, what it does and what of it is not modelled, a file `data/GAME/NAME.json`, and a line in `KINDS`.
Nothing else in the application knows which headers have which feature.

A feature is an immutable value of a header and a state (`feature.Feature`). A chosen state is a plain value in
`world.save.Save.features`, under the feature's name. In a scene it is part of the conditions. It knows buttons and
trainers by the commands of their scripts (`world.events.script_files.script_commands`), not by numbers. Files of a
feature are read by `Feature.with_files`; its state needs none.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, get_type_hints

from mapexplorer.features.feature import ChangeTick, Feature, FeatureChange, FeatureMotion
from mapexplorer.features.values import (
    FeatureConditions,
    FeatureEffect,
    FeatureSky,
    HeightPlate,
    LitPerson,
    PlacedProp,
    PlayerTile,
    Press,
    RunTimeProp,
    SkyPainter,
    StateChoice,
    SurfaceStep,
)
from mapexplorer.games import Topic
from mapexplorer.games.tables import Tables
from mapexplorer.naming import comparable_name
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save
from mapexplorer.world.sources.readable import readable_events

__all__ = [
    "ChangeTick",
    "Feature",
    "FeatureChange",
    "FeatureConditions",
    "FeatureEffect",
    "FeatureMotion",
    "FeatureSky",
    "HeightPlate",
    "LitPerson",
    "PlacedProp",
    "PlayerTile",
    "Press",
    "RunTimeProp",
    "SkyPainter",
    "StateChoice",
    "SurfaceStep",
    "by_header",
    "choices",
    "choosing",
    "entered",
    "entered_walking",
    "feature_name",
    "remembered",
    "table_of",
    "unknown_parts",
]

KINDS: Final[Mapping[str, str]] = {
    "pastoria gym": "pastoria_gym.PastoriaGym",
    "canalave gym": "canalave_gym.CanalaveGym",
    "sunyshore gym": "sunyshore_gym.SunyshoreGym",
    "eterna gym": "eterna_gym.EternaGym",
    "veilstone gym": "veilstone_gym.VeilstoneGym",
    "hearthome gym": "hearthome_gym.HearthomeGym",
    "snowpoint gym": "snowpoint_gym.SnowpointGym",
    "platform lift": "platform_lift.PlatformLift",
    "great marsh": "great_marsh.GreatMarsh",
    "villa": "villa.Villa",
    "honey tree": "honey_tree.HoneyTree",
    "distortion world": "distortion_world.feature.DistortionWorld",
    "hidden locations": "hidden_locations.HiddenLocations",
}
"""Name of a feature -> its class, which is imported when a map has it. Each has a file of tables with its name in the
folders of the games that have it."""


_GYM: Final = "GYM"
"""Part of the internal names of gyms in every game."""


@cache
def by_header(tables: Tables) -> Mapping[int, str]:
    """Header -> the name of its feature, in a game."""
    return {header: name for name in KINDS for header in tables.own(_file(name)).get("headers", ())}


def _kind(name: str) -> type[Feature]:
    module, _, kind = KINDS[name].rpartition(".")
    feature: type[Feature] = getattr(import_module(f"{__name__}.{module}"), kind)
    return feature


def _kind_at(tables: Tables, header: int) -> type[Feature] | None:
    """The feature of a header; None for a header without one."""
    name = feature_name(tables, header)
    return None if name is None else _kind(name)


def table_of(kind: type[Feature], tables: Tables) -> Any:
    """The table of a feature in a game that has it, of the type that its field names."""
    return tables.own_table(get_type_hints(kind)["table"], _file(kind.name))


def _file(name: str) -> str:
    return name.replace(" ", "_")


def feature_name(tables: Tables, header: int) -> str | None:
    """The name of a header's feature, under which a save has its state; None for a header without one."""
    return by_header(tables).get(header)


def unknown_parts(place: FieldPlace) -> str:
    """What of a map is not known in a game of which it is not known: what code adds to a gym, and which of several
    people on a tile there are; empty where nothing is missing."""
    game, header, words = place.world.game, place.header, []
    unknown = Topic.FEATURES in game.not_known and feature_name(game.tables, header.id) is None
    if unknown and _GYM in header.internal_name:
        words.append("what code adds to this gym, such as doors and lifts")
    events = readable_events(place.world, header.id) if Topic.SCRIPTS in game.not_known else None
    if events is not None:
        hideable = events.objects[events.objects["hidden_flag"] != 0]
        tiles = ", ".join(str(tile) for tile, number in Counter(hideable[["x", "z"]].tolist()).items() if number > 1)
        words += [f"which of the people on tile {tiles} a new game has"] if tiles else []
    return "; ".join(words)


def entered(save: Save, header: int, entry: tuple[int, int] | None = None) -> Feature | None:
    """The feature of a header: in the state of the save, else as a visit that begins on the tile `entry` finds it.

    None for a header without one. Raises ValueError for a state that the feature does not have.
    """
    kind = _kind_at(save.game.tables, header)
    return None if kind is None else _entered(kind, save, header, entry)


def entered_walking(save: Save, header: int, entry: tuple[int, int] | None = None) -> Feature | None:
    """As `entered`, but None also for a feature that concerns only the picture."""
    kind = _kind_at(save.game.tables, header)
    return None if kind is None or not kind.in_walks else _entered(kind, save, header, entry)


def _entered(kind: type[Feature], save: Save, header: int, entry: tuple[int, int] | None) -> Feature:
    table = table_of(kind, save.game.tables)
    if kind.name in save.features:
        return kind.in_state(table, header, save.features[kind.name])
    return kind.entered(table, header, entry)


def remembered(states: Mapping[str, Any]) -> dict[str, Any]:
    """Those of some states, by the name of the feature, that are kept when the player leaves the map."""
    return {name: state for name, state in states.items() if name in KINDS and _kind(name).kept}


def choices(tables: Tables, header: int) -> tuple[StateChoice, ...]:
    """The states of a header's feature that a person can choose from; none for a header without one."""
    kind = _kind_at(tables, header)
    return () if kind is None else kind.choices(table_of(kind, tables), header)


def choosing(save: Save, header: int, text: str) -> Save:
    """A save with the feature of a header in a state given as text: the name of a choice, names of choices that are
    lists, separated by commas, or the plain value as JSON.

    Raises ValueError for a header without states and for an unknown state.
    """
    tables = save.game.tables
    name, known = feature_name(tables, header), choices(tables, header)
    if name is None or not known:
        raise ValueError("code adds nothing to this map that has states")
    try:
        chosen = dataclasses.replace(save, features={**save.features, name: _named(known, text)})
        entered(chosen, header)
    except ValueError as error:
        listed = ", ".join(f"{choice.name} ({choice.title})" for choice in known)
        why = "" if isinstance(error, json.JSONDecodeError) else f": {error}"
        raise ValueError(f"{text!r} is no state of {name}{why}; there are {listed}, or values as JSON") from None
    return chosen


def _named(known: Sequence[StateChoice], text: str) -> Any:
    """The state that a text means. Raises JSONDecodeError."""
    states = {comparable_name(choice.name): choice.state for choice in known}
    name = comparable_name(text)
    if name in states:
        return states[name]
    parts = [states.get(comparable_name(part)) for part in text.split(",")]
    if all(isinstance(part, list) for part in parts):
        return [entry for part in parts if part is not None for entry in part]
    return json.loads(text)
