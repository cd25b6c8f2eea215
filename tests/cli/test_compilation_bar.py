"""What a terminal and a file show while kernels are compiled."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from formats.kernel.progress import KernelProgress
from mapexplorer.cli.output import CompilationLine

SAMPLES = Path(__file__).parents[1] / "j3d" / "samples"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_bar_that_grows_and_goes() -> None:
    stream = Terminal()
    bar = CompilationLine(stream)
    for done in (0, 12, 23, 24):
        bar.show(KernelProgress(done, 24))
    lines = stream.getvalue().split("\r")[1:]
    assert [line.count("#") for line in lines] == [0, 12, 23, 0]
    assert "12 of 24" in lines[1] and "once" in lines[1]
    assert lines[-1] == "\x1b[K"


def test_a_file_gets_one_line() -> None:
    stream = io.StringIO()
    bar = CompilationLine(stream)
    for done in range(5):
        bar.show(KernelProgress(done, 4))
    assert stream.getvalue() == "Compiling for this computer, once.\n"


def test_waiting_says_for_whom() -> None:
    stream = Terminal()
    CompilationLine(stream).show(KernelProgress(1, 8, waiting=True))
    assert "Waiting for another process" in stream.getvalue() and "1 of 8" in stream.getvalue()


def test_a_terminal_that_is_gone_stops_nothing() -> None:
    stream = Terminal()
    bar = CompilationLine(stream)
    stream.close()
    bar.show(KernelProgress(1, 8))


def test_a_verb_says_when_it_compiles_and_only_then(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mapexplorer", "convert", SAMPLES / "synth_skin.bmd", "-o"]
    told = []
    for name in ("first", "second"):
        ran = subprocess.run(
            [*map(str, command), str(tmp_path / name)],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"MAPEXPLORER_KERNEL_CACHE": str(tmp_path / "cache")},
        )
        told.append("Compiling for this computer, once." in ran.stderr)
    assert told == [True, False]
