"""The geometry commands with which the NITRO library draws a model: the stream target of the SBC interpreter.

A stream is flat (`formats.nds.gx`): for every command its number and its parameters, uint32; the order of the commands
is part of the result. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from formats.binary import require
from formats.fixed import ONE, length, normalize
from formats.nds import gx
from formats.nitro.model import TEXTURE_SOFTIMAGE, Model
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.shape import HAS_RESTORE
from formats.nitro.tex0 import Tex0
from mapexplorer.arrays import Words
from mapexplorer.g3d import sbc
from mapexplorer.g3d.animation.attach import Animation, AnimationFile, Attached
from mapexplorer.g3d.binding import Addresses, TextureBinding, bind
from mapexplorer.g3d.engine import POSITION, POSITION_VECTOR, PROJECTION, TEXTURE, CommandStream, to33, to43
from mapexplorer.g3d.flush import FOLDED_ALL, SEPARATE, DrawTransform
from mapexplorer.g3d.material import (
    DEFAULT_STATE,
    TEXGEN,
    TEXGEN_NORMAL,
    TEXGEN_VERTEX,
    ComposedMaterial,
    GlobalState,
    raw,
)
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33, inverse43, multiply43, plus_part
from mapexplorer.g3d.transform import Command, JointResult, joint_commands

_SCRATCH_SLOT: Final = 30
"""The matrix stack slot that the library reserves."""
_READ_BACK: Final = (
    (gx.MTX_MODE, PROJECTION),
    (gx.MTX_PUSH,),
    (gx.MTX_IDENTITY,),
    (gx.MTX_POP, 1),
    (gx.MTX_MODE, POSITION_VECTOR),
)
"""The commands around a read of the current matrices, which leave them as they are."""


class StreamTarget(sbc.SbcTarget):
    """Writes what the library sends while it interprets a model's SBC.

    `view` is the flushed global state, which billboards and mapped textures use: they need the camera
    where it is not part of the current matrix. NODEMIX sends a matrix whose last row the library leaves uninitialised;
    here it is zero.
    """

    def __init__(self, model: Model, commands: CommandStream, view: DrawTransform) -> None:
        self._model = model
        self._commands = commands
        self._view = view
        self._mixed: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def node_description(
        self, node: int, parent: int, joint: JointResult, restore: int | None, store: int | None
    ) -> None:
        if restore is not None:
            self.matrix(restore)
        self._commands.add(*joint_commands(joint, self._model.scaling_rule))
        if store is not None:
            self._commands.add((gx.MTX_STORE, store))

    def matrix(self, slot: int) -> None:
        self._commands.add((gx.MTX_RESTORE, slot))

    def material(self, material: ComposedMaterial) -> None:
        send_material(self._commands, material)

    def shape(self, shape: int, shown: bool) -> None:
        send_shape(self._commands, self._model, shape)

    def position_scale(self, scale: int) -> None:
        self._commands.add((gx.MTX_SCALE, scale, scale, scale))

    def call_list(self, index: int) -> None:
        self._commands.add_list(self._model.called_lists[index])

    def billboard(self, node: int, upright: bool, restore: int | None, store: int | None) -> None:
        commands = self._commands
        if restore is not None:
            self.matrix(restore)
        commands.add(*_READ_BACK)
        current = to43(commands.matrices.position)
        outside = self._view.outside()
        if outside is not None:
            current = multiply43(current, outside)
        rows = current[:3], current[3:6], current[6:9]
        axes = upright_axes(rows[1], rows[2]) if upright else IDENTITY33
        turned = (*axes, *current[9:])
        if outside is None:
            commands.add((gx.MTX_LOAD_4X3, *turned))
        else:
            commands.add((gx.MTX_LOAD_4X3, *inverse43(outside)), (gx.MTX_MULT_4X3, *turned))
        commands.add((gx.MTX_SCALE, *[length(row) for row in rows]))
        if store is not None:
            commands.add((gx.MTX_STORE, store))

    def node_mix(self, store: int, terms: Sequence[tuple[int, int, int]]) -> None:
        commands = self._commands
        commands.add((gx.MTX_MODE, PROJECTION), (gx.MTX_STORE, 1), (gx.MTX_IDENTITY,), (gx.MTX_MODE, POSITION_VECTOR))
        position, vector = [0] * 12, [0] * 9
        for slot, node, weight in terms:
            if node not in self._mixed:
                self._mixed[node] = self._bind(slot, node)
            term_position, term_vector = self._mixed[node]
            position = plus_part(position, weight, term_position)
            vector = plus_part(vector, weight, term_vector)
        commands.add(
            (gx.MTX_LOAD_4X3, *vector, 0, 0, 0),
            (gx.MTX_MODE, POSITION),
            (gx.MTX_LOAD_4X3, *position),
            (gx.MTX_MODE, PROJECTION),
            (gx.MTX_RESTORE, 1),
            (gx.MTX_MODE, POSITION_VECTOR),
            (gx.MTX_STORE, store),
        )

    def _bind(self, slot: int, node: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """A stored matrix behind a node's inverse bind matrices; computed once per node and draw."""
        commands = self._commands
        envelope = self._model.envelopes[node]
        bind_position, bind_vector = (envelope[part].ravel().tolist() for part in ("position", "normal"))
        commands.add((gx.MTX_RESTORE, slot), (gx.MTX_MODE, POSITION), (gx.MTX_MULT_4X3, *bind_position))
        position = to43(commands.matrices.position)
        commands.add((gx.MTX_MODE, POSITION_VECTOR), (gx.MTX_MULT_3X3, *bind_vector))
        return position, to33(commands.matrices.vector)

    def environment_map(self, material: ComposedMaterial) -> None:
        commands = self._commands
        self._generate(material, TEXGEN_NORMAL)
        width, height = material.size
        commands.add(
            (gx.MTX_MODE, TEXTURE),
            (gx.MTX_SCALE, width << 15, -(height << 15), 0x10000),
            (gx.TEXCOORD, width << 3 & 0xFFFF | (height << 3 & 0xFFFF) << 16),
        )
        if material.effect is not None:
            commands.add((gx.MTX_MULT_4X4, *material.effect))
        commands.add((gx.MTX_MODE, POSITION_VECTOR), *_READ_BACK)
        vector = to33(commands.matrices.vector)
        commands.add((gx.MTX_MODE, TEXTURE))
        if self._view.kind != SEPARATE:
            commands.add((gx.MTX_MULT_3X3, *self._view.camera[:9]))
        if self._view.kind == FOLDED_ALL:
            commands.add((gx.MTX_MULT_3X3, *self._view.base_rotation))
        commands.add((gx.MTX_MULT_3X3, *vector), (gx.MTX_MODE, POSITION_VECTOR))

    def projection_map(self, material: ComposedMaterial) -> None:
        commands, view = self._commands, self._view
        commands.add(*_READ_BACK)
        current = to43(commands.matrices.position)
        commands.add((gx.MTX_STORE, _SCRATCH_SLOT))
        self._generate(material, TEXGEN_VERTEX)
        width, height = material.size
        x, y = width << 15, height << 15
        commands.add((gx.MTX_LOAD_4X4, x, 0, 0, 0, 0, -y, 0, 0, 0, 0, 0x10000, 0, x, y, 0, 0x10000))
        if material.effect is not None:
            commands.add((gx.MTX_MULT_4X4, *material.effect))
        if view.kind == SEPARATE:
            commands.add((gx.MTX_MULT_4X3, *inverse43(view.camera)))
        elif view.kind == FOLDED_ALL:
            commands.add((gx.MTX_TRANS, *view.base_translation), (gx.MTX_MULT_3X3, *view.base_rotation))
        commands.add((gx.MTX_MULT_4X3, *current), *_READ_BACK[:-1])
        product = commands.matrices.position
        commands.add(
            (gx.MTX_MODE, TEXTURE),
            (gx.MTX_LOAD_4X4, *product),
            (gx.TEXCOORD, product[12] >> 12 & 0xFFFF | (product[13] >> 12 & 0xFFFF) << 16),
            (gx.MTX_MODE, POSITION_VECTOR),
            (gx.MTX_RESTORE, _SCRATCH_SLOT),
        )

    def _generate(self, material: ComposedMaterial, mode: int) -> None:
        """Send TEXIMAGE_PARAM again if its texture coordinate mode changes."""
        if material.teximage_param & TEXGEN != mode:
            self._commands.add((gx.TEXIMAGE_PARAM, material.teximage_param & ~TEXGEN | mode))


