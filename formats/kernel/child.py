"""The process that compiles: takes names of units from its input, one a line, and answers in lines of JSON.

The first line is the module path to use, as a JSON list. An answer is {"function": name} for each function on the way,
then {"unit": name, "code": object file in base64} or {"unit": name, "error": text}. It ends with its input.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import signal
import sys
import traceback
from typing import Any

NICENESS = 5
"""The program that waits may have a window: it goes first."""


def main() -> None:
    """Run until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told as well, and ends this process
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(**answer: Any) -> None:
        out.write(json.dumps(answer) + "\n")
        out.flush()

    sys.path[:] = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        unit = line.strip()
        try:
            from formats.kernel import compiler

            compiler.observers[:] = [lambda name: say(function=name)]
            importlib.import_module(unit)
            say(unit=unit, code=base64.b64encode(compiler.object_file(unit)).decode())
        except Exception as error:
            say(unit=unit, error=f"{type(error).__name__}: {error}", trace=traceback.format_exc())
