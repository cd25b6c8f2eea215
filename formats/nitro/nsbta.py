"""NSBTA, texture SRT animation: scale, rotation and translation of a material's texture coordinates over time.

Animation record: `M 00 A T`, u16 frames, u8 flags (bit 0 interpolate, bit 1 end to start; the library ignores both),
u8 texture matrix mode (ignored as well), then a dictionary with 40 bytes under each material name: five channels
(scale S, scale T, rotation, translation S, translation T) of u32 info and u32 value or offset from the record. The
sample arrays follow in the order of the channels; between them is also the value of each constant.
Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from formats.binary import Notes, Reader, pad, require
from formats.nitro.animation import (
    AnimationSet,
    Curve,
    SampleArrays,
    bounded,
    check_curve,
    check_header,
    last_stepped_frame,
    sample_bytes,
    step_bits,
)
from formats.nitro.dictionary import dictionary_size, read_dictionary, write_dictionary

_HEADER: Final = struct.Struct("<4sHBB")
_CHANNEL: Final = struct.Struct("<II")
_MAGIC: Final = b"M\0AT"
_UNIT: Final = 40
_CONSTANT: Final = 1 << 29
_FX16: Final = 1 << 28
_UNKNOWN: Final = 0x0FFF0000


@dataclass(frozen=True, eq=False)
class TextureSrtTrack:
    """The animation of one material's texture matrix: scales (1.0 = 4096), the rotation as pairs (sine, cosine), and
    translations in widths and heights of the texture, all with 12 fraction bits."""

    material: str
    scale_s: Curve
    scale_t: Curve
    rotation: Curve
    translation_s: Curve
    translation_t: Curve

    @property
    def channels(self) -> tuple[Curve, ...]:
        """The five curves in the file's order."""
        return self.scale_s, self.scale_t, self.rotation, self.translation_s, self.translation_t


@dataclass(frozen=True, eq=False)
class TextureSrtAnimation:
    """One texture SRT animation. The flags and the texture matrix mode of the source tool have no effect.

    `zero_extended`: (track, channel) of the negative constants whose copy among the samples, which is not read, has a
    zero upper half, as in a few files of HeartGold.
    """

    name: str
    frame_count: int
    tracks: tuple[TextureSrtTrack, ...]
    flags: int = 0
    texture_matrix_mode: int = 0
    zero_extended: tuple[tuple[int, int], ...] = ()

    def to_bytes(self) -> bytes:
        """The animation record. Raises ValueError for values that do not fit."""
        frames = bounded(self.frame_count, 0, 0xFFFF, "a number of frames")
        flags = bounded(self.flags, 0, 255, "the flags of a texture SRT animation")
        mode = bounded(self.texture_matrix_mode, 0, 255, "a texture matrix mode")
        end = _HEADER.size + dictionary_size(len(self.tracks), _UNIT)
        data = []
        arrays = []
        require(
            self.zero_extended == tuple(sorted(set(self.zero_extended) & set(_negative_constants(self.tracks)))),
            "only negative constants of 16 bits are zero-extended, each named once and in order",
        )
        for index, track in enumerate(self.tracks):
            words = []
            for number, curve in enumerate(track.channels):
                word, value, samples = _channel(curve, number == 2, frames, end)
                if (index, number) in self.zero_extended:
                    samples = samples[:2] + bytes(2)
                words.append(_CHANNEL.pack(word, value))
                arrays.append(samples)
                end += len(samples)
            data.append(b"".join(words))
        header = _HEADER.pack(_MAGIC, frames, flags, mode)
        return b"".join([header, write_dictionary([track.material for track in self.tracks], _UNIT, data), *arrays])


def _read(name: str, reader: Reader, notes: Notes | None) -> TextureSrtAnimation:
    check_header(reader, _MAGIC)
    _, frames, flags, mode = reader.unpack(_HEADER, 0, "a texture SRT animation")
    materials = read_dictionary(reader, _HEADER.size, _UNIT, notes=notes)
    arrays = SampleArrays(reader, frames, notes)
    tracks = []
    end = _HEADER.size + dictionary_size(len(materials.names), _UNIT)
    copies: list[list[int]] = []
    for index, material in enumerate(materials.names):
        first = materials.data_offset + _UNIT * index
        curves = [
            _read_channel(reader, first + _CHANNEL.size * number, number == 2, arrays, notes) for number in range(5)
        ]
        copies.append([])
        for number, curve in enumerate(curves):
            copies[index].append(end)
            size = curve.values.size * (2 if number == 2 or curve.fx16 else 4)
            end += size + -size % 4
        tracks.append(TextureSrtTrack(material, *curves))
    extended = tuple(
        (index, number)
        for index, number in _negative_constants(tracks)
        if (place := copies[index][number]) + 4 <= len(reader)
        and reader.u32(place) == int(tracks[index].channels[number].values[0]) & 0xFFFF
    )
    return TextureSrtAnimation(name, frames, tuple(tracks), flags, mode, extended)


def _negative_constants(tracks: Sequence[TextureSrtTrack]) -> Iterator[tuple[int, int]]:
    """(track, channel) of the negative constants of 16 bits, without rotations."""
    for index, track in enumerate(tracks):
        for number, curve in enumerate(track.channels):
            if number != 2 and curve.step == 0 and curve.values.shape == (1,) and -0x8000 <= int(curve.values[0]) < 0:
                yield index, number


def _read_channel(reader: Reader, place: int, rotation: bool, arrays: SampleArrays, notes: Notes | None) -> Curve:
    info, value = reader.unpack(_CHANNEL, place, "a texture SRT channel")
    reader.tolerate(not info & _UNKNOWN, notes, place, f"unknown bits in the channel word 0x{info:08X}")
    if info & _CONSTANT:
        reader.tolerate(
            info & 0xFFFF == arrays.frames and not info >> 30,
            notes,
            place,
            f"a constant's channel word 0x{info:08X} does not contain the frame count alone",
        )
        if rotation:
            return Curve.constant(*struct.unpack("<hh", struct.pack("<I", value)))
        return Curve.constant(value - (value >> 31 << 32))
    fx16 = bool(info & _FX16)
    reader.check(not (rotation and fx16), place, "rotation samples without the 16-bit flag", f"0x{info:08X}")
    kind = "<i2" if rotation or fx16 else "<i4"
    return arrays.curve(reader, place, info, info & 0xFFFF, value, kind, 2 if rotation else 1, fx16=fx16)


def _channel(curve: Curve, rotation: bool, frames: int, place: int) -> tuple[int, int, bytes]:
    """The info word, the value and the bytes in the data area of one channel."""
    width = 2 if rotation else 1
    check_curve(curve, width)
    if curve.step == 0:
        data = sample_bytes(curve.values, "<i2" if rotation else "<i4")
        value = int.from_bytes(data, "little")
        fits = not rotation and -0x8000 <= int(curve.values[0]) <= 0x7FFF
        return frames | _CONSTANT | (_FX16 if fits else 0), value, data
    bits = step_bits(curve, frames, width)
    last = last_stepped_frame(frames, curve.step)
    fx16 = curve.fx16 and not rotation
    data = pad(sample_bytes(curve.values, "<i2" if rotation or fx16 else "<i4"))
    return last | bits | (_FX16 if fx16 else 0), place, data


@dataclass(frozen=True, eq=False)
class Nsbta(AnimationSet):
    """A file of texture SRT animations."""

    animations: tuple[TextureSrtAnimation, ...]
    form = ("BTA0", "SRT0", _read)
