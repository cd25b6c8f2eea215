"""Every field file of the real ROM and the pictures of items, species and place names: read, written to the same bytes,
rebuilt from JSON text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import formats
from formats.binary import Note, Notes, same
from formats.field import MapHeaderTable
from formats.json_codec import from_json, to_json
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom


@dataclass(frozen=True)
class Kind:
    path: str
    count: int
    type: str
    first: int = 0
    end: int | None = None


KINDS = (
    Kind("fielddata/mapmatrix/map_matrix.narc", 289, "MapMatrix"),
    Kind("fielddata/land_data/land_data.narc", 666, "LandData"),
    Kind("fielddata/areadata/area_data.narc", 75, "AreaData"),
    Kind("fielddata/areadata/area_build_model/area_build.narc", 71, "AreaBuild"),
    Kind("data/arealight.narc", 4, "AreaLight"),
    Kind("arc/bm_anime_list.narc", 590, "PropAnimations"),
    Kind("fielddata/build_model/build_model_matshp.dat", 1, "BuildModelMatshp"),
    Kind("fielddata/eventdata/zone_event.narc", 534, "ZoneEvents"),
    Kind("fielddata/areadata/area_move_model/move_model_list.narc", 75, "MoveModelList"),
    Kind("fielddata/mm_list/move_model_list.narc", 16, "MoveModelList"),
    Kind("data/fldtanime.narc", 1, "FieldTextureAnimations", 0, 1),
    Kind("data/fldtanime.narc", 52, "Nsbtx", 1),
    Kind("fielddata/maptable/mapname.bin", 1, "MapNames"),
    Kind("fielddata/script/scr_seq.narc", 1124, "ScriptFile or InitScriptFile"),
    Kind("msgdata/pl_msg.narc", 724, "MessageBank"),
    Kind("fielddata/tornworld/tw_arc.narc", 1, "DistortionFloorList", 0, 1),
    Kind("fielddata/tornworld/tw_arc.narc", 10, "DistortionFloor", 1),
    Kind("fielddata/tornworld/tw_arc_attr.narc", 12, "DistortionAttributes"),
    Kind("data/mmodel/mmodel.narc", 25, "FrameSequence", 445),
    Kind("fielddata/encountdata/pl_enc_data.narc", 183, "WildEncounters"),
    Kind("arc/encdata_ex.narc", 1, "SpeciesList", 0, 1),
    Kind("arc/encdata_ex.narc", 1, "FeebasTiles", 1, 2),
    Kind("arc/encdata_ex.narc", 9, "SpeciesList", 2, 11),
    Kind("arc/encdata_ex.narc", 1, "LookoutTiles", 11),
    Kind("poketool/trainer/trdata.narc", 928, "Trainer"),
    Kind("poketool/trainer/trpoke.narc", 928, "TrainerParty"),
    Kind("poketool/trmsg/trtbl.narc", 1, "TrainerMessages"),
    Kind("poketool/trmsg/trtblofs.narc", 1, "TrainerMessageOffsets"),
    Kind("poketool/personal/pl_personal.narc", 508, "SpeciesData"),
    Kind("itemtool/itemdata/pl_item_data.narc", 446, "ItemData"),
    Kind("fielddata/pokemon_trade/fld_trade.narc", 4, "InGameTrade"),
    Kind("itemtool/itemdata/item_icon.narc", 711, "Ncgr or Nclr or Ncer or Nanr"),
    Kind("poketool/icongra/pl_poke_icon.narc", 547, "Ncgr or Nclr or Ncer or Nanr"),
    Kind("arc/area_win_gra.narc", 18, "Ncgr or Nclr"),
)

by_kind = pytest.mark.parametrize("kind", KINDS, ids=[f"{kind.path.rsplit('/', 2)[-2]}-{kind.type}" for kind in KINDS])


def files(rom: Rom, kind: Kind) -> Iterator[tuple[str, bytes]]:
    if not kind.path.endswith(".narc"):
        yield kind.path, rom.file(kind.path)
        return
    archive = rom.archive(kind.path)
    for index in range(len(archive))[kind.first : kind.end]:
        yield f"{kind.path}[{index}]", archive[index]


@by_kind
def test_reads_and_writes_the_same_bytes(rom: Rom, kind: Kind) -> None:
    count = 0
    notes: Notes = []
    for path, data in files(rom, kind):
        value = formats.read(data, path, PLATINUM.kind(path), notes=notes)
        assert type(value).__name__ in kind.type.split(" or "), path
        assert value.to_bytes() == data, path
        count += 1
    assert count == kind.count
    if kind.type == "LandData":
        assert notes == [Note(f"{kind.path}[506] > props", 0x810 + 3 * 48, "2 stray bytes follow the last prop")]
    else:
        assert notes == []


def rebuild(rom: Rom, kind: Kind, step: int) -> int:
    count = 0
    for path, data in list(files(rom, kind))[::step]:
        value = formats.read(data, path, PLATINUM.kind(path))
        again = from_json(to_json(value))
        assert same(again, value), path
        assert again.to_bytes() == data, path
        count += 1
    return count


@by_kind
def test_a_sample_is_rebuilt_from_its_json(rom: Rom, kind: Kind) -> None:
    step = 10 if kind.count > 400 else 1
    assert rebuild(rom, kind, step) == -(-kind.count // step)


@pytest.mark.slow
@by_kind
def test_everything_is_rebuilt_from_its_json(rom: Rom, kind: Kind) -> None:
    assert rebuild(rom, kind, 1) == kind.count


def test_map_headers_write_the_same_bytes_and_rebuild_from_json(header_table: bytes) -> None:
    table = MapHeaderTable.from_bytes(header_table)
    assert len(table) == 593
    assert table.to_bytes() == header_table
    assert from_json(to_json(table)).to_bytes() == header_table
