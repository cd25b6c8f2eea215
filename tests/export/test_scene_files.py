"""Maps and models as .gltf and OBJ, and kits: the same surfaces, pictures and clips as in a GLB."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

from mapexplorer.export.gltf.document import INDICES, Document
from mapexplorer.export.gltf.field import field_document
from mapexplorer.export.kit import INDEX
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.request import KitRequest, MapRequest
from mapexplorer.export.run import run
from mapexplorer.export.scene_files import write_scene
from mapexplorer.option import OptionError
from mapexplorer.world.world import FieldWorld

TOWN = 4  # of the demo world


@pytest.fixture(scope="module")
def demo() -> FieldWorld:
    return FieldWorld.open("demo")


@pytest.fixture(scope="module")
def kit(demo: FieldWorld, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kit")
    run(KitRequest(place=TOWN, output=folder, options=ExportOptions(lit=True, people=True)), demo)
    return folder


def gltf(path: Path, read_glb: Callable[..., Any]) -> Any:
    """A .gltf with its buffers joined, as the reader of GLB files holds it."""
    value = json.loads(path.read_text("utf-8"))
    binary, starts = b"", []
    for buffer in value.get("buffers", ()):
        data = (path.parent / unquote(buffer["uri"])).read_bytes()
        assert len(data) == buffer["byteLength"]
        starts.append(len(binary))
        binary += data
    for view in value.get("bufferViews", ()):
        view["byteOffset"] += starts[view["buffer"]]
    glb = object.__new__(type(read_glb(field_document(FieldWorld.open("demo").place(TOWN), ExportOptions())[0])))
    glb.json, glb.binary = value, binary
    return glb


def surfaces(glb: Any, picture: Callable[[int], bytes]) -> Counter[bytes]:
    """The triangles of the first scene with their texture coordinates and pictures."""
    found: Counter[bytes] = Counter()
    for node, world, _ in glb.walk():
        entry = glb.get("nodes")[node]
        if "mesh" not in entry:
            continue
        for primitive in glb.get("meshes")[entry["mesh"]]["primitives"]:
            places = glb.array(primitive["attributes"]["POSITION"]).astype(float) @ world[:3, :3].T + world[:3, 3]
            rows = [np.rint(places * 500)]
            surface = glb.get("materials")[primitive["material"]]["pbrMetallicRoughness"]
            image = b""
            if "baseColorTexture" in surface:
                rows.append(np.rint(glb.array(primitive["attributes"]["TEXCOORD_0"]) * 64))
                image = picture(glb.get("textures")[surface["baseColorTexture"]["index"]]["source"])
            corners = glb.array(primitive["indices"]).ravel()
            table = np.concatenate(rows, axis=1).astype("<i8")[corners]
            found.update(row.tobytes() + image for row in table.reshape(len(corners) // 3, -1))
    return found


def test_a_gltf_shows_the_same(demo: FieldWorld, tmp_path: Path, read_glb: Callable[..., Any]) -> None:
    options = ExportOptions(people=True)
    target = tmp_path / "my town.gltf"
    outcome = run(MapRequest(place=TOWN, output=target, options=options), demo)
    assert outcome.files[0] == target and all(file.is_file() for file in outcome.files)
    assert outcome.facts["size"] == sum(file.stat().st_size for file in outcome.files)
    one = gltf(target, read_glb)
    other = read_glb(field_document(demo.place(TOWN), options)[0])
    for kind in ("nodes", "meshes", "materials", "animations", "textures", "samplers", "scenes"):
        assert one.get(kind) == other.get(kind), kind
    for number in range(len(other.get("accessors"))):
        assert np.array_equal(one.array(number), other.array(number)), number
    for number, image in enumerate(one.get("images")):
        assert (tmp_path / unquote(image["uri"])).read_bytes() == other.image(number)


def test_every_file_of_a_kit_is_valid(kit: Path, validate_glb: Callable[..., int]) -> None:
    index = json.loads((kit / INDEX).read_text("utf-8"))
    files = [kit / index["scene"], *(kit / entry["file"] for entry in (*index["cells"], *index["props"]))]
    assert sorted(files) == sorted(kit.rglob("*.gltf"))
    assert validate_glb(files) == len(files) > 10


def test_a_kit_shows_the_same_in_its_scene_and_in_its_cells(kit: Path, read_glb: Callable[..., Any]) -> None:
    index = json.loads((kit / INDEX).read_text("utf-8"))

    def shown(path: Path) -> tuple[Counter[bytes], Any]:
        one = gltf(path, read_glb)
        return surfaces(one, lambda image: (path.parent / one.get("images")[image]["uri"]).read_bytes()), one

    whole, scene = shown(kit / index["scene"])
    cells: Counter[bytes] = Counter()
    materials = {material["name"]: material for material in scene.get("materials")}
    for entry in index["cells"]:
        found, cell = shown(kit / entry["file"])
        cells.update(found)
        assert {material["name"] for material in cell.get("materials")} <= materials.keys()
    people = [node for node in scene.get("nodes") if node.get("name", "").startswith("person_")]
    assert cells and not cells - whole and people and whole - cells  # people are in the scene alone
    assert sum(entry["placed"] for entry in index["props"]) == sum(
        "prop" in node.get("extras", {}) for node in scene.get("nodes")
    )


def test_a_prop_of_a_kit_is_at_the_origin_with_its_clips(kit: Path, read_glb: Callable[..., Any]) -> None:
    index = json.loads((kit / INDEX).read_text("utf-8"))
    assert len({entry["file"] for entry in index["props"]}) == len(index["props"])
    entry = next(entry for entry in index["props"] if entry["name"] == "door")
    door = gltf(kit / entry["file"], read_glb)
    [root] = door.get("scenes")[0]["nodes"]
    assert door.get("nodes")[root].keys() <= {"name", "children", "extras", "mesh"}
    title = door.get("nodes")[root]["name"]
    assert title == f"prop_{entry['model']:03}_door" and door.get("animations")
    for animation in door.get("animations"):
        assert animation["name"].startswith(f"{title}.") and animation["extras"]["node"] == title
        assert all(channel["target"]["node"] < len(door.get("nodes")) for channel in animation["channels"])


def test_data_of_a_kit_is_stored_once(kit: Path) -> None:
    pictures = [path.read_bytes() for path in (kit / "textures").iterdir()]
    assert len(set(pictures)) == len(pictures)
    referred = set()
    for path in kit.rglob("*.gltf"):
        value = json.loads(path.read_text("utf-8"))
        for one in (*value.get("buffers", ()), *value.get("images", ())):
            referred.add((path.parent / one["uri"]).resolve())
    assert referred == {path.resolve() for path in (*kit.rglob("*.bin"), *kit.rglob("*.png"))}


def test_a_kit_cannot_be_merged(demo: FieldWorld, tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        run(KitRequest(place=TOWN, output=tmp_path, options=ExportOptions(merge="all")), demo)
    assert not list(tmp_path.iterdir())


class Obj:
    """An OBJ file with its materials, read by the rules of the format."""

    def __init__(self, path: Path) -> None:
        rows: dict[str, list[Any]] = {"v": [], "vt": [], "f": [], "usemtl": []}
        for words in map(str.split, path.read_text("utf-8").splitlines()):
            if words[0] == "f":
                corners = [tuple(int(number) - 1 for number in corner.split("/")[:2]) for corner in words[1:]]
                rows["f"].append((rows["usemtl"][-1], corners))
            elif words[0] in ("v", "vt"):
                rows[words[0]].append([float(number) for number in words[1:]])
            elif words[0] == "usemtl":
                rows["usemtl"].append(words[1])
        self.vertices = np.array(rows["v"])
        self.coordinates = np.array(rows["vt"])
        self.faces = rows["f"]
        self.maps: dict[str, Path | None] = {}
        library = path.with_name(path.read_text("utf-8").split("\n", 1)[0].removeprefix("mtllib "))
        for words in map(str.split, library.read_text("utf-8").splitlines()):
            if words[0] == "newmtl":
                self.maps[name := words[1]] = None
            elif words[0] == "map_Kd":
                self.maps[name] = path.parent / words[-1]


def test_an_obj_shows_the_same(demo: FieldWorld, tmp_path: Path, read_glb: Callable[..., Any]) -> None:
    outcome = run(MapRequest(place=TOWN, output=tmp_path / "my town.obj"), demo)
    assert "0 clips" in outcome.sentence and all(file.is_file() for file in outcome.files)
    obj = Obj(tmp_path / "my town.obj")
    assert len(obj.faces) == outcome.facts["triangles"]
    used = {obj.maps[name] for name, _ in obj.faces}
    assert used - {None} <= set(outcome.files)
    glb = read_glb(field_document(demo.place(TOWN), ExportOptions(static=True, bake_mirror=True))[0])
    expected = []
    for node, world, _ in glb.walk():
        entry = glb.get("nodes")[node]
        for primitive in glb.get("meshes")[entry["mesh"]]["primitives"] if "mesh" in entry else ():
            if "alphaCutoff" not in glb.get("materials")[primitive["material"]]:
                places = glb.array(primitive["attributes"]["POSITION"]).astype(float) @ world[:3, :3].T + world[:3, 3]
                corners = places[glb.array(primitive["indices"]).ravel()]
                expected.append(corners if "skin" not in entry else np.full_like(corners, np.nan))
    places = obj.vertices[[vertex for _, corners in obj.faces for vertex, *_ in corners], :3]
    known = np.concatenate(expected)
    still = ~np.isnan(known[:, 0])
    assert np.allclose(places[still], known[still], rtol=0, atol=2e-5) and not still.all()
    assert len({vertex for _, corners in obj.faces for vertex, *_ in corners}) == len(obj.vertices)
    assert obj.vertices.shape[1] == 6 and obj.vertices[:, 3:].min() >= 0 and obj.vertices[:, 3:].max() <= 1


def test_skinned_surfaces_of_an_obj_follow_their_joints(tmp_path: Path) -> None:
    document = Document()
    primitive = {
        "attributes": {
            "POSITION": document.accessor(np.eye(3, dtype=np.float32), bounds=True),
            "JOINTS_0": document.accessor(np.array([[0, 1, 0, 0]] * 3, np.uint8)),
            "WEIGHTS_0": document.accessor(np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]], np.float32)),
        },
        "indices": document.accessor(np.arange(3, dtype=np.uint16), target=INDICES),
        "material": document.add_definition("materials", {"name": "plain", "pbrMetallicRoughness": {}}),
    }
    joints = [document.node("still"), document.node("raised", translation=(0, 4, 0))]
    root = document.node("root", children=joints)
    skin = document.skin(joints, np.stack([np.eye(4, dtype=np.float32)] * 2), skeleton=root)
    document.scene("scene", [root, document.node("skinned", mesh=document.mesh([primitive]), skin=skin)])
    write_scene(document, tmp_path / "a.obj")
    assert Obj(tmp_path / "a.obj").vertices.tolist() == [[1, 0, 0], [0, 3, 0], [0, 4, 1]]
