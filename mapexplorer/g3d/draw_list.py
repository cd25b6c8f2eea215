"""A model as a list of draws: which shape, with which composed material, under which matrix.

The list is what OpenGL and the exporters read. Matrices are recorded twice: by meaning (which node, or which weighted
mix of nodes), so that an exporter can rebuild the hierarchy, and as integers relative to the base matrix, with the
geometry engine's rounding. Billboards keep the matrix that they had before they turned to the camera, and say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE, wrap
from formats.nitro.model import Model
from mapexplorer.g3d import sbc
from mapexplorer.g3d.binding import TextureBinding
from mapexplorer.g3d.material import DEFAULT_STATE, ComposedMaterial, GlobalState, raw
from mapexplorer.g3d.matrix import (
    IDENTITY33,
    IDENTITY43,
    Matrix33,
    Matrix43,
    multiply33,
    multiply43,
    plus_part,
    wrapped,
)
from mapexplorer.g3d.transform import JointResult, apply_commands, joint_commands

SCREEN: Final = "screen"
UPRIGHT: Final = "upright"
"""Kinds of billboard: turned to the screen altogether, or only about its own y axis."""

ENVIRONMENT: Final = "environment"
PROJECTION: Final = "projection"
"""Effects that make texture coordinates from normals or positions at run time."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawMatrix:
    """A matrix that shapes are drawn under, without the position scale.

    `node` is the node whose matrix it is; None for the base matrix (then `terms` is empty) and for a mix, whose
    `terms` are (frame, node of the inverse bind matrices, weight of 256). `position` (4x3) and `vector` (3x3) are
    relative to the base matrix, fx32. `billboard` is SCREEN, UPRIGHT or None.
    """

    node: int | None
    position: Matrix43
    vector: Matrix33
    terms: tuple[tuple[DrawMatrix, int, int], ...] = ()
    billboard: str | None = None


BASE: Final = DrawMatrix(None, IDENTITY43, IDENTITY33)


class PosedNode(NamedTuple):
    """A node during the draw: the frame before it, its joint result and the frame after it."""

    node: int
    parent: DrawMatrix
    joint: JointResult
    frame: DrawMatrix


class Draw(NamedTuple):
    """One shape drawn once."""

    shape: int
    """The number of the shape."""
    material: ComposedMaterial
    """The material as it is sent."""
    frame: DrawMatrix
    """The matrix that is current when the display list begins."""
    scale: int
    """The position scale in force, fx32."""
    slots: Mapping[int, DrawMatrix]
    """The stored frames that MTX_RESTORE inside the display list can name."""
    visibility: int | None
    """The node whose visibility governs the draw, None before any NODE."""
    shown: bool
    """False for what is invisible or fully transparent in this pose."""
    effect: str | None = None
    """ENVIRONMENT or PROJECTION where the texture coordinates are those of such a map, else None."""

    def frame_of(self, slot: int) -> DrawMatrix:
        """The matrix of vertices that restore a slot; -1 is the one current when the display list began."""
        return self.frame if slot < 0 else self.slots.get(slot, BASE)


@dataclass(slots=True)
class DrawList:
    """The draws of a model in order, and its nodes in the order in which they were posed."""

    model: Model
    draws: list[Draw] = field(default_factory=list)
    nodes: list[PosedNode] = field(default_factory=list)


def draw_list(
    model: Model,
    *,
    binding: TextureBinding | None = None,
    state: GlobalState = DEFAULT_STATE,
    everything: bool = False,
    **animation: Any,
) -> DrawList:
    """Record a model's draws by running its SBC; `everything` and `animation` as in `mapexplorer.g3d.sbc.run`."""
    recorder = _Recorder(model)
    sbc.run(model, recorder, binding=binding, state=state, everything=everything, **animation)
    return recorder.result


def draw_pairs(model: Model, pairs: Sequence[tuple[int, int]], *, binding: TextureBinding | None = None) -> DrawList:
    """Record (material, shape) pairs drawn without the SBC, as the field draws static props.

    Nodes, billboards, visibility and the global state have no part in it; a material with alpha 0 draws nothing.
    """
    result = DrawList(model)
    composed: dict[int, ComposedMaterial] = {}
    for index, shape in pairs:
        if index not in composed:
            bound = binding.materials[index] if binding is not None else None
            composed[index] = raw(model.materials[index], index, mode=model.texture_matrix_mode, bound=bound)
        material = composed[index]
        if material.alpha:
            result.draws.append(Draw(shape, material, BASE, model.pos_scale, {}, None, True))
    return result


