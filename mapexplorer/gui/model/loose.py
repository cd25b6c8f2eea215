"""Loose files put together: what each is, and which textures and animations fit which model, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import formats
from formats.binary import FormatError, Note
from formats.nitro.model import Model
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0
from mapexplorer.world.textures import unresolved

NITRO_ANIMATIONS = ("Nsbca", "Nsbta", "Nsbtp", "Nsbma", "Nsbva")
TITLES = {
    "Nsbmd": "NITRO model", "Nsbtx": "NITRO textures", "Nsbca": "joint animation", "Nsbta": "texture matrix animation",
    "Nsbtp": "texture pattern animation", "Nsbma": "material colour animation", "Nsbva": "visibility animation",
    "Bmd": "J3D model", "Bck": "J3D joint animation", "Msh": "MSH model",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class LooseFile:
    """A file: its value, or the sentence that says why it has none; `notes` are what was unusual."""

    path: Path
    value: Any
    error: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def kind(self) -> str:
        """The name of the value's type, empty for a file that could not be read."""
        return type(self.value).__name__ if self.value is not None else ""

    @property
    def title(self) -> str:
        """What the file is, in words."""
        return TITLES.get(self.kind, self.kind) or "cannot be read"


@dataclass(frozen=True, eq=False)
class Assembly:
    """A model with what fits it. `lacking` says which of its materials stay white."""

    file: LooseFile
    name: str
    model: Any
    textures: Tex0 | None = None
    texture_source: str = ""
    animations: tuple[LooseFile, ...] = ()
    lacking: tuple[str, ...] = field(default=())

    @property
    def is_nitro(self) -> bool:
        """Whether the DS engine can draw it."""
        return isinstance(self.model, Model)


def read_file(path: Path) -> LooseFile:
    """Read a file by what is in it; never raises for its contents."""
    notes: list[Note] = []
    try:
        data = path.read_bytes()
        return LooseFile(path, formats.read(data, path.name, notes=notes), "", tuple(notes))
    except (FormatError, OSError) as error:
        return LooseFile(path, None, str(error))


def files_below(paths: Sequence[Path]) -> list[Path]:
    """The files themselves and those directly in the folders, sorted."""
    found: list[Path] = []
    for path in paths:
        found += sorted(child for child in path.iterdir() if child.is_file()) if path.is_dir() else [path]
    return found


def assemble(files: Sequence[LooseFile]) -> list[Assembly]:
    """Every model among the files with the textures and animations whose names fit it."""
    made: list[Assembly] = []
    for file in files:
        if isinstance(file.value, Nsbmd):
            made += [_nitro(file, model, files) for model in file.value.models]
        elif file.kind in ("Bmd", "Msh"):
            fitting = tuple(other for other in files if other.kind == "Bck") if file.kind == "Bmd" else ()
            made.append(Assembly(file, file.path.stem, file.value, None, "", fitting))
    return made


def _nitro(file: LooseFile, model: Model, files: Sequence[LooseFile]) -> Assembly:
    # Of sets that fit equally well, one that was given on purpose comes before what the model brings.
    sets = [(other.path.name, other.value.textures) for other in files if isinstance(other.value, Nsbtx)]
    sets += [("its own", file.value.textures)] if file.value.textures is not None else []
    sets += [
        (other.path.name, other.value.textures)
        for other in files
        if isinstance(other.value, Nsbmd) and other is not file and other.value.textures is not None
    ]
    best: tuple[int, str, Tex0 | None] = (len(model.materials) + 1, "", None)
    for source, textures in sets:
        count = len(unresolved(model, textures))
        if count < best[0]:
            best = count, source, textures
    animations = tuple(other for other in files if other.kind in NITRO_ANIMATIONS and fits(other.value, model))
    lacking = tuple(map(str, unresolved(model, best[2])))
    return Assembly(file, model.name, model, best[2], best[1], animations, lacking)


def fits(animations: Any, model: Model) -> bool:
    """Whether an animation file drives something that the model has: nodes by number, materials by name."""
    materials = {material.name for material in model.materials}
    for animation in animations.animations:
        tracks = getattr(animation, "tracks", ())
        names = {getattr(track, "material", None) for track in tracks} - {None}
        if names & materials:
            return True
        if not names and (not tracks or len(tracks) == len(model.nodes)):
            return True
    return False
