"""Where uses are looked for. `RULES` is the only list of that.

A rule reads one part of the game and says what kinds of things it uses; an answer about a kind names the rules that
were asked. Importing this module does not import what reads the parts, which is `edges`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from mapexplorer.catalogue.kinds import HEADER, OF_MEANING, SCRIPTS, SPECIES, WEATHER
from mapexplorer.games.game import Topic


class Rule(NamedTuple):
    """A place where uses are looked for: its `title` in an answer, the kinds of things that are used there, what must
    be known of a game to read it (None: nothing beyond the field data), and the function of `edges` that finds them
    (empty: it is known of no game)."""

    title: str
    used: tuple[str, ...]
    topic: Topic | None
    find: str


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
    Rule("the field data", _FIELD_DATA, None, "references"),
    Rule("events", ("flag", "variable", SCRIPTS, HEADER), None, "events"),
    Rule("scripts of events", ("trainer", "item", "flag"), Topic.SCRIPTS, "event_scripts"),
    Rule("initial scripts", ("variable", SCRIPTS), Topic.SCRIPTS, "initial_scripts"),
    Rule("wild encounters", (SPECIES,), Topic.ENCOUNTERS, "wild"),
    Rule("trainers and their parties", (SPECIES, "item", "move", "flag", "music"), Topic.TRAINERS, "parties"),
    Rule("messages of trainers", ("text",), Topic.TRAINERS, "messages"),
    Rule("machines", ("move",), Topic.MACHINES, "machines"),
    Rule("learnsets and move tutors", ("move",), Topic.LEARNSETS, ""),
    Rule("shops and prizes", ("item", "shop"), Topic.ITEMS, "shops"),
    Rule("in-game trades", (SPECIES, "item"), Topic.SCRIPTS, "trades"),
    Rule("tables of the program", ("flag", SCRIPTS, "messages"), Topic.SCRIPTS, "program"),
    Rule("the music of maps", ("music",), None, "music"),
    Rule("the weather of the year", (WEATHER,), None, "weather"),
    Rule("the tiles of lands", ("behaviour", SCRIPTS), None, "tiles"),
    Rule("records of species", ("item",), Topic.ITEMS, "held_by_wild"),
    Rule(
        "scripts",
        ("variable", "music", SCRIPTS, *{kind: None for uses in EFFECTS.values() for kind, *_ in uses}),
        Topic.SCRIPTS,
        "scripts",
    ),
    Rule("Pokémon that roam", (SPECIES,), Topic.SCRIPTS, "roaming"),
    Rule("arguments of script commands", tuple(OF_MEANING.values()), Topic.SCRIPTS, "commands"),
)
REFERENCE: Final = 0
"""The number of the rule about the field data, which is read fast."""
NOT_A_USE: Final = -1
"""Stands for the number of the rule of references that are no uses."""


def asked(kind: str) -> tuple[tuple[int, Rule], ...]:
    """The rules that find uses of things of a kind, with their numbers."""
    return tuple((number, rule) for number, rule in enumerate(RULES) if kind in rule.used)
