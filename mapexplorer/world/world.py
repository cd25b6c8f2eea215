"""The world of a ROM: its headers by id and name, and every file that belongs to a map, read when it is asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError, frozen
from formats.field.area import AreaBuild, AreaData
from formats.field.area_light import AreaLight
from formats.field.bm_anime_list import PropAnimations
from formats.field.build_model_matshp import BuildModelMatshp
from formats.field.fldtanime import FieldTextureAnimations
from formats.field.land_data import LandData, LandSections
from formats.field.map_header import MAP_HEADER, MapHeader
from formats.field.map_matrix import MapMatrix
from formats.field.mapname import MapNames
from formats.field.message import PLACE_NAME_BANK, MessageBank
from formats.field.zone_event import RETURN_HEADER, RETURN_WARP, ZoneEvents
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from mapexplorer import tables
from mapexplorer.errors import RomError
from mapexplorer.rom import Archive, Rom
from mapexplorer.world import program
from mapexplorer.world.cells import Cell, read_cells
from mapexplorer.world.contents import lacking
from mapexplorer.world.header import Header, find_header
from mapexplorer.world.paths import (
    AREA_BUILD,
    AREA_DATA,
    AREA_LIGHT,
    BUILD_MODEL,
    ENCOUNTERS,
    LAND_DATA,
    MAP_MATRIX,
    MAP_NAMES,
    MATSHP,
    MESSAGES,
    PRELOAD_LISTS,
    PROP_ANIMATION_LIST,
    PROP_ANIMATIONS,
    PROP_TEXTURES,
    SCRIPTS,
    TERRAIN_ANIMATIONS,
    TERRAIN_TEXTURES,
    ZONE_EVENT,
)
from mapexplorer.world.provenance import Facts, Provenance, Resolved, Rule

if TYPE_CHECKING:
    from mapexplorer.world.place import Place
    from mapexplorer.world.uses import Uses

T = TypeVar("T")

_KEPT = {LAND_DATA: 32, BUILD_MODEL: 160, PROP_TEXTURES: 8, TERRAIN_TEXTURES: 8}
"""How many values of the large kinds are kept; the small kinds are kept entirely."""


class World:
    """A Platinum ROM as places. Opening it reads the header table and the names; all else is read on demand.

    `notes` says what is unusual or absent. Every method that reads a file raises FormatError for damaged bytes, also
    for a number beyond the end of an archive, and RomError for a file that the ROM lacks.
    """

    def __init__(self, rom: Rom, *, header_archive: str | None = None) -> None:
        """`header_archive` is for hacks that keep their headers in a NARC of 24-byte members instead of the program."""
        self.rom = rom
        self.notes: list[str] = []
        self._kept: dict[str, OrderedDict[int, Any]] = {}
        self._cells: dict[tuple[int, int], dict[tuple[int, int], Cell]] = {}
        names = MapNames.from_bytes(rom.view(MAP_NAMES)).names
        self.location_names = self._location_names()
        self.header_table = self._find_headers(len(names), header_archive)
        self.notes += rom.notes
        self.headers: tuple[Header, ...] = tuple(
            Header(
                **vars(MapHeader.from_record(record)),
                id=index,
                internal_name=names[index] if index < len(names) else f"header {index}",
                location_name=self._location(int(record["label_text"])),
            )
            for index, record in enumerate(self.header_table.value)
        )

    def _location_names(self) -> tuple[str, ...]:
        try:
            bank = self.messages(PLACE_NAME_BANK)
            reason = f"The ROM has no texts ({MESSAGES})"
        except FormatError as error:
            bank, reason = None, f"The place names are damaged ({error})"
        if bank is None:
            self.notes.append(f"{reason}, so places have internal names only.")
            return ()
        return bank.messages

    def _location(self, label: int) -> str:
        return self.location_names[label] if label < len(self.location_names) else ""

    def _find_headers(self, count: int, archive: str | None) -> Resolved[npt.NDArray[np.void]]:
        if archive is not None:
            members = self.rom.archive(archive)
            data = b"".join(members[index][: MAP_HEADER.itemsize] for index in range(len(members)))
            if not len(members) or len(data) != len(members) * MAP_HEADER.itemsize:
                raise FormatError(archive, 0, "members of at least 24 bytes", f"{len(data)} bytes in {len(members)}")
            why = Provenance(archive, Rule.NAMED_ARCHIVE)
            return Resolved(frozen(np.frombuffer(data, MAP_HEADER), MAP_HEADER), why)
        limits: dict[str, int] = {}
        for path, *fields in (
            (AREA_DATA, "area"),
            (PRELOAD_LISTS, "preload_list"),
            (MAP_MATRIX, "matrix"),
            (SCRIPTS, "scripts", "init_scripts"),
            (MESSAGES, "message_bank"),
            (ENCOUNTERS, "wild_encounters"),
            (ZONE_EVENT, "events"),
        ):
            try:
                present = self.archive(path)
            except FormatError as error:
                self.notes.append(f"{path} is damaged ({error}); what needs it cannot be shown.")
                continue
            if present is not None:
                limits.update(dict.fromkeys(fields, len(present)))
        if self.location_names:
            limits["label_text"] = len(self.location_names)
        hint = tables.header_table_offsets().get(self.rom.code)
        return program.find_headers(self.rom.arm9(), count, limits, hint)

    # --- places

    def place(self, key: int | str, matrix: int | None = None, area: int | None = None) -> Place:
        """The place of a header id, internal name or location name; `matrix` and `area` replace what the header names.

        Raises PlaceError when no header or more than one answers to the name.
        """
        from mapexplorer.world.place import Place

        return Place(self, find_header(self.headers, key), matrix, area)

    def cells(self, matrix: int, entered: int) -> dict[tuple[int, int], Cell]:
        """(x, z) -> cell with land, of a matrix entered through header `entered`, which matters only where the matrix
        has no header section."""
        grid = self.matrix(matrix)
        key = (matrix, entered if grid.headers is None else -1)
        if key not in self._cells:
            self._cells[key] = read_cells(grid, matrix, self.headers[entered], self.headers)
        return self._cells[key]

    @cached_property
    def uses(self) -> Uses:
        """Who uses what, in both directions."""
        from mapexplorer.world.uses import Uses

        return Uses(self)

    # --- files of a map

    def matrix(self, index: int) -> MapMatrix:
        """A member of map_matrix."""
        return self._member(MAP_MATRIX, index, MapMatrix.from_bytes)

    def area(self, index: int) -> AreaData:
        """A member of area_data."""
        return self._member(AREA_DATA, index, AreaData.from_bytes)

    def prop_list(self, index: int) -> AreaBuild:
        """A member of area_build: the prop models that an area with this prop set loads."""
        return self._member(AREA_BUILD, index, AreaBuild.from_bytes)

    def prop_textures(self, index: int) -> Nsbtx:
        """A member of areabm_texset."""
        return self._member(PROP_TEXTURES, index, Nsbtx.from_bytes)

    def terrain_textures(self, index: int) -> Nsbtx:
        """A member of map_tex_set."""
        return self._member(TERRAIN_TEXTURES, index, Nsbtx.from_bytes)

    def light_set(self, index: int) -> AreaLight:
        """A member of arealight, with one light block or more."""
        return self._member(AREA_LIGHT, index, AreaLight.from_bytes)

    def land(self, index: int) -> LandData:
        """A member of land_data, whole, with its model."""
        return self._member(LAND_DATA, index, LandData.from_bytes)

    def land_sections(self, index: int) -> LandSections:
        """A member of land_data as slices, for those who do not need its model."""
        return LandSections.from_bytes(self.rom.archive(LAND_DATA).reader(index))

    def prop_model(self, index: int) -> Nsbmd:
        """A member of build_model, with one model or more."""
        return self._member(BUILD_MODEL, index, Nsbmd.from_bytes)

    @cached_property
    def draw_lists(self) -> BuildModelMatshp | None:
        """The draw lists of static props, None when the ROM lacks them."""
        return BuildModelMatshp.from_bytes(self.rom.view(MATSHP)) if self.rom.has(MATSHP) else None

    def prop_animations(self, model: int) -> PropAnimations | None:
        """The animation list entry of a prop model, None when the ROM lacks the list, the entry or the animations."""
        if not self.rom.has(PROP_ANIMATION_LIST) or not self.rom.has(PROP_ANIMATIONS):
            return None
        if model >= len(self.rom.archive(PROP_ANIMATION_LIST)):
            return None
        return self._member(PROP_ANIMATION_LIST, model, PropAnimations.from_bytes)

    def animation(self, index: int) -> Any:
        """A member of bm_anime: an Nsbca, Nsbta, Nsbtp, Nsbma or Nsbva, with one animation or more."""
        from formats import nitro

        return self._member(PROP_ANIMATIONS, index, nitro.read)

    @cached_property
    def terrain_animations(self) -> FieldTextureAnimations | None:
        """The terrain texture animations, None when the ROM lacks them."""
        if not self.rom.has(TERRAIN_ANIMATIONS):
            return None
        return self._member(TERRAIN_ANIMATIONS, 0, FieldTextureAnimations.from_bytes)

    def terrain_animation_frames(self, index: int) -> Nsbtx:
        """The pictures of terrain animation `index`, in dictionary order."""
        return self._member(TERRAIN_ANIMATIONS, index + 1, Nsbtx.from_bytes)

    def messages(self, bank: int) -> MessageBank | None:
        """A member of pl_msg, None when the ROM has no texts or no such bank."""
        if not self.rom.has(MESSAGES) or bank >= len(self.rom.archive(MESSAGES)):
            return None
        return self._member(MESSAGES, bank, MessageBank.from_bytes)

    def events(self, header: int) -> ZoneEvents | None:
        """The events of header `header`, None when the ROM has no events or no such header."""
        if not self.rom.has(ZONE_EVENT) or not 0 <= header < len(self.headers):
            return None
        return self._member(ZONE_EVENT, self.headers[header].events, ZoneEvents.from_bytes)

    def warp_target(self, header: int, warp: int) -> tuple[int, int, int] | None:
        """Where warp `warp` of header `header` leads: (header, x, z) in tiles of that header's matrix.

        None when it leads back to where the player came from, or to a warp that does not exist.
        """
        events = self.events(header)
        if events is None or not 0 <= warp < len(events.warps):
            return None
        target, number = int(events.warps[warp]["header"]), int(events.warps[warp]["warp"])
        if target == RETURN_HEADER or number == RETURN_WARP or target >= len(self.headers):
            return None
        there = self.events(target)
        if there is None or number >= len(there.warps):
            return None
        return target, int(there.warps[number]["x"]), int(there.warps[number]["z"])

    # --- tables of the program

    @cached_property
    def camera_table(self) -> Resolved[tuple[tables.Camera, ...]]:
        """The camera types and where they were found."""
        return program.find_cameras(self.rom.overlay(5))

    def camera(self, header: Header) -> tables.Camera:
        """The camera of a header; an unknown type is shown with type 0."""
        cameras = self.camera_table.value
        return cameras[header.camera_type] if header.camera_type < len(cameras) else cameras[0]

    @cached_property
    def object_graphics(self) -> Resolved[dict[int, int]]:
        """Object graphics id -> member of mmodel with its pictures, and where the table was found."""
        return program.find_object_graphics(self.rom.overlay(5))

    @cached_property
    def yearly_weather(self) -> Resolved[npt.NDArray[Any]] | None:
        """(366, 5) weather ids by day of a leap year, None when the program does not hold them."""
        return program.find_yearly_weather(self.rom.arm9())

    def weather(self, header: Header, day: int = 0) -> Resolved[int]:
        """The weather of a header on `day` of a leap year (0 = 1 January, 59 = 29 February), and why."""
        columns = tables.yearly_weather_columns()
        if header.weather not in columns:
            named = Provenance(None, Rule.HEADER_NAMES, header.weather, facts=Facts(header=header.id))
            return Resolved(header.weather, named)
        if self.yearly_weather is None:
            return Resolved(0, Provenance(None, Rule.NO_YEARLY_WEATHER, 0))
        weather = int(self.yearly_weather.value[day % 366, columns.index(header.weather)])
        facts = Facts(header=header.id, weather=header.weather, day=day % 366)
        return Resolved(weather, Provenance(None, Rule.YEARLY_WEATHER, weather, facts=facts))

    # --- reading

    def _member(self, path: str, index: int, read: Callable[[Any], T]) -> T:
        """A member of an archive as a value; the latest of each kind are kept. A member that holds nothing to show is
        refused like a damaged one."""
        kept = self._kept.setdefault(path, OrderedDict())
        if index in kept:
            kept.move_to_end(index)
            return kept[index]  # type: ignore[no-any-return]
        reader = self.rom.archive(path).reader(index)
        value = read(reader)
        lacks = lacking(path, value)
        if lacks is not None:
            reader.fail(0, lacks, "none")
        kept[index] = value
        if len(kept) > _KEPT.get(path, 1 << 20):
            kept.popitem(last=False)
        return value

    def archive(self, path: str) -> Archive | None:
        """An archive of the ROM, None when it is absent."""
        try:
            return self.rom.archive(path)
        except RomError:
            return None