def upright_axes(row1: Sequence[int], row2: Sequence[int]) -> Matrix33:
    """The axes of a billboard that keeps its y axis: `row1` and `row2` are rows of the current matrix.

    They are not orthogonal when the y axis leans to the side. For a y axis along x the library leaves one element as it
    was after the previous billboard; here it is zero.
    """
    if row1[1] or row1[2]:
        a, b, c = normalize(row1)
        return (ONE, 0, 0, a, b, c, 0, -c, b)
    x, y, z = normalize(row2) if any(row2) else (0, 0, ONE)
    return (ONE, 0, 0, 0, z, -y, x, y, z)


def send_material(commands: CommandStream, material: ComposedMaterial) -> None:
    """The commands of a material: its five words, and its texture matrix when one is in use."""
    commands.add(
        (gx.DIF_AMB, material.dif_amb),
        (gx.SPE_EMI, material.spe_emi),
        (gx.POLYGON_ATTR, material.sent_polygon_attr),
        (gx.TEXIMAGE_PARAM, material.teximage_param),
        (gx.PLTT_BASE, material.pltt_base),
    )
    matrix = material.texture_matrix
    if matrix is None:
        return
    load: Command = (gx.MTX_LOAD_4X4, *matrix.words())
    if material.texture_matrix_mode == TEXTURE_SOFTIMAGE:
        rows = (matrix.m00, matrix.m01, 0, matrix.m10, matrix.m11, 0, 0, 0, 0, matrix.m30, matrix.m31, 0)
        load = (gx.MTX_LOAD_4X3, *rows)
    commands.add((gx.MTX_MODE, TEXTURE), load, (gx.MTX_MODE, POSITION_VECTOR))


