"""The constant tables of a game that are not in a file of its ROM: names of numbers, weather, cameras, sprites,
movement.

They are in `data/GAME/*.json`, each with an `about`; only this module reads them, each on first use, by the
annotations of its type (`reading`). A game that resembles another one has only what differs: its tables are laid over
those of that game, key by key. The camera and sprite tables are used for ROMs whose program lacks them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mapexplorer.caching import Cache, shared_property
from mapexplorer.games.field_tables import (
    Behaviour,
    CameraType,
    EngineTables,
    HeaderTables,
    MovementTables,
    PropTables,
    TimeOfDay,
    Weather,
)
from mapexplorer.games.reading import read
from mapexplorer.system import data_files

if TYPE_CHECKING:
    from mapexplorer.games.behaviour_groups import BehaviourGroups
    from mapexplorer.games.constants import Constants
    from mapexplorer.games.gameplay_tables import EncounterTables, IconTables, ItemTables, MusicTables, TrainerTables
    from mapexplorer.games.map_object_tables import (
        FieldEffects,
        MapObjectTables,
        MovementAction,
        NewGame,
        ObjectGraphics,
    )
    from mapexplorer.games.script_tables import SaveNames, ScriptCommands, ScriptNumbers
    from mapexplorer.games.weather_tables import WeatherTables

T = TypeVar("T")
LaidOver = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""The name of a table and the table -> the one that is used."""

_PERSON = 1
"""The graphics id of a person, whose parts and animations most people have."""


def _contents(file: Path) -> dict[str, Any]:
    contents: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return contents


def _file(module: str, kind: str, name: str) -> Any:
    """NAME.json as a value of a type of a module of this package, which is imported then: many types take long to
    make."""

    def value(tables: Tables) -> Any:
        return read(getattr(import_module(f"{__package__}.{module}"), kind), tables.raw(name))

    return shared_property(value)


