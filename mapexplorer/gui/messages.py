"""What Qt prints, caught where it may end the process."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any


@contextlib.contextmanager
def fatal_messages(tell: Callable[[list[str]], object]) -> Iterator[None]:
    """Call `tell` with everything that Qt printed when it is about to end the process inside the block; it must not
    return. What Qt prints otherwise is printed after the block."""
    from PyQt5.QtCore import QtFatalMsg, qInstallMessageHandler

    messages: list[str] = []

    def handle(kind: Any, context: Any, text: str) -> None:
        messages.append(text)
        if kind == QtFatalMsg:
            tell(messages)

    before = qInstallMessageHandler(handle)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
    for text in messages:
        print(text, file=sys.stderr)
