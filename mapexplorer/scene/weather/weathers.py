"""A loaded weather: its parts and its phases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from mapexplorer.games.tables import Tables
from mapexplorer.scene.weather.backgrounds import (
    AshBackground,
    BlendedBackground,
    DrivenBackground,
    FlickeringHole,
    ForestShade,
    Lightning,
    Rainbow,
)
from mapexplorer.scene.weather.dark import DarkCave
from mapexplorer.scene.weather.fog import FogPart
from mapexplorer.scene.weather.mersenne_twister import MersenneTwister
from mapexplorer.scene.weather.motions import MOTIONS
from mapexplorer.scene.weather.parallax import Parallax
from mapexplorer.scene.weather.parts import FogChange, WeatherPart
from mapexplorer.scene.weather.sprites import SpritePart
from mapexplorer.scene.weather.state import STEADY_DENSITIES, Registers, SpriteState

CLEAR: Final = 0
THUNDERSTORM: Final = 4
LIGHTNING: Final = 17
SNOW: Final = frozenset({5, 6, 7, 21})
"""Weathers that change directly into one another."""
_BEHIND: Final = frozenset({8, 13})
"""Weathers whose background is behind the 3D layer."""


class ActiveWeather:
    """A weather from its start to its end. `tick` is called once per tick."""

    def __init__(self, number: int, tables: Tables, registers: Registers, parts: Sequence[WeatherPart]) -> None:
        effect = tables.weather_effects.effects[number]
        self.number = number
        self._registers = registers
        self._has_background = effect.background_set is not None
        self._sound = effect.sound
        self._parts = parts
        self._sprites = next((part for part in parts if isinstance(part, SpritePart)), None)
        self._ticks: Iterator[bool] = iter(())
        self._told: FogChange | None = None
        self.begun = self.freed = False

    @property
    def has_sprites(self) -> bool:
        """Whether it uses sprite slots."""
        return self._sprites is not None

    def sprites(self, first_slot: int) -> list[SpriteState]:
        """The states of its sprites, with slots counted from `first_slot`."""
        return [] if self._sprites is None else self._sprites.states(first_slot)

    def start(self, fog: FogChange, *, at_once: bool) -> None:
        """Start, fading in or at once; the first tick follows."""
        self._ticks = self._run(fog, at_once=at_once)
        if self._has_background:
            self._registers.show_background(False)
            self._registers.priority = (2, 1)

    @property
    def ends(self) -> bool:
        """Whether it has been told to fade out."""
        return self._told is not None

    def end(self, fog: FogChange) -> None:
        """Start fading out at the end of the next tick of the steady phase."""
        self._told = fog
        if fog is FogChange.NONE:
            for part in self._parts:
                part.leave_fog()

    def tick(self) -> None:
        """One tick: that of the phase, then `move` of all parts."""
        self.begun = True
        moves = next(self._ticks, None)
        if moves is None:
            self.free()
        for part in self._parts if moves else ():
            part.move()

    def _run(self, fog: FogChange, *, at_once: bool) -> Iterator[bool]:
        """The ticks of the phases, each with whether the parts move after it."""
        parts, sprites = self._parts, self._sprites
        for part in parts:
            if at_once:
                part.at_once()
            else:
                part.begin_in(fog)
        self._registers.start_sound(self._sound)
        yield True
        if not at_once:
            while [part for part in parts if not part.step_in()]:
                yield True
            for part in parts:
                part.begin_steady()
            yield True
        while True:
            for part in parts:
                part.steady()
            if self._told is not None:
                break
            yield True
        if self._sound:
            self._registers.sound = -self._sound
        for part in parts:
            part.begin_out(self._told)
        yield True
        while (fading := [part for part in parts if not part.step_out()]) or (sprites is not None and sprites.sprites):
            yield True
            if not fading and sprites is not None:
                sprites.wait_for_end()
        yield False

    def free(self) -> None:
        """Reset what it has written to the registers."""
        registers = self._registers
        if self._has_background:
            registers.show_background(False)
            registers.priority = (1, 3)
            registers.blend = replace(registers.blend, alpha=False, first=0, second=0)  # the weights stay
        registers.window = replace(registers.window, used=0)
        if self.number != LIGHTNING:  # it has no fog, but runs together with the thunderstorm
            registers.fog = replace(registers.fog, enabled=False)
        self.freed = True


def load(
    number: int, tables: Tables, registers: Registers, random: MersenneTwister, parallax: Parallax
) -> ActiveWeather:
    """A weather that has not been started."""
    effects = tables.weather_effects
    effect = effects.effects[number]
    fog = tables.weather(number).fog
    parts: list[WeatherPart] = []
    if fog is not None:
        densities = effects.dark_densities if effect.fog is None else STEADY_DENSITIES
        parts.append(FogPart(registers, fog, densities, effect.fog))
    if number == 21:
        parts.append(DrivenBackground(registers, 6, aslant=1, shown=False))
    if number == 23 and effect.blending is not None:
        parts.append(ForestShade(registers, effect.blending, parallax, effects.sway))
    elif effect.blending is not None:
        parts.append(BlendedBackground(registers, effect.blending, behind=number in _BEHIND))
    elif number in _BACKGROUNDS:
        parts.append(_BACKGROUNDS[number](registers, random, parallax, effects.lightning_sounds))
    if effect.spawning is not None and effect.sprite_set is not None:
        parts.append(SpritePart(MOTIONS[number](random), effect.spawning, effect.sprite_set, parallax))
    return ActiveWeather(number, tables, registers, parts)


_Background = Callable[[Registers, MersenneTwister, Parallax, tuple[int, int]], WeatherPart]

_BACKGROUNDS: Final[dict[int, _Background]] = {
    7: lambda registers, random, parallax, sounds: DrivenBackground(registers, 12),
    9: lambda registers, random, parallax, sounds: AshBackground(registers, parallax),
    10: lambda registers, random, parallax, sounds: DrivenBackground(registers, 6, parallax),
    16: lambda registers, random, parallax, sounds: DarkCave(registers),
    LIGHTNING: lambda registers, random, parallax, sounds: Lightning(registers, random, sounds),
    20: lambda registers, random, parallax, sounds: Rainbow(registers, random),
    24: lambda registers, random, parallax, sounds: FlickeringHole(registers, 4, 1280, 4),
    25: lambda registers, random, parallax, sounds: FlickeringHole(registers, 6, 1024, 1),
}
"""By weather id; the last argument are the sounds of lightning."""
