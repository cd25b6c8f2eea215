"""Where uses are looked for. `RULES` is the only list of that.

A rule reads one part of the game and says what kinds of things it uses; an answer about a kind names the rules that
were asked. Importing this module does not import what reads the parts, which is `edges`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from mapexplorer.catalogue.kinds import HEADER, OF_MEANING, SCRIPTS, SPECIES, WEATHER
from mapexplorer.games.game import Topic
from mapexplorer.games.name_bank import NameBank
from mapexplorer.games.role import Role


class Rule(NamedTuple):
    """A place where uses are looked for: its `title` in an answer, the kinds of things that are used there, what must
    be known of a game to read it (None: nothing beyond the field data), the function of `edges` that finds them (empty:
    it is known of no game), and the archives and banks of names that it reads. `alone`: the archive of which the uses
    in each member depend on that member alone, so that only those in members that are read anew are found, if the other
    archives are as they were."""

    title: str
    used: tuple[str, ...]
    topic: Topic | None
    find: str
    reads: tuple[Role | NameBank, ...]
    alone: Role | None = None


EFFECTS: Final[Mapping[str, tuple[tuple[str, int, str], ...]]] = {
    "flag set": (("flag", 0, "set by"),),
    "flag clear": (("flag", 0, "cleared by"),),
    "flag check": (("flag", 0, "checked by"),),
    "give": (("item", 0, "given by"),),
    "add item": (("item", 0, "given by"),),
    "take": (("item", 0, "taken by"),),
    "pokemon": ((SPECIES, 0, "given by"), ("item", 2, "held by a gift of")),
    "egg": ((SPECIES, 0, "as an egg by"),),
    "wild": ((SPECIES, 0, "fought in"),),
    "trainer": (("trainer", 0, "trainer"),),
    "partner": (("trainer", 0, "partner"),),
    "warp": ((HEADER, 0, "led to by"),),
    "trade": (("trade", 0, "traded by"),),
    "text": (("text", 0, "said by"),),
}
"""Effect of a script -> the kind of the thing that it uses, which of its values is the number, how."""

_FIELD_DATA: Final = (
    "area",
    "matrix",
    "events",
    "messages",
    SCRIPTS,
    "preload list",
    "encounters",
    "name window",
    "location",
    "camera",
    "land",
    "prop set",
    "terrain set",
    "light set",
    "prop",
    "prop animation",
    "terrain animation",
    HEADER,
    "object graphics",
    "picture",
)
"""The kinds that `world.references.references` counts as uses."""

RULES: Final = (
    Rule(
        "the field data",
        _FIELD_DATA,
        None,
        "references",
        (
            Role.MAP_MATRIX,
            Role.AREA_DATA,
            Role.AREA_BUILD,
            Role.LAND_DATA,
            Role.PROP_ANIMATION_LIST,
            Role.TERRAIN_TEXTURES,
            Role.TERRAIN_ANIMATIONS,
            Role.ZONE_EVENT,
        ),
        Role.ZONE_EVENT,
    ),
    Rule("events", ("flag", "variable", SCRIPTS, HEADER), None, "events", (Role.ZONE_EVENT,), Role.ZONE_EVENT),
    Rule(
        "scripts of events",
        ("trainer", "item", "flag"),
        Topic.SCRIPTS,
        "event_scripts",
        (Role.ZONE_EVENT,),
        Role.ZONE_EVENT,
    ),
    Rule("initial scripts", ("variable", SCRIPTS), Topic.SCRIPTS, "initial_scripts", (Role.SCRIPTS,)),
    Rule("wild encounters", (SPECIES,), Topic.ENCOUNTERS, "wild", (Role.ENCOUNTERS, Role.ENCOUNTER_EXTRAS)),
    Rule(
        "trainers and their parties",
        (SPECIES, "item", "move", "flag", "music"),
        Topic.TRAINERS,
        "parties",
        (Role.TRAINERS, Role.TRAINER_PARTIES),
    ),
    Rule("messages of trainers", ("text",), Topic.TRAINERS, "messages", (Role.TRAINER_MESSAGES,)),
    Rule("machines", ("move",), Topic.MACHINES, "machines", (NameBank.MOVES,)),
    Rule("learnsets and move tutors", ("move",), Topic.LEARNSETS, "", ()),
    Rule("shops and prizes", ("item", "shop"), Topic.ITEMS, "shops", (Role.SCRIPTS, Role.ITEMS)),
    Rule("in-game trades", (SPECIES, "item"), Topic.SCRIPTS, "trades", (Role.TRADES, NameBank.TRADES)),
    Rule("tables of the program", ("flag", SCRIPTS, "messages"), Topic.SCRIPTS, "program", ()),
    Rule("the music of maps", ("music",), None, "music", ()),
    Rule("the weather of the year", (WEATHER,), None, "weather", ()),
    Rule("the tiles of lands", ("behaviour", SCRIPTS), None, "tiles", (Role.LAND_DATA,)),
    Rule("records of species", ("item",), Topic.ITEMS, "held_by_wild", (Role.SPECIES,)),
    Rule(
        "scripts",
        ("variable", "music", SCRIPTS, *{kind: None for uses in EFFECTS.values() for kind, *_ in uses}),
        Topic.SCRIPTS,
        "scripts",
        (Role.SCRIPTS,),
        Role.SCRIPTS,
    ),
    Rule("Pokémon that roam", (SPECIES,), Topic.SCRIPTS, "roaming", (Role.SCRIPTS,)),
    Rule(
        "arguments of script commands",
        tuple(OF_MEANING.values()),
        Topic.SCRIPTS,
        "commands",
        (Role.SCRIPTS,),
        Role.SCRIPTS,
    ),
)
REFERENCE: Final = 0
"""The number of the rule about the field data, which is read fast."""
NOT_A_USE: Final = -1
"""Stands for the number of the rule of references that are no uses."""


def asked(kind: str) -> tuple[tuple[int, Rule], ...]:
    """The rules that find uses of things of a kind, with their numbers."""
    return tuple((number, rule) for number, rule in enumerate(RULES) if kind in rule.used)
