"""The source tree of the decompilation: its members are those of the ROM."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.decomp.files import TreeFiles
from mapexplorer.decomp.tree import TreeRom, table_of
from mapexplorer.errors import SourceError
from tests.conftest import required_path


class PackedFiles(TreeFiles):
    """The files of a tree in a tar file."""

    def __init__(self, place: Path) -> None:
        self.name = place.name
        self.contents: dict[str, bytes] = {}
        self._folders: dict[str, set[str]] = defaultdict(set)
        with tarfile.open(place) as packed:
            for member in packed:
                file = packed.extractfile(member) if member.isfile() else None
                if file is not None:
                    self.write(member.name.partition("/")[2], file.read())

    def write(self, path: str, contents: bytes) -> None:
        """Put a file into the tree."""
        self.contents[path] = contents
        while path:
            path, _, name = path.rpartition("/")
            self._folders[path].add(name)

    def names(self, folder: str) -> frozenset[str]:
        return frozenset(self._folders.get(folder, ()))

    def read(self, path: str) -> bytes:
        if path not in self.contents:
            raise SourceError(path, None, "there is no such file")
        return self.contents[path]


OF_OTHER_TESTS = {"pl_msg", "scr_seq"}


@pytest.fixture(scope="module")
def packed() -> PackedFiles:
    return PackedFiles(required_path("MAPEXPLORER_TREES") / "pokeplatinum-tree.tar.xz")


@pytest.fixture(scope="module")
def expected(vectors: Path) -> dict[str, Any]:
    contents: dict[str, Any] = json.loads((vectors / "tree" / "tree_expected.json").read_text("utf-8"))
    return contents


def test_members_are_those_of_the_rom(packed: PackedFiles, expected: dict[str, Any]) -> None:
    rom = TreeRom(packed, table_of(packed))
    different = {}
    for role, known in expected["roles"].items():
        if (known.get("form") in ("as in the ROM", "converted") or role == "mmodel") and role not in OF_OTHER_TESTS:
            archive = rom.archive(known["path"]) if known["archive"] else (rom.file(known["path"]),)
            hashes = [hashlib.sha1(data).hexdigest() for data in archive]
            if hashes != known["members"]:
                different[role] = sum(map(str.__ne__, hashes, known["members"]))
    assert different == {}


@pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("role", ["scr_seq", "pl_msg"])
def test_scripts_and_texts_are_those_of_the_rom(
    packed: PackedFiles, expected: dict[str, Any], role: str, every: int
) -> None:
    known = expected["roles"][role]
    archive = TreeRom(packed, table_of(packed)).archive(known["path"])
    assert len(archive) == len(known["members"])
    numbers = range(0, len(archive), every)
    assert [n for n in numbers if hashlib.sha1(archive[n]).hexdigest() != known["members"][n]] == []
