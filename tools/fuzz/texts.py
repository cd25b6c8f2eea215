"""What people write and send: texts and pictures of unpacked folders, folders, queries, names."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import os
import random
import re
import shlex
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import formats
from formats.binary import Reader
from formats.json_codec import layout
from mapexplorer.catalogue.query import answer
from mapexplorer.catalogue.store import open_store
from mapexplorer.cli.completion import bash_words
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.option import OptionError
from mapexplorer.source_tree.documents import write_document
from mapexplorer.source_tree.folder import game_of, is_safe, members_of, read_image, spelled
from mapexplorer.source_tree.members import Member, MemberReader
from mapexplorer.source_tree.pack import pack
from mapexplorer.source_tree.unpack import unpack
from mapexplorer.system import kept_data
from mapexplorer.system.progress import Progress
from mapexplorer.system.terminal import printable
from mapexplorer.world.opening import open_rom

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
_ROWS = 200


class Texts:
    """Makes cases of an unpacked demo world in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._root = folder / "texts"
        shutil.rmtree(self._root, ignore_errors=True)
        self._root.mkdir(parents=True)
        kept_data.folder = lambda: self._root / "kept"
        self._folder = self._root / "demo"
        unpack(open_rom("demo"), self._folder, replace=False, jobs=1, progress=Progress())
        document = read_image(self._folder)
        self._game = game_of(document)
        self._reader = MemberReader(self._game)
        self._members: list[tuple[Member, str]] = [pair for _, pairs in members_of(document.parts) for pair in pairs]
        self._victim = self._root / "outside"
        self._victim.write_text("precious")
        self._store = open_store(open_rom("demo"))
        self.size = 1 << 20

    def warm_up(self) -> None:
        """One case of every kind."""
        for way in (self._text, self._folder_case, self._query, self._name):
            for number in range(20):
                with contextlib.suppress(RomError, OptionError):
                    way(random.Random(number))

    def use(self, source: random.Random) -> None:
        """Run a case. Raises what is a finding: no sentence, another value, a file outside that was changed."""
        ways: tuple[Callable[[random.Random], None], ...] = (self._text, self._folder_case, self._query, self._name)
        (way,) = source.choices(ways, (70, 5, 10, 15))
        with contextlib.suppress(RomError, OptionError):
            way(source)
        assert self._victim.read_text() == "precious", "a file outside was written"

    def _text(self, source: random.Random) -> None:
        """A member's files with an edit: refused, or a member whose own text gives the same bytes."""
        member, stem = source.choice(self._members)
        files = {
            path.relative_to(self._folder).as_posix(): path.read_bytes()
            for place in (f"{stem}.*", f"{stem}/*")
            for path in self._folder.glob(place)
            if path.is_file()
        }
        if not files:
            return
        name = source.choice(sorted(files))
        files[name] = _edited(source, name, files[name])
        data = self._reader.packed(member, stem, {file: partial(bytes, text) for file, text in files.items()})
        if f"{stem}.json" in files and self._game.role(member.path) is not Role.TRAINER_PARTIES:
            value = formats.read(Reader(data, member.name), kind=self._game.kind(member.name))
            again = {file: partial(bytes, text) for file, text in write_document(stem, value).items()}
            assert self._reader.packed(member, stem, again) == data, "the text of a member gives other bytes"

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
