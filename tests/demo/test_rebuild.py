from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from tools.demo_world import build

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "data" / "demo.nds"


def test_rebuilding_gives_the_bytes_of_the_repository() -> None:
    assert build() == DEMO.read_bytes()


def test_the_bytes_do_not_depend_on_the_order_of_sets() -> None:
    code = "import hashlib; from tools.demo_world import build; print(hashlib.sha256(build()).hexdigest())"
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        found.add(done.stdout.strip())
    assert found == {hashlib.sha256(DEMO.read_bytes()).hexdigest()}


def test_it_is_small() -> None:
    assert DEMO.stat().st_size <= 1 << 20
