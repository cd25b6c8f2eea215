"""`doctor`: what would not work on this machine and why; `--warm` compiles the kernels ahead."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import sys
import time
from dataclasses import asdict, dataclass

import click

from mapexplorer.cli.output import count, json_option, print_fields, print_json, summary

PACKAGES = ("ndspy", "numpy", "Pillow", "click", "rich", "platformdirs", "PyQt5", "PyOpenGL")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    works: bool
    found: str
    advice: str = ""


@click.command()
@click.option("--warm", is_flag=True, help="Compile every kernel now, so that the first picture does not wait for it.")
@json_option
def doctor(warm: bool, as_json: bool) -> int:
    """Say what would not work on this machine, and why."""
    findings = [_python(), *(_package(name) for name in PACKAGES), _kernels(), *_window(), _demo()]
    if warm:
        findings.append(_warm())
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        print_fields([(("ok       " if f.works else "missing  ") + f.subject, _line(f)) for f in findings])
    failed = sum(not finding.works for finding in findings)
    summary(f"{count(len(findings), 'thing')} checked, {failed} would not work.", as_json=as_json)
    return 1 if failed else 0


def _line(finding: Finding) -> str:
    return finding.found + (f" - {finding.advice}" if finding.advice else "")


def _python() -> Finding:
    version = platform.python_version()
    return Finding("Python", sys.version_info >= (3, 11), f"{version}, {platform.system()} {platform.machine()}")


def _package(name: str) -> Finding:
    try:
        return Finding(name, True, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        pass
    if name == "PyQt5":
        try:  # a distribution's package need not carry pip's metadata
            from mapexplorer.gui.launcher import qt_version

            return Finding(name, True, qt_version())
        except ImportError:
            advice = "the window needs it: apt-get install python3-pyqt5, or what your system calls it"
            return Finding(name, False, "not installed", advice)
    return Finding(name, False, "not installed", f"pip install {name}")


def _kernels() -> Finding:
    from formats.kernel import library
    from formats.kernel.cache import FOLDER_VARIABLE, folder

    if library.units():
        return Finding("kernels", True, f"compiled, {len(library.units())} units in the installed package")
    if importlib.util.find_spec("numba") is None:
        return Finding("kernels", False, "neither compiled code nor numba is there", "pip install numba")
    place = folder()
    if place is not None:
        return Finding("kernels", True, f"compiled when first used, kept in {place}")
    advice = f"they are compiled anew at every start; set {FOLDER_VARIABLE} to a folder that can be written"
    return Finding("kernels", False, "no folder can be written", advice)


def _window() -> list[Finding]:
    from mapexplorer.gui.launcher import display_problem, opengl_problem

    problem = display_problem()
    if problem:
        return [Finding("display", False, problem, "every verb of the command line works without one")]
    findings = [Finding("display", True, "there is one")]
    problem = opengl_problem()
    if problem:
        findings.append(Finding("OpenGL", False, problem, "the window starts in its DS view, which needs no OpenGL"))
    else:
        findings.append(Finding("OpenGL", True, "a 3.3 core context opens"))
    return findings


def _demo() -> Finding:
    from mapexplorer.errors import RomError
    from mapexplorer.rom import open_rom

    try:
        open_rom("demo")
    except (RomError, OSError) as error:
        return Finding("demo world", False, str(error), "install the program again")
    return Finding("demo world", True, "opens")


def _warm() -> Finding:
    from mapexplorer.kernels import prepare_everything

    start = time.perf_counter()
    prepare_everything()
    return Finding("compilation", True, f"every kernel is ready after {time.perf_counter() - start:.1f} s")
