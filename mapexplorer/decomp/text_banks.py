"""The banks of texts of a tree: those that are files, and those that the build makes of other files (names and
descriptions of items, moves, species, trainers, trades, the town map). The keys of the latter, and what differs for
single things, are read from the sources of the build's programs."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from formats.field.message import MessageBank
from mapexplorer.caching import Cache, shared_property
from mapexplorer.decomp.data import message_order
from mapexplorer.decomp.json_value import U16, JsonValue
from mapexplorer.decomp.listing import MemberSource, TreeListing
from mapexplorer.decomp.texts import CharacterMap, TreeMessage, message_text, messages, plain_text
from mapexplorer.errors import SourceError

_PROGRAMS: Final = "tools/dataproc/src"
"""The folder of the build's programs."""
_CHARACTERS: Final = "tools/msgenc/charmap.txt"
_TOWN_MAP: Final = "town_map"
_BANK: Final = re.compile(r'\{([^{}]*\.out_filename\s*=\s*"(\w+)\.json"[^{}]*)\}')
_KEY: Final = re.compile(r"\.key\s*=\s*(\d+)")
_NAME: Final = re.compile(r"\b[A-Z]+_[A-Z0-9_]+\b")
_IN_BATTLE: Final = re.compile(r"== MOVE_(\w+)\)[^}]{0,400}?\[(\d+)\] = '(.)'")
_UNKNOWN: Final = "???"
_WIDE: Final = str.maketrans("0123456789", "０１２３４５６７８９")
_THIN_SPACE: Final = "\u2009"

_Origin = JsonValue | tuple[str, int]
_Row = tuple[str, str, str, _Origin]
"""A text: its bank, the end of its name, the text, and what it is made of."""


class TreeTexts:
    """The banks of a tree. `document` reads a JSON file."""

    def __init__(self, listing: TreeListing, document: Callable[[str], JsonValue]) -> None:
        self.listing = listing
        self.document = document
        self._made: Cache[str, dict[str, list[TreeMessage]]] = Cache()

    @shared_property
    def _characters(self) -> CharacterMap:
        return CharacterMap(_CHARACTERS, self.listing.files.text(_CHARACTERS))

    def bank(self, member: MemberSource) -> MessageBank:
        """A bank in the notation of `formats.field.message`. Raises SourceError."""
        texts = [self._characters.notation(message) for message in self.messages(member)]
        return MessageBank(self._key(member), tuple(texts))

    def messages(self, member: MemberSource) -> list[TreeMessage]:
        """The messages of a bank. Raises SourceError."""
        if self.listing.files.has(member.file):
            return messages(self.document(member.file))
        start = _start_of(member.name)
        made = {} if start is None else self._made.get(start, self._read, start)
        if member.name not in made:
            why = f"there is no {member.file}, and this version does not read what the build makes that bank of"
            raise SourceError(*member.named, why)
        return made[member.name]

    def _key(self, member: MemberSource) -> int:
        """The key of a bank, which changes its bytes, but no text; 0 where no program says it. Raises SourceError."""
        if self.listing.files.has(member.file):
            return self.document(member.file).part("key").number(U16)
        if member.name == _TOWN_MAP:
            return self.town_map.part("text_bank.key").number(U16)
        match = _KEY.search(self._programs.get(member.name, ("", ""))[1])
        return int(match[1]) if match is not None else 0

    @shared_property
    def _programs(self) -> dict[str, tuple[str, str]]:
        """Bank -> the source of the program that makes it, and the row that describes it there."""
        files = self.listing.files
        sources = [files.text(f"{_PROGRAMS}/{name}") for name in sorted(files.names(_PROGRAMS)) if name.endswith(".c")]
        return {row[2]: (text, row[1]) for text in sources for row in _BANK.finditer(text)}

    def program(self, bank: str) -> str:
        """The source of the program that makes a bank; empty without one."""
        return self._programs.get(bank, ("", ""))[0]

    def exceptions(self, bank: str, start: str, end: str) -> frozenset[str]:
        """The names of things that the program of a bank has between two texts."""
        return frozenset(_NAME.findall(self.program(bank).partition(start)[2].partition(end)[0]))

    @shared_property
    def town_map(self) -> JsonValue:
        """The file of the town map. Raises SourceError."""
        return self.document(f"{self.listing.folder('tmap_block')}/town_map_data.json")

    def made_of(self, bank: str) -> tuple[str, ...]:
        """The files that the build makes a bank of, beside its programs; none of a bank that is not known."""
        start = _start_of(bank)
        if start == _TOWN_MAP:
            return (self.town_map.file,)
        return () if start is None else tuple([thing.file for thing in self._things(start)])

    def _things(self, start: str) -> tuple[MemberSource, ...]:
        archive, _ = _KINDS[start]
        return self.listing.things(archive) if archive else ()

    def _read(self, start: str) -> dict[str, list[TreeMessage]]:
        banks: dict[str, list[TreeMessage]] = defaultdict(list)
        for bank, name, text, origin in _KINDS[start][-1](self, self._things(start)):
            banks[bank].append(TreeMessage(f"{bank}_{name}", text, origin))
        return banks


