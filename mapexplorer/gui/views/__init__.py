"""The pictures in the middle of the window and what is drawn over them.

The OpenGL view draws off screen and paints what it reads back: with a `QOpenGLWidget`, Qt composes the whole window by
OpenGL, which takes a third of the processor time on software OpenGL. The context belongs to a thread of its own
(`gl_painter`), the only one that calls OpenGL; the window's thread gives it values and paints the image that it
returns, with labels and picking through the camera of that image. It shows the four loaded cells with the area that
was entered, as the game does, and in the whole matrix each cell with its own area; while the player walks, its camera
is that of the update in which the player was drawn.

The map shows tiles of the engine's top view, whose scales are powers of two, so that neighbours fit exactly. Those of
the smallest scale are also reduced into pictures of the whole matrix. A widget says which tiles it needs, nearest
first; two are requested at a time, so that what has left the view is not drawn. They depend on the blocks of the light
in force, not on the second, and on nothing that moves.
"""
