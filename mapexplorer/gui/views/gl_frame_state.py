"""What the OpenGL view shows beside the cells: light, fog, opacities and edges of the model's present moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mapexplorer.games import Role
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.opengl.state import LAYER_OF_VIEW, FrameState, frame_state
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.weather.pictures import Image, ShownWeather
from mapexplorer.world.layers import LAYERS


def frame_states(explorer: Explorer) -> Callable[..., FrameState]:
    """A function that makes the state of a picture from the model; it keeps the conditions as long as they are the
    same."""
    kept: Conditions | None = None

    def state(tick: int, weather: ShownWeather | None = None, sky: Image | None = None) -> FrameState:
        """The state after `tick` updates. `weather` None: that with which the place is entered, without its pictures;
        `sky`: the picture behind the field."""
        nonlocal kept
        layers = explorer.layers
        assert explorer.place is not None
        view = replace(explorer.view, at=None, missing=layers.shown("missing"))
        conditions = Conditions.of_view(explorer.place, view, explorer.save).after(tick)
        conditions = conditions.with_weather(weather.state if weather is not None else None)
        if kept is None or kept != conditions:
            kept = conditions
        archive = explorer.place.world.archive(Role.AREA_LIGHT)
        return frame_state(
            kept,
            range(len(archive) if archive is not None else 0),
            view,
            opacity={
                **{name: layers.opacity(layer) for name, layer in LAYER_OF_VIEW.items()},
                **{kind.id: layers.opacity(kind.id) for kind in LAYERS},
            },
            wireframe=layers.opacity("wireframe"),
            weather=weather if view.shows_weather else None,
            sky=sky,
        )

    return state
