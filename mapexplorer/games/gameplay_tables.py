"""The tables of what happens on maps: wild encounters, items, trainers, music, pictures of items and species."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

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
    """`encounters.json`. Headers are in the game's order."""

    chances: Mapping[str, tuple[int, ...]]
    """Percent of each slot by kind (`grass`, `surf`, `old rod`, `good rod`, `super rod`)."""
    lists: Mapping[str, str]
    """Time of day -> the list that replaces `replaced["time"]`, empty in the morning."""
    replaced: Mapping[str, tuple[int, ...]]
    """Slots of the grass by what replaces them (`time`, `swarm`, `second slot`, `Poké Radar`)."""
    swarm_headers: tuple[int, ...]
    """The maps where a swarm can be."""
    honey_tree_headers: tuple[int, ...]
    """The maps with honey trees."""
    honey_tree_chances: tuple[int, ...]
    """Percent of each slot."""
    honey_tree_levels: tuple[int, int]
    """The lowest and the highest level."""
    common_trees: HoneyTreeGroups
    """The chances of the groups in most honey trees."""
    munchlax_trees: HoneyTreeGroups
    """The chances of the groups in the trees where Munchlax can be."""
    roamer_headers: tuple[int, ...]
    """The maps where a roaming Pokémon can be."""
    roamers: tuple[Roamer, ...]
    """The species that roam, by number."""
    unown: Mapping[int, str]
    """The letters of each table."""
    trophy_garden_header: int
    """The map of the Trophy Garden."""
    great_marsh_headers: tuple[int, ...]
    """The maps of the Great Marsh."""
    honey_trees: tuple[int, ...]
    """Members of encdata_ex: common, uncommon, rare."""
    trophy_garden: int
    """A member of encdata_ex."""
    great_marsh: tuple[int, int]
    """Members of encdata_ex: with the National Pokédex, before."""
    feebas_header: int
    """The header of the water where Feebas can be."""
    feebas_chance: int
    """Percent of the bites on the four tiles of a day."""
    feebas_levels: tuple[int, int]
    """The lowest and the highest level."""
    feebas: int
    """The member of encdata_ex with the species."""
    feebas_tiles: int
    """The member of encdata_ex with the tiles of the water."""


class HiddenItem(NamedTuple):
    """A hidden item: the amount, the range of the Dowsing app, the number in its script and its flag."""

    item: int
    amount: int
    range: int
    number: int


class CommonItem(NamedTuple):
    """An item of the common shops, and the step (1 to 6, by the number of badges) from which on they sell it."""

    item: int
    step: int


class PrizeItem(NamedTuple):
    """A prize of the Game Corner, and its price in coins."""

    item: int
    coins: int


@dataclass(frozen=True)
class ItemTables:
    """`items.json`: where items come from in the retail game. Pointers and counts are by game code."""

    first_machine: int
    """The item TM01; the other TMs and the HMs follow."""
    tms: int
    """How many there are."""
    hms: tuple[int, ...]
    """The move of each."""
    first_berry: int
    """The item of the first berry."""
    berry_yields: tuple[int, ...]
    """The number of berries by patch; none where it is not known."""
    visible_variables: tuple[int, int]
    """The variables in which the script of an item on the floor passes the item and the count."""
    hidden: tuple[HiddenItem, ...]
    """The hidden items by number."""
    hidden_after_headers: int
    """The offset in ARM9 of the hidden items from the header table."""
    common_mart: tuple[CommonItem, ...]
    """The items of the common shops."""
    common_mart_pointer: Mapping[str, int]
    """Where the code holds the address of the items of the common shops, offset in ARM9."""
    common_mart_count: Mapping[str, int]
    """Where the code holds their number, offset in ARM9."""
    step_by_badges: tuple[int, ...]
    """The step of the common shops with 0 to 8 badges."""
    special_marts: tuple[tuple[str, tuple[int, ...]], ...]
    """(place, items) by number."""
    special_mart_pointer: Mapping[str, int]
    """Where the code holds the address of the items of special shops, offset in ARM9."""
    decor: tuple[tuple[int, ...], ...]
    """The Underground goods of each shop."""
    seals: tuple[tuple[int, ...], ...]
    """The seals of each shop."""
    frontier: tuple[tuple[int, ...], ...]
    """The lists of the Battle Frontier."""
    game_corner: tuple[PrizeItem, ...]
    """The prizes of the Game Corner."""


@dataclass(frozen=True)
class TrainerTables:
    """`trainers.json`. `class_genders` has a letter for each class; `eyes_meet`: class -> the music when its eyes meet
    the player's; `messages`: type -> when it is said; `strategies`: bit -> name; `types` of object events: how they
    look for the player."""

    class_genders: str
    eyes_meet: Mapping[int, int]
    eyes_meet_of_others: int
    messages: Mapping[int, str]
    strategies: Mapping[int, str]
    types: Mapping[int, str]

    def gender(self, trainer_class: int) -> str:
        """The gender of a class; NEITHER for one that is not in the table."""
        return self.class_genders[trainer_class] if trainer_class < len(self.class_genders) else NEITHER

    def music(self, trainer_class: int) -> int:
        """The sequence when the eyes of a trainer of a class meet the player's."""
        return self.eyes_meet.get(trainer_class, self.eyes_meet_of_others)


@dataclass(frozen=True)
class MusicTables:
    """`music.json`. `titles`: sequence -> title in plain words and time of day, empty where it has none; `by_flag` in
    the game's order: flag, headers, the sequences by day and by night on their maps while it is set; the sequences on
    the bicycle of Cycling Road, while surfing, and in a chain of the Poké Radar."""

    titles: Mapping[int, tuple[str, str]]
    by_flag: tuple[tuple[int, frozenset[int], int, int], ...]
    cycling_road: int
    surfing: int
    radar: int


class ItemFiles(NamedTuple):
    """An item's member of the items' archive, and of its picture and palette in the archive of pictures."""

    data: int
    picture: int
    palette: int


def _digits(lines: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(int, "".join(lines)))


@dataclass(frozen=True)
class IconTables:
    """`icons.json`. `items` by number; `species_palettes`: the palette of each species' picture, forms after the
    species."""

    items: tuple[ItemFiles, ...]
    species_palettes: Annotated[tuple[int, ...], _digits]
