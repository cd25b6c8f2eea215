"""What is said when the player talks to somebody or reads something: the texts that a script shows, in their order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from formats.field.charmap import text_of
from formats.field.script import Command
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.names import name, unpacked
from mapexplorer.gameplay.script_names import ScriptNames, readable
from mapexplorer.gameplay.text_slots import TEXT, filled
from mapexplorer.gameplay.trainers import messages
from mapexplorer.games import NameBank
from mapexplorer.games.name_bank import NAMES_OF, OTHER_BANKS
from mapexplorer.games.script_tables import FIRST_SCRIPT_VARIABLE
from mapexplorer.world.events.script_files import ScriptPlace, check_entry, locate_script
from mapexplorer.world.events.transition import ScriptRun, arrive
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles

_HAPPENS: Final = {"mart": "[A shop opens.]", "trainer": "[A battle begins.]", "wild": "[A battle begins.]"}
"""Effect of a command -> the page that stands for it."""

_COMMAND: Final = re.compile(r"\{command [^}]*\}")

_NAMED: Final = NAMES_OF | {
    "item with article": NameBank.ITEMS_WITH_ARTICLE,
    "item plural": NameBank.ITEMS_PLURAL,
    "species with article": NameBank.SPECIES_WITH_ARTICLE,
    "type": NameBank.TYPES,
}
"""What stands for a name in a text -> the bank with these names."""

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
        given = read_or(None, Items(world).of_script, number)  # of a hidden item, whose script all of them share
        self._variables |= dict(enumerate(given or (), FIRST_SCRIPT_VARIABLE))
        self._world, self._given = world, iter(self.answers)
        self._result = 0
        """The variable that gets the answer."""
        self._slots: dict[int, str] = {}
        """What the placeholders of texts stand for."""
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
        self._slots |= {slot: self._words(words, command) for slot, words in filled(command, known).items()}
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
        return ScriptNames(self._world, self._place.bank).text(number, self._slots) or ""

    def _words(self, stored: str, command: Command) -> str:
        """What a command writes into a slot, as far as it is known; else what is `stored` there in listings."""
        words = stored.strip("{}")
        if words in self._save.game.tables.new_game.names:
            return read_or("", self._person, words) or stored
        number = command.arguments[1] if words in _NAMED else 0
        known = self._value(number) if isinstance(number, int) and self._known(number) else 0
        return (read_or("", name, self._world, _NAMED[words], known) if known else "") or stored

    def _person(self, who: str) -> str:
        """The name of a person in the save, else the one that the game has for them."""
        world, saved = self._world, self._save.contents
        bank, entry = self._save.game.tables.new_game.names[who]
        given = {"player": saved["player"]["name"], "rival": saved["misc"]["rival_name"]}
        entry -= int(who == "counterpart" and saved["player"]["gender"])
        texts = () if world.game.letter(world.rom.code) in OTHER_BANKS else world.messages(bank) or ()
        return text_of(given.get(who, ())) or (unpacked(texts[entry]) if entry < len(texts) else "")


def pages_of(text: str) -> Sequence[str]:
    """What a text box shows of a text, without its commands, one page for each key that is waited for: after some the
    box is empty, after others the last line has moved up."""
    pages: list[str] = []
    for part in re.split("(?=[\r\f])", _COMMAND.sub("", text)):
        kept = pages[-1].rpartition("\n")[2] + "\n" if part.startswith("\f") and pages else ""
        pages.append(kept + part.strip("\r\f"))
    return [page for page in pages if page.strip()]
