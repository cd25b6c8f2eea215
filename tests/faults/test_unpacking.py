"""An unpacking that is killed, between any two renames or at any moment, is finished or undone by the next run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mapexplorer.errors import RomError
from mapexplorer.rom.image import ImageRom
from mapexplorer.source_tree.replacement import finish
from mapexplorer.world.opening import open_rom
from tests.source_tree.conftest import packed, unpacked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

KILLED_AT_RENAME = """
import itertools, os, signal, sys
from pathlib import Path
from mapexplorer.cli import main
rename, calls = Path.rename, itertools.count()
def killing(path, target):
    if next(calls) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(path, target)
Path.rename = killing
main(sys.argv[2:])
"""


@pytest.fixture(scope="module")
def roms(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The demo world, and one in which a file of each part of a folder is another one."""
    demo = open_rom("demo")
    assert isinstance(demo, ImageRom)
    image, names = demo.stored(), demo.file("fielddata/maptable/mapname.bin")
    other = image.replace(names, names.replace(b"T01\0", b"X99\0"))
    folder = tmp_path_factory.mktemp("roms")
    for name, data in (("demo.nds", image), ("other.nds", other)):
        (folder / name).write_bytes(data)
    return [folder / "demo.nds", folder / "other.nds"]


def whole_again(folder: Path, roms: list[Path], new: Path) -> None:
    """The folder is that of one of the ROMs, or empty; then the unpacking is done by the next run."""
    image = folder.parent / "packed.nds"
    try:
        packed(folder, image)
    except RomError as error:
        assert "has no image.json" in str(error) and not any(folder.iterdir()), error
    else:
        assert image.read_bytes() in [rom.read_bytes() for rom in roms]
    unpacked(new, folder, replace=True)
    packed(folder, image)
    assert image.read_bytes() == new.read_bytes()
    begin = time.monotonic()
    while list(folder.glob(".*")) and time.monotonic() - begin < 30:  # processes of the killed one may still write
        time.sleep(0.2)
        finish(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "data", "image", "image.json"]


@pytest.mark.parametrize(
    ("replace", "moved"), [*((False, moved) for moved in range(5)), *((True, moved) for moved in range(9))]
)
def test_a_kill_between_two_renames(tmp_path: Path, roms: list[Path], replace: bool, moved: int) -> None:
    folder = tmp_path / "folder"
    if replace:
        unpacked(roms[1], folder)
    words = ["unpack", str(roms[0]), str(folder), "-j", "1", *(["--replace"] if replace else [])]
    ran = subprocess.run([sys.executable, "-c", KILLED_AT_RENAME, str(moved), *words], capture_output=True)
    assert ran.returncode == (0 if moved == (8 if replace else 4) else -signal.SIGKILL), ran.stderr
    packed(folder, tmp_path / "demo.nds")
    assert (tmp_path / "demo.nds").read_bytes() == roms[0].read_bytes()
    whole_again(folder, roms, roms[0])


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("replace", [False, True])
def test_kills_at_any_moment(tmp_path: Path, roms: list[Path], replace: bool, jobs: str) -> None:
    folder, moments = tmp_path / "folder", random.Random(f"{replace} {jobs}")
    for number in range(6):
        if replace and not folder.exists():
            unpacked(roms[1], folder)
        words = ["unpack", str(roms[number % 2]), str(folder), "-j", jobs, *(["--replace"] if replace else [])]
        process = subprocess.Popen([sys.executable, "-m", "mapexplorer", *words], stderr=subprocess.DEVNULL)
        while process.poll() is None and not list(folder.glob(".unpack.*")):
            time.sleep(0.001)
        time.sleep(moments.uniform(0, 2))
        process.kill()
        process.wait()
        if replace or number == 5:
            whole_again(folder, roms, roms[number % 2])
