"""The constants of the Distortion World from `data/GAME/distortion_world.json`, as values.

Tiles are those of the space of all floors, y in tiles of 16 units; fx32 unless a unit is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from formats.fixed import Vector
from mapexplorer.games.distortion_events import Condition, DistortionEvent, Tile, fx32, read_events, vector
from mapexplorer.games.gym_tables import FeatureFog


@dataclass(frozen=True)
class FloorLinks:
    """The headers of the floors below and above."""

    next: int | None
    previous: int | None


@dataclass(frozen=True)
class DistortionArrival:
    """The tile on which the player arrives in a floor from elsewhere, and the direction."""

    x: int
    z: int
    direction: int


@dataclass(frozen=True)
class DistortionPropKind:
    """A kind of prop: members of the effects archive with its model and its animation (None: none), whether all props
    of the kind share one model (and its alphas), offset from the tile's centre, scale of the box that is tested for
    being in view (zeros: not tested)."""

    name: str
    model: int
    animation: int | None
    shared: bool
    offset: Vector
    box_scale: Vector


@dataclass(frozen=True)
class SimpleProp:
    """A prop that is there while its condition holds."""

    kind: int
    tile: Tile
    condition: Condition


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
    speed: int
    sets: frozenset[int]
    clears: frozenset[int]


@dataclass(frozen=True)
class WaterfallPassage:
    """Pressing `direction` on the tiles (x, y, first_z..last_z) of a floor in a state of the player: to the same z of
    another floor, then some steps west."""

    header: int
    state: int
    x: int
    y: int
    first_z: int
    last_z: int
    direction: int
    to_header: int
    to_state: int
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
    condition: Condition
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

    onto_land: int
    into_pit: tuple[tuple[int, int, int], ...]
    through_pit: tuple[tuple[int, int, int], ...]
    shake_ticks: int
    shake: int
    rest_ticks: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> BoulderMotion:
        """Read its table."""
        into, through = (
            tuple((ticks, fx32(ahead), fx32(up)) for ticks, ahead, up in table[name])
            for name in ("into a pit", "through a pit")
        )
        shakes = table["shakes"]
        return cls(fx32(table["onto land"]), into, through, shakes["ticks"], fx32(shakes["units"]), table["rest ticks"])


@dataclass(frozen=True)
class Cloud:
    """A cloud of the sky: number of its pictures, its group for the extra speed, angles in degrees × 4096, radius in
    pixels, degrees × 4096 per tick, centre in fx32 pixels, scale."""

    resource: int
    group: int
    first_angle: int
    sprite_angle: int
    radius: int
    speed: int
    centre: tuple[int, int]
    scale: int


@dataclass(frozen=True)
class SkyTables:
    """The sky. `extra_speeds` by kind of sky and group; `background`: members with tiles, palette and map;
    `cloud_members`: with tiles, cells and animations of each resource. Tints are RGB5; heights fx32 units."""

    clouds: tuple[Cloud, ...]
    extra_speeds: tuple[tuple[int, ...], ...]
    speed_change: int
    view_offset: int
    background: tuple[int, int, int]
    cloud_members: tuple[tuple[int, int, int], ...]
    cloud_palettes: int
    tint_levels: int
    tint_first_height: int
    tint_height: int
    background_tint: tuple[int, int, int]
    cloud_tint: tuple[int, int, int]
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
    offsets: tuple[Vector, ...]
    orbits: tuple[int, ...]
    radius: int
    height: int
    bob_least: int
    bob_most: int
    bob_step: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> SurfMount:
        """Read its table."""
        bob = table["bob"]
        return cls(
            table["model in fldeff"],
            tuple(
                tuple((x, y, z) for x, y, z in state) for state in table["rotations by state and direction in degrees"]
            ),
            tuple(map(vector, table["offsets by state in units"])),
            tuple(table["orbit by state in degrees"]),
            *(fx32(table[name]) for name in ("orbit in units", "height in units")),
            *(fx32(bob[name]) for name in ("least", "most", "step")),
        )


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
    """A spot to look at from: name and title, the number of the platform on which the player stands there (None: the
    land), the tile, the number of the floor's camera angle (None: the base angle)."""

    header: int
    name: str
    title: str
    platform: int | None
    tile: Tile
    camera_angle: int | None


@dataclass(frozen=True)
class DistortionTables:
    """All constants of the Distortion World.

    `bob_offsets` (fx32) by whole phase, which moves by `bob_step` (fx32) up to `last_phase`; `bobbing` are the kinds of
    props that move so. `unseen_platforms`: (header, number) -> the progress from which a moving platform is drawn, if
    not all boulders are in their places before;
    `room_platforms`: the header whose ghost props are all shown with a puzzle flag. `first_platform_flags` are those of
    a new game, by header where the entrance matters. `closed_tiles` are (header, x, z). `player_graphics`: `on foot`
    and `surfing` of a male and a female player.
    """

    links: Mapping[int, FloorLinks]
    arrivals: Mapping[int, DistortionArrival]
    prop_kinds: tuple[DistortionPropKind, ...]
    bob_offsets: tuple[int, ...]
    bob_step: int
    last_phase: int
    bobbing: range
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
    fog: FeatureFog
    edge_colors: tuple[tuple[int, int, int], ...]
    player_graphics: Mapping[str, tuple[int, int]]
    spots: Mapping[int, tuple[DistortionSpot, ...]]


