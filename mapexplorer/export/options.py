"""What a glTF export can be asked for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

UNIT: Final = 1 / 16
"""Metres of one unit by default: a tile of 16 units is a metre."""

BY_SHAPE: Final = "shape"
BY_MATERIAL: Final = "material"

NODES: Final = "nodes"
ATLAS: Final = "atlas"


@dataclass(frozen=True)
class ExportOptions:
    """Options of every glTF export.

    `second` is the time of day whose light is baked into COLOR_0; `lit` writes normals and lit materials instead.
    `scale` are metres per unit. `merge` is BY_SHAPE (one node per shape) or BY_MATERIAL (one primitive per material).
    `bake_mirror` doubles mirrored textures for engines without mirrored repeat. `collision` and `heights` add scenes
    with the terrain attributes and the BDHC plates. `dummies` draws the dummy boxes that the game would show.
    `static` leaves animations out. `pattern`: changing pictures are NODES of their own that appear and disappear, or an
    ATLAS whose place moves, where texture coordinates stay in one period.
    """

    second: int = 43200
    lit: bool = False
    scale: float = UNIT
    merge: str = BY_SHAPE
    bake_mirror: bool = False
    collision: bool = False
    heights: bool = False
    dummies: bool = False
    static: bool = False
    pattern: str = NODES

    def __post_init__(self) -> None:
        if not 0 <= self.second < 86400:
            raise ValueError(f"a second of the day lies in 0..86399, not {self.second}")
        if not 1e-6 <= self.scale <= 1e6:
            raise ValueError(f"a scale lies in 0.000001..1000000 metres per unit, not {self.scale:g}")
        if self.merge not in (BY_SHAPE, BY_MATERIAL):
            raise ValueError(f"shapes are merged by shape or material, not {self.merge!r}")
        if self.pattern not in (NODES, ATLAS):
            raise ValueError(f"changing pictures are written as nodes or as an atlas, not {self.pattern!r}")

    def to_json(self) -> dict[str, Any]:
        """The options as a manifest keeps them."""
        return asdict(self)
