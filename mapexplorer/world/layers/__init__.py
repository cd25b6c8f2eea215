"""The layers over a map that the game does not draw (collision, behaviours, height plates, events ...), each in a file
of its own. Both views draw their shapes and pick in them; a further layer needs its file and a line here.

The layers have one geometry of tiles and plates (`world.terrain.cell_ground`) and one set of colours
(`world.colors`). The painter of the DS view projects a layer's shapes, the OpenGL view uploads them; a line of sight is
intersected with them for both. A blocked tile is drawn on the terrain model that covers it. In the OpenGL view layers
have depth: behind other surfaces they are drawn faintly and not picked.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.world.layers.behaviours import BEHAVIOURS
from mapexplorer.world.layers.collision import COLLISION
from mapexplorer.world.layers.encounters import WILD_ENCOUNTERS
from mapexplorer.world.layers.events import EVENTS
from mapexplorer.world.layers.grid import GRID
from mapexplorer.world.layers.kind import LayerKind
from mapexplorer.world.layers.plates import PLATES
from mapexplorer.world.layers.ranges import RANGES
from mapexplorer.world.layers.sight import SIGHT
from mapexplorer.world.layers.triggers import TRIGGERS

LAYERS: Final[tuple[LayerKind, ...]] = (
    COLLISION,
    BEHAVIOURS,
    PLATES,
    EVENTS,
    WILD_ENCOUNTERS,
    SIGHT,
    RANGES,
    TRIGGERS,
    GRID,
)
"""In the order of lists and menus."""

DRAWN: Final = tuple(sorted(LAYERS, key=lambda kind: kind.depth))
"""In drawing order."""
