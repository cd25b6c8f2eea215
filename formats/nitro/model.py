"""One model of an MDL0 block: nodes, draw script, materials and shapes.

Canonical order of a model's parts: header, node dictionary, node data, SBC, material section, shape section with the
display lists, envelope matrices. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, Reader, fitting, frozen, pad, require
from formats.nitro import material as materials_
from formats.nitro import sbc as sbc_
from formats.nitro import shape as shapes_
from formats.nitro.dictionary import dictionary_size, read_dictionary, write_offsets
from formats.nitro.material import Material, Pairing
from formats.nitro.node import Node
from formats.nitro.sbc import Instruction
from formats.nitro.shape import Shape

STANDARD: Final = 0
MAYA: Final = 1
SOFTIMAGE: Final = 2
"""Scaling rules: standard; Maya's segment scale compensation; Softimage's hierarchical scaling."""

TEXTURE_MAYA: Final = 0
TEXTURE_SOFTIMAGE: Final = 1
TEXTURE_3DS_MAX: Final = 2
TEXTURE_XSI: Final = 3
"""Texture matrix modes."""

ENVELOPE: Final = np.dtype([("position", "<i4", (4, 3)), ("normal", "<i4", (3, 3))])
"""Inverse bind matrices of a node in fx32, for row vectors: 4x3 for positions, 3x3 (rotations only) for normals."""

_HEADER: Final = struct.Struct("<5I8B2i4H6h2i")
_FIELDS: Final = (
    "size",
    "sbc_offset",
    "materials_offset",
    "shapes_offset",
    "envelopes_offset",
    "sbc_type",
    "scaling_rule",
    "texture_matrix_mode",
    "nodes",
    "materials",
    "shapes",
    "first_unused_stack_slot",
    "padding",
    "pos_scale",
    "inv_pos_scale",
    "vertex_count",
    "polygon_count",
    "triangle_count",
    "quad_count",
    "box_x",
    "box_y",
    "box_z",
    "box_width",
    "box_height",
    "box_depth",
    "box_pos_scale",
    "box_inv_pos_scale",
)

_NO_ENVELOPES: Final = frozen(np.empty(0, ENVELOPE))

Ints6 = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, eq=False)
class Model:
    """A model. Lengths are model units in fx32 or fx16, 4096 = 1.0; counts are those of its header."""

    name: str
    """The name in the dictionary of the block."""
    sbc_type: int
    """Not used by the library."""
    scaling_rule: int
    """STANDARD, MAYA, SOFTIMAGE."""
    texture_matrix_mode: int
    """TEXTURE_MAYA, TEXTURE_SOFTIMAGE, TEXTURE_3DS_MAX, TEXTURE_XSI."""
    first_unused_stack_slot: int
    """Not used by the library."""
    pos_scale: int
    """Vertices are stored divided by it (fx32)."""
    inv_pos_scale: int
    """1 / `pos_scale` (fx32)."""
    vertex_count: int
    """Vertex commands."""
    polygon_count: int
    """Triangles and quads together."""
    triangle_count: int
    """Triangles."""
    quad_count: int
    """Quads."""
    box: Ints6
    """x, y, z of the smallest corner and width, height, depth in fx16, to be multiplied by `box_pos_scale`; it bounds
    all shapes in the rest pose in model space."""
    box_pos_scale: int
    """The scale of `box` (fx32)."""
    box_inv_pos_scale: int
    """1 / `box_pos_scale` (fx32)."""
    nodes: tuple[Node, ...]
    """The nodes by number."""
    sbc: tuple[Instruction, ...]
    """The instructions that draw the model."""
    materials: tuple[Material, ...]
    """The materials by number."""
    texture_pairings: tuple[Pairing, ...]
    """The names of textures with the materials that use them."""
    palette_pairings: tuple[Pairing, ...]
    """The names of palettes with the materials that use them."""
    shapes: tuple[Shape, ...]
    """The shapes by number."""
    envelopes: npt.NDArray[Any] = dataclasses.field(default_factory=lambda: _NO_ENVELOPES)
    """One `ENVELOPE` per node when the SBC contains NODEMIX, else none."""
    called_lists: tuple[npt.NDArray[np.uint32], ...] = ()
    """The flat display lists that CALLDL instructions refer to by index."""

    @staticmethod
    def read_box(block: Reader, offset: int) -> tuple[Ints6, int]:
        """`box` and `box_pos_scale` of the model at `offset` of an MDL0 block, without reading the rest. Raises
        FormatError."""
        header = block.unpack(_HEADER, offset, "a model")
        return header[19:25], header[25]

    @staticmethod
    def read_texture_names(block: Reader, offset: int) -> tuple[str | None, ...]:
        """The name of the texture that each material of the model at `offset` of an MDL0 block takes, None where it
        takes none, without reading the rest. Raises FormatError."""
        section, count = _material_section(block, offset)
        names = _first_names(materials_.read_texture_pairings(section, count))
        return tuple([names.get(material) for material in range(count)])

    @staticmethod
    def read_material_names(block: Reader, offset: int) -> tuple[tuple[str, str | None, str | None], ...]:
        """For each material of the model at `offset` of an MDL0 block its name and those of its texture and palette,
        None where it has none, without reading the rest. Raises FormatError."""
        materials, *pairings = materials_.read_section(*_material_section(block, offset))
        textures, palettes = map(_first_names, pairings)
        return tuple([(material.name, textures.get(at), palettes.get(at)) for at, material in enumerate(materials)])

    @classmethod
    def read(cls, block: Reader, offset: int, name: str, *, notes: Notes | None = None) -> Model:
        """The model at `offset` of an MDL0 block. Raises FormatError."""
        header = block.unpack(_HEADER, offset, "a model", _FIELDS)
        size, sbc_at, _, _, envelopes_at = header[:5]
        block.check(size >= _HEADER.size, offset, "a model of at least 64 bytes", size)
        model = block.view(offset, size, name, "a model")
        node_count, material_count, shape_count = header[8:11]
        nodes = _read_nodes(model, node_count, notes)
        parts = [model.view(place, size - place, what) for place, what in _sections(model, header[1:4])]
        instructions, _ = sbc_.decode(parts[0])
        materials, textures, palettes = materials_.read_section(parts[1], material_count, notes=notes)
        shapes = shapes_.read_section(parts[2], shape_count, notes=notes)
        envelopes = _read_envelopes(model, envelopes_at, notes)
        model.tolerate(not header[12], notes, 0x1B, "a byte of padding is not zero")
        called: tuple[npt.NDArray[np.uint32], ...] = ()
        if sbc_.CALLDL in [instruction.opcode for instruction in instructions]:
            instructions, called = _resolve_calls(model, sbc_at, instructions)
        return cls(
            name=name,
            sbc_type=header[5],
            scaling_rule=header[6],
            texture_matrix_mode=header[7],
            first_unused_stack_slot=header[11],
            pos_scale=header[13],
            inv_pos_scale=header[14],
            vertex_count=header[15],
            polygon_count=header[16],
            triangle_count=header[17],
            quad_count=header[18],
            box=header[19:25],
            box_pos_scale=header[25],
            box_inv_pos_scale=header[26],
            nodes=nodes,
            sbc=instructions,
            materials=materials,
            texture_pairings=textures,
            palette_pairings=palettes,
            shapes=shapes,
            envelopes=envelopes,
            called_lists=called,
        )

    def to_bytes(self) -> bytes:
        """The model's bytes. Raises ValueError for values that do not fit."""
        counts = (len(self.nodes), len(self.materials), len(self.shapes))
        require(max(counts) <= 255, f"model {self.name!r} has more than 255 nodes, materials or shapes: {counts}")
        nodes_at = _HEADER.size
        records = [node.to_bytes() for node in self.nodes]
        start = dictionary_size(len(records), 4)
        nodes = b"".join([write_offsets([node.name for node in self.nodes], map(len, records), start), *records])
        sbc_at = nodes_at + len(nodes)
        materials_at = sbc_at + sum(map(sbc_.instruction_size, self.sbc))
        materials_at += -materials_at % 4
        materials = materials_.write_section(self.materials, self.texture_pairings, self.palette_pairings)
        shapes_at = materials_at + len(materials)
        shapes, lists = shapes_.write_section(self.shapes)
        instructions, called = self._place_calls(sbc_at, shapes_at, len(shapes), lists)
        script = pad(sbc_.encode(instructions))
        envelopes_at = shapes_at + len(shapes) + len(called)
        envelopes = np.ascontiguousarray(self.envelopes, ENVELOPE).tobytes()
        with fitting(f"model {self.name!r}"):
            header = _HEADER.pack(
                envelopes_at + len(envelopes),
                sbc_at,
                materials_at,
                shapes_at,
                envelopes_at,
                self.sbc_type,
                self.scaling_rule,
                self.texture_matrix_mode,
                *counts,
                self.first_unused_stack_slot,
                0,
                self.pos_scale,
                self.inv_pos_scale,
                self.vertex_count,
                self.polygon_count,
                self.triangle_count,
                self.quad_count,
                *self.box,
                self.box_pos_scale,
                self.box_inv_pos_scale,
            )
        return b"".join([header, nodes, script, materials, shapes, called, envelopes])

    def texture_name(self, material: int) -> str | None:
        """The name of a material's texture, None when it has none."""
        return self._names[0].get(material)

    def palette_name(self, material: int) -> str | None:
        """The name of a material's palette, None when it has none."""
        return self._names[1].get(material)

    @cached_property
    def _names(self) -> tuple[dict[int, str], dict[int, str]]:
        """By material the first name of a texture, and of a palette, that is paired with it."""
        return _first_names(self.texture_pairings), _first_names(self.palette_pairings)

    def _place_calls(
        self, sbc_at: int, shapes_at: int, shapes_size: int, lists: Sequence[tuple[int, bytes]]
    ) -> tuple[Sequence[Instruction], bytes]:
        """The SBC with offset and size instead of an index in CALLDL instructions, and the lists that no shape
        holds."""
        require(
            [place for place, instruction in enumerate(self.sbc, 1) if instruction.opcode == sbc_.RET]
            == [len(self.sbc)],
            "the script of a model has one RET, at its end",
        )
        if not any(instruction.opcode == sbc_.CALLDL for instruction in self.sbc):
            return self.sbc, b""
        from formats.nds.display_list import pack

        places = {packed: shapes_at + place for place, packed in reversed(lists)}
        called = b""
        result = []
        place = sbc_at
        for instruction in self.sbc:
            if instruction.opcode == sbc_.CALLDL:
                require(
                    len(instruction.operands) == 1,
                    f"CALLDL of a model has one operand, the list, not {instruction.operands}",
                )
                index = instruction.operands[0]
                require(0 <= index < len(self.called_lists), f"CALLDL names list {index} of {len(self.called_lists)}")
                packed = pack(self.called_lists[index])
                if packed not in places:
                    places[packed] = shapes_at + shapes_size + len(called)
                    called += packed
                result.append(dataclasses.replace(instruction, operands=(places[packed] - place, len(packed))))
            else:
                result.append(instruction)
            place += sbc_.instruction_size(instruction)
        return result, called


