"""Headers that are not used or were never finished are known by rules that their data meets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from formats.nitro.nsbmd import Nsbmd
from mapexplorer.cli import program
from mapexplorer.inspector.describe import describe
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.leftovers import LeftoverRule
from mapexplorer.world.opening import open_rom
from mapexplorer.world.subject import subject
from mapexplorer.world.wording import leftover, leftover_label


@pytest.fixture(scope="module")
def world(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))


def test_texture_names_alone_are_those_of_the_model(world: FieldWorld) -> None:
    for header in world.headers[3::40]:
        for cell in world.place(header.id).cells[:3]:
            model = world.land(cell.land).model.models[0]
            names = Nsbmd.read_texture_names(world.land_sections(cell.land).model)[0]
            assert names == tuple(model.texture_name(index) for index in range(len(model.materials)))


def test_no_header_in_use_is_left_over(world: FieldWorld) -> None:
    """Whatever has people, signs or triggers was finished; and each rule is met by some header."""
    rules = {}
    for header in world.headers:
        found = world.leftovers(header.id)
        if found:
            rules[header.id] = {one.rule for one in found}
            events = world.events(header.id)
            assert events is not None
            assert not len(events.objects) and not len(events.background) and not len(events.triggers)
    assert {header.id for header in world.headers if not world.place(header.id).cells} == {
        header for header, found in rules.items() if found == {LeftoverRule.NO_CELL}
    }
    assert LeftoverRule.WHITE_TERRAIN in rules[250] & rules[324] and rules[561] == {LeftoverRule.PLAIN_TERRAIN}
    assert len(rules) < 30


def test_the_demo_world_is_finished() -> None:
    world = FieldWorld(open_rom("demo"))
    found = {header.id: world.leftovers(header.id) for header in world.headers}
    assert {number for number, rules in found.items() if rules} == {
        header.id for header in world.headers if not world.place(header.id).cells
    }


def test_show_list_and_inspector_say_it(world: FieldWorld, rom_path: Path) -> None:
    def run(*arguments: object) -> str:
        result = CliRunner().invoke(program, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    [found] = world.leftovers(206)
    sentence = "unused: no cell of matrix 0 names this header"
    assert leftover(found) == sentence and sentence in run("show", rom_path, "#206")
    assert leftover_label(found) in run("maps", rom_path, "206")
    [entry] = json.loads(run("maps", rom_path, "D05R0116", "--json"))["maps"]
    assert entry["left_over"] == []
    assert json.loads(run("show", rom_path, "#206", "--json"))["left_over"] == [
        {"rule": "no_cell", "matrix": 0, "why": sentence}
    ]
    sections = describe(world, 206, subject("header", 206)).sections
    assert [fact.value for part in sections if part.title == "Left over" for fact in part.rows] == [sentence]
