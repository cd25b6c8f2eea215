"""What people write and send: texts and pictures of unpacked folders, folders, queries, names, links, what earlier
runs kept.

Texts are those of the demo world and, where MAPEXPLORER_TEST_ROM names a ROM, as often those of that ROM.
"""

from __future__ import annotations

import base64
import contextlib
import copy
import io
import itertools
import json
import os
import random
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np

import formats
from formats.binary import Reader
from formats.field.message import decode, encode
from formats.field.script_commands import PLATINUM
from formats.field.trainer_party import PartyForm, TrainerParty
from formats.json_codec import layout
from mapexplorer.catalogue.query import answer
from mapexplorer.catalogue.store import open_store
from mapexplorer.cli.completion import bash_words
from mapexplorer.errors import PlaceError, RomError, SourceError
from mapexplorer.gameplay.script_listing import list_script
from mapexplorer.games import Role, identify
from mapexplorer.option import OptionError
from mapexplorer.scene.link import KEYS, Link
from mapexplorer.source_tree.documents import JSON, REFERENCE, Files, write_document
from mapexplorer.source_tree.folder import is_safe, spelled, stem_of
from mapexplorer.source_tree.members import SCRIPT, Member, MemberReader, MemberWriter, StoredForm, has_kind
from mapexplorer.source_tree.pack import pack
from mapexplorer.source_tree.pictures import text_colors
from mapexplorer.source_tree.script_reader import read_script
from mapexplorer.source_tree.script_syntax import ScriptWords
from mapexplorer.source_tree.script_text import script_text
from mapexplorer.source_tree.unpack import unpack
from mapexplorer.system import kept_data
from mapexplorer.system.progress import Progress
from mapexplorer.system.terminal import printable
from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld

_VALUES: tuple[Any, ...] = (
    *(
        0,
        -1,
        1,
        255,
        65535,
        1 << 31,
        1 << 63,
        10**400,
        1.5,
        True,
        None,
        "",
        "x",
        "\ud800",
        "{command 0100 1}",
        "#ff00ff",
    ),
    *("{packed}a", "{", "<u2", "U300000000", [], [[]], [{}], {}, {"a": 1}, {"@file": "../0000.json"}, [0] * 300),
)
_LINES = (
    *("GoTo script_1+999999999", "Message 03", "Message\t3", ".bytes", ".bytes 0", ".movement", ".entry x", "x:", "x+"),
    *("Command_99999", "Action_1 1", "EndMovement", ".unpadded", ".end_of_entries", "Message " + "9" * 5000, "\x00"),
)
_WORDS = (
    *("SELECT", "FROM", "WHERE", "*", "count(*)", "(", ")", ",", ";", "maps", "land", "attributes", "party", "name"),
    *("UNION", "ALL", "WITH", "ATTACH", "'/tmp/x'", "AS", "x", "VACUUM", "INTO", "PRAGMA", "writable_schema", "=", "1"),
    *(
        "zeroblob(1000000000)",
        "printf('%.*c', 99999999, 'x')",
        "load_extension('x')",
        "--",
        "DELETE",
        "LIMIT",
        "\ud800",
    ),
)
_LETTERS = "ab.. /\\%:*?\"'<>|$`&;()[]{}~!#\n\r\t\0\x1b\x85éあ\ud800COMcon1"
_LINKS = tuple(f"{key}=" for key in KEYS)
_LINK_VALUES = (
    *("20", "24", "1e9", "-1", "nan", "9" * 400, "1,2", "1,2,3", "fog", "yes", "free", "top", "map", "both", "new"),
    *("collision", "-people", "%", "%zz", "%ff", "%00", "object:3", "tile:1/2", "0x10", "１", "1_0", "", "=", "&", "#"),
)
_ROWS = 200
_HEX = re.compile(r"(\s*[0-9A-Fa-f]{2}\s*)*")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_CHANGING = {
    "open": 1,
    **dict.fromkeys(("os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.utime"), 1),
    **dict.fromkeys(("os.rename", "os.link"), 2),
}
"""Events of changes to files -> how many of their arguments are paths that change."""


