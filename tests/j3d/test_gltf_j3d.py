"""J3D models as GLB: positions after skinning in rest and motion, materials, limits, and the Khronos validator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from formats import j3d
from formats.binary import FormatError, Notes, frozen
from formats.j3d import Bck, Bmd
from mapexplorer.export.gltf.j3d import j3d_document
from mapexplorer.export.options import J3dOptions
from mapexplorer.j3d.geometry import geometry
from mapexplorer.j3d.pose import JointPose, world_matrices
from tests.j3d.conftest import draw_matrices, pose_at

THIRD_PARTY = {
    "blacksquare.bmd": (12, 1, 1, 1, 0),
    "bush.bdl": (54, 1, 1, 1, 1),
    "cup.bmd": (2010, 1, 3, 3, 9),
    "home_inside.bmd": (4100, 1, 7, 7, 7),
    "normalstest.bmd": (12, 2, 1, 1, 1),
    "player_minecraft.bdl": (251, 42, 24, 24, 41),
}
"""Triangles, joints, shapes, materials and textures."""


def corners(model: Bmd, shape: int, world: np.ndarray | None = None) -> np.ndarray:
    """(triangles, 3, 3) positions by the draw matrices, corners reversed as glTF wants its fronts."""
    found = geometry(model.shapes[shape])
    positions = np.c_[model.arrays[9].values[found.indices[9]], np.ones(len(found.draw_matrices))]
    placed = np.einsum("ni,nij->nj", positions, draw_matrices(model, world)[found.draw_matrices])[:, :3]
    return placed[found.triangles[:, [0, 2, 1]]]


def test_every_sample_stands_where_its_matrices_put_it(models: dict[str, Bmd], open_glb: Any) -> None:
    shapes = 0
    for name, model in models.items():
        found = open_glb(j3d_document(model).to_bytes()).triangles()
        assert sorted(found) == list(range(len(model.shapes)))
        for shape, triangles in found.items():
            wanted = corners(model, shape)
            if name == "synth_states.bmd" and model.materials[shape].name == "cull_front":
                wanted = wanted[:, [0, 2, 1]]
            np.testing.assert_allclose(triangles, wanted, atol=1e-4)
            shapes += 1
    assert shapes == 38


def test_skin_follows_the_animation(models: dict[str, Bmd], wave: Bck, open_glb: Any) -> None:
    model = models["synth_skin.bmd"]
    glb = open_glb(j3d_document(model, [("wave", wave)]).to_bytes())
    moved = 0.0
    for frame in range(wave.length + 1):
        wanted = corners(model, 0, world_matrices(model, pose_at(wave, frame)))
        np.testing.assert_allclose(glb.triangles(0, frame)[0], wanted, atol=1e-4)
        moved = max(moved, float(np.abs(wanted - corners(model, 0)).max()))
    assert wave.length == 30
    assert moved > 1


@pytest.mark.parametrize("name", ["synth_scale_basic.bmd", "synth_scale_xsi.bmd", "synth_scale_maya.bmd"])
def test_scaled_joints_move_exactly_under_every_rule(
    models: dict[str, Bmd], wave: Bck, open_glb: Any, name: str
) -> None:
    """The scales themselves are animated, uneven, and turned by the joints below."""
    model = models[name]
    tracks = wave.tracks.copy()
    tracks[0, 0, 0] = tracks[1, 1, 0] = (2, len(wave.scales), 0)
    scales = frozen([*wave.scales, 0, 1, 0, 30, 3, 0], np.float32)
    stretching = replace(wave, tracks=frozen(tracks), scales=scales)
    glb = open_glb(j3d_document(model, [("stretch", stretching)]).to_bytes())
    compared = 0
    for frame in (0, 7, 15, 30):
        pose: JointPose = pose_at(stretching, frame)
        world = world_matrices(model, pose)
        found = glb.triangles(0, frame)
        for shape, triangles in found.items():
            np.testing.assert_allclose(triangles, corners(model, shape, world), atol=1e-3)
            compared += 1
    assert compared == 12


def test_third_party_models_keep_their_counts(vectors: Path, open_glb: Any) -> None:
    folder = vectors / "j3d-samples" / "third-party"
    assert sorted(path.name for path in folder.iterdir()) == sorted(THIRD_PARTY)
    for name, counts in THIRD_PARTY.items():
        model = j3d.read((folder / name).read_bytes())
        glb = open_glb(j3d_document(model).to_bytes())
        found = glb.triangles()
        number = sum(len(triangles) for triangles in found.values())
        tables = (model.joints, model.shapes, model.materials, model.textures)
        assert (number, *(len(table) for table in tables)) == counts, name
        for shape, triangles in found.items():
            np.testing.assert_allclose(triangles, corners(model, shape), atol=2e-3)
        for material in glb.gltf.materials if name == "bush.bdl" else ():
            assert material.alphaMode == "BLEND"  # three quarters of its texels fail its alpha test


def test_validator_finds_nothing(
    models: dict[str, Bmd],
    wave: Bck,
    vectors: Path,
    tmp_path: Path,
    validate_glb: Callable[[Iterable[Path]], int],
) -> None:
    files = []
    for name, model in models.items():
        clips = [("wave", wave)] if len(model.joints) == 3 else []
        document = j3d_document(model, clips, name=name, options=J3dOptions(scale=0.01))
        files.append(document.write(tmp_path / f"{name}.glb"))
    for path in sorted((vectors / "j3d-samples" / "third-party").iterdir()):
        document = j3d_document(j3d.read(path.read_bytes()), name=path.stem)
        files.append(document.write(tmp_path / f"{path.name}.glb"))
    assert validate_glb(files) == 14


def test_an_independent_loader_sees_the_same_size(models: dict[str, Bmd], tmp_path: Path) -> None:
    path = j3d_document(models["synth_textures.bmd"]).write(tmp_path / "textures.glb")
    bounds = trimesh.load(path, force="scene").bounds
    wanted = np.concatenate([corners(models["synth_textures.bmd"], shape).reshape(-1, 3) for shape in range(13)])
    np.testing.assert_allclose(bounds, (wanted.min(0), wanted.max(0)), atol=1e-5)


def test_same_model_same_bytes(models: dict[str, Bmd], wave: Bck) -> None:
    first, second = (j3d_document(models["synth_skin.bmd"], [("wave", wave)]).to_bytes() for _ in range(2))
    assert first == second


def test_materials_textures_and_samplers(models: dict[str, Bmd], open_glb: Any) -> None:
    gltf = open_glb(j3d_document(models["synth_textures.bmd"]).to_bytes()).gltf
    assert (len(gltf.materials), len(gltf.textures)) == (13, 13)
    samplers = [gltf.samplers[texture.sampler] for texture in gltf.textures]
    model = models["synth_textures.bmd"]
    wraps = {0: 33071, 1: 10497, 2: 33648}
    assert [s.wrapS for s in samplers] == [wraps[texture.wrap_s] for texture in model.textures]
    assert [s.wrapT for s in samplers] == [wraps[texture.wrap_t] for texture in model.textures]
    assert samplers[11].minFilter == 9987
    assert [material.alphaMode for material in gltf.materials].count("BLEND") == 4
    assert [material.alphaMode for material in gltf.materials].count("MASK") == 3


def test_images_are_the_textures(models: dict[str, Bmd], open_glb: Any) -> None:
    import io

    from PIL import Image

    model = models["synth_textures.bmd"]
    glb = open_glb(j3d_document(model).to_bytes())
    for i, texture in enumerate(model.textures):
        view = glb.gltf.bufferViews[glb.gltf.images[glb.gltf.textures[i].source].bufferView]
        start = view.byteOffset or 0
        picture = np.asarray(Image.open(io.BytesIO(glb.blob[start : start + view.byteLength])))
        np.testing.assert_array_equal(picture, texture.rgba()[..., : picture.shape[2]])
    assert len(model.textures) == 13


def test_vertex_colours_are_linear(models: dict[str, Bmd], open_glb: Any) -> None:
    model = models["synth_prims.bmd"]
    glb = open_glb(j3d_document(model).to_bytes())
    colors = glb.values(glb.gltf.meshes[0].primitives[0].attributes.COLOR_0)
    stored = {tuple(color) for color in model.arrays[11].values.tolist()}
    back = np.where(colors[:, :3] <= 0.0031308, colors[:, :3] * 12.92, 1.055 * colors[:, :3] ** (1 / 2.4) - 0.055)
    found = {tuple(color) for color in np.rint(np.c_[back, colors[:, 3]] * 255).astype(int).tolist()}
    assert len(found) > 2
    assert found <= stored


def test_billboards_say_so(models: dict[str, Bmd], open_glb: Any) -> None:
    notes: Notes = []
    gltf = open_glb(j3d_document(models["synth_billboard.bmd"], notes=notes).to_bytes()).gltf
    kinds = [node.extras.get("billboard") for node in gltf.nodes if node.mesh is not None]
    assert kinds == [None, "full", "y"]
    assert sum("billboard" in note.sentence for note in notes) == 2


def test_what_is_approximated_is_said(models: dict[str, Bmd], open_glb: Any) -> None:
    notes: Notes = []
    gltf = open_glb(j3d_document(models["synth_states.bmd"], name="states", notes=notes).to_bytes()).gltf
    material = next(material for material in gltf.materials if material.name == "additive")
    assert material.extras["blend"][:3] == [1, 4, 1]
    assert any("factors 4 and 1" in sentence for sentence in material.extras["approximated"])
    assert "states > material additive" in {note.path for note in notes}


def test_animation_of_another_model_is_noted(models: dict[str, Bmd], wave: Bck, open_glb: Any) -> None:
    for name in ("synth_prims.bmd", "synth_billboard.bmd"):
        notes: Notes = []
        open_glb(j3d_document(models[name], [("wave", wave)], notes=notes).to_bytes())
        assert any("has 3 joints" in note.sentence for note in notes)


def test_endless_animation_is_refused(models: dict[str, Bmd], wave: Bck) -> None:
    joints = models["synth_skin.bmd"].joints[:1] * 60000
    model = replace(models["synth_skin.bmd"], joints=joints)
    with pytest.raises(FormatError, match="joints times frames"):
        j3d_document(model, [("long", replace(wave, length=32767))])


def test_positions_beyond_floats_are_refused(models: dict[str, Bmd]) -> None:
    model = models["synth_skin.bmd"]
    arrays = tuple(
        replace(array, values=frozen(np.full_like(array.values, 3e38))) if array.attribute == 9 else array
        for array in model.vertices
    )
    envelopes = replace(model.envelopes, inverse_binds=frozen(model.envelopes.inverse_binds / 100))
    with pytest.raises(FormatError, match="range of floats"):
        j3d_document(replace(model, vertices=arrays, envelopes=envelopes))
