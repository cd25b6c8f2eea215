"""The numbers of prop models.

HeartGold and SoulSilver have two archives of prop models, one for the field and one for rooms; the kind of an area says
which of them its prop list and the lands with it count in. Here the models of rooms follow those of the field, so that
a number means one model everywhere; for other games a number is that of the file.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.binary import frozen
from formats.field.area import AreaBuild, AreaRecord, HeartGoldAreaData
from mapexplorer.caching import shared_property
from mapexplorer.games import Role
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.rom_files import RomFiles

_ROOM = 0


class PropNumbers:
    """Translates the stored numbers of prop models of a ROM."""

    def __init__(self, world: RomFiles) -> None:
        self._world = world

    @shared_property
    def first_room_model(self) -> int:
        """The number of the first model of rooms; 0 in a game with one archive."""
        parts = self._world.game.files[Role.BUILD_MODEL].parts
        return len(self._world.rom.archive(parts[0])) if parts else 0

    @property
    def dummies(self) -> frozenset[int]:
        """The models that stand for what an area does not list, and keep their own textures."""
        return frozenset({0, self.first_room_model})

    def first(self, area: AreaRecord | None) -> int:
        """The number of model 0 of an area, which is its dummy; 0 of one that cannot be read (None)."""
        return self.first_room_model if isinstance(area, HeartGoldAreaData) and area.model_kind == _ROOM else 0

    def listed(self, prop_set: int, stored: AreaBuild) -> AreaBuild:
        """A prop list with numbers of this program."""
        if not self.first_room_model or prop_set not in self._room_sets:
            return stored
        return AreaBuild(frozen(stored.models + np.uint16(self.first_room_model)))

    def placed(self, land: int, records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
        """The props of a land with numbers of this program."""
        if not self.first_room_model or land not in self._room_lands:
            return records
        moved = records.copy()
        moved["model"] += self.first_room_model
        return frozen(moved)

    @shared_property
    def _rooms(self) -> frozenset[int]:
        """The areas of rooms."""
        count = len(self._world.members(Role.AREA_DATA))
        return frozenset(area for area in range(count) if self.first(read_or(None, self._world.area, area)))

    @shared_property
    def _room_sets(self) -> frozenset[int]:
        return frozenset(self._world.area(area).prop_set for area in self._rooms)

    @shared_property
    def _room_lands(self) -> frozenset[int]:
        """The lands of the cells of rooms."""
        lands: set[int] = set()
        for header in self._world.headers:
            if header.area in self._rooms:
                matrix = read_or(None, self._world.matrix, header.matrix)
                if matrix is None:
                    continue
                lands.update(np.unique(matrix.land[matrix.cells_of(header.id)]).tolist())
        return frozenset(lands)
