"""What tests share: the real ROM and the ground-truth vectors, through environment variables.

MAPEXPLORER_TEST_ROM is an image; MAPEXPLORER_VECTORS and MAPEXPLORER_REFERENCES are folders. Where one is unset the
tests that need it skip with a clear reason; with MAPEXPLORER_REQUIRE=1 they fail instead.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel compiles it, so no example has a deadline; the examples are the same in every run.
settings.register_profile("mapexplorer", deadline=None, derandomize=True)
settings.load_profile("mapexplorer")


def required_path(variable: str) -> Path:
    """The path in an environment variable; skips (or fails, see above) when it is unset or names nothing."""
    value = os.environ.get(variable, "")
    if value and Path(value).exists():
        return Path(value).resolve()
    reason = f"{variable} is not set" if not value else f"{variable} names nothing: {value}"
    if os.environ.get("MAPEXPLORER_REQUIRE") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def slowness() -> Callable[[], float]:
    """How many times longer a Python loop takes here, now, than where the tests' time limits were set; at least 1."""

    def measure() -> float:
        start = time.process_time()
        total = 0
        for number in range(1_000_000):
            total += number
        return max(1.0, (time.process_time() - start) / 0.06)

    return measure


@pytest.fixture(scope="session")
def rom_path() -> Path:
    """The real ROM image."""
    return required_path("MAPEXPLORER_TEST_ROM")


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The folder of ground-truth vectors."""
    return required_path("MAPEXPLORER_VECTORS")


@pytest.fixture(scope="session")
def references() -> Path:
    """The folder of the peers' outputs and timings."""
    return required_path("MAPEXPLORER_REFERENCES")


@pytest.fixture(scope="session")
def validate_glb() -> Callable[[Iterable[Path]], int]:
    """Asserts that the Khronos validator finds no error and no warning in GLB files; returns how many it looked at.

    The validator is npm's gltf-validator in the folder gltf-validator of the virtual environment (`make test` puts it
    there). Where it or node is absent the test skips, or fails with MAPEXPLORER_REQUIRE=1.
    """
    modules = Path(sys.prefix) / "gltf-validator" / "node_modules"
    node = shutil.which("node")
    if node is None or not (modules / "gltf-validator").is_dir():
        reason = f"the glTF validator needs node and an npm install of gltf-validator into {modules.parent}"
        if os.environ.get("MAPEXPLORER_REQUIRE") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    script = Path(__file__).with_name("validate_glb.cjs")

    def validate(files: Iterable[Path]) -> int:
        names = [str(file) for file in files]
        count = 0
        for start in range(0, len(names), 100):
            part = names[start : start + 100]
            output = subprocess.run([node, str(script), str(modules), *part], capture_output=True, check=True).stdout
            for name, report in json.loads(output).items():
                assert (report["errors"], report["warnings"]) == (0, 0), f"{name}: {report['messages']}"
                count += 1
        assert count == len(names)
        return count

    return validate
