"""Material animations: texture SRT (NSBTA), texture pattern (NSBTP) and colours (NSBMA) of one material at a frame.

Each result holds integers and has a method that applies it to a material that is being composed. Frames are fx32;
fractions of a frame have no effect. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from formats.fixed import ONE
from formats.nitro.nsbma import ColorTrack
from formats.nitro.nsbta import TextureSrtTrack
from formats.nitro.nsbtp import PatternAnimation, PatternTrack
from formats.nitro.tex0 import Palette, Texture
from mapexplorer.g3d.animation.sampling import SampledCurve, clamp_whole, mix, mix_colors
from mapexplorer.g3d.material import ALPHA, BIT15, TEXGEN, TEXGEN_TEXCOORD, WRAPPING, MaterialResult

Pair = tuple[int, int]

SCALE_ONE: Final = 1
ROTATION_ZERO: Final = 2
TRANSLATION_ZERO: Final = 4
MATRIX: Final = 8
"""Bits of `TextureSrt.flags`, as the library numbers them."""


class TextureSrt(NamedTuple):
    """A texture transform: scale (S, T) and translation (S, T) in fx32, rotation (sin, cos) in fx16.

    A part that has no effect at this frame is None: for these animations the values decide that.
    """

    scale: Pair | None
    rotation: Pair | None
    translation: Pair | None

    @property
    def flags(self) -> int:
        """The flag word of the library."""
        return (
            MATRIX
            | (SCALE_ONE if self.scale is None else 0)
            | (ROTATION_ZERO if self.rotation is None else 0)
            | (TRANSLATION_ZERO if self.translation is None else 0)
        )

    def apply(self, result: MaterialResult) -> None:
        """Replace the material's texture transform, which it then has, and generate coordinates by it."""
        result.has_matrix = True
        result.scale, result.rotation, result.translation = self
        result.teximage_param = result.teximage_param & ~TEXGEN | TEXGEN_TEXCOORD


def texture_srt_by_frame(track: TextureSrtTrack, frame_count: int) -> Callable[[int], TextureSrt]:
    """The texture transform of one material's track of an NSBTA by frame (fx32); the last frame holds beyond the
    end."""
    channels = [SampledCurve(curve) for curve in track.channels]

    def at(frame: int) -> TextureSrt:
        whole = clamp_whole(frame, frame_count)
        means = [channel.mean(whole, frame_count) for channel in channels]
        scale_s, scale_t, sine, move_s, move_t = [
            mix(mean, channel.values[mean.first], channel.values[mean.second])
            for mean, channel in zip(means, channels, strict=True)
        ]
        mean, cosines = means[2], channels[2].second
        cosine = mix(mean, cosines[mean.first], cosines[mean.second])
        return TextureSrt(
            None if (scale_s, scale_t) == (ONE, ONE) else (scale_s, scale_t),
            None if (sine, cosine) == (0, ONE) else (sine, cosine),
            None if (move_s, move_t) == (0, 0) else (move_s, move_t),
        )

    return at


PatternImage = tuple[Texture, int]
"""A texture of the set that patterns are looked up in, and its TEXIMAGE_PARAM bits, VRAM address included."""

PatternPalette = tuple[Palette, int]
"""A palette of that set and its PLTT_BASE."""


class Pattern(NamedTuple):
    """Which texture and palette of an animation's names are shown; palette `KEEP_PALETTE`: the material's stays."""

    texture: int
    palette: int


def pattern_by_frame(track: PatternTrack, animation: PatternAnimation) -> Callable[[int], Pattern]:
    """The pattern of one material's track of an NSBTP by frame (fx32); its key is found as the library finds it: a
    guess, then steps back and forward."""
    frame_count = animation.frame_count
    keys: list[tuple[int, int, int]] = track.keys.tolist()
    ratio = len(keys) * ONE // frame_count if frame_count else 0

    def at(frame: int) -> Pattern:
        whole = clamp_whole(frame, frame_count)
        index = min(ratio * whole >> 12, len(keys) - 1)
        while index > 0 and keys[index][0] >= whole:
            index -= 1
        while index + 1 < len(keys) and keys[index + 1][0] <= whole:
            index += 1
        return Pattern(keys[index][1], keys[index][2])

    return at


def show_pattern(result: MaterialResult, image: PatternImage | None, palette: PatternPalette | None) -> None:
    """Replace the texture and palette; None keeps those of the material.

    Wrapping and coordinate generation stay the material's. Coordinates are never rescaled to another texture's size.
    """
    if image is not None:
        result.texture, param = image
        result.teximage_param = result.teximage_param & (TEXGEN | WRAPPING) | param & ~(TEXGEN | WRAPPING)
        result.shown_size = (image[0].original_width, image[0].original_height)
    if palette is not None:
        result.palette, result.pltt_base = palette


class MaterialColors(NamedTuple):
    """A material's BGR555 colours and alpha 0..31."""

    diffuse: int
    ambient: int
    specular: int
    emission: int
    alpha: int

    def words(self, dif_amb: int, spe_emi: int, polygon_attr: int) -> tuple[int, int, int]:
        """DIF_AMB, SPE_EMI and POLYGON_ATTR with these colours; all other bits stay."""
        return (
            dif_amb & BIT15 | self.diffuse | self.ambient << 16,
            spe_emi & BIT15 | self.specular | self.emission << 16,
            polygon_attr & ~ALPHA | self.alpha << 16,
        )

    def apply(self, result: MaterialResult) -> None:
        """Replace the material's colours and alpha."""
        words = self.words(result.dif_amb, result.spe_emi, result.polygon_attr)
        result.dif_amb, result.spe_emi, result.polygon_attr = words


def colors_by_frame(track: ColorTrack, frame_count: int) -> Callable[[int], MaterialColors]:
    """The colours of one material's track of an NSBMA by frame (fx32); the last frame holds beyond the end."""
    channels = [SampledCurve(curve) for curve in track.channels]

    def at(frame: int) -> MaterialColors:
        whole = clamp_whole(frame, frame_count)
        values = []
        for number, channel in enumerate(channels):
            mean = channel.mean(whole, frame_count)
            combine, mask = (mix, 31) if number == 4 else (mix_colors, 0x7FFF)
            values.append(combine(mean, channel.values[mean.first], channel.values[mean.second]) & mask)
        return MaterialColors(*values)

    return at
