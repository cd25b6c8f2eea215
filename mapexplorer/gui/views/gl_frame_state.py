"""What the OpenGL view shows beside the cells: light, fog, opacities and edges of the model's present moment."""

from __future__ import annotations

from dataclasses import replace

from mapexplorer.games import Role
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.opengl.state import LAYER_OF_VIEW, FrameState, frame_state
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.weather.pictures import Image, ShownWeather
from mapexplorer.world.layers import LAYERS


class GlFrameState:
    """Makes the state of a picture from the model; the conditions are kept as long as they are the same."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self._conditions: Conditions | None = None

    def state(
        self,
        tick: int,
        overlays: bool = True,
        weather: ShownWeather | None = None,
        sky: Image | None = None,
        *,
        all_cells: bool = False,
    ) -> FrameState:
        """The state after `tick` updates, with the layers over the picture or without. `weather` None: that with which
        the place is entered, without its pictures; `sky`: the picture behind the field. `all_cells`: see `View`."""
        explorer = self.explorer
        layers = explorer.layers
        assert explorer.place is not None
        view = replace(explorer.view, at=None, missing=layers.shown("missing"), all_cells=all_cells)
        state = weather.state if weather is not None else None
        conditions = Conditions.of_view(explorer.place, view, explorer.save).after(tick).with_weather(state)
        if conditions == self._conditions:
            conditions = self._conditions
        else:
            self._conditions = conditions
        archive = explorer.place.world.archive(Role.AREA_LIGHT)
        return frame_state(
            conditions,
            range(len(archive) if archive is not None else 0),
            view,
            opacity=self._opacity(overlays),
            wireframe=layers.opacity("wireframe"),
            weather=weather if view.shows_weather else None,
            sky=sky if view.shows_weather else None,
        )

    def _opacity(self, overlays: bool) -> dict[str, float]:
        layers = self.explorer.layers
        opacities = {name: layers.opacity(layer) for name, layer in LAYER_OF_VIEW.items()}
        if overlays:
            opacities |= {kind.id: layers.opacity(kind.id) for kind in LAYERS}
        return opacities