class Tables:
    """The tables of one game, each read once."""

    def __init__(
        self,
        game: str,
        base: str = "",
        *,
        by_constants: bool = False,
        laid_over: LaidOver | None = None,
        people: frozenset[int] = frozenset(),
    ) -> None:
        """`game` is the folder below `data/`, `base` that of the tables that it is laid over; `by_constants` and
        `laid_over`: see `Game`; `people`: graphics ids that a hack added."""
        self._over = laid_over
        self._by_constants = by_constants
        self._people = people
        folders = (base, game) if base else (game,)
        self._folders = [data_files.FOLDER / folder for folder in folders]
        self._raw: Cache[str, dict[str, Any]] = Cache()
        self._own: Cache[type, Any] = Cache()

    def raw(self, name: str) -> dict[str, Any]:
        """The contents of NAME.json."""
        return self._raw.get(name, self._laid_over, name)

    def _laid_over(self, name: str) -> dict[str, Any]:
        tables = [_contents(folder.joinpath(f"{name}.json")) for folder in self._folders]
        table = {key: value for table in tables for key, value in table.items()}
        return table if self._over is None else dict(self._over(name, table))

    @shared_property
    def constants(self) -> Constants:
        """The decompilation's names of numbers."""
        from mapexplorer.games.constants import Constants

        return Constants(self.raw("constants"), self.headers.symbolic_names)

    def shown_constant(self, kind: str, number: int) -> str:
        """The constant that is shown for a number; empty where its name is shown, and without one."""
        return self.constants.name(kind, number) if self._by_constants else ""

    def own(self, name: str) -> dict[str, Any]:
        """The contents of NAME.json if this game has such a file, whatever the game has that it resembles; else
        empty."""
        return self.raw(name) if self._folders[-1].joinpath(f"{name}.json").is_file() else {}

    def own_table(self, kind: type[T], name: str) -> T:
        """`own` as a value, made once."""
        value: T = self._own.get(kind, lambda: read(kind, self.own(name)))
        return value

    # --- the field

    engine: shared_property[EngineTables] = _file("field_tables", "EngineTables", "engine")
    """The state of the 3D engine."""

    movement: shared_property[MovementTables] = _file("field_tables", "MovementTables", "movement")
    """How the player moves."""

    props: shared_property[PropTables] = _file("field_tables", "PropTables", "props")
    """The prop models that the game knows by number."""

    @shared_property
    def door_sounds(self) -> dict[int, str]:
        """Prop model -> its sound, for the doors."""
        return {model: sound for sound, models in self.props.doors.items() for model in models}

    @shared_property
    def behaviours(self) -> dict[int, Behaviour]:
        """The known tile behaviours by id, ascending."""
        return dict(read(Mapping[int, Behaviour], self.raw("terrain")["behaviours"]))

    def behaviour(self, number: int) -> Behaviour:
        """A tile behaviour; an unknown one is like plain ground."""
        return self.behaviours.get(number) or Behaviour(number, "", False, False)

    def behaviour_name(self, number: int) -> str:
        """A behaviour's name, or its number in hexadecimal if it has no name."""
        return self.behaviour(number).name or f"0x{number:02X}"

    @shared_property
    def behaviour_groups(self) -> BehaviourGroups:
        """The groups by which tiles are tested."""
        from mapexplorer.games.behaviour_groups import BehaviourGroups

        surfable = frozenset(number for number, known in self.behaviours.items() if known.surf)
        return replace(read(BehaviourGroups, self.raw("terrain")["groups"]), surfable=surfable)

    headers: shared_property[HeaderTables] = _file("field_tables", "HeaderTables", "headers")
    """What the numbers in map headers mean."""

    def map_type_name(self, number: int) -> str:
        """`town or city`, `outdoors`, `cave`, `indoors` ..., or the number of an unknown type."""
        return self.headers.map_types.get(number, str(number))

    @shared_property
    def cameras(self) -> tuple[CameraType, ...]:
        """The camera types of the retail game."""
        return tuple(read(tuple[CameraType, ...], self.raw("cameras")["cameras"]))

    @shared_property
    def times_of_day(self) -> tuple[TimeOfDay, ...]:
        """Late night, morning, day, twilight, night."""
        return tuple(read(tuple[TimeOfDay, ...], self.raw("time")["times"]))

    def time_of_day(self, second: int) -> TimeOfDay:
        """The time of day at a second of the day."""
        hour = second // 3600 % 24
        return next(time for time in self.times_of_day if time.first <= hour < time.end)

    # --- weather

    @shared_property
    def weathers(self) -> dict[int, Weather]:
        """The weathers by id, without those that depend on the day of the year."""
        return dict(read(Mapping[int, Weather], self.raw("weather")["weathers"]))

    @shared_property
    def yearly_weathers(self) -> dict[int, str]:
        """The header weathers that depend on the day of the year, in the order of that table's columns, and where."""
        return dict(self.raw("weather")["yearly columns"])

    def weather(self, number: int) -> Weather:
        """A weather of a header. The name of one that depends on the day of the year is the place of its column, that
        of one that is not known its number."""
        place = self.yearly_weathers.get(number)
        named = str(number) if place is None else f"by day of the year ({place})"
        return self.weathers.get(number) or Weather(number, named, "", None)

    def weather_name(self, number: int) -> str:
        """The name of a `weather`."""
        return self.weather(number).name

    weather_effects: shared_property[WeatherTables] = _file("weather_tables", "WeatherTables", "weather_effects")
    """What the weathers consist of and how they change."""

    # --- map objects

    @shared_property
    def object_graphics(self) -> dict[int, int]:
        """Object graphics id -> member of the sprite archive with its pictures, in the retail game."""
        return {graphics: pictures for graphics, pictures, _, _ in self.raw("sprites")["graphics"]}

    @shared_property
    def sprite_parts(self) -> dict[int, tuple[int, int]]:
        """Object graphics id -> members of the sprite archive with its billboard model and its frame sequence."""
        rows = self.raw("sprites")["graphics"]
        known = {graphics: (billboard, sequence) for graphics, _, billboard, sequence in rows if billboard is not None}
        return known | (dict.fromkeys(self._people, known[_PERSON]) if self._people else {})

    @shared_property
    def sign_models(self) -> dict[int, int]:
        """Object graphics id -> member of the effects archive, for the signs that are models."""
        return dict(read(Mapping[int, int], self.raw("sprites")["sign models"]))

    map_objects: shared_property[MapObjectTables] = _file("map_object_tables", "MapObjectTables", "map_objects")
    """How map objects are drawn and move."""

    @shared_property
    def map_object_graphics(self) -> dict[int, ObjectGraphics]:
        """Object graphics id -> how it is drawn."""
        from mapexplorer.games.map_object_tables import ObjectGraphics

        animations = self.map_objects.animations
        known = {
            graphics: read(ObjectGraphics, [graphics, name, renderer, animations[number], *more])
            for graphics, name, renderer, number, *more in self.map_objects.graphics
        }
        return known | {graphics: replace(known[_PERSON], id=graphics, name="") for graphics in self._people}

    @shared_property
    def movement_actions(self) -> dict[int, MovementAction]:
        """Number of a movement action -> what it does."""
        from mapexplorer.games.map_object_tables import MovementAction

        return {
            number: read(MovementAction, [number, kind, letter, *more])
            for kind, first, letters, *more in self.map_objects.actions
            for number, letter in enumerate(letters or " ", first)
        }

    def movement_type_name(self, number: int) -> str:
        """The name of a movement type, empty where it has none."""
        names = self.map_objects.movement_type_names
        stored = names[number] if 0 <= number < len(names) else ""
        return self.shown_constant("movement type", number) or stored

    def graphics_name(self, number: int) -> str:
        """The name of an object graphics id, empty where it has none."""
        known = self.map_object_graphics.get(number)
        return self.shown_constant("object graphics", number) or (known.name if known is not None else "")

    field_effects: shared_property[FieldEffects] = _file("map_object_tables", "FieldEffects", "field_effects")
    """The effects of map objects."""

    new_game: shared_property[NewGame] = _file("map_object_tables", "NewGame", "new_game")
    """What a new game sets."""

    # --- scripts and what happens on maps

    script_commands: shared_property[ScriptCommands] = _file("script_tables", "ScriptCommands", "script_commands")
    """The commands of field scripts."""

    script_numbers: shared_property[ScriptNumbers] = _file("script_tables", "ScriptNumbers", "script_numbers")
    """What the numbers of scripts mean."""

    @shared_property
    def save_names(self) -> SaveNames:
        """The names of flags and variables."""
        from mapexplorer.games.script_tables import SaveNames

        names = read(SaveNames, self.raw("flags"))
        if not self._by_constants:
            return names
        return replace(names, flags=self.constants.of_kind("flag"), variables=self.constants.of_kind("variable"))

    encounters: shared_property[EncounterTables] = _file("gameplay_tables", "EncounterTables", "encounters")
    """How wild encounters are used."""

    items: shared_property[ItemTables] = _file("gameplay_tables", "ItemTables", "items")
    """Where items come from."""

    trainers: shared_property[TrainerTables] = _file("gameplay_tables", "TrainerTables", "trainers")
    """The classes and messages of trainers."""

    music: shared_property[MusicTables] = _file("gameplay_tables", "MusicTables", "music")
    """The music of the field."""

    icons: shared_property[IconTables] = _file("gameplay_tables", "IconTables", "icons")
    """The files of items, and the pictures of items and species."""
