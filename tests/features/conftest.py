"""The vectors of run-time features and the real ROM's world."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom

Cases = list[dict[str, Any]]
Rows = list[dict[str, int]]


@pytest.fixture(scope="session")
def real(rom_path: Path) -> FieldWorld:
    """The world of the real ROM."""
    return FieldWorld(open_rom(rom_path))


@pytest.fixture(scope="session")
def counts(vectors: Path) -> dict[str, int]:
    """File of the vectors -> how many cases it has."""
    found: dict[str, int] = json.loads((vectors / "dynamic" / "counts.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="session")
def cases(vectors: Path) -> Callable[..., Cases]:
    """Name and folder -> the cases of a JSON file of the vectors."""

    def read(name: str, folder: str = "dynamic") -> Cases:
        listed: Cases = json.loads((vectors / folder / f"{name}.json").read_text("utf-8"))
        assert len(listed) == json.loads((vectors / folder / "counts.json").read_text("utf-8"))[f"{name}.json"] > 0
        return listed

    return read


@pytest.fixture(scope="session")
def rows(vectors: Path, counts: dict[str, int]) -> Callable[[str], Rows]:
    """Name -> the rows of an .npz file of the vectors, by column."""

    def read(name: str) -> Rows:
        with np.load(vectors / "dynamic" / f"{name}.npz") as archive:
            columns, values = archive["columns"].tolist(), archive["rows"].tolist()
        assert len(values) == counts[f"{name}.npz"] > 0
        return [dict(zip(columns, row, strict=True)) for row in values]

    return read
