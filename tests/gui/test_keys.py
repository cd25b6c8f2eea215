"""Which part of the window gets the keys: after each key that opens something, in lists, fields and the start page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtGui import QKeySequence
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QInputDialog, QLineEdit, QListWidget

Wait = Callable[[Any], None]

LETTERS = "zkmnxltvcoruji,.[]1234 fhbuild_model rare"
"""Most of them are keys of actions."""
DIALOGS = {"open", "open_folder", "compare", "quit", "export_now", "screenshot", "copy_picture", "full_screen"}
"""Actions that ask for a file, end the window, write or change its size."""
TAKING_FOCUS = {
    *("show_events", "show_encounters", "show_names", "show_files", "show_script", "show_heights", "show_textures"),
    *("filter", "palette", "map_scripts"),
}
"""Actions whose key opens a panel or the palette, with the focus in it."""


def state(window: Any) -> tuple[Any, ...]:
    """What actions with keys of one letter change."""
    explorer, docks = window.explorer, window.docks
    return (
        [(layer.id, layer.visible) for layer in explorer.layers],
        (
            explorer.camera.kind,
            explorer.clock.playing,
            explorer.clock.tick,
            explorer.clock.second,
            explorer.options.weather,
        ),
        (
            window.views.wanted,
            explorer.options.all_cells,
            window.walk_mode.on,
            window.routes.shown,
            explorer.save_change,
        ),
        (docks.hidden, [name for name in docks.panels if docks.shown(name)], explorer.place.header.id),
    )


def press(keys: str) -> None:
    """Press the keys of a shortcut where the focus is."""
    code = QKeySequence(keys)[0]
    modifiers = Qt.KeyboardModifiers(code & int(Qt.KeyboardModifierMask))
    QTest.keyClick(QApplication.focusWidget(), code & ~int(Qt.KeyboardModifierMask), modifiers)


def type_letters(letters: str = LETTERS) -> None:
    """Type each letter where the focus is by then."""
    for letter in letters:
        QTest.keyClick(QApplication.focusWidget(), letter)


def test_after_each_key_that_opens_something_letters_are_typed_into_it(demo: Any, qtbot: Any, settle: Wait) -> None:
    views, taking = demo.views, set()
    assert len(LETTERS) >= 40
    for entry, _ in demo.action_set.usable():
        for key in () if entry.id in DIALOGS else demo.action_set.shortcuts.of(entry):
            views.active.setFocus(Qt.OtherFocusReason)
            before = state(demo)
            press(key)
            qtbot.wait(10)
            focus = QApplication.focusWidget()
            if focus is not None and focus is not views.active and focus.window() is demo:
                taking.add(entry.id)
                opened = state(demo)
                type_letters()
                assert state(demo) == opened, (entry.id, key)
                press("Escape")
                qtbot.wait(10)
                assert views.active.hasFocus(), (entry.id, key)
            elif focus is not views.active:
                QApplication.activeWindow().close()
                QApplication.setActiveWindow(demo)
            elif state(demo) != before:
                undo(demo)
    assert taking >= TAKING_FOCUS, TAKING_FOCUS - taking


def undo(window: Any) -> None:
    """Put back what a key changed."""
    from tests.gui.shared_windows import reset

    reset(window, window.jobs.rom, None)
    QTest.qWait(50)


@pytest.mark.parametrize("tabs", [0, 1, 2, 3])
def test_letters_on_the_start_page_do_not_act_below_it(demo: Any, qtbot: Any, tabs: int) -> None:
    demo.action("welcome").trigger()
    for _ in range(tabs):
        press("Tab")
    before = state(demo)
    type_letters(LETTERS.replace(" ", ""))  # a space presses the button that has the focus
    assert demo.dialogs.welcome.isAncestorOf(QApplication.focusWidget())
    press("Escape")
    assert state(demo) == before and not demo.dialogs.welcome.isVisible()


def test_letters_in_a_list_find_its_rows_and_escape_leads_back(demo: Any, qtbot: Any, settle: Wait) -> None:
    press("F2")
    qtbot.waitUntil(lambda: demo.events.list.total > 0)
    events = demo.events
    assert events.filter.hasFocus()
    QTest.keyClicks(events.filter, "e")
    press("Down")
    assert events.list.hasFocus() and events.list.thing(events.list.currentIndex()) is not None
    settle(demo)
    before = state(demo)[0:3]
    type_letters()
    assert state(demo)[0:3] == before
    press("Escape")
    assert demo.views.ds.hasFocus() and demo.docks.shown("events") and events.filter.text() == ""
    press("F2")
    assert demo.views.ds.hasFocus() and demo.docks["events"].isHidden()
    demo.docks.open("textures")
    demo.textures.here.setFocus(Qt.TabFocusReason)
    opened = state(demo)
    type_letters(LETTERS.replace(" ", ""))
    assert state(demo) == opened and demo.textures.here.hasFocus(), "letters are for what has the focus in a panel"


def test_hidden_panels_come_back_with_those_in_front(demo: Any, qtbot: Any, settle: Wait) -> None:
    for name in ("names", "script", "layers"):
        demo.docks.show(name)
    shown = [name for name in demo.docks.panels if demo.docks.shown(name)]
    assert set(shown) == {"names", "script", "layers"}
    demo.views.ds.setFocus()
    press("Z")
    qtbot.wait(10)
    assert not any(demo.docks.shown(name) for name in demo.docks.panels)
    press("Z")
    qtbot.wait(10)
    assert [name for name in demo.docks.panels if demo.docks.shown(name)] == shown


def test_a_click_on_a_layer_leaves_the_keys_to_the_picture(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.docks.show("layers")
    demo.views.ds.setFocus()
    qtbot.wait(10)
    box = demo.layers._boxes["collision"]
    QTest.mouseClick(box, Qt.LeftButton, pos=QPoint(8, box.height() // 2))
    assert demo.explorer.layers["collision"].visible and demo.views.ds.hasFocus()
    press("C")
    assert not demo.explorer.layers["collision"].visible


def test_the_list_of_recent_roms_keeps_letters(demo: Any) -> None:
    page = demo.dialogs.welcome
    page.open()
    assert isinstance(page.roms, QListWidget)
    page.roms.show()
    page.roms.setFocus()
    before = state(demo)
    type_letters()
    assert state(demo) == before
    page.hide()


def test_words_of_a_script_are_found(demo: Any, qtbot: Any, settle: Wait) -> None:
    press("Shift+X")
    panel = demo.script
    qtbot.waitUntil(lambda: panel.page is not None and panel.view.texts != [], timeout=20_000)
    press("Ctrl+F")
    assert panel.field.hasFocus() and not demo.maps.filter.hasFocus()
    before = state(demo)
    QTest.keyClicks(panel.field, "message")
    assert state(demo) == before
    found = [row for row, text in enumerate(panel.view.texts) if "message" in text.lower()]
    assert len(found) > 2

    def row() -> int:
        return int(panel.view.lines[panel.view.currentIndex().row()].row)

    assert row() == found[0]
    for expected in (*found[1:], found[0]):
        press("Return")
        assert row() == expected
    QTest.keyClicks(panel.field, "qqz")
    assert panel.message.isVisible() and panel.message.text() == "No line has these words."
    press("Escape")
    assert panel.field.text() == "" and demo.views.ds.hasFocus() and not panel.message.isVisible()
    press("F2")
    press("Ctrl+F")
    assert demo.events.filter.hasFocus()
    press("Escape")
    press("Ctrl+F")
    assert demo.maps.filter.hasFocus()


def test_down_and_enter_in_the_filter_of_all_models(demo: Any, qtbot: Any, settle: Wait) -> None:
    press("F4")
    models = demo.models
    qtbot.waitUntil(lambda: models.list.total > 2, timeout=20_000)
    assert models.filter.hasFocus()
    press("Down")
    first, *_ = models.list.shown
    assert models.list.hasFocus() and demo.explorer.selection == first.subject
    press("F4")
    assert not models.isVisible() and demo.views.ds.hasFocus()


def test_a_tile_is_typed_with_a_space(demo: Any, settle: Wait) -> None:
    for text in ("20 40", "20, 40", "20,40"):
        demo.explorer.look_at_tile(10, 35)
        press("Ctrl+T")
        (dialog,) = [each for each in demo.findChildren(QInputDialog) if each.isVisible()]
        line = dialog.findChild(QLineEdit)
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key_Return)
        assert tuple(map(int, demo.explorer.tile)) == (20, 40)
    assert not demo.notices.shown


def test_the_theme_is_chosen_in_the_preferences(demo: Any, qtbot: Any) -> None:
    from mapexplorer.gui.widgets import theme

    press("Ctrl+,")
    dialog = demo.dialogs.preferences
    QApplication.setActiveWindow(dialog)
    QTest.keyClick(dialog.theme, Qt.Key_End)
    assert theme.colors() == theme.DARK_COLORS and demo.action("theme_dark").isChecked()
    QTest.keyClick(dialog.theme, Qt.Key_Home)
    assert demo.explorer.settings.get("theme") == theme.SYSTEM
    dialog.close()
    demo.action("theme_light").trigger()
    demo.action("preferences").trigger()
    assert dialog.theme.currentData() == theme.LIGHT
    dialog.close()


def test_escape_leads_back_from_the_clock(demo: Any) -> None:
    for widget in (demo.clock_bar.slider, demo.clock_bar.weather, demo.clock_bar.speed):
        widget.setFocus()
        press("Escape")
        assert demo.views.ds.hasFocus()
