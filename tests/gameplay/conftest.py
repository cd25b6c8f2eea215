"""The real world, the demo world, and the lines of the script vectors."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom


@pytest.fixture(scope="session")
def real(rom_path: Path) -> FieldWorld:
    """The world of the real ROM."""
    return FieldWorld(open_rom(rom_path))


@pytest.fixture(scope="session")
def demo() -> FieldWorld:
    """The demo world."""
    return FieldWorld.open("demo")


@pytest.fixture(scope="session")
def cases(vectors: Path) -> Callable[[str], list[dict[str, Any]]]:
    """Reads the lines of a file of the script vectors."""

    def read(name: str) -> list[dict[str, Any]]:
        with gzip.open(vectors / "scripts" / f"{name}.jsonl.gz", "rt") as lines:
            return [json.loads(line) for line in lines]

    return read
