"""Arguments and options that several verbs share, and the kinds of values they take."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

rom_argument = click.argument("rom", metavar="ROM")
map_argument = click.argument("map_name", metavar="MAP")


class Number(click.ParamType):
    """A finite number."""

    name = "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


matrix_option = click.option("--matrix", type=int, metavar="N", help="Another matrix than the header names.")
area_option = click.option("--area", type=int, metavar="N", help="Another area than the header names.")


class Hour(click.ParamType):
    """`H`, `H:MM` or `H:MM:SS` as a second of the day."""

    name = "H[:MM[:SS]]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        parts = str(value).split(":")
        try:
            hour, minute, second = [int(part) for part in parts] + [0] * (3 - len(parts))
        except ValueError:
            self.fail(f"{value!r} is not a time: write H, H:MM or H:MM:SS", param, ctx)
        if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
            self.fail(f"{value!r} is not a time of the day, which goes from 0:00:00 to 23:59:59", param, ctx)
        return hour * 3600 + minute * 60 + second


class TilePair(click.ParamType):
    """`X,Z`: two numbers, matrix-wide tiles that may have a fraction."""

    name = "X,Z"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        try:
            x, z = (float(part) for part in str(value).split(","))
        except ValueError:
            x = z = math.nan
        if not (math.isfinite(x) and math.isfinite(z)):
            self.fail(f"{value!r} is not a pair of tiles: write X,Z", param, ctx)
        return x, z


class CellPair(click.ParamType):
    """`X,Z`: the place of a cell in its matrix."""

    name = "X,Z"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        try:
            x, z = (int(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is not the place of a cell: write X,Z", param, ctx)
        return x, z


class OutputPath(click.ParamType):
    """A file or folder to write, which has a name; when `endings` are given, one that ends in one of them."""

    name = "PATH"

    def __init__(self, *endings: str) -> None:
        self._endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not str(value):
            self.fail("the name of a file or folder is empty", param, ctx)
        path = Path(value)
        # Devices and pipes have no ending to go by.
        if self._endings and path.suffix.lower() not in self._endings and (path.is_file() or not path.exists()):
            self.fail(f"it is written as {' or '.join(self._endings)}, not {path.suffix!r}", param, ctx)
        return path


hour_option = click.option(
    "--hour", "second", type=Hour(), default="12", show_default=True, help="Time of day, H[:MM[:SS]]."
)
