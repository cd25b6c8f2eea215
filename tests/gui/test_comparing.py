"""The window compares its ROM with another one."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QInputDialog, QLineEdit, QToolButton

from formats.field.area_light import AreaLight
from formats.field.land_data import LandData
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import ZoneEvents
from formats.fixed import ONE
from mapexplorer import World
from mapexplorer.compare.pictures import difference_picture
from mapexplorer.games import Role
from mapexplorer.gui.model.comparison import Shown
from mapexplorer.inspector.describe import describe
from mapexplorer.scene.light import first_block
from mapexplorer.units import NOON
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.subject import subject
from mapexplorer.world.world import FieldWorld
from tests.compare.conftest import Edits
from tests.gui.conftest import drag

T01 = 4
EVENTS = 3
OTHER_FILE = "data/other.bin"


def edited_image(block: int = 2) -> bytes:
    """The demo world with a moved prop, blocked tiles, a redirected warp and less red light at noon on T01."""
    edits = Edits(FieldWorld.open("demo"))
    place = edits.world.place(T01)
    land, number = place.cells[0].land, place.light_set().value
    light = edits.value(Role.AREA_LIGHT, number, AreaLight)
    noon = first_block(light, NOON)
    blocks = list(light.blocks)
    blocks[noon] = dataclasses.replace(blocks[noon], diffuse=(0, *blocks[noon].diffuse[1:]))
    edits.change(Role.AREA_LIGHT, number, AreaLight, blocks=tuple(blocks))

    def move(records: Any) -> None:
        records[1]["position"][0] += 32 << 12

    def attributes(words: Any) -> None:
        words[7, 3 : 3 + block] ^= 0x8000

    def redirect(warps: Any) -> None:
        warps[0]["header"], warps[0]["warp"] = 2, 0

    edits.rows(Role.LAND_DATA, land, LandData, "props", move)
    edits.rows(Role.LAND_DATA, land, LandData, "attributes", attributes)
    edits.rows(Role.ZONE_EVENT, EVENTS, ZoneEvents, "warps", redirect)
    return edits.image()


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    path = tmp_path / "edited.nds"
    path.write_bytes(edited_image())
    return path


@pytest.fixture
def compared(opened: Callable[[str], Any], settle: Callable[[Any], None], qtbot: Any, edited: Path) -> Any:
    """A window on T01 of the edited ROM that compares it with the demo world."""
    window = opened(str(edited))
    window.explorer.go(T01)
    settle(window)
    window.compare_mode.open("demo")
    qtbot.waitUntil(lambda: window.compare_mode.state.comparison is not None, timeout=60_000)
    qtbot.waitUntil(lambda: window.jobs.frame is not None and window.jobs.frame.before is not None, timeout=60_000)
    settle(window)
    return window


def rows(window: Any) -> list[Any]:
    return [one for group in window.changes.list.groups for one in group.rows]


def test_the_list_and_both_pictures(compared: Any, edited: Path) -> None:
    groups = compared.changes.list.groups
    assert compared.explorer.world.headers[T01].title in [group.title for group in groups]
    assert {one.subject.kind for one in rows(compared)} == {"tile", "placed prop", "warp", "light set"}
    lines = {thing.subject.kind: thing.lines for thing in rows(compared) if thing.lines}
    assert lines["warp"][0] == "target" and lines["warp"][2] == f"{compared.explorer.world.headers[2].title}, warp 0"
    assert re.fullmatch(r"time block \d+, diffuse colour, red", lines["light set"][0])
    tiles = [re.match(r"tile \((.*), .*\) of the land at height", value) for value in lines["placed prop"][1:]]
    before, after = (float(tile[1]) for tile in tiles if tile is not None)
    assert after - before == pytest.approx(2, abs=0.01), "the prop was moved by 32 units"
    frame, tile = compared.jobs.frame, compared.explorer.tile
    for path, picture in (("demo", frame.before), (edited, frame.picture)):
        truth = World(path).place(T01).scene(second=NOON, at=tile).render()
        assert (picture[..., :3] == truth[..., :3]).all()


def test_before_difference_and_slider(compared: Any, qtbot: Any) -> None:
    """What is drawn is compared without layers, which are painted over all of them."""
    view, state, frame = compared.views.ds, compared.compare_mode.state, compared.jobs.frame
    before, after = frame.before[..., :3], frame.picture[..., :3]
    compared.explorer.marks = type(compared.explorer.marks)()
    compared.explorer.selection = None
    area = view.picture()

    def shown() -> np.ndarray:
        """The middle of each pixel of the picture, below the words in its corners."""
        image = view.grab().toImage()
        spots = [
            [
                image.pixelColor(
                    int(area.x() + (x + 0.5) * area.width() / 256), int(area.y() + (y + 0.5) * area.height() / 192)
                ).getRgb()[:3]
                for x in range(0, 256, 5)
            ]
            for y in range(40, 192, 5)
        ]
        return np.array(spots, np.uint8)

    def of(picture: np.ndarray) -> np.ndarray:
        return picture[40::5, ::5]

    assert (of(before) != of(after)).mean() > 0.1
    for which, picture in (
        (Shown.BEFORE, before),
        (Shown.AFTER, after),
        (Shown.DIFFERENCE, difference_picture(before, after)),
    ):
        compared.action(f"compare_{which}").trigger()
        assert state.shown is which and (shown() == of(picture)).mean() > 0.97
    compared.action("compare_slider").trigger()
    left, right = int(area.left() + area.width() * 0.5), int(area.left() + area.width() * 0.8)
    middle = int(area.center().y())
    drag(view, QPoint(left, middle), QPoint(right, middle))
    assert state.slider == pytest.approx(0.8, abs=0.01)
    seen = shown()
    assert (seen[:, :38] == of(before)[:, :38]).mean() > 0.97 and (seen[:, 43:] == of(after)[:, 43:]).mean() > 0.97
    compared.action("slider_left").trigger()
    assert state.slider == pytest.approx(0.75, abs=0.01)


def test_marks_and_fields(compared: Any, qtbot: Any, settle: Callable[[Any], None]) -> None:
    qtbot.waitUntil(lambda: compared.explorer.marks.changed is not None, timeout=20_000)
    changed = compared.explorer.marks.changed
    cell = compared.explorer.place.cells[0]
    blocked = {(32 * cell.x + 3, 32 * cell.z + 7), (32 * cell.x + 4, 32 * cell.z + 7)}
    tiles = {one.key[1:] for one in changed if one.kind == "tile"}
    props = {one for one in changed if one.kind == "placed prop"}
    assert blocked <= tiles and len(props) == 1
    prop = next(one.subject for one in rows(compared) if one.subject.kind == "placed prop")
    assert props == {prop}
    compared.inspection.show(prop)
    settle(compared)
    facts = [fact for section in compared.inspector.description.sections for fact in section.rows]
    assert [fact.name for fact in facts if fact.before is not None] == ["Position"]
    assert "before:" in compared.inspector.copied()[0]


def test_the_end_of_a_comparison(compared: Any, qtbot: Any, settle: Callable[[Any], None]) -> None:
    compared.action("compare_close").trigger()
    settle(compared)
    qtbot.waitUntil(lambda: compared.jobs.frame.before is None, timeout=20_000)
    assert compared.explorer.marks.changed is None and not rows(compared)
    assert not compared.action("compare_before").isEnabled() and compared.action("compare").isEnabled()


def test_a_saved_rom_is_compared_again(compared: Any, qtbot: Any, edited: Path) -> None:
    edited.write_bytes(edited_image(block=5))
    qtbot.waitUntil(lambda: len(compared.compare_mode.state.comparison.changes) == 8, timeout=30_000)


def test_what_is_no_rom_is_told(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    path = tmp_path / "no.nds"
    path.write_bytes(b"no ROM")
    demo.compare_mode.open(str(path))
    qtbot.waitUntil(lambda: any("cannot be compared" in one.title for one in demo.notices.shown), timeout=20_000)
    assert not demo.compare_mode.state.active and not demo.action("compare_before").isEnabled()


def test_a_commit_is_asked_for(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    demo.action("compare_commit").trigger()
    (dialog,) = [widget for widget in demo.findChildren(QInputDialog) if widget.isVisible()]
    assert dialog.textValue() == f"{demo.explorer.rom_path}@HEAD"
    line = dialog.findChild(QLineEdit)
    line.selectAll()
    QTest.keyClicks(line, f"{tmp_path}@HEAD~1")
    QTest.keyClick(line, Qt.Key_Return)
    qtbot.waitUntil(
        lambda: any("@HEAD~1 cannot be compared" in one.title for one in demo.notices.shown), timeout=20_000
    )


def wild_image() -> bytes:
    """The demo world with another species in a surf slot of the lake, another model of the first prop of T01, and
    another file of sounds, about which nothing is known."""
    edits = Edits(FieldWorld.open("demo"))
    number = edits.world.place("L01").header.wild_encounters
    surf = edits.value(Role.ENCOUNTERS, number, WildEncounters).surf
    slots = (dataclasses.replace(surf.slots[0], species=1), *surf.slots[1:])
    edits.change(Role.ENCOUNTERS, number, WildEncounters, surf=dataclasses.replace(surf, slots=slots))

    def replace_model(records: Any) -> None:
        records[0]["model"] = 3

    edits.rows(Role.LAND_DATA, edits.world.place(T01).cells[0].land, LandData, "props", replace_model)
    edits.files[OTHER_FILE] = b"other"
    return edits.image()


@pytest.fixture
def wild(opened: Callable[[str], Any], settle: Callable[[Any], None], qtbot: Any, tmp_path: Path) -> Any:
    """A window on T01 of that ROM, which compares it with the demo world."""
    path = tmp_path / "wild.nds"
    path.write_bytes(wild_image())
    window = opened(str(path))
    window.explorer.go(T01)
    window.compare_mode.open("demo")
    qtbot.waitUntil(lambda: window.compare_mode.state.comparison is not None, timeout=60_000)
    settle(window)
    return window


def choose(window: Any, kind: str) -> Any:
    """Click the row of the first change that leads to a thing of a kind."""
    tree = window.changes.list
    thing = next(one for one in rows(window) if one.subject.kind == kind)
    index = tree.index_of(thing.subject)
    tree.setExpanded(index.parent(), True)
    tree.scrollTo(index)
    QTest.mouseClick(tree.viewport(), Qt.LeftButton, pos=tree.visualRect(index).center())
    return thing


def test_wild_encounters_are_paired_by_species(wild: Any, qtbot: Any, settle: Callable[[Any], None]) -> None:
    world, lake = wild.explorer.world, wild.explorer.world.place("L01").header
    thing = choose(wild, "encounters")
    qtbot.waitUntil(lambda: wild.explorer.place.header.id == lake.id, timeout=20_000)
    settle(wild)
    assert wild.explorer.selection == thing.subject, "the change leads to its place"
    [section] = [each for each in wild.inspector.description.sections if each.title == "Surf"]
    was = {fact.value for fact in describe_before(lake.wild_encounters, "Surf")}
    changed = [fact for fact in section.rows if fact.before is not None]
    assert {fact.value for fact in section.rows} > was, "the first of the slots has another species, the others stay"
    for fact in changed:
        assert fact.before == "none" or fact.before.startswith(fact.value), (fact.value, fact.before)
    assert [fact.before for fact in changed].count("none") == 1, "only the new species was not there"
    assert world is wild.explorer.world


def describe_before(number: int, title: str) -> list[Any]:
    """The facts of a section about wild encounters of the demo world."""
    world = FieldWorld.open("demo")
    description = describe(world, world.place("L01").header.id, subject("encounters", number))
    return [fact for section in description.sections if section.title == title for fact in section.rows]


def test_a_replaced_prop_is_selected_itself(wild: Any, qtbot: Any, settle: Callable[[Any], None]) -> None:
    thing = choose(wild, "placed prop")
    settle(wild)
    assert "replaced" in thing.lines[0] and wild.explorer.selection == thing.subject
    facts = [fact for section in wild.inspector.description.sections for fact in section.rows]
    assert any(fact.before is not None for fact in facts)


def test_equal_pictures_say_so(wild: Any, qtbot: Any, settle: Callable[[Any], None], pixels: Any) -> None:
    wild.explorer.go(wild.explorer.world.place("L01").header.id)
    settle(wild)
    qtbot.waitUntil(lambda: wild.jobs.frame.before is not None, timeout=20_000)

    def letters() -> int:
        """White pixels in the middle of the upper edge."""
        area = wild.views.ds.picture().toRect()
        shown = pixels(wild.views.ds)[area.top() : area.top() + 40, area.left() : area.right()]
        return int((shown[:, shown.shape[1] * 2 // 5 : shown.shape[1] * 3 // 5] > 200).all(-1).sum())

    assert (wild.jobs.frame.before == wild.jobs.frame.picture).all()
    wild.action("compare_difference").trigger()
    assert letters() > 30
    place = wild.explorer.world.place(T01)
    x, _, z = place.props(place.cells[0])[0].position
    wild.explorer.go(T01, None, (x / ONE / TILE_UNITS, z / ONE / TILE_UNITS))
    settle(wild)
    assert not (wild.jobs.frame.before == wild.jobs.frame.picture).all() and letters() == 0


def test_the_roms_are_swapped_and_layers_left_out(wild: Any, qtbot: Any, settle: Callable[[Any], None]) -> None:
    buttons = {button.text(): button for button in wild.changes.ways.findChildren(QToolButton)}
    assert {"Before", "After", "Weather", "People", "Swap the ROMs"} <= set(buttons)
    path, title = wild.explorer.rom_path, wild.explorer.place.header.title
    QTest.mouseClick(buttons["People"], Qt.LeftButton)
    assert not wild.explorer.layers["people"].visible
    QTest.mouseClick(buttons["Swap the ROMs"], Qt.LeftButton)
    state = wild.compare_mode.state
    qtbot.waitUntil(lambda: wild.explorer.rom_path == "demo" and state.path == path, timeout=60_000)
    settle(wild)
    assert wild.explorer.place.header.title == title and state.comparison.changes


def test_the_table_has_all_differences(wild: Any, qtbot: Any, settle: Callable[[Any], None]) -> None:
    """One row each, with a filter; what a cell cuts is in its tooltip, and a row leads to what it is about."""
    panel = wild.changes
    QTest.mouseClick(panel.all, Qt.LeftButton)
    assert panel.page.isVisible()
    table = panel.table

    def shown() -> list[tuple[str, ...]]:
        items = [table.topLevelItem(row) for row in range(table.topLevelItemCount())]
        assert all(item.toolTip(at) == item.text(at) for item in items for at in range(4))
        return [tuple(item.text(at) for at in range(4)) for item in items]

    def choose_only() -> None:
        QTest.mouseClick(table.viewport(), Qt.LeftButton, pos=table.visualItemRect(table.topLevelItem(0)).center())
        settle(wild)
        qtbot.waitUntil(lambda: wild.jobs.read.idle, timeout=20_000)

    assert len(shown()) == sum(len(thing.lines) > 0 for thing in rows(wild))
    for thing in rows(wild):  # those of many maps have no values
        panel.list.setCurrentIndex(panel.list.index_of(thing.subject))
    town, lake = (wild.explorer.world.place(name).header for name in (T01, "L01"))
    assert {where for where, *_ in shown()} >= {town.title, lake.title, "Other files"}
    QApplication.setActiveWindow(panel.page)
    table.setFocus()
    QTest.keyClick(table, Qt.Key_F, Qt.ControlModifier)
    assert panel.words.hasFocus()
    QTest.keyClicks(panel.words, "surf 0 %")
    [(where, what, before, after)] = shown()
    assert where == lake.title and "surf" in what and before == "0 %" and after.endswith(" %")
    choose_only()
    assert wild.explorer.place.header.id == lake.id and wild.explorer.selection.kind == "encounters"
    panel.words.clear()
    QTest.keyClicks(panel.words, "replaced")
    assert [row[0] for row in shown()] == [town.title]
    choose_only()
    assert wild.explorer.place.header.id == town.id and wild.explorer.selection.kind == "placed prop"
    for text in (panel.pair.toHtml(), panel.values.text()):
        pictures = re.findall(r'src=.(data:image/png;base64,[^"\']+)', text)
        assert len(pictures) == 2 and pictures[0] != pictures[1], "the prop before and after"
    panel.words.clear()
    QTest.keyClicks(panel.words, OTHER_FILE)
    choose_only()
    assert wild.docks.shown("files") and wild.files.filter.text() == OTHER_FILE
    panel.words.clear()
    QApplication.setActiveWindow(panel.page)
    QTest.mouseClick(panel.words, Qt.LeftButton)
    QTest.keyClick(panel.words, Qt.Key_Escape)
    assert not panel.page.isVisible()
