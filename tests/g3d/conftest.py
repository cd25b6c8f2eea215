"""The real ROM's models, textures and animations by the names that the vectors use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import formats.nitro
from formats.binary import frozen
from formats.field.land_data import LandData
from formats.nds import gx
from formats.nitro import sbc
from formats.nitro.material import Material
from formats.nitro.model import Model
from formats.nitro.node import Node
from formats.nitro.sbc import Instruction
from formats.nitro.shape import Shape
from mapexplorer.rom import Rom
from mapexplorer.world.opening import open_rom

ARCHIVES = {
    "build_model": "fielddata/build_model/build_model",
    "land_data": "fielddata/land_data/land_data",
    "bm_anime": "arc/bm_anime",
    "areabm_texset": "fielddata/areadata/area_build_model/areabm_texset",
    "map_tex_set": "fielddata/areadata/area_map_tex/map_tex_set",
}


@pytest.fixture(scope="session")
def rom(rom_path: Path) -> Rom:
    return open_rom(rom_path)


@pytest.fixture(scope="session")
def resource(rom: Rom) -> Callable[[str], Any]:
    """A function from a vector's name (`build_model:12`) to the value, read once."""
    values: dict[str, Any] = {}

    def find(name: str) -> Any:
        if name not in values:
            archive, _, member = name.partition(":")
            if not member:
                values[name] = formats.nitro.read(rom.file(name))
            else:
                data = rom.archive(f"{ARCHIVES.get(archive, archive)}.narc")[int(member)]
                if archive == "land_data":
                    values[name] = LandData.sections(data).read_model()
                else:
                    values[name] = formats.nitro.read(data)
        return values[name]

    return find


class Streams:
    """Streams of a vector file, display lists put back where they are referred to."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as file:
            self.columns = {name: file[name] for name in file.files}

    def __len__(self) -> int:
        return len(self.columns["model"])

    def __getitem__(self, row: int) -> npt.NDArray[np.uint32]:
        columns = self.columns
        words = columns["stream_words"][columns["stream_start"][row] : columns["stream_start"][row + 1]]
        numbers = words.tolist()
        parts = []
        done = place = 0
        while place < len(numbers):
            number = numbers[place]
            if number >> 31:
                index = number & 0x7FFFFFFF
                parts.append(words[done:place])
                parts.append(columns["dl_words"][columns["dl_start"][index] : columns["dl_start"][index + 1]])
                place += 1
                done = place
            else:
                place += 1 + gx.PARAMETERS[number]
        return np.concatenate([*parts, words[done:]])


@pytest.fixture(scope="session")
def load_streams(vectors: Path) -> Callable[[str], Streams]:
    """A function from a file's name to its streams."""

    def load(name: str) -> Streams:
        return Streams(vectors / "g3d" / name)

    return load


def build_model(**changes: Any) -> Model:
    """A model of one node, one material and one triangle that its SBC draws; `changes` are fields of `Model`."""
    shape = Shape("shape", 0, frozen([gx.BEGIN_VTXS, 0, *[gx.VTX_16, 0, 0] * 3, gx.END_VTXS], np.uint32))
    script = ((sbc.NODEDESC, 0, (0, 0, 0)), (sbc.NODE, 0, (0, 1)), (sbc.MAT, 0, (0,)), (sbc.SHP, 0, (0,)))
    fields: dict[str, Any] = {
        "name": "model",
        "sbc_type": 0,
        "scaling_rule": 0,
        "texture_matrix_mode": 0,
        "first_unused_stack_slot": 0,
        "pos_scale": 4096,
        "inv_pos_scale": 4096,
        "vertex_count": 3,
        "polygon_count": 1,
        "triangle_count": 1,
        "quad_count": 0,
        "box": (0, 0, 0, 0, 0, 0),
        "box_pos_scale": 4096,
        "box_inv_pos_scale": 4096,
        "nodes": (Node("node"),),
        "sbc": script,
        "materials": (Material("material"),),
        "texture_pairings": (),
        "palette_pairings": (),
        "shapes": (shape,),
    }
    fields.update(changes)
    fields["sbc"] = (*[Instruction(*entry) for entry in fields["sbc"]], Instruction(sbc.RET, 0, ()))
    return Model(**fields)


@pytest.fixture(scope="session")
def make_model() -> Callable[..., Model]:
    """See `build_model`."""
    return build_model


def split_commands(words: npt.NDArray[np.uint32]) -> list[tuple[int, ...]]:
    """A flat stream as (number, signed parameters ...) of each command."""
    numbers = words.view(np.int32).tolist()
    found = []
    place = 0
    while place < len(numbers):
        end = place + 1 + gx.PARAMETERS[numbers[place]]
        found.append(tuple(numbers[place:end]))
        place = end
    return found


@pytest.fixture(scope="session")
def commands_of() -> Callable[[npt.NDArray[np.uint32]], list[tuple[int, ...]]]:
    """See `split_commands`."""
    return split_commands


@pytest.fixture(scope="session")
def sent() -> Callable[[Material], list[tuple[int, ...]]]:
    """A function from an unbound material that owns all its fields to the commands it is sent by."""

    def commands(material: Material) -> list[tuple[int, ...]]:
        return [
            (gx.DIF_AMB, material.dif_amb),
            (gx.SPE_EMI, material.spe_emi),
            (gx.POLYGON_ATTR, material.polygon_attr),
            (gx.TEXIMAGE_PARAM, material.teximage_param),
            (gx.PLTT_BASE, 0),
        ]

    return commands
