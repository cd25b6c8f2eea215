"""Arguments and options that several verbs share, and the kinds of values they take."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click
from click.shell_completion import CompletionItem

from mapexplorer.cli.completion import complete_file, complete_map, complete_rom
from mapexplorer.rom import RomPath
from mapexplorer.values import Choice, Number, Numbers, OutputFile, ValueKind

PlaceAndTile = tuple[str, tuple[float, float] | None]
"""The name of a map and a matrix-wide tile."""

_HEADER_ARCHIVE = "header archive"


def rom_path(ctx: click.Context, param: click.Parameter, path: str) -> str:
    """The value of an argument that is a ROM."""
    return RomPath.of(path, ctx.meta.get(_HEADER_ARCHIVE))


def _header_archive(ctx: click.Context, param: click.Parameter, path: str | None) -> None:
    ctx.meta[_HEADER_ARCHIVE] = path


header_archive_option = click.option(
    "--header-archive",
    metavar="PATH",
    callback=_header_archive,
    expose_value=False,
    is_eager=True,  # it is part of the value of ROM
    help="The archive in ROM that has its map headers, for a hack whose headers are not found.",
)


def rom_argument(verb: Callable[..., Any]) -> Callable[..., Any]:
    """ROM, and what its user says about it."""
    argument = click.argument("rom", metavar="ROM", shell_complete=complete_rom, callback=rom_path)
    return argument(header_archive_option(verb))


def words_argument(name: str, metavar: str, *, required: bool = True) -> Callable[[Any], Any]:
    """The name of a thing, whose words need no quotes; the verb receives them as one text."""
    return click.argument(
        name, metavar=metavar, nargs=-1, required=required, callback=_joined, shell_complete=complete_map
    )


def _joined(ctx: click.Context, param: click.Parameter, words: tuple[str, ...]) -> str:
    return " ".join(words)


map_argument = words_argument("map_name", "MAP")
things_argument = words_argument("thing", "THING")
maps_argument = click.argument("map_names", metavar="[MAP]...", nargs=-1, shell_complete=complete_map)
"""Several maps; `world.headers.header.find_headers` says which words belong together."""


constants_option = click.option(
    "--constants", is_flag=True, help="Show the decompilation's constants, as SPECIES_PIKACHU, in place of names."
)


class Value(click.ParamType):
    """A value of a kind."""

    def __init__(self, kind: ValueKind) -> None:
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
        if isinstance(self.kind, OutputFile):
            return complete_file(ctx, param, incomplete)
        words = self.kind.words if isinstance(self.kind, Choice) else ()
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


NUMBER = Value(Number())
TILE = Value(Numbers("X,Z", "a pair of tiles"))
"""A matrix-wide tile, which may have a fraction."""


def place_and_tile(*words: str) -> PlaceAndTile:
    """The parts of `MAP@X,Z` or `MAP X,Z`: the name of a map, which may have several words, and a tile, or None."""
    name, mark, tile = " ".join(words).rpartition("@")
    if mark:
        return name, TILE.convert(tile, None, None)
    *others, last = words
    if others and "," in last:
        return " ".join(others), TILE.convert(last, None, None)
    return " ".join(words), None


def _where(
    ctx: click.Context, param: click.Parameter, words: tuple[str, ...], *, tile_needed: bool = False
) -> PlaceAndTile | tuple[str, ...]:
    """The map and tile; the words themselves for a shell that completes them. Where a tile is needed also `MAP X Z`,
    since the last two words can only be the tile there."""
    if ctx.resilient_parsing:
        return words
    for word in words:  # an unknown option is among them where a verb takes negative numbers
        if word.startswith("-") and not word[1:2].isdecimal():
            raise click.NoSuchOption(word, ctx=ctx)
    name, tile = place_and_tile(*words)
    if tile is None and tile_needed:
        if len(words) < 3:
            raise click.UsageError("Give a tile: MAP@X,Z or MAP X,Z or MAP X Z.", ctx)
        *others, x, z = words
        return " ".join(others), (NUMBER.convert(x, None, None), NUMBER.convert(z, None, None))
    return name, tile


several_maps_argument = click.argument("words", metavar="MAP[@X,Z]...", nargs=-1, shell_complete=complete_map)
"""A map, which may have a tile behind it, or several maps: the verb receives the words."""
map_and_tile_argument = click.argument(
    "where", metavar="MAP[@X,Z]", nargs=-1, required=True, callback=_where, shell_complete=complete_map
)
"""A map, which may have a tile behind it: the verb receives a `PlaceAndTile`."""
tile_argument = click.argument(
    "where",
    metavar="MAP@X,Z",
    nargs=-1,
    required=True,
    callback=partial(_where, tile_needed=True),
    shell_complete=complete_map,
)
"""A map and a tile, which is never None."""


def output_path(*endings: str) -> Value:
    """The kind of a file or folder to write; when `endings` are given, of a file that ends in one of them."""
    return Value(OutputFile(endings))
