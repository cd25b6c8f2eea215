"""Map headers, matrices, cells and areas."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.field.map_matrix import MapMatrix
from mapexplorer.catalogue.store import reference_store
from mapexplorer.catalogue.uses import REFERENCE, uses
from mapexplorer.games import Role
from mapexplorer.inspector.common import (
    Context,
    counted,
    field_spans,
    header_link,
    in_a_row,
    link,
    member,
    named_by,
    program_record,
    prop_name,
    resolved,
)
from mapexplorer.inspector.facts import Description, Fact, RawBytes, Section, Span
from mapexplorer.inspector.feature import feature_lines
from mapexplorer.inspector.header_fields import header_facts
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.textures import report as texture_report
from mapexplorer.world.wording import damage, leftover, part, texture_remarks


def describe_header(context: Context, chosen: Subject) -> Description:
    """A map header: all fields, their links, and the parts of the map."""
    world = context.world
    header = world.headers[chosen.key[0]]
    place = world.place(header.id)
    sections = [Section(title, tuple(facts.values())) for title, facts in header_facts(place).items()]
    if context.feature is not None and context.feature.header == header.id:
        lines = feature_lines(context.feature, context.place)
        sections.append(Section("Added by code", tuple(Fact(name, words) for name, words in lines)))
    left_over = tuple(Fact("", leftover(found)) for found in world.leftovers.of_header(header.id))
    sections += [Section("Left over", left_over)] if left_over else []
    sections += _missing(context, header.id)
    warps = [use for use in uses(reference_store(world), chosen, "header") if use.rule == REFERENCE]
    if warps:
        shown = tuple(
            Fact(part(use.part), header_link(context, use.used.key[0]).value, "", None, use.used) for use in warps[:40]
        )
        sections.append(Section(f"Leads to ({len(warps)})", shown))
    subtitle = f"{header.internal_name} · header {header.id} · {header.kind}"
    return Description(chosen, header.title, subtitle, tuple(sections), _header_bytes(context, header.id))


def _missing(context: Context, header: int) -> list[Section]:
    place = context.world.place(header)
    if not 0 < len(place.cells) <= 12:
        return []
    report = texture_report(place)
    titled = (
        ("White in the game, or replaced", texture_remarks(report)),
        ("Damaged", [damage(one) for one in dict.fromkeys([*place.damage(), *report.damaged])]),
    )
    return [Section(title, tuple(Fact("", line) for line in lines[:20])) for title, lines in titled if lines]


def _header_bytes(context: Context, number: int) -> RawBytes:
    why, record = context.world.header_table.why, context.world.headers[number].record
    return program_record(why, f"map header {number}", record.to_bytes(), number, field_spans(record.spans()))


def describe_matrix(context: Context, chosen: Subject) -> Description:
    """A matrix: its sections and which headers its cells name."""
    number = chosen.key[0]
    matrix = context.world.matrix(number)
    land = int((matrix.land != 0xFFFF).sum())
    own = "each cell names its header" if matrix.headers is not None else "every cell belongs to the header entered"
    facts = [
        Fact("Size", f"{matrix.width} × {matrix.height} cells", f"{land} with land"),
        Fact("Name prefix", matrix.prefix or "none", "of the asset pipeline; not used by the game"),
        Fact("Header section", "no" if matrix.headers is None else "yes", own),
        Fact("Altitude section", "no" if matrix.altitudes is None else "yes", "8 units a step; moves terrain only"),
    ]
    sections = [Section("Grid", tuple(facts))]
    if matrix.headers is not None:
        ids, counts = np.unique(matrix.headers[matrix.land != 0xFFFF], return_counts=True)
        named = [
            Fact(counted(count, "cell"), header_link(context, header).value, "", None, subject("header", header))
            for header, count in zip(ids.tolist(), counts.tolist(), strict=True)
            if header < len(context.world.headers)
        ]
        sections.append(Section(f"Headers in it ({len(named)})", tuple(named)))
    else:
        cells = [
            Fact(f"Cell ({x}, {z})", f"land {land_id}", "", None, subject("land", int(land_id)))
            for (z, x), land_id in np.ndenumerate(matrix.land)
            if land_id != 0xFFFF
        ]
        sections.append(Section("Cells", tuple(cells[:80])))
    grids = _grids(matrix, "headers", "altitudes", "land ids")
    fields = [
        (1, "width", matrix.width), (1, "height", matrix.height), (1, "has headers", int(matrix.headers is not None)),
        (1, "has altitudes", int(matrix.altitudes is not None)), (1, "prefix length", len(matrix.prefix)),
        (len(matrix.prefix), "prefix", matrix.prefix),
        *((grid.nbytes, name, f"{grid.size} values") for name, grid in grids),
    ]  # fmt: skip
    raw = member(context, Role.MAP_MATRIX, number, in_a_row(fields))
    return Description(chosen, f"Matrix {number}", "map_matrix", tuple(sections), raw)


def describe_cell(context: Context, chosen: Subject) -> Description:
    """A cell: its land, its header, its texture sets and their sources."""
    _, x, z = chosen.key
    place = context.place
    cell = place.matrix_cells[x, z]
    facts = (
        link("Matrix", subject("matrix", cell.matrix)),
        Fact("Land data", str(cell.land), "", cell.why, subject("land", cell.land)),
        header_link(context, cell.header) if not cell.filler else Fact("Header", "0", "filler: belongs to no place"),
        Fact("Altitude", str(cell.altitude), f"{cell.altitude * 8} units; moves the terrain model only"),
        resolved("Area", "area", cell.area),
        resolved("Terrain textures", "terrain set", place.terrain_set(cell)),
        resolved("Prop set", "prop set", place.prop_set(cell)),
        resolved("Light set", "light set", place.light_set(cell)),
    )
    props = tuple(
        Fact(
            f"Prop {prop.index}", f"{prop.model}  {prop_name(context, prop.model)}",
            "dummy box" if prop.substituted else "", None, subject("placed prop", cell.matrix, x, z, prop.index),
        )
        for prop in place.props(cell)
    )  # fmt: skip
    bdhc = place.terrain.bdhc(cell)
    ground = (Fact("Height plates", str(len(bdhc)), f"in {counted(len(bdhc.strips), 'strip')}"),)
    sections = (Section("Cell", facts), Section(f"Map props ({len(props)})", props), Section("Ground", ground))
    raw = member(context, Role.MAP_MATRIX, cell.matrix, _cell_spans(place.matrix, x, z))
    return Description(chosen, f"Cell ({x}, {z})", f"of matrix {cell.matrix}", sections, raw)


def _cell_spans(matrix: MapMatrix, x: int, z: int) -> list[Span]:
    """The byte ranges of one cell's values in the matrix file."""
    grids = _grids(matrix, "header", "altitude", "land")
    starts = accumulate((grid.nbytes for _, grid in grids), initial=5 + len(matrix.prefix))
    index = z * matrix.width + x
    return [
        Span(start + index * grid.itemsize, grid.itemsize, f"{name} of cell ({x}, {z})", str(grid[z, x]))
        for start, (name, grid) in zip(starts, grids, strict=False)
    ]


def _grids(matrix: MapMatrix, *names: str) -> list[tuple[str, npt.NDArray[Any]]]:
    """The grids that a matrix has, in their order in the file, under these names."""
    grids = zip(names, (matrix.headers, matrix.altitudes, matrix.land), strict=True)
    return [(name, grid) for name, grid in grids if grid is not None]


def describe_area(context: Context, chosen: Subject) -> Description:
    """An area: the sets that it refers to."""
    number = chosen.key[0]
    area = context.world.area(number)
    models = context.world.prop_list(area.prop_set).models
    leads = named_by(context, chosen)
    facts = (
        link("Prop set", leads["prop set"], meaning=f"{len(models)} models"),
        link("Terrain textures", leads["terrain set"]),
        link("Light set", leads["light set"]),
    )
    raw = member(context, Role.AREA_DATA, number, field_spans(area.spans()))
    return Description(
        chosen, f"Area {number}", "area_data: texture, prop and light sets", (Section("Sets", facts),), raw
    )


DESCRIBERS = {
    "header": describe_header,
    "matrix": describe_matrix,
    "cell": describe_cell,
    "area": describe_area,
}
