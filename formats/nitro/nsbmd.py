"""NSBMD: models, with or without the textures they use (magic BMD0; blocks MDL0 and TEX0)."""

from __future__ import annotations

from dataclasses import dataclass

from formats.binary import Buffer, Notes, Reader, fitting
from formats.nitro.container import BLOCK_HEADER, read_container, write_container
from formats.nitro.dictionary import dictionary_size, read_dictionary, write_offsets
from formats.nitro.model import Ints6, Model
from formats.nitro.tex0 import Tex0


@dataclass(frozen=True, eq=False)
class Nsbmd:
    """A model file: its models and its own textures, None when they are in another file."""

    models: tuple[Model, ...]
    textures: Tex0 | None = None
    version: int = 2

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Nsbmd:
        """Read a file. Raises FormatError."""
        container = read_container(data, "BMD0", most=2, notes=notes)
        models = _read_models(container.block(0, "MDL0"), notes)
        textures = None
        if len(container.blocks) == 2:
            textures = Tex0.read(container.block(1, "TEX0"), notes=notes)
        return cls(models, textures, container.version)

    @staticmethod
    def read_names(data: Buffer) -> tuple[str, ...]:
        """The name of each model of a file, without reading the models. Raises FormatError."""
        return read_dictionary(read_container(Reader.of(data), "BMD0").block(0, "MDL0"), BLOCK_HEADER, 4).names

    @staticmethod
    def read_boxes(data: Buffer) -> tuple[tuple[Ints6, int], ...]:
        """`box` and `box_pos_scale` of each model of a file, without reading the models. Raises FormatError."""
        block = read_container(Reader.of(data), "BMD0").block(0, "MDL0")
        return tuple([Model.read_box(block, offset) for offset in read_dictionary(block, BLOCK_HEADER, 4).offsets()])

    @staticmethod
    def read_texture_names(data: Buffer) -> tuple[tuple[str | None, ...], ...]:
        """For each model of a file the name of the texture that each material takes, None where it takes none, without
        reading the models. Raises FormatError."""
        block = read_container(Reader.of(data), "BMD0").block(0, "MDL0")
        offsets = read_dictionary(block, BLOCK_HEADER, 4).offsets()
        return tuple([Model.read_texture_names(block, offset) for offset in offsets])

    @staticmethod
    def read_material_names(data: Buffer) -> tuple[tuple[str, tuple[tuple[str, str | None, str | None], ...]], ...]:
        """The name of each model of a file with those of its materials, their textures and palettes, without reading
        the models. Raises FormatError."""
        block = read_container(Reader.of(data), "BMD0").block(0, "MDL0")
        dictionary = read_dictionary(block, BLOCK_HEADER, 4)
        return tuple(
            [
                (name, Model.read_material_names(block, offset))
                for name, offset in zip(dictionary.names, dictionary.offsets(), strict=True)
            ]
        )

    def to_bytes(self) -> bytes:
        """The file's bytes. Raises ValueError for values that do not fit."""
        with fitting("a model file"):
            blocks = [("MDL0", _write_models(self.models))]
            if self.textures is not None:
                blocks.append(("TEX0", self.textures.to_bytes()))
            return write_container("BMD0", self.version, blocks)


def _read_models(block: Reader, notes: Notes | None) -> tuple[Model, ...]:
    dictionary = read_dictionary(block, BLOCK_HEADER, 4, notes=notes)
    models = []
    total = 0
    for name, offset in zip(dictionary.names, dictionary.offsets(), strict=True):
        total += block.u32(offset)
        block.check(total <= len(block), offset, f"models of at most {len(block)} bytes in all", total)
        models.append(Model.read(block, offset, name, notes=notes))
    return tuple(models)


def _write_models(models: tuple[Model, ...]) -> bytes:
    parts = [model.to_bytes() for model in models]
    start = BLOCK_HEADER + dictionary_size(len(models), 4)
    return b"".join([write_offsets([model.name for model in models], map(len, parts), start), *parts])
