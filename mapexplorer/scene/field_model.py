"""A dressed model and the commands that draw it at a tick, each part worked out as rarely as it can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.nds import gx
from formats.nitro import sbc
from formats.nitro.tex0 import Tex0
from mapexplorer.g3d.animation.attach import Animation, AnimationFile, Attached
from mapexplorer.g3d.binding import Addresses
from mapexplorer.g3d.engine import Commands
from mapexplorer.g3d.flush import View
from mapexplorer.g3d.stream import send_model, send_pairs
from mapexplorer.scene.placement import DressedModel

Words = npt.NDArray[np.uint32]

_READS_MATRICES: Final = frozenset({sbc.BB, sbc.BBY, sbc.NODEMIX, sbc.ENVMAP, sbc.PRJMAP})
_BOX_ATTRIBUTES: Final = 0x000030C1


class FieldModel:
    """A dressed model with its looping animations (`animations`, of which pattern animations look names up in
    `textures`, which lie at `addresses`)."""

    def __init__(
        self,
        dressed: DressedModel,
        animations: Sequence[Animation | AnimationFile] = (),
        textures: Tex0 | None = None,
        addresses: Addresses | None = None,
    ) -> None:
        self.dressed = dressed
        self._attached: Attached | None = None
        if animations and dressed.pairs is None:
            self._attached = Attached(dressed.model, animations, textures=textures, addresses=addresses)
        self.everywhere_the_same = dressed.pairs is not None or not any(
            instruction.opcode in _READS_MATRICES for instruction in dressed.model.sbc
        )
        self.box_test = _box_test(dressed)
        self._drawn: Words | None = None
        self._tick = -1

    @property
    def moves(self) -> bool:
        """Whether its commands change with the tick."""
        return self._attached is not None

    def commands(self, tick: int, view: View, flush: Words) -> Words:
        """What draws it after `flush`, the commands that made `view` the state of the engine."""
        if self.everywhere_the_same and self._drawn is not None and (self._tick == tick or not self.moves):
            return self._drawn
        commands = Commands()
        if not self.everywhere_the_same:
            commands.add_list(flush)
        if self.dressed.pairs is not None:
            send_pairs(commands, self.dressed.model, self.dressed.pairs, binding=self.dressed.binding)
        else:
            frames = [_frame(animation, tick) for animation in self._attached.animations] if self._attached else ()
            evaluators = self._attached.at(frames) if self._attached is not None else {}
            send_model(
                commands,
                self.dressed.model,
                view=view,
                binding=self.dressed.binding,
                state=self.dressed.state,
                **evaluators,
            )
        words = commands.words()
        if not self.everywhere_the_same:
            return words[len(flush) :]
        self._drawn, self._tick = words, tick
        return words


def _frame(animation: Animation, tick: int) -> int:
    return tick % animation.frame_count << 12 if animation.frame_count else 0


def _box_test(dressed: DressedModel) -> Words:
    model = dressed.model
    x, y, z, width, height, depth = (value & 0xFFFF for value in model.box)
    commands = Commands()
    commands.add(gx.MTX_PUSH)
    commands.add(gx.MTX_SCALE, *[model.box_pos_scale] * 3)
    commands.add(gx.POLYGON_ATTR, _BOX_ATTRIBUTES)
    commands.add(gx.BEGIN_VTXS, 0)
    commands.add(gx.END_VTXS)
    commands.add(gx.BOX_TEST, x | y << 16, z | width << 16, height | depth << 16)
    commands.add(gx.MTX_POP, 1)
    return commands.words()
