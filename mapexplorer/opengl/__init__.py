"""The field on OpenGL 3.3 core, at any size and from any camera: the DS engine's arithmetic in shaders.

`FieldRenderer` needs a current context; `mapexplorer.opengl.offscreen` creates one without a window.
"""
