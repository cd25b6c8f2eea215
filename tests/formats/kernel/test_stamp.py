"""Stamps change with what decides the code, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

STAMP = "import {0}; from formats.kernel.stamp import stamp; print(stamp('{0}'))"

TEXT = """
import numpy as np
from formats.kernel import entry, kernel, reads
from constants_of_kernels import STEP, TABLE


@kernel
def stepped(value):
    return value + STEP + TABLE[1]


@entry(values=reads(np.uint32), returns=int)
def total(values):
    return stepped(len(values))
"""
CONSTANTS = "import numpy as np\nSTEP = 3\nTABLE = np.array([1, 2], np.int64)\nOTHER = 1\n"


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("value + STEP", "value - STEP", False),
        ("len(values)", "len(values) + 1", False),
        ("reads(np.uint32)", "reads(np.int32)", False),
        ("returns=int", "returns=float", False),
        ("STEP = 3", "STEP = 4", False),
        ("[1, 2]", "[1, 3]", False),
        ("OTHER = 1", "OTHER = 2", True),
        ("import numpy as np", "# a remark\nimport numpy as np", True),
        ("\n\n@entry", "\n\n\n\n@entry", True),
    ],
)
def test_what_a_stamp_depends_on(
    old: str, new: str, same: bool, make_module: Callable[..., Path], run: Callable[..., str]
) -> None:
    name = "stamped_kernels"
    make_module("constants_of_kernels", CONSTANTS)
    folder = make_module(name, TEXT)
    before = run(STAMP.format(name), folder)
    assert len(before) == 64
    assert old in TEXT + CONSTANTS
    make_module("constants_of_kernels", CONSTANTS.replace(old, new))
    make_module(name, TEXT.replace(old, new))
    assert (run(STAMP.format(name), folder) == before) is same


def test_a_stamp_is_the_same_anywhere(
    make_module: Callable[..., Path], run: Callable[..., str], tmp_path: Path
) -> None:
    """Other hash seeds, line ends and folders give the same stamp, so that wheels and machines agree."""
    program = STAMP.format("mapexplorer.gpu.render")
    first = run(program, PYTHONHASHSEED="1")
    make_module("constants_of_kernels", CONSTANTS)
    folder = make_module("stamped_kernels", TEXT)
    unix = run(STAMP.format("stamped_kernels"), folder)
    (folder / "stamped_kernels.py").write_bytes(TEXT.replace("\n", "\r\n").encode())
    moved = tmp_path / "moved"
    folder.rename(moved)
    assert run(STAMP.format("stamped_kernels"), moved) == unix
    assert run(program, PYTHONHASHSEED="2") == first
