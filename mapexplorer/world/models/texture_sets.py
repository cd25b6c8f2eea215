"""Texture sets, and the models that take their textures from a set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from formats import nitro
from mapexplorer.games import Role

if TYPE_CHECKING:
    from formats.binary import Reader
    from formats.nitro.model import Model
    from formats.nitro.tex0 import Tex0
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.sources.files import WorldFiles


@dataclass(frozen=True)
class SetKey:
    """A texture set: of terrain (map_tex_set) or of props (areabm_texset), and its number."""

    terrain: bool
    number: int

    @property
    def kind(self) -> str:
        """Its kind in `world.references.references`."""
        return "terrain set" if self.terrain else "prop set"

    @property
    def archive(self) -> str:
        """The archive that has it."""
        return "map_tex_set" if self.terrain else "areabm_texset"

    @property
    def folder(self) -> str:
        """A name for a folder."""
        return f"{self.archive}_{self.number}"

    @property
    def title(self) -> str:
        """The archive and the number."""
        return f"{self.archive}[{self.number}]"

    def read(self, world: WorldFiles) -> Tex0:
        """The set. Raises FormatError."""
        return (world.terrain_textures if self.terrain else world.prop_textures)(self.number).textures


def models_on(place: FieldPlace, key: SetKey) -> tuple[int, ...]:
    """The lands or props of a place that take their textures from a set, each once, in the order of the cells. The
    dummy box has its own textures."""
    if key.terrain:
        numbers = [cell.land for cell in place.cells if place.terrain_set(cell).value == key.number]
    else:
        cells = [cell for cell in place.cells if place.prop_set(cell).value == key.number]
        numbers = [prop.model for cell in cells for prop in place.props(cell) if prop.model]
    return tuple(dict.fromkeys(numbers))


def taken_textures(world: WorldFiles, key: SetKey, number: int) -> tuple[str | None, ...]:
    """The name of the texture that each material of a land's or prop's model takes, None where it takes none, without
    reading the model. Raises FormatError."""
    return next(iter(nitro.Nsbmd.read_texture_names(model_file(world, key, number))), ())


def model_file(world: WorldFiles, key: SetKey, number: int) -> Reader:
    """The file of a land's or prop's model. Raises FormatError."""
    return world.land_sections(number).model if key.terrain else world.members(Role.BUILD_MODEL).reader(number)


def read_model(world: WorldFiles, key: SetKey, number: int) -> Model:
    """A land's or prop's model. Raises FormatError."""
    return world.terrain_model(number) if key.terrain else world.prop_model(number).models[0]
