"""Platinum field data: what describes the maps of the game, one module per file format.

The files have no magic number; `read` knows them by their path in the ROM.
"""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Any

from formats.binary import Buffer, Notes, Reader

if TYPE_CHECKING:
    from formats.field.area import AreaBuild as AreaBuild
    from formats.field.area import AreaData as AreaData
    from formats.field.area_light import AreaLight as AreaLight
    from formats.field.bdhc import Bdhc as Bdhc
    from formats.field.bdhc import HeightAnswer as HeightAnswer
    from formats.field.bm_anime_list import PropAnimations as PropAnimations
    from formats.field.build_model_matshp import BuildModelMatshp as BuildModelMatshp
    from formats.field.fldtanime import FieldTextureAnimations as FieldTextureAnimations
    from formats.field.frame_sequence import FrameSequence as FrameSequence
    from formats.field.land_data import LandData as LandData
    from formats.field.land_data import LandSections as LandSections
    from formats.field.map_header import MapHeader as MapHeader
    from formats.field.map_header import MapHeaderTable as MapHeaderTable
    from formats.field.map_matrix import MapMatrix as MapMatrix
    from formats.field.mapname import MapNames as MapNames
    from formats.field.message import MessageBank as MessageBank
    from formats.field.move_model_list import MoveModelList as MoveModelList
    from formats.field.zone_event import ZoneEvents as ZoneEvents

_MODULES = {
    "AreaBuild": "area",
    "AreaData": "area",
    "AreaLight": "area_light",
    "Bdhc": "bdhc",
    "BuildModelMatshp": "build_model_matshp",
    "FieldTextureAnimations": "fldtanime",
    "FrameSequence": "frame_sequence",
    "HeightAnswer": "bdhc",
    "LandData": "land_data",
    "LandSections": "land_data",
    "MapHeader": "map_header",
    "MapHeaderTable": "map_header",
    "MapMatrix": "map_matrix",
    "MapNames": "mapname",
    "MessageBank": "message",
    "MoveModelList": "move_model_list",
    "PropAnimations": "bm_anime_list",
    "ZoneEvents": "zone_event",
}

_PATHS = {
    "map_matrix.narc": "MapMatrix",
    "land_data.narc": "LandData",
    "area_data.narc": "AreaData",
    "area_build.narc": "AreaBuild",
    "arealight.narc": "AreaLight",
    "bm_anime_list.narc": "PropAnimations",
    "build_model_matshp.dat": "BuildModelMatshp",
    "zone_event.narc": "ZoneEvents",
    "move_model_list.narc": "MoveModelList",
    "fldtanime.narc": "FieldTextureAnimations",
    "mapname.bin": "MapNames",
    "pl_msg.narc": "MessageBank",
    "msg.narc": "MessageBank",
    "mmodel.narc": "FrameSequence",
}
"""File in the ROM -> type of the file, or of those members of the archive that have no magic number."""

_PART = re.compile(r"[/\\#\[]+")


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"formats.field.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])


def type_of(path: str) -> Any | None:
    """The type of the headerless field file at a path in the ROM, None when the path does not tell.

    Members of archives are named behind their archive: `land_data.narc[12]`, `land_data.narc#12` or
    `land_data.narc/12.bin`. Members with a magic number (textures in fldtanime) are not asked for here.
    """
    for part in reversed(_PART.split(path.lower())):
        if part in _PATHS:
            return __getattr__(_PATHS[part])
    return None


def read(data: Buffer, path: str = "", *, notes: Notes | None = None) -> Any:
    """The value of the field file at `path` (else at the path of the reader that is given), or of loose height plates.

    Raises FormatError, also for a path that does not tell.
    """
    reader = Reader.of(data)
    if not reader.path:
        reader = reader.named(path)
    kind = type_of(path or reader.path)
    if kind is None and bytes(reader.data[:4]) == b"BDHC":
        kind = __getattr__("Bdhc")
    if kind is None:
        found = repr(bytes(reader.data[:4])) if len(reader) else "an empty file"
        reader.fail(0, "a known magic number, or a name as field files have in the ROM", found)
    return kind.from_bytes(reader, notes=notes)
