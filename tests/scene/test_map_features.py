"""What code adds to maps, in the DS picture of the real ROM and in GLB files."""

from __future__ import annotations

import json
import math
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.fixed import ONE
from mapexplorer.export.gltf.document import Document
from mapexplorer.export.gltf.field import export_field, field_document
from mapexplorer.export.options import ExportOptions
from mapexplorer.features import choosing, feature_name, table_of
from mapexplorer.features.honey_tree import HoneyTree
from mapexplorer.features.pastoria_gym import PastoriaGym
from mapexplorer.features.platform_lift import PlatformLift
from mapexplorer.g3d.animation.attach import first_animation
from mapexplorer.g3d.matrix import IDENTITY33, rotation33
from mapexplorer.gpu import registers as reg
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.option import OptionError
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.model_resolver import ModelResolver, place_cell
from mapexplorer.scene.playback import LOOPING
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import SOUTH
from mapexplorer.world.save import fresh_save
from tests.scene.conftest import figures

PASTORIA, CANALAVE, ETERNA, VEILSTONE, HEARTHOME = 122, 35, 67, 133, 89
SUNYSHORE = (154, 155, 156)

# Header, tile of the player, state (None: on entry), share of the pixels that at least differ from the bare map's.
PICTURES = (
    (PASTORIA, (14, 30), None, 0.2),
    (PASTORIA, (14, 28), "blue", 0.4),
    (CANALAVE, (15, 15), None, 0.03),
    (154, (8, 8), None, 0.2),
    (155, (8, 13), None, 0.3),
    (156, (11, 17), "1", 0.3),
    (ETERNA, (10, 20), None, 0.03),
    (ETERNA, (10, 15), "3", 0.03),
    (VEILSTONE, (11, 16), None, 0.03),
    (VEILSTONE, (11, 16), "toppled", 0.01),
    (HEARTHOME, (8, 5), None, 0.5),
    (90, (14, 12), None, 0.5),
    (504, (66, 40), "0", 0.05),
    (506, (66, 82), "1", 0.05),
    (508, (66, 108), None, 0.05),
    (293, (19, 44), None, 0.01),
    (293, (19, 44), "top", 0.01),
    (464, (10, 4), "all", 0.2),
    (176, (4, 12), "top", 0.02),
    (178, (4, 12), "top", 0.03),
    (184, (4, 20), "top", 0.03),
    (185, (8, 9), "top", 0.01),
    (291, (11, 24), "top", 0.01),
    (573, (34, 30), None, 0.3),
    (577, (47, 34), "ceiling", 0.5),
    (582, (15, 25), None, 0.5),
)


def scene_of(world: FieldWorld, header: int, **options: Any) -> FieldScene:
    return FieldScene(world.place(header), View(**options))


@pytest.mark.parametrize(("header", "tile", "state", "share"), PICTURES)
def test_pictures_show_what_code_adds(
    world: FieldWorld, header: int, tile: tuple[int, int], state: str | None, share: float
) -> None:
    scene, bare = scene_of(world, header, at=tile, state=state), scene_of(world, header, at=tile, features=False)
    assert (scene.render(3) != bare.render(3)).any(2).mean() >= share
    assert not scene.damaged and not bare.block.run_time_props and bare.conditions.feature is None
    feature = scene.conditions.feature
    assert feature is not None
    wanted = [prop for prop in feature.props(scene.target[1]) if not prop.hidden]
    drawn = scene.block.run_time_props
    assert [(each.position, each.model.resolved.number) for each in drawn] == [(p.position, p.model) for p in wanted]
    last = [segment.drawing for segment in scene.passes(3)[0].segments(3) if segment.drawing is not None]
    assert [each for each in last if each in drawn] == drawn  # each once, in order
    if header not in (HEARTHOME, 90):  # there they depend on people
        effects = feature.effects(world.place(header).terrain)
        assert [each.source for each in last if each.source in effects] == list(effects)


def test_a_map_without_feature_is_the_same(world: FieldWorld) -> None:
    words = [scene_of(world, 411, at=(105, 876), features=features).commands() for features in (True, False)]
    assert np.array_equal(*words)


def test_props_keep_their_own_colours_and_turn(world: FieldWorld) -> None:
    scene = scene_of(world, 155, state="1")
    feature = scene.conditions.feature
    assert feature is not None
    wanted = [rotation33(*prop.rotation) for prop in feature.props() if prop.rotation is not None]
    drawings = scene.block.run_time_props
    assert [drawing.rotation for drawing in drawings] == wanted and IDENTITY33 not in wanted[:1]
    own = world.prop_model(drawings[0].model.resolved.number).models[0]
    assert drawings[0].model.resolved.model == own