def _first_names(pairings: Sequence[Pairing]) -> dict[int, str]:
    return {material: pairing.name for pairing in reversed(pairings) for material in pairing.materials}


def _sections(model: Reader, offsets: Sequence[int]) -> list[tuple[int, str]]:
    sections = list(zip(offsets, ("SBC", "materials", "shapes"), strict=True))
    for index, (place, what) in enumerate(sections):
        model.check(
            _HEADER.size <= place <= len(model),
            4 + 4 * index,
            f"the offset of the {what} within {len(model)} bytes",
            place,
        )
    return sections


def _material_section(block: Reader, offset: int) -> tuple[Reader, int]:
    """The bytes of the materials of the model at `offset` of an MDL0 block, and how many there are."""
    header = block.unpack(_HEADER, offset, "a model")
    model = block.view(offset, header[0], "", "a model")
    place, what = _sections(model, header[1:4])[1]
    return model.view(place, header[0] - place, what), header[9]


def _read_nodes(model: Reader, count: int, notes: Notes | None) -> tuple[Node, ...]:
    dictionary = read_dictionary(model, _HEADER.size, 4, notes=notes)
    model.check(len(dictionary) == count, _HEADER.size + 1, f"{count} nodes, as in the model's header", len(dictionary))
    pairs = zip(dictionary.offsets(), dictionary.names, strict=True)
    return tuple([Node.read(model, _HEADER.size + offset, name)[0] for offset, name in pairs])


