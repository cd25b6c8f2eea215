"""J3D shapes as glTF meshes, and their skin.

A shape with only one joint keeps its vertices and is a child of that joint's node. In any other shape a vertex that
is rigid on a joint is in the joint's space while an enveloped one is in the bind pose's model space; glTF has one
inverse bind matrix per joint, so rigid vertices are moved to that matrix's model space: the picture is the same in
every pose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.j3d.joints import RIGID
from formats.j3d.model import Bmd
from formats.j3d.vertices import COLOR0, NBT, NORMAL, POSITION, TEXCOORD0
from mapexplorer.arrays import Array
from mapexplorer.export.gltf.document import INDICES, Document, Json, members
from mapexplorer.export.gltf.j3d_materials import linear, needs_baking
from mapexplorer.export.gltf.vertices import normalized
from mapexplorer.grouping import by_key
from mapexplorer.j3d.appearance import CULL_FRONT, Appearance
from mapexplorer.j3d.geometry import JoinedShape
from mapexplorer.j3d.pose import envelope_starts, inverse_binds, world_matrices

LINES, POINTS = 1, 0
MOST_INFLUENCES = 8
_LINEAR = np.rint(linear(np.arange(256)) * 65535).astype(np.uint16)


def rigid_joint(model: Bmd, geometry: JoinedShape) -> int | None:
    """The only joint of all vertices of a shape, None if there are several."""
    used = np.unique(geometry.draw_matrices)
    if len(used) != 1 or model.draw_matrices["kind"][used[0]] != RIGID:
        return None
    return int(model.draw_matrices["index"][used[0]])


@dataclass(frozen=True, eq=False)
class JointBinding:
    """The binding of vertices to joints.

    joints: the model's joints in the order of the skin. inverse_binds: float32 (joints, 4, 4), row-vector. members
    (uint16) and weights (float32): (draw matrices, 8), places in the skin, heaviest first. moves: (draw matrices, 4, 4)
    from stored positions to the skin's model space. dropped: influences beyond eight that were left out.
    """

    joints: tuple[int, ...]
    inverse_binds: npt.NDArray[np.float32]
    members: npt.NDArray[np.uint16]
    weights: npt.NDArray[np.float32]
    moves: Array
    dropped: int


def bind(model: Bmd, geometries: list[JoinedShape]) -> JointBinding:
    """The binding of all the shapes that need a skin."""
    envelopes = model.envelopes
    starts = envelope_starts(model).tolist()
    kinds, indices = model.draw_matrices["kind"], model.draw_matrices["index"]
    used = np.unique(np.concatenate([geometry.draw_matrices for geometry in geometries])).tolist()
    influences: dict[int, dict[int, float]] = {}
    for matrix in used:
        if kinds[matrix] == RIGID:
            influences[matrix] = {int(indices[matrix]): 1.0}
            continue
        start = starts[indices[matrix]]
        own = slice(start, start + int(envelopes.counts[indices[matrix]]))
        weights_of = by_key(zip(envelopes.joints[own].tolist(), envelopes.weights[own].tolist(), strict=True))
        influences[matrix] = {joint: sum(weights) for joint, weights in weights_of.items()}
    joints = tuple(sorted({joint for gathered in influences.values() for joint in gathered}))
    matrices = _inverse_binds(model)
    place = {joint: i for i, joint in enumerate(joints)}
    count = len(model.draw_matrices)
    members = np.zeros((count, MOST_INFLUENCES), np.uint16)
    weights = np.zeros((count, MOST_INFLUENCES), np.float32)
    moves = np.tile(np.eye(4), (count, 1, 1))
    dropped = 0
    for matrix, gathered in influences.items():
        heaviest = sorted((item for item in gathered.items() if item[1] > 0), key=lambda item: (-item[1], item[0]))
        dropped += max(0, len(heaviest) - MOST_INFLUENCES)
        heaviest = heaviest[:MOST_INFLUENCES] or [(next(iter(gathered)), 1.0)]
        total = sum(weight for _, weight in heaviest)
        for i, (joint, weight) in enumerate(heaviest):
            members[matrix, i], weights[matrix, i] = place[joint], weight / total
        if kinds[matrix] == RIGID:
            moves[matrix] = _inverse(matrices[indices[matrix]])
    binds = matrices[list(joints)].astype(np.float32)
    binds[:, :, 3] = (0, 0, 0, 1)
    return JointBinding(joints, binds, members, weights, moves, dropped)


def _inverse_binds(model: Bmd) -> Array:
    """The stored matrix of each joint that an envelope uses, else the inverse of its rest pose, else the identity."""
    world = world_matrices(model)
    result = np.array([_inverse(matrix) for matrix in world]).reshape(-1, 4, 4)
    stored = inverse_binds(model)
    enveloped = np.unique(model.envelopes.joints)
    result[enveloped] = stored[enveloped]
    return result


def _inverse(matrix: Array) -> Array:
    """The inverse of an affine matrix; of a singular one, the identity."""
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.eye(4)
    return inverse if np.isfinite(inverse).all() and np.abs(inverse).max() < 1e12 else np.eye(4)


_Vertices = tuple[Array, dict[int, Array]]
"""The draw matrix and the array indices of each distinct vertex."""


def _distinct(geometry: JoinedShape) -> tuple[_Vertices, Array]:
    """The distinct vertices, and which one each stored vertex became."""
    columns = np.column_stack([geometry.draw_matrices, *geometry.indices.values()]).astype(np.int64)
    _, first, inverse = np.unique(columns, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    kept = columns[first[order]]
    indices = {attribute: kept[:, i + 1] for i, attribute in enumerate(geometry.indices)}
    return (kept[:, 0], indices), rank[inverse.reshape(-1)]


def texcoord_sets(attributes: Iterable[int]) -> list[int]:
    """The sets of texture coordinates among attributes; their places in the list are their numbers in glTF."""
    return sorted(attribute - TEXCOORD0 for attribute in attributes if TEXCOORD0 <= attribute < TEXCOORD0 + 8)


def write_primitives(
    document: Document,
    model: Bmd,
    geometry: JoinedShape,
    shown: Appearance | None,
    material: int | None,
    binding: JointBinding | None,
    path: str,
) -> list[Json]:
    """The triangles, lines and points of a shape as glTF primitives; triangles without area in their indices are
    dropped. Raises FormatError for positions beyond the range of floats."""
    vertices, became = _distinct(geometry)
    attributes = _attributes(document, model, vertices, shown, binding, path)
    triangles = became[geometry.triangles]
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    if shown is None or shown.cull != CULL_FRONT:
        triangles = triangles[:, [0, 2, 1]]  # GX fronts are clockwise
    kind = np.uint16 if len(vertices[0]) <= 0xFFFF else np.uint32
    result = []
    for mode, elements in ((None, triangles), (LINES, became[geometry.lines]), (POINTS, geometry.points)):
        flat = (became[elements] if mode == POINTS else elements).reshape(-1)
        if not len(flat):
            continue
        indices = document.accessor(flat.astype(kind), target=INDICES)
        result.append(members(attributes=attributes, indices=indices, material=material, mode=mode))
    return result


def _attributes(
    document: Document,
    model: Bmd,
    vertices: _Vertices,
    shown: Appearance | None,
    binding: JointBinding | None,
    path: str,
) -> Json:
    arrays, (matrices, indices) = model.arrays, vertices
    positions = arrays[POSITION].values[indices[POSITION]].astype(np.float64)
    if binding is not None:
        moves = binding.moves[matrices]
        positions = np.einsum("ni,nij->nj", positions, moves[:, :3, :3]) + moves[:, 3, :3]
    with np.errstate(over="ignore"):
        positions = positions.astype(np.float32)
    if not np.isfinite(positions).all():
        raise FormatError(path, 0, "positions within the range of floats", "one beyond it")
    result: Json = {"POSITION": document.accessor(positions, bounds=True)}
    normals = next((attribute for attribute in (NORMAL, NBT) if attribute in indices), None)
    if normals is not None:
        vectors = arrays[normals].values[indices[normals]][:, :3].astype(np.float64)
        if binding is not None:
            turns = np.array([_inverse_transpose(move) for move in binding.moves])[matrices]
            vectors = np.einsum("ni,nij->nj", vectors, turns)
        result["NORMAL"] = document.accessor(normalized(vectors))
    colors = _colors(model, vertices, shown)
    if colors is not None:
        result["COLOR_0"] = document.accessor(colors, normalized=True)
    for number, uv_set in enumerate(texcoord_sets(indices)):
        uv = arrays[TEXCOORD0 + uv_set].values[indices[TEXCOORD0 + uv_set]]
        if shown is not None and uv_set == shown.uv_set and needs_baking(shown.uv_matrix):
            uv = uv.astype(np.float64) @ shown.uv_matrix[:, :2].T + shown.uv_matrix[:, 2]
            uv = np.clip(uv, -1e30, 1e30).astype(np.float32)
        result[f"TEXCOORD_{number}"] = document.accessor(uv)
    if binding is not None:
        members, weights = binding.members[matrices], binding.weights[matrices]
        small = members.astype(np.uint8) if len(binding.joints) <= 256 else members
        most = None if weights[:, 4:].any() else 4
        result |= document.influences(small[:, :most], weights[:, :most])
    return result


def _colors(model: Bmd, vertices: _Vertices, shown: Appearance | None) -> npt.NDArray[np.uint16] | None:
    """Linear RGBA of the vertices, or None when the material does not use vertex colours."""
    if shown is None or (shown.vertex_color is None and shown.vertex_alpha is None):
        return None
    matrices, indices = vertices
    result = np.full((len(matrices), 4), 65535, np.uint16)
    for source, parts in ((shown.vertex_color, slice(0, 3)), (shown.vertex_alpha, slice(3, 4))):
        if source is not None and COLOR0 + source in indices:
            stored = model.arrays[COLOR0 + source].values[indices[COLOR0 + source], parts]
            result[:, parts] = _LINEAR[stored] if parts.start == 0 else stored.astype(np.uint16) * 257
    return result


def _inverse_transpose(matrix: Array) -> Array:
    return _inverse(np.vstack((np.c_[matrix[:3, :3], np.zeros(3)], (0, 0, 0, 1))))[:3, :3].T
