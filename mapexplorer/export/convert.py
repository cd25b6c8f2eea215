"""Converts loose models, with textures and animations given with them, to glTF."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from formats.nitro.model import Model
from mapexplorer.errors import RomError
from mapexplorer.export.files import is_folder, unique_names, write_atomically
from mapexplorer.export.gltf.document import Document
from mapexplorer.export.loose import (
    LooseFiles,
    LooseModel,
    clips_of,
    doubt,
    missing_pictures,
    read_files,
    sets_of,
    unused,
    used_pairs,
)
from mapexplorer.export.options import ConvertOptions, ExportOptions
from mapexplorer.option import OptionError
from mapexplorer.values import count

if TYPE_CHECKING:
    from pathlib import Path

    from mapexplorer.export.request import ConvertRequest
    from mapexplorer.system.progress import Outcome, Progress
    from mapexplorer.world.world import FieldWorld


Converted = tuple[Document, list[str], list[str]]
"""A document, sentences about missing parts, and the missing textures and palettes."""


def write_converted(request: ConvertRequest, world: FieldWorld | None, progress: Progress) -> Outcome:
    """Run a `ConvertRequest`: write pictures if the output is a PNG or there is no model, else models."""
    files = read_files(request.files, world)
    if request.output.suffix.lower() == ".png" or not files.models:
        outcome = write_pictures(files, request.output, progress)
        failed = []
    else:
        outcome = write_models(files, files.models, request.options, request.output, progress)
        failed = [sentence for _, sentence in unused(files)]
        outcome.facts["failed"] = failed
    outcome.sentence += f", {len(failed)} failed"
    outcome.notices = [*(f"  {note}" for note in files.notes), *failed]
    return outcome


def _targets(output: Path, ending: str, what: str, names: Sequence[str]) -> list[Path]:
    """The files of what has these names: one as the file `output`, or several in that folder, with names that differ.
    Raises OptionError for several and one file, and for the name of another file."""
    if is_folder(output, ending):
        return [output / f"{name}{ending}" for name in unique_names(names)]
    if output.suffix.lower() != ending:
        raise OptionError("A {0} becomes a {1} file, several a folder; {2} names neither.", what, ending, output.name)
    if len(names) > 1:
        raise OptionError("{0} do not fit into one {1}: give a folder.", count(len(names), what), ending[1:].upper())
    return [output]


def write_models(
    files: LooseFiles, models: Sequence[LooseModel], options: ConvertOptions, output: Path, progress: Progress
) -> Outcome:
    """Write models of the files as GLB (see `_targets`). Raises OptionError, FormatError, OSError."""
    from mapexplorer.system.progress import Outcome

    targets = _targets(output, ".glb", "model", [model.name for model in models])
    entries: list[dict[str, Any]] = []
    for model, target in zip(models, targets, strict=True):
        progress.report(len(entries), len(models), model.name)
        document, notices, missing = convert_model(files, model, options)
        progress.check()
        document.write(target)
        entries.append(
            {
                "file": str(target),
                "size": target.stat().st_size,
                "materials": len(document.items("materials")),
                "images": len(document.items("images")),
                "clips": _clips(document),
                "missing": missing,
                "notices": notices,
            }
        )
    clips, names_missing = (sum(len(entry[kind]) for entry in entries) for kind in ("clips", "missing"))
    sentence = f"{count(len(entries), 'model')} written with {count(clips, 'clip')}"
    return Outcome(f"{sentence}, {count(names_missing, 'name')} missing", targets, [], {"models": entries})


def _clips(document: Document) -> list[str]:
    """The names of the clips."""
    return [str(animation["name"]) for animation in document.items("animations")]


def write_pictures(files: LooseFiles, output: Path, progress: Progress) -> Outcome:
    """Write every texture that the files show as PNG (see `_targets`). Raises RomError for files without textures,
    OptionError, OSError."""
    from mapexplorer.export.textures import picture
    from mapexplorer.system.progress import Outcome

    pairs = used_pairs(files)
    if not pairs:
        what = "animations alone; give the model that they play on" if files.animations else "no textures"
        raise RomError(f"The given files hold {what}.")
    targets = _targets(output, ".png", "picture", [pair.name for pair in pairs])
    entries: list[dict[str, Any]] = []
    for pair, target in zip(pairs, targets, strict=True):
        progress.report(len(entries), len(pairs), pair.name)
        texture, palette = pair.texture, None if pair.palette is None else pair.palette.name
        write_atomically(target, picture(texture, pair.palette).png)
        entry = {"file": str(target), "texture": texture.name, "palette": palette}
        entries.append(entry | {"width": texture.width, "height": texture.height, "guessed": pair.guessed})
    return Outcome(f"{count(len(pairs), 'picture')} written", targets, [], {"pictures": entries})


def convert_model(files: LooseFiles, model: LooseModel, options: ConvertOptions) -> Converted:
    """One model of the files. Raises FormatError."""
    if isinstance(model.value, Model):
        return _nitro(files, model, model.value, options.nitro)
    from formats.parkan import Msh

    if isinstance(model.value, Msh):
        from mapexplorer.export.gltf.msh import msh_document

        return msh_document(model.value, name=model.name, options=options.msh), [], []
    from mapexplorer.export.gltf.j3d import j3d_document

    notes: list[Any] = []
    animations = [(path.stem, animation) for path, animation in files.j3d_animations]
    document = j3d_document(model.value, animations, name=model.name, options=options.j3d, notes=notes)
    return document, [str(note) for note in notes], []


def _nitro(files: LooseFiles, loose: LooseModel, model: Model, options: ExportOptions) -> Converted:
    from mapexplorer.export.gltf.animation import Clip
    from mapexplorer.export.gltf.nitro import model_document

    sets = [textures for _, textures in sets_of(files, loose)]
    animations = clips_of(files, model)
    clips = [Clip(animation.name, animation.value) for animation in animations]
    document, parts = model_document(model, *sets, options=options, clips=clips)
    pictures = missing_pictures([animation.value for animation in animations], sets)
    missing = list(dict.fromkeys([*parts.missing, *pictures]))
    given = "no texture set was given" if not sets else "none of the given texture sets has it"
    notices = [f"{what} is missing: {given}; add the NSBTX that has it" for what in missing]
    notices += [
        f"clip {animation.name} {why}: perhaps it is of another model"
        for animation in animations
        if (why := doubt(animation.value, model))
    ]
    if not any(mesh.toggles or "hidden" not in mesh.extras for mesh in parts.meshes):
        notices.append(f"{model.name} shows nothing: it draws no triangle")
    if not options.static:
        shown = _clips(document)
        idle = [clip.name for clip in clips if clip.name not in shown]
        notices += [f"clip {clip} changes nothing that the file can show" for clip in idle]
    return document, notices, missing
