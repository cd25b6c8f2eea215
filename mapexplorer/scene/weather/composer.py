"""The composition of pictures with the weather of a ROM or the sky of a feature, as far as the files can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from mapexplorer.arrays import Picture
from mapexplorer.features import FeatureSky, SkyPainter
from mapexplorer.gpu.registers import HEIGHT, WIDTH
from mapexplorer.scene.weather.painter import WeatherPainter
from mapexplorer.scene.weather.pictures import ShownWeather, pictures_of
from mapexplorer.scene.weather.state import WeatherState, WindowRegisters
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt
from mapexplorer.world.sources.files import WorldFiles

T = TypeVar("T")


class WeatherComposer:
    """Composes pictures with the weather or a sky; what cannot be read is left out. Used by one thread at a time.

    `damaged`: what is left out.
    """

    def __init__(self, world: WorldFiles) -> None:
        self.damaged: list[Damage] = []
        self._world = world
        self._skies: SkyPainter | None = None

    @cached_property
    def _painter(self) -> WeatherPainter:
        """Created when weather is first drawn: most places have none."""
        return WeatherPainter(self._world.game.tables.weather_effects, self._world.weather_picture)

    def shown(self, state: WeatherState) -> ShownWeather:
        """A state with its images, for a view that does not use the 2D engine; where they cannot be read, a state of
        which nothing is drawn but fog."""
        nothing = ShownWeather(replace(state, window=WindowRegisters()), None, False, ())
        return self._attempt(lambda: pictures_of(self._world).shown(state), nothing)

    def compose(self, state: WeatherState, picture: Picture) -> Picture:
        """The displayed picture, uint8 (192, 256, 4) with r, g, b 0..63 and alpha 31; the `picture` of the 3D engine
        itself where the weather does not change it or cannot be read."""
        if not state.has_picture:
            return picture
        return self._attempt(lambda: self._painter.compose(state, picture), picture)

    def compose_sky(self, sky: FeatureSky, tick: int, picture: Picture) -> Picture:
        """As `compose`, with a sky after `tick` updates."""
        return self._attempt(lambda: self._sky_painter(sky)(sky, tick, picture), picture, LeftOut.SKY)

    def sky(self, sky: FeatureSky, tick: int) -> Picture | None:
        """A sky alone after `tick` updates, (192, 256, 4) with r, g, b 0..63, for a view that does not use the 2D
        engine; None where it cannot be read."""
        nothing = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
        return self._attempt(lambda: self._sky_painter(sky)(sky, tick, nothing), None, LeftOut.SKY)

    def _sky_painter(self, sky: FeatureSky) -> SkyPainter:
        if self._skies is None:
            self._skies = sky.painter(self._world)
        return self._skies

    def _attempt(self, draw: Callable[[], T], otherwise: T, what: LeftOut = LeftOut.WEATHER_PICTURES) -> T:
        damaged: list[Damage] = []
        drawn = attempt(draw, otherwise, damaged, what)
        self.damaged += [damage for damage in damaged if damage not in self.damaged]
        return drawn
