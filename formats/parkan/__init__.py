"""Files of the Iron3D engine ("Parkan: Iron Strategy"): the NRes container and the MSH model with its animation."""

from __future__ import annotations

from collections.abc import Iterator

from formats.binary import Buffer, Notes, Reader
from formats.parkan.animation import KEY, KeyPool, Track, Tracks
from formats.parkan.msh import Msh
from formats.parkan.nres import Entry, NRes, PayloadLayout, read_container
from formats.parkan.streams import Stream, classify
from formats.parkan.text import shown

__all__ = [
    "KEY",
    "Entry",
    "KeyPool",
    "Msh",
    "NRes",
    "PayloadLayout",
    "Stream",
    "Track",
    "Tracks",
    "classify",
    "models",
    "read",
]

MODEL_TYPE = int.from_bytes(b"MESH", "little")


def read(data: Buffer, *, notes: Notes | None = None, strict: bool = False) -> Msh | NRes:
    """A model, or the container itself when its entries are not the streams of a model (an archive).

    Raises `FormatError` for anything else, terrain (`Land.msh`) included.
    """
    reader = Reader.of(data, "NRes")
    container, payloads = read_container(reader, notes=notes, strict=strict)
    if classify(entry.type_id for entry in container.entries) == "archive":
        return container
    return Msh.from_container(container, payloads, reader, notes, strict)


def models(archive: NRes, *, notes: Notes | None = None) -> Iterator[tuple[str, Msh]]:
    """Yield the models of an archive with their names, in directory order, each read when it is reached."""
    for number, entry in enumerate(archive.entries):
        if entry.type_id == MODEL_TYPE:
            yield shown(entry.name), Msh.from_bytes(Reader(entry.payload, f"NRes > MESH[{number}]"), notes=notes)
