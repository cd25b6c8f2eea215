"""Area light against the ground truth: which block is in force, the words it sets, the running clock."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from formats.field.area_light import AreaLight
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene import light
from mapexplorer.world.opening import open_rom


@pytest.fixture(scope="module")
def light_sets(rom_path: Path) -> list[AreaLight]:
    archive = open_rom(rom_path).archive("data/arealight.narc")
    return [AreaLight.from_bytes(archive.reader(index)) for index in range(len(archive))]


def test_block_and_words_of_every_minute(light_sets: list[AreaLight], vectors: Path) -> None:
    truth = np.load(vectors / "g3d" / "area_light.npz")
    count = 0
    for row, (number, second) in enumerate(zip(truth["light_file"].tolist(), truth["second"].tolist(), strict=True)):
        active = light.first_block(light_sets[number], second)
        state = light.light_state(
            light_sets[number].blocks[active], recolors=number in PLATINUM.tables.engine.outdoor_light_sets
        )
        assert active == truth["active"][row]
        assert list(state.lights.vectors) == truth["light_vector"][row].tolist()
        assert list(state.lights.colors) == truth["light_color"][row].tolist()
        words = (truth["dif_amb"][row], truth["spe_emi"][row], truth["polygon_attr"][row])
        found = state.global_state
        assert (found.dif_amb, found.spe_emi, found.polygon_attr) == words
        count += 1
    assert count == len(truth["active"]) > 3000


def test_running_clock(light_sets: list[AreaLight], vectors: Path) -> None:
    truth = np.load(vectors / "g3d" / "area_light.npz")
    count = 0
    for row, number in enumerate(truth["trace_file"].tolist()):
        active = light.first_block(light_sets[number], int(truth["trace_start"][row]))
        found = [active]
        for second in truth["trace_seconds"][row].tolist():
            active = light.next_block(light_sets[number], active, second)
            found.append(active)
        assert found == truth["trace_active"][row].tolist()
        count += 1
    assert count == len(truth["trace_file"]) > 40
