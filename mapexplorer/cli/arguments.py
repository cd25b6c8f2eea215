"""Arguments and options that several verbs share, and the kinds of values they take."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

from mapexplorer.values import Choice, Kind, Number, Numbers, OutputFile

rom_argument = click.argument("rom", metavar="ROM")
map_argument = click.argument("map_name", metavar="MAP")
map_and_tile_argument = click.argument("map_name", metavar="MAP[@X,Z]")
"""A map, which may have a tile behind it: see `place_and_tile`."""
things_argument = click.argument("thing", metavar="THING", nargs=-1, required=True)
"""The name of a thing, whose words need no quotes; `joined` makes one text of them."""


def joined(words: tuple[str, ...]) -> str:
    """The words of the name of a thing as one text."""
    return " ".join(words)


class Value(click.ParamType):
    """A value of a kind."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.name = kind.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self.kind.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        words = self.kind.words if isinstance(self.kind, Choice) else ()
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


NUMBER = Value(Number())
TILE = Value(Numbers("X,Z", "a pair of tiles"))
"""A matrix-wide tile, which may have a fraction."""


def place_and_tile(text: str) -> tuple[str, tuple[float, float] | None]:
    """The parts of `MAP@X,Z`: the name of a map and a matrix-wide tile; None without one."""
    name, mark, tile = text.rpartition("@")
    return (name, TILE.convert(tile, None, None)) if mark else (text, None)


def output_path(*endings: str) -> Value:
    """The kind of a file or folder to write; when `endings` are given, of a file that ends in one of them."""
    return Value(OutputFile(endings))
