"""The picture of a whole matrix is drawn once, and kept for later starts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer.gui.rendering import kept_overviews
from mapexplorer.system import kept_data
from mapexplorer.world.opening import open_rom

Wait = Callable[[Any], None]


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What is done with kept pictures, which are in a folder of the test: "found", "missed" or "stored"."""
    monkeypatch.setattr(kept_data, "folder", lambda: tmp_path / "data")
    monkeypatch.setattr(kept_overviews, "SMALLEST", 1)
    done: list[str] = []
    load, store = kept_overviews.load, kept_overviews.store

    def look(rom: str, moment: Any) -> Any:
        image = load(rom, moment)
        done.append("missed" if image is None else "found")
        return image

    def keep(rom: str, moment: Any, image: Any) -> None:
        done.append("stored")
        store(rom, moment, image)

    monkeypatch.setattr(kept_overviews, "load", look)
    monkeypatch.setattr(kept_overviews, "store", keep)
    return done


@pytest.fixture
def region(make_window: Callable[..., Any], qtbot: Any, settle: Wait) -> Callable[[], tuple[Any, np.ndarray]]:
    """Opens a new window on the region of the demo world; the window and the overview as pixels, when all is drawn."""

    def show() -> tuple[Any, np.ndarray]:
        window = make_window()
        window.open("demo")
        qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=240_000)
        settle(window)
        window.explorer.go(window.explorer.world.place("T01").header.id)
        window.views.toggle_map()
        tiles, view = window.views.tiles, window.views.map
        view.look_at(100.0, 100.0, 0.03)
        qtbot.waitUntil(lambda: view.complete and tiles.pyramid.base <= tiles.pyramid.fresh, timeout=120_000)
        qtbot.waitUntil(lambda: window.jobs.map.idle, timeout=60_000)
        image = tiles.pyramid.overviews[max(tiles.pyramid.overviews)]
        data = image.constBits().asarray(image.sizeInBytes())
        return window, np.frombuffer(bytes(data), np.uint8).copy()

    return show


def test_the_picture_of_a_region_is_kept_for_the_next_start(
    region: Callable[[], tuple[Any, np.ndarray]], used: list[str], tmp_path: Path
) -> None:
    first, picture = region()
    first.close()
    assert used == ["missed", "stored"] and list((tmp_path / "data").glob("region-*"))
    used.clear()
    second, again = region()
    second.close()
    assert used == ["found"] and np.array_equal(picture, again), "a picture that was drawn would be stored"
    used.clear()
    for file in (tmp_path / "data").glob("region-*"):
        data = bytearray(file.read_bytes())
        data[-1] ^= 1
        file.write_bytes(data)
    _, third = region()
    assert used == ["missed", "stored"] and np.array_equal(picture, third), "a damaged file is dropped"


def test_pictures_belong_to_the_contents_of_the_rom(demo_image: bytes, tmp_path: Path) -> None:
    with open_rom("demo") as rom:
        changed = bytearray(demo_image)
        changed[demo_image.index(rom.file("data/arealight.narc")) + 100] ^= 1
    (tmp_path / "changed.nds").write_bytes(changed)
    with open_rom("demo") as rom, open_rom("demo") as same, open_rom(tmp_path / "changed.nds") as other:
        assert kept_overviews.pictures_key(rom) == kept_overviews.pictures_key(same)
        assert kept_overviews.pictures_key(rom) != kept_overviews.pictures_key(other)
