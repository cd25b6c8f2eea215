"""The constants of the Distortion World from `data/GAME/distortion_world.json`, as values.

Tiles are those of the space of all floors, y in tiles of 16 units; fx32 unless a unit is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from formats.fixed import Vector
from mapexplorer.features.distortion_world.commands import DistortionCondition, DistortionEvent, Tile
from mapexplorer.features.surface import Surface
from mapexplorer.features.values import FeatureTable
from mapexplorer.games.field_tables import FogRegisters, Rgb5
from mapexplorer.games.reading import Fx32, Fx32Vector, Span
from mapexplorer.games.tables import Tables


@dataclass(frozen=True)
class DistortionPropKind:
    """A kind of prop: members of the effects archive with its model and its animation (None: none), whether all props
    of the kind share one model (and its alphas), offset from the tile's centre."""

    name: str
    model: int
    animation: int | None
    shared: bool
    offset: Fx32Vector


@dataclass(frozen=True)
class SimpleProp:
    """A prop that is there while its condition holds."""

    header: int
    kind: int
    tile: Tile
    condition: DistortionCondition


@dataclass(frozen=True)
class MovingPlatform:
    """A platform that moves."""

    header: int
    """The header of its floor."""
    number: int
    """Its number on the floor."""
    tile: Tile
    """Where it is at first."""
    kind: int
    """The kind of prop that is drawn."""
    flag: int | None
    """The platform flag with which it is there, None: always."""
    ride: str | None
    """Whether it is an elevator, up or down; None: it only moves in events."""
    path: int | None
    """The number of the elevator's path; None: as `ride`."""
    other_end: int | None
    """Its number on the other floor."""


@dataclass(frozen=True)
class ElevatorPath:
    """A ride: tiles upward (negative: downward), after how many of them the floors change, fx32 units per tick, the
    platform flags that are set and cleared, and the path that follows on the next floor."""

    next: int | None
    tiles: int
    change_after: int
    speed: Fx32
    sets: frozenset[int]
    clears: frozenset[int]


@dataclass(frozen=True)
class WaterfallPassage:
    """A waterfall that leads to the same z of another floor, then some steps west."""

    header: int
    """The header of its floor."""
    state: Surface
    """The surface on which the player is."""
    x: int
    """The column of its tiles."""
    y: int
    """The height of its tiles, in tiles."""
    first_z: int
    """The first row of its tiles."""
    last_z: int
    """The last row of its tiles."""
    direction: int
    """The direction that is pressed."""
    to_header: int
    """The header of the other floor."""
    to_state: Surface
    """The surface on which the player arrives."""
    to_x: int
    """The column at which the player arrives."""
    to_y: int
    """The height at which the player arrives, in tiles."""
    steps_west: int
    """The number of steps after that."""


@dataclass(frozen=True)
class Teleport:
    """Pressing `direction` in a rectangle (inclusive) from some progress on leads to the arrival of another floor."""

    header: int
    first: tuple[int, int]
    last: tuple[int, int]
    direction: int
    progress: int
    to_header: int


@dataclass(frozen=True)
class DistortionObject:
    """A person or boulder that is there while its condition holds."""

    header: int
    """The header of its floor."""
    condition: DistortionCondition
    """The condition."""
    sprite_turn: int
    """The turn of its sprite in degrees."""
    local_id: int
    """As in an object event, like all that follow but `y`."""
    graphics: int
    """The object graphics id."""
    movement_type: int
    """The movement type."""
    range_x: int
    """How far it moves along x, in tiles."""
    hidden_flag: int
    """The flag that hides it, 0: none."""
    script: int
    """The number of the script that it runs."""
    direction: int
    """The initial direction."""
    x: int
    """The column of its tile."""
    y: float
    """The height in tiles."""
    z: int
    """The row of its tile."""


@dataclass(frozen=True)
class BoulderFall:
    """A tile on which a boulder falls: onto the land of `floor`, if that is below; into a pit that is its place, with
    the puzzle flag that is set then and that of the guardian who leaves; or through any other pit, after which it is on
    the `floor` above again."""

    header: int
    x: int
    z: int
    floor: int
    flag: int | None
    guardian_flag: int | None


@dataclass(frozen=True)
class BoulderMotion:
    """How boulders fall, fx32 per tick: up onto land; (ticks, ahead, up) into a pit and on through it. One that is in
    its place shakes for some ticks by a height, and rests."""

    onto_land: Fx32
    into_pit: tuple[tuple[int, Fx32, Fx32], ...]
    through_pit: tuple[tuple[int, Fx32, Fx32], ...]
    shake_ticks: int
    shake: Fx32
    rest_ticks: int


@dataclass(frozen=True)
class Cloud:
    """A cloud of the sky."""

    resource: int
    """The number of its pictures."""
    group: int
    """Its group for the extra speed."""
    first_angle: Fx32
    """Its place on the circle at first, degrees × 4096."""
    sprite_angle: Fx32
    """Added to its place on the circle for the turn of its picture, degrees × 4096."""
    radius: int
    """The radius of the circle in pixels."""
    speed: Fx32
    """Degrees × 4096 per tick."""
    centre: tuple[Fx32, Fx32]
    """x, y of the circle in fx32 pixels."""
    scale: Fx32
    """The scale of its picture."""


