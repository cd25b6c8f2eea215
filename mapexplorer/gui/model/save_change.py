"""What the user changed of the save that the pictures show."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mapexplorer.world.save import Save


@dataclass(frozen=True)
class SaveChange:
    """The flags that are switched, and variables with their values."""

    flags: frozenset[int] = frozenset()
    variables: tuple[tuple[int, int], ...] = ()

    def of(self, save: Save) -> Save:
        """A save with the change."""
        if not self.flags and not self.variables:
            return save
        variables = {**save.variables, **dict(self.variables)}
        return replace(save, flags=save.flags ^ self.flags, variables=variables)

    def switching(self, flag: int) -> SaveChange:
        """The change with a flag switched, or no longer switched."""
        return replace(self, flags=self.flags ^ {flag})

    def giving(self, variable: int, value: int) -> SaveChange:
        """The change with a value of a variable."""
        return replace(self, variables=tuple(sorted({**dict(self.variables), variable: value}.items())))


NO_CHANGE = SaveChange()
