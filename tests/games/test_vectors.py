"""The field data of Diamond and HeartGold against the vectors, read by the code that draws them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.field.zone_event import RETURN_HEADER
from formats.fixed import ONE
from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from mapexplorer.g3d.geometry import decode_shape
from mapexplorer.games import Role
from mapexplorer.scene import light
from mapexplorer.scene.terrain_animation import running_textures
from mapexplorer.world import FieldWorld
from mapexplorer.world.models import textures
from tests.games.conftest import Cases

GAMES = ("diamond", "heartgold")

_FIELDS = {
    "preload": "preload_list",
    "messages": "message_bank",
    "label": "label_text",
    "camera": "camera_type",
    "area_icon": "label_window",
    "mom_call": "mothers_call_group",
    "region": "kanto",
    "follow_mode": "follower_mode",
    "internal": "internal_name",
    "location": "location_name",
}
"""Fields of the vectors that have another name here."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def world(request: pytest.FixtureRequest, game: str) -> FieldWorld:
    found: FieldWorld = request.getfixturevalue(game)
    return found


def _first_number(world: FieldWorld, archive: str) -> int:
    """The number of model 0 of an archive of prop models as the vectors name it."""
    return world.prop_numbers.first_room_model if archive == "bm_room" else 0


def test_headers(game: str, world: FieldWorld, cases: Cases) -> None:
    for key, expected in cases(f"{game}/headers"):
        header = world.headers[int(key)]
        for field, value in expected.items():
            if field == "wild":
                assert header.wild_encounters == (0xFFFF if value is None else value), key
            elif field == "world_map":
                assert [header.world_map_x, header.world_map_y] == value, key
            else:
                assert getattr(header, _FIELDS.get(field, field)) == value, (key, field)


def test_matrices(game: str, world: FieldWorld, cases: Cases) -> None:
    for key, expected in cases(f"{game}/matrices"):
        matrix = world.matrix(int(key))
        assert (matrix.width, matrix.height, matrix.prefix) == tuple(
            expected[field] for field in ("width", "height", "prefix")
        )
        assert int((matrix.land == 0xFFFF).sum()) == expected["empty"]
        for name, dtype in (("headers", "<u2"), ("altitudes", "u1"), ("land", "<u2")):
            values = getattr(matrix, name)
            assert (values is None) == (expected[name] is None), (key, name)
            if isinstance(expected[name], str):
                assert hashlib.sha1(values.astype(dtype).tobytes()).hexdigest() == expected[name], (key, name)
            elif values is not None:
                assert values.ravel().tolist() == expected[name], (key, name)


def test_places(game: str, world: FieldWorld, cases: Cases) -> None:
    for key, expected in cases(f"{game}/places"):
        matrix = world.matrix(world.headers[int(key)].matrix)
        cells = [
            [cell.x, cell.z, cell.land, int(matrix.altitudes[cell.z, cell.x]) if matrix.altitudes is not None else 0]
            for cell in world.place(int(key)).cells
        ]
        assert len(cells) == expected["cells"], key
        if expected["list"] is not None:
            assert cells == expected["list"], key
        assert hashlib.sha1(json.dumps(cells).encode()).hexdigest() == expected["lands"], key


def test_areas(game: str, world: FieldWorld, cases: Cases) -> None:
    for key, expected in cases(f"{game}/areas"):
        area = world.area(int(key))
        assert (area.prop_set, area.terrain_set) == (expected["prop_set"], expected["terrain_set"]), key
        assert area.light_set == expected["light"]
        files = [path.rsplit("/", 1)[-1] for path in world.game.files[Role.AREA_LIGHT].paths]
        number = world.game.light_set(area.light_set)
        assert files[number] == f"{expected['light_file']}.txt", key
        assert (number in world.game.tables.engine.outdoor_light_sets) == expected["outdoor"], key
        first = _first_number(world, expected["models"])
        assert world.prop_numbers.first(area) == first, key
        assert world.prop_list(area.prop_set).models.tolist() == [first + one for one in expected["listed"]], key


def test_events(game: str, world: FieldWorld, cases: Cases) -> None:
    from formats.field import ZoneEvents

    archive = world.members(Role.ZONE_EVENT)
    for key, expected in cases(f"{game}/events"):
        events = ZoneEvents.from_bytes(archive.reader(int(key)))
        lists = (events.background, events.objects, events.warps, events.triggers)
        assert [len(one) for one in lists] == expected["counts"], key
        first = [int(events.warps[0][field]) for field in ("x", "z", "header", "warp")] if len(events.warps) else None
        assert first == expected["first_warp"], key


