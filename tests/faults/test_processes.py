"""Several processes with one folder, many at once, and signals at random moments."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

Run = Callable[..., "subprocess.Popen[bytes]"]

VERBS = (
    ("export", "demo", "--all", "-j", "2", "-o", "OUT/maps"),
    ("poster", "demo", "0", "-j", "2", "-o", "OUT/poster.png"),
    ("verify", "demo", "-j", "2"),
    ("database", "demo", "-o", "OUT/out.sqlite"),
    ("render", "demo", "T01", "--frames", "5", "-o", "OUT/out.png"),
    ("find", "demo", "house"),
)
PATIENCE = 200
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


@pytest.mark.slow
def test_two_exporters_of_one_folder(command: Run, ended: Any, parts: Any, tmp_path: Path) -> None:
    processes = [command("export", "demo", "--all", "-j", "2", "-o", tmp_path) for _ in range(2)]
    for status, _, lines in sorted(ended(process) for process in processes):
        # The second may have begun when the first was done.
        told = [line.startswith("Another export writes into") for line in lines]
        assert (status, told) in ((0, []), (1, [True])), lines
    assert ended(command("export", "demo", "--all", "-j", "1", "-o", tmp_path, "--resume"))[0] == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["counts"]["failed"] == 0 and not parts(tmp_path)
    assert {entry["file"] for entry in manifest["maps"] if "file" in entry} == {
        path.name for path in tmp_path.glob("*.glb")
    }


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_many_processes_at_once(command: Run, ended: Any, tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    processes = [command(*words, env=environment) for words in (("maps", "demo"), ("find", "demo", "house")) * 32]
    outs = set()
    for process in processes:
        status, out, lines = ended(process)
        assert status == 0 and not lines, lines
        outs.add(out)
    assert len(outs) == 2


@pytest.fixture(scope="module")
def seconds_of() -> dict[str, float]:
    """How long each verb takes when it is left alone, once that is known."""
    return {}


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("number", STATUS)
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_signals_at_random_moments(
    command: Run, parts: Any, tmp_path: Path, seconds_of: dict[str, float], verb: tuple[str, ...], number: int
) -> None:
    source = random.Random(f"{verb[0]} {number}")
    words = [word.replace("OUT", str(tmp_path)) for word in verb]
    if verb[0] not in seconds_of:
        begun = time.monotonic()
        assert command(*words).wait(PATIENCE) == 0
        seconds_of[verb[0]] = time.monotonic() - begun
    whole = seconds_of[verb[0]]
    for _ in range(3):
        process = command(*words)
        time.sleep(source.uniform(0.3, 1.0) * whole)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
        lines = err.decode().splitlines()
        # Before the first line of the program the interpreter ends by the signal, or says that it cannot start.
        if lines and "init_import_site" in lines[0]:
            continue
        assert process.returncode in (0, STATUS[number], -number), (process.returncode, lines)
        assert process.returncode != STATUS[number] or len(lines) == 1, lines
        assert not any("Traceback" in line for line in lines), lines
        assert not parts(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["written", "truncated", "replaced", "removed"])
def test_a_rom_that_is_rewritten_meanwhile(
    command: Run, ended: Any, demo_image: bytes, tmp_path: Path, way: str
) -> None:
    rom = tmp_path / "game.nds"
    source = random.Random(way)
    for verb in (("verify", "ROM", "-j", "2"), ("export", "ROM", "--all", "-j", "2", "-o", "OUT"), ("info", "ROM")):
        rom.write_bytes(demo_image)
        words = [word.replace("ROM", str(rom)).replace("OUT", str(tmp_path / "out")) for word in verb]
        process = command(*words)
        time.sleep(source.uniform(0.2, 1.5))
        for _ in range(20):
            if process.poll() is not None:
                break
            if way == "truncated":
                os.truncate(rom, source.randrange(len(demo_image)))
            elif way == "removed":
                rom.unlink(missing_ok=True)
            elif way == "replaced":
                (tmp_path / "new.nds").write_bytes(demo_image)
                os.replace(tmp_path / "new.nds", rom)
            else:
                rom.write_bytes(demo_image)
            time.sleep(0.05)
        status, out, lines = ended(process)
        assert status == 0 or lines or "failed" in out or "problem" in out, (out, lines)


def test_a_share_that_goes_away_is_told(demo_image: bytes, tmp_path: Path) -> None:
    rom = tmp_path / "game.nds"
    rom.write_bytes(demo_image)
    code = (
        "import errno, os, sys\n"
        "real, left = os.pread, [int(sys.argv.pop(1))]\n"
        "def pread(*arguments):\n"
        "    left[0] -= 1\n"
        "    if left[0] < 0: raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))\n"
        "    return real(*arguments)\n"
        "os.pread = pread\n"
        "from mapexplorer.cli import main\n"
        "main()\n"
    )
    seen = set()
    for reads in (0, 3, 10, 40):
        words = [sys.executable, "-c", code, str(reads), "show", str(rom), "T01"]
        ran = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
        seen.add(ran.returncode)
        assert "Traceback" not in ran.stderr, ran.stderr
        assert ran.returncode == 0 or "can no longer be read" in ran.stderr + ran.stdout, ran.stderr
    assert 1 in seen


@pytest.mark.slow
def test_a_clock_that_goes_backwards(command: Run, ended: Any, demo_image: bytes, tmp_path: Path) -> None:
    """Files of the cache and of a run that are newer than the present time."""
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    rom = tmp_path / "game.nds"
    rom.write_bytes(demo_image)
    for future in (False, True):
        for path in tmp_path.rglob("*"):
            if future and path.is_file():
                os.utime(path, (4e9, 4e9))
        status, out, lines = ended(command("find", rom, "house", env=environment))
        assert status == 0 and "found" in out and not lines
        words = ("export", rom, "--all", "--maps", "2,3", "-j", "1", "-o", tmp_path / "out", "--resume")
        status, out, lines = ended(command(*words, env=environment))
        assert status == 0 and not lines, lines
