"""What OpenGL refuses."""

from __future__ import annotations


class GlError(RuntimeError):
    """OpenGL cannot do what the picture needs; the sentence says what."""
