"""The members of the archives that the build makes: which source each has, and its bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from formats.field.program_tables import MACHINE
from formats.remembered import remembered
from mapexplorer.caching import Cache
from mapexplorer.decomp import data, field, pictures
from mapexplorer.decomp.assembler import Assembler
from mapexplorer.decomp.json_value import U16, JsonValue
from mapexplorer.decomp.listing import MemberSource, TreeListing, stem
from mapexplorer.decomp.origins import Part, json_path
from mapexplorer.decomp.text_banks import TreeTexts
from mapexplorer.errors import SourceError
from mapexplorer.json_lines import line_there, read_json
from mapexplorer.rom.rom import Origin, StatedTable

Maker = Callable[[TreeListing, MemberSource, JsonValue], Any]
"""The value (with `to_bytes`) or the bytes of a member, of its source."""


class Made(NamedTuple):
    """The bytes of a member, and the names without extension of the files that it is made of; the build makes some of
    them of others with the same name."""

    data: bytes
    stems: frozenset[str]


class ListedKind(NamedTuple):
    """TreeMembers that a list of names numbers: the list, the prefix of its names, and how one is made."""

    names: str
    prefix: str
    make: Maker


_ORDERED: Final[Mapping[str, Maker]] = {
    "map_matrix": field.matrix,
    "area_data": field.area,
    "area_build": field.prop_list,
    "zone_event": field.events,
    "arealight": field.light,
    "pl_enc_data": field.encounters,
    "encdata_ex": field.encounter_extras,
}
"""File name of an archive without its extension -> how the members are made that its order file names."""
_LISTED: Final[Mapping[str, ListedKind]] = {
    "trdata": ListedKind("trainers", "TRAINER_", data.trainer),
    "trpoke": ListedKind("trainers", "TRAINER_", data.party),
    "pl_personal": ListedKind("species", "SPECIES_", data.species),
    "evo": ListedKind("species", "SPECIES_", data.evolutions),
    "wotbl": ListedKind("species", "SPECIES_", data.learnset),
    "pl_item_data": ListedKind("items", "ITEM_", data.item),
    "nuts_data": ListedKind("items", "ITEM_", data.berry),
    "pl_waza_tbl": ListedKind("moves", "MOVE_", data.move),
    "fld_trade": ListedKind("include/constants/npc_trades.h", "NPC_TRADE_", data.trade),
}
"""The same for archives whose members a list of names numbers."""
_SPRITES: Final = "mmodel"
_TEXTS: Final = "pl_msg"
_MOVE: Final = "teachesMove"
_TRAINERS: Final = "trdata"
_MESSAGE_TABLES: Final = ("trtbl", "trtblofs")
_UNUSED: Final = "unused_"
"""The beginning of the names of items without a member."""
_FORMS: Final = "form_registry.json"
_JSON: Final = ".json"
_CONTENTS: Final = (_JSON, ".s", ".bin")
"""The ends of files that no other member's numbers depend on."""
_SCRIPT: Final = ".s"
_BINARY: Final = (".bin", ".nsbtx", ".nsbmd", ".nsbca", ".nsbta", ".nsbtp")


