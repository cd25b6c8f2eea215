"""The images of the other games, beside MAPEXPLORER_TEST_ROM, and their vectors."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from mapexplorer.world import FieldWorld

Cases = Callable[[str], Iterator[tuple[str, Any]]]


@pytest.fixture(scope="session")
def diamond(rom_path: Path, missing: Callable[[str], NoReturn]) -> FieldWorld:
    """The world of the image of Diamond."""
    return _world(rom_path.with_name("diamond-field.nds"), missing)


@pytest.fixture(scope="session")
def heartgold(rom_path: Path, missing: Callable[[str], NoReturn]) -> FieldWorld:
    """The world of the image of HeartGold."""
    return _world(rom_path.with_name("heartgold-field.nds"), missing)


def _world(path: Path, missing: Callable[[str], NoReturn]) -> FieldWorld:
    if not path.is_file():
        missing(f"{path.name} is not beside MAPEXPLORER_TEST_ROM")
    return FieldWorld.open(path)


@pytest.fixture(scope="session")
def cases(vectors: Path) -> Cases:
    """GAME/KIND -> the cases of a file of vectors; that all of them were taken is asserted at the end."""
    folder = vectors / "games"
    counts = json.loads((folder / "counts.json").read_text())

    def read(name: str) -> Iterator[tuple[str, Any]]:
        found = json.loads(gzip.decompress((folder / f"{name}.json.gz").read_bytes()))["cases"]
        assert len(found) == counts[f"{name}.json.gz"]
        return iter(found.items())

    return read
