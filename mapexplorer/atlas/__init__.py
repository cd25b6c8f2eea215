"""A game as a web site: a map of all maps, and a page for every thing of the catalogue.

No page asks anything of its own: facts are those of `inspector.describe`, lists those of the inspector and the store;
what lies over the map are the layers of the window (`export.overlays`). Pages are made by `export.markup`, which
escapes every name. A page loads only files of its folder, also from a disk; data are scripts that set a variable.
"""
