"""Clicking in the real window, and what its panels say of what was clicked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, Qt, QUrl
from PyQt5.QtGui import QImage, QTextDocument
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication

from mapexplorer.world.subject import subject
from tests.gui.test_fitting import broken_words

Wait = Callable[[Any], None]


def test_clicking_a_pixel_names_the_prop_and_the_polygon(town: Any, qtbot: Any, settle: Wait, click: Any) -> None:
    found = 0
    for low, high in town.jobs.overlay.props.values():
        flat, front = town.views.ds.projection().project(((low + high) / 2)[None])
        if not front.all() or not (0.1 < flat[0, 0] < 0.9 and 0.1 < flat[0, 1] < 0.9):
            continue
        click(town, *flat[0].tolist())
        qtbot.waitUntil(
            lambda: town.inspection._pixel is not None and town.explorer.selection.kind != "header", timeout=30_000
        )
        settle(town)
        found += town.explorer.selection.kind == "placed prop"
        text = town.inspector.browser.toPlainText()
        assert "Polygon" in text and "Model" in text
    assert found >= 1


def show_layer(window: Any, layer: str, pixels: Any) -> None:
    """Show a layer over the picture, which must then look different."""
    before = pixels(window.views.ds)
    window.action(f"layer_{layer}").trigger()
    QApplication.processEvents()
    assert (pixels(window.views.ds) != before).any()


def ground(window: Any, x: int, z: int) -> np.ndarray:
    """The corners of a tile on the ground."""
    part = next(part for part in window.jobs.overlay.cells if (part.cell.x, part.cell.z) == (x // 32, z // 32))
    return part.ground.tiles[z % 32, x % 32]


@pytest.mark.parametrize("kind", ["object", "warp", "sign", "trigger"])
def test_clicking_an_event_selects_it(
    town: Any, settle: Wait, pixels: Any, point_of: Any, click: Any, kind: str
) -> None:
    events = town.jobs.overlay.events
    middles = [events.faces_of(number).mean((0, 1)) for number in range(len(events.things))]
    # One whose tiles no other event shares: of those that lie on each other the topmost would be selected.
    number, thing = next(
        (number, thing)
        for number, thing in enumerate(events.things)
        if thing.kind == kind
        and all(abs(middles[number] - other).max() > 24 for at, other in enumerate(middles) if at != number)
    )
    town.explorer.look_at_tile(*(middles[number][[0, 2]] / 16).tolist())
    settle(town)
    show_layer(town, "events", pixels)
    click(town, *point_of(town, events.faces_of(number)[0]))
    settle(town)
    chosen = town.explorer.selection
    assert (chosen.kind, chosen.key) == (thing.kind, thing.key)
    text = town.inspector.browser.toPlainText()
    title, about, *_ = text.splitlines()
    assert about.startswith(f"{kind} {thing.key[1]} · ") and town.explorer.place.header.location_name in text
    assert title.lower() in [row.title.lower() for row in town.events.list.shown] or not town.events.list.shown
    assert ("Leads to" if kind == "warp" else "Script") in text
    if town.explorer.rom_path != "demo":
        assert town.bytes.raw.path.endswith("zone_event.narc[390]")


def test_the_label_of_an_event_names_a_room_and_selects_the_event(
    real: Any, settle: Wait, pixels: Any, click: Any
) -> None:
    real.explorer.go(real.explorer.world.place("C01").header.id)
    settle(real)
    show_layer(real, "events", pixels)
    view = real.views.ds
    spots = [(x / 100, y / 100) for y in range(100) for x in range(100)]
    labelled = [spot for spot in spots if (thing := view.labelled(*spot)) and thing.label == "→ Jubilife TV"]
    click(real, *np.mean(labelled, 0))  # one at the edge is rounded to a pixel beside the label
    settle(real)
    assert real.explorer.selection is not None and real.explorer.selection.kind == "warp"
    assert real.inspector.browser.toPlainText().startswith("To Jubilife TV, 1F")
    real.action("layer_events").trigger()
    QApplication.processEvents()
    assert not any(view.labelled(*spot) for spot in spots)


def test_people_whom_a_flag_hides_are_grey(real: Any, settle: Wait) -> None:
    real.explorer.go(real.explorer.world.place("C01").header.id)
    settle(real)
    hidden, events = subject("object", real.explorer.place.header.id, 7), real.explorer.place.events
    assert hidden in real.explorer.absent and subject("object", hidden.key[0], 0) not in real.explorer.absent
    real.explorer.look_at_tile(*(int(events.objects[7][axis]) for axis in "xz"))
    settle(real)
    real.action("layer_events").trigger()
    QApplication.processEvents()
    view = real.views.ds
    picture, area = view.grab().toImage(), view.picture()

    def greenness(label: str) -> int:
        """How much greener than red the label of an event is, at its upper left corner."""
        spots = [(x / 200, y / 200) for y in range(200) for x in range(200)]
        x, y = next(spot for spot in spots if (thing := view.labelled(*spot)) and thing.label == label)
        at = QPoint(round(area.x() + x * area.width()) + 2, round(area.y() + y * area.height()) + 2)
        colour = picture.pixelColor(at * view.devicePixelRatio())
        return colour.green() - colour.red()

    assert abs(greenness("object 7")) < 20 and greenness("Map signpost") > 60


def test_clicking_a_plate_selects_the_one_that_holds_the_spot(
    town: Any, settle: Wait, pixels: Any, point_of: Any, click: Any
) -> None:
    show_layer(town, "plates", pixels)
    place = town.explorer.place
    x, z = (int(value) for value in town.explorer.tile)
    answer = place.height(x * 16 + 8, z * 16 + 8)
    assert len(answer.candidates) == 1
    click(town, *point_of(town, ground(town, x, z)))
    settle(town)
    assert town.explorer.selection == subject("plate", place.matrix_id.value, x // 32, z // 32, answer.plate)
    text = town.inspector.browser.toPlainText()
    assert "Plane" in text and "Slope" in text and "In strips" in text


@pytest.mark.parametrize(
    ("layer", "name", "words"), [("collision", "T01", "blocked"), ("behaviours", "F01", "tall grass")]
)
def test_clicking_a_tile_says_what_it_does(
    demo: Any, settle: Wait, pixels: Any, point_of: Any, click: Any, layer: str, name: str, words: str
) -> None:
    demo.explorer.go(demo.explorer.world.place(name).header.id)
    settle(demo)
    part = next(part for part in demo.jobs.overlay.cells if part.cell in demo.explorer.place.cells)
    found = part.ground.blocked if layer == "collision" else part.ground.behaviours == 2
    inside = np.argwhere(found[8:24, 8:24])[0] + 8
    x, z = part.cell.x * 32 + int(inside[1]), part.cell.z * 32 + int(inside[0])
    demo.explorer.look_at_tile(x, z)
    settle(demo)
    show_layer(demo, layer, pixels)
    click(demo, *point_of(demo, ground(demo, x, z)))
    settle(demo)
    assert demo.explorer.selection == subject("tile", demo.explorer.place.matrix_id.value, x, z)
    text = demo.inspector.browser.toPlainText()
    assert text.startswith(f"Tile ({x}, {z})") and words in text


def test_clicking_the_ground_names_its_tile_and_the_polygon_of_the_terrain(
    town: Any, qtbot: Any, settle: Wait, point_of: Any, click: Any
) -> None:
    x, z = (int(value) + aside for value, aside in zip(town.explorer.tile, (-2, 1), strict=True))
    click(town, *point_of(town, ground(town, x, z)))
    qtbot.waitUntil(lambda: town.inspection._pixel is not None, timeout=30_000)
    settle(town)
    assert town.explorer.selection == subject("tile", town.explorer.place.matrix_id.value, x, z)
    town.inspector.sources.click()
    text = town.inspector.browser.toPlainText()
    area, header, terrain = (
        (0, 4, "demo_0_1 · terrain 2") if town.explorer.rom_path == "demo" else (6, 411, "terrain 0")
    )
    assert "Polygon" in text and terrain in text
    assert f"map_tex_set[{area}] because area {area} of header {header}" in text


def test_sources_are_shown_by_a_switch_and_else_as_hints(real: Any, qtbot: Any, settle: Wait) -> None:
    settle(real)
    panel, header = real.inspector, real.explorer.place.header
    real.inspection.select(subject("header", header.id))
    settle(real)
    words = f"mapname[{header.id}] because it is the entry of header {header.id}"
    assert words not in panel.browser.toPlainText()
    document = panel.browser.document()
    at = document.find(header.internal_name, document.find("Internal name"))
    assert at.charFormat().toolTip() == words
    qtbot.mouseClick(panel.sources, Qt.LeftButton, pos=QPoint(8, panel.sources.height() // 2))
    assert words in panel.browser.toPlainText() and real.explorer.settings.get("sources") is True
    assert words in panel.copied()[0]


def test_a_trainer_has_a_name_a_picture_and_what_it_says_before_its_numbers(real: Any, settle: Wait) -> None:
    lass = subject("object", real.explorer.world.place("R202").header.id, 1)
    real.inspection.select(lass)
    settle(real)
    lines = [line for line in real.inspector.browser.toPlainText().splitlines() if line]
    assert lines[0].replace("\ufffc", "").strip() == "Lass Natalie" and lines[1] == "object 1 · lass"
    assert lines[2:4] == ["Says", "I spy, with my little eye..."] and lines.index("Trainer") < lines.index("Local id")
    pictured = QTextDocument.ImageResource, QUrl(subject("object graphics", 6).address)
    assert real.inspector.browser.document().resource(*pictured) is not None
    assert "<img" in real.inspector.browser.toHtml()


def test_a_thing_has_one_name_in_the_inspector_the_lists_and_scripts(real: Any, qtbot: Any, settle: Wait) -> None:
    headers = {header.internal_name: header.id for header in real.explorer.world.headers}
    town, variable = headers["T01"], "variable 0x4070 (twinleaf_town_guitarist_trigger_state)"
    expected = {
        subject("header", headers["R202"]): "SEQ_ROAD_A_D",
        subject("trigger", town, 0): variable,
        subject("object", town, 3): "Guitarist",
        subject("tile", 0, 116, 886): "Tile (116, 886)\nWhere",
    }
    for thing, words in expected.items():
        real.inspection.select(thing)
        settle(real)
        assert words in real.inspector.browser.toPlainText(), thing
    real.inspection.select(subject("header", town))
    settle(real)
    assert "MAP_HEADER_TWINLEAF_TOWN" in real.inspector.browser.toPlainText() and broken_words(real) == []
    real.inspection.show(subject("object", town, 3))
    real.action("show_events").trigger()
    qtbot.waitUntil(lambda: any("Guitarist" in row.title for row in real.events.list.shown), timeout=60_000)
    real.inspection.select(subject("script", town, 4))
    real.docks.show("script")
    qtbot.waitUntil(lambda: variable in real.script.copied()[0], timeout=60_000)
    assert "ApplyMovement 3 (Guitarist), -> 3B0  ; Guitarist walks" in real.script.copied()[0]


def test_clicking_a_person_names_the_object_event(
    town: Any, qtbot: Any, settle: Wait, point_of: Any, click: Any, shown_picture: Any
) -> None:
    header = town.explorer.place.header.id
    person = subject("object", header, 3 if header == 411 else 0)
    town.explorer.look_at_tile(*(town.jobs.overlay.faces_of(person).mean((0, 1))[[0, 2]] / 16).tolist())
    settle(town)
    with_people = shown_picture(town)
    town.action("layer_people").trigger()
    settle(town)
    painted = np.argwhere((shown_picture(town) != with_people).any(2))
    town.action("layer_people").trigger()
    settle(town)
    x, y = point_of(town, town.jobs.overlay.faces_of(person)[0])
    own = painted[np.abs(painted - (y * 192, x * 256)).max(1) < 16]
    row, column = np.median(own, axis=0)
    click(town, (column + 0.5) / 256, (row + 0.5) / 192)
    qtbot.waitUntil(lambda: town.inspection._pixel is not None, timeout=30_000)
    settle(town)
    assert town.explorer.selection == person
    text = town.inspector.browser.toPlainText()
    assert "Object event" in text and "Graphics" in text and "Polygon" in text


def test_facts_of_another_rom_do_not_stay(demo: Any, opened: Callable[[str], Any]) -> None:
    assert "Millbrook" in demo.inspector.copied()[0]
    told: list[str] = []
    demo.explorer.rom_changed.connect(lambda: told.append(demo.inspector.copied()[0]))
    opened("demo")
    assert told == [""]


def test_links_of_the_inspector_lead_on(town: Any, qtbot: Any, settle: Wait) -> None:
    area = town.explorer.place.area_id.value
    town.inspector.browser.anchorClicked.emit(QUrl(f"area:{area}"))
    settle(town)
    text = town.inspector.browser.toPlainText()
    assert text.startswith(f"Area {area}") and "Used by" in text
    assert town.bytes.raw.path.endswith(f"area_data.narc[{area}]")
    town.action("copy_json").trigger()
    assert f'"title": "Area {area}"' in QApplication.clipboard().text()


def test_a_link_to_an_event_of_another_map_leads_to_its_tile(real: Any, settle: Wait) -> None:
    real.explorer.go(3)
    settle(real)
    real.inspector.browser.anchorClicked.emit(QUrl("sign:411/0"))
    settle(real)
    sign = real.explorer.world.events(411).background[0]
    assert real.explorer.place.header.id == 411 and real.explorer.selection == subject("sign", 411, 0)
    assert real.explorer.tile == pytest.approx((sign["x"] + 0.5, sign["z"] + 0.5))


def test_hovering_names_the_tile_and_feeds_the_laboratory(demo: Any, qtbot: Any) -> None:
    demo.docks.show("heights")
    qtbot.waitUntil(lambda: demo.heights.isVisible())
    demo.picking.hover(demo.views.ds, 0.5, 0.6)
    words = demo.status.cursor.text()
    assert words.startswith("tile (") and "height" in words
    assert demo.heights.answer is not None
    assert abs(demo.heights.answer.x - demo.picking.hovered[0]) < 1e-6
    assert "strip" in demo.heights.text.toPlainText()


def test_textures_and_models_are_listed_and_drawn(demo: Any, qtbot: Any) -> None:
    demo.docks.show("textures")
    qtbot.waitUntil(lambda: demo.textures.list.count() > 3, timeout=60_000)
    assert demo.textures.picture.pixmap() is not None
    demo.docks.show("models")
    qtbot.waitUntil(lambda: demo.models.view.drawn >= 0, timeout=60_000)
    assert demo.models.view.drawn == demo.models.current
    picture = demo.models.view.table.pixmap().toImage().convertToFormat(QImage.Format_RGB32)
    colors = {picture.pixel(x, y) for x in range(0, 256, 4) for y in range(0, 192, 4)}
    assert len(colors) > 5
    demo.models.list.choose_first()
    qtbot.waitUntil(lambda: "build_model" in demo.inspector.browser.toPlainText())


def test_panels_behind_another_one_ask_for_nothing(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.docks.show("inspector")
    other = next(header.id for header in demo.explorer.world.headers if header.id != demo.explorer.place.header.id)
    demo.explorer.go(other)
    settle(demo)
    qtbot.waitUntil(lambda: demo.jobs.read.idle, timeout=60_000)
    assert demo.textures.copied()[1]["textures"] == [] and demo.models.copied()[1] == [] and demo.heights.answer is None
    for panel in ("textures", "models", "heights"):
        demo.docks.show(panel)
    demo.docks.show("textures")
    qtbot.waitUntil(lambda: demo.textures.list.count() > 0, timeout=60_000)
    demo.docks.show("models")
    qtbot.waitUntil(lambda: demo.models.view.drawn >= 0, timeout=60_000)
    demo.docks.show("heights")
    qtbot.waitUntil(lambda: "strip" in demo.heights.copied()[0], timeout=60_000)


@pytest.mark.parametrize("panel", ["maps", "matrix", "inspector", "layers", "heights", "textures", "models", "bytes"])
def test_every_panel_is_copied_as_text_and_as_json(demo: Any, qtbot: Any, settle: Wait, panel: str) -> None:
    from PyQt5.QtWidgets import QMenu

    if panel == "matrix":
        demo.action("show_matrix").trigger()
    demo.docks.show(panel)
    qtbot.waitUntil(
        lambda: panel not in ("textures", "models") or bool(getattr(demo, panel).copied()[1]), timeout=60_000
    )
    if panel == "textures":
        qtbot.waitUntil(lambda: demo.textures.list.count() > 0, timeout=60_000)
    if panel == "heights":
        qtbot.waitUntil(lambda: demo.heights.copied()[1]["cell"] is not None, timeout=60_000)
    settle(demo)
    shown = {
        "maps": demo.maps.list,
        "matrix": demo.matrix,
        "inspector": demo.inspector.browser,
        "layers": demo.layers,
        "heights": demo.heights.text,
        "textures": demo.textures.list,
        "models": demo.models.list,
        "bytes": demo.bytes.fields,
    }[panel]
    words = {
        "maps": "T01",
        "matrix": "0",
        "inspector": demo.explorer.place.header.internal_name,
        "layers": "Collision",
        "heights": "strip",
        "textures": demo.textures.list.item(0).text() if panel == "textures" else "",
        "models": str(demo.models.current),
        "bytes": "preload_list",
    }[panel]
    copied = {}
    for form in ("text", "JSON"):
        QApplication.clipboard().clear()
        shown.customContextMenuRequested.emit(QPoint(5, 5))
        menu = next(menu for menu in shown.findChildren(QMenu) if menu.isVisible())
        next(action for action in menu.actions() if action.text() == f"Copy all as {form}").trigger()
        menu.close()
        copied[form] = QApplication.clipboard().text()
    assert words in copied["text"]
    assert json.loads(copied["JSON"])
    if panel not in ("maps", "matrix"):
        demo.action("copy_text").trigger()
        assert QApplication.clipboard().text() == copied["text"]


def test_clips_of_a_model_play_one_at_a_time_and_rest(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(411)
    settle(real)
    real.docks.show("models")
    models = real.models
    qtbot.waitUntil(lambda: models.view.drawn >= 0, timeout=60_000)
    models.filter.setText("t1_door1")
    models.list.choose_first()
    qtbot.waitUntil(lambda: models.view.drawn == 67, timeout=30_000)
    assert [models.view.clips.itemText(row).split()[0] for row in range(models.view.clips.count())] == [
        "Still",
        "door_op",
        "door_cl",
        "door_op_out",
        "door_cl_out",
    ]
    still = models.view.table.pixmap().toImage()
    models.view.clips.setCurrentIndex(1)
    qtbot.waitUntil(lambda: models.view.tick >= 6 and models.view.table.pixmap().toImage() != still, timeout=30_000)
    models.view.clips.setCurrentIndex(0)
    qtbot.waitUntil(lambda: not models.view.table.waiting, timeout=30_000)
    assert not models.view.playing and models.view.table.pixmap().toImage() == still
    models.filter.setText("t1_h01")
    models.list.choose_first()
    qtbot.waitUntil(lambda: models.view.clips.currentText() == "No animations", timeout=30_000)
    assert not models.view.clips.isEnabled() and models.view.clips.currentText() == "No animations"


def test_bytes_are_those_of_the_whole_file_and_lead_to_their_fields(real: Any, qtbot: Any, settle: Wait) -> None:
    """The bytes of a warp, by clicks and by keys alone."""
    real.explorer.go(411)
    settle(real)
    real.jobs.select(subject("warp", 411, 0))
    settle(real)
    panel, view = real.bytes, real.bytes.hex
    assert panel.raw is not None and view.raw is None  # filled when it can be seen
    real.docks.show("bytes")
    qtbot.waitUntil(lambda: view.raw is panel.raw)
    assert len(panel.raw.data) == 372 and not view.horizontalScrollBar().maximum()
    assert [panel.raw.is_own(offset) for offset in range(0x11F, 0x12D)] == [False, *[True] * 12, False]
    bar = view.verticalScrollBar()
    assert bar.value() <= 0x120 // view.row < bar.value() + bar.pageStep()
    # A click on a byte names its field, value and meaning.
    QTest.mouseClick(view.viewport(), Qt.LeftButton, Qt.NoModifier, view.place_of(0x124).center())
    assert panel.said.text() == "0x124  warps 0: header: 412 (Twinleaf Town, Rival House 1F; U16)"
    assert view.accessibleDescription() == panel.said.text() and view.marked == (0x124, 2)
    row = panel.fields.currentItem()
    assert row.text(0) == "header" and row.parent().text(0) == "warps 0" and row.parent().parent().text(0) == "warps"
    # A click on a field marks its bytes.
    panel.fields.setFocus()
    QTest.keyClick(panel.fields, Qt.Key_Up)
    assert view.marked == (0x122, 2) and "warps 0: z: 875" in panel.said.text()
    # Keys lead through the file, and are no actions of the window.
    view.setFocus()
    for key, at in ((Qt.Key_Right, 0x123), (Qt.Key_Down, 0x123 + view.row), (Qt.Key_Home, 0x120 + view.row)):
        QTest.keyClick(view, key)
        assert view.at == at
    QTest.keyClick(view, Qt.Key_End, Qt.ControlModifier)
    assert view.at == 371 and view.marked[0] <= 371 and bar.value() == bar.maximum()
    QTest.keyClick(view, Qt.Key_Home, Qt.ControlModifier)
    assert view.at == 0 and bar.value() == 0 and "background: count: 1" in panel.said.text()


def test_a_program_of_a_megabyte_is_shown_at_the_row_of_a_header(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(411)
    settle(real)
    real.docks.show("bytes")
    view = real.bytes.hex
    qtbot.waitUntil(lambda: view.raw is real.bytes.raw and view.marked[1] > 0)
    start = real.bytes.raw.data.index(real.explorer.world.headers[411].record.to_bytes())
    assert len(real.bytes.raw.data) > 1 << 20 and view.marked == (start, 1)
    QTest.mouseClick(view.viewport(), Qt.LeftButton, Qt.NoModifier, view.place_of(start + 16).center())
    assert "header 411: events: 390" in real.bytes.said.text()
    QTest.keyClick(view, Qt.Key_Home, Qt.ControlModifier)
    assert "not decoded" in real.bytes.said.text()
