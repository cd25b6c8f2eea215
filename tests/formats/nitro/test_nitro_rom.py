"""Every model and texture file of the real ROM: the same bytes, unremarkable, and what the game's tools promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import formats
from formats.field import LandSections
from formats.nds import gx
from formats.nds.texels import decode
from formats.nitro import sbc
from formats.nitro.node import Pivot
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.shape import HAS_COLOR, HAS_NORMAL, HAS_RESTORE, HAS_TEXCOORD
from mapexplorer.world.opening import open_rom

Files = list[tuple[str, bytes]]


def members(rom: Any) -> Iterator[tuple[str, bytes]]:
    """All files and all members of archives; of land data the model in it."""
    for path in rom.files:
        data = rom.file(path)
        if bytes(data[:4]) != b"NARC":
            yield path, bytes(data)
            continue
        for index, member in enumerate(rom.archive(path)):
            if path.endswith("land_data.narc"):
                member = bytes(LandSections.from_bytes(member).model.data)
            yield f"{path}[{index}]", member


@pytest.fixture(scope="module")
def files(rom_path: Path) -> dict[bytes, Files]:
    result: dict[bytes, Files] = {b"BMD0": [], b"BTX0": []}
    with open_rom(rom_path) as rom:
        for name, data in members(rom):
            if data[:4] in result:
                result[data[:4]].append((name, data))
    return result


@pytest.fixture(scope="module")
def models(files: dict[bytes, Files]) -> list[Nsbmd]:
    return [Nsbmd.from_bytes(data) for _, data in files[b"BMD0"]]


@pytest.mark.parametrize(("magic", "kind", "count"), [(b"BMD0", Nsbmd, 1695), (b"BTX0", Nsbtx, 715)])
def test_reading_and_writing_gives_the_same_bytes(
    files: dict[bytes, Files], magic: bytes, kind: type, count: int
) -> None:
    notes: list[Any] = []
    different = []
    for name, data in files[magic]:
        value = formats.read(data, name, notes=notes)
        assert type(value) is kind
        if value.to_bytes() != data:
            different.append(name)
    assert len(files[magic]) == count
    assert not different
    assert not notes


def test_counts_and_flags_agree_with_the_lists(models: list[Nsbmd]) -> None:
    """The header counts vertices, triangles and quads of all lists; a shape's flags say which commands it has."""
    seen: Counter[str] = Counter()
    for model in (model for file in models for model in file.models):
        totals = np.zeros(4, int)
        for shape in model.shapes:
            flags, counts = survey(shape.commands.tolist())
            totals += counts
            assert flags == shape.flags
            assert shape.nops is None
            seen["shapes"] += 1
        vertices, triangles, quads, _ = totals.tolist()
        assert (vertices, triangles, quads) == (model.vertex_count, model.triangle_count, model.quad_count)
        assert model.polygon_count == triangles + quads
        assert model.pos_scale * model.inv_pos_scale == 4096 * 4096
        seen["models"] += 1
    assert seen == {"models": 1695, "shapes": 10955}


def survey(flat: list[int]) -> tuple[int, list[int]]:
    """Shape flags, and counts of vertices, triangles, quads and lists, of a flat list."""
    flags = place = count = kind = vertices = triangles = quads = lists = 0
    while place < len(flat):
        command = flat[place]
        if gx.VTX_16 <= command <= gx.VTX_DIFF:
            count += 1
        elif command == gx.BEGIN_VTXS:
            kind, count = flat[place + 1], 0
        elif command == gx.END_VTXS:
            vertices += count
            lists += 1
            triangles += (count // 3, 0, count - 2, 0)[kind]
            quads += (0, count // 4, 0, (count - 2) // 2)[kind]
        else:
            flags |= {
                gx.NORMAL: HAS_NORMAL,
                gx.COLOR: HAS_COLOR,
                gx.TEXCOORD: HAS_TEXCOORD,
                gx.MTX_RESTORE: HAS_RESTORE,
            }.get(command, 0)
        place += 1 + gx.PARAMETERS[command]
    return flags, [vertices, triangles, quads, lists]


def test_scripts_nodes_and_pairings(models: list[Nsbmd]) -> None:
    """The last stack slot is the header's, indices exist, rotations keep lengths and handedness."""
    opcodes: Counter[str] = Counter()
    rotations = 0
    for model in (model for file in models for model in file.models):
        slots = [-1]
        for instruction in model.sbc:
            opcodes[instruction.name] += 1
            operands = instruction.operands
            if instruction.opcode in (sbc.NODEDESC, sbc.BB, sbc.BBY) and instruction.option & sbc.STORE:
                slots.append(operands[3 if instruction.opcode == sbc.NODEDESC else 1])
            elif instruction.opcode == sbc.NODEMIX:
                slots.append(operands[0])
                assert sum(operands[3::3]) == 256
            elif instruction.opcode == sbc.MAT:
                assert operands[0] < len(model.materials)
            elif instruction.opcode == sbc.SHP:
                assert operands[0] < len(model.shapes)
        assert model.first_unused_stack_slot == max(slots) + 1
        assert sum(instruction.opcode == sbc.RET for instruction in model.sbc) == 1
        assert len(model.envelopes) in (0, len(model.nodes))
        for node in model.nodes:
            assert node.unused_flags == 0
            rows = np.array(node.rotation_matrix()).reshape(3, 3) / 4096
            assert np.abs(rows @ rows.T - np.eye(3)).max() < 0.002
            assert np.linalg.det(rows) > 0.99
            rotations += isinstance(node.rotation, Pivot)
        for material in range(len(model.materials)):
            assert (model.texture_name(material) is None) == (model.palette_name(material) is None)
    assert rotations > 100
    assert (opcodes["RET"], opcodes["NODEMIX"], opcodes["BB"], opcodes["ENVMAP"]) == (1695, 25, 102 + 2, 2)


def test_own_textures_decode_within_their_palettes(models: list[Nsbmd]) -> None:
    """Every texture of a model's own set has a palette large enough for its indices."""
    decoded = 0
    for file in models:
        if file.textures is None:
            continue
        pairs = {
            (model.texture_name(material), model.palette_name(material))
            for model in file.models
            for material in range(len(model.materials))
        }
        for texture_name, palette_name in sorted(pair for pair in pairs if pair[0] and pair[1]):
            texture = file.textures.texture(str(texture_name))
            palette = file.textures.palette(str(palette_name))
            if texture is None or palette is None:
                continue
            # with the palette 0, 1, 2, ... the colours are the indices
            indices, _ = decode(texture.format, texture.width, texture.height, texture.texels, np.arange(256))
            assert indices.max() < len(palette.colors), (texture.name, palette.name)
            assert palette.four_colors == (texture.format == 2)
            decoded += 1
    assert decoded > 1500
