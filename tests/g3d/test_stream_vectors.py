"""Streams of real models against those of the original library, word for word."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.field.build_model_matshp import BuildModelMatshp
from formats.nds import gx
from mapexplorer.g3d import draw_commands
from mapexplorer.g3d.animation.attach import Attached
from mapexplorer.g3d.camera import look_at, perspective
from mapexplorer.g3d.engine import CommandStream
from mapexplorer.g3d.flush import (
    DEFAULT_LIGHTS,
    FOLDED_ALL,
    DrawTransform,
    Lights,
    send_flush,
)
from mapexplorer.g3d.material import GlobalState
from mapexplorer.g3d.stream import send_model
from mapexplorer.rom import Rom

Words = npt.NDArray[np.uint32]

NODE_MIX_STREAMS = {533, 2205, 2206, 2207, 2208}
NODE_MIX_BASED = {24, 25}


def undefined_words(words: Words, folded: bool) -> list[int]:
    """Places of the last rows that the library never initialises.

    They are those of the vector matrix behind a NODEMIX's terms, the LOAD_4x3 that a switch to position mode and
    another LOAD_4x3 follow, and of the light matrix of a folded flush.
    """
    places: list[int] = []
    numbers = words.tolist()
    place = 0
    while place < len(numbers):
        number = numbers[place]
        end = place + 1 + gx.PARAMETERS[number]
        if number == gx.MTX_LOAD_4X3 and (
            numbers[end : end + 3] == [gx.MTX_MODE, 1, gx.MTX_LOAD_4X3] or (folded and numbers[end] == gx.LIGHT_VECTOR)
        ):
            places += range(end - 3, end)
        place = end
    return places


def masked(words: Words, folded: bool = False) -> Words:
    words = words.copy()
    words[undefined_words(words, folded)] = 0
    return words


def test_models_drawn_once(rom: Rom, resource: Callable[[str], Any], load_streams: Callable[[str], Any]) -> None:
    streams = load_streams("sbc_streams.npz")
    columns = streams.columns
    pairs = BuildModelMatshp.from_bytes(rom.file("fielddata/build_model/build_model_matshp.dat")).models
    compared: Counter[str] = Counter()
    for row in range(len(streams)):
        name, variant = str(columns["model"][row]), str(columns["variant"][row])
        names = [part for part in str(columns["anims"][row]).split(",") if part]
        options: dict[str, Any] = {
            "animations": [resource(part) for part in names],
            "frames": columns["frames"][row][: len(names)].tolist(),
        }
        if str(columns["texture_set"][row]) != "-":
            options["textures"] = resource(str(columns["texture_set"][row]))
        if variant == "matshp":
            listed = pairs[int(name.partition(":")[2])]
            assert listed is not None
            options["pairs"] = listed.tolist()
        words = draw_commands(resource(name), **options)
        expected = streams[row]
        if row in NODE_MIX_STREAMS:
            assert undefined_words(expected, False)
            assert np.array_equal(masked(words), masked(expected)), row
        else:
            assert np.array_equal(words, expected), (row, name, variant)
            assert hashlib.sha256(words.tobytes()).hexdigest() == columns["sha256"][row]
        assert words.dtype == np.uint32
        compared[variant] += 1
    assert sum(compared.values()) == 2277
    assert compared == {"anim": 922, "static": 678, "bound": 412, "matshp": 265}


def test_further_maps_by_hash(resource: Callable[[str], Any], load_streams: Callable[[str], Any]) -> None:
    columns = load_streams("sbc_streams.npz").columns
    rows = zip(columns["hash_only_model"], columns["hash_only_sha256"], columns["hash_only_words"], strict=True)
    compared = 0
    for name, digest, count in rows:
        words = draw_commands(resource(str(name)))
        assert len(words) == count
        assert hashlib.sha256(words.tobytes()).hexdigest() == digest, name
        compared += 1
    assert compared == 259


def test_models_under_cameras(resource: Callable[[str], Any], load_streams: Callable[[str], Any]) -> None:
    streams = load_streams("sbc_based.npz")
    compared: Counter[int] = Counter()
    for row in range(len(streams)):
        p = streams.columns["params"][row].tolist()
        camera = look_at(tuple(p[1:4]), tuple(p[4:7]))
        view = DrawTransform(p[0], perspective(*p[7:12]), camera, tuple(p[12:21]), tuple(p[21:24]), tuple(p[24:27]))
        first = sum((component >> 3 & 0x3FF) << shift for component, shift in zip(p[27:30], (0, 10, 20), strict=True))
        lights = Lights((first, *DEFAULT_LIGHTS.vectors[1:]), (p[30], *DEFAULT_LIGHTS.colors[1:]))
        state = GlobalState(p[31] | p[32] << 16)
        model = resource(str(streams.columns["model"][row])).models[0]
        evaluators: dict[str, Any] = {}
        if name := str(streams.columns["anim"][row]):
            evaluators = dict(Attached(model, [resource(name)]).at([int(streams.columns["frame"][row])]))
        commands = CommandStream()
        send_flush(commands, view, state=state, lights=lights)
        send_model(commands, model, view=view, state=state, **evaluators)
        words, expected = commands.words(), streams[row]
        folded = view.kind == FOLDED_ALL
        if row in NODE_MIX_BASED or folded:
            assert len(undefined_words(expected, folded)) >= 3
            words, expected = masked(words, folded), masked(expected, folded)
        assert np.array_equal(words, expected), row
        compared[view.kind] += 1
    assert compared == {0: 107, 1: 47, 2: 44}
