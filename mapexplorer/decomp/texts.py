"""Banks of texts of a tree, in the notation of `formats.field.message`.

In a tree a text is a text or a list of texts that follow each other, with the letters of the character map:

    HEX=LETTERS            a code, of one or several letters; `\\n \\r \\f` are the control characters
    HEX={NAME}             a command; `{NAME 1, 2}` in a text is it with its arguments; the first one of STRVAR is a
                           part of the code
    {TRNAME}, {HEX}        in a text: it is packed; any code
    // ...                 a comment
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from formats.field.charmap import CHARACTERS, CODES
from mapexplorer.decomp.json_value import U16, JsonValue
from mapexplorer.errors import SourceError

_COMMAND: Final = re.compile(r"\{(\w+)((?:[ ,]+-?\d{1,9})*) *\}")
_CODE: Final = re.compile(r"\{([0-9A-Fa-f]+)\}")
_CONTROLS: Final = {"\\n": "\n", "\\r": "\r", "\\f": "\f"}
_LONGEST: Final = 32
"""Letters of one code, and of the name of a command."""
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
            if not row:
                continue
            code, equals, letters = row.partition("=")
            try:
                number = int(code, 16)
            except ValueError:
                equals = ""
            if not equals or not 0 <= number <= U16 or not 0 < len(letters) < _LONGEST:
                raise SourceError(file, line, "this is no line HEX=LETTERS")
            if letters[:1] == "{" and letters[-1] == "}":
                self._commands[letters[1:-1]] = number
            else:
                self._codes[letters] = self._codes[_CONTROLS.get(letters, letters)] = number
        self._longest = max(map(len, self._codes), default=0)
        same = [letter for letter, code in self._codes.items() if CODES.get(letter) == code or letter in "\n\r\f"]
        self._other = re.compile(f"[^{re.escape(''.join(same))}]" if same else r"[\s\S]")

    def notation(self, message: TreeMessage) -> str:
        """A text in the notation of `formats.field.message`. Raises SourceError."""
        text = message.text
        parts: list[str] = []
        at = 0
        while (match := self._other.search(text, at)) is not None:
            parts.append(text[at : match.start()])
            at = match.start()
            if match[0] == "{":
                end = text.find("}", at) + 1 or len(text)
                parts.append(self._command(message, text[at:end], at))
                at = end
                continue
            ends = range(at + 1, at + self._longest + 1)
            end = next((end for end in ends if text[at:end] in self._codes), 0)
            if not end:
                raise SourceError(*message.origin, f"{message.name}: the character map has no {match[0]!r}")
            code = self._codes[text[at:end]]
            letter = CHARACTERS.get(code, "")
            parts.append(letter if CODES.get(letter) == code else f"{{{code:04X}}}")
            at = end
        return "".join([*parts, text[at:]])

    def _command(self, message: TreeMessage, text: str, at: int) -> str:
        """Something in braces."""
        if text == _PACKED and at == 0:
            return "{packed}"
        command, code = _COMMAND.fullmatch(text), _CODE.fullmatch(text)
        if command is not None and command[1] in self._commands:
            number = self._commands[command[1]]
            numbers = [int(argument) & U16 for argument in command[2].replace(",", " ").split()]
            if command[1].startswith(_VARIABLE) and numbers:
                number |= numbers.pop(0)
            return "{" + " ".join([f"command {number:04X}", *map(str, numbers)]) + "}"
        if code is None:
            raise SourceError(
                *message.origin, f"{message.name}: {text} is no command of the character map, and no code"
            )
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