class Texts:
    """Makes cases of an unpacked demo world in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._root = folder.resolve() / "texts"
        shutil.rmtree(self._root, ignore_errors=True)
        self._root.mkdir(parents=True)
        kept_data.folder = lambda: self._root / "kept"
        self._folder = self._root / "demo"
        unpack(open_rom("demo"), self._folder, replace=False, jobs=1, progress=Progress())
        paths = ["demo", os.environ.get("MAPEXPLORER_TEST_ROM")]
        self._sources = [MemberTexts(path) for path in paths if path]
        self._victim = self._root / "outside"
        self._victim.write_text("precious")
        self._store = open_store(open_rom("demo"))
        self._world = FieldWorld.open("demo")
        self._watching = False
        sys.addaudithook(self._watch)
        self.size = 1 << 20

    def warm_up(self) -> None:
        """One case of every kind."""
        for way in (self._text, self._folder_case, self._query, self._name, self._link):
            for number in range(20):
                with contextlib.suppress(RomError, OptionError, PlaceError):
                    way(random.Random(number))

    def use(self, source: random.Random) -> None:
        """Run a case. Raises what is a finding: no sentence, another value, a file outside that was changed."""
        texts: tuple[Callable[[random.Random], None], ...] = (self._text, self._folder_case, self._query)
        (way,) = source.choices((*texts, self._name, self._link), (70, 5, 10, 10, 5))
        self._watching = True
        try:
            with contextlib.suppress(RomError, OptionError, PlaceError):
                way(source)
        finally:
            self._watching = False
        assert self._victim.read_text() == "precious", "a file outside was written"

    def _watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Raises AssertionError where a case writes, renames or removes a file outside its folder."""
        if not self._watching or (event == "open" and not (arguments[2] or 0) & _WRITING):
            return
        for path in arguments[: _CHANGING.get(event, 0)]:
            if isinstance(path, str | bytes | os.PathLike):
                place = Path(os.fsdecode(path))
                place = place.resolve() if event == "open" else place.parent.resolve() / place.name
                assert place.is_relative_to(self._root), f"{event} outside the folder"

    def _text(self, source: random.Random) -> None:
        """A member's files with an edit: refused in a sentence with the file and the line, or the text of what was
        packed says the same."""
        texts = source.choice(self._sources)
        member, stem, files = texts.any(source)
        name = source.choice(sorted(files))
        files[name] = _edited(source, name, files[name])
        try:
            data = texts.packed(member, stem, files)
        except SourceError as error:
            assert re.match(r"[^:]*, line \d+: |[^:]*\.(png|bin): ", str(error)), f"no line: {_kind(str(error))}"
        else:
            difference = texts.difference(member, stem, files, data)
            assert difference is None, f"packed as another value: {difference}"

    def _folder_case(self, source: random.Random) -> None:
        """The whole folder with a file that is a link, a pipe, a folder, absent or damaged."""
        files = [path for path in self._folder.rglob("*") if path.is_file()]
        path = source.choice(files if source.random() < 0.7 else [self._folder / "image.json"])
        before = path.read_bytes()
        path.unlink()
        ways: tuple[Callable[[], object], ...] = (
            lambda: path.symlink_to(self._victim),
            lambda: path.symlink_to("/dev/zero"),
            lambda: os.mkfifo(path),
            path.mkdir,
            lambda: path.write_bytes(_edited(source, path.name, before)),
            lambda: None,
        )
        try:
            source.choice(ways)()
            pack(self._folder, self._root / "demo.nds", check=source.random() < 0.5, jobs=1, progress=Progress())
        except OSError:
            pass
        finally:
            if path.is_dir():
                path.rmdir()
            path.unlink(missing_ok=True)
            path.write_bytes(before)

    def _query(self, source: random.Random) -> None:
        query = " ".join(source.choices(_WORDS, k=source.randrange(1, 12)))
        with answer(self._store, ("SELECT " if source.random() < 0.5 else "") + query) as (columns, rows):
            json.dumps([columns, *itertools.islice(rows, _ROWS)])

    def _name(self, source: random.Random) -> None:
        """A name as a file, for a terminal, and as bash takes it."""
        name = "".join(source.choices(_LETTERS, k=source.randrange(1, 12)))
        printable(name).encode()
        if is_safe(f"/{name}"):
            path = spelled(name)
            assert unquote(path, "latin-1") == name, "the spelling of a name is not reversible"
            assert not any(part.startswith(".") or not part.isprintable() for part in path.split("/")), "a hidden file"
        words = re.sub(r"\\(.)", r"\1", bash_words(name))
        if name.isprintable():
            assert shlex.split(words) == name.split(), "a shell takes a name for something else"

    def _link(self, source: random.Random) -> None:
        """A link of keys with values and letters between them: refused, or its text gives the same text."""
        parts = [
            source.choice(_LINKS) + source.choice((*_LINK_VALUES, *_LETTERS)) for _ in range(source.randrange(1, 5))
        ]
        text = f"mapexplorer:PLATINUM-US+MAPEX-DEMO/T01{source.choice(_LETTERS)}@8,36?{'&'.join(parts)}"
        place = source.randrange(len(text)) if source.random() < 0.2 else len(text)
        link = Link.parse(text[:place] + source.choice(_LETTERS) * (place < len(text)) + text[place:])
        assert str(Link.parse(str(link))) == str(link), "the text of a link gives another one"
        named = link.place(self._world)
        assert named.header.internal_name == "T01" and link.drawn.scene_camera(named.camera)