class TreeMembers:
    """The members of the archives of a tree, each made when it is asked for."""

    def __init__(self, listing: TreeListing, before: TreeMembers | None, changed: frozenset[str]) -> None:
        """`before`: the members before the files `changed` were."""
        self.listing = listing
        self.made: dict[tuple[str, str], Made] = dict(before.made) if before is not None else {}
        """What members were made of their texts, by the path of the archive and the name."""
        self.problems: dict[tuple[str, str], str] = {}
        """Why a member has the bytes that it had before."""
        self._before = frozenset(self.made)
        self._changed = changed
        self._same: set[tuple[str, str]] = set()
        self.same_names = before is not None and before.listing.names.sources.isdisjoint(changed)
        self.same_names &= all(path.endswith(_CONTENTS) for path in changed)
        """Whether names and tables are those of before."""
        if self.same_names:
            stems = frozenset(map(stem, changed))
            self._same = {key for key, made in self.made.items() if made.stems and made.stems.isdisjoint(stems)}
        self.assembler = Assembler(listing.preprocessor)
        self.texts = TreeTexts(listing, self.document)
        self._documents: Cache[str, JsonValue] = Cache(64)

    @remembered
    def sources(self, path: str) -> tuple[MemberSource, ...]:
        """The members of the archive at a path of the ROM; none where the tree has none that can be read. Raises
        SourceError for a list that cannot be read."""
        place, kind = self.listing.made_of(path), stem(path)
        if not place:
            return ()
        if kind in _LISTED:
            return self._listed(place, _LISTED[kind])
        if kind == _TEXTS:
            return self.listing.listed("text_banks", "TEXT_BANK_", place)
        if kind in _MESSAGE_TABLES:
            return (MemberSource(("", 0), kind, place),)
        if self.listing.order_file(path):
            members = self.listing.ordered(path)
            if kind == _SPRITES:
                return self._with_pictures(place, members)
            present = [member for member in members if member.file]
            if present and (kind in _ORDERED or all(_is_itself(member) or _is_script(member) for member in present)):
                return members
        return ()

    def _with_pictures(self, place: str, members: tuple[MemberSource, ...]) -> tuple[MemberSource, ...]:
        """The members of an archive, of which some are made of pictures."""
        folder = place.rpartition("/")[0]
        steps = self._steps_in(folder).items()
        made = {name: f"{folder}/{step.pictures[0]}" for name, step in steps if step.pictures}
        return tuple([member if member.file else member._replace(file=made.get(member.name, "")) for member in members])

    @remembered
    def _steps_in(self, folder: str) -> dict[str, pictures.PictureStep]:
        """The steps that make the pictures of a folder."""
        return pictures.steps(self.listing.build_text(folder))

    def _listed(self, place: str, kind: ListedKind) -> tuple[MemberSource, ...]:
        members = self.listing.listed(kind.names, kind.prefix, place)
        if kind.names == "species":
            return members + self._forms(place.rpartition("/")[0])
        if kind.names == "moves":
            more = data.further_moves(self.listing)
            return members + tuple([MemberSource((made.file, 1), name, made.file) for name, made in more])
        return self._items(members, kind.make is data.berry) if kind.names == "items" else members

    def _items(self, members: tuple[MemberSource, ...], berries: bool) -> tuple[MemberSource, ...]:
        """The items that have members, numbered by kind; of berries alone."""
        counts: Counter[str] = Counter()
        items = []
        for member in members:
            if not member.name.startswith(_UNUSED):
                kind = data.item_kind(self.document(member.file))
                if kind == "BERRY" or not berries:
                    items.append(member._replace(number=counts[kind]))
                counts[kind] += 1
        return tuple(items)

    def _forms(self, folder: str) -> tuple[MemberSource, ...]:
        """The forms of species that have data of their own."""
        file = f"{folder}/{_FORMS}"
        if not self.listing.files.has(file):
            return ()
        registry = read_json(file, self.listing.files.text(file))
        return tuple(
            [
                MemberSource((file, 1), f"{species}_{form}", f"{folder}/{species}/forms/{form}/data{_JSON}")
                for species, forms in registry.items()
                for form, kind in forms.items()
                if kind == "data"
            ]
        )

    def read(self, path: str, member: MemberSource) -> bytes:
        """The bytes of a member; those that it had before where its text cannot be read any more. Raises
        SourceError."""
        key = path, member.name
        if key in self._same:
            return self.made[key].data
        try:
            data = self.make(path, member)
        except SourceError as error:
            if key not in self._before:
                raise
            self.problems[key] = str(error)
            self._same.add(key)
            return self.made[key].data
        if not _is_itself(member):
            self._same.add(key)
            self.made[key] = Made(data, frozenset(map(stem, self._files_of(member))))
        return data

    def _files_of(self, member: MemberSource) -> tuple[str, ...]:
        """The files that a member is made of, beside lists of names and headers; none where they are not known."""
        if _is_script(member):
            return self.assembler.assemble(member.file).files
        return (member.file,) if member.file.endswith(_JSON) and self.listing.files.has(member.file) else ()

    def check(self) -> None:
        """Read the members again that were made before, of which a source has changed."""
        for path in dict.fromkeys(path for path, _ in self._before):
            for member in self.sources(path):
                if member.file in self._changed and (path, member.name) in self._before:
                    self.read(path, member)

    def make(self, path: str, member: MemberSource) -> bytes:
        """The bytes of a member. Raises SourceError."""
        if not member.file:
            file, line = member.named
            name = member.name if "." in member.name else f"{member.name}{self._suffix(path)}"
            raise SourceError(file, line, f"there is no file {name} in {file.rpartition('/')[0]}")
        if _is_script(member):
            return self.assembler.assemble(member.file).data
        kind = stem(path)
        folder = self.listing.made_of(path).rpartition("/")[0]
        step = self._steps_in(folder).get(member.name) if kind == _SPRITES else None
        if step is not None:
            return pictures.texture_set(self.listing.files, folder, step).to_bytes()
        if kind in _MESSAGE_TABLES:
            return self._message_tables(path)[_MESSAGE_TABLES.index(kind)]
        maker = _LISTED[kind].make if kind in _LISTED else _ORDERED.get(kind)
        if kind == _TEXTS:
            value = self.texts.bank(member)
        elif maker is None or _is_itself(member):
            return self.listing.files.read(member.file)
        else:
            is_json = member.file.endswith(_JSON)
            document = self.document(member.file) if is_json else dict(data.further_moves(self.listing))[member.name]
            value = maker(self.listing, member, document)
        if isinstance(value, bytes):
            return value
        try:
            made: bytes = value.to_bytes()
        except ValueError as error:
            raise SourceError(member.file, None, str(error)) from None
        return made

    def _suffix(self, path: str) -> str:
        """The extension of the sources of an archive."""
        return next((f".{member.file.rpartition('.')[2]}" for member in self.sources(path) if member.file), "")

    def origin(self, path: str, member: MemberSource, part: Part) -> Origin | None:
        """Where a part of a member stands: of a JSON file the value that it is made of, of a script the line of a byte
        (`("byte", offset)`); None where it has no place of its own."""
        if not member.file:
            return member.named
        try:
            if _is_script(member) and part[:1] == ("byte",):
                return member.file, self.assembler.assemble(member.file).line_at(int(part[1]))
            if stem(path) == _TEXTS and part[:1] == ("text",):
                messages = self.texts.messages(member)
                return messages[int(part[1])].origin if int(part[1]) < len(messages) else None
            if member.file.endswith(_JSON) and part:
                document = self.document(member.file)
                line = line_there(document.text, json_path(stem(path), part))
                return None if line is None else (member.file, line)
        except SourceError as error:
            return member.file, error.line or 1
        return member.file, 1

    def machines(self, path: str) -> StatedTable:
        """The moves that machines teach, in the order of the items, whose archive is at a path. Raises SourceError."""
        items = [self.document(member.file) for member in self.sources(path)]
        moves = [item.part(_MOVE) for item in items if item.has(_MOVE)]
        names = self.listing.names.of("moves")
        numbers = np.array([move.number(U16, names) for move in moves], MACHINE)
        return StatedTable(numbers.tobytes(), tuple([((move.file, move.line),) for move in moves]))

    def _message_tables(self, path: str) -> tuple[bytes, bytes]:
        """The tables of what trainers say."""
        kind = _LISTED[_TRAINERS]
        trainers = self.listing.listed(kind.names, kind.prefix, self.listing.made_of(path))
        return data.message_tables(self.listing, [self.document(trainer.file) for trainer in trainers])

    def document(self, file: str) -> JsonValue:
        """The contents of a JSON file, of which the last ones are kept."""
        return self._documents.get(file, JsonValue.read, self.listing.files, file)


def _is_itself(member: MemberSource) -> bool:
    """Whether a member is a file of the tree as it is, named with or without its extension."""
    return member.file.rpartition("/")[2] == member.name or member.file.endswith(_BINARY)


def _is_script(member: MemberSource) -> bool:
    """Whether a member is assembled."""
    return member.file.endswith(_SCRIPT)
