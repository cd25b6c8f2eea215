"""Changes to files: of their bytes, or of the values that they hold."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import numpy as np

from tools.fuzz.seeds import Seed

_WHOLE = (
    0,
    1,
    -1,
    2,
    7,
    8,
    31,
    127,
    128,
    255,
    256,
    4096,
    -4096,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    -0x80000000,
    1 << 32,
    1 << 63,
    -(1 << 63),
)
_TEXTS = ("", "x", "\0", "\x1b[2J", "../x", "a" * 16, "a" * 17, "é", "あ", "{packed}", "{command 0103 1}", "{", "}")
_NUMBERS = (0.0, -1.0, 1e38, -1e38, 1e-40, float("inf"), float("-inf"), float("nan"))


def mutate(source: random.Random, seed: Seed) -> bytes:
    """A damaged copy: bytes or words overwritten, the end cut off, a piece taken out, doubled or filled in."""
    data = bytearray(seed.data)
    way = source.random()
    for _ in range(source.choice((1, 1, 2, 4, 8))):
        place = source.randrange(len(data)) if source.random() < 0.5 else source.randrange(min(len(data), 64))
        if way < 0.45:
            data[place] = source.choice((0, 1, 0x7F, 0x80, 0xFF, source.randrange(256), data[place] ^ 1))
        elif way < 0.8:
            size = source.choice((2, 4))
            place -= place % size
            word = source.choice((0, 1, 0xFFFF, len(data), len(data) - 1, 1 << 31, 0xFFFFFFFF, source.getrandbits(32)))
            data[place : place + size] = (word & (1 << 8 * size) - 1).to_bytes(size, "little")[: len(data) - place]
    if 0.8 <= way < 0.9:
        del data[source.randrange(len(data)) :]
    elif way >= 0.9:
        place, size = source.randrange(len(data)), source.choice((1, 2, 4, 16, 100))
        piece = bytes(data[place : place + size])
        data[place : place + size] = source.choice((b"", piece * 2, bytes(len(piece)), source.randbytes(len(piece))))
    if source.random() < 0.9:
        data[: seed.magic] = seed.data[: min(seed.magic, len(data))]
    return bytes(data)


def edit(source: random.Random, value: Any) -> Any:
    """A copy of a value with some of its fields changed: numbers to unusual ones, texts, lists and arrays to longer or
    shorter ones. Raises ValueError where a type refuses that."""
    for _ in range(source.choice((1, 1, 1, 2, 4))):
        value = _edited(source, value)
    return value


def _edited(source: random.Random, value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.init]
        # Numbers and texts are mostly identifiers; what holds more is more interesting.
        names += [name for name in names if isinstance(getattr(value, name), tuple | np.ndarray | bytes)] * 2
        if not names:
            return value
        name = source.choice(names)
        return dataclasses.replace(value, **{name: _edited(source, getattr(value, name))})
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return source.choice((source.choice(_WHOLE), value + 1, value - 1, value ^ 1 << source.randrange(32), -value))
    if isinstance(value, float):
        return source.choice((source.choice(_NUMBERS), value * 2, -value))
    if isinstance(value, str):
        return source.choice((source.choice(_TEXTS), value + "x", value[:-1], value.swapcase()))
    if isinstance(value, bytes):
        return _edited_bytes(source, value)
    if isinstance(value, np.ndarray):
        return _edited_array(source, value)
    if isinstance(value, tuple):
        return _edited_tuple(source, value)
    return value


def _edited_bytes(source: random.Random, value: bytes) -> bytes:
    place, size = source.randrange(len(value) + 1), source.choice((1, 2, 4, 16))
    new = source.choice((b"", source.randbytes(size), bytes(size), b"\xff" * size, value[place : place + size] * 2))
    return value[:place] + new + value[place + source.choice((0, size, len(new))) :]


def _edited_tuple(source: random.Random, value: tuple[Any, ...]) -> tuple[Any, ...]:
    if not value:
        return value
    index = source.randrange(len(value))
    way = source.random()
    if way < 0.7:
        changed = (*value[:index], _edited(source, value[index]), *value[index + 1 :])
    elif way < 0.8:
        changed = (*value[:index], *value[index + 1 :])
    elif way < 0.9:
        changed = (*value[:index], *[value[index]] * source.choice((2, 3, 20, 300)), *value[index + 1 :])
    else:
        other = source.randrange(len(value))
        changed = (*value[:index], value[other], *value[index + 1 :])
    return type(value)(*changed) if hasattr(value, "_fields") and len(changed) == len(value) else changed


def _edited_array(source: random.Random, value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    way = source.random()
    if way < 0.15 and len(value):
        result = np.delete(value, source.randrange(len(value)), 0)
    elif way < 0.3 and len(value):
        result = np.repeat(value, source.choice((1, 2, 5)), 0)
    else:
        result = value.copy()
        if not result.size:
            return value
        numbers = result.reshape(-1)
        place = source.randrange(numbers.size)
        if result.dtype.names:
            name = source.choice(result.dtype.names)
            numbers = numbers[place : place + 1][name].reshape(-1)
            place = source.randrange(numbers.size)
        kind = numbers.dtype
        if kind.kind in "iu":
            limits = np.iinfo(kind)
            number = source.choice((*_WHOLE, limits.min, limits.max, int(numbers[place]) + 1, int(numbers[place]) ^ 1))
            numbers[place] = min(max(number, int(limits.min)), int(limits.max))
        elif kind.kind == "f":
            numbers[place] = np.array(source.choice(_NUMBERS)).astype(kind)
        elif kind.kind == "b":
            numbers[place] = not numbers[place]
    result.flags.writeable = False
    return result