class MemberTexts:
    """The members of a ROM that have a text."""

    def __init__(self, path: str) -> None:
        self._rom = open_rom(path)
        self._game = identify(self._rom)
        self._writer, self._reader = MemberWriter(self._rom, self._game), MemberReader(self._game)
        self._words = ScriptWords(self._game.tables.script_commands, PLATINUM)
        members = {path: list(self._of_file(path)) for path in self._rom.files}
        self._members = {path: known for path, known in members.items() if known}

    def _of_file(self, path: str) -> Iterator[Member]:
        """A file, or its members, those with a known format."""
        if not self._rom.is_archive(path):
            members = [Member(path)]
        else:
            members = [Member(path, index) for index in range(len(self._rom.archive(path)))]
        return (member for member in members if has_kind(self._game, member, self._stored(member)))

    def _stored(self, member: Member) -> bytes:
        if member.number is None:
            return self._rom.file(member.path)
        return self._rom.archive(member.path).raw(member.number)

    def any(self, source: random.Random) -> tuple[Member, str, Files]:
        """A member with its files: as often of an archive with few members as of one with many."""
        while True:
            member = source.choice(self._members[source.choice(list(self._members))])
            form, files = self._writer.files(member, stem_of(member), self._stored(member))
            if form is StoredForm.TEXT:
                return member, stem_of(member), dict(files)

    def packed(self, member: Member, stem: str, files: Files) -> bytes:
        """The bytes of a member. Raises SourceError."""
        return self._reader.packed(member, stem, {name: partial(bytes, text) for name, text in files.items()})

    def difference(self, member: Member, stem: str, files: Files, data: bytes) -> str | None:
        """Where the text of a member's bytes says something else than the files that they were packed of."""
        if f"{stem}{SCRIPT}" in files:
            text = files[f"{stem}{SCRIPT}"].decode()
            script = read_script(text, stem, self._words)
            again = script_text(script, self._words, list_script(script, self._words.tables, None).lines)
            return None if self._script(again) == self._script(text) else "a line of a script"
        main = f"{stem}{JSON}"
        if self._game.role(member.path) is Role.TRAINER_PARTIES:
            said = json.loads(files[main])["value"]
            form = PartyForm(**{key: said[key] for key in PartyForm._fields})
            value: Any = TrainerParty.from_bytes(data, form=form)
        else:
            value = formats.read(Reader(data, member.name), kind=self._game.kind(member.name))
        written = write_document(stem, value)
        assert self.packed(member, stem, written) == data, "the text of a member gives other bytes"
        return _unlike(_whole(files, main), _whole(written, main), "")

    def _script(self, text: str) -> list[list[object]]:
        """The words of each line but of bytes, as numbers where they are names; a label is the line it leads to."""
        lines = [re.split(r"[\s,]+", line.partition(";")[0].strip()) for line in text.split("\n")]
        labels: dict[str, int] = {}
        words: list[list[str]] = []
        for line in lines:
            if line[0].endswith(":"):
                labels[line[0][:-1]] = len(words)
            elif line[0] not in ("", ".bytes", ".unpadded"):
                words.append(line[:1] if line[0] == "EndMovement" else line)
        known = self._words
        return [
            [
                (known.command.number(line[0]), known.action.number(line[0]), line[0][:1] == "."),
                *(_argument(word, labels) for word in line[1:]),
            ]
            for line in words
        ]


def _argument(word: str, labels: dict[str, int]) -> object:
    """An argument of a command: a number, or the line and offset of a label."""
    name, _, offset = word.partition("+")
    if name in labels:
        return labels[name], int(offset or "0")
    number = re.fullmatch(r"0[xX]([0-9A-Fa-f]+)|0*([0-9]+)", word)
    return word if number is None else int(number[1], 16) if number[1] else int(number[2])


def _whole(files: Files, main: str) -> Any:
    """The data of a document with that of the files which it names."""

    def resolved(plain: dict[str, Any]) -> Any:
        if set(plain) != {REFERENCE}:
            return plain
        name = f"{main.rpartition('/')[0]}/{plain[REFERENCE]}".lstrip("/")
        return _whole(files, name) if name.endswith(JSON) else _pixels(files[name])

    return json.loads(files[main], object_hook=resolved)


