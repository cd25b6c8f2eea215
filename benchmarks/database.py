"""The processor time of `mapexplorer database` and the size of its file. Run: python benchmarks/database.py ROM.

The time is the median of fresh processes, user and system together. The exit status is 1 when a limit is exceeded.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS_LIMIT = 4.0
BYTES_LIMIT = 15_000_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rom", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "rom.sqlite"
        seconds = statistics.median(processor_time(arguments.rom, output) for _ in range(arguments.repeat))
        size = output.stat().st_size
    print(f"{seconds:.2f} s of processor time, at most {SECONDS_LIMIT} s")
    print(f"{size / 1e6:.1f} MB, at most {BYTES_LIMIT / 1e6:g} MB")
    return int(seconds > SECONDS_LIMIT or size > BYTES_LIMIT)


def processor_time(rom: Path, output: Path) -> float:
    """The seconds that a process takes to write the database of a ROM."""
    words = [sys.executable, "-m", "mapexplorer", "database", str(rom), "-o", str(output)]
    before = os.times()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


if __name__ == "__main__":
    sys.exit(main())
