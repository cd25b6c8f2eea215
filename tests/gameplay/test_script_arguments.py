"""What arguments of commands name: small files, the trainers of the vectors, and what move tutors teach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from formats.field.script import Command, Item, ScriptFile, Target
from mapexplorer.gameplay.script_arguments import argument_uses
from mapexplorer.gameplay.variables import variable_uses
from mapexplorer.games import DEFAULT
from mapexplorer.games.script_tables import SaveNames, ScriptCommands
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import script_files
from tests.conftest import Cases

END, GO_TO_IF, CALL, RETURN, SET, COPY, ADD, BATTLE, TAG_BATTLE, TUTOR = 2, 28, 26, 27, 40, 41, 38, 229, 672, 548
MAP, SAVED, LOCAL, OTHER = 0x4005, 0x4050, 0x8004, 0x8005
TABLES = DEFAULT.tables


def file(*items: Item) -> ScriptFile:
    return ScriptFile((Target(0),), items)


def scripted_trainers(
    files: Iterable[tuple[int, ScriptFile]], commands: ScriptCommands, save_names: SaveNames
) -> Iterator[tuple[int, str, int, int]]:
    """(trainer, how, member of the script archive, item) of the battles in script files."""
    files = list(files)
    for use in argument_uses(files, commands, save_names, {"trainer"}, variable_uses(files, commands)):
        for rule in commands.effects.get(use.command, ()):
            fought = rule.effect in ("trainer", "partner") and use.argument in rule.arguments
            if fought and use.number not in rule.none and use.number < len(save_names.trainers):
                how = rule.effect if use.set_at is None else "variable"
                yield use.number, how, *(use.set_at or (use.member, use.item))


def trainers(*files: ScriptFile) -> list[tuple[object, ...]]:
    return list(scripted_trainers(enumerate(files), TABLES.script_commands, TABLES.save_names))


def test_a_number_in_the_command() -> None:
    assert trainers(file(Command(BATTLE, (5, 0)), Command(TAG_BATTLE, (6, 7, 8)), Command(END))) == [
        (5, "trainer", 0, 0),
        (6, "partner", 0, 1),
        (7, "trainer", 0, 1),
        (8, "trainer", 0, 1),
    ]


def test_a_variable_has_what_is_set_last_on_each_path() -> None:
    assert trainers(
        file(
            Command(SET, (LOCAL, 3)),  # overwritten
            Command(SET, (LOCAL, 4)),
            Command(GO_TO_IF, (1, Target(4))),
            Command(SET, (LOCAL, 5)),
            Command(BATTLE, (LOCAL, 0)),
            Command(END),
            Command(SET, (LOCAL, 6)),  # behind the battle
        )
    ) == [(5, "variable", 0, 3), (4, "variable", 0, 1)]


def test_a_variable_is_set_in_a_part_that_is_called() -> None:
    assert trainers(
        file(
            Command(SET, (OTHER, 3)),
            Command(CALL, (Target(4),)),
            Command(BATTLE, (LOCAL, 0)),
            Command(END),
            Command(COPY, (LOCAL, OTHER)),
            Command(RETURN),
        )
    ) == [(3, "variable", 0, 0)]


def test_a_computed_number_is_not_known() -> None:
    assert trainers(file(Command(SET, (LOCAL, 3)), Command(ADD, (LOCAL, 1)), Command(BATTLE, (LOCAL, 0)))) == []


def test_saved_variables_are_set_in_any_file_and_those_of_the_map_in_the_same() -> None:
    sets = file(Command(SET, (MAP, 9)), Command(SET, (SAVED, 10)), Command(END))
    battles = file(Command(BATTLE, (MAP, SAVED)), Command(END), Command(SET, (MAP, 11)))
    assert trainers(sets, battles) == [(11, "variable", 1, 2), (10, "variable", 0, 1)]


def test_a_number_of_no_trainer_is_none() -> None:
    assert trainers(file(Command(SET, (LOCAL, 5000)), Command(BATTLE, (LOCAL, 0)))) == []


def test_the_trainers_of_the_vectors(real: FieldWorld, cases: Cases) -> None:
    """Those of all paths, and of the Battleground, whose scripts keep the trainer in a variable of the map."""
    found: dict[int, set[int]] = {}
    for one in scripted_trainers(script_files(real), real.game.tables.script_commands, real.game.tables.save_names):
        found.setdefault(one[2], set()).add(one[0])
    battleground, count = 1101, 0
    for row in cases("script_effects"):
        entries = [entry for entry in row["entries"] if entry is not None]
        wanted = {one for entry in entries for how in ("trainer", "partner") for one in entry.get(how, ())} - {-1}
        here = found.get(row["member"], set())
        assert wanted <= here if None in row["entries"] or row["member"] == battleground else wanted == here, row[
            "member"
        ]
        count += len(wanted)
    assert count and found[battleground] == set(range(853, 866))


def test_the_moves_of_the_tutors(real: FieldWorld, cases: Cases) -> None:
    """Every set of the variable of a tutor is on the way to the command that teaches."""
    tables, taught = real.game.tables, 0
    files = [(row["member"], real.script_file(row["member"])) for row in cases("scripts")]
    variables = variable_uses(files, tables.script_commands)
    uses = list(argument_uses(files, tables.script_commands, tables.save_names, {"move"}, variables))
    for row in cases("scripts"):
        commands = [one[1:] for one in row["commands"]]
        stored = {move for number, *rest in commands if number == TUTOR for move in rest[1:]}
        wanted = {
            value for number, *rest in commands if number == SET for variable, value in [rest] if variable in stored
        }
        wanted |= {move for move in stored if move < MAP}
        assert {use.number for use in uses if use.member == row["member"] and use.command == TUTOR} == wanted
        taught += len(wanted)
    assert taught
