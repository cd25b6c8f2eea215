"""The tables of what happens on maps: wild encounters, items, trainers, music, pictures of items and species."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

MALE, FEMALE, NEITHER = "m", "f", "-"
"""The genders of a trainer class."""


class HoneyTreeGroups(NamedTuple):
    """The chance in percent of no Pokémon, and of the common, uncommon and rare group of a honey tree."""

    none: int
    common: int
    uncommon: int
    rare: int


class Roamer(NamedTuple):
    """A species that roams, its level, and whether the game uses it."""

    species: int
    level: int
    used: bool


@dataclass(frozen=True)
class EncounterTables:
    """`chances`: percent of each slot by kind (`grass`, `surf`, `old rod`, `good rod`, `super rod`); `lists`: time of
    day -> the list that replaces `replaced["time"]`, empty in the morning; `replaced`: slots of the grass by what
    replaces them (also `swarm`, `second slot`, `Poké Radar`). Headers are in the game's order.

    `unown`: the letters of each table. `honey_trees` (common, uncommon, rare), `trophy_garden` and `great_marsh` (with
    the National Pokédex, before) are members of encdata_ex, and so are `feebas`, a species, and the `feebas_tiles`, the
    water of `feebas_header` where it can be; on four of them a day a bite is Feebas in `feebas_chance` percent.
    """

    chances: Mapping[str, tuple[int, ...]]
    lists: Mapping[str, str]
    replaced: Mapping[str, tuple[int, ...]]
    swarm_headers: tuple[int, ...]
    honey_tree_headers: tuple[int, ...]
    honey_tree_chances: tuple[int, ...]
    honey_tree_levels: tuple[int, int]
    common_trees: HoneyTreeGroups
    munchlax_trees: HoneyTreeGroups
    roamer_headers: tuple[int, ...]
    roamers: tuple[Roamer, ...]
    unown: Mapping[int, str]
    trophy_garden_header: int
    great_marsh_headers: tuple[int, ...]
    honey_trees: tuple[int, ...]
    trophy_garden: int
    great_marsh: tuple[int, int]
    feebas_header: int
    feebas_chance: int
    feebas_levels: tuple[int, int]
    feebas: int
    feebas_tiles: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> EncounterTables:
        """The tables of `encounters.json`."""
        groups, members = table["honey tree groups"], table["members"]
        return cls(
            {kind: tuple(chances) for kind, chances in table["chances"].items()},
            table["lists by time"],
            {by: tuple(slots) for by, slots in table["replaced slots"].items()},
            tuple(table["swarm headers"]),
            tuple(table["honey tree headers"]),
            tuple(table["honey tree chances"]),
            (table["honey tree levels"][0], table["honey tree levels"][1]),
            HoneyTreeGroups(*groups["common trees"]),
            HoneyTreeGroups(*groups["Munchlax trees"]),
            tuple(table["roamer headers"]),
            tuple(Roamer(species, level, bool(used)) for species, level, used in table["roamers"]["rows"]),
            {int(number): letters for number, letters in table["unown tables"].items()},
            table["Trophy Garden header"],
            tuple(table["Great Marsh headers"]),
            tuple(members["honey trees"]),
            members["Trophy Garden"],
            (members["Great Marsh with the National Pokédex"], members["Great Marsh"]),
            table["Feebas header"],
            table["Feebas chance"],
            (table["Feebas levels"][0], table["Feebas levels"][1]),
            members["Feebas"],
            members["Feebas tiles"],
        )


class HiddenItem(NamedTuple):
    """A hidden item: the amount, the range of the Dowsing app, the number in its script and its flag."""

    item: int
    amount: int
    range: int
    number: int


class StepItem(NamedTuple):
    """An item of the shops that sell the same everywhere, and from which step on."""

    item: int
    step: int


class Prize(NamedTuple):
    """An item of the Game Corner and its price in coins."""

    item: int
    coins: int


@dataclass(frozen=True)
class ItemTables:
    """Where items come from in the retail game. `special_marts`: (place, items) by number; `decor` and `seals`: the
    Underground goods and the seals of each shop; `frontier`: the lists of the Battle Frontier; `step_by_badges`: the
    step of the common shops with 0 to 8 badges; `berry_yields` by patch; `visible_variables`: those in which the script
    of an item on the floor passes the item and the count.

    The fields about the program are offsets in ARM9, by game code where they are mappings: the hidden items count from
    the header table, the others are where the code holds an address (`pointer`) or a count.
    """

    first_berry: int
    berry_yields: tuple[int, ...]
    visible_variables: tuple[int, int]
    hidden: tuple[HiddenItem, ...]
    hidden_after_headers: int
    common_mart: tuple[StepItem, ...]
    common_mart_pointer: Mapping[str, int]
    common_mart_count: Mapping[str, int]
    step_by_badges: tuple[int, ...]
    special_marts: tuple[tuple[str, tuple[int, ...]], ...]
    special_mart_pointer: Mapping[str, int]
    decor: tuple[tuple[int, ...], ...]
    seals: tuple[tuple[int, ...], ...]
    frontier: tuple[tuple[int, ...], ...]
    game_corner: tuple[Prize, ...]

    @classmethod
    def of(cls, table: dict[str, Any]) -> ItemTables:
        """The tables of `items.json`."""
        common = table["common mart offsets"]
        item, count = table["visible item variables"]
        return cls(
            table["first berry"],
            tuple(table["berry yields"]),
            (item, count),
            tuple(HiddenItem(*row) for row in table["hidden items"]),
            table["hidden items after the header table"],
            tuple(StepItem(*row) for row in table["common mart"]),
            common["pointer"],
            common["count"],
            tuple(table["step by badges"]),
            tuple((place, tuple(items)) for place, items in table["special marts"]),
            table["special mart pointer"],
            tuple(tuple(goods) for goods in table["decoration marts"]),
            tuple(tuple(seals) for seals in table["seal marts"]),
            tuple(tuple(items) for items in table["Battle Frontier"]),
            tuple(Prize(*row) for row in table["Game Corner"]),
        )


@dataclass(frozen=True)
class TrainerTables:
    """`class_genders` has a letter for each class; `eyes_meet`: class -> the music when its eyes meet the player's;
    `messages`: type -> when it is said; `strategies`: bit -> name; `types` of object
    events: how they look for the player."""

    class_genders: str
    eyes_meet: Mapping[int, int]
    eyes_meet_of_others: int
    messages: Mapping[int, str]
    strategies: Mapping[int, str]
    types: Mapping[int, str]

    @classmethod
    def of(cls, table: dict[str, Any]) -> TrainerTables:
        """The tables of `trainers.json`."""
        return cls(
            table["class genders"],
            dict(table["eyes meet music"]),
            table["eyes meet music of others"],
            dict(table["messages"]),
            dict(table["strategies"]),
            dict(table["trainer types"]),
        )

    def gender(self, trainer_class: int) -> str:
        """The gender of a class; NEITHER for one that is not in the table."""
        return self.class_genders[trainer_class] if trainer_class < len(self.class_genders) else NEITHER

    def music(self, trainer_class: int) -> int:
        """The sequence when the eyes of a trainer of a class meet the player's."""
        return self.eyes_meet.get(trainer_class, self.eyes_meet_of_others)


