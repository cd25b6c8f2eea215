"""Alpha modes by the texels that triangles show, and triangles that show nothing."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mapexplorer.export.gltf.field import field_document
from mapexplorer.export.gltf.triangles import DEGENERATE, DUPLICATE, KEPT, count_texels, sort_out
from mapexplorer.export.options import ExportOptions
from mapexplorer.g3d.geometry import VERTEX
from mapexplorer.world.world import FieldWorld

CLAMP, MIRROR = 33071, 33648
POINTS = np.random.default_rng(1).dirichlet((1, 1, 1), 40)


def texels(positions: np.ndarray, size: int, wrap: int) -> np.ndarray:
    """Texel numbers of coordinates in periods, by a sampler's wrapping."""
    whole = np.floor(positions * size).astype(int)
    if wrap == CLAMP:
        return np.clip(whole, 0, size - 1)
    inside = whole % size
    return np.where((whole // size % 2 == 1) & (wrap == MIRROR), size - 1 - inside, inside)


def shown_alphas(glb: Any, primitive: Any) -> np.ndarray | None:
    """(triangles, points): the alpha of the texture at points inside each triangle; None without a texture."""
    surface = glb.get("materials")[primitive["material"]]["pbrMetallicRoughness"]
    if "baseColorTexture" not in surface:
        return None
    info = surface["baseColorTexture"]
    texture = glb.get("textures")[info["index"]]
    sampler = glb.get("samplers")[texture["sampler"]]
    pixels = np.asarray(Image.open(io.BytesIO(glb.image(texture["source"]))).convert("RGBA"))[..., 3]
    transform = info.get("extensions", {}).get("KHR_texture_transform", {})
    uv = glb.array(primitive["attributes"]["TEXCOORD_0"]).astype(float)
    uv = uv * transform.get("scale", (1, 1)) + transform.get("offset", (0, 0))
    corners = uv[glb.array(primitive["indices"]).reshape(-1, 3)]
    places = np.einsum("pc,tca->tpa", POINTS, corners)
    height, width = pixels.shape
    found: np.ndarray = pixels[
        texels(places[..., 1], height, sampler["wrapT"]), texels(places[..., 0], width, sampler["wrapS"])
    ]
    return found


@pytest.mark.parametrize("lit", [False, True])
def test_alpha_modes_are_those_of_the_texels_that_triangles_show(
    world: FieldWorld, read_glb: Callable[..., Any], lit: bool
) -> None:
    seen: Counter[str] = Counter()
    for header in (3, 33, 120, 253, 342, 411, 414):
        glb = read_glb(field_document(world.place(header), ExportOptions(static=True, lit=lit))[0])
        for mesh in glb.get("meshes"):
            for primitive in mesh["primitives"]:
                material = glb.get("materials")[primitive["material"]]
                alphas = shown_alphas(glb, primitive)
                factor = material["pbrMetallicRoughness"].get("baseColorFactor", [1, 1, 1, 1])[3]
                mode = material.get("alphaMode", "OPAQUE")
                seen[mode] += 1
                if factor < 1:
                    assert mode == "BLEND"
                elif alphas is None or mode == "OPAQUE":
                    assert mode == "OPAQUE" and (alphas is None or (alphas == 255).all()), material["name"]
                elif "alphaCutoff" in material:
                    seen["mixed"] += 1
                    drawn = [
                        set(map(tuple, glb.array(one["indices"]).reshape(-1, 3).tolist()))
                        for one in mesh["primitives"]
                        if glb.get("materials")[one["material"]].get("alphaMode") == "BLEND"
                        and one["attributes"] == primitive["attributes"]
                    ]
                    mine = set(map(tuple, glb.array(primitive["indices"]).reshape(-1, 3).tolist()))
                    assert any(mine <= one for one in drawn), material["name"]
                elif mode == "MASK":
                    if not lit:
                        assert np.isin(alphas, (0, 255)).all(), material["name"]
                else:
                    between = ((alphas > 0) & (alphas < 255)).any(axis=1)
                    assert between.mean() > 0.5, material["name"]
    assert (seen["mixed"] > 0) == (not lit)
    assert min(seen[mode] for mode in ("OPAQUE", "MASK", "BLEND")) > 10


def vertices(*places: tuple[int, int, int]) -> np.ndarray:
    made = np.zeros(len(places), VERTEX)
    made["position"] = places
    return made


def sorted_out(
    made: np.ndarray, shapes: Sequence[Sequence[tuple[int, int, int]]], textured: Sequence[bool]
) -> tuple[list[Any], Any]:
    """The kept triangles and the counts of shapes that have the same vertices."""
    indices = np.array([corner for corners in shapes for each in corners for corner in each], np.uint32)
    bounds = np.zeros((len(shapes) + 1, 2), np.int64)
    bounds[1:] = np.cumsum([(len(made), 3 * len(corners)) for corners in shapes], axis=0)
    kept, counts = sort_out(np.tile(made, len(shapes)), indices, bounds, textured)
    sizes = 3 * counts[:, KEPT]
    return [kept[first : first + size].tolist() for (_, first), size in zip(bounds, sizes, strict=False)], counts


def test_triangles_that_show_nothing_are_found() -> None:
    made = vertices((0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 4, 0), (0, 0, 0), (4, 0, 0), (2, 0, 0))
    whole = [
        (0, 1, 2), (4, 5, 3),  # the same places
        (1, 2, 0), (0, 2, 1),  # the same again; and its back
        (0, 4, 1), (0, 6, 1),  # two corners in one place; all on a line
    ]  # fmt: skip
    kept, counts = sorted_out(made, [whole[3:4], whole, []], [False, False, True])
    assert kept == [[0, 2, 1], [0, 1, 2, 0, 2, 1], []]
    assert (counts[1][KEPT], counts[1][DEGENERATE], counts[1][DUPLICATE]) == (2, 2, 2)
    made["texcoord"][3] = 16
    kept, counts = sorted_out(made, [whole, whole], [True, False])
    assert kept[0][:6] == [0, 1, 2, 4, 5, 3] and kept[1][:6] == [0, 1, 2, 0, 2, 1]
    made["slot"][3:] = 1  # the second one is under another matrix
    assert sorted_out(made, [whole], [False])[0][0][:6] == [0, 1, 2, 4, 5, 3]


def test_texels_are_counted_inside_the_triangle() -> None:
    made = vertices((0, 0, 0), (1, 0, 0), (0, 1, 0))
    made["texcoord"] = [(0, 0), (64, 0), (0, 64)]  # half of 4 x 4 texels, with those on the diagonal
    classes = np.zeros((4, 4), np.uint8)
    classes[3, 3], classes[0, 0], classes[0, 3] = 2, 1, 2
    whole = np.array([0, 1, 2], np.uint32)
    affine = (1 / 64, 0.0, 0.0, 1 / 64, 0.0, 0.0)
    free = (False, False)
    assert count_texels(made, whole, affine, free, free, classes).tolist() == [[8, 1, 1]]
    made["texcoord"] += 64  # the next period, repeated, mirrored and clamped
    assert count_texels(made, whole, affine, free, free, classes).tolist() == [[8, 1, 1]]
    assert count_texels(made, whole, affine, free, (True, True), classes).tolist() == [[8, 0, 2]]
    assert count_texels(made, whole, affine, (True, True), free, classes).tolist() == [[0, 0, 10]]
