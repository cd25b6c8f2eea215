"""The output of the verbs: JSON, aligned lines, progress."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

from mapexplorer.errors import PlaceError, in_words
from mapexplorer.system import interrupt
from mapexplorer.system.progress import Progress
from mapexplorer.system.terminal import echo_data, printable
from mapexplorer.values import count as count

if TYPE_CHECKING:
    from formats.kernel.progress import KernelProgress

_CANDIDATES = 20
"""The number of candidates of an ambiguous name that are shown."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def examples(*commands: str) -> str:
    """The end of a verb's help: commands that show it, without the name of the program. Tests run them."""
    return "\b\nExamples:\n" + "\n".join(f"  mapexplorer {command}" for command in commands)


def print_json(facts: dict[str, Any]) -> None:
    """Print facts as JSON on standard output, after the version of the format; characters outside its encoding are
    escaped."""
    from mapexplorer.inspector import FORMAT

    value = {"format": FORMAT, **facts}
    echo_data(encodable(json.dumps(value, indent=1, ensure_ascii=False), lambda: json.dumps(value, indent=1)) + "\n")


def encodable(text: str, escaped: Callable[[], str]) -> str:
    """`text` if standard output can show it, else what `escaped` makes."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return escaped()
    return text


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows as CSV with a line of column names: None is empty, True and False are 1 and 0."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([int(value) if isinstance(value, bool) else value for value in row] for row in rows)
    return text.getvalue()


def problem(error: BaseException) -> list[str]:
    """An error as lines for users: one sentence, and a line for each candidate of a name."""
    candidates = error.candidates if isinstance(error, PlaceError) else ()
    more = len(candidates) - _CANDIDATES
    shown = [*candidates[:_CANDIDATES], *([f"and {more} more"] if more > 0 else [])]
    return [in_words(error), *(f"  {candidate}" for candidate in shown)]


def show_compilation() -> None:
    """From now on show the progress of the compilation of kernels on standard error."""
    from formats.kernel.progress import observe

    observe(CompilationLine(sys.stderr).show)
    interrupt.also(_stop_compilation)


def _stop_compilation() -> None:
    """End the processes that compile, and remove the line about them."""
    compilation = sys.modules.get("formats.kernel.compilation")
    if compilation is not None:
        compilation.kill()
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class CompilationLine:
    """One line with the progress of compilation: redrawn on a terminal, else printed once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._shown = False

    def show(self, progress: KernelProgress) -> None:
        """Draw the line; the last call, with everything done, removes it from a terminal."""
        what = "Waiting for another process that compiles" if progress.waiting else "Compiling for this computer, once"
        if not self._terminal:
            if not self._shown and progress.done < progress.total:
                self._shown = True
                self._write(f"{what}.\n")
            return
        if progress.done >= progress.total:
            self._write("\r\x1b[K")
            return
        filled = 24 * progress.done // progress.total
        self._write(f"\r{what}: [{'#' * filled}{'.' * (24 - filled)}] {progress.done} of {progress.total}\x1b[K")

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the terminal may be closed, which must not end the work
            self._stream.write(text)
            self._stream.flush()


class _Bar(Progress):
    """A progress bar on a terminal."""

    def __init__(self, bar: Any, task: Any) -> None:
        self._bar, self._task = bar, task

    def report(self, done: int, total: int, text: str) -> None:
        """Draw the bar, beginning with the first step: before it kernels may be compiled, which has another bar."""
        if total:
            self._bar.start()
            self._bar.update(self._task, completed=done, total=total, item=printable(text))


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A progress bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    from rich import progress as rich
    from rich.console import Console

    bar = rich.Progress(
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
        rich.TextColumn("{task.fields[item]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(title, total=None, item="")
    with interrupt.cleaning(bar.stop):
        try:
            yield _Bar(bar, task)
        finally:
            bar.stop()
