"""Cells of one area as the engine holds them: their textures in VRAM, their models dressed, what to draw in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from formats.nitro.tex0 import Tex0
from mapexplorer.g3d.animation.attach import AnimationFile
from mapexplorer.scene.clock import LightClock
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.frame import Drawing
from mapexplorer.scene.light import OUTDOOR_SETS, LightState, light_state
from mapexplorer.scene.placement import PROP, TERRAIN, DressedModel, Wardrobe, place_cells
from mapexplorer.scene.terrain_animation import TerrainAnimator
from mapexplorer.scene.vram import Vram
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import Place


class Block:
    """`cells` of a place, all dressed with the area of `place`, under a running clock.

    The light is chosen anew whenever `set_second` is called, and steps with `step`.
    """

    def __init__(
        self, place: Place, cells: Iterable[Cell], second: int, vram: Vram, layers: frozenset[str] = frozenset()
    ) -> None:
        self.place = place
        self.cells = tuple(cells)
        self.vram = vram
        self.layers = layers or frozenset((TERRAIN, PROP))
        self.light_set = place.light_set().value
        self.outdoor = self.light_set in OUTDOOR_SETS
        terrain = place.terrain_textures().textures
        self.animator = TerrainAnimator(place.world, terrain, vram.place(terrain))
        self.set_second(second)

    def set_second(self, second: int) -> None:
        """Enter the place again at a second of the day."""
        self.second = second
        self._clock = LightClock(self.place.light, second)
        self._dress()

    def step(self) -> bool:
        """One field update of light and terrain pictures; whether the light changed."""
        self.animator.step(self.vram.texture)
        changed = self._clock.step(self.second)
        if changed:
            self._dress()
        return changed

    @property
    def light_block(self) -> int:
        """The light block in force."""
        return self._clock.active

    def _dress(self) -> None:
        block = self.place.light.blocks[self._clock.active]
        self.light: LightState = light_state(block, recolors=self.outdoor)
        wardrobe = Wardrobe(self.place, self.second, lights={self.light_set: self.light}, addresses=self.vram.place)
        models: dict[int, FieldModel] = {}
        self.drawings: list[Drawing] = []
        for placed in place_cells(wardrobe, self.cells):
            parts = [placed.terrain] if TERRAIN in self.layers else []
            parts += placed.props if PROP in self.layers else ()
            for part in parts:
                key = id(part.dressed)
                if key not in models:
                    models[key] = self._model(part.dressed)
                self.drawings.append(
                    Drawing(models[key], part.position, part.scale, part.dressed.kind == PROP, (placed.cell, part))
                )

    def _model(self, dressed: DressedModel) -> FieldModel:
        textures, animations = self._animations(dressed)
        if not animations:
            return FieldModel(dressed)
        return FieldModel(dressed, animations, textures, self.vram.place(textures))

    def _animations(self, dressed: DressedModel) -> tuple[Tex0, Sequence[AnimationFile]]:
        world = self.place.world
        textures = self.place.prop_textures().textures
        if dressed.kind != PROP:
            return textures, ()
        entry = world.prop_animations(dressed.number)
        if entry is None or not entry.automatic:
            return textures, ()
        return textures, [world.animation(number) for number in entry.used]
