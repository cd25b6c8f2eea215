"""Places as GLB on the real ROM: nodes, triangles, textures, light, options, layers."""

from __future__ import annotations

import dataclasses
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from formats.binary import FormatError
from mapexplorer.export.gltf.field import export_field, field_document
from mapexplorer.export.options import BY_MATERIAL, ExportOptions
from mapexplorer.export.scene_files import write_scene
from mapexplorer.scene.camera import projection_matrix
from mapexplorer.world.world import FieldWorld

TWINLEAF, JUBILIFE, HOUSE, FLOWER_SHOP, DISTORTION_WORLD = 411, 3, 414, 430, 574


def nodes_by_extra(glb: Any, key: str) -> list[dict[str, Any]]:
    return [node for node in glb.get("nodes") if key in node.get("extras", {})]


def instance_triangles(glb: Any) -> int:
    """The triangles of all nodes that show at rest; the other pictures of clips have scale 0."""
    shown = [node for node in glb.get("nodes") if "mesh" in node and any(node.get("scale", (1, 1, 1)))]
    return sum(glb.triangles(node["mesh"]) for node in shown)


@pytest.mark.parametrize("header", [TWINLEAF, JUBILIFE, HOUSE, 342, 68, 255])
def test_contents(world: FieldWorld, header: int, read_glb: Callable[..., Any]) -> None:
    """Per cell one terrain node and one node per prop record; all triangles; no silent loss of textures."""
    place = world.place(header)
    document, report = field_document(place, ExportOptions())
    glb = read_glb(document)
    cells = nodes_by_extra(glb, "cell")
    terrains, props = nodes_by_extra(glb, "land"), nodes_by_extra(glb, "prop")
    assert len(cells) == len(terrains) == len(place.cells) == report.cells
    expected = 0
    records = 0
    for cell in place.cells:
        model = world.land(cell.land).model.models[0]
        expected += model.triangle_count + 2 * model.quad_count
        for prop in place.props(cell):
            records += 1
            if not prop.substituted:
                model = world.prop_model(prop.model).models[0]
                expected += model.triangle_count + 2 * model.quad_count
    assert len(props) == records == report.props
    assert instance_triangles(glb) == report.triangles == expected - report.degenerate - report.duplicate
    assert (report.degenerate + report.duplicate > 0) == (header in (TWINLEAF, JUBILIFE, 255))
    dummies = [node for node in props if node["extras"].get("dummy")]
    assert len(dummies) == len(report.dummies) == (3 if header == 255 else 0)
    assert all("mesh" not in node and "children" not in node for node in dummies)
    for material in glb.get("materials"):
        textured = "baseColorTexture" in material["pbrMetallicRoughness"]
        white = "missing" in material["extras"]
        untextured = material["extras"].get("texture") is None and not white
        assert textured != (white or untextured)
        if untextured:
            assert "palette" not in material["extras"]
    assert bool(report.missing) == (header in (68, 255))


