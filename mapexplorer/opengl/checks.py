"""Checks in a child process whether OpenGL works without a window."""

from __future__ import annotations

from mapexplorer.system.child import run_python
from mapexplorer.system.finding import OK, WARNING, Finding

_SUBJECT = "OpenGL without a window"
_ADVICE = "`render --engine ds` draws without OpenGL"
_TRY = """
import sys
from mapexplorer.opengl.errors import GlError
from mapexplorer.opengl.offscreen import offscreen_context
try:
    with offscreen_context():
        from mapexplorer.opengl.gl import GL
        print(GL.glGetString(GL.GL_VERSION).decode(errors="replace"))
except GlError as error:
    sys.exit(str(error))
"""


def check_offscreen() -> Finding:
    """Whether `render --engine gl` works."""
    version, errors, problem = run_python(_TRY)
    if not problem:
        return Finding(_SUBJECT, OK, f"version {version.strip()}")
    lines = errors.strip().splitlines()
    return Finding(_SUBJECT, WARNING, lines[-1] if lines else f"a test context ended early: {problem}", _ADVICE)