def send_shape(commands: CommandStream, model: Model, shape: int) -> None:
    """A shape's display list."""
    chosen = model.shapes[shape]
    commands.add_list(chosen.commands, moves=bool(chosen.flags & HAS_RESTORE))


def send_model(
    commands: CommandStream,
    model: Model,
    *,
    view: DrawTransform | None = None,
    binding: TextureBinding | None = None,
    state: GlobalState = DEFAULT_STATE,
    **evaluators: Any,
) -> None:
    """Draw a model by its SBC; `evaluators` as `Attached.at` gives them.

    The engine's matrices are those that `commands` left. Raises IndexError when the SBC names what the model does not
    have.
    """
    target = StreamTarget(model, commands, view or DrawTransform())
    sbc.run(model, target, binding=binding, state=state, **evaluators)


def send_pairs(
    commands: CommandStream, model: Model, pairs: Sequence[tuple[int, int]], *, binding: TextureBinding | None = None
) -> None:
    """Draw (material, shape) pairs without SBC, as the field draws static props.

    The position scale is applied for each pair, a material is sent unless the pair before had the same. As in the
    library, a material with alpha 0 ends its pair at once, without undoing the scale.
    """
    previous = -1
    scale, inverse = model.pos_scale, model.inv_pos_scale
    for index, shape in [(int(pair[0]), int(pair[1])) for pair in pairs]:
        if scale != ONE:
            commands.add((gx.MTX_SCALE, scale, scale, scale))
        if index != previous:
            previous = index
            bound = binding.materials[index] if binding is not None else None
            material = raw(model.materials[index], index, mode=model.texture_matrix_mode, bound=bound)
            if material.alpha == 0:
                continue
            send_material(commands, material)
        send_shape(commands, model, shape)
        if inverse != ONE:
            commands.add((gx.MTX_SCALE, inverse, inverse, inverse))


def draw_commands(
    model: Model | Nsbmd,
    *,
    textures: Tex0 | Nsbtx | Nsbmd | None = None,
    animations: Sequence[Animation | AnimationFile] = (),
    frames: Sequence[int] = (),
    pairs: Sequence[tuple[int, int]] | None = None,
) -> Words:
    """The commands that the library sends to draw a model once: a flat uint32 stream.

    `model` is a model or a file, whose first model is drawn. `textures`, a set or a file with one, are bound, all areas
    of the set at VRAM address 0; without, materials keep the words of the file. `animations` (or files, of which the
    first counts) are attached in list order at `frames` (fx32). With `pairs` of material and shape numbers those are
    drawn instead of the model's own script. The global state is the library's default, the engine's matrices are
    identity, and nothing is flushed.
    Raises ValueError for a file without models, and when the script or a pair names what the model does not have.
    """
    if isinstance(model, Nsbmd):
        require(model.models, "the file holds no model")
        model = model.models[0]
    tex0 = textures.textures if isinstance(textures, Nsbtx | Nsbmd) else textures
    addresses = Addresses()
    binding = None if tex0 is None else bind(model, tex0, addresses=addresses)
    commands = CommandStream()
    try:
        if pairs is not None:
            send_pairs(commands, model, pairs, binding=binding)
        else:
            attached = Attached(model, animations, textures=tex0, addresses=addresses)
            send_model(commands, model, binding=binding, **attached.at(frames))
    except IndexError:
        raise ValueError(f"model {model.name!r} does not have a node, material or shape that is to be drawn") from None
    return commands.words()
