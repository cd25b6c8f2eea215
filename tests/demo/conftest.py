from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from formats.nds import gx
from formats.nitro import sbc
from formats.nitro.model import Model
from mapexplorer.rom import Rom
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom

Triangles = npt.NDArray[np.float64]


@pytest.fixture(scope="session")
def demo_rom() -> Rom:
    return open_rom("demo")


@pytest.fixture(scope="session")
def demo_world(demo_rom: Rom) -> FieldWorld:
    return FieldWorld(demo_rom)


def _commands(flat: npt.NDArray[np.uint32]) -> Iterator[tuple[int, list[int]]]:
    place = 0
    while place < len(flat):
        number = int(flat[place])
        count = gx.PARAMETERS[number]
        yield number, [int(word) for word in flat[place + 1 : place + 1 + count]]
        place += 1 + count


def _signed(word: int, bits: int) -> int:
    word &= (1 << bits) - 1
    return word - (1 << bits) if word >> (bits - 1) else word


def _polygons(kind: int, points: list[tuple[int, int, int]]) -> Iterator[list[tuple[int, int, int]]]:
    if kind == 0:
        yield from (points[i : i + 3] for i in range(0, len(points), 3))
    elif kind == 1:
        yield from (points[i : i + 4] for i in range(0, len(points), 4))
    elif kind == 2:
        for i in range(len(points) - 2):
            a, b, c = points[i : i + 3]
            yield [b, a, c] if i % 2 else [a, b, c]
    else:
        for i in range(0, len(points) - 3, 2):
            a, b, c, d = points[i : i + 4]
            yield [a, b, d, c]


def _polygons_of(flat: npt.NDArray[np.uint32]) -> list[list[tuple[int, int, int]]]:
    """The polygons of a display list in fx16, read independently of the code that wrote it."""
    polygons: list[list[tuple[int, int, int]]] = []
    points: list[tuple[int, int, int]] = []
    kind = 0
    x = y = z = 0
    for number, words in _commands(flat):
        if number == gx.BEGIN_VTXS:
            kind, points = words[0], []
        elif number == gx.END_VTXS:
            polygons += _polygons(kind, points)
        elif number in range(gx.VTX_16, gx.VTX_DIFF + 1):
            first = words[0]
            low, high = _signed(first, 16), _signed(first >> 16, 16)
            tens = [_signed(first >> shift, 10) for shift in (0, 10, 20)]
            if number == gx.VTX_16:
                x, y, z = low, high, _signed(words[1], 16)
            elif number == gx.VTX_10:
                x, y, z = (value << 6 for value in tens)
            elif number == gx.VTX_XY:
                x, y = low, high
            elif number == gx.VTX_XZ:
                x, z = low, high
            elif number == gx.VTX_YZ:
                y, z = low, high
            else:
                x, y, z = x + tens[0], y + tens[1], z + tens[2]
            points.append((x, y, z))
    return polygons


@pytest.fixture(scope="session")
def polygons_of() -> Callable[[npt.NDArray[np.uint32]], list[list[tuple[int, int, int]]]]:
    return _polygons_of


@pytest.fixture(scope="session")
def triangles_of() -> Callable[[Model, Callable[[str], bool]], Triangles]:
    """(n, 3, 3) corners in units of the shapes of a one-node model whose material's name is wanted."""

    def triangles(model: Model, wanted: Callable[[str], bool]) -> Triangles:
        result = []
        material = 0
        for instruction in model.sbc:
            if instruction.opcode == sbc.MAT:
                material = instruction.operands[0]
            elif instruction.opcode == sbc.SHP and wanted(model.materials[material].name):
                for polygon in _polygons_of(model.shapes[instruction.operands[0]].commands):
                    result += [[polygon[0], polygon[i], polygon[i + 1]] for i in range(1, len(polygon) - 1)]
        return np.array(result, np.float64).reshape(-1, 3, 3) * (model.pos_scale / 4096 / 4096)

    return triangles
