"""Warps lead somewhere and back, names are found, people have pictures."""

from __future__ import annotations

from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world import FieldWorld


def test_every_warp_leads_to_a_warp_that_leads_back(demo_world: FieldWorld) -> None:
    counted = 0
    for header in demo_world.headers[2:]:
        events = demo_world.events(header.id)
        assert events is not None
        for number, warp in enumerate(events.warps):
            target = demo_world.warp_target(header.id, number)
            assert target is not None
            there = demo_world.events(target[0])
            assert there is not None
            back = there.warps[int(warp["warp"])]
            assert int(back["header"]) == header.id
            home = events.warps[int(back["warp"])]
            assert abs(int(home["x"]) - int(warp["x"])) <= 1 and home["z"] == warp["z"]
            counted += 1
    assert counted == 14


def test_warps_lie_on_tiles_that_warp(demo_world: FieldWorld) -> None:
    known = {0x62, 0x63, 0x64, 0x65, 0x67, 0x69, 0x6C, 0x6D, 0x6E, 0x6F}
    for header in demo_world.headers[2:]:
        events = demo_world.events(header.id)
        assert events is not None
        cells = demo_world.place(header.id).matrix_cells
        for warp in events.warps:
            x, z = int(warp["x"]), int(warp["z"])
            word = demo_world.land_sections(cells[x // 32, z // 32].land).read_attributes()[z % 32, x % 32]
            assert int(word) & 0xFF in known, (header.id, x, z)


def test_people_stand_on_free_tiles_at_the_ground_s_height(demo_world: FieldWorld) -> None:
    counted = 0
    for header in demo_world.headers[2:]:
        events = demo_world.events(header.id)
        assert events is not None
        cells = demo_world.place(header.id).matrix_cells
        for person in events.objects:
            graphics = int(person["graphics"])
            assert graphics in demo_world.object_graphics.value or graphics in PLATINUM.tables.sign_models
            x, z = int(person["x"]), int(person["z"])
            cell = cells[x // 32, z // 32]
            assert cell.header == header.id
            land = demo_world.land(cell.land)
            if graphics not in PLATINUM.tables.sign_models:
                assert not land.attributes[z % 32, x % 32] & 0x8000, (header.id, x, z)
            here = (((16 * x + 8) * 4096 - cell.centre[0]), ((16 * z + 8) * 4096 - cell.centre[2]))
            _, plates = land.bdhc.candidates(*here)
            assert int(person["y"]) in [height for _, height in plates], (header.id, x, z)
            counted += 1
    assert counted == 17


def test_places_are_found_by_name(demo_world: FieldWorld) -> None:
    assert demo_world.place("Millbrook").header.internal_name == "T01"
    assert demo_world.place("Mirror Lake").header.id == 5
    assert {header.location_name for header in demo_world.headers[2:]} == {
        "Millbrook",
        "Mirror Lake",
        "Windmill Hill",
        "Fernwood Edge",
        "Hollow Rock",
        "Frost Chamber",
    }


def test_every_material_finds_its_texture(demo_world: FieldWorld) -> None:
    from mapexplorer.g3d.binding import bind

    counted = 0
    for header in demo_world.headers[2:]:
        place = demo_world.place(header.id)
        terrain, props = place.terrain_textures().textures, place.prop_textures().textures
        for cell in place.cells:
            bindings = [bind(demo_world.land(cell.land).model.models[0], terrain)]
            for prop in place.props(cell):
                assert not prop.substituted
                bindings.append(bind(demo_world.prop_model(prop.model).models[0], props))
                counted += 1
            assert not any(binding.missing_textures or binding.missing_palettes for binding in bindings)
    assert counted > 100


def test_texture_sets_fit_the_video_memory(demo_world: FieldWorld) -> None:
    for header in demo_world.headers[2:]:
        place = demo_world.place(header.id)
        sets = (place.terrain_textures().textures.layout, place.prop_textures().textures.layout)
        assert sum(len(part.images) + len(part.compressed) + len(part.indices) for part in sets) <= 0x40000
        assert sum(len(part.palettes) for part in sets) <= 0x10000
