"""The options of glTF exports, one dataclass for each source of models."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from formats.remembered import remembered
from mapexplorer.option import ANIMATION, EXPERT, INCLUDE, LIGHT, TRANSFORM, Options, group, option
from mapexplorer.scene.view import MapState
from mapexplorer.units import SECONDS_PER_HOUR
from mapexplorer.values import Choice, ClockTimes, Flag, Indices, Integer, Number

UNIT: Final = 1 / 16
"""Metres of one unit by default: a tile of 16 units is a metre."""

GLB: Final = ".glb"
GLTF: Final = ".gltf"
OBJ: Final = ".obj"
HTML: Final = ".html"
SCENE_ENDINGS: Final = (GLB, GLTF, OBJ)
"""What a model or a map is written as, by the ending of the file."""
MAP_ENDINGS: Final = (*SCENE_ENDINGS, HTML)
"""What a map is written as."""

BY_SHAPE: Final = "shape"
BY_MATERIAL: Final = "material"
EVERYTHING: Final = "all"
AUTO: Final = "auto"

AMBIENT: Final = "ambient"
AUTOMATIC: Final = "automatic"
MODELS: Final = "models"
ALL: Final = "all"

NODES: Final = "nodes"
ATLAS: Final = "atlas"

ANY: Final = "any"
BLENDER: Final = "blender"
THREE: Final = "three"
GODOT: Final = "godot"
UNITY: Final = "unity"
WEB: Final = "web"

PROFILES: Final[Mapping[str, Mapping[str, Any]]] = {
    ANY: {},
    BLENDER: {},
    THREE: {"merge": BY_MATERIAL},
    GODOT: {"merge": BY_MATERIAL, "bake_mirror": True},
    UNITY: {"merge": BY_MATERIAL},
    WEB: {"merge": BY_MATERIAL, "pointers": False},
}
"""The options that a profile sets where they have their defaults. Beside these: for BLENDER and GODOT lights have the
strength that the import expects; for GODOT names of clips have no characters that it removes, those of loops end in
`-loop`, the ground and what blocks are `-colonly` nodes, and hidden nodes have a scale that is not 0."""

PROFILE_TITLES: Final[Mapping[str, str]] = {
    ANY: "Every program",
    BLENDER: "Blender",
    THREE: "three.js and other viewers",
    GODOT: "Godot",
    UNITY: "Unity",
    WEB: "Web viewers without plug-ins",
}

PAGE_HOURS: Final = tuple(hour * SECONDS_PER_HOUR for hour in (4, 8, 12, 18, 20))
"""The hours whose light a page has beside that of its own hour."""

UPRIGHT: Final = "upright"
CAMERA: Final = "camera"

MAPS_ONLY: Final = (
    "second",
    "hours",
    "features",
    "state",
    "day",
    "weekday",
    "seed",
    "save",
    "collision",
    "heights",
    "dummies",
    "people",
    "people_facing",
    "events",
    "margin",
    "camera",
    "profile",
    "clips",
)
"""The options of `ExportOptions` that apply to whole maps, not to single models."""

_SCALE: Final = Number(1e-6, 1e6, "a scale is 0.000001 to 1000000 metres per unit, not {value:g}")


@dataclass(frozen=True)
class ExportOptions(MapState):
    """Options of NITRO models and maps. `second` is the time of day whose light is baked into COLOR_0."""

    profile: str = option(
        ANY,
        Choice(tuple(PROFILES)),
        "What a program wants of a GLB; options that are given count more.",
        "Adapted to",
        spelling="--for",
        titles=PROFILE_TITLES,
        section=EXPERT,
    )
    """One of PROFILES."""
    lit: bool = option(
        False,
        Flag(),
        "Normals and lit materials instead of baked light.",
        "Light",
        titles={False: "Baked into vertex colours, unlit", True: "Normals and lit materials"},
        section=LIGHT,
    )
    """Normals and lit materials instead of baked light."""
    hours: tuple[int, ...] | None = option(
        None,
        ClockTimes(),
        "The baked light of several hours, as 4,12,19, instead of that of --hour: a set of colours for each.",
        "Light of several hours",
        absent="no; or hours, as 4,12,19",
        section=LIGHT,
        needs=("lit", lambda lit: not lit),
    )
    """Seconds of the day whose light is baked into COLOR_0, COLOR_1 ...; the first one takes the place of `second`."""
    scale: float = option(
        UNIT,
        _SCALE,
        "Metres per unit; a tile has 16.",
        "Scale",
        unit=" m a unit",
        decimals=6,
        spelling="--metres-per-unit",
        section=TRANSFORM,
    )
    """Metres per unit."""
    merge: str = option(
        AUTO,
        Choice((AUTO, BY_SHAPE, BY_MATERIAL, EVERYTHING)),
        "One node per shape; one per material of a model; or one per material of all that does not move, as for whole "
        "matrices by default.",
        "Meshes",
        titles={
            AUTO: "One node for each shape, whole matrices merged",
            BY_SHAPE: "One node for each shape",
            BY_MATERIAL: "Merged by material in each model",
            EVERYTHING: "All that does not move merged",
        },
        section=TRANSFORM,
    )
    """BY_SHAPE (one node per shape), BY_MATERIAL (one primitive per material of a model), EVERYTHING (one node per
    material of the file, for what does not move) or AUTO: EVERYTHING for whole matrices, else BY_SHAPE."""
    bake_mirror: bool = option(
        False,
        Flag(),
        "Double mirrored textures, for engines without mirrored repeat.",
        "Bake mirrored repeat into the textures",
        section=TRANSFORM,
    )
    """Double mirrored textures, for engines without mirrored repeat."""
    compact: bool = option(
        False,
        Flag(),
        "Positions and texture coordinates as 16-bit integers where no number changes; programs need "
        "KHR_mesh_quantization.",
        "Positions, texture coordinates",
        titles={False: "32-bit floats", True: "16-bit integers where no number changes"},
        section=TRANSFORM,
    )
    """Positions and texture coordinates as 16-bit integers where no number changes, with KHR_mesh_quantization, which
    readers must know."""
    collision: bool = option(
        False,
        Flag(),
        "Add a scene with the terrain attributes.",
        "Collision and behaviours as a scene of their own",
        section=INCLUDE,
    )
    """Add a scene with the terrain attributes."""
    heights: bool = option(
        False, Flag(), "Add a scene with the BDHC plates.", "Height plates as a scene of their own", section=INCLUDE
    )
    """Add a scene with the BDHC plates."""
    dummies: bool = option(
        False,
        Flag(),
        "Draw the dummy boxes that the game shows for props missing from the area's list.",
        "Dummy boxes that the game would show",
        section=INCLUDE,
    )
    """Draw the dummy boxes that the game would show."""
    people: bool = option(
        False, Flag(), "Add the people and things that are there in a new game.", "People and things", section=INCLUDE
    )
    """Add the people and things of a new game where they stand."""
    people_facing: str | None = option(
        None,
        Choice((UPRIGHT, CAMERA)),
        "People stand upright, or are tilted to the game's camera as the game draws them; by default upright without "
        "--camera.",
        "People",
        titles={
            None: "Upright without the camera",
            UPRIGHT: "Upright",
            CAMERA: "Tilted to the game's camera",
        },
        needs=("people", lambda people: people),
        section=INCLUDE,
    )
    """UPRIGHT, or tilted to the CAMERA of the game; None: UPRIGHT unless `camera` is chosen."""
    events: bool = option(
        False,
        Flag(),
        "Add empty nodes for signs, people, items, warps and triggers.",
        "Events as empty nodes",
        section=INCLUDE,
    )
    """Add an empty node for every event."""
    margin: int = option(
        0,
        Integer(0, 64),
        "Add the cells of the matrix around, so many cells wide.",
        "Cells around",
        unit=" cells",
        section=INCLUDE,
    )
    """Add the cells of the matrix that are at most so many cells away."""
    camera: bool = option(
        False,
        Flag(),
        "Add the game's camera, at the first view of the place.",
        "The game's camera",
        beside=True,
        section=INCLUDE,
    )
    """Add the game's camera."""
    static: bool = option(
        False,
        Flag(),
        "Leave animations out.",
        "Animations",
        titles={False: "As clips", True: "Left out"},
        section=ANIMATION,
    )
    """Leave animations out."""
    pattern: str = option(
        NODES,
        Choice((NODES, ATLAS)),
        "Changing pictures as nodes that appear and disappear, which every viewer plays, or where texture coordinates "
        "allow as an atlas, which needs KHR_animation_pointer.",
        "Changing pictures",
        titles={NODES: "Nodes that appear and disappear", ATLAS: "An atlas, where possible"},
        needs=("static", lambda static: not static),
        section=ANIMATION,
    )
    """Changing pictures as NODES of their own that appear and disappear, or as an ATLAS with an animated offset, where
    texture coordinates stay in one period."""
    clips: str = option(
        ALL,
        Choice((AMBIENT, AUTOMATIC, MODELS, ALL)),
        "All that moves by itself as one clip; also a clip for each animation of that; also one for each model's doors "
        "and stairs; or one for each door.",
        "Clips",
        titles={
            AMBIENT: "One of all that moves by itself",
            AUTOMATIC: "What moves by itself",
            MODELS: "Also doors, one clip for each model",
            ALL: "Also doors, one clip for each door",
        },
        section=ANIMATION,
        needs=("static", lambda static: not static),
    )
    """Which clips there are: AMBIENT alone, also those that it has in it (AUTOMATIC), also what plays on events, for
    each model (MODELS) or for each of its instances (ALL)."""
    pointers: bool = option(
        True,
        Flag(),
        "Leave out what moves with KHR_animation_pointer alone: textures that slide, colours and alphas.",
        "Sliding textures, changing colours",
        spelling="--no-pointer",
        section=ANIMATION,
        needs=("static", lambda static: not static),
    )
    """Write channels of KHR_animation_pointer, which stock three.js does not play and at which PlayCanvas stops."""

    @property
    def tilts_people(self) -> bool:
        """Whether people face the game's camera, as the game draws them; else they stand upright."""
        return self.camera if self.people_facing is None else self.people_facing == CAMERA

    @remembered
    def resolved(self) -> ExportOptions:
        """With what the profile sets of the options that have their defaults."""
        defaults = ExportOptions()
        wanted = PROFILES[self.profile]
        values = {name: value for name, value in wanted.items() if getattr(self, name) == getattr(defaults, name)}
        return dataclasses.replace(self, **values, second=self.hours[0] if self.hours else self.second)