@pytest.mark.parametrize("kind", ["terrain_sets", "prop_sets"])
def test_texture_sets(game: str, world: FieldWorld, cases: Cases, kind: str) -> None:
    for key, expected in cases(f"{game}/{kind}"):
        found: Tex0 = (world.terrain_textures if kind == "terrain_sets" else world.prop_textures)(int(key)).textures
        assert [[one.name, one.format, one.width, one.height] for one in found.textures] == expected["textures"], key
        assert [one.name for one in found.palettes] == expected["palettes"], key


def _check_model(model: Model, expected: dict[str, Any], key: str) -> None:
    assert model.name == expected["name"], key
    assert (len(model.nodes), len(model.shapes)) == (expected["nodes"], expected["shapes"]), key
    materials = range(len(model.materials))
    assert [model.materials[index].name for index in materials] == expected["materials"], key
    assert [model.texture_name(index) for index in materials] == expected["textures"], key
    assert [model.palette_name(index) for index in materials] == expected["palettes"], key
    stated = [model.vertex_count, model.polygon_count, model.triangle_count, model.quad_count]
    assert (model.pos_scale, stated) == (expected["pos_scale"], expected["stated"]), key
    assert (list(model.box), model.box_pos_scale) == (expected["box"], expected["box_scale"]), key
    shapes = [decode_shape(shape.commands, ONE) for shape in model.shapes]
    counted = [sum(int(shape.counts[:, part].sum()) for shape in shapes) for part in (1, 2)]
    assert [sum(len(shape.vertices) for shape in shapes), *counted] == expected["counted"], key


def test_land_models(diamond: FieldWorld, cases: Cases) -> None:
    for key, expected in cases("diamond/land_models"):
        land = diamond.land(int(key))
        _check_model(land.model.models[0], expected, key)
        assert len(land.props) == expected["props"], key
        assert hashlib.sha1(land.attributes.tobytes()).hexdigest() == expected["attributes_sha1"], key


@pytest.mark.parametrize(
    ("game", "archive"), [("diamond", "build_model"), ("heartgold", "bm_field"), ("heartgold", "bm_room")]
)
def test_prop_models(game: str, world: FieldWorld, cases: Cases, archive: str) -> None:
    first = _first_number(world, archive)
    for key, expected in cases(f"{game}/models_{archive}"):
        file = world.prop_model(first + int(key))
        _check_model(file.models[0], expected, key)
        assert (file.textures is not None) == expected["own_tex0"], key


def test_texture_resolution(diamond: FieldWorld, cases: Cases) -> None:
    for key, expected in cases("diamond/texture_resolution"):
        place = diamond.place(int(key))
        assert len(place.cells) == expected["cells"], key
        report = textures.report(place)
        unresolved = [
            [part.of.x, part.of.z, [[one.material, one.texture, one.palette] for one in part.white]]
            for part in report.terrain
            if part.white
        ]
        assert (unresolved, report.props_white, report.damaged) == (expected["unresolved"], 0, ()), key
        props = [prop for cell in place.cells for prop in place.props(cell)]
        assert len(props) == expected["props"], key
        assert sum(prop.model != prop.stored for prop in props) == expected["replaced_by_model_0"], key


def test_lights(game: str, world: FieldWorld, cases: Cases) -> None:
    from formats.field import AreaLight

    for key, expected in cases(f"{game}/lights"):
        file, second = key.split(":")
        lights = AreaLight.from_bytes(world.rom.file(f"data/{file}.txt"))
        active = light.first_block(lights, int(second))
        assert active == expected["active"], key
        state = light.light_state(lights.blocks[active], recolors=True)
        assert list(state.lights.vectors) == expected["light_vector"], key
        assert list(state.lights.colors) == expected["light_color"], key
        words = state.global_state
        assert (words.dif_amb, words.spe_emi) == (expected["dif_amb"], expected["spe_emi"]), key


def test_draw_lists(game: str, world: FieldWorld, cases: Cases) -> None:
    lists = world.draw_lists
    assert lists is not None
    for key, expected in cases(f"{game}/draw_lists"):
        archive, number = key.split(":")
        pairs = lists.models[_first_number(world, archive) + int(number)]
        found = None if pairs is None else [[int(pair["material"]), int(pair["shape"])] for pair in pairs]
        assert found == expected, key


_ENTRY = {"slope": "bicycle_slope", "door_sound": "door", "byte5": "padding", "byte6": "per_state", "byte7": "states"}


