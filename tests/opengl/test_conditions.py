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
from mapexplorer.gpu.picture import displayed
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.opened_map import arrive
from mapexplorer.gui.model.settings import Settings
from mapexplorer.opengl.state import PEOPLE_LIGHT, FrameState
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.units import NOON, SECONDS_PER_HOUR
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


@pytest.mark.gl
def test_a_sky_is_seen_beyond_the_map_by_other_cameras_in_both_views(current: Any, demo: Any) -> None:
    """Only where nothing is drawn, only outdoors, and not with the game's camera."""
    from mapexplorer.opengl.scenes import SceneView

    gl = SceneView()
    skies = []
    for second, weather in ((NOON, 0), (23 * SECONDS_PER_HOUR, 0), (NOON, 5)):
        view = View(second, at=(7, 35), camera="free", pitch=15, fov=70, weather=weather, sky=True)
        scene = FieldScene(demo.place("T01"), view)
        raw, shown = scene.render(raw=True), scene.render()[..., :3]
        nothing, covered, bare = raw[..., 3] == 0, raw[..., 3] == 31, displayed(raw)[..., :3]
        assert 0.1 < nothing.mean() < 0.9 and not bare[nothing].any()
        np.testing.assert_array_equal(shown[covered], bare[covered])
        both = nothing & (np.roll(nothing, 3, 0) & np.roll(nothing, -3, 0))
        assert np.abs(shown.astype(int) - gl.draw(scene)[..., :3])[both].max() <= 2
        skies.append(shown[nothing].mean(0))
    noon, night, snow = skies
    assert noon[2] > noon[0] + 20, "blue"
    assert night.max() < noon.min(), "dark"
    fog = Conditions(demo.place("T01"), weather_choice=5).fog
    assert fog is not None
    assert np.ptp(snow) < 30 and abs(snow.mean() - np.mean(fog.color) * 255 / 31) < 40, "the colour of its fog"
    for name, camera in (("T01R0101", "free"), ("T01", "game")):
        scenes = [FieldScene(demo.place(name), View(camera=camera, sky=sky)) for sky in (False, True)]
        np.testing.assert_array_equal(*[scene.render() for scene in scenes])
