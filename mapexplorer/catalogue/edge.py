"""A use of one thing by another."""

from __future__ import annotations

from typing import Final, NamedTuple

from mapexplorer.world.sources.provenance import ARM9
from mapexplorer.world.subject import ReferencePart, Subject


class Edge(NamedTuple):
    """A use."""

    user: Subject
    """The thing that uses."""
    used: Subject
    """The thing that is used."""
    how: str
    """The kind of the use: of a reference of the field data the field; of a script command without a meaning of its own
    the command."""
    part: ReferencePart | None = None
    """The part of the user that holds the reference."""
    file: str = ARM9
    """Where that is stored."""
    member: int | None = None
    """The member there; None: the whole file, or the program."""
    counts: bool = True
    """It is a use, not a reference that only verification follows, or one in an area or prop set that no header leads
    to."""
    rank: int = 0
    """The uses that a rule finds are in the order of their ranks, then of the members."""


HIDES: Final = "hides"
ON_MAP: Final = "on"
FRAME: Final = "frame"
COMMAND: Final = "command"
"""The kind of the part of a script file that a command is."""
