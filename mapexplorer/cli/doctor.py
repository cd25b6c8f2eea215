"""`doctor`: what does not work on this machine and why; `--warm` compiles the kernels ahead."""

from __future__ import annotations

import time
from dataclasses import asdict

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.output import count, examples
from mapexplorer.inspector.lines import field_lines
from mapexplorer.system.finding import FAILURE, OK, WARNING, Finding


@click.command(epilog=examples("doctor", "doctor --json"))
@click.option("--warm", is_flag=True, help="Compile every kernel now, so that the first picture does not wait for it.")
@answered
def doctor(warm: bool) -> Answer:
    """Check what the program needs on this machine.

    Exit status 1 only when the command line does not work; problems of the window or of OpenGL are warnings.
    """
    from mapexplorer.inspector.facts import Fact

    findings = _examine()
    if warm and not any(finding.level == FAILURE for finding in findings):
        findings.append(_warm())
    failures, warnings = (sum(finding.level == level for finding in findings) for level in (FAILURE, WARNING))
    width = max(len(level) for level in (OK, WARNING, FAILURE))
    return Answer(
        f"{count(len(findings), 'thing')} checked, {count(warnings, 'warning')}, {count(failures, 'failure')}.",
        field_lines(Fact(f"{finding.level:{width}}  {finding.subject}", _line(finding)) for finding in findings),
        lambda: {"failures": failures, "warnings": warnings, "findings": [asdict(finding) for finding in findings]},
        status=1 if failures else 0,
    )


def _line(finding: Finding) -> str:
    return finding.found + (f" - {finding.advice}" if finding.advice else "")


def _examine() -> list[Finding]:
    """Yield the findings of all checks; a failed check does not stop the others."""
    from mapexplorer.gui.app.checks import check_window
    from mapexplorer.opengl.checks import check_offscreen
    from mapexplorer.system import installation

    packages = installation.check_packages()
    findings = [installation.check_python(), *packages]
    if any(finding.level == FAILURE for finding in packages):
        return findings
    findings += [_demo(), _kernels(), installation.check_cache_folder(), installation.check_temporary_folder()]
    return [*findings, *check_window(), check_offscreen()]


def _kernels() -> Finding:
    """Run one kernel and report the origin of its code."""
    from formats.kernel import KernelError, library
    from formats.kernel.cache import FOLDER_VARIABLE, folder
    from formats.nds.display_list import unpack

    try:
        unpack(bytes(4))
    except KernelError as error:
        return Finding("kernels", FAILURE, str(error))
    if library.units():
        return Finding("kernels", OK, f"compiled, {len(library.units())} units in the installed package")
    place = folder()
    if place is not None:
        return Finding("kernels", OK, f"compiled when first used, kept in {place}")
    advice = f"they are compiled at every start; set {FOLDER_VARIABLE} to a folder that can be written"
    return Finding("kernels", WARNING, "no folder can be written", advice)


def _demo() -> Finding:
    from mapexplorer.errors import RomError
    from mapexplorer.world.opening import open_rom

    try:
        open_rom("demo")
    except (RomError, OSError) as error:
        return Finding("demo world", FAILURE, str(error), "install the program again")
    return Finding("demo world", OK, "opens")


def _warm() -> Finding:
    from mapexplorer.kernels import EVERYTHING, prepare

    start = time.perf_counter()
    prepare(EVERYTHING)
    return Finding("compilation", OK, f"every kernel is ready after {time.perf_counter() - start:.1f} s")
