"""A node's local transform under the three scaling rules of the NITRO library, in integers.

A node (or a joint animation) gives translation, rotation and scale; the model's scaling rule turns them into a
`JointResult`, and that into the geometry commands which multiply it onto the current matrix. With row vectors, C the
current matrix and s', P, P' the inverse scale, the ancestors' accumulated scale and its inverse:

* standard:                C := S(s) R T(t) C
* Maya (segment scale compensation requested): C := S(s) R S(s' of the parent) T(t) C, otherwise as standard
* Softimage (hierarchical): C := S(s) S(P) R T(t P) S(P') C, so that scaling never shears

"One", "zero" and "identity" are decided by what is absent (None), never by value: a scale that happens to be 1.0 is
still sent.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from formats.fixed import ONE, Vector, wrap
from formats.nds import gx
from formats.nitro.model import MAYA, SOFTIMAGE
from formats.nitro.node import Node
from mapexplorer.g3d.matrix import Matrix33, Matrix43, multiply33, multiply43, rotate43, scale43, translate43, wrapped

COMPENSATE: Final = 1
"""NODEDESC flag: the parent's scale is undone for this node (Maya)."""
REMEMBER: Final = 2
"""NODEDESC flag: this node's scale will be undone by a child (Maya)."""

SCALE_ONE: Final = 1
ROTATION_IDENTITY: Final = 2
TRANSLATION_ZERO: Final = 4
EXTRA0_ONE: Final = 8
EXTRA1_ONE: Final = 16
COMPENSATED: Final = 32
"""Bits of `JointResult.flags`, as the library numbers them."""

_UNIT: Final[Vector] = (ONE, ONE, ONE)


class Local(NamedTuple):
    """A node's local transform, fx32; None for absent parts. `inverse_scale` is the stored reciprocal."""

    translation: Vector | None = None
    rotation: Matrix33 | None = None
    scale: Vector | None = None
    inverse_scale: Vector | None = None

    @classmethod
    def rest(cls, node: Node) -> Local:
        """The rest pose of a node."""
        if node.translation is None and node.rotation is None and node.scale is None:
            return _NOTHING
        rotation = None if node.rotation is None else node.rotation_matrix()
        return cls(node.translation, rotation, node.scale, node.inverse_scale)


_NOTHING: Final = Local()


class JointResult(NamedTuple):
    """The library's joint result: the parts of a local transform that are sent to the geometry engine, by scaling rule.

    `extra0` and `extra1` are the scales that the rules add: under Maya's, extra0 is the parent's inverse scale; under
    Softimage's, extra0 is the ancestors' accumulated scale and extra1 its inverse, and `translation` is already scaled.
    `unproduced`: Maya's rule without compensation says nothing of extra0, not even that it is one.
    """

    translation: Vector | None = None
    rotation: Matrix33 | None = None
    scale: Vector | None = None
    extra0: Vector | None = None
    extra1: Vector | None = None
    compensated: bool = False
    unproduced: bool = False

    @property
    def flags(self) -> int:
        """The library's flag word: which parts are one, identity or zero."""
        return (
            (SCALE_ONE if self.scale is None else 0)
            | (ROTATION_IDENTITY if self.rotation is None else 0)
            | (TRANSLATION_ZERO if self.translation is None else 0)
            | (EXTRA0_ONE if self.extra0 is None and not self.unproduced else 0)
            | (EXTRA1_ONE if self.extra1 is None else 0)
            | (COMPENSATED if self.compensated else 0)
        )


class ScalingRule:
    """Turns local transforms into joints during one draw; remembers the scales that the rules pass on to children."""

    def __init__(self, rule: int) -> None:
        self.rule = rule
        self._scales: dict[int, tuple[Vector, Vector] | None] = {}
        self._inverses: dict[int, Vector | None] = {}

    def joint(self, node: int, parent: int, flags: int, local: Local) -> JointResult:
        """The joint of a node; parents come before their children, the root names itself."""
        if self.rule == MAYA:
            if flags & REMEMBER:
                self._inverses[node] = local.inverse_scale
            if not flags & COMPENSATE:
                return JointResult(local.translation, local.rotation, local.scale, unproduced=True)
            inverse = self._inverses.get(parent)
            return JointResult(local.translation, local.rotation, local.scale, inverse, compensated=True)
        if self.rule == SOFTIMAGE:
            return self._hierarchical(node, parent, local)
        return JointResult(local.translation, local.rotation, local.scale)

    def _hierarchical(self, node: int, parent: int, local: Local) -> JointResult:
        above = self._scales.get(parent) if parent != node else None
        own = None
        if local.scale is not None:
            own = (local.scale, local.inverse_scale or _UNIT)
        if above is None:
            self._scales[node] = own
            return JointResult(local.translation, local.rotation, local.scale)
        self._scales[node] = above if own is None else (_product(own[0], above[0]), _product(own[1], above[1]))
        translation = None if local.translation is None else _product(local.translation, above[0])
        return JointResult(translation, local.rotation, local.scale, above[0], above[1])


def _product(a: Vector, b: Vector) -> Vector:
    return wrap(a[0] * b[0] >> 12), wrap(a[1] * b[1] >> 12), wrap(a[2] * b[2] >> 12)


Command = tuple[int, ...]
"""A geometry command: its number and its parameters."""


def joint_commands(joint: JointResult, rule: int) -> list[Command]:
    """The geometry commands that multiply a joint onto the current matrix."""
    commands: list[Command] = []
    translation = joint.translation
    if rule == MAYA and joint.extra0 is not None:
        if translation is not None:
            commands.append((gx.MTX_TRANS, *translation))
            translation = None
        commands.append((gx.MTX_SCALE, *joint.extra0))
    if joint.extra1 is not None:
        commands.append((gx.MTX_SCALE, *joint.extra1))
    if joint.rotation is not None:
        if translation is not None:
            commands.append((gx.MTX_MULT_4X3, *joint.rotation, *translation))
        else:
            commands.append((gx.MTX_MULT_3X3, *joint.rotation))
    elif translation is not None:
        commands.append((gx.MTX_TRANS, *translation))
    if rule == SOFTIMAGE and joint.extra0 is not None:
        commands.append((gx.MTX_SCALE, *joint.extra0))
    if joint.scale is not None:
        commands.append((gx.MTX_SCALE, *joint.scale))
    return commands


def apply_commands(commands: list[Command], position: Matrix43, vector: Matrix33) -> tuple[Matrix43, Matrix33]:
    """The position and vector matrices after those commands (mode POSITION_VECTOR)."""
    for number, *p in commands:
        if number == gx.MTX_SCALE:
            position = scale43(p, position)  # type: ignore[arg-type]
        elif number == gx.MTX_TRANS:
            position = translate43(p, position)  # type: ignore[arg-type]
        elif number == gx.MTX_MULT_3X3:
            position = rotate43(p, position)  # type: ignore[arg-type]
            vector = multiply33(p, vector)  # type: ignore[arg-type]
        else:
            position = multiply43(p, position)  # type: ignore[arg-type]
            vector = multiply33(p[:9], vector)  # type: ignore[arg-type]
        position, vector = wrapped(position), wrapped(vector)
    return position, vector
