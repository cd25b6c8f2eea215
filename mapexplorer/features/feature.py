"""What code adds to the maps of a header at run time: the base class of all features, and what they change in a walk.

A feature is an immutable value of a header and a state. It answers what is drawn and what bars the way, and turns an
event of a walk (a step, a press, a trigger) into a `FeatureChange`: the feature tick by tick and afterwards. It draws
nothing. Positions are fx32, matrix-wide; tiles are matrix-wide. Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

from formats.binary import require
from formats.fixed import Vector
from mapexplorer.features.surface import Surface
from mapexplorer.features.values import (
    FeatureConditions,
    FeatureEffect,
    FeatureSky,
    HeightPlate,
    LitPerson,
    PlacedProp,
    PlayerTile,
    Press,
    RunTimeProp,
    StateChoice,
    SurfaceStep,
    Tile,
)
from mapexplorer.games.field_tables import CameraType
from mapexplorer.world.direction import Direction
from mapexplorer.world.events.script_files import NamedCommand
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.terrain import Terrain

if TYPE_CHECKING:
    from mapexplorer.map_objects.setting import ObjectSetting


class ChangeTick(NamedTuple):
    """A tick of a change: the feature, also as that of another map; where it carries the player (None: it does not),
    the offset of their sprite from there, its turn in degrees beside that of the surface, the name of the movement."""

    feature: Feature
    player: Vector | None = None
    hop: Vector = (0, 0, 0)
    turn: float = 0
    gait: str = ""


class FeatureMotion(Protocol):
    """What moves on the picture of a feature while the player walks. `raised`: by how much the player is lifted."""

    raised: int

    def pressed(self, feature: Any, press: Press, *, moves: bool) -> None:
        """The player presses a direction, and moves or is refused."""

    def tick(self, feature: Any, position: Vector, facing: Direction, surfing: bool) -> Feature:
        """The feature as it is seen after a further tick, with the player at a position."""


@dataclass(frozen=True)
class FeatureChange:
    """What an event of a walk does."""

    kind: str
    """The kind of the change."""
    sentence: str
    """What happens, "": it is not told."""
    after: Feature
    """The feature afterwards."""
    moments: Callable[[], Iterable[ChangeTick]] = field(compare=False)
    """The ticks of the motion, computed on demand."""
    values: dict[str, Any] = field(default_factory=dict)
    """The values of the event."""
    ends_at: tuple[int, int, int] | None = None
    """The tile and height where the player ends, None: where they were."""
    before: Feature | None = None
    """The feature while the animations of the placed props that it changes play, before the motion; None: the motion
    begins at once."""
    facing: Direction | None = None
    """That of the player afterwards, None: as before."""
    event: str = "feature"
    """The kind of the walk's event."""
    warps: bool = False
    """The player is elsewhere at once, as after a warp."""
    then: FeatureChange | None = None
    """The change that follows, None: none."""


