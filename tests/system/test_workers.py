"""Processes that share work: killed when their block is left early, and what they were writing is removed."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.export.files import atomic_file, remove_parts
from mapexplorer.system.workers import Workers, done_by

_LONG = 600.0


@pytest.fixture(params=["alone", "beside a thread"])
def forks(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether processes are forked: not while there is another thread."""
    ended = threading.Event()
    other = threading.Thread(target=ended.wait, daemon=True)
    if request.param != "alone":
        other.start()
    yield sys.platform == "linux" and threading.active_count() == 1
    ended.set()
    if request.param != "alone":
        other.join()


def call(task: tuple[Any, ...]) -> Any:
    """A task: a function and its arguments."""
    function, *arguments = task
    return function(*arguments)


def begin() -> Callable[[tuple[Any, ...]], Any]:
    """What the processes do."""
    return call


def write_slowly(folder: str) -> None:
    """Begins a file that is not finished in time."""
    with atomic_file(Path(folder) / "x.bin") as file:
        file.write(b"half")
        file.flush()
        time.sleep(_LONG)


def square(number: int) -> int:
    """Some work."""
    return number * number


def die(by: int) -> None:
    """Ends the process by a signal, or with status 3."""
    faulthandler.disable()
    if by:
        os.kill(os.getpid(), by)
    os._exit(3)


def refuse() -> Callable[[tuple[Any, ...]], Any]:
    """Cannot prepare."""
    raise ValueError("nothing to begin with")


@pytest.mark.usefixtures("forks")
def test_a_failed_begin_is_raised_by_the_work(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="nothing to begin with"), Workers(2, refuse, (), "{}") as workers:
        workers.submit(
            (
                square,
                2,
            )
        ).result()
    assert not capfd.readouterr().err


def test_work_comes_back() -> None:
    with Workers(2, begin, (), "{}") as workers:
        futures = [
            workers.submit(
                (
                    square,
                    number,
                )
            )
            for number in range(10)
        ]
        assert sorted(future.result() for future in workers.finished(futures)) == [n * n for n in range(10)]
        assert multiprocessing.active_children()
    assert not multiprocessing.active_children()


def test_they_start_before_there_is_work() -> None:
    with Workers(2, begin, (), "{}") as workers:
        assert not multiprocessing.active_children()
        workers.start()
        assert len(multiprocessing.active_children()) == 2
        assert (
            workers.submit(
                (
                    square,
                    3,
                )
            ).result()
            == 9
        )
    assert not multiprocessing.active_children()


def test_an_error_kills_them_and_their_files(tmp_path: Path) -> None:
    workers = Workers(1, begin, (), "{}")
    with pytest.raises(KeyError), workers:
        workers.submit(
            (
                write_slowly,
                str(tmp_path),
            )
        )
        while not list(tmp_path.iterdir()):
            time.sleep(0.01)
        raise KeyError
    assert not multiprocessing.active_children()
    (part,) = tmp_path.iterdir()
    assert part.name.endswith(".part")
    with atomic_file(tmp_path / "y.bin"):
        (other,) = set(tmp_path.iterdir()) - {part}
        remove_parts(tmp_path)
        assert other.exists() and not part.exists()


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize(
    ("end", "words"),
    [
        (0, "ended with status 3"),
        (signal.SIGSEGV, "was ended by SIGSEGV"),
        (signal.SIGTERM, "was ended by SIGTERM"),
        (signal.SIGKILL, "was killed, perhaps because memory ran out (fewer --jobs need less)"),
    ],
)
def test_a_process_that_dies_is_a_true_sentence(end: int, words: str) -> None:
    with pytest.raises(OSError, match=f"^It {re.escape(words)}.$"), Workers(2, begin, (), "It {}.") as workers:
        others = [
            workers.submit(
                (
                    square,
                    number,
                )
            )
            for number in range(4)
        ]
        workers.submit(
            (
                die,
                end,
            )
        ).result()
        assert others


def times(factor: int) -> Callable[[int], int]:
    """What multiplies a task."""
    return lambda task: task * factor


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_are_done_here_or_by_others(jobs: int, forks: bool) -> None:
    known: list[int] = []

    def work(task: int) -> int:
        return task * 3 if len(known) == 1 or jobs == 1 else -1

    tasks = (known.append(task) or task for task in range(7))  # type: ignore[func-returns-value]
    assert Workers(2, times, (3,), "{}", work).forks is forks
    assert dict(done_by(work, tasks, jobs, times, (3,), "{}")) == {index: 3 * index for index in range(7)}
    assert not multiprocessing.active_children()


def _handled_signals(name: str) -> tuple[bool, bool, set[signal.Signals]]:
    """In a worker: whether a signal has its default handler, whether interrupts are ignored; what is blocked."""
    default = signal.getsignal(getattr(signal, name)) is signal.SIG_DFL
    return default, signal.getsignal(signal.SIGINT) is signal.SIG_IGN, signal.pthread_sigmask(signal.SIG_BLOCK, ())


def handled() -> Callable[[str], Any]:
    """What looks at signals."""
    return _handled_signals


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the system has no signal masks")
@pytest.mark.usefixtures("forks")
def test_signals_are_left_to_the_parent() -> None:
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        assert dict(done_by(_handled_signals, ["SIGTERM"], 2, handled, (), "{}"))[0] == (True, True, {signal.SIGINT})
    finally:
        signal.signal(signal.SIGTERM, before)
