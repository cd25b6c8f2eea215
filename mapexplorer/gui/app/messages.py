"""Handles the messages of Qt, in particular before it ends the process."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from mapexplorer.system.terminal import echo


@contextlib.contextmanager
def fatal_messages(tell: Callable[[list[str]], object]) -> Iterator[None]:
    """If Qt is about to end the process inside the block, call `tell` with all messages; it must not return. Otherwise
    the messages are printed after the block."""
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
    echo(*messages, err=True)
