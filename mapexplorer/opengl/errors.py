"""Errors of OpenGL."""

from __future__ import annotations


class GlError(RuntimeError):
    """OpenGL lacks something that the picture needs; the message names it."""
