"""Running the command line: in this process, or in one of its own where process behaviour matters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.system import kept_data


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def last(self) -> str:
        return self.out.rstrip("\n").rsplit("\n", 1)[-1]


@pytest.fixture(autouse=True)
def kept_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps indexes in a folder of the test."""
    monkeypatch.setattr(kept_data, "folder", lambda: tmp_path / "kept data")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `mapexplorer ARGUMENTS` in this process. An exception that users would see as a traceback is raised."""
    from mapexplorer.cli import main

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        output = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Ran(end.value.code, output.out, output.err)

    return run


@pytest.fixture
def command() -> Callable[..., subprocess.Popen[bytes]]:
    """Starts `python -m mapexplorer ARGUMENTS` without a display; `env` adds to the environment."""

    def start(*arguments: object, env: dict[str, str] | None = None, **settings: Any) -> subprocess.Popen[bytes]:
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        words = [sys.executable, "-m", "mapexplorer", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | settings
        if os.name == "posix":
            # As from a terminal; a shell's jobs in the background, which tests may run in, ignore interrupts.
            pipes.setdefault("preexec_fn", partial(signal.signal, signal.SIGINT, signal.SIG_DFL))
        return subprocess.Popen(words, env=kept | (env or {}), **pipes)

    return start


@pytest.fixture(scope="session")
def demo_image() -> bytes:
    """The demo world as an image."""
    return resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes()
