"""The process that runs cases of one mode: `python -m tools.fuzz.worker FOLDER MODE FIRST END SEED`."""

from __future__ import annotations

import gc
import os
import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from formats.binary import FormatError, Notes
from tools.fuzz.case import MEMORY, TEXTS, WHOLE, Case, chance, make, mode_of
from tools.fuzz.findings import Finding, Findings, packed, shrunk, signature_of, trace_of
from tools.fuzz.images import WholeImages
from tools.fuzz.present import PresentCase
from tools.fuzz.seeds import Seed, all_seeds
from tools.fuzz.texts import Texts
from tools.fuzz.uses import Uses

LARGEST_SEED = 40_000
SEEDS_OF_A_KIND = 12
SECONDS, TEXT_SECONDS = 1.0, 10.0
"""Processor time that a case may take for each begun megabyte of the file, or one of texts, on a machine as fast as
`slowness` assumes."""
TEXT_BYTES = 2 << 30
"""Memory that a process may take for cases of texts; twice of that ends it."""
BYTES = 64 << 20
"""Memory that a case may take for each begun megabyte of the file."""

_LOOP_SECONDS = 0.026


class TooSlow(Exception):
    """A case took more than SECONDS."""


class TooLarge(Exception):
    """A case took more memory than BYTES for each megabyte."""


def slowness() -> float:
    """How many times longer a Python loop takes here, now, than where the limit was set; at least 1."""

    def loop() -> float:
        start = time.process_time()
        total = 0
        for number in range(1_000_000):
            total += number
        return time.process_time() - start

    return max(1.0, *(loop() / _LOOP_SECONDS for _ in range(5)))


def _most_memory() -> int:
    """Bytes of memory that this process had at most."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def pool_of(seeds: dict[str, list[Seed]]) -> dict[type, list[object]]:
    """The values of the seeds by their type."""
    pool: dict[type, list[object]] = {}
    for group in seeds.values():
        for seed in group:
            pool.setdefault(type(seed.value), []).append(seed.value)
    return pool


class Runner:
    """Runs single cases."""

    def __init__(self, mode: str, folder: Path) -> None:
        self.mode = mode
        self.seeds = all_seeds(LARGEST_SEED, SEEDS_OF_A_KIND)
        self.uses = Uses(pool_of(self.seeds))
        self.images = WholeImages(folder) if mode == WHOLE else Texts(folder) if mode == TEXTS else None

    def warm_up(self) -> None:
        """Use everything whole, so that no case is the first to import or compile. Raises what a whole file raises."""
        if self.images is not None:
            self.images.warm_up()
        else:
            for group in self.seeds.values():
                for seed in group:
                    for _ in range(2):
                        self.uses.use(random.Random(1), seed.read(seed.data, []), len(seed.data))
        if self.mode == MEMORY:
            tracemalloc.start()

    def run(self, seed: Seed, data: bytes, key: str) -> None:
        """Read and use a file. Raises what is a finding; `key` decides what is random in the use."""
        self._limited(lambda: self._use(seed, data, key), len(data))

    def run_whole(self, source: random.Random) -> None:
        """Use a changed image or folder. Raises what is a finding."""
        assert self.images is not None
        images = self.images
        state = source.getstate()

        def use() -> None:
            source.setstate(state)
            images.use(source)

        self._limited(use, images.size)

    def _use(self, seed: Seed, data: bytes, key: str) -> None:
        notes: Notes = []
        try:
            self.uses.use(random.Random(key), seed.read(data, notes), len(data))
        except FormatError as error:
            assert error.path and error.offset >= 0, "an error without its place"
        assert all(note.path and note.offset >= 0 for note in notes), "a note without its place"

    def _limited(self, use: Callable[[], None], size: int) -> None:
        if self.mode == MEMORY:
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            use()
            _, peak = tracemalloc.get_traced_memory()
            if peak - before > BYTES * max(1.0, size / (1 << 20)):
                raise TooLarge(f"{(peak - before) >> 20} MB for {size} bytes")
            return
        limit = TEXT_SECONDS if self.mode == TEXTS else SECONDS * max(1.0, size / (1 << 20))
        for attempt in range(3):
            start = time.process_time()
            use()
            seconds = time.process_time() - start
            if self.mode == TEXTS and (most := _most_memory()) > TEXT_BYTES:
                raise TooLarge(f"{most >> 20} MB")
            if seconds <= limit or seconds <= limit * slowness():
                return
            gc.collect()
            if attempt == 2:
                raise TooSlow(f"{seconds:.2f} s for {size} bytes")

    def problem(self, seed: Seed, data: bytes, key: str) -> str:
        """The signature of what is wrong with a file; empty if nothing is."""
        try:
            self.run(seed, data, key)
        except Exception as error:
            return named(error, seed.kind)
        return ""


def named(error: Exception, kind: str) -> str:
    """The signature of an error of a case."""
    if isinstance(error, TooSlow | TooLarge):
        return f"{type(error).__name__} {kind}"
    return signature_of(error)


def main(folder: Path, mode: str, first: int, end: int, seed: str) -> None:
    """Run the cases of a mode from `first` to before `end`."""
    findings = Findings(folder / f"findings-{mode}.jsonl")
    present, progress = PresentCase(folder / f"present-{mode}"), folder / f"next-{mode}"
    present.write(first, 0, b"")
    runner = Runner(mode, folder)
    runner.warm_up()
    if mode == TEXTS:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (2 * TEXT_BYTES, 2 * TEXT_BYTES))
    gc.collect()
    gc.freeze()  # what is there now stays, so no collection has to look at it again
    done = 0
    for number in range(first, end):
        if mode not in (mode_of(number), TEXTS):
            continue
        source, case = chance(seed, number), None
        done += 1
        try:
            present.write(number, done, b"")
            if runner.images is not None:
                runner.run_whole(source)
            else:
                case = make(source, runner.seeds)
                present.write(number, done, case.data)
                runner.run(case.seed, case.data, f"{seed} {number}")
        except Exception as error:
            _keep(runner, findings, error, case, seed, number)
            if mode == TEXTS and isinstance(error, TooLarge):
                raise SystemExit("too large") from None  # what a process had at most stays
        if done % 50 == 0:
            _set_progress(progress, number + 1)
    _set_progress(progress, end)


def _set_progress(path: Path, number: int) -> None:
    """Write the first case that was not run. The file is whole at every moment, so a run can be stopped at any."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(str(number))
    os.replace(new, path)


def _keep(runner: Runner, findings: Findings, error: Exception, case: Case | None, seed: str, number: int) -> None:
    without_file = {WHOLE: "image or folder", TEXTS: "a text"}.get(runner.mode, "a changed value")
    kind = case.seed.kind if case is not None else without_file
    signature = named(error, kind)
    if findings.knows(signature):
        return
    data, key = b"", f"{seed} {number}"
    if case is not None:
        data = case.data
        if not isinstance(error, TooSlow):
            data = shrunk(data, case.seed.data, lambda new: runner.problem(case.seed, new, key) == signature)
    findings.add(Finding(signature, seed, number, kind, trace_of(error), packed(data)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
