"""What the OpenGL view shows beside the cells: light, fog, opacities and edges of the model's present moment."""

from __future__ import annotations

from PyQt5.QtGui import QColor

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.gui import theme
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.layers import Layers
from mapexplorer.opengl.overlays import OVERLAYS, STRIP_LAYER
from mapexplorer.opengl.state import FrameState, field_edges, lights_at
from mapexplorer.scene.camera import projection_matrix
from mapexplorer.scene.light import LightState
from mapexplorer.scene.registers import weather_fog
from mapexplorer.world.place import Place

SCENE_LAYERS = {"terrain": "terrain", "prop": "props", "people": "people"}
"""The renderer's layers of models and the window's."""


class Moment:
    """Makes the state of a picture from the model; lights are worked out once for each second."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self._key: object = None
        self._lights: dict[int, LightState] = {}

    def state(self, tick: int, overlays: bool = True) -> FrameState:
        """The state after `tick` updates, with the layers over the picture or without."""
        place, explorer = self.explorer.place, self.explorer
        assert place is not None
        weather = explorer.weather
        number = place.world.weather(place.header).value if weather is True else int(weather)
        shade = QColor(theme.colors().view)
        layers = explorer.layers
        return FrameState(
            tick=tick,
            lights=self._lights_now(place),
            fog=weather_fog(number),
            fog_projection=projection_matrix(place.camera),
            opacity=self._opacity(overlays),
            background=(shade.redF(), shade.greenF(), shade.blueF()),
            missing=layers.shown("missing"),
            wireframe=opacity(layers, "wireframe"),
            edge_colors=field_edges(place.light_set().value),
        )

    def _opacity(self, overlays: bool) -> dict[str, float]:
        layers = self.explorer.layers
        found = {name: opacity(layers, layer) for name, layer in SCENE_LAYERS.items()}
        if overlays:
            found |= {layer: opacity(layers, window_layer(layer)) for layer in OVERLAYS}
        return found

    def _lights_now(self, place: Place) -> dict[int, LightState]:
        key = (place.world, place.header.id, self.explorer.clock.second)
        if self._key != key:
            archive = place.world.archive(Role.AREA_LIGHT)
            try:
                count = len(archive) if archive is not None else 0
                self._lights = lights_at(place.world, count, self.explorer.clock.second, place.light_set().value)
            except (FormatError, RomError):
                self._lights = {}
            self._key = key
        return self._lights


def opacity(layers: Layers, name: str) -> float:
    """The opacity of a layer, 0 while it is not shown."""
    return layers[name].opacity if layers.shown(name) else 0.0


def window_layer(layer: str) -> str:
    """The layer of the window that an overlay of the renderer belongs to: strips come with the plates."""
    return "plates" if layer == STRIP_LAYER else layer
