"""Whole files of every format: built by the project, and those of a real ROM where one is given."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import formats
from formats import field
from formats.binary import Notes, frozen
from formats.field import (
    bdhc,
    bm_anime_list,
    build_model_matshp,
    distortion_floor,
    distortion_floor_list,
    encounter_extras,
    fldtanime,
    land_data,
    trainer,
    zone_event,
)
from formats.field.area_light import Light, LightBlock
from formats.field.height_plates import Strip
from formats.field.init_script import FrameRow, FrameTable, InitScript
from formats.field.script import Command, MovementList, Target
from formats.field.trainer_party import PartyPokemon
from formats.nds.objects import OBJECT
from formats.nitro import KINDS, Nsbmd
from formats.nitro.nanr import INDEX, INDEX_SRT, INDEX_T, Frame, Nanr, Sequence
from formats.nitro.ncer import TRANSFER, CellData, Ncer, Transfers
from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from formats.nitro.nscr import AFFINE, TEXT, Nscr
from formats.nitro.sdat import sound_names
from formats.save import SaveImage
from formats.save.sections import IN_USE, PLAYER_ID, POKEDEX_MAGIC, SIZE, SMALL_BLOCK
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom
from mapexplorer.world.opening import open_rom

FIELD_PATHS = (
    "fielddata/mapmatrix/map_matrix.narc",
    "fielddata/land_data/land_data.narc",
    "fielddata/areadata/area_data.narc",
    "fielddata/areadata/area_build_model/area_build.narc",
    "fielddata/areadata/area_move_model/move_model_list.narc",
    "data/arealight.narc",
    "data/fldtanime.narc",
    "data/mmodel/mmodel.narc",
    "arc/bm_anime_list.narc",
    "fielddata/build_model/build_model_matshp.dat",
    "fielddata/eventdata/zone_event.narc",
    "fielddata/maptable/mapname.bin",
    "fielddata/tornworld/tw_arc.narc",
    "fielddata/tornworld/tw_arc_attr.narc",
    "fielddata/script/scr_seq.narc",
    "msgdata/pl_msg.narc",
    "fielddata/encountdata/pl_enc_data.narc",
    "arc/encdata_ex.narc",
    "poketool/trainer/trdata.narc",
    "poketool/trainer/trpoke.narc",
    "poketool/trmsg/trtbl.narc",
    "poketool/trmsg/trtblofs.narc",
    "poketool/personal/pl_personal.narc",
    "itemtool/itemdata/pl_item_data.narc",
    "fielddata/pokemon_trade/fld_trade.narc",
)

_PIKACHU = PartyPokemon(250, 50, 25, 0, None, (84, 85, 0, 0), 0)


@dataclass(frozen=True)
class Seed:
    """A whole file, what reads it, and how many bytes of it are its magic number."""

    kind: str
    data: bytes
    read: Callable[[bytes, Notes], Any]
    magic: int

    @cached_property
    def value(self) -> Any:
        """What the whole file holds."""
        return self.read(self.data, [])


def by_name(name: str, data: bytes) -> Seed:
    """The seed of a file with the name that it has in a ROM, or with a magic number."""

    def read(mutant: bytes, notes: Notes) -> Any:
        return formats.read(mutant, name, PLATINUM.kind(name), notes=notes)

    magic = data[:4] if data[:4] in KINDS or data[:4] in (b"NRes", b"J3D1", b"J3D2") else b""
    return Seed(magic.decode("latin-1") or name.partition("[")[0], data, read, len(magic))


def by_type(kind: Any, data: bytes) -> Seed:
    """The seed of a file that a type of `formats` reads."""

    def read(mutant: bytes, notes: Notes) -> Any:
        return kind.from_bytes(mutant, notes=notes)

    return Seed(kind.__name__, data, read, 4 if data[:4] == b"BDHC" else 0)


def files(rom: Rom) -> Iterator[tuple[str, bytes]]:
    """The field files and all NITRO files of a ROM, members of archives by the name of their archive."""
    for path in rom.files:
        if path.endswith(".narc"):
            archive = rom.archive(path)
            for index in range(len(archive)):
                if path in FIELD_PATHS or archive[index][:4] in KINDS:
                    yield f"{path}[{index}]", archive[index]
        elif path in FIELD_PATHS or rom.source(path).read(0, 4) in KINDS:
            yield path, rom.file(path)


def spread(seeds: list[Seed], most: int) -> list[Seed]:
    """At most so many seeds, from the smallest to the largest."""
    ordered = sorted(seeds, key=lambda seed: (len(seed.data), seed.data))
    if len(ordered) <= most:
        return ordered
    return [ordered[round(i * (len(ordered) - 1) / (most - 1))] for i in range(most)]


def grouped(seeds: Iterable[Seed], most: int) -> dict[str, list[Seed]]:
    """Seeds by kind, at most so many of each."""
    groups: dict[str, list[Seed]] = {}
    for seed in seeds:
        groups.setdefault(seed.kind, []).append(seed)
    return {kind: spread(group, most) for kind, group in sorted(groups.items())}


def all_seeds(largest: int, most: int) -> dict[str, list[Seed]]:
    """The seeds of at most `largest` bytes by kind: hand-built ones, those of the demo world and the J3D samples; with
    MAPEXPLORER_TEST_ROM and MAPEXPLORER_VECTORS those of the ROM and the shared MSH and J3D files too."""
    seeds = [*hand_built(), *sprites(), *samples()]
    seeds += [by_name(name, data) for name, data in files(open_rom("demo")) if data]
    rom = os.environ.get("MAPEXPLORER_TEST_ROM")
    if rom:
        with open_rom(rom) as opened:
            seeds += [by_name(name, data) for name, data in files(opened) if 0 < len(data) <= largest]
    return grouped([seed for seed in seeds if len(seed.data) <= largest] + saves(), most)


def saves() -> list[Seed]:
    """An image of a save, and a block whose checksum is computed after every change. Both are larger than what of
    other formats is enough."""
    block = np.zeros(1, SMALL_BLOCK)
    block["pokedex"]["magic"] = POKEDEX_MAGIC
    player = block["map_objects"][0, :1]
    player["status"], player["local_id"] = IN_USE, PLAYER_ID

    def with_checksum(mutant: bytes, notes: Notes) -> SaveImage:
        return SaveImage.of(np.frombuffer(mutant.ljust(SIZE, b"\0"), SMALL_BLOCK, 1)[0])

    image = SaveImage.of(block[0])
    return [by_type(SaveImage, image.to_bytes()), Seed("block of a save", block.tobytes(), with_checksum, 0)]


def samples() -> list[Seed]:
    """The J3D files of the tests, and the shared J3D and MSH files where there are any."""
    folders = [(Path(__file__).parents[2] / "tests" / "j3d" / "samples", "*.b[mdc][dlk]")]
    vectors = os.environ.get("MAPEXPLORER_VECTORS")
    if vectors:
        shared = Path(vectors)
        folders += [(shared / "j3d-samples", "*.b[mdc][dlk]"), (shared / "msh", "*.msh"), (shared / "msh", "*.rlb")]
    return [
        by_name(path.name, path.read_bytes()) for folder, pattern in folders for path in sorted(folder.rglob(pattern))
    ]


def hand_built() -> list[Seed]:
    """One small file of every field format."""
    height_plates = bdhc.Bdhc(
        frozen([(-(1 << 20), -(1 << 20)), (1 << 20, 1 << 20)], bdhc.POINT),
        frozen([(0, 4096, 0), (0, 2896, 2896)], bdhc.NORMAL),
        frozen([0, -4096], "<i4"),
        frozen([(0, 1, 0, 0), (0, 1, 1, 1)], bdhc.PLATE),
        (Strip(0, frozen([0], "<u2")), Strip(1 << 20, frozen([0, 1], "<u2"))),
    )
    prop = (66, (4096, 0, -4096), (0, 0, 0), (4096, 4096, 4096), (0, 0))
    lamp = Light(True, (1, 2, 3), (0, -4096, 0))
    light = LightBlock(43200, (lamp, lamp, lamp, lamp), (1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12))
    values = (
        field.MapMatrix("x", frozen([[1, 2]], "<u2"), frozen([[0, 1]], "u1"), frozen([[3, 4]], "<u2")),
        height_plates,
        field.LandData(
            frozen(np.zeros((32, 32)), "<u2"), frozen([prop] * 2, land_data.MAP_PROP), b"", Nsbmd(()), height_plates
        ),
        field.AreaData(1, 2, 3, 0),
        field.AreaBuild(frozen([1, 2, 3], "<u2")),
        field.AreaLight((replace(light, end=9000), light), True),
        bm_anime_list.PropAnimations(1, 0, 0, 0, (1, 2, -1, -1)),
        field.BuildModelMatshp((None, frozen([(0, 0), (1, 2)], build_model_matshp.PAIR))),
        field.ZoneEvents(
            frozen(np.zeros(2, zone_event.BACKGROUND_EVENT)),
            frozen(np.zeros(3, zone_event.OBJECT_EVENT)),
            frozen(np.zeros(1, zone_event.WARP_EVENT)),
            frozen(np.zeros(1, zone_event.COORD_EVENT)),
        ),
        field.MoveModelList(frozen([1, 2, 3], "<u2")),
        field.FieldTextureAnimations(
            (fldtanime.TerrainAnimation("sea", (fldtanime.Step(0, 9), fldtanime.Step(1, 9))),)
        ),
        field.MapNames(("T01", "R201")),
        field.MessageBank(77, ("Hello", "{packed}Two", "{command 0103 1}!")),
        field.DistortionFloor(
            frozen(np.ones(2, distortion_floor.PLATFORM)),
            frozen(np.ones(1, distortion_floor.JUMP_POINT)),
            frozen(np.ones(3, distortion_floor.CAMERA_ANGLE)),
            frozen(np.ones(2, distortion_floor.GHOST_PROP)),
            frozen(np.ones(1, distortion_floor.GHOST_TRIGGER)),
            3,
        ),
        field.DistortionFloorList(frozen(np.ones(2, distortion_floor_list.FLOOR))),
        field.DistortionAttributes(frozen([0x8000, 0x15], "<u2")),
        field.FrameSequence(frozen([0, 4], "<u2"), frozen([0, 1], "u1"), frozen([0, 0], "u1")),
        field.SpeciesList(frozen([1, 2], "<u4")),
        field.FeebasTiles(frozen([1, 2], "<u4"), frozen([7, 8, 9], "<u2")),
        field.LookoutTiles(frozen([(3, 4)], encounter_extras.TILE)),
        field.TrainerMessages(frozen([(1, 0), (1, 1)], trainer.TRAINER_MESSAGE)),
        field.TrainerMessageOffsets(frozen([0, 0], "<u2")),
        field.TrainerParty(True, False, (_PIKACHU, _PIKACHU)),
        field.Trainer.from_bytes(bytes(20)),
        field.WildEncounters.from_bytes(bytes(424)),
        field.SpeciesData.from_bytes(bytes(44)),
        field.ItemData.from_bytes(bytes(34)),
        field.InGameTrade.from_bytes(bytes(80)),
        field.ScriptFile(
            (Target(0), Target(2)),
            (
                Command(94, (255, Target(4))),
                Command(28, (1, Target(0))),
                Command(44, (3,)),
                Command(2),
                MovementList(((12, 3), (254, 0))),
            ),
        ),
        field.InitScriptFile((InitScript(2, 7), FrameTable((FrameRow(0x4055, 1, 9),)))),
    )
    headers = field.MapHeaderTable.from_bytes(bytes(range(72)))
    samples = [by_type(type(value), value.to_bytes()) for value in (*values, headers)]
    named = (field.InitScriptFile((InitScript(3, 5),)), field.ScriptFile((Target(0),), (Command(2),)))
    samples += [by_type(field.ScriptMember, value.to_bytes()) for value in named]
    return [*samples, sounds(("SEQ_A", None, "SEQ_BEE"))]


def sounds(names: tuple[str | None, ...]) -> Seed:
    """A sound archive that is only its names."""
    place, table, text = 0x20 + 4 * len(names), b"", b""
    for name in names:
        table += struct.pack("<I", place + len(text) if name else 0)
        text += f"{name}\0".encode() if name else b""
    block = struct.pack("<4sII", b"SYMB", 0, 0x1C) + bytes(16) + struct.pack("<I", len(names)) + table + text
    block = block[:4] + struct.pack("<I", len(block)) + block[8:]
    data = b"SDAT".ljust(0x10, b"\0") + struct.pack("<2I", 0x18, len(block)) + block
    return Seed("SDAT", data, lambda mutant, notes: sound_names(mutant), 4)


def sprites() -> list[Seed]:
    """Files of every G2D format with everything that they can hold."""
    objects = frozen([(0x80F0, 0x01F8, 0x2004), (0, 0, 0), (1, 2, 3)], OBJECT)
    turned = Frame(3, 4, 0x4000, (8192, -4096), (-5, 6))
    cells = (CellData(objects, 0x80B, (7, 8, -7, -8)), CellData(objects[:0], 0, (0, 0, 0, 0)))
    sequences = (
        Sequence((Frame(1, 2), Frame(2, 2), Frame(1, 3)), 0, INDEX, 1, 2),
        Sequence((turned, Frame(3, 1)), 1, INDEX_SRT, 1, 1),
        Sequence((Frame(4, 4, translation=(1, -1)),), 0, INDEX_T, 1, 4),
        Sequence((), 0, INDEX, 1, 1),
    )
    values = (
        Ncgr(4, (2, 1), 0x10, False, True, bytes(range(64)), (1, 2, 3, 4)),
        Ncgr(8, None, 0, True, False, bytes(range(128))),
        Nclr(4, False, frozen(np.arange(48), "<u2"), frozen([0, 3, 5], "<u2"), True),
        Nclr(8, True, frozen(np.arange(512), "<u2")),
        Nscr(16, 16, 0, TEXT, frozen([1, 2, 3, 0xFC04], "<u2")),
        Nscr(16, 8, 1, AFFINE, frozen([1, 255], "u1")),
        Ncer(cells, 4, Transfers(64, frozen([(0, 64), (64, 32)], TRANSFER)), ("one", ""), 0),
        Nanr(sequences, ("walk",)),
    )
    return [by_name("sprites", value.to_bytes()) for value in values]
