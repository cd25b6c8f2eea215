"""Outputs and caches on full disks, and outputs that cannot be written."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")

OUTPUTS = (
    (("export", "demo", "T01", "-o"), "out.glb"),
    (("export", "demo", "--all", "-j", "1", "-o"), "maps"),
    (("render", "demo", "T01", "-o"), "out.png"),
    (("render", "demo", "T01", "--frames", "3", "-o"), "out.gif"),
    (("poster", "demo", "T01", "-j", "1", "-o"), "out.png"),
    (("database", "demo", "-o"), "out.sqlite"),
    (("table", "demo", "tiles", "T01", "--csv", "-o"), "out.csv"),
    (("extract", "demo", "prop:5", "-o"), "out.glb"),
)
"""Verbs with more output than the small limits below."""

Run = Callable[..., "subprocess.Popen[bytes]"]
Words = tuple[tuple[str, ...], str]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "name"), OUTPUTS, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_a_full_disk_is_told(
    command: Run, ended: Any, parts: Any, small_disk: Path, words: tuple[str, ...], name: str
) -> None:
    (small_disk / "rest").write_bytes(bytes(252 << 10))
    status, out, lines = ended(command(*words, small_disk / name))
    told = [line for line in [*lines, *out.splitlines()] if "disk is full" in line]
    assert status == 1 and told, (out, lines)
    assert not parts(small_disk)


@pytest.mark.slow
@pytest.mark.parametrize(("words", "name"), OUTPUTS[:3], ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_a_file_size_limit_is_told(
    command: Run, ended: Any, parts: Any, tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (2000, 2000))
    status, out, lines = ended(command(*words, tmp_path / name, preexec_fn=limit))
    assert status == 1 and any("too large" in line.lower() for line in [*lines, *out.splitlines()]), (out, lines)
    assert not parts(tmp_path)


def test_standard_output_on_a_full_disk_is_told(command: Run, ended: Any) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with open("/dev/full", "wb") as full:
        status, _, lines = ended(command("maps", "demo", stdout=full))
    assert (status, len(lines)) == (1, 1) and "disk is full" in lines[0]


@pytest.mark.slow
def test_a_cache_on_a_full_disk_does_no_harm(command: Run, ended: Any, small_disk: Path) -> None:
    (small_disk / "rest").write_bytes(bytes(256 << 10))
    environment = {"XDG_CACHE_HOME": str(small_disk)}
    for _ in range(2):
        status, out, _ = ended(command("find", "demo", "house", env=environment))
        assert status == 0 and "found" in out


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["", ".", "..", "file/out.png", "no\nsuch\x1bfolder/" + "x" * 300 + ".png", "loop/out.png", "gone/out.png"]
)
def test_outputs_that_cannot_be_are_told(command: Run, ended: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere" / "at" / "all")
    words = ("render", "demo", "T01") if name.endswith(".png") else ("database", "demo")  # no folder is its output
    status, _, lines = ended(command(*words, "-o", f"{tmp_path}/{name}"))
    if name.startswith("gone"):
        assert status in (0, 1)
        return
    assert status in (1, 2) and lines and not any("\x1b" in line for line in lines), lines
