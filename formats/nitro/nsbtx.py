"""NSBTX: a texture set in a separate file (magic BTX0; block TEX0)."""

from __future__ import annotations

from dataclasses import dataclass

from formats.binary import Buffer, Notes, Reader, fitting
from formats.nitro.container import read_container, write_container
from formats.nitro.tex0 import Tex0


@dataclass(frozen=True, eq=False)
class Nsbtx:
    """A texture file."""

    textures: Tex0
    version: int = 1

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Nsbtx:
        """Read a file. Raises FormatError."""
        container = read_container(data, "BTX0", most=1, notes=notes)
        return cls(Tex0.read(container.block(0, "TEX0"), notes=notes), container.version)

    @staticmethod
    def read_names(data: Buffer) -> tuple[str, ...]:
        """The names of the textures of a file, without reading them. Raises FormatError."""
        return Tex0.read_names(read_container(Reader.of(data), "BTX0").block(0, "TEX0"))

    def to_bytes(self) -> bytes:
        """The file's bytes. Raises ValueError for values that do not fit."""
        with fitting("a texture file"):
            return write_container("BTX0", self.version, [("TEX0", self.textures.to_bytes())])
