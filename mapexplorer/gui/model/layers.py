"""The layers of a place, each with its visibility and opacity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from mapexplorer.gui.model.signal import Signal
from mapexplorer.world.layers import LAYERS


@dataclass(frozen=True)
class Layer:
    """A layer of the window and its state."""

    id: str
    """Its name in settings and actions."""
    title: str
    """Its name for users."""
    hint: str
    """What it shows, as a sentence."""
    keys: tuple[str, ...] = ()
    """The shortcuts that show and hide it."""
    scene: bool = True
    """Whether it is part of the picture, and not drawn over it."""
    visible: bool = False
    """Whether the user shows it."""
    opacity: float = 1.0
    """0 to 1."""
    view: str = ""
    """The only view that has it: "ds", "gl", or "" for both."""
    fades: bool = True
    """Whether it has an opacity."""


STANDARD = (
    Layer("terrain", "Terrain", "The terrain model of every loaded cell.", ("Alt+1",), visible=True),
    Layer(
        "props",
        "Map props",
        "Buildings, trees and other models that stand on the terrain.",
        ("Alt+2",),
        visible=True,
    ),
    Layer("people", "People", "Object events that the game draws as billboards.", ("Alt+3",), visible=True),
    Layer(
        "sky",
        "Sky",
        "A sky of the hour and the weather beyond maps outdoors: with other cameras than the game's, and around the "
        "whole matrix.",
        visible=True,
        fades=False,
    ),
    *(Layer(kind.id, kind.title, kind.hint, kind.keys, scene=False, opacity=kind.opacity) for kind in LAYERS),
    Layer(
        "wireframe",
        "Wireframe",
        "The edges of all polygons: alone at full opacity, else mixed with the picture. In the DS picture they are the "
        "engine's own, which draws polygons of alpha 0 so.",
        ("Alt+9",),
        opacity=0.6,
    ),
    Layer(
        "missing",
        "Missing textures",
        "Materials whose texture or palette is not found are magenta in the OpenGL view; the DS picture has a layer of "
        "its own for them.",
        visible=True,
        view="gl",
        fades=False,
    ),
    Layer(
        "missing_ds",
        "Missing textures (DS)",
        "They are magenta in the DS picture, too, which then is not the console's: that draws them without texture.",
        view="ds",
        fades=False,
    ),
)

PRESETS: Final[dict[str, tuple[str, ...]]] = {
    "Nothing": (),
    "Collision": ("collision", "behaviours"),
    "Events": ("events", "triggers"),
    "Walk": ("collision", "events", "sight", "ranges"),
}
"""Title -> the layers that are drawn over the picture, and no others."""


class Layers:
    """The layers by id; `changed` is emitted with the id of the one that changed."""

    def __init__(self) -> None:
        self.changed = Signal()
        self._layers = {layer.id: layer for layer in STANDARD}

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._layers.values())

    def __getitem__(self, name: str) -> Layer:
        return self._layers[name]

    def shown(self, name: str) -> bool:
        """Whether a layer is visible."""
        return self.opacity(name) > 0

    def opacity(self, name: str) -> float:
        """The opacity of a layer, 0 while it is not visible."""
        return self._layers[name].opacity if self._layers[name].visible else 0.0

    def show(self, name: str, visible: bool) -> None:
        """Show or hide a layer."""
        self._set(replace(self._layers[name], visible=visible))

    def show_only(self, names: Sequence[str]) -> None:
        """Draw these layers over the picture, and no others."""
        for layer in self:
            if not layer.scene:
                self.show(layer.id, layer.id in names)

    def set_opacity(self, name: str, opacity: float) -> None:
        """Opacity from 0 to 1."""
        self._set(replace(self._layers[name], opacity=min(1.0, max(0.0, opacity))))

    def _set(self, layer: Layer) -> None:
        if self._layers[layer.id] != layer:
            self._layers[layer.id] = layer
            self.changed.emit(layer.id)

    def state(self) -> dict[str, list[float]]:
        """The state for the settings: id -> [visible, opacity]."""
        return {layer.id: [float(layer.visible), layer.opacity] for layer in self}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the state from the settings; unknown ids and other values are ignored."""
        for name in state.keys() & self._layers.keys():
            with suppress(TypeError, ValueError, OverflowError):
                visible, opacity = state[name]
                if 0 <= float(opacity) <= 1:
                    self._set(replace(self._layers[name], visible=bool(visible), opacity=float(opacity)))
