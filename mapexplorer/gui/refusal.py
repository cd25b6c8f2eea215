"""Ends the program with one sentence where no window can open. Imports no Qt."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from mapexplorer.gui import requirements


def refuse(problem: str) -> int:
    """Print why no window can open and what works without one; the result is the exit status."""
    print(
        f"The window cannot open: {problem}; the command line works without it, see `mapexplorer --help`.",
        file=sys.stderr,
        flush=True,
    )
    return 1


def end_with(messages: list[str]) -> NoReturn:
    """End the process with one sentence about what Qt printed before it ends."""
    os._exit(refuse(requirements.start_problem(messages)))
