"""Interrupts: at any moment after the program's first line, one line on standard error and status 130.

What runs before that line is the interpreter's start, which no program handles.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mapexplorer.export.batch import JOURNAL

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

Run = Callable[..., subprocess.Popen[str]]

INTERRUPTED = 130
PATIENCE = 120
COMPILING = ("Compiling", "Waiting")

AT_A_CALL = """
import runpy, sys, signal
left = int(sys.argv.pop(1))
def count(frame, event, argument):
    global left
    if event == "call":
        left -= 1
        if left == 0:
            signal.raise_signal(signal.SIGINT)
def begin(event, arguments):
    # The import after the handler was set.
    if event == "import" and arguments[0] in ("mapexplorer.system", "mapexplorer.cli") and sys.getprofile() is None:
        sys.setprofile(count)
sys.addaudithook(begin)
runpy.run_module("mapexplorer", run_name="__main__", alter_sys=True)
"""
"""`mapexplorer`, interrupted at the n-th call of a Python function."""

AT_A_MOMENT = """
import os, runpy, sys
told = False
def tell(event, arguments):
    global told
    if event == "import" and arguments[0] in ("mapexplorer.system", "mapexplorer.cli") and not told:
        told = True
        os.write(1, b"begun\\n")
sys.addaudithook(tell)
runpy.run_module("mapexplorer", run_name="__main__", alter_sys=True)
"""
"""`mapexplorer` that says when its handler is set."""


@pytest.fixture(name="run")
def run_fixture() -> Run:
    """Starts `python -c CODE ARGUMENTS` as the first process of a group, as a terminal does."""

    def heed() -> None:
        """Signals that the tests themselves may have been started to ignore."""
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    def start(code: str, *arguments: object, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=kept | (env or {}),
            start_new_session=True,
            preexec_fn=heed,
        )

    return start


def ends(process: subprocess.Popen[str]) -> int:
    """Asserts that a process was interrupted with one line, or was done before; the result is its status. Whether it
    said before that it compiles is no matter of the interrupt."""
    _, err = process.communicate(timeout=PATIENCE)
    lines = [line for line in err.split("\n")[:-1] if not line.startswith(COMPILING)]
    assert process.returncode in (0, INTERRUPTED), err
    assert len(lines) == (process.returncode == INTERRUPTED), err
    assert all(line.startswith("Interrupted") for line in lines)
    return int(process.returncode)


def begun(process: subprocess.Popen[str]) -> None:
    """Waits until the process has set its handler."""
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"


def nobody_is_left(group: int) -> bool:
    """Whether all processes of a group end soon."""
    deadline = time.monotonic() + 10
    while _lives(group) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not _lives(group)


def _lives(group: int) -> bool:
    """Whether a process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_at_once(run: Run) -> None:
    for _ in range(3):
        process = run(AT_A_MOMENT, "maps", "demo")
        begun(process)
        process.send_signal(signal.SIGINT)
        assert ends(process) in (0, INTERRUPTED)


def interrupt_export(run: Run, rom: Path, folder: Path, jobs: int, written: int) -> None:
    """Interrupts an export of all maps when so many files are there; those that are there must be complete."""
    process = run(AT_A_MOMENT, "export", rom, "--all", "-o", folder, "-j", jobs)
    begun(process)
    deadline = time.monotonic() + PATIENCE
    while len(list(folder.glob("*.glb"))) < written and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # to the workers too, as a terminal does
    status = ends(process)
    assert status == INTERRUPTED
    files = list(folder.glob("*.glb"))
    assert {file.name for file in folder.iterdir()} - {JOURNAL} == {file.name for file in files}
    for file in files:
        data = file.read_bytes()
        assert data[:4] == b"glTF" and int.from_bytes(data[8:12], "little") == len(data)


def test_an_export_leaves_complete_files(run: Run, rom_path: Path, tmp_path: Path) -> None:
    interrupt_export(run, rom_path, tmp_path, 2, 1)


def test_two_threads_that_end_the_program_say_one_line() -> None:
    code = "from mapexplorer.system.interrupt import end, say; say('Interrupted: A.'); say(); end()"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (INTERRUPTED, "Interrupted: A.\n")


def test_who_ignores_interrupts_goes_on_ignoring_them() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", AT_A_CALL, "500", "maps", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_IGN),
    )
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and not err and out.endswith("places.\n")
