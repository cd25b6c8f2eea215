"""One search in three places: the start page, the palette and the panel of names show the same things first."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import Qt

Wait = Callable[[Any], None]

TYPED = {
    "jubilife": "Jubilife City",
    "eterna": "Eterna City",
    "jubilife pokecenter": "Jubilife City, Pokémon Center 1F",
    "valley windworks outside": "Valley Windworks",
    "coronet 1f": "Mt. Coronet, 1F South",
    "snopoint gim": "Snowpoint City, Gym",
    "distortion": "Distortion World, 1F",
    "volkner": "Volkner",
    "moon stone": "Moon Stone",
}


def titles(finder: Any) -> list[str]:
    """The rows of a palette without those of actions."""
    rows = [finder.list.item(row).data(Qt.UserRole).shown for row in range(finder.list.count())]
    return [row.title for row in rows if row.subject is not None]


def test_three_places_show_the_same_things(real: Any, qtbot: Any, settle: Wait) -> None:
    real.explorer.settings.add_recent(real.explorer.rom_path)
    real.docks.show("names")
    real.dialogs.welcome.open()
    start, palette, names = real.dialogs.welcome.finder, real.dialogs.palette, real.names
    for typed, first in TYPED.items():
        start.field.setText(typed)
        qtbot.waitUntil(lambda: not start._searching, timeout=60_000)
        palette.open()
        palette.field.setText(typed)
        qtbot.waitUntil(lambda: not palette._searching, timeout=60_000)
        names.field.setText(typed)
        qtbot.waitUntil(lambda first=first: bool(names.found) and names.found[0].name == first, timeout=60_000)
        assert titles(start)[0] == titles(palette)[0] == names.list.shown[0].title == first, typed
        assert titles(start) == titles(palette)
        assert sorted(title.strip("“”") for title in titles(palette)) == sorted(
            row.title.strip("“”") for row in names.list.shown if row.subject is not None
        )
    palette.close_palette()
    real.dialogs.welcome.hide()


def test_a_row_says_kind_place_and_why(real: Any, qtbot: Any) -> None:
    palette = real.dialogs.palette
    palette.open()

    def first(typed: str) -> Any:
        palette.field.setText(typed)
        qtbot.waitUntil(lambda: not palette._searching, timeout=60_000)
        return palette.list.item(0).data(Qt.UserRole).shown

    assert first("trainers school").side == "map 29" and "in Jubilife City" in first("trainers school").lines[0]
    assert "found by “snowpoint gym”" in first("snopoint gim").lines
    assert first("lass kaitlin").lines[0] == "Lass" and "Route" in " ".join(first("lass kaitlin").lines)
    assert first("rare candy").side == "item 50"
    palette.field.setText("qqqzzz")
    qtbot.waitUntil(lambda: palette.message.text() == "Nothing has “qqqzzz” in its name.", timeout=60_000)
    assert palette.message.isVisible() and not palette.list.isVisible()
    palette.close_palette()


def started(make_window: Callable[..., Any], qtbot: Any, rom: Path) -> Any:
    """A new window on its start page, with a ROM that was opened last."""
    window = make_window()
    window.explorer.settings.add_recent(str(rom))
    window.start()
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=240_000)
    return window


def test_the_start_page_shows_results_while_typing(
    make_window: Callable[..., Any], qtbot: Any, tmp_path: Path, settle: Wait
) -> None:
    rom = tmp_path / "game.nds"
    rom.write_bytes(resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes())
    window = started(make_window, qtbot, rom)
    page = window.dialogs.welcome
    qtbot.keyClicks(page.search, "mirr")
    qtbot.waitUntil(lambda: titles(page.finder)[:1] == ["Mirror Lake"], timeout=60_000)
    assert page.isVisible() and page.finder.list.isVisible() and not page.roms.isVisible()
    assert window.explorer.rom_path == str(rom)
    qtbot.keyClick(page.search, Qt.Key_Return)
    qtbot.waitUntil(lambda: window.explorer.place.header.title == "Mirror Lake", timeout=60_000)
    assert not page.isVisible()


@pytest.mark.parametrize("content", [b"", b"no ROM"])
def test_a_last_rom_that_cannot_be_opened_is_not_searched(
    make_window: Callable[..., Any], qtbot: Any, tmp_path: Path, content: bytes
) -> None:
    rom = tmp_path / "game.nds"
    rom.write_bytes(content)
    window = started(make_window, qtbot, rom)
    page = window.dialogs.welcome
    qtbot.keyClicks(page.search, "mill")
    qtbot.waitUntil(lambda: "Millbrook" in titles(page.finder), timeout=60_000)
    assert window.explorer.rom_path == "demo" and any("cannot be opened" in one.title for one in window.notices.shown)
