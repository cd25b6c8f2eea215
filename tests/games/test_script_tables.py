"""The table of script commands fits the layouts of the format."""

from __future__ import annotations

from formats.field.script_commands import PLATINUM
from mapexplorer.games import DEFAULT
from mapexplorer.games.script_tables import Access

COMMANDS = DEFAULT.tables.script_commands

LETTERS = {
    Access.NUMBER: "bhw",
    Access.VALUE: "h",
    Access.READ: "h",
    Access.WRITE: "h",
    Access.CHANGE: "h",
    Access.CODE: "c",
    Access.MOVEMENT: "m",
}


def test_every_command_names_the_arguments_that_it_has() -> None:
    assert len(COMMANDS.names) == len(PLATINUM) == 840
    for number, command in enumerate(COMMANDS.names):
        firsts = [*command.variants, 9999]
        assert set(command.variants) == set(PLATINUM.variants.get(number, ()))
        for first in firsts:
            layout = PLATINUM.layout(number, first)
            arguments = command.arguments_for(first)
            assert layout is not None and len(layout.kinds) == len(arguments), (number, first)
            assert all(kind in LETTERS[one.access] for kind, one in zip(layout.kinds, arguments, strict=True))


def test_effects_name_arguments_that_exist() -> None:
    for number, rules in COMMANDS.effects.items():
        assert all(index < len(COMMANDS.names[number].arguments) for rule in rules for index in rule.arguments)
    assert len(COMMANDS.movement_actions) == PLATINUM.actions
    assert COMMANDS.returns in PLATINUM.no_return
    assert {COMMANDS.call, COMMANDS.call_on_condition}.isdisjoint(PLATINUM.no_return)


def test_numbers_of_scripts() -> None:
    numbers = DEFAULT.tables.script_numbers
    single, double = "single battle", "double battle"
    known = {2999: None, 3000: (1, single), 4999: (2000, single), 5000: (1, double), 6999: (2000, double), 7000: None}
    assert {script: numbers.trainer(script) for script in known} == known
    assert numbers.band(1999) is None
    assert [band.first for band in numbers.bands] == sorted({band.first for band in numbers.bands})
    band = numbers.band(2499)
    assert band is not None and band.first == 2000
