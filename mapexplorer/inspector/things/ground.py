"""Tiles, height plates and land data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from formats.field.bdhc import Bdhc
from formats.field.bdhc_triangles import TriangleBdhc
from formats.field.field_types import Path
from formats.field.height_plates import HeightPlates
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from formats.fixed import ONE
from formats.nitro.model import Model
from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.games import Role
from mapexplorer.inspector.facts import Described, Describers, Fact, filled, section
from mapexplorer.inspector.places.heights import (
    ask,
    height_facts,
    holes,
    normal_of,
    overlapping,
    plane_words,
    slope_words,
)
from mapexplorer.inspector.things.common import (
    Context,
    fx,
    member,
    prop_name,
)
from mapexplorer.inspector.things.models import TERRAIN, material_facts
from mapexplorer.values import count
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.colors import BLOCKED, Rgb
from mapexplorer.world.subject import subject
from mapexplorer.world.terrain.behaviour_meaning import behaviour_meaning


def _color(context: Context, behaviour: int) -> Rgb | None:
    meaning = behaviour_meaning(context.tables, behaviour)
    return meaning.color if meaning is not None else None


def describe_tile(context: Context, matrix: int, x: int, z: int) -> Described:
    """A tile: collision, behaviour, and the height query at its centre."""
    terrain = context.place.terrain
    cell, word = terrain.cell_at(x, z), terrain.attribute(x, z)
    behaviour, blocked = context.tables.behaviour(word & BEHAVIOUR), bool(word & COLLISION)
    name = context.tables.behaviour_name(behaviour.id)
    permission = section(
        "Permission",
        Fact("Attribute", f"0x{word:04X}", "permission: collision bit and behaviour"),
        Fact("Collision", "blocked" if blocked else "free", "bit 15", color=BLOCKED if blocked else None),
        Fact("Behaviour", f"{behaviour.id}  {name}", color=_color(context, behaviour.id)),
        Fact("Wild encounters", "yes" if behaviour.wild_encounters else "no"),
        Fact("Surf", "yes" if behaviour.surf else "no"),
    )
    inside_x, inside_z = x % CELL_TILES, z % CELL_TILES
    where = [Fact("Tile", f"({x}, {z})", "matrix-wide"), Fact("In its cell", f"({inside_x}, {inside_z})")]
    raw = None
    if cell is not None:
        where.append(Fact("Cell", f"({cell.x}, {cell.z})", link=subject("cell", cell.matrix, cell.x, cell.z)))
        where.append(Fact("Land data", str(cell.land), link=subject("land", cell.land)))
        tile = inside_z * CELL_TILES + inside_x
        raw = member(context, Role.LAND_DATA, cell.land, ("attributes", "tiles", tile))
    centre = (x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS
    height = section("Height at its centre", *height_facts(ask(context.place, *centre, 0.0)))
    events = section("Events here", *_events_on(context, x, z))
    return (
        f"Tile ({x}, {z})",
        name if behaviour.id else "",
        (section("Where", *where), permission, height, *filled(events)),
        raw,
    )


def _events_on(context: Context, x: int, z: int) -> Iterator[Fact]:
    events, header = context.place.events, context.place.header.id
    for kind, records in EVENT_LISTS.items():
        for index, record in enumerate(getattr(events, records, ())):
            west, north = int(record["x"]), int(record["z"])
            width, length = (int(record["width"]), int(record["length"])) if kind == "trigger" else (1, 1)
            if west <= x < west + width and north <= z < north + length:
                yield Fact(kind.capitalize(), str(index), link=subject(kind, header, index))


def describe_plate(context: Context, matrix: int, x: int, z: int, index: int) -> Described:
    """A height plate: its rectangle, plane and slope, the strips that contain it, the plates that it overlaps."""
    cell = context.place.matrix_cells[x, z]
    bdhc = context.place.terrain.bdhc(cell)
    shape = section(
        "Plate",
        Fact("Cell", f"({x}, {z})", f"land {cell.land}", link=subject("cell", cell.matrix, x, z)),
        *(_triangle(bdhc, index) if isinstance(bdhc, TriangleBdhc) else _rectangle(bdhc, index)),
        Fact("Plane", plane_words(bdhc, index)),
        Fact("Slope", slope_words(normal_of(bdhc, index))),
    )
    strips = [str(number) for number, strip in enumerate(bdhc.strips) if index in strip.plates]
    query = section(
        "Query",
        Fact("In strips", ", ".join(strips) or "none", "" if strips else "the game never finds it"),
        *(
            Fact(f"Plate {other}", "shares an area", link=subject("plate", cell.matrix, x, z, other))
            for other in overlapping(bdhc, index)
        ),
    )
    raw = member(context, Role.LAND_DATA, cell.land, *(("BDHC", *path) for path in _plate_paths(bdhc, index)))
    return f"Height plate {index}", f"BDHC of land {cell.land}", (shape, query), raw


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
        Fact(
            f"Corner {number}",
            f"({fx(int(point['x']))}, {fx(int(point['y']))}, {fx(int(point['z']))})",
            f"point {int(entry)}; units from the cell's centre",
        )
        for number, (entry, point) in enumerate(zip(record["points"], bdhc.points[record["points"]], strict=True))
    ]
    normal = Fact("Normal", "({:g}, {:g}, {:g})".format(*normal_of(bdhc, index)), f"entry {int(record['normal'])}")
    return (*corners, normal, Fact("Constant", fx(int(record["constant"]))))


def _plate_paths(bdhc: HeightPlates, index: int) -> Iterator[Path]:
    """The paths of a plate's own fields in its BDHC section."""
    if isinstance(bdhc, TriangleBdhc):
        record = bdhc.triangles[index]
        yield "triangles", index
        yield from (("points", int(point)) for point in record["points"])
    else:
        assert isinstance(bdhc, Bdhc)
        record = bdhc.plates[index]
        yield "plates", index
        yield from (("points", int(record[name])) for name in ("first_point", "second_point"))
        yield "constants", int(record["constant"])
    yield "normals", int(record["normal"])


