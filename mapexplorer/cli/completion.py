"""What a shell offers for the arguments of verbs; click makes the scripts for bash, zsh, fish (docs/completion.md)."""

from __future__ import annotations

import os
import re
from typing import Final

import click
from click.shell_completion import CompletionItem

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.system.terminal import printable

_SPECIAL: Final = re.compile(r"[^\w .,:/@%+=-]")
"""What a shell may not take as it is."""


def complete_file(ctx: click.Context, param: click.Parameter | None, incomplete: str) -> list[CompletionItem]:
    """The files whose names begin so, which the shell finds."""
    return [CompletionItem(incomplete, type="file")]


def complete_rom(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The word `demo` from two letters on, else files."""
    is_demo = len(incomplete) > 1 and "demo".startswith(incomplete)
    return [CompletionItem("demo")] if is_demo else complete_file(ctx, param, incomplete)


def complete_map(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of maps in the ROM that was named before; behind words of a name, the rest of it."""
    given = ctx.params.get(param.name or "") or ""
    before = given.split() if isinstance(given, str) else list(given)
    is_bash = os.environ.get("_MAPEXPLORER_COMPLETE") == "bash_complete"  # the other shells quote names themselves
    kinds = _names(ctx.params.get("rom") or "")
    for start in range(len(before) + 1):  # the words before may be those of another map
        words = before[start:]
        names = _beginning_with(" ".join([*words, incomplete]), kinds)
        if names:
            texts = (" ".join(name.split()[len(words) :]) for name in sorted(names))
            return [CompletionItem(bash_words(text) if is_bash else text) for text in texts]
    return []


def bash_words(name: str) -> str:
    """A name as bash takes it for words; its script by click reads one of two backslashes."""
    return _SPECIAL.sub(r"\\\g<0>", name).replace("\\", "\\\\")


def _beginning_with(typed: str, kinds: list[set[str]]) -> set[str]:
    """The names that begin with a text, else those of the first kind that do but for case: a shell replaces the text by
    what all of them begin with, which would be shorter where kinds differ in case."""
    exact = {name for names in kinds for name in names if name.startswith(typed)}
    others = ({name for name in names if name.casefold().startswith(typed.casefold())} for names in kinds)
    return exact or next(filter(None, others), set())


def _names(rom: str) -> list[set[str]]:
    """The location names, symbolic names and internal names without control characters; none of a ROM that cannot be
    read."""
    from mapexplorer.world.world import FieldWorld

    try:
        headers = FieldWorld.open(rom).headers
    except (FormatError, RomError, OSError):
        return []
    kinds = zip(
        *((header.location_name, header.symbolic_name, header.internal_name) for header in headers), strict=True
    )
    return [{name for name in names if name and name == printable(name)} for names in kinds]
