"""The save after a map was entered: scripts that run on entering, with the answers of a new game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from formats.binary import FormatError
from formats.field.init_script import InitScript, InitScriptType
from formats.field.script import Command, Item, ScriptFile, Target
from mapexplorer.games import Role
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_effects import EffectsReader
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.events.transition import SaveOnEntering, arrive
from mapexplorer.world.models.animations import automatic_animations
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import EventChange, Save, fresh_save, saved_game
from tests.saves import small_block

SET_FLAG, CLEAR_FLAG, CHECK_FLAG, SET, COPY, ADD = 30, 31, 32, 40, 41, 38
COMPARE, COMPARE_VARIABLES, GO_TO, CALL, RETURN, END, GO_TO_IF, CALL_IF = 17, 18, 22, 26, 27, 2, 28, 29
LESS, EQUAL, GREATER, AT_MOST, AT_LEAST, NOT_EQUAL = range(6)


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    """The world of the real ROM."""
    return FieldWorld(open_rom(rom_path))


def after(*items: Item, save: Save | None = None, start: int = 0) -> SaveOnEntering:
    """What the script of the demo's village with these items changes."""
    world = FieldWorld.open("demo")
    village = world.place("T01").header.id
    [script] = [one for one in world.init_scripts(village).records if isinstance(one, InitScript)]
    file = ScriptFile((Target(start),) * script.script, items)
    world.script_file = lambda index: file  # type: ignore[method-assign]
    return arrive(world, village, fresh_save(world.game) if save is None else save)


def test_a_saved_game_answers_what_it_knows() -> None:
    game = FieldWorld.open("demo").game
    small = small_block(flags=(2404,), variables={0x4045: 0x1123}, badges=0b100, gender=1)
    small["bag"]["key_items"][3], small["pokedex"]["national"] = (450, 2), 1
    asked = {
        (333, 0x4050): 1,  # the player is a girl
        (358, 0x4051): 1,  # the champion was beaten
        (557, 2, 0x4052): 1,  # National Pokédex
        (347, 2, 0x4053): 1,  # the third badge
        (347, 3, 0x4054): 0,
        (126, 450, 2, 0x4055): 1,  # two bicycles
        (126, 450, 3, 0x4056): 0,
        (651, 2, 0x4057): 1,  # Arceus' event
        (651, 60000, 0x4058): 0,
    }
    commands = [command(*numbers) for numbers in asked]
    run = after(*commands, Command(END), save=saved_game(game, small)).save
    assert {numbers: run.variables[numbers[-1]] for numbers in asked} == asked
    new = after(*commands, Command(END)).save
    assert {new.variables[numbers[-1]] for numbers in asked} == {0}


def command(number: int, *arguments: int | Target) -> Command:
    return Command(number, arguments)


def test_flags_and_variables_of_the_last_map_are_cleared() -> None:
    game = FieldWorld.open("demo").game
    save = after(Command(END), save=Save(game, frozenset({1, 63, 64, 65}), {0x4000: 3, 0x401F: 4, 0x4020: 5})).save
    assert save.flags == {64, 65} and save.variables == {0x4020: 5}  # the game clears the first eight bytes of flags


@pytest.mark.parametrize(
    ("value", "condition", "jumps"),
    [
        (2, LESS, True),
        (3, LESS, False),
        (3, EQUAL, True),
        (2, EQUAL, False),
        (4, GREATER, True),
        (3, GREATER, False),
        (3, AT_MOST, True),
        (4, AT_MOST, False),
        (3, AT_LEAST, True),
        (2, AT_LEAST, False),
        (2, NOT_EQUAL, True),
        (3, NOT_EQUAL, False),
    ],
)
def test_a_jump_follows_the_comparison(value: int, condition: int, jumps: bool) -> None:
    found = after(
        command(SET, 0x4050, value),
        command(COMPARE, 0x4050, 3),
        command(GO_TO_IF, condition, Target(4)),
        Command(END),
        command(SET_FLAG, 900),
        Command(END),
    )
    assert found.complete and (900 in found.save.flags) is jumps


