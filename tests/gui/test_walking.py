"""Walking in the window: keys move the player by the rules, and the picture follows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from PyQt5.QtCore import Qt
from PyQt5.QtTest import QTest

from mapexplorer.gui.model.camera import GAME
from mapexplorer.gui.model.walking import PEOPLE, SURF

PATIENCE = 240_000


@pytest.fixture
def walking(shared: Callable[[str], Any]) -> Callable[..., Any]:
    """A window on a ROM in which a player stands on tile (x, z) of a map; its clock is driven by hand."""

    def start(rom: str, key: str, x: int, z: int) -> Any:
        window = shared(rom)
        header = window.explorer.world.place(key).header.id
        window.explorer.go(header, None, (x, z))
        window.action("walk").trigger()
        assert window.walk_mode.on and window.explorer.camera.kind == GAME
        window.walk_mode._timer.stop()
        return window

    return start


def steps(window: Any, key: int, count: int) -> None:
    """Hold a key for `count` field updates."""
    view = window.views.ds
    QTest.keyPress(view, key)
    for _ in range(count):
        window.walk_mode.update()
    QTest.keyRelease(view, key)


def idle(window: Any) -> None:
    """Let what is under way come to its end."""
    window.walk_mode.update()
    while player(window).busy:
        window.walk_mode.update()


def player(window: Any) -> Any:
    return window.walk_mode.walking.walker


def test_arrows_and_letters_walk(walking: Callable[..., Any], qtbot: Any) -> None:
    window = walking("demo", "T01", 14, 44)
    target = window.explorer.camera.target
    steps(window, Qt.Key_Right, 3 + 8 + 8)
    assert (player(window).x, player(window).z) == (16, 44)
    steps(window, Qt.Key_W, 8)
    assert (player(window).x, player(window).z) == (16, 43), "while moving, a turn takes no time"
    assert window.explorer.camera.target == (target[0] + 32, target[1], target[2] - 16)
    qtbot.waitUntil(lambda: window.jobs.settled, timeout=PATIENCE)
    seen = window.jobs.frame.picture.copy()
    figure = window.jobs.frame.request.player
    [drawn] = {each.source for each in figure.objects.shown if each.source.event is None}
    assert drawn.direction == 0 and figure.position[0] == drawn.position[0] == (16 * 16 + 8) * 4096
    window.walk_mode.toggle()
    qtbot.waitUntil(lambda: window.jobs.settled, timeout=PATIENCE)
    assert np.any(seen != window.jobs.frame.picture), "the player was in the picture"


def test_shift_runs_and_words_say_why(walking: Callable[..., Any]) -> None:
    window = walking("demo", "T01", 14, 44)
    view = window.views.ds
    QTest.keyPress(view, Qt.Key_Left, Qt.ShiftModifier)
    for _ in range(3 + 4 * 12):
        window.walk_mode.update()
    assert player(window).last_refusal is not None
    assert "collision bit" in window.walk_mode.walking.text
    assert not window.status.walk.isHidden() and window.status.walk.text() == window.walk_mode.walking.text
    trail, refused = window.explorer.marks.trail, window.explorer.marks.refused
    assert len(trail) > 2 and len(refused) == 4
    QTest.keyRelease(view, Qt.Key_Left)
    idle(window)
    window.action("walk_ghost").trigger()
    before = player(window).x
    steps(window, Qt.Key_Left, 16)
    assert player(window).x == before - 2, "a ghost passes"


def test_doors_lead_to_another_map(walking: Callable[..., Any]) -> None:
    window = walking("demo", "T01", 7, 35)
    steps(window, Qt.Key_Up, 60)
    assert window.explorer.place.header.internal_name == "T01R0101"
    assert player(window).header == window.explorer.place.header.id
    steps(window, Qt.Key_Up, 30)
    assert window.walk_mode.walking.figure.position == player(window).position
    window.action("walk_back").trigger()
    assert window.explorer.place.header.internal_name == "T01" and (player(window).x, player(window).z) == (7, 35)


def test_surfing_and_riding(walking: Callable[..., Any]) -> None:
    window = walking("demo", "L01", 34, 45)
    window.walk_mode.walking.switch(PEOPLE)
    window.action("walk_bicycle").trigger()
    window.walk_mode.update()
    assert player(window).mode.name == "BICYCLE" and window.action("walk_gear").isEnabled()
    window.action("walk_bicycle").trigger()
    window.walk_mode.update()
    for _ in range(12):
        steps(window, Qt.Key_Right, 9)
    assert player(window).mode.name == "SURF", window.walk_mode.walking.text
    window.action("walk_surf").trigger()
    assert SURF not in window.walk_mode.walking.modes


def test_enter_is_the_action_button(walking: Callable[..., Any]) -> None:
    window = walking("demo", "T01", 15, 41)
    steps(window, Qt.Key_Up, 3)
    idle(window)
    QTest.keyClick(window.views.ds, Qt.Key_Return)
    window.walk_mode.update()
    window.walk_mode.update()
    assert "runs script" in window.walk_mode.walking.text


def test_a_double_click_puts_the_player(walking: Callable[..., Any], qtbot: Any) -> None:
    window = walking("demo", "T01", 14, 44)
    qtbot.waitUntil(lambda: window.jobs.settled and window.jobs.overlay is not None, timeout=PATIENCE)
    view = window.views.ds
    area = view.picture()
    point = area.center().toPoint()
    point.setX(point.x() + int(area.width() * 48 / 256))
    QTest.mouseDClick(view, Qt.LeftButton, pos=point)
    assert (player(window).x, player(window).z) == (17, 44)


def test_escape_ends_walking_and_gives_the_keys_back(walking: Callable[..., Any]) -> None:
    window = walking("demo", "T01", 14, 44)
    QTest.keyPress(window.views.ds, Qt.Key_Escape)
    assert not window.walk_mode.on and window.walk_mode.walking.figure is None
    before = window.explorer.camera.target
    QTest.keyPress(window.views.ds, Qt.Key_Up)
    assert window.explorer.camera.target != before
    QTest.keyRelease(window.views.ds, Qt.Key_Up)


class Walked(NamedTuple):
    """The zones and cells of a walk, and the most processor time of the window's thread in an update, in seconds."""

    zones: set[int]
    cells: set[tuple[int, int]]
    slowest: float


