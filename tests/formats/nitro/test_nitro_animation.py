"""The five animation files: real files to the same bytes, edits, files built by hand, damaged bytes."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.binary import FormatError, frozen, same
from formats.json_codec import from_plain, to_plain
from formats.nitro.animation import Curve, last_stepped_frame, sample_count
from formats.nitro.node import Pivot
from formats.nitro.nsbca import PIVOT_ROTATION, JointAnimation, JointTrack, Nsbca
from formats.nitro.nsbma import ColorAnimation, ColorTrack, Nsbma
from formats.nitro.nsbta import Nsbta, TextureSrtAnimation, TextureSrtTrack
from formats.nitro.nsbtp import KEEP_PALETTE, KEY, Nsbtp, PatternAnimation, PatternTrack
from formats.nitro.nsbva import Nsbva, VisibilityAnimation
from mapexplorer.rom import Rom

KINDS = {b"BCA0": Nsbca, b"BTA0": Nsbta, b"BTP0": Nsbtp, b"BMA0": Nsbma, b"BVA0": Nsbva}


@pytest.fixture(scope="session")
def files(rom: Rom) -> dict[str, bytes]:
    """Every animation file of the ROM, also those in archives."""
    found: dict[str, bytes] = {}
    for path in rom.files:
        data = rom.source(path).read(0, 4)
        if data in KINDS:
            found[path] = rom.file(path)
        elif data == b"NARC":
            for index, member in enumerate(rom.archive(path)):
                if bytes(member[:4]) in KINDS:
                    found[f"{path}[{index}]"] = bytes(member)
    return found


def read(data: bytes, **options: Any) -> Any:
    return KINDS[data[:4]].from_bytes(data, **options)


def test_real_files_keep_their_bytes(files: dict[str, bytes]) -> None:
    counts: Counter[bytes] = Counter()
    notes: list[Any] = []
    for name, data in files.items():
        assert read(data, notes=notes).to_bytes() == data, name
        counts[data[:4]] += 1
    assert counts == {b"BCA0": 180, b"BTA0": 96, b"BTP0": 72, b"BMA0": 23, b"BVA0": 3}
    assert notes == []


def test_real_files_as_plain_data(files: dict[str, bytes]) -> None:
    names = [name for name in sorted(files, key=lambda name: len(files[name])) if len(files[name]) < 4000]
    for name in names[::4]:
        value = read(files[name])
        rebuilt = from_plain(type(value), to_plain(value))
        assert same(rebuilt, value)
        assert rebuilt.to_bytes() == files[name]
    assert len(names[::4]) > 50


def constant_track(material: str) -> TextureSrtTrack:
    one, zero = Curve.constant(4096), Curve.constant(0)
    return TextureSrtTrack(material, one, one, Curve.constant(0, 4096), zero, zero)


def test_names_can_become_longer_and_shorter(files: dict[str, bytes], rewritten: Callable[[Any], Any]) -> None:
    renamed = 0
    for name in sorted(files)[::7]:
        value = read(files[name])
        for text in ("x", "sixteen letters."):
            animation = dataclasses.replace(value.animations[0], name=text)
            if isinstance(animation, PatternAnimation | TextureSrtAnimation | ColorAnimation):
                tracks = [
                    dataclasses.replace(track, material=f"{text[:13]}{number}")
                    for number, track in enumerate(animation.tracks)
                ]
                animation = dataclasses.replace(animation, tracks=tuple(tracks))
            if isinstance(animation, PatternAnimation):
                textures = tuple([f"{text[:12]}{number}" for number in range(len(animation.textures))])
                animation = dataclasses.replace(animation, textures=textures)
            again = rewritten(type(value)((animation,)))
            assert same(again.animations[0], animation)
            renamed += 1
    assert renamed > 100


def test_two_animations_in_one_file(files: dict[str, bytes], rewritten: Callable[[Any], Any]) -> None:
    for kind in KINDS:
        first, second = [read(data).animations[0] for data in files.values() if data[:4] == kind][:2]
        value = KINDS[kind]((dataclasses.replace(first, name="a"), dataclasses.replace(second, name="b")))
        again = rewritten(value)
        assert same(again, value)


def test_no_animation_in_a_file(rewritten: Callable[[Any], Any]) -> None:
    for kind in KINDS.values():
        assert rewritten(kind(())).animations == ()


def test_pattern_keys_more_and_fewer(files: dict[str, bytes], rewritten: Callable[[Any], Any]) -> None:
    edited = 0
    for data in files.values():
        if data[:4] != b"BTP0":
            continue
        animation = read(data).animations[0]
        track = animation.tracks[0]
        more = frozen(np.concatenate([track.keys, np.array([(animation.frame_count, 0, KEEP_PALETTE)], KEY)]))
        fewer = frozen(track.keys[:1])
        for keys in (more, fewer):
            changed = dataclasses.replace(
                animation,
                frame_count=animation.frame_count + 5,
                tracks=(dataclasses.replace(track, keys=keys), *animation.tracks[1:]),
            )
            assert same(rewritten(Nsbtp((changed,))).animations[0], changed)
            edited += 1
    assert edited == 144


def resampled(curve: Curve, old: int, new: int) -> Curve:
    """The curve with another number of frames; the last sample is repeated or the end cut off."""
    if curve.step == 0:
        return curve
    picks = np.minimum(np.arange(sample_count(new, curve.step)), old - 1)
    return dataclasses.replace(curve, values=frozen(curve.values[picks]))


@pytest.mark.parametrize("change", [1, -1, 9])
def test_other_numbers_of_frames(files: dict[str, bytes], rewritten: Callable[[Any], Any], change: int) -> None:
    edited = 0
    for name in sorted(files)[::3]:
        value = read(files[name])
        animation = value.animations[0]
        old = animation.frame_count
        new = max(1, old + change)
        if isinstance(animation, VisibilityAnimation):
            rows = np.minimum(np.arange(new), old - 1)
            changed: Any = dataclasses.replace(animation, visible=frozen(animation.visible[rows]))
        elif isinstance(animation, PatternAnimation):
            changed = dataclasses.replace(animation, frame_count=new)
        else:
            tracks = []
            for track in animation.tracks:
                fields = {}
                for field in dataclasses.fields(track):
                    part = getattr(track, field.name)
                    if isinstance(part, Curve):
                        fields[field.name] = resampled(part, old, new)
                    elif isinstance(part, tuple):
                        fields[field.name] = tuple([resampled(curve, old, new) for curve in part])
                tracks.append(dataclasses.replace(track, **fields))
            changed = dataclasses.replace(animation, frame_count=new, tracks=tuple(tracks))
        assert same(rewritten(type(value)((changed,))).animations[0], changed), name
        edited += 1
    assert edited > 120


def test_a_joint_track_more_and_one_fewer(files: dict[str, bytes], rewritten: Callable[[Any], Any]) -> None:
    edited = 0
    for data in files.values():
        if data[:4] != b"BCA0":
            continue
        animation = read(data).animations[0]
        more = (*animation.tracks, JointTrack(scale_rest=True))
        changed = dataclasses.replace(animation, tracks=more)
        assert same(rewritten(Nsbca((changed,))).animations[0].tracks, more)
        fewer = animation.tracks[1:]
        assert same(rewritten(Nsbca((dataclasses.replace(animation, tracks=fewer),))).animations[0].tracks, fewer)
        edited += 1
    assert edited == 180


def steps(frames: int) -> Iterator[tuple[int, int]]:
    for step in (1, 2, 4):
        yield step, sample_count(frames, step)


def test_sample_counts() -> None:
    """Every multiple of the step up to the last one, and every frame behind it."""
    for frames in range(1, 80):
        for step, count in steps(frames):
            last = (frames - 1) // step * step
            assert count == len({*range(0, last + 1, step), *range(last, frames)})
    assert sample_count(11, 4) == 5
    assert last_stepped_frame(11, 4) == 8
    assert sample_count(10, 2) == 6
    assert last_stepped_frame(10, 1) == 10


def build_joints(frames: int = 11) -> JointAnimation:
    """All kinds of channels: every step, both widths, constants, groups absent in both ways, shared arrays."""
    numbers = {step: np.arange(count) * 37 - 50 for step, count in steps(frames)}
    wide = {step: values * 100000 for step, values in numbers.items()}
    pairs = {step: np.stack([values, -values], 1) for step, values in numbers.items()}
    pivots = tuple([Pivot(element, element % 2 == 1, True, False, 3547, -2048) for element in range(9)])
    bases = frozen([[4095, 0, -4096, 1, 2, 3], [3547, 2048, 0, -1774, 3072, 2048]], np.int16)
    turns = {step: np.arange(count) % 9 | PIVOT_ROTATION for step, count in steps(frames)}
    turns[2] = np.arange(sample_count(frames, 2)) % 2
    curves = [Curve.sampled(numbers[1]), Curve.sampled(wide[2], 2), Curve.sampled(numbers[4], 4, fx16=False)]
    scales = [Curve.sampled(pairs[4], 4), Curve.constant(4096, 4096), Curve.sampled(pairs[2] * 100000, 2)]
    tracks = (
        JointTrack(tuple(curves), Curve.sampled(turns[1], fx16=False), tuple(scales)),
        JointTrack(),
        JointTrack(translation_rest=True, rotation_rest=True, scale_rest=True),
        JointTrack(tuple(curves[::-1]), Curve.sampled(turns[2], 2, fx16=False), scale_rest=True),
        JointTrack(None, Curve.constant(PIVOT_ROTATION | 8), None),
        JointTrack((Curve.constant(-5), Curve.constant(2**31 - 1), Curve.constant(0)), Curve.constant(1)),
        JointTrack(None, Curve.sampled(turns[4], 4, fx16=False), tuple(scales)),
    )
    return JointAnimation("built", frames, tracks, pivots, bases, True, True)


def build_values() -> list[Any]:
    """A file of every kind with what no real file holds: decimated channels, more animations, kept palettes."""
    frames = 11
    numbers = {step: np.arange(count) * 300 - 500 for step, count in steps(frames)}
    turns = np.stack([numbers[2], numbers[2] + 7], 1)
    srt = TextureSrtTrack(
        "decimated",
        Curve.sampled(numbers[1]),
        Curve.sampled(numbers[2] * 1000, 2),
        Curve.sampled(turns, 2, fx16=False),
        Curve.sampled(numbers[4], 4),
        Curve.constant(-0x8001),
    )
    colors = {step: np.arange(count) * 1057 for step, count in steps(frames)}
    color = ColorTrack(
        "decimated",
        Curve.sampled(colors[1], fx16=False),
        Curve.sampled(colors[2], 2, fx16=False),
        Curve.sampled(colors[4], 4, fx16=False),
        Curve.constant(0x7FFF),
        Curve.sampled(np.arange(sample_count(frames, 4)), 4, fx16=False),
    )
    steady = ColorTrack("steady", *[Curve.constant(value) for value in (1, 2, 3, 4, 31)])
    keys = frozen(np.array([(0, 0, 0), (4, 1, KEEP_PALETTE), (10, 0, 1)], KEY))
    visible = frozen(np.arange(frames * 9).reshape(frames, 9) % 3 == 0)
    joints = build_joints()
    return [
        Nsbca((joints, dataclasses.replace(build_joints(40), name="longer", interpolate=False))),
        Nsbta((TextureSrtAnimation("srt", frames, (srt, constant_track("still")), 3, 2),)),
        Nsbma((ColorAnimation("colors", frames, (color, steady), 1),)),
        Nsbtp((PatternAnimation("pattern", 12, ("t0", "t1"), ("p0", "p1"), (PatternTrack("m", keys, 1),)),)),
        Nsbva((VisibilityAnimation("visible", visible),)),
    ]


@pytest.mark.parametrize("value", build_values(), ids=lambda value: type(value).__name__)
def test_built_files(value: Any, rewritten: Callable[[Any], Any]) -> None:
    notes: list[Any] = []
    again = rewritten(value)
    assert same(again, value)
    assert same(type(value).from_bytes(value.to_bytes(), notes=notes), value)
    assert notes == []
    assert same(from_plain(type(value), to_plain(value)), value)


def test_constants_of_texture_srt_leave_a_copy() -> None:
    animation = TextureSrtAnimation("srt", 3, (constant_track("still"),))
    data = Nsbta((animation,)).to_bytes()
    assert data.endswith(bytes.fromhex("00100000 00100000 00000010 00000000 00000000"))
    moved = dataclasses.replace(animation.tracks[0], translation_s=Curve.constant(-2))
    data = Nsbta((dataclasses.replace(animation, tracks=(moved,)),)).to_bytes()
    assert data.endswith(bytes.fromhex("00100000 00100000 00000010 FEFFFFFF 00000000"))


def test_equal_joint_arrays_are_stored_once() -> None:
    samples = np.arange(100) * 11
    one = JointTrack((Curve.sampled(samples), Curve.constant(0), Curve.constant(0)))
    single = len(Nsbca((JointAnimation("a", 100, (one,), (), frozen(np.zeros((0, 6)), np.int16)),)).to_bytes())
    double = len(Nsbca((JointAnimation("a", 100, (one, one), (), frozen(np.zeros((0, 6)), np.int16)),)).to_bytes())
    assert double - single <= 24


def test_facts_of_records() -> None:
    """Sizes and packed forms that the NITRO tools produce: basis words, the size field of a visibility animation."""
    bases = frozen([[3547, 2048, 0, -1774, 3072, 2048]], np.int16)
    track = JointTrack(None, Curve.constant(0))
    data = Nsbca((JointAnimation("a", 1, (track,), (), bases),)).to_bytes()
    words = data[-12:-2]
    assert words == np.array([0x6EDC, 0x4000, 0x0000, 0xC890, 0x6000], "<u2").tobytes()
    visible = Nsbva((VisibilityAnimation("v", frozen(np.ones((231, 9), np.bool_))),)).to_bytes()
    at = visible.index(b"V\0AV")
    assert int.from_bytes(visible[at + 8 : at + 10], "little") == 272
    assert len(visible) - at == 272


@pytest.mark.parametrize(
    "broken",
    [
        Nsbca((dataclasses.replace(build_joints(), frame_count=12),)),
        Nsbca((dataclasses.replace(build_joints(), pivots=()),)),
        Nsbca((dataclasses.replace(build_joints(), bases=frozen([[9999] * 6] * 2, np.int16)),)),
        Nsbca((dataclasses.replace(build_joints(), frame_count=70000),)),
        Nsbca((dataclasses.replace(build_joints(), name="seventeen letters"),)),
        Nsbca((JointAnimation("a", 1, (JointTrack((Curve.constant(1),)),), (), frozen(np.zeros((0, 6)), np.int16)),)),
        Nsbta((TextureSrtAnimation("a", 2, (constant_track("m"), constant_track("m"))),)),
        Nsbta((TextureSrtAnimation("a", 2, (dataclasses.replace(constant_track("m"), rotation=Curve.constant(1)),)),)),
        Nsbta((TextureSrtAnimation("a", 2, (), 256),)),
        Nsbma((ColorAnimation("a", 1, (ColorTrack("m", *[Curve.constant(1 << 16)] * 5),)),)),
        Nsbma((ColorAnimation("a", 1, (ColorTrack("m", *[Curve(frozen([1, 2], np.int32), 3)] * 5),)),)),
        Nsbtp((PatternAnimation("a", 1, ("t",) * 256, (), ()),)),
        Nsbva((VisibilityAnimation("a", frozen(np.zeros(4, np.bool_))),)),
        Nsbva((VisibilityAnimation("a", frozen(np.zeros((65535, 20), np.bool_))),)),
    ],
)
def test_values_that_do_not_fit_are_refused(broken: Any) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        broken.to_bytes()


def damage(data: bytes, random_: random.Random) -> bytes:
    changed = bytearray(data)
    kind = random_.randrange(4)
    if kind == 0:
        return bytes(changed[: random_.randrange(len(changed))])
    for _ in range(random_.randrange(1, 6)):
        place = random_.randrange(len(changed))
        if kind == 1:
            changed[place] ^= 1 << random_.randrange(8)
        elif kind == 2:
            changed[place] = random_.choice((0, 1, 0x7F, 0x80, 0xFF))
        else:
            changed[place : place + 4] = random_.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\x7f\0\0"))
    return bytes(changed)


def read_damaged(data: bytes) -> bool:
    """Whether damaged bytes still read; nothing but FormatError may be raised, also by writing what was read."""
    try:
        value = read(data) if data[:4] in KINDS else Nsbca.from_bytes(data)
    except FormatError as error:
        assert str(error)
        return False
    try:
        value.to_bytes()
    except ValueError as error:
        assert str(error)
    return True


def test_damaged_built_files() -> None:
    random_ = random.Random(1)
    files = [value.to_bytes() for value in build_values()]
    outcomes = Counter(read_damaged(damage(files[number % len(files)], random_)) for number in range(6000))
    assert sum(outcomes.values()) == 6000
    assert outcomes[False] > 1000
    assert outcomes[True] > 500


def test_every_truncation_is_refused() -> None:
    for value in build_values():
        data = value.to_bytes()
        for size in range(len(data)):
            with pytest.raises(FormatError):
                type(value).from_bytes(data[:size])


@pytest.mark.slow
def test_damaged_real_files(files: dict[str, bytes]) -> None:
    random_ = random.Random(2)
    chosen = [data for data in files.values() if len(data) < 20000]
    for number in range(40000):
        read_damaged(damage(chosen[number % len(chosen)], random_))


def test_arrays_that_overlap_do_not_multiply() -> None:
    """A file whose tracks all point into the same samples, each a little further on, is refused."""
    frames, count = 4000, 60
    track = JointTrack(tuple([Curve.sampled(np.arange(frames)) for _ in range(3)]))
    empty = frozen(np.zeros((0, 6)), np.int16)
    data = bytearray(Nsbca((JointAnimation("a", frames, (track,) * count, (), empty),)).to_bytes())
    record = data.index(b"J\0AC")
    for index in range(count):
        place = record + int.from_bytes(data[record + 20 + 2 * index : record + 22 + 2 * index], "little")
        for axis in range(3):
            at = place + 8 + 8 * axis
            offset = int.from_bytes(data[at : at + 4], "little")
            data[at : at + 4] = (offset - 2 * (3 * index + axis)).to_bytes(4, "little")
    with pytest.raises(FormatError, match="overlap"):
        Nsbca.from_bytes(bytes(data))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 60),
    st.sampled_from([1, 2, 4]),
    st.booleans(),
    st.text(st.characters(codec="latin-1", exclude_characters="\0"), max_size=15),
    st.randoms(use_true_random=False),
)
def test_any_texture_srt_animation(frames: int, step: int, wide: bool, name: str, source: random.Random) -> None:
    limit = 2**31 - 1 if wide else 0x7FFF

    def curve() -> Curve:
        return Curve.sampled(
            [source.randint(-limit, limit) for _ in range(sample_count(frames, step))], step, fx16=not wide
        )

    turns = [[source.randint(-4096, 4096), source.randint(-4096, 4096)] for _ in range(sample_count(frames, step))]
    track = TextureSrtTrack(name, curve(), curve(), Curve.sampled(turns, step, fx16=False), curve(), curve())
    value = Nsbta((TextureSrtAnimation(name, frames, (track,)),))
    assert same(Nsbta.from_bytes(value.to_bytes()), value)
