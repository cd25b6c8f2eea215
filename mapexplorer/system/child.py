"""Runs Python code in a child process, for code that could crash the process."""

from __future__ import annotations

import signal
import subprocess
import sys

from mapexplorer.system.interrupt import cleaning, interrupts_blocked

_SECONDS = 30.0


def run_python(code: str, *arguments: str, seconds: float = _SECONDS) -> tuple[str, str, str]:
    """Run code with this interpreter and wait for it: what it printed, its errors, and how it failed, or an
    empty string. An interrupt of this process ends the child too."""
    words = [sys.executable, "-c", code, *arguments]
    try:
        with interrupts_blocked():
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
            )
    except OSError as error:
        return "", "", str(error)
    with process, cleaning(process.kill):
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return out, err, f"no answer after {seconds:g} seconds"
        except BaseException:
            process.kill()
            raise
    return out, err, _status(process.returncode)


def _status(status: int) -> str:
    if status >= 0:
        return f"status {status}" if status else ""
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"
