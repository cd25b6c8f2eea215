"""Runs Python code in a child process, for code that could crash the process."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import dataclass

from mapexplorer.system.interrupt import cleaning, interrupts_blocked

_SECONDS = 30.0


@dataclass(frozen=True)
class Ended:
    """How a child process ended and what it printed."""

    out: str
    err: str
    problem: str
    """How it failed, or an empty string."""


def run_python(code: str, *arguments: str, seconds: float = _SECONDS) -> Ended:
    """Run code with this interpreter and wait for it; an interrupt of this process ends the child too."""
    words = [sys.executable, "-c", code, *arguments]
    try:
        with interrupts_blocked():
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                errors="replace",
            )  # fmt: skip
    except OSError as error:
        return Ended("", "", str(error))
    with process, cleaning(process.kill):
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return Ended(out, err, f"no answer after {seconds:g} seconds")
        except BaseException:
            process.kill()
            raise
    return Ended(out, err, _status(process.returncode))


def _status(status: int) -> str:
    if status >= 0:
        return f"status {status}" if status else ""
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"
