"""The examples in the help of every verb work on the demo world."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mapexplorer.cli import VERBS, program
from mapexplorer.world import FieldWorld
from tests.saves import write_save

_EXAMPLE = re.compile(r"^  mapexplorer (.+)$", re.MULTILINE)

LONG = ("demo", "export demo --all -o all -j 1")
"""Examples that take minutes together; other tests run the same."""


def examples(verb: str) -> list[str]:
    """The commands in the help of a verb."""
    found = CliRunner().invoke(program, [verb, "--help"], terminal_width=300)
    return [line.strip() for line in _EXAMPLE.findall(found.output.replace("\n    mapexplorer ", "\n  mapexplorer "))]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_examples(verb: str) -> None:
    found = examples(verb)
    assert found and all(line.split()[0] == verb for line in found)


@pytest.mark.parametrize("verb", VERBS)
def test_the_examples_work(cli: Callable[..., Any], verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    world = FieldWorld.open("demo")
    (folder / "model.nsbmd").write_bytes(world.prop_model(5).to_bytes())
    (folder / "set.nsbtx").write_bytes(world.place("T01").prop_textures().to_bytes())
    write_save(folder)
    if verb == "pack":
        cli("unpack", "demo", "folder", "-j", 1)
    for line in examples(verb):
        if not line.startswith(LONG):
            ran = cli(*shlex.split(line))
            assert ran.status == 0 and ran.out + ran.err, (line, ran)
            if not {"--json", "dump", "script"} & set(line.split()):  # JSON and listings escape the breaks of texts
                assert not re.search(r"\\[nrtu]", ran.out + ran.err), (line, ran)
