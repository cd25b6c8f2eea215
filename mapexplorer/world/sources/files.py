"""The files of a ROM that belong to maps, as values that are read on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from formats import field, nitro
from formats.binary import FormatError, Reader
from formats.nitro.sdat import sound_names
from formats.remembered import remembered
from mapexplorer.caching import Cache, shared_property
from mapexplorer.games import NameBank, Role, Topic
from mapexplorer.rom import Overlay, Rom
from mapexplorer.world.headers.header import Header
from mapexplorer.world.sources import program_tables
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.item_tables import find_common_mart, find_hidden_items, find_machines, find_special_marts
from mapexplorer.world.sources.prop_numbers import PropNumbers
from mapexplorer.world.sources.provenance import ARM9, Facts, ProgramTable, Provenance, Resolved, SourceRule
from mapexplorer.world.sources.rom_files import KEPT, RomFiles, member_reader

if TYPE_CHECKING:
    from formats.field.bm_anime_list import PropAnimationEntry
    from formats.field.land_data import AnyLandData
    from formats.nitro.model import Model
    from mapexplorer.games.field_tables import CameraType
    from mapexplorer.games.gameplay_tables import CommonItem, HiddenItem
    from mapexplorer.world.cells import Cell
    from mapexplorer.world.terrain.land_parts import LandParts


LEAST_EXPANSION = 0x16000
"""Bytes of the member that the ARM9 expansion makes."""


def _prop_textures(reader: Reader) -> nitro.Nsbtx:
    """A prop texture set, in some games without textures."""
    from formats.nitro.tex0 import Tex0

    return (
        nitro.Nsbtx(Tex0((), ()))
        if bytes(reader.data) == field.EmptyTextureSet.BYTES
        else nitro.Nsbtx.from_bytes(reader)
    )


class WorldFiles(RomFiles):
    """The files of maps as values, each read when it is first asked for."""

    def __init__(self, rom: Rom, *, header_archive: str | None = None) -> None:
        """As `RomFiles`."""
        super().__init__(rom, header_archive=header_archive)
        if self.expanded_graphics is not None:
            custom = frozenset(self.expanded_graphics.value).difference(self.game.tables.map_object_graphics)
            self.game = replace(self.game, custom_graphics=custom)
        self.prop_numbers = PropNumbers(self)
        self._init_scripts: Cache[int, field.InitScriptFile] = Cache()
        self._land_parts: Cache[int, LandParts] = Cache()
        self._terrain_models: Cache[int, Model] = Cache(KEPT[Role.LAND_DATA])
        self.script_arguments: Cache[int, Any] = Cache()
        self.script_effects: Cache[int, Any] = Cache()
        self._cells: Cache[tuple[int, int, frozenset[tuple[int, int]]], dict[tuple[int, int], Cell]] = Cache()

    # --- cells of a matrix

    def cells(self, matrix: int, entered: int, known: frozenset[str] = frozenset()) -> dict[tuple[int, int], Cell]:
        """(x, z) -> cell with land, of a matrix entered through header `entered`, which matters only where the matrix
        has no header section, while the hidden locations `known` are known."""
        from mapexplorer.world.cells import read_cells
        from mapexplorer.world.sources.matrix_patches import patches

        grid = self.matrix(matrix)
        replaced = patches(self.game.tables, grid, matrix, known)
        key = (matrix, entered if grid.headers is None else -1, frozenset(replaced))
        return self._cells.get(key, read_cells, grid, matrix, self.headers[entered], self.headers, replaced)

    # --- files of a map

    def prop_list(self, index: int) -> field.AreaBuild:
        """A member of area_build: the prop models that an area with this prop set loads."""
        return self.prop_numbers.listed(index, self.member(Role.AREA_BUILD, index, field.AreaBuild.from_bytes))

    def placed_props(self, land: int) -> npt.NDArray[np.void]:
        """The props of a land, MAP_PROP records; `model` is a number of this program (`PropNumbers`)."""
        return self.prop_numbers.placed(land, self.land_sections(land).read_props())

    prop_textures = member_reader(Role.PROP_TEXTURES, _prop_textures)
    """A member of areabm_texset."""

    terrain_textures = member_reader(Role.TERRAIN_TEXTURES, nitro.Nsbtx.from_bytes)
    """A member of map_tex_set."""

    light_set = member_reader(Role.AREA_LIGHT, field.AreaLight.from_bytes)
    """A member of arealight, with one light block or more."""

    def land(self, index: int) -> AnyLandData:
        """A member of land_data, whole, with its model."""
        read: Callable[[Any], AnyLandData] = self.game.record(Role.LAND_DATA).from_bytes
        return self.member(Role.LAND_DATA, index, read)

    def terrain_model(self, index: int) -> Model:
        """The terrain model of a member of land_data; its other parts are not read."""
        return self._terrain_models.get(index, self._read_terrain_model, index)

    def _read_terrain_model(self, index: int) -> Model:
        section = self.land_sections(index).model
        models = nitro.Nsbmd.from_bytes(section).models
        if not models:
            section.fail(0, "a model", "none")
        return models[0]

    @remembered
    def terrain_texture_names(self, land: int) -> tuple[str | None, ...]:
        """The name of the texture of each material of a terrain model, which is not read."""
        return next(iter(nitro.Nsbmd.read_texture_names(self.land_sections(land).model)), ())

    @remembered
    def terrain_set_names(self, number: int) -> frozenset[str]:
        """The names of the textures of a terrain set, which is not read."""
        return frozenset(nitro.Nsbtx.read_names(self.members(Role.TERRAIN_TEXTURES).reader(number)))

    def land_parts(self, index: int) -> LandParts:
        """The parts of a member of land_data beside its model, without those that cannot be read."""
        from mapexplorer.world.terrain.land_parts import read_land_parts

        return self._land_parts.get(index, read_land_parts, index, lambda: self.land_sections(index))

    def land_sections(self, index: int) -> field.LandSections:
        """A member of land_data as slices."""
        sections: field.LandSections = self.game.record(Role.LAND_DATA).sections(
            self.members(Role.LAND_DATA).reader(index)
        )
        return sections

    prop_model = member_reader(Role.BUILD_MODEL, nitro.Nsbmd.from_bytes)
    """A member of build_model, with one model or more."""

    @shared_property
    def draw_lists(self) -> field.BuildModelMatshp | None:
        """The draw lists of static props, None when the ROM lacks them."""
        if not self.has(Role.MATSHP):
            return None
        first, *rooms = [
            field.BuildModelMatshp.from_bytes(self.rom.file(path)) for path in self.game.files[Role.MATSHP].paths
        ]
        if not rooms:
            return first
        gap = (None,) * max(0, self.prop_numbers.first_room_model - len(first.models))
        return field.BuildModelMatshp(first.models + gap + rooms[0].models)

    def prop_animations(self, model: int) -> PropAnimationEntry | None:
        """The animation list entry of a prop model, None when the ROM lacks the list, the entry or the animations."""
        if not self.has(Role.PROP_ANIMATION_LIST) or not self.has(Role.PROP_ANIMATIONS):
            return None
        if model >= len(self.members(Role.PROP_ANIMATION_LIST)):
            return None
        read: Callable[[Any], PropAnimationEntry] = self.game.record(Role.PROP_ANIMATION_LIST).from_bytes
        return self.member(Role.PROP_ANIMATION_LIST, model, read)

    animation = member_reader(Role.PROP_ANIMATIONS, nitro.read)
    """A member of bm_anime: an Nsbca, Nsbta, Nsbtp, Nsbma or Nsbva, with one animation or more."""

    @shared_property
    def terrain_animations(self) -> field.FieldTextureAnimations | None:
        """The terrain texture animations in the order of the game's slots, None when the ROM lacks them."""
        if not self.has(Role.TERRAIN_ANIMATIONS):
            return None
        slots = self.game.terrain_slots
        if slots:
            from formats.field.fldtanime import TerrainAnimation

            return field.FieldTextureAnimations(
                tuple(TerrainAnimation(name, self._terrain_slot(slot).steps) for slot, name in enumerate(slots))
            )
        return self.member(Role.TERRAIN_ANIMATIONS, 0, field.FieldTextureAnimations.from_bytes)

    def terrain_animation_frames(self, index: int) -> nitro.Nsbtx:
        """The pictures of terrain animation `index`, in dictionary order."""
        if self.game.terrain_slots:
            path = self._terrain_slot(index).path
            return nitro.Nsbtx.from_bytes(Reader(self.rom.file(path), path))
        return self.member(Role.TERRAIN_ANIMATIONS, index + 1, nitro.Nsbtx.from_bytes)

    _terrain_slot = member_reader(Role.TERRAIN_ANIMATIONS, field.TerrainAnimationFile.from_bytes)

    weather_picture = member_reader(Role.WEATHER_PICTURES, nitro.read)
    """A member of weather_sys: tiles, palette, map, cells or their animation."""

    distortion_sky_picture = member_reader(Role.DISTORTION_SKY, nitro.read)
    """A member of the pictures of the sky of the Distortion World: tiles, palette, map, cells or their
    animation."""

    def distortion_floors(self) -> field.DistortionFloorList | None:
        """The floors of the Distortion World, None when the ROM lacks them."""
        if not self.has(Role.DISTORTION_FLOORS):
            return None
        return self.member(Role.DISTORTION_FLOORS, 0, field.DistortionFloorList.from_bytes)

    def distortion_floor(self, file: int) -> field.DistortionFloor:
        """A floor of the Distortion World by the file number in the floor list."""
        return self.member(Role.DISTORTION_FLOORS, file + 1, field.DistortionFloor.from_bytes)

    def distortion_attributes(self, index: int) -> field.DistortionAttributes:
        """A member of tw_arc_attr: the words of a platform's tiles."""
        return self.member(Role.DISTORTION_ATTRIBUTES, index, field.DistortionAttributes.from_bytes)

    def shown_constant(self, kind: str, number: int) -> str:
        """The constant that is shown for a number; empty where its name is shown, and without one."""
        return self.game.constant(kind, number, self.rom.code) if self.game.by_constants else ""

    @shared_property
    def sequence_names(self) -> tuple[str | None, ...]:
        """The names of the sequences in the sound archive by number; empty for a ROM without it."""
        return sound_names(self.rom.file(self.path(Role.MUSIC))) if self.has(Role.MUSIC) else ()

    def script_file(self, index: int) -> field.ScriptFile:
        """A member of scr_seq that holds scripts, not initial scripts."""
        return self.member(Role.SCRIPTS, index, field.ScriptFile.from_bytes)

    def init_scripts(self, header: int) -> field.InitScriptFile:
        """The scripts that the game runs by itself on the maps of a header."""
        index = self.headers[header].init_scripts
        return self._init_scripts.get(index, self._read, Role.SCRIPTS, index, field.InitScriptFile.from_bytes)

    def events(self, header: int) -> field.ZoneEvents | None:
        """The events of header `header`, None when the ROM has no events or no such header."""
        if not self.has(Role.ZONE_EVENT) or not 0 <= header < len(self.headers):
            return None
        return self.member(Role.ZONE_EVENT, self.headers[header].events, field.ZoneEvents.from_bytes)

    def warp_target(self, header: int, warp: int) -> tuple[int, int, int] | None:
        """Where warp `warp` of header `header` leads: (header, x, z) in tiles of that header's matrix.

        None when it leads back to where the player came from, or to a warp that does not exist.
        """
        end = self._warp_end(header, warp)
        return None if isinstance(end, str) else end

    def warp_fault(self, header: int, warp: int) -> str:
        """Why a warp of a header leads nowhere; empty for one that leads somewhere or back. Raises FormatError."""
        end = self._warp_end(header, warp)
        return end if isinstance(end, str) else ""

    def _warp_end(self, header: int, warp: int) -> tuple[int, int, int] | str:
        """The target of a warp, else its fault."""
        from formats.field.zone_event import RETURN_HEADER, RETURN_WARP

        events = self.events(header)
        if events is None or not 0 <= warp < len(events.warps):
            return f"header {header} has no warp {warp}"
        target, number = int(events.warps[warp]["header"]), int(events.warps[warp]["warp"])
        if target == RETURN_HEADER or number == RETURN_WARP:
            return ""
        there = self.events(target)
        if there is None or number >= len(there.warps):
            known = target < len(self.headers)
            return f"header {target} has no warp {number}" if known else f"there is no header {target}"
        return target, int(there.warps[number]["x"]), int(there.warps[number]["z"])

    @shared_property
    def script_kinds(self) -> dict[int, type[field.ScriptFile | field.InitScriptFile]]:
        """Member of the script archive -> what it is, for those that headers and the bands of script numbers name.
        Headers decide first: a ROM may have other files than the bands of the retail game."""
        kinds: dict[int, type[field.ScriptFile | field.InitScriptFile]] = {
            band.member: field.ScriptFile for band in self.game.tables.script_numbers.bands
        }
        kinds |= {header.init_scripts: field.InitScriptFile for header in self.headers}
        return kinds | {header.scripts: field.ScriptFile for header in self.headers}

    def trainer(self, index: int) -> field.Trainer:
        """The record of a trainer."""
        return self.member(Role.TRAINERS, index, field.Trainer.from_bytes)

    def party(self, number: int) -> field.TrainerParty:
        """The Pokémon of a trainer that the game reads, in the form that the trainer's record says."""
        record = self.trainer(number)
        read = partial(field.TrainerParty.from_bytes, form=record.party_form)
        party = self.member(Role.TRAINER_PARTIES, number, read)
        size = record.party_size
        return party if len(party.pokemon) <= size else replace(party, pokemon=party.pokemon[:size])

    # --- tables of the program

    def _stated(self, table: ProgramTable, record: str) -> program_tables.Rows | None:
        """The records of a table that the ROM has as text; None where it has a program, or the text cannot be read."""
        return read_or(None, program_tables.stated_table, self.rom, table, program_tables.table_record(record))

    @shared_property
    def field_overlay(self) -> Overlay | None:
        """The overlay of the field; None where the ROM lacks it, or it cannot be read, of which there is then a
        note."""
        try:
            return self.rom.overlay(self.game.program.overlay)
        except FormatError as error:
            self.notes.append(f"{error}; its tables are those of the retail game.")
            return None

    @shared_property
    def camera_table(self) -> Resolved[tuple[CameraType, ...]]:
        """The camera types and where they were found."""
        return program_tables.find_cameras(
            self.game, self.field_overlay, self._stated(ProgramTable.CAMERAS, self.game.program.camera_record)
        )

    def camera(self, header: Header) -> CameraType:
        """The camera of a header; an unknown type is shown with type 0."""
        cameras = self.camera_table.value
        return cameras[header.camera_type] if header.camera_type < len(cameras) else cameras[0]

    @shared_property
    def expansion(self) -> bytes:
        """The member that an ARM9 expansion has filled with code; empty in a ROM without one."""
        path, index = self.game.program.expansion
        data = read_or(b"", lambda: self.rom.archive(path)[index])
        return data if len(data) >= LEAST_EXPANSION else b""

    @property
    def code_members(self) -> Mapping[tuple[str, int], str]:
        """The path and the number of a member that is code which a hack added -> what it is."""
        return {self.game.program.expansion: "code of the ARM9 expansion"} if self.expansion else {}

    @shared_property
    def expanded_graphics(self) -> Resolved[dict[int, int]] | None:
        """The object graphics in the code that a hack added; None in a ROM without such a table."""
        path, index = self.game.program.expansion
        added = {f"{path}[{index}]": self.expansion} if self.expansion else {}
        number = self.game.program.engine_overlay
        engine = self.rom.readable_overlay(number) if number is not None else None
        added |= {f"overlay {number}": engine.data} if engine is not None else {}
        return program_tables.find_expanded_graphics(self.game, added)

    @shared_property
    def object_graphics(self) -> Resolved[dict[int, int]]:
        """Object graphics id -> member of mmodel with its pictures, and where the table was found."""
        return self.expanded_graphics or program_tables.find_object_graphics(
            self.game,
            self.field_overlay,
            self._stated(ProgramTable.OBJECT_GRAPHICS, self.game.program.graphics_record),
        )

    @shared_property
    def hidden_items(self) -> Resolved[tuple[HiddenItem, ...]]:
        """The hidden items, and where the table was found."""
        why = self.header_table.why
        usual = self.game.tables.headers.table_offsets.get(self.rom.code)  # where it stays beside dynamic headers
        return find_hidden_items(
            self.game,
            self.rom.arm9(),
            why.offset if why.archive == ARM9 else usual,
            self._stated(ProgramTable.HIDDEN_ITEMS, "HIDDEN_ITEM"),
        )

    @shared_property
    def common_mart(self) -> Resolved[tuple[CommonItem, ...]]:
        """The items of the common shops."""
        return find_common_mart(
            self.game, self.rom.arm9(), self.rom.code, self._stated(ProgramTable.COMMON_MART, "COMMON_MART")
        )

    @shared_property
    def special_marts(self) -> Resolved[tuple[tuple[int, ...], ...]]:
        """The items of the special shops by number."""
        return find_special_marts(
            self.game, self.rom.arm9(), self.rom.code, self._stated(ProgramTable.SPECIAL_MARTS, "MART_ITEM")
        )

    @shared_property
    def machines(self) -> dict[int, int]:
        """Item -> the move that it teaches, of TMs and HMs; empty where it is not known."""
        stated = self._stated(ProgramTable.MACHINES, "MACHINE")
        if stated is not None:
            return dict(enumerate(stated.value.tolist(), self.game.tables.items.first_machine))
        moves = read_or(None, self.names, NameBank.MOVES)
        return find_machines(self.game, self.rom.arm9(), 0 if moves is None else len(moves.messages))

    def knows(self, topic: Topic | None) -> bool:
        """Whether something is known about a part of the game in this ROM."""
        return topic not in self.game.not_known and (topic is not Topic.MACHINES or bool(self.machines))

    @shared_property
    def yearly_weather(self) -> Resolved[npt.NDArray[Any]] | None:
        """(366, 5) weather ids by day of a leap year, None when the program does not hold them."""
        return program_tables.find_yearly_weather(
            self.game, self.rom.arm9(), self._stated(ProgramTable.YEARLY_WEATHER, "YEARLY_WEATHER")
        )

    def weather(self, header: Header, day: int = 0) -> Resolved[int]:
        """The weather of a header on `day` of a leap year (0 = 1 January, 59 = 29 February), and why."""
        columns = tuple(self.game.tables.yearly_weathers)
        if header.weather not in columns:
            named = Provenance(None, SourceRule.HEADER_NAMES, header.weather, facts=Facts(header=header.id))
            return Resolved(header.weather, named)
        if self.yearly_weather is None:
            return Resolved(0, Provenance(None, SourceRule.NO_YEARLY_WEATHER, 0))
        weather = int(self.yearly_weather.value[day % 366, columns.index(header.weather)])
        facts = Facts(header=header.id, weather=header.weather, day=day % 366)
        return Resolved(weather, Provenance(None, SourceRule.YEARLY_WEATHER, weather, facts=facts))
