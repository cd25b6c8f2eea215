from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import mapexplorer.data

from mapexplorer.demo import build

DEMO = Path(mapexplorer.data.__path__[0]) / "demo.nds"


def test_rebuilding_gives_the_bytes_that_are_installed() -> None:
    assert build() == DEMO.read_bytes()


def test_the_bytes_do_not_depend_on_the_order_of_sets() -> None:
    code = "import hashlib; from mapexplorer.demo import build; print(hashlib.sha256(build()).hexdigest())"
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        found.add(done.stdout.strip())
    assert found == {hashlib.sha256(DEMO.read_bytes()).hexdigest()}


def test_it_is_small() -> None:
    assert DEMO.stat().st_size <= 1 << 20
