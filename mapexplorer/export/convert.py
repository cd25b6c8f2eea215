"""Converts loose models, with textures and animations given with them, to glTF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from formats.nitro.model import Model
from mapexplorer.errors import RomError
from mapexplorer.export.files import is_folder, unique_names, write_atomically
from mapexplorer.export.gltf.document import Document
from mapexplorer.export.loose import (
    J3D,
    NITRO,
    LooseFiles,
    LooseModel,
    Pair,
    clips_of,
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

    from formats.j3d.model import Bmd
    from formats.parkan import Msh
    from mapexplorer.export.request import ConvertRequest
    from mapexplorer.system.progress import Outcome, Progress
    from mapexplorer.world.world import FieldWorld


@dataclass(frozen=True, eq=False)
class Converted:
    """A document with its file name, sentences about missing parts, and the `missing` textures and palettes."""

    name: str
    document: Document
    notices: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def clips(self) -> list[str]:
        """The names of its clips."""
        return [str(animation["name"]) for animation in self.document.items("animations")]


def write_converted(request: ConvertRequest, world: FieldWorld | None, progress: Progress) -> Outcome:
    """Run a `ConvertRequest`: write pictures if the output is a PNG or there is no model, else models."""
    found = read_files(request.files)
    if request.output.suffix.lower() == ".png" or not found.models:
        outcome = write_pictures(found, request.output, progress)
        failed = []
    else:
        outcome = write_models(found, found.models, request.options, request.output, progress)
        failed = [sentence for _, sentence in unused(found)]
        outcome.facts["failed"] = failed
    outcome.sentence += f", {len(failed)} failed"
    outcome.notices = [*(f"  {note}" for note in found.notes), *failed]
    return outcome


def _check_target(output: Path, ending: str, what: str, number: int) -> None:
    if not is_folder(output) and output.suffix.lower() != ending:
        raise OptionError("A {0} becomes a {1} file, several a folder; {2} names neither.", what, ending, output.name)
    if not is_folder(output) and number > 1:
        raise OptionError("{0} do not fit into one {1}: give a folder.", count(number, what), ending[1:].upper())


def _target(output: Path, name: str, suffix: str) -> Path:
    return output / f"{name}{suffix}" if is_folder(output) else output


def write_models(
    found: LooseFiles, models: Sequence[LooseModel], options: ConvertOptions, output: Path, progress: Progress
) -> Outcome:
    """Write models of the files as GLB, under names that differ: one as the file `output`, or several into that folder.
    Raises OptionError for several models and one file, and for the name of another file; FormatError, OSError."""
    from mapexplorer.system.progress import Outcome

    _check_target(output, ".glb", "model", len(models))
    files: list[Path] = []
    entries: list[dict[str, Any]] = []
    names = unique_names([model.name for model in models])
    for number, (model, name) in enumerate(zip(models, names, strict=True)):
        progress.report(number, len(models), name)
        one = convert_model(found, model, options, name)
        progress.check()
        files.append(one.document.write(_target(output, one.name, ".glb")))
        entries.append(
            {
                "file": str(files[-1]),
                "size": files[-1].stat().st_size,
                "materials": len(one.document.items("materials")),
                "images": len(one.document.items("images")),
                "clips": one.clips,
                "missing": one.missing,
                "notices": one.notices,
            }
        )
    clips, missing = (sum(len(entry[kind]) for entry in entries) for kind in ("clips", "missing"))
    sentence = f"{count(len(entries), 'model')} written with {count(clips, 'clip')}, {count(missing, 'name')} missing"
    return Outcome(sentence, files, [], {"models": entries})


def write_pictures(found: LooseFiles, output: Path, progress: Progress) -> Outcome:
    """Write every texture that the files show as PNG: one as the file `output`, or several into that folder. Raises
    RomError for files without textures, OptionError for several and one file, and for the name of another file;
    OSError."""
    from mapexplorer.export.textures import picture
    from mapexplorer.system.progress import Outcome

    pairs = pictures_of(found)
    if not pairs:
        what = "animations alone; give the model that they play on" if found.animations else "no textures"
        raise RomError(f"The given files hold {what}.")
    _check_target(output, ".png", "picture", len(pairs))
    files: list[Path] = []
    entries: list[dict[str, Any]] = []
    for name, pair in pairs:
        progress.report(len(entries), len(pairs), name)
        texture, palette = pair.texture, None if pair.palette is None else pair.palette.name
        files.append(write_atomically(_target(output, name, ".png"), picture(texture, pair.palette).png))
        size = {"width": texture.width, "height": texture.height}
        entries.append({"file": str(files[-1]), "texture": texture.name, "palette": palette, **size})
        entries[-1]["guessed"] = pair.guessed
    return Outcome(f"{count(len(pairs), 'picture')} written", files, [], {"pictures": entries})


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


def _nitro(files: LooseFiles, loose: LooseModel, options: ExportOptions, name: str) -> Converted:
    from mapexplorer.export.gltf.animation import Clip
    from mapexplorer.export.gltf.nitro import model_document

    model = cast(Model, loose.value)
    sets = [textures for _, textures in sets_of(files, loose)]
    found = clips_of(files, model)
    clips = [Clip(one.name, one.value) for one in found]
    document, parts = model_document(model, *sets, options=options, clips=clips)
    pictures = missing_pictures([one.value for one in found], sets)
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
