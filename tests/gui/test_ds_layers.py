"""Opacity, wireframe and missing textures in the DS view: blended from exact pictures, else exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import Qt

from mapexplorer.gui.model.layers import Layers
from mapexplorer.inspector.places.pixel import sentences
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world.save import fresh_save

Wait = Callable[[Any], None]

ALL = ("terrain", "props", "people")
WITHOUT_TEXTURE = 324


def exact(window: Any, layers: tuple[str, ...] = ALL, **options: Any) -> np.ndarray:
    """The picture that the engine makes of what the window shows, by a scene made for it."""
    request = window.jobs.frame.request
    view = View(request.view.second, at=request.view.at, layers=layers, **options)
    scene = FieldScene(window.explorer.place, view, camera=camera_of(window))
    return scene.render(request.view.tick)


def camera_of(window: Any) -> Any:
    return window.explorer.view.scene_camera(window.explorer.place.camera)


def blend(*parts: tuple[float, np.ndarray]) -> np.ndarray:
    return np.rint(sum(weight * picture for weight, picture in parts)).astype(np.uint8)


def test_the_picture_is_the_engines_own_when_nothing_is_blended(demo: Any, settle: Wait, shown_picture: Any) -> None:
    layers = demo.explorer.layers
    assert not demo.jobs.frame.altered
    assert np.array_equal(demo.jobs.frame.picture, exact(demo))
    for name in ALL:
        layers.show(name, False)
        settle(demo)
        rest = tuple(layer for layer in ALL if layer != name)
        assert np.array_equal(demo.jobs.frame.picture, exact(demo, rest)) and not demo.jobs.frame.altered
        layers.show(name, True)
        layers.set_opacity(name, 0.0)
        settle(demo)
        assert np.array_equal(demo.jobs.frame.picture, exact(demo, rest)) and not demo.jobs.frame.altered
        layers.set_opacity(name, 1.0)
        settle(demo)
    assert np.array_equal(shown_picture(demo), exact(demo)[..., :3])
    # One scene has drawn all of them.
    assert len(demo.jobs.rom.draw._scenes) == 1


def test_a_slider_in_the_panel_blends_a_layer(demo: Any, settle: Wait, shown_picture: Any) -> None:
    demo.docks.show("layers")
    slider = demo.layers._sliders["props"]
    assert not slider.isVisible()
    demo.layers._boxes["props"].setFocus(Qt.TabFocusReason)
    assert slider.isVisible() and slider.isEnabled()
    slider.setValue(30)
    settle(demo)
    expected = blend((0.3, exact(demo)), (0.7, exact(demo, ("terrain", "people"))))
    assert np.array_equal(demo.jobs.frame.picture, expected)
    assert np.array_equal(shown_picture(demo), expected[..., :3])
    assert "not the console's picture: blended layers" in demo.status.tick.text()
    slider.setValue(100)
    settle(demo)
    assert np.array_equal(demo.jobs.frame.picture, exact(demo))
    assert demo.status.tick.text() == f"tick {demo.jobs.frame.request.view.tick}"


def test_layers_blend_one_within_the_other(demo: Any, settle: Wait) -> None:
    layers = demo.explorer.layers
    layers.set_opacity("terrain", 0.5)
    layers.set_opacity("props", 0.25)
    settle(demo)
    expected = blend(
        (0.125, exact(demo)),
        (0.375, exact(demo, ("terrain", "people"))),
        (0.125, exact(demo, ("props", "people"))),
        (0.375, exact(demo, ("people",))),
    )
    assert np.array_equal(demo.jobs.frame.picture, expected)
    drawn = demo.jobs.frames_drawn
    demo.jobs.request_frame()
    settle(demo)
    assert demo.jobs.frames_drawn == drawn, "at rest nothing is drawn again"


def test_the_wireframe_is_the_engines_and_is_mixed_by_its_opacity(demo: Any, settle: Wait) -> None:
    box, slider = demo.layers._boxes["wireframe"], demo.layers._sliders["wireframe"]
    assert box.isEnabled() and not box.isChecked()
    box.setChecked(True)
    settle(demo)
    edges = exact(demo, wireframe=True)
    assert np.array_equal(demo.jobs.frame.picture, blend((0.4, exact(demo)), (0.6, edges)))
    assert slider.isEnabled() and demo.jobs.frame.altered == "edges"
    slider.setValue(100)
    settle(demo)
    assert np.array_equal(demo.jobs.frame.picture, edges) and not np.array_equal(edges, exact(demo))
    demo.explorer.layers.show("props", False)
    settle(demo)
    assert np.array_equal(demo.jobs.frame.picture, exact(demo, ("terrain", "people"), wireframe=True))
    box.setChecked(False)
    demo.explorer.layers.show("props", True)
    settle(demo)
    assert np.array_equal(demo.jobs.frame.picture, exact(demo))


def test_missing_textures_are_magenta_when_they_are_wanted(real: Any, settle: Wait, shown_picture: Any) -> None:
    real.explorer.go(WITHOUT_TEXTURE)
    settle(real)
    box = real.layers._boxes["missing_ds"]
    # By default the DS view keeps to the console.
    assert box.isEnabled() and not box.isChecked() and not real.layers._boxes["missing"].isEnabled()
    assert np.array_equal(real.jobs.frame.picture, exact(real)) and not real.jobs.frame.altered
    box.setChecked(True)
    settle(real)
    assert np.array_equal(real.jobs.frame.picture, exact(real, missing=True))
    magenta = (shown_picture(real) == (255, 0, 255)).all(-1)
    assert magenta.sum() > 1000
    assert "materials without texture in magenta" in real.status.tick.text()
    # What is marked says so when it is asked.
    y, x = np.argwhere(magenta)[magenta.sum() // 2].tolist()
    reason = real.jobs.rom.draw.why(real.jobs.frame.request, x, y)
    assert any("marked in magenta" in sentence for sentence in sentences(reason))
    real.explorer.go(411)
    settle(real)
    assert np.array_equal(real.jobs.frame.picture, exact(real)) and not real.jobs.frame.altered


def test_people_that_a_new_game_hides_are_shown_when_they_are_wanted(real: Any, settle: Wait) -> None:
    explorer = real.explorer
    save = fresh_save(explorer.game)
    header, x, z = next(
        (header.id, int(event["x"]), int(event["z"]))
        for header in explorer.world.headers
        if (events := explorer.world.events(header.id)) is not None
        for event in events.objects
        if save.hides(int(event["hidden_flag"]), int(event["script"]))
    )
    explorer.go(header, tile=(x, z))
    settle(real)
    hidden = real.jobs.frame.picture
    assert np.array_equal(hidden, exact(real))
    real.action("all_objects").trigger()
    settle(real)
    assert np.array_equal(real.jobs.frame.picture, exact(real, all_objects=True))
    assert not np.array_equal(real.jobs.frame.picture, hidden)


def test_blending_is_quick_and_keeps_one_scene(demo: Any, settle: Wait) -> None:
    layers = demo.explorer.layers
    for name, opacity in (("terrain", 0.9), ("props", 0.5), ("people", 0.2)):
        layers.set_opacity(name, opacity)
        settle(demo)
    layers.show("wireframe", True)
    settle(demo)
    renderer = demo.jobs.rom.draw
    request = demo.jobs.frame.request
    assert len(request.parts) == 16 and sum(weight for weight, _, _ in request.parts) == pytest.approx(1)
    assert len(renderer._scenes) == 1
    # Sixteen pictures of the engine, a few milliseconds each.
    assert min(renderer.frame(request).seconds for _ in range(5)) < 0.3


def test_settings_from_before_the_ds_layer_are_taken_over() -> None:
    layers = Layers()
    layers.restore({"missing": [0.0, 1.0], "wireframe": [1.0, 0.8]})
    assert not layers.shown("missing") and not layers.shown("missing_ds") and layers["wireframe"].opacity == 0.8
