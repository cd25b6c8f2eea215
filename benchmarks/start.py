"""The start time of the program, minus that of the bare interpreter. Run: python benchmarks/start.py ROM.

Every figure is the median of fresh processes, the bare interpreter's median subtracted (not from resident memory, which
is the process' peak); verbs that ask the catalogue find it made. `info` also reads the image padded with zeros to 128
MiB, as it is on a cartridge. The exit status is 1 when a limit is exceeded.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

CARTRIDGE = 128 << 20
LIMITS = {
    "import mapexplorer": 0.1,
    "--help": 0.3,
    "find": 0.15,
    "where-used item": 0.3,
    "where-used texture": 0.3,
    "encounters of a map": 0.3,
    "encounters of a species": 0.3,
    "maps": 0.3,
    "tile": 0.3,
    "info on 128 MiB": 0.5,
}
MEMORY_LIMIT = 120.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rom", type=Path)
    parser.add_argument("--repeat", type=int, default=9)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
    try:
        padded = Path(folder) / "padded.nds"
        shutil.copyfile(arguments.rom, padded)
        os.truncate(padded, max(CARTRIDGE, padded.stat().st_size))
        rom = str(arguments.rom)
        program = ("-m", "mapexplorer")
        commands = {
            "import mapexplorer": ("-c", "import mapexplorer"),
            "--help": (*program, "--help"),
            "info": (*program, "info", rom),
            "find": (*program, "find", rom, "lake"),
            "where-used item": (*program, "where-used", rom, "item:17"),
            "where-used texture": (*program, "where-used", rom, "texture:1/0/0"),
            "encounters of a map": (*program, "encounters", rom, "334"),
            "encounters of a species": (*program, "encounters", rom, "species:399"),
            "maps": (*program, "maps", rom),
            "tile": (*program, "tile", rom, "T01@116,885"),
            "show T01": (*program, "show", rom, "T01"),
            "info on 128 MiB": (*program, "info", str(padded)),
        }
        bare, memory = measure(("-c", "pass"), arguments.repeat)
        print(f"{'bare interpreter':24} {bare:6.3f} s {memory:7.1f} MB")
        exceeded = False
        for name, words in commands.items():
            seconds, memory = measure(words, arguments.repeat)
            seconds -= bare
            limit = LIMITS.get(name)
            over = (limit is not None and seconds > limit) or ("128" in name and memory > MEMORY_LIMIT)
            exceeded |= over
            wanted = f"  at most {limit} s" + (f" and {MEMORY_LIMIT:g} MB" if "128" in name else "") if limit else ""
            print(f"{name:24} {seconds:6.3f} s {memory:7.1f} MB{wanted}{'  EXCEEDED' if over else ''}")
    finally:
        shutil.rmtree(folder)
    return int(exceeded)


def measure(words: tuple[str, ...], repeat: int) -> tuple[float, float]:
    """Median seconds and MB of peak resident memory of `python WORDS`; a first run that fills caches is left out."""
    runs = [_run(words) for _ in range(repeat + 1)][1:]
    return statistics.median(seconds for seconds, _ in runs), statistics.median(memory for _, memory in runs)


def _run(words: tuple[str, ...]) -> tuple[float, float]:
    null = os.open(os.devnull, os.O_WRONLY)
    start = time.perf_counter()
    process = os.posix_spawn(
        sys.executable, [sys.executable, *words], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)]
    )
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start
    os.close(null)
    if status:
        raise SystemExit(f"{' '.join(words)} ended with status {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    sys.exit(main())
