"""Walks as text: `NNEEES`, `12N C G 3E`, `wA`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from formats.binary import require
from mapexplorer.walk.tick import Tick
from mapexplorer.walk.walker import Walker
from mapexplorer.world.direction import BY_LETTER

NOTATION: Final = """\
N S E W   hold the direction until a step, jump, ride, warp or bump is done
n s e w   press briefly: turn without moving
A         action button: Surf, Rock Climb, Waterfall, talk, read
R         hold or release the run button
C         get on or off the bicycle
G         change gear (third, fourth)
.         press nothing for one tick
<         back to where the last warp was taken
12N       a number repeats the letter after it; spaces and commas mean nothing"""

_TOKEN: Final = re.compile(r"(\d*)([NSEWnsewARCG.<])")
_BLANK: Final = re.compile(r"[\s,]+")
_LONGEST: Final = 1_000_000


def parse_path(text: str) -> str:
    """The letters of a path, repetitions written out. Raises ValueError for an unknown letter."""
    plain = _BLANK.sub("", text)
    letters: list[str] = []
    at, total = 0, 0
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if match is None:
            raise ValueError(f"{plain[at : at + 12]!r} is no letter of a path (N S E W n s e w A R C G . <)")
        count = int(match[1] or 1)
        total += count
        require(total <= _LONGEST, f"a path has at most {_LONGEST:,} letters")
        letters.append(match[2] * count)
        at = match.end()
    return "".join(letters)


def compact(letters: str) -> str:
    """The shortest way to write a path."""
    runs = ((letter, len(list(run))) for letter, run in groupby(letters))
    return "".join(letter * count if count < 3 else f"{count}{letter}" for letter, count in runs)


def play(walker: Walker, letters: str) -> Iterator[Tick]:
    """Walk a path (the answer of `parse_path`), tick by tick."""
    last: Tick | None = None
    for letter in letters:
        for tick in _one(walker, letter):
            if last is not None:
                yield last
            last = tick
        if last is not None and (late := walker.pending()):
            last = dataclasses.replace(last, events=(*last.events, *late))
    if last is not None:
        yield last


def _one(walker: Walker, letter: str) -> Iterator[Tick]:
    if letter in BY_LETTER:
        yield from walker.press(BY_LETTER[letter])
    elif letter == "A":
        yield from walker.interact()
    elif letter == ".":
        yield from walker.wait()
    elif letter == "R":
        walker.running = not walker.running
    elif letter == "C":
        walker.toggle_bicycle()
    elif letter == "G":
        walker.shift_gear()
    elif letter == "<":
        if not walker.back():
            walker.note("blocked", "There is no warp to go back through.", rule="back")
        yield walker.tick()
    else:
        yield from walker.tap(BY_LETTER[letter.upper()])
