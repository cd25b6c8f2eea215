"""What the scripts of a map give, and by what a save remembers that it was given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from mapexplorer.gameplay.activation import Activation, Need, of_header
from mapexplorer.games.script_tables import FIRST_SCRIPT_VARIABLE, FIRST_VARIABLE
from mapexplorer.grouping import by_key
from mapexplorer.world.events.saved_answers import saved_answer
from mapexplorer.world.events.script_effects import ScriptEffects, Values
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.events.script_paths import Known, ScriptPaths
from mapexplorer.world.save import CLONE, Save, fresh_save
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.subject import Subject, subject

GIFTS: Final = {"give": "item", "add item": "item", "pokemon": "species", "egg": "species"}
"""Effect of a script that is a gift -> the kind of thing that it gives, which is its first value."""

Gift = tuple[Subject, int, Activation, Known | None]
"""A gift of a map: the thing (number 0: the script chooses it), how many, what runs the script, and what is known of a
save with which no script gives it any more: nothing if it can be had again, None if a new game has that, too, or if the
paths of the scripts are too many."""


def gifts_on(world: WorldFiles, header: int, effects: Sequence[ScriptEffects]) -> Iterator[Gift]:
    """The gifts of a map by the scripts that something on it runs, those of the same thing as one; `effects`: those
    of the entries of its script file. Raises FormatError, RomError."""
    if GIFTS.keys().isdisjoint(effect for each in effects for effect in each.found):
        return
    member, events, tables = world.headers[header].scripts, world.events(header), world.game.tables
    objects = () if events is None else events.objects[["local_id", "hidden_flag", "script"]].tolist()
    hiding = {number: flag for number, flag, script in objects if script != CLONE and flag}
    paths = ScriptPaths(world.script_file(member), tables.script_commands, GIFTS, hiding)
    places = [(locate_script(world, header, each.script), each) for each in of_header(world, header)]
    runs = by_key((place.entry, each) for place, each in places if place is not None and place.member == member)
    new, checked = fresh_save(world.game), {flag for each in effects for flag in each.numbers("flag check")}
    given = by_key(
        (_thing(effect, values), (entry, (effect, values)))
        for entry in sorted(runs)
        if entry < len(effects)
        for effect in GIFTS
        for values in effects[entry].found.get(effect, ())
    )
    for (thing, amount), scripts in given.items():
        after = [partial(paths.after, gift, entry, [*map(_start, runs[entry])]) for entry, gift in scripts]
        told = checked.intersection(*(effects[entry].numbers("flag set") for entry, _ in scripts))
        try:
            memory = _memory(new, after, told)
        except OverflowError:
            memory = None
        yield thing, amount, runs[scripts[0][0]][0], memory


def _thing(effect: str, values: Values) -> tuple[Subject, int]:
    """What is given, and how many."""
    number, count = (value if isinstance(value, int) else 0 for value in (*values, 1)[:2])
    return subject(GIFTS[effect], max(0, number)), max(1, count) if GIFTS[effect] == "item" else 1


def _start(activation: Activation) -> Known:
    """What is known of a save with which a script runs."""
    needs = (Need.FLAG_CLEAR, Need.VARIABLE_IS)  # of a flag, or of a variable and its value
    return {each.numbers[0]: (*each.numbers, 0)[1] for each in activation.conditions if each.need in needs}


After = Callable[[Known], list[Known]]
"""What is known at the ends of the paths with a gift that begin with what is known."""


def _memory(new: Save, scripts: Iterable[After], told: Iterable[int]) -> Known | None:
    """What is known of a save with which no script gives a thing any more. `new`: a new game, which may have that, too;
    then it is the flags in `told` that are set on all paths with the gift."""
    ends = [end for after in scripts for end in after({})]
    memory: Known = {key: value for after in scripts for key, value in _least(new, after).items()}
    memory = {key: value for key, value in memory.items() if value or _value(new, key)}
    if memory and is_true(new, memory):
        return {flag: 1 for flag in told if all(end.get(flag) for end in ends)} or None
    return {key: value for key, value in memory.items() if isinstance(key, int)} or memory


def _least(new: Save, after: After) -> Known:
    """What all paths with a gift have in common at their ends, and as little of it as still prevents them; nothing if
    it does not prevent them."""
    ends, names = after({}), new.game.tables.save_names
    passing = {*names.map_flags, *names.map_variables}
    common = {
        key: value for end in ends[:1] for key, value in end.items() if all(each.get(key) == value for each in ends)
    }
    memory = {key: value for key, value in common.items() if _is_saved(key) and key not in passing}
    if after(memory):
        return {}
    for key in sorted(memory, key=partial(_usefulness, new, memory)):
        fewer = {each: value for each, value in memory.items() if each != key}
        memory = memory if after(fewer) else fewer
    return memory


def _usefulness(new: Save, memory: Known, key: Any) -> tuple[bool, bool, bool, int]:
    """How well a value tells that something has happened: not if a new game has it; better a flag than a variable, and
    what a path knew first."""
    is_new, number = memory[key] == _value(new, key), isinstance(key, int)
    return not (is_new and memory[key]), number and key < FIRST_VARIABLE, not is_new, -[*memory].index(key)


def _is_saved(key: Any) -> bool:
    """Whether what is known is of the save."""
    return key < FIRST_SCRIPT_VARIABLE if isinstance(key, int) else key[0] not in GIFTS


def _value(save: Save, key: Any) -> int:
    """The value of a flag, a variable or an answer; 0 for an answer in a new game."""
    if not isinstance(key, int):
        return saved_answer(save, key[0], key[1:]) or 0
    return int(key in save.flags) if key < FIRST_VARIABLE else save.variables.get(key, 0)


def is_true(save: Save, known: Known) -> bool:
    """Whether a save has what is known, or variables that have counted on from there."""
    values = {key: _value(save, key) for key in known}
    return all(values[key] == value or (0 < value < values[key]) for key, value in known.items())
