"""What a picture of a place shows: position, camera, time, weather and layers.

Each parameter is declared here once, with the data of its option. The scene, the requests of exports and the frames of
both views of the window take a `View`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mapexplorer.option import ANIMATION, EXPERT, INCLUDE, LIGHT, Options, option
from mapexplorer.units import NOON
from mapexplorer.values import (
    Choice,
    ChoiceOrFile,
    ClockTime,
    Flag,
    Integer,
    Number,
    Numbers,
    ValueKind,
    WeatherChoice,
    Words,
)

if TYPE_CHECKING:
    from formats.fixed import Vector
    from mapexplorer.games.field_tables import CameraType
    from mapexplorer.scene.camera import SceneCamera

LAYERS: Final = ("terrain", "props", "people", "player")
"""The layers that can be drawn."""

GAME: Final = "game"
TOP: Final = "top"
FREE: Final = "free"

NEW: Final = "new"
ENTERED: Final = "entered"
"""The saves that a picture can show: a new game, before or after the scripts of the entered map have run."""

WEEKDAYS: Final = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
"""The days of the week in the order of the game's numbers."""

LATEST: Final = 10_000_000
"""Field updates of nearly four days; every animation has repeated by then."""

FAR: Final = 1e6
"""The limit of coordinates in units; the largest matrix has 15,360."""

_DISTANCE: Final = 300.0
"""Units from the free camera to its target, where no eye is given."""


@dataclass(frozen=True)
class MapState(Options):
    """The moment at which a map is entered: the `second` of the day, the `day` of a leap year, the day of the week, the
    `save`, see NEW, or the path of a saved game, and the `seed` of the random numbers of people, weather and scripts.
    What code adds to the map: `features` whether it is there; `state` the state of it, as the name of a choice or as
    JSON (see `mapexplorer.features.choosing`), by default as the save has it or as on entry."""

    second: int = option(NOON, ClockTime(), "Time of day, H[:MM[:SS]].", "Hour", spelling="--hour", section=LIGHT)
    day: int = option(0, Integer(0, 365), "Day of a leap year, for weather that depends on it.", "Day", section=EXPERT)
    weekday: str = option(
        "monday",
        Choice(WEEKDAYS),
        "Day of the week, for scripts that ask for it.",
        "Day of the week",
        titles={each: each.title() for each in WEEKDAYS},
        beside=True,
        section=EXPERT,
    )
    seed: int = option(
        0,
        Integer(0, 2**32 - 1),
        "Seed of the random numbers of people, weather and the scripts that run on entering.",
        "Seed",
        shown=(0, 2**31 - 1),
        spelling="--seed --weather-seed",
        section=EXPERT,
    )
    save: str = option(
        ENTERED,
        ChoiceOrFile((ENTERED, NEW)),
        "A new game after the scripts of the entered map have run, as a player sees it; or before any script; or a save"
        " of the game (.sav, .dsv, a dump of memory), whose time is that of the picture unless another one is given.",
        "Save",
        titles={ENTERED: "A new game, after entering", NEW: "A new game, before any script"},
        section=EXPERT,
    )
    features: bool = option(
        True,
        Flag(),
        "Only what the files contain, nothing that code adds to the map.",
        "What code adds: gyms, lifts, furniture",
        spelling="--no-features",
        section=INCLUDE,
    )
    state: str | None = option(
        None,
        ValueKind(),
        "State of what code adds to the map (gym, lift ...): a name, names as A,B, or a value as JSON.",
        "State",
        absent="as on entry; or a name, or a value as JSON",
        needs=("features", lambda features: features),
        section=INCLUDE,
    )


@dataclass(frozen=True)
class FrameOptions(MapState):
    """Time and layers: `tick` field updates after entering, `layers` of those of a scene."""

    tick: int = option(0, Integer(0, LATEST), "Field updates since entering.", "Field updates", section=ANIMATION)
    layers: tuple[str, ...] = option(
        ("terrain", "props", "people"), Words(LAYERS, "layer"), "What is drawn.", "Drawn", section=INCLUDE
    )