def walk_along(window: Any, letters: str, qtbot: Any) -> Walked:
    """Press the keys of a way (N, S, W, E), and let what comes in be handled after each update."""
    walked, slowest = Walked(set(), set(), 0.0), 0.0
    for letter in letters:
        key = {"N": Qt.Key_Up, "S": Qt.Key_Down, "W": Qt.Key_Left, "E": Qt.Key_Right}[letter]
        before = (player(window).x, player(window).z)
        QTest.keyPress(window.views.ds, key)
        while (player(window).x, player(window).z) == before:
            start = time.thread_time()
            window.walk_mode.update()
            qtbot.wait(1)
            slowest = max(slowest, time.thread_time() - start)
        QTest.keyRelease(window.views.ds, key)
        walked.zones.add(player(window).zone)
        walked.cells.add((player(window).x // 32, player(window).z // 32))
    idle(window)
    return walked._replace(slowest=slowest)


def start_on_route_201(walking: Callable[..., Any], rom: Path, qtbot: Any) -> Any:
    """A window on a player who can walk along the route, because people do not stand in the way."""
    window = walking(str(rom), "R201", 130, 850)
    player(window).people = False
    qtbot.waitUntil(lambda: window.jobs.settled, timeout=PATIENCE)
    return window


def test_a_walk_crosses_cells_and_enters_the_next_map(walking: Callable[..., Any], qtbot: Any, rom_path: Path) -> None:
    """Along Route 201 and into Sandgem Town, over cell borders, while the pictures load."""
    window = start_on_route_201(walking, rom_path, qtbot)
    walked = walk_along(window, way(window, "T02"), qtbot)
    assert len(walked.zones) >= 2 and len(walked.cells) >= 2, walked
    assert window.explorer.place.header.internal_name == "T02"
    qtbot.waitUntil(lambda: window.jobs.settled, timeout=PATIENCE)
    assert window.jobs.frame.request.header == window.explorer.place.header.id


def way(window: Any, key: str) -> str:
    """Letters from where the player stands into another map of the matrix."""
    from mapexplorer.walk.reach import search

    walker = player(window)
    world = window.explorer.world
    zone = world.place(key).header.id
    found = search(world, walker.header, walker.x, walker.z, over_warps=False)
    states = [state for state in found.states() if state.ground.zone(state.standing.x, state.standing.z) == zone]
    return found.path(states[-1])


def test_onto_a_wall_of_the_distortion_world(walking: Callable[..., Any], rom_path: Path, qtbot: Any) -> None:
    window = walking(str(rom_path), "D34R0102", 16, 14)
    straight = window.jobs.frame.projection
    steps(window, Qt.Key_Left, 3 + 4 * 8 + 16)
    idle(window)
    assert "west wall" in window.walk_mode.walking.text
    qtbot.waitUntil(lambda: window.jobs.settled, timeout=PATIENCE)
    figure = window.jobs.frame.request.player
    feature = window.jobs.frame.request.feature
    assert figure.objects.player is not None and feature.look.angles == (320 * 16, 720 * 16, 0)
    assert window.jobs.frame.projection != straight
    assert (player(window).x, player(window).z) == (11, 13)


def test_a_lift_of_the_distortion_world_changes_the_map(
    walking: Callable[..., Any], rom_path: Path, qtbot: Any
) -> None:
    window = walking(str(rom_path), "D34R0101", 19, 45)
    steps(window, Qt.Key_Up, 3 + 8 + 2)
    idle(window)
    assert window.explorer.place.header.internal_name == "D34R0102"
    assert (player(window).x, player(window).z) == (40, 19)
    qtbot.waitUntil(lambda: window.jobs.settled, timeout=PATIENCE)
    assert not window.jobs.frame.damaged and window.jobs.frame.request.feature.header == 574
