"""The real ROM's models, textures and animations by the names that the vectors use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import formats.nitro
from formats.field.land_data import LandData
from formats.nds import gx
from mapexplorer.rom import Rom, open_rom

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
                values[name] = formats.nitro.read(bytes(rom.view(name)))
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
