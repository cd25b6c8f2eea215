"""Of many random edits all are found, and no other change."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mapexplorer.compare.change import Change
from mapexplorer.compare.comparison import compare
from mapexplorer.world.world import FieldWorld
from tests.compare.conftest import Edits
from tests.compare.random_edits import Told, random_edits

_NITROCODE = bytes.fromhex("2106C0DEDEC00621")


@pytest.mark.parametrize("seed", range(3))
def test_forty_edits_of_the_demo_world(edits: Edits, changes: Callable[[Edits], tuple[Change, ...]], seed: int) -> None:
    expected = random_edits(edits, random.Random(seed), 40)
    assert _told(changes(edits)) == sorted(expected, key=str)


@pytest.mark.slow
def test_five_hundred_edits_of_the_real_rom(rom_path: Path, tmp_path: Path) -> None:
    edits = Edits(FieldWorld.open(rom_path))
    mark = edits.arm9.find(_NITROCODE)
    edits.arm9[mark - 8 : mark - 4] = bytes(4)  # the program is stored unpacked
    before, after = tmp_path / "before.nds", tmp_path / "after.nds"
    before.write_bytes(edits.image())
    expected = random_edits(edits, random.Random(24), 500)
    after.write_bytes(edits.image())
    found = compare(FieldWorld.open(before), FieldWorld.open(after)).changes
    assert len({one.kind for one in found}) >= 17 and _told(found) == sorted(expected, key=str)


def _told(changes: Sequence[Change]) -> list[Told]:
    return sorted(((one.kind, one.action, one.key, one.field) for one in changes), key=str)
