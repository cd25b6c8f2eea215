"""One damaged thing costs itself: the rest of a place is drawn, shown and exported, and what is left out is named."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.gpu.picture import displayed
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world.models.animations import AUTOMATIC, prop_animations
from mapexplorer.world.opening import open_rom
from mapexplorer.world.wording import damage
from mapexplorer.world.world import FieldWorld


def cut(image: bytes, path: str, index: int, size: int) -> bytes:
    """An image of the demo world in which a member of an archive ends after `size` bytes."""
    start = image.index(FieldWorld.open("demo").rom.file(path))
    entry = start + 16 + 12 + 8 * index
    first, _ = struct.unpack_from("<II", image, entry)
    return image[: entry + 4] + struct.pack("<I", first + size) + image[entry + 8 :]


def picture(rom: Path | str, *layers: str) -> np.ndarray[Any, Any]:
    return FieldScene(
        FieldWorld.open(rom).place("T01"), View(at=spot(), layers=layers or ("terrain", "props"))
    ).render()


def spot() -> tuple[float, float]:
    """A tile of the demo's town from where an animated prop is in view."""
    place = FieldWorld.open("demo").place("T01")
    prop = next(prop for cell in place.cells for prop in place.props(cell) if prop.model == animated())
    return prop.position[0] / 65536, prop.position[2] / 65536 + 3


def animated() -> int:
    """A prop model of the demo's town that moves from the start on."""
    world = FieldWorld.open("demo")
    place = world.place("T01")
    models = [prop.model for cell in place.cells for prop in place.props(cell)]
    return next(m for m in models if any(one.when == AUTOMATIC for one in prop_animations(world, m)))


@pytest.fixture
def without_model(demo_image: bytes, tmp_path: Path) -> Path:
    rom = tmp_path / "model.nds"
    rom.write_bytes(cut(demo_image, PLATINUM.path(Role.BUILD_MODEL), animated(), 60))
    return rom


@pytest.fixture
def without_list(demo_image: bytes, tmp_path: Path) -> Path:
    rom = tmp_path / "list.nds"
    rom.write_bytes(cut(demo_image, PLATINUM.path(Role.PROP_ANIMATION_LIST), animated(), 7))
    return rom


@pytest.fixture
def without_animation(demo_image: bytes, tmp_path: Path) -> Path:
    world = FieldWorld.open("demo")
    [one] = [one for one in prop_animations(world, animated()) if one.when == AUTOMATIC]
    rom = tmp_path / "animation.nds"
    rom.write_bytes(cut(demo_image, PLATINUM.path(Role.PROP_ANIMATIONS), one.index, 30))
    return rom


def test_a_damaged_model_leaves_a_picture_without_it(
    cli: Callable[..., Any], without_model: Path, tmp_path: Path
) -> None:
    ran = cli("render", without_model, "T01", "--at", "{},{}".format(*spot()), "-o", tmp_path / "x.png")
    assert ran.status == 0
    assert ran.err.count("\n") == 1 and ran.err.startswith(f"prop model {animated()} is left out: build_model.narc[")
    assert ran.out.endswith("1 damaged left out, 0 failed.\n")
    with Image.open(tmp_path / "x.png") as drawn:
        pixels = np.asarray(drawn)
    scene = FieldScene(FieldWorld.open(without_model).place("T01"), View(at=spot()))
    assert np.array_equal(pixels, scene.render()[..., :3])
    assert [damage(one) for one in scene.damaged] == ran.err.splitlines()
    whole, rest = picture("demo"), picture(without_model)
    bare = picture("demo", "terrain")
    changed = (whole != rest).any(axis=2)
    assert 0 < changed.sum() < (whole != bare).any(axis=2).sum()


