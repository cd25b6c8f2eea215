"""`doctor`: what does not work on this machine and why; `--warm` compiles the kernels ahead."""

from __future__ import annotations

import time
from dataclasses import asdict

import click

from mapexplorer.cli.output import count, json_option, print_fields, print_json, summary
from mapexplorer.system.finding import FAILURE, OK, WARNING, Finding

FORMAT = 1
"""The version of the JSON output."""


@click.command()
@click.option("--warm", is_flag=True, help="Compile every kernel now, so that the first picture does not wait for it.")
@json_option
def doctor(warm: bool, as_json: bool) -> int:
    """Try what the program needs of this machine; say what does not work, and why.

    Exit status 1 only when the command line does not work; trouble of the window or of OpenGL is a warning.
    """
    findings = _examine()
    if warm and not any(one.level == FAILURE for one in findings):
        findings.append(_warm(quiet=as_json))
    failures, warnings = (sum(one.level == level for one in findings) for level in (FAILURE, WARNING))
    if as_json:
        counts = {"failures": failures, "warnings": warnings}
        print_json({"format": FORMAT, **counts, "findings": [asdict(finding) for finding in findings]})
    else:
        width = max(len(level) for level in (OK, WARNING, FAILURE))
        print_fields([(f"{one.level:{width}}  {one.subject}", _line(one)) for one in findings])
    checked = count(len(findings), "thing")
    summary(f"{checked} checked, {count(warnings, 'warning')}, {count(failures, 'failure')}.", as_json=as_json)
    return 1 if failures else 0


def _line(finding: Finding) -> str:
    return finding.found + (f" - {finding.advice}" if finding.advice else "")


def _examine() -> list[Finding]:
    """Everything, one check after the other; what is broken keeps nothing else from being tried."""
    from mapexplorer.gui.checks import check_window
    from mapexplorer.opengl.checks import check_offscreen
    from mapexplorer.system import installation

    packages = installation.check_packages()
    findings = [installation.check_python(), *packages]
    if any(one.level == FAILURE for one in packages):
        return findings
    findings += [_demo(), _kernels(), installation.check_cache_folder(), installation.check_temporary_folder()]
    return [*findings, *check_window(), check_offscreen()]


def _kernels() -> Finding:
    from formats import kernel

    folder = kernel.CACHE_FOLDER
    if kernel.CACHED:
        return Finding("kernel cache", OK, "beside the program" if folder is None else str(folder))
    advice = "kernels are compiled anew at every start; set NUMBA_CACHE_DIR to a folder that can be written"
    return Finding("kernel cache", WARNING, "no folder can be written", advice)


def _demo() -> Finding:
    from mapexplorer.errors import RomError
    from mapexplorer.rom import open_rom

    try:
        open_rom("demo")
    except (RomError, OSError) as error:
        return Finding("demo world", FAILURE, str(error), "install the program again")
    return Finding("demo world", OK, "opens")


def _warm(quiet: bool) -> Finding:
    from mapexplorer.gpu import warm

    start = time.perf_counter()

    def report(name: str, done: int, total: int) -> None:
        if not quiet:
            click.echo(f"compiling {done + 1} of {total}: {name}", err=True)

    warm(report)
    return Finding("kernels", OK, f"compiled in {time.perf_counter() - start:.1f} s")
