"""A batch export that is interrupted and killed many times and continued gives what one undisturbed run gives."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from mapexplorer.export.batch import JOURNAL, export_all
from mapexplorer.export.options import ExportOptions
from tests.export.test_journal import PATIENCE, contents, recorded, start

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("whole")
    assert start(folder).wait(PATIENCE) == 0
    return contents(folder)


def wait_for_entries(process: subprocess.Popen[str], folder: Path, number: int) -> None:
    """Wait until the journal of a folder has so many lines, or the process has ended."""
    begun = time.monotonic()
    while process.poll() is None and time.monotonic() - begun < PATIENCE:
        with contextlib.suppress(OSError):
            if (folder / JOURNAL).read_bytes().count(b'"header"') >= number:
                return
        time.sleep(0.002)


def kill_and_resume(folder: Path, files: dict[str, str], kills: int, how: int, seed: int) -> int:
    """Run with so many kills, each a random moment after a random number of files; returns how many left a part of the
    files."""
    moments = random.Random(seed)
    partly = 0
    # An earlier run of other contents, whose records must not stay.
    export_all("demo", folder, ExportOptions(second=0, static=True), headers=[4, 6], jobs=1)
    for number in range(kills):
        process = start(folder, *(["--resume"] if number else []))
        wait_for_entries(process, folder, moments.randint(number, number + 2))
        time.sleep(moments.uniform(0, 0.05))
        process.send_signal(how)
        _, err = process.communicate(timeout=PATIENCE)
        entries, complete = recorded(folder)
        partly += len(entries) > 0 and not complete
        if how == signal.SIGINT and process.returncode == 130 and "complete," in err:
            assert f"Interrupted: {len(entries)} map" in err
    ended = start(folder, "--resume")
    assert ended.wait(PATIENCE) == 0
    found = contents(folder)
    assert {name: found[name] for name in files} == files
    assert set(found) == set(files)
    return partly


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_interrupts_and_kills(tmp_path: Path, whole: dict[str, str], how: int) -> None:
    kill_and_resume(tmp_path, whole, 2, how, 5)


@pytest.mark.slow
def test_fifty_interrupts_and_kills(tmp_path: Path, whole: dict[str, str]) -> None:
    partly = 0
    for seed in range(10):
        how = (signal.SIGKILL, signal.SIGINT)[seed % 2]
        partly += kill_and_resume(tmp_path / str(seed), whole, 5, how, seed)
    assert partly > 10
