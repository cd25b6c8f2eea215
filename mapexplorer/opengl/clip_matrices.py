"""The clip matrices of models as the geometry engine computes them: integers, floored after every product."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from mapexplorer.arrays import Words
from mapexplorer.opengl import rows
from mapexplorer.opengl.camera import CameraMatrices

Integers = npt.NDArray[np.int64]


def clip_matrices(
    matrix_rows: Words,
    positions: npt.NDArray[np.float64],
    scales: npt.NDArray[np.float64],
    biased: npt.NDArray[np.bool_],
    camera: CameraMatrices,
) -> npt.NDArray[np.int32]:
    """Clip matrices (n, 16), fx32, of matrix rows whose bases have these positions and scales (n, 3) in units; those
    that are `biased` have the camera's depth offset."""
    records = matrix_rows.view(rows.MATRIX)[:, 0]
    kinds, _, position_scales = records["vector"]["word"].astype(np.int64).T
    view = _fixed(camera.view)
    moved = _fixed(positions) @ view[:3] + (view[3] << 12) >> 12
    base = _fixed(scales)[:, :, None] * view[:3] >> 12
    matrices = np.zeros((len(matrix_rows), 4, 4), np.int64)
    matrices[:, :, :3] = _fixed(records["columns"]).transpose(0, 2, 1) @ base >> 12
    matrices[:, 3, :3] += moved
    linear = matrices[:, :3, :3]
    for kind in (rows.SCREEN_BILLBOARD, rows.UPRIGHT_BILLBOARD):
        linear[kinds == kind] = _billboards(linear[kinds == kind], upright=kind == rows.UPRIGHT_BILLBOARD)
    matrices[:, :3] = matrices[:, :3] * position_scales[:, None, None] >> 12
    matrices[:, 3, 3] = ONE
    projections = np.tile(_fixed(camera.projection), (len(matrices), 1, 1))
    projections[biased, 3, 2] += round(camera.bias * ONE)
    return (matrices @ projections >> 12).astype(np.int32).reshape(-1, 16)


def _fixed(values: npt.NDArray[np.floating]) -> Integers:
    return np.rint(values.astype(np.float64) * ONE).astype(np.int64)


def _billboards(linear: Integers, *, upright: bool) -> Integers:
    """Linear parts (n, 3, 3) turned to the screen: the axes keep their lengths; `upright`: and the direction of y."""
    lengths = np.rint(np.sqrt((linear**2).sum(2))).astype(np.int64)
    axes = np.tile(np.eye(3, dtype=np.int64) * ONE, (len(linear), 1, 1))
    if upright:
        up = linear[:, 1]
        axes[:, 1] = _fixed(up / np.maximum(np.sqrt((up**2).sum(1)), 1)[:, None])
        axes[:, 2, 1], axes[:, 2, 2] = -axes[:, 1, 2], axes[:, 1, 1]
    turned: Integers = axes * lengths[:, :, None] >> 12
    return turned
