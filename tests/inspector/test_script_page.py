"""Scripts as the window shows them: the same words as on the command line, links, ways of movement lists."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from mapexplorer.gameplay.trainers import object_names
from mapexplorer.inspector.script.script_lines import PartRole, plain_text
from mapexplorer.inspector.script.script_listing import ask
from mapexplorer.inspector.script.script_page import read_page
from mapexplorer.inspector.script.script_text import script_text
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import Subject, subject


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld.open(rom_path)


def test_the_lines_are_those_of_the_command_line(real: FieldWorld) -> None:
    header = real.place("T02").header
    for chosen, name in (
        (subject("script", header.id, 3), "T02#3"),
        (subject("object", header.id, 0), "T02#4"),
        (subject("scripts", header.init_scripts), f"file:{header.init_scripts}"),
    ):
        page = read_page(real, header.id, chosen)
        assert page is not None
        assert "\n".join(plain_text(row.parts).rstrip() for row in page.rows) == script_text(real, *ask(real, name))


def test_links_lead_to_what_the_words_name(real: FieldWorld) -> None:
    header = real.place("T02").header.id
    page = read_page(real, header, subject("header", header))
    assert page is not None
    targets = {part.target for row in page.rows for part in row.parts if part.target is not None}
    kinds = {target.kind for target in targets if isinstance(target, Subject)}
    assert kinds >= {"text", "flag", "variable", "header", "script", "object", "trigger", "scripts", "music"}
    offsets = {row.offset for row in page.rows}
    jumps = {target for target in targets if isinstance(target, int)}
    assert len(jumps) > 10 and jumps <= offsets
    assert all(
        target.key[0] < 0x8000 for target in targets if isinstance(target, Subject) and target.kind == "variable"
    )
    messages = [part for row in page.rows for part in row.parts if part.role is PartRole.MESSAGE]
    bank = real.headers[header].message_bank
    assert messages and all(isinstance(one.target, Subject) and one.target.key[0] == bank for one in messages)


def test_code_that_no_entry_leads_to_is_dead(real: FieldWorld) -> None:
    header = real.place("T02").header.id
    page = read_page(real, header, subject("scripts", 404))
    assert page is not None
    dead = [row for row in page.rows if row.dead and row.offset is not None]
    listing = page.facts.listing  # type: ignore[union-attr]
    assert dead and all(row.offset not in listing.reached for row in dead)


def test_a_script_that_nothing_runs_is_shown_in_its_file(real: FieldWorld) -> None:
    header = real.place("T02").header
    page = read_page(real, 0, subject("scripts", header.scripts, 2))
    assert page is not None and page.goal is not None
    at = next(number for number, row in enumerate(page.rows) if row.offset == page.goal)
    assert plain_text(page.rows[at - 1].parts).startswith("entry 2")


def test_movement_lists_lead_over_tiles(real: FieldWorld) -> None:
    header = real.place("T02").header.id
    page = read_page(real, header, subject("header", header))
    assert page is not None and page.paths
    events = real.events(header)
    assert events is not None
    starts = set(zip(events.objects["x"].tolist(), events.objects["z"].tolist(), strict=True))
    for path in page.paths.values():
        assert path[0] in starts and len(path) > 1
        for (x, z), (next_x, next_z) in pairwise(path):
            assert abs(next_x - x) + abs(next_z - z) in (1, 2, 3) and (next_x == x or next_z == z)


def test_people_have_names_and_what_they_do_is_said(real: FieldWorld) -> None:
    header = real.place("T01").header.id
    page = read_page(real, header, subject("header", header))
    assert page is not None
    lines = [plain_text(row.parts) for row in page.rows]
    assert ">   28C  ApplyMovement 3 (Guitarist), -> 488  ; Guitarist walks left 2, walks down 2" in lines
    assert any(line.endswith("ApplyMovement 2 (Barry), -> 59C  ; Barry shows exclamation mark") for line in lines)
    assert "  script 3: button, object 3 (Guitarist)" in lines
    assert "  script 2: step, trigger 1 if variable 0x40E6 (twinleaf_town_rival_trigger_state) is 0" in lines
    trainers = object_names(real, real.place("R202").header.id)
    assert [trainers[number] for number in (0, 1, 7)] == ["Youngster Tristan", "Lass Natalie", "Youngster"]


def test_the_player_is_led_from_the_trigger_of_the_script(real: FieldWorld) -> None:
    header = real.place("R201").header.id
    page, events = read_page(real, header, subject("trigger", header, 4)), real.events(header)
    assert page is not None and events is not None
    start = tuple(events.triggers[4][["x", "z"]].tolist())
    assert [path for path in page.paths.values() if path == (start, (start[0] - 1, start[1]))]


def test_initial_scripts_are_links(real: FieldWorld) -> None:
    header = real.place("T02").header
    page = read_page(real, header.id, subject("scripts", header.init_scripts))
    assert page is not None
    targets = {part.target for row in page.rows for part in row.parts if part.target is not None}
    assert targets and all(isinstance(one, Subject) and one.key[0] == header.id for one in targets)


def test_an_event_without_a_script_has_no_page(real: FieldWorld) -> None:
    header = real.place("T02").header.id
    events = real.events(header)
    assert events is not None and int(events.objects[3]["script"]) == 0
    assert read_page(real, header, subject("object", header, 3)) is None
