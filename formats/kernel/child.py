"""The process that compiles: reads names of units from standard input, one per line, and writes lines of JSON.

The first line is the module path to use, as a JSON list. For each unit it writes {"function": name} for each compiled
function, then {"unit": name, "code": object file in base64} or {"unit": name, "error": text}. It ends at the end of its
input.
"""

from __future__ import annotations

import base64
import gc
import importlib
import json
import os
import signal
import sys
import traceback
from typing import Any

NICENESS = 10
"""Added to the niceness: a window in the waiting process gets processor time first, and its worker threads do too. A
worker that waits for a processor may hold Python's interpreter lock, for which the window waits then."""
ALLOCATIONS = 50_000
"""Allocations between two runs of Python's garbage collector: numba makes many objects and little garbage."""


def main() -> None:
    """Run until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent receives it as well, and ends this process
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.set_threshold(ALLOCATIONS)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(**answer: Any) -> None:
        out.write(json.dumps(answer) + "\n")
        out.flush()

    sys.path[:] = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        unit = line.strip()
        try:
            from formats.kernel import compiler

            compiler.observers[:] = [lambda name: send(function=name)]
            importlib.import_module(unit)
            send(unit=unit, code=base64.b64encode(compiler.object_file(unit)).decode())
        except Exception as error:
            send(unit=unit, error=f"{type(error).__name__}: {error}", trace=traceback.format_exc())
