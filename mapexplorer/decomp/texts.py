"""Texts of a tree, in the notation of `formats.field.message`.

In a tree a text is a text or a list of texts that follow each other, with the letters of the character map:

    HEX=LETTERS            a code, of one or several letters; `\\n \\r \\f` are the control characters
    HEX={NAME}             a command; `{NAME 1, 2}` in a text is it with its arguments; the first one of STRVAR is a
                           part of the code
    {TRNAME}, {HEX}        in a text: it is packed; any code
    // ...                 a comment
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final, NamedTuple

from formats.field.charmap import CHARACTERS, CODES
from mapexplorer.decomp.json_value import U16, JsonValue
from mapexplorer.errors import SourceError

_COMMAND: Final = re.compile(r"\{(\w+)((?:[ ,]+-?\d{1,9})*) *\}")
_CODE: Final = re.compile(r"\{([0-9A-Fa-f]+)\}")
_CONTROLS: Final = {"\\n": "\n", "\\r": "\r", "\\f": "\f"}
_ROW: Final = re.compile(r"([0-9A-Fa-f]{1,4})=(?:\{([^}]{0,30})\}|(.{1,31}))")
_PACKED: Final = "{TRNAME}"
_VARIABLE: Final = "STRVAR_"


class TreeMessage(NamedTuple):
    """A text of a bank: its name, the text as in the tree, and what it is made of: the part of a file, or a line."""

    name: str
    text: str
    made_of: JsonValue | tuple[str, int]

    @property
    def origin(self) -> tuple[str, int]:
        """The file and the line of what it is made of."""
        return self.made_of if isinstance(self.made_of, tuple) else (self.made_of.file, self.made_of.line)


class CharacterMap:
    """The character map of a tree. Raises SourceError for one that cannot be read."""

    def __init__(self, file: str, text: str) -> None:
        self._codes: dict[str, int] = {}
        self._commands: dict[str, int] = {}
        for line, row in enumerate(text.split("\n"), 1):
            row = row.partition("//")[0].rstrip("\r").lstrip(" \t")
            match = _ROW.fullmatch(row)
            if row and match is None:
                raise SourceError(file, line, "this is no line HEX=LETTERS")
            if match is not None and match[2]:
                self._commands[match[2]] = int(match[1], 16)
            elif match is not None:
                self._codes[match[3]] = self._codes[_CONTROLS.get(match[3], match[3])] = int(match[1], 16)
        same = {letter for letter, code in self._codes.items() if CODES.get(letter) == code or letter in "\n\r\f"}
        others = sorted((letters for letters in self._codes if letters[0] not in same), key=len)
        units = "|".join([r"\{[^}]*\}?", *map(re.escape, others), r"[\s\S]"])
        self._other = re.compile(f"(?![{''.join(map(re.escape, sorted(same)))}])(?:{units})" if same else units)
        """What is written in another way in the notation; the shortest letters that have a code count."""

    def notation(self, message: TreeMessage) -> str:
        """A text in the notation of `formats.field.message`. Raises SourceError."""
        return self._other.sub(partial(self._unit, message), message.text)

    def _unit(self, message: TreeMessage, match: re.Match[str]) -> str:
        text = match[0]
        if text[0] != "{" and text not in self._codes:
            raise SourceError(*message.origin, f"{message.name}: the character map has no {text!r}")
        if text[0] != "{":
            letter = CHARACTERS.get(self._codes[text], "")
            return letter if CODES.get(letter) == self._codes[text] else f"{{{self._codes[text]:04X}}}"
        if text == _PACKED and match.start() == 0:
            return "{packed}"
        command, code = _COMMAND.fullmatch(text), _CODE.fullmatch(text)
        if command is not None and command[1] in self._commands:
            number = self._commands[command[1]]
            numbers = [int(argument) & U16 for argument in command[2].replace(",", " ").split()]
            if command[1].startswith(_VARIABLE) and numbers:
                number |= numbers.pop(0)
            return "{" + " ".join([f"command {number:04X}", *map(str, numbers)]) + "}"
        if code is None:
            why = f"{message.name}: {text} is no command of the character map, and no code"
            raise SourceError(*message.origin, why)
        return f"{{{int(code[1], 16) & U16:04X}}}"


def plain_text(part: JsonValue) -> str:
    """A text, or a list of texts that follow each other. Raises SourceError."""
    return "".join([item.string() for item in part.items()]) if isinstance(part.value, list) else part.string()


def message_text(part: JsonValue) -> str:
    """The text of a message, or the blanks that the game has in its place. Raises SourceError."""
    if part.has("en_US"):
        return plain_text(part.part("en_US"))
    return " " * part.part("garbage").number(U16)


def messages(bank: JsonValue) -> list[TreeMessage]:
    """The messages of a bank that is a file. Raises SourceError."""
    parts = [(part, part.part("id")) for part in bank.part("messages").items()]
    return [TreeMessage(name.string(), message_text(part), name) for part, name in parts]
