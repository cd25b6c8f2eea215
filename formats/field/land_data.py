"""Land data (land_data.narc): one terrain cell of 32 x 32 tiles - attributes, props, terrain model, height plates.

Corrections to the public description of the format: the prop section may be longer than its records (file 506 ends it
with two stray bytes, so its model is unaligned); the rotation of a placed prop is stored but ignored by the game;
the last words of a prop are not always zero (16 records hold 1, 0).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, Reader
from formats.field.bdhc import Bdhc
from formats.field.record import note_rest, opened, write_table
from formats.field.terrain_attribute import TILES
from formats.nitro.nsbmd import Nsbmd

ATTRIBUTE_BYTES = 2 * TILES * TILES
MAX_PROPS = 32
"""The most props that the game loads for a cell."""

MAP_PROP = np.dtype(
    [
        ("model", "<u4"),
        ("position", "<i4", 3),
        ("rotation", "<i4", 3),
        ("scale", "<i4", 3),
        ("unused", "<u4", 2),
    ]
)
"""A placed prop ("building"): build_model id; fx32 position x, y, z from the cell centre; rotation, which the game
ignores; fx32 scale."""

_SIZES = struct.Struct("<4I")


@dataclass(frozen=True)
class LandSections:
    """The four parts of a land data file as bounded slices, for readers that need only some of them."""

    attributes: Reader
    props: Reader
    model: Reader
    bdhc: Reader

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> LandSections:
        """Slice the file without reading the parts. Raises FormatError."""
        reader = opened(data, "land data")
        attributes, props, model, bdhc = reader.unpack(_SIZES, 0, "section sizes")
        if attributes != ATTRIBUTE_BYTES:
            reader.fail(0, f"{ATTRIBUTE_BYTES} attribute bytes", attributes)
        offset, parts = _SIZES.size, []
        for size, name in ((attributes, "attributes"), (props, "props"), (model, "model"), (bdhc, "BDHC")):
            parts.append(reader.view(offset, size, name))
            offset += size
        note_rest(reader, offset, notes)
        return cls(*parts)

    def read_attributes(self) -> npt.NDArray[np.uint16]:
        """The (32, 32) attribute words: row = z southward, column = x eastward."""
        return self.attributes.array(0, "<u2", TILES * TILES).reshape(TILES, TILES)

    def read_props(self, *, notes: Notes | None = None) -> npt.NDArray[np.void]:
        """The MAP_PROP records, without stray bytes after the last one."""
        records = self.props.array(0, MAP_PROP, len(self.props) // MAP_PROP.itemsize, "props")
        if len(records) > MAX_PROPS:
            self.props.note(notes, 0, f"{len(records)} props are more than the {MAX_PROPS} that the game can hold")
        if records["rotation"].any():
            self.props.note(notes, 0, "a prop has a rotation, which the game ignores")
        return records

    def read_stray(self, *, notes: Notes | None = None) -> bytes:
        """The bytes after the last whole prop record; the game ignores them."""
        size = len(self.props) % MAP_PROP.itemsize
        start = len(self.props) - size
        if size:
            self.props.note(notes, start, f"{size} stray bytes follow the last prop")
        return self.props.bytes(start, size)

    def read_model(self, *, notes: Notes | None = None) -> Nsbmd:
        """The terrain model. Raises FormatError."""
        return Nsbmd.from_bytes(self.model, notes=notes)

    def read_bdhc(self, *, notes: Notes | None = None) -> Bdhc:
        """The height plates. Raises FormatError."""
        return Bdhc.from_bytes(self.bdhc, notes=notes)


@dataclass(frozen=True, eq=False)
class LandData:
    """A cell: `attributes` (32, 32) words, `props` MAP_PROP records, the terrain `model`, its height plates.

    `prop_stray` are the bytes of the prop section after its last whole record, nearly always none.
    """

    attributes: npt.NDArray[np.uint16]
    props: npt.NDArray[np.void]
    prop_stray: bytes
    model: Nsbmd
    bdhc: Bdhc

    @staticmethod
    def sections(data: Buffer, *, notes: Notes | None = None) -> LandSections:
        """The parts as slices. Reading only attributes or height plates this way does not parse the model."""
        return LandSections.from_bytes(data, notes=notes)

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> LandData:
        """Read the whole file. Raises FormatError."""
        sections = LandSections.from_bytes(data, notes=notes)
        return cls(
            sections.read_attributes(),
            sections.read_props(notes=notes),
            sections.read_stray(notes=notes),
            sections.read_model(notes=notes),
            sections.read_bdhc(notes=notes),
        )

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for arrays of another shape or dtype."""
        if self.attributes.shape != (TILES, TILES):
            raise ValueError(f"terrain attributes have the shape (32, 32), not {self.attributes.shape}")
        if len(self.prop_stray) >= MAP_PROP.itemsize:
            raise ValueError("stray bytes after the props must be fewer than a record")
        parts = (
            write_table(self.attributes, "<u2", "terrain attributes"),
            write_table(self.props, MAP_PROP, "props") + self.prop_stray,
            self.model.to_bytes(),
            self.bdhc.to_bytes(),
        )
        return _SIZES.pack(*(len(part) for part in parts)) + b"".join(parts)