@dataclass(frozen=True)
class PageOptions(ExportOptions):
    """Options of maps that are written as pages."""

    @classmethod
    def of(cls, options: ExportOptions) -> Self:
        """Those of a GLB, with people, events and the baked light of several hours, with meshes that a click finds, and
        with clips that three.js plays: textures that slide are in the extras of materials."""
        values = {field.name: getattr(options, field.name) for field in dataclasses.fields(ExportOptions)}
        hours = options.hours or tuple(dict.fromkeys((options.second, *PAGE_HOURS)))
        merge = BY_MATERIAL if options.merge in (AUTO, EVERYTHING) else options.merge
        fixed = {"lit": False, "people": True, "events": True, "pointers": False, "compact": False}
        return cls(**{**values, **fixed, "pattern": NODES, "clips": MODELS, "merge": merge, "hours": hours})


@dataclass(frozen=True)
class J3dOptions(Options):
    """Options of GameCube models. `scale`: metres of one model unit, put on the root node."""

    scale: float = option(1.0, _SCALE, "Metres per unit.", "Scale", unit=" m a unit", decimals=6)


@dataclass(frozen=True)
class MshOptions(Options):
    """Options of MSH models."""

    rate: float = option(
        25.0,
        Number(math.ulp(0.0), sentence="a playback rate above 0 is needed, not {value}"),
        "Frames per second of the clip.",
        "Speed of the clip",
        unit=" frames a second",
        shown=(0.001, 1000),
        decimals=3,
    )
    """Frames per second of the clip; the file has none."""
    order: Literal["xyzw", "wxyz", "auto"] = option(
        "auto",
        Choice(("auto", "xyzw", "wxyz")),
        "The order of a stored quaternion.",
        "Order of a quaternion",
        titles={"auto": "Automatic", "xyzw": "x y z w", "wxyz": "w x y z"},
    )
    """Which stored quaternion word is w; "auto" infers it from the identity keys of the file."""
    conjugate: bool = option(
        True,
        Flag(),
        "Rotate as the stored quaternion, not as the engine.",
        "Rotate as the engine does",
        spelling="--no-conjugate",
    )
    """Rotate as the engine's matrices do; False is the reading of one preview tool."""
    mirror_x: bool = option(False, Flag(), "Mirror the whole model.", "Mirror the whole model")
    """Mirror the whole model."""
    keep_root_translation: bool = option(
        True,
        Flag(),
        "Leave root nodes at the origin.",
        "Keep the place of root nodes",
        spelling="--drop-root-translation",
    )
    """False drops the translation of root nodes."""
    hidden: bool = option(False, Flag(), "Draw collision hulls and cockpits too.", "Collision hulls and cockpits too")
    """Draw collision hulls and cockpits."""
    slot: tuple[int, int] = option(
        (0, 0),
        Indices(("ROW", "COLUMN"), (3, 5), "the slot selector has rows 0 to 2 and columns 0 to 4, not {value}"),
        "Which geometry of every node.",
        "Geometry: row, column",
    )
    """Row and column of the geometry selector."""
    bake: bool = option(False, Flag(), "One key per frame.", "One key per frame")
    """One key per frame, even where the file's own keys give the same motion."""
    extras: bool = option(False, Flag(), "Keep the node fields of the file.", "Keep the node fields of the file")
    """Add the node fields of the file."""


@dataclass(frozen=True)
class ConvertOptions(Options):
    """Options of loose models by their kind."""

    nitro: ExportOptions = group(ExportOptions, "NITRO", MAPS_ONLY)
    j3d: J3dOptions = group(J3dOptions, "J3D")
    msh: MshOptions = group(MshOptions, "MSH")
