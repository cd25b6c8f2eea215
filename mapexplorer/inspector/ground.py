"""Tiles, height plates and land data."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from formats.field.bdhc import Bdhc
from formats.field.bdhc_triangles import TriangleBdhc
from formats.field.height_plates import HeightPlates
from formats.field.land_data import MAP_PROP
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from formats.fixed import ONE
from formats.nitro.model import Model
from mapexplorer.games import Role
from mapexplorer.inspector.common import Context, counted, field_spans, fx, in_a_row, member, prop_name, record_spans
from mapexplorer.inspector.facts import Description, Fact, Section, Span
from mapexplorer.inspector.models import TERRAIN, material_fact
from mapexplorer.world.behaviour_meaning import behaviour_meaning
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.layer_colors import BLOCKED, Rgb
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.terrain import TerrainHeight
from mapexplorer.world.textures import unresolved

_DIRECTIONS = ("east", "southeast", "south", "southwest", "west", "northwest", "north", "northeast")


def _color(context: Context, behaviour: int) -> Rgb | None:
    meaning = behaviour_meaning(context.tables, behaviour)
    return meaning.color if meaning is not None else None


def describe_tile(context: Context, chosen: Subject) -> Description:
    """A tile: collision, behaviour, and the height query at its centre."""
    _, x, z = chosen.key
    terrain = context.place.terrain
    cell = terrain.cell_at(x, z)
    word = terrain.attribute(x, z)
    behaviour = context.tables.behaviour(word & BEHAVIOUR)
    height = terrain.height((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS)
    inside = (x % CELL_TILES, z % CELL_TILES)
    permission = (
        Fact("Attribute", f"0x{word:04X}", "permission: collision bit and behaviour"),
        Fact("Collision", "blocked" if word & COLLISION else "free", "bit 15", None, None,
             BLOCKED if word & COLLISION else None),
        Fact("Behaviour", f"{behaviour.id}  {context.tables.behaviour_name(behaviour.id)}", "", None, None,
             _color(context, behaviour.id)),
        Fact("Wild encounters", "yes" if behaviour.wild_encounters else "no"),
        Fact("Surf", "yes" if behaviour.surf else "no"),
    )  # fmt: skip
    where = [Fact("Tile", f"({x}, {z})", "matrix-wide"), Fact("In its cell", f"({inside[0]}, {inside[1]})")]
    raw = None
    if cell is not None:
        where.append(Fact("Cell", f"({cell.x}, {cell.z})", "", None, subject("cell", cell.matrix, cell.x, cell.z)))
        where.append(Fact("Land data", str(cell.land), "", None, subject("land", cell.land)))
        offset = 16 + 2 * (inside[1] * CELL_TILES + inside[0])
        spans = [Span(0, 2, "attribute", f"0x{word:04X}")]
        raw = member(context, Role.LAND_DATA, cell.land, spans, offset, 2)
    events = _events_on(context, x, z)
    sections = [Section("Where", tuple(where)), Section("Permission", permission), _height_section(context, height)]
    if events:
        sections.append(Section("Events here", tuple(events)))
    title = f"Tile ({x}, {z})"
    return Description(chosen, title, context.tables.behaviour_name(behaviour.id), tuple(sections), raw)


def _height_section(context: Context, answer: TerrainHeight) -> Section:
    cell = context.place.matrix_cells.get(answer.cell)
    facts = [Fact("Height at its centre", f"{answer.height:g} units", "", answer)]
    if answer.found and cell is not None:
        for plate, value in answer.candidates:
            won = "wins" if plate == answer.plate else ""
            plate_subject = subject("plate", cell.matrix, cell.x, cell.z, plate)
            facts.append(Fact(f"Plate {plate}", f"{value:g} units", won, None, plate_subject))
        facts.append(Fact("Strip", str(answer.strip)))
    return Section("Height (BDHC)", tuple(facts))


def _events_on(context: Context, x: int, z: int) -> list[Fact]:
    events = context.place.events
    if events is None:
        return []
    header = context.place.header.id
    found = []
    for kind, records in (("object", events.objects), ("warp", events.warps), ("sign", events.background)):
        for index, record in enumerate(records):
            if (int(record["x"]), int(record["z"])) == (x, z):
                found.append(Fact(kind.capitalize(), str(index), "", None, subject(kind, header, index)))
    for index, record in enumerate(events.triggers):
        west, north = int(record["x"]), int(record["z"])
        if west <= x < west + int(record["width"]) and north <= z < north + int(record["length"]):
            found.append(Fact("Trigger", str(index), "", None, subject("trigger", header, index)))
    return found


def slope_words(normal: tuple[float, float, float]) -> str:
    """A plate's slope as text: the angle, and the side to which it rises."""
    nx, ny, nz = normal
    if ny == 0:
        return "vertical: the game's division by zero returns 0"
    if nx == 0 and nz == 0:
        return "flat"
    steep = math.degrees(math.atan2(math.hypot(nx, nz), abs(ny)))
    # The horizontal part of the normal points to where the height decreases, so the plate rises the opposite way.
    rise_x, rise_z = -nx / ny, -nz / ny
    side = _DIRECTIONS[round(math.degrees(math.atan2(rise_z, rise_x)) / 45) % 8]
    per_tile = math.hypot(rise_x, rise_z) * TILE_UNITS
    return f"rises to the {side} by {per_tile:.4g} units a tile ({steep:.1f}°)"


