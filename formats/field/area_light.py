"""Area light (arealight.narc): text files with the lights and material colours of an area through the day.

Blocks of nine lines and an empty one, each line a list of numbers that ends with a comma and CR LF; a line that
begins with the letters EOF ends the file. The file is read as the game reads it: up to each CR, LF dropped, any token
with a character other than digits and a minus taken as -1, vectors clamped to one unit, a light that is not marked
with 1 taken as black without direction. Source: how the game reads the text; public descriptions of the format do not
say what it does with invalid lights and numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from formats.binary import Buffer, Notes, Reader, require
from formats.field.record import opened
from formats.fixed import ONE

Triple = tuple[int, int, int]

MAX_DIGITS = 10
"""The most digits of a 32-bit number."""


@dataclass(frozen=True)
class Light:
    """A directional light: RGB5 `color`, fx16 world-space `vector`; an invalid one is black without direction."""

    valid: bool
    color: Triple
    vector: Triple


@dataclass(frozen=True)
class LightBlock:
    """The light in force until `end` (seconds since midnight / 2, 43200 = 24:00); colours are RGB5 triples."""

    end: int
    lights: tuple[Light, Light, Light, Light]
    diffuse: Triple
    ambient: Triple
    specular: Triple
    emission: Triple


@dataclass(frozen=True, eq=False)
class AreaLight:
    """The blocks of one light set in time order; `final_line_end`: whether CR LF follows the letters EOF."""

    blocks: tuple[LightBlock, ...]
    final_line_end: bool

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> AreaLight:
        """Read a light set. Raises FormatError."""
        lines = _Lines(opened(data, "area light"))
        blocks = []
        while not (line := lines.next("end of a block")).startswith(b"EOF"):
            blocks.append(_read_block(lines, line))
            if lines.next():
                lines.reader.note(notes, lines.start, "the line between two light blocks is not empty")
        rest = lines.rest()
        lines.reader.tolerate(
            line == b"EOF" and rest in (b"", b"\r\n"), notes, lines.start, "the bytes after the letters EOF are ignored"
        )
        return cls(tuple(blocks), rest.startswith(b"\r\n"))

    def to_bytes(self) -> bytes:
        """The text. Raises ValueError for a vector or number that reading would change."""
        text = "".join(_write_block(block) for block in self.blocks)
        return (text + "EOF" + ("\r\n" if self.final_line_end else "")).encode("ascii")


class _Lines:
    """The lines of a file as the game splits them: up to CR, without LF."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.data = bytes(reader.data)
        self.start = self.end = self.following = 0

    def next(self, what: str = "line") -> bytes:
        self.start = self.following
        self.reader.check(self.start < len(self.data), self.start, "another line or EOF", "the end of the file")
        self.end = self.data.find(b"\r", self.start)
        if self.end < 0:
            self.end = len(self.data)
        self.following = self.end + 1
        return (
            self.reader.bytes(self.start, min(self.following, len(self.data)) - self.start, what)
            .strip(b"\r")
            .replace(b"\n", b"")
        )

    def rest(self) -> bytes:
        """The bytes after the current line, beginning with its line end."""
        return self.data[self.end :]

    def numbers(self, line: bytes, count: int) -> list[int]:
        tokens = line.split(b",", count)
        self.reader.check(
            len(tokens) > count, self.start, f"{count} numbers, each followed by a comma", f"{line[:40]!r}"
        )
        return [self._number(token) for token in tokens[:count]]

    def _number(self, token: bytes) -> int:
        digits = token[1:] if token.startswith(b"-") else token
        if not digits.isdigit():
            return -1
        if len(digits) > MAX_DIGITS:
            self.reader.fail(self.start, f"a number of at most {MAX_DIGITS} digits", f"{len(digits)} digits")
        return int(token)


def _read_block(lines: _Lines, first: bytes) -> LightBlock:
    (end,) = lines.numbers(first, 1)
    lights = tuple(_read_light(lines, f"light {index}") for index in range(4))
    diffuse, ambient, specular, emission = (
        _triple(lines.numbers(lines.next(what), 3)) for what in ("diffuse", "ambient", "specular", "emission")
    )
    return LightBlock(end, (lights[0], lights[1], lights[2], lights[3]), diffuse, ambient, specular, emission)


def _read_light(lines: _Lines, what: str) -> Light:
    valid, *values = lines.numbers(lines.next(what), 7)
    if valid != 1:
        return Light(False, (0, 0, 0), (0, 0, 0))
    return Light(True, _triple(values[:3]), _triple([max(-ONE, min(ONE, value)) for value in values[3:]]))


def _triple(values: list[int]) -> Triple:
    a, b, c = values
    return a, b, c


def _write_block(block: LightBlock) -> str:
    for light in block.lights:
        require(
            max(abs(component) for component in light.vector) <= ONE,
            f"a light vector's components are at most {ONE}: {light.vector}",
        )
        require(
            light.valid or (not any(light.color) and not any(light.vector)),
            "an invalid light is black and has no direction",
        )
    lines = [
        (block.end,),
        *((int(light.valid), *light.color, *light.vector) for light in block.lights),
        *(block.diffuse, block.ambient, block.specular, block.emission),
    ]
    require(
        not any(abs(number) >= 10**MAX_DIGITS for line in lines for number in line),
        f"a number has at most {MAX_DIGITS} digits",
    )
    return "".join("".join(f"{number}," for number in line) + "\r\n" for line in lines) + "\r\n"
