"""The sentences about sources: one for every rule."""

from __future__ import annotations

import pytest

from formats.field.height_plates import HeightReason
from mapexplorer.games import Role
from mapexplorer.world.models.textures import Unresolved
from mapexplorer.world.sources.provenance import ARM9, RETAIL, Facts, ProgramTable, Provenance, Resolved, SourceRule
from mapexplorer.world.terrain.terrain import TerrainHeight
from mapexplorer.world.wording import height_reason, source, unresolved_names


def area(rule: SourceRule, **facts: object) -> Resolved[int]:
    return Resolved(7, Provenance(Role.AREA_DATA, rule, 7, facts=Facts(**facts)))  # type: ignore[arg-type]


BOX = {"prop_set": 1, "prop": 2, "index": 3, "land": 4}
SENTENCES = {
    "area 7 because header 411 names it": area(SourceRule.HEADER_NAMES, header=411).why,
    "weather 3 because header 5 names it": Provenance(None, SourceRule.HEADER_NAMES, 3, facts=Facts(header=5)),
    "mapname[5] because it is the entry of header 5": Provenance(
        Role.MAP_NAMES, SourceRule.ENTRY_OF_HEADER, 5, facts=Facts(header=5)
    ),
    "map_matrix[240] because it was chosen": Provenance(Role.MAP_MATRIX, SourceRule.CHOSEN, 240),
    "area 7 because it was entered": area(SourceRule.ENTERED).why,
    "area 7 because header 9 of the nearest named cell (3, 27) names it; the cell itself is filler": area(
        SourceRule.NEAREST_CELL, header=9, cell=(3, 27)
    ).why,
    "map_tex_set[6] because area 7 of header 411": Provenance(
        Role.TERRAIN_TEXTURES, SourceRule.AREA_NAMES, 6, facts=Facts(area=area(SourceRule.HEADER_NAMES, header=411))
    ),
    "areabm_texset[6] because area 7 was chosen": Provenance(
        Role.PROP_TEXTURES, SourceRule.AREA_NAMES, 6, facts=Facts(area=area(SourceRule.CHOSEN))
    ),
    "arealight[1] because area 7 because header 9 of the nearest named cell (3, 27) names it; "
    "the cell itself is filler": Provenance(
        Role.AREA_LIGHT,
        SourceRule.AREA_NAMES,
        1,
        facts=Facts(area=area(SourceRule.NEAREST_CELL, header=9, cell=(3, 27))),
    ),
    "land_data[0] because cell (3, 27) of map_matrix[0]": Provenance(
        Role.LAND_DATA, SourceRule.CELL_OF_MATRIX, 0, facts=Facts(cell=(3, 27), matrix=0)
    ),
    "build_model[5] because prop 1 of land_data[0] names it": Provenance(
        Role.BUILD_MODEL, SourceRule.PROP_OF_LAND, 5, facts=Facts(index=1, land=0)
    ),
    "build_model[0], the dummy box, because area_build[1] does not list model 2 of prop 3 of land_data[4] "
    "(area 7 was entered)": Provenance(
        Role.BUILD_MODEL, SourceRule.DUMMY_BOX, 0, facts=Facts(**BOX, area=area(SourceRule.ENTERED))
    ),
    "build_model[475] because the great marsh of header 504 creates it at run time": Provenance(
        Role.BUILD_MODEL, SourceRule.FEATURE, 475, facts=Facts(feature="great marsh", header=504)
    ),
    "land_data[176] because code puts it on cell (23, 21) of map_matrix[0] while Spring Path is not known": Provenance(
        Role.LAND_DATA,
        SourceRule.PATCHED_CELL,
        176,
        facts=Facts(cell=(23, 21), matrix=0, location="Spring Path", known=False),
    ),
    "bm_anime[8] because slot 2 of bm_anime_list[30] names it": Provenance(
        Role.PROP_ANIMATIONS, SourceRule.SLOT_OF_LIST, 8, facts=Facts(slot=2, prop=30)
    ),
    "weather 5 because header 9 has weather 14, day 59 of the year's table": Provenance(
        None, SourceRule.YEARLY_WEATHER, 5, facts=Facts(header=9, weather=14, day=59)
    ),
    "weather 0 because the program lacks the table of the year's weather": Provenance(
        None, SourceRule.NO_YEARLY_WEATHER, 0
    ),
    "a/headers.narc because it was named as the place of the headers": Provenance(
        "a/headers.narc", SourceRule.NAMED_ARCHIVE
    ),
    "a/headers.narc because the program reads headers from there, by its routine at 0x3A024 in ARM9": Provenance(
        "a/headers.narc", SourceRule.HEADER_ROUTINE, facts=Facts(routine=0x3A024)
    ),
    "a/headers.narc because the program has no table of headers, and every member is within the limits": Provenance(
        "a/headers.narc", SourceRule.ARCHIVE_FITS
    ),
    "arm9 at 0xE601C because the only place in the program where every record is within the limits": Provenance(
        ARM9, SourceRule.ONLY_FIT, offset=0xE601C
    ),
    "arm9 at 0x10 because the published offset, one of 2 places where every record fits": Provenance(
        ARM9, SourceRule.PUBLISHED_OFFSET, offset=16, facts=Facts(places=2)
    ),
    "arm9 at 0x10 because 99.8% of the records there are within the limits": Provenance(
        ARM9, SourceRule.MOSTLY_FITS, offset=16, facts=Facts(share=0.998)
    ),
    "overlay 5 at 0x2BC34 because its object graphics table is there": Provenance(
        "overlay 5", SourceRule.TABLE_FOUND, offset=0x2BC34, facts=Facts(table=ProgramTable.OBJECT_GRAPHICS)
    ),
    "overlay 9 at 0x10 because a longer copy of the table of object graphics is in code that a hack added": Provenance(
        "overlay 9", SourceRule.EXPANDED_TABLE, offset=16, facts=Facts(table=ProgramTable.OBJECT_GRAPHICS)
    ),
    "camera.c because the program's table of cameras is made of it": Provenance(
        "camera.c", SourceRule.STATED, facts=Facts(table=ProgramTable.CAMERAS)
    ),
    "the retail game's cameras because overlay 5 holds no camera table": Provenance(
        RETAIL, SourceRule.NO_TABLE, facts=Facts(table=ProgramTable.CAMERAS, overlay=5)
    ),
    "the retail game's object graphics because the ROM has no overlay 5": Provenance(
        RETAIL, SourceRule.NO_OVERLAY, facts=Facts(table=ProgramTable.OBJECT_GRAPHICS, overlay=5)
    ),
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_source_as_a_sentence(sentence: str) -> None:
    assert source(SENTENCES[sentence]) == sentence


def test_every_rule_is_among_them() -> None:
    assert {why.rule for why in SENTENCES.values()} == set(SourceRule)


def test_what_a_white_material_lacks() -> None:
    lacks = {
        ("grass", None): "texture 'grass'",
        (None, "pal"): "palette 'pal'",
        (None, None): "a palette and names none",
    }
    lacks["grass", "pal"] = "texture 'grass' and palette 'pal'"
    for names, words in lacks.items():
        assert unresolved_names(Unresolved("mat", *names)) == f"material 'mat' lacks {words}"


@pytest.mark.parametrize(
    ("reason", "candidates", "sentence"),
    [
        (HeightReason.NO_LAND, 0, "there is no land here; the game returns 0"),
        (HeightReason.NO_PLATE, 0, "no plate of land 12 contains this point; the game returns 0"),
        (HeightReason.ONLY_PLATE, 1, "the only plate of strip 3 here"),
        (HeightReason.NEAREST_PLATE, 2, "the nearest to height 50.5 of 2 plates of strip 3 here"),
    ],
)
def test_why_a_height_is_what_it_is(reason: HeightReason, candidates: int, sentence: str) -> None:
    plates = tuple((plate, 1.0) for plate in range(candidates))
    answer = TerrainHeight(1.0, 4096, 0, 3, plates, (0, 0), 12, 50 * 4096 + 2048, reason)
    assert height_reason(answer) == sentence
