"""Cells of one area as the engine holds them: their textures in VRAM, their models dressed, what to draw in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.g3d.animation.attach import AnimationFile
from mapexplorer.games.tables import Fog
from mapexplorer.scene.clock import LightClock
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.frame import Drawing, Flush, Segment
from mapexplorer.scene.light import OUTDOOR_SETS, LightState, light_state
from mapexplorer.scene.marking import MARK, given_pictures, marked
from mapexplorer.scene.people import Crowd, Figure
from mapexplorer.scene.placement import PROP, DressedModel, PlacedModel, Wardrobe, place_cells
from mapexplorer.scene.registers import field_registers
from mapexplorer.scene.terrain_animation import TerrainAnimator
from mapexplorer.scene.vram import Vram
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import Place, PropPlacement

LAYERS: Final = ("terrain", "props", "people", "player")
"""What can be drawn or left out."""

_KEPT_CELLS: Final = 48
"""How many cells stay dressed when other ones are shown."""


class Block:
    """Cells that are all dressed with the area of `place`, under a running clock.

    The light is chosen anew whenever `set_second` is called, and steps with `step`. `cells` may be changed with `show`.
    With `mark`, materials that lack their picture are magenta.
    """

    def __init__(
        self, place: Place, cells: Iterable[Cell], second: int, layers: frozenset[str], *, mark: bool = False
    ) -> None:
        self.place = place
        self.mark = mark
        self.vram = Vram()
        self.layers = layers
        self.light_set = place.light_set().value
        self.outdoor = self.light_set in OUTDOOR_SETS
        terrain = place.terrain_textures().textures
        self.animator = TerrainAnimator(place.world, terrain, self.vram.place(terrain))
        self.crowd: Crowd | None = None
        self._played: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._by_cell: dict[Cell, list[Drawing]] = {}
        self.cells = tuple(cells)
        self.set_second(second)

    def set_second(self, second: int) -> None:
        """Enter the place again at a second of the day."""
        self.second = second
        self._clock = LightClock(self.place.light, second)
        self._dress()

    def show(self, cells: Iterable[Cell]) -> None:
        """Draw other cells."""
        self.cells = tuple(cells)
        self._collect()

    def populate(self, figures: Sequence[Figure]) -> None:
        """Put people into the field, in place of those that were there."""
        if self.crowd is None and figures:
            self.crowd = Crowd(self.place, self.vram, self.light.global_state, mark=self.mark)
        if self.crowd is not None:
            self.crowd.show(figures)

    def play(self, prop: PropPlacement, slot: int, tick: int) -> int:
        """Play animation `slot` of a prop's list once from `tick` on, as events do with doors; the result is how many
        ticks it takes. Only this prop moves. Raises ValueError for a prop without such an animation."""
        entry = self.place.world.prop_animations(prop.model)
        if entry is None or not 0 <= slot < len(entry.used):
            raise ValueError(f"model {prop.model} has no animation {slot}")
        self._played[prop.cell.x, prop.cell.z, prop.index] = slot, tick
        self._by_cell = {cell: kept for cell, kept in self._by_cell.items() if (cell.x, cell.z) != _at(prop.cell)}
        self._collect()
        count: int = self.place.world.animation(entry.used[slot]).animations[0].frame_count
        return count

    def step(self) -> bool:
        """One field update of light and terrain pictures; whether the light changed."""
        self.animator.step(self.vram.texture)
        changed = self._clock.step(self.second)
        if changed:
            self._dress()
        return changed

    def restart(self) -> None:
        """Back to the state after loading."""
        self.animator.restart(self.vram.texture)
        self.set_second(self.second)

    @property
    def damaged(self) -> list[str]:
        """What cannot be read and is left out, a sentence each."""
        return [*self.animator.damaged, *self._wardrobe.damaged]

    @property
    def light_block(self) -> int:
        """The light block in force."""
        return self._clock.active

    def registers(self, fog: Fog | None) -> npt.NDArray[np.uint32]:
        """The 88 rendering registers of a frame."""
        return field_registers(outdoor=self.outdoor, fog=fog)

    def people(self, tick: int, flush: Flush, wanted: Callable[[Figure], bool]) -> Iterator[Segment]:
        """What stands between the last two flushes of a frame, as far as it is wanted."""
        if self.crowd is not None:
            yield from self.crowd.segments(flush, tick, self.second, wanted)

    def _dress(self) -> None:
        block = self.place.light.blocks[self._clock.active]
        self.light: LightState = light_state(block, recolors=self.outdoor)
        self._wardrobe = Wardrobe(
            self.place, self.second, lights={self.light_set: self.light}, addresses=self.vram.place
        )
        self._models: dict[int, FieldModel] = {}
        self._by_cell = {}
        self._collect()

    def _collect(self) -> None:
        for cell in self.cells:
            self._by_cell[cell] = self._by_cell.pop(cell) if cell in self._by_cell else self._drawings(cell)
        while len(self._by_cell) > max(_KEPT_CELLS, len(self.cells)):
            del self._by_cell[next(iter(self._by_cell))]
        self.drawings = [drawing for cell in self.cells for drawing in self._by_cell[cell]]

    def _drawings(self, cell: Cell) -> list[Drawing]:
        [placed] = place_cells(self._wardrobe, [cell])
        parts: list[PlacedModel] = [placed.terrain] if "terrain" in self.layers else []
        parts += placed.props if "props" in self.layers else ()
        drawings = []
        for part in parts:
            played = self._played.get((cell.x, cell.z, part.prop.index)) if part.prop is not None else None
            model = self._models.get(id(part.dressed)) if played is None else self._playing(part.dressed, *played)
            if model is None:
                model = self._models[id(part.dressed)] = self._model(part.dressed)
            drawings.append(Drawing(model, part.position, part.scale, part.dressed.kind == PROP, part))
        return drawings

    def _model(self, dressed: DressedModel) -> FieldModel:
        animations = self._wardrobe.animations(dressed)
        dressed = self._marked(dressed, animations)
        if not animations:
            return FieldModel(dressed)
        textures = self.place.prop_textures().textures
        return FieldModel(dressed, animations, textures, self.vram.place(textures))

    def _playing(self, dressed: DressedModel, slot: int, tick: int) -> FieldModel:
        world, textures = self.place.world, self.place.prop_textures().textures
        entry = world.prop_animations(dressed.number)
        assert entry is not None
        animation = world.animation(entry.used[slot])
        return FieldModel(self._marked(dressed, [animation]), [animation], textures, self.vram.place(textures), tick)

    @property
    def marks(self) -> int:
        """How many materials of the models that are shown are marked."""
        models = {id(drawing.model): drawing.model.dressed for drawing in self.drawings}
        bound = [one for dressed in models.values() for one in dressed.binding.materials]
        return sum(one is not None and one.texture is MARK for one in bound)

    def _marked(self, dressed: DressedModel, animations: Sequence[AnimationFile]) -> DressedModel:
        if not self.mark:
            return dressed
        animated = given_pictures(dressed.model, animations, self.place.prop_textures().textures)
        return marked(dressed, self.vram.place, animated)


def _at(cell: Cell) -> tuple[int, int]:
    return cell.x, cell.z
