"""BMD and BDL: a J3D model, read section by section.

Supported: `J3D2bmd3`, `J3D2bdl4`, `J3D2bdl3` and the older `J3D2bmd2`. MDL3 (the display lists that a BDL adds) repeats
MAT3 and is skipped by its size. Coordinates are right-handed with y up, in the model's own units; front faces are
clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes
from formats.j3d.big_endian import BigEndianReader
from formats.j3d.hierarchy import Hierarchy, Information, read_information, resolve
from formats.j3d.joints import (
    DRAW_MATRIX,
    NO_ENVELOPES,
    Envelopes,
    Joint,
    read_draw_matrices,
    read_envelopes,
    read_joints,
)
from formats.j3d.material import J3dMaterial
from formats.j3d.materials import read_materials
from formats.j3d.sections import read_sections
from formats.j3d.shapes import J3dShape, highest_indices, read_shapes
from formats.j3d.textures import J3dTexture, read_textures
from formats.j3d.vertices import VertexArray, read_vertices, trim

KINDS = {"bmd3": "J3D2", "bdl4": "J3D2", "bdl3": "J3D2", "bmd2": "J3D2"}
_REQUIRED = ("INF1", "VTX1", "DRW1", "JNT1", "SHP1")
_KNOWN = (*_REQUIRED, "EVP1", "MAT3", "MAT2", "MDL3", "TEX1")


@dataclass(frozen=True, eq=False)
class Bmd:
    """A J3D model."""

    kind: str
    """`bmd3`, `bdl4`, `bdl3` or `bmd2`."""
    tool: bytes
    """16 bytes that identify the exporter."""
    information: Information
    """Flags and scene graph."""
    hierarchy: Hierarchy
    """The graph resolved to parents and placements."""
    vertices: tuple[VertexArray, ...]
    """The arrays that shapes index."""
    envelopes: Envelopes
    """The weighted matrices of the skin."""
    draw_matrices: npt.NDArray[np.void]
    """The matrices that vertices are drawn with (dtype `DRAW_MATRIX`)."""
    joints: tuple[Joint, ...]
    """The joints by number."""
    shapes: tuple[J3dShape, ...]
    """The shapes by number."""
    materials: tuple[J3dMaterial, ...]
    """The materials by number."""
    textures: tuple[J3dTexture, ...]
    """The textures by number."""

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Bmd:
        """Read a .bmd or .bdl file.

        Raises FormatError for other kinds of J3D file (by name), missing sections, data outside its bounds, and indices
        outside their list. What the game tolerates is appended to `notes`.
        """
        kind, tool, sections = read_sections(data, KINDS, notes)
        for tag in _REQUIRED:
            if tag not in sections:
                present = ", ".join(sections) or "none"
                BigEndianReader.of(data).fail(0x20, f"a section {tag}", f"sections {present}")
        for tag, section in sections.items():
            section.tolerate(tag in _KNOWN, notes, 0, f"section {tag!r} is unknown and left out")
        information = read_information(sections["INF1"])
        joints = read_joints(sections["JNT1"], notes)
        envelopes = read_envelopes(sections["EVP1"], len(joints), notes) if "EVP1" in sections else NO_ENVELOPES
        draw_matrices = read_draw_matrices(sections["DRW1"], len(joints), len(envelopes.counts), notes)
        shapes = read_shapes(sections["SHP1"], len(draw_matrices), notes)
        vertices = trim(sections["VTX1"], read_vertices(sections["VTX1"], notes), highest_indices(shapes))
        older = "MAT3" not in sections
        materials = sections.get("MAT2" if older else "MAT3")
        material_list = read_materials(materials, older, notes) if materials else ()
        textures = read_textures(sections["TEX1"], notes) if "TEX1" in sections else ()
        if materials:
            _note_textures(materials, material_list, len(textures), notes)
        hierarchy = resolve(sections["INF1"], information.graph, len(joints), len(material_list), len(shapes), notes)
        _note_counts(sections["INF1"], information, shapes, vertices, notes)
        return cls(
            kind,
            tool,
            information,
            hierarchy,
            vertices,
            envelopes,
            draw_matrices,
            joints,
            shapes,
            material_list,
            textures,
        )

    @cached_property
    def arrays(self) -> dict[int, VertexArray]:
        """The vertex arrays by attribute."""
        return {array.attribute: array for array in self.vertices}


def _note_textures(
    section: BigEndianReader, materials: tuple[J3dMaterial, ...], count: int, notes: Notes | None
) -> None:
    for material in {id(material.state): material for material in materials}.values():
        for index in material.state.textures:
            section.tolerate(
                index is None or index < count, notes, 0, f"material {material.name!r} names texture {index} of {count}"
            )


def _note_counts(
    section: BigEndianReader,
    information: Information,
    shapes: tuple[J3dShape, ...],
    vertices: tuple[VertexArray, ...],
    notes: Notes | None,
) -> None:
    packets = sum(len(shape.packets) for shape in shapes)
    section.tolerate(
        information.packet_count == packets,
        notes,
        12,
        f"the graph counts {information.packet_count} packets, the shapes have {packets}",
    )
    positions = max((len(array.values) for array in vertices if array.attribute == 9), default=0)
    section.tolerate(
        information.vertex_count == positions,
        notes,
        16,
        f"the graph counts {information.vertex_count} positions, the shapes use {positions}",
    )


__all__ = ["DRAW_MATRIX", "KINDS", "Bmd"]
