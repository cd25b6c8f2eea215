"""Names in files: unique by kind, safe for programs that make paths of them, and telling what they name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mapexplorer.export.gltf.document import Channel, Document
from mapexplorer.export.gltf.field import field_document
from mapexplorer.export.options import BY_MATERIAL, ExportOptions
from mapexplorer.world.world import FieldWorld

KINDS = ("nodes", "meshes", "materials", "images", "skins", "animations")
BLENDER_LIMIT = 63
"""Bytes of a name in Blender, which cuts longer ones."""


def names(glb: Any, kind: str) -> list[str]:
    return [entry["name"] for entry in glb.get(kind)]


@pytest.mark.parametrize("options", [{}, {"merge": BY_MATERIAL}], ids=str)
@pytest.mark.parametrize("header", [3, 33, 411, 414])
def test_every_name_of_a_place_is_its_own(
    world: FieldWorld, read_glb: Callable[..., Any], header: int, options: dict[str, Any]
) -> None:
    glb = read_glb(field_document(world.place(header), ExportOptions(**options))[0])
    for kind in KINDS:
        found = names(glb, kind)
        assert len(found) == len(set(found)), kind
        assert all(0 < len(name.encode()) <= BLENDER_LIMIT for name in found)
        if kind != "animations":
            assert not any(set(name) & set("[].:/") for name in found)


def test_nodes_are_named_by_cell_prop_and_shape(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    glb = read_glb(field_document(world.place(3), ExportOptions(static=True))[0])
    nodes = glb.get("nodes")
    seen = 0
    for node, _, path in glb.walk():
        entry = nodes[node]
        if "prop" in entry.get("extras", {}):
            x, z = nodes[path[-1]]["extras"]["cell"]
            assert entry["name"].startswith(f"c{x:02}_{z:02}_prop_{entry['extras']['prop']:02}_")
            below = [nodes[child]["name"] for child in entry.get("children", ())]
            assert all(name.startswith(entry["name"] + "_") for name in below)
            seen += 1
    assert seen > 30


def test_repeated_and_reserved_names_are_changed() -> None:
    document = Document()
    for name in ("a.b", "a_b", "a_b_2", "a:b", "x"):
        document.node(name)
    assert [node["name"] for node in document.items("nodes")] == ["a_b", "a_b_2", "a_b_2_2", "a_b_3", "x"]
    curve = Channel(np.zeros(1, np.float32), np.zeros((1, 3), np.float32), node=0, path="translation")
    for _ in range(2):
        document.animation("auto.x", [curve])
    assert [clip["name"] for clip in document.items("animations")] == ["auto.x", "auto.x_2"]


def test_materials_of_one_key_are_one_under_the_first_name() -> None:
    document = Document()
    unlit = {"KHR_materials_unlit": {}}
    first = document.shared_material("a", None, lambda: {"name": "water:lambert5", "extensions": unlit})
    assert document.shared_material("a", None, lambda: {"name": "other"}) == first
    assert document.shared_material("b", None, lambda: {"name": "water:lambert5"}) != first
    assert names_of(document) == ["water_lambert5", "water_lambert5_2"]
    assert json.loads(document.text([], [], [], []))["extensionsUsed"] == ["KHR_materials_unlit"]


def names_of(document: Document) -> list[str]:
    return [entry["name"] for entry in document.items("materials")]