@pytest.mark.parametrize("axis", range(3))
def test_rotation_is_that_of_the_library(axis: int) -> None:
    angle = 0x2000
    matrix = np.array(rotation33(*(angle if number == axis else 0 for number in range(3)))).reshape(3, 3) / ONE
    first, second = (axis + 1) % 3, (axis + 2) % 3
    assert matrix[first, second] == pytest.approx(math.sin(math.pi / 4), abs=1e-3)
    assert matrix[second, first] == pytest.approx(-math.sin(math.pi / 4), abs=1e-3)
    assert matrix[axis, axis] == 1 and np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-3)


def test_rotations_are_applied_about_x_then_y_then_z() -> None:
    x, y, z = 0x1000, 0x2000, 0x3000
    single = [np.array(rotation33(*angles)).reshape(3, 3) / ONE for angles in ((x, 0, 0), (0, y, 0), (0, 0, z))]
    together = np.array(rotation33(x, y, z)).reshape(3, 3) / ONE
    assert np.allclose(single[0] @ single[1] @ single[2], together, atol=1e-3)


def test_the_gym_of_canalave_sets_clip_planes_and_fog(world: FieldWorld) -> None:
    scene, bare = scene_of(world, CANALAVE), scene_of(world, CANALAVE, features=False)
    camera, own = scene.conditions.camera, bare.conditions.camera
    assert (camera.near, camera.far) == (100 * ONE, 1700 * ONE) != (own.near, own.far)
    assert scene.camera.projection != bare.camera.projection and scene.camera.view == bare.camera.view
    table = scene.registers[reg.FOG_TABLE : reg.FOG_TABLE + 32]
    assert table.tolist() == [2 * number for number in range(32)]
    assert scene.registers[reg.FOG_COLOR] == 0 and scene.registers[reg.DISP3DCNT] & reg.FOG
    assert not bare.registers[reg.DISP3DCNT] & reg.FOG


def test_floors_of_canalave_are_shown_to_a_player_at_their_height(world: FieldWorld) -> None:
    scene = scene_of(world, CANALAVE, layers=("terrain", "props", "player"))
    shown = [len(scene.block.run_time_props)]
    for height in (16, 176, 336, 0):
        x, _, z = scene.target
        scene.set_player(ObjectInstance(0, (x, height * ONE, z), SOUTH))
        shown.append(len(scene.block.run_time_props))
        assert [each for each in scene.passes()[0].drawings if each in scene.block.run_time_props]
    assert shown[0] == shown[4] == 6 and shown[0] < shown[1] < shown[2] < shown[3] == 27


def test_buttons_of_pastoria_are_held_at_their_ends(world: FieldWorld) -> None:
    """The pressed button shows the last frame of its animation, the others the first."""
    buttons = {level.button: number for number, level in enumerate(table_of(PastoriaGym, world.game.tables).levels)}
    for name, pressed in (("orange", 0), ("green", 1), ("blue", 2)):
        scene = scene_of(world, PASTORIA, state=name)
        frames = {}
        for drawing in scene.block.drawings:
            number = drawing.model.resolved.number
            if number in buttons:
                playing, [file] = drawing.model.playing, drawing.model.animations
                count = first_animation(file).frame_count
                assert playing.frame(count, 0) == playing.frame(count, 100)
                frames[buttons[number]] = playing.frame(count, 0) >> 12, count
        assert set(frames) == {0, 1, 2}
        assert all(at == (count - 1 if number == pressed else 0) for number, (at, count) in frames.items())
        assert all(count > 1 for _, count in frames.values())


def test_hearthome_is_dark_without_shadows_and_with_another_player(world: FieldWorld) -> None:
    layers = ("terrain", "props", "people", "player")
    scene, bare = (scene_of(world, HEARTHOME, layers=layers, features=features) for features in (True, False))
    assert scene.registers[reg.FOG_TABLE : reg.FOG_TABLE + 32].tolist() == [109] * 32
    shadow = world.game.tables.field_effects.models["shadow"].members[0]
    for each in (scene, bare):
        assert each.block.object_events is not None
        drawings = each.block.object_events.drawings(0)
        assert any(drawing.model.resolved.number == shadow for drawing in drawings) is (each is bare)
        player = [figure.graphics for figure in figures(each) if figure.event is None]
        assert player == [210 if each is scene else 0]
    cones = [each for each in scene.block.object_events.drawings(0) if each.rotation != IDENTITY33 or each.model.moves]
    assert len(cones) == 3
    materials = [material for cone in cones for material in cone.model.resolved.model.materials]
    assert materials and not any(material.polygon_attr & 0x8000 for material in materials)
    assert (scene.render(0) != scene.render(10)).any()  # the light moves