def normal_of(bdhc: HeightPlates, plate: int) -> tuple[float, float, float]:
    """A plate's normal as numbers."""
    nx, ny, nz, _ = (bdhc.planes[plate] / ONE).tolist()
    return nx, ny, nz


def plane_words(bdhc: HeightPlates, plate: int) -> str:
    """A plate's plane as an equation, x and z from the cell's centre."""
    terms = list(zip((bdhc.planes[plate] / ONE).tolist(), ("·x", "·y", "·z", ""), strict=True))
    words = " ".join(f"{'−' if value < 0 else '+'} {abs(value):g}{name}" for value, name in terms if value)
    return f"{words.removeprefix('+ ') or '0'} = 0"


def describe_plate(context: Context, chosen: Subject) -> Description:
    """A height plate: its rectangle, plane and slope, the strips that contain it, the plates that it overlaps."""
    _, x, z, index = chosen.key
    place = context.place
    cell = place.matrix_cells[x, z]
    bdhc = place.terrain.bdhc(cell)
    shape = (
        Fact("Cell", f"({x}, {z})", f"land {cell.land}", None, subject("cell", cell.matrix, x, z)),
        *(_triangle(bdhc, index) if isinstance(bdhc, TriangleBdhc) else _rectangle(bdhc, index)),
        Fact("Plane", plane_words(bdhc, index)),
        Fact("Slope", slope_words(normal_of(bdhc, index))),
    )
    strips = [number for number, strip in enumerate(bdhc.strips) if index in strip.plates]
    overlaps = [
        Fact(f"Plate {other}", "shares an area", "", None, subject("plate", cell.matrix, x, z, other))
        for other in overlapping(bdhc, index)
    ]
    query = (
        Fact("In strips", ", ".join(map(str, strips)) or "none", "" if strips else "the game never finds it"),
        *overlaps,
    )
    spans = plate_spans(bdhc, index)
    raw = member(context, Role.LAND_DATA, cell.land, spans, *_bdhc_range(context, cell))
    sections = (Section("Plate", shape), Section("Query", query))
    return Description(chosen, f"Height plate {index}", f"BDHC of land {cell.land}", sections, raw)