@dataclass(frozen=True)
class View(FrameOptions):
    """What a picture shows.

    `at` = (x, z) is the matrix-wide tile where the player stands (a whole number means its centre), by default a
    suitable tile of the place; `target`, in units, is the target of the GAME and TOP cameras if it is not the player.
    `zoom` is in pixels per unit of the TOP camera; `half_fov` (65536 to a turn) is added to half the field of view of
    the GAME camera. The FREE camera is at `eye`, in units, by default south of the target and facing it; its clip
    planes are `near` and `far`.

    `weather`: an id, 0 for none, or None for that of the header on `day`. Other cameras than the game's and `all_cells`
    change what is shown of the weather: see `shows_weather` and `shows_fog`. Two options differ from the console:
    `wireframe` draws all polygons as the engine's wireframes, `missing` draws materials without their texture or
    palette magenta, not untextured. With `all_cells` all cells of the matrix are loaded, each with its own area.
    `all_objects`: objects that the flags of the save hide are shown too. Raises OptionError.
    """

    camera: str = option(
        GAME,
        Choice((GAME, TOP, FREE)),
        "The game's camera, one from above, or a free one.",
        "Camera",
        titles={GAME: "The game's", TOP: "From above", FREE: "Free"},
    )
    at: tuple[float, float] | None = option(
        None,
        Numbers("X,Z", "a pair of tiles"),
        "The player's tile; a whole number means the tile's centre.",
        "Player at",
        absent="a spot that suits the place; or a tile, as X,Z",
        needs=("camera", lambda camera: camera in (GAME, TOP, FREE)),
    )
    zoom: float = option(
        1.0,
        Number(1 / 32, 256, "a unit has 1/32 to 256 pixels, not {value:g}"),
        "Pixels per unit of the top camera.",
        "Scale",
        unit=" pixels a unit",
        decimals=3,
        needs=("camera", lambda camera: camera == TOP),
    )
    eye: tuple[float, float, float] | None = option(
        None,
        Numbers("X,Y,Z", limit=FAR),
        "Where the free camera is, in units; by default south of the spot.",
        "Eye",
        absent="south of the spot; or X,Y,Z in units",
        needs=("camera", lambda camera: camera == FREE),
    )
    yaw: float = option(
        0.0,
        Number(),
        "Free camera: degrees east of north.",
        "East of north",
        unit="°",
        shown=(-360, 360),
        decimals=1,
        needs=("camera", lambda camera: camera == FREE),
    )
    pitch: float = option(
        35.0,
        Number(-89.9, 89.9, "a pitch between -89.9 and 89.9 degrees is needed, not {value:g}"),
        "Free camera: degrees below the horizon.",
        "Down",
        unit="°",
        decimals=1,
        beside=True,
        needs=("camera", lambda camera: camera == FREE),
    )
    fov: float = option(
        40.0,
        Number(1, 150, "a field of view of 1 to 150 degrees is needed, not {value:g}"),
        "Free camera: degrees from top to bottom.",
        "Field of view",
        unit="°",
        decimals=1,
        beside=True,
        needs=("camera", lambda camera: camera == FREE),
    )
    near: float = 16.0
    """The near clip plane of the FREE camera, units."""
    far: float = 2500.0
    """The far clip plane of the FREE camera, units."""
    target: tuple[float, float, float] | None = None
    """The target of the GAME and TOP cameras in units, if it is not the player."""
    half_fov: int = 0
    """Added to half the field of view of the GAME camera, 65536 to a turn."""
    weather: int | None = option(
        None,
        WeatherChoice(),
        "An id or a name, none, or by default that of the header; other cameras than the game's show only the fog of a"
        " chosen one.",
        "Weather",
        section=LIGHT,
    )
    wireframe: bool = option(
        False,
        Flag(),
        "The edges of all polygons, as the engine draws them with alpha 0.",
        "The edges of all polygons instead of the polygons",
        section=EXPERT,
    )
    missing: bool = option(
        False,
        Flag(),
        "Materials without their texture or palette in magenta, not untextured.",
        "Materials without their texture or palette in magenta",
        section=EXPERT,
    )
    all_cells: bool = option(
        False,
        Flag(),
        "Every cell of the matrix, not only the four that the game loads.",
        "Every cell of the matrix, not only the four that the game loads",
        section=INCLUDE,
    )
    all_objects: bool = option(
        False,
        Flag(),
        "People and things that a new game hides are shown too.",
        "People and things that a new game hides too",
        section=INCLUDE,
    )

    sky: bool = option(
        False,
        Flag(),
        "A sky of the hour and the weather behind the map outdoors, for other cameras than the game's.",
        "A sky behind the map, for other cameras than the game's",
        section=INCLUDE,
    )

    @property
    def shows_sky(self) -> bool:
        """Whether a sky is drawn that the game does not have: behind pictures that the game has none of either."""
        return self.sky and not self.shows_weather

    @property
    def shows_weather(self) -> bool:
        """Whether sprites and background of the weather are drawn. They belong to the screen of the game's camera, so
        that other cameras and pictures of all cells do not have them."""
        return self.camera == GAME and not self.all_cells

    @property
    def shows_fog(self) -> bool:
        """Whether fog is drawn: where the weather is, and elsewhere only that of a chosen weather. The fog of a map
        suits the distance of the game's camera and would hide the map from any other."""
        return self.shows_weather or self.weather is not None

    def scene_camera(self, camera: CameraType, spot: Vector = (0, 0, 0)) -> SceneCamera:
        """The engine's matrices of the camera, `camera` being that of the game at the place; `spot`, fx32, is the
        target if there is no `target`. Raises ValueError."""
        from formats.fixed import ONE
        from mapexplorer.scene.camera import Pose, free_camera, game_camera, top_camera

        target = spot
        if self.target is not None:
            east, up, south = self.target
            target = (round(east * ONE), round(up * ONE), round(south * ONE))
        if self.camera == GAME:
            return game_camera(replace(camera, half_fov=camera.half_fov + self.half_fov), target)
        if self.camera == TOP:
            return top_camera(target, self.zoom)
        eye = self.eye
        if eye is None:
            x, y, z = (value / ONE for value in spot)
            yaw, pitch = math.radians(self.yaw), math.radians(self.pitch)
            level = _DISTANCE * math.cos(pitch)
            eye = (x - level * math.sin(yaw), y + _DISTANCE * math.sin(pitch), z + level * math.cos(yaw))
        return free_camera(Pose(eye, self.yaw, self.pitch, self.fov, self.near, self.far))
