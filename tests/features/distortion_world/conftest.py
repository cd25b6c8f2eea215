"""The floors of the real ROM, and the rows of the vectors about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mapexplorer.features.distortion_world.files import DistortionFiles, distortion_files
from mapexplorer.features.distortion_world.floors import Floor
from mapexplorer.features.distortion_world.tables import DistortionTables, distortion_tables
from mapexplorer.games import DEFAULT
from mapexplorer.world import FieldWorld

Rows = Callable[[str], list[list[int]]]


@pytest.fixture(scope="session")
def files(real: FieldWorld) -> DistortionFiles:
    return distortion_files(real)


@pytest.fixture(scope="session")
def floors(files: DistortionFiles) -> dict[int, Floor]:
    return dict(files.floors)


@pytest.fixture(scope="session")
def tables() -> DistortionTables:
    return distortion_tables(DEFAULT.tables)


@pytest.fixture(scope="session")
def rows(vectors: Path) -> Rows:
    """The rows of a file of vectors by its name."""

    def read(name: str) -> list[list[int]]:
        with np.load(vectors / "dynamic" / f"dw_{name}.npz") as file:
            found: list[list[int]] = file["rows"].tolist()
        assert found
        return found

    return read
