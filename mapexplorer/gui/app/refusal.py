"""Ends the program with one sentence when no window can open. This module does not import Qt."""

from __future__ import annotations

import os
from typing import NoReturn

from mapexplorer.gui.app import requirements
from mapexplorer.system.terminal import echo


def refuse(problem: str) -> int:
    """Print the reason why no window can open and the alternatives; the result is the exit status."""
    echo(f"The window cannot open: {problem}; the command line works without it, see `mapexplorer --help`.", err=True)
    return 1


def end_with(messages: list[str]) -> NoReturn:
    """End the process with one sentence made of the messages of Qt."""
    os._exit(refuse(requirements.start_problem(messages)))
