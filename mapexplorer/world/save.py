"""The part of a save that maps depend on: flags, variables, the state of features, the day.

It determines which objects the object events of a map create, and with which graphics.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from formats.binary import frozen
from formats.field.zone_event import ZoneEvents
from formats.save.sections import FIRST_VARIABLE, IN_USE, PLAYER_ID, SMALL_BLOCK, set_bits
from mapexplorer.games import Game
from mapexplorer.units import NOON, SECONDS_PER_DAY

MONDAY: Final = 1
"""The day of the week as scripts know it; 0 is Sunday."""

CLONE: Final = 0xFFFF
"""The script id of an object that represents one of another header; its hidden flag holds that header."""

BERRY_PATCH: Final = 100
"""The graphics id of a berry patch, whose first parameter is its number."""

_FIRST_BERRY_TREE: Final = 4096
_STAGES: Final = 3
"""The number of graphics ids of each berry tree after the shared first one: growing, blooming, with fruit."""
_SPROUT, _FRUIT = 2, 5
"""Stages of a berry patch; before the sprout nothing is seen."""

HONEY_READY: Final = 1080
"""Minutes before the honey is gone from which on a Pokémon may be at a honey tree."""

_SECONDS: Final = (3600, 60, 1)


def _frozen(values: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(dict(values))


@dataclass(frozen=True)
class EventChange:
    """A new value of a field of an event while its map is visited: the list of the events (`objects`, `warps`,
    `background`), the local id of an object or the index of another event, the field. `clone`: the object with this id
    that represents one of another header."""

    events: str
    number: int
    field: str
    value: int
    clone: bool = False


@dataclass(frozen=True)
class Save:
    """The part of a save that maps depend on, and the moment at which they are entered."""

    game: Game
    """The game."""
    flags: frozenset[int] = frozenset()
    """Those that are set."""
    variables: Mapping[int, int] = field(default_factory=dict)
    """By number; absent: 0, or the value that the scripts of a map give its graphics variables."""
    features: Mapping[str, Any] = field(default_factory=dict)
    """States of the parts that code adds to maps, by name."""
    day: int = 0
    """Day of a leap year, which selects the weather of some maps."""
    second: int = NOON
    """Second of the day, which scripts ask for."""
    weekday: int = MONDAY
    """Day of the week, 0 for Sunday, which scripts ask for."""
    seed: int = 0
    """Seed of the random numbers that scripts draw on entering."""
    changes: Mapping[int, tuple[EventChange, ...]] = field(default_factory=dict)
    """Header -> what its scripts or code changed of its events, each field once."""
    block: bytes = b""
    """The block of player and world of a saved game (`formats.save`); empty for a new game."""
    resumed: int | None = None
    """The header on which the game was saved: its objects are where they were."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", _frozen(self.variables))
        object.__setattr__(self, "features", _frozen(self.features))
        object.__setattr__(self, "changes", _frozen(self.changes))

    @property
    def contents(self) -> Any:
        """The block of a saved game, a record of SMALL_BLOCK; of a new game one of zeros."""
        return np.frombuffer(self.block or bytes(SMALL_BLOCK.itemsize), SMALL_BLOCK)[0]

    def position(self, header: int) -> tuple[int, int] | None:
        """The matrix-wide tile of the player if the game was saved on a header."""
        here = self.contents["field"]["player"]
        return (int(here["x"]), int(here["z"])) if header == self.resumed else None

    def honey_tree(self, header: int) -> tuple[int, int, int, int, int] | None:
        """Minutes that the honey of the tree of a map stays, slot, table, group, shakes; None without a tree or
        honey."""
        trees = self.game.tables.encounters.honey_tree_headers
        if not self.block or header not in trees:
            return None
        minutes, slot, table, group, shakes = self.contents["encounters"]["honey_trees"][trees.index(header)].tolist()
        return (minutes, slot, table, group, shakes) if minutes > 0 else None

    def saved_object(self, number: int, *headers: int) -> Any | None:
        """The map object of some headers with a local id that was saved, a record of MAP_OBJECT; None for none."""
        objects = self.contents["map_objects"]
        used = (objects["status"] & IN_USE != 0) & np.isin(objects["map"], headers)
        return next(iter(objects[used & (objects["local_id"] == number)]), None)

    def events(self, header: int, stored: ZoneEvents) -> ZoneEvents:
        """The events of a header with what its scripts changed of them."""
        changes = self.changes.get(header, ())
        if not changes:
            return stored
        lists = {name: getattr(stored, name).copy() for name in ("objects", "warps", "background")}
        for change in changes:
            events = lists[change.events]
            if change.events == "objects":
                is_changed = (events["local_id"] == change.number) & ((events["script"] == CLONE) == change.clone)
                events[change.field][is_changed] = change.value
            else:
                events[change.field][change.number : change.number + 1] = change.value
        return replace(stored, **{name: frozen(events) for name, events in lists.items()})

    def hides(self, hidden_flag: int, script: int) -> bool:
        """Whether an object event creates no object because its flag is set. A clone is always created."""
        return script != CLONE and hidden_flag in self.flags

    def graphics(self, graphics: int, parameter: int, header: int) -> int | None:
        """The graphics id with which an object of a header is drawn: an id of a variable is replaced by its value, that
        of a berry patch (`parameter`: its number) by its tree. None for a variable that nothing has set and for a patch
        without a plant."""
        tables = self.game.tables
        if graphics in tables.map_objects.variable_graphics:
            number = tables.new_game.first_graphics_variable + tables.map_objects.variable_graphics.index(graphics)
            return self.variables.get(number, tables.new_game.map_variables.get(header, {}).get(number))
        if graphics == BERRY_PATCH:
            return self._berry_tree(parameter)
        return graphics

    def _berry_tree(self, patch: int) -> int | None:
        """The graphics id of a patch's tree: of the saved stage; of a new game with fruit."""
        patches, berries = self.contents["misc"]["berry_patches"], self.game.tables.new_game.berries
        if patch >= len(patches if self.block else berries):
            return None
        berry, stage = patches[["berry", "stage"]][patch].tolist() if self.block else (berries[patch], _FRUIT)
        if not berry or not _SPROUT <= stage <= _FRUIT:
            return None
        return _FIRST_BERRY_TREE + (_STAGES * berry - (_FRUIT - stage)) * (stage > _SPROUT)

    def entered_weather(self, weather: int) -> int:
        """The weather with which a map of this weather is entered: none in place of fog and darkness while their flag
        (Defog, Flash) is set."""
        flag = self.game.tables.weather_effects.clearing_flags.get(weather)
        return weather if flag is None or flag not in self.flags else 0

    def showing_all(self) -> Save:
        """The same save without flags, so that every object exists."""
        return replace(self, flags=frozenset())


