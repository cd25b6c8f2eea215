"""Arguments and options that several verbs share, and the kinds of values they take."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

from mapexplorer.values import Choice, Kind, Number, Numbers, OutputFile

rom_argument = click.argument("rom", metavar="ROM")
map_argument = click.argument("map_name", metavar="MAP")
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


def output_path(*endings: str) -> Value:
    """The kind of a file or folder to write; when `endings` are given, of a file that ends in one of them."""
    return Value(OutputFile(endings))