def _rectangle(bdhc: HeightPlates, index: int) -> tuple[Fact, ...]:
    """The facts that only a rectangle has."""
    assert isinstance(bdhc, Bdhc)
    (west, north), _, (east, south), _ = bdhc.outlines[index].tolist()
    tiles = (east - west) / ONE / TILE_UNITS * ((south - north) / ONE / TILE_UNITS)
    record = bdhc.plates[index]
    return (
        Fact("West to east", f"{fx(west)} … {fx(east)}", "units from the cell's centre"),
        Fact(
            "North to south", f"{fx(north)} … {fx(south)}", "1 tile in all" if tiles == 1 else f"{tiles:g} tiles in all"
        ),
        Fact("Normal", "({:g}, {:g}, {:g})".format(*normal_of(bdhc, index)), f"entry {int(record['normal'])}"),
        Fact("Constant", fx(int(bdhc.constants[record["constant"]])), f"entry {int(record['constant'])}"),
    )


def _triangle(bdhc: TriangleBdhc, index: int) -> tuple[Fact, ...]:
    """The facts that only a triangle has."""
    record = bdhc.triangles[index]
    corners = [
        Fact(f"Corner {number}", f"({fx(int(point['x']))}, {fx(int(point['y']))}, {fx(int(point['z']))})",
             f"point {int(entry)}; units from the cell's centre")
        for number, (entry, point) in enumerate(zip(record["points"], bdhc.points[record["points"]], strict=True))
    ]  # fmt: skip
    normal = Fact("Normal", "({:g}, {:g}, {:g})".format(*normal_of(bdhc, index)), f"entry {int(record['normal'])}")
    return (*corners, normal, Fact("Constant", fx(int(record["constant"]))))


def boxes(bdhc: HeightPlates) -> np.ndarray:
    """(n, 4) fx32 west, north, east, south of the plates."""
    outlines = bdhc.outlines
    return np.concatenate([outlines.min(1), outlines.max(1)], 1) if len(bdhc) else np.zeros((0, 4), np.int64)


def overlapping(bdhc: HeightPlates, index: int, first: int = 0) -> list[int]:
    """The other plates, from number `first` on, that share an area (more than an edge) with a plate."""
    bounds = boxes(bdhc)[first:]
    mine = boxes(bdhc)[index]
    hit = (bounds[:, 0] < mine[2]) & (bounds[:, 2] > mine[0]) & (bounds[:, 1] < mine[3]) & (bounds[:, 3] > mine[1])
    others = np.flatnonzero(hit) + first
    others = others[others != index]
    if isinstance(bdhc, TriangleBdhc):
        others = others[_share_area(bdhc.outlines[index], bdhc.outlines[others])]
    return [int(number) for number in others]


