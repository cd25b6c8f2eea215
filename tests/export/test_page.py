"""Maps as HTML pages, in Chromium from files and without network; the light of several hours."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from mapexplorer.export import page as pages
from mapexplorer.export.gltf.field import field_document
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.page_facts import page_facts
from mapexplorer.export.request import AllMapsRequest, MapRequest, MatrixRequest
from mapexplorer.export.run import run
from mapexplorer.walk.ground import Ground
from mapexplorer.walk.rules import Move, Standing, decide
from mapexplorer.walk.walker import Walker
from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST, Direction
from mapexplorer.world.world import FieldWorld
from tests.browser import SET, SIZE, Browser

TOWN = 4
CAVE = 9
TILES = {Move.STEP: 1, Move.LEDGE: 2, Move.DOUBLE_LEDGE: 3}


@pytest.fixture(scope="module")
def demo_world() -> FieldWorld:
    return FieldWorld.open("demo")


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, demo_world: FieldWorld, missing: Callable[[str], NoReturn]
) -> Path:
    """The pages of a town of the demo world and of one of its houses."""
    try:
        pages.script()
    except OSError as error:
        missing(str(error))
    into = tmp_path_factory.mktemp("pages")
    options = ExportOptions(hours=(12 * 3600, 20 * 3600))
    run(AllMapsRequest(output=into, maps="4,6", pages=True, jobs=1, options=options), demo_world)
    return into


def test_the_page_of_a_town(folder: Path, browser: Browser, demo_world: FieldWorld) -> None:
    browser.open(folder / "004_T01.html")
    # Walking: against a wall, and every step of the map as the program has it.
    assert browser.press("Up", "blocked").startswith("Tile 20, 36, ")
    place = demo_world.place(TOWN)
    cell = place.cells[0]
    ground = Ground(demo_world, TOWN)
    tiles = [(x + 32 * cell.x, z + 32 * cell.z) for z in range(32) for x in range(32)]
    points = [(x, z, place.terrain.height(16 * x + 8, 16 * z + 8).fx32) for x, z in tiles]
    wanted = [
        TILES.get(decide(ground, Standing(x, z, y), direction).move, 0) for x, z, y in points for direction in Direction
    ]
    asked = json.dumps([[x, z, y / 4096] for x, z, y in points])
    taken = browser.js(
        "{const {tiles} = page; const {people} = tiles; tiles.people = new Map();"
        f"const taken = {asked}.flatMap(([x, z, y]) => [0, 1, 2, 3].map((to) => tiles.step(x, z, y, to).tiles));"
        "tiles.people = people; taken}"
    )
    inside = [
        number
        for number, (x, z) in enumerate(tile for tile in tiles for _ in Direction)
        if 0 < x % 32 < 31 and 0 < z % 32 < 31
    ]
    assert [taken[number] for number in inside] == [wanted[number] for number in inside]
    # A person, by a click.
    middle = SIZE[0] / 2, SIZE[1] / 2
    browser.find("Youngster")
    browser.js("document.getElementById('facts').hidden = true")
    browser.click(*middle)
    shown = browser.js("document.getElementById('facts').innerText")
    assert "Youngster" in shown and "person_004_01" in shown
    assert browser.js("document.querySelector('#facts blockquote').textContent")
    # The light of the evening.
    noon = browser.brightness()
    browser.js(f"{{{SET.format('#bar input', 20)}}}")
    assert browser.js("document.querySelector('#bar output').textContent") == "20:00"
    assert browser.brightness() < 0.8 * noon
    # A door opens at a click, and is a way into the house, where the player stands.
    browser.find("prop_01_door")
    turned = "page.view.acts.size && [...page.view.acts.values()][0].actions.some((action) => action.time > 0)"
    browser.click(*middle)
    assert "Plays door.door_open" in browser.js("document.getElementById('facts').innerText")
    browser.wait(turned)
    way = browser.js("document.querySelector('#facts a.way').getAttribute('href')")
    assert way.startswith("006_T01R0101.html#tile=")
    browser.js("document.querySelector('#facts a.way').click()")
    browser.wait("document.title.includes('T01R0101') && document.body?.dataset.ready")
    assert browser.js("document.getElementById('status').textContent").startswith("Tile 1")
    # Its way out is at the south.
    browser.hold("Down")
    browser.wait("document.title === 'Millbrook' && document.body?.dataset.ready")
    assert browser.errors == []


def test_the_index_finds_maps(folder: Path, browser: Browser) -> None:
    browser.send("Page.navigate", url=(folder / "index.html").as_uri())
    assert browser.wait("document.querySelectorAll('main li').length") == 2
    browser.js(f"{{{SET.format('input', repr('r0101'))}}}")
    assert browser.js("[...document.querySelectorAll('main li a')].map((a) => a.href.split('/').pop())") == [
        "006_T01R0101.html"
    ]


def slide(browser: Browser, x: int, z: int, direction: Direction) -> list[int]:
    """Where a step from a tile ends, without waiting for its pictures."""
    step = f"walk.enter({x}, {z}); walk.begin({int(direction)}, 0)"
    return list(
        browser.js(
            f"{{const {{walk}} = page; {step}; for (let t = 0; walk.step;) walk.frame((t += 1e3));[walk.x, walk.z]}}"
        )
    )


def test_a_page_alone_is_one_file(tmp_path: Path, browser: Browser, folder: Path, demo_world: FieldWorld) -> None:
    outcome = run(MapRequest(output=tmp_path / "cave.html", place=CAVE), demo_world)
    assert outcome.files == [tmp_path / "cave.html"] == list(tmp_path.iterdir())
    browser.open(outcome.files[0])
    assert browser.js("document.getElementById('notice').textContent").startswith("Models, pictures and texts belong")
    # On ice one slides as in the program; on tiles that turn, in their direction.
    for x, z, direction in ((10, 12, EAST), (13, 17, NORTH), (18, 11, WEST), (12, 15, SOUTH)):
        walker = Walker(demo_world, CAVE, x, z, people=False)
        list(walker.press(direction))
        assert abs(walker.x - x) + abs(walker.z - z) > 1
        assert slide(browser, x, z, direction) == [walker.x, walker.z]
    browser.js("page.tiles.behaviours[32] = {name: 'turns', kinds: [], spin: [2]}; 0")
    assert slide(browser, 14, 17, NORTH) == [9, 16]


def test_far_away_a_large_map_is_few_meshes(
    tmp_path: Path, browser: Browser, folder: Path, demo_world: FieldWorld
) -> None:
    run(MatrixRequest(output=tmp_path / "all.html", place=TOWN), demo_world)
    browser.open(tmp_path / "all.html")
    browser.js("page.view.overview(); page.view.leaveOut(0); setInterval(() => page.view.moved(), 20); 0")
    apart = browser.brightness()
    browser.js("page.view.leaveOut(8.1); page.view.leaveOut = () => {}; 0")
    together = browser.brightness()
    drawn, parts = browser.js("[page.view.joined.children.length, page.view.joined.parts.size]")
    assert 0 < 2 * drawn < parts
    assert together == pytest.approx(apart, rel=0.1)
    assert browser.js(f"Boolean(page.view.hit({SIZE[0] / 2}, {SIZE[1] / 2}))")


@pytest.mark.slow
@pytest.mark.parametrize("header", [3, 411, 430])
def test_lit_maps_are_as_bright_as_unlit_ones(
    tmp_path: Path, browser: Browser, folder: Path, world: FieldWorld, header: int
) -> None:
    place = world.place(header)
    brightness = []
    for lit in (False, True):
        options = ExportOptions(lit=lit, people=True)
        glb = field_document(place, options)[0].to_bytes()
        file = tmp_path / f"{lit}.html"
        file.write_bytes(pages.page(glb, page_facts(place, options, place.cells), alone=True))
        browser.open(file)
        browser.js("setInterval(() => page.view.moved(), 20); 0")  # pictures, also where nothing moves
        brightness.append(browser.brightness())
    assert brightness[1] == pytest.approx(brightness[0], rel=0.15)


def test_without_the_script_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo_world: FieldWorld
) -> None:
    monkeypatch.setattr(pages, "_FOLDER", tmp_path / "absent")
    for request in (
        MapRequest(output=tmp_path / "x.html", place=TOWN),
        AllMapsRequest(output=tmp_path / "all", pages=True),
    ):
        with pytest.raises(OSError, match="make page"):
            run(request, demo_world)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("merge", ["shape", "all"])
def test_colours_of_several_hours(
    tmp_path: Path, demo_world: FieldWorld, validate_glb: Callable[[list[Path]], int], read_glb: Any, merge: str
) -> None:
    hours = (20 * 3600, 12 * 3600)

    def exported(name: str, **options: Any) -> Any:
        target = tmp_path / name
        run(MapRequest(output=target, place=TOWN, options=ExportOptions(merge=merge, **options)), demo_world)
        return read_glb(target)

    both = exported("both.glb", hours=hours)
    alone = [exported(f"{second}.glb", second=second) for second in hours]
    differ = 0
    for number, mesh in enumerate(both.get("meshes")):
        for part, primitive in enumerate(mesh["primitives"]):
            colors = [both.array(primitive["attributes"][f"COLOR_{hour}"]) for hour in range(2)]
            for color, other in zip(colors, alone, strict=True):
                same = other.get("meshes")[number]["primitives"][part]
                assert np.array_equal(color, other.array(same["attributes"]["COLOR_0"]))
            differ += not np.array_equal(*colors)
    assert differ
    root = next(node for node in both.get("nodes") if "origin_tile" in node.get("extras", {}))
    assert root["extras"]["hours"] == list(hours) and root["extras"]["second"] == hours[0]
    assert validate_glb([tmp_path / "both.glb"]) == 1
