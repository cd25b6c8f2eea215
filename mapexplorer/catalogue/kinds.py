"""The kinds of things. `KINDS` is the only list of them.

A kind says how its things are named, counted, stored and searched; names, links, completions, lists and icons follow
from it. Importing this module imports neither numpy nor what reads files; the functions that a kind names are those of
`names`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mapexplorer.errors import PlaceError, check_number
from mapexplorer.games.name_bank import NameBank
from mapexplorer.games.role import Role
from mapexplorer.values import count
from mapexplorer.world.subject import Key, Subject

if TYPE_CHECKING:
    from mapexplorer.games.game import Game
    from mapexplorer.world import FieldWorld

HEADER: Final = "header"
FILE: Final = "file"
SPECIES: Final = "species"
TEXTURE: Final = "texture"
SCRIPT: Final = "script"
SCRIPTS: Final = "scripts"
WEATHER: Final = "weather"
LOCATION: Final = "location"

Names = Iterable[tuple[str, Key]]
"""Names and the keys that they belong to; a key may have several names, a name several keys."""


@dataclass(frozen=True)
class Kind:
    """A kind of things."""

    name: str
    """What it is called in a `Subject`."""
    title: str
    """The heading of a list of them."""
    archive: Role | None = None
    """The archive whose members have their numbers."""
    word: str = ""
    """What users type, if not the name."""
    singular: str = ""
    """What one of them is called in a sentence, if not the name."""
    aliases: tuple[str, ...] = ()
    """Other words that users type."""
    parts: int = 1
    """How many numbers a key has."""
    bank: NameBank | None = None
    """The texts that are their names, one for each number."""
    read: str = ""
    """The row of `names.NAMES` that reads the names of all from a world, if no bank has them."""
    read_one: str = ""
    """The row of `names.ONE` that reads the name of one, where the names of all are read slowly."""
    bound: str = ""
    """The row of `names.BOUNDS` that tells the numbers that exist, if neither archive nor bank do."""
    every: bool = True
    """Each number has a name, so that one without is refused."""
    order: int = 0
    """A name without a kind is searched in the kinds of order 1 first, then 2 ...; 0: only with the kind."""
    events: str = ""
    """The list of `ZoneEvents` that holds these events."""
    records: Role | None = None
    """The archive with their records, beside `archive`."""
    file: Role | None = None
    """The file with their names, if neither archive nor bank has them."""
    reads: tuple[Role | NameBank, ...] = ()
    """The other archives and banks that their names, and what is said beside them, are read from."""
    topic: str = ""
    """The part of a game (`games.Topic`) without which their names are not known."""
    icon: bool = False
    """Their small pictures are in the ROM."""
    stroke: str = ""
    """The drawn icon of a row, where there is no picture."""
    seen: bool = False
    """They are chosen in a picture or a list, and have no address that a user types."""

    @property
    def one(self) -> str:
        """What one of them is called in a sentence."""
        return self.singular or self.name

    @property
    def typed(self) -> str:
        """The word before the colon of an address."""
        return (self.word or self.name).replace(" ", "-")

    @property
    def slow(self) -> bool:
        """Whether many files are read for the names of all."""
        return bool(self.read_one)

    def names(self, world: FieldWorld) -> Names:
        """The names of all, as far as they have any. Raises FormatError, RomError."""
        if self.bank is not None:
            names: Names = _names().of_bank(world, self.bank)
            return names
        read: Callable[[FieldWorld], Names] = _names().NAMES[self.read]
        return read(world)

    def is_named_in(self, game: Game) -> bool:
        """Whether the names of those of a game are known."""
        files = all(role is None or role in game.files for role in (self.archive, self.file))
        return files and self.topic not in game.not_known and (self.bank is None or self.bank in game.name_banks)

    def name_of(self, world: FieldWorld, key: Key) -> str:
        """The name of one, empty without one. Raises FormatError, RomError, PlaceError."""
        if self.read_one:
            return str(_names().ONE[self.read_one](world, *key))
        return next((name for name, number in self.names(world) if number == key), "")

    def numbers(self, world: FieldWorld) -> Sequence[int] | None:
        """The numbers that exist, ascending; None where the ROM does not tell. Raises FormatError, RomError."""
        if self.archive is not None:
            return range(len(world.members(self.archive)))
        if self.bank is not None:
            texts = world.names(self.bank)
            return range(len(texts.messages)) if texts is not None else None
        numbers = _names().BOUNDS[self.bound](world) if self.bound else None
        return range(numbers) if isinstance(numbers, int) else numbers

    def check(self, world: FieldWorld, key: Key) -> None:
        """Raises PlaceError for a key of another form, or that does not exist where the ROM says how many there are."""
        if len(key) != self.parts:
            form = f"{self.typed}:{'/'.join('1' * self.parts)}"
            article = "An" if self.one[0] in "aeiou" else "A"
            raise PlaceError(f"{article} {self.one} has {count(self.parts, 'number')}, as in {form}.")
        known = self.numbers(world) if self.parts == 1 else None
        if known is not None:
            check_number(self.one, key[0], known)


def _names() -> Any:
    """The module that reads names, which imports much."""
    return import_module("mapexplorer.catalogue.names")


_KINDS: Final = (
    Kind(
        HEADER,
        "Maps",
        word="map",
        singular="map header",
        read="headers",
        bound="headers",
        order=1,
        file=Role.MAP_NAMES,
        reads=(Role.ZONE_EVENT, NameBank.PLACES),
        stroke="top",
    ),
    Kind(SPECIES, "Species", bank=NameBank.SPECIES, order=2, records=Role.SPECIES, icon=True, stroke="item"),
    Kind("item", "Items", bank=NameBank.ITEMS, order=2, icon=True, stroke="item"),
    Kind(
        "trainer",
        "Trainers",
        bank=NameBank.TRAINERS,
        order=2,
        records=Role.TRAINERS,
        reads=(Role.TRAINERS, NameBank.TRAINER_CLASSES),
        stroke="people",
    ),
    Kind("move", "Moves", bank=NameBank.MOVES, order=2, stroke="move"),
    Kind(
        "flag",
        "Flags",
        read="flags",
        bound="flags",
        every=False,
        order=3,
        topic="scripts",
        reads=(Role.ZONE_EVENT, Role.SCRIPTS, Role.TRAINERS),
        stroke="flag",
    ),
    Kind(
        "variable",
        "Variables",
        read="variables",
        bound="variables",
        every=False,
        order=3,
        topic="scripts",
        reads=(Role.ZONE_EVENT, Role.SCRIPTS),
        stroke="variable",
    ),
    Kind(SCRIPT, "Scripts of all maps", parts=2, read="shared scripts", every=False, topic="scripts", stroke="script"),
    Kind(
        "unused",
        "Scripts that nothing runs",
        parts=2,
        topic="scripts",
        seen=True,
        reads=(Role.ZONE_EVENT, Role.SCRIPTS),
        stroke="script",
    ),
    Kind(
        "music",
        "Music",
        singular="sequence",
        aliases=("sequence", "sound"),
        read="music",
        bound="music",
        every=False,
        order=2,
        file=Role.MUSIC,
        stroke="music",
    ),
    Kind(WEATHER, "Weather", read="weathers", order=2, stroke="weather"),
    Kind("prop", "Map props", Role.BUILD_MODEL, read="props", read_one="prop", order=4, stroke="top"),
    Kind(
        TEXTURE,
        "Textures",
        parts=3,
        read="textures",
        read_one="texture",
        order=4,
        reads=(Role.PROP_TEXTURES, Role.TERRAIN_TEXTURES),
        stroke="copy",
    ),
    Kind(FILE, "Files", read="files", order=4, stroke="open"),
    Kind("text", "Texts", parts=2, read_one="text", reads=(Role.MESSAGES, Role.SCRIPTS), stroke="text"),
    Kind("trade", "In-game trades", Role.TRADES, read="trades", reads=(NameBank.TRADES,), stroke="people"),
    Kind("shop", "Shops", read="shops", topic="items", reads=(Role.ITEMS,), stroke="item"),
    Kind("camera", "Cameras", read="cameras", order=3, stroke="top"),
    Kind(
        "object graphics",
        "Object graphics",
        singular="set of object graphics",
        aliases=("graphics",),
        read="graphics",
        bound="graphics",
        every=False,
        order=3,
        icon=True,
        stroke="people",
    ),
    Kind(
        "behaviour",
        "Tile behaviours",
        read="behaviours",
        bound="behaviours",
        every=False,
        order=3,
        stroke="matrix",
    ),
    Kind(LOCATION, "Locations", aliases=("location name",), read="locations", reads=(NameBank.PLACES,), stroke="top"),
    Kind("matrix", "Matrices", Role.MAP_MATRIX),
    Kind("land", "Lands", Role.LAND_DATA),
    Kind("area", "Areas", Role.AREA_DATA),
    Kind("prop set", "Prop sets", Role.AREA_BUILD),
    Kind("terrain set", "Terrain sets", Role.TERRAIN_TEXTURES),
    Kind("light set", "Light sets", Role.AREA_LIGHT),
    Kind("prop animation", "Prop animations", Role.PROP_ANIMATIONS),
    Kind("events", "Event files", Role.ZONE_EVENT, singular="event file"),
    Kind("encounters", "Encounter files", Role.ENCOUNTERS, singular="encounter file"),
    Kind(
        "messages", "Message banks", Role.MESSAGES, singular="text bank", aliases=("text bank", "message bank", "bank")
    ),
    Kind(SCRIPTS, "Script files", Role.SCRIPTS, singular="script file", aliases=("script file",), stroke="script"),
    Kind("preload list", "Preload lists", Role.PRELOAD_LISTS),
    Kind("name window", "Windows of place names", Role.PLACE_NAME_WINDOWS),
    Kind("picture", "Pictures of objects", Role.SPRITES, singular="picture of an object"),
    Kind("terrain animation", "Terrain animations", bound="terrain animations"),
    Kind("object", "People and things", parts=2, events="objects", seen=True, stroke="people"),
    Kind("sign", "Signs", parts=2, events="background", seen=True, stroke="text"),
    Kind("warp", "Warps", parts=2, events="warps", seen=True, stroke="forward"),
    Kind("trigger", "Triggers", parts=2, events="triggers", seen=True, stroke="step"),
    Kind("cell", "Cells", parts=3, seen=True, stroke="matrix"),
    Kind("tile", "Tiles", parts=3, seen=True, stroke="matrix"),
    Kind("placed prop", "Placed props", parts=4, seen=True, stroke="tree"),
    Kind("plate", "Height plates", parts=4, seen=True),
    Kind("pixel", "Pixels", parts=2, seen=True),
    Kind("rom", "ROMs", parts=0, seen=True),
    Kind("model", "Models", parts=2, seen=True),
    Kind("sign graphics", "Signposts", seen=True, stroke="text"),
)

KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in _KINDS}
"""Name -> kind; of those that match a text equally well, the first one's things are listed first."""