@pytest.mark.parametrize("kind", ["without_list", "without_animation"])
def test_a_damaged_animation_leaves_its_prop_at_rest(
    cli: Callable[..., Any], kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rom = request.getfixturevalue(kind)
    ran = cli("render", rom, "T01", "--at", "{},{}".format(*spot()), "--tick", "7", "--json", "-o", tmp_path / "x.png")
    assert ran.status == 0
    [sentence] = json.loads(ran.out)["damaged"]
    name = {"without_list": "the animations of prop model", "without_animation": "animation 0 of prop model"}[kind]
    assert sentence.startswith(f"{name} {animated()} {'are' if kind == 'without_list' else 'is'} left out: bm_anime")
    moving = []
    for one in ("demo", rom):
        scene = FieldScene(FieldWorld.open(one).place("T01"), View(at=spot(), layers=("props",)))
        scene.render(7)
        moving.append({d.source.resolved.number for d in scene.block.drawings if d.model.moves})
    assert moving[0] - moving[1] == {animated()} and moving[1]


@pytest.mark.parametrize(
    ("member", "name"), [(0, "the terrain animations are"), (1, "the animation of terrain texture '")]
)
def test_damaged_pictures_leave_the_terrain_as_it_is(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path, member: int, name: str
) -> None:
    rom = tmp_path / "pictures.nds"
    rom.write_bytes(cut(demo_image, PLATINUM.path(Role.TERRAIN_ANIMATIONS), member, 20))
    ran = cli("render", rom, "L01", "--tick", "40", "-o", tmp_path / "x.png")
    assert ran.status == 0 and ran.err.count("\n") == 1 and ran.err.startswith(name)
    ran = cli("export", rom, "L01", "-o", tmp_path / "x.glb")
    assert ran.status == 0 and ran.err.startswith(name)
    whole, still = (FieldScene(FieldWorld.open(one).place("L01"), View(layers=("terrain",))) for one in ("demo", rom))
    assert not np.array_equal(whole.render(0), whole.render(40))
    running = len(whole.block.animator), len(still.block.animator)
    assert running[0] > running[1] == (0 if member == 0 else running[0] - 1)


def test_a_poster_names_what_it_leaves_out(cli: Callable[..., Any], without_model: Path, tmp_path: Path) -> None:
    for jobs in (1, 2):
        ran = cli(
            "poster", without_model, "T01", "--cell-pixels", "256", "--jobs", jobs, "-o", tmp_path / f"{jobs}.png"
        )
        assert ran.status == 0
        assert f"prop model {animated()} is left out: " in ran.err and ran.err.count("\n") == 1
        assert ran.out.endswith("1 damaged left out, 0 failed.\n")
    assert (tmp_path / "1.png").read_bytes() == (tmp_path / "2.png").read_bytes()


@pytest.mark.parametrize("kind", ["without_model", "without_list", "without_animation"])
def test_export_writes_the_rest(
    cli: Callable[..., Any],
    validate_glb: Callable[..., int],
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    ran = cli("export", request.getfixturevalue(kind), "T01", "-o", tmp_path / "x.glb")
    assert ran.status == 0
    assert ran.err.count(" left out: ") == 1
    assert validate_glb([tmp_path / "x.glb"]) == 1


@pytest.mark.parametrize("kind", ["without_model", "without_list", "without_animation"])
def test_show_tells_the_rest(cli: Callable[..., Any], kind: str, request: pytest.FixtureRequest) -> None:
    rom = request.getfixturevalue(kind)
    ran = cli("show", rom, "T01", "--json")
    assert ran.status == 1
    facts, whole = json.loads(ran.out), json.loads(cli("show", "demo", "T01", "--json").out)
    [sentence] = facts.pop("damaged")
    assert "build_model.narc[" in sentence if kind == "without_model" else "bm_anime" in sentence
    assert whole.pop("damaged") == []
    mine, others = (
        [[p for p in f["props"] if (p["prop"] == animated()) == chosen] for f in (facts, whole)]
        for chosen in (True, False)
    )
    assert len(mine[0]) == len(mine[1]) > 0 and mine[0] != mine[1]
    assert others[0] == others[1] != []
    for shown in (facts, whole):  # the table of headers may lie elsewhere
        del shown["props"], shown["why"]["header"], shown["sources"]["header"]
    assert facts == whole
    text = cli("show", rom, "T01")
    assert text.status == 1 and f"\nDamaged\n  {sentence}\n" in text.out and text.last.endswith(", 1 damaged.")


def test_a_rom_without_animations_is_shown_at_rest(cli: Callable[..., Any], demo_image: bytes, tmp_path: Path) -> None:
    assert demo_image.count(b"bm_anime.narc") == 1
    rom = tmp_path / "still.nds"
    rom.write_bytes(demo_image.replace(b"bm_anime.narc", b"bm_other.narc"))
    ran = cli("show", rom, "T01", "--json")
    assert ran.status == 0
    facts = json.loads(ran.out)
    assert facts["props"] and not any(prop["animations"] for prop in facts["props"])
    ran = cli("export", rom, "T01", "-o", tmp_path / "x.glb")
    assert ran.status == 0 and "left out" not in ran.out
    scene = FieldScene(FieldWorld.open(rom).place("T01"), View(at=spot()))
    assert scene.render(7).any() and not scene.damaged
    assert not [drawing for drawing in scene.block.drawings if drawing.model.moves and drawing.source.prop is not None]


@pytest.mark.parametrize(("path", "index"), [(PLATINUM.path(Role.ZONE_EVENT), 4), (PLATINUM.path(Role.AREA_LIGHT), 0)])
def test_show_without_events_or_light(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path, path: str, index: int
) -> None:
    place = FieldWorld.open("demo").place("T01")
    number = place.header.events if path == PLATINUM.path(Role.ZONE_EVENT) else place.light_set().value
    rom = tmp_path / "cut.nds"
    rom.write_bytes(cut(demo_image, path, number, 5))
    ran = cli("show", rom, "T01")
    assert ran.status == 1 and not ran.err
    assert re.search(rf"\nDamaged\n  .+ left out: {re.escape(path.rsplit('/', 1)[-1])}\[{number}\]", ran.out)
    assert "Terrain textures" in ran.out


def test_a_warp_that_stands_nowhere_is_the_data_s_fault(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path
) -> None:
    place = FieldWorld.open("demo").place("T01")
    events = place.events
    assert events is not None
    changed = events.warps.copy()
    changed["x"][0] = 5000
    before, after = (
        type(events)(events.background, events.objects, w, events.triggers).to_bytes() for w in (events.warps, changed)
    )
    assert demo_image.count(before) == 1 and len(before) == len(after)
    rom = tmp_path / "warp.nds"
    rom.write_bytes(demo_image.replace(before, after))
    with open_rom(rom):
        ran = cli("walk", rom, "T01", "--reach")
    assert ran.status == 1 and not ran.out and ran.err.count("\n") == 1
    assert "The first warp of " in ran.err and "is on tile (5000, " in ran.err and "give --at X,Z" in ran.err
    ran = cli("walk", rom, "T01", "--reach", "--at", "5000,5")
    assert ran.status == 2 and "--at names tile (5000, 5), which has no land" in ran.err


def test_byte_code_that_names_no_material_is_left_out_and_verified(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path
) -> None:
    from dataclasses import replace

    from formats.nitro import Nsbmd, sbc

    world = FieldWorld.open("demo")
    number = animated()
    file = world.prop_model(number)
    model = file.models[0]
    code = tuple(replace(one, operands=(200,)) if one.opcode == sbc.MAT else one for one in model.sbc)
    broken = Nsbmd((replace(model, sbc=code), *file.models[1:]), file.textures, file.version).to_bytes()
    whole = file.to_bytes()
    assert len(broken) == len(whole) and demo_image.count(whole) == 1
    rom = tmp_path / "code.nds"
    rom.write_bytes(demo_image.replace(whole, broken))
    ran = cli("verify", rom, "-j", 1)
    assert ran.status == 1
    assert f"problem: {PLATINUM.path(Role.BUILD_MODEL)}[{number}]: {model.name} > SBC > instruction " in ran.out
    ran = cli("render", rom, "T01", "-o", tmp_path / "x.png")
    assert ran.status == 0 and f"prop model {number} is left out: {model.name} > SBC > instruction " in ran.err


@pytest.mark.parametrize("kind", ["without_model", "without_list", "without_animation"])
def test_the_card_gets_the_rest(kind: str, request: pytest.FixtureRequest) -> None:
    from mapexplorer.opengl.prepare import Preparer

    counts, moving = [], []
    for rom in ("demo", request.getfixturevalue(kind)):
        place = FieldWorld.open(rom).place("T01")
        preparer = Preparer(place)
        instances = [one for cell in place.cells for one in preparer.cell(cell).instances]
        counts.append(len(instances))
        moving.append(sum(one.mesh.attached is not None for one in instances))
    damaged = sum(prop.model == animated() for cell in place.cells for prop in place.props(cell))
    assert counts[0] - counts[1] == (damaged if kind == "without_model" else 0)
    assert moving[0] - moving[1] == damaged > 0


_EFFECTS = PLATINUM.tables.weather_effects
RAIN, FOG = 2, 14


@pytest.mark.parametrize(
    ("weather", "member"),
    [
        *((RAIN, member) for member in vars(_EFFECTS.sprite_sets[0]).values()),
        *((FOG, member) for member in _EFFECTS.background_sets[6]),
    ],
)
def test_damaged_weather_leaves_the_picture_with_its_fog(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path, weather: int, member: int
) -> None:
    rom = tmp_path / "weather.nds"
    rom.write_bytes(cut(demo_image, PLATINUM.path(Role.WEATHER_PICTURES), member, 40))
    words = ("--weather", str(weather), "--tick", "30", "-o", tmp_path / "x.png")
    ran = cli("render", rom, "T01", *words)
    assert ran.status == 0
    lacks = "the sprites and the background of the weather are left out: weather_sys.narc"
    assert ran.err.count("\n") == 1 and ran.err.startswith(f"{lacks}[{member}]")
    assert ran.out.endswith("1 damaged left out, 0 failed.\n")
    whole, rest = (FieldScene(FieldWorld.open(one).place("T01"), View(weather=weather)) for one in ("demo", rom))
    with Image.open(tmp_path / "x.png") as drawn:
        assert np.array_equal(np.asarray(drawn), rest.render(30)[..., :3])
    for tick in (30, 31):
        raw = rest.render(tick, raw=True)
        assert np.array_equal(raw, whole.render(tick, raw=True))
        assert np.array_equal(rest.render(tick), displayed(raw))
        assert not np.array_equal(rest.render(tick), whole.render(tick))
    assert [damage(one) for one in rest.damaged] == ran.err.splitlines() and not whole.damaged
    assert cli("render", rom, "T01", "-o", tmp_path / "y.png").err == "", "a clear day needs none of it"


def test_a_rom_without_weather_pictures_shows_the_fog(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path
) -> None:
    rom = tmp_path / "weather.nds"
    name = PLATINUM.path(Role.WEATHER_PICTURES).rpartition("/")[2].encode()
    rom.write_bytes(demo_image.replace(name, name[::-1]))
    ran = cli("render", rom, "T01", "--weather", str(RAIN), "-o", tmp_path / "x.png")
    assert ran.status == 0 and ran.err.count("\n") == 1
    assert ran.err.startswith("the sprites and the background of the weather are left out: ")
    assert "weather_sys.narc" in ran.err
    whole, rest = (FieldScene(FieldWorld.open(one).place("T01"), View(weather=RAIN)) for one in ("demo", rom))
    assert np.array_equal(rest.render(), displayed(whole.render(raw=True)))


def _changed(image: bytes, part: bytes) -> bytes:
    """An image in which a part begins with another magic number."""
    assert image.count(part) == 1
    return image.replace(part, b"XXXX" + part[4:])


def _damage(image: bytes, kind: str) -> tuple[bytes, str]:
    """An image in which a file of the demo's town is damaged, and how the sentence about it begins."""
    place = FieldWorld.open("demo").place("T01")
    world, header = place.world, place.header
    land = place.cells[0].land
    sections = world.land_sections(land)
    members = {
        "events": (Role.ZONE_EVENT, header.events, f"the events of header {header.id} are"),
        "area": (Role.AREA_DATA, header.area, f"the texture sets, props and lights of area {header.area} are"),
        "prop list": (Role.AREA_BUILD, place.prop_set().value, "the list of the models of prop set"),
        "prop textures": (Role.PROP_TEXTURES, place.prop_set().value, "the textures of prop set"),
        "terrain textures": (Role.TERRAIN_TEXTURES, place.terrain_set().value, "the textures of terrain set"),
        "light": (Role.AREA_LIGHT, place.light_set().value, "light set"),
        "land": (Role.LAND_DATA, land, f"the tiles, height plates and props of land {land} are"),
    }
    if kind in members:
        role, number, sentence = members[kind]
        return cut(image, PLATINUM.path(role), number, 5), sentence
    if kind == "plates":
        return _changed(image, bytes(sections.bdhc.data)), f"the height plates of land {land} are"
    return _changed(image, bytes(sections.model.data)), f"the terrain model of land {land} is"


KINDS = ("events", "area", "prop list", "prop textures", "terrain textures", "light", "land", "plates", "terrain model")


@pytest.fixture(params=KINDS)
def lacking(request: pytest.FixtureRequest, demo_image: bytes, tmp_path: Path) -> tuple[str, Path, str]:
    """A kind of file, a ROM in which that of the demo's town is damaged, and how the sentence about it begins."""
    image, sentence = _damage(demo_image, request.param)
    rom = tmp_path / "damaged.nds"
    rom.write_bytes(image)
    return request.param, rom, sentence


def test_each_file_of_a_place_costs_itself(
    cli: Callable[..., Any], lacking: tuple[str, Path, str], validate_glb: Callable[..., int], tmp_path: Path
) -> None:
    kind, rom, sentence = lacking
    glb = tmp_path / "x.glb"
    for ran in (cli("render", rom, "T01", "-o", tmp_path / "x.png"), cli("export", rom, "T01", "-o", glb)):
        lines = ran.err.splitlines()
        assert ran.status == 0 and lines and lines[0].startswith(sentence), (kind, ran)
        assert all(" left out: " in line for line in lines)
    with glb.open("rb") as file:
        file.seek(12)
        document = json.loads(file.read(struct.unpack("<I", file.read(8)[:4])[0]))
    [extras] = [node["extras"] for node in document["nodes"] if "metres_per_unit" in node.get("extras", {})]
    assert extras["damaged"] == lines
    assert validate_glb([glb]) == 1
    shown = cli("show", rom, "T01", "--json")
    assert shown.status == 1 and json.loads(shown.out)["damaged"][0].startswith(sentence)
    neighbour = cli("show", rom, "L01", "--json")
    same_area = kind in ("area", "prop list", "prop textures", "terrain textures", "light")
    assert same_area or json.loads(neighbour.out)["damaged"] == []


def test_what_a_damaged_file_does_not_hold_is_drawn(lacking: tuple[str, Path, str]) -> None:
    kind, rom, _ = lacking
    layers = {
        "events": ("terrain", "props"),
        "prop list": ("terrain", "people"),
        "prop textures": ("terrain", "people"),
        "terrain textures": ("props",),
        "plates": ("terrain", "props"),
        "terrain model": ("props",),
    }.get(kind)
    whole, rest = (FieldScene(FieldWorld.open(one).place("T01"), View(at=spot())) for one in ("demo", rom))
    assert not np.array_equal(whole.render(), rest.render()) or kind in ("prop list", "plates")
    if layers is not None:
        alone = [
            FieldScene(FieldWorld.open(one).place("T01"), View(at=spot(), layers=layers)).render()
            for one in ("demo", rom)
        ]
        assert np.array_equal(*alone) and alone[0].any()


def test_a_walk_goes_on_and_names_what_it_does_without(cli: Callable[..., Any], lacking: tuple[str, Path, str]) -> None:
    kind, rom, sentence = lacking
    where = "{:.0f},{:.0f}".format(*spot())
    ran = cli("walk", rom, "T01", "--reach", "--at", where)
    assert ran.status == 0
    told = kind in ("events", "land", "plates")
    assert [line.startswith(sentence) for line in ran.err.splitlines()] == [True] * told


def test_the_verb_events_names_damaged_events(cli: Callable[..., Any], demo_image: bytes, tmp_path: Path) -> None:
    image, sentence = _damage(demo_image, "events")
    rom = tmp_path / "events.nds"
    rom.write_bytes(image)
    ran = cli("events", rom, "T01")
    assert ran.status == 1 and sentence in ran.err and "Traceback" not in ran.err
    inside = FieldWorld.open("demo").place("T01")
    events = inside.events
    assert events is not None
    house = next(int(warp["header"]) for warp in events.warps if int(warp["header"]) < 0xFFF)
    ran = cli("events", rom, house)
    assert sentence in ran.err and "leads to a map whose events cannot be read" in ran.out