def test_the_height_of_a_lift_is_that_of_its_plate(world: FieldWorld) -> None:
    """A plate counts for something that is nearer to it than to the ground."""
    low, high = (height for height in table_of(PlatformLift, world.game.tables).lifts[176].heights)
    place, save = world.place(176), fresh_save(world.game)
    top = Conditions.of_view(place, View(at=(4, 12)), choosing(save, 176, "top"))
    x, y, z = top.position
    assert y == low and top.terrain.plate_height(x, z, high) == high
    assert place.terrain.plate_height(x, z, high) == low


def test_states_come_from_the_view_or_the_save(world: FieldWorld) -> None:
    place, save = world.place(154), fresh_save(world.game)
    chosen = [
        FieldScene(place, View(state="3")).conditions.feature,
        FieldScene(place, save=choosing(save, 154, "3")).conditions.feature,
        FieldScene(place, View(state="3"), save=choosing(save, 154, "1")).conditions.feature,
    ]
    assert [feature.state for feature in chosen if feature is not None] == [3, 3, 3]
    with pytest.raises(OptionError, match="state"):
        FieldScene(place, View(state="4"))
    with pytest.raises(OptionError, match="adds nothing"):
        FieldScene(world.place(411), View(state="1"))


def test_a_scene_follows_the_state_of_a_walk(world: FieldWorld) -> None:
    scene, other = scene_of(world, 154, state="0"), scene_of(world, 154, state="1")
    before = scene.render(0)
    scene.set_feature(other.conditions.feature)
    assert np.array_equal(scene.render(0), other.render(0)) and (before != scene.render(0)).any()
    pastoria, blue = scene_of(world, PASTORIA), scene_of(world, PASTORIA, state="blue")
    pastoria.set_feature(blue.conditions.feature)
    assert np.array_equal(pastoria.render(5), blue.render(5))


def test_honey_trees_shake_on_their_own_map_only(world: FieldWorld) -> None:
    header = table_of(HoneyTree, world.game.tables).headers[0]
    model = table_of(HoneyTree, world.game.tables).model
    place = world.place(header)
    cells = [cell for cell in place.matrix_cells.values() if any(prop.model == model for prop in place.props(cell))]
    assert len({cell.header for cell in cells}) > 1
    for state in (None, "2"):
        resolver = ModelResolver(Conditions.of_view(place, View(state=state)))
        props = [prop for cell in cells for prop in place_cell(resolver, cell)[1]]
        playing = {prop.prop.cell.header: prop.played for prop in props if prop.prop is not None and prop.played}
        assert playing == ({} if state is None else {header: (1, LOOPING)})


def test_all_layers_and_whole_matrices_have_the_props_once(world: FieldWorld) -> None:
    scene = scene_of(world, 508, at=(66, 108), all_cells=True)
    drawn = [each for one in scene.passes() for each in one.drawings if each.model.resolved.kind == "run-time prop"]
    assert len(drawn) == 1
    scene.show(("terrain",))
    assert not any(each.model.resolved.kind == "run-time prop" for one in scene.passes() for each in one.drawings)


def test_exports_have_the_props_as_nodes(world: FieldWorld, tmp_path: Path) -> None:
    place = world.place(154)
    export_field(place, tmp_path / "gym.glb", ExportOptions(state="2"))
    data = (tmp_path / "gym.glb").read_bytes()
    document = json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])
    nodes = [node for node in document["nodes"] if "feature" in node.get("extras", {}) and "model" in node["extras"]]
    assert all(node["name"].startswith("run_time_prop") for node in nodes)
    feature = FieldScene(place, View(state="2")).conditions.feature
    assert feature is not None
    for node, prop in zip(nodes, feature.props(), strict=True):
        assert node["extras"]["feature"] == "sunyshore gym" and node["extras"]["state"] == 2
        assert node["extras"]["model"] == prop.model and "run time" in node["extras"]["provenance"]
        assert node.get("translation", [0, 0, 0]) == [value / ONE / 16 for value in prop.position]
        assert prop.rotation is not None
        half = prop.rotation[1] / 65536 * math.pi
        turn = np.array(node.get("rotation", [0, 0, 0, 1]))
        assert abs(turn @ [0, math.sin(half), 0, math.cos(half)]) == pytest.approx(1, abs=1e-3)
    gym, _ = field_document(world.place(CANALAVE), ExportOptions())
    names = [node["name"] for node in gym.items("nodes") if "feature" in node.get("extras", {})]
    assert sum(name.startswith("run_time_prop") for name in names) == 27  # of all floors
    trams = [
        [node["name"] for node in field_document(world.place(509), ExportOptions(state=state))[0].items("nodes")]
        for state in ("0", "2")
    ]
    # At another station the tram is on other maps.
    assert [any(name.startswith("run_time_prop") for name in names) for names in trams] == [False, True]
    export_field(place, tmp_path / "bare.glb", ExportOptions(features=False))
    assert b"run_time_prop" not in (tmp_path / "bare.glb").read_bytes()


