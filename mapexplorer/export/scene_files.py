"""A glTF document as the kinds of files that models and maps are written as."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from mapexplorer.export.files import safe_name, write_atomically
from mapexplorer.export.gltf.document import Document
from mapexplorer.export.gltf.separate import SharedFiles
from mapexplorer.export.obj import write_obj
from mapexplorer.export.options import GLTF, HTML, OBJ, ExportOptions, PageOptions


def options_for(path: Path, options: ExportOptions) -> ExportOptions:
    """Options for a file: OBJ has neither clips nor mirrored repeat of textures; those of pages."""
    ending = path.suffix.lower()
    if ending == HTML:
        return PageOptions.of(options)
    return dataclasses.replace(options, static=True, bake_mirror=True, compact=False) if ending == OBJ else options


def write_scene(document: Document, path: Path) -> tuple[list[Path], int]:
    """Write a document as the ending of the file says: as GLB, or as .gltf or .obj with files beside it. The result is
    the files, the named one first, and their bytes. Raises OSError."""
    ending = path.suffix.lower()
    if ending not in (GLTF, OBJ):
        data = document.to_bytes()
        return [write_atomically(path, data)], len(data)
    files = SharedFiles(path.parent, f"{safe_name(path.stem)}_{ending[1:]}_textures")
    if ending == OBJ:
        write_obj(document, path.stem, files)
    else:
        files.write(document, path.stem)
    return files.written[::-1], files.size