def read_distortion_tables(table: Mapping[str, Any]) -> DistortionTables:
    """The values of the table as it is in the file."""
    links = {header: FloorLinks(below, above) for header, below, above in table["floors"]["rows"]}
    flags, puzzle, bob = table["platform flags"], table["puzzle flags"], table["bobbing"]
    camera, fog = table["camera"], table["fog"]
    no_flag = len(flags["names"]) - 1
    simple: dict[int, tuple[SimpleProp, ...]] = {}
    for header, kind, x, y, z, condition in table["simple props"]["rows"]:
        simple[header] = (*simple.get(header, ()), SimpleProp(kind, (x, y, z), Condition(*condition)))
    moving = [
        MovingPlatform(header, number, (x, y, z), kind, None if flag == no_flag else flag, ride, path, other)
        for header, number, x, y, z, kind, flag, ride, path, other in table["moving platforms"]["rows"]
    ]
    events = read_events(table)
    objects = [
        DistortionObject(header, Condition(*condition), *fields)
        for header, condition, *fields in table["objects"]["rows"]
    ]
    spots = [
        DistortionSpot(header, name, title, platform, (x, y, z), angle)
        for header, name, title, platform, x, y, z, angle in table["spots"]["rows"]
    ]
    return DistortionTables(
        links=links,
        arrivals={header: DistortionArrival(*fields) for header, *fields in table["arrivals"]["rows"]},
        prop_kinds=tuple(
            DistortionPropKind(name, model, animation, shared, vector(offset), vector(scale))
            for name, model, animation, shared, offset, scale in table["prop kinds"]["rows"]
        ),
        bob_offsets=tuple(fx32(offset) for offset in bob["offsets in units"]),
        bob_step=fx32(bob["phase step"]),
        last_phase=bob["last phase"],
        bobbing=range(bob["kinds"][0], bob["kinds"][1] + 1),
        simple_props=simple,
        moving_platforms={header: tuple(each for each in moving if each.header == header) for header in links},
        unseen_platforms={
            (header, number): progress for header, number, progress in table["platforms not seen at first"]["rows"]
        },
        room_platforms=(table["room platforms"]["header"], table["room platforms"]["puzzle flag"]),
        elevator_paths=tuple(
            ElevatorPath(following, tiles, change, fx32(speed), frozenset(sets), frozenset(clears))
            for following, tiles, change, speed, sets, clears in table["elevator paths"]["rows"]
        ),
        platform_flag_names=tuple(flags["names"][:no_flag]),
        first_platform_flags=frozenset(flags["first"]),
        first_platform_flags_by_header={
            int(header): frozenset(first) for header, first in flags["first by header"].items()
        },
        events={header: tuple(event for event in events if event.header == header) for header in links},
        puzzle_flag_names=tuple(puzzle["names"]),
        first_puzzle_flags=frozenset(puzzle["first"]),
        progress_names=tuple(table["progress"]),
        waterfalls=tuple(WaterfallPassage(*row) for row in table["waterfalls"]["rows"]),
        teleports=tuple(
            Teleport(header, (x, z), (last_x, last_z), direction, progress, to_header)
            for header, x, z, last_x, last_z, direction, progress, to_header in table["teleports"]["rows"]
        ),
        closed_tiles=frozenset((header, x, z) for header, x, z in table["closed tiles"]["rows"]),
        objects={header: tuple(each for each in objects if each.header == header) for header in links},
        boulder_falls=tuple(BoulderFall(*row) for row in table["boulder falls"]["rows"]),
        boulder_motion=BoulderMotion.of(table["boulder motion"]),
        sky=_sky(table["sky"]),
        surf_mount=SurfMount.of(table["surf mount"]),
        camera=DistortionCamera(
            camera["distance"],
            camera["base angle x"],
            camera["half field of view"],
            {int(header): angle for header, angle in camera["half field of view by header"].items()},
            camera["near"],
            camera["far"],
        ),
        fog=FeatureFog(
            fog["shift"],
            fog["offset"],
            _color(fog["colour"]),
            fog["alpha"],
            tuple(entry * fog["density step"] for entry in range(32)),
        ),
        edge_colors=tuple(map(_color, table["edge colours"])),
        player_graphics={how: (male, female) for how, (male, female) in table["player graphics"].items()},
        spots={header: tuple(each for each in spots if each.header == header) for header in links},
    )


def _sky(table: Mapping[str, Any]) -> SkyTables:
    tint, members = table["tint"], table["members"]
    tiles, palette, background_map = members["background"]
    clouds = tuple(
        Cloud(resource, group, fx32(first), fx32(sprite), radius, fx32(speed), (fx32(x), fx32(y)), fx32(scale))
        for resource, group, first, sprite, radius, speed, (x, y), scale in table["clouds"]["rows"]
    )
    return SkyTables(
        clouds,
        tuple(tuple(map(fx32, speeds)) for speeds in table["extra speeds"]),
        fx32(table["speed change per tick"]),
        fx32(table["view offset"]),
        (tiles, palette, background_map),
        tuple((tiles, cells, animations) for tiles, cells, animations in members["clouds"]),
        members["cloud palettes"],
        tint["levels"],
        fx32(tint["first height in units"]),
        fx32(tint["height in units"]),
        _color(tint["background"]),
        _color(tint["clouds"]),
        table["Giratina room"],
        tuple((first, last, kind) for first, last, kind in table["kinds by progress in the Giratina room"]),
        table["full tint at progress in the Giratina room"],
    )


def _color(numbers: list[int]) -> tuple[int, int, int]:
    red, green, blue = numbers
    return red, green, blue
