"""What a text asks for is bounded by its format, and no value ends in a traceback."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from formats.field.init_script import InitScriptFile
from formats.json_codec import PlainError, from_json, layout
from mapexplorer.cli import main
from mapexplorer.errors import RomError, SourceError
from mapexplorer.rom.source import read_file
from tests.source_tree.conftest import Tree, packed

INITIAL = "data/fielddata/script/scr_seq.narc/0405.json"
MATRIX = "data/fielddata/mapmatrix/map_matrix.narc/0000.json"
SCRIPT = "data/fielddata/script/scr_seq.narc/0006.script"
EVENTS = "data/fielddata/eventdata/zone_event.narc/0003.json"
TEXTS = "data/msgdata/pl_msg.narc/0001.json"


@pytest.fixture
def refused(tree: Tree, tmp_path: Path) -> Callable[[str, Any], str]:
    """Writes a file and packs; the sentence that refuses it, soon."""

    def run(name: str, text: Any) -> str:
        tree.write(name, text if isinstance(text, str) else layout(text))
        begin = time.monotonic()
        with pytest.raises(SourceError) as error:
            packed(tree.folder, tmp_path / "packed.nds")
        assert time.monotonic() - begin < 20
        assert str(error.value).startswith(f"{name}, line ") or str(error.value).startswith(f"{name}: ")
        return str(error.value)

    return run


def test_zeros_at_the_end(tree: Tree, refused: Callable[[str, Any], str]) -> None:
    name = next(
        path.relative_to(tree.folder).as_posix()
        for path in sorted((tree.folder / INITIAL).parent.glob("*.json"))
        if "InitScriptFile" in path.read_text()
    )
    for zeros in (900_000_000, 2**63, -1):
        document = json.loads(tree.text(name))
        document["value"]["zeros"] = zeros
        assert "fewer than 8 zero bytes" in refused(name, document)
        tree.undo()
    with pytest.raises(ValueError, match="zero bytes"):
        InitScriptFile((), 8).to_bytes()


@pytest.mark.parametrize(
    "dtype",
    [
        *("U300000000", "|U1", "O", "V8", "<u2,<u2", "(9,)<u2", "M8[s]", "<c8", "", 5, None, {"a": 1}),
        *([], [[]], [{}], [{"a": 1}], [["x"]], [["x", "<u2", [-1]]], [["x", "<u2", [1 << 40]]], [["x", "<u2", 3]]),
        *([["x", [["y", "<u2"]]]], [["x", "<u8", [64]]], [["x", "<u2"], ["x", "<u2"]]),
    ],
)
def test_types_of_arrays(dtype: Any) -> None:
    array = {"dtype": dtype, "values": [[1], [2]]}
    document = {"type": "formats.field.script_disassembly.Nothing", "value": {}}
    with pytest.raises(PlainError):
        from_json(json.dumps(document))
    land = {"type": "formats.field.trainer.TrainerMessages", "value": {"rows": array}}
    with pytest.raises(PlainError, match="rows"):
        from_json(json.dumps(land))


@pytest.mark.parametrize("visible", [[2, 0], [True, 2], [True, None], ["x", True], [1, 0]])
def test_numbers_are_not_true_or_false(visible: Any) -> None:
    columns = [["frame", "<u2"], ["visible", "|b1"]]
    for array in (
        {"dtype": "|b1", "values": visible},
        {"dtype": columns, "values": [[4, value] for value in visible]},
    ):
        document = {"type": "formats.field.trainer.TrainerMessages", "value": {"rows": array}}
        with pytest.raises(PlainError, match=r"rows.*expected true or false"):
            from_json(json.dumps(document))


@pytest.mark.parametrize("shape", [[-5], [-1], "x", 4, [2.0], [True, 4], None, [1 << 70]])
def test_shapes_of_arrays(tree: Tree, refused: Callable[[str, Any], str], shape: Any) -> None:
    document = json.loads(tree.text(MATRIX))
    document["value"]["land"]["shape"] = shape
    refused(MATRIX, document)


@pytest.mark.parametrize("rows", [[{"a": 1}], [[1]], [5], ["abc"], [None], [[[1], 2, 3, 4, 5]], {"a": 1}, "abc"])
def test_rows_of_arrays(tree: Tree, refused: Callable[[str, Any], str], rows: Any) -> None:
    document = json.loads(tree.text(EVENTS))
    document["value"]["warps"]["values"] = rows
    refused(EVENTS, document)


def test_nesting(tree: Tree, refused: Callable[[str, Any], str]) -> None:
    text = tree.text(MATRIX)
    refused(MATRIX, text.replace('"<u2"', "[" * 480 + "]" * 480, 1))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Message 03000", "03000 is larger than 255"),
        ("Message\t256", "256 is larger than 255"),
        ("Message \u0663", "a number is needed"),
        ("GoTo script_1+999999", "script_1+999999 is behind the end of the file"),
        ("Mess" + "a" * 100_000, "is no command"),
    ],
)
def test_a_line_of_a_script(tree: Tree, refused: Callable[[str, Any], str], line: str, why: str) -> None:
    text = tree.text(SCRIPT)
    number = text.count("\n", 0, text.index("    LockAll\n")) + 1
    sentence = refused(SCRIPT, text.replace("    LockAll\n", f"    {line}\n", 1))
    assert sentence.startswith(f"{SCRIPT}, line {number}: ") and why in sentence


def test_a_number_with_leading_zeros(tree: Tree, tmp_path: Path) -> None:
    tree.write(SCRIPT, tree.text(SCRIPT).replace("    LockAll\n", "    Message 03\n    Message\t3\n", 1))
    packed(tree.folder, tmp_path / "demo.nds")


def test_many_labels_and_bytes(tree: Tree, refused: Callable[[str, Any], str]) -> None:
    begin = "    .entry a\n    .end_of_entries\na:\n"
    lines = "".join(f"l{number}:\n    .bytes 00 01\n" for number in range(60_000))
    refused(SCRIPT, f"{begin}{lines}    Nothing\n")
    refused(SCRIPT, begin + "    .bytes 00 01\n" * 200_000 + "    Nothing\n")


def test_many_commands_in_a_text(tree: Tree, refused: Callable[[str, Any], str]) -> None:
    document = json.loads(tree.text(TEXTS))
    document["value"]["messages"][0] = "{command 0100 1}" * 200_000
    document["value"]["messages"][1] = "\U0001f600"
    refused(TEXTS, document)


def test_an_image_larger_than_a_cartridge(tree: Tree, tmp_path: Path) -> None:
    for name in ("data/a.bin", "data/b.bin"):
        tree.write(name, b"")
        os.truncate(tree.folder / name, 300 << 20)
    document = json.loads(tree.text("image.json"))
    files = max(row.get("file", 0) for row in document["parts"])
    document["parts"] += [{"name": "/a.bin", "file": files + 1}, {"name": "/b.bin", "file": files + 2}]
    tree.write("image.json", layout(document))
    with pytest.raises(SourceError, match="the largest cartridge has"):
        packed(tree.folder, tmp_path / "packed.nds")
    document["parts"][-2:] = [{"name": f"/{number}.narc", "members": 65535} for number in range(9)]
    tree.write("image.json", layout(document))
    with pytest.raises(SourceError, match="members need as many files"):
        packed(tree.folder, tmp_path / "packed.nds")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("verb", ["dump", "dump --binary -o out", "convert -o out.glb", "info"])
def test_devices_and_pipes(tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.truncate(os.open(tmp_path / "large.nsbmd", os.O_CREAT | os.O_RDWR), 600 << 20)
    words = [str(tmp_path / "out") if word == "out" else word for word in verb.split()]
    for name, why in (
        ("/dev/zero", "is a device or a pipe"),
        (tmp_path / "pipe", "is a device or a pipe"),
        (tmp_path / "large.nsbmd", "is too large: 629,145,600 bytes"),
    ):
        with pytest.raises(SystemExit) as end:
            main([words[0], str(name), *words[1:]])
        err = capsys.readouterr().err
        assert end.value.code == 1 and err.count("\n") == 1 and why in err, err


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_file(tmp_path, "this")
    (tmp_path / "file").write_bytes(b"12345")
    with pytest.raises(RomError, match="is too large: 5 bytes, at most 4 are read"):
        read_file(tmp_path / "file", "this", 4)
