"""Documents as `.gltf` files, whose buffers and images are files that several of them share.

Data and images that several documents have are stored once: data in the buffer of the first of them, `NAME.bin`,
images as PNG in one folder. A document is written after the files that it refers to.
"""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Final
from urllib.parse import quote

from mapexplorer.export.files import UniqueNames, write_atomically
from mapexplorer.export.gltf.accessor import BufferData
from mapexplorer.export.gltf.document import Document, Json, members

TEXTURES: Final = "textures"

Place = tuple[str, int, int]
"""A part of a buffer: the buffer's name, what it is for (0: neither vertices nor indices), bytes of an element."""


class SharedFiles:
    """Writes documents below a folder. `written` are the files, in the order of writing, `size` their bytes; `textures`
    is the folder of the images below it."""

    def __init__(self, folder: Path, textures: str = TEXTURES) -> None:
        self.folder = folder
        self.textures = textures
        self.written: list[Path] = []
        self.size = 0
        self._data: dict[tuple[int, int, bytes], tuple[Place, int]] = {}
        self._parts: dict[Place, Json] = {}
        self._sizes: dict[str, int] = {}
        self._images: dict[bytes, str] = {}
        self._names = UniqueNames()

    def write(self, document: Document, name: str) -> Path:
        """Write a document as NAME.gltf; `name` may have folders, with `/`. Raises OSError."""
        accessors, views, buffers = self._accessors(document, name)
        files = [self.image(*document.picture(number)) for number in range(len(document.items("images")))]
        images = [
            members(name=entry.get("name"), mimeType=entry["mimeType"], uri=_uri(name, file))
            for entry, file in zip(document.items("images"), files, strict=True)
        ]
        return self.file(f"{name}.gltf", document.text(accessors, images, views, buffers))

    def image(self, title: str, png: bytes) -> str:
        """The file of an image, which is written unless an equal one was. Raises OSError."""
        if png not in self._images:
            self._images[png] = f"{self.textures}/{self._names.add(title)}.png"
            self.file(self._images[png], png)
        return self._images[png]

    def file(self, name: str, data: bytes) -> Path:
        """Write a file below the folder. Raises OSError."""
        self.written.append(write_atomically(self.folder / name, data))
        self.size += len(data)
        return self.written[-1]

    def _accessors(self, document: Document, name: str) -> tuple[list[Json], list[Json], list[Json]]:
        """The accessors of a document, their buffer views and buffers; new data is written."""
        buffer = BufferData()
        keys = [(*data.view, data.raw) for data in document.accessors]
        for key, data in zip(keys, document.accessors, strict=True):
            if key not in self._data:
                self._data[key] = ((name, *data.view), buffer.add(data))
        own, contents = buffer.laid_out()
        self._parts |= {(name, *view): part for view, part in own.items()}
        if contents:
            self._sizes[name] = len(contents)
            self.file(f"{name}.bin", contents)
        placed = [self._data[key] for key in keys]
        places = {place: number for number, place in enumerate(dict.fromkeys(place for place, _ in placed))}
        buffers = {file: number for number, file in enumerate(dict.fromkeys(file for file, _, _ in places))}
        accessors = [
            data.placed(places[place], offset) for data, (place, offset) in zip(document.accessors, placed, strict=True)
        ]
        views = [{"buffer": buffers[place[0]]} | self._parts[place] for place in places]
        listed = [{"uri": _uri(name, f"{file}.bin"), "byteLength": self._sizes[file]} for file in buffers]
        return accessors, views, listed


def _uri(document: str, file: str) -> str:
    """The reference to a file from the folder of a document."""
    return quote(posixpath.relpath(file, posixpath.dirname(document) or "."))
