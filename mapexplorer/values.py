"""The kinds of values that users type: each parses a text, checks a value and writes it as text.

The command line, the forms of the window and the dataclasses of `export` share them, so an error has one sentence.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, Final

from mapexplorer.naming import matching
from mapexplorer.units import SECONDS_PER_DAY


def count(number: int, singular: str, plural: str | None = None) -> str:
    """`1 map`, `2 maps`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def capital(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as ranges without gaps, (first, last)."""
    groups = groupby(enumerate(numbers), lambda numbered: numbered[1] - numbered[0])
    members = [[number for _, number in group] for _, group in groups]
    return [(group[0], group[-1]) for group in members]


@dataclass(frozen=True)
class ValueKind:
    """A kind of value; this one is any text."""

    placeholder: ClassVar[str] = "TEXT"

    @property
    def name(self) -> str:
        """The placeholder of a value in a usage line."""
        return self.placeholder

    def parse(self, text: str) -> Any:
        """The value of a text. Raises ValueError."""
        value = self.of_text(text)
        self.check(value)
        return value

    def of_text(self, text: str) -> Any:
        """The value of a text, which may be one that is not allowed. Raises ValueError for a text that has none."""
        return text

    def check(self, value: Any) -> None:
        """Raise ValueError for a value that is not allowed, TypeError for one of another type."""
        if not isinstance(value, str):
            raise TypeError

    def text(self, value: Any) -> str:
        """A value as `parse` reads it."""
        return str(value)


@dataclass(frozen=True)
class Flag(ValueKind):
    """On or off."""

    def check(self, value: Any) -> None:
        """Raise TypeError for anything else."""
        if not isinstance(value, bool):
            raise TypeError

    def of_text(self, text: str) -> bool:
        """`yes` or `no`."""
        if text not in ("yes", "no"):
            raise ValueError(f"{text!r} is neither yes nor no")
        return text == "yes"

    def text(self, value: bool) -> str:
        """As `parse` reads it."""
        return "yes" if value else "no"


@dataclass(frozen=True)
class Number(ValueKind):
    """A finite number from `low` to `high`; `sentence` is the error for others, with the number as `value`."""

    low: float | None = None
    high: float | None = None
    sentence: str = ""

    placeholder = "NUMBER"

    def of_text(self, text: str) -> float:
        """A number in Python's notation."""
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise ValueError(f"{text!r} is not a number")
        return number

    def text(self, value: Any) -> str:
        """As `parse` reads it."""
        return f"{value:.12g}"

    def check(self, value: Any) -> None:
        """Raise ValueError for a number that is not finite or outside the range."""
        if not abs(value) < math.inf:
            raise ValueError(self._refusal(value) if self.sentence else f"{value} is not a number")
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise ValueError(self._refusal(value))

    def _refusal(self, value: Any) -> str:
        if self.sentence:
            return self.sentence.format(value=value)
        low = "" if self.low is None else f"{self.low}<=" if self.high is not None else f">={self.low}"
        high = "" if self.high is None else f"<={self.high}"
        return f"{value} is not in the range {low}x{high}." if high else f"{value} is not in the range x{low}."


@dataclass(frozen=True)
class Integer(Number):
    """A whole number from `low` to `high`, a multiple of `step`."""

    step: int = 1

    @property
    def name(self) -> str:
        """For a usage line."""
        return "N" if self.low is None or self.high is None else f"{self.low}..{self.high}"

    def of_text(self, text: str) -> int:
        """Decimal digits."""
        try:
            return int(text)
        except ValueError:
            raise ValueError(f"{text!r} is not a valid integer.") from None

    def check(self, value: Any) -> None:
        """As for every number; also raise ValueError for one that is not a multiple of `step`."""
        super().check(value)
        if value % self.step:
            raise ValueError(self._refusal(value))


@dataclass(frozen=True)
class Choice(ValueKind):
    """One of several words."""

    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """For a usage line."""
        return f"[{'|'.join(self.words)}]"

    def check(self, value: Any) -> None:
        """Raise ValueError for another word."""
        if value not in self.words:
            raise ValueError(f"{value!r} is not one of {', '.join(map(repr, self.words))}.")


@dataclass(frozen=True)
class ChoiceOrFile(Choice):
    """One of several words, or a file that exists, which may have `@0xOFFSET` behind it; `./word` is a file."""

    @property
    def name(self) -> str:
        """For a usage line."""
        return f"[{'|'.join((*self.words, 'FILE'))}]" if self.words else "FILE"

    def of_text(self, text: str) -> str:
        """The word or the path."""
        if text not in self.words and not any(map(os.path.isfile, (text, text.rpartition("@0x")[0]))):
            others = f"neither {' nor '.join(self.words)} nor" if self.words else "not"
            raise ValueError(f"{text!r} is {others} a file that can be read.")
        return text

    def check(self, value: Any) -> None:
        """Raise TypeError for what is not text; a file may be gone meanwhile."""
        ValueKind.check(self, value)


@dataclass(frozen=True)
class Words(ValueKind):
    """Some of several words, with commas between them; `noun` names them in errors."""

    words: tuple[str, ...]
    noun: str

    @property
    def name(self) -> str:
        """For a usage line."""
        return f"{self.noun.upper()},..."

    def of_text(self, text: str) -> tuple[str, ...]:
        """The words."""
        return tuple(part.strip() for part in text.split(","))

    def check(self, value: Any) -> None:
        """Raise ValueError for another word."""
        if set(value) - set(self.words):
            raise ValueError(f"the {self.noun}s are {', '.join(self.words)}")

    def text(self, value: Any) -> str:
        """As `parse` reads it."""
        return ",".join(value)


@dataclass(frozen=True)
class Numbers(ValueKind):
    """Numbers with commas (or another sign) `between` them, one for each of `names` (`X,Z`); `what` names them in
    errors, `least` and `limit` are the smallest number and the largest absolute value; `whole`: only whole numbers."""

    names: str
    what: str = ""
    whole: bool = False
    limit: float = math.inf
    least: float = -math.inf
    between: str = ","

    @property
    def name(self) -> str:
        """For a usage line."""
        return self.names

    def parse(self, text: str) -> tuple[Any, ...]:
        """The numbers."""
        try:
            numbers = tuple((int if self.whole else float)(part) for part in text.split(self.between))
        except ValueError:
            numbers = ()
        if not self._fits(numbers):
            raise ValueError(self._refusal(text))
        return numbers

    def check(self, value: Any) -> None:
        """Raise ValueError for others."""
        if not self._fits(value):
            raise ValueError(self._refusal(value if isinstance(value, str) else self.text(value)))

    def _fits(self, numbers: tuple[Any, ...]) -> bool:
        return len(numbers) == self.names.count(self.between) + 1 and all(
            math.isfinite(number) and abs(number) <= self.limit and number >= self.least for number in numbers
        )

    def _refusal(self, text: str) -> str:
        return f"{text!r} is not {self.what}: write {self.names}" if self.what else f"{text!r} is not {self.names}"

    def text(self, value: Any) -> str:
        """As `parse` reads it."""
        return self.between.join(f"{number:g}" for number in value)


@dataclass(frozen=True)
class Indices(ValueKind):
    """Several whole numbers from 0 up, each below its limit, given as separate words; `sentence` is the error for
    others."""

    names: tuple[str, ...]
    limits: tuple[int, ...]
    sentence: str

    @property
    def name(self) -> str:
        """For a usage line."""
        return " ".join(self.names)

    def check(self, value: Any) -> None:
        """Raise ValueError for others."""
        if len(value) != len(self.limits) or not all(
            0 <= number < limit for number, limit in zip(value, self.limits, strict=True)
        ):
            raise ValueError(self.sentence.format(value=value))

    def of_text(self, text: str) -> tuple[int, ...]:
        """The numbers with spaces between them."""
        return tuple(map(Integer().parse, text.split()))

    def text(self, value: Any) -> str:
        """As `parse` reads it."""
        return " ".join(map(str, value))


@dataclass(frozen=True)
class ClockTime(ValueKind):
    """`H`, `H:MM` or `H:MM:SS` as a second of the day."""

    placeholder = "H[:MM[:SS]]"

    def of_text(self, text: str) -> int:
        """The second of the day."""
        try:
            hour, minute, second = [int(part) for part in text.split(":")] + [0] * (2 - text.count(":"))
        except ValueError:
            raise ValueError(f"{text!r} is not a time: write H, H:MM or H:MM:SS") from None
        if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
            raise ValueError(f"{text!r} is not a time of the day, which goes from 0:00:00 to 23:59:59")
        return hour * 3600 + minute * 60 + second

    def check(self, value: Any) -> None:
        """Raise ValueError for a number outside the day."""
        if not 0 <= value < SECONDS_PER_DAY:
            raise ValueError(f"a second of the day is 0 to {SECONDS_PER_DAY - 1}, not {value}")

    def text(self, value: int) -> str:
        """As `parse` reads it, without zeros at the end."""
        hour, minute, second = value // 3600, value // 60 % 60, value % 60
        return f"{hour}:{minute:02}:{second:02}" if second else f"{hour}:{minute:02}" if minute else str(hour)


@dataclass(frozen=True)
class ClockTimes(ValueKind):
    """Times as `ClockTime` reads them, with commas between, as seconds of the day."""

    placeholder = "H,H,..."

    def of_text(self, text: str) -> tuple[int, ...]:
        """The seconds of the day."""
        return tuple(map(ClockTime().parse, text.split(",")))

    def check(self, value: Any) -> None:
        """Raise ValueError for a number outside the day, and for none."""
        if not value:
            raise ValueError("at least one time is needed")
        for second in value:
            ClockTime().check(second)

    def text(self, value: Any) -> str:
        """As `parse` reads it."""
        return ",".join(map(ClockTime().text, value))


NO_WEATHER: Final = 0
"""The weather id of clear weather, which shows nothing."""


@dataclass(frozen=True)
class WeatherChoice(ValueKind):
    """A weather's id, 0 for none, or None for that of the map header; as text an id or a name, `none` or `header`."""

    placeholder = "WEATHER"

    def parse(self, text: str) -> int | None:
        """The weather."""
        from mapexplorer.games import DEFAULT

        word = text.strip().lower()
        if word in _WEATHER_WORDS:
            return _WEATHER_WORDS[word]
        known = DEFAULT.tables.weathers
        if word.isdecimal() and int(word) in known:
            return int(word)
        by_name = {weather.name: number for number, weather in known.items()}
        _, meant = matching(word.removeprefix("weather:"), by_name)
        if len(meant) == 1:
            return by_name[meant[0]]
        if meant:
            raise ValueError(f"{text!r} could mean {' or '.join(meant)}")
        names = ", ".join(f"{number} {weather.name}" for number, weather in known.items())
        raise ValueError(f"{text!r} is no weather; possible are header, none, {names}")

    def check(self, value: Any) -> None:
        """Raise TypeError for anything but a number, ValueError for one that is no weather."""
        from mapexplorer.games import DEFAULT

        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError
        if value not in DEFAULT.tables.weathers:
            raise ValueError(f"{value} is no weather; they are 0 to {max(DEFAULT.tables.weathers)}")

    def text(self, value: int | None) -> str:
        """As `parse` reads it, the name in one word."""
        from mapexplorer.games import DEFAULT

        word = next((word for word, meant in _WEATHER_WORDS.items() if meant == value), "")
        return word or DEFAULT.tables.weather_name(value or NO_WEATHER).replace(" ", "-")


_WEATHER_WORDS: Final = {"header": None, "none": NO_WEATHER}


@dataclass(frozen=True)
class OutputFile(ValueKind):
    """A file or folder to write, which has a name; when `endings` are given, one that ends in one of them."""

    endings: tuple[str, ...] = ()

    placeholder = "PATH"

    def of_text(self, text: str) -> Path:
        """The path."""
        if not text:
            raise ValueError("the name of a file or folder is empty")
        return Path(text)

    def check(self, value: Any) -> None:
        """Raise ValueError for another ending; the endings of devices and pipes are not checked."""
        path = Path(value)
        if self.endings and path.suffix.lower() not in self.endings and (path.is_file() or not path.exists()):
            endings = " or ".join(self.endings)
            raise ValueError(f"it is written as {endings}, so its name must end in {endings}, not in {path.suffix!r}")
