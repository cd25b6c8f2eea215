"""People, things and signs that the events of a zone put into the field, drawn between the last two flushes of a frame.

A person is a billboard with a picture for each direction and step; it stands 6 units toward the viewer, feet on the
ground, and casts a quad of shadow whose size and strength go by the time of day. Signs are models. All of them keep
their own material colours. Source: the Platinum field code.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from formats.field.frame_sequence import FrameSequence
from formats.fixed import ONE, Vector
from formats.nitro.model import Model
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0
from mapexplorer.g3d.binding import Binding, bind
from mapexplorer.g3d.material import GlobalState
from mapexplorer.games import Role
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.frame import Drawing, Flush, Segment
from mapexplorer.scene.missing_textures import marked
from mapexplorer.scene.model_resolver import ResolvedModel
from mapexplorer.scene.vram import Vram
from mapexplorer.world.cells import CELL_TILES, FX, TILE_UNITS
from mapexplorer.world.map_objects import map_objects
from mapexplorer.world.place import Place
from mapexplorer.world.terrain import Terrain

PERSON: Final = "person"
SIGN: Final = "sign"
SHADOW: Final = "shadow"

PLAYER_GRAPHICS: Final = 0
NORTH, SOUTH, WEST, EAST = range(4)

_SHADOW_MEMBER: Final = 17
_SHADOW_OFFSET: Final = (-ONE // 2, -4 * ONE, ONE)
_TOWARD_VIEWER: Final = 6 * ONE
_UNIT_SCALE: Final = (ONE, ONE, ONE)
_DIRECTION_TICKS: Final = 16
_WALKING_TICKS: Final = 4 * _DIRECTION_TICKS
_ALPHA_SHIFT: Final = 16


@dataclass(frozen=True)
class ObjectInstance:
    """Someone or something that events put on a tile: `graphics` id, fx32 `position` of the feet, `direction` 0 north,
    1 south, 2 west, 3 east; the event it comes from (None for the player); `phase` 0 to 15: how far into the pictures
    of a step, of running when `running`."""

    graphics: int
    position: Vector
    direction: int
    event: int | None = None
    header: int | None = None
    hidden_flag: int = 0
    phase: int = 0
    running: bool = False


def figures(place: Place, header: int, terrain: Terrain | None = None) -> list[ObjectInstance]:
    """The objects of a header's events where they stand; who looks nowhere looks south."""
    return [
        ObjectInstance(
            each.graphics,
            each.position,
            each.direction if NORTH <= each.direction <= EAST else SOUTH,
            each.index,
            header,
            each.hidden_flag,
        )
        for each in map_objects(place.world, header, terrain or place.terrain)
    ]


class _Sprite:
    """The pictures of a graphics id: billboard model, texture set, frame sequence."""

    def __init__(self, model: Model, textures: Tex0, sequence: FrameSequence) -> None:
        self.model = model
        self.textures = textures
        self._keys = list(zip(*[part.tolist() for part in dataclasses.astuple(sequence)], strict=True))
        last, before = (self._keys[-1][0], self._keys[-2][0]) if len(self._keys) > 1 else (0, 0)
        self._length = 2 * last - before
        self.walks = self._length >= _WALKING_TICKS

    def picture(self, figure: ObjectInstance, tick: int) -> tuple[int, int]:
        """(texture, palette) of a figure; what does not walk plays its sequence in a loop."""
        if self.walks:
            runs = figure.running and self._length >= 2 * _WALKING_TICKS
            time = figure.direction * _DIRECTION_TICKS + figure.phase + (_WALKING_TICKS if runs else 0)
        else:
            time = tick % self._length if self._length else 0
        _, texture, palette = next(key for key in reversed(self._keys) if key[0] <= time or key is self._keys[0])
        return texture, palette


