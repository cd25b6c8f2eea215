"""Gifts of scripts: which are left after a script has run, by running scripts again by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from formats.field.script import Command, ScriptFile, Target
from mapexplorer.gameplay.activation import Activation, Need, of_header
from mapexplorer.gameplay.flags import flag_meaning
from mapexplorer.gameplay.gifts import gifts_on
from mapexplorer.gameplay.left import LeftKind, left_name, left_on
from mapexplorer.grouping import by_key
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.events.transition import ScriptRun
from mapexplorer.world.references.readers import effects_of_entries
from mapexplorer.world.save import Save, fresh_save, saved_game
from mapexplorer.world.subject import Subject, subject
from tests.saves import small_block

COMPARE, CALL_COMMON, CHECK_FLAG, REMOVE_OBJECT, ADD_ITEM, GIVE_POKEMON, GIVE_EGG, CHECK_BADGE = (
    17, 20, 32, 101, 123, 150, 151, 347
)  # fmt: skip
RECEIVES = ((CALL_COMMON, (2016,)), (CALL_COMMON, (2044,)))
GIVES, TURNS = (ADD_ITEM, GIVE_POKEMON, GIVE_EGG), 20
HONEY = (256, subject("item", 94))
"""Another script of Floaroma Meadow sells it."""
SOME = (3, 65, 131, 208, 256, 258, 293, 342, 343, 418, 449)


class ChanceRun(ScriptRun):
    """A script whose questions are answered by chance. `given`: what it gives; `missed`: it ended behind a jump by a
    value, which a number had that does not occur in the game."""

    def __init__(
        self, world: FieldWorld, header: int, save: Save, commands: Iterable[Command], source: random.Random, badge: int
    ) -> None:
        super().__init__(header, save)
        self.given: list[Subject] = []
        self.missed = False
        self._source, self._badge, events = source, badge, world.events(header)
        assert events is not None
        self._asked = by_key(each.arguments for each in commands if each.number == COMPARE)
        self._hiding = {int(each["local_id"]): int(each["hidden_flag"]) for each in events.objects[::-1]}

    def _holds(self, command: Command) -> bool:
        self.missed = not super()._holds(command)
        return not self.missed

    def change(self, command: Command) -> bool:
        super().change(command)
        self.missed = False
        match command.number, command.arguments:
            case receives if receives in RECEIVES:
                self.given.append(subject("item", self._variables.get(0x8004, 0)))
            case number, (int(thing), *_) if number in GIVES:
                self.given.append(subject("item" if number == ADD_ITEM else "species", self._value(thing)))
            case number, (int(person),) if number == REMOVE_OBJECT and self._hiding.get(person):
                self._flags.add(self._hiding[person])
            case number, (_, int(result)) if number == CHECK_BADGE:
                self._variables[result] = self._badge
        for variable in [*self._unknown]:
            self._variables[variable] = self._source.choice(self._asked.get(variable, range(4)))
        self._unknown.clear()
        return True


def givers(world: FieldWorld, header: int) -> Iterator[tuple[Activation, ScriptFile, Target, list[Command]]]:
    """The scripts of the file of a map that something on it runs, with their commands, if one gives something."""
    member = world.headers[header].scripts
    file = world.script_file(member)
    for activation in of_header(world, header):
        place = locate_script(world, header, activation.script)
        if place is not None and place.member == member and place.entry < len(file.entries):
            start = file.entries[place.entry]
            items = [file.items[item] for item in file.reached([start])]
            commands = [item for item in items if isinstance(item, Command)]
            if any(each.number in GIVES or (each.number, each.arguments) in RECEIVES for each in commands):
                yield activation, file, start, commands


def by_chance(source: random.Random, new: Save, activation: Activation, commands: Iterable[Command]) -> Save:
    """A new game in which what a script asks for is set by chance, so that it runs."""
    flags = {each.arguments[0] for each in commands if each.number == CHECK_FLAG and source.random() < 0.5}
    compared = [each.arguments for each in commands if each.number == COMPARE and each.arguments[0] < 0x8000]
    variables = {number: source.choice((value, value + 1)) for number, value in compared}
    needed = [each.numbers for each in activation.conditions if each.need is Need.VARIABLE_IS]
    hidden = {each.numbers[0] for each in activation.conditions if each.need is Need.FLAG_CLEAR}
    return replace(new, flags=(new.flags | flags) - hidden, variables={**new.variables, **variables, **dict(needed)})


def given_again(world: FieldWorld, header: int, save: Save, source: random.Random) -> set[Subject]:
    """What the scripts of a map give with a save, by chance, to who has the badge of its gym."""
    given = set[Subject]()
    for activation, file, start, commands in givers(world, header):
        for _ in range(TURNS if activation.holds(save) else 0):
            run = ChanceRun(world, header, save, commands, source, 1)
            run.execute(file, start)
            given |= {*run.given}
    return given


def check(world: FieldWorld, headers: Iterable[int]) -> Counter[tuple[int, Subject]]:
    """The gifts of some maps and how often they were had: a gift is left exactly if a script gives it again."""
    source, new, had = random.Random(1), fresh_save(world.game), Counter[tuple[int, Subject]]()
    for header in headers:
        gifts = {
            left.thing: left for left in left_on(world, header, new) if left.kind is LeftKind.GIFT and left.decides
        }
        for activation, file, start, commands in givers(world, header) if gifts else ():
            for _ in range(TURNS):
                save = by_chance(source, new, activation, commands)
                run = ChanceRun(world, header, save, commands, source, source.randrange(2))
                ended = run.execute(file, start) and not run.missed
                for thing in {*run.given} & {*gifts} if ended else ():
                    if had[header, thing] < 2 and (header, thing) != HONEY:
                        is_done, again = gifts[thing].is_done(run.save), given_again(world, header, run.save, source)
                        had[header, thing] += is_done
                        several = len(gifts[thing].memory or ()) > 1  # by chance only one of the scripts has run
                        assert is_done == (thing not in again) or (several and not is_done), (header, gifts[thing])
    return had


def test_a_gift_is_left_if_its_script_gives_it_again(real: FieldWorld) -> None:
    assert len(+check(real, SOME)) > 12


@pytest.mark.slow
def test_all_gifts(real: FieldWorld) -> None:
    assert len(+check(real, [header.id for header in real.headers])) > 80
    kinds = Counter[str]()
    for header in real.headers:
        for *_, memory in gifts_on(real, header.id, effects_of_entries(real, header.scripts)):
            numbers = sorted(key for key in memory or () if isinstance(key, int))
            meanings = [flag_meaning(real.game.tables.save_names, number)[0] for number in numbers]
            of_save = "day" if "day" in meanings else "flag" if numbers and numbers[0] < 0x4000 else "variable"
            kinds["unknown" if memory is None else "again" if not memory else of_save if numbers else "answer"] += 1
    assert kinds == {"flag": 82, "day": 30, "variable": 12, "answer": 2, "again": 48, "unknown": 5}


def test_gifts_that_a_variable_an_answer_or_nothing_remembers(real: FieldWorld) -> None:
    seeker, radar, gracidea, starter = (353, 443), (422, 431), (426, 466), (342, 0)

    def left(small: Any) -> set[tuple[int, int]]:
        save, maps = saved_game(real.game, small), (353, 422, 426, 342)
        every = [each for header in maps for each in left_on(real, header, save)]
        gifts = [each for each in every if each.kind in (LeftKind.GIFT, LeftKind.UNKNOWN_GIFT)]
        return {(each.header, each.thing.key[0]) for each in gifts}

    assert {seeker, radar, gracidea, starter} <= left(small_block())
    small = small_block(flags=range(1, 2912), variables={0x408C: 3})
    assert left(small) == {radar, gracidea, starter}
    small["pokedex"]["national"], small["bag"]["key_items"][0] = 1, (466, 1)
    assert left(small) == {starter}
    [unknown] = [each for each in left_on(real, 342, saved_game(real.game, small)) if each.memory is None]
    assert unknown.kind is LeftKind.UNKNOWN_GIFT and left_name(real, unknown) == "a Pokémon"
