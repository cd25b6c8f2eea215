"""`demo` opens the window where there is a display, and writes where there is none or with a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.cli import VERBS
from mapexplorer.gui.app import launcher


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What windows were opened on."""
    opened: list[tuple[str, ...]] = []

    def launch(files: tuple[str, ...]) -> int:
        opened.append(files)
        return 0

    monkeypatch.setattr(launcher, "launch", launch)
    return opened


@pytest.mark.parametrize("problem", ["", "there is no display"])
def test_without_a_folder(
    cli: Callable[..., Any],
    windows: list[tuple[str, ...]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    problem: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(launcher, "display_problem", lambda: problem)
    written = []
    monkeypatch.setattr("mapexplorer.export.batch.export_all", lambda rom, output, jobs: written.append(output))
    if problem:
        with pytest.raises(AttributeError):  # of what is returned in place of an outcome
            cli("demo")
        assert written == [Path("demo-out")] and not windows
    else:
        assert cli("demo").status == 0
        assert windows == [("demo",)] and not written and not list(tmp_path.iterdir())


def test_with_a_folder(
    cli: Callable[..., Any], windows: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(launcher, "display_problem", lambda: "")
    ran = cli("demo", "-o", tmp_path / "out")
    assert ran.status == 0 and not windows
    assert list((tmp_path / "out").glob("*.glb")) and list((tmp_path / "out").glob("*.png"))


def test_the_help_says_which_is_which(cli: Callable[..., Any]) -> None:
    text = " ".join(cli("demo", "--help").out.split())
    assert "Open the demo world in the window; with -o, or without a display" in text and "demo-out" in text
    assert "Open the demo world" in VERBS["demo"][1]


def test_a_link_is_opened_with_its_rom_or_alone(cli: Callable[..., Any], windows: list[tuple[str, ...]]) -> None:
    link = "mapexplorer:PLATINUM-US+MAPEX-DEMO/T01@7,35?hour=20&layers=collision"
    for words in ((link, "demo"), ("demo.nds", link), (link,)):
        assert cli(*words).status == 0
        assert windows.pop() == words
