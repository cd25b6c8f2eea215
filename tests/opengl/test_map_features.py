"""What code adds to maps in the OpenGL picture of the real ROM, against the DS picture."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

pytestmark = pytest.mark.gl

# Header, tile of the player, state, share of the pixels that at least differ from the bare map's.
PICTURES = (
    (122, (14, 30), None, 0.2),
    (35, (15, 15), None, 0.03),
    (155, (8, 13), None, 0.3),
    (156, (11, 17), "1", 0.3),
    (67, (8, 22), None, 0.02),
    (67, (10, 15), "3", 0.03),
    (133, (11, 16), None, 0.03),
    (89, (8, 5), None, 0.5),
    (90, (14, 12), None, 0.5),
    (508, (66, 108), None, 0.05),
    (293, (19, 44), None, 0.01),
    (464, (10, 4), "all", 0.2),
    (184, (4, 20), "top", 0.03),
    (573, (34, 30), None, 0.5),
    (574, (11, 18), "west wall", 0.5),
    (577, (47, 34), "ceiling", 0.5),
    (579, (21, 43), None, 0.5),
    (582, (15, 25), None, 0.5),
    (583, (49, 30), "east wall", 0.5),
)


@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize(("header", "tile", "state", "share"), PICTURES)
def test_what_code_adds_is_close_to_the_console_s(
    current: Any,
    comparison: ModuleType,
    world: Any,
    header: int,
    tile: tuple[int, int],
    state: str | None,
    share: float,
) -> None:
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.view import View

    comparer = comparison.Comparer(world)
    place = world.place(header)
    ds, gl, attributes = comparer.pictures_of(FieldScene(place, View(at=tile, state=state)), 20)
    _, bare, _ = comparer.pictures_of(FieldScene(place, View(at=tile, features=False)), 20)
    result = comparison.compare(ds, gl, attributes)
    assert result.holds, result
    assert (abs(gl.astype(int) - bare) > 8).any(2).mean() >= share
