"""What every fault must end in: done, or one true sentence; never a traceback, a signal or an unfinished file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PATIENCE = 200
COMPILING = ("Compiling", "Waiting")

Ended = tuple[int, str, list[str]]


def ended(process: subprocess.Popen[bytes]) -> Ended:
    """Status, output and the lines of standard error of a process, without those about compilation; asserts that it
    ended by itself and without a traceback."""
    out, err = process.communicate(timeout=PATIENCE)
    lines = [line for line in err.decode().splitlines() if not line.startswith(COMPILING)]
    assert process.returncode in (0, 1, 2), (process.returncode, lines)
    assert not any("Traceback" in line or "Error:" in line for line in lines), lines
    return process.returncode, (out or b"").decode(), lines


@pytest.fixture(name="ended")
def ended_fixture() -> Callable[[subprocess.Popen[bytes]], Ended]:
    """See `ended`."""
    return ended


def parts(folder: Path) -> list[Path]:
    """The unfinished files in a folder."""
    return [path for path in folder.rglob("*") if path.name.endswith(".part") or path.name.startswith(".")]


@pytest.fixture(name="parts")
def parts_fixture() -> Callable[[Path], list[Path]]:
    """See `parts`."""
    return parts


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 kB; skips where none can be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    if not sys.platform.startswith("linux") or mount is None or os.geteuid() != 0:
        pytest.skip("mounting a file system needs Linux and root")
    if subprocess.run([mount, "-t", "tmpfs", "-o", "size=256k", "none", str(folder)], check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)
