"""The processor time of the first question to the catalogue of a ROM, which makes its store, and the size of the store.
Run: python benchmarks/database.py ROM.

The time is the median of fresh processes with an empty cache folder, user and system together. The exit status is 1
when a limit is exceeded.
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
BYTES_LIMIT = 32_000_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rom", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    found = [first_question(arguments.rom) for _ in range(arguments.repeat)]
    seconds, size = statistics.median(seconds for seconds, _ in found), found[0][1]
    print(f"{seconds:.2f} s of processor time, at most {SECONDS_LIMIT} s")
    print(f"{size / 1e6:.1f} MB, at most {BYTES_LIMIT / 1e6:g} MB")
    return int(seconds > SECONDS_LIMIT or size > BYTES_LIMIT)


def first_question(rom: Path) -> tuple[float, int]:
    """The seconds that a process takes to answer a question and to keep the store; its bytes."""
    words = [sys.executable, "-m", "mapexplorer", "find", str(rom), "lake"]
    with tempfile.TemporaryDirectory() as folder:
        before = os.times()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"XDG_CACHE_HOME": folder})
        after = os.times()
        (store,) = Path(folder).rglob("catalogue-*")
        size = store.stat().st_size
    return after.children_user - before.children_user + after.children_system - before.children_system, size


if __name__ == "__main__":
    sys.exit(main())
