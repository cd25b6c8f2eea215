"""Saved games in the window: opening, dropping, switching, what is left, what is kept of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import QMimeData, QPoint, Qt, QUrl
from PyQt5.QtGui import QDropEvent

from formats.save import SaveImage
from mapexplorer.gui.model.save_change import SaveChange
from tests.gui.test_events_panels import at_rest, click_row, rows
from tests.saves import small_block, write_save

Wait = Callable[[Any], None]


@pytest.fixture
def save(tmp_path: Path, demo: Any) -> str:
    """A save at 20 o'clock on a tile of the demo's village, whose people all stood there."""
    place = demo.explorer.world.place("T01")
    people = [(int(person["local_id"]), int(person["x"]), int(person["z"])) for person in place.events.objects]
    small = small_block(at=(place.header.id, 9, 37), objects=people, money=7)
    small["system"]["date"], small["system"]["time"] = (18, 5, 25, 5), (20, 0, 0)
    path = tmp_path / "my.sav"
    path.write_bytes(SaveImage.of(small).to_bytes())
    return str(path)


def drop(window: Any, *paths: str) -> None:
    """Drops files on the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    window.dropEvent(QDropEvent(QPoint(50, 50), Qt.CopyAction, data, Qt.LeftButton, Qt.NoModifier))


def test_a_dropped_save_is_shown_where_and_when_it_was_saved(demo: Any, qtbot: Any, settle: Wait, save: str) -> None:
    explorer, before = demo.explorer, Path(save).read_bytes()
    explorer.go(explorer.world.place("F01").header.id)
    at_rest(demo, qtbot, settle)
    drop(demo, save)
    qtbot.waitUntil(lambda: explorer.has_saved_game, timeout=10_000)
    at_rest(demo, qtbot, settle)
    assert explorer.place.header.internal_name == "T01" and tuple(map(int, explorer.tile)) == (9, 37)
    assert explorer.clock.second == 72000 and explorer.options.weekday == "friday"
    assert demo.jobs.frame.request.view.save == save
    picture = demo.jobs.frame.picture
    switch = demo.action("my_save")
    assert switch.isEnabled() and switch.isChecked() and demo.status.save.text() == "my.sav"
    switch.trigger()
    at_rest(demo, qtbot, settle)
    assert not explorer.has_saved_game and not switch.isChecked() and not demo.status.save.text()
    assert explorer.place.header.internal_name == "T01" and tuple(map(int, explorer.tile)) == (9, 37)
    switch.trigger()
    qtbot.waitUntil(lambda: explorer.has_saved_game, timeout=10_000)
    at_rest(demo, qtbot, settle)
    assert explorer.options.save == save and (demo.jobs.frame.picture == picture).all()
    assert Path(save).read_bytes() == before and "my.sav" not in str(demo.map_mode.link)


def test_people_who_are_gone_are_gone(demo: Any, qtbot: Any, settle: Wait, save: str) -> None:
    village = demo.explorer.world.place("T01")
    at_rest(demo, qtbot, settle)
    drop(demo, save)
    qtbot.waitUntil(lambda: demo.explorer.has_saved_game, timeout=10_000)
    at_rest(demo, qtbot, settle)
    whole = demo.jobs.frame.picture
    Path(save).write_bytes(SaveImage.of(small_block(at=(village.header.id, 9, 37))).to_bytes())
    for _ in range(2):  # the same file, written again, as by an emulator; the second check finds it at rest
        demo.save_watch.check()
        qtbot.waitUntil(lambda: demo.jobs.move.idle, timeout=10_000)
        qtbot.wait(1)
    qtbot.waitUntil(lambda: (demo.jobs.frame.picture != whole).any(), timeout=10_000)


def test_left_here_lists_and_marks_what_the_save_has_left(real: Any, qtbot: Any, settle: Wait, tmp_path: Path) -> None:
    explorer = real.explorer
    explorer.go(342)
    at_rest(real, qtbot, settle)
    drop(real, write_save(tmp_path, (108,)))
    qtbot.waitUntil(lambda: explorer.has_saved_game, timeout=10_000)
    at_rest(real, qtbot, settle)
    explorer.go(343)
    at_rest(real, qtbot, settle)
    qtbot.keyClick(real, Qt.Key_F8)
    qtbot.waitUntil(lambda: bool(rows(real.left)), timeout=10_000)
    groups = {group.title: group.rows for group in real.left.list.groups}
    assert set(groups) == {"Items", "Hidden items", "Trainers", "Gifts"}
    assert explorer.marks.left == {row.subject for row in rows(real.left)}
    hidden = groups["Hidden items"][0]
    click_row(qtbot, real.left, hidden)
    at_rest(real, qtbot, settle)
    assert explorer.selection == hidden.subject
    [gift] = groups["Gifts"]
    change = SaveChange().switching(hidden.needs.key[0]).giving(gift.needs.key[0], 1)
    explorer.change_save(change)
    qtbot.waitUntil(lambda: hidden.subject not in explorer.marks.left, timeout=10_000)
    assert {hidden.subject, gift.subject}.isdisjoint(row.subject for row in rows(real.left))
    real.docks.show("maps")
    qtbot.waitUntil(lambda: not explorer.marks.left, timeout=10_000)


def test_of_saves_only_the_paths_are_kept_until_they_are_forgotten(
    demo: Any, qtbot: Any, settle: Wait, save: str
) -> None:
    settings = demo.explorer.settings
    drop(demo, save)
    qtbot.waitUntil(lambda: settings.recent_saves == [save], timeout=10_000)
    settings.save()
    kept = json.loads(settings.file.read_text("utf-8"))
    assert [name for name, value in kept.items() if "my.sav" in json.dumps(value)] == ["recent saves"]
    demo.recent_menu.aboutToShow.emit()
    saves = demo.recent_menu.actions()[-1].menu().actions()
    assert [entry.text() for entry in saves] == [save, "Forget these saves"]
    saves[-1].trigger()
    assert settings.recent_saves == [] and "my.sav" not in settings.file.read_text("utf-8")


def test_a_save_that_cannot_be_read_is_said_and_nothing_changes(
    demo: Any, qtbot: Any, settle: Wait, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.sav"
    damaged.write_bytes(bytes(0x80000))
    drop(demo, str(damaged))
    said = "expected a save of Pokémon Platinum"
    qtbot.waitUntil(lambda: any(said in notice.sentence for notice in demo.notices.shown), timeout=10_000)
    assert not demo.explorer.has_saved_game and not demo.explorer.settings.recent_saves
