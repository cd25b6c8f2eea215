"""Loose models as glTF documents, with the textures and animations that were given together with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from formats.nitro.model import Model
from mapexplorer.export.gltf.document import Document
from mapexplorer.export.gltf.j3d import J3dOptions
from mapexplorer.export.gltf.msh import MshOptions
from mapexplorer.export.loose import (
    J3D,
    NITRO,
    LooseFiles,
    LooseModel,
    Pair,
    clips_of,
    missing_pictures,
    sets_of,
    used_pairs,
)
from mapexplorer.export.options import ExportOptions

if TYPE_CHECKING:
    from formats.j3d.model import Bmd
    from formats.parkan import Msh


@dataclass(frozen=True)
class ConvertOptions:
    """Options by the kind of model."""

    nitro: ExportOptions = field(default_factory=ExportOptions)
    j3d: J3dOptions = field(default_factory=J3dOptions)
    msh: MshOptions = field(default_factory=MshOptions)


@dataclass(frozen=True, eq=False)
class Converted:
    """A document under the name of its file, with sentences on what it lacks; `missing` textures and palettes."""

    name: str
    document: Document
    notices: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def clips(self) -> list[str]:
        """The names of its clips."""
        return [str(animation["name"]) for animation in self.document.items("animations")]


def convert(files: LooseFiles, options: ConvertOptions) -> Iterator[Converted]:
    """Every model of the files in the order given, under names that differ. Raises FormatError."""
    names = unique_names([model.name for model in files.models])
    for model, name in zip(files.models, names, strict=True):
        yield convert_model(files, model, options, name)


def convert_model(files: LooseFiles, model: LooseModel, options: ConvertOptions, name: str) -> Converted:
    """One model of the files. Raises FormatError."""
    if model.kind == NITRO:
        return _nitro(files, model, options.nitro, name)
    if model.kind == J3D:
        from mapexplorer.export.gltf.j3d import j3d_document

        notes: list[Any] = []
        animations = [(path.stem, animation) for path, animation in files.j3d_animations]
        value = cast("Bmd", model.value)
        document = j3d_document(value, animations, name=model.name, options=options.j3d, notes=notes)
        return Converted(name, document, [str(note) for note in notes])
    from mapexplorer.export.gltf.msh import msh_document

    return Converted(name, msh_document(cast("Msh", model.value), name=model.name, options=options.msh))


def pictures_of(files: LooseFiles) -> list[tuple[str, Pair]]:
    """Every texture with a palette that the files show (see `used_pairs`), under names that differ."""
    pairs = used_pairs(files)
    return list(zip(unique_names([pair.name for pair in pairs]), pairs, strict=True))


def unique_names(names: Sequence[str]) -> list[str]:
    """Names for files: without what a file system could refuse, with a number behind those that came before."""
    taken: set[str] = set()
    result = []
    for name in names:
        kept = [letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_" for letter in name]
        plain = title = "".join(kept)
        number = 1
        while title.lower() in taken:
            number += 1
            title = f"{plain}_{number}"
        taken.add(title.lower())
        result.append(title)
    return result


def _nitro(files: LooseFiles, loose: LooseModel, options: ExportOptions, name: str) -> Converted:
    from mapexplorer.export.gltf.animation import Clip
    from mapexplorer.export.gltf.nitro import model_document

    model = cast(Model, loose.value)
    sets = [one.value for one in sets_of(files, loose)]
    found = clips_of(files, model)
    clips = [Clip(one.name, one.animation.value) for one in found]
    document, parts = model_document(model, *sets, options=options, clips=clips)
    pictures = missing_pictures([one.animation.value for one in found], sets)
    missing = list(dict.fromkeys([*parts.missing, *pictures]))
    given = "no texture set was given" if not sets else "none of the given texture sets has it"
    notices = [f"{what} is missing: {given}; add the NSBTX that has it" for what in missing]
    result = Converted(name, document, notices, missing)
    if not options.static:
        shown = set(result.clips)
        result.notices.extend(
            f"clip {one.name} changes nothing that the file can show" for one in found if one.name not in shown
        )
    return result
