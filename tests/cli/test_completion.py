"""What a shell offers after the words of a command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from mapexplorer.cli import VERBS, program
from mapexplorer.rom.image import ImageRom
from mapexplorer.world.opening import open_rom

VARIABLE = "_MAPEXPLORER_COMPLETE"


def offered(line: str) -> list[str]:
    """What is offered for the last word of a line; `FILE` where the shell looks for files."""
    *words, incomplete = line.split(" ")
    items = ShellComplete(program, {}, "mapexplorer", VARIABLE).get_completions(words, incomplete)
    return ["FILE" if item.type == "file" else item.value for item in items]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", list(VERBS)),
        ("wh", ["where-used"]),
        ("plat", ["FILE"]),
        ("show ", ["FILE"]),
        ("show de", ["demo"]),
        ("render demo T01 --engine ", ["ds", "gl"]),
        ("render demo T01 -o ", ["FILE"]),
        ("convert ", ["FILE"]),
        ("show no.nds T", []),
    ],
)
def test_words_and_files(line: str, words: list[str]) -> None:
    assert sorted(offered(line)) == sorted(words)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("show demo Mi", ["Mirror Lake"]),
        ("show demo mi", ["Mirror Lake"]),
        ("show demo Mirror L", ["Lake"]),
        ("show demo T0", ["T01"]),
        ("show demo zz", []),
        ("tile demo mirror ", ["Lake"]),
        ("render demo mirror l", ["Lake"]),
        ("export demo T01 mirror ", ["Lake"]),
    ],
)
def test_names_of_maps(line: str, names: list[str]) -> None:
    assert [name for name in offered(line) if name in names or not names] == names
    assert all(name.casefold().startswith(line.rpartition(" ")[2].casefold()) for name in offered(line))


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_gets_its_script(shell: str) -> None:
    command = [sys.executable, "-m", "mapexplorer"]
    ran = subprocess.run(command, env=os.environ | {VARIABLE: f"{shell}_source"}, capture_output=True, text=True)
    assert f"{VARIABLE}={shell}_complete" in ran.stdout


def run_in(shell: str, script: str, folder: Path) -> str:
    """What a shell prints that finds `mapexplorer` on its path."""
    program_file = folder / "mapexplorer"
    program_file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mapexplorer "$@"\n')
    program_file.chmod(0o755)
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    ran = subprocess.run([shell, "-c", script], env=environment, capture_output=True, text=True)
    assert not ran.stderr
    return ran.stdout


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_a_name_of_two_words(tmp_path: Path) -> None:
    script = f"{VARIABLE}=fish_source mapexplorer | source; complete -C 'mapexplorer show demo mirr'"
    assert run_in("fish", script, tmp_path) == "Mirror Lake\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no bash")
def test_bash_completes_a_name_of_two_words(tmp_path: Path) -> None:
    script = f"""
    eval "$({VARIABLE}=bash_source mapexplorer)"
    COMP_WORDS=(mapexplorer show demo mirr) COMP_CWORD=3
    _mapexplorer_completion mapexplorer
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    assert run_in("bash", script, tmp_path) == "Mirror Lake\n"


def with_name(name: bytes, path: Path) -> Path:
    """The demo world with another internal name of its map T01."""
    demo = open_rom("demo")
    assert isinstance(demo, ImageRom)
    image = demo.stored()
    names = demo.file("fielddata/maptable/mapname.bin")
    at = names.index(b"T01\0")
    path.write_bytes(image.replace(names, names[:at] + name.ljust(16, b"\0") + names[at + 16 :]))
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="there is no bash")
@pytest.mark.parametrize("name", ["$(id>p)", "`id`", "a;id&b|c", "a\\$(id>p)", "a\\\\b", "'\"x", "*", "a b(c)"])
def test_bash_takes_a_name_as_words(tmp_path: Path, name: str) -> None:
    """The line with what was inserted is evaluated as when Enter is typed."""
    rom = with_name(name.encode(), tmp_path / "hack.nds")
    typed = name[0] if name[0] == "a" else ""
    script = f"""
    cd {tmp_path}
    eval "$({VARIABLE}=bash_source mapexplorer)"
    COMP_WORDS=(mapexplorer show {rom} '{typed}') COMP_CWORD=3
    _mapexplorer_completion mapexplorer
    for reply in "${{COMPREPLY[@]}}"; do eval "set -- $reply"; printf '%s\\n' "$*"; done
    """
    assert name in run_in("bash", script, tmp_path).split("\n")
    assert not (tmp_path / "p").exists()


def test_names_with_control_characters_are_not_offered(tmp_path: Path) -> None:
    rom = with_name(b"T01\x1b[2J\x07", tmp_path / "hack.nds")
    assert "H01" in offered(f"show {rom} ") and all(word.isprintable() for word in offered(f"show {rom} "))
