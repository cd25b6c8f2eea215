"""The worker threads of the window, their jobs, and the control of the garbage collector.

A job that needs kernels which are not compiled yet is deferred until they are. OpenGL is tested and loaded in a
worker. Python's garbage collector runs only in the window's thread (`gc_control`), because objects of Qt must be freed
there. The worker that makes people and weather of a tick for OpenGL does nothing else, so that they do not wait for
cells or thumbnails. What is requested by key and kept (tiles and layers of the map, cells for OpenGL, pictures of
lists, the DS picture, of which only the last version counts) has a `Loader`. A worker reads what is shown of a map that
is entered (`model.opened_map`) and hands it over.
"""
