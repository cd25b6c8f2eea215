"""Vertex arrays: how shaders read the records of vertices in a buffer."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_void_p

from mapexplorer.opengl.gl import GL

Attribute = tuple[int, int, int]
"""What a shader reads of a vertex: how many numbers, their type in OpenGL, the offset in the record. Bytes are read as
fractions of 255, other integers as integers."""


def vertex_array(attributes: Sequence[Attribute], stride: int, vertices: int, elements: int = 0) -> int:
    """The name of a new vertex array over a buffer of records of `stride` bytes and, if there is one, a buffer of
    indices."""
    array = int(GL.glGenVertexArrays(1))
    GL.glBindVertexArray(array)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, vertices)
    for place, (count, kind, offset) in enumerate(attributes):
        if kind in (GL.GL_FLOAT, GL.GL_UNSIGNED_BYTE):
            GL.glVertexAttribPointer(place, count, kind, kind == GL.GL_UNSIGNED_BYTE, stride, c_void_p(offset))
        else:
            GL.glVertexAttribIPointer(place, count, kind, stride, c_void_p(offset))
        GL.glEnableVertexAttribArray(place)
    GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, elements)
    GL.glBindVertexArray(0)
    return array