@dataclass(frozen=True)
class Feature:
    """A feature without effect; the subclasses replace what theirs has.

    `table`: the contents of the file with the feature's name, of the type that the subclass names; `in_walks`: it
    concerns who walks on the map, not only the picture; `kept`: the state is kept in the save when the player leaves
    the map; all others start anew; `missing`: sentences about what of it differs from the game;
    `has_surfaces`: it adds ground with an orientation.
    """

    name: ClassVar[str] = ""
    in_walks: ClassVar[bool] = True
    kept: ClassVar[bool] = False
    has_surfaces: ClassVar[bool] = False
    missing: ClassVar[tuple[str, ...]] = ()

    table: Any = field(compare=False, repr=False)
    header: int

    # --- states

    @classmethod
    def entered(cls, table: Any, header: int, entry: Tile | None) -> Self:
        """The feature as a new visit finds it; `entry`: the tile where the player enters, None for any."""
        return cls(table, header)

    @classmethod
    def in_state(cls, table: Any, header: int, state: Any) -> Self:
        """The feature in a state given as a plain value. Raises ValueError for a value that is none of its states."""
        raise ValueError(f"the feature {cls.name!r} has no states")

    @property
    def state(self) -> Any:
        """The state as a plain value: numbers, texts, lists, mappings."""
        return None

    @classmethod
    def choices(cls, table: Any, header: int) -> tuple[StateChoice, ...]:
        """The states that a person can choose from."""
        return ()

    @property
    def not_modelled(self) -> tuple[str, ...]:
        """Sentences about what of it differs from the game in the map of its header."""
        return self.missing

    def with_files(self, world: WorldFiles) -> Self:
        """The feature with what it needs of the files of a ROM."""
        return self

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """The files that it needs and that cannot be read."""
        return ()

    # --- what is seen

    @property
    def conditions(self) -> FeatureConditions:
        """What it sets for the whole picture."""
        return FeatureConditions()

    def camera(self, camera: CameraType) -> CameraType:
        """The camera, `camera` being that of the header."""
        return camera

    @property
    def spot(self) -> PlayerTile | None:
        """Where the player stands in this state, if it is about a certain part of the map."""
        return None

    @property
    def arrival(self) -> PlayerTile | None:
        """Where a visit of the map begins, if code says so."""
        return None

    def sky(self, y: int) -> FeatureSky | None:
        """What is seen behind the 3D picture while the player is at height `y`; None: the colour of the clear plane."""
        return None

    def lands(self) -> Mapping[int, Vector]:
        """The headers of other maps whose lands are drawn after the cells, without their props and with the textures of
        the area that was entered -> how far they are moved."""
        return {}

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        """The props that it creates, in this order, while the player is at height `y`."""
        return ()

    def placed_props(self) -> tuple[PlacedProp, ...]:
        """What it changes on placed props."""
        return ()

    def effects(self, ground: Terrain, people: Sequence[LitPerson] = ()) -> tuple[FeatureEffect, ...]:
        """The field effects that it shows."""
        return ()

    def objects(self, save: Save) -> tuple[ObjectSetting, ...]:
        """The objects that it creates beside those of the map's events."""
        return ()

    def light_length(self, trainer_type: int | None, parameter: int = 0) -> int:
        """How many tiles ahead it lights a person with a trainer type and a first parameter; None: the player."""
        return 0

    def removed(self, header: int, event: int) -> bool:
        """Whether the object of an object event of a header is gone."""
        return False

    # --- where the player stands

    @property
    def surface(self) -> Surface:
        """What the player stands on. On the land the ground of the map decides."""
        return Surface.LAND

    @property
    def origin(self) -> Vector:
        """Where the north-west corner of the map is in the space that it shares with other maps, fx32."""
        return 0, 0, 0

    def levels(self, ground: Terrain, x: int, z: int) -> list[tuple[int, Self]]:
        """The heights on which a player can be put on a tile, the preferred one first, and the feature then."""
        heights = ground.levels(x, z)
        return [(y, self) for y in heights if not self.collides(ground, x, z, y)] or [(y, self) for y in heights]

    def behaviour(self, x: int, z: int, y: int) -> int:
        """The behaviour of a tile of the surface on which the player stands."""
        return 0

    def step(self, press: Press) -> SurfaceStep:
        """What a step on the surface leads onto."""
        return SurfaceStep(True)

    def arrived(self, x: int, z: int, y: int) -> Self:
        """The feature after a step on the surface that ended on a tile."""
        return self

    def standing(self, x: int, z: int, y: int) -> dict[str, Any]:
        """Where and on what surface a player stands, as JSON."""
        return {}

    def motion(self, x: int, z: int, y: int) -> FeatureMotion | None:
        """What moves on its picture during a walk that begins on a tile; None: nothing but what changes its state."""
        return None

    def with_state(self, other: Feature) -> Feature:
        """The same feature in the state of another value, during a walk."""
        return other

    def in_search(self, first: Self) -> Self:
        """The feature in a search that began with `first`, after a change: the story does not go on."""
        return self

    # --- what bars the way of the player

    @property
    def plates(self) -> tuple[HeightPlate, ...]:
        """Its height plates; the first that contains a tile is that tile's."""
        return ()

    def plate_height(self, x: int, z: int) -> int | None:
        """The height of the plate over a tile."""
        return next((plate.height for plate in self.plates if plate.contains(x, z)), None)

    def collides(self, ground: Terrain, x: int, z: int, y: int) -> bool | None:
        """Whether a player at height y is kept off a tile; None: the land decides."""
        return None

    def occupied(self, x: int, z: int) -> bool:
        """Whether one of its things stands on a tile, for everybody."""
        return False

    def inhabited(self, tile: Vector) -> bool:
        """Whether a person or boulder of its own is on a tile (x, z and whole tiles up)."""
        return False

    def jumps(self, x: int, z: int, direction: Direction) -> bool:
        """Whether a tile is jumped over like a ledge."""
        return False

    # --- events of a walk

    def stepped(self, x: int, z: int, y: int) -> FeatureChange | None:
        """What a step does that ended on a tile at height y."""
        return None

    def triggered(self, commands: Sequence[NamedCommand], ground: Terrain, x: int, z: int) -> FeatureChange | None:
        """What the commands of a coordinate trigger's script do to a player on (x, z)."""
        return None

    def departure(self, press: Press) -> FeatureChange | None:
        """What a press does before a step is tested."""
        return None

    def pressed(self, press: Press) -> FeatureChange | None:
        """What a press does while the tile ahead bars the way."""
        return None

    def struck(self, header: int, event: int) -> FeatureChange | None:
        """What a player does who slides with speed into the object of an object event; it takes no time."""
        return None

    def talked(self, commands: Sequence[NamedCommand], x: int, z: int, y: int) -> FeatureChange | None:
        """What the commands of the script of a person or of a sign do to a player on (x, z) at height y; a trainer
        counts as beaten."""
        return None

    def script_at(self, x: int, z: int, facing: Direction) -> int | None:
        """The script of one of its things on a tile, for the action button."""
        return None

    def warp_target(self, x: int, z: int) -> tuple[int, int] | None:
        """(header, warp) where the warp on a tile leads instead of its own target."""
        return None


@dataclass(frozen=True)
class NumberedFeature(Feature):
    """A feature whose state is a number, with a choice for each."""

    number: int = 0

    @classmethod
    def in_state(cls, table: Any, header: int, state: Any) -> Self:
        return cls(table, header, whole_number(cls.name, state, len(cls.choices(table, header))))

    @property
    def state(self) -> int:
        return self.number


def whole_number(name: str, state: Any, count: int) -> int:
    """A state that is a number below `count`. Raises ValueError for anything else."""
    if isinstance(state, bool) or not isinstance(state, int) or not 0 <= state < count:
        raise ValueError(f"the state of {name} is a number from 0 to {count - 1}, not {state!r}")
    return state


def numbers_below(name: str, state: Any, count: int) -> tuple[int, ...]:
    """A state that is a list of different numbers below `count`, sorted. Raises ValueError for anything else."""
    require(
        isinstance(state, (list, tuple)),
        f"the state of {name} is a list of numbers from 0 to {count - 1}, not {state!r}",
    )
    return tuple(sorted({whole_number(f"an entry of {name}", number, count) for number in state}))