def _start_of(bank: str) -> str | None:
    return next((start for start in _KINDS if bank.startswith(start)), None)


def _items(made: TreeTexts, things: tuple[MemberSource, ...]) -> Iterator[_Row]:
    for thing in things:
        origin: _Origin = thing.named
        name = plural = named = _UNKNOWN
        description = ""
        if not thing.name.startswith("unused_"):
            origin = made.document(thing.file)
            name, plural = origin.part("name").string(), origin.part("plural").string()
            article = f"{origin.part('article').string()} " if origin.has("article") else ""
            named = plural if plural == _UNKNOWN else article + _in_color(name)
            description = plain_text(origin.part("description"))
        texts = {"names": name, "names_plural": plural, "names_with_articles": named, "descriptions": description}
        yield from ((f"item_{bank}", thing.name.upper(), text, origin) for bank, text in texts.items())


def _in_color(name: str) -> str:
    return f"{{COLOR 255}}{name}{{COLOR 0}}"


def _moves(made: TreeTexts, things: tuple[MemberSource, ...]) -> Iterator[_Row]:
    in_battle = _IN_BATTLE.search(made.program("moves_used_in_battle"))
    for number, thing in enumerate(things):
        move = made.document(thing.file)
        name = used = move.part("name").string()
        if in_battle and thing.name == in_battle[1].lower():
            at = int(in_battle[2])
            used = name[:at] + in_battle[3] + name[at + 1 :]
        yield "move_names", thing.name, name, move
        yield "move_names_uppercase", thing.name, name.encode().upper().decode(), move
        yield "move_descriptions", thing.name, plain_text(move.part("description")), move
        for side, start in (("Ally", ""), ("Wild", "The wild "), ("Foe", "The foe’s ")):
            text = f"{start}{{STRVAR_1 1, 0, 0}} used\n{used}!" if number else "!"
            yield "moves_used_in_battle", f"{thing.name}_{side}", text, move


def _species(made: TreeTexts, things: tuple[MemberSource, ...]) -> Iterator[_Row]:
    lighter = made.exceptions("species_weight", "species_weight_rounding_override(", "return")
    # The egg is the first that has a name and no other text; one follows it.
    last = next((number for number, thing in enumerate(things) if thing.name == "egg"), len(things))
    for number, thing in enumerate(things[: last + 2]):
        entry = made.document(thing.file).part("pokedex_data")
        name = entry.part("en.name").string() if number else "-----"
        article = "an" if name[:1] in tuple("AEIOU") else "a"
        yield "species_name", thing.name, name, entry
        yield "species_name_with_articles", thing.name, f"{article} {_in_color(name)}" if number else "", entry
        if number >= last:
            continue
        for language in ("en", "fr", "de", "it", "es", "jp"):
            words = entry.part(language)
            text = plain_text(words.part("entry_text")) if number else ""
            yield f"species_pokedex_entry_{language}", thing.name, text, words
            digits = f"{number:03}".translate(_WIDE if language == "jp" else {})
            text = f"{digits}  " * bool(number) + words.part("name").string()
            yield f"species_name_with_natdex_number_{language}", thing.name, text, words
            yield f"species_category_{language}", thing.name, words.part("category").string(), words
        yield "species_category", thing.name, entry.part("en.category").string(), entry
        for form, suffix in (
            (entry, "_gira"),
            (entry.part("origin_forme") if entry.has("origin_forme") else entry, ""),
        ):
            less = 0.1 if f"SPECIES_{thing.name.upper()}" in lighter else 0.0
            yield f"species_weight{suffix}", thing.name, _weight(form, less) if number else "????.? lbs.", form
            yield f"species_height{suffix}", thing.name, _height(form) if number else "???’??”", form


