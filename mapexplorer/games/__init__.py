"""The supported games: one immutable `Game` each, identified once from the ROM.

All differences between games are here: paths, kinds of files, tables of the program, constants. No other package tests
for a path or a game.

A game's description says which record classes its files have (`Game.header_record`, `Game.record`); records of all
games give the same names to what means the same. `Game.kind` gives the kind of a file, which has no magic number, for a
name in the ROM. The tables of a game may be laid over those of another one (`Game.base`), key by key. What nobody wrote
down about a game is in `Game.not_known`; verbs about it call `Game.require`. Loose files, or several archives, that
stand for one archive of Platinum are `GameFile.parts`. Only this package contains paths and chooses by a game
(`tests/lint`)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mapexplorer.errors import RomError
from mapexplorer.games.diamond_pearl import DIAMOND_PEARL
from mapexplorer.games.game import Cartridge, Game, GameFile, ProgramTables, Topic
from mapexplorer.games.heartgold_soulsilver import HEARTGOLD_SOULSILVER
from mapexplorer.games.name_bank import NameBank
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.games.role import Role

if TYPE_CHECKING:
    from mapexplorer.games.tables import LaidOver

__all__ = [
    "DEFAULT",
    "GAMES",
    "UNPACKED_FOLDERS",
    "Cartridge",
    "Game",
    "GameFile",
    "NameBank",
    "ProgramTables",
    "Role",
    "Topic",
    "identify",
    "kind_of",
]

GAMES: Final = (PLATINUM, DIAMOND_PEARL, HEARTGOLD_SOULSILVER)

DEFAULT: Final = PLATINUM
"""The game whose names and constants are used when no ROM is open."""

UNPACKED_FOLDERS: Final = {file.path: file.unpacked for game in GAMES for file in game.files.values() if file.unpacked}
"""Path of an archive -> the folder under `unpacked/` that DSPRE edits it in."""

_OTHER_GAMES: Final = {
    "IRB": "Pokémon Black",
    "IRA": "Pokémon White",
    "IRE": "Pokémon Black 2",
    "IRD": "Pokémon White 2",
}


def identify(rom: Cartridge) -> Game:
    """The game of a ROM, from its game code, else (a hack with its own code, the demo world) from its files.

    Raises RomError for another game and for a ROM without a file that every map needs.
    """
    code = rom.code[:3]
    known = next((game for game in GAMES if code in game.codes), None)
    if known is None and code in _OTHER_GAMES:
        raise RomError(
            f"{rom.path} is {_OTHER_GAMES[code]} ({rom.code}), which this program does not read; it reads {_titles()}."
        )
    game = known or min(GAMES, key=lambda candidate: len(_absent(candidate, rom)))
    absent = _absent(game, rom)
    if not absent:
        return game if rom.laid_over is None else _with_names(game.name, rom.laid_over)
    if known is None and (rom.layout == "image" or rom.code) and len(absent) > len(game.needed) // 2:
        title = f"{rom.name} ({rom.code})" if rom.name else f"a game with the code {rom.code}"
        raise RomError(f"{rom.path} is another game: {title}; only {_titles()} can be read.")
    wanted = f"{absent[0]} ({game.needed[absent[0]]})"
    more = f" and {len(absent) - 1} more needed files" if len(absent) > 1 else ""
    title = f" ({game.titles.get(code, game.title)})" if known is not None else ""
    raise RomError(f"{rom.path}{title} lacks {wanted}{more}: without it no map can be shown.")


@lru_cache(2)
def _with_names(name: str, laid_over: LaidOver) -> Game:
    """A game with the names of a ROM. Those of the last ones are kept."""
    return replace(next(game for game in GAMES if game.name == name), laid_over=laid_over)


def _titles() -> str:
    *first, last = [game.title for game in GAMES]
    return f"{', '.join(first)}, and {last}"


def _absent(game: Game, rom: Cartridge) -> list[str]:
    return [path for path in game.needed if not rom.has(path)]


def kind_of(name: str) -> str | None:
    """The kind of a loose field file by its name in one of the games, see `Game.kind`."""
    return next((kind for game in GAMES if (kind := game.kind(name)) is not None), None)
