"""What an export of a place contains."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class FieldReport:
    """What an export contains; triangles are those of all instances."""

    cells: int = 0
    """The cells of the matrix."""
    terrains: int = 0
    """The instances of lands."""
    props: int = 0
    """The instances of props."""
    triangles: int = 0
    """The triangles that are written."""
    degenerate: int = 0
    """Those that are left out because they have no area."""
    duplicate: int = 0
    """Those that are left out because they are at the place of others."""
    materials: int = 0
    """The materials of the file."""
    images: int = 0
    """The images of the file."""
    animations: int = 0
    """The clips of the file."""
    dummies: list[str] = field(default_factory=list)
    """The props that the game replaces by the dummy box, and why."""
    missing: list[str] = field(default_factory=list)
    """What stays white, and why."""
    floats: int = 0
    """With `compact` the positions and texture coordinates that are floats, because integers would change them."""
    damaged: list[str] = field(default_factory=list)
    """What is left out, and why."""
    size: int = 0
    """The bytes of the file, or of all files."""
