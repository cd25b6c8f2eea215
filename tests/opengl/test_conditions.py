"""What the DS view, both OpenGL views and the exporter take from the conditions of a moment, for every map header."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer.export.gltf.field import _FieldWriter
from mapexplorer.export.gltf.written_models import WrittenModels
from mapexplorer.export.options import ExportOptions
from mapexplorer.g3d.matrix import IDENTITY33
from mapexplorer.games.field_tables import FogRegisters
from mapexplorer.gpu import registers as reg
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.opened_map import arrive
from mapexplorer.gui.model.settings import Settings
from mapexplorer.opengl.state import PEOPLE_LIGHT, FrameState
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world.save import fresh_save

HOURS = (6, 12, 20)
GYM_OF_CANALAVE = 35


def of_registers(values: Any) -> dict[str, Any]:
    """Fog, edge colours and clear colour as the 3D engine holds them."""

    def rgb5(word: int) -> tuple[int, int, int]:
        return word & 31, word >> 5 & 31, word >> 10 & 31

    control, clear = int(values[reg.DISP3DCNT]), int(values[reg.CLEAR_COLOR])
    fog = None
    if control & reg.FOG:
        densities = tuple(values[reg.FOG_TABLE : reg.FOG_TABLE + 32].tolist())
        color = int(values[reg.FOG_COLOR])
        fog = FogRegisters(True, control >> 8 & 15, int(values[reg.FOG_OFFSET]), rgb5(color), color >> 16, densities)
    edges = tuple(rgb5(int(word)) for word in values[reg.EDGE_COLOR : reg.EDGE_COLOR + 8])
    shown = tuple(channel / 31 for channel in rgb5(clear)) if clear >> 16 & 31 else (0.0, 0.0, 0.0)
    return {"fog": fog, "edges": edges, "clear": shown}


def of_state(state: FrameState) -> dict[str, Any]:
    """The same as the OpenGL view is told."""
    return {"fog": state.fog, "edges": state.edge_colors, "clear": state.background}


@pytest.mark.gl
@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_all_views_use_the_same_conditions(either: Any, tmp_path: Path, step: int) -> None:
    from mapexplorer.gui.views.gl_frame_state import frame_states
    from mapexplorer.opengl.scenes import scene_state

    explorer = Explorer(Settings(tmp_path / "settings.json"))
    explorer.open(either, "", arrive(either, 0, fresh_save(either.game)))
    state = frame_states(explorer)
    compared, foggy = 0, set()
    headers = either.headers
    is_large = len(headers) > GYM_OF_CANALAVE
    for header in (*headers[::step], headers[GYM_OF_CANALAVE]) if is_large else headers:
        explorer.go(header.id)
        place = explorer.place
        assert place is not None
        scene = FieldScene(place, View(at=explorer.tile)) if place.matrix_cells else None
        for hour in HOURS if scene is not None else ():
            second = hour * 3600
            scene.set_second(second)
            explorer.clock.set_second(second)
            states = [scene_state(scene), state(0)]
            expected = of_registers(scene.registers)
            assert [of_state(state) for state in states] == [expected, expected], (header.id, hour)
            light_set = place.light_set().value
            [drawn] = scene.passes()
            used = {state.lights[key] for state in states for key in (light_set, PEOPLE_LIGHT)} | {drawn.flush.light}
            models = WrittenModels(place.world, ExportOptions(second=second))
            writer = _FieldWriter(place, models, list(scene.block.cells))
            used.add(writer._light(light_set, IDENTITY33).light)
            assert len(used) == 1, (header.id, hour)
            assert {(cell.x, cell.z) for cell in scene.block.cells} == _resident(explorer)
            foggy |= {header.id} if expected["fog"] else set()
            compared += 1
    if is_large:
        assert compared > 570 // step * len(HOURS)
        assert GYM_OF_CANALAVE in foggy
    assert compared >= 8 * len(HOURS)


def _resident(explorer: Explorer) -> set[tuple[int, int]]:
    """The cells that the OpenGL view asks for."""
    from mapexplorer.gui.views.gl_contents import resident_cells

    return set(resident_cells(explorer))


def test_a_night_differs_from_a_day(demo: Any) -> None:
    scene = FieldScene(demo.place("T01"))
    noon = scene.passes()[0].flush.light
    scene.set_second(22 * 3600)
    night = scene.passes()[0].flush.light
    assert noon.lights.colors != night.lights.colors and np.any(scene.registers)
