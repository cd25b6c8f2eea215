"""J3D models at run time: joint poses and animation, draw matrices, primitives to triangles, and what a material's TEV
set-up becomes in a renderer that has one base colour (an approximation, and labelled as such)."""
