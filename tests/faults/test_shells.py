"""What interactive shells make of names: a Tab inserts them as text, so that nothing in a ROM's name is a command."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.cli.test_completion import VARIABLE, with_name

pytestmark = pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")

SHELLS = {
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -Uz compinit; compinit -u -D",
        f'eval "$({VARIABLE}=zsh_source mapexplorer)"',
        'w() { print -rn -- "$BUFFER" > line }; zle -N w; bindkey "^X" w',
    ),
    "fish": (
        ["fish", "-i"],
        f"{VARIABLE}=fish_source mapexplorer | source",
        "function w; commandline > line; end; bind \\cx w",
    ),
}
"""The command of a shell, and its set-up; Ctrl+X writes what is typed into the file `line`."""


def typed(shell: str, text: str, folder: Path) -> str:
    """What stands on the line of a shell after a text and Tab."""
    import pty

    program = folder / "mapexplorer"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mapexplorer "$@"\n')
    program.chmod(0o755)
    (command, *setup), line = SHELLS[shell], folder / "line"
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        home = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))
        own = {"PATH": f"{folder}:{os.environ['PATH']}", "TERM": "xterm", **home}
        os.execvpe(command[0], command, os.environ | own)
    try:
        wait(terminal, 2)
        for words in [*setup, f"{text}\t"]:
            os.write(terminal, words.encode() + (b"" if words.endswith("\t") else b"\n"))
            wait(terminal, 2)
        for _ in range(30):  # until the names are there
            os.write(terminal, b"\x18")
            wait(terminal, 1)
            if line.exists() and len(line.read_text().strip()) > len(text) - 1:
                break
        return line.read_text().strip()
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def wait(terminal: int, seconds: float) -> None:
    """Read what a shell prints, so that it goes on."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            os.read(terminal, 1 << 16)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("name", "start", "quoted"),
    [
        ("$(id>p)", "\\$", "\\$\\(id\\>p\\)"),
        ("a;id&b|c", "a", "a\\;id\\&b\\|c"),
        ("a\\$(id>p)", "a", "a\\\\\\$\\(id\\>p\\)"),
        ("'\"`x`", "\\'", "\\'\\\"\\`x\\`"),
    ],
)
def test_a_name_is_inserted_as_text(tmp_path: Path, shell: str, name: str, start: str, quoted: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    with_name(name.encode(), tmp_path / "hack.nds")
    line = typed(shell, f"mapexplorer show hack.nds {start}", tmp_path)
    expected = quoted.replace("\\`", "`") if shell == "fish" else quoted  # ` has no meaning in fish
    assert line == f"mapexplorer show hack.nds {expected}"
    assert not (tmp_path / "p").exists()
