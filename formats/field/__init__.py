"""Field data: the files that describe the maps of a game, one module per file format.

The files have no magic number; the caller passes their kind to `read`.

The layouts of script commands are a `CommandSet`, a parameter of the reader and writer of script files; names and
meanings of commands are tables of the game. References say which member of the script archive is a script file and
which an initial script file; `ScriptMember` decides by contents where nothing refers to it. Height plates of all games
are `HeightPlates`; its `query` is the only height query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from formats.binary import Buffer, Notes, Reader
from formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from formats.field.area import AreaBuild as AreaBuild
    from formats.field.area import AreaData as AreaData
    from formats.field.area import EmptyTextureSet as EmptyTextureSet
    from formats.field.area import HeartGoldAreaData as HeartGoldAreaData
    from formats.field.area_light import AreaLight as AreaLight
    from formats.field.bdhc import Bdhc as Bdhc
    from formats.field.bdhc_triangles import TriangleBdhc as TriangleBdhc
    from formats.field.bm_anime_list import HeartGoldPropAnimations as HeartGoldPropAnimations
    from formats.field.bm_anime_list import PropAnimations as PropAnimations
    from formats.field.build_model_matshp import BuildModelMatshp as BuildModelMatshp
    from formats.field.distortion_attributes import DistortionAttributes as DistortionAttributes
    from formats.field.distortion_floor import DistortionFloor as DistortionFloor
    from formats.field.distortion_floor_list import DistortionFloorList as DistortionFloorList
    from formats.field.encounter_extras import FeebasTiles as FeebasTiles
    from formats.field.encounter_extras import LookoutTiles as LookoutTiles
    from formats.field.encounter_extras import SpeciesList as SpeciesList
    from formats.field.fldtanime import FieldTextureAnimations as FieldTextureAnimations
    from formats.field.frame_sequence import FrameSequence as FrameSequence
    from formats.field.height_plates import HeightAnswer as HeightAnswer
    from formats.field.init_script import InitScriptFile as InitScriptFile
    from formats.field.item_data import ItemData as ItemData
    from formats.field.land_data import DiamondPearlLandData as DiamondPearlLandData
    from formats.field.land_data import HeartGoldLandData as HeartGoldLandData
    from formats.field.land_data import LandData as LandData
    from formats.field.land_data import LandSections as LandSections
    from formats.field.map_header import DiamondPearlMapHeader as DiamondPearlMapHeader
    from formats.field.map_header import HeartGoldMapHeader as HeartGoldMapHeader
    from formats.field.map_header import MapHeader as MapHeader
    from formats.field.map_header import MapHeaderTable as MapHeaderTable
    from formats.field.map_matrix import MapMatrix as MapMatrix
    from formats.field.mapname import MapNames as MapNames
    from formats.field.message import MessageBank as MessageBank
    from formats.field.move_model_list import MoveModelList as MoveModelList
    from formats.field.script import ScriptFile as ScriptFile
    from formats.field.script_member import ScriptMember as ScriptMember
    from formats.field.species_data import SpeciesData as SpeciesData
    from formats.field.terrain_animation_file import TerrainAnimationFile as TerrainAnimationFile
    from formats.field.trade import InGameTrade as InGameTrade
    from formats.field.trainer import Trainer as Trainer
    from formats.field.trainer import TrainerMessageOffsets as TrainerMessageOffsets
    from formats.field.trainer import TrainerMessages as TrainerMessages
    from formats.field.trainer_party import TrainerParty as TrainerParty
    from formats.field.wild_encounters import WildEncounters as WildEncounters
    from formats.field.zone_event import ZoneEvents as ZoneEvents

_MODULES = {
    "AreaBuild": "area",
    "AreaData": "area",
    "AreaLight": "area_light",
    "Bdhc": "bdhc",
    "BuildModelMatshp": "build_model_matshp",
    "DiamondPearlLandData": "land_data",
    "DiamondPearlMapHeader": "map_header",
    "DistortionAttributes": "distortion_attributes",
    "DistortionFloor": "distortion_floor",
    "DistortionFloorList": "distortion_floor_list",
    "EmptyTextureSet": "area",
    "FeebasTiles": "encounter_extras",
    "FieldTextureAnimations": "fldtanime",
    "FrameSequence": "frame_sequence",
    "HeightAnswer": "height_plates",
    "HeartGoldAreaData": "area",
    "HeartGoldLandData": "land_data",
    "HeartGoldMapHeader": "map_header",
    "HeartGoldPropAnimations": "bm_anime_list",
    "InGameTrade": "trade",
    "InitScriptFile": "init_script",
    "ItemData": "item_data",
    "LandData": "land_data",
    "LandSections": "land_data",
    "LookoutTiles": "encounter_extras",
    "MapHeader": "map_header",
    "MapHeaderTable": "map_header",
    "MapMatrix": "map_matrix",
    "MapNames": "mapname",
    "MessageBank": "message",
    "MoveModelList": "move_model_list",
    "PropAnimations": "bm_anime_list",
    "ScriptFile": "script",
    "ScriptMember": "script_member",
    "SpeciesData": "species_data",
    "SpeciesList": "encounter_extras",
    "TerrainAnimationFile": "terrain_animation_file",
    "Trainer": "trainer",
    "TrainerMessageOffsets": "trainer",
    "TrainerMessages": "trainer",
    "TrainerParty": "trainer_party",
    "TriangleBdhc": "bdhc_triangles",
    "WildEncounters": "wild_encounters",
    "ZoneEvents": "zone_event",
}

__getattr__ = lazy_names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])


def read(data: Buffer, kind: str | None = None, *, notes: Notes | None = None) -> Any:
    """The value of a field file: of type `kind` (the name of one of this package's types), without `kind` a BDHC
    section, which has a magic number. Raises FormatError."""
    reader = Reader.of(data)
    if kind is None and bytes(reader.data[:4]) == b"BDHC":
        kind = "Bdhc"
    if kind is None:
        beginning = repr(bytes(reader.data[:4])) if len(reader) else "an empty file"
        reader.fail(0, "a known magic number, or a name as field files have in the ROM", beginning)
    return __getattr__(kind).from_bytes(reader, notes=notes)
