"""The interpreter of SBC, the byte code that draws a model.

It decides what is executed - visibility, transparency, the current material - and evaluates nodes and materials; a
target makes something of it: `mapexplorer.g3d.draw_list` records draws, the stream target writes geometry commands.
Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from formats.binary import FormatError
from formats.nitro import sbc
from formats.nitro.model import Model
from mapexplorer.g3d.binding import TextureBinding
from mapexplorer.g3d.material import DEFAULT_STATE, ComposedMaterial, GlobalState, MaterialAnimator, compose
from mapexplorer.g3d.transform import JointResult, Local, ScalingRule

JointEvaluator = Callable[[int, int, int, ScalingRule], JointResult]
"""(node, parent, NODEDESC flags, the draw's scaling rule) -> joint result; replaces the rest pose."""

VisibilityEvaluator = Callable[[int], bool]
"""node -> visible; replaces the operand of NODE."""


class SbcTarget:
    """The receiver of the interpreter's calls; this one does nothing with them. Slots are matrix stack slots; `store`
    and `restore` are None if absent."""

    def node(self, node: int, visible: bool) -> None:
        """NODE: this node's visibility applies to the following draws."""

    def node_description(
        self, node: int, parent: int, joint: JointResult, restore: int | None, store: int | None
    ) -> None:
        """NODEDESC: restore, multiply the joint onto the current matrices, store."""

    def matrix(self, slot: int) -> None:
        """MTX: the stored matrices become current."""

    def material(self, material: ComposedMaterial) -> None:
        """MAT with an alpha other than 0: its words are sent."""

    def shape(self, shape: int, shown: bool) -> None:
        """SHP. `shown` is False only in runs with `everything`."""

    def billboard(self, node: int, upright: bool, restore: int | None, store: int | None) -> None:
        """BB or BBY (`upright`: keeps its own y axis)."""

    def node_mix(self, store: int, terms: Sequence[tuple[int, int, int]]) -> None:
        """NODEMIX: the weighted sum of (slot, node of the inverse bind matrices, weight of 256) becomes current."""

    def position_scale(self, scale: int) -> None:
        """POSSCALE: the position matrix is scaled uniformly by fx32 `scale`."""

    def environment_map(self, material: ComposedMaterial) -> None:
        """ENVMAP: texture coordinates come from normals."""

    def projection_map(self, material: ComposedMaterial) -> None:
        """PRJMAP: texture coordinates come from positions."""

    def call_list(self, index: int) -> None:
        """CALLDL: `model.called_lists[index]` is sent."""


def run(
    model: Model,
    target: SbcTarget,
    *,
    binding: TextureBinding | None = None,
    state: GlobalState = DEFAULT_STATE,
    joints: JointEvaluator | None = None,
    visibility: VisibilityEvaluator | None = None,
    animators: Sequence[Sequence[MaterialAnimator]] = (),
    everything: bool = False,
) -> None:
    """Execute a model's SBC once, from the first instruction to RET.

    `joints`, `visibility` and `animators` (for each material, those of it in order; empty: none) evaluate animations.
    `everything` also passes on what is invisible or has alpha 0, so that a target can record it for animations to show.
    Raises FormatError when an instruction names a node, material, shape or list that the model does not have.
    """
    rule = ScalingRule(model.scaling_rule)
    visible, transparent, chosen = True, False, -1
    composed: ComposedMaterial | None = None
    mode = model.texture_matrix_mode
    check(model)
    for instruction in model.sbc:
        opcode, option, operands = instruction.opcode, instruction.option, instruction.operands
        if opcode == sbc.SHP:
            shown = visible and not transparent
            if shown or everything:
                target.shape(operands[0], shown)
        elif opcode == sbc.MAT:
            index = operands[0]
            if visible or everything or index != chosen:
                chosen = index
                composed = compose(
                    model.materials[index],
                    index,
                    mode=mode,
                    bound=binding.materials[index] if binding is not None else None,
                    state=state,
                    animators=animators[index] if animators else (),
                )
                transparent = composed.alpha == 0
                if everything or not transparent:
                    target.material(composed)
        elif opcode == sbc.NODEDESC:
            node, parent, flags = operands[:3]
            if joints is not None:
                joint = joints(node, parent, flags, rule)
            else:
                joint = rule.joint(node, parent, flags, Local.rest(model.nodes[node]))
            target.node_description(node, parent, joint, *_slots(option, operands[3:]))
        elif opcode == sbc.NODE:
            visible = visibility(operands[0]) if visibility is not None else bool(operands[1] & 1)
            target.node(operands[0], visible)
        elif opcode == sbc.POSSCALE:
            target.position_scale(model.inv_pos_scale if option & sbc.INVERSE else model.pos_scale)
        elif opcode == sbc.MTX:
            if visible or everything:
                target.matrix(operands[0])
        elif opcode in (sbc.BB, sbc.BBY):
            target.billboard(operands[0], opcode == sbc.BBY, *_slots(option, operands[1:]))
        elif opcode == sbc.NODEMIX:
            terms = operands[1:]
            target.node_mix(operands[0], list(zip(terms[::3], terms[1::3], terms[2::3], strict=True)))
        elif opcode in (sbc.ENVMAP, sbc.PRJMAP):
            if (visible or everything) and composed is not None:
                effect = target.environment_map if opcode == sbc.ENVMAP else target.projection_map
                effect(composed)
        elif opcode == sbc.CALLDL:
            target.call_list(operands[0])
        elif opcode == sbc.RET:
            return


def check(model: Model) -> None:
    """Check a model's SBC as `run` does. Raises FormatError."""
    material = len(model.materials), "material"
    named = {
        sbc.MAT: material,
        sbc.ENVMAP: material,
        sbc.PRJMAP: material,
        sbc.SHP: (len(model.shapes), "shape"),
        sbc.NODEDESC: (len(model.nodes), "node"),
        sbc.CALLDL: (len(model.called_lists), "display list"),
    }
    for number, instruction in enumerate(model.sbc):
        opcode = instruction.opcode
        if opcode in named:
            known, what = named[opcode]
            if instruction.operands[0] >= known:
                _refuse(model, number, what, known, instruction.operands[0])
        elif opcode == sbc.NODEMIX:
            for node in instruction.operands[2::3]:
                if node >= len(model.envelopes):
                    _refuse(model, number, "node with inverse bind matrices", len(model.envelopes), node)
        elif opcode == sbc.RET:
            return


def _refuse(model: Model, number: int, what: str, known: int, found: int) -> NoReturn:
    place = f"{model.name} > SBC > instruction {number}"
    raise FormatError(place, 0, f"a {what} below {known}", f"{found}, which the model does not have")


def _slots(option: int, operands: Sequence[int]) -> tuple[int | None, int | None]:
    """(restore, store): the destination comes first in the byte code, the source is restored first."""
    store = operands[0] if option & sbc.STORE else None
    restore = operands[-1] if option & sbc.RESTORE else None
    return restore, store
