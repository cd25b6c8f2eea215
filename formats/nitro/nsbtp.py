"""NSBTP, texture pattern animation: which texture and palette of a TEX0 a material shows, by key frames.

Animation record: `M 00 P T`, u16 frames, u8 textures, u8 palettes, u16 offset of the texture names and of the palette
names, then a dictionary with 8 bytes under each material name: u16 keys, u16 flags, fx16 keys per frame, u16 offset of
the keys (4 bytes each); then the names, 16 bytes each. Offsets count from the record.
Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, Reader, write_name
from formats.fixed import ONE
from formats.nitro.animation import AnimationSet, SampleArrays, bounded, check_header
from formats.nitro.dictionary import NAME_SIZE, dictionary_size, read_dictionary, write_dictionary

_HEADER: Final = struct.Struct("<4sHBBHH")
_TRACK: Final = struct.Struct("<HHHH")
_MAGIC: Final = b"M\0PT"

KEY: Final = np.dtype([("frame", "<u2"), ("texture", "u1"), ("palette", "u1")])
"""A key: from `frame` on the material shows the texture and palette at these indices of the animation's names; see
`KEEP_PALETTE`."""

KEEP_PALETTE: Final = 255
"""The palette number of a key that keeps the material's palette."""


@dataclass(frozen=True, eq=False)
class PatternTrack:
    """The keys (`KEY`, ascending frames) of one material. `flags` bit 0 means "no palettes"; the library ignores it."""

    material: str
    keys: npt.NDArray[np.void]
    flags: int = 0


@dataclass(frozen=True, eq=False)
class PatternAnimation:
    """One texture pattern animation: the texture and palette names that keys refer to, and a track per material."""

    name: str
    frame_count: int
    textures: tuple[str, ...]
    palettes: tuple[str, ...]
    tracks: tuple[PatternTrack, ...]

    def to_bytes(self) -> bytes:
        """The animation record. Raises ValueError for values that do not fit."""
        frames = bounded(self.frame_count, 0, 0xFFFF, "a number of frames")
        textures = bounded(len(self.textures), 0, 255, "a number of texture names")
        palettes = bounded(len(self.palettes), 0, 255, "a number of palette names")
        end = _HEADER.size + dictionary_size(len(self.tracks), _TRACK.size)
        data = []
        for track in self.tracks:
            count = bounded(len(track.keys), 1, 0xFFFF, "a number of pattern keys")
            _check_numbers(track.keys, textures, palettes)
            per_frame = min(0xFFFF, count * ONE // frames) if frames else 0
            flags = bounded(track.flags, 0, 0xFFFF, "the flags of a pattern track")
            data.append(_TRACK.pack(count, flags, per_frame, bounded(end, 0, 0xFFFF, "the offset of pattern keys")))
            end += KEY.itemsize * count
        palettes_at = bounded(end + NAME_SIZE * textures, 0, 0xFFFF, "the offset of the palette names")
        names = [write_name(name, NAME_SIZE) for name in self.textures + self.palettes]
        keys = [track.keys.astype(KEY).tobytes() for track in self.tracks]
        header = _HEADER.pack(_MAGIC, frames, textures, palettes, end, palettes_at)
        materials = write_dictionary([track.material for track in self.tracks], _TRACK.size, data)
        return b"".join([header, materials, *keys, *names])


def _read(name: str, reader: Reader, notes: Notes | None) -> PatternAnimation:
    check_header(reader, _MAGIC)
    _, frames, texture_count, palette_count, textures_at, palettes_at = reader.unpack(_HEADER, 0, "a pattern animation")
    materials = read_dictionary(reader, _HEADER.size, _TRACK.size, notes=notes)
    arrays = SampleArrays(reader)
    tracks = []
    for index, (material, datum) in enumerate(zip(materials.names, materials.data, strict=True)):
        count, flags, per_frame, offset = _TRACK.unpack(datum)
        keys = arrays.read(offset, KEY, count)
        place = materials.data_offset + _TRACK.size * index
        _check_keys(reader.named(material), offset, keys, texture_count, palette_count, notes)
        reader.tolerate(
            not frames or per_frame == min(0xFFFF, count * ONE // frames),
            notes,
            place + 4,
            "the keys per frame do not match the number of keys and frames",
        )
        tracks.append(PatternTrack(material, keys, flags))
    textures = _names(reader, textures_at, texture_count)
    return PatternAnimation(name, frames, textures, _names(reader, palettes_at, palette_count), tuple(tracks))


def _check_keys(
    reader: Reader, offset: int, keys: npt.NDArray[np.void], textures: int, palettes: int, notes: Notes | None
) -> None:
    reader.check(len(keys), offset, "at least one pattern key", 0)
    if int(keys["texture"].max()) >= textures:
        reader.fail(offset, f"texture numbers below {textures}", int(keys["texture"].max()))
    named = keys["palette"][keys["palette"] != KEEP_PALETTE]
    if named.size and int(named.max()) >= palettes:
        reader.fail(offset, f"palette numbers below {palettes}", int(named.max()))
    reader.tolerate(
        int(keys["frame"][0]) == 0 and not np.any(np.diff(keys["frame"].astype(np.int32)) <= 0),
        notes,
        offset,
        "pattern keys do not begin at frame 0 in ascending order",
    )


def _check_numbers(keys: npt.NDArray[np.void], textures: int, palettes: int) -> None:
    named = keys["palette"][keys["palette"] != KEEP_PALETTE]
    for numbers, limit, what in ((keys["texture"], textures, "texture"), (named, palettes, "palette")):
        if numbers.size and int(numbers.max()) >= limit:
            raise ValueError(f"a pattern key names {what} {int(numbers.max())} of {limit}")


def _names(reader: Reader, offset: int, count: int) -> tuple[str, ...]:
    raw = reader.bytes(offset, NAME_SIZE * count, "texture and palette names")
    return tuple(
        [raw[at : at + NAME_SIZE].rstrip(b"\0").decode("latin-1") for at in range(0, NAME_SIZE * count, NAME_SIZE)]
    )


@dataclass(frozen=True, eq=False)
class Nsbtp(AnimationSet):
    """A file of texture pattern animations."""

    animations: tuple[PatternAnimation, ...]
    form = ("BTP0", "PAT0", _read)
