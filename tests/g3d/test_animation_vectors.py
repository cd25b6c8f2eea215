"""Evaluated animations of the real ROM against those of the original library, integer for integer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.fixed import ONE
from formats.nitro.nsbtp import KEEP_PALETTE
from mapexplorer.g3d import sbc
from mapexplorer.g3d.animation.attach import Attached
from mapexplorer.g3d.animation.material import colors_by_frame, pattern_by_frame, texture_srt_by_frame
from mapexplorer.g3d.animation.visibility import is_visible
from mapexplorer.g3d.engine import CommandStream, to33, to43
from mapexplorer.g3d.flush import DrawTransform
from mapexplorer.g3d.stream import StreamTarget
from mapexplorer.g3d.transform import JointResult

NEUTRAL_ROTATION = (ONE, 0, 0, 0, ONE, 0, 0, 0, ONE)


@pytest.fixture(scope="module")
def table(vectors: Path) -> dict[str, Any]:
    with np.load(vectors / "g3d" / "anim_eval.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.fixture(scope="module")
def animations(table: dict[str, Any], resource: Callable[[str], Any]) -> list[Any]:
    files = [resource(str(name)) for name in table["file_name"]]
    found = [file.animations[0] for file in files]
    assert [animation.frame_count for animation in found] == table["file_numframe"].tolist()
    return found


def test_texture_matrices(table: dict[str, Any], animations: list[Any]) -> None:
    rows = zip(table["ta_index"].tolist(), table["ta_flags"].tolist(), table["ta_value"].tolist(), strict=True)
    compared = 0
    for row, ((number, frame, entry), flags, value) in enumerate(rows):
        animation = animations[number]
        track = animation.tracks[entry]
        assert track.material == table["ta_material"][row]
        result = texture_srt_by_frame(track, animation.frame_count)(frame)
        parts = (result.scale or (ONE, ONE), result.rotation or (0, ONE), result.translation or (0, 0))
        assert [element for part in parts for element in part] == value, row
        assert result.flags == flags, row
        compared += 1
    assert compared == 5289


def test_patterns(table: dict[str, Any], animations: list[Any]) -> None:
    compared = 0
    for row, (number, frame, entry, texture, palette) in enumerate(table["tp_index"].tolist()):
        animation = animations[number]
        track = animation.tracks[entry]
        assert track.material == table["tp_material"][row]
        result = pattern_by_frame(track, animation)(frame)
        assert result == (texture, palette), row
        assert animation.textures[texture] == table["tp_texture"][row]
        if palette != KEEP_PALETTE:
            assert animation.palettes[palette] == table["tp_palette"][row]
        compared += 1
    assert compared == 1980


def test_colors(table: dict[str, Any], animations: list[Any]) -> None:
    rows = zip(table["ma_index"].astype(np.int32).tolist(), table["ma_value"].tolist(), strict=True)
    compared = 0
    full = 0xFFFFFFFF
    for row, ((number, frame, entry), words) in enumerate(rows):
        animation = animations[number]
        track = animation.tracks[entry]
        assert track.material == table["ma_material"][row]
        result = colors_by_frame(track, animation.frame_count)(frame)
        assert [*result.words(0, 0, 0), *result.words(full, full, full)] == words, row
        compared += 1
    assert compared == 1884


def test_visibility(table: dict[str, Any], animations: list[Any]) -> None:
    compared = 0
    rows = zip(table["va_index"].tolist(), table["va_visible"].tolist(), strict=True)
    for row, ((number, frame, node), visible) in enumerate(rows):
        assert is_visible(animations[number], node, frame) == bool(visible), row
        compared += 1
    assert compared == 3396


class Recorder(StreamTarget):
    """Also keeps every node's joint and the engine's matrices right after it."""

    def __init__(self, model: Any) -> None:
        self.commands = CommandStream()
        super().__init__(model, self.commands, DrawTransform())
        self.joints: dict[int, JointResult] = {}
        self.matrices: dict[int, tuple[Any, Any]] = {}
        self.visits: Counter[int] = Counter()

    def node_description(
        self, node: int, parent: int, joint: JointResult, restore: int | None, store: int | None
    ) -> None:
        super().node_description(node, parent, joint, restore, store)
        matrices = self.commands.matrices
        self.joints[node] = joint
        self.matrices[node] = to43(matrices.position), to33(matrices.vector)
        self.visits[node] += 1


def test_joints(table: dict[str, Any], resource: Callable[[str], Any]) -> None:
    """Own values, flags, extra scales, and the engine's matrices after every node."""
    names = ("scale", "rot", "trans", "scale_ex0", "scale_ex1", "pos_mtx", "vec_mtx")
    expected = list(zip(*[table[f"joint_{name}"].tolist() for name in names], strict=True))
    flags, visits = table["joint_flags"].tolist(), table["joint_visits"].tolist()
    attached: dict[int, Attached] = {}
    recorded: tuple[int, int] | None = None
    recorder: Recorder | None = None
    compared = 0
    for row, (pair, frame, node) in enumerate(table["joint_index"].tolist()):
        if pair not in attached:
            animation = resource(str(table["pair_anim"][pair]))
            assert animation.animations[0].frame_count == table["pair_numframe"][pair]
            attached[pair] = Attached(resource(str(table["pair_model"][pair])).models[0], [animation])
        if recorded != (pair, frame):
            recorded = pair, frame
            model = attached[pair].model
            recorder = Recorder(model)
            sbc.run(model, recorder, **attached[pair].at([frame]))
        assert recorder is not None
        assert recorder.visits[node] == visits[row] == 1
        joint = recorder.joints[node]
        assert joint.flags == flags[row], row
        compensation = joint.extra0 or (ONE, ONE, ONE)
        own = (
            joint.scale or (ONE, ONE, ONE),
            joint.rotation or NEUTRAL_ROTATION,
            joint.translation or (0, 0, 0),
            (0, 0, 0) if joint.unproduced else compensation,
            joint.extra1 or (ONE, ONE, ONE),
            *recorder.matrices[node],
        )
        assert tuple([list(part) for part in own]) == expected[row], row
        compared += 1
    assert compared == 26378
