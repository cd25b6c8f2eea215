"""What a glTF export can be asked for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

UNIT: Final = 1 / 16
"""Metres of one unit by default: a tile of 16 units is a metre."""

BY_SHAPE: Final = "shape"
BY_MATERIAL: Final = "material"


@dataclass(frozen=True)
class ExportOptions:
    """Options of every glTF export.

    `second` is the time of day whose light is baked into COLOR_0; `lit` writes normals and lit materials instead.
    `scale` are metres per unit. `merge` is BY_SHAPE (one node per shape) or BY_MATERIAL (one primitive per material).
    `bake_mirror` doubles mirrored textures for engines without mirrored repeat. `collision` and `heights` add scenes
    with the terrain attributes and the BDHC plates. `dummies` draws the dummy boxes that the game would show.
    """

    second: int = 43200
    lit: bool = False
    scale: float = UNIT
    merge: str = BY_SHAPE
    bake_mirror: bool = False
    collision: bool = False
    heights: bool = False
    dummies: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.second < 86400:
            raise ValueError(f"a second of the day lies in 0..86399, not {self.second}")
        if not self.scale > 0:
            raise ValueError(f"a scale is a positive number of metres per unit, not {self.scale}")
        if self.merge not in (BY_SHAPE, BY_MATERIAL):
            raise ValueError(f"shapes are merged by shape or material, not {self.merge!r}")

    def to_json(self) -> dict[str, Any]:
        """The options as a manifest keeps them."""
        return asdict(self)
