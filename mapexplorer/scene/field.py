"""The field at a spot, a second of the day and a tick, as the game draws it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from formats.fixed import Vector
from mapexplorer.gpu import Engine
from mapexplorer.scene.block import Block
from mapexplorer.scene.camera import Pose, SceneCamera, free_camera, game_camera, top_camera
from mapexplorer.scene.clock import RunningAnimation, running_animations
from mapexplorer.scene.frame import Drawing, Flush, Segment, compose, visible_boxes
from mapexplorer.scene.registers import field_registers, weather_fog
from mapexplorer.scene.spot import default_spot
from mapexplorer.scene.vram import Vram
from mapexplorer.world.cells import FX, TILE_UNITS
from mapexplorer.world.place import Place

Picture = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint32]

SWAP = 0x50


class Scene:
    """A place as the field shows it while the player stands at `at`.

    The cells of the 2 x 2 block around the spot are loaded, all dressed with the area that was entered. A picture is
    asked for by the number of updates since then; asking in ascending order is cheap. One scene is used by one thread
    at a time.
    """

    def __init__(
        self,
        place: Place,
        second: int = 43200,
        at: tuple[float, float] | None = None,
        people: bool = True,
        weather: bool | int = True,
        *,
        camera: str | Pose = "game",
        layers: frozenset[str] = frozenset(),
        day: int = 0,
    ) -> None:
        """`second` of the day; `at` = (x, z), a matrix-wide tile (a whole number means its centre) or a spot in it, by
        default one that suits the place; `weather` True: the header's on `day` of the year, False: none, or a weather
        id."""
        if not 0 <= second < 86400:
            raise ValueError(f"a second of the day lies in 0..86399, not {second}")
        self.place = place
        self.at = default_spot(place) if at is None else at
        self.tick = 0
        self._entered = Place(place.world, place.header, place.matrix_id.value, place.area_id.value)
        x, z = (spot_units(value) for value in self.at)
        height = place.terrain.height_fx(x, z, 0)
        self.target: Vector = (x, height.fx32, z)
        self._vram = Vram()
        resident = self._entered.terrain.resident(x // (FX * TILE_UNITS), z // (FX * TILE_UNITS))
        cells = [self._entered.matrix_cells[cell.x, cell.z] for cell in resident.cells]
        self.block = Block(self._entered, cells, second, self._vram, layers)
        self.weather = self._weather(weather, day)
        self._engine = Engine()
        self.set_camera(camera)

    def _weather(self, weather: bool | int, day: int) -> int:
        if weather is True:
            return self.place.world.weather(self.place.header, day).value
        return int(weather)

    # --- time

    @property
    def second(self) -> int:
        """The second of the day."""
        return self.block.second

    def set_second(self, second: int) -> None:
        """Enter the place again at another second of the day."""
        if not 0 <= second < 86400:
            raise ValueError(f"a second of the day lies in 0..86399, not {second}")
        self.block.set_second(second)
        self._relight()

    def advance(self, tick: int) -> None:
        """Go to the state after `tick` updates; going back begins anew."""
        if tick < self.tick:
            self.tick = 0
            self.block.animator.restart(self._vram.texture)
            self.set_second(self.second)
        while self.tick < tick:
            self.tick += 1
            if self.block.step():
                self._relight()

    def animations(self) -> list[RunningAnimation]:
        """The animation objects of the area, in the game's order."""
        world = self.place.world
        return running_animations(world, world.prop_list(self._entered.prop_set().value).models.tolist())

    # --- camera

    def set_camera(self, camera: str | Pose) -> None:
        """`game`, `top`, or a pose."""
        if isinstance(camera, Pose):
            self.camera = free_camera(camera)
        elif camera == "top":
            self.camera = top_camera(self.target)
        elif camera == "game":
            self.camera = game_camera(self.place.camera, self.target)
        else:
            raise ValueError(f"a camera is game, top or a pose, not {camera!r}")
        self._relight()

    def use_camera(self, camera: SceneCamera) -> None:
        """Look through any camera."""
        self.camera = camera
        self._relight()

    def _relight(self) -> None:
        self._flush = Flush(self.camera, self.block.light)
        tested = [drawing for drawing in self.block.drawings if drawing.tested]
        shown = visible_boxes(self._engine, self._flush, tested)
        self._visible = {id(drawing): visible for drawing, visible in zip(tested, shown, strict=True)}

    def visible(self, drawing: Drawing) -> bool:
        """Whether a drawing's box is in view."""
        return self._visible[id(drawing)]

    # --- frames

    def segments(self, tick: int = 0) -> Iterator[Segment]:
        """The frame after `tick` updates, in parts that know what they draw; without the SWAP_BUFFERS."""
        self.advance(tick)
        return compose(self._flush, self.block.drawings, self.visible, tick)

    def commands(self, ticks: int = 0) -> Words:
        """The geometry commands of the frame after `ticks` updates: a flat stream without the SWAP_BUFFERS."""
        return np.concatenate([segment.words for segment in self.segments(ticks)])

    @property
    def registers(self) -> npt.NDArray[np.uint32]:
        """The 88 rendering registers of a frame."""
        return field_registers(outdoor=self.block.outdoor, fog=weather_fog(self.weather))

    @property
    def texture_vram(self) -> npt.NDArray[np.uint8]:
        """Texture memory at the tick reached, 0x80000 bytes."""
        return self._vram.texture

    @property
    def palette_vram(self) -> npt.NDArray[np.uint8]:
        """Palette memory, 0x20000 bytes."""
        return self._vram.palette

    def draw(self, ticks: int = 0) -> Engine:
        """Draw the frame after `ticks` updates; the engine holds it until the next one."""
        words = np.concatenate([self.commands(ticks), np.array([SWAP, 0], np.uint32)])
        engine = self._engine
        engine.load_registers(self.registers)
        engine.load_texture_vram(self._vram.texture)
        engine.load_palette_vram(self._vram.palette)
        engine.reset()
        engine.execute(words)
        return engine

    def render(self, ticks: int = 0, raw: bool = False) -> Picture:
        """The picture after `ticks` updates: uint8 (192, 256, 4), RGBA with nothing drawn as black. `raw`: r, g, b
        0..63 and alpha 0..31 as the engine holds them."""
        picture = self.draw(ticks).picture
        return picture if raw else displayed(picture)


def spot_units(tile: float) -> int:
    """A matrix-wide tile as the player stands on it, fx32 units: a whole number means the tile's centre."""
    middle = 0.5 if tile == int(tile) else 0.0
    return round((tile + middle) * TILE_UNITS * FX)


def displayed(picture: Picture) -> Picture:
    """A picture of the engine as the screen shows it, 8 bits a channel: black where nothing was drawn, opaque."""
    result = np.empty_like(picture)
    colors = picture[..., :3]
    result[..., :3] = np.where(picture[..., 3:] > 0, colors << 2 | colors >> 4, 0)
    result[..., 3] = 255
    return result
