"""The TEV stages and what materials become."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from formats.j3d import Bmd
from formats.j3d.material import AlphaCompare, Blend, J3dMaterial, TevOrder, TevStage
from mapexplorer.j3d.appearance import CULL_ALL, accepted_alphas, appearance
from mapexplorer.j3d.tev import evaluate
from mapexplorer.j3d.texcoords import texture_matrix

WHITE = np.full((2, 4), 255)


def material(model: Bmd, name: str) -> J3dMaterial:
    return next(found for found in model.materials if found.name == name)


def changed(found: J3dMaterial, **state: Any) -> J3dMaterial:
    return replace(found, state=replace(found.state, **state))


def test_stages_give_the_expected_colours(models: dict[str, Bmd], expected: dict[str, Any]) -> None:
    model = models["synth_states.bmd"]
    entries = expected["synth_states.bmd"]["tev_output_before_alpha_test_and_blend"]
    assert len(entries) == 11
    image = model.textures[0].rgba()
    for entry in entries:
        texels = np.array([image[int(v * 8), int(u * 8)] for u, v in entry["uv"]])
        state = material(model, entry["material"]).state
        found = evaluate(state, dict.fromkeys(range(16), texels), WHITE, len(texels))
        assert found.tolist() == entry["rgba"], entry["material"]


def one_stage(model: Bmd, **parts: Any) -> J3dMaterial:
    """A material of one stage; colour inputs: PREV from tev_colors[3], C0, C1, C2 from [0..2]."""
    stage = TevStage(color=(15,) * 4, color_op=(0, 0, 0, 1, 0), alpha=(7,) * 4, alpha_op=(0, 0, 0, 1, 0))
    registers = ((10, 20, 30, 40), (50, 60, 70, 80), (90, 100, 110, 120), (1, 2, 3, 4))
    return changed(
        model.materials[0],
        stage_count=1,
        stages=(replace(stage, **parts),) + (None,) * 15,
        orders=(TevOrder(255, 255, 4),) + (None,) * 15,
        swap_modes=(None,) * 16,
        tev_colors=registers,
    )


@pytest.mark.parametrize(
    ("color", "color_op", "rgb"),
    [
        ((15, 15, 15, 2), (0, 0, 0, 1, 0), (10, 20, 30)),  # d
        ((2, 4, 13, 15), (0, 0, 0, 1, 0), (30, 40, 50)),  # halfway from C0 to C1
        ((2, 4, 13, 12), (1, 0, 0, 1, 0), (225, 215, 205)),  # one minus that
        ((15, 15, 15, 2), (0, 1, 0, 1, 0), (138, 148, 158)),  # plus a half
        ((15, 15, 15, 6), (0, 2, 1, 1, 0), (0, 0, 0)),  # (C2 - half) * 2, clamped
        ((15, 15, 15, 6), (0, 0, 2, 1, 0), (255, 255, 255)),  # * 4
        ((15, 15, 15, 6), (0, 0, 3, 1, 0), (45, 50, 55)),  # / 2
        ((6, 4, 2, 0), (8, 0, 0, 1, 0), (11, 22, 33)),  # red of C2 > red of C1: PREV + C0
        ((4, 6, 2, 0), (8, 0, 0, 1, 0), (1, 2, 3)),  # not so
        ((6, 6, 2, 0), (13, 0, 0, 1, 0), (11, 22, 33)),  # all three equal
        ((6, 4, 2, 15), (14, 0, 0, 1, 0), (10, 20, 30)),  # channel by channel
        ((15, 15, 15, 3), (0, 0, 0, 1, 0), (40, 40, 40)),  # alpha of C0
        ((15, 15, 15, 10), (0, 0, 0, 1, 0), (255, 255, 255)),  # raster
    ],
)
def test_colour_operations(
    models: dict[str, Bmd], color: tuple[int, ...], color_op: tuple[int, ...], rgb: tuple[int, ...]
) -> None:
    found = evaluate(one_stage(models["synth_states.bmd"], color=color, color_op=color_op).state, {}, WHITE)
    assert tuple(found[0, :3].tolist()) == rgb


def test_alpha_operations_and_output_register(models: dict[str, Bmd]) -> None:
    state = one_stage(models["synth_states.bmd"], alpha=(1, 2, 7, 3), alpha_op=(0, 0, 0, 1, 0)).state
    assert evaluate(state, {}, WHITE)[0, 3] == 40 + 120
    elsewhere = one_stage(models["synth_states.bmd"], color=(15, 15, 15, 12), color_op=(0, 0, 0, 1, 2)).state
    assert evaluate(elsewhere, {}, WHITE)[0, :3].tolist() == [1, 2, 3]  # PREV is untouched


@pytest.mark.parametrize(("selector", "value"), [(0, 255), (4, 128), (7, 32), (12, 11), (16, 11), (21, 22), (31, 44)])
def test_konst_selectors(models: dict[str, Bmd], selector: int, value: int) -> None:
    state = one_stage(models["synth_states.bmd"], color=(15, 15, 15, 14)).state
    konst = ((11, 12, 13, 14), (21, 22, 23, 24), (31, 32, 33, 34), (41, 42, 43, 44))
    state = replace(state, konst_colors=konst, konst_color_selectors=(selector,) * 16)
    assert evaluate(state, {}, WHITE)[0, 0] == value


def test_a_material_without_stages_is_its_raster_colour(models: dict[str, Bmd]) -> None:
    state = replace(models["synth_states.bmd"].materials[0].state, stage_count=0)
    assert evaluate(state, {}, np.array([(9, 8, 7, 6), (0, 0, 0, 0)])).tolist() == [[9, 8, 7, 6]]


def test_texture_matrices(models: dict[str, Bmd], expected: dict[str, Any]) -> None:
    wanted = expected["synth_prims.bmd"]["texture_matrices_2x3"]
    records = models["synth_prims.bmd"].materials[0].state.texture_matrices
    assert [record.maya for record in records[:2] if record] == [False, True]
    for record, numbers in zip(records, wanted, strict=False):
        assert record is not None
        np.testing.assert_allclose(texture_matrix(record).ravel(), numbers, atol=2e-6)


@pytest.mark.parametrize(
    ("compare", "accepted"),
    [
        (AlphaCompare(7, 0, 0, 7, 0), range(256)),
        (AlphaCompare(6, 128, 0, 3, 255), range(128, 256)),
        (AlphaCompare(4, 127, 0, 7, 0), range(128, 256)),
        (AlphaCompare(1, 10, 1, 2, 20), [*range(10), 20]),
        (AlphaCompare(5, 7, 0, 7, 0), [i for i in range(256) if i != 7]),
        (AlphaCompare(7, 0, 2, 3, 99), range(100, 256)),
        (AlphaCompare(0, 0, 3, 0, 0), range(256)),
        (AlphaCompare(0, 0, 0, 7, 0), []),
    ],
)
def test_alpha_tests(compare: AlphaCompare, accepted: Any) -> None:
    assert np.flatnonzero(accepted_alphas(compare)).tolist() == list(accepted)


def test_states_become_modes(models: dict[str, Bmd]) -> None:
    model = models["synth_states.bmd"]
    found = {each.name: appearance(each, model.textures) for each in model.materials}
    assert len(found) == 11
    modes = {name: shown.alpha_mode for name, shown in found.items()}
    assert modes == dict.fromkeys(found, "OPAQUE") | {"mask_ge128": "MASK", "blend": "BLEND", "additive": "BLEND"}
    assert found["mask_ge128"].alpha_cutoff == 128 / 255
    assert found["cull_none"].cull == 0
    assert found["cull_front"].cull == 1
    assert "factors 4 and 1" in " ".join(found["additive"].notes)
    assert "depth" in " ".join(found["no_depth_write"].notes)
    assert found["opaque"].notes == ()
    plain = [name for name, shown in found.items() if shown.pixels is None]
    assert sorted(set(found) - set(plain)) == ["swap_bgr", "tev_2stage_sub_scale", "tev_lerp_konst"]


def test_baked_pictures_hold_the_stages_result(models: dict[str, Bmd], expected: dict[str, Any]) -> None:
    model = models["synth_states.bmd"]
    compared = 0
    for entry in expected["synth_states.bmd"]["tev_output_before_alpha_test_and_blend"]:
        shown = appearance(material(model, entry["material"]), model.textures)
        if shown.pixels is None:
            continue
        for (u, v), rgba in zip(entry["uv"], entry["rgba"], strict=True):
            assert shown.pixels[int(v * 8), int(u * 8)].tolist() == rgba
            compared += 1
    assert compared == 9


def test_register_colour_becomes_a_factor_or_is_baked(models: dict[str, Bmd]) -> None:
    model = models["synth_states.bmd"]
    opaque = material(model, "opaque")
    stage = opaque.state.stages[0]
    assert stage is not None
    modulated = replace(stage, color=(15, 8, 10, 15))
    colors = ((255, 100, 0, 255), (255,) * 4)
    tinted = changed(
        opaque,
        stages=(modulated, *opaque.state.stages[1:]),
        orders=(replace(opaque.state.orders[0], channel=4), *opaque.state.orders[1:]),
        material_colors=colors,
        channel_count=1,
        channels=(replace(model.materials[0].state.channels[0], material_source=0), None, None, None)
        if model.materials[0].state.channels[0]
        else (None,) * 4,
    )
    shown = appearance(tinted, model.textures)
    assert (shown.color[:3], shown.texture, shown.pixels) == ((255, 100, 0), 0, None)


def test_refusing_alpha_test_and_blend_without_need(models: dict[str, Bmd]) -> None:
    model = models["synth_states.bmd"]
    opaque = material(model, "opaque")
    never = appearance(changed(opaque, alpha_compare=AlphaCompare(0, 0, 0, 0, 0)), model.textures)
    assert never.cull == CULL_ALL
    solid = models["synth_billboard.bmd"].materials[0]
    blended = changed(solid, mode=4, blend=Blend(1, 4, 5, 0))
    assert appearance(blended, ()).alpha_mode == "OPAQUE"  # its alpha is 255 everywhere


def test_missing_textures_are_no_error(models: dict[str, Bmd]) -> None:
    for each in models["synth_states.bmd"].materials:
        assert appearance(each, ()).texture is None
