from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import Bdhc, LandData
from formats.field.bdhc import (
    ANY_HEIGHT,
    CAMERA_PARAMETER,
    CAMERA_PLATE,
    NORMAL,
    PLATE,
    POINT,
    CameraPlates,
)
from formats.field.height_plates import HeightReason, Strip
from mapexplorer.rom import Rom

ONE = 4096
LAND = "fielddata/land_data/land_data.narc"


def flat(heights: list[int], strips: list[tuple[int, list[int]]]) -> Bdhc:
    """Plates of the whole cell at the given heights (fx32), in the given strips."""
    edge = 256 * ONE
    return Bdhc(
        frozen([(-edge, -edge), (edge, edge)], POINT),
        frozen([(0, ONE, 0)], NORMAL),
        frozen([-height for height in heights], "<i4"),
        frozen([(0, 1, 0, index) for index in range(len(heights))], PLATE),
        tuple(Strip(scanline, frozen(plates, "<u2")) for scanline, plates in strips),
    )


TWO_LEVELS = flat([0, 100 * ONE], [(0, [0]), (256 * ONE, [0, 1])])


def test_the_layout_is_counts_and_six_lists() -> None:
    data = TWO_LEVELS.to_bytes()
    assert data[:4] == b"BDHC"
    assert np.frombuffer(data, "<u2", 6, 4).tolist() == [2, 1, 2, 2, 2, 3]
    assert len(data) == 16 + 2 * 8 + 12 + 2 * 4 + 2 * 8 + 2 * 8 + 3 * 2
    strips = 16 + 16 + 12 + 8 + 16
    assert np.frombuffer(data, "<u2", 2, strips + 4).tolist() == [1, 0]
    assert np.frombuffer(data, "<u2", 2, strips + 12).tolist() == [2, 1]
    assert data[-6:] == bytes((0, 0, 0, 0, 1, 0))


@pytest.mark.parametrize(
    "edited",
    [
        replace(TWO_LEVELS, constants=frozen([0, -7], "<i4")),
        replace(TWO_LEVELS, points=frozen([*TWO_LEVELS.points.tolist(), (1, 2)], POINT)),
        replace(TWO_LEVELS, normals=frozen([(0, ONE, 0), (0, 2896, 2896)], NORMAL)),
        replace(TWO_LEVELS, plates=frozen([*TWO_LEVELS.plates.tolist(), (1, 0, 0, 0)], PLATE)),
        replace(TWO_LEVELS, strips=(*TWO_LEVELS.strips, Strip(300 * ONE, frozen([1, 1, 0], "<u2")))),
        replace(TWO_LEVELS, strips=TWO_LEVELS.strips[1:]),
        replace(TWO_LEVELS, strips=(Strip(0, frozen([], "<u2")), TWO_LEVELS.strips[1])),
        flat([], []),
    ],
)
def test_edits_are_written_and_read_back(edited: Bdhc, rewritten: Callable[[Any], Any]) -> None:
    assert same(rewritten(edited), edited)
    assert not same(edited, TWO_LEVELS)


def test_the_nearest_plate_wins_and_the_first_one_wins_ties() -> None:
    assert TWO_LEVELS.height_at(0, 100 * ONE, 49 * ONE) == (0, 0)
    assert TWO_LEVELS.height_at(0, 100 * ONE, 51 * ONE) == (100 * ONE, 1)
    answer = TWO_LEVELS.query(0, 100 * ONE, 50 * ONE)
    assert answer is not None
    assert (answer.height, answer.plate, answer.strip, answer.candidates) == (0, 0, 1, 2)
    assert answer.reason is HeightReason.NEAREST_PLATE


def test_a_point_on_a_scanline_belongs_to_the_next_strip_and_beyond_the_last_to_the_last() -> None:
    assert [TWO_LEVELS.strip_at(z) for z in (-1, 0, 1, 256 * ONE, 999 * ONE)] == [0, 1, 1, 1, 1]
    only = TWO_LEVELS.query(0, -1, 90 * ONE)
    assert only is not None and (only.plate, only.candidates) == (0, 1)
    assert only.reason is HeightReason.ONLY_PLATE


