"""Small animation files that name many frames and nodes: constant tracks are evaluated once, and the work is limited by
what a file holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from formats.binary import FormatError
from formats.nitro import sbc
from formats.nitro.animation import Curve
from formats.nitro.model import MAYA, STANDARD, Model
from formats.nitro.nsbca import JointAnimation, JointTrack, Nsbca
from formats.nitro.nsbma import ColorAnimation, ColorTrack
from formats.nitro.nsbva import VisibilityAnimation
from formats.nitro.sbc import Instruction
from mapexplorer.export.gltf.animation import Clip
from mapexplorer.export.gltf.nitro import model_document
from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld

NODES, FRAMES = 42, 24_000


@pytest.fixture(scope="module")
def model() -> Model:
    """A prop of the demo world with a chain of nodes."""
    found = FieldWorld(open_rom("demo")).prop_model(0).models[0]
    nodes = tuple(dataclasses.replace(found.nodes[0], name=f"n{number}") for number in range(NODES))
    code = [Instruction(sbc.NODEDESC, 0, (number, max(0, number - 1), 0)) for number in range(NODES)]
    code += [one for one in found.sbc if one.opcode not in (sbc.NODE, sbc.NODEDESC)]
    return dataclasses.replace(found, nodes=nodes, sbc=(Instruction(sbc.NODE, 0, (0, 1)), *code))


def still(turn: int = 0) -> JointTrack:
    return JointTrack(tuple(Curve.constant(value) for value in (4096 + turn, 0, 0)))


def moving(curve: Curve) -> JointTrack:
    return JointTrack((curve, Curve.constant(0), Curve.constant(0)))


def animation(tracks: list[JointTrack], frames: int = FRAMES) -> JointAnimation:
    return JointAnimation("still", frames, tuple(tracks), (), np.zeros((0, 6), np.int16))


def written(model: Model, *animations: Any) -> Any:
    document, _ = model_document(model, clips=[Clip(f"c{i}", one) for i, one in enumerate(animations)])
    document.to_bytes()
    return document


def test_constant_joints_are_evaluated_once(
    model: Model, count_calls: Callable[[Callable[[], object]], int], read_glb: Callable[..., Any]
) -> None:
    whole = animation([still(number) for number in range(NODES)])
    assert len(Nsbca((whole,)).to_bytes()) < 1000
    assert count_calls(lambda: written(model, whole)) < FRAMES * NODES / 10
    document = written(model, whole)
    (clip,) = read_glb(document).get("animations")
    glb = read_glb(document)
    assert {len(glb.array(sampler["input"])) for sampler in clip["samplers"]} == {2}


@pytest.mark.parametrize("rule", [STANDARD, MAYA])
def test_one_moving_joint_among_constant_ones(model: Model, rule: int, read_glb: Callable[..., Any]) -> None:
    curve = Curve.sampled(np.arange(50) * 4096)
    tracks = [moving(curve) if number == 7 else still() for number in range(NODES)]
    glb = read_glb(written(dataclasses.replace(model, scaling_rule=rule), animation(tracks, 50)))
    (clip,) = glb.get("animations")
    keys = {
        channel["target"]["node"]: len(glb.array(clip["samplers"][channel["sampler"]]["input"]))
        for channel in clip["channels"]
    }
    assert sorted(keys.values()) == [2] * (NODES - 1) + [51]


def test_shared_samples_are_limited(model: Model) -> None:
    curve = Curve.sampled(np.arange(2000), 4)
    shared = animation([moving(curve)] * NODES, 7997)
    assert len(Nsbca((shared,)).to_bytes()) < 6000
    with pytest.raises(FormatError, match="at most 24384 evaluations of its tracks"):
        written(model, shared)


def test_constant_colors_and_visibility_are_evaluated_once(
    model: Model, count_calls: Callable[[Callable[[], object]], int]
) -> None:
    name = model.materials[0].name
    constant = Curve.constant(31)
    colors = ColorAnimation("colors", 65535, (ColorTrack(name, constant, constant, constant, constant, constant),))
    shown = VisibilityAnimation("shown", np.zeros((65535, NODES), bool))
    assert count_calls(lambda: written(model, colors, shown)) < 65535 * NODES / 2
