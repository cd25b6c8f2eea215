"""What of the formats the demo world exercises, and what it leaves out.

Each test names both sides, so that a change of the demo that loses a feature, or gains one, is seen here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from formats import nitro
from formats.nds import gx
from formats.nitro import sbc
from formats.nitro.model import Model
from formats.nitro.node import Pivot
from formats.nitro.nsbca import PIVOT_ROTATION, Nsbca
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Texture
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom
from mapexplorer.world import FieldWorld


@pytest.fixture(scope="module")
def models(demo_world: FieldWorld) -> list[Model]:
    rom = demo_world.rom
    props = rom.archive("fielddata/build_model/build_model.narc")
    lands = rom.archive("fielddata/land_data/land_data.narc")
    sprites = rom.archive("data/mmodel/mmodel.narc")
    result = [demo_world.prop_model(index).models[0] for index in range(len(props))]
    result += [demo_world.land(index).model.models[0] for index in range(len(lands))]
    result.append(Nsbmd.from_bytes(sprites[421]).models[0])
    return result


@pytest.fixture(scope="module")
def textures(demo_rom: Rom) -> list[Texture]:
    found = []
    for path in (
        "fielddata/areadata/area_map_tex/map_tex_set.narc",
        "fielddata/areadata/area_build_model/areabm_texset.narc",
    ):
        for data in demo_rom.archive(path):
            found += Nsbtx.from_bytes(data).textures.textures
    return found


def test_terrain_attributes(demo_world: FieldWorld) -> None:
    used: set[int] = set()
    solid: set[int] = set()
    for index in range(8):
        words = demo_world.land(index).attributes
        used |= set((words & 0xFF).ravel().tolist())
        solid |= set((words[words & 0x8000 != 0] & 0xFF).tolist())
    present = {
        0x00, 0x02, 0x03, 0x08, 0x10, 0x13, 0x15, 0x16, 0x17, 0x20, 0x21, 0x30, 0x31, 0x32, 0x33, 0x36, 0x37,
        0x3B, 0x5B, 0x65, 0x67, 0x69, 0x6E, 0x70, 0x71, 0x72, 0x73, 0x80, 0x83, 0x85, 0x86, 0xA1, 0xA8, 0xE1, 0xE4,
    }  # fmt: skip
    assert used == present
    assert solid >= {0x00, 0x3B, 0x5B, 0x69, 0x80, 0x86}
    left_out = {number for number, behaviour in PLATINUM.tables.behaviours.items() if behaviour} - used
    # Edges closed to the north and a side, gyms, mud, spinning tiles, bicycle bridges and slopes, rock climbing,
    # escalators, stairs that warp, shop shelves.
    assert left_out >= {0x34, 0x40, 0x4B, 0x56, 0x5E, 0x6A, 0x76, 0xA4, 0xD9, 0xE5}


def test_texel_formats_and_wrapping(textures: list[Texture], models: list[Model]) -> None:
    assert {texture.format for texture in textures} == {1, 2, 3, 4, 5, 6, 7}
    assert {texture.color0_transparent for texture in textures} == {False, True}
    assert {texture.width for texture in textures} >= {8, 16, 32, 64, 128}
    wraps = {m.teximage_param >> 16 & 15 for model in models for m in model.materials}
    # Clamped; repeated; repeated in S only; mirrored in S; mirrored in both. Left out: in T only, flip without repeat.
    assert wraps == {0b0000, 0b0001, 0b0011, 0b0111, 0b1111}


def test_materials(models: list[Model]) -> None:
    materials = [material for model in models for material in model.materials]
    attributes = [material.polygon_attr for material in materials]
    assert {word & 15 for word in attributes} == {0, 1, 4, 8}, "light masks; left out: several lights at once"
    assert {word >> 4 & 3 for word in attributes} == {0}, "polygon mode: the game has no other than modulate"
    assert {word >> 6 & 3 for word in attributes} == {2, 3}, "culling: back faces or none"
    assert {word >> 15 & 1 for word in attributes} == {0, 1}, "fog"
    alphas = {word >> 16 & 31 for word in attributes}
    assert 31 in alphas and len(alphas) > 5 and 0 not in alphas
    translucent = {word >> 24 & 63 for word in attributes if word >> 16 & 31 < 31}
    assert len(translucent) >= 5, "polygon ids of translucent materials"
    assert {material.teximage_param >> 30 for material in materials} == {0, 2}, "static texture generation"
    assert any(
        not model.texture_pairings[0:1] or model.texture_name(i) is None
        for model in models
        for i in range(len(model.materials))
    )
    # Left out: wireframe, a static texture matrix but for the mirror's, effect matrices, item tags.
    assert {material.flags & 0x2021 for material in materials} == {0, 1}


def test_draw_scripts_and_nodes(models: list[Model]) -> None:
    opcodes = {instruction.opcode for model in models for instruction in model.sbc}
    left_out = {sbc.NOP, sbc.CALLDL, sbc.PRJMAP}
    assert opcodes == set(range(14)) - left_out
    descriptions = {i.option for model in models for i in model.sbc if i.opcode == sbc.NODEDESC}
    assert descriptions == {0, sbc.STORE, sbc.STORE | sbc.RESTORE}
    assert max(len(model.nodes) for model in models) >= 4
    assert any(len(model.envelopes) for model in models)
    assert {model.scaling_rule for model in models} == {0}, "left out: Maya's and Softimage's rules"
    assert len({model.pos_scale for model in models}) > 3


def _commands(models: list[Model]) -> Iterator[tuple[int, int]]:
    for model in models:
        for shape in model.shapes:
            place = 0
            while place < len(shape.commands):
                number = int(shape.commands[place])
                yield number, int(shape.commands[place + 1]) if gx.PARAMETERS[number] else 0
                place += 1 + gx.PARAMETERS[number]


def test_geometry_commands(models: list[Model]) -> None:
    commands = list(_commands(models))
    # Left out: vertices relative to the one before; our bodies have no edges that short.
    assert {number for number, _ in commands} == {
        gx.MTX_RESTORE,
        gx.MTX_SCALE,
        gx.COLOR,
        gx.NORMAL,
        gx.TEXCOORD,
        gx.VTX_16,
        gx.VTX_10,
        gx.VTX_XY,
        gx.VTX_XZ,
        gx.VTX_YZ,
        gx.BEGIN_VTXS,
        gx.END_VTXS,
    }
    assert {kind for number, kind in commands if number == gx.BEGIN_VTXS} == {0, 1, 2, 3}


def test_counts_and_boxes_are_those_of_the_shapes(models: list[Model], polygons_of: object) -> None:
    assert callable(polygons_of)
    for model in models:
        polygons = [polygon for shape in model.shapes for polygon in polygons_of(shape.commands)]
        assert len(polygons) == model.polygon_count
        assert sum(len(polygon) == 3 for polygon in polygons) == model.triangle_count
        assert sum(len(polygon) == 4 for polygon in polygons) == model.quad_count
        if len(model.nodes) == 1:
            points = np.array([point for polygon in polygons for point in polygon]) * (model.pos_scale / 4096)
            low = np.array(model.box[:3]) * (model.box_pos_scale / 4096)
            high = low + np.array(model.box[3:]) * (model.box_pos_scale / 4096)
            step = model.box_pos_scale / 4096 + model.pos_scale / 4096
            assert (points >= low - step).all() and (points <= high + step).all()
            assert np.abs(points.min(0) - low).max() <= step and np.abs(points.max(0) - high).max() <= step


def test_height_plates(demo_world: FieldWorld) -> None:
    kinds: set[str] = set()
    for index in range(8):
        bdhc = demo_world.land(index).bdhc
        normals = bdhc.normals[bdhc.plates["normal"]]
        for x, z, word in ((normal["x"], normal["z"], normal["y"]) for normal in normals):
            kinds.add("flat" if x == 0 == z else f"slope {'x' if x else 'z'} {abs(int(x or z)) * 16 // int(word)}")
        if len(bdhc.strips) > 1:
            kinds.add("several strips")
        for tz in range(32):
            for tx in range(32):
                _, found = bdhc.candidates((16 * tx - 248) * 4096, (16 * tz - 248) * 4096)
                kinds.add(f"{min(len(found), 2)} candidates")
    # Slopes by units a tile. Left out: three and more candidates, plates with a downward normal.
    assert kinds == {
        "flat",
        "slope x 8",
        "slope z 8",
        "slope z 16",
        "several strips",
        "0 candidates",
        "1 candidates",
        "2 candidates",
    }


def test_events(demo_world: FieldWorld) -> None:
    files = [demo_world.events(header.id) for header in demo_world.headers[2:]]
    assert all(files)
    background = np.concatenate([events.background for events in files if events])
    objects = np.concatenate([events.objects for events in files if events])
    assert set(background["type"].tolist()) == {0, 1, 2}
    assert set(background["facing"].tolist()) == {0, 4}, "left out: readable from other single sides"
    assert set(objects["direction"].tolist()) == {1, 2, 3}
    assert (objects["hidden_flag"] > 0).any() and (objects["range_x"] > 0).any() and (objects["y"] > 0).any()
    assert sum(len(events.warps) for events in files if events) >= 8
    assert sum(len(events.triggers) for events in files if events) >= 3
    # Left out: the warp back to where one came from.


def test_animations(demo_world: FieldWorld) -> None:
    rom = demo_world.rom
    files = [nitro.read(data) for data in rom.archive("arc/bm_anime.narc")]
    assert {type(file).__name__ for file in files} == {"Nsbca", "Nsbta", "Nsbtp", "Nsbma", "Nsbva"}
    steps: set[int] = set()
    rotations: set[str] = set()
    for file in files:
        for animation in file.animations:
            for track in getattr(animation, "tracks", ()):
                if isinstance(file, Nsbca):
                    curves = [*(track.translation or ()), *(track.scale or ())]
                    if track.rotation is not None:
                        curves.append(track.rotation)
                        rotations.add("pivot" if track.rotation.values[0] & PIVOT_ROTATION else "basis")
                else:
                    curves = list(getattr(track, "channels", ()))
                steps |= {curve.step for curve in curves}
    assert steps == {0, 1, 2, 4}
    assert rotations == {"pivot", "basis"}
    entries = [demo_world.prop_animations(index) for index in range(len(rom.archive("arc/bm_anime_list.narc")))]
    flags = {entry.flags for entry in entries if entry and entry.has_animations}
    assert flags == {0, 3}, "left out: loaded but attached later"
    lists = demo_world.draw_lists
    assert lists is not None
    for entry, pairs in zip(entries, lists.models, strict=True):
        assert entry is not None
        assert entry.has_animations == (pairs is None)
    terrain = demo_world.terrain_animations
    assert terrain is not None and {animation.texture for animation in terrain.animations} == {"water", "bells"}
    assert not any(
        isinstance(node.rotation, Pivot) for index in range(33) for node in demo_world.prop_model(index).models[0].nodes
    )


def test_maps_and_light(demo_world: FieldWorld) -> None:
    outdoor = demo_world.matrix(0)
    assert outdoor.headers is not None and outdoor.altitudes is not None and outdoor.altitudes.any()
    assert demo_world.matrix(1).headers is None
    assert {demo_world.area(index).light_set for index in range(4)} == {0, 1, 2, 3}
    assert len(demo_world.light_set(0).blocks) > 10 and demo_world.light_set(0).blocks[-1].end == 43200
    headers = demo_world.headers[2:]
    assert {header.camera_type for header in headers} == {0, 4, 12}
    assert {header.weather for header in headers} == {0, 8, 11, 29}
    assert {header.map_type for header in headers} == {1, 2, 3, 4}
