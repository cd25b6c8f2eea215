"""Land data (land_data.narc): one terrain cell of 32 x 32 tiles - attributes, props, terrain model, height plates.

The games have the same parts. Diamond and Pearl have height plates of another form; HeartGold and SoulSilver have a
section about background sounds before the attributes.

Corrections to the public description of the format: the prop section may be longer than its records (file 506 ends it
with two stray bytes, so its model is unaligned); the rotation of a placed prop is stored but ignored by the game;
the last words of a prop are not always zero (16 records hold 1, 0).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, Reader, require
from formats.field.bdhc import Bdhc
from formats.field.bdhc_triangles import TriangleBdhc
from formats.field.height_plates import HeightPlates
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
_SOUND = struct.Struct("<2H")
_SOUND_MARK = 0x1234
_MODEL = b"BMD0"
_SOUND_LIMIT = 0x200


@dataclass(frozen=True)
class LandSections:
    """The parts of a land data file as bounded slices, for readers that need only some of them; `sound` is empty in
    games without it. `plates` reads the height plates of the game."""

    attributes: Reader
    props: Reader
    model: Reader
    bdhc: Reader
    sound: Reader
    plates: Callable[..., HeightPlates]

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        notes: Notes | None = None,
        plates: Callable[..., HeightPlates] = Bdhc.from_bytes,
        has_sound: bool = False,
    ) -> Self:
        """Slice the file without reading the parts. Raises FormatError."""
        reader = opened(data, "land data")
        attributes, props, model, bdhc = reader.unpack(
            _SIZES, 0, "section sizes", ("attributes", "props", "model", "bdhc")
        )
        reader.check(attributes == ATTRIBUTE_BYTES, 0, f"{ATTRIBUTE_BYTES} attribute bytes", attributes)
        offset = _SIZES.size
        sound = reader.view(offset, 0, "background sounds")
        if _is_of_other_game(reader, attributes + props, has_sound):
            reader.note(
                notes, offset, "the section of background sounds is that of another game, which this one misreads"
            )
            has_sound = not has_sound
        if has_sound:
            mark, size = reader.unpack(_SOUND, offset, "the mark of the background sounds")
            reader.check(
                mark == _SOUND_MARK, offset, f"the mark 0x{_SOUND_MARK:X} of the background sounds", f"0x{mark:X}"
            )
            reader.check(size < _SOUND_LIMIT, offset + 2, f"fewer than {_SOUND_LIMIT} bytes of background sounds", size)
            sound = reader.view(offset + _SOUND.size, size, "background sounds")
            offset += _SOUND.size + size
        starts = [offset, offset + attributes, offset + attributes + props, offset + attributes + props + model]
        note_rest(reader, starts[3] + bdhc, notes)
        return cls(
            reader.view(starts[0], attributes, "attributes"),
            reader.view(starts[1], props, "props"),
            reader.view(starts[2], model, "model"),
            reader.view(starts[3], bdhc, "BDHC"),
            sound,
            plates,
        )

    def read_attributes(self) -> npt.NDArray[np.uint16]:
        """The (32, 32) attribute words: row = z southward, column = x eastward."""
        return self.attributes.array(0, "<u2", TILES * TILES, "tiles").reshape(TILES, TILES)

    def read_props(self, *, notes: Notes | None = None) -> npt.NDArray[np.void]:
        """The MAP_PROP records, without stray bytes after the last one."""
        records = self.props.array(0, MAP_PROP, len(self.props) // MAP_PROP.itemsize, "props")
        self.props.tolerate(
            len(records) <= MAX_PROPS,
            notes,
            0,
            f"{len(records)} props are more than the {MAX_PROPS} that the game can hold",
        )
        self.props.tolerate(not records["rotation"].any(), notes, 0, "a prop has a rotation, which the game ignores")
        return records

    def read_stray(self, *, notes: Notes | None = None) -> bytes:
        """The bytes after the last whole prop record; the game ignores them."""
        size = len(self.props) % MAP_PROP.itemsize
        start = len(self.props) - size
        self.props.tolerate(not size, notes, start, f"{size} stray bytes follow the last prop")
        return self.props.bytes(start, size)

    def read_model(self, *, notes: Notes | None = None) -> Nsbmd:
        """The terrain model. Raises FormatError."""
        return Nsbmd.from_bytes(self.model, notes=notes)

    def read_bdhc(self, *, notes: Notes | None = None) -> HeightPlates:
        """The height plates. Raises FormatError."""
        return self.plates(self.bdhc, notes=notes)


def _is_of_other_game(reader: Reader, before: int, has_sound: bool) -> bool:
    """Whether a file lacks the section of background sounds, or has it, where that is unusual: there the model, which
    `before` bytes precede, begins otherwise than with its magic number, and elsewhere with it."""
    data, start = bytes(reader.data), _SIZES.size
    mark, size = _SOUND.unpack_from(data.ljust(start + _SOUND.size, b"\0"), start)
    without, with_sound = start + before, start + before + _SOUND.size + size
    ours, others = (with_sound, without) if has_sound else (without, with_sound)
    marked = has_sound or mark == _SOUND_MARK
    return marked and data[ours : ours + 4] != _MODEL and data[others : others + 4] == _MODEL


@dataclass(frozen=True, eq=False)
class _Land:
    attributes: npt.NDArray[np.uint16]
    props: npt.NDArray[np.void]
    prop_stray: bytes
    model: Nsbmd
    bdhc: HeightPlates | bytes

    sections: ClassVar[Callable[..., LandSections]] = LandSections.from_bytes

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Self:
        """Read the whole file. Raises FormatError."""
        sections = cls.sections(data, notes=notes)
        return cls(
            sections.read_attributes(),
            sections.read_props(notes=notes),
            sections.read_stray(notes=notes),
            sections.read_model(notes=notes),
            *cls._others(sections, notes),
        )

    @classmethod
    def _others(cls, sections: LandSections, notes: Notes | None) -> tuple[Any, ...]:
        """The parts after the model."""
        return (sections.read_bdhc(notes=notes),)

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for arrays of another shape or dtype, and for what does not fit."""
        require(
            self.attributes.shape == (TILES, TILES),
            f"terrain attributes have the shape (32, 32), not {self.attributes.shape}",
        )
        require(len(self.prop_stray) < MAP_PROP.itemsize, "stray bytes after the props must be fewer than a record")
        parts = (
            write_table(self.attributes, "<u2", "terrain attributes"),
            write_table(self.props, MAP_PROP, "props") + self.prop_stray,
            self.model.to_bytes(),
            self.bdhc if isinstance(self.bdhc, bytes) else self.bdhc.to_bytes(),
        )
        return _SIZES.pack(*map(len, parts)) + self._sound_bytes() + b"".join(parts)

    def _sound_bytes(self) -> bytes:
        return b""


