"""The command line: `mapexplorer VERB ...`, or `mapexplorer [ROM]` for the window.

The verbs of a group are in one module, which is imported when one of them is called, so that `--help` and simple verbs
start fast. Exit status: 0 done, 1 failed (with one sentence about the cause), 2 misused, 130 interrupted.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from formats.binary import FormatError
from mapexplorer._version import __version__
from mapexplorer.cli.completion import complete_file
from mapexplorer.cli.output import problem, show_compilation
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.system import interrupt
from mapexplorer.system.terminal import echo

VERBS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "Open the demo world, or render and export it; needs no ROM."),
    "info": ("rom", "Release, counts, and what is missing in a ROM."),
    "maps": ("rom", "List or search places."),
    "show": ("show", "One place: header, matrix, area, light, props, with sources."),
    "where-used": ("uses", "What uses a prop, an area, a texture set ..., and where."),
    "find": ("find", "Everything with a name, and where it is used."),
    "events": ("events", "The people, signs, warps and triggers of a map."),
    "tile": ("tile", "One tile: what runs there, its ground, its encounters."),
    "export": ("export", "Maps as GLB, one or all."),
    "convert": ("convert", "Loose models and animations as GLB or PNG."),
    "render": ("render", "A picture of a place, as the DS draws it."),
    "poster": ("render", "A whole matrix from above, stitched."),
    "atlas": ("atlas", "The whole game as a web site."),
    "height": ("terrain", "The ground height at a point, with its height plates."),
    "walk": ("walk", "Movement by the game's rules without a window; reachability."),
    "save": ("save", "A saved game: who, where, what is left, what happened."),
    "encounters": ("encounters", "The wild Pokémon of a map, or the maps of a species."),
    "script": ("script", "The scripts of a map: what runs them, what they do."),
    "table": ("table", "Maps, trainers, items, shops, flags ... as rows, also CSV."),
    "diff": ("diff", "What is different between two ROMs, in the game's terms."),
    "unpack": ("source_tree", "A ROM as a folder of text files and pictures."),
    "pack": ("source_tree", "Such a folder as a ROM again, byte for byte."),
    "extract": ("extract", "One thing as a file: as it is stored, JSON, PNG, GLB."),
    "database": ("database", "Everything that is known about a ROM, as SQLite."),
    "dump": ("data", "Any supported file as JSON."),
    "verify": ("data", "Read everything in a ROM and write it back."),
    "doctor": ("doctor", "What does not work on this machine, and why."),
}
"""Verb -> the module of this package that has it, and its line in `--help`."""


_CLOSED_PIPE = 128 + getattr(signal, "SIGPIPE", -127)
"""The exit status when the reader of the output (`head`, a pager) has closed the pipe: as of a program that the signal
ends; 1 on Windows, which has none."""


class Verbs(click.Group):
    """The verbs, imported on demand. A first argument that is no verb is a ROM for the window."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "window":
            return window
        if cmd_name not in VERBS:
            return None
        from importlib import import_module

        module = import_module(f"mapexplorer.cli.{VERBS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        first = args[0]
        if first not in VERBS and not first.startswith("-"):
            if not _names_a_rom(first):
                raise click.UsageError(_unknown(first), ctx)
            return "window", window, args
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return super().shell_complete(ctx, incomplete) or complete_file(ctx, None, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click would print an additional empty line
            interrupt.say()
            raise click.exceptions.Exit(interrupt.status()) from None
        except BrokenPipeError:  # click would exit with 1
            raise click.exceptions.Exit(_CLOSED_PIPE) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, line) for name, (_, line) in VERBS.items()])


def _names_a_rom(argument: str) -> bool:
    """Whether this argument is the path of a ROM, which may be missing, not a verb."""
    return argument == "" or "." in argument or os.sep in argument or "/" in argument or os.path.exists(argument)


def _unknown(argument: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(argument.lower(), VERBS, 1, 0.6)
    return f"{argument!r} is neither a verb nor a file" + (f"; did you mean {near[0]!r}?" if near else ".")


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    subcommand_metavar="[ROM | VERB ...]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`mapexplorer VERB --help` explains a verb. Exit status: 0 done, 1 failed, 2 misused, 130 interrupted.",
)
@click.version_option(__version__, prog_name="mapexplorer")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Look inside Pokémon Platinum: find, see, walk, inspect and export every map.

    ROM is an .nds image, an unpacked folder, or the word `demo` for the built-in demo world. Without a verb,
    `mapexplorer [ROM]` opens the window; `mapexplorer LINK [ROM]` opens it on the view of a link that it copied.
    """
    if ctx.invoked_subcommand is None:
        open_window()


@click.command(hidden=True)
@click.argument("files", nargs=-1)
@click.option("--header-archive", metavar="PATH", help="The archive in the ROM that has its map headers.")
def window(files: tuple[str, ...], header_archive: str | None) -> None:
    """Open the window on a ROM or on loose models, textures and animations."""
    from mapexplorer.rom import RomPath

    open_window(*(RomPath.of(file, header_archive) for file in files))


def open_window(*files: str) -> None:
    """Start the window on a ROM or on loose files, or fail with one sentence about the cause."""
    from mapexplorer.gui.app.launcher import launch

    sys.exit(launch(files))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit the process."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller, or a program without a console on Windows
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Unicode shows `?` for other characters
    try:
        _run(arguments)
    except BrokenPipeError:
        sys.exit(_CLOSED_PIPE)
    finally:
        try:
            sys.stdout.flush()
        except OSError:
            # The failed write was reported; Python's flush at exit must not raise and change the status.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str] | None) -> None:
    show_compilation()
    try:
        result: Any = program.main(
            args=None if arguments is None else list(arguments), prog_name="mapexplorer", standalone_mode=False
        )
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        text = io.StringIO()
        error.show(file=text)
        fail(*text.getvalue().expandtabs().splitlines(), status=error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        interrupt.say()
        sys.exit(interrupt.status())
    except BrokenPipeError:
        raise
    except (PlaceError, FormatError, RomError, OSError) as error:
        fail(*problem(error))
    sys.exit(result if isinstance(result, int) else 0)


def fail(*lines: str, status: int = 1) -> NoReturn:
    """Print lines on standard error and exit with a status."""
    echo(*lines, err=True)
    sys.exit(status)
