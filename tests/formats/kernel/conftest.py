"""Kernels of a made-up module, and child processes with a cache of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

MODULE = """
import numpy as np
from formats.kernel import entry, kernel, reads, writes

STEP = 3


@kernel
def stepped(value):
    return value + STEP


@entry(values=reads(np.uint32), scale=float, negate=bool, out=writes(np.float64, 2), returns=(int, float))
def everything(values, scale, negate, out):
    total = 0
    for i in range(len(values)):
        total += stepped(np.int64(values[i]))
        out[0, i] = values[i] * scale
    return (-total if negate else total), scale * 2


@entry(value=int, returns=bool)
def positive(value):
    return value > 0


@entry(value=float, returns=float)
def half(value):
    return value / 2


@entry(value=int, returns=int)
def checked(value):
    if value < 0:
        raise ValueError
    return value


@entry(values=reads(np.int64), returns=int)
def count(values):
    return len(values)
"""


@pytest.fixture
def make_module(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes a module of kernels, `name.py` with a text, and tells its folder."""

    def make(name: str, text: str = MODULE) -> Path:
        folder = tmp_path / "modules"
        folder.mkdir(exist_ok=True)
        # Python takes bytecode for that of a text of the same size and second.
        shutil.rmtree(folder / "__pycache__", ignore_errors=True)
        (folder / f"{name}.py").write_text(text, "utf-8")
        return folder

    return make


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """A function that starts a program of Python text with an empty cache folder of its own."""

    def begin(program: str, *paths: Path, cache: Path | None = None, **environment: str) -> subprocess.Popen[str]:
        path = os.pathsep.join([str(ROOT), *map(str, paths)])
        variables = {"PYTHONPATH": path, "MAPEXPLORER_KERNEL_CACHE": str(cache or tmp_path / "cache")}
        return subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env=os.environ | variables | environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    return begin


@pytest.fixture
def run(start: Start) -> Callable[..., str]:
    """Like `start`, but waits; the result is what the program printed."""

    def ran(program: str, *paths: Path, cache: Path | None = None, **environment: str) -> str:
        process = start(program, *paths, cache=cache, **environment)
        out, errors = process.communicate(timeout=200)
        assert process.returncode == 0, errors
        return out.strip()

    return ran
