"""Map headers, matrices, cells and areas."""

from __future__ import annotations

import numpy as np

from formats.binary import FormatError
from formats.field.map_header import NO_WILD_ENCOUNTERS
from formats.field.map_matrix import MapMatrix
from mapexplorer.games import Role
from mapexplorer.inspector.common import (
    Context,
    counted,
    counted_events,
    field_spans,
    header_link,
    link,
    member,
    named_by,
    program_record,
    prop_name,
    resolved,
)
from mapexplorer.inspector.facts import Description, Fact, RawBytes, Section, Span
from mapexplorer.inspector.feature import feature_lines
from mapexplorer.inspector.subject import Subject, subject
from mapexplorer.world.provenance import Facts, Provenance, SourceRule
from mapexplorer.world.textures import report as texture_report
from mapexplorer.world.wording import damage, leftover, part, texture_remarks


def describe_header(context: Context, chosen: Subject) -> Description:
    """A map header: all fields, their links, and the parts of the map."""
    world = context.world
    header = world.headers[chosen.key[0]]
    place = world.place(header.id)
    leads = named_by(context, chosen)
    yes = {True: "yes", False: "no"}
    encounters = "none" if header.wild_encounters == NO_WILD_ENCOUNTERS else str(header.wild_encounters)
    name_of = Provenance(Role.MAP_NAMES, SourceRule.ENTRY_OF_HEADER, header.id, facts=Facts(header=header.id))
    identity = (
        Fact("Header", str(header.id)),
        Fact("Internal name", header.internal_name, "", name_of),
        *([Fact("Symbolic name", header.symbolic_name, "in the decompilation")] if header.symbolic_name else []),
        Fact("Location name", header.location_name or "none", f"label text {header.label_text}"),
        *(
            []
            if header.label_window is None
            else [Fact("Name popup", str(header.label_window), context.tables.label_window_name(header.label_window))]
        ),
        Fact("Kind", str(header.map_type), header.kind),
    )
    made_of = [
        link("Matrix", leads["matrix"], meaning=counted(len(place.cells), "own cell")),
        link("Area", leads["area"]),
        resolved("Terrain textures", "terrain set", place.terrain_set(), "map_tex_set"),
        resolved("Prop set", "prop set", place.prop_set(), "area_build, areabm_texset"),
        resolved("Light set", "light set", place.light_set(), "arealight"),
        link("Camera", leads["camera type"], meaning=place.camera.name),
        link("Weather", leads["weather"], meaning=context.tables.weather_name(header.weather)),
    ]
    play = (
        link("Events", leads["events"], meaning=_event_counts(context, header.id)),
        link("Scripts", leads["scripts"], meaning="scr_seq: scripts of people, signs and triggers"),
        link("Initial scripts", leads["initial scripts"], meaning="scr_seq: scripts run when the map is entered"),
        link("Messages", leads["message bank"], meaning="pl_msg"),
        Fact("Wild encounters", encounters, "pl_enc_data", None, leads.get("wild encounters")),
        link(
            "Preload list",
            leads["preload list"],
            meaning="move_model_list: sprites kept in memory",
        ),
        link("Music by day", subject("music", header.day_music), meaning="sequence of the sound archive"),
        link("Music by night", subject("music", header.night_music), meaning="sequence of the sound archive"),
        Fact(
            "Battle background",
            str(header.battle_background),
            context.tables.battle_background_name(header.battle_background),
        ),
        Fact("Bicycle", yes[header.bicycle]),
        Fact("Running", yes[header.running], "stored, but not used by the game"),
        Fact("Escape rope", yes[header.escape_rope]),
        Fact("Fly", yes[header.fly]),
    )
    sections = [Section("Names", identity), Section("Made of", tuple(made_of)), Section("In play", play)]
    if context.feature is not None and context.feature.header == header.id:
        lines = feature_lines(context.feature, context.place)
        sections.append(Section("Added by code", tuple(Fact(name, words) for name, words in lines)))
    left_over = tuple(Fact("", leftover(found)) for found in world.leftovers.of_header(header.id))
    sections += [Section("Left over", left_over)] if left_over else []
    sections += _missing(context, header.id)
    warps = [use for use in world.uses.uses("header", header.id) if use.kind == "header"]
    if warps:
        shown = tuple(
            Fact(part(use.part), header_link(context, use.number).value, "", None, subject("header", use.number))
            for use in warps[:40]
        )
        sections.append(Section(f"Leads to ({len(warps)})", shown))
    title = header.location_name or header.internal_name
    subtitle = f"{header.internal_name} · header {header.id} · {header.kind}"
    return Description(chosen, title, subtitle, tuple(sections), _header_bytes(context, header.id))


def _event_counts(context: Context, header: int) -> str:
    try:
        events = context.world.events(header)
    except FormatError:
        return "damaged"
    if events is None:
        return "the ROM has none"
    return counted_events(events)


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
    head = (matrix.width, matrix.height, matrix.headers is not None, matrix.altitudes is not None, len(matrix.prefix))
    names = ("width", "height", "has headers", "has altitudes", "prefix length")
    spans = [Span(at, 1, name, str(int(value))) for at, (name, value) in enumerate(zip(names, head, strict=True))]
    spans.append(Span(5, len(matrix.prefix), "prefix", matrix.prefix))
    offset, count = 5 + len(matrix.prefix), matrix.width * matrix.height
    for name, present, size in (
        ("headers", matrix.headers is not None, 2),
        ("altitudes", matrix.altitudes is not None, 1),
        ("land ids", True, 2),
    ):
        if present:
            spans.append(Span(offset, count * size, name, f"{count} values"))
            offset += count * size
    raw = member(context, Role.MAP_MATRIX, number, spans)
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
    offset, index, spans = 5 + len(matrix.prefix), z * matrix.width + x, []
    for name, values, size in (
        ("header", matrix.headers, 2),
        ("altitude", matrix.altitudes, 1),
        ("land", matrix.land, 2),
    ):
        if values is not None:
            spans.append(Span(offset + index * size, size, f"{name} of cell ({x}, {z})", str(int(values[z, x]))))
            offset += values.size * size
    return spans


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