def test_where_things_stand(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(JUBILIFE)
    glb = read_glb(field_document(place, ExportOptions())[0])
    root = glb.get("nodes")[glb.get("scenes")[0]["nodes"][0]]
    west, north = min(cell.x for cell in place.cells), min(cell.z for cell in place.cells)
    assert root["extras"]["origin_units"] == [512 * west, 0, 512 * north]
    assert root["extras"]["origin_tile"] == [32 * west, 32 * north]
    origin = np.array(root["extras"]["origin_units"])
    worlds = {node: matrix[:3, 3] for node, matrix, _ in glb.walk()}
    found = 0
    props = {(prop.cell.x, prop.cell.z, prop.index): prop for cell in place.cells for prop in place.props(cell)}
    for node, _, path in glb.walk():
        extras = glb.get("nodes")[node].get("extras", {})
        if "prop" in extras:
            x, z = glb.get("nodes")[path[-1]]["extras"]["cell"]
            expected = np.array(props[x, z, extras["prop"]].position) / 4096 - origin
            assert np.allclose(worlds[node] * 16, expected)
            found += 1
    assert found == len(props) > 30


def test_altitude_moves_terrain_only(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(TWINLEAF)
    cells = [cell for cell in place.matrix_cells.values() if cell.altitude][:5]
    assert len(cells) == 5
    glb = read_glb(field_document(place, ExportOptions(scale=1.0), cells)[0])
    heights = [node["translation"][1] for node in nodes_by_extra(glb, "land")]
    assert heights == [8 * cell.altitude for cell in cells]
    assert all(node["translation"][1] == 0 for node in nodes_by_extra(glb, "cell"))


def test_scale_and_time(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(TWINLEAF)

    def read(**options: Any) -> Any:
        return read_glb(field_document(place, ExportOptions(**options))[0])

    def extent(glb: Any) -> np.ndarray:
        boxes = [accessor for accessor in glb.get("accessors") if len(accessor.get("min", ())) == 3]
        return np.array([box["max"] for box in boxes]).max(0)

    def colors(glb: Any) -> np.ndarray:
        primitives = [part for mesh in glb.get("meshes") for part in mesh["primitives"]]
        return np.concatenate([glb.array(part["attributes"]["COLOR_0"])[:, :3] for part in primitives]).mean(0)

    noon, large, night = read(), read(scale=1.0), read(second=23 * 3600)
    assert np.allclose(extent(large), 16 * extent(noon))
    assert (colors(night) < 0.8 * colors(noon)).all()
    assert colors(night)[2] > colors(night)[0]


def test_unlit_by_default_normals_when_lit(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(TWINLEAF)
    glb = read_glb(field_document(place, ExportOptions())[0])
    assert all("KHR_materials_unlit" in material["extensions"] for material in glb.get("materials"))
    seen = Counter[tuple[int, bool]]()
    for header in (TWINLEAF, FLOWER_SHOP):
        lit = read_glb(field_document(world.place(header), ExportOptions(lit=True, people=True))[0])
        for mesh in lit.get("meshes"):
            for part in mesh["primitives"]:
                material = lit.get("materials")[part["material"]]
                unlit = "KHR_materials_unlit" in material.get("extensions", {})
                seen[header, unlit] += 1
                assert ("COLOR_0" in part["attributes"]) == unlit != ("NORMAL" in part["attributes"])
                if unlit:
                    assert "emissiveFactor" not in material
                    continue
                assert material["extras"]["lights"][0] == 0
                # Its own texture, so that it is not black where it turns away from the light.
                assert max(material["emissiveFactor"]) > 0.01
                assert material["emissiveTexture"] == material["pbrMetallicRoughness"]["baseColorTexture"]
                lengths = np.linalg.norm(lit.array(part["attributes"]["NORMAL"]), axis=1)
                assert np.allclose(lengths, 1, atol=1e-5)
    # Little in a room is lit but the people.
    assert seen[TWINLEAF, False] > 10 * seen[TWINLEAF, True] and seen[FLOWER_SHOP, True] > 30


def test_merge_by_material(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(TWINLEAF)
    plain = read_glb(field_document(place, ExportOptions())[0])
    merged = read_glb(field_document(place, ExportOptions(merge=BY_MATERIAL))[0])
    assert instance_triangles(merged) == instance_triangles(plain)
    assert len(merged.get("nodes")) < len(plain.get("nodes"))
    for mesh in merged.get("meshes"):
        used = [part["material"] for part in mesh["primitives"]]
        assert len(used) == len(set(used))


def test_layers(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(TWINLEAF)
    glb = read_glb(field_document(place, ExportOptions(collision=True, heights=True))[0])
    assert [scene["name"] for scene in glb.get("scenes")] == ["field", "collision", "heights"]
    assert glb.json["scene"] == 0
    (cell,) = place.cells
    attributes = place.terrain.attributes(cell)
    collision = next(mesh for mesh in glb.get("meshes") if mesh["name"].startswith("collision_"))
    quads = {
        glb.get("materials")[part["material"]]["name"]: glb.get("accessors")[part["indices"]]["count"] // 6
        for part in collision["primitives"]
    }
    assert quads["collision"] == (attributes & 0x8000 != 0).sum()
    assert sum(quads.values()) - quads["collision"] == (attributes & 0xFF != 0).sum()
    heights = next(mesh for mesh in glb.get("meshes") if mesh["name"].startswith("heights_"))
    bdhc = place.terrain.bdhc(cell)
    assert heights["extras"]["plates"] == len(bdhc.plates)
    for part in heights["primitives"]:
        corners = glb.array(part["attributes"]["POSITION"]).reshape(-1, 4, 3).astype(np.float64)
        plates = glb.array(part["attributes"]["_PLATE"])[::4, 0].astype(int)
        for plate, (north_west, _, south_east, _) in zip(plates, corners, strict=True):
            centre = (north_west + south_east) / 2 * 16 * 4096
            _, found = bdhc.candidates(round(centre[0]), round(centre[2]))
            assert any(number == plate and abs(height - centre[1]) < 64 for number, height in found)


def test_texture_matrix_is_a_transform(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    """Land 235 scales the textures of its floor 11.5 times, which shifts them by half a texture."""
    place = next(world.place(h.id) for h in world.headers if any(c.land == 235 for c in world.place(h.id).cells))
    cells = [cell for cell in place.cells if cell.land == 235]
    glb = read_glb(field_document(place, ExportOptions(), cells)[0])
    transforms = [
        material["pbrMetallicRoughness"]["baseColorTexture"].get("extensions", {}).get("KHR_texture_transform")
        for material in glb.get("materials")
        if "baseColorTexture" in material["pbrMetallicRoughness"]
    ]
    scaled = [transform for transform in transforms if transform]
    assert len(scaled) == 3
    assert all(t["scale"] == [11.5, 11.5] and t["offset"][0] == 0 and t["offset"][1] == -10.5 for t in scaled)


def test_header_without_cells_is_refused(world: FieldWorld) -> None:
    empty = [header.id for header in world.headers if not world.place(header.id).cells]
    assert len(empty) == 17
    with pytest.raises(ValueError, match="no cell"):
        field_document(world.place(empty[0]), ExportOptions())


def test_options_are_checked() -> None:
    for wrong in ({"second": 86400}, {"scale": 0.0}, {"merge": "everything"}):
        with pytest.raises(ValueError):
            ExportOptions(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [{}, {"lit": True}, {"merge": BY_MATERIAL}, {"bake_mirror": True}, {"collision": True, "heights": True}],
    ids=str,
)
def test_valid(world: FieldWorld, options: dict[str, Any], tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    paths = []
    for header in (TWINLEAF, JUBILIFE, HOUSE, 68, 250, 255):
        export_field(world.place(header), tmp_path / f"{header}.glb", ExportOptions(**options))
        paths.append(tmp_path / f"{header}.glb")
    assert validate_glb(paths) == 6


def test_whole_matrix(world: FieldWorld, tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    place = world.place(TWINLEAF)
    report = export_field(place, tmp_path / "all.glb", cells=place.matrix_cells.values())
    assert (report.cells, report.missing) == (468, [])
    assert validate_glb([tmp_path / "all.glb"]) == 1


@pytest.mark.parametrize(
    ("header", "weather", "offset", "alpha", "step"),
    [(382, 2, 29295, 31, 4), (363, 14, 30037, 31, 4), (35, 0, 0x76A0, 0, 2)],
)
def test_weather_fog_and_camera_are_in_the_extras(
    world: FieldWorld, read_glb: Callable[..., Any], header: int, weather: int, offset: int, alpha: int, step: int
) -> None:
    place = world.place(header)
    glb = read_glb(field_document(place, ExportOptions(static=True), place.cells[:1])[0])
    extras = glb.get("nodes")[glb.get("scenes")[0]["nodes"][0]]["extras"]
    fog, camera = extras["fog"], extras["camera"]
    assert extras["weather"] == {"id": weather, "name": world.game.tables.weathers[weather].name}
    assert (fog["offset"], fog["alpha"], fog["densities"]) == (offset, alpha, [step * i for i in range(32)])
    assert (camera["id"], camera["projection"]) == (place.header.camera_type, "perspective")
    assert camera["distance_units"] == place.camera.distance / 4096
    planes = {"near": round(4096 * camera["near_units"]), "far": round(4096 * camera["far_units"])}
    projection = np.array(projection_matrix(dataclasses.replace(place.camera, **planes))).reshape(4, 4) / 4096

    def depth(distance: float) -> float:
        """The 15-bit depth of a point at this distance in front of the camera."""
        _, _, z, w = np.array([0, 0, -distance, 1]) @ projection
        return float(0x4000 * (z / w + 1))

    assert depth(camera["near_units"]) == pytest.approx(0, abs=32) and depth(camera["far_units"]) > 0x7F00
    assert depth(fog["begin_units"]) == pytest.approx(offset, abs=1)
    last = offset + 32 * (0x400 >> fog["shift"])
    if last < 0x8000:
        assert depth(fog["end_units"]) == pytest.approx(last, abs=1)
    else:
        assert fog["end_units"] is None


def test_what_is_behind_a_map(world: FieldWorld, read_glb: Callable[..., Any], tmp_path: Path) -> None:
    """The colours of a sky outdoors; in the Distortion World the picture that code shows, around the map."""
    place = world.place(DISTORTION_WORLD)
    files = [field_document(world.place(header), ExportOptions(static=True))[0] for header in (TWINLEAF, HOUSE)]
    files.append(field_document(place, ExportOptions(static=True, camera=True))[0])
    glbs = [read_glb(file) for file in files]
    behind = [glb.get("nodes")[glb.get("scenes")[0]["nodes"][0]]["extras"]["backdrop"] for glb in glbs]
    assert behind[0]["above"][2] > behind[0]["above"][0] and behind[1:] == [None, {"node": "backdrop"}]
    glb = glbs[2]
    number = glb.get("scenes")[0]["nodes"][-1]
    node = glb.get("nodes")[number]
    (primitive,) = glb.get("meshes")[node["mesh"]]["primitives"]
    places = glb.array(primitive["attributes"]["POSITION"])[glb.array(primitive["indices"]).reshape(-1, 3)]
    radius = np.linalg.norm(places, axis=-1).max()
    assert node["name"] == "backdrop" and radius > 32 and glb.get("cameras")[0]["perspective"]["zfar"] > 2 * radius
    # The front of each triangle is at the inside.
    normals = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
    assert (np.einsum("ta,ta->t", normals, places.mean(1)) <= 0).all()
    material = glb.get("materials")[primitive["material"]]
    texture = glb.get("textures")[material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
    assert Image.open(io.BytesIO(glb.image(texture["source"]))).size == (256, 192)
    write_scene(files[2], tmp_path / "map.obj")
    assert "backdrop" not in (tmp_path / "map.obj").read_text("utf-8")


def test_a_backdrop_that_cannot_be_read_is_named(world: FieldWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: FieldWorld, member: int) -> object:
        raise FormatError("the sky", 0, "a picture", "nothing")

    monkeypatch.setattr(FieldWorld, "distortion_sky_picture", fails)
    document, report = field_document(world.place(DISTORTION_WORLD), ExportOptions(static=True))
    assert any("the sky is left out" in sentence for sentence in report.damaged)
    root = document.items("nodes")[document.items("scenes")[0]["nodes"][0]]
    assert root["extras"]["backdrop"] is None and root["extras"]["damaged"] == report.damaged


def test_the_weather_in_the_extras_is_that_of_the_day(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place, found = world.place(371), set()
    days = range(0, 366, 30)
    for day in days:
        glb = read_glb(field_document(place, ExportOptions(static=True, day=day), place.cells[:1])[0])
        extras = glb.get("nodes")[glb.get("scenes")[0]["nodes"][0]]["extras"]
        assert (extras["day"], extras["weather"]["id"]) == (day, world.weather(place.header, day).value)
        found.add(extras["weather"]["id"])
    assert len(found) > 1


def test_a_place_without_fog_says_so(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    glb = read_glb(field_document(world.place(12), ExportOptions(static=True))[0])
    extras = glb.get("nodes")[glb.get("scenes")[0]["nodes"][0]]["extras"]
    assert extras["fog"] is None and extras["weather"] == {"id": 0, "name": "clear"}
    assert extras["camera"]["projection"] == "parallel"
