"""What a picture shows beside its models and its camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mapexplorer.g3d.engine import Matrix44
from mapexplorer.games import DEFAULT
from mapexplorer.games.tables import Fog
from mapexplorer.scene.light import OUTDOOR_SETS, LightState, first_block, light_state
from mapexplorer.world.world import World

PEOPLE_LIGHT = -1
"""The key of the light that people stand in."""


@dataclass(frozen=True)
class FrameState:
    """A moment and how to look at it.

    `lights`: the light of each light set (`PEOPLE_LIGHT`: of people); sets that are absent have the library's default.
    `fog` counts by the depth of `fog_projection` (fx32; None: the camera's own), so that a free camera sees the game's
    fog. `opacity`: layer name -> 0..1, 1 when absent; overlays that are absent are not drawn. `background` RGB 0..1.
    `missing` shows what lacks its texture in magenta instead of untextured. `wireframe`: 1 shows edges of
    polygons alone, less shows them over a picture that is fainter by so much. `console_grid` (width, height): vertices
    lie on whole pixels of such a screen and depths on its steps, as on the console. `edge_colors`: RGB5 of the eight
    groups of polygon ids; where they are given, edges are marked.
    """

    tick: int = 0
    lights: Mapping[int, LightState] = field(default_factory=dict)
    fog: Fog | None = None
    fog_projection: Matrix44 | None = None
    opacity: Mapping[str, float] = field(default_factory=dict)
    background: tuple[float, float, float] = (0.0, 0.0, 0.0)
    missing: bool = False
    wireframe: float = 0.0
    console_grid: tuple[int, int] | None = None
    edge_colors: tuple[tuple[int, int, int], ...] | None = None


def lights_at(world: World, light_sets: int, second: int, entered: int = 0) -> dict[int, LightState]:
    """The lights of sets 0 to `light_sets` - 1 at a second of the day; people stand in that of set `entered`."""
    lights = {}
    for number in range(light_sets):
        area_light = world.light_set(number)
        block = area_light.blocks[first_block(area_light, second)]
        lights[number] = light_state(block, recolors=number in OUTDOOR_SETS)
    if entered in lights:
        lights[PEOPLE_LIGHT] = lights[entered]
    return lights


def field_edges(light_set: int) -> tuple[tuple[int, int, int], ...]:
    """The edge colours (RGB5) that the field sets in an area of a light set, for `FrameState.edge_colors`."""
    edges = DEFAULT.tables.raw("engine")[
        "edge colours outdoors" if light_set in OUTDOOR_SETS else "edge colours indoors"
    ]
    return tuple([tuple(color) for color in edges])