class Pixels(NamedTuple):
    """A picture: its colour numbers, None in true colour; (height, width, 4) its colours."""

    numbers: bytes | None
    colors: np.ndarray[Any, Any]

    def like(self, other: Pixels) -> bool:
        """Whether the pictures have the same numbers; without numbers, the same 5 bits of what both show."""
        if self.numbers is not None and other.numbers is not None:
            return self.numbers == other.numbers
        shown = (self.colors[..., 3] > 0) & (other.colors[..., 3] > 0)
        return bool((self.colors[shown, :3] >> 3 == other.colors[shown, :3] >> 3).all())


def _pixels(png: bytes) -> Pixels:
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return Pixels(image.tobytes() if image.mode == "P" else None, np.array(image.convert("RGBA")))


def _kind(sentence: str) -> str:
    """A sentence without what differs from case to case."""
    return re.sub(r"\d+|'[^']*'", "_", sentence.partition(": ")[2])[:60]


def _unlike(told: Any, read: Any, at: str) -> str | None:
    """The names that lead to the first difference between what a text says and what was read back; other notations of
    a value are none."""
    if at.endswith((".colors", ".messages")) and isinstance(told, list) and isinstance(read, list):
        if at.endswith(".colors"):
            colors = text_colors(told)
            told, read = [*colors, *[0] * (len(read) - len(colors))], list(text_colors(read))  # the format adds black
        else:
            told = [decode(encode(text)) for text in told]
        return None if told == read else at
    told, read = _plain(told), _plain(read)
    if isinstance(read, dict) and isinstance(told, dict) and told.keys() == read.keys():
        pairs = [(f"{at}.{key}", told[key], read[key]) for key in read]
    elif isinstance(read, list) and isinstance(told, list) and len(told) == len(read):
        pairs = [(at, *pair) for pair in zip(told, read, strict=True)]
    elif isinstance(told, Pixels) and isinstance(read, Pixels):
        return None if told.like(read) else at
    elif isinstance(told, str) and isinstance(read, list):
        return None if base64.b64decode(told) == bytes.fromhex("".join(read)) else at
    else:
        return None if told == read else at
    return next(filter(None, (_unlike(one, other, where) for where, one, other in pairs)), None)


def _plain(plain: Any) -> Any:
    """The one notation of bytes and arrays."""
    if isinstance(plain, dict) and "dtype" in plain:
        values = plain.get("base64") or list(_numbers(plain["values"]))
        columns = [[*column, []][:3] if isinstance(column, list) else column for column in plain["dtype"]]
        shape = plain.get("shape")
        return str(columns), None if shape and len(shape) == 1 else shape, values
    if isinstance(plain, list) and plain and all(isinstance(line, str) and _HEX.fullmatch(line) for line in plain):
        return bytes.fromhex("".join(plain)).hex()
    return plain


def _numbers(values: Any) -> Iterator[Any]:
    if isinstance(values, list):
        for item in values:
            yield from _numbers(item)
    else:
        yield values


def _edited(source: random.Random, name: str, data: bytes) -> bytes:
    """A file with an edit of its kind; often of its bytes alone."""
    if source.random() < 0.1 or not name.endswith((".json", ".script")):
        place = source.randrange(len(data) + 1)
        piece = source.choice((b"", b"\0", b"\xff", b'"', b"[" * 2000, b"{", b"9" * 40, source.randbytes(4)))
        return data[:place] + piece + data[place + source.choice((0, 1, 8)) :]
    if name.endswith(".json"):
        document = json.loads(data)
        for _ in range(source.choice((1, 1, 2))):
            value = document.get("value")
            _edit(source, value if isinstance(value, dict | list) and source.random() < 0.95 else document)
        return layout(document).encode("utf-8", "surrogatepass")
    lines = data.decode().split("\n")
    at = source.randrange(len(lines))
    lines[at : at + source.choice((0, 1, 2))] = source.choice(([f"    {source.choice(_LINES)}"], [lines[at]] * 2, []))
    return "\n".join(lines).encode()


def _edit(source: random.Random, plain: Any) -> None:
    """Change a part of plain data."""
    while True:
        keys = list(plain) if isinstance(plain, dict) else list(range(len(plain)))
        if not keys:
            return
        key = source.choice(keys)
        if isinstance(plain[key], dict | list) and plain[key] and source.random() < 0.9:
            plain = plain[key]
            continue
        value, way = plain[key], source.random()
        if way < 0.1:
            del plain[key]
        elif way < 0.2 and isinstance(plain, list):
            plain.insert(key, value)
        elif way < 0.8 and isinstance(value, int):
            plain[key] = value + source.choice((-1, 1, 1 << 8, 1 << 16, -value, -2 * value))
        else:
            plain[key] = copy.deepcopy(source.choice(_VALUES))
        return