class FlagMusic(NamedTuple):
    """The sequences by day and by night on the maps of some headers while a flag is set."""

    flag: int
    headers: frozenset[int]
    day: int
    night: int


@dataclass(frozen=True)
class MusicTables:
    """`titles`: sequence -> title in plain words and time of day, empty where it has none; `by_flag` in the game's
    order; the sequences on the bicycle of Cycling Road, while surfing, and in a chain of the Poké Radar."""

    titles: Mapping[int, tuple[str, str]]
    by_flag: tuple[FlagMusic, ...]
    cycling_road: int
    surfing: int
    radar: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> MusicTables:
        """The tables of `music.json`."""
        return cls(
            {number: (title, time) for number, title, time in table["titles"]},
            tuple(FlagMusic(flag, frozenset(headers), day, night) for flag, headers, day, night in table["by flag"]),
            table["cycling road"],
            table["surfing"],
            table["Poké Radar"],
        )


class ItemFiles(NamedTuple):
    """An item's member of the items' archive, and of its picture and palette in the archive of pictures."""

    data: int
    picture: int
    palette: int


@dataclass(frozen=True)
class IconTables:
    """`items` by number; `species_palettes`: the palette of each species' picture, forms after the species."""

    items: tuple[ItemFiles, ...]
    species_palettes: tuple[int, ...]

    @classmethod
    def of(cls, table: dict[str, Any]) -> IconTables:
        """The tables of `icons.json`."""
        palettes = "".join(table["species palettes"])
        return cls(tuple(ItemFiles(*row) for row in table["items"]), tuple(map(int, palettes)))
