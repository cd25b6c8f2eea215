"""Tests Qt and OpenGL in a child process, so that a crash ends only the child."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass, field
from typing import Any

from mapexplorer.gui import probe
from mapexplorer.system.child import run_python

_CHILD = "import sys; from mapexplorer.gui.probe import run; run(*sys.argv[1:])"


@dataclass(frozen=True)
class Trial:
    """The result of a test: step -> finding, and the reason why the next step failed, or an empty string."""

    found: dict[str, Any] = field(default_factory=dict)
    problem: str = ""


def try_qt(*steps: str) -> Trial:
    """Run the given steps in a child process."""
    printed, errors, failure = run_python(_CHILD, *steps)
    found: dict[str, Any] = {}
    for line in printed.splitlines():
        with contextlib.suppress(ValueError, TypeError):  # a driver may print too
            found |= json.loads(line)
    problem = str(found.pop("problem", ""))
    if not problem and failure:
        lines = errors.strip().splitlines()
        problem = f"a test of Qt ended early: {failure}{f' ({lines[-1]})' if lines else ''}"
    return Trial(found, problem)


class ContextTrial:
    """A test in a child process of whether an OpenGL context opens, run while the window starts."""

    def __init__(self) -> None:
        self._problem = ""
        self._thread = threading.Thread(target=self._try, name="context trial", daemon=True)
        self._thread.start()

    def _try(self) -> None:
        self._problem = try_qt(probe.APPLICATION, probe.CONTEXT).problem

    def problem(self) -> str:
        """Why no OpenGL 3.3 core context opens, or an empty string; waits for the child process."""
        self._thread.join()
        return self._problem
