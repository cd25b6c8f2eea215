"""`python -m tools.fuzz -n CASES [--texts CASES] [-j JOBS] [--seed SEED] [--folder FOLDER]`: runs cases in processes
and watches these.

Cases run in rounds, so that every mode has its share whenever it is stopped; several modes run at once. The same
command continues. A process that dies, or stays at a case, is a finding, and the next one begins behind that case. Exit
status 1 if anything was found.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable
from pathlib import Path

from formats.kernel.stamp import BOUNDS_VARIABLE
from tools.fuzz.case import BOUNDS, MEMORY, MODES, PLAIN, TEXTS, WHOLE
from tools.fuzz.findings import Finding, Findings, packed
from tools.fuzz.present import PresentCase

ROUND = 100_000
"""Cases of a round, of all modes; each begins with new processes, which take seconds to be ready."""

ORDER = (WHOLE, PLAIN, BOUNDS, MEMORY)
"""The modes of a round; what takes longest begins first."""

HANG_SECONDS = 300.0
"""Seconds after which a process that is still at the same case is ended; the limit of processor time is far below."""

START_SECONDS = 600.0
"""Seconds for the first case: kernels may have to be compiled."""

_POLL_SECONDS = 0.25


class Watch:
    """Runs the cases of one mode in processes, one after the other."""

    def __init__(self, folder: Path, mode: str, seed: str) -> None:
        self._folder, self._mode, self._seed = folder, mode, seed
        self._progress = folder / f"next-{mode}"
        self._present = PresentCase(folder / f"present-{mode}")

    @property
    def next(self) -> int:
        """The first case that was not run."""
        return int(self._progress.read_text()) if self._progress.exists() else 0

    def run(self, end: int) -> Generator[None, None, None]:
        """Run the cases before `end`; stops now and then, while a process works."""
        while self.next < end:
            words = [self._folder, self._mode, self.next, end, self._seed]
            bounds = {BOUNDS_VARIABLE: "1"} if self._mode == BOUNDS else {}
            process = subprocess.Popen(
                [sys.executable, "-X", "faulthandler", "-m", "tools.fuzz.worker", *map(str, words)],
                env=os.environ | bounds,
                stderr=subprocess.PIPE,
                text=True,
            )
            told = yield from self._wait(process)
            if process.returncode == 0:
                continue
            number, count, data = self._present.read()
            if not count:
                raise SystemExit(f"The {self._mode} cases cannot begin:\n{told}")
            how = told.splitlines()[0] if process.returncode == -signal.SIGKILL else f"status {process.returncode}"
            Findings(self._folder / f"findings-{self._mode}.jsonl").add(
                Finding(f"{how} at case {number}", self._seed, number, "", told, packed(data))
            )
            self._progress.write_text(str(number + 1))

    def _wait(self, process: subprocess.Popen[str]) -> Generator[None, None, str]:
        """Wait until a process ends, or end it when it hangs; the result is what it told."""
        at, since = (-1, -1), time.monotonic()
        while process.poll() is None:
            yield
            number, count, _ = self._present.read()
            if (number, count) != at:
                at, since = (number, count), time.monotonic()
            if time.monotonic() - since > (HANG_SECONDS if count else START_SECONDS):
                process.send_signal(signal.SIGABRT)  # faulthandler prints where it is
                try:
                    _, told = process.communicate(timeout=10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    _, told = process.communicate()
                return f"hangs\n{told}"
        _, told = process.communicate()
        return told or "it told nothing"


def run_together(watches: Iterable[Watch], end: int, jobs: int) -> None:
    """Run the cases before `end` of several modes, `jobs` modes at once."""
    waiting = [watch.run(end) for watch in watches]
    while waiting:
        for run in waiting[:jobs]:
            try:
                next(run)
            except StopIteration:
                waiting.remove(run)
        time.sleep(_POLL_SECONDS)


def main() -> int:
    """Run cases as the command line says."""
    parser = argparse.ArgumentParser(description="Reads, edits, writes and shows damaged files of every format.")
    parser.add_argument("-n", type=int, default=20_000, help="cases in all; those of an earlier run count")
    parser.add_argument("--texts", type=int, default=2_000, help="cases of texts, folders, queries and names, too")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, help="modes that run at once")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    asked = parser.parse_args()
    folder = asked.folder / asked.seed
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    watches = [Watch(folder, mode, asked.seed) for mode in ORDER]
    before = min(watch.next for watch in watches)
    for end in range(min(ROUND, asked.n), asked.n + ROUND, ROUND):
        run_together(watches, min(end, asked.n), max(1, asked.j))
        print(f"{min(end, asked.n):,} cases in {time.monotonic() - begin:,.0f} s", flush=True)
    run_together([Watch(folder, TEXTS, asked.seed)], asked.texts, 1)
    print(f"{asked.texts:,} cases of texts", flush=True)
    found = [one for mode in (*MODES, TEXTS) for one in Findings(folder / f"findings-{mode}.jsonl").all]
    for one in found:
        print(f"\n{one.signature} (case {one.number}, {one.kind})\n{one.trace}")
    rate = (asked.n - before) / max(1e-9, time.monotonic() - begin)
    print(f"{asked.n:,} cases, {rate:,.1f} a second, {len(found)} findings in {folder}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