def test_bounds_include_all_four_edges() -> None:
    edge = 256 * ONE
    for x, z in ((-edge, -edge), (edge, edge), (-edge, edge), (edge, -edge)):
        assert TWO_LEVELS.query(x, z, 0) is not None
    for x, z in ((-edge - 1, 0), (edge + 1, 0), (0, -edge - 1), (0, edge + 1)):
        assert TWO_LEVELS.query(x, z, 0) is None


def test_no_more_than_ten_candidates_are_looked_at() -> None:
    many = flat([index * ONE for index in range(20)], [(256 * ONE, list(range(20)))])
    answer = many.query(0, 0, 19 * ONE)
    assert answer is not None and (answer.plate, answer.candidates) == (9, 10)


def test_without_strips_there_is_no_height() -> None:
    assert flat([0], []).query(0, 0, 0) is None


def test_a_vertical_plate_answers_zero_as_the_divider_does() -> None:
    wall = replace(TWO_LEVELS, normals=frozen([(ONE, 0, 0)], NORMAL))
    assert wall.height_at(0, 0, 0) == (0, 0)


@pytest.mark.parametrize(
    "offset, value, path",
    [
        (16 + 16 + 12 + 8 + 0, 2, "BDHC > plates > first_point"),
        (16 + 16 + 12 + 8 + 4, 1, "BDHC > plates > normal"),
        (16 + 16 + 12 + 8 + 6, 2, "BDHC > plates > constant"),
        (16 + 16 + 12 + 8 + 16 + 6, 3, "BDHC > strips"),
        (16 + 16 + 12 + 8 + 16 + 16, 2, "BDHC > access list"),
    ],
)
def test_an_index_outside_its_list_is_a_format_error(offset: int, value: int, path: str) -> None:
    data = bytearray(TWO_LEVELS.to_bytes())
    data[offset] = value
    with pytest.raises(FormatError) as caught:
        Bdhc.from_bytes(data)
    assert caught.value.path == path
    assert offset - 6 <= caught.value.offset <= offset


@pytest.mark.parametrize("size", range(len(TWO_LEVELS.to_bytes())))
def test_truncated_plates_are_a_format_error(size: int) -> None:
    with pytest.raises(FormatError):
        Bdhc.from_bytes(TWO_LEVELS.to_bytes()[:size])


def test_shared_access_entries_are_noted_and_laid_out_anew(rewritten: Callable[[Any], Any]) -> None:
    data = bytearray(TWO_LEVELS.to_bytes())
    strips = 16 + 16 + 12 + 8 + 16
    data[strips + 4 : strips + 8] = data[strips + 12 : strips + 16]
    notes: Notes = []
    shared = Bdhc.from_bytes(data, notes=notes)
    assert len(notes) == 1
    assert [strip.plates.tolist() for strip in shared.strips] == [[0, 1], [0, 1]]
    assert same(rewritten(shared), shared)


def read(rom: Rom, land: int) -> Bdhc:
    return LandData.sections(rom.archive(LAND)[land]).read_bdhc()


def test_all_recorded_queries_of_the_game_are_identical(rom: Rom, vectors: Path) -> None:
    table = np.load(vectors / "g3d" / "bdhc_height.npz")
    lands: dict[int, Bdhc] = {}
    count = wrong = 0
    columns = ("land", "x", "z", "cur_height", "found", "height", "plate", "candidates")
    for land, x, z, y, *expected in zip(*(table[column].tolist() for column in columns), strict=True):
        if land not in lands:
            lands[land] = read(rom, land)
        answer = lands[land].query(x, z, y)
        found = [1, answer.height, answer.plate, answer.candidates] if answer else [0, 0, -1, 0]
        assert lands[land].height_at(x, z, y) == (tuple(found[1:3]) if answer else None)
        count += 1
        wrong += found != expected
    assert (count, wrong) == (22980, 0)


WORKED = [
    (150, (30, 3), {31: 98402}),
    (200, (9, 3), {10: -32818}),
    (250, (7, 7), {6: -8192, 7: -8253}),
    (300, (3, 10), {9: 90026}),
    (400, (2, 2), {0: -32677}),
    (28, (11, 8), {2: 377224, 42: 65536}),
    (225, (5, 10), {0: 0, 1: 655360, 2: 1310720, 3: 1966080}),
]


