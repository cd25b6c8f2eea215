"""The verbs of the command line as a page: `python -m tools.cli_reference` writes docs/cli.md.

The page is made from the table of verbs and from the declarations of their arguments and options, which also make
`--help`. `tests/lint/test_docs.py` compares the page with them.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Final

import click

from mapexplorer.cli import VERBS, program

PAGE: Final = Path(__file__).parents[1] / "docs" / "cli.md"

_HEAD: Final = """# Command line

<!-- Made by python -m tools.cli_reference from the declarations of the verbs; do not edit it. -->

`mapexplorer VERB ...` runs a verb, `mapexplorer [ROM]` opens the window. ROM is an `.nds` image, an unpacked folder, or
the word `demo` for the built-in demo world. Every verb has `--help`. Exit status: 0 done, 1 failed, 2 misused, 130
interrupted. [JSON of the command line](json.md) says what `--json` prints, [Shell completion](completion.md) how a
shell completes verbs, options and names.
"""


def page() -> str:
    """The page."""
    overview = "".join(f"| [`{verb}`](#{verb}) | {line} |\n" for verb, (_, line) in VERBS.items())
    return "\n".join([f"{_HEAD}\n| verb | what it does |\n| --- | --- |\n{overview}", *map(_section, VERBS)])


def _section(verb: str) -> str:
    with click.Context(program, info_name="mapexplorer") as above:
        command = program.get_command(above, verb)
        assert command is not None
        context = click.Context(command, info_name=verb, parent=above)
        usage = f"mapexplorer {verb} {' '.join(command.collect_usage_pieces(context))}"
        taken = [one for one in command.params if isinstance(one, click.Option)]
        records = [found for one in taken if (found := one.get_help_record(context))]
    words = inspect.cleandoc(command.help or "").replace("\b\n", "")
    options = "".join(f"* `{names}`: {_one_line(help)}\n" for names, help in records)
    parts = [f"## {verb}", f"    {usage}", words, options, _examples(command.epilog or "")]
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n"


def _one_line(help: str) -> str:
    """The help of an option, with the brackets of its default escaped."""
    return " ".join(help.split()).replace("[", r"\[")


def _examples(epilog: str) -> str:
    """The examples at the end of a help as Markdown."""
    title, _, commands = epilog.replace("\b\n", "").partition("\n")
    return f"{title}\n\n" + "\n".join(f"    {line.strip()}" for line in commands.splitlines())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.stdout.write(f"{PAGE}\n")
