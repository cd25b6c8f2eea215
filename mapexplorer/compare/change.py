"""A difference between two ROMs as a value. Sentences about it are made in `mapexplorer.inspector.roms.changes`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ChangedKind(StrEnum):
    """The kind of a changed thing; the value is its name on the command line and in JSON."""

    HEADER = "header"
    MATRIX = "matrix"
    LAND = "land"
    TILE = "tile"
    PROP = "prop"
    AREA = "area"
    PROP_SET = "prop_set"
    MODEL = "model"
    TEXTURE = "texture"
    ANIMATION = "animation"
    LIGHT = "light"
    CAMERA = "camera"
    EVENT = "event"
    WARP = "warp"
    SCRIPT = "script"
    TEXT = "text"
    ENCOUNTER = "encounter"
    TRAINER = "trainer"
    SPECIES = "species"
    ITEM = "item"
    FILE = "file"
    PROGRAM = "program"


class ChangeAction(StrEnum):
    """What happened to a thing. MOVED: it has another position or number; REPLACED: another thing has its place."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    REPLACED = "replaced"
    CHANGED = "changed"

    @classmethod
    def of(cls, before: object, after: object) -> ChangeAction:
        """What happened to a thing that is None where it is absent."""
        return cls.ADDED if before is None else cls.REMOVED if after is None else cls.CHANGED


Key = tuple[int | str, ...]


@dataclass(frozen=True, eq=False)
class Change:
    """One difference."""

    kind: ChangedKind
    """The kind of the thing."""
    action: ChangeAction
    """What happened to it."""
    key: Key
    """Identifies the thing among those of its kind, in the first ROM; an added thing in the second one."""
    name: str = ""
    """Its name in the game or file, empty for one without."""
    field: str = ""
    """What changed, empty for a thing that was added or removed."""
    before: Any = None
    """A plain value, of a script `gameplay.script_listing.Line`; None: absent, or too large to show."""
    after: Any = None
    """As `before`, in the second ROM."""
    before_name: str = ""
    """The name of the thing whose number `before` is."""
    after_name: str = ""
    """The name of the thing whose number `after` is."""
    headers: tuple[int, ...] = ()
    """The maps with the thing, ids of the second ROM."""


def differing(
    kind: ChangedKind,
    key: Key,
    *fields: tuple[str, Any, Any],
    name: str = "",
    headers: tuple[int, ...] = (),
    action: ChangeAction = ChangeAction.CHANGED,
) -> Iterator[Change]:
    """The fields of a thing, each with its values in both ROMs, whose values differ."""
    changed = (field for field in fields if field[1] != field[2])
    return (Change(kind, action, key, name, *field, headers=headers) for field in changed)


class SkipReason(StrEnum):
    """Why something was not compared."""

    NOT_KNOWN = "not known"
    """Nothing is known about it in one of the games."""
    OTHER_GAME = "other game"
    """The ROMs are of different games, which have other files of this kind."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The differences between two ROMs, by kind in the order of `ChangedKind`, and why kinds were not compared."""

    changes: tuple[Change, ...]
    skipped: Mapping[ChangedKind, SkipReason] = field(default_factory=dict)

    @property
    def counts(self) -> dict[ChangedKind, int]:
        """Kind -> the number of its changes, without the kinds that have none."""
        counted = Counter(change.kind for change in self.changes)
        return {kind: counted[kind] for kind in ChangedKind if counted[kind]}
