"""The files of a ROM that belong to maps, as values: headers and names are read at once, the others on demand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from formats import field, nitro
from formats.binary import FormatError, Reader
from formats.field.map_header import MAP_HEADER_BYTES
from formats.nitro.sdat import sound_names
from mapexplorer.caching import Cache, shared_property
from mapexplorer.errors import RomError
from mapexplorer.games import NameBank, Role, Topic, identify
from mapexplorer.games.gameplay_tables import CommonItem, HiddenItem
from mapexplorer.games.tables import CameraType
from mapexplorer.rom import Archive, FileArchive, JoinedArchives, Rom
from mapexplorer.world.headers.header import Header
from mapexplorer.world.headers.room_names import room_names
from mapexplorer.world.sources import program_tables
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.item_tables import find_common_mart, find_hidden_items, find_machines, find_special_marts
from mapexplorer.world.sources.prop_numbers import PropNumbers
from mapexplorer.world.sources.provenance import ARM9, Facts, Provenance, Resolved, SourceRule
from mapexplorer.world.sources.requirements import lacking

if TYPE_CHECKING:
    from formats.field.area import AreaRecord
    from formats.field.bm_anime_list import PropAnimationEntry
    from formats.field.land_data import AnyLandData
    from formats.nitro.model import Model
    from mapexplorer.world.cells import Cell
    from mapexplorer.world.terrain.land_parts import LandParts

T = TypeVar("T")

_KEPT = {
    Role.LAND_DATA: 32,
    Role.BUILD_MODEL: 160,
    Role.PROP_TEXTURES: 8,
    Role.TERRAIN_TEXTURES: 8,
    Role.SCRIPTS: 32,
}
"""The number of cached values of each large kind; of small kinds all values are cached."""


class WorldFiles:
    """The map files of a ROM. The constructor reads the header table and the names; the others are read on demand.
    Several threads may read from one.

    `notes` lists what is unusual or absent. Every method that reads a file raises FormatError for damaged bytes, also
    for a number beyond the end of an archive, and RomError for a file that the ROM lacks.
    """

    def __init__(self, rom: Rom, *, header_archive: str | None = None) -> None:
        """`header_archive` is for hacks that keep their headers in a NARC of 24-byte members instead of the program."""
        self.rom = rom
        self.game = identify(rom)
        self.notes: list[str] = []
        self._kept: dict[Role, Cache[int, Any]] = {role: Cache(_KEPT.get(role)) for role in Role}
        self.prop_numbers = PropNumbers(self)
        self._init_scripts: Cache[int, field.InitScriptFile] = Cache()
        self._land_parts: Cache[int, LandParts] = Cache()
        self._terrain_models: Cache[int, Model] = Cache(_KEPT[Role.LAND_DATA])
        self.script_arguments: Cache[int, Any] = Cache()
        self.script_effects: Cache[int, Any] = Cache()
        self._cells: Cache[tuple[int, int, frozenset[tuple[int, int]]], dict[tuple[int, int], Cell]] = Cache()
        names = field.MapNames.from_bytes(rom.file(self.path(Role.MAP_NAMES))).names
        self.location_names = self._location_names()
        self.header_table = self._find_headers(len(names), header_archive)
        self.notes += rom.notes
        table = program_tables.read_headers(self.header_table.value.tobytes(), self.game)
        named = [
            (
                names[index] if index < len(names) else f"header {index}",
                self.game.symbolic_map_name(self.rom.code, index),
                self._location(record.label_text),
                record.map_type in self.game.outdoor_types,
            )
            for index, record in enumerate(table.headers)
        ]
        self.headers: tuple[Header, ...] = tuple(
            Header.of(
                record,
                matrix=self.game.matrix(record.matrix, rom.code),
                id=index,
                internal_name=internal,
                symbolic_name=symbolic,
                location_name=location,
                kind=self.game.tables.map_type_name(record.map_type),
                outdoors=outdoors,
                town=record.map_type == self.game.town_type,
                room=room,
                same_name=same_name,
            )
            for index, (record, (internal, symbolic, location, outdoors), (room, same_name)) in enumerate(
                zip(table.headers, named, room_names(named), strict=True)
            )
        )

    def __repr__(self) -> str:
        release, count = self.game.release(self.rom), len(self.headers)
        return f"<{type(self).__name__} of {self.rom.path}: {release}, {count} map headers>"

    def _location_names(self) -> tuple[str, ...]:
        try:
            bank = self.names(NameBank.PLACES)
            reason = f"The ROM has no texts ({self.path(Role.MESSAGES)})"
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
            data = b"".join(members[index][:MAP_HEADER_BYTES] for index in range(len(members)))
            if not len(members) or len(data) != len(members) * MAP_HEADER_BYTES:
                raise FormatError(archive, 0, "members of at least 24 bytes", f"{len(data)} bytes in {len(members)}")
            why = Provenance(archive, SourceRule.NAMED_ARCHIVE)
            return Resolved(program_tables.header_records(data, 0, len(members)), why)
        limits: dict[str, int] = {}
        for role, *fields in (
            (Role.AREA_DATA, "area"),
            (Role.PRELOAD_LISTS, "preload_list"),
            (Role.MAP_MATRIX, "matrix"),
            (Role.SCRIPTS, "scripts", "init_scripts"),
            (Role.MESSAGES, "message_bank"),
            (Role.ENCOUNTERS, "wild_encounters"),
            (Role.ZONE_EVENT, "events"),
        ):
            try:
                present = self.archive(role)
            except FormatError as error:
                self.notes.append(f"{self.path(role)} is damaged ({error}); what needs it cannot be shown.")
                continue
            if present is not None:
                limits.update(dict.fromkeys(fields, len(present)))
        if self.location_names:
            limits["label_text"] = len(self.location_names)
        hint = self.game.tables.headers.table_offsets.get(self.rom.code)
        return program_tables.find_headers(self.game, self.rom.arm9(), count, limits, hint)

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

    def matrix(self, index: int) -> field.MapMatrix:
        """A member of map_matrix."""
        return self.member(Role.MAP_MATRIX, index, field.MapMatrix.from_bytes)

    def area(self, index: int) -> AreaRecord:
        """A member of area_data."""
        read: Callable[[Any], AreaRecord] = self.game.record(Role.AREA_DATA).from_bytes
        return self.member(Role.AREA_DATA, index, read)

    def prop_list(self, index: int) -> field.AreaBuild:
        """A member of area_build: the prop models that an area with this prop set loads."""
        return self.prop_numbers.listed(index, self.member(Role.AREA_BUILD, index, field.AreaBuild.from_bytes))

    def placed_props(self, land: int) -> npt.NDArray[np.void]:
        """The props of a land, MAP_PROP records; `model` is a number of this program (`PropNumbers`)."""
        return self.prop_numbers.placed(land, self.land_sections(land).read_props())

    def prop_textures(self, index: int) -> nitro.Nsbtx:
        """A member of areabm_texset."""
        return self.member(Role.PROP_TEXTURES, index, _prop_textures)

    def terrain_textures(self, index: int) -> nitro.Nsbtx:
        """A member of map_tex_set."""
        return self.member(Role.TERRAIN_TEXTURES, index, nitro.Nsbtx.from_bytes)

    def light_set(self, index: int) -> field.AreaLight:
        """A member of arealight, with one light block or more."""
        return self.member(Role.AREA_LIGHT, index, field.AreaLight.from_bytes)

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

    def prop_model(self, index: int) -> nitro.Nsbmd:
        """A member of build_model, with one model or more."""
        return self.member(Role.BUILD_MODEL, index, nitro.Nsbmd.from_bytes)

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

    def animation(self, index: int) -> Any:
        """A member of bm_anime: an Nsbca, Nsbta, Nsbtp, Nsbma or Nsbva, with one animation or more."""
        return self.member(Role.PROP_ANIMATIONS, index, nitro.read)

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

    def _terrain_slot(self, slot: int) -> field.TerrainAnimationFile:
        return self.member(Role.TERRAIN_ANIMATIONS, slot, field.TerrainAnimationFile.from_bytes)

    def weather_picture(self, index: int) -> Any:
        """A member of weather_sys: tiles, palette, map, cells or their animation."""
        return self.member(Role.WEATHER_PICTURES, index, nitro.read)

    def distortion_sky_picture(self, index: int) -> Any:
        """A member of the pictures of the sky of the Distortion World: tiles, palette, map, cells or their
        animation."""
        return self.member(Role.DISTORTION_SKY, index, nitro.read)

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

    def messages(self, bank: int) -> field.MessageBank | None:
        """A member of pl_msg, None when the ROM has no texts or no such bank."""
        if not self.has(Role.MESSAGES) or bank >= len(self.members(Role.MESSAGES)):
            return None
        return self.member(Role.MESSAGES, bank, field.MessageBank.from_bytes)

    def names(self, bank: NameBank) -> field.MessageBank | None:
        """The names of species, items ..., None when the ROM has none, or in a release whose bank is not known."""
        number = self.game.name_bank(bank, self.rom.code)
        return self.messages(number) if number is not None else None

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
        events = self.events(header)
        if events is None or not 0 <= warp < len(events.warps):
            return None
        target, number = int(events.warps[warp]["header"]), int(events.warps[warp]["warp"])
        from formats.field.zone_event import RETURN_HEADER, RETURN_WARP

        if target == RETURN_HEADER or number == RETURN_WARP or target >= len(self.headers):
            return None
        there = self.events(target)
        if there is None or number >= len(there.warps):
            return None
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

    def trainer(self, number: int) -> field.Trainer:
        """The record of a trainer."""
        return self.member(Role.TRAINERS, number, field.Trainer.from_bytes)

    def party(self, number: int) -> field.TrainerParty:
        """The Pokémon of a trainer that the game reads, in the form that the trainer's record says."""
        record = self.trainer(number)
        read = partial(field.TrainerParty.from_bytes, form=record.party_form)
        party = self.member(Role.TRAINER_PARTIES, number, read)
        size = record.party_size
        return party if len(party.pokemon) <= size else replace(party, pokemon=party.pokemon[:size])

    # --- tables of the program

    @shared_property
    def camera_table(self) -> Resolved[tuple[CameraType, ...]]:
        """The camera types and where they were found."""
        return program_tables.find_cameras(self.game, self.rom.overlay(self.game.program.overlay))

    def camera(self, header: Header) -> CameraType:
        """The camera of a header; an unknown type is shown with type 0."""
        cameras = self.camera_table.value
        return cameras[header.camera_type] if header.camera_type < len(cameras) else cameras[0]

    @shared_property
    def object_graphics(self) -> Resolved[dict[int, int]]:
        """Object graphics id -> member of mmodel with its pictures, and where the table was found."""
        return program_tables.find_object_graphics(self.game, self.rom.overlay(self.game.program.overlay))

    @shared_property
    def hidden_items(self) -> Resolved[tuple[HiddenItem, ...]]:
        """The hidden items, and where the table was found."""
        why = self.header_table.why
        return find_hidden_items(self.game, self.rom.arm9(), why.offset if why.archive == ARM9 else None)

    @shared_property
    def common_mart(self) -> Resolved[tuple[CommonItem, ...]]:
        """The items of the common shops."""
        return find_common_mart(self.game, self.rom.arm9(), self.rom.code)

    @shared_property
    def special_marts(self) -> Resolved[tuple[tuple[int, ...], ...]]:
        """The items of the special shops by number."""
        return find_special_marts(self.game, self.rom.arm9(), self.rom.code)

    @shared_property
    def machines(self) -> dict[int, int]:
        """Item -> the move that it teaches, of TMs and HMs; empty where it is not known."""
        moves = read_or(None, self.names, NameBank.MOVES)
        return find_machines(self.game, self.rom.arm9(), 0 if moves is None else len(moves.messages))

    def knows(self, topic: Topic | None) -> bool:
        """Whether something is known about a part of the game in this ROM."""
        return topic not in self.game.not_known and (topic is not Topic.MACHINES or bool(self.machines))

    @shared_property
    def yearly_weather(self) -> Resolved[npt.NDArray[Any]] | None:
        """(366, 5) weather ids by day of a leap year, None when the program does not hold them."""
        return program_tables.find_yearly_weather(self.game, self.rom.arm9())

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

    # --- reading

    def member(self, role: Role, index: int, read: Callable[[Any], T]) -> T:
        """A member of an archive as a value; the latest of each kind are cached. A member without contents to show
        raises FormatError like a damaged one."""
        value: T = self._kept[role].get(index, self._read, role, index, read)
        return value

    def _read(self, role: Role, index: int, read: Callable[[Any], T]) -> T:
        reader = self.members(role).reader(index)
        value = read(reader)
        lacks = lacking(role, value)
        if lacks is not None:
            reader.fail(0, lacks, "none")
        return value

    def path(self, role: Role) -> str:
        """The path of the file with this role in the ROM."""
        return self.game.path(role)

    def has(self, role: Role) -> bool:
        """Whether the game has a role and the ROM the file."""
        return role in self.game.files and self.rom.has(self.path(role))

    def members(self, role: Role) -> Archive:
        """The archive of a role, or the loose files that this game has instead. RomError when it is absent, FormatError
        when it is damaged."""
        if role not in self.game.files:
            raise RomError(f"Nothing is known about {role} in {self.game.title}.")
        parts = self.game.files[role].parts
        if not parts:
            return self.rom.archive(self.path(role))
        if self.rom.is_archive(parts[0]):
            return JoinedArchives([self.rom.archive(part) for part in parts])
        return FileArchive(parts[0], parts, self.rom.file, named=True)

    def archive(self, role: Role) -> Archive | None:
        """The same, None when it is absent. FormatError when it is damaged."""
        try:
            return self.members(role)
        except RomError:
            return None


def _prop_textures(reader: Reader) -> nitro.Nsbtx:
    """A prop texture set, in some games without textures."""
    from formats.nitro.tex0 import Tex0

    return (
        nitro.Nsbtx(Tex0((), ()))
        if bytes(reader.data) == field.EmptyTextureSet.BYTES
        else nitro.Nsbtx.from_bytes(reader)
    )
