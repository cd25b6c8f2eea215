"""The state of a picture beside its models and its camera."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.g3d.engine import Matrix44
from mapexplorer.games.field_tables import FogRegisters, Rgb5
from mapexplorer.scene.camera import projection_matrix
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.light import LightState
from mapexplorer.scene.sky import SkyColors
from mapexplorer.scene.view import View
from mapexplorer.scene.weather.pictures import Image, ShownWeather

LAYER_OF_VIEW: Final = {"terrain": "terrain", "prop": "props", "people": "people"}
"""The renderer's layers of models and those of a `View` that show them."""

PEOPLE_LIGHT = -1
"""The key of the light of people."""


@dataclass(frozen=True)
class FrameState:
    """The state of the field at a moment, and display options."""

    tick: int = 0
    """The tick of animations."""
    lights: Mapping[int, LightState] = field(default_factory=dict)
    """The light of each light set (`PEOPLE_LIGHT`: of people); sets that are absent have the library's default."""
    fog: FogRegisters | None = None
    """The fog, None: none."""
    fog_projection: Matrix44 | None = None
    """The projection whose depth counts for fog (fx32), so that a free camera sees the game's fog; None: the camera's
    own."""
    opacity: Mapping[str, float] = field(default_factory=dict)
    """Layer name -> 0..1, 1 when absent; overlays that are absent are not drawn."""
    background: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """RGB 0..1."""
    missing: bool = False
    """What lacks its texture is shown in magenta instead of untextured."""
    wireframe: float = 0.0
    """1 shows edges of polygons alone, less shows them over a picture that is fainter by so much."""
    console_grid: tuple[int, int] | None = None
    """(width, height) of the picture, in which polygons are drawn pixel by pixel as on the console's screen."""
    edge_colors: tuple[Rgb5, ...] | None = None
    """RGB5 of the eight groups of polygon ids; where they are given, edges are marked."""
    weather: ShownWeather | None = None
    """The layers of the 2D engine."""
    sky: Image | None = None
    """The picture behind the field, (192, 256, 4) with r, g, b 0..63."""
    sky_colors: SkyColors | None = None
    """The sky behind the field where there is no such picture."""


def frame_state(conditions: Conditions, light_sets: Iterable[int], view: View, **others: Any) -> FrameState:
    """The state of a place under conditions as a view shows it; `light_sets` are those of what is drawn, `others` are
    fields of the state that come from elsewhere."""
    clear = conditions.tables.engine.clear_plane
    red, green, blue = (channel / 31 if clear.alpha else 0.0 for channel in clear.color)
    opacity = {layer: float(name in view.layers) for layer, name in LAYER_OF_VIEW.items()}
    if "player" in view.layers:
        opacity["people"] = 1.0
    state = FrameState(
        tick=conditions.tick,
        lights=lights_of(conditions, light_sets),
        fog=conditions.fog,
        fog_projection=projection_matrix(conditions.camera),
        opacity=opacity,
        background=(red, green, blue),
        missing=view.missing,
        wireframe=float(view.wireframe),
        edge_colors=conditions.edge_colors(),
        sky_colors=conditions.sky_colors if view.shows_sky else None,
    )
    return replace(state, **others)


def lights_of(conditions: Conditions, light_sets: Iterable[int]) -> dict[int, LightState]:
    """The lights of sets and that of people under conditions, without those that cannot be read."""
    lights = {}
    for number, light_set in (*((number, number) for number in light_sets), (PEOPLE_LIGHT, None)):
        with suppress(FormatError, RomError):
            lights[number] = conditions.light(light_set)
    return lights