@dataclass(frozen=True)
class SkyTables:
    """The sky. Tints are RGB5; heights fx32 units."""

    clouds: tuple[Cloud, ...]
    """The clouds in the order of drawing."""
    extra_speeds: tuple[tuple[Fx32, ...], ...]
    """By kind of sky and group of a cloud."""
    speed_change: Fx32
    """The largest change of an extra speed per tick."""
    view_offset: Fx32
    """Subtracted from the y of clouds, fx32 pixels."""
    background: tuple[int, int, int]
    """Members with tiles, palette and map."""
    cloud_members: tuple[tuple[int, int, int], ...]
    """Members with tiles, cells and animations of each resource."""
    cloud_palettes: int
    """The member with the palettes of clouds."""
    tint_levels: int
    """The number of levels of the tint."""
    tint_first_height: Fx32
    """The height at which the tint begins."""
    tint_height: Fx32
    """The height over which it grows."""
    background_tint: Rgb5
    """The tint of the background."""
    cloud_tint: Rgb5
    """The tint of clouds."""
    room: int
    """The header of the room whose sky depends on the progress."""
    kinds_in_room: tuple[tuple[int, int, int], ...]
    """(first, last progress, kind of the sky) in that room."""
    full_tint_in_room: int
    """The progress at which the tint is full there."""


@dataclass(frozen=True)
class SurfMount:
    """The mount of a surfing player. Lengths are fx32 units."""

    model: int
    """The member with its model."""
    rotations: tuple[tuple[Vector, ...], ...]
    """x, y, z in degrees by state of the player and direction."""
    offsets: tuple[Fx32Vector, ...]
    """By state of the player."""
    orbits: tuple[int, ...]
    """The angle on the circle about the player, in degrees, by state."""
    radius: Fx32
    """The radius of that circle."""
    height: Fx32
    """The height above the circle."""
    bob_least: Fx32
    """The lowest swing of its own height."""
    bob_most: Fx32
    """The highest swing."""
    bob_step: Fx32
    """The swing per tick."""


@dataclass(frozen=True)
class DistortionCamera:
    """The camera: fx32 distance, u16 base angle about x, half of the vertical field of view (by header where it
    differs), clip planes in units."""

    distance: int
    base_angle: int
    half_fov: int
    half_fov_by_header: Mapping[int, int]
    near: int
    far: int


@dataclass(frozen=True)
class DistortionSpot:
    """A spot to look at from: header, name and title, the number of the platform on which the player stands there
    (None: the land), the tile, the number of the floor's camera angle (None: the base angle)."""

    header: int
    name: str
    title: str
    platform: int | None
    tile: Tile
    camera_angle: int | None


@dataclass(frozen=True)
class DistortionTables(FeatureTable):
    """All constants of the Distortion World."""

    links: Mapping[int, tuple[int | None, int | None]]
    """Header -> those of the floors below and above."""
    arrivals: Mapping[int, tuple[int, int, int]]
    """Header of a floor -> x, z and direction of a player who comes from elsewhere."""
    prop_kinds: tuple[DistortionPropKind, ...]
    """The kinds of props that code draws."""
    bob_offsets: tuple[Fx32, ...]
    """The height of a bobbing prop by whole phase, fx32."""
    bob_step: Fx32
    """How far the phase moves per tick, fx32."""
    last_phase: int
    """The phase at which it turns back."""
    bobbing: Span
    """The kinds of props that bob."""
    simple_props: Mapping[int, tuple[SimpleProp, ...]]
    """Header -> props that are there while a condition holds."""
    moving_platforms: Mapping[int, tuple[MovingPlatform, ...]]
    """Header -> the platforms that move."""
    unseen_platforms: Mapping[tuple[int, int], int]
    """(header, number) -> the progress from which a moving platform is drawn, if not all boulders are in their places
    before."""
    room_platforms: tuple[int, int]
    """The header whose ghost props are all shown with a puzzle flag, and that flag."""
    elevator_paths: tuple[ElevatorPath, ...]
    """The paths of elevators by number."""
    platform_flag_names: tuple[str, ...]
    """The names of the platform flags by number."""
    first_platform_flags: frozenset[int]
    """The platform flags of a new game."""
    first_platform_flags_by_header: Mapping[int, frozenset[int]]
    """Those where the entrance matters."""
    events: Mapping[int, tuple[DistortionEvent, ...]]
    """Header -> what happens on its tiles."""
    puzzle_flag_names: tuple[str, ...]
    """The names of the puzzle flags by number."""
    first_puzzle_flags: frozenset[int]
    """The puzzle flags of a new game."""
    progress_names: tuple[str, ...]
    """The states of the story by number."""
    waterfalls: tuple[WaterfallPassage, ...]
    """The waterfalls between floors."""
    teleports: tuple[Teleport, ...]
    """The tiles that lead to another floor."""
    closed_tiles: frozenset[tuple[int, int, int]]
    """(header, x, z) of tiles that cannot be entered."""
    objects: Mapping[int, tuple[DistortionObject, ...]]
    """Header -> its people and boulders."""
    boulder_falls: tuple[BoulderFall, ...]
    """Where boulders fall."""
    boulder_motion: BoulderMotion
    """How boulders fall."""
    sky: SkyTables
    """The sky."""
    surf_mount: SurfMount
    """The mount of a surfing player."""
    camera: DistortionCamera
    """The camera."""
    fog: FogRegisters
    """The fog."""
    edge_colors: tuple[Rgb5, ...]
    """The edge colours of the eight groups of polygon ids, RGB5."""
    player_graphics: Mapping[str, tuple[int, int]]
    """`on foot` and `surfing` -> the object graphics of a male and a female player."""
    spots: Mapping[int, tuple[DistortionSpot, ...]]
    """Header -> the spots where a visit may begin."""

    def below(self, header: int) -> int | None:
        """The header of the floor below."""
        return self.links[header][0]


def distortion_tables(tables: Tables) -> DistortionTables:
    """The constants in the game that has the Distortion World."""
    return tables.own_table(DistortionTables, "distortion_world")
