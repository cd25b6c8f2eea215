"""Names in a ROM do not control the terminal: everything that is printed goes through `system.terminal`."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mapexplorer import World
from mapexplorer.system.terminal import echo, echo_data, printable

ROOT = Path(__file__).resolve().parents[2] / "mapexplorer"
HOSTILE = "\x1b]0;a\x07\n\r\x9b31m\x7f"
"""A name of a map: a new title of the terminal, a bell, new lines, a colour, a deletion."""

REDRAWN = {
    "cli/output.py": "the line of compilation, which is redrawn",
    "export/files.py": "the bytes of a file, for -o -",
    "cli/__init__.py": "the flush and the encoding of the streams",
    "system/terminal.py": "the functions themselves",
    "system/interrupt.py": "the sentence of an interrupt",
    "gui/app/probe.py": "JSON in ASCII for the process that started it",
}


def writers(source: str) -> Iterator[int]:
    """The lines that print or use the standard streams."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="print" | "pprint")):
                yield node.lineno
            case ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr"):
                yield node.lineno
            case ast.Attribute(attr="echo" | "secho" | "echo_via_pager"):
                yield node.lineno


def test_nothing_else_prints() -> None:
    assert list(writers("import sys\nprint(1)\nsys.stdout.write('')\nclick.echo(1)")) == [2, 4, 3]
    found = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if list(writers(path.read_text("utf-8")))}
    assert found == set(REDRAWN)


def test_control_characters_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    for plain in ("Pokémon Platinum", "ポケモン\u3000ポッチャマ", "a\u00a0b", "𝄞", ""):
        assert printable(plain) == plain
    assert printable("\x1b[2J\a\n\t\x9b\u202e\u2028\ud800\U000e0041") == (
        r"\u001b[2J\u0007\n\t\u009b\u202e\u2028\ud800\udb40\udc41"
    )
    echo("one\ntwo", "", "three\x1b")
    echo("error\r", err=True)
    echo_data(json.dumps({"name": HOSTILE}, ensure_ascii=False) + "\n")
    out, err = capsys.readouterr()
    assert out.split("\n")[:3] == [r"one\ntwo", "", r"three\u001b"] and err == "error\\r\n"
    assert json.loads(out.split("\n")[3]) == {"name": HOSTILE}


def test_a_line_is_printed_as_a_line_of_its_own() -> None:
    """`echo` and `summary` escape a line feed: no text that is written in the code, and given to them, has one."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("echo", "summary"):
                inside = [inner for argument in node.args for inner in ast.walk(argument)]
                texts = [one.value for one in inside if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                breaks = [text for text in texts if "\n" in text and text != "\n"]
                characters = [one for one in inside if isinstance(one, ast.Name) and one.id == "chr"]
                assert not breaks and not characters, f"{path.name}:{node.lineno}"


def test_texts_of_the_game_are_lines(cli: Callable[..., Any], rom_path: Path) -> None:
    """The breaks of texts (line, paragraph, page) are spaces where a text is a fact; in JSON they stay."""
    shown = cli("show", rom_path, "messages:554").out
    assert "  9: Oh! A Pokémon! You look good together!\n" in shown and not re.search(r"\\[nrfu]", shown)
    sections = json.loads(cli("show", rom_path, "messages:554", "--json").out)["sections"]
    (text,) = [fact["value"] for fact in sections[0]["facts"] if fact["name"] == "9"]
    assert text == "Oh! A Pokémon!\nYou look good together!"
    assert not re.search(r"\\[nrfu]", cli("show", rom_path, "trainer:246").out)


def assert_harmless(text: str) -> None:
    bad = {letter for letter in text if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf", "Cs")}
    assert not bad, (bad, text)


@pytest.fixture
def hostile(demo_image: bytes, tmp_path: Path) -> Path:
    """The demo world whose title, a map and a texture have control characters in their names."""
    world = World("demo").underlying
    texture = world.terrain_textures(0).textures.textures[0].name.encode().ljust(16, b"\0")
    image = bytearray(demo_image.replace(texture, b"tex\x1b[2J\x07\n".ljust(16, b"\0")))
    assert bytes(image) != demo_image
    image[:12] = b"\x1b[31mDEMO\x07\n\r"
    names = image.index(world.rom.file("fielddata/maptable/mapname.bin"))
    image[names + 32 : names + 48] = HOSTILE.encode("latin-1").ljust(16, b"\0")
    path = tmp_path / "hostile.nds"
    path.write_bytes(image)
    return path


def test_names_of_a_rom_do_not_reach_the_terminal(cli: Callable[..., Any], hostile: Path, tmp_path: Path) -> None:
    found = 0
    for words in (
        ("info",),
        ("maps",),
        ("show", "2"),
        ("show", "texture:1/0/0"),
        ("find", "demo"),
        ("events", "2"),
        ("script", "2"),
        ("tile", "2", "10,10"),
        ("height", "2", "10.5", "10.5"),
        ("encounters", "2"),
        ("dump",),
        ("where-used", "prop:5"),
        ("table", "maps"),
        ("show", "nothing of this name"),
        ("verify", "-j", "1"),
        ("export", "2", "3", "-o", tmp_path / "out"),
        ("extract", "texture:1/0/0", "-o", tmp_path / "out.png"),
    ):
        ran = cli(words[0], hostile, *words[1:])
        assert_harmless(ran.out + ran.err)
        found += r"\u001b" in ran.out + ran.err
    assert found >= 6
    lines = cli("maps", hostile).out.splitlines()
    assert len(lines) == len(World("demo").headers) + 2
    assert all(line[:4].strip().isdecimal() for line in lines[1:-1])


def test_json_and_csv_stay_valid(cli: Callable[..., Any], hostile: Path) -> None:
    ran = cli("maps", hostile, "--json")
    assert_harmless(ran.out)
    names = [entry["internal_name"] for entry in json.loads(ran.out)["maps"]]
    assert any("\x1b" in name and "\x07" in name for name in names)
    assert json.loads(cli("info", hostile, "--json").out)["title"].startswith("\x1b[31m")
    ran = cli("table", hostile, "maps", "--csv")
    assert_harmless(ran.out)
    rows = list(csv.reader(io.StringIO(ran.out)))
    assert len({len(row) for row in rows}) == 1 and len(rows) == len(World("demo").headers) + 1
