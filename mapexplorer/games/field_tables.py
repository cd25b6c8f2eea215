"""What the tables of the field hold: tile behaviours, fog, weather, cameras, times of day, the state of the 3D engine,
doors, movement, names of the numbers in map headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from formats.fixed import ONE
from mapexplorer.games.reading import Fx32

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
class FogRegisters:
    """The fog registers of the 3D engine as last written; `densities` are the 32 entries of the table, 0..127."""

    enabled: bool = True
    shift: int = 0
    offset: int = 0
    color: Rgb5 = (0, 0, 0)
    alpha: int = 0
    densities: tuple[int, ...] = (0,) * 32


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
    """A camera type. Lengths are fx32, angles u16 (65536 = a turn)."""

    id: int
    """The number that headers have."""
    name: str
    """A name in plain words."""
    distance: int
    """The distance of the eye from what it looks at."""
    angle_x: int
    """The pitch."""
    angle_y: int
    """The yaw."""
    angle_z: int
    """The roll."""
    orthographic: bool
    """Whether the projection is orthographic."""
    half_fov: int
    """Half of the vertical field of view, an angle."""
    near: int
    """The distance of the near clip plane."""
    far: int
    """The distance of the far clip plane."""
    offset: tuple[int, int, int] = (0, 0, 0)
    """Added to the eye and to what it looks at."""
    billboard_bias: int = 4 * ONE
    """The offset of people and effects toward the viewer, before multiplication with the depth scale."""


@dataclass(frozen=True)
class TimeOfDay:
    """A time of day by the game's clock (not its light), with the shadow of people at that time."""

    name: str
    """In lower case."""
    first: int
    """Its first hour."""
    end: int
    """The hour with which it ends."""
    night_music: bool
    """Whether maps play their music of the night."""
    shadow_alpha: int
    """Of shadows, 0 to 31."""
    shadow_x: float
    """The scale of shadows from west to east."""
    shadow_z: float
    """The scale of shadows from north to south."""
    number: int
    """As scripts know it."""


@dataclass(frozen=True)
class EngineTables:
    """`engine.json`: the state of the 3D engine in the field: the clear plane, the edge colours of the eight groups of
    polygon ids, the light sets whose colours replace those of the materials."""

    clear_plane: ClearPlane
    edge_colors_outdoors: tuple[Rgb5, ...]
    edge_colors_indoors: tuple[Rgb5, ...]
    outdoor_light_sets: frozenset[int]


DoorAnimations = Mapping[str, tuple[int, int]]
"""`entering` and `leaving` -> the numbers of the animations that open and close a door in the list of its model."""


@dataclass(frozen=True)
class PropTables:
    """`props.json`: prop models that the game knows by number. `doors` by sound (`hinged`, `sliding`, `chime`);
    `lift_doors`: at which the camera does not move; the areas in which a door is looked for: tiles from the player's to
    the west and north, size; the animations of doors with two and with four; `paused`: model -> the slots of its list
    whose animations code stops at their first frame when a map is entered."""

    doors: Mapping[str, tuple[int, ...]]
    lift_doors: frozenset[int]
    entering_area: tuple[int, int, int, int]
    leaving_area: tuple[int, int, int, int]
    two_animations: DoorAnimations
    four_animations: DoorAnimations
    paused: Mapping[int, frozenset[int]]


@dataclass(frozen=True)
class MovementTables:
    """`movement.json`."""

    ticks_per_tile: Mapping[str, int]
    """Ticks by way of moving."""
    three_ticks: tuple[int, ...]
    """The units of every tick of a bicycle that takes three for a tile."""
    six_ticks: tuple[int, ...]
    """The units of every tick of a bicycle that takes six for a tile."""
    height_limit: Fx32
    """The difference in height between two tiles from which on it refuses a step."""
    ledge: tuple[int, int]
    """Ticks and tiles of a jump from a ledge."""
    double_ledge: tuple[int, int]
    """Ticks and tiles of a jump from a ledge two tiles deep."""
    ledge_heights: tuple[int, ...]
    """The heights of such a jump in units."""
    bump_ticks: int
    """How long walking against something takes."""
    turn_ticks: int
    """How long turning around takes."""
    sink: Mapping[int, Fx32]
    """Behaviour of a tile -> the offset of a picture there, negative, for deep snow and mud."""


@dataclass(frozen=True)
class HeaderTables:
    """`headers.json`: names of the numbers in headers; `table_offsets`: game code -> published offset of the header
    table in the ARM9 program, a hint for searching it; `limits`: field -> its largest valid value; `symbolic_names`:
    those of the headers in the decompilation."""

    map_types: Mapping[int, str]
    label_windows: Mapping[int, str]
    battle_backgrounds: Mapping[int, str]
    table_offsets: Mapping[str, int]
    limits: Mapping[str, int]
    symbolic_names: tuple[str, ...]
    follower_modes: Mapping[int, str] = field(default_factory=dict)
