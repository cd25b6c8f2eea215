"""Sources that nobody wrote: each is one sentence with its file, after a moment."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time

import pytest

from mapexplorer.decomp import preprocessor
from mapexplorer.decomp.assembler import Assembler
from mapexplorer.decomp.c_tables import program_table
from mapexplorer.decomp.enumerations import Enumerations
from mapexplorer.decomp.files import FolderFiles
from mapexplorer.decomp.json_value import JsonValue
from mapexplorer.decomp.preprocessor import Preprocessor
from mapexplorer.decomp.texts import CharacterMap, messages
from mapexplorer.errors import SourceError
from mapexplorer.rom.source import Stamp

Write = Callable[[Mapping[str, str | bytes]], FolderFiles]
MANY = 20_000
SECONDS = 2.0

SCRIPTS: dict[str, str | bytes] = {
    "noise": bytes(range(256)) * 100,
    "zeros": bytes(MANY),
    "one long line": "a" * 10 * MANY,
    "continued lines": "a\\\n" * MANY,
    "quotes": '.error "' + '\\"' * (MANY // 3),
    "open quotes": "A " + '"\\' * (MANY // 3),
    "comments": "/*" * MANY,
    "labels": "".join(f"l{n}:" for n in range(MANY // 8)) + "l0:",
    "parentheses": ".byte " + "(" * MANY,
    "signs": ".byte " + "-" * MANY + "1",
    "operators": ".byte 1" + "+1" * (MANY // 3),
    "mixed operators": ".byte " + "1||1&&1|1^1&1==1<1<<1+1*(" * 1000,
    "blanks": ".macro A b\n.endm\nA 1" + " " * MANY + "2",
    "arguments": ".macro A b\n.endm\nA " + "," * MANY,
    "parameters": ".macro A "
    + ",".join(f"b{n}" for n in range(MANY // 8))
    + "\n.endm\nA b7=1, 2, "
    + "3" * MANY
    + "\nB",
    "conditions": ".if 1\n" * MANY,
    "conditions of the preprocessor": "#if 1\n" * MANY,
    "definitions": ".macro A\n" * MANY,
    "many lines": ".byte 1\n" * 3 * MANY,
    "a large number": ".long " + "9" * MANY,
    "a far alignment": ".balign 0x80000000",
    "deep macros": "".join(f"#define M{n} M{n + 1} M{n + 1} x\n" for n in range(5000)) + "M0\n",
    "deep names": "".join(f"#define M{n} (M{n + 1} + M{n + 1})\n" for n in range(5000)) + ".byte M0\n",
    "arguments of a macro": "#define F(a) F2(a)\n#define F2(a) F3(a)\nF(" + "(" * MANY,
    "a loop": '#include "a.s"\n',
    "a path out of the tree": '#include "../../../../etc/passwd"\nNoop\n',
    "an absolute path": '#include "/etc/passwd"\nNoop\n',
    "a path with a zero": '#include "a\0b"\nNoop\n',
    "an enumeration": "enum { A = " + "(" * MANY + "};\nNoop\n",
    "an enumeration without an end": "enum {\n" + "A,\n" * MANY + "\nNoop\n",
    "a large enumeration": "enum {\n" + "A,\n" * MANY + "};\nNoop\n",
}
READABLE = {"an enumeration without an end": b"", "signs": b"\1", "operators": bytes([1 + MANY // 3 & 0xFF])}


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(tree: Write, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preprocessor, "MOST_STEPS", 50_000)
    files = tree({"a.s": SCRIPTS[name]})
    start = process_time()
    if name in READABLE:
        assert Assembler(Preprocessor(Enumerations(files))).assemble("a.s").data == READABLE[name]
    else:
        with pytest.raises(SourceError, match=r"^a\.s") as error:
            Assembler(Preprocessor(Enumerations(files))).assemble("a.s")
        assert "\n" not in str(error.value) and len(str(error.value)) < 400
    assert process_time() - start < SECONDS


TEXTS = {
    "braces": "{" * MANY,
    "arguments": "{PAUSE" + " 1" * MANY + " x}",
    "digits": "{PAUSE " + "1" * MANY + "}",
    "letters": "é" * MANY,
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    characters = CharacterMap("charmap.txt", "0121=0\n0201={PAUSE}\n")
    text = json.dumps({"messages": [{"id": "A", "en_US": TEXTS[name]}]})
    start = process_time()
    bank = JsonValue("bank.json", text, json.loads(text))
    with pytest.raises(SourceError, match=r"^bank\.json, line 1: A: ") as error:
        characters.notation(messages(bank)[0])
    assert process_time() - start < SECONDS
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("text", ["\0" * MANY, "0121=" + "a" * MANY, "=" * MANY, "9" * MANY + "=a"])
def test_character_maps(text: str) -> None:
    with pytest.raises(SourceError, match=r"^charmap\.txt, line 1: this is no line HEX=LETTERS"):
        CharacterMap("charmap.txt", text)


STRUCT = "typedef struct MapHeader {\n    u8 a;\n} MapHeader;\n"
TABLES = {
    "braces": STRUCT + "MapHeader a[] = " + "{" * MANY,
    "lists": STRUCT + "MapHeader a[] = {" + "{}," * (MANY // 4),
    "a far row": STRUCT + "MapHeader a[] = { [0x7FFFFFFF] = { 1 } };\n",
    "fields": STRUCT + "MapHeader a[] = { {" + "1," * (MANY // 4) + "} };\n",
    "words": "a" * (MANY // 2) + " " + "b" * (MANY // 2),
    "structs": "typedef struct " * (MANY // 20) + "\nMapHeader a[] = { { 1 } };\n",
    "quotes": STRUCT + "MapHeader a[] = { " + '"' * MANY,
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(tree: Write, name: str) -> None:
    files = tree({"include/data/map_headers.h": TABLES[name]})
    start = process_time()
    with pytest.raises(SourceError, match=r"^include/data/map_headers\.h") as error:
        program_table(Preprocessor(Enumerations(files)), "MAP_HEADERS")
    assert process_time() - start < SECONDS
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


def test_files_are_read_again_while_other_threads_read_those_before(
    tree: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree({"one.txt": "text"})
    before = FolderFiles(tmp_path, "tree")
    assert before.text("one.txt") == "text"
    on_disk = Stamp.on_disk

    def while_more_is_read(path: Path) -> Stamp | None:
        before.stamps[tmp_path / f"{len(before.stamps)}.txt"] = Stamp(0, 0, 0, 0)
        return on_disk(path)

    monkeypatch.setattr(Stamp, "on_disk", while_more_is_read)
    assert not FolderFiles(tmp_path, "tree", before).stamps.keys() - before.stamps.keys()


def test_large_files_and_links_out_of_the_tree(tree: Write, tmp_path: Path) -> None:
    files = tree({"include/a.h": "", "b.s": '#include "outside.h"\n', "c.s": '#include "large.h"\n'})
    with (tmp_path / "large.s").open("wb") as large:
        large.truncate(2 << 30)
    os.link(tmp_path / "large.s", tmp_path / "include" / "large.h")
    (tmp_path / "link.s").symlink_to("/etc/passwd")
    (tmp_path / "include" / "outside.h").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe.s")
    assembler = Assembler(Preprocessor(Enumerations(files)))
    reasons = {
        "large.s": "large.s: this is too large: 2,147,483,648 bytes",
        "c.s": "include/large.h: this is too large: 2,147,483,648 bytes",
        "link.s": "link.s: ",
        "b.s": "include/outside.h: ",
        "pipe.s": "pipe.s: ",
        "absent.s": "absent.s: there is no such file",
    }
    for path, why in reasons.items():
        with pytest.raises(SourceError) as error:
            assembler.assemble(path)
        assert str(error.value).startswith(why), path
        assert "root:" not in str(error.value)
