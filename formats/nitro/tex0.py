"""TEX0: a set of textures and palettes under names.

Order of the block: header, texture dictionary, palette dictionary, images, 4x4-compressed texels, their palette
indices, palettes. Equal images and equal palettes are stored once. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, Reader, frozen, require
from formats.nds.texture_format import BITS
from formats.nds.texture_format import COMPRESSED_4X4 as COMPRESSED_4X4
from formats.nitro.container import BLOCK_HEADER
from formats.nitro.dictionary import dictionary_size, read_dictionary, write_dictionary

# VRAM key, size, dictionary, flags, padding, offset: of the images, then of the compressed ones with a second offset,
# then the palettes' key, size, flags, dictionary, padding, offset
_HEADER: Final = struct.Struct("<IHHHHIIHHHHIIIHHHHI")
_FIELDS: Final = (
    "image_key",
    "image_size",
    "textures_offset",
    "image_flags",
    "padding_1",
    "images_offset",
    "packed_key",
    "packed_size",
    "textures_offset_again",
    "packed_flags",
    "padding_2",
    "packed_offset",
    "indices_offset",
    "palette_key",
    "palette_size",
    "palette_flags",
    "palettes_offset",
    "padding_3",
    "colors_offset",
)
_DATA: Final = BLOCK_HEADER + _HEADER.size
_TEXTURE: Final = struct.Struct("<II")
_PALETTE: Final = struct.Struct("<HH")
_SAME_SIZE: Final = 1 << 31
_FOUR_COLORS: Final = 1 << 15
_PALETTE_ALIGNMENT: Final = 16
_FOUR_COLORS_ALIGNMENT: Final = 8


@dataclass(frozen=True)
class Texture:
    """An image of palette indices (or colours, in the direct format)."""

    name: str
    """The name in the dictionary of the set."""
    format: int
    """The texel format, 1 to 7, as in TEXIMAGE_PARAM."""
    width: int
    """That of the hardware: a power of two from 8 to 1024."""
    height: int
    """That of the hardware: a power of two from 8 to 1024."""
    color0_transparent: bool
    """TEXIMAGE_PARAM's bit for formats 2 to 4."""
    original_width: int
    """That of the source image, which is in the top left corner."""
    original_height: int
    """That of the source image."""
    texels: bytes
    """The image as `formats.nds.texels` describes."""
    indices: bytes = b""
    """A palette index word for each 4x4 block of the compressed format."""
    same_size: bool = True
    """The stored flag that the source image has the size of the hardware."""

    def __hash__(self) -> int:
        return hash(self.texels)  # nearly all textures differ in them

    def param(self, offset: int = 0) -> int:
        """The texture's part of TEXIMAGE_PARAM; `offset` is its image's offset or address in bytes."""
        sizes = (self.width.bit_length() - 4) << 20 | (self.height.bit_length() - 4) << 23
        return offset >> 3 | sizes | self.format << 26 | self.color0_transparent << 29


@dataclass(frozen=True, eq=False)
class Palette:
    """Colours (BGR555, bit 15 unused) as a read-only uint16 array; writing adds black up to a multiple of 4,
    and to one of 8 before a palette that is not of a 4-colour texture.

    `flags` bit 0 marks a palette of a 4-colour texture, whose PLTT_BASE counts 8 bytes instead of 16.
    """

    name: str
    colors: npt.NDArray[np.uint16]
    flags: int = 0

    @property
    def four_colors(self) -> bool:
        """Whether the palette belongs to a 4-colour texture."""
        return bool(self.flags & 1)