def _read_envelopes(model: Reader, offset: int, notes: Notes | None) -> npt.NDArray[Any]:
    if offset == len(model):
        return _NO_ENVELOPES
    model.check(offset <= len(model), 16, f"the offset of the envelope matrices within {len(model)} bytes", offset)
    count, rest = divmod(len(model) - offset, ENVELOPE.itemsize)
    model.tolerate(not rest, notes, offset, f"{rest} bytes follow the envelope matrices")
    return model.array(offset, ENVELOPE, count, "envelope matrices")


def _resolve_calls(
    model: Reader, sbc_at: int, instructions: Sequence[Instruction]
) -> tuple[tuple[Instruction, ...], tuple[npt.NDArray[np.uint32], ...]]:
    """The SBC with an index instead of offset and size in CALLDL instructions, and the display lists they call."""
    from formats.nds.display_list import unpack

    indices: dict[tuple[int, int], int] = {}
    lists: list[npt.NDArray[np.uint32]] = []
    result = []
    place = sbc_at
    total = 0
    for instruction in instructions:
        length = sbc_.instruction_size(instruction)
        if instruction.opcode == sbc_.CALLDL:
            where = (place + instruction.operands[0], instruction.operands[1])
            if where not in indices:
                total += where[1]
                model.check(
                    total <= len(model), place, f"called display lists of at most {len(model)} bytes in all", total
                )
                indices[where] = len(lists)
                lists.append(unpack(model.view(*where, "CALLDL", "a display list")))
            instruction = dataclasses.replace(instruction, operands=(indices[where],))
        result.append(instruction)
        place += length
    return tuple(result), tuple(lists)