def describe_land(context: Context, number: int) -> Described:
    """A land data file: its four parts."""
    sections, model = context.world.land_sections(number), context.world.terrain_model(number)
    props, bdhc, words = context.world.placed_props(number), sections.read_bdhc(), sections.read_attributes()
    parts = section(
        "Parts",
        Fact("Attributes", f"{int((words & COLLISION != 0).sum())} tiles blocked", "of 1024"),
        Fact("Map props", str(len(props)), "the game has space for 32 per cell"),
        Fact("Terrain model", model.name, f"{model.polygon_count} polygons, {len(model.materials)} materials"),
        Fact("Height plates", str(len(bdhc)), f"in {count(len(bdhc.strips), 'strip')}"),
        Fact("Tiles without plate", str(len(holes(bdhc))), "the game returns 0 there"),
    )
    kinds, counts = np.unique(words & BEHAVIOUR, return_counts=True)
    behaviours = (
        Fact(count(tiles, "tile"), f"{kind}  {context.tables.behaviour_name(kind)}", color=_color(context, kind))
        for kind, tiles in zip(kinds.tolist(), counts.tolist(), strict=True)
        if kind
    )
    placed = (
        Fact(f"Prop {index}", f"{prop}  {prop_name(context, prop)}", link=subject("prop", prop))
        for index, prop in enumerate(props["model"].tolist())
    )
    described = (
        parts,
        section("Behaviours", *behaviours),
        section("Map props", *placed),
        section("Materials of the terrain", *_materials(context, number, model)),
    )
    raw = member(context, Role.LAND_DATA, number)
    return f"Land data {number}", "land_data: one cell of terrain (map file)", described, raw


def _materials(context: Context, number: int, model: Model) -> Iterator[Fact]:
    """The materials with the textures that the land has on this map; names only if it is not on this map."""
    place = context.place
    cell = next((cell for cell in place.matrix_cells.values() if cell.land == number), None)
    if cell is None:
        return material_facts(model, None, (TERRAIN, 0))
    return material_facts(model, place.terrain_textures(cell).textures, (TERRAIN, place.terrain_set(cell).value))


DESCRIBERS: Final[Describers] = {"tile": describe_tile, "plate": describe_plate, "land": describe_land}
