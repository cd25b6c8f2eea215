"""Rows of lists of things, which the window shows with pictures and links."""

from __future__ import annotations

from dataclasses import dataclass

from mapexplorer.world.subject import Subject


@dataclass(frozen=True)
class ListedThing:
    """A row: the thing that it leads to (None: nothing), its title, more lines about it, a short text beside them,
    the thing whose picture it has (None: the one that it leads to); `faint`: it is absent or not reached."""

    subject: Subject | None
    title: str
    lines: tuple[str, ...] = ()
    side: str = ""
    picture: Subject | None = None
    faint: bool = False

    @property
    def shown(self) -> Subject | None:
        """The thing whose picture the row has."""
        return self.picture or self.subject


@dataclass(frozen=True)
class ListedGroup:
    """Rows under a heading; `shut`: they are shown when the user asks for them."""

    title: str
    things: tuple[ListedThing, ...]
    shut: bool = False
