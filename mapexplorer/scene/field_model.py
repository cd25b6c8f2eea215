"""A resolved model and the commands that draw it at a tick; commands are cached."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from formats.nds import gx
from formats.nitro import sbc
from formats.nitro.tex0 import Tex0
from mapexplorer.arrays import Words
from mapexplorer.g3d.animation.attach import Animation, AnimationFile, Attached, Evaluators
from mapexplorer.g3d.binding import Addresses
from mapexplorer.g3d.engine import CommandStream
from mapexplorer.g3d.flush import DrawTransform
from mapexplorer.g3d.material import GlobalState
from mapexplorer.g3d.stream import send_model, send_pairs
from mapexplorer.scene.model_resolver import ResolvedModel
from mapexplorer.scene.playback import LOOPING, Playback

_READS_MATRICES: Final = frozenset({sbc.BB, sbc.BBY, sbc.NODEMIX, sbc.ENVMAP, sbc.PRJMAP})
_BOX_ATTRIBUTES: Final = 0x000030C1
_KEPT: Final = 64
"""CommandStream of so many instances are kept where they depend on the place."""


class FieldModel:
    """A resolved model with its animations; pattern animations look names up in `textures`, which are at `addresses`.

    `playing` says how they play.
    """

    def __init__(
        self,
        resolved: ResolvedModel,
        animations: Sequence[Animation | AnimationFile] = (),
        textures: Tex0 | None = None,
        addresses: Addresses | None = None,
        playing: Playback = LOOPING,
    ) -> None:
        self.resolved = resolved
        self.animations, self.textures, self.playing = tuple(animations), textures, playing
        self._addresses = addresses
        self._attached: Attached | None = None
        if animations and resolved.pairs is None:
            self._attached = Attached(resolved.model, animations, textures=textures, addresses=addresses)
        self.everywhere_the_same = resolved.pairs is not None or not any(
            instruction.opcode in _READS_MATRICES for instruction in resolved.model.sbc
        )
        self.box_test = _box_test(resolved)
        self._drawn: dict[bytes, Words] = {}
        self._tick = -1

    def with_state(self, state: GlobalState) -> FieldModel:
        """The same model under another global state."""
        resolved = dataclasses.replace(self.resolved, state=state)
        return FieldModel(resolved, self.animations, self.textures, self._addresses, self.playing)

    @property
    def moves(self) -> bool:
        """Whether its commands change with the tick."""
        return self._attached is not None

    def evaluators(self, tick: int) -> Evaluators:
        """The evaluators of its animations at a tick."""
        if self._attached is None:
            return {}
        return self._attached.at([self.playing.frame(each.frame_count, tick) for each in self._attached.animations])

    def commands(self, tick: int, view: DrawTransform, flush: Words) -> Words:
        """The commands that draw it after `flush`, which sets the state `view`."""
        if self.moves and tick != self._tick:
            self._drawn.clear()
        key = b"" if self.everywhere_the_same else flush.tobytes()
        words = self._drawn.get(key)
        if words is None:
            words = self._draw(tick, view, flush)
            if len(self._drawn) >= _KEPT:
                self._drawn.clear()
            self._drawn[key] = words
            self._tick = tick
        return words

    def _draw(self, tick: int, view: DrawTransform, flush: Words) -> Words:
        resolved = self.resolved
        commands = CommandStream()
        if not self.everywhere_the_same:
            commands.add_list(flush)
        if resolved.pairs is not None:
            send_pairs(commands, resolved.model, resolved.pairs, binding=resolved.binding)
        else:
            evaluators = self.evaluators(tick)
            send_model(
                commands, resolved.model, view=view, binding=resolved.binding, state=resolved.state, **evaluators
            )
        words = commands.words()
        return words if self.everywhere_the_same else words[len(flush) :]


def _box_test(resolved: ResolvedModel) -> Words:
    model = resolved.model
    x, y, z, width, height, depth = (value & 0xFFFF for value in model.box)
    commands = CommandStream()
    commands.add(
        (gx.MTX_PUSH,),
        (gx.MTX_SCALE, model.box_pos_scale, model.box_pos_scale, model.box_pos_scale),
        (gx.POLYGON_ATTR, _BOX_ATTRIBUTES),
        (gx.BEGIN_VTXS, 0),
        (gx.END_VTXS,),
        (gx.BOX_TEST, x | y << 16, z | width << 16, height | depth << 16),
        (gx.MTX_POP, 1),
    )
    return commands.words()