EVENT_LISTS: Final[Mapping[str, str]] = {kind.name: kind.events for kind in _KINDS if kind.events}
"""Kind of event -> the list of `ZoneEvents` that holds it."""

SCRIPTED: Final[Mapping[str, str]] = {kind: events for kind, events in EVENT_LISTS.items() if kind != "warp"}
"""The same of the events that run scripts."""

OF_MEANING: Final[Mapping[str, str]] = {
    "flag": "flag",
    "variable": "variable",
    "item": "item",
    "trainer": "trainer",
    "species": SPECIES,
    "move": "move",
    "header": HEADER,
    "sound": "music",
    "bank": "messages",
}
"""Meaning of an argument of a script command -> the kind of the thing that its number is."""

STORED: Final[Mapping[Role, Kind]] = {
    role: kind for kind in reversed(_KINDS) for role in (kind.records, kind.archive) if role is not None
} | {Role.PROP_TEXTURES: KINDS["prop set"]}
"""Archive -> the kind whose things its members are, numbered alike."""

NAMED: Final = tuple(kind for kind in _KINDS if kind.bank or kind.read or kind.name in ("unused", "text"))
"""The kinds whose things have names to search for."""

WITH_ICON: Final = tuple(kind.name for kind in _KINDS if kind.icon)
"""The kinds whose things have a small picture."""

