"""Talking and reading in a walk, the entrance at which it begins, and refusals at their tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PyQt5.QtCore import Qt
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication

from mapexplorer.gameplay.conversation import pages_of
from mapexplorer.inspector.places.map_events import find_events
from mapexplorer.world.direction import Direction

Wait = Callable[[Any], None]


def press(key: int) -> None:
    QTest.keyClick(QApplication.focusWidget(), key)


def texts_of(window: Any, kind: str, number: int) -> list[str]:
    """The pages of the texts of an event."""
    explorer = window.explorer
    events = find_events(explorer.world, explorer.place.header.id, explorer.save).events
    [event] = [event for event in events if (event.kind, event.index) == (kind, number)]
    return [page for text in event.texts for page in pages_of(text)]


def face(window: Any, x: int, z: int) -> None:
    """Walk, and stand south of a tile, facing it."""
    press(Qt.Key_K)
    walking = window.walk_mode.walking
    walking.put(x, z + 1)
    walking.walker.facing = Direction(0)


def place_of(window: Any, events: str, number: int) -> tuple[int, int]:
    record = getattr(window.explorer.world.events(window.explorer.place.header.id), events)[number]
    return int(record["x"]), int(record["z"])


def test_a_sign_is_read_page_by_page(demo: Any, qtbot: Any, settle: Wait) -> None:
    pages, box = texts_of(demo, "sign", 0), demo.walk_mode.box
    face(demo, *place_of(demo, "background", 0))
    walker = demo.walk_mode.walking.walker
    before = walker.x, walker.z
    shape = demo.views.geometry()
    press(Qt.Key_Return)
    qtbot.waitUntil(box.isVisible, timeout=20_000)
    for number, page in enumerate(pages):
        assert demo.status.walk.text() == f"Event 0 (sign): {' '.join(pages[0].split())}"
        assert box.text.text() == page and f"{number + 1} of {len(pages)}" in box.note.text()
        QTest.keyPress(QApplication.focusWidget(), Qt.Key_Down)
        qtbot.wait(120)
        QTest.keyRelease(QApplication.focusWidget(), Qt.Key_Down)
        assert (walker.x, walker.z) == before, "who reads does not walk"
        press(Qt.Key_Return)
    assert not box.isVisible() and demo.views.geometry() == shape and demo.walk_mode.on
    QTest.keyPress(QApplication.focusWidget(), Qt.Key_Down)
    qtbot.waitUntil(lambda: (walker.x, walker.z) != before, timeout=20_000)
    QTest.keyRelease(QApplication.focusWidget(), Qt.Key_Down)


def test_escape_ends_a_text_and_not_the_walk(demo: Any, qtbot: Any) -> None:
    face(demo, *place_of(demo, "background", 0))
    press(Qt.Key_E)
    qtbot.waitUntil(demo.walk_mode.box.isVisible, timeout=20_000)
    press(Qt.Key_Escape)
    assert not demo.walk_mode.box.isVisible() and demo.walk_mode.on
    press(Qt.Key_Return)
    qtbot.waitUntil(demo.walk_mode.box.isVisible, timeout=20_000)
    demo.action("walk").trigger()
    assert not demo.walk_mode.box.isVisible() and not demo.walk_mode.on


def test_a_question_is_answered(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.go(real.explorer.world.place("C01PC0101").header.id)
    settle(real)
    x, z = place_of(real, "objects", 3)
    box, length = real.walk_mode.box, {}
    for answer in (0, 1):
        if real.walk_mode.on:
            press(Qt.Key_K)
        face(real, x, z + 1)  # over the counter
        press(Qt.Key_Return)
        qtbot.waitUntil(box.isVisible, timeout=60_000)
        while not box.answers.text():
            press(Qt.Key_Return)
        assert [line[2:] for line in box.answers.text().splitlines()] == ["Yes", "No"]
        for _ in range(answer):
            press(Qt.Key_Down)
        assert box.answers.text().splitlines()[answer].startswith("▶")
        before = box.text.text()
        press(Qt.Key_Return)
        qtbot.waitUntil(lambda before=before: box.text.text() != before, timeout=20_000)
        length[answer] = box.note.text().split()[2]
        while box.isVisible():
            press(Qt.Key_Return)
    assert length[0] != length[1]


def test_walking_starts_where_one_comes_in(real: Any, qtbot: Any, settle: Wait) -> None:
    world = real.explorer.world
    for name in ("C09GYM0101", "C01PC0101"):
        real.explorer.go(world.place(name).header.id)
        settle(real)
        press(Qt.Key_K)
        walker = real.walk_mode.walking.walker
        warps = world.events(real.explorer.place.header.id).warps
        assert (walker.x, walker.z) in [(int(warp["x"]), int(warp["z"])) for warp in warps]
        assert any(walker.refused(direction) is None for direction in Direction)
        press(Qt.Key_K)
    real.explorer.go(world.place("C01PC0101").header.id, None, (10, 9))
    settle(real)
    press(Qt.Key_K)
    walker = real.walk_mode.walking.walker
    assert (walker.x, walker.z) == (10, 9), "where the user looks"


def test_a_refusal_is_shown_at_its_tile(demo: Any, qtbot: Any, settle: Wait, pixels: Any) -> None:
    x, z = place_of(demo, "background", 0)
    face(demo, x, z)
    QTest.keyPress(QApplication.focusWidget(), Qt.Key_Up)
    qtbot.waitUntil(lambda: demo.explorer.marks.reason != "", timeout=20_000)
    QTest.keyRelease(QApplication.focusWidget(), Qt.Key_Up)
    demo.walk_mode._timer.stop()  # else people walk, and each picture is another one
    settle(demo)
    assert f"({x}, {z})" in demo.explorer.marks.reason
    shown = pixels(demo.views.ds)
    marks = demo.explorer.marks
    demo.explorer.marks = type(marks)(trail=marks.trail, refused=marks.refused)
    demo.views.refresh()
    changed = np.argwhere((pixels(demo.views.ds) != shown).any(-1))
    assert len(changed) > 200, "the reason is painted"
