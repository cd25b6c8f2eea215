"""Text and JSON of facts and sources."""

from __future__ import annotations

import json

from formats.field.height_plates import HeightReason
from mapexplorer import World
from mapexplorer.games import Role
from mapexplorer.inspector.facts import Description, Fact, Section
from mapexplorer.inspector.output import description_json, source_json, text_lines
from mapexplorer.world.models.textures import Unresolved
from mapexplorer.world.sources.provenance import Facts, ProgramTable, Provenance, Resolved, SourceRule
from mapexplorer.world.subject import subject
from mapexplorer.world.terrain.terrain import TerrainHeight

AREA = Resolved(7, Provenance(Role.AREA_DATA, SourceRule.HEADER_NAMES, 7, facts=Facts(header=411)))
SET = Provenance(Role.TERRAIN_TEXTURES, SourceRule.AREA_NAMES, 3, facts=Facts(area=AREA))
NO_LAND = TerrainHeight(0.0, 0, None, None, (), (1, 2), None, 0, HeightReason.NO_LAND)
LACKS = Unresolved("mat", "grass", None)
MADE = Description(
    subject("area", 7),
    "Area 7",
    "area_data",
    (
        Section("Sets", (Fact("Textures", "3", "map_tex_set", SET, subject("terrain set", 3)), Fact("", "a remark"))),
        Section("Height", (Fact("Height", "0 units", "", NO_LAND), Fact("mat", "grass", "", LACKS))),
    ),
)


def test_sources_as_json() -> None:
    assert source_json(SET) == {
        "archive": Role.TERRAIN_TEXTURES,
        "member": 3,
        "rule": "area_names",
        "area": {"value": 7, "archive": Role.AREA_DATA, "member": 7, "rule": "header_names", "header": 411},
    }
    table = Provenance("overlay 5", SourceRule.TABLE_FOUND, offset=16, facts=Facts(table=ProgramTable.CAMERAS))
    assert source_json(table) == {"archive": "overlay 5", "offset": 16, "rule": "table_found", "table": "cameras"}
    cell = Provenance(Role.LAND_DATA, SourceRule.CELL_OF_MATRIX, 0, facts=Facts(matrix=0, cell=(3, 27)))
    assert source_json(cell)["cell"] == [3, 27]


def test_a_description_as_text() -> None:
    assert text_lines(MADE) == [
        "Area 7",
        "area_data",
        "",
        "Sets",
        "  Textures: 3 (map_tex_set)  [map_tex_set[3] because area 7 of header 411]",
        "  a remark",
        "",
        "Height",
        "  Height: 0 units  [there is no land here; the game returns 0]",
        "  mat: grass  [white in the game: material 'mat' lacks texture 'grass']",
    ]


def test_a_description_as_json() -> None:
    made = json.loads(json.dumps(description_json(MADE)))
    assert (made["kind"], made["key"], made["title"], made["subtitle"]) == ("area", [7], "Area 7", "area_data")
    first, second = made["sections"]
    assert first["facts"][0] == {
        "name": "Textures",
        "value": "3",
        "meaning": "map_tex_set",
        "why": "map_tex_set[3] because area 7 of header 411",
        "source": source_json(SET),
        "link": "terrain-set:3",
    }
    assert first["facts"][1] == {"value": "a remark"}
    assert second["title"] == "Height" and "source" not in second["facts"][0]
    assert second["facts"][1] == {
        "name": "mat",
        "value": "grass",
        "why": "white in the game: material 'mat' lacks texture 'grass'",
        "lacks": {"material": "mat", "texture": "grass", "palette": None},
    }


def test_a_pixel_in_words() -> None:
    world = World("demo")
    header = next(header.id for header in world.headers if header.map_type == 1 and world.place(header.id).cells)
    first, *rest = world.place(header).scene().explain(128, 96)
    assert first.startswith("pixel (128, 96): red ")
    assert any(line.startswith("polygon ") for line in rest) and any("  drawn as " in line for line in rest)
