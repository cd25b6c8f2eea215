"""Tests Qt and OpenGL in a child process, so that a crash ends only the child."""

from __future__ import annotations

import contextlib
import json
import threading
from concurrent.futures import Future
from typing import Any

from mapexplorer.gui.app import probe
from mapexplorer.system.child import run_python

_CHILD = "import sys; from mapexplorer.gui.app.probe import run; run(*sys.argv[1:])"


def try_qt(*steps: str) -> tuple[dict[str, Any], str]:
    """Run the given steps in a child process: step -> finding, and the reason why the next step failed, or an empty
    string."""
    printed, errors, failure = run_python(_CHILD, *steps)
    results: dict[str, Any] = {}
    for line in printed.splitlines():
        with contextlib.suppress(ValueError, TypeError):  # a driver may print too
            results |= json.loads(line)
    problem = str(results.pop("problem", ""))
    if not problem and failure:
        lines = errors.strip().splitlines()
        problem = f"a test of Qt ended early: {failure}{f' ({lines[-1]})' if lines else ''}"
    return results, problem


def try_context() -> Future[str]:
    """Test in a child process, while the window starts, whether an OpenGL context opens: why no OpenGL 3.3 core context
    does, or an empty string."""
    problem: Future[str] = Future()
    steps = probe.APPLICATION, probe.CONTEXT
    threading.Thread(target=lambda: problem.set_result(try_qt(*steps)[1]), name="context trial", daemon=True).start()
    return problem
