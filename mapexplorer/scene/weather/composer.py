"""The composition of pictures with the weather of a ROM or its Distortion World's sky, as far as its files can be
read."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.features import FeatureSky
from mapexplorer.scene.distortion_sky import SkyPainter
from mapexplorer.scene.weather.painter import WeatherPainter
from mapexplorer.scene.weather.pictures import ShownWeather, pictures_of
from mapexplorer.scene.weather.state import WeatherState, WindowRegisters
from mapexplorer.world.damage import Damage, LeftOut
from mapexplorer.world.files import WorldFiles

Picture = npt.NDArray[np.uint8]


class WeatherComposer:
    """Composes pictures with the weather or a sky; what cannot be read is left out. Used by one thread at a time.

    `damaged`: what is left out.
    """

    def __init__(self, world: WorldFiles) -> None:
        self.damaged: list[Damage] = []
        self._world = world

    @cached_property
    def _painter(self) -> WeatherPainter:
        """Created when weather is first drawn: most places have none."""
        return WeatherPainter(self._world.game.tables.weather_effects, self._world.weather_picture)

    @cached_property
    def _sky(self) -> SkyPainter:
        return SkyPainter(self._world)

    def shown(self, state: WeatherState) -> ShownWeather:
        """A state with its images, for a view that does not use the 2D engine; where they cannot be read, a state of
        which nothing is drawn but fog."""
        try:
            return pictures_of(self._world).shown(state)
        except (FormatError, RomError) as error:
            self._leave_out(error)
            return ShownWeather(replace(state, window=WindowRegisters()), None, False, ())

    def compose(self, state: WeatherState, picture: Picture) -> Picture:
        """The displayed picture, uint8 (192, 256, 4) with r, g, b 0..63 and alpha 31; the `picture` of the 3D engine
        itself where the weather does not change it or cannot be read."""
        if not state.has_picture:
            return picture
        try:
            return self._painter.compose(state, picture)
        except (FormatError, RomError) as error:
            self._leave_out(error)
            return picture

    def compose_sky(self, sky: FeatureSky, tick: int, picture: Picture) -> Picture:
        """As `compose`, with a sky after `tick` updates."""
        try:
            return self._sky.compose(sky, tick, picture)
        except (FormatError, RomError) as error:
            self._leave_out(error, LeftOut.SKY)
            return picture

    def sky(self, sky: FeatureSky, tick: int) -> Picture | None:
        """A sky alone after `tick` updates, (192, 256, 4) with r, g, b 0..63, for a view that does not use the 2D
        engine; None where it cannot be read."""
        try:
            return self._sky.alone(sky, tick)
        except (FormatError, RomError) as error:
            self._leave_out(error, LeftOut.SKY)
            return None

    def _leave_out(self, error: Exception, what: LeftOut = LeftOut.WEATHER_PICTURES) -> None:
        damage = Damage(what, str(error))
        if damage not in self.damaged:
            self.damaged.append(damage)
