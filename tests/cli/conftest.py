"""Running the command line in this process; `command` of the tests' common fixtures runs it in one of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def last(self) -> str:
        return self.out.rstrip("\n").rsplit("\n", 1)[-1]


@pytest.fixture(scope="session", autouse=True)
def compiled(all_compiled: None) -> None:
    """No command of these tests compiles."""


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