@pytest.mark.parametrize("land, tile, plates", WORKED)
def test_worked_examples(rom: Rom, land: int, tile: tuple[int, int], plates: dict[int, int]) -> None:
    bdhc = read(rom, land)
    x, z = ((16 * place + 8 - 256) * ONE for place in tile)
    assert dict(bdhc.candidates(x, z)[1]) == plates
    for plate, height in plates.items():
        assert bdhc.height_at(x, z, height) == (height, plate)


def test_plates_of_the_worked_examples_have_the_known_planes(rom: Rom) -> None:
    planes = []
    for land, plate in ((150, 31), (200, 10), (300, 9), (400, 0)):
        bdhc = read(rom, land)
        record = bdhc.plates[plate]
        planes.append((bdhc.normals[record["normal"]].tolist(), int(bdhc.constants[record["constant"]])))
    assert planes == [
        ((0, 2896, -2896), -648773),
        ((2896, 2896, 0), 324387),
        ((2896, 2897, 0), 515527),
        ((-2896, 2896, 0), -602432),
    ]


def test_the_real_plates_add_up(rom: Rom) -> None:
    total = sloped = most = 0
    for data in rom.archive(LAND):
        bdhc = LandData.sections(data).read_bdhc()
        normals = bdhc.normals[bdhc.plates["normal"]]
        total += len(bdhc.plates)
        sloped += int(((normals["x"] != 0) | (normals["z"] != 0)).sum())
        most = max(most, len(bdhc.plates))
    assert (total, sloped, most) == (8974, 1004, 1033)


@pytest.mark.slow
def test_every_tile_centre_has_the_known_number_of_candidates(rom: Rom) -> None:
    counts: Counter[int] = Counter()
    for data in rom.archive(LAND):
        bdhc = LandData.sections(data).read_bdhc()
        for z in range(-248, 256, 16):
            for x in range(-248, 256, 16):
                counts[min(3, len(bdhc.candidates(x * ONE, z * ONE)[1]))] += 1
    assert counts == {0: 161211, 1: 517486, 2: 2502, 3: 785}


@pytest.mark.parametrize("kind", [int, np.int32, np.int64])
def test_numbers_of_numpy_are_taken_as_they_are(kind: Callable[[int], Any]) -> None:
    """Their products would wrap: the query counts with 64 bits and the divider with more."""
    slope = replace(flat([0], [(0, [0])]), normals=frozen([(-2896, 2896, 0)], NORMAL))
    x, z, y = kind(200 * ONE), kind(-100 * ONE), kind(0)
    assert slope.height_at(x, z, y) == (200 * ONE, 0)
    answer = slope.query(x, z, y)
    assert answer is not None and answer.height == 200 * ONE and type(answer.height) is int


@pytest.mark.parametrize("padding", [0, 3, 18])
def test_camera_plates_follow_the_plates(padding: int) -> None:
    cameras = CameraPlates(
        frozen([(1, 2, 3, 4, ANY_HEIGHT, 2, 0), (5, 6, 7, 8, 1, 0, 0)], CAMERA_PLATE),
        (frozen([(2, 30, 0x30000)], CAMERA_PARAMETER), frozen([], CAMERA_PARAMETER)),
    )
    data = replace(TWO_LEVELS, cameras=cameras).to_bytes()
    plain = TWO_LEVELS.to_bytes()
    assert np.frombuffer(data, "<u2", 2).tolist() == [len(data) - len(plain), data.index(b"DCAM") - 16]
    padded = b"\0\0\0\0" + data[4 : len(plain)] + b"\xff" * padding + data[data.index(b"DCAM") :]
    for section in (data, padded):
        notes: Notes = []
        read = Bdhc.from_bytes(section, notes=notes)
        assert read.cameras is not None and len(notes) == 1
        assert same(replace(read, cameras=None), TWO_LEVELS)
        assert [list(row)[:6] for row in read.cameras.plates.tolist()] == [
            [1, 2, 3, 4, ANY_HEIGHT, 2],
            [5, 6, 7, 8, 1, 0],
        ]
        assert read.to_bytes() == data
    notes = []
    lost = Bdhc.from_bytes(data[:-10], notes=notes)
    assert lost.cameras is not None and not len(lost.cameras.plates) and "cannot be read" in str(notes[0])
    assert same(replace(lost, cameras=None), TWO_LEVELS)
    with pytest.raises(FormatError, match="BDHC"):
        Bdhc.from_bytes(b"\0\0\0\0" + plain[4:])
