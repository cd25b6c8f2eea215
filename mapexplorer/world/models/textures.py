"""The textures that a place's models find: models name textures and palettes, and the area's sets hold them by name.

A material whose texture or palette is not found stays white, as on the console; a prop that its area does not list
becomes the dummy box, which brings its own texture.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from mapexplorer.g3d.binding import bind, lacking
from mapexplorer.world.cells import Cell
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt
from mapexplorer.world.sources.provenance import Resolved
from mapexplorer.world.sources.readable import readable_area, readable_prop_textures, readable_terrain_textures

if TYPE_CHECKING:
    from mapexplorer.world.place import FieldPlace, PropPlacement

T = TypeVar("T")


@dataclass(frozen=True)
class Unresolved:
    """A material that stays white: the names of the texture and palette that its set lacks (None: not lacking, or for
    the palette of a texture that needs one: the model names none)."""

    material: str
    texture: str | None
    palette: str | None


@dataclass(frozen=True)
class TakenTextures(Generic[T]):
    """The model of a cell's terrain or of a placed prop (`of`) against the texture set of its area; a dummy box is not
    looked up. `white`: the materials that the set lacks."""

    of: T
    set: Resolved[int]
    white: tuple[Unresolved, ...]


@dataclass(frozen=True)
class TextureReport:
    """The textures of a place's cells and props. `damaged`: the models and sets that cannot be read; what needs them is
    not in the report."""

    terrain: tuple[TakenTextures[Cell], ...]
    props: tuple[TakenTextures[PropPlacement], ...]
    damaged: tuple[Damage, ...] = ()

    @property
    def cells_resolved(self) -> int:
        """Cells whose terrain finds every name."""
        return sum(not part.white for part in self.terrain)

    @property
    def cells_white(self) -> int:
        """Cells with at least one material that stays white."""
        return sum(bool(part.white) for part in self.terrain)

    @property
    def props_white(self) -> int:
        """Placed props with at least one material that stays white."""
        return sum(bool(part.white) for part in self.props)

    @property
    def dummy_boxes(self) -> int:
        """Placed props that become the dummy box."""
        return sum(part.of.substituted for part in self.props)


def unresolved(model: Model, textures: Tex0 | None) -> tuple[Unresolved, ...]:
    """The materials of a model whose picture `textures` does not give them (`mapexplorer.g3d.binding.lacking`)."""
    binding = bind(model) if textures is None else bind(model, textures)
    white = []
    for index in lacking(model, binding):
        bound = binding.materials[index]
        texture = model.texture_name(index) if bound is None or bound.texture is None else None
        palette = model.palette_name(index) if bound is None or bound.palette is None else None
        white.append(Unresolved(model.materials[index].name, texture, palette))
    return tuple(white)


def report(place: FieldPlace) -> TextureReport:
    """The texture report of a place's own cells, each with its own area."""
    terrain: list[TakenTextures[Cell]] = []
    props: list[TakenTextures[PropPlacement]] = []
    damaged: dict[Damage, None] = {}
    world = place.world

    def of_terrain(cell: Cell) -> None:
        lost: list[Damage] = []
        terrain_set = place.terrain_set(cell)
        readable_area(world, cell.area.value, lost)
        textures = readable_terrain_textures(world, terrain_set.value, lost).textures
        model = attempt(partial(world.terrain_model, cell.land), None, lost, LeftOut.TERRAIN_MODEL, cell.land)
        damaged.update(dict.fromkeys(lost))
        if model is not None and not lost:
            terrain.append(TakenTextures(cell, terrain_set, unresolved(model, textures)))

    def of_prop(placement: PropPlacement, prop_set: Resolved[int]) -> None:
        lost: list[Damage] = []
        number = placement.model
        file = attempt(partial(world.prop_model, number), None, lost, LeftOut.PROP_MODEL, number)
        white: tuple[Unresolved, ...] = ()
        if number and file is not None:
            readable_area(world, placement.cell.area.value, lost)
            white = unresolved(file.models[0], readable_prop_textures(world, prop_set.value, lost).textures)
        damaged.update(dict.fromkeys(lost))
        if not lost:
            props.append(TakenTextures(placement, prop_set, white))

    for cell in place.cells:
        of_terrain(cell)
        prop_set = place.prop_set(cell)
        for placement in place.props(cell):
            of_prop(placement, prop_set)
    return TextureReport(tuple(terrain), tuple(props), tuple(damaged))
