"""Vertex arrays: how the shaders of the field read the vertices of meshes."""

from __future__ import annotations

from ctypes import c_void_p

from mapexplorer.opengl.buffers import GrowingBuffer
from mapexplorer.opengl.gl import GL
from mapexplorer.opengl.mesh import VERTEX


def vertex_array(vertices: GrowingBuffer, elements: GrowingBuffer) -> int:
    """The name of a new vertex array over buffers of `VERTEX` records and of indices."""
    array = int(GL.glGenVertexArrays(1))
    GL.glBindVertexArray(array)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, vertices.name)
    stride = VERTEX.itemsize
    GL.glVertexAttribPointer(0, 3, GL.GL_FLOAT, False, stride, c_void_p(0))
    GL.glVertexAttribIPointer(1, 2, GL.GL_SHORT, stride, c_void_p(12))
    for place, offset in ((2, 16), (3, 20), (4, 24), (5, 28)):
        GL.glVertexAttribIPointer(place, 1, GL.GL_UNSIGNED_INT, stride, c_void_p(offset))
    GL.glVertexAttribIPointer(6, 4, GL.GL_SHORT, stride, c_void_p(32))
    for place in range(7):
        GL.glEnableVertexAttribArray(place)
    GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, elements.name)
    GL.glBindVertexArray(0)
    return array
