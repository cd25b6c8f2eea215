"""Materials of a model, and the names of their textures and palettes, as MDL0 stores them.

Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from formats.binary import Notes, Reader, fitting, pad, require
from formats.fixed import ONE
from formats.nitro.dictionary import dictionary_size, read_dictionary, write_dictionary, write_offsets

TEXTURE_MATRIX: Final = 0x0001
NO_TEXTURE_SCALE: Final = 0x0002
NO_TEXTURE_ROTATION: Final = 0x0004
NO_TEXTURE_TRANSLATION: Final = 0x0008
HARDWARE_SIZE: Final = 0x0010
WIREFRAME: Final = 0x0020
DIFFUSE: Final = 0x0040
AMBIENT: Final = 0x0080
VERTEX_COLOR: Final = 0x0100
SPECULAR: Final = 0x0200
EMISSION: Final = 0x0400
SHININESS: Final = 0x0800
PALETTE_BASE: Final = 0x1000
EFFECT_MATRIX: Final = 0x2000
"""Bits of `Material.flags`; DIFFUSE to SHININESS: the model gives the colour, not the global state."""

_RECORD: Final = struct.Struct("<HH6IHHHHii")
_FIELDS: Final = (
    "tag",
    "size",
    "dif_amb",
    "spe_emi",
    "polygon_attr",
    "polygon_attr_mask",
    "teximage_param",
    "teximage_param_mask",
    "pltt_base",
    "flags",
    "width",
    "height",
    "mag_w",
    "mag_h",
)
_FLAGS: Final = _FIELDS.index("flags") - 2
_PARTS: Final = (
    (struct.Struct("<2i"), "texture scale"),
    (struct.Struct("<2h"), "texture rotation"),
    (struct.Struct("<2i"), "texture translation"),
    (struct.Struct("<16i"), "texture effect matrix"),
)
"""What may follow the record."""
_SECTION: Final = struct.Struct("<HH")
_PAIRING: Final = struct.Struct("<HBB")

Ints2 = tuple[int, int]
Ints16 = tuple[
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    int,
]


@functools.lru_cache(256)
def _present(flags: int) -> tuple[bool, ...]:
    """Which of `_PARTS` a material has."""
    of_matrix = (NO_TEXTURE_SCALE, NO_TEXTURE_ROTATION, NO_TEXTURE_TRANSLATION)
    return *(flags & (TEXTURE_MATRIX | no) == TEXTURE_MATRIX for no in of_matrix), flags & EFFECT_MATRIX != 0


@dataclass(frozen=True)
class Material:
    """A material's register words and its texture matrix, as integers."""

    name: str
    """The name in the model's dictionary."""
    item_tag: int = 0
    """The stored kind of the record."""
    dif_amb: int = 0
    """The parameter of DIF_AMB."""
    spe_emi: int = 0
    """The parameter of SPE_EMI."""
    polygon_attr: int = 0x001F0080
    """The parameter of POLYGON_ATTR."""
    polygon_attr_mask: int = 0x3F1FF8FF
    """1 where the bit of `polygon_attr` comes from the material and not from the global state."""
    teximage_param: int = 0
    """The parameter of TEXIMAGE_PARAM before a texture is bound."""
    teximage_param_mask: int = 0xFFFFFFFF
    """Not read by the library."""
    pltt_base: int = 0
    """The parameter of PLTT_BASE; written by the library when it binds a palette."""
    flags: int = 0x1FCE
    """TEXTURE_MATRIX to EFFECT_MATRIX."""
    width: int = 0
    """The width of the source texture in texels, 0 when untextured."""
    height: int = 0
    """The height of the source texture in texels, 0 when untextured."""
    mag_w: int = ONE
    """The bound texture's width over `width`, fx32; written by the library when it binds a texture."""
    mag_h: int = ONE
    """The bound texture's height over `height`, fx32; written by the library when it binds a texture."""
    scale: Ints2 | None = None
    """S, T in fx32; None when `flags` has no bit for it, as the next three."""
    rotation: Ints2 | None = None
    """Sine, cosine in fx16."""
    translation: Ints2 | None = None
    """S, T in fx32."""
    effect: Ints16 | None = None
    """A row-major 4x4 matrix in fx32."""

    @classmethod
    def read(cls, reader: Reader, offset: int, name: str, *, notes: Notes | None = None) -> tuple[Material, int]:
        """The material at `offset` and where it ends. Raises FormatError."""
        tag, size, *values = reader.unpack(_RECORD, offset, "a material", _FIELDS)
        place = offset + _RECORD.size
        parts: list[Any] = []
        for (form, what), present in zip(_PARTS, _present(values[_FLAGS]), strict=True):
            parts.append(reader.unpack(form, place, f"a {what}") if present else None)
            place += form.size if present else 0
        reader.tolerate(
            size == place - offset,
            notes,
            offset,
            f"material {name!r} has a size field of {size}, but {place - offset} bytes",
        )
        return cls(name, tag, *values, *parts), place

    def to_bytes(self) -> bytes:
        """The material's record. Raises ValueError when flags and values disagree or a value does not fit."""
        parts = []
        with fitting(f"material {self.name!r}"):
            values = (self.scale, self.rotation, self.translation, self.effect)
            for value, (form, what), present in zip(values, _PARTS, _present(self.flags), strict=True):
                if present != (value is not None):
                    word = "a" if present else "no"
                    raise ValueError(f"the flags of material {self.name!r} say that it has {word} {what}")
                if value is not None:
                    parts.append(form.pack(*value))
            tail = b"".join(parts)
            stored = [getattr(self, name) for name in _FIELDS[2:]]
            return _RECORD.pack(self.item_tag, _RECORD.size + len(tail), *stored) + tail


