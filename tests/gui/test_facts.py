"""What the inspector says: every kind of subject, its links, its bytes, its provenance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from formats.field.bdhc import Bdhc
from mapexplorer.api import World
from mapexplorer.gui.model.describe import KINDS, describe
from mapexplorer.gui.model.describe.ground import slope_words
from mapexplorer.gui.model.facts import Description
from mapexplorer.gui.model.heights import ask, plates_json, report
from mapexplorer.gui.model.subject import Subject, subject


@pytest.fixture(scope="module")
def demo_world() -> World:
    return World("demo")


def town_of(world: World) -> int:
    return next(header.id for header in world.headers if header.map_type == 1 and world.place(header.id).cells)


def reachable(world: World, header: int, limit: int) -> dict[Subject, Description]:
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
        pending += [fact.link for section in made.sections for fact in section.facts if fact.link is not None]
    return found


def check(found: dict[Subject, Description]) -> None:
    for chosen, made in found.items():
        assert made.subject == chosen and made.title and made.sections, chosen
        assert made.text().startswith(made.title)
        assert made.to_json()["kind"] == chosen.kind
        assert "<a href" in made.html("#000", "#111", "#222", "#333") or not any(
            fact.link for section in made.sections for fact in section.facts
        )
        if made.raw is not None:
            assert made.raw.data and all(0 <= span.start < len(made.raw.data) for span in made.raw.spans), chosen


def test_everything_that_links_lead_to_in_the_demo_world_is_described(demo_world: World) -> None:
    found = reachable(demo_world, town_of(demo_world), 1000)
    check(found)
    kinds = {chosen.kind for chosen in found}
    assert kinds >= KINDS - {"trigger", "terrain animation", "prop animation", "weather", "messages"}, KINDS - kinds
    assert len(found) > 150


def test_links_of_the_real_rom(rom_path: Path) -> None:
    world = World(str(rom_path))
    found = reachable(world, 411, 400)
    check(found)
    assert len(found) == 400


def test_a_header_says_where_its_textures_come_from(rom_path: Path) -> None:
    world = World(str(rom_path))
    text = describe(world, 411, subject("header", 411)).text()
    assert "map_tex_set[6] because area 6 of header 411" in text
    assert "Twinleaf Town" in text


def test_the_bytes_of_a_header_are_those_of_the_program(rom_path: Path) -> None:
    world = World(str(rom_path))
    raw = describe(world, 411, subject("header", 411)).raw
    assert raw is not None and len(raw.data) == 24
    assert raw.data == world.headers[411].to_bytes()
    values = {span.name: raw.data[span.start : span.start + span.length] for span in raw.spans}
    assert int.from_bytes(values["events"], "little") == world.headers[411].events


def test_the_bytes_of_events_and_plates_are_where_they_are_said_to_be(rom_path: Path) -> None:
    world = World(str(rom_path))
    events = world.events(411)
    assert events is not None
    checked = 0
    for kind, records in (("object", events.objects), ("warp", events.warps), ("sign", events.background)):
        for index in range(len(records)):
            raw = describe(world, 411, subject(kind, 411, index)).raw
            assert raw is not None and raw.data == records[index].tobytes()
            checked += 1
    cell = world.place(411).cells[0]
    bdhc = world.place(411).terrain.bdhc(cell)
    raw = describe(world, 411, subject("plate", cell.matrix, cell.x, cell.z, 1)).raw
    assert raw is not None and raw.data[:4] == b"BDHC"
    span = next(span for span in raw.spans if span.name == "plate 1: normal")
    assert int.from_bytes(raw.data[span.start : span.start + 2], "little") == int(bdhc.plates[1]["normal"])
    assert checked == 13


def test_slopes_in_words() -> None:
    assert slope_words((0.0, 1.0, 0.0)) == "flat"
    half = 2**-0.5
    assert slope_words((-half, half, 0.0)) == "rises to the east by 16 units a tile (45.0°)"
    assert slope_words((0.0, half, half)) == "rises to the north by 16 units a tile (45.0°)"
    assert slope_words((1.0, 0.0, 0.0)).startswith("vertical")


def test_the_laboratory_agrees_with_the_query(demo_world: World) -> None:
    place = demo_world.place(town_of(demo_world))
    cell = place.cells[0]
    rng = np.random.default_rng(7)
    asked = won = 0
    for x, z, near in rng.uniform((0, 0, -32), (512, 512, 64), (300, 3)).tolist():
        x, z = x + cell.x * 512, z + cell.z * 512
        answer = ask(place, x, z, near)
        truth = place.height(x, z, near)
        assert answer.height == truth.height
        winners = [candidate.plate for candidate in answer.candidates if candidate.wins]
        assert winners == ([truth.plate] if truth.found else [])
        asked += 1
        won += len(winners)
    assert asked == 300 and won > 200


def test_overlaps_and_holes_are_found() -> None:
    points = np.array(
        [(-256 * 4096, -256 * 4096), (0, 256 * 4096), (-64 * 4096, 0), (256 * 4096, 64 * 4096)], "<i4,<i4"
    )
    plates = np.array([(0, 1, 0, 0), (2, 3, 0, 0)], "<u2,<u2,<u2,<u2")
    from formats.field.bdhc import NORMAL, PLATE, POINT, Strip

    bdhc = Bdhc(
        points.view(POINT), np.array([(0, 4096, 0)], NORMAL), np.zeros(1, "<i4"), plates.view(PLATE),
        (Strip(256 * 4096, np.array([0], "<u2")),),
    )  # fmt: skip
    found = report(bdhc)
    assert found.overlaps == ((0, 1),) and found.lost == (1,)
    # The western half is covered (its eastern edge included), the second plate is in no strip.
    assert len(found.holes) == 16 * 32 and all(x >= 16 for x, _ in found.holes)


def test_plates_as_json_hold_their_planes(demo_world: World) -> None:
    place = demo_world.place(town_of(demo_world))
    value = plates_json(place, place.cells[0])
    assert len(value["plates"]) == len(place.terrain.bdhc(place.cells[0]).plates) > 0
    for plate in value["plates"]:
        assert plate["west"] < plate["east"] and plate["north"] < plate["south"]
