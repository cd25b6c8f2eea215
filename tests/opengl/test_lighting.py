"""The shaders' vertex lighting against the DS picture's integer formula; texel fetch and modulation by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from formats.nitro.tex0 import Palette, Texture
from mapexplorer.g3d.draw_list import BASE, Draw
from mapexplorer.g3d.flush import Lights
from mapexplorer.g3d.material import ComposedMaterial, GlobalState
from mapexplorer.g3d.matrix import IDENTITY33
from mapexplorer.scene.light import LightState, VertexLight

pytestmark = pytest.mark.gl

SIDE = 32
ATTRIBUTES = 0x001F00C0


def material(
    dif_amb: int = 0x7FFF,
    spe_emi: int = 0,
    attributes: int = ATTRIBUTES,
    param: int = 0,
    texture: Texture | None = None,
    palette: Palette | None = None,
) -> ComposedMaterial:
    return ComposedMaterial(
        0, "made", dif_amb, spe_emi, attributes, param, 0, None, 0, False, (8, 8), None, texture, palette
    )


def quads(corners: np.ndarray, texcoords: np.ndarray, **fields: Any) -> Any:
    """A mesh of quads (n, 4, 2) in clip space at depth 0, each with its own fields."""
    from mapexplorer.opengl import mesh

    vertices = np.zeros(4 * len(corners), mesh.VERTEX)
    vertices["position"][:, :2] = corners.reshape(-1, 2)
    vertices["texcoord"] = texcoords.reshape(-1, 2)
    for name, values in fields.items():
        vertices[name] = np.repeat(values, 4)
    indices = (np.arange(len(corners))[:, None] * 4 + [0, 1, 2, 0, 2, 3]).astype(np.uint32)
    return vertices, indices.ravel()


def grid(count: int) -> np.ndarray:
    """The corners of SIDE x SIDE cells that fill the screen, row by row from the top."""
    cells = np.arange(count)
    x, y = cells % SIDE, cells // SIDE
    west, north = x / SIDE * 2 - 1, 1 - y / SIDE * 2
    step = 2 / SIDE
    return np.stack(
        [
            np.stack([west, north], 1),
            np.stack([west, north - step], 1),
            np.stack([west + step, north - step], 1),
            np.stack([west + step, north], 1),
        ],
        axis=1,
    )


def made_mesh(vertices: np.ndarray, indices: np.ndarray, drawn: ComposedMaterial, light_set: int = 0) -> Any:
    from mapexplorer.opengl.mesh import POLYGON, VERTEX, Mesh, Range

    resolved = SimpleNamespace(pairs=((0, 0),), light_set=light_set, kind="prop", model=None)
    resolved.model = SimpleNamespace(texture_pairings=())
    draw = Draw(0, drawn, BASE, 4096, {}, None, True)
    box = np.array([[-2.0, -2.0, -2.0], [2.0, 2.0, 2.0]])
    return Mesh(
        resolved,
        vertices,
        indices,
        indices.reshape(-1, 3)[:, [0, 1, 2, 2]],
        (Range(3, 0, len(indices), first_polygon=0, polygons=len(indices) // 3),),
        np.zeros(0, VERTEX),
        np.zeros(0, POLYGON),
        (draw,),
        ((0, -1),),
        box,
        None,
    )


def picture(renderer: Any, mesh: Any, size: int, view: np.ndarray, light: LightState | None = None) -> np.ndarray:
    """The mesh through a camera that shows clip space as it is, turned by `view` (3, 3)."""
    from mapexplorer.opengl.camera import CameraMatrices
    from mapexplorer.opengl.offscreen import RenderTarget
    from mapexplorer.opengl.prepare import Instance, Prepared
    from mapexplorer.opengl.state import FrameState

    # Turned there and back: only the lights and normals see the rotation.
    mesh.vertices["position"] = mesh.vertices["position"] @ np.linalg.inv(view)
    target = RenderTarget(size, size)
    renderer.add(Prepared("made", (Instance(mesh, (0, 0, 0), (1, 1, 1), 1, None),)))
    camera = CameraMatrices(np.vstack([view, np.zeros(3)]), np.diag([1.0, 1.0, 0.1, 1.0]))
    state = FrameState(lights={0: light} if light is not None else {})
    renderer.draw(target.framebuffer, size, size, camera, state)
    pixels = target.pixels()
    target.release()
    return pixels


def rotation(random: np.random.Generator) -> np.ndarray:
    """A rotation whose elements are whole fx32 numbers."""
    turned, _ = np.linalg.qr(random.normal(size=(3, 3)))
    return np.rint(turned * 4096) / 4096


def unit_vectors(random: np.random.Generator, count: int) -> np.ndarray:
    """Parameters of NORMAL or LIGHT_VECTOR of length one."""
    directions = random.normal(size=(count, 3))
    fields = np.rint(directions / np.linalg.norm(directions, axis=1)[:, None] * 511).astype(int) & 0x3FF
    return (fields[:, 0] | fields[:, 1] << 10 | fields[:, 2] << 20).astype(np.uint32)


@pytest.mark.parametrize("seed", range(12))
def test_lights_as_the_engine_does(renderer: Any, seed: int) -> None:
    random = np.random.default_rng(seed)
    count = SIDE * SIDE
    normals = random.integers(0, 1 << 30, count, np.uint32)
    if seed % 2:
        normals = unit_vectors(random, count)
    vectors = tuple(word | number << 30 for number, word in enumerate(unit_vectors(random, 4).tolist()))
    colors = tuple(int(random.integers(0, 1 << 15)) | number << 30 for number in range(4))
    light = LightState(Lights(vectors, colors), GlobalState(0, 0, 0x001F8080))
    # Colours up to 7 of 31 and the bit that chooses the shininess table, so that sums seldom reach white.
    words = [int(random.integers(0, 1 << 31)) & 0x1CE79CE7 for _ in range(2)]
    drawn = material(words[0], words[1], ATTRIBUTES | int(random.integers(0, 16)))
    view = rotation(random)
    vertices, indices = quads(
        grid(count), np.zeros((count, 4, 2)), normal=normals, color=np.full(count, 2 << 16, np.uint32)
    )
    pixels = picture(renderer, made_mesh(vertices, indices, drawn), 4 * SIDE, view, light)
    shown = pixels[2::4, 2::4, :3].reshape(-1, 3) >> 3
    rows = tuple(int(value) for value in np.rint(view * 4096).ravel())
    expected = VertexLight(light, rows).colors(normals, IDENTITY33, drawn)
    assert len(np.unique(expected, axis=0)) > (1 if drawn.lights else 0)
    np.testing.assert_array_equal(shown, expected)


@pytest.mark.parametrize("repeat", range(4))
@pytest.mark.parametrize("mirror", range(4))
def test_every_wrapping(renderer: Any, repeat: int, mirror: int) -> None:
    """Texels far outside a 16 x 8 picture, in all combinations of repeating and mirroring in both directions."""
    colors = np.random.default_rng(5).integers(0, 1 << 15, (8, 16)).astype(np.uint16)
    texture = Texture("made", 7, 16, 8, False, 16, 8, (colors | 0x8000).astype("<u2").tobytes())
    drawn = material(param=texture.param() | repeat << 16 | mirror << 18, texture=texture)
    whole = np.array([[[-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]]])
    low, high = -40 * 16, 56 * 16
    texcoords = np.array([[[low, low], [low, high], [high, high], [high, low]]])
    vertices, indices = quads(whole, texcoords, color=np.array([0x7FFF | 1 << 16], np.uint32))
    pixels = picture(renderer, made_mesh(vertices, indices, drawn), 96, np.eye(3))
    places = np.arange(96) - 40

    def wrapped(size: int, repeats: bool, mirrors: bool) -> np.ndarray:
        if not repeats:
            return places.clip(0, size - 1)
        inside = places % size
        return np.where(mirrors & (places // size % 2 == 1), size - 1 - inside, inside)

    s = wrapped(16, bool(repeat & 1), bool(mirror & 1))
    t = wrapped(8, bool(repeat & 2), bool(mirror & 2))
    words = colors[t][:, s]
    expected = np.stack([words >> shift & 31 for shift in (0, 5, 10)], axis=-1)
    np.testing.assert_array_equal(pixels[..., :3] >> 3, expected)


def test_modulation_in_six_bits(renderer: Any) -> None:
    """Every texel level under every vertex level, as GBATEK gives it: ((t + 1) (v + 1) - 1) / 64."""
    count = SIDE * SIDE
    levels = np.arange(32)
    texels = np.zeros((8, 32), np.uint16)
    texels[:] = levels | levels << 5 | levels << 10 | 0x8000
    texture = Texture("made", 7, 32, 8, False, 32, 8, texels.astype("<u2").tobytes())
    drawn = material(param=texture.param(), texture=texture)
    column, row = np.arange(count) % SIDE, np.arange(count) // SIDE
    texcoords = np.repeat(np.stack([column * 16 + 8, np.full(count, 8)], 1)[:, None], 4, axis=1)
    word = (row | row << 5 | row << 10 | 1 << 16).astype(np.uint32)
    vertices, indices = quads(grid(count), texcoords, color=word)
    pixels = picture(renderer, made_mesh(vertices, indices, drawn), 4 * SIDE, np.eye(3))
    shown = pixels[2::4, 2::4, :3].reshape(-1, 3) >> 2
    wide = np.where(levels > 0, 2 * levels + 1, 0)
    expected = (wide[column] + 1) * (wide[row] + 1) - 1 >> 6
    np.testing.assert_array_equal(shown, np.repeat(expected[:, None], 3, axis=1))
