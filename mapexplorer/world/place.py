"""A place: a header with its matrix, its cells, its area and its props, each with its source."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from formats.field.area import AreaRecord
from formats.field.area_light import AreaLight
from formats.field.map_matrix import MapMatrix
from formats.field.message import MessageBank
from formats.field.zone_event import ZoneEvents
from formats.nitro.nsbtx import Nsbtx
from formats.remembered import remembered
from mapexplorer.caching import Cache, shared_property
from mapexplorer.errors import PlaceError, check_number
from mapexplorer.games import Game, Role
from mapexplorer.games.field_tables import CameraType
from mapexplorer.world.cells import CELL_TILES, Cell
from mapexplorer.world.headers.header import Header
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.matrix_patches import known_locations
from mapexplorer.world.sources.provenance import Facts, Provenance, Resolved, SourceRule
from mapexplorer.world.sources.readable import (
    NO_SET,
    readable_area,
    readable_draw_lists,
    readable_events,
    readable_light,
    readable_prop_list,
    readable_prop_textures,
    readable_props,
    readable_terrain_textures,
)
from mapexplorer.world.terrain.terrain import Terrain, TerrainHeight

DUMMY_MODEL = 0
"""The prop model, a box, that the game draws instead of one that the area does not list."""


@dataclass(frozen=True)
class PropPlacement:
    """A prop of a cell: record `index` of its land data, the `model` that is drawn and the one that is `stored`.

    `position` and `scale` are fx32, the position matrix-wide; the stored rotation is ignored, as the game ignores it.
    """

    cell: Cell
    index: int
    model: int
    stored: int
    position: tuple[int, int, int]
    scale: tuple[int, int, int]
    why: Provenance

    @property
    def substituted(self) -> bool:
        """Whether the game draws the dummy box instead of the stored model."""
        return self.model != self.stored


class FieldPlace:
    """A map as the game shows it when it is entered through `header`.

    `cells` are the place's own: those of a shared matrix that name this header, or all of a matrix without header
    section; `matrix_cells` are all cells of the matrix. Units count from the matrix' north-west corner. `known`: the
    hidden locations that are known, on which some cells depend.
    """

    def __init__(
        self,
        world: WorldFiles,
        header: Header,
        matrix: int | None = None,
        area: int | None = None,
        known: frozenset[str] = frozenset(),
    ) -> None:
        self.world = world
        self.header = header
        """Raises PlaceError for a `matrix` or `area` that the ROM does not have."""
        _check_chosen(world, Role.MAP_MATRIX, "matrix", matrix)
        _check_chosen(world, Role.AREA_DATA, "area", area)
        self.matrix_id = _chosen(Role.MAP_MATRIX, header, header.matrix, matrix)
        self.area_id = _chosen(Role.AREA_DATA, header, header.area, area)
        self.known = known
        self._given = matrix, area
        self._sets: Cache[tuple[Role, int], Resolved[int]] = Cache()

    def __repr__(self) -> str:
        return f"<Place {self.header.id} {self.header.title}>"

    def with_area(self, area: int) -> FieldPlace:
        """The same with another area. Raises PlaceError for one that the ROM does not have."""
        return FieldPlace(self.world, self.header, self.matrix_id.value, area, self.known)

    def of_save(self, save: Save) -> FieldPlace:
        """The same as a save has it. Raises ValueError for a hidden location that does not exist."""
        return self.knowing(known_locations(save))

    def knowing(self, known: frozenset[str]) -> FieldPlace:
        """The same while these hidden locations are known."""
        return self if known == self.known else FieldPlace(self.world, self.header, *self._given, known)

    @shared_property
    def matrix(self) -> MapMatrix:
        """The matrix of the place, as the file has it."""
        return self.world.matrix(self.matrix_id.value)

    @shared_property
    def area(self) -> AreaRecord:
        """The area that the game loads when the place is entered; see `readable_area` for one that cannot be read."""
        return readable_area(self.world, self.area_id.value)

    @shared_property
    def matrix_cells(self) -> dict[tuple[int, int], Cell]:
        """(x, z) -> cell with land, of the whole matrix."""
        cells = self.world.cells(self.matrix_id.value, self.header.id, self.known)
        if self._given[1] is None:
            return cells
        return {place: dataclasses.replace(cell, area=self.area_id) for place, cell in cells.items()}

    @shared_property
    def cells(self) -> tuple[Cell, ...]:
        """The place's own cells, row by row. Empty for a header that no cell of its matrix names."""
        if self.matrix_id.value != self.header.matrix:
            return tuple(self.matrix_cells.values())
        return tuple(cell for cell in self.matrix_cells.values() if cell.header == self.header.id)

    @remembered
    def plate_heights(self, *, whole: bool) -> tuple[float, float]:
        """The lowest and the highest middle of the plates of the place's own cells, or of the `whole` matrix, in units;
        0 where there are no plates."""
        lands = {cell.land for cell in (self.matrix_cells.values() if whole else self.cells)}
        middles = [self.world.land_parts(land).plates.corner_heights.mean(-1) for land in lands]
        heights = np.concatenate([heights for heights in middles if len(heights)] or [np.zeros(1)])
        return float(heights.min()), float(heights.max())

    # --- sets of the area

    def prop_set(self, cell: Cell | None = None) -> Resolved[int]:
        """The prop set (index of area_build and areabm_texset) of a cell's area, by default of the entered area."""
        return self._of_area(cell, Role.PROP_TEXTURES, lambda area: area.prop_set)

    def terrain_set(self, cell: Cell | None = None) -> Resolved[int]:
        """The terrain texture set of a cell's area, by default of the entered area."""
        return self._of_area(cell, Role.TERRAIN_TEXTURES, lambda area: area.terrain_set)

    def light_set(self, cell: Cell | None = None) -> Resolved[int]:
        """The light set of a cell's area, by default of the entered area."""
        game = self.world.game
        return self._of_area(cell, Role.AREA_LIGHT, lambda area: _light_set(game, area))

    def _of_area(self, cell: Cell | None, role: Role, pick: Callable[[AreaRecord], int]) -> Resolved[int]:
        """The set of an area of here, which `pick` gives."""
        area = self.area_id if cell is None else cell.area

        def find() -> Resolved[int]:
            number = pick(readable_area(self.world, area.value))
            facts = Facts(area=self._sourced(area, cell))
            return Resolved(number, Provenance(role, SourceRule.AREA_NAMES, number, facts=facts))

        header = self._naming_header(area, cell)
        return find() if header is None else self._sets.get((role, header), find)

    def _sourced(self, area: Resolved[int], cell: Cell | None) -> Resolved[int]:
        """An area with the header that names it as its source, or with its own source where no header of here does."""
        header = self._naming_header(area, cell)
        return area if header is None else _named_by(Role.AREA_DATA, header, area.value)

    def _naming_header(self, area: Resolved[int], cell: Cell | None) -> int | None:
        header = self.header.id if cell is None or self._given[1] is not None else cell.header
        named = header < len(self.world.headers) and self.world.headers[header].area == area.value
        return header if named else None

    def terrain_textures(self, cell: Cell | None = None) -> Nsbtx:
        """The textures of the terrain models, none if they cannot be read."""
        return readable_terrain_textures(self.world, self.terrain_set(cell).value)

    def prop_textures(self, cell: Cell | None = None) -> Nsbtx:
        """The textures of the props, none if they cannot be read."""
        return readable_prop_textures(self.world, self.prop_set(cell).value)

    @property
    def light(self) -> AreaLight | None:
        """The lights through the day; None if they cannot be read."""
        return readable_light(self.world, self.light_set().value)

    @property
    def outdoor_light(self) -> bool:
        """Whether the area's light set replaces the material colours of terrain and props."""
        return self.light_set().value in self.world.game.tables.engine.outdoor_light_sets

    # --- props and events

    def props(self, cell: Cell, area: int | None = None) -> tuple[PropPlacement, ...]:
        """The props of a cell as the game places them.

        A model that the area's prop set does not list is replaced by the dummy box; none is if the list cannot be
        read. The area is the cell's own, or
        `area`: walking from one zone into the next, the game keeps the area of the header that was entered.
        """
        if area is None:
            dressed = self._sourced(cell.area, cell)
        else:
            dressed = Resolved(area, Provenance(Role.AREA_DATA, SourceRule.ENTERED, area))
        records = readable_props(self.world, cell.land)
        if not len(records):  # then the archives that say which model is the dummy may be absent too
            return ()
        area_data = readable_area(self.world, dressed.value)
        prop_set, dummy = area_data.prop_set, self.world.prop_numbers.first(area_data)
        prop_list = readable_prop_list(self.world, prop_set)
        listed = None if prop_list is None else frozenset(prop_list.models.tolist())
        centre_x, _, centre_z = cell.centre
        placements = []
        for index, record in enumerate(records):
            stored = int(record["model"])
            if listed is None or stored in listed or stored == dummy:
                model, rule, facts = stored, SourceRule.PROP_OF_LAND, Facts(index=index, land=cell.land)
            else:
                facts = Facts(prop_set=prop_set, prop=stored, index=index, land=cell.land, area=dressed)
                model, rule = dummy, SourceRule.DUMMY_BOX
            why = Provenance(Role.BUILD_MODEL, rule, model, facts=facts)
            x, y, z = record["position"].tolist()
            scale_x, scale_y, scale_z = record["scale"].tolist()
            position = (x + centre_x, y, z + centre_z)
            placements.append(PropPlacement(cell, index, model, stored, position, (scale_x, scale_y, scale_z), why))
        return tuple(placements)

    @property
    def events(self) -> ZoneEvents | None:
        """People, warps, signs and triggers; None when the ROM has none or they cannot be read."""
        return readable_events(self.world, self.header.id)

    def damage(self, cells: Iterable[Cell] | None = None) -> tuple[Damage, ...]:
        """What is left out because its file cannot be read, beside models and animations: the events, and of the area
        that is entered and of `cells`, by default the place's own, everything that they name."""
        damaged: list[Damage] = []
        shown = self.cells if cells is None else tuple(cells)
        readable_events(self.world, self.header.id, damaged)
        readable_draw_lists(self.world, damaged)
        for number in dict.fromkeys([self.area_id.value, *(cell.area.value for cell in shown)]):
            area = readable_area(self.world, number, damaged)
            readable_prop_list(self.world, area.prop_set, damaged)
            readable_prop_textures(self.world, area.prop_set, damaged)
            readable_terrain_textures(self.world, area.terrain_set, damaged)
            readable_light(self.world, _light_set(self.world.game, area), damaged)
        for land in dict.fromkeys(cell.land for cell in shown):
            damaged += self.world.land_parts(land).damaged
            readable_props(self.world, land, damaged)
        return tuple(dict.fromkeys(damaged))

    def check_tile(self, tile: tuple[float, float] | None) -> None:
        """Raise PlaceError for a tile (x, z) outside the matrix."""
        width, height = CELL_TILES * self.matrix.width, CELL_TILES * self.matrix.height
        if tile is not None and not (0 <= tile[0] < width and 0 <= tile[1] < height):
            within = f"matrix {self.matrix_id.value}, whose tiles are (0, 0) to ({width - 1}, {height - 1})"
            raise PlaceError(f"Tile ({tile[0]:g}, {tile[1]:g}) is outside {within}.")

    @property
    def messages(self) -> MessageBank | None:
        """The texts of the place's scripts; None when the ROM has none."""
        return self.world.messages(self.header.message_bank)

    @property
    def camera(self) -> CameraType:
        """The camera that the game takes when the place is entered."""
        return self.world.camera(self.header)

    # --- the ground

    @shared_property
    def terrain(self) -> Terrain:
        """Attributes and heights over the whole matrix."""
        return Terrain(self.world, self.matrix_id.value, self.header.id, self.known)

    def height(self, x: float, z: float, near: float = 0.0) -> TerrainHeight:
        """The ground at (x, z), in matrix-wide units, that is nearest to the height `near`."""
        return self.terrain.height(x, z, near)


def _light_set(game: Game, area: AreaRecord) -> int:
    """The number of an area's light set; NO_SET for an area that cannot be read."""
    return NO_SET if area.light_set == NO_SET else game.light_set(area.light_set)


def _check_chosen(world: WorldFiles, role: Role, what: str, number: int | None) -> None:
    if number is not None:
        check_number(what, number, range(len(world.members(role))))


def _chosen(archive: str, header: Header, own: int, given: int | None) -> Resolved[int]:
    if given is None:
        return _named_by(archive, header.id, own)
    return Resolved(given, Provenance(archive, SourceRule.CHOSEN, given))


def _named_by(archive: str, header: int, number: int) -> Resolved[int]:
    return Resolved(number, Provenance(archive, SourceRule.HEADER_NAMES, number, facts=Facts(header=header)))
