"""What the user changed of the save that the pictures show."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mapexplorer.world.save import Save
from mapexplorer.world.subject import Subject


@dataclass(frozen=True)
class SaveChange:
    """The flags that are switched, and variables with their values."""

    flags: frozenset[int] = frozenset()
    variables: tuple[tuple[int, int], ...] = ()

    def of(self, save: Save) -> Save:
        """A save with the change."""
        if not self:
            return save
        variables = {**save.variables, **dict(self.variables)}
        return replace(save, flags=save.flags ^ self.flags, variables=variables)

    def __len__(self) -> int:
        """The number of flags and variables that are changed."""
        return len(self.flags) + len(self.variables)

    def __contains__(self, thing: Subject | None) -> bool:
        """Whether a thing is a flag or variable that is changed."""
        changed = {"flag": self.flags, "variable": dict(self.variables)}
        return thing is not None and thing.key[0] in changed.get(thing.kind, ())

    def switching(self, flag: int) -> SaveChange:
        """The change with a flag switched, or no longer switched."""
        return replace(self, flags=self.flags ^ {flag})

    def giving(self, variable: int, value: int) -> SaveChange:
        """The change with a value of a variable."""
        return replace(self, variables=tuple(sorted({**dict(self.variables), variable: value}.items())))


NO_CHANGE = SaveChange()