def _rounded(number: float) -> int:
    """The nearest integer, the larger one of two."""
    return math.floor(number + 0.5)


def _tenths(form: JsonValue, metric: str, other: str, unit: float, less: float = 0.0) -> int:
    """The tenths of a metric unit that a measure has, which is in another one where the metric key is missing; `less`
    of those than it is. Raises SourceError."""
    source = form.part(metric if form.has(metric) else other)
    if not isinstance(source.value, int | float):
        source.fail("a number is needed")
    return _rounded(10 * (source.value if form.has(metric) else (source.value + less) * unit))


def _weight(form: JsonValue, less: float) -> str:
    """A weight in pounds, by way of tenths of kilograms; `less` pounds than they are."""
    tenths = _tenths(form, "weight_kilograms", "weight_pounds", 0.45359237, less)
    return f"{tenths / 10 / 0.45359237 - less:.1f}".rjust(6, _THIN_SPACE) + " lbs."


def _height(form: JsonValue) -> str:
    """A height in feet and inches, by way of decimetres."""
    tenths = _tenths(form, "height_meters", "height_inches", 1 / 39.37)
    feet, inches = divmod(_rounded(tenths / 10 * 39.37), 12)
    return f"{feet}’{inches:02}”".rjust(7, _THIN_SPACE)


def _trainers(made: TreeTexts, things: tuple[MemberSource, ...]) -> Iterator[_Row]:
    not_packed = made.exceptions("npc_trainer_names", "uncompressed_classes[]", ";")
    not_packed |= made.exceptions("npc_trainer_names", "uncompressed_trainers[]", ";")
    trainers = [made.document(thing.file) for thing in things]
    for thing, trainer in zip(things, trainers, strict=True):
        own = {f"TRAINER_{thing.name.upper()}", trainer.part("class").value}
        packed = "{TRNAME}" if own.isdisjoint(not_packed) else ""
        yield "npc_trainer_names", thing.name, packed + trainer.part("name").string(), trainer
    for number in message_order(made.listing, len(things)):
        for index, message in enumerate(trainers[number].part("messages").items()):
            yield "npc_trainer_messages", f"{things[number].name}_{index}", message_text(message), message


def _frontier_trainers(made: TreeTexts, things: tuple[MemberSource, ...]) -> Iterator[_Row]:
    for thing in things:
        trainer = made.document(thing.file)
        yield "frontier_trainer_names", thing.name, trainer.part("name").string(), trainer
        for message in trainer.part("messages").items():
            name = f"{thing.name}_{message.part('type').string()}"
            yield "frontier_trainer_messages", name, message_text(message), message


def _trades(made: TreeTexts, things: tuple[MemberSource, ...]) -> Iterator[_Row]:
    for word, key in (("Mon", "name"), ("Trainer", "otName")):
        for number, thing in enumerate(things):
            name = made.document(thing.file).part(key)
            yield "npc_trade_names", f"{word}{number}", name.string(), name


def _town_map(made: TreeTexts, _: tuple[MemberSource, ...]) -> Iterator[_Row]:
    for message in made.town_map.part("text_bank.messages").items():
        yield _TOWN_MAP, message.part("id").string(), message_text(message), message
    described: set[str] = set()
    for block in made.town_map.part("blocks").items():
        for kind in ("area", "landmark"):
            if not block.has(kind):
                continue
            key = block.part(kind).string()
            thing = made.town_map.part(f"{kind}s.{key}")
            if thing.has("copy_description"):
                key = thing.part("copy_description").string()
            if (name := f"{kind}_{key}") not in described:
                described.add(name)
                description = made.town_map.part(f"{kind}s.{key}.description")
                yield _TOWN_MAP, name, message_text(description), description


_Rows = Callable[[TreeTexts, tuple[MemberSource, ...]], Iterator[_Row]]
_KINDS: Final[dict[str, tuple[str, _Rows]]] = {
    "item": ("pl_item_data", _items),
    "move": ("pl_waza_tbl", _moves),
    "species": ("pl_personal", _species),
    "npc_trainer": ("trdata", _trainers),
    "npc_trade": ("fld_trade", _trades),
    "frontier_trainer": ("pl_btdtr", _frontier_trainers),
    _TOWN_MAP: ("", _town_map),
}
"""Beginning of the names of banks -> the stem of the archive of the things whose texts they have, and the rows of all
their banks."""