@pytest.mark.parametrize("is_set", [True, False])
def test_a_check_of_a_flag_holds_while_it_is_set(is_set: bool) -> None:
    found = after(
        command(SET_FLAG if is_set else CLEAR_FLAG, 900),
        command(CHECK_FLAG, 900),
        command(CALL_IF, EQUAL, Target(5)),
        command(SET_FLAG, 902),
        Command(END),
        command(SET_FLAG, 901),
        Command(RETURN),
    )
    assert found.complete and found.save.flags.isdisjoint({901}) is not is_set and 902 in found.save.flags


def test_arithmetic_and_positions() -> None:
    found = after(
        command(513, 0x4050),
        command(COPY, 0x4051, 0x4050),
        command(ADD, 0x4051, 0x4050),
        command(39, 0x4051, 1),
        command(SET, 0x8004, 7),
        command(390, 2, 0x8004, 9),
        command(393, 2, 1),
        command(394, 1, 3, 4),
        Command(END),
    )
    village = FieldWorld.open("demo").place("T01").header.id
    assert found.save.variables[0x4051] == 2 * village - 1
    assert 0x8004 not in found.save.variables, "belongs to the script"
    assert found.save.changes[village] == (
        EventChange("objects", 2, "x", 7),
        EventChange("objects", 2, "z", 9),
        EventChange("objects", 2, "direction", 1),
        EventChange("warps", 1, "x", 3),
        EventChange("warps", 1, "z", 4),
    )
    world = FieldWorld.open("demo")
    stored = world.events(village)
    assert stored is not None
    moved = found.save.events(village, stored)
    assert (int(moved.objects[2]["x"]), int(moved.objects[2]["z"]), int(moved.objects[2]["direction"])) == (7, 9, 1)
    assert (int(moved.warps[1]["x"]), int(moved.warps[1]["z"])) == (3, 4)
    assert int(stored.warps[1]["x"]) != 3 and moved.objects[1] == stored.objects[1]


def test_objects_are_hidden_and_moved_only_by_what_is_known() -> None:
    """A command writes the place of the player (0x69), which is not known, into variables."""
    found = after(
        *(command(434, 2), command(391, 1, 7, 1, 9, 3), command(391, 1, 8, 1, 9, 3)),
        *(command(105, 0x4050, 0x4051), command(ADD, 0x4050, 1), command(391, 3, 0x4050, 1, 0x4051, 1)),
        Command(END),
    )
    game = found.save.game
    assert game.tables.script_commands.names[105].name == "GetPlayerMapPos" and found.assumed == {105}
    assert found.save.changes[FieldWorld.open("demo").place("T01").header.id] == (
        EventChange("objects", 2, "graphics", game.tables.new_game.invisible),
        EventChange("objects", 1, "x", 8),
        EventChange("objects", 1, "z", 9),
        EventChange("objects", 1, "direction", 3),
    )
    assert 0x4050 not in found.save.variables


def test_scripts_before_a_map_is_shown_run_too(real: FieldWorld) -> None:
    """One hides both partners in the corridor of the Battle Tower, one pauses the units of the lake guardians."""
    invisible = real.game.tables.new_game.invisible
    [resumed] = [one for one in real.init_scripts(329).records if getattr(one, "type", 0) == InitScriptType.ON_RESUME]
    place = locate_script(real, 329, resumed.script)
    assert place is not None
    items = real.script_file(place.member).items
    hidden = {item.arguments[0] for item in items if isinstance(item, Command) and item.number == 434} - {255}
    assert arrive(real, 329, fresh_save(real.game)).save.changes[329] == tuple(
        EventChange("objects", number, "graphics", invisible) for number in sorted(hidden)
    )
    names = real.game.tables.script_commands.names
    [unit] = {number for number, command in enumerate(names) if command.name == "InitLakeGuardianContainmentUnits"}
    paused = real.game.tables.props.paused
    for header in real.headers:
        file = real.script_file(header.scripts)
        pauses = any(isinstance(item, Command) and item.number == unit for item in file.items)
        cells = real.place(header.id).cells if pauses else ()
        assert not pauses or paused.keys() <= {
            prop.model for cell in cells for prop in real.place(header.id).props(cell)
        }
    for model, slots in paused.items():
        entry = real.prop_animations(model)
        assert entry is not None
        assert len(automatic_animations(real, model)) == len(entry.used) - len(slots)


