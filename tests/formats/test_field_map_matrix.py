from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import MapMatrix
from formats.field.map_matrix import EMPTY_CELL
from mapexplorer.rom import Rom

WIDE = MapMatrix(
    "m_x",
    frozen([[1, 2, 3], [4, 5, 6]], "<u2"),
    frozen([[0, 7, 0], [0, 0, 9]], "u1"),
    frozen([[10, 11, EMPTY_CELL], [12, 13, 14]], "<u2"),
)
BARE = MapMatrix("", None, None, frozen([[5], [6]], "<u2"))


def test_width_comes_first_and_sections_follow_the_prefix() -> None:
    data = WIDE.to_bytes()
    assert data[:8] == b"\x03\x02\x01\x01\x03m_x"
    assert data[8:20] == np.arange(1, 7, dtype="<u2").tobytes()
    assert data[20:26] == bytes((0, 7, 0, 0, 0, 9))
    assert BARE.to_bytes() == b"\x01\x02\x00\x00\x00\x05\x00\x06\x00"
    assert (WIDE.width, WIDE.height) == (3, 2)


@pytest.mark.parametrize(
    "edited",
    [
        replace(WIDE, prefix="m_longer"),
        replace(WIDE, prefix="m"),
        replace(WIDE, headers=None),
        replace(WIDE, altitudes=None),
        replace(WIDE, land=frozen([[10, 11, 12], [12, 13, 14]], "<u2")),
        MapMatrix("m_x", None, None, frozen(np.zeros((5, 4)), "<u2")),
        MapMatrix("m_x", WIDE.headers[:1], WIDE.altitudes[:1], WIDE.land[:1]),  # type: ignore[index]
    ],
)
def test_edits_are_written_and_read_back(edited: MapMatrix, rewritten: Callable[[Any], Any]) -> None:
    assert same(rewritten(edited), edited)
    assert not same(edited, WIDE)


def test_a_longer_prefix_moves_what_follows_and_changes_nothing_else() -> None:
    before, after = WIDE.to_bytes(), replace(WIDE, prefix="m_xyz").to_bytes()
    assert after[:4] == before[:4] and after[4] == 5 and after[10:] == before[8:]


@pytest.mark.parametrize(
    "wrong",
    [
        replace(WIDE, headers=frozen([[1]], "<u2")),
        replace(WIDE, land=frozen([[1, 2, 3], [4, 5, 6]], "<u4")),
        replace(BARE, land=frozen(np.zeros((1, 256)), "<u2")),
        replace(BARE, prefix="x" * 256),
    ],
)
def test_what_has_no_room_is_refused(wrong: MapMatrix) -> None:
    with pytest.raises(ValueError):
        wrong.to_bytes()


@pytest.mark.parametrize("size", range(len(WIDE.to_bytes())))
def test_a_truncated_matrix_is_a_format_error(size: int) -> None:
    with pytest.raises(FormatError) as caught:
        MapMatrix.from_bytes(WIDE.to_bytes()[:size])
    assert caught.value.path == "map matrix"


def test_unusual_things_are_noted() -> None:
    notes: Notes = []
    MapMatrix.from_bytes(replace(BARE, prefix="x" * 17).to_bytes() + b"\xff\xff", notes=notes)
    assert [note.offset for note in notes] == [4, 5 + 17 + 4]


def test_the_real_matrices_have_the_known_sizes(rom: Rom) -> None:
    matrices = [MapMatrix.from_bytes(data) for data in rom.archive("fielddata/mapmatrix/map_matrix.narc")]
    assert Counter((matrix.width, matrix.height) for matrix in matrices) == {
        (1, 1): 222, (1, 2): 7, (2, 3): 2, (2, 2): 33, (3, 3): 3, (3, 1): 2, (2, 1): 14, (3, 2): 3, (30, 30): 1,
        (15, 15): 1, (4, 5): 1,
    }  # fmt: skip
    assert [i for i, matrix in enumerate(matrices) if matrix.headers is not None] == [0, 240]
    assert [i for i, matrix in enumerate(matrices) if matrix.altitudes is not None] == [0, 240]
    assert [int((matrix.land == EMPTY_CELL).sum()) for matrix in matrices if (matrix.land == EMPTY_CELL).any()] == [432]
    used = {int(land) for matrix in matrices for land in matrix.land.flat} - {EMPTY_CELL}
    assert len(used) == 656
    overworld = matrices[0]
    assert overworld.headers is not None and overworld.altitudes is not None
    assert overworld.prefix == "map" and (overworld.headers == 0).sum() == 731
    raised = [matrix.land[matrix.altitudes != 0] for matrix in matrices if matrix.altitudes is not None]
    assert sum(len(land) for land in raised) == 313
    assert {int(land) for lands in raised for land in lands} == set(range(173, 180))
    assert overworld.headers[27, 3] == 411 and overworld.land[27, 3] == 0
