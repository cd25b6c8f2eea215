"""The state of a picture beside its models and its camera."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.g3d.engine import Matrix44
from mapexplorer.games.tables import Rgb5
from mapexplorer.scene.camera import projection_matrix
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.light import LightState
from mapexplorer.scene.view import View
from mapexplorer.scene.weather.pictures import Image, ShownWeather
from mapexplorer.scene.weather.state import FogRegisters

LAYER_OF_VIEW: Final = {"terrain": "terrain", "prop": "props", "people": "people"}
"""The renderer's layers of models and those of a `View` that show them."""

PEOPLE_LIGHT = -1
"""The key of the light of people."""


@dataclass(frozen=True)
class FrameState:
    """The state of the field at a moment, and display options.

    `lights`: the light of each light set (`PEOPLE_LIGHT`: of people); sets that are absent have the library's default.
    `fog` counts by the depth of `fog_projection` (fx32; None: the camera's own), so that a free camera sees the game's
    fog. `opacity`: layer name -> 0..1, 1 when absent; overlays that are absent are not drawn. `background` RGB 0..1.
    `missing` shows what lacks its texture in magenta instead of untextured. `wireframe`: 1 shows edges of
    polygons alone, less shows them over a picture that is fainter by so much. `console_grid` (width, height): vertices
    are on whole pixels of such a screen and depths on its steps, as on the console. `edge_colors`: RGB5 of the eight
    groups of polygon ids; where they are given, edges are marked. `weather`: the layers of the 2D engine. `sky`: the
    picture behind the field, (192, 256, 4) with r, g, b 0..63.
    """

    tick: int = 0
    lights: Mapping[int, LightState] = field(default_factory=dict)
    fog: FogRegisters | None = None
    fog_projection: Matrix44 | None = None
    opacity: Mapping[str, float] = field(default_factory=dict)
    background: tuple[float, float, float] = (0.0, 0.0, 0.0)
    missing: bool = False
    wireframe: float = 0.0
    console_grid: tuple[int, int] | None = None
    edge_colors: tuple[Rgb5, ...] | None = None
    weather: ShownWeather | None = None
    sky: Image | None = None


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
    )
    return replace(state, **others)


def lights_of(conditions: Conditions, light_sets: Iterable[int]) -> dict[int, LightState]:
    """The lights of sets and that of people under conditions, without those that cannot be read."""
    lights = {}
    for number in light_sets:
        with suppress(FormatError, RomError):
            lights[number] = conditions.light(number)
    with suppress(FormatError, RomError):
        lights[PEOPLE_LIGHT] = conditions.light()
    return lights
