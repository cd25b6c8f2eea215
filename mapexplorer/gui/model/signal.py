"""Callbacks for the model's changes, so that it needs no Qt."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from mapexplorer.errors import RomChangedError


class Signal:
    """A list of receivers, which are called in the order in which they were connected."""

    def __init__(self) -> None:
        self._receivers: list[Callable[..., Any]] = []

    def connect(self, receiver: Callable[..., Any]) -> None:
        """Call `receiver` at every emission."""
        self._receivers.append(receiver)

    def disconnect(self, receiver: Callable[..., Any]) -> None:
        """Stop calling `receiver`."""
        self._receivers.remove(receiver)

    def emit(self, *arguments: Any) -> None:
        """Call the receivers. One that finds the ROM changed is called again when that has been read again."""
        for receiver in tuple(self._receivers):
            with contextlib.suppress(RomChangedError):
                receiver(*arguments)
