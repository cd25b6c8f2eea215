"""Text in parts with a role and a target, which the window shows in colours and as links."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from mapexplorer.world.subject import Subject


class PartRole(StrEnum):
    """The kind of a part of a text."""

    PLAIN = ""
    COMMAND = "command"
    """The name of a command, or a word that stands for several commands."""
    NUMBER = "number"
    NAME = "name"
    """The name of a number."""
    MESSAGE = "message"
    """A text of the game."""
    OFFSET = "offset"
    HEADING = "heading"


class Part(NamedTuple):
    """A part of a line; `target`: the thing that it leads to, or the byte offset of a line of the same listing."""

    text: str
    role: PartRole = PartRole.PLAIN
    target: Subject | int | None = None


Parts = tuple[Part, ...]


def plain_text(parts: Iterable[Part]) -> str:
    """Parts as plain text."""
    return "".join(part.text for part in parts)


def joined(groups: Iterable[Parts]) -> Parts:
    """Groups of parts with commas between them."""
    return tuple(part for group in groups for part in (Part(", "), *group))[1:]