@dataclass(frozen=True)
class Pairing:
    """A texture's (or palette's) name and the indices of the materials that use it.

    The library sets `bound` when it has found the name; it is 0 in files.
    """

    name: str
    materials: tuple[int, ...]
    bound: int = 0


Pairings = tuple[Pairing, ...]


def read_section(
    section: Reader, count: int, *, notes: Notes | None = None
) -> tuple[tuple[Material, ...], Pairings, Pairings]:
    """A model's material section: its `count` materials, texture pairings and palette pairings. Raises FormatError."""
    textures_at, palettes_at = section.unpack(_SECTION, 0, "a material section")
    dictionary = read_dictionary(section, 4, 4, notes=notes)
    section.check(len(dictionary) == count, 5, f"{count} materials, as in the model's header", len(dictionary))
    entries = zip(dictionary.offsets(), dictionary.names, strict=True)
    materials = tuple([Material.read(section, offset, name, notes=notes)[0] for offset, name in entries])
    pairings = [_read_pairings(section, place, count, notes) for place in (textures_at, palettes_at)]
    return materials, pairings[0], pairings[1]


def read_texture_pairings(section: Reader, count: int) -> Pairings:
    """The texture pairings of a model's material section with `count` materials, alone. Raises FormatError."""
    return _read_pairings(section, section.unpack(_SECTION, 0, "a material section")[0], count, None)


def _read_pairings(section: Reader, offset: int, count: int, notes: Notes | None) -> Pairings:
    dictionary = read_dictionary(section, offset, 4, notes=notes)
    data, end = section.data, len(section)
    pairings = []
    for name, (place, length, bound) in zip(dictionary.names, _PAIRING.iter_unpack(dictionary.table), strict=True):
        if place + length > end:
            section.need(place, length, "material indices")
        materials = tuple(data[place : place + length])
        if materials and max(materials) >= count:
            section.fail(place, f"indices of {count} materials", max(materials))
        pairings.append(Pairing(name, materials, bound))
    return tuple(pairings)


def write_section(materials: Sequence[Material], textures: Sequence[Pairing], palettes: Sequence[Pairing]) -> bytes:
    """The bytes of a material section, a multiple of 4. Raises ValueError for values that do not fit."""
    textures_at = 4 + dictionary_size(len(materials), 4)
    palettes_at = textures_at + dictionary_size(len(textures), 4)
    place = palettes_at + dictionary_size(len(palettes), 4)
    lists = b""
    dictionaries = []
    for pairings in (textures, palettes):
        data = []
        for pairing in pairings:
            require(
                len(pairing.materials) <= 255 and place + len(lists) <= 0xFFFF,
                f"{pairing.name!r} is paired with too many materials",
            )
            require(
                all(0 <= index < len(materials) for index in pairing.materials),
                f"{pairing.name!r} is paired with a material that does not exist: {pairing.materials}",
            )
            data.append(_PAIRING.pack(place + len(lists), len(pairing.materials), pairing.bound))
            lists += bytes(pairing.materials)
        dictionaries.append(write_dictionary([pairing.name for pairing in pairings], 4, data))
    lists = pad(lists)
    place += len(lists)
    records = [material.to_bytes() for material in materials]
    names = write_offsets([material.name for material in materials], map(len, records), place)
    return b"".join([_SECTION.pack(textures_at, palettes_at), names, *dictionaries, lists, *records])
