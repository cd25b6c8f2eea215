"""Materials that a process keeps for the next models change nothing in what is written."""

from __future__ import annotations

from functools import lru_cache

import pytest

from mapexplorer.export.gltf import materials
from mapexplorer.export.gltf.nitro import model_document
from mapexplorer.export.options import ExportOptions
from mapexplorer.world.world import FieldWorld

OPTIONS = (ExportOptions(), ExportOptions(lit=True), ExportOptions(bake_mirror=True))


def written(world: FieldWorld, prop: int, options: ExportOptions) -> bytes:
    model = world.prop_model(prop).models[0]
    return model_document(model, world.prop_textures(0).textures, options=options)[0].to_bytes()


def test_models_are_the_same_whatever_was_written_before(world: FieldWorld) -> None:
    first = {}
    for prop in range(12):
        for number, options in enumerate(OPTIONS):
            materials.nameless_material.cache_clear()
            first[prop, number] = written(world, prop, options)
    assert len(set(first.values())) > 20
    for (prop, number), data in reversed(first.items()):
        assert written(world, prop, OPTIONS[number]) == data


def test_models_are_the_same_where_few_materials_are_kept(world: FieldWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = [written(world, prop, OPTIONS[0]) for prop in range(6)]
    monkeypatch.setattr(materials, "nameless_material", lru_cache(1)(materials.nameless_material.__wrapped__))
    assert [written(world, prop, OPTIONS[0]) for prop in range(6)] == usual