_WORDS: Final[Mapping[str, str]] = {
    word: kind.name for kind in _KINDS for word in (kind.name, kind.word, *kind.aliases) if word
}


def kind_of(word: str) -> str:
    """The name of the kind that a word means; the word itself in lower case where there is none."""
    plain = re.sub(r"[-_\s]+", " ", word.strip().lower())
    return _WORDS.get(plain, plain)


def stroke_of(kind: str) -> str:
    """The drawn icon of a kind, empty without one."""
    return KINDS[kind].stroke if kind in KINDS else ""


def header_of(chosen: Subject) -> int | None:
    """The map header on which a thing is; None where that is not one header."""
    return int(chosen.key[0]) if chosen.kind == HEADER or chosen.kind in EVENT_LISTS else None


class NamedThing(NamedTuple):
    """A named thing; `about`: what else is known of it; `why`: by what a search found it, where neither says so."""

    subject: Subject
    name: str
    about: str = ""
    why: str = ""

    @property
    def word(self) -> str:
        """The word for its kind: `map`, `prop`."""
        return KINDS[self.subject.kind].word or self.subject.kind

    @property
    def numbers(self) -> Key:
        """The numbers that a user types; none for a file."""
        key = self.subject.key
        return key[1:] if self.subject.kind == SCRIPT and not key[0] else () if self.subject.kind == "file" else key

    @property
    def address(self) -> str:
        """`species:25`, `prop-set:3`, `text:17/3`, of a file its path: what `resolve.find_thing` takes."""
        return f"{KINDS[self.subject.kind].typed}:{'/'.join(map(str, self.numbers)) or self.name}"

    @property
    def title(self) -> str:
        """The address and the name."""
        return f"{self.address} {self.name}".rstrip() if self.numbers else self.address

    def __str__(self) -> str:
        return self.title
