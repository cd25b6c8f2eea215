"""Shader programs and their uniforms."""

from __future__ import annotations

from mapexplorer.opengl.errors import GlError
from mapexplorer.opengl.gl import GL


class Program:
    """A linked program; uniforms are set by name while it is in use."""

    def __init__(self, vertex: str, fragment: str) -> None:
        self.name = GL.glCreateProgram()
        shaders = [_compile(GL.GL_VERTEX_SHADER, vertex), _compile(GL.GL_FRAGMENT_SHADER, fragment)]
        for shader in shaders:
            GL.glAttachShader(self.name, shader)
        GL.glLinkProgram(self.name)
        if not GL.glGetProgramiv(self.name, GL.GL_LINK_STATUS):
            raise GlError(f"the driver does not link a shader: {_text(GL.glGetProgramInfoLog(self.name))}")
        for shader in shaders:
            GL.glDeleteShader(shader)
        self._places: dict[str, int] = {}
        self.uniforms: object = None
        """The values that were set together last."""

    def use(self) -> None:
        """Make it the current program."""
        GL.glUseProgram(self.name)

    def place(self, uniform: str) -> int:
        """The location of a uniform; -1 for one that the program does not use."""
        if uniform not in self._places:
            self._places[uniform] = GL.glGetUniformLocation(self.name, uniform)
        return self._places[uniform]

    def release(self) -> None:
        """Delete it."""
        GL.glDeleteProgram(self.name)


def _compile(kind: int, source: str) -> int:
    shader: int = GL.glCreateShader(kind)
    GL.glShaderSource(shader, source)
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        raise GlError(f"the driver does not compile a shader: {_text(GL.glGetShaderInfoLog(shader))}")
    return shader


def _text(log: bytes | str) -> str:
    return (log.decode("utf-8", "replace") if isinstance(log, bytes) else log).strip()
