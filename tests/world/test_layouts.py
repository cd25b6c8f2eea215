"""The real ROM in other clothes: an unpacked folder being edited, and a packed program, give the same world."""

from __future__ import annotations

import dataclasses
import struct
from pathlib import Path

import ndspy.codeCompression
import numpy as np
import pytest

from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom, build_image
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.wording import source

FIELD = (
    "fielddata/maptable",
    "fielddata/mapmatrix",
    "fielddata/land_data",
    "fielddata/areadata",
    "fielddata/build_model",
    "fielddata/eventdata",
    "data/arealight",
    "msgdata",
)


def field_files(rom: Rom) -> dict[str, bytes]:
    return {path: rom.file(path) for path in rom.files if path.startswith(FIELD)}


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


@pytest.mark.parametrize("layout", ["ndstool", "ds-rom"])
def test_an_unpacked_folder_with_edited_matrices(real: FieldWorld, tmp_path: Path, layout: str) -> None:
    root = tmp_path / "hack_DSPRE_contents"
    ndstool = layout == "ndstool"
    write_files(root / ("data" if ndstool else "files"), field_files(real.rom))
    program = root / ("arm9.bin" if ndstool else "arm9/arm9.bin")
    program.parent.mkdir(exist_ok=True)
    program.write_bytes(real.rom.arm9())
    edited = root / "unpacked" / PLATINUM.files[Role.MAP_MATRIX].unpacked
    matrices = real.rom.archive(PLATINUM.path(Role.MAP_MATRIX))
    members = {f"{index:04d}": matrices[index] for index in range(len(matrices))}
    changed = real.matrix(0).land.copy()
    changed[27, 3] = 5
    members["0000"] = type(real.matrix(0))(
        real.matrix(0).prefix, real.matrix(0).headers, real.matrix(0).altitudes, changed
    ).to_bytes()
    write_files(edited, members)
    world = FieldWorld(open_rom(tmp_path))
    assert layout in world.rom.layout
    # Without a game code the release, and so the decompilation's names of the headers, are not known.
    unnamed = [dataclasses.replace(header, symbolic_name="") for header in real.headers]
    assert list(world.headers) == unnamed
    assert world.place("T01").cells[0].land == 5
    assert np.array_equal(world.matrix(240).land, real.matrix(240).land)
    assert "the ROM has no overlay 5" in source(world.camera_table.why)
    assert world.camera_table.value == real.camera_table.value
    assert world.object_graphics.value == real.object_graphics.value


def test_a_packed_program_with_the_real_headers(real: FieldWorld, tmp_path: Path) -> None:
    plain = bytearray(real.rom.arm9())
    plain[0xF1000:] = bytes(len(plain) - 0xF1000)
    packed = plain[:0xE5000] + ndspy.codeCompression.compress(bytes(plain[0xE5000:]))
    struct.pack_into("<I", packed, 0xBB4, 0x02000000 + len(packed))
    assert len(packed) < len(plain)
    file = tmp_path / "packed.nds"
    file.write_bytes(build_image(field_files(real.rom), arm9=bytes(packed), title="POKEMON PL", code="CPUE"))
    world = FieldWorld(open_rom(file))
    assert world.headers == real.headers
    assert world.header_table.why.offset == 0xE601C
    assert world.rom.arm9()[0xBB8:] == bytes(plain[0xBB8:])
