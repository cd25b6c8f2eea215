"""Programs that open a text at a line: what the user has set, and the arguments of those that are known."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Final

FIRST: Final = ""
"""The first of the others that there is."""
SYSTEM: Final = "system"
"""What the system opens such files with, which gets no line."""
_CODE: Final = "code"
EDITORS: Final = (
    ("The first of these that there is", FIRST),
    ("$VISUAL", "VISUAL"),
    ("$EDITOR", "EDITOR"),
    ("VS Code", _CODE),
    ("The system's program", SYSTEM),
)
"""Titles and values of the setting."""

_COLON: Final = ("{file}:{line}",)
_PLUS: Final = ("+{line}", "{file}")
_ARGUMENTS: Final = {
    **dict.fromkeys(("code", "codium", "code-insiders"), ("-g", *_COLON)),
    **dict.fromkeys(("subl", "zed", "hx", "helix"), _COLON),
    **dict.fromkeys(("vi", "vim", "nvim", "gvim", "nano", "emacs", "emacsclient", "gedit", "micro", "kak"), _PLUS),
    "kate": ("--line", "{line}", "{file}"),
    "notepad++": ("-n{line}", "{file}"),
}
"""Name of a program -> its arguments."""


def editor_command(editor: str, file: Path, line: int, environment: Mapping[str, str]) -> list[str]:
    """The program and its arguments that open a file at a line; empty for the system's program, and where there is none
    of the chosen kind."""
    chosen = [value for _, value in EDITORS[1:]] if editor == FIRST else [editor]
    for name in chosen:
        words = [name] if name == _CODE else shlex.split(environment.get(name, ""))
        if words and shutil.which(words[0]):
            form = _ARGUMENTS.get(PurePath(words[0]).stem.lower(), ("{file}",))
            return [*words, *(part.format(file=file, line=line) for part in form)]
    return []
