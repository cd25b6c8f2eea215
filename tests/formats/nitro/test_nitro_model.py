"""Models: everything a file can hold is read back, through every kind of edit."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from formats import FormatError, same
from formats.binary import frozen
from formats.nds import gx
from formats.nitro import sbc
from formats.nitro.container import read_container
from formats.nitro.dictionary import read_dictionary
from formats.nitro.material import Material, Pairing
from formats.nitro.model import Model
from formats.nitro.node import Node, Pivot
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.sbc import Instruction
from formats.nitro.shape import Shape

replace = dataclasses.replace


def read_back(model: Model) -> Model:
    data = Nsbmd((model,)).to_bytes()
    notes: list[Any] = []
    result = Nsbmd.from_bytes(data, notes=notes)
    assert not notes
    assert result.to_bytes() == data
    return result.models[0]


def test_everything_is_read_back(nsbmd: Nsbmd) -> None:
    data = nsbmd.to_bytes()
    notes: list[Any] = []
    again = Nsbmd.from_bytes(data, notes=notes)
    assert same(again, nsbmd)
    assert not notes
    assert again.to_bytes() == data


MANY = tuple(Pairing(f"texture {i}", (i % 3, 4)) for i in range(40))


def shortened(shape: Shape) -> Shape:
    return replace(shape, commands=frozen(shape.commands[:2]))


EDITS: dict[str, Callable[[Model], Model]] = {
    "shorter name": lambda m: replace(m, name="m"),
    "longer name": lambda m: replace(m, name="a name of length"),
    "shorter node name": lambda m: replace(m, nodes=(replace(m.nodes[0], name="n"), *m.nodes[1:])),
    "longer material name": lambda m: replace(m, materials=(*m.materials[1:], Material("a longer name"))),
    "one node less": lambda m: replace(m, nodes=m.nodes[:-1], envelopes=m.envelopes[:-1]),
    "one node more": lambda m: replace(m, nodes=(*m.nodes, Node("new", (1, 2, 3)))),
    "no nodes": lambda m: replace(m, nodes=()),
    "node with rotation": lambda m: replace(m, nodes=(Node("n", rotation=Pivot(8, False, True, False, 1, 2)),)),
    "material added": lambda m: replace(m, materials=(*m.materials, Material("new"))),
    "material with many pairings": lambda m: replace(m, texture_pairings=MANY),
    "no pairings": lambda m: replace(m, texture_pairings=(), palette_pairings=()),
    "one shape less": lambda m: replace(m, shapes=m.shapes[:1]),
    "one shape more": lambda m: replace(m, shapes=(*m.shapes, Shape("s", 0, frozen([gx.END_VTXS], np.uint32)))),
    "empty list": lambda m: replace(m, shapes=(Shape("s", 0, frozen([], np.uint32)),)),
    "shorter list in odd layout": lambda m: replace(m, shapes=(shortened(m.shapes[1]),)),
    "longer script": lambda m: replace(m, sbc=(Instruction(sbc.NODE, 0, (1, 0)),) * 100 + m.sbc),
    "no envelopes": lambda m: replace(m, envelopes=m.envelopes[:0]),
    "no calls": lambda m: replace(m, sbc=m.sbc[-1:], called_lists=()),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_read_back(model: Model, edit: str) -> None:
    changed = EDITS[edit](model)
    again = read_back(changed)
    if edit != "shorter list in odd layout":
        assert same(again, changed)
    else:
        assert same(again.shapes[0].commands, changed.shapes[0].commands)


def test_called_lists_that_a_shape_has_are_stored_once(model: Model) -> None:
    own = replace(model, called_lists=(model.called_lists[0], frozen([gx.END_VTXS], np.uint32)))
    assert len(Nsbmd((own,)).to_bytes()) > len(Nsbmd((model,)).to_bytes())
    assert same(read_back(own), own)


def test_parts_lie_in_canonical_order(model: Model) -> None:
    block = read_container(Nsbmd((model,)).to_bytes()).block(0, "MDL0")
    offset = read_dictionary(block, 8, 4).offsets()[0]
    size, script, materials, shapes, envelopes = (block.u32(offset + 4 * i) for i in range(5))
    assert offset + size == len(block)
    assert 0x40 < script < materials < shapes < envelopes
    assert size - envelopes == 84 * len(model.nodes)
    assert not (materials % 4 or shapes % 4 or envelopes % 4)


def test_names_of_textures_and_palettes(model: Model) -> None:
    names = [(model.texture_name(i), model.palette_name(i)) for i in range(5)]
    assert names == [("sixteen", "four"), (None, None), ("sixteen", "four"), ("texture1.1", "four"), (None, None)]


@pytest.mark.parametrize(
    ("info", "a", "b", "rows"),
    [
        (0x24, 3547, 2048, (3547, 0, 2048, 0, 4096, 0, -2048, 0, 3547)),
        (0x18, 3547, -2048, (3547, -2048, 0, -2048, 3547, 0, 0, 0, -4096)),
    ],
)
def test_pivots(info: int, a: int, b: int, rows: tuple[int, ...]) -> None:
    pivot = Pivot.from_word(info, a, b)
    assert pivot.matrix() == rows
    assert pivot.to_word() == info


def test_every_pivot_fills_its_own_row_and_column() -> None:
    for element in range(9):
        rows = np.array(Pivot(element, True, False, True, 5, 7).matrix()).reshape(3, 3)
        row, column = divmod(element, 3)
        assert rows[row, column] == -4096
        assert np.delete(rows[row], column).tolist() == [0, 0] == np.delete(rows[:, column], row).tolist()
        assert np.delete(np.delete(rows, row, 0), column, 1).tolist() == [[5, 7], [7, -5]]


def test_the_documented_script() -> None:
    data = bytes.fromhex("26 00 00 00 00 66 01 00 03 01 00 02 01 01 0B 04 00 05 00 2B 01 FF")
    script, size = sbc.decode(data)
    assert size == len(data) - 1
    assert [(i.name, i.option, i.operands) for i in script] == [
        ("NODEDESC", 0x20, (0, 0, 0, 0)), ("NODEDESC", 0x60, (1, 0, 3, 1, 0)), ("NODE", 0, (1, 1)), ("POSSCALE", 0, ()),
        ("MAT", 0, (0,)), ("SHP", 0, (0,)), ("POSSCALE", 0x20, ()), ("RET", 0, ()),
    ]  # fmt: skip
    assert sbc.encode(script) == data[:-1]


@pytest.mark.parametrize("data", ["", "00", "0E01", "86000000", "A70001", "0602", "0901", "09000501", "0A00"])
def test_bad_scripts_are_refused(data: str) -> None:
    with pytest.raises(FormatError):
        sbc.decode(bytes.fromhex(data))


BAD: dict[str, Callable[[Model], Model]] = {
    "name of 17 letters": lambda m: replace(m, name="x" * 17),
    "name outside latin-1": lambda m: replace(m, name="ポ"),
    "two nodes of one name": lambda m: replace(m, nodes=m.nodes[:1] * 2),
    "256 nodes": lambda m: replace(m, nodes=tuple(Node(str(i)) for i in range(256))),
    "scale without inverse": lambda m: replace(m, nodes=(Node("n", scale=(1, 2, 3)),)),
    "stack slot 32": lambda m: replace(m, nodes=(Node("n", stack_slot=32),)),
    "translation over 32 bits": lambda m: replace(m, nodes=(Node("n", translation=(1 << 31, 0, 0)),)),
    "pivot element 9": lambda m: replace(m, nodes=(Node("n", rotation=Pivot(9, False, False, False, 0, 0)),)),
    "unused pivot flag of a matrix": lambda m: replace(m, nodes=(replace(m.nodes[2], unused_flags=8),)),
    "flags without scale": lambda m: replace(m, materials=(Material("m", flags=0x1FCD),)),
    "scale without flags": lambda m: replace(m, materials=(Material("m", scale=(1, 1)),)),
    "register over 32 bits": lambda m: replace(m, materials=(Material("m", dif_amb=1 << 32),)),
    "pairing of a material that is not there": lambda m: replace(m, texture_pairings=(Pairing("t", (99,)),)),
    "pairing mark over 8 bits": lambda m: replace(m, texture_pairings=(Pairing("t", (0,), 256),)),
    "operand over 8 bits": lambda m: replace(m, sbc=(Instruction(sbc.SHP, 0, (256,)), m.sbc[-1])),
    "operand too many": lambda m: replace(m, sbc=(Instruction(sbc.SHP, 0, (1, 2)), m.sbc[-1])),
    "opcode that is not there": lambda m: replace(m, sbc=(Instruction(0x1E, 0, ()), m.sbc[-1])),
    "call of a list that is not there": lambda m: replace(m, called_lists=()),
    "command that is not there": lambda m: replace(m, shapes=(Shape("s", 0, frozen([0xFF], np.uint32)),)),
    "parameters cut off": lambda m: replace(m, shapes=(Shape("s", 0, frozen([gx.VTX_16, 1], np.uint32)),)),
    "box over 16 bits": lambda m: replace(m, box=(0, 0, 0, 32768, 0, 0)),
}


@pytest.mark.parametrize("edit", BAD)
def test_values_that_do_not_fit_are_refused(model: Model, edit: str) -> None:
    with pytest.raises(ValueError):
        Nsbmd((BAD[edit](model),)).to_bytes()
