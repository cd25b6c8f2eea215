"""The window with the other games: picture, list, height panel, inspector."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(("image", "map_name"), [("diamond", "T01"), ("heartgold", "T20R0201")])
def test_another_game_in_the_window(
    opened: Callable[[str], Any],
    rom_path: Path,
    settle: Callable[[Any], None],
    missing: Callable[[str], Any],
    image: str,
    map_name: str,
) -> None:
    path = rom_path.with_name(f"{image}-field.nds")
    if not path.is_file():
        missing(f"{path.name} is not beside MAPEXPLORER_TEST_ROM")
    window = opened(str(path))
    place = window.explorer.world.place(map_name)
    window.explorer.go(place.header.id)
    settle(window)
    assert place.header.location_name in window.windowTitle()
    assert window.jobs.frame.request.header == place.header.id
    assert len(set(map(tuple, window.jobs.frame.picture.reshape(-1, 4)[:, :3].tolist()))) > 20
    if os.environ.get("SHOT"):
        window.grab().save(os.environ["SHOT"] + image + ".png")
