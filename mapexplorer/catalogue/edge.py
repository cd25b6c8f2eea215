"""A use of one thing by another."""

from __future__ import annotations

from typing import Final, NamedTuple

from mapexplorer.world.sources.provenance import ARM9
from mapexplorer.world.subject import ReferencePart, Subject


class Edge(NamedTuple):
    """A use: the thing that uses, the thing that is used, how, the part of the user that holds the reference; `file`
    and `member`: where that is stored (no member: the whole file, or the program). `counts`: it is a use, not a
    reference that only verification follows, or one in an area or prop set that no header leads to. `rank`: the uses
    that a rule finds are in the order of their ranks, then of the members.

    `how` of a reference of the field data is the field; of a script command without a meaning of its own, the command.
    """

    user: Subject
    used: Subject
    how: str
    part: ReferencePart | None = None
    file: str = ARM9
    member: int | None = None
    counts: bool = True
    rank: int = 0


HIDES: Final = "hides"
ON_MAP: Final = "on"
FRAME: Final = "frame"
COMMAND: Final = "command"
"""The kind of the part of a script file that a command is."""
