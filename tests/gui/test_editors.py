"""Which program opens a text at a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.gui.model.editors import FIRST, SYSTEM, editor_command

FILE = Path("/tree/a b.json")


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of this computer."""
    monkeypatch.setattr("shutil.which", lambda name: None if name == "absent" else f"/usr/bin/{name}")


@pytest.mark.parametrize(
    ("editor", "environment", "words"),
    [
        ("VISUAL", {"VISUAL": "gvim -f"}, ["gvim", "-f", "+7", "/tree/a b.json"]),
        ("EDITOR", {"VISUAL": "gvim", "EDITOR": "kate"}, ["kate", "--line", "7", "/tree/a b.json"]),
        ("EDITOR", {"EDITOR": "own"}, ["own", "/tree/a b.json"]),
        ("code", {}, ["code", "-g", "/tree/a b.json:7"]),
        (FIRST, {"VISUAL": "absent", "EDITOR": "nano"}, ["nano", "+7", "/tree/a b.json"]),
        (FIRST, {}, ["code", "-g", "/tree/a b.json:7"]),
        ("EDITOR", {}, []),
        (SYSTEM, {"EDITOR": "nano"}, []),
    ],
)
def test_the_editor_of_the_preferences_gets_the_line(
    editor: str, environment: dict[str, str], words: list[str]
) -> None:
    assert editor_command(editor, FILE, 7, environment) == words
