"""Checks of the window's requirements by trying them: Qt's libraries, an application on the display, fonts, OpenGL."""

from __future__ import annotations

import os
from typing import Any

from mapexplorer.gui.app import launcher, probe, requirements, trial
from mapexplorer.gui.model.settings import default_file
from mapexplorer.system import libraries
from mapexplorer.system.finding import OK, WARNING, Finding
from mapexplorer.system.installation import check_folder, installed_version

_DISPLAYS = {"xcb": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}
_WITHOUT = "the command line works without the window"
_DS_VIEW = "the window starts in its DS view, which needs no OpenGL"


def check_window() -> list[Finding]:
    """The findings, up to the first one after which the other checks are impossible."""
    findings = [check_folder("configuration folder", default_file().parent, "the window forgets its settings")]
    if requirements.qt_folder() is None:
        advice = "for the window: pip install PyQt5, or apt-get install python3-pyqt5"
        return [*findings, Finding("PyQt5", WARNING, "not installed", advice)]
    display = launcher.display_problem()
    no_display = [Finding("display", WARNING, display, _WITHOUT)] if display else []
    missing = requirements.missing_libraries(requirements.wanted_platform())
    if missing:
        advice = f"for the window: {libraries.advice(missing)}"
        return [*findings, Finding("PyQt5", WARNING, libraries.in_words(missing), advice), *no_display]
    steps = (probe.IMPORT,) if display else (probe.IMPORT, probe.APPLICATION, probe.FONTS, probe.CONTEXT)
    results, problem = trial.try_qt(*steps)
    if probe.IMPORT not in results:
        advice = "for the window: install PyQt5 again"
        return [*findings, Finding("PyQt5", WARNING, problem, advice), *no_display]
    pyqt, qt = results[probe.IMPORT]
    findings.append(Finding("PyQt5", OK, f"{pyqt} with Qt {qt} can be imported"))
    if display:
        return findings + no_display
    if probe.APPLICATION not in results:
        return [*findings, Finding("display", WARNING, problem, _WITHOUT)]
    platform = results[probe.APPLICATION]
    where = os.environ.get(_DISPLAYS.get(platform, ""), "")
    findings.append(Finding("display", OK, f"an application starts on {platform} {where}".rstrip()))
    font = results.get(probe.FONTS)
    if font == "":
        advice = "the window would have no text: apt-get install fonts-dejavu-core, or what your system calls it"
        findings.append(Finding("fonts", WARNING, "none", advice))
    elif font is not None:
        findings.append(Finding("fonts", OK, f"text is drawn in {font}"))
    return [*findings, _opengl(results, problem)]


def _opengl(results: dict[str, Any], problem: str) -> Finding:
    if not installed_version("PyOpenGL"):
        return Finding("OpenGL", WARNING, "PyOpenGL is not installed", f"pip install PyOpenGL; {_DS_VIEW}")
    if problem or probe.CONTEXT not in results:
        driver = "Debian's package of drivers is libgl1-mesa-dri; " if results[probe.APPLICATION] == "xcb" else ""
        return Finding("OpenGL", WARNING, problem, f"{driver}{_DS_VIEW}")
    version = ".".join(map(str, results[probe.CONTEXT]))
    return Finding("OpenGL", OK, f"a core context of version {version} opens")
