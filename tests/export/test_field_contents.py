"""What a place holds beside its models: people, events, cells around, camera, light; and what was left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer.export.gltf.field import export_field, field_document
from mapexplorer.export.options import ExportOptions
from mapexplorer.world.world import FieldWorld

TWINLEAF, JUBILIFE = 411, 3


def root_of(glb: Any) -> Any:
    return glb.get("nodes")[glb.get("scenes")[0]["nodes"][0]]


def with_extra(glb: Any, key: str) -> list[Any]:
    return [node for node in glb.get("nodes") if key in node.get("extras", {})]


def test_events_are_empty_nodes_on_their_tiles(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(TWINLEAF)
    glb = read_glb(field_document(place, ExportOptions(events=True, static=True))[0])
    events = place.events
    assert events is not None
    found = with_extra(glb, "event")
    kinds = Counter(node["extras"]["event"] for node in found)
    (cell,) = place.cells
    inside = [(x // 32, z // 32) == (cell.x, cell.z) for x, z in events.objects[["x", "z"]].tolist()]
    assert kinds["warps"] == len(events.warps) == 4 and kinds["objects"] == sum(inside) < len(inside)
    assert kinds["signs"] == len(events.background) and kinds["triggers"] == len(events.triggers)
    origin = root_of(glb)["extras"]["origin_tile"]
    for node in found:
        x, z = node["extras"]["tile"]
        assert "mesh" not in node
        assert node["translation"][0] == x - origin[0] + 0.5 and node["translation"][2] == z - origin[1] + 0.5
    for index, node in enumerate(node for node in found if node["extras"]["event"] == "warps"):
        to = node["extras"]["leads_to"]
        assert (to["header"], to["warp"]) == (int(events.warps[index]["header"]), int(events.warps[index]["warp"]))
        assert to["internal_name"] == world.headers[to["header"]].internal_name
    assert "left_out" not in root_of(glb)["extras"]
    bare = read_glb(field_document(place, ExportOptions(static=True))[0])
    assert root_of(bare)["extras"]["left_out"] == dict(kinds) and not with_extra(bare, "event")


def test_people_stand_where_they_are_in_a_new_game(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    glb = read_glb(field_document(world.place(TWINLEAF), ExportOptions(people=True, events=True))[0])
    present = {
        node["extras"]["index"]: node
        for node in with_extra(glb, "event")
        if node["extras"]["event"] == "objects" and node["extras"]["present"]
    }
    people = with_extra(glb, "person")
    assert {node["extras"]["person"] for node in people} == set(present)
    for node in people:
        there = present[node["extras"]["person"]]
        assert np.abs(np.array(node["translation"]) - there["translation"])[[0, 2]].max() < 0.6
        assert node["extras"]["graphics"] == there["extras"]["graphics"]

    def faces(**options: Any) -> set[tuple[float, ...]]:
        shown = read_glb(field_document(world.place(TWINLEAF), ExportOptions(people=True, **options))[0])
        boards = [
            shown.get("nodes")[child] for node in with_extra(shown, "person") for child in node.get("children", ())
        ]
        return {tuple(board["rotation"]) for board in boards if "rotation" in board}

    (tilted,) = faces(camera=True)
    assert faces() == {(0, 0, 0, 1)} and tilted[0] == pytest.approx(-math.sin(math.radians(59.052) / 2), abs=1e-3)
    assert faces(people_facing="camera") == {tilted} and faces(camera=True, people_facing="upright") == faces()
    assert not with_extra(read_glb(field_document(world.place(TWINLEAF), ExportOptions())[0]), "person")


def test_a_margin_adds_the_cells_around(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(TWINLEAF)
    (own,) = place.cells
    document, report = field_document(place, ExportOptions(margin=1, static=True))
    cells = with_extra(read_glb(document), "cell")
    at = {tuple(node["extras"]["cell"]) for node in cells}
    near = {(x, z) for x in range(own.x - 1, own.x + 2) for z in range(own.z - 1, own.z + 2)}
    assert at == near & set(place.matrix_cells) and len(at) > 4
    assert {tuple(node["extras"]["cell"]) for node in cells if node["extras"].get("margin")} == at - {(own.x, own.z)}
    assert report.cells == len(at)


def test_the_camera_is_the_games(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    glb = read_glb(field_document(world.place(TWINLEAF), ExportOptions(camera=True, static=True))[0])
    (camera,) = glb.get("cameras")
    told = root_of(glb)["extras"]["camera"]
    assert np.degrees(camera["perspective"]["yfov"]) == pytest.approx(told["field_of_view_degrees"], abs=0.01)
    (number,) = (number for number, node in enumerate(glb.get("nodes")) if "camera" in node)
    (matrix,) = (matrix for node, matrix, _ in glb.walk() if node == number)
    looks = -matrix[:3, 2]
    assert np.degrees(np.arcsin(-looks[1])) == pytest.approx(told["pitch_degrees"], abs=0.1) and looks[2] < 0
    ground = matrix[:3, 3] + looks * told["distance_units"] / 16
    assert 0 < ground[0] < 32 and 0 < ground[2] < 32  # on the map


def test_lit_places_have_a_sun(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    def sun(second: int) -> tuple[Any, np.ndarray]:
        glb = read_glb(field_document(world.place(JUBILIFE), ExportOptions(lit=True, second=second))[0])
        lights = glb.json["extensions"]["KHR_lights_punctual"]["lights"]
        (number,) = (number for number, node in enumerate(glb.get("nodes")) if node["name"] == "sun")
        (matrix,) = (matrix for node, matrix, _ in glb.walk() if node == number)
        light = glb.get("nodes")[number]["extensions"]["KHR_lights_punctual"]["light"]
        return lights[light], -matrix[:3, 2]

    noon, ray = sun(12 * 3600)
    assert noon["type"] == "directional" and min(noon["color"]) > 0.3 and ray[1] < 0
    night, _ = sun(0)
    assert sum(night["color"]) < sum(noon["color"])
    assert "extensions" not in read_glb(field_document(world.place(JUBILIFE), ExportOptions())[0]).json


def test_profiles_set_what_programs_want(world: FieldWorld, read_glb: Callable[..., Any], tmp_path: Path) -> None:
    place = world.place(TWINLEAF)

    def read(**options: Any) -> Any:
        return read_glb(field_document(place, ExportOptions(**options))[0])

    godot = read(profile="godot")
    loops = [clip["name"] for clip in godot.get("animations") if clip["extras"]["loop"]]
    assert loops and all(name.endswith("-loop") for name in loops)
    clips = [clip["name"] for clip in godot.get("animations")]
    plain = read().get("animations")
    assert not set("[].:/").intersection("".join(clips)) and len(set(clips)) == len(clips) == len(plain)
    # Godot before 4.5 shows the nodes of all scenes in one.
    assert len(godot.get("scenes")) == 1
    shown = {godot.get("nodes")[node]["name"]: node for node, _, _ in godot.walk(0)}
    bodies = {name: node for name, node in shown.items() if name.endswith("-colonly")}
    assert len(bodies) == 2 and all("mesh" in godot.get("nodes")[node] for node in bodies.values())
    assert {sampler["wrapS"] for sampler in godot.get("samplers")} <= {10497, 33071}
    assert not any(node["name"].endswith("-colonly") for node in read().get("nodes"))

    blender, godot, plain = (
        read(profile=name, lit=True).json["extensions"]["KHR_lights_punctual"]["lights"][0]["intensity"]
        for name in ("blender", "godot", "any")
    )
    assert (blender, godot, plain) == pytest.approx((2 * 683 * np.pi, 2, 2 * np.pi))
    options = ExportOptions(profile="three")
    assert options.resolved().merge == "material"
    assert ExportOptions(profile="three", merge="all").resolved().merge == "all"
    assert ExportOptions().resolved() == ExportOptions()
    with pytest.raises(ValueError, match="maya"):
        ExportOptions(profile="maya")


def test_walls_stand_around_what_blocks(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(TWINLEAF)
    glb = read_glb(field_document(place, ExportOptions(profile="godot"))[0])
    (mesh,) = [mesh for mesh in glb.get("meshes") if mesh["name"].endswith("_walls")]
    (walls,) = mesh["primitives"]
    corners = glb.array(walls["attributes"]["POSITION"])[glb.array(walls["indices"]).ravel()].reshape(-1, 2, 3, 3)
    normals = np.cross(corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 0])
    upright = np.ptp(corners[..., 1], axis=(1, 2)) == 2  # the tops of Twinleaf Town's tiles are level
    assert (normals[~upright][..., 1] > 0).all() and (normals[upright][..., 1] == 0).all()
    (cell,) = place.cells
    blocked = {(int(x), int(z)) for z, x in np.argwhere(place.terrain.attributes(cell) & 0x8000)}
    assert normals[~upright][..., 1].sum() / 2 == pytest.approx(len(blocked))

    def ground(x: int, z: int) -> float:
        return place.height(cell.x * 512 + x * 16 + 8, cell.z * 512 + z * 16 + 8).height

    expected = {
        (x + 0.5 + dx / 2, z + 0.5 + dz / 2, dx, dz)
        for x, z in blocked
        for dx, dz in ((-1, 0), (1, 0), (0, -1), (0, 1))
        if (x + dx, z + dz) not in blocked or ground(x + dx, z + dz) != ground(x, z)
    }
    middles = corners[upright].mean(axis=2).mean(axis=1) + 16
    found = np.concatenate([middles[:, [0, 2]], np.sign(normals[upright][:, 0][:, [0, 2]])], axis=1)
    assert sorted(map(tuple, found.tolist())) == sorted(expected)


def test_nodes_are_hidden_as_the_program_wants(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    """Godot 4 reports an error for each node of scale 0, at rest and in clips."""

    def smallest(profile: str) -> tuple[float, float]:
        glb = read_glb(field_document(world.place(JUBILIFE), ExportOptions(profile=profile))[0])
        nodes = glb.get("nodes")
        toggled = {number for number, node in enumerate(nodes) if "_picture" in node["name"]}
        rest = [min(nodes[number]["scale"]) for number in toggled]
        keys = [
            glb.array(clip["samplers"][channel["sampler"]]["output"]).min()
            for clip in glb.get("animations")
            for channel in clip["channels"]
            if channel["target"].get("node") in toggled
        ]
        return min(rest), min(keys)

    assert smallest("any") == (0, 0)
    assert smallest("godot") == pytest.approx((1e-6, 1e-6))


def test_all_of_it_is_valid(world: FieldWorld, tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    options = ExportOptions(people=True, events=True, camera=True, lit=True, margin=1)
    for header in (TWINLEAF, JUBILIFE, 120):
        export_field(world.place(header), tmp_path / f"{header}.glb", options)
    assert validate_glb(sorted(tmp_path.iterdir())) == 3


def test_turned_models_have_the_light_of_their_sides(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    """The gears of Sunyshore's gym, which code puts there in several rotations."""
    glb = read_glb(field_document(world.place(155), ExportOptions(static=True))[0])
    colors: dict[str, dict[Any, set[int]]] = {}
    for node, _, path in glb.walk():
        if "mesh" not in glb.get("nodes")[node]:
            continue
        for above in (glb.get("nodes")[number] for number in (*path, node)):
            if above["name"].startswith("run_time_prop_") and "model" in above.get("extras", {}):
                found = colors.setdefault(above["extras"]["model"], {}).setdefault(
                    tuple(above.get("rotation", ())), set()
                )
                for primitive in glb.get("meshes")[glb.get("nodes")[node]["mesh"]]["primitives"]:
                    found.add(primitive["attributes"]["COLOR_0"])
    turned = [list(found.values()) for found in colors.values() if len(found) > 1]
    assert turned and all(one != other for one, other, *_ in turned)