def fresh_save(game: Game, day: int = 0, second: int = NOON, weekday: int = MONDAY, seed: int = 0) -> Save:
    """A new game at a moment, before the scripts of any map have run."""
    new = game.tables.new_game
    return Save(game, new.flags, new.variables, {}, day, second, weekday, seed)


def saved_game(game: Game, small: Any, *, live: bool = False) -> Save:
    """A saved game, before the scripts of any map have run, at the moment when it was saved; `small`: a record of
    SMALL_BLOCK. `live`: it is of a running game, which has neither position nor objects of its moment there."""
    day, second, weekday = moment_of(small)
    words = small["events"]["variables"]
    variables = {FIRST_VARIABLE + number: int(words[number]) for number in np.flatnonzero(words).tolist()}
    flags, header = frozenset(set_bits(small["events"]["flags"])), int(small["field"]["player"]["map"])
    save = Save(game, flags, variables, {}, day, second, weekday, block=small.tobytes())
    return replace(save, resumed=header) if not live and save.saved_object(PLAYER_ID, header) is not None else save


def moment_of(small: Any) -> tuple[int, int, int]:
    """The moment of the clock of a saved game: day of a leap year, second of the day, day of the week; noon of the
    first day where the clock is not set, or has a date that there is not."""
    clock = small["system"]
    _, month, day, weekday = clock["date"].tolist()
    second = sum(part * unit for part, unit in zip(clock["time"].tolist(), _SECONDS, strict=True))
    try:
        date = datetime.date(2000, month, day)
    except (ValueError, OverflowError):
        return 0, NOON, MONDAY
    return date.timetuple().tm_yday - 1, second % SECONDS_PER_DAY, weekday % 7
