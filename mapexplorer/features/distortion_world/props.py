"""The props of a floor: ghost props that fade, moving platforms, waterfall and portals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from formats import nitro
from formats.fixed import ONE, Vector, moved
from mapexplorer.features.distortion_world.boulders import all_in_their_places
from mapexplorer.features.distortion_world.commands import Tile
from mapexplorer.features.distortion_world.floors import Floor, GhostProp
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.space import position
from mapexplorer.features.distortion_world.tables import DistortionTables, MovingPlatform, distortion_tables
from mapexplorer.games import Role
from mapexplorer.world.direction import Direction
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.terrain import TILE_LENGTH

OPAQUE: Final = 31
SMALL_PLATFORM: Final = 0
VINE_FLOWER: Final = 22
ROCK: Final = 23
OBSTACLES: Final = frozenset({VINE_FLOWER, ROCK})
"""The kinds of ghost props that grow and shrink with an animation."""

_OBSTACLE_SPEED: Final = 2


class DistortionProp(NamedTuple):
    """A prop of the Distortion World: kind, fx32 position, and the alpha of all its materials (None: those of the
    model). `frame` is that of the animation of an obstacle, None for one that loops or stands still."""

    kind: int
    position: Vector
    alpha: int | None = None
    frame: int | None = None


def prop_position(tables: DistortionTables, kind: int, tile: Tile) -> Vector:
    """The position of a prop on a tile: the middle of the tile and the offset of its kind."""
    return moved(moved(position(tile), (0, TILE_LENGTH // 2, 0)), tables.prop_kinds[kind].offset)


def moving_platforms(tables: DistortionTables, header: int, state: DistortionState) -> tuple[MovingPlatform, ...]:
    """The moving platforms that are on a floor."""
    return tuple(
        each
        for each in tables.moving_platforms.get(header, ())
        if each.flag is None or each.flag in state.platform_flags
    )


def fixed_props(
    tables: DistortionTables, header: int, state: DistortionState, ridden: MovingPlatform | None = None
) -> tuple[DistortionProp, ...]:
    """The moving platforms at rest, the waterfall and the portals of a floor. `ridden`: a platform in motion, which is
    neither at its place nor at its other end."""
    seen = all_in_their_places(tables, state)
    platforms = [
        (each.kind, each.tile)
        for each in moving_platforms(tables, header, state)
        if (ridden is None or not _same_platform(each, ridden))
        and (seen or state.progress >= tables.unseen_platforms.get((header, each.number), 0))
    ]
    simple = [(each.kind, each.tile) for each in tables.simple_props.get(header, ()) if state.holds(each.condition)]
    return tuple(DistortionProp(kind, prop_position(tables, kind, tile)) for kind, tile in platforms + simple)


def drawn_props(
    tables: DistortionTables, ghosts: Sequence[DistortionProp], fixed: Sequence[DistortionProp]
) -> tuple[DistortionProp, ...]:
    """Ghost props and the others in drawing order. Kinds with one shared model keep the alpha that a ghost prop gave
    it."""
    alphas = {prop.kind: prop.alpha for prop in ghosts if tables.prop_kinds[prop.kind].shared}
    return (*ghosts, *(prop._replace(alpha=alphas.get(prop.kind, prop.alpha)) for prop in fixed))


def _same_platform(platform: MovingPlatform, other: MovingPlatform) -> bool:
    """Whether two entries of the table are one platform, or the ends of one lift."""
    if platform.header == other.header:
        return platform.number == other.number
    return other.ride is not None and platform.ride not in (None, other.ride) and platform.number == other.other_end


def obstacle_frames(world: WorldFiles) -> dict[int, int]:
    """Kind of an obstacle -> the last frame of its animation. Raises FormatError, RomError."""
    kinds = distortion_tables(world.game.tables).prop_kinds
    effects = world.members(Role.EFFECTS)
    last_frames = {}
    for kind in sorted(OBSTACLES):
        member = kinds[kind].animation
        if member is not None:
            file = nitro.read(effects.reader(member))
            last_frames[kind] = max((animation.frame_count for animation in file.animations), default=1) - 1
    return last_frames


def phases(tables: DistortionTables) -> Iterator[int]:
    """The phase (fx32) of bobbing platforms after each tick from the lowest on."""
    phase, last, step = 0, tables.last_phase * ONE, tables.bob_step
    while True:
        phase += step
        if not 0 < phase < last:
            step = tables.bob_step if phase <= 0 else -tables.bob_step
        yield phase


def bob_offset(tables: DistortionTables, phase: int) -> int:
    """The height offset of bobbing platforms in a phase, fx32."""
    return tables.bob_offsets[min(phase // ONE, len(tables.bob_offsets) - 1)]


def bob_cycle(tables: DistortionTables) -> tuple[int, ...]:
    """The height offsets of bobbing platforms tick by tick from phase 0 on, until they repeat."""
    ticks = 2 * tables.last_phase * ONE // tables.bob_step
    return tuple(bob_offset(tables, phase) for phase in (0, *islice(phases(tables), ticks - 1)))


@dataclass
class _Fading:
    """A ghost prop with its present alpha and, for an obstacle, the frame of its animation."""

    prop: GhostProp
    position: Vector
    alpha: int
    frame: int
    last_frame: int

    def tick(self, visible: bool) -> None:
        if self.prop.kind not in OBSTACLES:
            self.alpha = max(0, min(OPAQUE, self.alpha + (1 if visible else -1)))
            return
        change = _OBSTACLE_SPEED if visible else -_OBSTACLE_SPEED
        self.frame = max(0, min(self.last_frame, self.frame + change))
        if visible or self.alpha >= self.frame:
            self.alpha = max(0, min(OPAQUE, self.alpha + change))


class GhostProps:
    """The ghost props of a floor, tick by tick.

    `hidden`: the groups that are not shown. `phase` is that of the bobbing platforms, 0 to 8; the game begins with a
    random one.
    """

    def __init__(
        self,
        tables: DistortionTables,
        floor: Floor,
        last_frames: Mapping[int, int],
        state: DistortionState | None = None,
    ) -> None:
        """`last_frames`: those of the animations of obstacles, by kind (see `obstacle_frames`); `state` None: that of a
        new game."""
        self.tables = tables
        self.floor = floor
        self.hidden = self._hidden_in(state)
        self.phase = 0
        self._phases = phases(tables)
        self._small_platforms = frozenset(prop.tile for prop in floor.ghost_props if prop.kind == SMALL_PLATFORM)
        self._fading = [
            _Fading(prop, prop_position(tables, prop.kind, prop.tile), OPAQUE * seen, last * seen, last)
            for prop in floor.ghost_props
            for seen, last in ((prop.group not in self.hidden, last_frames.get(prop.kind, 0)),)
        ]

    def _hidden_in(self, state: DistortionState | None) -> frozenset[int]:
        header, flag = self.tables.room_platforms
        if state is not None and header == self.floor.header and flag in state.puzzle_flags:
            return frozenset()
        return frozenset(range(32)) - self.floor.visible_groups

    def apply(self, state: DistortionState) -> None:
        """Show and hide what depends on the state that an event has changed."""
        if self.floor.header == self.tables.room_platforms[0]:
            self.hidden = self._hidden_in(state)

    def pressed(self, tile: Tile, direction: Direction) -> None:
        """Apply every trigger that answers to a press that moves the player."""
        for trigger in self.floor.ghost_triggers:
            if trigger.direction == direction and tile in trigger.box:
                group = {trigger.group}
                self.hidden = self.hidden - group if trigger.show else self.hidden | group

    def tick(self) -> None:
        """Advance by a tick: every prop fades toward its goal, the platforms bob."""
        for each in self._fading:
            each.tick(each.prop.group not in self.hidden)
        self.phase = next(self._phases)

    def bob(self, player: Tile) -> int:
        """The height offset of bobbing platforms, fx32; half as much while the player stands on a small one."""
        offset = bob_offset(self.tables, self.phase)
        return offset // 2 if player in self._small_platforms else offset

    def props(self, player: Tile) -> tuple[DistortionProp, ...]:
        """The props that are seen, in the order of the file."""
        bob, bobbing = (0, self.bob(player), 0), self.tables.bobbing
        return tuple(
            DistortionProp(
                each.prop.kind,
                moved(each.position, bob) if each.prop.kind in bobbing else each.position,
                each.alpha,
                each.frame if each.prop.kind in OBSTACLES else None,
            )
            for each in self._fading
            if each.alpha
        )
