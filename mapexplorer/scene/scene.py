"""The field at a spot, a second of the day and a tick, as the game draws it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from formats.fixed import Vector
from mapexplorer.gpu import Engine
from mapexplorer.scene.camera import Pose, SceneCamera, free_camera, game_camera, top_camera
from mapexplorer.scene.conditions import Conditions, tile_units
from mapexplorer.scene.culling import cells_in_view
from mapexplorer.scene.field_objects import PLAYER_GRAPHICS, SOUTH, FieldObjects, ObjectInstance
from mapexplorer.scene.frame import Flush
from mapexplorer.scene.loaded_area import LAYERS, LoadedArea
from mapexplorer.scene.particles import weather_over
from mapexplorer.scene.passes import SWAP, Pass, culled_pass, draw_passes, execute, whole_pass
from mapexplorer.scene.playback import LoadedAnimation, loaded_animations
from mapexplorer.units import NOON
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import Place, PropPlacement
from mapexplorer.world.save import Save, fresh_save

Picture = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint32]


class Scene:
    """A place as the field shows it while the player stands at `at`.

    The cells of the 2 x 2 block around the spot are loaded, all with the textures and light of the area that was
    entered. With `all_cells` every cell of the matrix is, each with its own area, which the console could not do.

    A picture is asked for by the number of updates since the place was entered; asking in ascending order is cheap.
    One scene is used by one thread at a time.
    """

    def __init__(
        self,
        place: Place,
        second: int = NOON,
        at: tuple[float, float] | None = None,
        people: bool = True,
        weather: bool | int = True,
        *,
        camera: str | Pose | SceneCamera = "game",
        layers: Iterable[str] = ("terrain", "props", "people"),
        all_cells: bool = False,
        day: int = 0,
        particles: bool = False,
        wireframe: bool = False,
        missing: bool = False,
        features: bool = True,
        save: Save | None = None,
    ) -> None:
        """`second` of the day; `at` = (x, z), a matrix-wide tile (a whole number means its centre) or a spot in it, by
        default one that suits the place; `weather` True: the header's on `day` of the year, False: none, or a weather
        id; `camera` as in `set_camera`; `layers` of LAYERS; `particles` adds rain, snow and the like to what `render`
        shows. Two help the artist and show what the console does not: `wireframe` draws all polygons as the engine's
        wireframes, `missing` paints materials that lack their texture or palette magenta instead of leaving them
        untextured. `features`: what code adds to the map is shown too, beside what files and save hold. `save`: by
        default a new game on `day`; a save has a day of its own. Raises ValueError, FormatError, RomError."""
        self.place = place
        self.features = features
        self.save = fresh_save(place.world.game, day) if save is None else save
        self.conditions = Conditions(place, second, weather, self.save.day, at=at)
        self.tick = 0
        self.all_cells = all_cells
        self.particles = particles
        self.wireframe = wireframe
        self.missing = missing
        self.layers = frozenset(layers) - (frozenset() if people else {"people"})
        if self.layers - set(LAYERS):
            raise ValueError(f"the layers are {', '.join(LAYERS)}, not {', '.join(sorted(self.layers - set(LAYERS)))}")
        self.shown = self.layers
        x, z = (tile_units(value) for value in self.at)
        self.target: Vector = (x, place.terrain.height_fx(x, z, 0).fx32, z)
        self._areas: dict[int, LoadedArea] = {}
        self._objects = FieldObjects(place, self.save)
        self._objects.set_second(second)
        if "player" in self.layers:
            self._objects.set_player(ObjectInstance(PLAYER_GRAPHICS, self.target, SOUTH))
        self.camera = self._camera(camera)
        self.blocks = [] if all_cells else [self._resident()]
        self._look()

    @cached_property
    def _engine(self) -> Engine:
        """Made when a picture is first drawn: who draws with OpenGL needs none."""
        return Engine()

    def _resident(self) -> LoadedArea:
        conditions = self.conditions.of_area(self.place.area_id.value)
        block = LoadedArea(conditions, conditions.cells, self.layers, mark=self.missing)
        self._populate(block, conditions.cells, [self.place.header.id])
        return block

    def _populate(self, block: LoadedArea, cells: Iterable[Cell], headers: Iterable[int]) -> None:
        """Let a block draw the objects of some headers, as far as they are in some cells, and the player."""
        places = frozenset((cell.x, cell.z) for cell in cells)
        owners = tuple(headers) if "people" in self.layers else ()
        for header in owners:
            self._objects.of(header)
        if owners or "player" in self.layers:
            block.populate(lambda: self._objects.shown(owners, places, player="player" in self.layers))

    @property
    def block(self) -> LoadedArea:
        """The cells of the entered area."""
        return self.blocks[0]

    @property
    def damaged(self) -> list[str]:
        """What of the cells shown so far cannot be read and is left out, a sentence each."""
        return list(dict.fromkeys(sentence for block in self._every_block() for sentence in block.damaged))

    def set_player(self, player: ObjectInstance | None) -> None:
        """Let the player stand or walk elsewhere, or be nowhere; they are drawn with the layer `player`."""
        self._objects.set_player(player)

    def set_moving(self, moving: bool) -> None:
        """Let people and things go about as the clock runs, or stand where they are; at first they stand."""
        self._objects.moving = moving

    def show(self, layers: Iterable[str]) -> None:
        """Draw only these of the scene's layers from now on. It costs nothing: all stay loaded."""
        shown = frozenset(layers) & self.layers
        if shown != self.shown:
            self.shown = shown
            self._choose()

    # --- time

    @property
    def at(self) -> tuple[float, float]:
        """The matrix-wide tile of the player."""
        return self.conditions.tile

    @property
    def second(self) -> int:
        """The second of the day."""
        return self.conditions.second or 0

    def set_second(self, second: int) -> None:
        """Show the place as it is when it was entered at another second of the day."""
        self.conditions = replace(self.conditions, second=second)
        self._objects.set_second(second)
        changed = [block.set_conditions(replace(block.conditions, second=second)) for block in self._every_block()]
        if any(changed):
            self._look()

    def advance(self, tick: int) -> None:
        """Go to the state after `tick` updates; going back begins anew. Raises ValueError for a negative number."""
        if tick < 0:
            raise ValueError(f"a number of updates is not negative: {tick}")
        if tick < self.tick:
            self.tick = 0
            self._objects.restart()
            for block in self._every_block():
                block.restart()
            self._look()
        while self.tick < tick:
            self.tick += 1
            self._objects.step()
            changed = [block.step() for block in self._every_block()]
            if any(changed):
                self._look()
        self.conditions = self.conditions.after(tick)

    def _every_block(self) -> list[LoadedArea]:
        return list(self._areas.values()) if self.all_cells else self.blocks

    def play(self, prop: PropPlacement, slot: int, tick: int | None = None) -> int:
        """Play animation `slot` of a prop's list once from `tick` (by default now) on, as opening a door does; the
        result is how many ticks it takes. Raises ValueError for a prop without such an animation or not loaded."""
        for block in self.blocks:
            if any((cell.x, cell.z) == (prop.cell.x, prop.cell.z) for cell in block.cells):
                length = block.play(prop, slot, self.tick if tick is None else tick)
                self._look()
                return length
        raise ValueError(f"{prop.cell} is not loaded")

    def animations(self) -> list[LoadedAnimation]:
        """The animations that are loaded with the area, in the game's order."""
        world = self.place.world
        return loaded_animations(world, world.prop_list(self.place.prop_set().value).models.tolist())

    # --- camera

    def set_camera(self, camera: str | Pose | SceneCamera) -> None:
        """`game`: the place's own; `top`: straight above; a pose, or any camera. Raises ValueError."""
        self.camera = self._camera(camera)
        self._look()

    def _camera(self, camera: str | Pose | SceneCamera) -> SceneCamera:
        if isinstance(camera, SceneCamera):
            return camera
        if isinstance(camera, Pose):
            return free_camera(camera)
        if camera == "top":
            return top_camera(self.target)
        if camera == "game":
            return game_camera(self.place.camera, self.target)
        raise ValueError(f"a camera is game, top or a pose, not {camera!r}")

    def _look(self) -> None:
        """Work out what the camera sees."""
        if not self.all_cells:
            self._everything = [
                whole_pass(lambda: self._engine, self.block, Flush(self.camera, self.block.conditions.light()))
            ]
            self._choose()
            return
        by_area: dict[int, list[Cell]] = {}
        for cell in cells_in_view(self.place.matrix_cells.values(), self.camera):
            by_area.setdefault(cell.area.value, []).append(cell)
        self.blocks = [self._area_block(area, cells) for area, cells in by_area.items()]
        flushes = [(block, Flush(self.camera, block.conditions.light())) for block in self.blocks]
        self._everything = [culled_pass(lambda: self._engine, block, flush, block.drawings) for block, flush in flushes]
        self._choose()

    def _choose(self) -> None:
        """Of what the camera sees, what is shown."""
        whole = self.shown == self.layers
        self._passes = self._everything if whole else [each.of_layers(self.shown) for each in self._everything]

    def _area_block(self, area: int, cells: list[Cell]) -> LoadedArea:
        block = self._areas.get(area)
        if block is None:
            block = self._areas[area] = LoadedArea(self.conditions.of_area(area), (), self.layers, mark=self.missing)
            for _ in range(self.tick):
                block.step()
        resolved = [block.place.matrix_cells[cell.x, cell.z] for cell in cells]
        if resolved != list(block.cells):
            block.show(resolved)
            self._populate(block, cells, dict.fromkeys(cell.header for cell in cells))
        return block

    # --- frames

    def passes(self, ticks: int = 0) -> list[Pass]:
        """What the frame after `ticks` updates is drawn in; one pass unless all cells are shown."""
        self.advance(ticks)
        return self._passes

    def commands(self, ticks: int = 0) -> Words:
        """The geometry commands of the frame after `ticks` updates: a flat stream without the last SWAP_BUFFERS."""
        parts: list[Words] = []
        for drawn in self.passes(ticks):
            parts += [SWAP] if parts else []
            parts += [segment.words for segment in drawn.segments(ticks)]
        return np.concatenate(parts) if parts else np.zeros(0, np.uint32)

    @property
    def registers(self) -> npt.NDArray[np.uint32]:
        """The 88 rendering registers of the frame."""
        return self.block.registers

    @property
    def texture_vram(self) -> npt.NDArray[np.uint8]:
        """Texture memory at the tick reached, 0x80000 bytes."""
        return self.block.vram.texture

    @property
    def palette_vram(self) -> npt.NDArray[np.uint8]:
        """Palette memory, 0x20000 bytes."""
        return self.block.vram.palette

    def render(self, ticks: int = 0, raw: bool = False) -> Picture:
        """The picture after `ticks` updates: uint8 (192, 256, 4), RGBA with black where nothing was drawn. `raw`: r, g,
        b 0..63 and alpha 0..31 as the engine holds them."""
        passes = self.passes(ticks)
        if self.all_cells:
            picture = draw_passes(self._engine, passes, ticks, self.wireframe)
        else:
            execute(self._engine, passes[0], passes[0].segments(ticks), self.registers, self.wireframe)
            picture = self._engine.picture
        if raw:
            return picture
        shown = displayed(picture)
        return weather_over(shown, self.conditions.weather, ticks) if self.particles else shown


def displayed(picture: Picture) -> Picture:
    """A picture of the engine as the screen shows it, 8 bits a channel: black where nothing was drawn, opaque."""
    result = np.empty_like(picture)
    colors = picture[..., :3]
    result[..., :3] = np.where(picture[..., 3:] > 0, colors << 2 | colors >> 4, 0)
    result[..., 3] = 255
    return result
