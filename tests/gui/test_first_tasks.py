"""The tasks of docs/first-tasks.md: what a first-time user does takes at most three actions from the start page.

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
from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QWidget

from mapexplorer.world.cells import TILE_UNITS
from tests.gui.conftest import drag

Wait = Callable[[Any], None]
MOST = 3


class User:
    """Sends actions and counts them."""

    def __init__(self, window: Any, settle: Wait, qtbot: Any) -> None:
        self.window, self.actions = window, 0
        self._settle, self._qtbot = settle, qtbot

    def types(self, word: str) -> None:
        """Type a word where the focus is."""
        self.actions += 1
        QTest.keyClicks(QApplication.focusWidget(), word)

    def presses(self, key: int, modifier: Any = Qt.NoModifier) -> None:
        """Press a key, with modifiers, where the focus is."""
        self.actions += 1
        QTest.keyClick(QApplication.focusWidget(), key, modifier)
        self._settle(self.window)

    def clicks(self, widget: QWidget, spot: QPoint) -> None:
        """Click."""
        self.actions += 1
        QTest.mouseClick(widget, Qt.LeftButton, pos=spot)
        self._settle(self.window)

    def clicks_twice(self, widget: QWidget, spot: QPoint) -> None:
        """Double-click."""
        self.actions += 1
        QTest.mousePress(widget, Qt.LeftButton, pos=spot)
        QTest.mouseRelease(widget, Qt.LeftButton, pos=spot)
        QTest.mouseDClick(widget, Qt.LeftButton, pos=spot)
        self._settle(self.window)

    def drags(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        """Press, move and release."""
        self.actions += 1
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
        shown = self.window.picking.tile(self.window.views.ds.projection(), flat[0, 0], flat[0, 1])
        return shown is not None and shown.key[1:] == (x, z)

    @property
    def told(self) -> str:
        """What the inspector says."""
        return str(self.window.inspector.as_text())


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
    qtbot.waitUntil(lambda: window.inspection.shows(window.explorer.selection), timeout=20_000)
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
    qtbot.waitUntil(lambda: bool(user.window.textures.as_value()), timeout=30_000)


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


def test_the_name_of_a_town_of_the_real_rom(started: Callable[[Path], User], rom_path: Path) -> None:
    user = started(rom_path)
    user.finds("sandgem")
    assert user.window.explorer.place.header.internal_name == "T02" and user.actions == 2
