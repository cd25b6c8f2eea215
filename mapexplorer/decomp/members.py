"""The members of the archives that the build makes: which source each has, and its bytes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import numpy as np

from formats.field.area import AreaBuild, AreaData
from formats.field.area_light import AreaLight
from formats.field.item_data import ItemData
from formats.field.program_tables import MACHINE
from formats.field.species_data import SpeciesData
from formats.field.trade import InGameTrade
from formats.field.trainer import Trainer
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import ZoneEvents
from formats.remembered import remembered
from mapexplorer.caching import Cache, shared_property
from mapexplorer.decomp import data, field, pictures
from mapexplorer.decomp.assembler import Assembler
from mapexplorer.decomp.files import BINARY
from mapexplorer.decomp.json_value import U16, JsonValue
from mapexplorer.decomp.listing import THINGS, MemberSource, TreeListing, stem
from mapexplorer.decomp.records import Encoder, Fields, JsonField, Part, json_path
from mapexplorer.decomp.text_banks import TreeTexts
from mapexplorer.errors import SourceError
from mapexplorer.json_lines import line_there
from mapexplorer.rom.rom import Origin, StatedTable

_SPRITES: Final = "mmodel"
_TEXTS: Final = "pl_msg"
_MESSAGE_TABLES: Final = ("trtbl", "trtblofs")
_KINDS: Final[Mapping[str, tuple[Any, Fields]]] = {
    "map_matrix": (field.matrix, field.MATRIX),
    "area_data": (AreaData, field.AREA),
    "area_build": (AreaBuild, field.PROP_LIST),
    "zone_event": (ZoneEvents, field.EVENTS),
    "arealight": (AreaLight, field.LIGHT),
    "pl_enc_data": (WildEncounters, field.ENCOUNTERS),
    "encdata_ex": (field.encounter_extras, {}),
    "trdata": (Trainer, data.TRAINER),
    "trpoke": (data.party, data.PARTY),
    "pl_personal": (SpeciesData, data.SPECIES),
    "evo": (data.evolutions, {}),
    "wotbl": (data.learnset, {}),
    "pl_item_data": (ItemData, data.ITEM),
    "nuts_data": (data.BERRY_DATA, data.BERRY),
    "pl_waza_tbl": (data.MOVE_DATA, data.MOVE),
    "fld_trade": (InGameTrade, data.TRADE),
    _TEXTS: (None, {"entry": JsonField("messages"), "seed": JsonField("key")}),
}
"""Stem of an archive -> what its members are made of JSON by: the type of the record, or what makes it or its bytes;
and where its fields are."""
_MOVE: Final = "teachesMove"
_JSON: Final = ".json"
_SCRIPT: Final = ".s"


class TreeMembers:
    """The members of the archives of a tree, each made when it is asked for."""

    def __init__(self, listing: TreeListing) -> None:
        self.listing = listing
        self.made: dict[tuple[str, str], bytes] = {}
        """What members were made of their texts, by the path of the archive and the name."""
        self.problems: dict[tuple[str, str], str] = {}
        """Why a member has the bytes that it had before."""
        self._before: dict[tuple[str, str], bytes] = {}
        self._kept: dict[tuple[str, str], bytes] = {}
        """Those of before whose lists are the same, and that are the same where no file of theirs is a changed one."""
        self._changed: frozenset[str] = frozenset()
        self.assembler = Assembler(listing.preprocessor)
        self.texts = TreeTexts(listing, self.document)
        self._documents: Cache[str, JsonValue] = Cache(64)

    def follow(self, before: TreeMembers) -> None:
        """Take what was made before some files were changed, and read again what was made of these."""
        changed, same_lists = self.listing.files.changed, self.listing is before.listing
        made = before.made.copy()  # other threads may still read what was before
        self._before = {**before._before, **made}
        if same_lists:
            self._kept, self._changed = {**before._kept, **made}, before._changed | changed
            self.assembler.follow(before.assembler, frozenset(map(stem, changed)))
        for path in dict.fromkeys(path for path, _ in self._before):
            for member in self.sources(path):
                if member.file in changed and (path, member.name) in self._before:
                    self.read(path, member)

    @remembered
    def sources(self, path: str) -> tuple[MemberSource, ...]:
        """The members of the archive at a path of the ROM; none where the tree has none that can be read. Raises
        SourceError for a list that cannot be read, and for members of data in another form."""
        place, name = self.listing.made_of(path), stem(path)
        if not place:
            return ()
        if name in THINGS and name in _KINDS:
            listed = self._listed(name)
            self._check_form(path, listed if name != _TEXTS else ())
            return listed
        if name in _MESSAGE_TABLES:
            return (MemberSource(("", 0), name, place),)
        members = self.listing.ordered(path)
        if name == _SPRITES:
            return self._with_pictures(members)
        present = [member for member in members if member.file]
        known = name in _KINDS or all(_is_itself(member) or member.file.endswith(_SCRIPT) for member in present)
        return members if present and known else ()

    def _check_form(self, path: str, members: tuple[MemberSource, ...]) -> None:
        """Raises SourceError where neither the first, nor the last, nor a member between them can be made."""
        errors: list[SourceError] = []
        for number in {0, len(members) // 2, len(members) - 1} if members else ():
            try:
                self.read(path, members[number])
            except SourceError as error:
                errors.append(error)
            else:
                return
        if errors:
            raise errors[0]

    def _with_pictures(self, members: tuple[MemberSource, ...]) -> tuple[MemberSource, ...]:
        """The members of an archive, of which some are made of pictures."""
        folder = self.listing.folder(_SPRITES)
        steps = self.listing.picture_steps(folder)
        made = {name: f"{folder}/{step[0][pictures.PICTURE]}" for name, step in steps.items() if step}
        return tuple([member if member.file else member._replace(file=made.get(member.name, "")) for member in members])

    def _listed(self, archive: str) -> tuple[MemberSource, ...]:
        """The members that a list numbers, and those that the build adds."""
        members, (names, _) = self.listing.things(archive), THINGS[archive]
        if names == "species":
            return members + self._forms(self.listing.folder(archive))
        if names == "moves":
            more = data.further_moves(self.listing)
            return members + tuple([MemberSource((made.file, 1), name, made.file) for name, made in more])
        if names == "items":
            return tuple([item for use, item in self._items(members) if use == "BERRY" or archive != "nuts_data"])
        return members

    def _items(self, members: tuple[MemberSource, ...]) -> Iterator[tuple[str, MemberSource]]:
        """The items that have members, numbered by kind, which is with them."""
        counts: Counter[str] = Counter()
        for member in members:
            if not member.name.startswith("unused_"):
                kind = self.listing.files.made(member.file, "kind", self._item_kind)
                yield kind, member._replace(number=counts[kind])
                counts[kind] += 1

    def _item_kind(self, file: str) -> str:
        return data.item_kind(self.document(file))

    def _forms(self, folder: str) -> tuple[MemberSource, ...]:
        """The forms of species that have data of their own."""
        file = f"{folder}/form_registry.json"
        registry = self.document(file).value if self.listing.files.has(file) else {}
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
        if key in self.made:
            return self.made[key]
        try:
            made = self._kept[key] if self._is_kept(key, member) else self.make(path, member)
        except SourceError as error:
            if key not in self._before:
                raise
            self.problems[key] = str(error)
            made = self._before[key]
        if not _is_itself(member):
            self.made[key] = made
        return made

    def _is_kept(self, key: tuple[str, str], member: MemberSource) -> bool:
        """Whether a member is as it was before."""
        files = self.files_of(member) if key in self._kept else ()
        return bool(files) and self._changed.isdisjoint(files)

    def files_of(self, member: MemberSource) -> tuple[str, ...]:
        """The files that a member is made of, beside lists: its source and what that includes, or what the build makes
        it of; none of members in other forms, and of one that includes what cannot be read."""
        return self.listing.files.made(member.file, "files", lambda _: self._files_of(member))

    def _files_of(self, member: MemberSource) -> tuple[str, ...]:
        files: dict[str, None] = {}
        bank = "npc_trainer" if member.name in _MESSAGE_TABLES else member.name
        waiting = [member.file] if self.listing.files.has(member.file) else [*self.texts.made_of(bank)]
        with suppress(SourceError):
            while waiting and waiting[-1].endswith((_JSON, _SCRIPT, ".h", ".inc", *BINARY)):
                if (file := waiting.pop()) not in files:
                    files[file] = None
                    waiting += () if file.endswith((_JSON, *BINARY)) else self.listing.preprocessor.included(file)
            return () if waiting else tuple(files)
        return ()

    def made_of(self, member: MemberSource) -> object:
        """What a member with a source of its own is made of: the hashes of its files and of what has names, its number
        among items of its kind. None for others. Raises SourceError."""
        files = self.listing.files
        hashes = {file: files.hash(file) for file in filter(files.has, self.files_of(member))}  # unused items have none
        return (self._names_state, member.number, hashes) if hashes else None

    @shared_property
    def _names_state(self) -> str:
        """A hash of the files with names and of the build's lists and programs."""
        files = self.listing.files
        folders = {place.rpartition("/")[0] for place, _ in self.listing.rows.values()}
        beside = [f"{folder}/{name}" for folder in folders for name in files.names(folder)]
        lists = [file for file in beside if file.endswith((".order", "meson.build", "sound_data.json"))]
        lists += [file for folder in ("generated", "include/constants", "tools") for file in files.below(folder)]
        hashes = [f"{file} {files.hash(file)}" for file in [*lists, *filter(files.has, ["include/berry_data.h"])]]
        return hashlib.sha1("\n".join(sorted(hashes)).encode(), usedforsecurity=False).hexdigest()

    def make(self, path: str, member: MemberSource) -> bytes:
        """The bytes of a member. Raises SourceError."""
        if not member.file:
            file, line = member.named
            name = member.name if "." in member.name else f"{member.name}{self._suffix(path)}"
            raise SourceError(file, line, f"there is no file {name} in {file.rpartition('/')[0]}")
        if member.file.endswith(_SCRIPT):
            return self.assembler.assemble(member.file).data
        try:
            value = self._value(stem(path), member)
            made: bytes = value if isinstance(value, bytes) else value.to_bytes()
        except SourceError:
            raise
        except ValueError as error:
            raise SourceError(member.file, None, str(error)) from None
        return made

    def _value(self, archive: str, member: MemberSource) -> Any:
        """The value or the bytes of a member that is no script."""
        folder = self.listing.folder(archive) if archive == _SPRITES else ""
        steps = self.listing.picture_steps(folder) if folder else {}
        if member.name in steps:
            return pictures.texture_set(self.listing.files, folder, steps[member.name])
        if archive in _MESSAGE_TABLES:
            trainers = [self.document(trainer.file) for trainer in self.listing.things("trdata")]
            return data.message_tables(self.listing, trainers)[_MESSAGE_TABLES.index(archive)]
        if archive == _TEXTS:
            return self.texts.bank(member)
        if archive not in _KINDS or _is_itself(member):
            return self.listing.files.read(member.file)
        kind, fields = _KINDS[archive]
        is_json = member.file.endswith(_JSON)
        document = self.document(member.file) if is_json else dict(data.further_moves(self.listing))[member.name]
        encoder = Encoder(self.listing, member, fields)
        if isinstance(kind, np.dtype):
            return np.array([encoder.record(kind, document)], kind).tobytes()
        return encoder.record(kind, document) if isinstance(kind, type) else kind(encoder, document)

    def _suffix(self, path: str) -> str:
        """The extension of the sources of an archive."""
        return next((f".{member.file.rpartition('.')[2]}" for member in self.sources(path) if member.file), "")

    def origin(self, path: str, member: MemberSource, part: Part) -> Origin | None:
        """Where a part of a member stands: of a JSON file the value that it is made of, of a script the line of a byte
        (`("byte", offset)`); None where it has no place of its own."""
        if not member.file:
            return member.named
        try:
            if part[:1] == ("byte",):
                return member.file, self.assembler.assemble(member.file).line_at(int(part[1]))
            if stem(path) == _TEXTS and part[:1] == ("text",):
                messages = self.texts.messages(member)
                return messages[int(part[1])].origin if int(part[1]) < len(messages) else None
            if member.file.endswith(_JSON) and part:
                document = self.document(member.file)
                place = json_path(_KINDS.get(stem(path), (None, {}))[1], part) or ""
                names = [".".join([step.split("|")[at] for step in place.split(".")]) for at in (0, -1) if place]
                lines = [line_there(document.text, name) for name in names]
                return next(((member.file, line) for line in lines if line is not None), None)
        except SourceError as error:
            return member.file, error.line or 1
        return member.file, 1

    def machines(self, items: tuple[MemberSource, ...]) -> StatedTable:
        """The moves that machines teach, in the order of the items. Raises SourceError."""
        documents = [self.document(item.file) for item in items]
        moves = [item.part(_MOVE) for item in documents if item.has(_MOVE)]
        names = self.listing.names.of("moves")
        numbers = np.array([move.number(U16, names) for move in moves], MACHINE)
        return StatedTable(numbers.tobytes(), tuple([((move.file, move.line),) for move in moves]))

    def document(self, file: str) -> JsonValue:
        """The contents of a JSON file, of which the last ones are kept."""
        return self._documents.get(file, JsonValue.read, self.listing.files, file)


def _is_itself(member: MemberSource) -> bool:
    """Whether a member is a file of the tree as it is, named with or without its extension."""
    return member.file.rpartition("/")[2] == member.name or member.file.endswith(BINARY)