@dataclass(frozen=True, eq=False)
class LandData(_Land):
    """A cell: `attributes` (32, 32) words, `props` MAP_PROP records, the terrain `model`, its height plates.

    `prop_stray` are the bytes of the prop section after its last whole record, nearly always none. `sections` gives the
    parts as slices; reading only attributes or height plates this way does not parse the model.
    """

    bdhc: Bdhc


@dataclass(frozen=True, eq=False)
class DiamondPearlLandData(_Land):
    """A cell of Diamond and Pearl. `bdhc` are the bytes of the section in the ten files, used by no map, in which it is
    cut short."""

    bdhc: TriangleBdhc | bytes

    sections: ClassVar[Callable[..., LandSections]] = partial(LandSections.from_bytes, plates=TriangleBdhc.from_bytes)

    @classmethod
    def _others(cls, sections: LandSections, notes: Notes | None) -> tuple[Any, ...]:
        if not TriangleBdhc.is_cut_short(sections.bdhc):
            return super()._others(sections, notes)
        sections.bdhc.note(notes, 0, "the height plates are cut short and kept as bytes")
        return (bytes(sections.bdhc.data),)


@dataclass(frozen=True, eq=False)
class HeartGoldLandData(_Land):
    """A cell of HeartGold and SoulSilver. `sound` are the bytes of the plates with background sounds."""

    bdhc: Bdhc
    sound: bytes

    sections: ClassVar[Callable[..., LandSections]] = partial(LandSections.from_bytes, has_sound=True)

    @classmethod
    def _others(cls, sections: LandSections, notes: Notes | None) -> tuple[Any, ...]:
        return (*super()._others(sections, notes), bytes(sections.sound.data))

    def _sound_bytes(self) -> bytes:
        require(
            len(self.sound) < _SOUND_LIMIT,
            f"the background sounds have {len(self.sound)} bytes, fewer than {_SOUND_LIMIT} fit",
        )
        return _SOUND.pack(_SOUND_MARK, len(self.sound)) + self.sound


AnyLandData = LandData | DiamondPearlLandData | HeartGoldLandData
