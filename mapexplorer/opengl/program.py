"""Shader programs and their uniforms."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mapexplorer.opengl.errors import GlError
from mapexplorer.opengl.gl import GL

_SETTERS: Final = {
    GL.GL_FLOAT: (GL.glUniform1fv, np.float32, 1),
    GL.GL_FLOAT_VEC2: (GL.glUniform2fv, np.float32, 2),
    GL.GL_FLOAT_VEC3: (GL.glUniform3fv, np.float32, 3),
    GL.GL_FLOAT_VEC4: (GL.glUniform4fv, np.float32, 4),
    GL.GL_INT_VEC2: (GL.glUniform2iv, np.int32, 2),
    GL.GL_INT_VEC3: (GL.glUniform3iv, np.int32, 3),
    GL.GL_INT_VEC4: (GL.glUniform4iv, np.int32, 4),
    GL.GL_UNSIGNED_INT_VEC4: (GL.glUniform4uiv, np.uint32, 4),
    GL.GL_FLOAT_MAT3: (lambda place, count, values: GL.glUniformMatrix3fv(place, count, False, values), np.float32, 9),
    GL.GL_FLOAT_MAT4: (lambda place, count, values: GL.glUniformMatrix4fv(place, count, False, values), np.float32, 16),
}
"""Type of a uniform -> the function that sets it, the type of its numbers, and how many it has."""

_INTEGER: Final = (GL.glUniform1iv, np.int32, 1)
"""The same for integers, truth values and samplers, which are texture units."""


class Program:
    """A linked program; uniforms are set by name while it is in use."""

    def __init__(self, vertex: str, fragment: str, geometry: str | None = None) -> None:
        self.name = GL.glCreateProgram()
        shaders = [_compile(GL.GL_VERTEX_SHADER, vertex), _compile(GL.GL_FRAGMENT_SHADER, fragment)]
        if geometry is not None:
            shaders.append(_compile(GL.GL_GEOMETRY_SHADER, geometry))
        for shader in shaders:
            GL.glAttachShader(self.name, shader)
        GL.glLinkProgram(self.name)
        if not GL.glGetProgramiv(self.name, GL.GL_LINK_STATUS):
            raise GlError(f"the driver does not link a shader: {_text(GL.glGetProgramInfoLog(self.name))}")
        for shader in shaders:
            GL.glDeleteShader(shader)
        self._setters: dict[str, tuple[int, Any]] = {}
        for number in range(GL.glGetProgramiv(self.name, GL.GL_ACTIVE_UNIFORMS)):
            uniform, _, kind = GL.glGetActiveUniform(self.name, number)
            title = _text(bytes(uniform)).removesuffix("[0]")
            self._setters[title] = GL.glGetUniformLocation(self.name, title), _SETTERS.get(int(kind), _INTEGER)
        self._array = int(GL.glGenVertexArrays(1))
        self.uniforms: object = None
        """The values that were set together last."""

    def use(self) -> None:
        """Make it the current program."""
        GL.glUseProgram(self.name)

    def place(self, uniform: str) -> int:
        """The location of a uniform; -1 for one that the program does not use."""
        return self._setters[uniform][0] if uniform in self._setters else -1

    def set(self, **values: Any) -> None:
        """Set uniforms of the program in use: numbers, or arrays of the components of all elements. Those that the
        program does not use are passed over."""
        for name, value in values.items():
            if name in self._setters:
                place, (setter, dtype, components) = self._setters[name]
                numbers = np.ascontiguousarray(value, dtype)
                setter(place, numbers.size // components, numbers)

    def cover(self) -> None:
        """Draw one triangle over the whole picture with this program, whose vertex shader is SCREEN_VERTEX."""
        GL.glBindVertexArray(self._array)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)

    def draw_strips(self, count: int) -> None:
        """Draw rectangles, which the vertex shader places by their numbers."""
        GL.glBindVertexArray(self._array)
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, count)


def _compile(kind: int, source: str) -> int:
    shader: int = GL.glCreateShader(kind)
    GL.glShaderSource(shader, source)
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        raise GlError(f"the driver does not compile a shader: {_text(GL.glGetShaderInfoLog(shader))}")
    return shader


def _text(log: bytes | str) -> str:
    return (log.decode("utf-8", "replace") if isinstance(log, bytes) else log).strip("\0 \n")
