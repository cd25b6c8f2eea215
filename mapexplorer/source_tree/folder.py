"""The unpacked folder: where its files are, and `image.json`, which says how the image is put together.

README.md     what is what
image.json    the parts of the image in the order in which they are stored
image/        the programs, overlays, tables and banner, as bytes
data/         the files of the ROM; an archive with files of a known format is a folder of numbered members
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from formats.json_codec import PlainError, from_plain, layout, to_plain
from mapexplorer.errors import RomError, SourceError
from mapexplorer.games import GAMES, Game
from mapexplorer.json_lines import line_of, read_json, read_text
from mapexplorer.rom.source import LARGEST as LARGEST_ROM
from mapexplorer.rom.source import read_file
from mapexplorer.source_tree.members import Member

FORMAT: Final = "unpacked ROM of mapexplorer"
VERSION: Final = 1
IMAGE: Final = "image.json"
README: Final = "README.md"
PARTS: Final = "image"
DATA: Final = "data"
MANAGED: Final = (README, IMAGE, PARTS, DATA)
"""What unpacking writes; everything else in the folder is left alone."""

_PART: Final = re.compile(r"[a-z0-9_]+")
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}|[ \t])*")
_UNUSUAL: Final = re.compile(
    r"""^\. | [\x00-\x1f\x7f-\x9f%:*?"<>|] | [. ]\Z | \.(?=(json|script)\Z)
    | ^(?=(con|prn|aux|nul|(com|lpt)[0-9])(\.|\Z)).""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
"""What the name of a file cannot have on every system."""

LARGEST: Final = 16 << 20
"""Bytes of the largest file of a folder that is read as text or picture."""


@dataclass(frozen=True)
class PartRow:
    """A part of the image, see `rom.image_parts`: its name, which is `/` and a path for a file of `data/`; its number
    in the file table (None: no file); the number of members where it is an archive that is a folder; its offset where
    it is not the usual one; the bytes behind it in hexadecimal digits."""

    name: str
    file: int | None = None
    members: int | None = None
    start: int | None = None
    tail: str = ""


@dataclass(frozen=True)
class ImageDocument:
    """`image.json`: the game, and `rom.image_parts.ImageParts` without the bytes of parts."""

    format: str
    """FORMAT."""
    version: int
    """VERSION."""
    game: str
    """The name of the game here."""
    size: int | None
    """`ImageParts.size`."""
    fill: int
    """`ImageParts.fill`."""
    used_size: int | None
    """`ImageParts.used_size`."""
    counts_all: bool
    """`ImageParts.counts_all`."""
    dangling: tuple[str, ...] | None
    """The references that led nowhere when the ROM was unpacked, and may when it is packed (`dangling.Dangling.key`);
    None: they could not be followed."""
    parts: tuple[PartRow, ...]
    """The parts in their order."""


def image_text(document: ImageDocument) -> str:
    """The text of `image.json`. A part has only the keys that differ from what is usual."""
    plain = to_plain(document)
    usual = to_plain(PartRow(""))
    plain["parts"] = [{key: item for key, item in row.items() if item != usual[key]} for row in plain["parts"]]
    return layout(plain)


def read_image(folder: Path) -> ImageDocument:
    """`image.json` of a folder. Raises SourceError, OSError."""
    data = read_limited(folder, IMAGE, LARGEST)
    text = read_text(IMAGE, data)
    plain = read_json(IMAGE, text)
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise SourceError(IMAGE, 1, f'a "format" of "{FORMAT}" is needed')
    if plain.get("version") != VERSION:
        line = line_of(text, "version")
        raise SourceError(IMAGE, line, f"this program reads version {VERSION}, not {plain.get('version')}")
    usual = to_plain(PartRow(""))
    rows = plain.get("parts")
    if isinstance(rows, list):
        plain["parts"] = [{**usual, **row} if isinstance(row, dict) else row for row in rows]
    try:
        document = from_plain(ImageDocument, plain)
    except PlainError as error:
        raise SourceError(IMAGE, line_of(text, error.where), error.why) from None
    _check(document, text)
    return document


def _check(document: ImageDocument, text: str) -> None:
    """Raises SourceError for the first rule that does not hold."""
    for holds, where, why in _rules(document):
        if not holds:
            raise SourceError(IMAGE, line_of(text, where), why)


def _rules(document: ImageDocument) -> Iterator[tuple[bool, str, str]]:
    """Whether a rule holds, for which part of the document, and what is wrong if it does not."""
    yield document.game in {game.name for game in GAMES}, "game", f"there is no game {document.game}"
    yield 0 <= document.fill <= 255, "fill", "a byte from 0 to 255 is needed"
    for name in ("size", "used_size"):
        yield 0 <= (getattr(document, name) or 0) <= LARGEST_ROM, name, f"a size from 0 to {LARGEST_ROM} is needed"
    seen: set[str | int] = set()
    for index, row in enumerate(document.parts):
        at = f"parts[{index}]"
        yield is_safe(row.name), at, f"{row.name!r} is no path inside the folder"
        for key in (row.name, *(() if row.file is None else (row.file,))):
            yield key not in seen, at, f"{key} was there before"
            seen.add(key)
        yield 0 <= (row.start or 0) <= LARGEST_ROM, f"{at}.start", f"an offset from 0 to {LARGEST_ROM} is needed"
        yield 0 <= (row.members or 0) <= 0xFFFF, f"{at}.members", "an archive has 0 to 65535 members"
        yield _HEX.fullmatch(row.tail) is not None, f"{at}.tail", "hexadecimal digits are needed, two for each byte"
    numbers = sorted(key for key in seen if isinstance(key, int))
    gap = "the numbers of the files do not count from 0 without a gap"
    yield numbers == list(range(len(numbers))), "parts", gap


def is_safe(name: str) -> bool:
    """Whether a part can have this name: one of ours, or the path of a file."""
    if not name.startswith("/"):
        return _PART.fullmatch(name) is not None
    return all(part and "\\" not in part and max(part) <= "\xff" for part in name[1:].split("/"))


def spelled(path: str) -> str:
    """The path of a file of a ROM as every system can have it: other characters are `%` and two hexadecimal digits."""
    return "/".join(_UNUSUAL.sub(_code, name) for name in path.split("/"))


def _code(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def game_of(document: ImageDocument) -> Game:
    """The game of a folder."""
    return next(game for game in GAMES if game.name == document.game)


def is_data(row: PartRow) -> bool:
    """Whether a part is a file of the ROM's file system, which is in `data/`."""
    return row.name.startswith("/")


def part_file(name: str) -> str:
    """The file of a part that is not in the ROM's file system."""
    return f"{PARTS}/{name}.bin"


def members_of(rows: Iterable[PartRow]) -> Iterator[tuple[PartRow, list[tuple[Member, str]]]]:
    """The parts in `data/`, each with its members and the names of their files without endings. A name that differs
    from an earlier one by case only begins with the code of a letter."""
    taken = set()
    for row in filter(is_data, rows):
        path = row.name.removeprefix("/")
        place = spelled(path)
        if place.lower() in taken:
            place = re.sub(r"[^/](?=[^/]*\Z)", _code, place, count=1)
        taken.add(place.lower())
        members = [Member(path)] if row.members is None else [Member(path, index) for index in range(row.members)]
        yield row, [(member, stem_of(member, place)) for member in members]


def stem_of(member: Member, place: str = "") -> str:
    """The name of a member's files without endings; `place`: the name of the file of the ROM, if it is not the usual
    one."""
    file = f"{DATA}/{place or spelled(member.path)}"
    return file if member.number is None else f"{file}/{member.number:04}"


def read_limited(folder: Path, name: str, limit: int = LARGEST_ROM) -> bytes:
    """The bytes of a file of a folder. Raises SourceError when it is missing, too large or outside, OSError."""
    try:
        return read_file(folder / name, "this file", limit, folder)
    except FileNotFoundError:
        raise SourceError(name, None, "this file is missing") from None
    except RomError as error:
        raise SourceError(name, None, str(error).rstrip(".")) from None


def is_unpacked(folder: Path) -> bool:
    """Whether a folder was written by unpacking a ROM."""
    try:
        document: Any = json.loads(read_limited(folder, IMAGE, LARGEST))
    except (SourceError, OSError, ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("format") == FORMAT
