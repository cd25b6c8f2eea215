"""OpenGL's functions without PyOpenGL's error check after every call, which takes longer than most calls."""

from __future__ import annotations

import OpenGL

OpenGL.ERROR_CHECKING = False
OpenGL.ERROR_LOGGING = False

from OpenGL import GL  # noqa: E402  (reads the flags when it is imported)

__all__ = ["GL", "disable"]


def disable(*capabilities: int) -> None:
    """Disable capabilities of OpenGL."""
    for capability in capabilities:
        GL.glDisable(capability)
