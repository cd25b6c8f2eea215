"""Clips of whole places: which there are, what they move, and the terrain's pictures against texture memory."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.nitro.tex0 import Tex0
from mapexplorer.export.gltf.curves import repeated
from mapexplorer.export.gltf.document import Channel
from mapexplorer.export.gltf.field import export_field, field_document
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.textures import picture
from mapexplorer.g3d.binding import texture_address
from mapexplorer.scene.terrain_animation import TerrainAnimator, running_textures
from mapexplorer.scene.vram import Vram
from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld

WINDWORKS = 200


def placed_animations(world: FieldWorld, header: int) -> tuple[set[tuple[int, int]], dict[int, int]]:
    """(prop model, bm_anime member) of what is placed on a map, and how often each model is."""
    counts: dict[int, int] = {}
    place = world.place(header)
    for cell in place.cells:
        for prop in place.props(cell):
            if not prop.substituted:
                counts[prop.model] = counts.get(prop.model, 0) + 1
    found = set()
    for model in counts:
        entry = world.prop_animations(model)
        if entry is not None and entry.has_animations:
            found |= {(model, index) for index in entry.used}
    return found, counts


@pytest.mark.parametrize("step", [25, pytest.param(1, marks=pytest.mark.slow)])
def test_every_placed_animation_is_a_clip(world: FieldWorld, read_glb: Callable[..., Any], step: int) -> None:
    maps = clips = 0
    for header in range(0, len(world.headers), step):
        place = world.place(header)
        if not place.cells:
            continue
        glb = read_glb(field_document(place, ExportOptions(features=False))[0])
        expected, counts = placed_animations(world, header)
        names = [animation["name"] for animation in glb.get("animations")]
        assert len(set(names)) == len(names)
        found = set()
        for animation in glb.get("animations"):
            extras = animation["extras"]
            ends = {float(glb.array(sampler["input"])[-1, 0]) for sampler in animation["samplers"]}
            assert ends == {float(np.float32(extras["frames"] / 30))}
            automatic = animation["name"].startswith("auto.") or extras["kind"] == "ambient"
            assert extras["loop"] == automatic == (extras["plays"] == "loops from the start")
            if "model" in extras:
                entry = world.prop_animations(extras["model"])
                assert entry is not None
                paused = world.game.tables.props.paused.get(extras["model"], ())
                still = entry.animations.index(extras["bm_anime"]) in paused
                assert extras["loop"] == (entry.automatic and not still)
                assert extras["instances"] == (1 if "node" in extras else counts[extras["model"]])
                found.add((extras["model"], extras["bm_anime"]))
            else:
                assert extras["kind"] in ("terrain texture", "ambient")
        assert found == expected, header
        maps += 1
        clips += len(names)
    assert maps >= 570 // step and clips > 2 * maps, (maps, clips)


def test_instances_share_the_phase(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    """Every windmill has its own channels, and all of a model read the same samples."""
    glb = read_glb(field_document(world.place(WINDWORKS), ExportOptions())[0])
    clip = next(one for one in glb.get("animations") if one["name"] == "auto.d2_s01")
    assert clip["extras"]["instances"] == 3
    turning = [channel for channel in clip["channels"] if channel["target"]["path"] == "rotation"]
    assert len({channel["target"]["node"] for channel in turning}) == 3
    assert len({channel["sampler"] for channel in turning}) == 1
    values = glb.array(clip["samplers"][turning[0]["sampler"]]["output"])
    assert np.ptp(values, axis=0).max() > 1


def test_what_rests_is_the_first_frame_of_automatic_clips(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    checked = 0
    for header in (WINDWORKS, 3, 132, 363):
        glb = read_glb(field_document(world.place(header), ExportOptions())[0])
        for clip in glb.get("animations"):
            if not clip["extras"]["loop"] or "model" not in clip["extras"]:
                continue
            for channel in clip["channels"]:
                first = glb.array(clip["samplers"][channel["sampler"]]["output"])[0]
                if channel["target"]["path"] == "pointer":
                    value: Any = glb.json
                    pointer = channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"]
                    for part in pointer.split("/")[1:]:
                        value = value[int(part)] if isinstance(value, list) else value[part]
                else:
                    neutral = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}
                    path = channel["target"]["path"]
                    value = glb.get("nodes")[channel["target"]["node"]].get(path, neutral[path])
                assert np.allclose(first, value, atol=1e-6), f"{header} {clip['name']}"
                checked += 1
    assert checked > 40


def test_doors_open_one_by_one(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    glb = read_glb(field_document(world.place(3), ExportOptions())[0])
    nodes, names = glb.get("nodes"), {node["name"]: number for number, node in enumerate(glb.get("nodes"))}
    above = {child: number for number, node in enumerate(nodes) for child in node.get("children", ())}
    doors = [clip for clip in glb.get("animations") if not clip["extras"]["loop"]]
    assert len(doors) > 12
    for clip in doors:
        assert clip["name"].startswith(clip["extras"]["node"] + ".")
        for channel in clip["channels"]:
            node = channel["target"]["node"]
            while node != names[clip["extras"]["node"]]:
                node = above[node]


def test_ambient_has_every_loop(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    glb = read_glb(field_document(world.place(3), ExportOptions())[0])
    ambient, *others = glb.get("animations")
    loops = [clip for clip in others if clip["extras"]["loop"]]
    assert (ambient["name"], ambient["extras"]["merges"]) == ("ambient", len(loops)) and len(loops) > 3

    def at(clip: Any, channel: Any, moments: np.ndarray) -> np.ndarray:
        sampler = clip["samplers"][channel["sampler"]]
        times, values = glb.array(sampler["input"])[:, 0].astype(float), glb.array(sampler["output"])
        if sampler["interpolation"] == "STEP":
            return values[np.searchsorted(times, moments + 1e-4, side="right") - 1]
        return np.stack([np.interp(moments, times, column) for column in values.T], axis=1)

    merged = {json.dumps(channel["target"], sort_keys=True): channel for channel in ambient["channels"]}
    length = ambient["extras"]["frames"]
    longest, second, *_ = sorted({clip["extras"]["frames"] for clip in loops}, reverse=True)
    assert length <= 1800 and length % longest == 0 and (length % second == 0 or math.lcm(longest, second) > 1800)
    for clip in loops:
        period = clip["extras"]["frames"]
        frames = np.arange(0.25, length - 1, 7.5)
        frames = frames[frames % period < period - 1]
        for channel in clip["channels"]:
            one = at(clip, channel, frames % period / 30)
            other = at(ambient, merged[json.dumps(channel["target"], sort_keys=True)], frames / 30)
            assert np.allclose(one, other, atol=1e-3), clip["name"]


def test_clips_are_chosen(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    """Jubilife City has five loops, of which one moves a texture alone, and ten doors and gates of four models."""

    def clips(**options: Any) -> list[Any]:
        return read_glb(field_document(world.place(3), ExportOptions(**options))[0]).get("animations")

    every, by_model = clips(), clips(clips="models")
    assert [clip["name"] for clip in clips(clips="ambient")] == ["ambient"]
    loops = [clip["name"] for clip in every if clip["extras"]["loop"]]
    assert [clip["name"] for clip in clips(clips="automatic")] == loops and len(loops) == 6
    doors = {clip["name"] for clip in by_model} - set(loops)
    by_door = [clip["name"].partition(".")[2] for clip in every if not clip["extras"]["loop"]]
    assert set(by_door) == {name.partition(".")[2] for name in doors} and len(by_door) > len(doors) > 4
    assert sum(len(clip["channels"]) for clip in by_model) == sum(len(clip["channels"]) for clip in every)
    plain = clips(pointers=False)
    assert {clip["name"] for clip in every} - {clip["name"] for clip in plain} == {"auto.funsui"}
    assert all(channel["target"]["path"] != "pointer" for clip in plain for channel in clip["channels"])


def test_one_loop_is_ambient_too(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    names = [clip["name"] for clip in read_glb(field_document(world.place(411), ExportOptions())[0]).get("animations")]
    assert names[:2] == ["ambient", "auto.terrain.lakep.1"]


def test_loops_that_do_not_fit_are_cut() -> None:
    """Float32 key times are no whole frames; cut in their middle, they still increase."""
    times = (np.arange(41) / 30).astype(np.float32)
    values = np.arange(41, dtype=np.float32)
    for total in range(1, 400):
        for how in ("STEP", "LINEAR"):
            one = repeated(Channel(times, values, 0, "x", interpolation=how), 40, total)
            assert (np.diff(one.times) > 0).all() and one.times[-1] == np.float32(total / 30)
            assert len(one.times) == len(one.values)


def texels_in_memory(world: FieldWorld, textures: Tex0, ticks: list[int]) -> dict[str, list[bytes]]:
    """The texels of every animated texture in memory after those numbers of updates."""
    vram = Vram()
    addresses = vram.place(textures)
    memory = vram.texture
    animator = TerrainAnimator(world, textures, addresses)
    found: dict[str, list[bytes]] = {}
    for tick in range(max(ticks) + 1):
        if tick:
            animator.step(memory)
        if tick in ticks:
            for running in running_textures(world, textures):
                target = running.target
                start = texture_address(textures, target.name, target, addresses)
                found.setdefault(target.name, []).append(memory[start : start + len(target.texels)].tobytes())
    return found


def test_terrain_pictures_are_those_in_memory(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    """In the second round of the loop, at every sampled update, partial copies included."""
    compared = partial = 0
    for header in (468, WINDWORKS, 3, quirky_header(world)):
        place = world.place(header)
        cell = place.cells[0]
        textures = place.terrain_textures(cell).textures
        loops = {running.target.name: running for running in running_textures(world, textures)}
        glb = read_glb(field_document(place, ExportOptions(), [cell])[0])
        for clip in glb.get("animations"):
            if clip["extras"]["kind"] != "terrain texture":
                continue
            name = clip["extras"]["texture"]
            running = loops[name]
            partial += any(len(one) < len(running.target.texels) for one in running.pictures)
            period = clip["extras"]["frames"]
            moments = sorted({period * part // 7 for part in range(7)})
            truth = texels_in_memory(world, textures, [period + moment for moment in moments])[name]
            for moment, texels in zip(moments, truth, strict=True):
                shown = list(pictures_at(glb, clip, moment / 30))
                assert shown
                for material, png in shown:
                    palette = textures.palette(material["extras"]["palette"])
                    expected = picture(dataclasses.replace(running.target, texels=texels), palette, filtered=True).png
                    assert png == expected, f"{name} update {moment}"
                    compared += 1
    assert compared > 60 and partial > 0, (compared, partial)


def quirky_header(world: FieldWorld) -> int:
    """A map with a texture of which pictures replace only a part."""
    for header in world.headers:
        place = world.place(header.id)
        if place.cells:
            textures = place.terrain_textures(place.cells[0]).textures
            running = [one for one in running_textures(world, textures) if "wtk_kabe" in one.target.name]
            used = {pairing.name for pairing in world.land(place.cells[0].land).model.models[0].texture_pairings}
            if any(one.target.width == 64 and one.target.name in used for one in running):
                return header.id
    raise AssertionError("no such map")


def pictures_at(glb: Any, clip: dict[str, Any], seconds: float) -> Any:
    """(material, PNG) of every primitive that a terrain clip shows."""
    for channel in clip["channels"]:
        sampler = clip["samplers"][channel["sampler"]]
        times = glb.array(sampler["input"])[:, 0]
        key = int(np.searchsorted(times, np.float32(seconds), side="right")) - 1
        if glb.array(sampler["output"])[key].any():
            mesh = glb.get("meshes")[glb.get("nodes")[channel["target"]["node"]]["mesh"]]
            for part in mesh["primitives"]:
                material = glb.get("materials")[part["material"]]
                texture = glb.get("textures")[material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
                yield material, glb.image(texture["source"])


@pytest.mark.parametrize("options", [{"pattern": "atlas"}, {"lit": True}, {"static": True}], ids=str)
def test_valid(world: FieldWorld, options: dict[str, Any], tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    files = []
    for header in (WINDWORKS, 3, 132, 468):
        files.append(tmp_path / f"{header}.glb")
        report = export_field(world.place(header), files[-1], ExportOptions(**options))
        assert bool(report.animations) != bool(options.get("static"))
    assert validate_glb(files) == 4


def test_the_demo_world_moves_in_every_way(tmp_path: Path, read_glb: Callable[..., Any], validate_glb: Any) -> None:
    demo = FieldWorld(open_rom("demo"))
    files, kinds = [], set()
    for header in demo.headers:
        place = demo.place(header.id)
        if place.cells:
            files.append(tmp_path / f"{header.id}.glb")
            export_field(place, files[-1])
            kinds |= {clip["extras"]["kind"] for clip in read_glb(files[-1]).get("animations")}
    assert kinds == {"NSBCA", "NSBTP", "NSBTA", "NSBMA", "NSBVA", "terrain texture", "ambient"}
    assert validate_glb(files) == len(files) > 3
