"""A model alone, drawn by the DS engine on a turntable, with its animations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from mapexplorer.games import DEFAULT, Game
from mapexplorer.world.place import FieldPlace

if TYPE_CHECKING:
    from mapexplorer.scene.field_model import FieldModel
    from mapexplorer.scene.light import LightState
    from mapexplorer.scene.vram import Vram

ALL_CLIPS = -1
"""Every animation of a model at once, as the game starts those that play by themselves."""
_BACKGROUND = (0x2A, 0x2E, 0x36)
_STEEPEST = 85.0
_NEAREST, _FARTHEST = 0.6, 6.0


@dataclass(frozen=True)
class Orbit:
    """From where a model is seen: degrees around it and above it, and the distance as a multiple of its size."""

    yaw: float = 30.0
    pitch: float = 25.0
    distance: float = 1.75

    def turned(self, yaw: float, pitch: float) -> Orbit:
        """Turned by some degrees."""
        return replace(self, yaw=(self.yaw + yaw) % 360, pitch=min(_STEEPEST, max(-_STEEPEST, self.pitch + pitch)))

    def nearer(self, steps: float) -> Orbit:
        """Nearer by some steps of the wheel."""
        return replace(self, distance=min(_FARTHEST, max(_NEAREST, self.distance * 0.85**steps)))


class ModelPreview:
    """A resolved model with animations, under a light; used by one thread at a time."""

    def __init__(self, model: FieldModel, light: LightState, vram: Vram, game: Game) -> None:
        from mapexplorer.gpu import Engine

        self._model, self._light, self._vram = model, light, vram
        self._engine, self._tables = Engine(), game.tables
        file = model.resolved.model
        box = np.array(file.box, float) * file.box_pos_scale / ONE / ONE
        self._middle = box[:3] + box[3:] / 2
        self._size = max(float(np.linalg.norm(box[3:])), 1.0)

    @classmethod
    def of_prop(cls, place: FieldPlace, number: int, clip: int | None) -> ModelPreview:
        """Prop model `number` with the textures and the noon light of a place, playing the animation in slot `clip` of
        its list, ALL_CLIPS or none. Materials without their texture are magenta. Raises FormatError."""
        from mapexplorer.scene.conditions import Conditions
        from mapexplorer.scene.field_model import FieldModel
        from mapexplorer.scene.missing_textures import given_pictures, marked
        from mapexplorer.scene.model_resolver import ModelResolver
        from mapexplorer.scene.vram import Vram

        vram, world = Vram(), place.world
        cell = place.cells[0] if place.cells else next(iter(place.matrix_cells.values()))
        conditions = Conditions(place)
        resolver = ModelResolver(conditions, addresses=vram.place)
        resolved = resolver.prop(cell, number)
        light = conditions.light(resolved.light_set)
        textures = place.prop_textures(cell).textures
        entry = world.prop_animations(number)
        animations = [world.animation(index) for index in entry.used] if entry is not None else []
        resolved = marked(resolved, vram.place, given_pictures(resolved.model, animations, textures))
        if clip is None:
            animations = []
        elif clip != ALL_CLIPS:
            animations = animations[clip : clip + 1]
        if not animations:
            return cls(FieldModel(resolved), light, vram, world.game)
        return cls(FieldModel(resolved, animations, textures, vram.place(textures)), light, vram, world.game)

    @classmethod
    def of_files(cls, model: Model, textures: Tex0 | None, animations: Sequence[Any]) -> ModelPreview:
        """A loose model under the library's default lights. Raises FormatError."""
        from mapexplorer.g3d.binding import bind
        from mapexplorer.scene.field_model import FieldModel
        from mapexplorer.scene.light import LIBRARY_DEFAULT
        from mapexplorer.scene.model_resolver import PROP, ResolvedModel
        from mapexplorer.scene.vram import Vram

        vram = Vram()
        addresses = vram.place(textures) if textures is not None else None
        binding = bind(model, textures, addresses=addresses) if textures is not None else bind(model)
        resolved = ResolvedModel(PROP, 0, model, binding, None, -1, LIBRARY_DEFAULT.global_state, None)
        if animations and textures is not None:
            return cls(FieldModel(resolved, animations, textures, addresses), LIBRARY_DEFAULT, vram, DEFAULT)
        return cls(FieldModel(resolved, animations), LIBRARY_DEFAULT, vram, DEFAULT)

    def picture(self, orbit: Orbit, tick: int) -> npt.NDArray[np.uint8]:
        """The model (192, 256, 4) after `tick` updates."""
        from mapexplorer.gpu.picture import displayed
        from mapexplorer.scene.camera import Pose, free_camera
        from mapexplorer.scene.frame import Drawing, Flush, compose
        from mapexplorer.scene.passes import SWAP
        from mapexplorer.scene.registers import field_registers

        distance = self._size * orbit.distance
        pitch, angle = np.radians(orbit.pitch), np.radians(orbit.yaw)
        ahead = np.array([np.sin(angle) * np.cos(pitch), -np.sin(pitch), -np.cos(angle) * np.cos(pitch)])
        eye = self._middle - ahead * distance
        near = max(0.5, distance - self._size)
        pose = Pose(
            (float(eye[0]), float(eye[1]), float(eye[2])), orbit.yaw, orbit.pitch, 36.0, near, distance + self._size
        )
        flush = Flush(free_camera(pose), self._light)
        drawing = Drawing(self._model, (0, 0, 0), (ONE, ONE, ONE), False)
        engine, known = self._engine, self._tables.engine
        engine.load_registers(field_registers(known.edge_colors_outdoors, known.clear_plane))
        engine.load_texture_vram(self._vram.texture)
        engine.load_palette_vram(self._vram.palette)
        engine.reset()
        words = [segment.words for segment in compose(flush, [drawing], lambda _: True, tick)]
        engine.execute(np.concatenate([*words, SWAP]))
        return displayed(engine.picture, _BACKGROUND)
