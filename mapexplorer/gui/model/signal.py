"""Callbacks for the model's changes, so that it needs no Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Signal:
    """Something that happens: calls everyone who is connected, in order."""

    def __init__(self) -> None:
        self._receivers: list[Callable[..., Any]] = []

    def connect(self, receiver: Callable[..., Any]) -> None:
        """Call `receiver` whenever it happens."""
        self._receivers.append(receiver)

    def disconnect(self, receiver: Callable[..., Any]) -> None:
        """Stop calling `receiver`."""
        self._receivers.remove(receiver)

    def emit(self, *arguments: Any) -> None:
        """It happens."""
        for receiver in tuple(self._receivers):
            receiver(*arguments)
