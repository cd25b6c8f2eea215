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
    """A platform that moves: `flag`: the platform flag with which it is there (None: always); `ride`: whether it is an
    elevator, up or down, by `path` (None: it only moves in events); `other_end`: its number on the other floor."""

    header: int
    number: int
    tile: Tile
    kind: int
    flag: int | None
    ride: str | None
    path: int | None
    other_end: int | None


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
    """Pressing `direction` on the tiles (x, y, first_z..last_z) of a floor in a state of the player: to the same z of
    another floor, then some steps west."""

    header: int
    state: Surface
    x: int
    y: int
    first_z: int
    last_z: int
    direction: int
    to_header: int
    to_state: Surface
    to_x: int
    to_y: int
    steps_west: int


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
    """A person or boulder that is there while its condition holds; the fields of an object event, the height in tiles,
    the turn of its sprite in degrees."""

    header: int
    condition: DistortionCondition
    sprite_turn: int
    local_id: int
    graphics: int
    movement_type: int
    range_x: int
    hidden_flag: int
    script: int
    direction: int
    x: int
    y: float
    z: int


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
    """A cloud of the sky: number of its pictures, its group for the extra speed, angles in degrees × 4096, radius in
    pixels, degrees × 4096 per tick, centre in fx32 pixels, scale."""

    resource: int
    group: int
    first_angle: Fx32
    sprite_angle: Fx32
    radius: int
    speed: Fx32
    centre: tuple[Fx32, Fx32]
    scale: Fx32


@dataclass(frozen=True)
class SkyTables:
    """The sky. `extra_speeds` by kind of sky and group; `background`: members with tiles, palette and map;
    `cloud_members`: with tiles, cells and animations of each resource. Tints are RGB5; heights fx32 units."""

    clouds: tuple[Cloud, ...]
    extra_speeds: tuple[tuple[Fx32, ...], ...]
    speed_change: Fx32
    view_offset: Fx32
    background: tuple[int, int, int]
    cloud_members: tuple[tuple[int, int, int], ...]
    cloud_palettes: int
    tint_levels: int
    tint_first_height: Fx32
    tint_height: Fx32
    background_tint: Rgb5
    cloud_tint: Rgb5
    room: int
    kinds_in_room: tuple[tuple[int, int, int], ...]
    full_tint_in_room: int


@dataclass(frozen=True)
class SurfMount:
    """The mount of a surfing player: the model, rotations in degrees by state of the player and direction, offsets by
    state, the angle (degrees, by state) and the radius of the circle about the player on which it is, its height above
    the circle. Its own height swings from `bob_least` to `bob_most` by `bob_step` per tick. fx32."""

    model: int
    rotations: tuple[tuple[Vector, ...], ...]
    offsets: tuple[Fx32Vector, ...]
    orbits: tuple[int, ...]
    radius: Fx32
    height: Fx32
    bob_least: Fx32
    bob_most: Fx32
    bob_step: Fx32


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
    """All constants of the Distortion World.

    `bob_offsets` (fx32) by whole phase, which moves by `bob_step` (fx32) up to `last_phase`; `bobbing` are the kinds of
    props that move so. `unseen_platforms`: (header, number) -> the progress from which a moving platform is drawn, if
    not all boulders are in their places before;
    `room_platforms`: the header whose ghost props are all shown with a puzzle flag. `first_platform_flags` are those of
    a new game, by header where the entrance matters. `closed_tiles` are (header, x, z). `player_graphics`: `on foot`
    and `surfing` of a male and a female player.
    """

    links: Mapping[int, tuple[int | None, int | None]]
    """Header -> those of the floors below and above."""
    arrivals: Mapping[int, tuple[int, int, int]]
    prop_kinds: tuple[DistortionPropKind, ...]
    bob_offsets: tuple[Fx32, ...]
    bob_step: Fx32
    last_phase: int
    bobbing: Span
    simple_props: Mapping[int, tuple[SimpleProp, ...]]
    moving_platforms: Mapping[int, tuple[MovingPlatform, ...]]
    unseen_platforms: Mapping[tuple[int, int], int]
    room_platforms: tuple[int, int]
    elevator_paths: tuple[ElevatorPath, ...]
    platform_flag_names: tuple[str, ...]
    first_platform_flags: frozenset[int]
    first_platform_flags_by_header: Mapping[int, frozenset[int]]
    events: Mapping[int, tuple[DistortionEvent, ...]]
    puzzle_flag_names: tuple[str, ...]
    first_puzzle_flags: frozenset[int]
    progress_names: tuple[str, ...]
    waterfalls: tuple[WaterfallPassage, ...]
    teleports: tuple[Teleport, ...]
    closed_tiles: frozenset[tuple[int, int, int]]
    objects: Mapping[int, tuple[DistortionObject, ...]]
    boulder_falls: tuple[BoulderFall, ...]
    boulder_motion: BoulderMotion
    sky: SkyTables
    surf_mount: SurfMount
    camera: DistortionCamera
    fog: FogRegisters
    edge_colors: tuple[Rgb5, ...]
    player_graphics: Mapping[str, tuple[int, int]]
    spots: Mapping[int, tuple[DistortionSpot, ...]]

    def below(self, header: int) -> int | None:
        """The header of the floor below."""
        return self.links[header][0]


def distortion_tables(tables: Tables) -> DistortionTables:
    """The constants in the game that has the Distortion World."""
    return tables.own_table(DistortionTables, "distortion_world")
