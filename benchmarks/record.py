"""Ratios of processor times on the demo world against a record: `python benchmarks/record.py [--write]`.

Every measure is the processor time of a piece of work divided by that of a loop in the same process: a record of one
machine holds on others. Both run in turn, and the median of the ratios counts. The exit status is 1 when a ratio is
more than `ALLOWED` times the recorded one; `--write` records the present ones (benchmarks/record.json).
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

import mapexplorer
from mapexplorer.catalogue.build import make
from mapexplorer.system.progress import Progress
from mapexplorer.world.references.verification import verify
from mapexplorer.world.world import FieldWorld

RECORD: Final = Path(__file__).with_name("record.json")
ALLOWED: Final = 1.35
"""A ratio may be so many times the recorded one: more than machines differ, less than a defect costs."""
ROUNDS: Final = 9


def loop() -> None:
    """The work that everything is compared with: half Python, half numpy."""
    total = 0
    for index in range(300_000):
        total += index * index & 0xFF
    values = np.arange(200_000, dtype=np.float64)
    for _ in range(40):
        values = np.sqrt(values + 1.0)


def open_places() -> None:
    """Open the demo world and all its places."""
    world = mapexplorer.World("demo")
    for header in world.headers:
        place = world.place(header.id)
        place.collision()
        place.warps()


def pictures() -> None:
    """Draw 20 updates of a scene with the DS engine."""
    scene = mapexplorer.World("demo").place("T01").scene()
    for tick in range(20):
        scene.render(tick)


def export() -> None:
    """Write a place as GLB."""
    with tempfile.TemporaryDirectory() as folder:
        mapexplorer.World("demo").place("T01").export_gltf(Path(folder) / "T01.glb")


def make_catalogue() -> None:
    """Make the store of all things and uses."""
    make(FieldWorld.open("demo"), Progress()).close()


def read_all() -> None:
    """Read every file and write it back."""
    verify(mapexplorer.open_rom("demo"), jobs=1)


MEASURES: Final[dict[str, Callable[[], None]]] = {
    "open every place": open_places,
    "20 pictures": pictures,
    "one GLB": export,
    "read everything": read_all,
    "make the catalogue": make_catalogue,
}
"""Name -> a piece of work."""

VERBS: Final = {
    "start": ("--help",),
    "find": ("find", "demo", "mill"),
    "where-used": ("where-used", "demo", "flag:300"),
    "encounters": ("encounters", "demo", "F01"),
    "maps": ("maps", "demo"),
    "tile": ("tile", "demo", "T01@17,37"),
}
"""Name -> the words of a command that answers at once."""


def processor_time(work: Callable[[], None]) -> float:
    """Seconds of the processor that a piece of work takes in this process."""
    before = time.process_time()
    work()
    return time.process_time() - before


def ratios() -> dict[str, float]:
    """Name -> the median of the work's processor time divided by the loop's."""
    found = {}
    for name, work in MEASURES.items():
        work()  # kernels and modules are loaded
        found[name] = statistics.median(processor_time(work) / processor_time(loop) for _ in range(ROUNDS))
    return found | {name: in_a_process(*words) for name, words in VERBS.items()}


def in_a_process(*command: str) -> float:
    """The processor time of a command divided by that of a process that imports numpy."""

    def used(*words: str) -> float:
        code = (
            "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
            "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime)"
        )
        return float(subprocess.check_output([sys.executable, "-c", code, sys.executable, *words]))

    used("-m", "mapexplorer", *command)  # the store is made
    return statistics.median(used("-m", "mapexplorer", *command) / used("-c", "import numpy") for _ in range(ROUNDS))


def slower(found: dict[str, float], record: dict[str, float], allowed: float = ALLOWED) -> list[str]:
    """The names whose ratio is more than `allowed` times the recorded one."""
    return [name for name, ratio in found.items() if ratio > allowed * record[name]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="record the present ratios")
    arguments = parser.parse_args()
    found = ratios()
    if arguments.write:
        RECORD.write_text(
            json.dumps({name: round(ratio, 3) for name, ratio in found.items()}, indent=1) + "\n", "utf-8"
        )
    record = json.loads(RECORD.read_text("utf-8"))
    failed = slower(found, record)
    for name, ratio in found.items():
        print(f"{name:18} {ratio:8.3f}  recorded {record[name]:8.3f}{'  SLOWER' if name in failed else ''}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
