"""The field on OpenGL 3.3 core, at any size and from any camera: the DS engine's arithmetic in shaders.

`FieldRenderer` needs a current context; `mapexplorer.opengl.offscreen` creates one without a window. What is made in a
context is deleted with it.

The shaders restate the lighting, texel, blending, fog and edge rules in GLSL; `benchmarks/gl_against_ds.py` compares
the pictures. Images, materials, matrices and instances are in buffer textures, so that a mesh is one draw call for all
its instances; blended polygons are sorted by screen line, with the polygon id in the stencil. A final pass marks edges
and applies fog, once for each pixel, by its depth and its attributes, which are in the alpha of the field's colours; a
mask clears the fog behind polygons that have none. The form of the shaders is decided by what software drivers do fast
(`benchmarks/playing.py`). Pictures of the console's size interpolate texture coordinates as the console does, others
do not.
"""
