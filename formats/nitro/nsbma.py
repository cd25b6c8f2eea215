"""NSBMA, material colour animation: the four colours and the alpha of a material over time.

Animation record: `M 00 A M`, u16 frames, u16 flags (bit 0 interpolate, bit 1 end to start; the library ignores both),
then a dictionary with 20 bytes under each material name: five words (diffuse, ambient, specular, emission, alpha) with
the value of a constant or the offset of samples from the record in the low half. Colours are u16 BGR555, alphas u8
0..31; the arrays of colours come first. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import struct
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

_HEADER: Final = struct.Struct("<4sHH")
_CHANNELS: Final = struct.Struct("<5I")
_MAGIC: Final = b"M\0AM"
_CONSTANT: Final = 1 << 29
_ALPHA: Final = 4


@dataclass(frozen=True, eq=False)
class ColorTrack:
    """The colour animation of one material: BGR555 colours (red in the low 5 bits) and an alpha of 0..31."""

    material: str
    diffuse: Curve
    ambient: Curve
    specular: Curve
    emission: Curve
    alpha: Curve

    @property
    def channels(self) -> tuple[Curve, ...]:
        """The five curves in the file's order."""
        return self.diffuse, self.ambient, self.specular, self.emission, self.alpha


@dataclass(frozen=True, eq=False)
class ColorAnimation:
    """One material colour animation. The flags have no effect."""

    name: str
    frame_count: int
    tracks: tuple[ColorTrack, ...]
    flags: int = 0

    def to_bytes(self) -> bytes:
        """The animation record. Raises ValueError for values that do not fit."""
        frames = bounded(self.frame_count, 0, 0xFFFF, "a number of frames")
        flags = bounded(self.flags, 0, 0xFFFF, "the flags of a colour animation")
        start = _HEADER.size + dictionary_size(len(self.tracks), _CHANNELS.size)
        colors = bytearray()
        alphas = bytearray()
        for track in self.tracks:
            for number, curve in enumerate(track.channels):
                check_curve(curve)
                (alphas if number == _ALPHA else colors).extend(_samples(curve, number == _ALPHA, frames))
        colors += bytes(-len(colors) % 4 if alphas else 0)
        places = [start, start + len(colors)]
        data = []
        for track in self.tracks:
            words = []
            for number, curve in enumerate(track.channels):
                alpha = number == _ALPHA
                words.append(_word(curve, alpha, frames, places[alpha]))
                places[alpha] += len(_samples(curve, alpha, frames))
            data.append(_CHANNELS.pack(*words))
        header = _HEADER.pack(_MAGIC, frames, flags)
        names = [track.material for track in self.tracks]
        return pad(header + write_dictionary(names, _CHANNELS.size, data) + bytes(colors + alphas))


def _read(name: str, reader: Reader, notes: Notes | None) -> ColorAnimation:
    check_header(reader, _MAGIC)
    _, frames, flags = reader.unpack(_HEADER, 0, "a colour animation")
    materials = read_dictionary(reader, _HEADER.size, _CHANNELS.size, notes=notes)
    arrays = SampleArrays(reader, frames, notes)
    tracks = []
    for index, (material, datum) in enumerate(zip(materials.names, materials.data, strict=True)):
        place = materials.data_offset + _CHANNELS.size * index
        curves = [
            _read_channel(reader, place + 4 * number, word, number == _ALPHA, arrays, notes)
            for number, word in enumerate(_CHANNELS.unpack(datum))
        ]
        tracks.append(ColorTrack(material, *curves))
    return ColorAnimation(name, frames, tuple(tracks), flags)


def _read_channel(
    reader: Reader, place: int, word: int, alpha: bool, arrays: SampleArrays, notes: Notes | None
) -> Curve:
    last = arrays.last(word)
    if word & _CONSTANT:
        reader.tolerate(
            not word >> 30 and last == arrays.frames,
            notes,
            place,
            f"a constant's channel word 0x{word:08X} does not contain the frame count",
        )
        return Curve.constant(word & 0xFFFF)
    return arrays.curve(reader, place, word, last, word & 0xFFFF, "u1" if alpha else "<u2")


def _samples(curve: Curve, alpha: bool, frames: int) -> bytes:
    if curve.step == 0:
        return b""
    require(not curve.fx16, "colours are no fixed-point samples, so they have no fx16")
    step_bits(curve, frames)
    return sample_bytes(curve.values, "u1" if alpha else "<u2")


def _word(curve: Curve, alpha: bool, frames: int, place: int) -> int:
    if curve.step == 0:
        return bounded(int(curve.values[0]), 0, 0xFFFF, "a constant colour") | (frames & 0x1FFF) << 16 | _CONSTANT
    last = last_stepped_frame(frames, curve.step) & 0x1FFF
    return bounded(place, 0, 0xFFFF, "the offset of colour samples") | last << 16 | step_bits(curve, frames)


@dataclass(frozen=True, eq=False)
class Nsbma(AnimationSet):
    """A file of material colour animations."""

    animations: tuple[ColorAnimation, ...]
    form = ("BMA0", "MAT0", _read)
