"""What is written to files: GLB, OBJ, kits of parts, pictures, posters, tables; one map, all of them with a manifest,
loose files.

An export is a request: one dataclass in `request`, whose fields (`mapexplorer.option`) carry help, unit, range and
default; the options of verbs, the forms of the dialog and JSON derive from it, and `run` runs it. A model is written
into a document of its own, which is copied to those of all places that show it alike; a document is the same whether
its parts were there before or not. Meshes of a GLB share the model's vertices; who reads a document takes those that
a primitive's indices use. Clips are evaluated by `g3d.animation`; the images of a material are its looks, each a mesh
that a STEP scale shows, other changes are series of composed materials, written as pointer curves. Map objects do not
move in exports."""
