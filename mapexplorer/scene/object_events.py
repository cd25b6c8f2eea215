"""Drawing map objects: the models and billboards of objects and of their effects, with their textures in VRAM.

They are drawn between the last two flushes of a frame, after the effects of the map's feature. A billboard has the
texture format of its model, and one picture of its graphics; its colours and fog are those of the area's light. Models
of effects keep their own material colours. Source: the Platinum field code.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from formats.binary import FormatError
from formats.field.frame_sequence import FrameSequence
from formats.nitro.material import Pairings
from formats.nitro.model import Model
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtp import Nsbtp
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0
from formats.remembered import remembered
from mapexplorer.features import FeatureEffect
from mapexplorer.g3d.animation.attach import AnimationFile
from mapexplorer.g3d.animation.material import pattern_by_frame
from mapexplorer.g3d.binding import TextureBinding, bind
from mapexplorer.g3d.material import GlobalState
from mapexplorer.g3d.matrix import IDENTITY33
from mapexplorer.games import Role
from mapexplorer.map_objects.drawn import UNIT_SCALE, EffectBillboard, EffectModel, ObjectBillboard, ObjectInstance
from mapexplorer.scene.effect_models import EFFECT, faded, rotation_of, turned, without_fog
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.field_objects import ShownObject
from mapexplorer.scene.frame import Drawing, Flush, Segment
from mapexplorer.scene.light import lit_billboard
from mapexplorer.scene.missing_textures import marked
from mapexplorer.scene.model_resolver import ResolvedModel
from mapexplorer.scene.playback import LOOPING, Playback
from mapexplorer.scene.vram import Vram
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import Damage, LeftOut

PERSON: Final = "person"

_FRAME_SHIFT: Final = 12


@dataclass(frozen=True, eq=False)
class _Sprite:
    """The files of a billboard: model, textures, frame sequence; `fog`: whether fog is applied to it."""

    model: Model
    textures: Tex0
    sequence: FrameSequence
    fog: bool


class ObjectEventRenderer:
    """Map objects with their textures in VRAM, for drawing."""

    def __init__(self, place: FieldPlace, vram: Vram, state: GlobalState, *, mark: bool = False) -> None:
        """`mark`: materials without their texture are drawn magenta. `damaged`: what cannot be read and is
        left out."""
        self._mark = mark
        self._world = place.world
        self._vram = vram
        self._state = state
        self._models: dict[tuple[Any, ...], FieldModel | None] = {}
        self._shown: Callable[[], Sequence[ShownObject]] = list
        self._started: dict[tuple[int, ...], int] = {}
        self.damaged: list[Damage] = []

    def set_state(self, state: GlobalState) -> None:
        """Set the global state with which all models are drawn."""
        self._state = state
        self._models = {key: model and model.with_state(state) for key, model in self._models.items()}

    def show(self, shown: Callable[[], Sequence[ShownObject]]) -> None:
        """Set the function that returns what is drawn; it is called in every frame."""
        self._shown = shown

    @property
    def empty(self) -> bool:
        """Whether nothing is drawn."""
        return not self._shown()

    def drawings(self, tick: int) -> list[Drawing]:
        """All objects in drawing order: effects of the feature, models of effects, their billboards, objects."""
        result = []
        started: dict[tuple[int, ...], int] = {}
        for each in self._shown():
            drawn, rotation = each.drawn, IDENTITY33
            if isinstance(drawn, FeatureEffect):
                model, position, scale = self._feature_effect(drawn, tick, started), drawn.position, drawn.scale
                if drawn.heights:
                    x, y, z = position
                    position = x, y + drawn.heights[tick % len(drawn.heights)], z
                rotation = rotation_of(drawn)
            elif isinstance(drawn, EffectModel):
                model, position, scale = self._effect(drawn), drawn.position, drawn.scale
            elif isinstance(drawn, EffectBillboard):
                model, position, scale = self._billboard(drawn), drawn.position, drawn.scale
            else:
                model, position, scale = self._object(drawn), drawn.position, UNIT_SCALE
            if model is not None:
                result.append(Drawing(model, position, scale, False, each.source, rotation))
        self._started = started
        return result

    def segments(
        self,
        flush: Flush,
        tick: int,
        wanted: Callable[[ObjectInstance | FeatureEffect], bool] = lambda source: True,
    ) -> Iterator[Segment]:
        """The commands of the objects and effects for which `wanted` is true."""
        for drawing in self.drawings(tick):
            if not wanted(cast(ObjectInstance | FeatureEffect, drawing.source)):
                continue
            words = flush.of(drawing)
            yield Segment(words)
            yield Segment(drawing.model.commands(tick, flush.view_of(drawing), words), drawing)

    # --- billboards

    def _object(self, board: ObjectBillboard) -> FieldModel | None:
        sprite = self._sprite(board.graphics)
        if sprite is None:
            return None
        return self._pictured(PERSON, board.graphics, sprite, board.frame, board.alpha, turn=board.turn)

    def _billboard(self, board: EffectBillboard) -> FieldModel | None:
        if board.texture is None or board.sequence is None:
            own = self._sprite(board.graphics or 0)
            file = self._member(Role.EFFECTS, board.model)
            if own is None or not isinstance(file, Nsbmd) or not file.models:
                return None
            sprite = dataclasses.replace(own, model=file.models[0])
            return self._pictured(EFFECT, board.model, sprite, board.frame, key=(board.graphics,))
        known = self._read(Role.EFFECTS, board.model, board.texture, board.sequence)
        return None if known is None else self._pictured(EFFECT, board.model, known, board.frame)

    def _pictured(
        self,
        kind: str,
        number: int,
        sprite: _Sprite,
        frame: int,
        alpha: int = 31,
        key: tuple[Any, ...] = (),
        turn: float = 0,
    ) -> FieldModel | None:
        """A billboard with one picture. As in the game, pictures are added after the model's own names."""
        texture, palette = sprite.sequence.picture(frame >> _FRAME_SHIFT)
        full_key = (kind, number, texture, palette, alpha, turn, *key)
        if full_key not in self._models:
            pictures, colors = sprite.textures.textures, sprite.textures.palettes
            picture, chosen = pictures[min(texture, len(pictures) - 1)], colors[min(palette, len(colors) - 1)]
            model = dataclasses.replace(
                sprite.model,
                texture_pairings=_renamed(sprite.model.texture_pairings, picture.name),
                palette_pairings=_renamed(sprite.model.palette_pairings, chosen.name),
            )
            textures = Tex0((picture,), (chosen,))
            model = lit_billboard(faded(model, None if alpha == 31 else alpha), fog=sprite.fog)
            model = turned(model, turn) if turn % 360 else model
            self._models[full_key] = self._field_model(kind, number, model, self._bound(model, textures))
        return self._models[full_key]

    def _sprite(self, graphics: int) -> _Sprite | None:
        tables = self._world.game.tables
        member, parts = self._graphics.get(graphics), tables.sprite_parts.get(graphics)
        known = tables.map_object_graphics.get(graphics)
        if member is None or parts is None:
            return None
        return self._read(Role.SPRITES, parts[0], member, parts[1], known is None or known.fog)

    @cached_property
    def _graphics(self) -> dict[int, int]:
        return self._world.object_graphics.value

    @remembered
    def _read(self, role: Role, model: int, textures: int, sequence: int, fog: bool = True) -> _Sprite | None:
        file, pictures, keys = (self._member(role, index) for index in (model, textures, sequence))
        if not (isinstance(pictures, Nsbtx) and isinstance(file, Nsbmd) and isinstance(keys, FrameSequence)):
            return None
        if not file.models or not len(keys.starts):
            return None
        complete = file.models[0].texture_pairings and file.models[0].palette_pairings
        if not complete or not pictures.textures.textures or not pictures.textures.palettes:
            return None
        return _Sprite(file.models[0], pictures.textures, keys, fog)

    # --- models

    def _effect(self, effect: EffectModel) -> FieldModel | None:
        frame = effect.frame if effect.animation is not None else 0
        key = (EFFECT, effect.member, effect.alpha, effect.animation, frame)
        if key not in self._models:
            file = self._member(Role.EFFECTS, effect.member)
            self._models[key] = None
            if isinstance(file, Nsbmd) and file.models:
                model = faded(file.models[0], effect.alpha)
                animation = self._member(Role.EFFECTS, effect.animation) if effect.animation is not None else None
                if isinstance(animation, Nsbtp):
                    model = _at_frame(model, animation, effect.frame)
                self._models[key] = self._field_model(EFFECT, effect.member, model, self._bound(model, file.textures))
        return self._models[key]

    def _feature_effect(
        self, effect: FeatureEffect, tick: int, started: dict[tuple[int, ...], int]
    ) -> FieldModel | None:
        """The model of an effect. Animations that play once begin at the tick at which the effect is first drawn with
        them, which is kept in `started`."""
        once = (effect.member, *effect.animations)
        playing = LOOPING
        if not effect.repeats and effect.animations:
            # One that ends stands still, and another like it may begin before that; others may move.
            there = (*once, *effect.position) if effect.ends else once
            started[there] = self._started.get(there, tick)
            playing = Playback(started[there])
        if effect.frame is not None:
            playing = Playback(held=effect.frame)
        key = (EFFECT, *once, effect.fog, effect.alpha, playing)
        if key not in self._models:
            file = self._member(Role.EFFECTS, effect.member)
            self._models[key] = None
            if isinstance(file, Nsbmd) and file.models:
                model = faded(file.models[0] if effect.fog else without_fog(file.models[0]), effect.alpha)
                members = [self._member(Role.EFFECTS, number) for number in effect.animations]
                animations = tuple([each for each in members if isinstance(each, AnimationFile)])
                self._models[key] = self._field_model(
                    EFFECT, effect.member, model, self._bound(model, file.textures), animations, file.textures, playing
                )
        return self._models[key]

    def _bound(self, model: Model, textures: Tex0 | None) -> TextureBinding:
        return bind(model) if textures is None else bind(model, textures, addresses=self._vram.place(textures))

    def _field_model(
        self,
        kind: str,
        number: int,
        model: Model,
        binding: TextureBinding,
        animations: tuple[AnimationFile, ...] = (),
        textures: Tex0 | None = None,
        playing: Playback = LOOPING,
    ) -> FieldModel:
        resolved = ResolvedModel(kind, number, model, binding, None, -1, self._state, None)
        resolved = marked(resolved, self._vram.place) if self._mark else resolved
        addresses = self._vram.place(textures) if textures is not None else None
        return FieldModel(resolved, animations, textures, addresses, playing)

    # --- files

    @remembered
    def _member(self, role: Role, index: int) -> Any:
        """A member of an archive as a value; None if the ROM lacks it or it cannot be read."""
        from formats import nitro

        archive = self._world.archive(role)
        if archive is None or not 0 <= index < len(archive):
            return None
        reader = archive.reader(index)
        if not len(reader):
            return None
        try:
            return nitro.read(reader) if bytes(reader.data[:4]) in nitro.KINDS else FrameSequence.from_bytes(reader)
        except FormatError as error:
            self.damaged.append(Damage(LeftOut.OBJECT_PICTURES, str(error), index))
            return None


def _renamed(pairings: Pairings, name: str) -> Pairings:
    return tuple([dataclasses.replace(pairing, name=name) for pairing in pairings])


def _at_frame(model: Model, file: Nsbtp, frame: int) -> Model:
    """A model with the texture and palette names of a pattern animation at a frame."""
    if not file.animations:
        return model
    animation = file.animations[0]
    textures, palettes = list(model.texture_pairings), list(model.palette_pairings)
    for track in animation.tracks:
        index = next((number for number, each in enumerate(model.materials) if each.name == track.material), None)
        if index is None:
            continue
        shown = pattern_by_frame(track, animation)(frame)
        for pairings, names, chosen in (
            (textures, animation.textures, shown.texture),
            (palettes, animation.palettes, shown.palette),
        ):
            if chosen < len(names):
                for number, pairing in enumerate(pairings):
                    if index in pairing.materials:
                        pairings[number] = dataclasses.replace(pairing, name=names[chosen])
    return dataclasses.replace(model, texture_pairings=tuple(textures), palette_pairings=tuple(palettes))
