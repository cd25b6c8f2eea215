"""The tasks of docs/first-tasks.md: what a first-time user does takes at most three actions from the start page; ten
others at most three clicks, the export five, or eight keys beside the letters of a name.

An action is a click, a key chord, a drag, or typing one word; it is sent as events, to the widget that has the focus or
is under the mouse.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, Qt, QTimer
from PyQt5.QtGui import QTextCursor
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QWidget

from mapexplorer.world.cells import TILE_UNITS
from tests.gui.conftest import PATIENCE, describes, drag, move_mouse
from tests.gui.test_comparing import edited_image

Wait = Callable[[Any], None]
MOST = 3
"""Actions, or clicks."""
MOST_KEYS = 8
"""Keys beside the letters of a name."""


class User:
    """Sends actions and counts them."""

    def __init__(self, window: Any, settle: Wait, qtbot: Any) -> None:
        self.window, self.actions = window, 0
        self.clicked, self.pressed, self.most_clicks = 0, 0, MOST
        self._settle, self._qtbot = settle, qtbot

    def types(self, word: str) -> None:
        """Type a word where the focus is."""
        self.actions += 1
        QTest.keyClicks(QApplication.focusWidget(), word)

    def presses(self, key: int, modifier: Any = Qt.NoModifier) -> None:
        """Press a key, with modifiers, where the focus is."""
        self.actions += 1
        self.pressed += 1
        QTest.keyClick(QApplication.focusWidget(), key, modifier)
        self._settle(self.window)

    def clicks(self, widget: QWidget, spot: QPoint) -> None:
        """Click."""
        self.actions += 1
        self.clicked += 1
        QTest.mouseClick(widget, Qt.LeftButton, pos=spot)
        self._settle(self.window)

    def clicks_twice(self, widget: QWidget, spot: QPoint) -> None:
        """Double-click."""
        self.actions += 1
        self.clicked += 1
        QTest.mousePress(widget, Qt.LeftButton, pos=spot)
        QTest.mouseRelease(widget, Qt.LeftButton, pos=spot)
        QTest.mouseDClick(widget, Qt.LeftButton, pos=spot)
        self._settle(self.window)

    def chooses(self, choices: Any, words: str) -> None:
        """Click a drop-down list, and its first entry that has some words."""
        self.clicks(choices, choices.rect().center())
        self._qtbot.wait(QApplication.doubleClickInterval() + 20)  # until then a click counts as the end of the first
        rows = choices.view()
        row = choices.model().index(choices.findText(words, Qt.MatchContains), 0)
        rows.scrollTo(row)
        spot = rows.visualRect(row).center()
        move_mouse(rows.viewport(), spot)
        self.clicks(rows.viewport(), spot)
        assert words in choices.currentText()

    def drags(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        """Press, move and release."""
        self.actions += 1
        self.clicked += 1
        drag(widget, start, end)
        self._settle(self.window)

    def finds(self, word: str) -> None:
        """Type the name of a map on the start page and press Enter: the map is shown."""
        self.types(word)
        self.presses(Qt.Key_Return)
        explorer = self.window.explorer
        recent = explorer.settings.recent[0]
        self._qtbot.waitUntil(
            lambda: explorer.rom_path == recent and word in explorer.place.header.title.lower(), timeout=20_000
        )
        self._settle(self.window)

    def chooses_event(self, words: str) -> None:
        """Type words in the list of events and press Enter: the first row that has them is chosen."""
        self.presses(Qt.Key_F2)
        self._qtbot.waitUntil(lambda: self.window.jobs.read.idle, timeout=PATIENCE)  # it may make a store
        self.types(words)
        self.presses(Qt.Key_Return)

    def spot(self, x: float, y: float, z: float) -> QPoint:
        """Where a point of the map, in units, is in the DS view."""
        view = self.window.views.ds
        flat, front = view.projection().project(np.array([[x, y, z]], float))
        assert front.all() and (flat > 0).all() and (flat < 1).all()
        area = view.picture()
        return QPoint(round(area.x() + flat[0, 0] * area.width()), round(area.y() + flat[0, 1] * area.height()))

    def tile_spot(self, x: int, z: int) -> QPoint:
        """Where the middle of a tile is in the DS view."""
        return self.spot(*self.window.explorer.ground((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS))

    def tiles(self) -> list[tuple[int, int]]:
        """The tiles whose middle is in the picture and not behind a prop or other ground, the nearest first."""
        x, z = (int(value) for value in self.window.explorer.tile)
        near = [(x + dx, z + dz) for dx in range(-9, 10) for dz in range(-7, 6)]
        near.sort(key=lambda tile: abs(tile[0] - x) + abs(tile[1] - z))
        return [tile for tile in near if self._is_open(*tile)]

    def _is_open(self, x: int, z: int) -> bool:
        place = self.window.explorer.place
        if place.terrain.cell_at(x, z) is None:
            return False
        middle = np.array(self.window.explorer.ground((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS))
        flat, front = self.window.views.ds.projection().project(middle[None])
        inside = bool(front.all() and (flat > 0.02).all() and (flat < 0.98).all())
        covered = any(
            (low[[0, 2]] - 24 <= middle[[0, 2]]).all() and (middle[[0, 2]] <= high[[0, 2]] + 24).all()
            for low, high in self.window.jobs.overlay.props.values()
        )
        if not inside or covered:
            return False
        shown = self.window.picking.tile(self.window.views.ds, flat[0, 0], flat[0, 1])
        return shown is not None and shown.key[1:] == (x, z)

    @property
    def told(self) -> str:
        """What the inspector says."""
        return str(self.window.inspector.copied()[0])


@pytest.fixture
def started(demo: Any, qtbot: Any, settle: Wait) -> Callable[[Path], User]:
    """A user before the start page of a window, who has opened a ROM before."""

    def start(rom: Path) -> User:
        demo.explorer.settings.add_recent(str(rom))
        before = demo.jobs.rom
        demo.start()
        qtbot.waitUntil(lambda: demo.jobs.rom is not before and demo.jobs.frame is not None, timeout=240_000)
        assert demo.dialogs.welcome.isVisible()
        return User(demo, settle, qtbot)

    return start


@pytest.fixture
def user(started: Callable[[Path], User], tmp_path: Path) -> Iterator[User]:
    """One who has opened a copy of the demo world before."""
    rom = tmp_path / "game.nds"
    rom.write_bytes(resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes())
    user = started(rom)
    user.window.explorer.settings.set("export folder", str(tmp_path))
    yield user
    assert 0 < user.actions <= MOST


def test_find_a_town(user: User) -> None:
    user.finds("millbrook")
    assert user.window.explorer.place.header.internal_name == "T01"
    assert Path(user.window.explorer.rom_path).name == "game.nds"


def test_see_what_blocks_a_tile(user: User, qtbot: Any) -> None:
    user.finds("fernwood")
    terrain = user.window.explorer.place.terrain
    x, z = next(tile for tile in user.tiles() if terrain.collides(*tile))
    user.clicks(user.window.views.ds, user.tile_spot(x, z))
    qtbot.waitUntil(lambda: f"Tile ({x}, {z})" in user.told, timeout=20_000)
    assert "Collision" in user.told, user.told


def test_follow_a_warp(user: User, qtbot: Any) -> None:
    user.finds("t01r0101")
    explorer = user.window.explorer
    warps = [(int(one["x"]), int(one["z"]), int(one["header"])) for one in explorer.place.events.warps]
    middle = np.array(explorer.tile)
    x, z, target = min(warps, key=lambda one: float(np.abs(middle - one[:2]).sum()))
    user.clicks_twice(user.window.views.ds, user.tile_spot(x, z))
    qtbot.waitUntil(lambda: explorer.place.header.id == target, timeout=20_000)


def test_find_where_a_prop_is_used(user: User, qtbot: Any) -> None:
    user.finds("millbrook")
    window = user.window
    middles = [(low + high) / 2 for low, high in window.jobs.overlay.props.values()]
    target = np.array(window.explorer.camera.target)
    user.clicks(window.views.ds, user.spot(*min(middles, key=lambda middle: float(np.abs(middle - target).sum()))))
    qtbot.waitUntil(lambda: window.explorer.selection.kind == "placed prop", timeout=20_000)
    qtbot.waitUntil(lambda: describes(window, window.explorer.selection), timeout=20_000)
    assert "Maps that show it (" in user.told, user.told


def test_export_a_town_with_animations(user: User, tmp_path: Path, qtbot: Any) -> None:
    user.finds("millbrook")
    user.presses(Qt.Key_E, Qt.ControlModifier | Qt.ShiftModifier)
    dialog = user.window.dialogs.export
    qtbot.waitUntil(lambda: dialog.outcome is not None, timeout=120_000)
    [file] = tmp_path.glob("*.glb")
    data = file.read_bytes()
    document = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    assert document["animations"]
    dialog.close()


def test_see_the_town_in_the_evening(user: User, shown_picture: Any) -> None:
    user.finds("millbrook")
    window = user.window
    noon = shown_picture(window)
    slider = window.clock_bar.slider
    at = [QPoint(round(8 + (slider.width() - 16) * hour / 24), 11) for hour in (12, 21)]
    user.drags(slider, *at)
    assert window.explorer.clock.second >= 20 * 3600 and not np.array_equal(shown_picture(window), noon)


def test_walk_through_the_town(user: User) -> None:
    user.finds("millbrook")
    user.presses(Qt.Key_K)
    assert user.window.walk_mode.on and user.window.views.ds.hasFocus()
    user.window.walk_mode.toggle()


def test_see_the_collision(user: User, pixels: Any) -> None:
    user.finds("millbrook")
    before = pixels(user.window.views.ds)
    user.presses(Qt.Key_C)
    assert user.window.explorer.layers.shown("collision")
    assert not np.array_equal(before, pixels(user.window.views.ds))


def test_see_the_textures_of_the_town(user: User, qtbot: Any) -> None:
    user.finds("millbrook")
    user.presses(Qt.Key_T)
    assert user.window.docks.shown("textures")
    qtbot.waitUntil(lambda: bool(user.window.textures.copied()[1]), timeout=30_000)


def test_learn_the_height_of_the_ground(user: User, qtbot: Any) -> None:
    user.finds("millbrook")
    terrain = user.window.explorer.place.terrain
    x, z = next(tile for tile in user.tiles() if not terrain.collides(*tile))
    user.clicks(user.window.views.ds, user.tile_spot(x, z))
    qtbot.waitUntil(lambda: f"Tile ({x}, {z})" in user.told, timeout=20_000)
    assert "Height at its centre" in user.told, user.told


def test_see_which_tiles_can_be_reached(user: User, qtbot: Any) -> None:
    user.finds("millbrook")
    user.presses(Qt.Key_K, Qt.ShiftModifier)
    qtbot.waitUntil(lambda: user.window.explorer.marks.reached is not None, timeout=20_000)


def test_find_where_an_item_comes_from(user: User, qtbot: Any) -> None:
    user.types("loaf")
    user.presses(Qt.Key_Return)
    qtbot.waitUntil(lambda: "given by" in user.told and "T01R0101" in user.told, timeout=60_000)


def test_what_nothing_is_named_is_said(user: User, qtbot: Any) -> None:
    user.types("qqqzzz")
    user.presses(Qt.Key_Return)
    finder = user.window.dialogs.welcome.finder
    qtbot.waitUntil(lambda: finder.message.text() == "Nothing has “qqqzzz” in its name.", timeout=60_000)
    assert finder.message.isVisible() and not finder.list.isVisible()


def test_the_name_of_a_town_of_the_real_rom(reader: Callable[[str], User]) -> None:
    user = reader("")
    user.finds("sandgem")
    assert user.window.explorer.place.header.internal_name == "T02" and user.actions == 2


# --- ten first tasks in a ROM of the game, from the start page or from a town


@pytest.fixture
def reader(real: Any, settle: Wait, qtbot: Any) -> Iterator[Callable[[str], User]]:
    """A user of a window on the real ROM, who stands in a place, or who sees the start page without one. At the end the
    clicks and keys are counted."""
    made = []

    def start(place: str = "") -> User:
        if place:
            real.explorer.go(real.explorer.world.place(place).header.id)
            settle(real)
            real.views.take_focus()
        else:
            real.dialogs.welcome.open()
        made.append(User(real, settle, qtbot))
        return made[-1]

    yield start
    assert made and all(user.clicked <= user.most_clicks and user.pressed <= MOST_KEYS for user in made)


def nearest(user: User, records: Any) -> Any:
    """That of some events whose tile is nearest to the middle of the picture."""
    x, z = user.window.explorer.tile
    return min(records, key=lambda record: abs(int(record["x"]) - x) + abs(int(record["z"]) - z))


def test_find_the_mart_of_a_town(reader: Callable[[str], User], qtbot: Any) -> None:
    user = reader("")
    user.types("jubilife mart")
    user.presses(Qt.Key_Return)
    qtbot.waitUntil(lambda: user.window.explorer.place.header.title == "Jubilife City, Mart", timeout=20_000)
    assert not user.window.dialogs.welcome.isVisible()


def test_learn_who_somebody_is_and_what_they_say(reader: Callable[[str], User], qtbot: Any) -> None:
    user = reader("T02")
    person = nearest(user, user.window.explorer.place.events.objects)
    user.clicks(user.window.views.ds, user.tile_spot(int(person["x"]), int(person["z"])))
    qtbot.waitUntil(lambda: "Says" in user.told, timeout=20_000)
    assert user.window.inspector.description.title.startswith("Pokemon breeder")


def test_learn_why_one_cannot_go_somewhere(reader: Callable[[str], User], qtbot: Any) -> None:
    user = reader("T01")
    terrain = user.window.explorer.place.terrain
    x, z = next(tile for tile in user.tiles() if terrain.collides(*tile))
    user.clicks(user.window.views.ds, user.tile_spot(x, z))
    qtbot.waitUntil(lambda: f"Tile ({x}, {z})" in user.told, timeout=20_000)
    assert "Collision: blocked" in user.told and "Steps that are refused" in user.told


def test_learn_which_flag_hides_somebody(reader: Callable[[str], User], qtbot: Any) -> None:
    user = reader("T02")
    user.chooses_event("rowan")
    qtbot.waitUntil(lambda: "hide_sandgem_town_prof_rowan" in user.told, timeout=20_000)


def test_learn_where_an_item_is(reader: Callable[[str], User], qtbot: Any) -> None:
    user = reader("")
    user.types("moon stone")
    user.presses(Qt.Key_Return)
    qtbot.waitUntil(lambda: "hidden: R211A@347,517" in user.told, timeout=20_000)


def test_export_a_town_for_blender(reader: Callable[[str], User], qtbot: Any, tmp_path: Path) -> None:
    user = reader("T02")
    user.most_clicks = 5
    user.window.explorer.settings.set("export folder", str(tmp_path))
    user.presses(Qt.Key_E, Qt.ControlModifier)
    dialog = user.window.dialogs.export
    user.chooses(dialog.form.preset, "Blender")
    user.clicks(dialog.start, dialog.start.rect().center())
    qtbot.waitUntil(lambda: dialog.outcome is not None, timeout=120_000)
    assert [file.suffix for file in tmp_path.iterdir()] == [".glb"]
    dialog.close()


def test_see_snow_at_night(reader: Callable[[str], User]) -> None:
    user = reader("T02")
    weather, slider = user.window.clock_bar.weather, user.window.clock_bar.slider
    user.chooses(weather, "snow")
    user.clicks(slider, QPoint(round(8 + (slider.width() - 16) * 22 / 24), 11))
    explorer = user.window.explorer
    assert explorer.game.tables.weather_name(explorer.view.weather).startswith("snow")
    assert explorer.clock.second // 3600 in (21, 22)


def test_see_every_use_of_a_texture(reader: Callable[[str], User], qtbot: Any) -> None:
    user = reader("T02")
    window = user.window
    middles = [(low + high) / 2 for low, high in window.jobs.overlay.props.values()]
    target = np.array(window.explorer.camera.target)
    user.clicks(window.views.ds, user.spot(*min(middles, key=lambda middle: float(np.abs(middle - target).sum()))))
    qtbot.waitUntil(lambda: "texture:" in window.inspector.browser.toHtml(), timeout=20_000)
    user.clicks(*link(window.inspector.browser, "texture:"))
    qtbot.waitUntil(lambda: window.inspector.description.subject.kind == "texture", timeout=20_000)
    assert "Used elsewhere" in user.told and "Maps that show it" in user.told


def link(browser: Any, address: str) -> tuple[QWidget, QPoint]:
    """Where a click on the first link to a kind of thing goes, after scrolling to it."""
    block = browser.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            if fragment.charFormat().anchorHref().startswith(address):
                cursor = QTextCursor(browser.document())
                cursor.setPosition(fragment.position() + 1)
                browser.setTextCursor(cursor)
                browser.ensureCursorVisible()
                return browser.viewport(), browser.cursorRect(cursor).center()
            fragments += 1
        block = block.next()
    raise AssertionError(f"no link to {address}")


def test_see_the_bytes_of_a_warp(reader: Callable[[str], User], qtbot: Any) -> None:
    user = reader("T02")
    window = user.window
    user.chooses_event("to sandgem town, mart")
    qtbot.waitUntil(lambda: window.explorer.selection.kind == "warp", timeout=20_000)
    window.views.take_focus()
    user.presses(Qt.Key_K, Qt.ControlModifier)
    user.types("raw bytes")
    user.presses(Qt.Key_Return)
    qtbot.waitUntil(lambda: window.docks.shown("bytes") and window.bytes.raw is not None, timeout=20_000)
    assert window.bytes.copied()[0].startswith("fielddata/eventdata/zone_event.narc")


def test_learn_what_a_hack_changed(user: User, qtbot: Any, tmp_path: Path) -> None:
    """The file of the ROM as it was before is typed in the dialog that asks for it."""
    before = tmp_path / "before.nds"
    before.write_bytes(edited_image())

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        user.types(str(before))
        QTest.keyClick(dialog.focusWidget(), Qt.Key_Return)

    QTimer.singleShot(500, answer)
    user.presses(Qt.Key_O, Qt.ControlModifier | Qt.AltModifier)
    qtbot.waitUntil(lambda: user.window.compare_mode.state.comparison is not None, timeout=20_000)
    assert user.window.docks.shown("changes") and user.window.changes.list.groups
