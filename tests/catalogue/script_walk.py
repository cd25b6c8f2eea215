"""The uses that scripts hold, by the commands of their files and by the effects of their entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from formats.field.script import Command, ScriptFile, Target
from formats.field.script_commands import PLATINUM
from mapexplorer.gameplay.items import script_effects
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import script_files
from tests.catalogue.edge_rows import Rows, Thing, band_of, floor_file, row, table

USES = {
    "flag set": [("flag", 0, "set by")],
    "flag clear": [("flag", 0, "cleared by")],
    "flag check": [("flag", 0, "checked by")],
    "give": [("item", 0, "given by")],
    "add item": [("item", 0, "given by")],
    "take": [("item", 0, "taken by")],
    "pokemon": [("species", 0, "given by"), ("item", 2, "held by a gift of")],
    "egg": [("species", 0, "as an egg by")],
    "wild": [("species", 0, "fought in")],
    "trainer": [("trainer", 0, "trainer")],
    "partner": [("trainer", 0, "partner")],
    "warp": [("header", 0, "led to by")],
    "trade": [("trade", 0, "traded by")],
    "text": [("text", 0, "said by")],
}
"""Effect -> the kind of a thing, which value is its number, and how an entry uses it."""
DETAILS = {"wild": "level", "pokemon": "level", "give": "count", "add item": "count", "take": "count"}
MUSIC = {"play": "played by", "set": "set by", "fanfare": "fanfare of", "override": "until another map is entered, by"}
MEANINGS = {
    "flag": "flag",
    "variable": "variable",
    "item": "item",
    "trainer": "trainer",
    "species": "species",
    "move": "move",
    "header": "header",
    "sound": "music",
    "bank": "messages",
}
ARGUMENT = re.compile(r"(\w+) (\w+)(?: \((.+)\))?")


class Argument(NamedTuple):
    """An argument of a command: which one, its value, its access and its meaning by the table of commands."""

    index: int
    value: int
    access: str
    meaning: str


def arguments(command: Command) -> list[Argument]:
    """The arguments of a command that are no targets."""
    known = table("script_commands")
    if command.number >= len(known["names"]) or not command.arguments:
        return []
    texts = known["names"][command.number][1:]
    if texts and isinstance(texts[-1], dict):
        texts = texts[:-1] + texts[-1].get(str(command.arguments[0]), [])
    found = []
    for index, (value, text) in enumerate(zip(command.arguments, texts, strict=False)):
        about = ARGUMENT.fullmatch(text)
        assert about is not None
        if isinstance(value, int):
            found.append(Argument(index, value, about[1], about[3] or ""))
    return found


def effects_of(command: Command) -> Iterator[tuple[str, tuple[int | str, ...]]]:
    """(effect, values) of a command by the table of commands."""
    known = table("script_commands")
    for number, effect, indices, *more in known["effects"]:
        if number == command.number:
            none, prefix = (*more, [], [])[:2]
            values = [command.arguments[index] for index in indices]
            if not set(values) & set(none) and not any(isinstance(value, Target) for value in values):
                yield effect, (*prefix, *values)


def named(world: FieldWorld, member: int, effect: str, values: tuple[Any, ...]) -> Iterator[tuple[Thing, str]]:
    """(thing, how) of the values of an effect in a script file; 0 is no thing, but the first trade and text are."""
    for kind, index, how in USES.get(effect, ()):
        value = values[index]
        if kind == "text":
            if value >= 0 and bank_of(world, member) is not None:
                yield (kind, bank_of(world, member), value), how
        elif value > 0 or (kind == "trade" and value == 0):
            yield (kind, value), how


def bank_of(world: FieldWorld, member: int) -> int | None:
    """The message bank of a script file."""
    for _, number, bank, _ in table("script_numbers")["bands"]:
        if number == member:
            return int(bank)
    return next((header.message_bank for header in world.headers if header.scripts == member), None)


_FILES: dict[FieldWorld, list[tuple[int, ScriptFile, dict[int, list[int]]]]] = {}
_EFFECTS: dict[FieldWorld, list[tuple[int, int, Any]]] = {}


def files(world: FieldWorld) -> list[tuple[int, ScriptFile, dict[int, list[int]]]]:
    """(member, file, item -> the entries that lead to it) of the script files."""
    if world not in _FILES:
        _FILES[world] = [(member, file, reached(file)) for member, file in script_files(world)]
    return _FILES[world]


def reached(file: ScriptFile) -> dict[int, list[int]]:
    """Item -> the entries that lead to it."""
    found: dict[int, list[int]] = {}
    for entry, start in enumerate(file.entries):
        waiting, seen = [start.item] if start.offset == 0 else [], set()
        while waiting:
            at = waiting.pop()
            if at in seen or at >= len(file.items):
                continue
            seen.add(at)
            found.setdefault(at, []).append(entry)
            item = file.items[at]
            if isinstance(item, Command):
                waiting += [one.item for one in item.arguments if isinstance(one, Target) and one.offset == 0]
                waiting += [] if item.number in PLATINUM.no_return else [at + 1]
    return found


def effects(world: FieldWorld) -> list[tuple[int, int, Any]]:
    """(member, entry, effect -> values) over all paths; tests of `gameplay` compare them with the vectors."""
    if world not in _EFFECTS:
        read = script_effects(world, [(member, file) for member, file, _ in files(world)])
        _EFFECTS[world] = [(member, entry, one.found) for member, entry, one in read]
    return _EFFECTS[world]


def by_entries(member: int, item: int, entries: dict[int, list[int]]) -> Iterator[Thing]:
    """The users of what an item of a script file holds: the entries that lead to it, or the file if none does."""
    yield from ((("scripts", member, entry)) for entry in entries[item]) if item in entries else (("scripts", member),)


def of_scripts(world: FieldWorld) -> Rows:
    held: dict[Any, set[Any]] = {}
    for member, file, entries in files(world):
        offsets = file.offsets()
        for at, item in enumerate(file.items):
            for used, how, detail, number in _held(world, member, item) if isinstance(item, Command) else ():
                numbers = (offsets[at], number) if detail else (offsets[at],)
                for user in by_entries(member, at, entries):
                    held.setdefault((user, used, how), set()).add((detail, number))
                    yield row(user, used, how, "command", numbers, detail)
    for member, entry, found in effects(world):
        for effect, lists in found.items() if member != floor_file() else ():
            for values in lists:
                for used, how in named(world, member, effect, values):
                    user = ("scripts", member, entry)
                    detail, number = _detail(effect, values)
                    known = held.get((user, used, how))
                    if known is None or (detail and (detail, number) not in known):
                        yield row(user, used, how, "computed" if detail else "", (number,), detail)


def _held(world: FieldWorld, member: int, command: Command) -> Iterator[tuple[Thing, str, str, int]]:
    """(thing, how, what a number beside it is, the number) of the things that a command names by itself."""
    known, done = table("script_commands"), set()
    for effect, values in effects_of(command):
        if effect == "common" and (band := band_of(int(values[0]))) is not None:
            yield ("scripts", band[1], int(values[0]) - band[0]), "called by", "", 0
        for used, how in named(world, member, effect, values):
            if used[-1] < 0x4000:
                yield used, how, *_detail(effect, values)
    for name, how in MUSIC.items():
        if known["music"].get(str(command.number)) == name:
            yield ("music", command.arguments[0]), how, "", 0
    ways = {"write": "set by", "change": "changed by", "read": "read by", "value": "read by"}
    for one in arguments(command):
        use = one.value, ways.get(one.access)
        if 0x4000 <= one.value < 0x8000 and one.access in ways and use not in done:
            done.add(use)
            yield ("variable", one.value), ways[one.access], "", 0


def _detail(effect: str, values: tuple[Any, ...]) -> tuple[str, int]:
    """What the second value of an effect is, and the value, if it is constant."""
    if effect in DETAILS and 0 <= values[1] < 0x4000:
        return DETAILS[effect], values[1]
    return "", 0


def of_roaming_pokemon(world: FieldWorld) -> Rows:
    rows = table("encounters")["roamers"]["rows"]
    for member, entry, found in effects(world):
        for number, *_ in found.get("roamer", ()):
            if 0 <= number < len(rows):
                species, level, _ = rows[number]
                yield row(
                    ("scripts", member, entry), ("species", species), "roams after", "computed", (level,), "level"
                )


FLAGS = {"SetTrainerFlag": "set by", "ClearTrainerFlag": "cleared by", "CheckTrainerFlag": "checked by"}


def of_arguments(world: FieldWorld) -> Rows:
    """The numbers that commands hold, without those that `of_scripts` has; those that come through a variable are in
    `through_variables`."""
    first = table("flags")["trainers"][0]
    for member, file, entries in files(world):
        offsets = file.offsets()
        for at, item in enumerate(file.items):
            if not isinstance(item, Command):
                continue
            name, found = command_name(item), []
            for one in arguments(item):
                kind = MEANINGS.get(one.meaning, "variable")
                constant = one.access == "number" or (one.access == "value" and one.value < 0x4000)
                if kind != "variable" and constant and (one.value or kind in ("header", "messages")):
                    if kind == "trainer" and name in FLAGS:
                        found.append((("flag", first + one.value), FLAGS[name]))
                    if not names_by_itself(item, one, kind):
                        found.append(((kind, one.value), name))
            for used, how in dict.fromkeys(found):
                yield from (row(user, used, how, "command", (offsets[at],)) for user in by_entries(member, at, entries))


def command_name(command: Command) -> str:
    names = table("script_commands")["names"]
    return str(names[command.number][0]) if command.number < len(names) else ""


def names_by_itself(command: Command, one: Argument, kind: str) -> bool:
    """Whether an effect of a command, or the music that it plays, is about an argument."""
    known = table("script_commands")
    if str(command.number) in known["music"] and one.index == 0:
        return True
    for number, effect, indices, *_ in known["effects"]:
        if command.number == number and any(
            of == kind and indices[at] == one.index for of, at, _ in USES.get(effect, ())
        ):
            return True
    return False


class Taken(NamedTuple):
    """A number that a command takes through a variable: the kind of the thing, the number, the command that takes it,
    the member and the byte offset of the command that puts it into the variable."""

    kind: str
    number: int
    command: str
    member: int
    at: int


def through_variables(world: FieldWorld) -> tuple[set[Taken], set[Taken]]:
    """Numbers that a command puts into a variable: those that a command with a meaning surely takes, because it follows
    with nothing between them but commands that do not change the variable; and those that one of all script files may
    take, because it takes that variable."""
    surely, takers, puts = set(), set(), []
    for member, file, _ in files(world):
        commands = [item for item in file.items if isinstance(item, Command)]
        named = {one.item for item in commands for one in item.arguments if isinstance(one, Target)}
        named |= {target.item for target in file.entries}
        copies = [item.arguments for item in commands if item.number == table("script_commands")["copy variable"]]
        offsets = file.offsets()
        held: dict[int, tuple[int, int]] = {}
        for at, item in enumerate(file.items):
            if at in named or not isinstance(item, Command):
                held.clear()
            if not isinstance(item, Command):
                continue
            for one in arguments(item):
                kind = MEANINGS.get(one.meaning, "variable")
                if kind != "variable" and one.value >= 0x4000 and one.access in ("value", "read"):
                    for variable in sources(one.value, copies):
                        takers.add((variable, kind, command_name(item), member if variable >= 0x8000 else None))
                    if one.value in held:
                        number, offset = held[one.value]
                        surely.add(Taken(kind, number, command_name(item), member, offset))
            for one in arguments(item):
                if one.access in ("write", "change"):
                    held.pop(one.value, None)
            if item.number == table("script_commands")["set variable"]:
                variable, number = item.arguments
                held[variable] = number, offsets[at]  # type: ignore[index, assignment]
                puts.append((variable, number, member, offsets[at]))
            if item.number == table("script_commands")["call common"] or item.number in PLATINUM.no_return:
                held.clear()
    may = {
        Taken(kind, number, command, member, offset)
        for variable, number, member, offset in puts
        for taken, kind, command, here in takers
        if taken == variable and here in (None, member)
    }
    return surely, may


def sources(variable: int, copies: list[Any]) -> set[int]:
    """A variable, and those whose values are copied into it, by (goal, source) of the commands that copy."""
    found = {variable}
    while more := {source for goal, source in copies if goal in found} - found:
        found |= more
    return found


# --- shops


def shops() -> list[tuple[str, int, list[Any]]]:
    """(kind, number, goods) of all shops in the order of their numbers as things."""
    known = table("items")
    kinds = {
        "common": [known["common mart"]],
        "specialties": [goods for _, goods in known["special marts"]],
        "decor": known["decor"],
        "seals": known["seals"],
        "frontier": known["frontier"],
        "game corner": [known["game corner"]],
    }
    return [(kind, number, goods) for kind, lists in kinds.items() for number, goods in enumerate(lists) if goods]


def of_shops(world: FieldWorld) -> Rows:
    for thing, (kind, number, goods) in enumerate(shops()):
        if kind in ("common", "game corner"):
            how, part = {"common": ("common shops", "step"), "game corner": ("Game Corner", "coins")}[kind]
            yield from (row(("shop", thing), ("item", item), how, part, (value,)) for item, value in goods)
        for member, entry, found in effects(world):
            for _ in [one for one in found.get("mart", ()) if one == (kind, number)] if member != floor_file() else ():
                yield row(("scripts", member, entry), ("shop", thing), "opened by")
                sort = {"specialties": "mart", "frontier": "exchange"}.get(kind)
                for item in goods if sort else ():
                    yield row(("scripts", member, entry), ("item", item), "sold by", sort or "", (number,))
