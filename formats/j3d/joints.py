"""JNT1, EVP1 and DRW1: joints, envelopes and the matrices that vertices are drawn with."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, frozen
from formats.j3d.big_endian import BigEndianReader
from formats.j3d.sections import name_of, read_names

JOINT_SIZE = 0x40
RIGID, ENVELOPE = 0, 1

DRAW_MATRIX = np.dtype([("kind", "u1"), ("index", "u2")])
"""kind 0: the world matrix of joint `index`; kind 1: the blend of envelope `index`."""


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint relative to its parent: p' = T * Rz * Ry * Rx * S * p."""

    name: str
    """The name in the file, else one by its number."""
    matrix_type: int
    """Has no effect on the pose."""
    scale_compensate: int
    """1 in models of the Maya scaling rule: the parent's local scale is divided out; 0 or 255: not."""
    scale: tuple[float, ...]
    """Factors x, y, z."""
    rotation: tuple[int, ...]
    """Angles x, y, z in units of pi / 32768."""
    translation: tuple[float, ...]
    """x, y, z in model units."""
    radius: float
    """The radius of a sphere around the joint's shapes, model units."""
    box_min: tuple[float, ...]
    """The smallest corner of the box around the joint's shapes, model units."""
    box_max: tuple[float, ...]
    """The largest corner of that box."""


@dataclass(frozen=True, eq=False)
class Envelopes:
    """EVP1: weighted matrices.

    counts: uint8, influences of each envelope; joints (uint16) and weights (float32): the influences of all envelopes,
    concatenated. inverse_binds: float32 (joints of the model, 3, 4), rows for column vectors as stored: model space of
    the bind pose to joint space. They need not be the inverse of the rest pose.
    """

    counts: npt.NDArray[np.uint8]
    joints: npt.NDArray[np.uint16]
    weights: npt.NDArray[np.float32]
    inverse_binds: npt.NDArray[np.float32]


NO_ENVELOPES = Envelopes(
    frozen([], np.uint8), frozen([], np.uint16), frozen([], np.float32), frozen(np.zeros((0, 3, 4)), np.float32)
)


def read_remap(section: BigEndianReader, offset: int, count: int, what: str, notes: Notes | None) -> list[int]:
    """The record index of each of `count` joints or materials: the u16 table at `offset`, or the identity when it is
    absent."""
    if offset == 0:
        return list(range(count))
    remap: list[int] = section.array(offset, "u2", count, f"{what} remap").tolist()
    section.tolerate(remap == list(range(count)), notes, offset, f"the {what} records are not in order")
    return remap


def read_joints(section: BigEndianReader, notes: Notes | None = None) -> tuple[Joint, ...]:
    """JNT1 of its section. Raises FormatError for records outside the section or numbers that are not finite."""
    count, table = section.u16(8), section.u32(12)
    remap = read_remap(section, section.u32(16), count, "joint", notes)
    names = read_names(section, section.u32(20), notes) if section.u32(20) else ()
    section.need(table, JOINT_SIZE * (1 + max(remap, default=-1)), "joints")
    records = {record: _read_joint(section, table + JOINT_SIZE * record, notes) for record in sorted(set(remap))}
    return tuple(replace(records[record], name=name_of(names, i, "joint")) for i, record in enumerate(remap))


def _read_joint(section: BigEndianReader, at: int, notes: Notes | None) -> Joint:
    radius, *box = (float(value) for value in section.array(at + 0x24, "f4", 7))
    scale = section.finite(at + 4, 3, "joint scale")
    section.tolerate(0.0 not in scale, notes, at + 4, f"a joint has the scale {scale}: its matrix is singular")
    return Joint(
        name="",
        matrix_type=section.u16(at),
        scale_compensate=section.u8(at + 2),
        scale=scale,
        rotation=tuple(section.array(at + 0x10, "i2", 3).tolist()),
        translation=section.finite(at + 0x18, 3, "joint translation"),
        radius=radius,
        box_min=tuple(box[:3]),
        box_max=tuple(box[3:]),
    )


def read_envelopes(section: BigEndianReader, joint_count: int, notes: Notes | None = None) -> Envelopes:
    """EVP1 of its section. Raises FormatError for a joint outside JNT1 and for tables outside the section."""
    count = section.u16(8)
    if count == 0:
        return NO_ENVELOPES
    at_counts, at_joints, at_weights, at_matrices = (section.u32(12 + 4 * i) for i in range(4))
    counts = section.array(at_counts, "u1", count, "influence counts")
    total = int(counts.sum(dtype=np.int64))
    joints = section.array(at_joints, "u2", total, "influencing joints")
    weights = section.finite_array(at_weights, total, "weights")
    if total and int(joints.max()) >= joint_count:
        worst = int(joints.argmax())
        section.fail(at_joints + 2 * worst, f"a joint below {joint_count}", int(joints[worst]))
    if not counts.all():
        empty = int(np.flatnonzero(counts == 0)[0])
        section.fail(at_counts + empty, "an envelope of one or more joints", 0)
    starts = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)[:-1]))
    sums = np.add.reduceat(weights, starts)
    for i in np.flatnonzero(np.abs(sums - 1) > 1e-3).tolist():
        section.note(notes, at_weights + 4 * int(starts[i]), f"the weights of envelope {i} add up to {sums[i]:.4f}")
    matrices = section.finite_array(at_matrices, 12 * joint_count, "inverse bind matrices")
    return Envelopes(counts, joints, weights, frozen(matrices.reshape(-1, 3, 4)))


def read_draw_matrices(
    section: BigEndianReader, joint_count: int, envelope_count: int, notes: Notes | None = None
) -> npt.NDArray[np.void]:
    """DRW1 of its section (dtype `DRAW_MATRIX`). Raises FormatError for an index outside JNT1 or EVP1."""
    count, at_kinds, at_indices = section.u16(8), section.u32(12), section.u32(16)
    matrices = np.empty(count, DRAW_MATRIX)
    matrices["kind"] = section.array(at_kinds, "u1", count, "draw matrix kinds")
    matrices["index"] = section.array(at_indices, "u2", count, "draw matrix indices")
    unknown = np.flatnonzero(matrices["kind"] > ENVELOPE)
    if unknown.size:
        section.fail(at_kinds + int(unknown[0]), "a draw matrix of kind 0 or 1", matrices["kind"][unknown[0]])
    limits = np.where(matrices["kind"] == RIGID, joint_count, envelope_count)
    outside = np.flatnonzero(matrices["index"] >= limits)
    if outside.size:
        i = int(outside[0])
        section.fail(at_indices + 2 * i, f"an index below {limits[i]}", int(matrices["index"][i]))
    section.tolerate(
        not (np.diff(matrices["kind"].astype(np.int8)) < 0).any(),
        notes,
        at_kinds,
        "rigid draw matrices follow envelopes",
    )
    matrices.flags.writeable = False
    return matrices
