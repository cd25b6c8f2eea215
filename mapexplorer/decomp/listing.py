"""What maps a tree to the files of a ROM: the table of files, the order files and the build's own lists.

A row of the table names a source and the path in the ROM. A source that is no file of the tree is an archive that the
build makes: of the members of an order file, which the build's list in the same folder names, or of a list of names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Final, NamedTuple

from formats.remembered import remembered
from mapexplorer.caching import shared_property
from mapexplorer.decomp import pictures
from mapexplorer.decomp.c_tables import program_table
from mapexplorer.decomp.constants import laid_over, usual_names
from mapexplorer.decomp.enumerations import Enumerations, Names
from mapexplorer.decomp.files import BUILD, TreeFiles
from mapexplorer.decomp.preprocessor import Preprocessor
from mapexplorer.games import Game, Role
from mapexplorer.rom.rom import StatedTable

TABLES: Final = ("filesys.csv", "filesystem.csv")
"""The names of tables of files; the second is that of pret/pokeheartgold."""
_ROW: Final = re.compile(r'\s*"?([^",]+)"?\s*,\s*"?/*([^",]+)"?\s*')
_QUOTED: Final = re.compile(r"'([^']+)'")


THINGS: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(("trdata", "trpoke"), ("trainers", "TRAINER_")),
    **dict.fromkeys(("pl_personal", "evo", "wotbl"), ("species", "SPECIES_")),
    **dict.fromkeys(("pl_item_data", "nuts_data"), ("items", "ITEM_")),
    "pl_waza_tbl": ("moves", "MOVE_"),
    "fld_trade": ("include/constants/npc_trades.h", "NPC_TRADE_"),
    "pl_btdtr": ("frontier_trainers", "FRONTIER_TRAINER_"),
    "pl_msg": ("text_banks", "TEXT_BANK_"),
}
"""Stem of an archive without an order file -> the list that numbers its members, and how its names of them begin."""


def stem(path: str) -> str:
    """The file name of a path without its extension."""
    return path.rpartition("/")[2].partition(".")[0]


class MemberSource(NamedTuple):
    """What a member of an archive is made of: the line that names it (a file and a line), its name there, and the file,
    which is empty where there is none; `number` counts items of a kind."""

    named: tuple[str, int]
    name: str
    file: str
    number: int = 0


class TreeListing:
    """The files of a ROM of one game by their sources."""

    def __init__(self, files: TreeFiles, game: Game, table: str) -> None:
        """`table` is the path of the table of files."""
        self.names = Enumerations(files, partial(usual_names, game.constants))
        self.preprocessor = Preprocessor(self.names)
        self.names.readers["h"] = self.preprocessor.constants
        self.laid_over = partial(laid_over, self.names)
        self.game = game
        self.table = table

    @property
    def files(self) -> TreeFiles:
        """The files of the tree."""
        return self.names.files

    @shared_property
    def rows(self) -> dict[str, tuple[str, int]]:
        """Path in the ROM -> its source in the tree, and the line of the table."""
        lines = self.files.text(self.table).splitlines()[1:]
        matches = ((_ROW.fullmatch(text), line) for line, text in enumerate(lines, 2))
        return {match[2]: (match[1], line) for match, line in matches if match is not None}

    def made_of(self, path: str) -> str:
        """The source of a path in the ROM; empty without one."""
        return self.rows.get(path, ("", 0))[0]

    def is_file(self, path: str) -> bool:
        """Whether the source of a path is a file of the tree."""
        place = self.made_of(path)
        return bool(place) and self.files.has(place)

    def built_file(self, path: str) -> str:
        """What a build has made of the source of a path since the files beside it were written; empty without that."""
        folder, _, name = self.made_of(path).rpartition("/")
        built = f"{BUILD}/{folder}/{name}"
        if not name or not self.files.has(built):
            return ""
        beside = max((self.files.written(f"{folder}/{file}") for file in self.files.names(folder)), default=0)
        return built if self.files.written(built) >= beside else ""

    def order_file(self, path: str) -> str:
        """The order file of an archive; empty where the build's list names none."""
        folder, _, name = self.made_of(path).rpartition("/")
        return self.names.order_file(folder, name) if name else ""

    def index(self, role: Role) -> Names:
        """The index names of the members of an archive. Raises SourceError."""
        return self.names.of(self.order_file(self.game.path(role)))

    def files_with(self, path: str, option: str) -> frozenset[str]:
        """The files in a step of the build's list beside an archive that has an option."""
        steps = self.build_text(self.made_of(path).rpartition("/")[0]).split("\n\n")
        return frozenset(name for step in steps if f"'{option}'" in step for name in _QUOTED.findall(step))

    @remembered
    def ordered(self, path: str) -> tuple[MemberSource, ...]:
        """The members of an archive; none without an order file. Raises SourceError for one that cannot be read."""
        order = self.order_file(path)
        folder = order.rpartition("/")[0]
        lines = self.names.order(order) if order else ()
        return tuple([MemberSource((order, line), name, self.found(folder, name)) for name, line in lines])

    def folder(self, archive: str) -> str:
        """The folder of the source of an archive, by its stem; empty without one."""
        return self._source(archive).rpartition("/")[0]

    def _source(self, archive: str) -> str:
        return next((source for path, (source, _) in self.rows.items() if stem(path) == archive), "")

    @remembered
    def things(self, archive: str) -> tuple[MemberSource, ...]:
        """The members of an archive that the names of a list stand for, by its stem (`THINGS`); the file of each is
        below the folder of the archive's source."""
        folder, (source, prefix) = self.folder(archive), THINGS[archive]
        names = self.names.of(source)
        own = f"{folder}/{stem(self._source(archive))}"
        forms = (f"{folder}/data/*.json", f"{folder}/*/data.json", f"{own}/*.json", f"{folder}/*.json")
        return tuple(
            [
                MemberSource(names.origin(constant), name, next(filter(self.files.has, places), places[-1]))
                for constant in names.entries
                if constant.startswith(prefix)
                for name in [constant.removeprefix(prefix).lower()]
                for places in [[form.replace("*", name) for form in forms]]
            ]
        )

    def found(self, folder: str, name: str) -> str:
        """The file that an order file names: that of the name, else the one with the same stem that the build makes it
        of, else, for one of several outputs with an extension, the one without the last word; empty without one."""
        if name in self.files.names(folder):
            return f"{folder}/{name}"
        stems = self._stems(folder)
        own, output, _ = name.partition(".")
        file = stems.get(own) or (output and stems.get(own.rpartition("_")[0])) or self.built(folder).get(name)
        return f"{folder}/{file}" if file and self.files.has(f"{folder}/{file}") else ""

    def build_text(self, folder: str) -> str:
        """The build's list in a folder; empty without one."""
        return self.files.text_if_any(f"{folder}/meson.build")

    @remembered
    def program_table(self, name: str) -> StatedTable | None:
        """As `c_tables.program_table`."""
        return program_table(self.preprocessor, name)

    @remembered
    def picture_steps(self, folder: str) -> dict[str, list[pictures.Options]]:
        """The steps of the build's list in a folder that make texture sets of pictures."""
        return pictures.steps(self.build_text(folder))

    @remembered
    def built(self, folder: str) -> dict[str, str]:
        """File name -> the path below a folder, of the files that the build's list there names in other folders."""
        paths = _QUOTED.findall(self.build_text(folder))
        return {path.rpartition("/")[2]: path for path in paths if "/" in path}

    @remembered
    def _stems(self, folder: str) -> dict[str, str]:
        return {name.partition(".")[0]: name for name in sorted(self.files.names(folder)) if "." in name}