@dataclass(frozen=True)
class VramLayout:
    """The data areas of a set as they are copied to VRAM, and the byte offset of each texture and palette in them.

    The offsets of compressed textures count in `compressed`; their index words are at half of them in `indices`.
    """

    images: bytes
    compressed: bytes
    indices: bytes
    palettes: bytes
    texture_offsets: tuple[int, ...]
    palette_offsets: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Tex0:
    """A texture set. `texture` and `palette` look entries up by name. `shares_images`: equal images are stored once, as
    in nearly all files."""

    textures: tuple[Texture, ...]
    palettes: tuple[Palette, ...]
    shares_images: bool = True

    @classmethod
    def read(cls, block: Reader, *, notes: Notes | None = None) -> Tex0:
        """The set in a TEX0 block (header included). Raises FormatError."""
        header = block.unpack(_HEADER, BLOCK_HEADER, "a TEX0 header", _FIELDS)
        image_key, image_size, textures_at, image_flags, pad1, images_at = header[:6]
        packed_key, packed_size, textures_again, packed_flags, pad2, packed_at, indices_at = header[6:13]
        palette_key, palette_size, palette_flags, palettes_at, pad3, colors_at = header[13:]
        images = block.view(images_at, 8 * image_size, "images")
        packed = block.view(packed_at, 8 * packed_size, "compressed texels")
        indices = block.view(indices_at, 4 * packed_size, "palette indices")
        colors = block.view(colors_at, 8 * palette_size, "palettes")
        textures, shares_images = _read_textures(block, textures_at, images, packed, indices, notes)
        result = cls(textures, _read_palettes(block, palettes_at, colors, notes), shares_images)
        block.tolerate(
            not any((image_key, packed_key, palette_key, image_flags, packed_flags, pad1, pad2, pad3)),
            notes,
            8,
            "fields that the library fills in are not zero",
        )
        block.tolerate(
            textures_again == textures_at and palette_flags == result._palette_flags(),
            notes,
            8,
            "the second dictionary offset or the palette flags do not agree with the contents",
        )
        return result

    @staticmethod
    def read_names(block: Reader) -> tuple[str, ...]:
        """The names of the textures in a TEX0 block, without reading them. Raises FormatError."""
        return read_dictionary(block, block.unpack(_HEADER, BLOCK_HEADER, "a TEX0 header")[2], 8).names

    def to_bytes(self) -> bytes:
        """The block's contents, without its 8-byte header. Raises ValueError for values that do not fit."""
        layout = self.layout
        textures = [_write_texture(*pair) for pair in zip(self.textures, layout.texture_offsets, strict=True)]
        palettes = [
            _PALETTE.pack(offset >> 3, palette.flags)
            for palette, offset in zip(self.palettes, layout.palette_offsets, strict=True)
        ]
        palettes_at = _DATA + dictionary_size(len(textures), 8)
        images_at = palettes_at + dictionary_size(len(palettes), 4)
        packed_at = images_at + len(layout.images)
        indices_at = packed_at + len(layout.compressed)
        colors_at = indices_at + len(layout.indices)
        for what, data in (("images", layout.images), ("compressed", layout.compressed), ("palettes", layout.palettes)):
            require(len(data) <= 8 * 0xFFFF, f"the {what} of a texture set have at most 524280 bytes, not {len(data)}")
        header = _HEADER.pack(
            0,
            len(layout.images) >> 3,
            _DATA,
            0,
            0,
            images_at,
            0,
            len(layout.compressed) >> 3,
            _DATA,
            0,
            0,
            packed_at,
            indices_at,
            0,
            len(layout.palettes) >> 3,
            self._palette_flags(),
            palettes_at,
            0,
            colors_at,
        )
        names = write_dictionary([texture.name for texture in self.textures], 8, textures)
        names += write_dictionary([palette.name for palette in self.palettes], 4, palettes)
        return b"".join([header, names, layout.images, layout.compressed, layout.indices, layout.palettes])

    @cached_property
    def layout(self) -> VramLayout:
        """The layout of the data areas: entries in order, equal data once. Raises ValueError for texels of the wrong
        size."""
        areas = {False: bytearray(), True: bytearray()}
        indices = bytearray()
        seen: dict[tuple[bool, bytes, bytes], int] = {}
        offsets = []
        for texture in self.textures:
            _check_size(texture)
            compressed = texture.format == COMPRESSED_4X4
            key = (compressed, texture.texels, texture.indices)
            if key not in seen or not self.shares_images:
                seen[key] = len(areas[compressed])
                areas[compressed] += texture.texels
                indices += texture.indices
            offsets.append(seen[key])
        require(
            self.shares_images or len(seen) != len(offsets),
            "no two images of the set are equal, so none is stored twice",
        )
        colors = bytearray()
        palettes: dict[bytes, int] = {}
        palette_offsets = []
        for palette in self.palettes:
            data = np.asarray(palette.colors).astype("<u2").tobytes()
            require(data, f"palette {palette.name!r} has no colours")
            alignment = _FOUR_COLORS_ALIGNMENT if palette.four_colors else _PALETTE_ALIGNMENT
            data += bytes(-len(data) % _FOUR_COLORS_ALIGNMENT)
            if palettes.get(data, 1) % alignment:
                colors += bytes(-len(colors) % alignment)
                palettes[data] = len(colors)
                colors += data
            palette_offsets.append(palettes[data])
        data_areas = (bytes(areas[False]), bytes(areas[True]), bytes(indices), bytes(colors))
        return VramLayout(*data_areas, tuple(offsets), tuple(palette_offsets))

    def texture(self, name: str) -> Texture | None:
        """The texture with this name, None when there is none."""
        index = self.texture_index(name)
        return None if index is None else self.textures[index]

    def palette(self, name: str) -> Palette | None:
        """The palette with this name, None when there is none."""
        index = self.palette_index(name)
        return None if index is None else self.palettes[index]

    def texture_index(self, name: str) -> int | None:
        """The index of the texture with this name, None when there is none."""
        return self._indices[0].get(name)

    def palette_index(self, name: str) -> int | None:
        """The index of the palette with this name, None when there is none."""
        return self._indices[1].get(name)

    @cached_property
    def _indices(self) -> tuple[dict[str, int], dict[str, int]]:
        return _index([texture.name for texture in self.textures]), _index([palette.name for palette in self.palettes])

    def _palette_flags(self) -> int:
        return _FOUR_COLORS if any(palette.four_colors for palette in self.palettes) else 0


def _index(names: Sequence[str]) -> dict[str, int]:
    return {name: index for index, name in reversed(list(enumerate(names)))}


