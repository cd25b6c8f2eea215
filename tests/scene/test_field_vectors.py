"""Composed frames against the original: every command of 939 frames, every pixel of 43."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.nds import gx
from mapexplorer.scene.playback import LOOPING
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world import FieldWorld
from mapexplorer.world.models.animations import ATTACHED_LATER, ON_DEMAND, prop_animations

WEATHER_OF_PRESET = {"fogA": 18, "fogB": 19, "fogC": 8, "fogD": 9}


def canonical_hash(words: npt.NDArray[np.uint32]) -> str:
    """The hash of a stream without what depends on the allocation of texture memory."""
    words = words.copy()
    values = words.tolist()
    place = 0
    while place < len(values):
        if values[place] == gx.TEXIMAGE_PARAM:
            words[place + 1] &= 0xFFFF0000
        elif values[place] == gx.PLTT_BASE:
            words[place + 1] = 0
        place += 1 + gx.PARAMETERS[values[place]]
    return hashlib.sha256(words.astype("<u4").tobytes()).hexdigest()


def scene_of(world: FieldWorld, case: dict[str, Any], weather: int | None = 0) -> FieldScene:
    x, z = case["tile"]
    place = world.place(case["map_header"])
    view = View(case["second"], features=False, at=(x, z), weather=weather, layers=("terrain", "props"))
    return FieldScene(place, view)


def check_state(scene: FieldScene, case: dict[str, Any]) -> None:
    """What the original says about its state, beside the commands."""
    light = scene.conditions.light()
    assert list(scene.target) == case["target"]
    assert list(scene.camera.projection) == case["projection_matrix"]
    assert list(scene.camera.view) == case["view_matrix"]
    assert scene.conditions.light_block() == case["light_block"]
    assert [list(light.lights.vectors), list(light.lights.colors)] == [case["light_vector"], case["light_color"]]
    state = light.global_state
    assert [state.dif_amb, state.spe_emi, state.polygon_attr] == [
        case["dif_amb"],
        case["spe_emi"],
        case["polygon_attr"],
    ]
    world, models = scene.place.world, scene.place.world.prop_list(scene.place.prop_set().value).models.tolist()
    loaded = [one for model in models for one in prop_animations(world, model) if one.when != ON_DEMAND]
    for one, (number, frame, waits) in zip(loaded, case["anims"], strict=True):
        assert one.index == number
        assert one.when == ATTACHED_LATER if waits else LOOPING.frame(one.frames, case["ticks"]) == frame


def cases(vectors: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(vectors / "g3d" / "field_compose.jsonl.gz", "rt") as lines:
        yield from map(json.loads, lines)


def test_commands_of_every_case(world: FieldWorld, vectors: Path) -> None:
    count = 0
    for case in cases(vectors):
        scene = scene_of(world, case)
        words = scene.commands(case["ticks"])
        check_state(scene, case)
        assert len(words) == case["words"], case["name"]
        assert canonical_hash(words) == case["canonical_sha256"], case["name"]
        count += 1
    assert count == 939


def test_pictures_of_every_frame(world: FieldWorld, vectors: Path) -> None:
    count = 0
    for path in sorted((vectors / "g3d" / "field_frames").glob("*.npz")):
        truth = np.load(path)
        case = json.loads(str(truth["meta"]))
        preset = case["weather_fog"]
        scene = scene_of(world, case, WEATHER_OF_PRESET[preset] if preset else 0)
        picture = scene.render(case["ticks"], raw=True)
        check_state(scene, case)
        assert scene.registers.tolist() == truth["registers"].tolist(), case["name"]
        differing = int((picture != truth["framebuffer"]).any(-1).sum())
        assert differing == 0, f"{case['name']}: {differing} pixels differ"
        count += 1
    assert count == 43


def test_time_may_go_back_and_forth(world: FieldWorld) -> None:
    scene = FieldScene(world.place(468), View(43200, at=(844, 634), weather=0, layers=("terrain", "props")))
    late = scene.render(40)
    early = scene.render(3)
    assert not np.array_equal(early, late), "the sea moves"
    assert np.array_equal(scene.render(40), late)
    assert np.array_equal(
        FieldScene(world.place(468), View(43200, at=(844, 634), weather=0, layers=("terrain", "props"))).render(3),
        early,
    )
