"""The weather's layers on OpenGL against the 2D engine's: every weather in its phases, over a field and beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene.weather.machine import WeatherMachine
from mapexplorer.scene.weather.painter import WeatherPainter
from mapexplorer.scene.weather.pictures import WeatherPictures
from mapexplorer.scene.weather.state import WeatherState

pytestmark = pytest.mark.gl

WEATHERS = sorted(PLATINUM.tables.weathers)
FIELD = (44, 20, 60)
"""The colour of the field, 6 bits a channel. It covers the left half of the picture, the right one has no pixel."""
TICKS = (1, 5, 12, 25, 40, 90, 200, 214, 230, 300)
END = 200
"""The tick in which the weather starts to end."""


def states(weather: int) -> Iterator[WeatherState]:
    """The states of a weather that begins, runs and ends before a camera that moves."""
    camera = PLATINUM.tables.cameras[0]
    machine = WeatherMachine(PLATINUM.tables, camera.distance, camera.half_fov, (0, 0, 0), weather)
    machine.change(weather)
    for tick in range(1, max(TICKS) + 1):
        if tick == END:
            machine.change(0)
        found = machine.step((2 * tick << 12, 0, tick << 12))
        if tick in TICKS:
            yield found


class Layers:
    """Draws layers over FIELD into a picture of a size."""

    def __init__(self, width: int, height: int) -> None:
        from mapexplorer.opengl.offscreen import RenderTarget
        from mapexplorer.opengl.weather import WeatherLayers

        self.width, self.height = width, height
        self.layers = WeatherLayers()
        self.target = RenderTarget(width, height)

    def draw(self, shown: Any) -> npt.NDArray[np.uint8]:
        """The picture, uint8 (height, width, 3), 6 bits a channel."""
        from mapexplorer.opengl.gl import GL

        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.target.framebuffer)
        GL.glViewport(0, 0, self.width, self.height)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        half = self.width // 2
        for left, color, stencil in ((0, FIELD, 128), (half, (0, 0, 0), 0)):
            GL.glScissor(left, 0, half, self.height)
            GL.glClearColor(*(channel / 63 for channel in color), 1.0)
            GL.glClearStencil(stencil)
            GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        self.layers.draw(shown, self.width, self.height)
        return self.target.pixels()[..., :3] >> 2


@pytest.fixture
def layers(current: Any) -> Iterator[Any]:
    """Makes layers of a size; afterwards there must have been no OpenGL error."""
    from mapexplorer.opengl.gl import GL

    yield lambda width=256, height=192: Layers(width, height)
    assert GL.glGetError() == GL.GL_NO_ERROR


@pytest.fixture(scope="module")
def pictures(either: Any) -> WeatherPictures:
    """The images of the demo world and of the real ROM."""
    return WeatherPictures(PLATINUM.tables.weather_effects, either.weather_picture)


@pytest.mark.parametrize("weather", WEATHERS)
def test_layers_are_those_of_the_2d_engine(layers: Any, either: Any, pictures: WeatherPictures, weather: int) -> None:
    """Every pixel, within the rounding of blending; outside the field also without it."""
    painter = WeatherPainter(PLATINUM.tables.weather_effects, either.weather_picture)
    field = np.zeros((192, 256, 4), np.uint8)
    field[:, :128] = (*FIELD, 31)
    drawn = layers()
    for state in states(weather):
        expected = painter.compose(state, field)[..., :3].astype(int)
        difference = np.abs(drawn.draw(pictures.shown(state)) - expected)
        assert difference.max() <= 1, (weather, state.tick)


@pytest.mark.parametrize("size", [(768, 192), (256, 576), (512, 384)])
@pytest.mark.parametrize("weather", [2, 7, 16, 23])
def test_a_larger_picture_has_the_console_s_screen_in_its_middle(
    layers: Any, pictures: WeatherPictures, weather: int, size: tuple[int, int]
) -> None:
    """Around it there is as much of the weather as in it; in a dark cave all is black."""
    width, height = size
    scale = min(width // 256, height // 192)
    small, large = layers(), layers(width, height)
    left, top = (width - 256 * scale) // 2, (height - 192 * scale) // 2
    around = np.ones((height, width), bool)
    around[top : top + 192 * scale, left : left + 256 * scale] = False
    margin = 70  # sprites that are cut at the border of the console's screen are whole here
    bare = None
    for state in states(weather):
        shown = pictures.shown(state)
        whole = large.draw(shown)
        bare = whole if bare is None else bare  # of the first tick, in which nothing is shown yet
        middle = whole[top : top + 192 * scale : scale, left : left + 256 * scale : scale]
        same = (middle == small.draw(shown)).all(2)
        assert same[margin:-margin, margin:-margin].all()
        if state.tick == 90 and around.any():
            changed = (whole != bare).any(2)
            if weather == 16:
                assert not whole[around].any() and whole.any()
            else:
                assert 0.5 < changed[around].mean() / changed[~around].mean() < 2