def _read_textures(
    block: Reader, offset: int, images: Reader, packed: Reader, indices: Reader, notes: Notes | None
) -> tuple[tuple[Texture, ...], bool]:
    """The textures, and whether equal images are stored once."""
    dictionary = read_dictionary(block, offset, 8, notes=notes)
    limit = 4 * (len(images) + len(packed))
    ranges: dict[tuple[bool, int, int], tuple[bytes, bytes]] = {}
    textures = []
    entries = enumerate(zip(dictionary.names, _TEXTURE.iter_unpack(dictionary.table), strict=True))
    for index, (name, (param, extra)) in entries:
        place = dictionary.data_offset + 8 * index
        form = param >> 26 & 7
        block.check(form != 0, place, "a texture format of 1 to 7", form)
        block.tolerate(
            not param & 0xC00F0000 and not extra & 0x7FC00000,
            notes,
            place,
            f"texture {name!r} sets bits that belong to materials or have no meaning",
        )
        width, height = 8 << (param >> 20 & 7), 8 << (param >> 23 & 7)
        compressed = form == COMPRESSED_4X4
        where = (compressed, (param & 0xFFFF) << 3, width * height * BITS[form] >> 3)
        source = packed if compressed else images
        if where not in ranges:
            limit -= where[2]
            block.check(limit >= 0, place, "images that do not overlap", f"texture {name!r} over others")
            texels = source.bytes(where[1], where[2], f"texels of {name!r}")
            words = indices.bytes(where[1] >> 1, where[2] >> 1, f"palette indices of {name!r}") if compressed else b""
            ranges[where] = (texels, words)
        source.declare([((f"texels of {name!r}",), *where[1:], ranges[where][0], f"{width} × {height} texels")])
        color0, same = bool(param >> 29 & 1), bool(extra & _SAME_SIZE)
        original = (extra & 0x7FF, extra >> 11 & 0x7FF)
        textures.append(Texture(name, form, width, height, color0, *original, *ranges[where], same))
    images_stored = {(compressed, *ranges[compressed, start, size]) for compressed, start, size in ranges}
    return tuple(textures), len(images_stored) == len(ranges)


def _read_palettes(block: Reader, offset: int, colors: Reader, notes: Notes | None) -> tuple[Palette, ...]:
    """The palettes; each ends where the next one begins, because the file does not store sizes. One that is not of a
    4-colour texture begins at a multiple of 16 bytes, as PLTT_BASE counts."""
    dictionary = read_dictionary(block, offset, 4, notes=notes)
    entries = []
    for index, (start, flags) in enumerate(_PALETTE.iter_unpack(dictionary.table)):
        if start & 1 and not flags & 1:
            block.note(
                notes, dictionary.data_offset + 4 * index, "a palette begins between two addresses that it can have"
            )
            start -= 1
        entries.append((start << 3, flags))
    bounds = [*sorted({start for start, _ in entries if start < len(colors)}), len(colors)]
    colors.tolerate(
        not entries or not bounds[0], notes, 0, f"{bounds[0]} bytes before the first palette belong to none"
    )
    words = frozen(np.frombuffer(colors.data, "<u2"), np.uint16)
    arrays = {start: words[start >> 1 : end >> 1] for start, end in itertools.pairwise(bounds)}
    palettes = []
    for index, (start, flags) in enumerate(entries):
        block.check(start in arrays, dictionary.data_offset + 4 * index, f"a palette within {len(colors)} bytes", start)
        colors.declare([((dictionary.names[index],), start, arrays[start].nbytes, arrays[start], "RGB5 colours")])
        palettes.append(Palette(dictionary.names[index], arrays[start], flags))
    return tuple(palettes)


def _check_size(texture: Texture) -> None:
    for length in (texture.width, texture.height):
        require(
            length in (8, 16, 32, 64, 128, 256, 512, 1024),
            f"texture {texture.name!r} has a size that is no power of two from 8 to 1024: {length}",
        )
    require(texture.format in BITS, f"texture {texture.name!r} has format {texture.format}, not 1 to 7")
    size = texture.width * texture.height * BITS[texture.format] >> 3
    words = size >> 1 if texture.format == COMPRESSED_4X4 else 0
    if (len(texture.texels), len(texture.indices)) != (size, words):
        sizes = f"{len(texture.texels)} and {len(texture.indices)}"
        raise ValueError(f"texture {texture.name!r} needs {size} bytes of texels and {words} of indices, not {sizes}")


def _write_texture(texture: Texture, offset: int) -> bytes:
    require(offset >> 3 <= 0xFFFF, f"texture {texture.name!r} begins after the 512 KiB that its offset can reach")
    require(
        0 <= texture.original_width <= 0x7FF and 0 <= texture.original_height <= 0x7FF,
        f"texture {texture.name!r} has an original size outside 0..2047",
    )
    original = texture.original_width | texture.original_height << 11
    return _TEXTURE.pack(texture.param(offset), original | (_SAME_SIZE if texture.same_size else 0))
