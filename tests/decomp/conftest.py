"""A small tree in the forms of the decompilation, written by the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mapexplorer.decomp.files import FolderFiles
from tests.conftest import required_path
from tests.decomp.packed import PackedFiles


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], FolderFiles]:
    """Writes files, by their paths, into a folder, and gives them as those of a tree."""

    def write(files: Mapping[str, str | bytes]) -> FolderFiles:
        for path, contents in files.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(contents.encode() if isinstance(contents, str) else contents)
        return FolderFiles(tmp_path, "tree")

    return write


@pytest.fixture(scope="session")
def packed() -> PackedFiles:
    """The shared source tree."""
    return PackedFiles(required_path("MAPEXPLORER_TREES") / "pokeplatinum-tree.tar.xz")
