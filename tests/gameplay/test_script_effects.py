"""The effects of scripts: the vectors, and small files."""

from __future__ import annotations

import pytest

from formats.field.script import Command, Item, ScriptFile, Target
from mapexplorer.games import DEFAULT
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_effects import NOT_CONSTANT, EffectsReader, ScriptEffects
from mapexplorer.world.events.script_files import script_files
from tests.conftest import Cases

END, GO_TO, CALL, RETURN, GO_TO_IF, CALL_IF = 2, 22, 26, 27, 28, 29
COMMON, SET_FLAG, ADD, SET, COPY, MESSAGE, MESSAGE_VAR, ADD_ITEM = 20, 30, 38, 40, 41, 44, 45, 123
ITEM, COUNT, RESULT = 0x8004, 0x8005, 0x800C
GIVE = 2016


def effects(*items: Item, most: int = 1000) -> ScriptEffects:
    file = ScriptFile((Target(0),), items)
    file.to_bytes()
    return EffectsReader(file, DEFAULT.tables.script_commands).effects(0, most)


def test_every_entry_of_the_vectors(real: FieldWorld, cases: Cases) -> None:
    commands = real.game.tables.script_commands
    count = skipped = 0
    for row in cases("script_effects"):
        reader = EffectsReader(real.script_file(row["member"]), commands)
        for entry, wanted in enumerate(row["entries"]):
            if wanted is None:
                skipped += 1
                continue
            found = reader.effects(entry)
            assert found.complete, (row["member"], entry)
            plain = {
                effect.replace(" ", "_"): [list(values) if len(values) > 1 else values[0] for values in rows]
                for effect, rows in found.found.items()
            }
            assert plain == wanted, (row["member"], entry)
            count += 1
    assert (count, skipped) == (2169, 7)


def test_both_ways_of_a_condition_and_the_end_of_calls() -> None:
    found = effects(
        Command(GO_TO_IF, (1, Target(3))),
        Command(CALL_IF, (1, Target(5))),
        Command(GO_TO, (Target(4),)),
        Command(SET_FLAG, (10,)),
        Command(END),
        Command(SET_FLAG, (11,)),
        Command(RETURN),
        Command(SET_FLAG, (12,)),
    )
    assert found == ScriptEffects({"flag set": ((10,), (11,))})


def test_a_call_returns_behind_itself_and_nothing_falls_through_it() -> None:
    """Reached only by the return: what follows the call."""
    called = (Command(SET_FLAG, (2,)), Command(RETURN))
    assert effects(Command(CALL, (Target(3),)), Command(SET_FLAG, (1,)), Command(END), *called).numbers("flag set") == (
        1,
        2,
    )
    never_back = (Command(SET_FLAG, (2,)), Command(END))
    assert effects(Command(CALL, (Target(2),)), Command(SET_FLAG, (1,)), *never_back).numbers("flag set") == (2,)


def test_variables_are_constants_along_a_path() -> None:
    found = effects(
        Command(SET, (ITEM, 17)),
        Command(SET, (COUNT, 2)),
        Command(ADD, (COUNT, 3)),
        Command(GO_TO_IF, (1, Target(5))),
        Command(SET, (ITEM, 18)),
        Command(COMMON, (GIVE,)),
        Command(COPY, (RESULT, ITEM)),
        Command(ADD_ITEM, (RESULT, COUNT, ITEM)),
        Command(ADD_ITEM, (ITEM, 1, RESULT)),
        Command(END),
    )
    assert found.found["give"] == ((17, 5), (18, 5))
    assert found.found["add item"] == ((NOT_CONSTANT, 1), (17, 5), (18, 5))
    assert found.found["common"] == ((GIVE,),)


def test_a_variable_of_the_save_is_no_constant() -> None:
    found = effects(Command(SET, (0x4055, 3)), Command(ADD_ITEM, (0x4055, 1, RESULT)), Command(END))
    assert found.found == {"add item": ((NOT_CONSTANT, 1),)}
    assert effects(Command(MESSAGE_VAR, (0x4055,)), Command(END)).found == {}


def test_loops_and_recursion_end() -> None:
    assert effects(Command(MESSAGE, (1,)), Command(GO_TO, (Target(0),))).numbers("text") == (1,)
    assert effects(Command(MESSAGE, (1,)), Command(CALL, (Target(0),)), Command(END)).complete


def test_too_many_paths_are_given_up() -> None:
    counting = (
        Command(ADD, (ITEM, 1)),
        Command(ADD_ITEM, (ITEM, 1, RESULT)),
        Command(GO_TO_IF, (1, Target(1))),
        Command(END),
    )
    found = effects(Command(SET, (ITEM, 0)), *counting, most=500)
    assert not found.complete and len(found.found["add item"]) > 50


@pytest.mark.parametrize("target", [Target(1, 1), Target(9)])
def test_a_jump_to_nowhere_ends_a_path(target: Target) -> None:
    file = ScriptFile((Target(0), target), (Command(GO_TO, (target,)), Command(MESSAGE, (1,)), Command(END)))
    reader = EffectsReader(file, DEFAULT.tables.script_commands)
    assert [reader.effects(entry).found for entry in (0, 1)] == [{}, {}]


def test_a_counter_that_describes_no_effect_costs_nothing() -> None:
    """A loop of 65,536 rounds with a variable that describes an effect elsewhere in the file."""
    loop = (
        Command(SET, (COUNT, 0)),
        Command(MESSAGE, (1,)),
        Command(ADD, (COUNT, 1)),
        Command(GO_TO_IF, (1, Target(1))),
        Command(END),
    )
    elsewhere = (Command(ADD_ITEM, (ITEM, COUNT, RESULT)), Command(END))
    file = ScriptFile((Target(0), Target(5)), loop + elsewhere)
    reader = EffectsReader(file, DEFAULT.tables.script_commands)
    assert reader.effects(0, 100) == ScriptEffects({"text": ((1,),)})
    assert reader.effects(1, 100) == ScriptEffects({"add item": ((NOT_CONSTANT, NOT_CONSTANT),)})


def test_a_variable_is_kept_for_what_follows_a_call() -> None:
    """The call itself needs it for nothing, or copies it."""
    copied = (Command(COPY, (RESULT, ITEM)), Command(RETURN))
    found = effects(
        Command(SET, (ITEM, 5)),
        Command(CALL, (Target(4),)),
        Command(ADD_ITEM, (RESULT, ITEM, 0)),
        Command(END),
        *copied,
    )
    assert found.found["add item"] == ((5, 5),)


def test_every_entry_of_the_corpus_is_followed_on_all_paths(real: FieldWorld) -> None:
    commands = real.game.tables.script_commands
    readers = [(EffectsReader(file, commands), len(file.entries)) for _, file in script_files(real)]
    assert all(reader.effects(entry).complete for reader, entries in readers for entry in range(entries))
