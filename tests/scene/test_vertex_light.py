"""Baked vertex colours: the lights of every block under every camera, against the formula written out in Python.

The formula is that of GBATEK's "DS 3D Polygon Light Parameters" as the reference rasteriser has it, with the lights
sent under the camera's matrix as the field sends them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from formats.field.area_light import AreaLight
from formats.nitro.material import Material
from mapexplorer.g3d.material import raw
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33, multiply33
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene.camera import view_matrix
from mapexplorer.scene.light import LIBRARY_DEFAULT, VertexLight, light_state, lit_prop, lit_terrain
from mapexplorer.world.opening import open_rom


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def fields(word: int) -> list[int]:
    return [signed(word >> shift, 10) for shift in (0, 10, 20)]


def channels(word: int) -> list[int]:
    return [word >> shift & 31 for shift in (0, 5, 10)]


def turned(vector: list[int], matrix: Matrix33) -> list[int]:
    return [sum(vector[row] * matrix[3 * row + column] for row in range(3)) >> 12 for column in range(3)]


def expected(
    normal: int,
    vectors: tuple[int, ...],
    colors: tuple[int, ...],
    material: tuple[int, int],
    mask: int,
    view: Matrix33,
    node: Matrix33,
) -> list[int]:
    n = [signed(value, 11) for value in turned(fields(normal), multiply33(node, view))]
    diffuse, ambient = channels(material[0]), channels(material[0] >> 16)
    specular, emission = channels(material[1]), channels(material[1] >> 16)
    total = [value << 14 for value in emission]
    for number in range(4):
        if not mask >> number & 1:
            continue
        q = turned(fields(vectors[number]), view)
        light = [signed(-value, 11) for value in q]
        below = 512 - signed(q[2], 11)
        reciprocal = 0 if below == 0 else int(0x40000 / below)
        dot = sum(a * b >> 9 for a, b in zip(light, n, strict=True))
        shine = 0
        if dot > 0:
            k = signed(dot + n[2], 11)
            k = (k * k >> 10) & 0x3FF
            shine = max(0, min(511, signed(max(0, (k * reciprocal >> 8) - 512), 14)))
        for channel, color in enumerate(channels(colors[number])):
            if dot > 0:
                total[channel] += (diffuse[channel] * color * signed(dot, 11)) & 0xFFFFF
            total[channel] += (specular[channel] * shine + (ambient[channel] << 9)) * color
    return [min(31, value >> 14) for value in total]


def test_colours_follow_the_formula(rom_path: Path) -> None:
    archive = open_rom(rom_path).archive("data/arealight.narc")
    rng = np.random.default_rng(7)
    turn: Matrix33 = (2896, 2896, 0, -2896, 2896, 0, 0, 0, 4096)
    cases = 0
    for number in range(len(archive)):
        for block in AreaLight.from_bytes(archive.reader(number)).blocks:
            state = light_state(block, recolors=True)
            camera = PLATINUM.tables.cameras[int(rng.integers(17))]
            view = view_matrix(camera)[:9]
            light = VertexLight(state, view_matrix(camera))
            vectors = rng.normal(size=(40, 3))
            vectors *= 511 / np.linalg.norm(vectors, axis=1, keepdims=True)
            words = (np.round(vectors).astype(np.int64) & 0x3FF) @ np.array([1, 1 << 10, 1 << 20])
            node = turn if cases % 2 else IDENTITY33
            mask = int(rng.integers(16))
            dif_amb, spe_emi = (int(value) for value in rng.integers(0, 1 << 31, 2))
            material = raw(Material("m", dif_amb=dif_amb, spe_emi=spe_emi & ~0x8000, polygon_attr=mask), 0)
            found = light.colors(words.astype(np.uint32), node, material)
            for word, color in zip(words.tolist(), found.tolist(), strict=True):
                arguments = (state.lights.vectors, state.lights.colors, (dif_amb, spe_emi), mask, view, node)
                assert color == expected(word, *arguments)
            cases += 1
    assert cases == 60


def test_the_light_of_a_turned_model_is_that_of_its_turned_normals() -> None:
    turn: Matrix33 = (2896, 2896, 0, -2896, 2896, 0, 0, 0, 4096)
    normals = np.array([511, 511 << 10, 511 << 20, 0x201], np.uint32)
    material = raw(Material("m", dif_amb=0x4000_7FFF, spe_emi=0, polygon_attr=15), 0)
    still, turned = (VertexLight(LIBRARY_DEFAULT, IDENTITY33, base) for base in (IDENTITY33, turn))
    found = turned.colors(normals, IDENTITY33, material).tolist()
    assert found == still.colors(normals, turn, material).tolist()
    assert found != still.colors(normals, IDENTITY33, material).tolist()
    assert multiply33(turned.facing, turn)[0] in range(4090, 4097)  # what faces the screen does so in a turned model


def test_outdoor_light_recolours(rom_path: Path) -> None:
    rom = open_rom(rom_path)
    block = AreaLight.from_bytes(rom.archive("data/arealight.narc").reader(0)).blocks[7]
    from formats.nitro.nsbmd import Nsbmd

    model = Nsbmd.from_bytes(rom.archive("fielddata/build_model/build_model.narc").reader(22)).models[0]
    outdoors, indoors = (light_state(block, recolors=value) for value in (True, False))
    assert lit_prop(model, indoors) is model and lit_terrain(model, indoors) is model
    for old, new in zip(model.materials, lit_prop(model, outdoors).materials, strict=True):
        assert new.dif_amb == outdoors.global_state.dif_amb | old.dif_amb & 0x8000
        assert new.spe_emi == outdoors.global_state.spe_emi | old.spe_emi & 0x8000
        assert new.polygon_attr == old.polygon_attr
    for old, new in zip(model.materials, lit_terrain(model, outdoors).materials, strict=True):
        assert new.flags == old.flags & ~0x06C0 and new.dif_amb == old.dif_amb