def _images(document: Document, name: str) -> set[str]:
    """The images of the meshes that the nodes below the props of a model show at rest."""
    nodes, meshes, materials = (document.items(kind) for kind in ("nodes", "meshes", "materials"))
    found: set[str] = set()
    waiting = [number for number, node in enumerate(nodes) if node["name"].endswith(name)]
    while waiting:
        node = nodes[waiting.pop()]
        if node.get("scale") != [0.0, 0.0, 0.0]:
            waiting += node.get("children", [])
            for part in meshes[node["mesh"]]["primitives"] if "mesh" in node else ():
                texture = materials[part["material"]]["pbrMetallicRoughness"]["baseColorTexture"]["index"]
                found.add(document.items("images")[document.items("textures")[texture]["source"]]["name"])
    return found


def test_exports_have_buttons_as_the_state_holds_them(world: FieldWorld) -> None:
    """The blue buttons show another picture when they are pressed; nothing presses them in a loop."""
    shown = {}
    for state in ("blue", "orange"):
        document, _ = field_document(world.place(122), ExportOptions(state=state))
        shown[state] = _images(document, "r04_b1")
        clips = {clip["name"]: clip["extras"]["loop"] for clip in document.items("animations")}
        buttons = [loops for name, loops in clips.items() if "r04_b1" in name]
        assert buttons and not any(buttons) and clips["auto.r04_w"] is True
        still, _ = field_document(world.place(122), ExportOptions(state=state, static=True))
        assert _images(still, "r04_b1") == shown[state] and not still.items("animations")
    assert shown["blue"] and shown["blue"].isdisjoint(shown["orange"])


def test_exports_have_rocks_and_flowers_as_they_are_held(world: FieldWorld) -> None:
    """They have grown on floor B4F of the Distortion World: no clip makes them grow again and again, and a file without
    animations shows them in their full size, too."""
    for static in (False, True):
        document, _ = field_document(world.place(577), ExportOptions(static=static))
        nodes = document.items("nodes")
        grown = [node for node in nodes if node.get("extras", {}).get("effect") in (146, 147)]
        sizes = [nodes[child]["scale"] for node in grown for child in node["children"]]
        assert sizes == [[1.0, 1.0, 1.0]] * 9
        clips = [clip["extras"] for clip in document.items("animations") if "effect" in clip["extras"]]
        assert [clip["loop"] for clip in clips if clip["effect"] in (146, 147)] == ([] if static else [False] * 9)


@pytest.mark.parametrize(
    ("header", "state", "effects"),
    [(67, "0", {111: 8}), (67, "3", {}), (133, None, {113: 9, 114: 11}), (89, None, {115: 2, 116: 1})],
)
def test_exports_have_the_effects_as_nodes(
    header: int, state: str | None, effects: dict[int, int], world: FieldWorld
) -> None:
    """Fountains, bags and tyres, light cones and the clue, each with the feature, its state and its source."""
    document, report = field_document(world.place(header), ExportOptions(state=state))
    found = [node["extras"] for node in document.items("nodes") if "effect" in node.get("extras", {})]
    assert Counter(extras["effect"] for extras in found) == effects and not report.missing
    feature = feature_name(world.game.tables, header)
    assert all(extras["feature"] == feature and "at run time" in extras["provenance"] for extras in found)
    assert all(
        node.get("translation", [0, 0, 0])[1] > 0
        for node in document.items("nodes")
        if "effect" in node.get("extras", ())
    )
    looping = {clip["extras"]["effect"] for clip in document.items("animations") if "effect" in clip["extras"]}
    assert looping == effects.keys() & {111, 115}
