"""The commands of docs/recipes.md and docs/engines.md work on the demo world."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.world import FieldWorld

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMANDS = re.findall(r"`mapexplorer ([^`]+)`", (DOCS / "recipes.md").read_text("utf-8"))
COMMANDS += re.findall(r"^    mapexplorer (.+)$", (DOCS / "engines.md").read_text("utf-8"), re.MULTILINE)
LONG = ("atlas demo site", "export demo --all", "poster demo 0", "unpack", "verify")
"""Commands that other tests run."""


@pytest.mark.parametrize("command", [one for one in COMMANDS if not one.startswith(LONG)])
def test_a_recipe_works(cli: Callable[..., Any], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if command.startswith("convert"):
        world = FieldWorld.open("demo")
        Path("model.nsbmd").write_bytes(world.prop_model(5).to_bytes())
        Path("set.nsbtx").write_bytes(world.place("T01").prop_textures().to_bytes())
    ran = cli(*shlex.split(command))
    assert ran.status == 0 and ran.out + ran.err, ran


def test_there_are_recipes() -> None:
    assert len(COMMANDS) > 30
