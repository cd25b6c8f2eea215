"""Why a value is what it is: every resolver of this room answers with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Provenance:
    """What was taken and why: `map_tex_set[3] because area 7 of header 411`."""

    what: str
    because: str

    def __str__(self) -> str:
        return f"{self.what} because {self.because}" if self.because else self.what


@dataclass(frozen=True)
class Resolved(Generic[T]):
    """A value with its provenance."""

    value: T
    why: Provenance
