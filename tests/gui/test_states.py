"""The panel of states of what code adds: choosing one changes both pictures and the walk, and walking changes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mapexplorer.export.request import MapRequest, PictureRequest

PASTORIA_GYM, LIFT, ROUTE_224, DISTORTION_WORLD = 122, 176, 399, 573
ONE = 4096


@pytest.fixture
def gym(real: Any, settle: Callable[[Any], None]) -> Any:
    """A window on the gym of Pastoria City."""
    real.explorer.go(PASTORIA_GYM)
    settle(real)
    return real


def rows(window: Any) -> list[str]:
    states = window.state.states
    return [states.item(row).text() for row in range(states.count())]


def test_a_chosen_state_changes_the_picture_and_the_inspector(
    gym: Any, settle: Callable[[Any], None], qtbot: Any
) -> None:
    assert rows(gym)[1].startswith("Green button") and gym.state.states.currentRow() == 1
    gym.explorer.look_at_tile(11, 26)  # much of the water
    settle(gym)
    entry = gym.jobs.frame.picture.copy()
    gym.action("next_state").trigger()
    settle(gym)
    assert gym.explorer.feature.state == 2 and gym.state.states.currentRow() == 2
    assert (gym.jobs.frame.picture != entry).any(2).mean() > 0.2
    assert "water at 64 units" in gym.state.copied()[0] and gym.state.copied()[1]["state"] == 2
    qtbot.waitUntil(lambda: "water at 64 units" in gym.inspector.copied()[0])
    gym.action("export").trigger()
    dialog = gym.dialogs.export
    for kind in MapRequest, PictureRequest:
        dialog.kinds.choose(kind)
        assert dialog.form["state"].value() == "2"
    dialog.close()
    gym.action("next_state").trigger()
    gym.action("next_state").trigger()
    settle(gym)
    assert gym.explorer.feature.state == 1
    assert np.array_equal(gym.jobs.frame.picture, entry)


def test_a_map_without_states_has_none(gym: Any, settle: Callable[[Any], None]) -> None:
    assert gym.action("show_state").isEnabled()
    gym.action("next_state").trigger()
    gym.explorer.go(411)
    settle(gym)
    assert not rows(gym) and not gym.action("show_state").isEnabled() and not gym.action("next_state").isEnabled()
    gym.docks.show("state")
    assert "adds nothing" in gym.state.message.text() and gym.state.message.isVisible()
    gym.explorer.go(PASTORIA_GYM)
    assert gym.explorer.feature.state == 1  # who comes back finds the gym as on entry


def test_what_a_part_of_a_state_leaves_out_is_as_on_entry(gym: Any, settle: Callable[[Any], None]) -> None:
    """Choices of the Distortion World name only what differs from a new game; its platforms have names."""
    gym.explorer.go(DISTORTION_WORLD)
    gym.docks.show("state")
    assert gym.state.states.currentRow() == 0 and rows(gym)[0] == "As a new game has it"
    assert "12 x floating blue rock (d33_step02)" in gym.state.facts.text() and not gym.state.message.isVisible()
    gym.action("next_state").trigger()
    assert gym.explorer.feature.state["progress"] == 14 and "after the story" in gym.state.facts.text()


def walk(window: Any, direction: int, most: int = 200) -> None:
    """Hold a direction for one step with all that follows from it."""
    from mapexplorer.walk import Direction

    walking = window.walk_mode.walking
    walking.hold(Direction(direction))
    walking.update()
    walking.release(Direction(direction))
    for _ in range(most):
        if not walking.walker.busy:
            break
        walking.update()
    walking.update()


def test_walking_changes_the_state(gym: Any, settle: Callable[[Any], None]) -> None:
    """A step onto a button lowers the water tick by tick, in the picture and in the panel."""
    gym.action("walk").trigger()
    gym.walk_mode._timer.stop()
    walking = gym.walk_mode.walking
    walking.put(3, 35, 64)
    assert walking.walker.y == 64 * ONE
    heights = []
    gym.explorer.feature_changed.connect(lambda: heights.append(gym.explorer.feature.water))
    settle(gym)
    before = gym.jobs.frame.picture.copy()
    walk(gym, 0)
    walk(gym, 0)
    settle(gym)
    assert (walking.walker.x, walking.walker.z, gym.explorer.feature.state) == (3, 34, 0)
    assert [height // ONE for height in heights if height is not None] == [32, *range(31, -1, -1), 0][: len(heights)]
    assert gym.state.states.currentRow() == 0 and gym.jobs.frame.request.feature == gym.explorer.feature
    assert (gym.jobs.frame.picture != before).any()
    # And the other way round: what is chosen is what is walked on.
    gym.state.states.setCurrentRow(2)
    assert walking.walker.feature.state == 2


def test_a_lift_carries_the_player_in_the_picture(real: Any, settle: Callable[[Any], None]) -> None:
    real.explorer.go(LIFT, None, (4, 12))
    real.action("walk").trigger()
    real.walk_mode._timer.stop()
    walking = real.walk_mode.walking
    walking.put(4, 12, 0)
    walk(real, 0)
    walk(real, 0)
    assert walking.figure.position[1] == 160 * ONE and real.explorer.feature.state == 1
    settle(real)
    scene = real.jobs.rom.draw.scene(real.jobs.wanted())
    [lift] = [drawing for drawing in scene.block.drawings if drawing.source.resolved.number == 502]
    assert lift.position[1] == 160 * ONE


def test_a_known_place_changes_the_land_that_is_walked_on(real: Any, settle: Callable[[Any], None]) -> None:
    real.explorer.go(ROUTE_224, None, (28 * 32 + 10, 15 * 32 + 20))
    settle(real)
    assert real.explorer.place.matrix_cells[28, 15].land == 115
    before = real.jobs.frame.picture.copy()
    real.state.states.setCurrentRow(1)
    settle(real)
    assert real.explorer.place.matrix_cells[28, 15].land == 119
    assert (real.jobs.frame.picture != before).any()
    real.action("walk").trigger()
    real.walk_mode._timer.stop()
    assert real.walk_mode.walking.walker.ground.cells[28, 15].land == 119


def test_a_chosen_spot_is_looked_at(real: Any, settle: Callable[[Any], None]) -> None:
    """The states of a floor of the Distortion World are spots: the picture of one is the one that `--state` gives."""
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.view import View

    real.explorer.go(574)
    settle(real)
    real.state.states.setCurrentRow(rows(real).index("On the west wall"))
    settle(real)
    spot = real.explorer.feature.spot
    assert tuple(map(int, real.explorer.tile)) == (spot.x, spot.z)
    assert real.explorer.camera.target[1] == spot.height / ONE
    view = View(state="west wall", second=real.explorer.view.second, tick=real.jobs.frame.request.view.tick)
    assert np.array_equal(real.jobs.frame.picture, FieldScene(real.explorer.place, view).render())


def test_a_state_that_is_not_in_the_list_is_in_words(gym: Any, settle: Callable[[Any], None]) -> None:
    world, panel = gym.explorer.world, gym.state
    for name, state in (("D34R0101", {"progress": 3}), ("C05GYM0102", None)):
        gym.explorer.go(world.place(name).header.id)
        settle(gym)
        gym.docks.show("state")
        if state is not None:
            gym.explorer.choose_state(state)
            assert panel.states.currentRow() == -1 and panel.message.isVisible() and "progress 3" in panel.facts.text()
        text = f"{panel.message.text()}\n{panel.facts.text()}"
        assert not set('{}[]"') & set(text) and "State: " in text, text
        assert "gym05_hint01" in text or "d33_step" in text, "effects have names"