class ObjectEventRenderer:
    """Figures with their textures in VRAM, ready to be drawn."""

    def __init__(self, place: Place, vram: Vram, state: GlobalState, *, mark: bool = False) -> None:
        """With `mark`, materials that lack their picture are marked."""
        self._mark = mark
        self._world = place.world
        self._vram = vram
        self._state = state
        self._sprites: dict[int, _Sprite | None] = {}
        self._members: dict[tuple[Role, int], Any] = {}
        self._models: dict[tuple[int, int, int], FieldModel] = {}
        self._shadows: dict[int, FieldModel | None] = {}
        self.figures: list[ObjectInstance] = []

    def set_state(self, state: GlobalState) -> None:
        """Draw all under other global words from now on."""
        self._state = state
        self._models = {key: self._restated(model) for key, model in self._models.items()}
        self._shadows = {alpha: model and self._restated(model) for alpha, model in self._shadows.items()}

    def _restated(self, model: FieldModel) -> FieldModel:
        return FieldModel(dataclasses.replace(model.resolved, state=self._state))

    def show(self, crowd: Iterable[ObjectInstance]) -> None:
        """Who is there; those that draw nothing are left out."""
        self.figures = [figure for figure in crowd if self.known(figure.graphics)]

    def known(self, graphics: int) -> bool:
        """Whether a graphics id draws something; some are variables that scripts resolve."""
        return self._sprite(graphics) is not None or graphics in self._world.game.tables.sign_models

    def drawings(self, tick: int, second: int) -> list[Drawing]:
        """All objects in drawing order: shadows and signs, then billboards."""
        shadows, signs, people = [], [], []
        time = self._world.game.tables.time_of_day(second)
        for figure in self.figures:
            sprite = self._sprite(figure.graphics)
            if sprite is None:
                sign = self._sign(figure.graphics)
                if sign is not None:
                    signs.append(Drawing(sign, figure.position, _UNIT_SCALE, False, figure))
                continue
            if sprite.walks and (shadow := self._shadow(time.shadow_alpha)) is not None:
                scale = (round(time.shadow_x * ONE), ONE, round(time.shadow_z * ONE))
                shadows.append(Drawing(shadow, _moved(figure.position, _SHADOW_OFFSET), scale, False, figure))
            model = self._person(figure, sprite, tick)
            people.append(Drawing(model, _moved(figure.position, (0, 0, _TOWARD_VIEWER)), _UNIT_SCALE, False, figure))
        return [*shadows, *signs, *people]

    def segments(
        self, flush: Flush, tick: int, second: int, wanted: Callable[[ObjectInstance], bool] = lambda figure: True
    ) -> Iterator[Segment]:
        """The commands of the objects that are wanted."""
        for drawing in self.drawings(tick, second):
            if not wanted(cast(ObjectInstance, drawing.source)):
                continue
            words = flush.at(drawing.position, drawing.scale)
            yield Segment(words)
            view = flush.view_at(drawing.position, drawing.scale)
            yield Segment(drawing.model.commands(tick, view, words), drawing)

    def _person(self, figure: ObjectInstance, sprite: _Sprite, tick: int) -> FieldModel:
        texture, palette = sprite.picture(figure, tick)
        key = (figure.graphics, texture, palette)
        if key not in self._models:
            self._models[key] = self._field_model(PERSON, figure.graphics, *self._pictured(sprite, texture, palette))
        return self._models[key]

    def _pictured(self, sprite: _Sprite, texture: int, palette: int) -> tuple[Model, Binding]:
        """The billboard with one picture. The game puts pictures behind the model's own names one after the other."""
        pictures, colors = sprite.textures.textures, sprite.textures.palettes
        picture, chosen = pictures[min(texture, len(pictures) - 1)], colors[min(palette, len(colors) - 1)]
        model = dataclasses.replace(
            sprite.model,
            texture_pairings=(dataclasses.replace(sprite.model.texture_pairings[0], name=picture.name),),
            palette_pairings=(dataclasses.replace(sprite.model.palette_pairings[0], name=chosen.name),),
        )
        one = Tex0((picture,), (chosen,))
        return model, bind(model, one, addresses=self._vram.place(one))

    def _field_model(self, kind: str, number: int, model: Model, binding: Binding) -> FieldModel:
        resolved = ResolvedModel(kind, number, model, binding, None, -1, self._state, None)
        return FieldModel(marked(resolved, self._vram.place) if self._mark else resolved)

    def _shadow(self, alpha: int) -> FieldModel | None:
        if alpha not in self._shadows:
            file = self._member(Role.EFFECTS, _SHADOW_MEMBER)
            self._shadows[alpha] = None
            if isinstance(file, Nsbmd) and file.models and file.textures is not None:
                model = file.models[0]
                materials = [
                    dataclasses.replace(
                        material,
                        polygon_attr=material.polygon_attr & ~(31 << _ALPHA_SHIFT) | alpha << _ALPHA_SHIFT,
                    )
                    for material in model.materials
                ]
                model = dataclasses.replace(model, materials=tuple(materials))
                binding = bind(model, file.textures, addresses=self._vram.place(file.textures))
                self._shadows[alpha] = self._field_model(SHADOW, _SHADOW_MEMBER, model, binding)
        return self._shadows[alpha]

    def _sign(self, graphics: int) -> FieldModel | None:
        key = (graphics, -1, -1)
        if key not in self._models:
            member = self._world.game.tables.sign_models.get(graphics)
            file = self._member(Role.EFFECTS, member) if member is not None else None
            if not isinstance(file, Nsbmd) or not file.models:
                return None
            model = file.models[0]
            binding = bind(model)
            if file.textures is not None:
                binding = bind(model, file.textures, addresses=self._vram.place(file.textures))
            self._models[key] = self._field_model(SIGN, graphics, model, binding)
        return self._models[key]

    def _sprite(self, graphics: int) -> _Sprite | None:
        if graphics not in self._sprites:
            self._sprites[graphics] = self._read_sprite(graphics)
        return self._sprites[graphics]

    def _read_sprite(self, graphics: int) -> _Sprite | None:
        member = self._graphics.get(graphics)
        parts = self._world.game.tables.sprite_parts.get(graphics)
        if member is None or parts is None:
            return None
        textures, file = self._member(Role.SPRITES, member), self._member(Role.SPRITES, parts[0])
        sequence = self._member(Role.SPRITES, parts[1])
        if not (isinstance(textures, Nsbtx) and isinstance(file, Nsbmd) and isinstance(sequence, FrameSequence)):
            return None
        if not file.models:
            return None
        model = file.models[0]
        complete = model.texture_pairings and model.palette_pairings and len(sequence.starts)
        if not complete or not textures.textures.textures or not textures.textures.palettes:
            return None
        return _Sprite(model, textures.textures, sequence)

    @cached_property
    def _graphics(self) -> dict[int, int]:
        return self._world.object_graphics.value

    def _member(self, role: Role, index: int) -> Any:
        """A member of an archive as a value, None where the ROM lacks it. Raises FormatError for a damaged one."""
        key = (role, index)
        if key not in self._members:
            self._members[key] = self._read(role, index)
        return self._members[key]

    def _read(self, role: Role, index: int) -> Any:
        from formats import nitro

        archive = self._world.archive(role)
        if archive is None or index >= len(archive):
            return None
        reader = archive.reader(index)
        return nitro.read(reader) if bytes(reader.data[:4]) in nitro.KINDS else FrameSequence.from_bytes(reader)


def _moved(position: Vector, by: Vector) -> Vector:
    return position[0] + by[0], position[1] + by[1], position[2] + by[2]


def in_cells(figure: ObjectInstance, cells: Iterable[tuple[int, int]]) -> bool:
    """Whether a figure stands in one of the cells (x, z)."""
    unit = CELL_TILES * TILE_UNITS * FX
    return (figure.position[0] // unit, figure.position[2] // unit) in set(cells)