def test_unknown_answers_are_named_and_loops_end() -> None:
    badge, chance = command(347, 0, 0x800C), command(440, 0x800C, 10)
    assert after(badge, Command(END)).assumed == frozenset()
    assert after(badge, chance, Command(END)).assumed == {440}
    assert not after(command(GO_TO, Target(0))).complete
    assert not after(command(CALL, Target(0))).complete
    assert not after(command(GO_TO, Target(0, 1))).complete
    assert not after(command(GO_TO, Target(50))).complete
    assert not after(command(SET_FLAG, 900)).complete, "the file ends"


def test_damaged_scripts_end(real: FieldWorld) -> None:
    """Any entry of a damaged file runs to an end or is given up; what it wrote fits the save."""
    chance = random.Random("damaged")
    archive = real.rom.archive(real.path(Role.SCRIPTS))
    scripts = [one.scripts for one in real.headers if len(archive[one.scripts]) < 1500]
    given_up = ran = 0
    for member in chance.sample(scripts, 90):
        data = bytearray(archive[member])
        for _ in range(6):
            data[chance.randrange(len(data) // 4, len(data))] = chance.choice((0, 17, 22, 26, 28, 31, 40, 255))
        try:
            file = ScriptFile.from_bytes(bytes(data))
        except FormatError:
            continue
        for target in file.entries:
            found = after(*file.items, start=target.item)
            given_up += not found.complete
            ran += 1
            assert all(0 <= value < 0x10000 for value in found.save.variables.values())
    assert ran > 150 and given_up > 10


def test_graphics_of_a_new_game(real: FieldWorld) -> None:
    """The graphics variables that the fact sheet of map objects gives for a male player."""
    expected = real.game.tables.new_game.map_variables
    assert len(expected) == 12
    for header, variables in expected.items():
        found = arrive(real, header, fresh_save(real.game)).save.variables
        assert {number: found[number] for number in variables} == variables


def test_every_map_can_be_entered(real: FieldWorld) -> None:
    """One path is among all paths: a flag that entering changes is an effect of the scripts that run."""
    fresh, changed, moved = fresh_save(real.game), 0, 0
    for header in real.headers:
        found = arrive(real, header.id, fresh)
        assert found.complete, header
        possible: dict[str, set[int]] = {"flag set": set(), "flag clear": set()}
        for record in real.init_scripts(header.id).records:
            if isinstance(record, InitScript):
                place = locate_script(real, header.id, record.script)
                assert place is not None
                effects = EffectsReader(real.script_file(place.member), real.game.tables.script_commands).effects(
                    place.entry
                )
                for effect, flags in possible.items():
                    flags.update(effects.numbers(effect))
        trainers = set(real.game.tables.save_names.trainers)
        assert found.save.flags - fresh.flags <= possible["flag set"] | trainers, header
        assert fresh.flags - found.save.flags <= possible["flag clear"] | trainers, header
        changed += found.save.flags != fresh.flags
        moved += bool(found.save.changes.get(header.id))
    assert (changed, moved) == (109, 21)  # with the Union Room, whose guests code hides


def test_the_villa_is_empty_after_entering(real: FieldWorld) -> None:
    """Its visitors are shown by flags that only the script of the map sets."""
    header = real.place("T07R0201").header.id
    events = real.events(header)
    assert events is not None

    def hidden(save: Save) -> set[int]:
        return {
            index
            for index, event in enumerate(events.objects)
            if save.hides(int(event["hidden_flag"]), int(event["script"]))
        }

    fresh = fresh_save(real.game)
    assert hidden(fresh) == {15, 16} and hidden(arrive(real, header, fresh).save) == set(range(17)) - {1, 14}