def _share_area(mine: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which convex polygons (n, 4, 2) share an area with another one (4, 2): those that no line along a side of one of
    both separates."""
    mine = np.broadcast_to(mine, others.shape)
    shares = np.ones(len(others), np.bool_)
    for polygon in (mine, others):
        for corner in range(4):
            side = polygon[:, (corner + 1) % 4] - polygon[:, corner]
            across = np.stack([-side[:, 1], side[:, 0]], -1)[:, None]
            one, two = (mine * across).sum(-1), (others * across).sum(-1)
            apart = (one.max(1) <= two.min(1)) | (two.max(1) <= one.min(1))
            shares &= ~(apart & (side != 0).any(1))
    return shares


def holes(bdhc: HeightPlates) -> int:
    """The number of tiles whose centre is on no plate."""
    half = CELL_UNITS // 2
    centres = [((tile * TILE_UNITS + TILE_UNITS // 2) - half) * ONE for tile in range(CELL_TILES)]
    return sum(bdhc.height_at(x, z, 0) is None for z in centres for x in centres)


def _bdhc_range(context: Context, cell: Cell) -> tuple[int, int]:
    sections = context.world.land_sections(cell.land)
    return sections.bdhc.origin, len(sections.bdhc)


def plate_spans(bdhc: HeightPlates, index: int) -> list[Span]:
    """The byte ranges of a plate's own fields in its BDHC section."""
    if isinstance(bdhc, TriangleBdhc):
        return field_spans(bdhc.spans(index))
    assert isinstance(bdhc, Bdhc)
    sizes = (bdhc.points.nbytes, bdhc.normals.nbytes, bdhc.constants.nbytes)
    points, normals, constants, plates = accumulate(sizes, initial=16)
    record = bdhc.plates[index]
    spans = record_spans(record, plates + index * record.dtype.itemsize, "plate", index)
    for name, start, array, field in (
        ("first point", points, bdhc.points, "first_point"),
        ("second point", points, bdhc.points, "second_point"),
        ("normal", normals, bdhc.normals, "normal"),
    ):
        number = int(record[field])
        spans += record_spans(array[number], start + number * array.dtype.itemsize, name)
    number = int(record["constant"])
    spans.append(Span(constants + number * 4, 4, "constant", fx(int(bdhc.constants[number]))))
    return sorted(spans, key=lambda span: span.start)


def describe_land(context: Context, chosen: Subject) -> Description:
    """A land data file: its four parts."""
    number = chosen.key[0]
    sections = context.world.land_sections(number)
    props, bdhc, words = context.world.placed_props(number), sections.read_bdhc(), sections.read_attributes()
    model = context.world.terrain_model(number)
    parts = (
        Fact("Attributes", f"{int((words & COLLISION != 0).sum())} tiles blocked", "of 1024"),
        Fact("Map props", str(len(props)), "the game has space for 32 per cell"),
        Fact("Terrain model", model.name, f"{model.polygon_count} polygons, {len(model.materials)} materials"),
        Fact("Height plates", str(len(bdhc)), f"in {counted(len(bdhc.strips), 'strip')}"),
        Fact("Tiles without plate", str(holes(bdhc)), "the game returns 0 there"),
    )
    kinds = [
        Fact(counted(count, "tile"), f"{kind}  {context.tables.behaviour_name(kind)}", color=_color(context, kind))
        for kind, count in zip(
            *(part.tolist() for part in np.unique(words & BEHAVIOUR, return_counts=True)), strict=True
        )
        if kind
    ]
    materials = _materials(context, number, model)
    placed = tuple(
        Fact(f"Prop {index}", f"{model}  {prop_name(context, model)}", "", None, subject("prop", model))
        for index, model in enumerate(props["model"].tolist())
    )
    sizes = {name: len(getattr(sections, name)) for name in ("attributes", "props", "model", "bdhc")}
    spans = in_a_row([*((4, f"size of {name}", size) for name, size in sizes.items()),
                      (sizes["attributes"], "attributes", "32 × 32")])  # fmt: skip
    start = sections.props.origin
    for index, record in enumerate(props):
        spans += record_spans(record, start + index * MAP_PROP.itemsize, "prop", index)
    spans.append(Span(sections.model.origin, len(sections.model), "terrain model", "NSBMD"))
    spans.append(Span(sections.bdhc.origin, len(sections.bdhc), "height plates", "BDHC"))
    return Description(
        chosen, f"Land data {number}", "land_data: one cell of terrain (map file)",
        (Section("Parts", parts), Section("Behaviours", tuple(kinds)), Section("Map props", placed),
         Section("Materials of the terrain", materials)),
        member(context, Role.LAND_DATA, number, spans),
    )  # fmt: skip


def _materials(context: Context, number: int, model: Model) -> tuple[Fact, ...]:
    """The materials with the textures that the land has on this map; names only if it is not on this map."""
    place = context.place
    cell = next((cell for cell in place.matrix_cells.values() if cell.land == number), None)
    textures = place.terrain_textures(cell).textures if cell is not None else None
    lacking = {item.material: item for item in unresolved(model, textures)} if textures is not None else {}
    of_set = (TERRAIN, place.terrain_set(cell).value if cell is not None else 0)
    return tuple(material_fact(model, index, lacking, textures, of_set) for index in range(len(model.materials)))


DESCRIBERS = {"tile": describe_tile, "plate": describe_plate, "land": describe_land}
