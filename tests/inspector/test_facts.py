"""What the inspector says: every kind of subject, its links, its bytes, its provenance."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from formats.field.bdhc import Bdhc
from formats.field.zone_event import ZoneEvents
from mapexplorer.games import Role
from mapexplorer.gui.widgets.rich_text import rich_text
from mapexplorer.inspector.describe import DESCRIBERS, describe
from mapexplorer.inspector.facts import Description
from mapexplorer.inspector.output import description_json, text_lines
from mapexplorer.inspector.places.heights import ask, report, slope_words
from mapexplorer.inspector.places.map_events import find_events
from mapexplorer.inspector.raw_bytes import RawBytes
from mapexplorer.world.save import fresh_save
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.world import FieldWorld

KINDS = set(DESCRIBERS)
"""The kinds of things with facts of their own."""

NOT_IN_THE_DEMO = {
    "trigger",
    "terrain animation",
    "prop animation",
    "weather",
    "messages",
    "encounters",
    "trainer",
    "species",
    "item",
    "text",
    "variable",
    "move",
    "shop",
    "trade",
    "rom",  # no link leads to it
}

COLORS: Any = SimpleNamespace(muted="#000", accent="#111", border="#222", changed="#333")


@pytest.fixture(scope="module")
def demo_world() -> FieldWorld:
    return FieldWorld.open("demo")


def town_of(world: FieldWorld) -> int:
    return next(header.id for header in world.headers if header.map_type == 1 and world.place(header.id).cells)


def reachable(world: FieldWorld, header: int, limit: int) -> dict[Subject, Description]:
    """Descriptions of everything that links lead to from a header."""
    found: dict[Subject, Description] = {}
    pending = [subject("header", header)]
    place = world.place(header)
    cell = place.cells[0]
    pending.append(subject("plate", cell.matrix, cell.x, cell.z, 0))
    while pending and len(found) < limit:
        chosen = pending.pop(0)
        if chosen in found:
            continue
        if chosen.kind == "plate" and (chosen.key[1], chosen.key[2]) not in place.matrix_cells:
            continue
        found[chosen] = made = describe(world, header, chosen)
        pending += [fact.link for section in made.sections for fact in section.rows if fact.link is not None]
    return found


def check(found: dict[Subject, Description]) -> None:
    for chosen, made in found.items():
        assert made.subject == chosen and made.title and made.sections, chosen
        assert text_lines(made)[0] == made.title
        assert description_json(made)["kind"] == chosen.kind.replace(" ", "_")
        assert "<a href" in rich_text(made, COLORS) or not any(
            fact.link for section in made.sections for fact in section.rows
        )
        assert made.raw is None or made.raw.data, chosen


def test_everything_that_links_lead_to_in_the_demo_world_is_described(demo_world: FieldWorld) -> None:
    found = reachable(demo_world, town_of(demo_world), 1000)
    check(found)
    kinds = {chosen.kind for chosen in found}
    assert kinds >= KINDS - NOT_IN_THE_DEMO, KINDS - kinds
    assert len(found) > 150


@pytest.mark.parametrize("most", [80, pytest.param(400, marks=pytest.mark.slow)])
def test_links_of_the_real_rom(rom_path: Path, most: int) -> None:
    world = FieldWorld.open(rom_path)
    found = reachable(world, 411, most)
    check(found)
    assert len(found) == most


def test_every_kind_of_record_shows_its_bytes(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    cell = world.place(411).cells[0]
    spot = (cell.matrix, cell.x, cell.z)
    wanted = {
        subject("header", 411): "area",
        subject("matrix", 0): "map header ids",
        subject("cell", *spot): "land data ids 813",
        subject("area", 6): "prop_set",
        subject("land", cell.land): "section sizes: bdhc",
        subject("plate", *spot, 0): "BDHC: plates 0: normal",
        subject("tile", cell.matrix, 105, 876): "attributes: tiles",
        subject("placed prop", *spot, 0): "model",
        subject("prop", 23): "magic",
        subject("prop set", 0): "models 0",
        subject("terrain set", 6): "magic",
        subject("texture", 1, 6, 3): "TEX0: images: texels of 'beach'",
        subject("texture", 0, 0, 3): "TEX0: images: texels of 'fsloof'",
        subject("light set", 0): "diffuse",
        subject("camera", 0): "distance",
        subject("object graphics", 12): "member",
        subject("messages", 554): "entry 0",
        subject("events", 390): "background: count",
        subject("preload list", 0): "records",
        subject("terrain animation", 0): "texture of animation 0",
        subject("prop animation", 7): "magic",
        subject("object", 411, 0): "graphics",
        subject("warp", 411, 0): "header",
        subject("sign", 411, 0): "facing",
        subject("trigger", 411, 0): "variable",
        subject("encounters", 140): "grass 11: species",
        subject("trainer", 1): "party_size",
        subject("species", 25): "base: speed",
        subject("item", 17): "party_use: hp_restored",
        subject("trade", 0): "species",
    }
    for chosen, name in wanted.items():
        raw = describe(world, 411, chosen).raw
        assert raw is not None, chosen
        assert any(name in field.name for field in raw.selected), chosen
        edges = [(field.offset, field.offset + field.size) for field in raw.fields]
        covered = accumulate((end for _, end in edges), max, initial=0)
        assert all(start <= end for (start, _), end in zip(edges, covered, strict=False)), chosen
        assert max(end for _, end in edges) == len(raw.data), chosen
    assert {chosen.kind for chosen in wanted} == KINDS - {
        "file",
        "weather",
        "script",
        "scripts",
        "flag",
        "variable",
        "text",
        "music",
        "move",
        "shop",
        "rom",
    }


def own_bytes(raw: RawBytes) -> bytes:
    """The bytes of the thing itself."""
    ranges = {(field.offset, field.size) for field in raw.selected}
    return b"".join(raw.data[offset : offset + size] for offset, size in sorted(ranges))


def test_the_bytes_of_records_in_the_program_and_of_textures_lie_where_they_are_said_to_be(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    overlay = world.rom.overlay(5)
    assert overlay is not None
    camera, graphics = world.camera_table.value[4], world.object_graphics.value[12]
    for chosen, values in (
        (subject("camera", 4), {"distance": camera.distance, "far": camera.far}),
        (subject("object graphics", 12), {"graphics": 12, "member": graphics}),
    ):
        raw = describe(world, 411, chosen).raw
        assert raw is not None and raw.data == overlay.data
        stored = {field.path[-1]: raw.data[field.offset :][: field.size] for field in raw.selected}
        assert {name: int.from_bytes(stored[name], "little", signed=True) for name in values} == values
    checked = 0
    for which, textures in ((0, world.prop_textures(0).textures), (1, world.terrain_textures(6).textures)):
        for index, texture in enumerate(textures.textures):
            raw = describe(world, 411, subject("texture", which, 0 if which == 0 else 6, index)).raw
            assert raw is not None and own_bytes(raw) == texture.texels, texture.name
            checked += 1
    assert checked > 60


def test_a_texture_names_its_users_on_this_map_and_elsewhere(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    textures = world.terrain_textures(6).textures
    beach = textures.texture_index("beach")
    assert beach is not None
    made = describe(world, 411, subject("texture", 1, 6, beach))
    titles = {section.title: section for section in made.sections}
    assert titles["Used on this map (0)"].rows[0].link is None
    users = titles["Used elsewhere (4)"].rows
    for fact in users:
        assert fact.link is not None and fact.link.kind == "land"
        model = world.land(fact.link.key[0]).model.models[0]
        assert "beach" in [model.texture_name(index) for index in range(len(model.materials))]
        back = describe(world, 411, fact.link)
        assert any(section.title == "Materials of the terrain" for section in back.sections)
    land = describe(world, 411, subject("land", world.place(411).cells[0].land))
    materials = next(section for section in land.sections if section.title == "Materials of the terrain")
    links = [fact.link for fact in materials.rows]
    assert len(links) == 19 and all(link is not None and link.kind == "texture" for link in links)


def test_encounters_that_no_map_has_are_bytes_alone(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    used = {header.wild_encounters for header in world.headers}
    number = next(number for number in range(200) if number not in used)
    made = describe(world, 411, subject("encounters", number))
    assert made.subtitle == "pl_enc_data, on no map" and made.raw is not None and made.raw.fields
    assert find_events(world, 45, fresh_save(world.game)).damaged == ("script 45: its file has no such script",)


def test_scripts_lead_to_the_events_that_run_them_and_back(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    sign = describe(world, 411, subject("sign", 411, 0))
    script = next(fact for section in sign.sections for fact in section.rows if fact.name == "Script")
    assert script.link == subject("script", 411, 8201) and script.meaning == "hidden item 201: Odd Keystone"
    run_by = describe(world, 411, script.link).sections[1].rows
    assert [fact.link for fact in run_by] == [subject("sign", 411, 0)]
    own = describe(world, 411, subject("script", 411, 6))
    assert subject("scripts", 1052) in [fact.link for fact in own.sections[0].rows]
    file = describe(world, 411, subject("scripts", 1052))
    links = [fact.link for section in file.sections for fact in section.rows]
    assert subject("header", 411) in links and subject("script", 411, 6) in links
    header = describe(world, 411, subject("header", 411))
    assert subject("scripts", 1052) in [fact.link for section in header.sections for fact in section.rows]


def test_a_header_says_where_its_textures_come_from(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    words = "\n".join(text_lines(describe(world, 411, subject("header", 411))))
    assert "map_tex_set[6] because area 6 of header 411" in words
    assert "Twinleaf Town" in words


def test_the_bytes_of_a_header_are_those_of_the_program(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    raw = describe(world, 411, subject("header", 411)).raw
    assert raw is not None and raw.data == world.rom.arm9()
    start = raw.selected[0].offset
    assert raw.data[start : start + 24] == world.headers[411].record.to_bytes()
    assert [raw.is_own(offset) for offset in (start - 1, start, start + 23, start + 24)] == [False, True, True, False]
    values = {field.path[-1]: raw.data[field.offset :][: field.size] for field in raw.selected}
    assert int.from_bytes(values["events"], "little") == world.headers[411].events
    assert raw.field_at(start + 24).path[:2] == ("map headers", "header 412")


def test_the_bytes_of_events_and_plates_are_where_they_are_said_to_be(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    events = world.events(411)
    assert events is not None
    checked = 0
    for kind, records in (("object", events.objects), ("warp", events.warps), ("sign", events.background)):
        for index in range(len(records)):
            raw = describe(world, 411, subject(kind, 411, index)).raw
            assert raw is not None and raw.data == bytes(world.members(Role.ZONE_EVENT)[390])
            assert own_bytes(raw) == records[index].tobytes()
            checked += 1
    cell = world.place(411).cells[0]
    bdhc = world.place(411).terrain.bdhc(cell)
    raw = describe(world, 411, subject("plate", cell.matrix, cell.x, cell.z, 1)).raw
    assert raw is not None
    field = next(field for field in raw.selected if field.name == "BDHC: plates 1: normal")
    assert int.from_bytes(raw.data[field.offset :][:2], "little") == int(bdhc.plates[1]["normal"])
    assert raw.field_at(field.offset + 1) == field
    assert checked == 13


def test_fields_say_what_their_values_mean_and_what_is_computed(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)

    def said(chosen: Subject, name: str) -> tuple[str, str, str]:
        raw = describe(world, 411, chosen).raw
        assert raw is not None
        field = next(field for field in raw.fields if field.name == name)
        return field.text, raw.meaning(field), field.how

    assert said(subject("warp", 411, 0), "warps 0: header")[:2] == ("412", world.headers[412].title)
    assert said(subject("encounters", 140), "grass 0: species") == ("396", "STARLY", "U32")
    assert said(subject("trainer", 1), "own_moves") == ("False", "", "bits 0 to 0 of U8")
    assert said(subject("scripts", 1051), "command")[1] == "PlaySE"
    assert "computed" in said(subject("scripts", 1051), "entry 0")[2]
    text, _, how = said(subject("messages", 554), "text 3")
    bank = world.messages(554)
    assert bank is not None and text == bank[3] and how.startswith("computed")
    assert said(subject("prop", 0), "MDL0: dmybox00: SBC: not decoded")[0] == "00 00"


def test_a_damaged_file_shows_its_fields_up_to_the_damage() -> None:
    data = ZoneEvents.from_bytes(bytes(16)).to_bytes()[:-2]
    raw = RawBytes("events", data, ZoneEvents.from_bytes, lambda field: "")
    assert [field.name for field in raw.fields][-1] == "not decoded" and raw.field_at(13).size == 2


def test_the_movement_of_an_object_is_in_words(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    facts = {}
    for header in world.headers:
        events = world.events(header.id)
        for index, number in enumerate(() if events is None else events.objects["movement_type"].tolist()):
            if number not in facts:
                made = describe(world, header.id, subject("object", header.id, index))
                [facts[number]] = [
                    fact for section in made.sections for fact in section.rows if fact.name == "Movement"
                ]
    assert facts[0].meaning == "stands" and facts[6].meaning == "looks around at random: north, west"
    assert facts[37].meaning == "walks around: north, west, south, east"
    assert len({fact.meaning for fact in facts.values()}) > 35


def test_slopes_in_words() -> None:
    assert slope_words((0.0, 1.0, 0.0)) == "flat"
    half = 2**-0.5
    assert slope_words((-half, half, 0.0)) == "rises to the east by 16 units a tile (45.0°)"
    assert slope_words((0.0, half, half)) == "rises to the north by 16 units a tile (45.0°)"
    assert slope_words((1.0, 0.0, 0.0)).startswith("vertical")


def plane_height(bdhc: Bdhc, plate: int, x: float, z: float) -> float | None:
    """A plate's height at a point in units from the cell's centre, by floating-point arithmetic; None outside it."""
    record = bdhc.plates[plate]
    corners = [bdhc.points[record[name]] for name in ("first_point", "second_point")]
    for axis, value in (("x", x), ("z", z)):
        low, high = sorted(int(corner[axis]) / 4096 for corner in corners)
        if not low <= value <= high:
            return None
    nx, ny, nz = (int(bdhc.normals[record["normal"]][axis]) / 4096 for axis in "xyz")
    return -(nx * x + nz * z + int(bdhc.constants[record["constant"]]) / 4096) / ny


def test_heights_are_those_of_the_planes(demo_world: FieldWorld) -> None:
    """The candidates and the nearest of them, against a search through all plates with floats."""
    place = demo_world.place(town_of(demo_world))
    cell = place.cells[0]
    bdhc = place.terrain.bdhc(cell)
    rng = np.random.default_rng(7)
    won = 0
    for x, z, near in rng.uniform((-255, -255, -32), (255, 255, 64), (300, 3)).tolist():
        x, z = round(x * 4096) / 4096, round(z * 4096) / 4096
        facts = ask(place, x + cell.x * 512 + 256, z + cell.z * 512 + 256, near)
        heights = {plate: plane_height(bdhc, plate, x, z) for plate in range(len(bdhc.plates))}
        expected = {plate: height for plate, height in heights.items() if height is not None}
        assert set(facts.plates) == set(expected)
        for plate, height in facts.answer.candidates:
            assert abs(height - expected[plate]) < 0.01
        winners = [plate for plate, _ in facts.answer.candidates if plate == facts.answer.plate]
        assert len(winners) == bool(expected)
        if expected:
            distance = min(abs(height - near) for height in expected.values())
            assert abs(abs(expected[winners[0]] - near) - distance) < 0.01
            assert facts.answer.height == dict(facts.answer.candidates)[winners[0]]
        won += len(winners)
    assert won > 200


def test_overlaps_and_holes_are_found() -> None:
    points = np.array(
        [(-256 * 4096, -256 * 4096), (0, 256 * 4096), (-64 * 4096, 0), (256 * 4096, 64 * 4096)], "<i4,<i4"
    )
    plates = np.array([(0, 1, 0, 0), (2, 3, 0, 0)], "<u2,<u2,<u2,<u2")
    from formats.field.bdhc import NORMAL, PLATE, POINT
    from formats.field.height_plates import Strip

    bdhc = Bdhc(
        points.view(POINT),
        np.array([(0, 4096, 0)], NORMAL),
        np.zeros(1, "<i4"),
        plates.view(PLATE),
        (Strip(256 * 4096, np.array([0], "<u2")),),
    )
    found = report(bdhc)
    assert found.overlaps == ((0, 1),) and found.lost == (1,)
    # The western half is covered (its eastern edge included), the second plate is in no strip.
    assert len(found.holes) == 16 * 32 and all(x >= 16 for x, _ in found.holes)
