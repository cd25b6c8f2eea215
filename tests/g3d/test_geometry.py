"""Decoding display lists: every vertex command, primitives, colours, normals, restored matrices."""

from __future__ import annotations

import numpy as np
import pytest

from formats.nds import gx
from mapexplorer.g3d import geometry
from mapexplorer.g3d.geometry import decode_shape

ONE = 4096


def flat(*commands: tuple[int, ...]) -> np.ndarray:
    return np.array([word & 0xFFFFFFFF for command in commands for word in command], np.uint32)


def vertex(x: int, y: int, z: int) -> tuple[int, ...]:
    return gx.VTX_16, x & 0xFFFF | (y & 0xFFFF) << 16, z & 0xFFFF


def strip(kind: int, count: int) -> np.ndarray:
    return flat((gx.BEGIN_VTXS, kind), *[vertex(i, i, i) for i in range(count)], (gx.END_VTXS,))


def test_vertex_commands() -> None:
    def ten(x: int, y: int, z: int) -> int:
        return x & 0x3FF | (y & 0x3FF) << 10 | (z & 0x3FF) << 20

    shape = decode_shape(
        flat(
            (gx.BEGIN_VTXS, 0),
            vertex(-1, 2, -32768),
            (gx.VTX_10, ten(-512, 511, 1)),
            (gx.VTX_XY, 5 | 0xFFFA0000),
            (gx.VTX_XZ, 0xFFFF | 7 << 16),
            (gx.VTX_YZ, 8 | 9 << 16),
            (gx.VTX_DIFF, ten(-1, 511, -512)),
        ),
        ONE,
    )
    assert shape.vertices["position"].tolist() == [
        [-1, 2, -32768],
        [-512 * 64, 511 * 64, 64],
        [5, -6, 64],
        [-1, -6, 7],
        [-1, 8, 9],
        [-2, 519, -503],
    ]
    assert shape.counts[0, 1:3].tolist() == [2, 0]


@pytest.mark.parametrize(
    ("kind", "count", "triangles", "quads", "indices"),
    [
        (gx.TRIANGLES, 7, 2, 0, [0, 1, 2, 3, 4, 5]),
        (gx.QUADS, 9, 0, 2, [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]),
        (gx.TRIANGLE_STRIP, 5, 3, 0, [0, 1, 2, 2, 1, 3, 2, 3, 4]),
        (gx.QUAD_STRIP, 7, 0, 2, [0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4]),
        (gx.TRIANGLE_STRIP, 2, 0, 0, []),
        (gx.QUAD_STRIP, 1, 0, 0, []),
    ],
)
def test_primitives(kind: int, count: int, triangles: int, quads: int, indices: list[int]) -> None:
    shape = decode_shape(strip(kind, count), ONE)
    assert shape.counts[0, :3].tolist() == [len(shape.vertices), triangles, quads] and len(shape.vertices) == count
    assert shape.indices.tolist() == indices


def test_strips_keep_their_facing() -> None:
    places = [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (2, 0, 0)]
    shape = decode_shape(
        flat((gx.BEGIN_VTXS, gx.TRIANGLE_STRIP), *[vertex(*(100 * x for x in place)) for place in places]), ONE
    )
    corners = shape.vertices["position"][shape.indices].reshape(-1, 3, 3)
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    assert len(facing) == 3 and (np.sign(facing) == np.sign(facing[0])).all()


def test_several_primitives_do_not_mix() -> None:
    shape = decode_shape(np.concatenate([strip(gx.TRIANGLES, 4), strip(gx.QUADS, 4)]), ONE)
    assert shape.indices.tolist() == [0, 1, 2, 4, 5, 6, 4, 6, 7]


def test_attributes_stay_until_changed() -> None:
    shape = decode_shape(
        flat(
            (gx.BEGIN_VTXS, 0),
            vertex(0, 0, 0),
            (gx.TEXCOORD, 0xFFF0 | 32 << 16),
            (gx.COLOR, 0xFFFF),
            vertex(1, 0, 0),
            (gx.NORMAL, 0x1FF),
            vertex(2, 0, 0),
            vertex(3, 0, 0),
            (gx.COLOR, 5),
            vertex(4, 0, 0),
        ),
        ONE,
    )
    vertices = shape.vertices
    assert vertices["source"].tolist() == [
        geometry.MATERIAL,
        geometry.COLOR,
        geometry.NORMAL,
        geometry.NORMAL,
        geometry.COLOR,
    ]
    assert vertices["texcoord"].tolist() == [[0, 0], *[[-16, 32]] * 4]
    assert vertices["color"].tolist() == [0, 0x7FFF, 0x7FFF, 0x7FFF, 5]
    assert vertices["normal"].tolist() == [0, 0, 0x1FF, 0x1FF, 0x1FF]
    assert shape.counts[0, 3:].tolist() == [1, 0]


def test_restored_matrices_lose_the_position_scale() -> None:
    scale = 8 * ONE
    shape = decode_shape(
        flat(
            (gx.BEGIN_VTXS, 0),
            vertex(1, 2, 3),
            (gx.MTX_RESTORE, 5),
            vertex(1, 2, 3),
            (gx.MTX_SCALE, scale, scale, 2 * scale),
            vertex(1, 2, 3),
        ),
        scale,
    )
    assert shape.vertices["slot"].tolist() == [-1, 5, 5]
    assert shape.vertices["position"].tolist() == [[8, 16, 24], [1, 2, 3], [8, 16, 48]]
    assert shape.counts[0, 4] == 1


def test_empty_and_foreign_lists() -> None:
    assert len(decode_shape(np.empty(0, np.uint32), ONE).indices) == 0
    shape = decode_shape(np.concatenate([flat((gx.MTX_PUSH,), (gx.POLYGON_ATTR, 7)), strip(0, 3)]), ONE)
    assert shape.indices.tolist() == [0, 1, 2]


def test_cut_and_impossible_commands_end_the_list() -> None:
    assert decode_shape(np.concatenate([strip(0, 3), flat((0x1234,), vertex(0, 0, 0))]), ONE).indices.tolist() == [
        0,
        1,
        2,
    ]
    assert len(decode_shape(flat((gx.BEGIN_VTXS, 0), (gx.VTX_16, 5)), ONE).vertices) == 0
