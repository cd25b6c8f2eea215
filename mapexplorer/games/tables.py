"""The constant tables of a game that are not in a file of its ROM: names of numbers, weather, cameras, sprites,
movement.

They are in `data/GAME/*.json`, each with an `about`; only this module reads them, each on first use. A game that
resembles another one has only what differs: its tables are laid over those of that game, key by key. The camera and
sprite tables are used for ROMs whose program lacks them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import TYPE_CHECKING, Any

from formats.fixed import ONE
from mapexplorer.caching import shared_property

if TYPE_CHECKING:
    from mapexplorer.games.behaviour_groups import BehaviourGroups
    from mapexplorer.games.constants import Constants
    from mapexplorer.games.distortion_tables import DistortionTables
    from mapexplorer.games.feature_tables import FeatureTables
    from mapexplorer.games.gameplay_tables import EncounterTables, IconTables, ItemTables, MusicTables, TrainerTables
    from mapexplorer.games.map_object_tables import (
        EffectBillboardShape,
        EffectModelShape,
        MovementAction,
        MovementType,
        NewGame,
        ObjectGraphics,
    )
    from mapexplorer.games.script_tables import SaveNames, ScriptCommands, ScriptNumbers
    from mapexplorer.games.weather_tables import WeatherTables

Rgb5 = tuple[int, int, int]


@dataclass(frozen=True)
class Behaviour:
    """A tile behaviour; `name` is empty for ids without a known meaning."""

    id: int
    name: str
    wild_encounters: bool
    surf: bool


@dataclass(frozen=True)
class Fog:
    """Fog registers: `shift` (each of 32 steps covers 0x400 >> shift of the 15-bit depth), `offset` (the depth where it
    begins), RGB5 `color`."""

    shift: int
    offset: int
    color: Rgb5


@dataclass(frozen=True)
class ClearPlane:
    """The clear plane of the 3D engine: RGB5 `color`, `alpha` 0..31, polygon id and 15-bit `depth`."""

    color: Rgb5
    alpha: int
    polygon_id: int
    depth: int


@dataclass(frozen=True)
class Weather:
    """A weather id of the headers: its name, a description of its appearance, and its fog, None without fog."""

    id: int
    name: str
    visual: str
    fog: Fog | None


@dataclass(frozen=True)
class CameraType:
    """A camera type: fx32 distance and clip planes, u16 angles (65536 = a turn), half of the vertical field of view;
    `offset`: fx32, added to the eye and to what it looks at; `billboard_bias`: fx32 offset of people and effects toward
    the viewer, before multiplication with the depth scale."""

    id: int
    name: str
    distance: int
    angle_x: int
    angle_y: int
    angle_z: int
    orthographic: bool
    half_fov: int
    near: int
    far: int
    offset: tuple[int, int, int] = (0, 0, 0)
    billboard_bias: int = 4 * ONE


@dataclass(frozen=True)
class TimeOfDay:
    """A time of day by the game's clock (not its light): hours from `first` up to, not including, `end`; the shadow of
    people at that time."""

    name: str
    first: int
    end: int
    night_music: bool
    shadow_alpha: int
    shadow_x: float
    shadow_z: float


class Tables:
    """The tables of one game, each read once."""

    def __init__(self, game: str, base: str = "", *, by_constants: bool = False) -> None:
        """`game` is the folder below `data/`, `base` that of the tables that it is laid over; `by_constants`: see
        `Game`."""
        self._by_constants = by_constants
        folders = (base, game) if base else (game,)
        self._folders = [resources.files("mapexplorer.data").joinpath(folder) for folder in folders]
        self._read: dict[str, dict[str, Any]] = {}

    def raw(self, name: str) -> dict[str, Any]:
        """The contents of NAME.json, for tables without an accessor below (`movement`)."""
        if name not in self._read:
            files = [folder.joinpath(f"{name}.json") for folder in self._folders]
            read = [json.loads(file.read_text("utf-8")) for file in files if file.is_file()]
            self._read[name] = {key: value for table in read for key, value in table.items()}
        return self._read[name]

    @shared_property
    def constants(self) -> Constants:
        """The decompilation's names of numbers."""
        from mapexplorer.games.constants import Constants

        return Constants(self.raw("constants"), self.symbolic_map_names)

    def shown_constant(self, kind: str, number: int) -> str:
        """The constant that is shown for a number; empty where its name is shown, and without one."""
        return self.constants.name(kind, number) if self._by_constants else ""

    @shared_property
    def height_limit(self) -> int:
        """The difference in fx32 height between two tiles from which on it refuses a step."""
        return int(self.raw("movement")["height limit"] * ONE)

    @shared_property
    def sink(self) -> Mapping[int, int]:
        """Behaviour of a tile -> the fx32 offset of a picture there, negative, for deep snow and mud."""
        return {int(tile): units * ONE for tile, units in self.raw("movement")["sink"].items()}

    @shared_property
    def outdoor_light_sets(self) -> frozenset[int]:
        """The light sets whose colours replace those of the materials."""
        return frozenset(self.raw("engine")["outdoor light sets"])

    def edge_colors(self, *, outdoor: bool) -> tuple[Rgb5, ...]:
        """The edge colours (RGB5) of the field for the eight groups of polygon ids."""
        edges = self.raw("engine")["edge colours outdoors" if outdoor else "edge colours indoors"]
        return tuple((red, green, blue) for red, green, blue in edges)

    @shared_property
    def clear_plane(self) -> ClearPlane:
        """The clear plane of the field."""
        clear = self.raw("engine")["clear"]
        red, green, blue = clear["colour"]
        return ClearPlane((red, green, blue), clear["alpha"], clear["polygon id"], clear["depth"])

    def weather_fog(self, weather: int) -> Fog | None:
        """The fog of a weather id, None when it has no fog or is unknown."""
        known = self.weathers.get(weather)
        return known.fog if known is not None else None

    @shared_property
    def weather_effects(self) -> WeatherTables:
        """What the weathers consist of and how they change."""
        from mapexplorer.games.weather_tables import WeatherTables

        return WeatherTables.of(self.raw("weather_effects"))

    @shared_property
    def features(self) -> FeatureTables:
        """What code adds to maps at run time."""
        from mapexplorer.games.feature_tables import FeatureTables

        return FeatureTables.of(self.raw("features"))

    @shared_property
    def distortion_world(self) -> DistortionTables:
        """The constants of the Distortion World."""
        from mapexplorer.games.distortion_tables import read_distortion_tables

        return read_distortion_tables(self.raw("distortion_world"))

    @shared_property
    def behaviours(self) -> dict[int, Behaviour]:
        """The known tile behaviours by id, ascending."""
        return {row[0]: Behaviour(*row) for row in self.raw("terrain")["behaviours"]}

    def behaviour(self, number: int) -> Behaviour:
        """A tile behaviour; an unknown one is like plain ground."""
        return self.behaviours.get(number) or Behaviour(number, "", False, False)

    def behaviour_name(self, number: int) -> str:
        """A behaviour's name, or its number in hexadecimal if it has no name."""
        return self.behaviour(number).name or f"0x{number:02X}"

    def behaviour_group(self, name: str) -> frozenset[int]:
        """A group that the game's code tests for, for instance `bridge`, `blocks north`, `ledge south`."""
        return frozenset(self.raw("terrain")["groups"][name])

    @shared_property
    def behaviour_groups(self) -> BehaviourGroups:
        """The groups by which tiles are tested."""
        from mapexplorer.games.behaviour_groups import read_behaviour_groups

        surfable = frozenset(number for number, known in self.behaviours.items() if known.surf)
        return read_behaviour_groups(self.raw("terrain")["groups"], surfable)

    def map_type_name(self, number: int) -> str:
        """`town or city`, `outdoors`, `cave`, `indoors` ..., or the number of an unknown type."""
        return str(self.raw("headers")["map types"].get(str(number), number))

    @shared_property
    def symbolic_map_names(self) -> tuple[str, ...]:
        """The names of the map headers in the decompilation, by header."""
        return tuple(self.raw("headers")["symbolic names"])

    @property
    def header_table_offsets(self) -> dict[str, int]:
        """Game code -> published offset of the header table in the ARM9 program, a hint for searching it."""
        return dict(self.raw("headers")["table offsets"])

    @property
    def header_limits(self) -> dict[str, int]:
        """Field of a map header -> its largest valid value."""
        return dict(self.raw("headers")["limits"])

    @shared_property
    def weathers(self) -> dict[int, Weather]:
        """The weathers by id, without those that depend on the day of the year."""
        result = {}
        for number, name, visual, fog in self.raw("weather")["weathers"]:
            registers = Fog(fog[0], fog[1], (fog[2], fog[3], fog[4])) if fog else None
            result[number] = Weather(number, name, visual, registers)
        return result

    @shared_property
    def yearly_weather_columns(self) -> tuple[int, ...]:
        """The header weathers that depend on the day of the year, in the order of that table's columns."""
        return tuple(row[0] for row in self.raw("weather")["yearly columns"])

    def weather(self, number: int) -> Weather:
        """A weather of a header. The name of one that depends on the day of the year is the place of its column, that
        of one that is not known its number."""
        places = dict(self.raw("weather")["yearly columns"])
        named = f"by day of the year ({places[number]})" if number in places else str(number)
        return self.weathers.get(number) or Weather(number, named, "", None)

    def weather_name(self, number: int) -> str:
        """The name of a `weather`."""
        return self.weather(number).name

    @shared_property
    def cameras(self) -> tuple[CameraType, ...]:
        """The camera types of the retail game."""
        return tuple(
            CameraType(number, name, distance, angle, 0, 0, orthographic, fov, near, far)
            for number, name, distance, angle, orthographic, fov, near, far in self.raw("cameras")["cameras"]
        )

    @shared_property
    def object_graphics(self) -> dict[int, int]:
        """Object graphics id -> member of the sprite archive with its pictures, in the retail game."""
        return {row[0]: row[1] for row in self.raw("sprites")["graphics"]}

    @shared_property
    def sprite_parts(self) -> dict[int, tuple[int, int]]:
        """Object graphics id -> members of the sprite archive with its billboard model and its frame sequence."""
        sprites = self.raw("sprites")
        billboards, sequences = sprites["billboards"], sprites["sequences"]
        rows = [row for row in sprites["graphics"] if row[2] is not None]
        return {row[0]: (billboards[row[2]], sequences[row[3]]) for row in rows}

    @shared_property
    def sign_models(self) -> dict[int, int]:
        """Object graphics id -> member of the effects archive, for the signs that are models."""
        return {int(graphics): member for graphics, member in self.raw("sprites")["signs in fldeff"].items()}

    @shared_property
    def map_object_graphics(self) -> dict[int, ObjectGraphics]:
        """Object graphics id -> how it is drawn."""
        from mapexplorer.games.map_object_tables import read_graphics

        return read_graphics(self.raw("map_objects"))

    @shared_property
    def player_graphics(self) -> dict[str, int]:
        """What a male player moves on (`bicycle`, `surf`) -> its object graphics id; on foot it is 0."""
        return dict(self.raw("map_objects")["player graphics"])

    @shared_property
    def movement_types(self) -> dict[int, MovementType]:
        """Movement type of an object event -> how it stands or goes."""
        from mapexplorer.games.map_object_tables import read_movement_types

        return read_movement_types(self.raw("map_objects"))

    def movement_type_name(self, number: int) -> str:
        """The name of a movement type, empty where it has none."""
        names = self.raw("map_objects")["movement type names"]
        stored = str(names[number]) if 0 <= number < len(names) else ""
        return self.shown_constant("movement type", number) or stored

    def graphics_name(self, number: int) -> str:
        """The name of an object graphics id, empty where it has none."""
        known = self.map_object_graphics.get(number)
        return self.shown_constant("object graphics", number) or (known.name if known is not None else "")

    @shared_property
    def movement_actions(self) -> dict[int, MovementAction]:
        """Number of a movement action -> what it does."""
        from mapexplorer.games.map_object_tables import read_movement_actions

        return read_movement_actions(self.raw("map_objects"))

    @shared_property
    def effect_models(self) -> dict[str, EffectModelShape]:
        """Name of a field effect -> its models."""
        from mapexplorer.games.map_object_tables import read_effect_models

        return read_effect_models(self.raw("field_effects"))

    @shared_property
    def effect_billboards(self) -> dict[str, EffectBillboardShape]:
        """Name of a field effect -> its billboard."""
        from mapexplorer.games.map_object_tables import read_effect_billboards

        return read_effect_billboards(self.raw("field_effects"))

    @shared_property
    def sign_offsets(self) -> dict[int, tuple[int, int, int]]:
        """Graphics id of a sign -> how far it stands beside its object, fx32; those without an entry: not at all."""
        from mapexplorer.games.map_object_tables import read_sign_offsets

        return read_sign_offsets(self.raw("field_effects"))

    @shared_property
    def headers_without_shadows(self) -> frozenset[int]:
        """The headers on whose maps objects cast no shadow: underground and in another world."""
        return frozenset(self.raw("field_effects")["headers without shadows"])

    @shared_property
    def ring_frames(self) -> int:
        """How many ticks a ring is seen."""
        return int(self.raw("field_effects")["ring frames"])

    @shared_property
    def river_offset(self) -> int:
        """By how much a reflection in a river is lower than in a puddle, fx32."""
        return int(self.raw("field_effects")["river offset"]) * ONE

    @shared_property
    def new_game(self) -> NewGame:
        """What a new game sets."""
        from mapexplorer.games.map_object_tables import read_new_game

        return read_new_game(self.raw("new_game"))

    @shared_property
    def script_commands(self) -> ScriptCommands:
        """The commands of field scripts."""
        from mapexplorer.games.script_tables import read_script_commands

        return read_script_commands(self.raw("script_commands"))

    @shared_property
    def script_numbers(self) -> ScriptNumbers:
        """What the numbers of scripts mean."""
        from mapexplorer.games.script_tables import read_script_numbers

        return read_script_numbers(self.raw("script_numbers"))

    @shared_property
    def save_names(self) -> SaveNames:
        """The names of flags and variables."""
        from mapexplorer.games.script_tables import read_save_names

        names = read_save_names(self.raw("flags"))
        if not self._by_constants:
            return names
        return replace(names, flags=self.constants.of_kind("flag"), variables=self.constants.of_kind("variable"))

    @shared_property
    def variable_graphics(self) -> range:
        """The graphics ids that stand for variables, in the order of the variables."""
        first, last = self.raw("map_objects")["variable graphics"]
        return range(first, last + 1)

    @shared_property
    def door_sounds(self) -> dict[int, str]:
        """Prop model -> `hinged`, `sliding` or `chime`, for the doors."""
        return {model: sound for sound, models in self.raw("props")["doors"].items() for model in models}

    @shared_property
    def encounters(self) -> EncounterTables:
        """How wild encounters are used."""
        from mapexplorer.games.gameplay_tables import EncounterTables

        return EncounterTables.of(self.raw("encounters"))

    @shared_property
    def items(self) -> ItemTables:
        """Where items come from."""
        from mapexplorer.games.gameplay_tables import ItemTables

        return ItemTables.of(self.raw("items"))

    @shared_property
    def trainers(self) -> TrainerTables:
        """The classes and messages of trainers."""
        from mapexplorer.games.gameplay_tables import TrainerTables

        return TrainerTables.of(self.raw("trainers"))

    @shared_property
    def music(self) -> MusicTables:
        """The music of the field."""
        from mapexplorer.games.gameplay_tables import MusicTables

        return MusicTables.of(self.raw("music"))

    @shared_property
    def icons(self) -> IconTables:
        """The files of items, and the pictures of items and species."""
        from mapexplorer.games.gameplay_tables import IconTables

        return IconTables.of(self.raw("icons"))

    @shared_property
    def times_of_day(self) -> tuple[TimeOfDay, ...]:
        """Late night, morning, day, twilight, night."""
        return tuple(TimeOfDay(*row) for row in self.raw("time")["times"])

    def time_of_day(self, second: int) -> TimeOfDay:
        """The time of day at a second of the day."""
        hour = second // 3600 % 24
        return next(time for time in self.times_of_day if time.first <= hour < time.end)
