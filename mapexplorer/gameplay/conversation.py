"""What is said when the player talks to somebody or reads something: the texts that a script shows, in their order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from formats.field.script import Command
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.script_listing import entry_texts
from mapexplorer.gameplay.script_names import ScriptNames, readable
from mapexplorer.gameplay.text_slots import TEXT, TextSlots
from mapexplorer.gameplay.trainers import messages
from mapexplorer.games import NameBank
from mapexplorer.world.events.script_files import ScriptPlace, check_entry, locate_script
from mapexplorer.world.events.transition import ScriptRun, arrive
from mapexplorer.world.save import Save
from mapexplorer.world.sources.files import WorldFiles

_HAPPENS: Final = {"mart": "[A shop opens.]", "trainer": "[A battle begins.]", "wild": "[A battle begins.]"}
"""Effect of a command -> the page that stands for it."""

_COMMAND: Final = re.compile(r"\{command [^}]*\}")

_OF_TRAINERS: Final = ("before", "defeat", "after")
"""When the messages are said that a trainer says whatever happens in the battle."""

Choice = tuple[str, int]
"""An answer that is offered, and what the script gets for it."""


class Conversation(ScriptRun):
    """The script of a `number`, which runs until it ends, or asks something that `answers` do not answer.

    `pages`: what the text box shows, one after the other; `choices`: the answers to what is asked last, none where the
    script has ended; `complete`: it was followed to its end.
    """

    def __init__(self, world: WorldFiles, header: int, number: int, save: Save, answers: Iterable[int] = ()) -> None:
        """Runs the script with a number on the maps of a header that was entered with a save. Raises FormatError,
        RomError, PlaceError where there is no such script."""
        super().__init__(header, arrive(world, header, save).save)
        self.pages: list[str] = []
        self.choices: list[Choice] = []
        self.complete = True
        self.number, self.answers = number, tuple(answers)
        self._world, self._given = world, iter(self.answers)
        self._result = 0
        """The variable that gets the answer."""
        self._menu_entries = False
        """Whether the texts of the menu are those that all scripts share."""
        trainer = save.game.tables.script_numbers.trainer(number)
        place = None if trainer is not None else locate_script(world, header, number)
        if trainer is not None:
            self._say_of_trainer(trainer[0])
        elif place is not None:
            self._place = place
            self.complete = self._run(place)
        self.choices = [] if self.complete else self.choices

    @property
    def unknown(self) -> list[str]:
        """The names of the commands whose results are not known in a new game, and count as 0."""
        names = map(self._commands.name, sorted(self.assumed))
        return [command.name for command in names if command is not None]

    def _say_of_trainer(self, trainer: int) -> None:
        said = self._world.game.tables.trainers.messages
        for message in messages(self._world, trainer):
            when = said.get(message.type, "").partition(",")[0]
            if when in _OF_TRAINERS:
                self.pages += [_HAPPENS["trainer"]] if when == "defeat" else []
                self.pages += pages_of(readable(message.text))

    def _run(self, place: ScriptPlace) -> bool:
        """Run a script, also one that another one has called; whether it has ended."""
        file, caller, self._place = self._world.script_file(place.member), self._place, place
        check_entry(place.member, file, place.entry)
        ended = self.execute(file, file.entries[place.entry])
        self._place = caller
        return ended

    def change(self, command: Command) -> bool:
        """Do what a command does; false where it asks and there is no answer."""
        known = self._commands
        numbers = [argument for argument in command.arguments if isinstance(argument, int)]
        asks = command.number in (known.yes_or_no, *known.show_menu)
        if not asks and command.number not in known.menus:
            super().change(command)
        for rule in known.effects.get(command.number, ()):
            if rule.effect == TEXT:
                self.pages += pages_of(self._text(self._value(numbers[rule.arguments[0]])))
            elif rule.effect in _HAPPENS and _HAPPENS[rule.effect] not in self.pages[-1:]:
                self.pages.append(_HAPPENS[rule.effect])
        if command.number == known.call_common:
            place = locate_script(self._world, self._header, numbers[0])
            return place is None or self._run(place)
        if command.number in known.menus:
            self.choices, self._result = [], numbers[-1]
            self._menu_entries = known.menus[command.number] == "shared"
        elif command.number in known.menu_entries:
            self.choices.append((self._entry(self._value(numbers[0])), self._value(numbers[-1])))
        elif command.number == known.yes_or_no:
            self.choices, self._result = [("Yes", 0), ("No", 1)], numbers[-1]
        answer = next(self._given, None) if asks else None
        if answer is not None:
            self._variables[self._result], self.choices = answer, []
        return not asks or answer is not None

    def _entry(self, number: int) -> str:
        """The text of an entry of a menu."""
        shared = name(self._world, NameBank.MENU_ENTRIES, number) if self._menu_entries else self._text(number)
        return " ".join(shared.split())

    def _text(self, number: int) -> str:
        place, file = self._place, self._world.script_file(self._place.member)
        names, slots = ScriptNames(self._world, place.bank), TextSlots(file, self._commands)
        return entry_texts(file, place.entry, (number,), names, slots)[number]


def pages_of(text: str) -> Sequence[str]:
    """What a text box shows of a text, without its commands, one page for each key that is waited for: after some the
    box is empty, after others the last line has moved up."""
    pages: list[str] = []
    for part in re.split("(?=[\r\f])", _COMMAND.sub("", text)):
        kept = pages[-1].rpartition("\n")[2] + "\n" if part.startswith("\f") and pages else ""
        pages.append(kept + part.strip("\r\f"))
    return [page for page in pages if page.strip()]
