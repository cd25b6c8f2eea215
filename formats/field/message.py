"""Message banks (pl_msg.narc): the game's text, scrambled with a key per entry.

A bank is u16 count, u16 seed, then for each entry a scrambled (u32 offset, u32 length) and after them the texts,
scrambled 16-bit units that end with 0xFFFF. `MessageBank` holds the texts as Python strings in a notation that encodes
to the same units:

    \\n \\r \\f              new line; wait and clear; wait and scroll
    {command 0103 0 1}    a command (0xFFFE) with its number in hexadecimal and its arguments in decimal
    {packed}              at the start: the text is stored as a packed string (9-bit characters in 15-bit units)
    {01F3}                any other unit that has no character
    {no end}              at the end: the end mark 0xFFFF is missing
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, require
from formats.field.charmap import CHARACTERS, CODES
from formats.field.record import note_rest, opened, write_count

END = 0xFFFF
COMMAND = 0xFFFE
PACKED = 0xF100
_CONTROLS = {0xE000: "\n", 0x25BC: "\r", 0x25BD: "\f"}
_PACKED_END = 0x1FF
_NO_CHARACTER = "\0"
_TOKEN = re.compile(r"\{(?:([0-9A-F]{4})|command ([0-9A-F]{4})((?: \d+)*))\}|([^{}]+)")

Units = npt.NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class MessageBank:
    """The texts of a bank in entry order, and the seed that scrambles its table."""

    seed: int
    messages: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.messages)

    def __getitem__(self, index: int) -> str:
        return self.messages[index]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> MessageBank:
        """Read and decode a bank. Raises FormatError, also for texts that are together larger than the file."""
        reader = opened(data, "message bank")
        count, seed = reader.u16(0, "texts"), reader.u16(2, "seed")
        table = reader.array(4, "<u4", 2 * count, "the entry table").reshape(count, 2) ^ _table_keys(seed, count)
        expected = 4 + table.nbytes
        in_order, remaining = True, max(0, len(reader) - expected) // 2
        for index, (offset, length) in enumerate(table.tolist()):
            remaining -= length
            if remaining < 0:
                reader.named(f"entry {index}").fail(4 + 8 * index, "texts that fit the file", f"{length} units")
            reader.need(offset, 2 * length, f"entry {index}")
            in_order &= offset == expected
            expected = offset + 2 * length
        lengths = table[:, 1].astype(np.int64)
        if in_order:
            stored = reader.array(4 + table.nbytes, "<u2", int(lengths.sum()))
        else:
            stored = np.concatenate([reader.array(offset, "<u2", length) for offset, length in table.tolist()])
        messages = _decode_all(stored ^ _text_keys(lengths), lengths)
        reader.declare(
            field
            for index, ((offset, length), text) in enumerate(zip(table.tolist(), messages, strict=True))
            for field in (
                (("entry", index), 4 + 8 * index, 8, (offset, length), "offset and length, computed with the seed"),
                (("text", index), offset, 2 * length, text, "computed with the key of its number"),
            )
        )
        reader.tolerate(in_order, notes, 4, "the texts are not stored in entry order; writing stores them so")
        note_rest(reader, expected, notes)
        return cls(seed, tuple(messages))

    def to_bytes(self) -> bytes:
        """Encode and scramble. Raises ValueError for a character that the game does not have."""
        count = write_count(len(self.messages), 0xFFFF, "messages")
        require(0 <= self.seed <= 0xFFFF, f"the seed of a message bank has 16 bits, not {self.seed}")
        texts = [_all_units(message) for message in self.messages]
        table = np.empty((count, 2), np.uint32)
        table[:, 1] = [len(units) for units in texts]
        table[:, 0] = 4 + 8 * count + 2 * (np.cumsum(table[:, 1]) - table[:, 1])
        parts = [struct.pack("<HH", count, self.seed), (table ^ _table_keys(self.seed, count)).astype("<u4").tobytes()]
        if texts:
            units = np.array(list(chain.from_iterable(texts)), np.uint16)
            parts.append((units ^ _text_keys(table[:, 1].astype(np.int64))).astype("<u2").tobytes())
        return b"".join(parts)


def _decode_all(units: Units, lengths: npt.NDArray[np.int64]) -> list[str]:
    """The texts with these lengths, which follow each other in `units`."""
    characters = _character_table()[units].tobytes().decode("utf-32-le")
    ends = np.cumsum(lengths)
    ended = (units[ends - 1] == END).tolist() if len(units) else [False] * len(ends)
    texts = []
    for end, length, has_end in zip(ends.tolist(), lengths.tolist(), ended, strict=True):
        text = characters[end - length : end - 1]
        is_plain = length and has_end and _NO_CHARACTER not in text
        texts.append(text if is_plain else decode(units[end - length : end]))
    return texts


def decode(units: Units) -> str:
    """The units of one text in the notation of this module; `encode` gives the same units again."""
    values = units.tolist()
    if values[:1] == [PACKED]:
        text = _decode_packed(values)
        if text is not None and encode(text).tolist() == values:
            return text
    if values[-1:] == [END]:
        return _decode_units(values[:-1])
    return _decode_units(values) + "{no end}"


def encode(text: str) -> Units:
    """The units of a text. Raises ValueError for a character without a code or an unknown notation in braces."""
    return np.array(_all_units(text), np.uint16)


def _all_units(text: str) -> list[int]:
    ended = not text.endswith("{no end}")
    text = text if ended else text.removesuffix("{no end}")
    packed = text.startswith("{packed}")
    units = _encode_units(text.removeprefix("{packed}"))
    if packed:
        units = _pack(units)
    if ended:
        units.append(END)
    return units


def _decode_units(values: list[int]) -> str:
    notation = _decode_table().__getitem__
    parts: list[str] = []
    start = 0
    at = _next_command(values, 0)
    while at < len(values):
        count = values[at + 2] if at + 2 < len(values) else len(values)
        end = at + 3 + count
        if end > len(values):
            at = _next_command(values, at + 1)
            continue
        parts += map(notation, values[start:at])
        parts.append("{command " + " ".join([f"{values[at + 1]:04X}", *map(str, values[at + 3 : end])]) + "}")
        start = end
        at = _next_command(values, end)
    return "".join([*parts, *map(notation, values[start:])])


def _next_command(values: list[int], start: int) -> int:
    """The index of the first command from `start` on; the number of units where there is none."""
    try:
        return values.index(COMMAND, start)
    except ValueError:
        return len(values)


def _encode_units(text: str) -> list[int]:
    codes = _encode_table()
    units: list[int] = []
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if not token:
            raise ValueError(f"{text[position : position + 20]!r} is neither text nor a known notation in braces")
        raw, command, arguments, characters = token.groups()
        if raw:
            units.append(int(raw, 16))
        elif command:
            numbers = [int(argument) for argument in arguments.split()]
            require(
                len(numbers) <= 0xFFFF and not any(number > 0xFFFF for number in numbers),
                "a command's arguments have 16 bits",
            )
            units += [COMMAND, int(command, 16), len(numbers), *numbers]
        else:
            try:
                units += map(codes.__getitem__, characters)
            except KeyError as error:
                raise ValueError(f"the game has no character {error.args[0]!r}") from None
        position = token.end()
    return units


def _decode_packed(values: list[int]) -> str | None:
    """The text of a packed string (9-bit characters, low bits first, 15 in a unit); None for units that are none. It
    ends with the character 0x1FF, whose bits may be those of the end mark 0xFFFF."""
    bits = used = 0
    characters: list[int] = []
    for value in values[1:]:
        if value > 0x7FFF and value != END:
            return None
        bits |= value << used
        used += 15
        while used >= 9:
            character = bits & 0x1FF
            if character == _PACKED_END:
                return "{packed}" + _decode_units(characters)
            characters.append(character)
            bits >>= 9
            used -= 9
    return None


def _pack(characters: list[int]) -> list[int]:
    """Units of a packed string without the end mark 0xFFFF, which ends its characters too; spare bits of the last unit
    are ones."""
    require(
        not any(character >= _PACKED_END for character in characters),
        "a packed string holds only characters below 0x1FF",
    )
    units, bits, used = [PACKED], 0, 0
    for character in characters:
        bits |= character << used
        used += 9
        if used >= 15:
            units.append(bits & 0x7FFF)
            bits >>= 15
            used -= 15
    if used:
        units.append(bits | 0x7FFF << used & 0x7FFF)
    return units


def _table_keys(seed: int, count: int) -> npt.NDArray[np.uint32]:
    keys = np.arange(1, count + 1, dtype=np.uint64) * (seed * 765) & 0xFFFF
    return (keys | keys << np.uint64(16)).astype(np.uint32)[:, None]


def _text_keys(lengths: npt.NDArray[np.int64]) -> Units:
    """The keys of the units of texts with these lengths, which follow each other."""
    first = np.arange(1, len(lengths) + 1, dtype=np.int64) * 596947
    within = np.arange(lengths.sum(), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    keys: Units = (np.repeat(first, lengths) + within * 18749).astype(np.uint16)
    return keys


class _Notation(dict[int, str]):
    """Code -> its notation; a code without a character is written as a number."""

    def __missing__(self, code: int) -> str:
        return f"{{{code:04X}}}"


@cache
def _decode_table() -> _Notation:
    """Code -> its notation; a code whose character belongs to a lower code stays a number."""
    characters = (CHARACTERS | _CONTROLS).items()
    return _Notation({code: character for code, character in characters if CODES.get(character, code) == code})


@cache
def _character_table() -> npt.NDArray[np.uint32]:
    """(65536,) the code point of the character of each code, that of `_NO_CHARACTER` where it has none."""
    table = np.full(0x10000, ord(_NO_CHARACTER), "<u4")
    for code, character in _decode_table().items():
        table[code] = ord(character)
    return table


@cache
def _encode_table() -> dict[str, int]:
    return CODES | {character: code for code, character in _CONTROLS.items()}
