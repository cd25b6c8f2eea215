"""Interrupts at many moments of many commands; one of each kind is in `tests/cli/test_interrupt.py`."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from mapexplorer.system.interrupt import GRACE
from tests.cli.test_interrupt import (
    AT_A_CALL,
    AT_A_MOMENT,
    COMPILING,
    INTERRUPTED,
    PATIENCE,
    Run,
    begun,
    ends,
    interrupt_export,
    nobody_is_left,
    run_fixture,  # noqa: F401
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

IN_A_WAIT = """
import runpy, sys, signal
from formats.kernel.compilation import Ticket
def begin(frame, event, argument):
    code = frame.f_code.co_name
    if event == "call" and code == "_is_owned" and frame.f_back.f_back.f_back.f_back.f_code is Ticket.wait.__code__:
        sys.setprofile(None)
        signal.raise_signal(signal.SIGINT)
sys.setprofile(begin)
runpy.run_module("mapexplorer", run_name="__main__", alter_sys=True)
"""
"""`mapexplorer` that is interrupted while it waits for a compiled unit and holds the lock of what it waits for."""


@pytest.mark.parametrize("arguments", [("maps", "demo"), ("--help",), ("show", "demo", "H01")])
def test_light_verbs_at_any_call(run: Run, arguments: tuple[str, ...]) -> None:
    call, statuses = 1, []
    while not statuses or statuses[-1] == INTERRUPTED:
        statuses.append(ends(run(AT_A_CALL, call, *arguments)))
        call = call * 3 // 2 + 1
    assert statuses[-1] == 0 and statuses.count(INTERRUPTED) > 10


@pytest.mark.parametrize("call", [100, 5000, 20_000, 60_000, 100_000, 200_000, 400_000])
def test_a_picture_at_any_call_leaves_all_or_nothing(run: Run, tmp_path: Path, call: int) -> None:
    status = ends(run(AT_A_CALL, call, "render", "demo", "H01", "-o", tmp_path / "x.png"))
    assert [file.name for file in tmp_path.iterdir()] == ["x.png"] * (status == 0)


def test_while_the_lock_of_a_unit_is_held(run: Run, tmp_path: Path) -> None:
    process = run(
        IN_A_WAIT,
        "render",
        "demo",
        "H01",
        "-o",
        tmp_path / "x.png",
        env={"MAPEXPLORER_KERNEL_CACHE": str(tmp_path / "cache")},
    )
    assert ends(process) == INTERRUPTED
    assert nobody_is_left(process.pid)


@pytest.mark.parametrize("seconds", [0.0, 0.5, 2.0, 6.0])
@pytest.mark.parametrize(
    "arguments", [("render", "demo", "H01", "-o", "x.png"), ("export", "demo", "--all", "-o", ".", "-j", "2")]
)
def test_while_kernels_are_compiled(run: Run, tmp_path: Path, arguments: tuple[str, ...], seconds: float) -> None:
    words = (tmp_path / word if word in ("x.png", ".") else word for word in arguments)
    process = run(AT_A_MOMENT, *words, env={"MAPEXPLORER_KERNEL_CACHE": str(tmp_path / "cache")})
    begun(process)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    interrupted = time.monotonic()
    ends(process)
    assert time.monotonic() - interrupted < GRACE  # it does not wait for the compiler
    assert nobody_is_left(process.pid)
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("written", [0, 1, 20])
def test_an_export_leaves_complete_files(run: Run, rom_path: Path, tmp_path: Path, jobs: int, written: int) -> None:
    interrupt_export(run, rom_path, tmp_path, jobs, written)


@pytest.mark.parametrize("jobs", [1, 2])
def test_unpacking_leaves_nothing(run: Run, tmp_path: Path, jobs: int) -> None:
    process = run(AT_A_MOMENT, "unpack", "demo", tmp_path / "folder", "-j", jobs)
    begun(process)
    deadline = time.monotonic() + PATIENCE
    while len(list(tmp_path.glob("*/.*.part/data/*/*/*/*"))) < 100 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    assert ends(process) == INTERRUPTED
    assert nobody_is_left(process.pid) and not list(tmp_path.iterdir())


@pytest.mark.parametrize("verb", ["poster", "verify"])
@pytest.mark.parametrize("seconds", [0.05, 0.3, 0.8, 1.5])
def test_workers_end_without_a_word(run: Run, rom_path: Path, tmp_path: Path, verb: str, seconds: float) -> None:
    arguments = (0, "-o", tmp_path / "x.png") if verb == "poster" else ()
    process = run(AT_A_MOMENT, verb, rom_path, *arguments, "-j", 2)
    begun(process)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    ends(process)
    assert [file.name for file in tmp_path.iterdir()] == ["x.png"] * (process.returncode == 0 and verb == "poster")
    assert nobody_is_left(process.pid)


def test_a_demo_is_not_continued(run: Run, tmp_path: Path) -> None:
    process = run(AT_A_MOMENT, "demo", "-o", tmp_path)
    begun(process)
    deadline = time.monotonic() + PATIENCE
    while not list(tmp_path.glob("*.glb")) and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    assert ends(process) == INTERRUPTED
    assert not list(tmp_path.glob(".*.part"))


def test_two_interrupts_are_one_line(run: Run, rom_path: Path, tmp_path: Path) -> None:
    process = run(AT_A_MOMENT, "export", rom_path, "--all", "-o", tmp_path, "-j", 2)
    begun(process)
    deadline = time.monotonic() + PATIENCE
    while not list(tmp_path.glob("*.glb")) and time.monotonic() < deadline:
        time.sleep(0.01)
    for _ in range(20):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.005)
        if process.poll() is not None:
            break
    assert ends(process) == INTERRUPTED


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_request_to_end_leaves_no_part(run: Run, tmp_path: Path, number: int, status: int, jobs: int) -> None:
    code = "import runpy; runpy.run_module('mapexplorer', run_name='__main__', alter_sys=True)"
    process = run(code, "poster", "demo", "0", "-o", tmp_path / "out.png", "-j", jobs, "--cell-pixels", 256)
    deadline = time.monotonic() + PATIENCE
    while not list(tmp_path.iterdir()) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    lines = [line for line in err.split("\n")[:-1] if not line.startswith(COMPILING)]
    assert (process.returncode, len(lines)) == (status, 1), err
    assert not list(tmp_path.iterdir())
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < deadline:
            os.killpg(process.pid, 0)
            time.sleep(0.05)
