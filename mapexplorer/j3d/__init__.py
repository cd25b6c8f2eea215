"""J3D models at run time: joint poses and animation, draw matrices, primitives to triangles, and an approximation of a
material's TEV stages for renderers with one base colour."""
