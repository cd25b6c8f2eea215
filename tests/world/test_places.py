"""Which header a name means, which cells it owns, and which area dresses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from formats import FormatError
from formats.field import AreaLight, PropAnimations
from formats.field.map_matrix import EMPTY_CELL
from formats.nitro.nsbca import Nsbca
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.errors import PlaceError
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom, build_archive
from mapexplorer.world import FieldWorld, Header, find_header
from mapexplorer.world.models.textures import report as texture_report
from mapexplorer.world.models.textures import unresolved
from mapexplorer.world.wording import source, texture_remarks

path_of = PLATINUM.path


def test_headers(real: FieldWorld) -> None:
    assert len(real.headers) == 593
    assert real.notes == []
    town = real.headers[411]
    assert (town.id, town.internal_name, town.location_name, town.kind) == (411, "T01", "Twinleaf Town", "town or city")
    assert (town.area, town.matrix, town.label_text, town.label_window) == (6, 0, 1, 2)
    assert Counter(header.map_type for header in real.headers) == {0: 1, 1: 20, 2: 71, 3: 166, 4: 334, 6: 1}
    assert len({header.matrix for header in real.headers}) == 270


@pytest.mark.parametrize(
    "key",
    [
        411,
        np.uint16(411),
        "411",
        "#411",
        "T01",
        "t01",
        "Twinleaf Town",
        " twinleaf town ",
        "twinleaf",
        "TWINLEAF_TOWN",
        "MAP_HEADER_TWINLEAF_TOWN",
        "map:T01",
        "header: 411",
        "# 411",
    ],
)
def test_every_way_to_name_a_place(real: FieldWorld, key: int | str) -> None:
    assert real.place(key).header.id == 411


def test_location_names(real: FieldWorld) -> None:
    by_name: dict[str, list[Header]] = {}
    for header in real.headers:
        by_name.setdefault(header.location_name, []).append(header)
    found = Counter[str]()
    for name, headers in by_name.items():
        try:
            header = find_header(real.headers, name)
        except PlaceError as error:
            found["ambiguous"] += 1
            assert list(error.candidates) == sorted(headers, key=lambda header: header.order)
        else:
            found["one" if len(headers) == 1 else "outdoors"] += 1
            assert header in headers
            assert len(headers) == 1 or header.map_type in (1, 2)
    assert found == {"one": 45, "outdoors": 43, "ambiguous": 37}


def test_an_ambiguous_name_lists_its_candidates(real: FieldWorld) -> None:
    with pytest.raises(PlaceError, match="'Route 205' could mean any of 3 maps") as caught:
        real.place("Route 205")
    assert [str(one) for one in caught.value.candidates] == [
        "347 R205A Route 205, South (outdoors)",
        "349 R205B Route 205, North (outdoors)",
        "348 R205AR0101 Route 205, House (indoors)",
    ]


@pytest.mark.parametrize(
    ("key", "internal_name"),
    [
        ("jubilife city poke center 1f", "C01PC0101"),
        ("CANALAVE_CITY_POKECENTER_1F", "C02PC0101"),
        ("galactic hq b1f", "D26R0105"),
        ("Sandgem", "T02"),
        ("b1f galactic", "D26R0105"),
        ("Snowpoint Gym", "C09GYM0101"),
        ("jubilife mart", "C01FS0101"),
    ],
)
def test_the_words_of_a_name(real: FieldWorld, key: str, internal_name: str) -> None:
    assert real.place(key).header.internal_name == internal_name


def test_a_number_in_a_name_is_never_taken_for_another(real: FieldWorld) -> None:
    with pytest.raises(PlaceError, match="did you mean") as caught:
        real.place("C01PC0109")
    assert real.headers[6] in caught.value.candidates


def test_all_maps_of_a_retail_rom_have_a_symbolic_name(real: FieldWorld) -> None:
    names = {header.symbolic_name: header.internal_name for header in real.headers}
    assert len(names) == 593 and "" not in names
    assert names["JUBILIFE_CITY_POKECENTER_1F"] == "C01PC0101"
    ending = "_POKECENTER_1F"
    centres = {name.removesuffix(ending): one for name, one in names.items() if name.endswith(f"CITY{ending}")}
    assert len(centres) > 5 and all(one == f"{names[city]}PC0101" for city, one in centres.items())


def test_a_rom_with_another_code_has_no_symbolic_names() -> None:
    assert {header.symbolic_name for header in FieldWorld.open("demo").headers} == {""}


@pytest.mark.parametrize("key", [593, -1, "9999"])
def test_ids_outside_the_table(real: FieldWorld, key: int | str) -> None:
    with pytest.raises(PlaceError, match="this ROM has 593, from 0 to 592"):
        real.place(key)


def test_nothing_like_it(real: FieldWorld) -> None:
    with pytest.raises(PlaceError, match=r"no place called 'qqqqqq'\.") as caught:
        real.place("qqqqqq")
    assert caught.value.candidates == ()


def test_accents_do_not_matter(tiny_rom: Callable[..., Rom]) -> None:
    world = FieldWorld(tiny_rom())
    assert world.place("cafe hill").header.id == 4
    assert world.place("Quiet Path").header.id == 2
    assert world.place("r901r0101").header.location_name == "Quiet Path"


def test_matrices(real: FieldWorld) -> None:
    matrices = [real.matrix(index) for index in range(289)]
    assert sum(matrix.width != matrix.height for matrix in matrices) == 29
    assert [index for index, matrix in enumerate(matrices) if matrix.headers is not None] == [0, 240]
    lands = {int(land) for matrix in matrices for land in np.unique(matrix.land)} - {EMPTY_CELL}
    assert len(lands) == 656
    assert sum(int((matrix.land == EMPTY_CELL).sum()) for matrix in matrices) == 432


def test_seventeen_headers_own_no_cell(real: FieldWorld) -> None:
    without = [header.id for header in real.headers if not real.place(header.id).cells]
    assert without == [1, 206, 222, 224, 243, 252, 266, 276, 277, 401, 402, 404, 405, 408, 409, 470, 473]


def test_twinleaf_town(real: FieldWorld) -> None:
    place = real.place(411)
    (cell,) = place.cells
    assert (cell.x, cell.z, cell.land, cell.altitude, cell.filler) == (3, 27, 0, 0, False)
    assert cell.centre == ((512 * 3 + 256) * 4096, 0, (512 * 27 + 256) * 4096)
    assert source(cell.why) == "land_data[0] because cell (3, 27) of map_matrix[0]"
    assert source(place.terrain_set().why) == "map_tex_set[6] because area 6 of header 411"
    assert source(place.prop_set(cell).why) == "areabm_texset[0] because area 6 of header 411"
    assert source(place.light_set().why) == "arealight[0] because area 6 of header 411"
    assert place.outdoor_light
    assert place.camera.name == "default"
    events = place.events
    assert events is not None
    assert [len(part) for part in (events.background, events.objects, events.warps, events.triggers)] == [1, 8, 4, 2]
    assert events.warps[1].tolist()[:2] == (116, 885)
    assert real.warp_target(411, 1) == (414, 6, 10)
    assert real.warp_target(414, 0) == (411, 116, 885)


def test_filler_borrows_the_area_of_the_nearest_named_cell(real: FieldWorld) -> None:
    cells = real.cells(0, 411)
    filler = [cell for cell in cells.values() if cell.filler]
    named = [cell for cell in cells.values() if not cell.filler]
    assert (len(filler), len(named)) == (299, 169)
    assert {cell.land for cell in cells.values() if cell.altitude} <= set(range(173, 180))
    assert {cell.header for cell in named if cell.altitude} == {341}
    altitudes = [real.matrix(index).altitudes for index in (0, 240)]
    assert sum(int((grid != 0).sum()) for grid in altitudes if grid is not None) == 313
    for cell in filler:
        near = min((other.x - cell.x) ** 2 + (other.z - cell.z) ** 2 for other in named)
        header = cell.area.why.facts.header
        at = [other for other in named if other.header == header and other.area.value == cell.area.value]
        assert near == min((other.x - cell.x) ** 2 + (other.z - cell.z) ** 2 for other in at)


def test_textures_resolve_as_the_game_resolves_them(real: FieldWorld) -> None:
    cells = Counter[str]()
    elsewhere, white_lands = Counter[bool](), set()
    placements = 0
    dummies = []
    for header in real.headers:
        place = real.place(header.id)
        report = texture_report(place)
        assert report.props_white == 0
        assert bool(texture_remarks(report)) == bool(report.cells_white or report.dummy_boxes)
        for part in report.terrain:
            if header.matrix == 0:
                assert not part.white
                cells["filler" if part.of.filler else "named"] += 1
        if header.matrix != 0:
            # Every cell of the matrix that is not filler, for each header that enters it.
            for cell in place.matrix_cells.values():
                if not cell.filler:
                    textures = real.terrain_textures(place.terrain_set().value).textures
                    white = bool(unresolved(real.land(cell.land).model.models[0], textures))
                    elsewhere[white] += 1
                    if white:
                        white_lands.add(header.id)
        if header.id:
            placements += len(report.props)
            dummies += [(header.id, part.of.stored) for part in report.props if part.of.substituted]
    assert cells == {"named": 169, "filler": 299}
    assert elsewhere == {False: 919, True: 18}
    assert {250, 255, 324, 325, 570, 578} <= white_lands
    assert placements == 5381
    assert dummies == [(250, 262), (255, 26), (255, 38), (255, 438), (382, 44)]


def test_filler_with_its_own_area_would_lack_textures(real: FieldWorld) -> None:
    own = real.terrain_textures(real.area(real.headers[0].area).terrain_set).textures
    cells = real.place(0).cells
    assert len(cells) == 299
    assert sum(not unresolved(real.land(cell.land).model.models[0], own) for cell in cells) == 161


def test_chosen_matrix_and_area(real: FieldWorld) -> None:
    place = real.place(411, area=7)
    assert source(place.terrain_set(place.cells[0]).why).endswith("because area 7 was chosen")
    other = real.place(411, matrix=240)
    assert source(other.matrix_id.why) == "map_matrix[240] because it was chosen"
    assert len(other.cells) == 20


def test_the_tiny_world(tiny_rom: Callable[..., Rom]) -> None:
    world = FieldWorld(tiny_rom())
    assert [cell.land for cell in world.place(2).cells] == [0]
    assert [(cell.x, cell.z) for cell in world.place(4).cells] == [(0, 0), (0, 1)]
    assert world.place(1).cells == ()
    cells = world.cells(0, 2)
    assert [(cell.header, cell.area.value, cell.filler) for cell in cells.values()] == [
        (0, 1, True),
        (0, 1, True),
        (2, 1, False),
    ]
    assert cells[0, 0].centre == (256 * 4096, 24 * 4096, 256 * 4096)
    assert (3, 0) not in cells
    assert world.warp_target(3, 0) == (3, 3, 3)
    assert [world.warp_target(3, warp) for warp in (1, 3, -1)] == [None, None, None]


def test_dummy_boxes_and_both_ways_to_choose_the_area(tiny_rom: Callable[..., Rom]) -> None:
    world = FieldWorld(tiny_rom())
    place = world.place("R901")
    (cell,) = place.cells
    first, second = place.props(cell)
    assert (first.model, first.stored, first.substituted) == (1, 1, False)
    assert first.position == ((1024 + 256 + 10) * 4096, 0, (256 - 20) * 4096)
    assert (second.model, second.stored, second.substituted) == (0, 2, True)
    assert "area_build[1] does not list model 2 of prop 1 of land_data[0]" in source(second.why)
    entered = place.props(cell, area=0)
    assert [placement.substituted for placement in entered] == [True, True]
    assert "area 0 was entered" in source(entered[0].why)
    report = texture_report(place)
    assert (report.cells_resolved, report.cells_white, report.dummy_boxes, report.props_white) == (1, 0, 1, 0)
    inside = texture_report(world.place("T90"))
    assert (inside.cells_resolved, inside.cells_white) == (1, 1)
    assert "material 'mat' lacks texture 'grass' and palette 'grass' in map_tex_set[0]" in texture_remarks(inside)[0]


def test_well_formed_files_with_nothing_in_them_are_named(tiny_rom: Callable[..., Rom]) -> None:
    light = build_archive([AreaLight((), False).to_bytes()])
    models = build_archive([Nsbmd((), None).to_bytes()])
    animations = build_archive([Nsbca(()).to_bytes()])
    world = FieldWorld(
        tiny_rom(
            {
                path_of(Role.AREA_LIGHT): light,
                path_of(Role.BUILD_MODEL): models,
                path_of(Role.PROP_ANIMATIONS): animations,
            }
        )
    )
    for read, sentence in (
        (world.light_set, r"^arealight.narc\[0\]: .*expected a light block"),
        (world.prop_model, r"^build_model.narc\[0\]: .*expected a model"),
        (world.animation, r"^bm_anime.narc\[0\]: .*expected an animation"),
    ):
        with pytest.raises(FormatError, match=sentence):
            read(0)


def test_a_cell_of_a_header_that_does_not_exist_is_filler(tiny_rom: Callable[..., Rom]) -> None:
    matrix = FieldWorld(tiny_rom()).matrix(0)
    assert matrix.headers is not None
    headers = matrix.headers.copy()
    headers[matrix.land != EMPTY_CELL] = 60000
    changed = replace(matrix, headers=headers).to_bytes()
    world = FieldWorld(tiny_rom({path_of(Role.MAP_MATRIX): build_archive([changed] * 2)}))
    cells = world.place(2).matrix_cells.values()
    assert cells and all(cell.header == 0 and cell.filler for cell in cells)
    assert world.events(60000) is None


@pytest.mark.parametrize("absent", [path_of(Role.PROP_ANIMATION_LIST), path_of(Role.PROP_ANIMATIONS)])
def test_props_stand_still_without_the_list_or_the_animations(tiny_rom: Callable[..., Rom], absent: str) -> None:
    entry = PropAnimations(1, 0, 0, 0, (0, -1, -1, -1)).to_bytes()
    files: dict[str, bytes | None] = {
        path_of(Role.PROP_ANIMATION_LIST): build_archive([entry] * 3),
        path_of(Role.PROP_ANIMATIONS): build_archive([b"anything"]),
    }
    assert FieldWorld(tiny_rom(files)).prop_animations(1) is not None
    assert FieldWorld(tiny_rom(files | {absent: None})).prop_animations(1) is None


def test_what_may_be_absent_is(tiny_rom: Callable[..., Rom]) -> None:
    world = FieldWorld(
        tiny_rom(
            {
                path_of(Role.MESSAGES): None,
                path_of(Role.ZONE_EVENT): None,
                path_of(Role.PROP_ANIMATION_LIST): None,
            }
        )
    )
    assert [header.location_name for header in world.headers] == [""] * 5
    assert world.notes == ["The ROM has no texts (msgdata/pl_msg.narc), so places have internal names only."]
    place = world.place("T90")
    assert place.header.title == "T90"
    assert place.events is None
    assert place.messages is None
    assert world.warp_target(3, 0) is None
    assert world.prop_animations(1) is None
    assert world.draw_lists is None
    assert world.terrain_animations is None
    assert world.weather(place.header).value == 0
    assert "lacks the table" in source(world.weather(place.header).why)
    assert len(texture_report(place).terrain) == 2
