"""The state of the weather: the registers that it writes, and its sprites."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from mapexplorer.games.field_tables import Fog, FogRegisters
from mapexplorer.games.weather_tables import BackgroundSet

BG0: Final = 1
"""The layer of the 3D engine."""
BG2: Final = 4
"""The layer of the weather's background."""
SPRITES: Final = 16
BACKDROP: Final = 32
"""Layers as bits of BLDCNT and the window registers."""
WINDOW_1: Final = 2
OPAQUE: Final = 31
"""The alpha of every fog."""
STEADY_DENSITIES: Final = tuple(range(0, 128, 4))
"""The fog table of the field while no fog fades: densities 0..124 of 128, one for each step of the depth."""

Lines = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class BlendRegisters:
    """BLDCNT and BLDALPHA as last written: whether blending is on, first and second targets (bits of layers), their
    weights in sixteenths, where values above 16 act as 16."""

    alpha: bool = False
    first: int = 0
    second: int = 0
    first_weight: int = 0
    second_weight: int = 0


@dataclass(frozen=True)
class WindowRegisters:
    """The windows: which are enabled (bits), which layers are shown inside and outside, and whether these are
    blended."""

    used: int = 0
    inside: int = 0
    inside_blends: bool = False
    outside: int = 0
    outside_blends: bool = False


class SpriteState(NamedTuple):
    """A sprite: position (fx32 pixels), frame of the first animation of its sprite set, the set, and its slot. Lower
    slots are drawn in front."""

    x: int
    y: int
    frame: int
    set: int
    slot: int


@dataclass(frozen=True)
class WeatherState:
    """The weather after a tick."""

    tick: int
    """The number of the tick."""
    active: int
    """The present weather."""
    next: int
    """The target of a change, 0 without one."""
    step: int
    """The step of the change, 6 without one."""
    fog: FogRegisters
    """The fog registers."""
    blend: BlendRegisters
    """How layers are blended."""
    layers: int
    """The layers that are shown, bits."""
    priority: tuple[int, int]
    """Of BG0 and BG2."""
    offset: tuple[int, int]
    """BG2HOFS, BG2VOFS, 9 bits."""
    background: tuple[int, int, int]
    """The members (palette, tiles, map) loaded last, -1 for none yet."""
    window: WindowRegisters
    """The registers of the windows."""
    lines: Lines
    """Left and right edge of window 1 for each line."""
    sound: int
    """The one started last, negative when stopped."""
    random_calls: int
    """How many random numbers were drawn."""
    sprites: tuple[SpriteState, ...]
    """The sprites in the order of their places."""

    @property
    def has_picture(self) -> bool:
        """Whether the picture of the 2D engine differs from that of the 3D engine alone. Blending alone suffices: it
        also mixes the translucent edges of the 3D picture with the backdrop."""
        return bool(self.sprites or self.layers & BG2 or self.window.used or self.blend.second)


@dataclass
class Registers:
    """The registers as the weathers write them."""

    fog: FogRegisters = field(default_factory=lambda: FogRegisters(enabled=False))
    """As in `WeatherState`, like all."""
    blend: BlendRegisters = field(default_factory=BlendRegisters)
    """How layers are blended."""
    layers: int = BG0 | SPRITES
    """The layers that are shown, bits."""
    priority: tuple[int, int] = (1, 3)
    """Of BG0 and BG2."""
    offset: tuple[int, int] = (0, 0)
    """BG2HOFS, BG2VOFS."""
    background: BackgroundSet = field(default_factory=lambda: BackgroundSet(-1, -1, -1))
    """The members loaded last."""
    window: WindowRegisters = field(default_factory=WindowRegisters)
    """The registers of the windows."""
    lines: Lines = ((0, 255),) * 192
    """Left and right edge of window 1 for each line."""
    sound: int = 0
    """The one started last, negative when stopped."""

    def write_fog(self, fog: Fog) -> None:
        """Enable fog and write its registers; the table stays."""
        self.fog = replace(self.fog, enabled=True, shift=fog.shift, offset=fog.offset, color=fog.color, alpha=OPAQUE)

    def write_densities(self, densities: tuple[int, ...]) -> None:
        """Write the fog table."""
        self.fog = replace(self.fog, densities=densities)

    def show_background(self, shown: bool) -> None:
        """Enable or disable BG2."""
        self.layers = self.layers | BG2 if shown else self.layers & ~BG2

    def scroll(self, x: int, y: int) -> None:
        """Write the offset of BG2."""
        self.offset = (x & 511, y & 511)

    def blend_background(self, weight: int, other: int) -> None:
        """Blend BG2 with the 3D layer and the backdrop; weights in sixteenths."""
        self.blend = BlendRegisters(True, BG2, BG0 | BACKDROP, weight, other)

    def start_sound(self, sound: int) -> None:
        """Start a sound; 0 starts none."""
        if sound:
            self.sound = sound
