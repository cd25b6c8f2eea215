"""The ground truth for MSH files, and the tools that build variants of a container byte by byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from formats.parkan import Msh


@pytest.fixture(scope="session")
def msh_folder(vectors: Path) -> Path:
    return vectors / "msh"


@pytest.fixture(scope="session")
def truth(msh_folder: Path) -> dict[str, Any]:
    return json.loads((msh_folder / "msh-vectors.json").read_text())


@pytest.fixture(scope="session")
def anim(msh_folder: Path) -> Msh:
    """The model that the vectors describe."""
    return Msh.from_bytes((msh_folder / "synth_anim.msh").read_bytes())
