"""Verification: everything in the real ROM comes back, and each kind of damage is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from formats.field import AreaBuild, AreaData, MapMatrix, PropAnimations
from mapexplorer.rom import Rom, build_archive, open_rom
from mapexplorer.world import World, paths
from mapexplorer.world.verification import HEADERS, TERRAIN_MODELS, verify


def test_the_real_rom(rom_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    with open_rom(rom_path) as rom:
        found = verify(rom, jobs=2, progress=lambda done, parts: steps.append((done, parts)))
    assert found.problems == []
    expected = {
        HEADERS: 593,
        "map matrices": 289,
        "land data": 666,
        "areas": 75,
        "prop lists": 71,
        "light sets": 4,
        "animation list entries": 590,
        "draw list files": 1,
        "event files": 534,
        "terrain animation lists": 1,
        "message banks": 724,
        "NSBTX": 715,
    }
    assert {kind: found.counts[kind] for kind in expected} == expected
    assert found.counts["NSBMD"] + found.counts[TERRAIN_MODELS] == 1695
    assert any("land_data.narc[506]" in note for note in found.notes)
    assert any("pl_enc_data.narc is absent" in note for note in found.notes)
    assert [done for done, _ in steps] == list(range(1, len(steps) + 1))
    assert len(steps) > 40


def test_the_tiny_rom_has_no_problems(tiny_rom: Callable[..., Rom]) -> None:
    found = verify(tiny_rom(), jobs=1)
    assert found.problems == []
    assert found.counts["land data"] == 2
    assert found.counts["NSBMD"] == 3
    assert found.read > 450


matrix = MapMatrix("s", np.array([[9]], np.uint16), None, np.array([[7]], np.uint16)).to_bytes()


@pytest.mark.parametrize(
    ("path", "members", "sentence"),
    [
        (paths.MAP_MATRIX, [matrix, matrix], "map_matrix[0]: land data 7 is not one of the 2 members"),
        (paths.MAP_MATRIX, [matrix, matrix], "map_matrix[0]: there is no header 9"),
        (paths.AREA_DATA, [AreaData(0, 5, 0, 0).to_bytes()] * 2, "area_data[0]: terrain set 5 is not one of the 2"),
        (
            paths.AREA_BUILD,
            [AreaBuild(np.array([3], np.uint16)).to_bytes()] * 2,
            "area_build[0]: prop model 3 is not one of the 3",
        ),
        (paths.AREA_DATA, [bytes(8), bytes(5)], "area_data.narc[1]"),
        (paths.TERRAIN_TEXTURES, [b"BTX0" + bytes(40)] * 2, "map_tex_set.narc[0]"),
        (paths.AREA_DATA, [bytes(8), bytes(9)], "written back, it differs from byte 0x8 on (9 bytes, now 8)"),
    ],
)
def test_damage_is_found(tiny_rom: Callable[..., Rom], path: str, members: list[bytes], sentence: str) -> None:
    found = verify(tiny_rom({path: build_archive(members)}), jobs=1)
    assert any(sentence in problem for problem in found.problems), found.problems


def test_a_damaged_archive_is_one_problem(tiny_rom: Callable[..., Rom]) -> None:
    found = verify(tiny_rom({"data/extra.narc": b"NARC" + bytes(30)}), jobs=1)
    assert len(found.problems) == 1
    assert found.problems[0].startswith("data/extra.narc")


def test_warps_into_nowhere(tiny_rom: Callable[..., Rom]) -> None:
    world = World(tiny_rom())
    events = world.events(3)
    assert events is not None
    warps = events.warps.copy()
    warps["header"][0], warps["warp"][2] = 77, 9
    changed = type(events)(events.background, events.objects, warps, events.triggers).to_bytes()
    empty = world.rom.archive(paths.ZONE_EVENT)[0]
    found = verify(tiny_rom({paths.ZONE_EVENT: build_archive([empty, changed])}), jobs=1)
    assert "events of header 3, warp 0: there is no header 77" in found.problems
    assert "events of header 3, warp 2: header 3 has no warp 9" in found.problems


def test_animations_outside_their_archive(tiny_rom: Callable[..., Rom]) -> None:
    entries = build_archive([PropAnimations(1, 0, 0, 0, (4, -1, -1, -1)).to_bytes()])
    found = verify(tiny_rom({paths.PROP_ANIMATION_LIST: entries, paths.PROP_ANIMATIONS: None}), jobs=1)
    assert found.problems == []
    for members in ([], [b"x"]):
        files: dict[str, bytes | None] = {paths.PROP_ANIMATION_LIST: entries}
        found = verify(tiny_rom(files | {paths.PROP_ANIMATIONS: build_archive(members)}), jobs=1)
        count = f"{len(members)} members of arc/bm_anime.narc"
        assert found.problems == [f"bm_anime_list[0]: animation 4 is not one of the {count}"]
