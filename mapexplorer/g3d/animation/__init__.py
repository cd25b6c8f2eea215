"""NITRO G3D animations evaluated in the library's integers: one result for every renderer and exporter."""
