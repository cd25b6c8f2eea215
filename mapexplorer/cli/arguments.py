"""Arguments and options that several verbs share, and the kinds of values they take."""

from __future__ import annotations

from typing import Any

import click

rom_argument = click.argument("rom", metavar="ROM")
map_argument = click.argument("map_name", metavar="MAP")
matrix_option = click.option("--matrix", type=int, help="Another matrix than the header names.")
area_option = click.option("--area", type=int, help="Another area than the header names.")


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
            self.fail(f"{value!r} is not a pair of tiles: write X,Z", param, ctx)
        return x, z


hour_option = click.option(
    "--hour", "second", type=Hour(), default="12", show_default=True, help="Time of day, H[:MM[:SS]]."
)