def rebased(draws: DrawList, position: Matrix33, vector: Matrix33) -> DrawList:
    """Draws under a base whose linear parts for positions and for vectors are given: the matrices of the draws become
    relative to what is around it."""
    moved: dict[int, DrawMatrix] = {}

    def turned(matrix: DrawMatrix) -> DrawMatrix:
        if id(matrix) not in moved:
            moved[id(matrix)] = replace(
                matrix,
                position=multiply43(matrix.position, (*position, 0, 0, 0)),
                vector=multiply33(matrix.vector, vector),
            )
        return moved[id(matrix)]

    rebased_draws = [
        draw._replace(frame=turned(draw.frame), slots={slot: turned(frame) for slot, frame in draw.slots.items()})
        for draw in draws.draws
    ]
    return DrawList(draws.model, rebased_draws, draws.nodes)


def placed_vertices(draw: Draw, vertices: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The positions (n, 3) in units of a draw's vertices, relative to the base matrix; `vertices` are those of its
    shape as `mapexplorer.g3d.geometry` decodes them under the draw's scale."""
    positions = np.empty((len(vertices), 3))
    for slot in np.unique(vertices["slot"]).tolist():
        chosen = vertices["slot"] == slot
        matrix = np.array(draw.frame_of(slot).position, float).reshape(4, 3) / ONE
        positions[chosen] = vertices["position"][chosen] / ONE @ matrix[:3] + matrix[3]
    return positions


class _Recorder(sbc.SbcTarget):
    """The target of the interpreter that records draws."""

    def __init__(self, model: Model) -> None:
        self.result = DrawList(model)
        self._frame = BASE
        self._scale = ONE
        self._slots: dict[int, tuple[DrawMatrix, int]] = {}
        self._material: ComposedMaterial | None = None
        self._node: int | None = None
        self._effect: str | None = None
        self._snapshot: dict[int, DrawMatrix] | None = None
        self._mixed: dict[int, tuple[Matrix43, Matrix33]] = {}

    def node(self, node: int, visible: bool) -> None:
        self._node = node

    def _store(self, slot: int) -> None:
        self._slots[slot] = self._frame, self._scale
        self._snapshot = None

    def node_description(
        self, node: int, parent: int, joint: JointResult, restore: int | None, store: int | None
    ) -> None:
        if restore is not None:
            self.matrix(restore)
        above = self._frame
        commands = joint_commands(joint, self.result.model.scaling_rule)
        position, vector = apply_commands(commands, above.position, above.vector)
        self._frame = DrawMatrix(node, position, vector, billboard=above.billboard)
        self.result.nodes.append(PosedNode(node, above, joint, self._frame))
        if store is not None:
            self._store(store)

    def matrix(self, slot: int) -> None:
        self._frame, self._scale = self._slots.get(slot, (BASE, ONE))

    def material(self, material: ComposedMaterial) -> None:
        self._material = material
        self._effect = None

    def shape(self, shape: int, shown: bool) -> None:
        if self._material is None:
            return
        if self._snapshot is None:
            self._snapshot = {slot: frame for slot, (frame, _) in self._slots.items()}
        frame, slots = self._frame, self._snapshot
        draw = Draw(shape, self._material, frame, self._scale, slots, self._node, shown, self._effect)
        self.result.draws.append(draw)

    def billboard(self, node: int, upright: bool, restore: int | None, store: int | None) -> None:
        if restore is not None:
            self.matrix(restore)
        self._frame = replace(self._frame, billboard=UPRIGHT if upright else SCREEN)
        if store is not None:
            self._store(store)

    def node_mix(self, store: int, terms: Sequence[tuple[int, int, int]]) -> None:
        envelopes = self.result.model.envelopes
        position: list[Any] = [0] * 12
        vector: list[Any] = [0] * 9
        sources = []
        for slot, node, weight in terms:
            frame = self._slots.get(slot, (BASE, ONE))[0]
            sources.append((frame, node, weight))
            if node not in self._mixed:
                bind = tuple(envelopes["position"][node].ravel().tolist())
                bind_vector = tuple(envelopes["normal"][node].ravel().tolist())
                self._mixed[node] = (
                    wrapped(multiply43(bind, frame.position)),
                    wrapped(multiply33(bind_vector, frame.vector)),
                )
            term_position, term_vector = self._mixed[node]
            position = plus_part(position, weight, term_position)
            vector = plus_part(vector, weight, term_vector)
        self._frame = DrawMatrix(None, wrapped(tuple(position)), wrapped(tuple(vector)), tuple(sources))
        self._scale = ONE
        self._store(store)

    def position_scale(self, scale: int) -> None:
        self._scale = wrap(self._scale * scale >> 12)

    def environment_map(self, material: ComposedMaterial) -> None:
        self._effect = ENVIRONMENT

    def projection_map(self, material: ComposedMaterial) -> None:
        self._effect = PROJECTION
