"""The layers of a place, each with its visibility and opacity."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mapexplorer.gui.model.signal import Signal


@dataclass(frozen=True)
class Layer:
    """A layer: `scene` layers are part of the picture, the others are drawn over it. `view` is the only view that has
    it: "ds", "gl", or "" for both. `fades`: it has an opacity."""

    id: str
    title: str
    hint: str
    scene: bool
    visible: bool
    opacity: float = 1.0
    view: str = ""
    fades: bool = True


STANDARD = (
    Layer("terrain", "Terrain", "The terrain model of every loaded cell.", True, True),
    Layer("props", "Map props", "Buildings, trees and other models that stand on the terrain.", True, True),
    Layer("people", "People", "Object events that the game draws as billboards.", True, True),
    Layer("collision", "Collision", "Tiles whose collision bit is set: permissions with 0x80.", False, False, 0.55),
    Layer("behaviours", "Tile behaviours", "What a tile does: grass, water, door ...", False, False, 0.55),
    Layer(
        "plates", "Height plates", "BDHC plates: blue flat, amber sloped, with normals and strips.", False, False, 0.55
    ),
    Layer("events", "Events and warps", "People, warps, signs and triggers of the map header.", False, False, 0.95),
    Layer(
        "encounters",
        "Wild Pokémon",
        "Where they are met: grass, ground, water, Feebas, honey trees.",
        False,
        False,
        0.55,
    ),
    Layer(
        "sight",
        "Trainers' sight",
        "The tiles that trainers look at, in all directions that they face.",
        False,
        False,
        0.9,
    ),
    Layer("ranges", "Walk ranges", "The tiles that people who wander walk on.", False, False, 0.7),
    Layer("triggers", "Triggers", "Triggers of the map header, with the variable that they need.", False, False, 0.95),
    Layer("grid", "Grid", "Tiles, and stronger every 32 of them the cells.", False, False, 0.45),
    Layer(
        "wireframe",
        "Wireframe",
        "The edges of all polygons: alone at full opacity, else mixed with the picture. In the DS picture they are the "
        "engine's own, which draws polygons of alpha 0 so.",
        True,
        False,
        0.6,
    ),
    Layer(
        "missing",
        "Missing textures",
        "Materials whose texture or palette is not found are magenta in the OpenGL view; the DS picture has a layer of "
        "its own for them.",
        True,
        True,
        view="gl",
        fades=False,
    ),
    Layer(
        "missing_ds",
        "Missing textures (DS)",
        "They are magenta in the DS picture, too, which then is not the console's: that draws them without texture.",
        True,
        False,
        view="ds",
        fades=False,
    ),
)


class Layers:
    """The layers by id; `changed` is emitted with the id of the one that changed."""

    def __init__(self) -> None:
        self.changed = Signal()
        self._layers = {layer.id: layer for layer in STANDARD}

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._layers.values())

    def __getitem__(self, name: str) -> Layer:
        return self._layers[name]

    def shown(self, name: str) -> bool:
        """Whether a layer is visible."""
        layer = self._layers[name]
        return layer.visible and layer.opacity > 0

    def show(self, name: str, visible: bool) -> None:
        """Show or hide a layer."""
        self._set(replace(self._layers[name], visible=visible))

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

    def restore(self, state: dict[str, list[float]]) -> None:
        """Restore the state from the settings; unknown ids are ignored."""
        for name, (visible, opacity) in state.items():
            if name in self._layers:
                self._set(replace(self._layers[name], visible=bool(visible), opacity=float(opacity)))
