"""The animations of the demo world's props, at least one of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from formats.binary import frozen
from formats.field.bm_anime_list import ATTACH_LATER, LOAD_LATER
from formats.fixed import FULL_TURN, ONE, cos_index, sin_index
from formats.nitro.animation import Curve, sample_count
from formats.nitro.node import Pivot
from formats.nitro.nsbca import PIVOT_ROTATION, JointAnimation, JointTrack, Nsbca
from formats.nitro.nsbma import ColorAnimation, ColorTrack, Nsbma
from formats.nitro.nsbta import Nsbta, TextureSrtAnimation, TextureSrtTrack
from formats.nitro.nsbtp import KEEP_PALETTE, KEY, Nsbtp, PatternAnimation, PatternTrack
from formats.nitro.nsbva import Nsbva, VisibilityAnimation
from tools.demo_world.picture import rgb5

File = Nsbca | Nsbma | Nsbta | Nsbtp | Nsbva

ON_DEMAND = LOAD_LATER | ATTACH_LATER

X_AXIS, Y_AXIS, Z_AXIS = 0, 4, 8
"""The element of a rotation matrix that stays 1 when it turns about the axis."""


@dataclass(frozen=True)
class PropAnimation:
    """The animation files of a prop in list order, and the flags of its list entry."""

    files: tuple[File, ...]
    flags: int = 0


def turn(axis: int, angle: int) -> Pivot:
    """A right-handed turn about an axis by `angle` (65536 = a turn), for row vectors."""
    sine = sin_index(angle)
    # About y the row of x holds the negative sine, about x and z the positive one.
    b = -sine if axis == Y_AXIS else sine
    return Pivot(axis, False, True, False, cos_index(angle), b)


def _rest(x: int, y: int, z: int) -> tuple[Curve, ...]:
    """A translation that does not change, in units."""
    return tuple(Curve.constant(value * ONE) for value in (x, y, z))


def _rotation(first: int, frames: int, step: int = 1) -> Curve:
    """Pivots number `first` onward, one for every sample."""
    return Curve.sampled([PIVOT_ROTATION | first + i for i in range(sample_count(frames, step))], step, fx16=False)


def _sample_frames(frames: int, step: int) -> list[int]:
    """The frames that a channel of this step has samples for."""
    last = (frames - 1) // step * step
    return [*range(0, last + 1, step), *range(last + 1, frames)]


_NO_BASES = frozen(np.zeros((0, 6), np.int16))


def _joints(name: str, frames: int, tracks: Sequence[JointTrack], pivots: Sequence[Pivot], **more: object) -> Nsbca:
    bases = more.pop("bases", _NO_BASES)
    return Nsbca((JointAnimation(name, frames, tuple(tracks), tuple(pivots), bases, **more),))  # type: ignore[arg-type]


def windmill() -> PropAnimation:
    """A quarter turn of the sails in 120 frames, a sample every fourth; as four sails look alike, it never ends."""
    frames = 120
    pivots = [turn(Z_AXIS, -16384 * frame // frames) for frame in _sample_frames(frames, 4)]
    tracks = (JointTrack(), JointTrack(_rest(0, 68, 0)), JointTrack(_rest(0, 4, 20), _rotation(0, frames, 4)))
    return PropAnimation((_joints("windmill_turn", frames, tracks, pivots, interpolate=True),))


def flag() -> PropAnimation:
    """A wave that runs through the three joints of the cloth; the last one is also twisted, by basis rotations."""
    frames = 48
    pivots = []
    for joint, swing in ((0, 2600), (1, 3800)):
        for frame in range(frames):
            angle = swing * sin_index(FULL_TURN * frame // frames - 12000 * joint) // ONE
            pivots.append(turn(Y_AXIS, angle - 700 * (1 - joint)))
    bases = []
    for frame in range(frames):
        angle = 4600 * sin_index(FULL_TURN * frame // frames - 24000) // ONE
        tilt = 900 * sin_index(2 * FULL_TURN * frame // frames) // ONE
        cosine, sine = min(cos_index(angle), 4095), sin_index(angle)
        c, s = min(cos_index(tilt), 4095), sin_index(tilt)
        # A turn about z, then one about y.
        bases.append((c * cosine >> 12, s, -(c * sine >> 12), -(s * cosine >> 12), c, s * sine >> 12))
    tracks = (
        JointTrack(),
        JointTrack(_rest(2, 62, 0), _rotation(0, frames)),
        JointTrack(_rest(12, 0, 0), _rotation(frames, frames)),
        JointTrack(_rest(12, 0, 0), Curve.sampled(list(range(frames)), fx16=False)),
    )
    animation = _joints(
        "flag_wave", frames, tracks, pivots, bases=frozen(bases, np.int16), interpolate=True, end_to_start=True
    )
    return PropAnimation((animation,))


def door() -> PropAnimation:
    """Opening and closing on demand: a bit more than a quarter turn to the outside, in twelve frames."""
    frames = 12
    files = []
    for name, closing in (("door_open", False), ("door_close", True)):
        steps = [min(frame, 10) for frame in range(frames)]
        if closing:
            steps.reverse()
        pivots = [turn(Y_AXIS, -17500 * step * (20 - step) // 100) for step in steps]
        place = (Curve.constant(-8 * ONE), Curve.constant(0), Curve.constant(17 * ONE // 2))
        files.append(_joints(name, frames, (JointTrack(), JointTrack(place, _rotation(0, frames))), pivots))
    return PropAnimation(tuple(files), ON_DEMAND)


def bush() -> PropAnimation:
    """Wind: the bush grows and shrinks a little."""
    frames = 60
    heights = []
    for frame in _sample_frames(frames, 2):
        scale = ONE + 150 * sin_index(FULL_TURN * frame // frames) // ONE
        heights.append((scale, ONE * ONE // scale))
    one = Curve(frozen([(ONE, ONE)], np.int32), 0)
    grown = (one, Curve.sampled(heights, 2), one)
    return PropAnimation((_joints("bush_sway", frames, (JointTrack(), JointTrack(scale=grown)), ()),))


def _srt(material: str, **channels: Curve) -> TextureSrtTrack:
    one, zero = Curve.constant(ONE), Curve.constant(0)
    plain = {
        "scale_s": one,
        "scale_t": one,
        "rotation": Curve.constant(0, ONE),
        "translation_s": zero,
        "translation_t": zero,
    }
    return TextureSrtTrack(material, **{**plain, **channels})


def waterfall() -> PropAnimation:
    """The water falls a picture's height in 24 frames, the spray drifts."""
    frames = 24
    down = Curve.sampled([-ONE * frame // frames for frame in range(frames)])
    drift = Curve.sampled([ONE * frame // frames for frame in _sample_frames(frames, 2)], 2)
    tracks = (_srt("falls", translation_t=down), _srt("spray", translation_s=drift))
    return PropAnimation((Nsbta((TextureSrtAnimation("waterfall_flow", frames, tracks),)),))


def portal() -> PropAnimation:
    """The shaft of light moves up and sideways; the size of the ring changes periodically."""
    frames = 64
    up = Curve.sampled([2 * ONE * frame // frames for frame in range(frames)])
    swings = []
    for frame in _sample_frames(frames, 4):
        angle = 2000 * sin_index(FULL_TURN * frame // frames) // ONE
        swings.append((sin_index(angle), cos_index(angle)))
    wide = Curve.sampled([ONE + 400 * sin_index(2 * FULL_TURN * frame // frames) // ONE for frame in range(frames)])
    tracks = (_srt("portal_shaft", translation_t=up, rotation=Curve.sampled(swings, 4, fx16=False), scale_s=wide),)
    flow = Nsbta((TextureSrtAnimation("portal_rise", frames, tracks),))
    alphas = [18 + 9 * sin_index(FULL_TURN * frame // frames) // ONE for frame in range(frames)]
    return PropAnimation((flow, _glow("portal_glow", "portal_ring", "#80f0fc", alphas)))


def _glow(name: str, material: str, color: str, alphas: list[int], step: int = 1) -> Nsbma:
    word = rgb5(color)
    half = Curve.constant(word >> 1 & 0x3DEF)
    samples = Curve.sampled([alphas[frame] for frame in _sample_frames(len(alphas), step)], step, fx16=False)
    track = ColorTrack(material, Curve.constant(word), half, Curve.constant(0), half, samples)
    return Nsbma((ColorAnimation(name, len(alphas), (track,)),))


def lamp() -> PropAnimation:
    """The halo flickers like a flame."""
    return PropAnimation((_glow("lamp_glow", "halo", "#fcdc90", _flicker(12), 2),))


def torch() -> PropAnimation:
    """The same below ground, weaker."""
    return PropAnimation((_glow("torch_glow", "halo", "#fcc880", _flicker(8), 4),))


def _flicker(level: int) -> list[int]:
    frames = 80
    alphas = []
    for frame in range(frames):
        slow = sin_index(FULL_TURN * frame // frames)
        fast = sin_index(FULL_TURN * 5 * frame // frames)
        alphas.append(level + (3 * slow + 2 * fast) // ONE)
    return alphas


def crystal() -> PropAnimation:
    """The crystal's colours and alpha change periodically."""
    frames = 96
    colors = []
    for frame in range(frames):
        level = 20 + 8 * sin_index(FULL_TURN * frame // frames) // ONE
        colors.append(level | (level + 2) << 5 | 31 << 10)
    alphas = [21 + 5 * sin_index(FULL_TURN * frame // frames + 16384) // ONE for frame in range(frames)]
    track = ColorTrack(
        "crystal",
        Curve.sampled(colors[::4] + colors[93:], 4, fx16=False),
        Curve.constant(rgb5("#606878")),
        Curve.constant(0),
        Curve.constant(rgb5("#405070")),
        Curve.sampled(alphas, fx16=False),
    )
    return PropAnimation((Nsbma((ColorAnimation("crystal_gleam", frames, (track,)),)),))


def _pattern(
    name: str,
    material: str,
    frames: int,
    textures: Sequence[str],
    keys: Sequence[tuple[int, int, int]],
    palettes: Sequence[str] = (),
) -> Nsbtp:
    track = PatternTrack(material, frozen(np.array(list(keys), KEY)), 0 if palettes else 1)
    return Nsbtp((PatternAnimation(name, frames, tuple(textures), tuple(palettes), (track,)),))


def notice() -> PropAnimation:
    """Three pictures in turn, two and a half seconds each."""
    textures = [f"screen.{number}" for number in (1, 2, 3)]
    keys = [(0, 0, KEEP_PALETTE), (75, 1, KEEP_PALETTE), (150, 2, KEEP_PALETTE)]
    return PropAnimation((_pattern("notice_show", "screen", 225, textures, keys),))


def neon() -> PropAnimation:
    """The sign flickers, then stays lit for a while."""
    frames = 90
    lit = np.ones(frames, np.bool_)
    for start, end in ((0, 4), (7, 10), (12, 20), (60, 63)):
        lit[start:end] = False
    visible = np.stack([np.ones(frames, np.bool_), ~lit, lit], axis=1)
    return PropAnimation((Nsbva((VisibilityAnimation("neon_blink", frozen(visible)),)),))


def television() -> PropAnimation:
    """A ball game, with snow on the screen now and then."""
    keys = [(0, 0, 0), (20, 1, 0), (40, 0, 0), (60, 1, 0), (80, 2, 0), (84, 0, 0)]
    return PropAnimation((_pattern("tv_show", "tv", 100, ("tv.1", "tv.2", "tv.3"), keys, ("tv.1_pl",)),))


def hearth() -> PropAnimation:
    """Flames: two pictures and two palettes."""
    keys = [(0, 0, 0), (6, 1, 0), (11, 0, 1), (17, 1, 1), (22, 1, 0)]
    return PropAnimation(
        (_pattern("hearth_fire", "fire", 28, ("fire.1", "fire.2"), keys, ("fire.1_pl", "fire_hot_pl")),)
    )
