"""Events, wild Pokémon, names and scripts in the real window: what is shown, and where clicks lead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PyQt5.QtCore import QPoint, Qt

from mapexplorer.gui.model.history import BACK
from mapexplorer.gui.widgets import theme

Wait = Callable[[Any], None]


def rows(panel: Any) -> list[Any]:
    return [row for group in panel.list.groups for row in group.rows]


def click_row(qtbot: Any, panel: Any, row: Any) -> None:
    """Clicks a row of a list."""
    view = panel.list
    index = view.index_of(row.subject)
    view.scrollTo(index)
    qtbot.mouseClick(view.viewport(), Qt.LeftButton, pos=view.visualRect(index).center())


def show(window: Any, qtbot: Any, name: str) -> None:
    window.docks.show(name)
    qtbot.waitUntil(lambda: window.docks.shown(name))
    qtbot.wait(1)
    qtbot.waitUntil(lambda: window.jobs.read.idle, timeout=60_000)
    qtbot.wait(1)


def at_rest(window: Any, qtbot: Any, settle: Wait) -> None:
    settle(window)
    qtbot.waitUntil(lambda: window.jobs.read.idle, timeout=60_000)
    qtbot.wait(1)


def test_a_click_on_an_event_selects_it_and_looks_at_it(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.explorer.go(demo.explorer.world.place("T01").header.id)
    at_rest(demo, qtbot, settle)
    show(demo, qtbot, "events")
    assert demo.events.list.groups[0].title == "People and things"
    sign = next(row for row in rows(demo.events) if row.side == "13, 33")
    assert "Millbrook" in sign.lines[0]
    click_row(qtbot, demo.events, sign)
    at_rest(demo, qtbot, settle)
    assert demo.explorer.selection == sign.subject
    assert tuple(int(one) for one in demo.explorer.tile) == (13, 33)
    assert "Millbrook" in demo.inspector.copied()[0]
    # What is selected elsewhere is marked in the list.
    other = next(row for row in rows(demo.events) if row.subject.kind == "warp")
    demo.jobs.select(other.subject)
    assert demo.events.list.thing(demo.events.list.currentIndex()) == other
    qtbot.keyClicks(demo.events.filter, "13, 33")
    assert [row.side for row in rows(demo.events)] == ["13, 33"] and demo.events.count.text().startswith("1 of ")
    demo.events.filter.clear()
    qtbot.keyClicks(demo.events.filter, "warps")
    assert {row.subject.kind for row in rows(demo.events)} == {"warp"}, "a heading stands for its rows"


def test_things_that_stand_on_one_tile_are_all_reached(real: Any, qtbot: Any, settle: Wait) -> None:
    world = real.explorer.world
    header, spot = next((header.id, spot) for header in world.headers for spot in stacked(world, header.id))
    real.explorer.go(header)
    at_rest(real, qtbot, settle)
    show(real, qtbot, "events")
    here = [row for row in rows(real.events) if row.side == f"{spot[0]}, {spot[1]}"]
    assert len(here) > 1
    for row in here:
        click_row(qtbot, real.events, row)
        assert real.explorer.selection == row.subject


def stacked(world: Any, header: int) -> list[tuple[int, int]]:
    """Tiles with several objects."""
    events = world.events(header)
    if events is None or not world.place(header).cells:
        return []
    spots = list(zip(events.objects["x"].tolist(), events.objects["z"].tolist(), strict=True))
    return [spot for spot in dict.fromkeys(spots) if spots.count(spot) > 1]


def test_the_script_of_what_is_selected_is_shown_with_links(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.explorer.go(demo.explorer.world.place("T01").header.id)
    at_rest(demo, qtbot, settle)
    show(demo, qtbot, "events")
    person = next(row for row in rows(demo.events) if row.side == "21, 38")
    click_row(qtbot, demo.events, person)
    show(demo, qtbot, "script")
    view = demo.script.view
    text = demo.script.copied()[0]
    assert "The inn keeps a bed for you" in text and demo.script.page.shown == person.subject
    shown = "".join(view.model().index(row, 0).data().strip() for row in range(view.model().rowCount()))
    assert "Theinnkeepsabedforyou" in "".join(shown.split()), "wide letters break its lines elsewhere"
    click_link(qtbot, view, "text")
    at_rest(demo, qtbot, settle)
    assert demo.explorer.selection.kind == "text" and "The inn keeps a bed for you" in demo.inspector.copied()[0]


def click_link(qtbot: Any, view: Any, kind: str) -> None:
    """Clicks the first link to a thing of a kind, or to an offset ("offset")."""
    for number, line in enumerate(view.lines):
        for column in range(line.column, line.column + line.stop - line.start):
            part = view.part_at(number, column)
            target = part.target if part is not None else None
            found = "offset" if isinstance(target, int) else target.kind if target is not None else ""
            if found == kind:
                view.scrollTo(view.model().index(number, 0))
                spot = view.visualRect(view.model().index(number, 0)).topLeft()
                at = QPoint(round(view.left + (column + 0.5) * view.character), spot.y() + view.line_height // 2)
                qtbot.mouseClick(view.viewport(), Qt.LeftButton, pos=at)
                return
    raise AssertionError(f"no link to a {kind}")


def test_jumps_are_followed_and_undone_and_dead_code_is_marked(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(real.explorer.world.place("T02").header.id)
    at_rest(real, qtbot, settle)
    real.action("map_scripts").trigger()
    show(real, qtbot, "script")
    panel = real.script
    assert any(row.dead for row in panel.page.rows) == ("no entry leads here" in panel.copied()[0])
    first = panel.page.shown
    click_link(qtbot, panel.view, "offset")
    offset = panel.view.rows[panel.view.lines[panel.view.currentIndex().row()].row].offset
    assert offset is not None and panel.history.can_go(BACK)
    real.action("initial_scripts").trigger()
    show(real, qtbot, "script")
    assert panel.page.shown.kind == "scripts" and "initial scripts" in panel.heading.text()
    panel.back_button.click()
    show(real, qtbot, "script")
    assert panel.page.shown == first
    line = panel.view.lines[panel.view.currentIndex().row()]
    assert panel.view.rows[line.row].offset == offset
    panel.forward_button.click()
    show(real, qtbot, "script")
    assert panel.page.shown.kind == "scripts"


def test_a_movement_list_is_drawn_on_the_map(real: Any, qtbot: Any, settle: Wait, pixels: Any) -> None:
    real.explorer.go(real.explorer.world.place("T02").header.id)
    at_rest(real, qtbot, settle)
    real.action("map_scripts").trigger()
    show(real, qtbot, "script")
    offset, path = next(iter(real.script.page.paths.items()))
    real.explorer.look_at_tile(*path[0])
    at_rest(real, qtbot, settle)
    before = pixels(real.views.ds)
    assert real.script.view.go_to(offset)
    view = real.script.view
    index = view.currentIndex()
    qtbot.mouseClick(view.viewport(), Qt.LeftButton, pos=view.visualRect(index).topLeft() + QPoint(8, 4))
    assert len(real.explorer.marks.trail) == len(path) > 1
    assert (pixels(real.views.ds) != before).any()


def test_switching_a_flag_changes_the_map(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(real.explorer.world.place("T02").header.id)
    at_rest(real, qtbot, settle)
    show(real, qtbot, "events")
    hidden = next(row for row in rows(real.events) if row.faint)
    click_row(qtbot, real.events, hidden)
    at_rest(real, qtbot, settle)
    before = real.jobs.frame.picture
    flag = real.commands.selected_flag()
    assert real.action("switch_flag").isChecked()
    qtbot.keyClick(real, Qt.Key_Y)
    at_rest(real, qtbot, settle)
    assert not real.action("switch_flag").isChecked() and flag not in real.explorer.save.flags
    assert (real.jobs.frame.picture != before).any()
    again = next(row for row in rows(real.events) if row.subject == hidden.subject)
    assert not again.faint
    assert real.status.save.text() == "1 change of the save" and real.status.save.isVisible()
    row = real.events.list.visualRect(real.events.list.index_of(hidden.subject))
    marked = real.events.list.viewport().grab(row).toImage().pixelColor(1, row.height() // 2).name()
    assert marked == theme.colors().accent
    real.setFocus()
    for key, modifiers, changes in (
        (Qt.Key_Z, Qt.ControlModifier, 0),
        (Qt.Key_Z, Qt.ControlModifier | Qt.ShiftModifier, 1),
        (Qt.Key_Y, Qt.NoModifier, 0),
        (Qt.Key_Z, Qt.ControlModifier, 1),
    ):
        qtbot.keyClick(real.views.active, key, modifiers)
        assert (flag in real.explorer.save.flags) == (not changes) and len(real.explorer.save_change) == changes
    real.action("fresh_save").trigger()
    assert not real.status.save.isVisible()
    at_rest(real, qtbot, settle)
    assert np.array_equal(real.jobs.frame.picture, before)


def test_names_are_found_though_misspelled(real: Any, qtbot: Any, settle: Wait) -> None:
    show(real, qtbot, "names")
    for typed, kind, name in (("moonstoen", "item", "Moon Stone"), ("pikachoo", "species", "PIKACHU")):
        real.names.field.clear()
        qtbot.keyClicks(real.names.field, typed)
        qtbot.waitUntil(lambda kind=kind: kind in {one.subject.kind for one in real.names.found}, timeout=60_000)
        assert name in {entry.name for entry in real.names.found}
    qtbot.keyClick(real.names.field, Qt.Key_Return)
    at_rest(real, qtbot, settle)
    assert "PIKACHU" in real.inspector.copied()[0]


def test_all_panels_work_on_the_demo_world(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.explorer.go(demo.explorer.world.place("F01").header.id)
    at_rest(demo, qtbot, settle)
    for name in ("events", "encounters", "script"):
        show(demo, qtbot, name)
    assert rows(demo.events) and demo.script.page is not None
    night = next(group for group in demo.encounters.list.groups if group.title == "Grass, night (20-4 h)")
    assert [(row.subject.key[0], row.side) for row in night.rows] == [(1, "40 %"), (2, "40 %"), (5, "20 %")]
    demo.action("map_trainers").trigger()
    qtbot.waitUntil(lambda: bool(demo.names.found), timeout=60_000)
    assert [one.numbers for one in demo.names.found] == [(1,)]
    for name in ("events", "encounters", "names", "script"):
        panel = getattr(demo, name)
        assert panel.copied()[0] and panel.copied()[1]


def test_breaks_of_messages_are_signs_of_the_same_width() -> None:
    from mapexplorer.gui.widgets.script_view import shown_text
    from mapexplorer.inspector.script.script_lines import LinePart, PartRole, quoted

    text = quoted("One\nTwo\rThree\fFour")
    shown = shown_text(LinePart(text, PartRole.MESSAGE))
    assert shown == '"One↵ Two▼ Three▼ Four"' and len(shown) == len(text)
    assert shown_text(LinePart(text, PartRole.NAME)) == text
