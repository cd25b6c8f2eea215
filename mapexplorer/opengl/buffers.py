"""Growing buffers on the GPU, and buffer textures over them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.gl import GL

_FIRST_UNITS: Final = 1024


class GrowingBuffer:
    """A buffer of units of `unit` bytes that grows as data is appended. Its OpenGL name never changes."""

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self.name = int(GL.glGenBuffers(1))
        self.used = 0
        self._room = 0

    @property
    def size(self) -> int:
        """Bytes reserved."""
        return self._room * self.unit

    def reserve(self, units: int) -> None:
        """Reserve space for this number of units in total, keeping the contents."""
        if units <= self._room:
            return
        room = max(units, self._room * 3 // 2, _FIRST_UNITS)
        kept = self.used * self.unit
        # An element buffer is part of the bound vertex array; copying through other targets does not change it.
        GL.glBindBuffer(GL.GL_COPY_READ_BUFFER, self.name)
        if kept:
            spare = int(GL.glGenBuffers(1))
            GL.glBindBuffer(GL.GL_COPY_WRITE_BUFFER, spare)
            GL.glBufferData(GL.GL_COPY_WRITE_BUFFER, kept, None, GL.GL_STATIC_COPY)
            GL.glCopyBufferSubData(GL.GL_COPY_READ_BUFFER, GL.GL_COPY_WRITE_BUFFER, 0, 0, kept)
        GL.glBufferData(GL.GL_COPY_READ_BUFFER, room * self.unit, None, GL.GL_DYNAMIC_DRAW)
        if kept:
            GL.glCopyBufferSubData(GL.GL_COPY_WRITE_BUFFER, GL.GL_COPY_READ_BUFFER, 0, 0, kept)
            GL.glDeleteBuffers(1, [spare])
        self._room = room

    def append(self, data: npt.NDArray[Any]) -> int:
        """Append data; returns the unit at which it begins."""
        first = self.used
        units = data.nbytes // self.unit
        self.reserve(first + units)
        self.used = first + units
        self.write(first, data)
        return first

    def write(self, first: int, data: npt.NDArray[Any]) -> None:
        """Overwrite data, beginning at a unit."""
        if data.nbytes:
            GL.glBindBuffer(GL.GL_COPY_READ_BUFFER, self.name)
            GL.glBufferSubData(GL.GL_COPY_READ_BUFFER, first * self.unit, data.nbytes, np.ascontiguousarray(data))

    def replace(self, data: npt.NDArray[Any]) -> None:
        """Replace all contents by `data`."""
        self.used = 0
        self.append(data)

    def clear(self) -> None:
        """Remove all contents; the reserved space is kept."""
        self.used = 0


class WordBuffer(GrowingBuffer):
    """A growing buffer that shaders read through a buffer texture of the given internal format."""

    def __init__(self, unit: int, form: int) -> None:
        super().__init__(unit)
        self._form = form
        self._texture = int(GL.glGenTextures(1))
        self.reserve(_FIRST_UNITS)

    def bind(self, place: int) -> None:
        """Make it the buffer texture of texture unit `place`."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + place)
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, self._texture)
        GL.glTexBuffer(GL.GL_TEXTURE_BUFFER, self._form, self.name)