def test_animation_lists(game: str, world: FieldWorld, cases: Cases) -> None:
    for key, expected in cases(f"{game}/animation_lists"):
        archive, number = key.split(":")
        entry = world.prop_animations(_first_number(world, archive) + int(number))
        assert entry is not None
        assert entry.has_animations == expected.pop("has"), key
        assert list(entry.used) == expected.pop("animations"), key
        for field, value in expected.items():
            assert getattr(entry, _ENTRY.get(field, field)) == value, (key, field)


def test_animations(game: str, world: FieldWorld, cases: Cases) -> None:
    archive = world.members(Role.PROP_ANIMATIONS)
    for key, expected in cases(f"{game}/animations"):
        data = archive[int(key)]
        assert hashlib.sha1(data).hexdigest() == expected["sha1"], key
        first = world.animation(int(key)).animations[0]
        assert (data[:4].decode(), first.name, first.frame_count) == (
            expected["magic"],
            expected["name"],
            expected["frames"],
        ), key


def test_cameras(game: str, world: FieldWorld, vectors: Path) -> None:
    expected = json.loads((vectors / "games" / game / "cameras.json").read_text())
    table = world.camera_table
    assert table.why.offset == expected["offset"]
    found = [
        [one.distance, one.angle_x, int(one.orthographic), one.half_fov, one.near, one.far, *one.offset]
        for one in table.value
    ]
    columns = len(expected["columns"])
    assert [row[:columns] for row in found] == expected["rows"]


def test_object_graphics(game: str, world: FieldWorld, vectors: Path) -> None:
    expected = json.loads((vectors / "games" / game / "object_graphics.json").read_text())
    table = world.object_graphics
    assert table.why.offset == expected["offset"]
    first: dict[int, int] = {}
    for row in expected["rows"]:
        first.setdefault(row[0], row[1])
    assert table.value == first and len(expected["rows"]) == expected["entries"]


def test_behaviour_flags(game: str, world: FieldWorld, vectors: Path) -> None:
    flags = json.loads((vectors / "games" / game / "behaviour_flags.json").read_text())["flags"]
    behaviours = world.game.tables.behaviours
    for number, flag in enumerate(flags):
        known = behaviours.get(number)
        assert (known is not None and known.surf) == bool(flag & 1), number
        assert (known is not None and known.wild_encounters) == bool(flag & 2), number


def test_terrain_animations(game: str, world: FieldWorld, vectors: Path) -> None:
    expected = json.loads((vectors / "games" / game / "terrain_animations.json").read_text())
    animations = world.terrain_animations
    assert animations is not None and len(animations.animations) == len(expected)
    sets = range(len(world.members(Role.TERRAIN_TEXTURES)))
    running = {number: running_textures(world, world.terrain_textures(number).textures) for number in sets}
    for number, (animation, wanted) in enumerate(zip(animations.animations, expected, strict=True)):
        assert animation.texture == wanted["texture"]
        assert [[step.frame, step.duration] for step in animation.steps] == wanted["steps"]
        pictures = world.terrain_animation_frames(number).textures.textures
        assert [picture.name for picture in pictures] == wanted["frames"]
        shown = [one for one in sets if any(slot.number == number for slot in running[one])]
        assert shown == wanted["terrain_sets"], animation.texture


def test_heights_of_diamond(diamond: FieldWorld, vectors: Path) -> None:
    with np.load(vectors / "games" / "diamond" / "bdhc_height.npz") as file:
        truth = {name: file[name].tolist() for name in file.files}
    counts = json.loads((vectors / "games" / "counts.json").read_text())
    rows = list(zip(*(truth[name] for name in ("land", "x", "z", "cur_height")), strict=True))
    assert len(rows) == counts["diamond/bdhc_height.npz"]
    plates = {land: diamond.land_sections(land).read_bdhc() for land in sorted(set(truth["land"]))}
    for row, (land, x, z, near) in enumerate(rows):
        answer = plates[land].query(x, z, near)
        assert (answer is not None) == truth["found"][row], row
        _, found = plates[land].candidates(x, z)
        assert len(found) == truth["candidates"][row], row
        if answer is not None:
            assert (answer.height, answer.plate) == (truth["height"][row], truth["triangle"][row]), row


def test_warps_lead_to_existing_headers(game: str, world: FieldWorld) -> None:
    for header in world.headers:
        events = world.events(header.id)
        for warp in events.warps if events is not None else ():
            assert int(warp["header"]) < len(world.headers) or int(warp["header"]) == RETURN_HEADER
