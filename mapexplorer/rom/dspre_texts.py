"""Message banks as DSPRE 2 keeps them while they are edited: `expanded/textArchives/0433.json`, before that `.txt`.

JSON has an optional `key`, which scrambles the bank, and `messages`: objects with a text, or a list of its lines, by
language (`en_US`). The text form begins with the line `# Key: HEX`; each further line is a text. Texts of the stored
bank beyond these stay.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from formats.binary import FormatError
from formats.field.charmap import CODES
from formats.field.message import MessageBank

_NOTATION: Final = re.compile(r"\{STRVAR_([0-9A-F]+) (\d+)((?:, \d+)*)\}|\{TRAINER_NAME:([^{}]*)\}|\\([nrf])")
_KEY: Final = "# Key: "
_CONTROLS: Final = {"n": "\n", "r": "\r", "f": "\f"}
_FOREIGN: Final = re.compile(r"\{(?!command [0-9A-F]{4}[\d ]*\}|[0-9A-F]{4}\}|packed\})[^{}]*\}")
_KNOWN: Final = frozenset((*CODES, *_CONTROLS.values(), "{", "}"))


def bank_of(text: str, name: str, stored: bytes) -> bytes:
    """The bank that such a file describes. Raises FormatError."""
    try:
        if text.startswith(_KEY):
            key, *texts = text.split("\n")
            return _bank(int(key.removeprefix(_KEY), 16), texts, stored)
        value = json.loads(text)
        return _bank(int(value.get("key", 0)), [_text(message) for message in value["messages"]], stored)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FormatError(name, 0, "a text archive of DSPRE", str(error)) from None


def _text(message: dict[str, Any]) -> str:
    """The English text of a message, else that of its first language."""
    texts = {name: value for name, value in message.items() if name != "id"}
    text = texts.get("en_US", next(iter(texts.values()), ""))
    return text if isinstance(text, str) else "".join(text)


def _bank(key: int, texts: list[str], stored: bytes) -> bytes:
    kept = MessageBank.from_bytes(stored).messages[len(texts) :] if stored else ()
    return MessageBank(key & 0xFFFF, (*map(_own_notation, texts), *kept)).to_bytes()


def _own_notation(text: str) -> str:
    """A text in the notation of `formats.field.message`; what that lacks becomes a question mark."""
    known = _FOREIGN.sub("?", _NOTATION.sub(_replaced, text))
    return "".join(character if character in _KNOWN else "?" for character in known)


def _replaced(found: re.Match[str]) -> str:
    group, number, arguments, trainer, control = found.groups()
    if control:
        return _CONTROLS[control]
    if trainer is not None:
        return "{packed}" + trainer
    return f"{{command {int(group, 16) << 8 | int(number):04X}{arguments.replace(',', '')}}}"
